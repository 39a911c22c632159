"""Three computer opponents as a card app has them: easy, medium and hard."""

from __future__ import annotations

from numba.extending import register_jitable

from hearts_sim import Param, Seat, Strategy, Table, cards, rng

SHOOTER_POINTS = 12


class CpuEasy(Strategy):
    """Play low, duck what holds points, and remember nothing.

    A beginner who knows the rules: passes the highest cards, leads low, follows low, gets rid of the queen
    and the hearts when void, and ducks as high as it can when it sees points in the trick. Its mistakes are
    that it keeps its high cards for the end, when they win the hearts, and that high spades look to it like
    any other high card. It counts nothing and looks at the current trick only.

    Sources
    -------
    The usual division of levels in card apps: easy without counting, medium avoids points, hard counts.
    """

    name = "cpu-easy"
    summary = "an app's easy opponent: ducks when it sees points, counts nothing"
    ignores = ("kitty", "no_tricks_bonus", "moon", "sun", "exact_target", "doubling_card")

    @staticmethod
    def choose_pass(table: Table, me: Seat) -> int:
        """Pass the highest cards."""
        return pass_highest(table, me, cards.NONE)

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Lead low, follow as it comes, discard what hurts."""
        if table.trick_length == 0:
            return lowest_of(cards.avoid(me.legal, cards.QUEEN_OF_SPADES), me)
        if not me.legal & table.led_suit:
            return discard(table, me, cards.NONE)
        losing = cards.below(me.legal, table.best_card)
        if feeds_shooter(table, me):
            return highest_of(cards.avoid(losing if losing else me.legal, table.rules.penalty_cards), me)
        if losing and table.trick_cards & table.rules.penalty_cards:
            return highest_of(losing, me)
        return lowest_of(cards.avoid(me.legal, cards.QUEEN_OF_SPADES), me)


class CpuMedium(Strategy):
    """Duck as high as possible and never walk into the queen.

    A steady player: passes high spades that have few low ones beside them, leads low, plays just under the
    winning card, keeps the king and ace of spades back while the queen is out, and drops the queen under
    either. In last seat it takes a trick without points with its highest card. It notices whether the queen
    has been played, and counts nothing else.

    Sources
    -------
    Common advice to beginners: Mark Whitley, Tips for Playing Hearts (1999); Joe Andrews, Win at Hearts.
    """

    name = "cpu-medium"
    summary = "an app's medium opponent: ducks and looks after the queen of spades"
    ignores = ("kitty", "no_tricks_bonus", "moon", "sun", "exact_target", "doubling_card")

    @staticmethod
    def choose_pass(table: Table, me: Seat) -> int:
        """Pass high spades that are badly guarded, then the highest cards, but no low spade."""
        return pass_highest(table, me, bare_high_spades(me, 4))

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Lead low, duck high, discard what hurts."""
        queen_out = not table.played & cards.QUEEN_OF_SPADES
        trouble = cards.HIGH_SPADES if queen_out else cards.NONE
        if table.trick_length == 0:
            return lowest_of(cards.avoid(me.legal, trouble), me)
        if not me.legal & table.led_suit:
            return discard(table, me, trouble)
        losing = cards.avoid(cards.below(me.legal, table.best_card), wanted_card(table))
        if feeds_shooter(table, me):
            return highest_of(cards.avoid(losing if losing else me.legal, table.rules.penalty_cards), me)
        if losing & cards.QUEEN_OF_SPADES:
            return cards.QUEEN_OF_SPADES
        last = table.trick_length == table.seats - 1
        safe = cards.avoid(me.legal, cards.QUEEN_OF_SPADES if last else trouble)
        if last and not table.trick_cards & table.rules.penalty_cards:
            return highest_of(safe, me)
        if losing:
            return highest_of(losing, me)
        return highest_of(safe, me) if last else lowest_of(safe, me)


class CpuHard(Strategy):
    """Count the cards that are out, and play the card with the lowest price.

    A card's price is what it may cost in this trick less what it saves later. Counting gives both. *Now*:
    how likely the seats still to play must go over it, or are void (shown voids are certain) and throw the
    queen or a heart. *Later*: a card with many lower ones out is a danger to get rid of; one below all
    others is a safe way off the lead, worth keeping. Short suits are worth emptying, low spades are led to
    flush out the queen, and hearts as soon as they may be. When one seat alone has 12 points, it takes that
    seat's tricks. Nothing is tried out ahead: it compares its hand with what has been played. Every
    parameter is the weight of one of these thoughts; at 0 the thought is gone, which is how
    docs/strategies.md measures what each is worth.

    Sources
    -------
    Card counting and safe exits: Joe Andrews, Win at Hearts. The weights were tuned, and each rule
    measured, here: docs/strategies.md.
    """

    name = "cpu-hard"
    summary = "an app's hard opponent: counts cards and shown voids, and prices every card"
    ignores = ("kitty", "no_tricks_bonus", "moon", "sun", "exact_target")
    params = {
        "danger": Param(1.0, 0, 10, "worth of shedding a card that is above all cards out of its suit"),
        "shortness": Param(1.3, 0, 10, "worth of playing from a suit, divided by the cards held in it"),
        "giving": Param(0.33, 0, 2, "worth of a point given to another seat"),
        "on_lead": Param(0.4, 0, 10, "cost of winning a trick and having to lead"),
        "void_gift": Param(1.0, 0, 2, "hearts expected from a seat that cannot follow"),
        "bleed": Param(1.5, 0, 10, "worth of leading a low spade to a queen elsewhere, holding no high one"),
        "lead_hearts": Param(1.1, 0, 10, "worth of leading a heart"),
        "guards": Param(1.0, 0, 10, "worth of keeping a low spade beside the own queen"),
        "stop_shooter": Param(1, 0, 1, "1 takes tricks from a seat that alone has 12 points"),
    }

    @staticmethod
    def choose_pass(table: Table, me: Seat) -> int:
        """Pass badly guarded high spades, then high cards, those of short minor suits first."""
        bare = bare_high_spades(me, 4)
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= most_wanted_gone(table, me, me.legal ^ chosen, me.hand ^ chosen, bare)
        return chosen

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Play the card with the lowest price."""
        choices = me.legal
        if table.trick_length > 0 and feeds_shooter(table, me):
            takers = cards.without(cards.above(me.legal, table.best_card), cards.QUEEN_OF_SPADES)
            if takers and me.params[8] > 0:
                return cards.lowest(takers)
            choices = cards.avoid(me.legal, table.rules.penalty_cards)
        out = cards.without(table.rules.deck, table.played | me.hand)
        cheapest, lowest_price = cards.NONE, 1e9
        left = choices
        while left:
            card = cards.lowest(left)
            left ^= card
            price = price_now(table, me, card, out) - worth_of_shedding(table, me, card, out)
            if price < lowest_price - 1e-9:
                cheapest, lowest_price = card, price
            elif price < lowest_price + 1e-9:
                cheapest |= card
        return rng.pick_tied(cheapest, me)


# What all three share.


@register_jitable
def lowest_of(some: int, me: Seat) -> int:
    """Return a card of the lowest rank; the game's seed settles which suit."""
    return rng.pick_tied(cards.same_rank(some, cards.lowest(some)), me)


@register_jitable
def highest_of(some: int, me: Seat) -> int:
    """Return a card of the highest rank; the game's seed settles which suit."""
    return rng.pick_tied(cards.same_rank(some, cards.highest(some)), me)


@register_jitable
def feeds_shooter(table: Table, me: Seat) -> bool:
    """Return whether the trick is being won by a seat that alone has points, 12 or more of 26."""
    points = table.points[table.best_seat]
    everybody = 0
    for seat in range(table.seats):
        everybody += table.points[seat]
    return points == everybody and points * 26 >= SHOOTER_POINTS * table.rules.total_points


@register_jitable
def wanted_card(table: Table) -> int:
    """Return the bonus card if the rules have one that is good to take."""
    return table.rules.bonus_card if table.rules.bonus_points < 0 else cards.NONE


@register_jitable
def bare_high_spades(me: Seat, enough: int) -> int:
    """Return the queen, king and ace of spades of a hand that has too few spades below them."""
    guards = cards.count(me.hand & cards.LOW_SPADES)
    return me.legal & cards.HIGH_SPADES if guards < enough else cards.NONE


@register_jitable
def pass_highest(table: Table, me: Seat, first: int) -> int:
    """Pass the cards named first, then the highest others; the bonus card and low spades go last."""
    chosen = cards.NONE
    for _ in range(table.rules.pass_cards):
        left = me.legal ^ chosen
        if left & first:
            chosen |= cards.highest(left & first)
        else:
            chosen |= highest_of(cards.avoid(left, wanted_card(table)), me)
    return chosen


@register_jitable
def discard(table: Table, me: Seat, trouble: int) -> int:
    """Throw penalty spades, spades that mean trouble, hearts, or the highest card; feed no shooter."""
    if feeds_shooter(table, me):
        return highest_of(cards.avoid(me.legal, table.rules.penalty_cards), me)
    if me.legal & cards.QUEEN_OF_SPADES:
        return cards.QUEEN_OF_SPADES
    spades = me.legal & cards.SPADES & (trouble | table.rules.penalty_cards)
    if spades:
        return cards.highest(spades)
    hearts = me.legal & cards.HEARTS
    return highest_of(hearts if hearts else cards.avoid(me.legal, wanted_card(table)), me)


# What the hard level counts.


@register_jitable
def most_wanted_gone(table: Table, me: Seat, legal: int, hand: int, bare: int) -> int:
    """Return the card to pass next: a bare high spade, or a high card, best from a short minor suit."""
    best, best_score = cards.NONE, -1000
    left = legal
    while left:
        card = cards.lowest(left)
        left ^= card
        suit = cards.suit_of(card)
        score = cards.rank(card)
        if card & bare:
            score += 100
        elif suit == cards.SPADES or card & wanted_card(table):
            score -= 100
        elif suit != cards.HEARTS:
            score += 10 - 3 * cards.count(hand & suit)
        if score > best_score:
            best, best_score = card, score
        elif score == best_score:
            best |= card
    return rng.pick_tied(best, me)


@register_jitable
def worth_of(table: Table, me: Seat, some: int) -> float:
    """Return what a set of cards costs whoever takes it, as if it were me, in 26ths of the deal's points."""
    rules = table.rules
    points = cards.points(rules, some)
    if some & rules.bonus_card:
        points += rules.bonus_points
    if some & rules.doubling_card:
        points += 4 + table.points[me.seat]
    return 26.0 * points / float(max(1, rules.total_points))


@register_jitable
def worth_of_shedding(table: Table, me: Seat, card: int, out: int) -> float:
    """Return what it is worth later no longer to hold a card."""
    suit = cards.suit_of(card)
    lower = cards.count(cards.below(out, card))
    higher = cards.count(cards.above(out, card))
    worth = me.params[1] / cards.count(me.hand & suit)
    if lower:
        worth += me.params[0] * lower / (lower + higher)
    if card & cards.LOW_SPADES and me.hand & cards.QUEEN_OF_SPADES:
        worth -= me.params[7]
    return worth - worth_for_bonus(table, me, card, out)


@register_jitable
def worth_for_bonus(table: Table, me: Seat, card: int, out: int) -> float:
    """Return what a card is worth keeping for a bonus: the bonus card itself, or one that may take it."""
    wanted = wanted_card(table)
    if card & wanted:
        return -worth_of(table, me, wanted)
    return 2.0 if out & wanted and cards.above(card, wanted) else 0.0


@register_jitable
def price_now(table: Table, me: Seat, card: int, out: int) -> float:
    """Return what a card is expected to cost in this trick; below 0 if it gives points away."""
    if table.trick_length > 0 and not cards.above(card, table.best_card):
        return -me.params[2] * worth_of(table, me, card)
    price = cost_of_winning(table, me, card, out)
    if table.trick_length == 0:
        if card & cards.LOW_SPADES and out & cards.QUEEN_OF_SPADES and not me.hand & cards.HIGH_SPADES:
            price -= me.params[5]
        if card & cards.HEARTS:
            price -= me.params[6]
    return price


@register_jitable
def cost_of_winning(table: Table, me: Seat, card: int, out: int) -> float:
    """Return the chance that a card wins the trick times what that costs: points, and having to lead."""
    suit = cards.suit_of(card)
    forced = chance_all_higher(table, me, card, out)
    void = chance_of_void(table, me, suit, out)
    queen = chance_of_queen(table, me, out)
    points_forbidden = table.trick_number == 1 and table.rules.first_trick_barred
    chance = 1.0
    points = worth_of(table, me, table.trick_cards | card)
    heart = worth_of(table, me, out & cards.HEARTS) / max(1, cards.count(out & cards.HEARTS))
    for turn in range(table.trick_length + 1, table.seats):
        seat = (table.leader + turn) % table.seats
        has_queen = 0.0 if table.voids[seat] & cards.SPADES else queen
        is_void = 1.0 if table.voids[seat] & suit else void
        chance *= 1.0 - (1.0 - is_void) * forced
        if not points_forbidden:
            points += is_void * has_queen * worth_of(table, me, cards.QUEEN_OF_SPADES)
            if out & cards.HEARTS and not table.voids[seat] & cards.HEARTS:
                points += is_void * (1.0 - has_queen) * me.params[4] * heart
        if suit == cards.HEARTS:
            points += (1.0 - is_void) * heart
        elif suit == cards.SPADES and card > cards.QUEEN_OF_SPADES:
            points += (1.0 - is_void) * has_queen * worth_of(table, me, cards.QUEEN_OF_SPADES)
    return chance * (points + me.params[3])


@register_jitable
def may_hold(table: Table, me: Seat, suit: int) -> int:
    """Return how many other seats have not shown a void in a suit."""
    seats = 0
    for seat in range(table.seats):
        if seat != me.seat and not table.voids[seat] & suit:
            seats += 1
    return seats


@register_jitable
def chance_all_higher(table: Table, me: Seat, card: int, out: int) -> float:
    """Return how likely a seat with an average share of a suit holds only higher cards than this one."""
    suit = cards.suit_of(card)
    total = cards.count(out & suit)
    seats = may_hold(table, me, suit)
    if total == 0 or seats == 0:
        return 0.0
    higher = cards.count(cards.above(out, card))
    chance = 1.0
    for drawn in range(max(1, (total + seats // 2) // seats)):
        chance *= max(0, higher - drawn) / (total - drawn)
    return chance


@register_jitable
def chance_of_void(table: Table, me: Seat, suit: int, out: int) -> float:
    """Return how likely a seat that has shown no void in a suit has none of its cards that are out."""
    seats = may_hold(table, me, suit)
    chance = 1.0
    if seats:
        for _ in range(cards.count(out & suit)):
            chance *= 1.0 - 1.0 / seats
    return chance


@register_jitable
def chance_of_queen(table: Table, me: Seat, out: int) -> float:
    """Return how likely one of the seats that may hold spades has the queen."""
    seats = may_hold(table, me, cards.SPADES)
    return 1.0 / seats if seats and out & cards.QUEEN_OF_SPADES else 0.0
