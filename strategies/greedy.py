"""Greedy: the rules of thumb of a sound player, one trick at a time."""

from __future__ import annotations

from numba.extending import register_jitable

from hearts_sim import Param, Seat, Strategy, Table, cards, rng


class Greedy(Strategy):
    """Bleed spades to flush out the queen, take safe tricks in last seat, duck the others, watch for a moon.

    Every rule looks at the current trick only. Before the play it passes the high spades unless they are
    well guarded, then high cards, most of all from short clubs or diamonds: each card passed makes the next
    of its suit more urgent, so that a suit begun is emptied. This is the zero of the strength scale: other
    strategies are measured by what they win or lose against three of it. ``blunder`` makes it play a random
    legal card now and then, which makes it a stand-in for a person who does not always pay attention.

    Sources
    -------
    Joe Andrews, Win at Hearts (bleeding spades, the guarded queen, stopping a moon); Mark Whitley, Tips for
    Playing Hearts (1999). The rules and thresholds are those that public engines measured to pay, measured
    again here: docs/strategies.md.
    """

    name = "greedy"
    summary = "sound rules of thumb for one trick at a time; the zero of the strength scale"
    ignores = ("kitty", "no_tricks_bonus", "moon", "sun", "exact_target")
    params = {
        "moon_threshold": Param(8, 1, 27, "take tricks from a seat that alone has this many of 26 points"),
        "queen_guards": Param(5, 0, 10, "pass high spades with fewer spades below the queen than this"),
        "pass_hearts": Param(1, 0, 3, "weight of a heart's rank when passing; 0 keeps hearts"),
        "take_high": Param(1, 0, 1, "1 takes a safe trick with the highest card, 0 with the cheapest"),
        "blunder": Param(0, 0, 1, "probability of playing a random legal card instead"),
    }

    @staticmethod
    def choose_pass(table: Table, me: Seat) -> int:
        """Pass one card after another, looking at the rest of the hand anew each time."""
        guards = cards.count(me.hand & cards.LOW_SPADES)
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= most_wanted_gone(table, me, me.hand ^ chosen, me.legal ^ chosen, guards < me.params[1])
        return chosen

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Lead, follow or discard."""
        if me.params[4] > 0 and rng.draw_float(me) < me.params[4]:
            return rng.pick(me.legal, me)
        if table.trick_length == 0:
            return lead(table, me)
        stopping = find_shooter(table, me, me.params[0]) == table.best_seat
        if me.legal & table.led_suit:
            return follow(table, me, stopping)
        return discard(table, me, stopping)


@register_jitable
def most_wanted_gone(table: Table, me: Seat, hand: int, legal: int, spades_bare: bool) -> int:
    """Return the card to pass next: a bare high spade, or a high card, best from a short minor suit."""
    best, best_score = cards.lowest(legal), -1000.0
    left = legal
    while left:
        card = cards.lowest(left)
        left ^= card
        suit = cards.suit_of(card)
        score = float(cards.rank(card))
        if suit == cards.SPADES:
            score += 100 if spades_bare and card & cards.HIGH_SPADES else -100
        elif card & wanted_card(table):
            score -= 100
        elif suit == cards.HEARTS:
            score *= me.params[2]
        else:
            score += 10 - 3 * cards.count(hand & suit)
        if card == cards.TWO_OF_CLUBS:
            score += 5
        if score >= best_score:
            best, best_score = card, score
    return best


@register_jitable
def wanted_card(table: Table) -> int:
    """Return the bonus card if the rules have one that is good to take."""
    return table.rules.bonus_card if table.rules.bonus_points < 0 else cards.NONE


@register_jitable
def find_shooter(table: Table, me: Seat, threshold: float) -> int:
    """Return the other seat that has taken every point so far, if they are many, else -1."""
    shooter = -1
    for seat in range(table.seats):
        if table.points[seat] > 0:
            if shooter >= 0 or seat == me.seat:
                return -1
            shooter = seat
    if shooter >= 0 and table.points[shooter] * 26 >= threshold * table.rules.total_points:
        return shooter
    return -1


@register_jitable
def lead(table: Table, me: Seat) -> int:
    """Bleed spades while the queen is elsewhere; otherwise the lowest card of the shortest suit."""
    low_spades = cards.without(me.legal & cards.LOW_SPADES, table.rules.penalty_cards)
    queen_out = not (table.played | me.hand) & cards.QUEEN_OF_SPADES
    if queen_out and low_spades:
        return cards.lowest(low_spades)
    left = cards.avoid(me.legal, wanted_card(table))
    best, shortest = cards.lowest(left), 100
    while left:
        card = cards.lowest(left)
        suit = cards.suit_of(card)
        if cards.count(me.hand & suit) < shortest:
            best, shortest = card, cards.count(me.hand & suit)
        left = cards.without(left, suit)
    return best


@register_jitable
def follow(table: Table, me: Seat, stopping: bool) -> int:
    """Take a shooter's trick, a bonus, or a clean trick in last seat; otherwise duck as high as possible."""
    wanted = wanted_card(table)
    winning = cards.without(cards.above(me.legal, table.best_card), cards.QUEEN_OF_SPADES)
    losing = cards.avoid(cards.below(me.legal, table.best_card), wanted)
    last = table.trick_length == table.seats - 1
    if stopping:
        if winning:
            return cards.lowest(winning)
        return cards.highest(cards.avoid(losing if losing else me.legal, table.rules.penalty_cards))
    if losing & cards.QUEEN_OF_SPADES:
        return cards.QUEEN_OF_SPADES
    if winning and wanted and not table.trick_cards & cards.QUEEN_OF_SPADES:
        if table.trick_cards & wanted:
            return cards.highest(winning)
        if last and winning & wanted:
            return wanted
    if last and winning and not table.trick_cards & (table.rules.penalty_cards | table.rules.doubling_card):
        safe = cards.avoid(winning, table.rules.penalty_cards)
        return cards.highest(safe) if me.params[3] > 0 else cards.lowest(safe)
    if losing:
        return cards.highest(losing)
    if winning:
        return cards.highest(winning) if last else cards.lowest(winning)
    return cards.lowest(me.legal)


@register_jitable
def discard(table: Table, me: Seat, stopping: bool) -> int:
    """Throw the queen, then a bare high spade, then the highest heart, then the highest card."""
    if stopping:
        return cards.highest(cards.avoid(me.legal, table.rules.penalty_cards))
    if me.legal & cards.QUEEN_OF_SPADES:
        return cards.QUEEN_OF_SPADES
    high_spades = me.legal & cards.HIGH_SPADES
    queen_out = not table.played & cards.QUEEN_OF_SPADES
    if high_spades & table.rules.penalty_cards or (
        queen_out and high_spades and not me.hand & cards.LOW_SPADES
    ):
        return cards.highest(high_spades)
    if me.legal & table.rules.doubling_card:
        return cards.highest(me.legal & table.rules.doubling_card)
    hearts = me.legal & cards.HEARTS
    return cards.highest(hearts if hearts else cards.avoid(me.legal, wanted_card(table)))
