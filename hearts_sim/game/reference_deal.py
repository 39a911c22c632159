"""One deal of the reference game, step by step as docs/design.md tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hearts_sim.errors import StrategyFault
from hearts_sim.game import reference_cards, reference_scoring
from hearts_sim.game.notation import CLUBS_BITS, FULL_DECK, HEARTS_BITS, format_cards
from hearts_sim.game.reference_scoring import NOBODY, card_set, find_taker
from hearts_sim.game.reference_table import (
    Chooser,
    Deal,
    EncodedRules,
    ReferenceSeat,
    ReferenceTable,
    legal_cards,
    pass_choices,
)
from hearts_sim.game.rules import QUEEN, SCATTER, Rules
from hearts_sim.game.table import MAX_PARAMS, MAX_SEATS

THREAT_POINTS = 13


class DealInPlay:
    """One deal from the cards to the scores.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    encoded : EncodedRules
        The same as strategies read them.
    seed, game, number, replicate : int
        What keys the cards and the seats' random streams.
    scores : sequence of int
        The totals before the deal.
    players : sequence of Chooser
        Who sits at seats 0, 1, ...
    memories : sequence of list of int
        Each seat's memory of the game; it is changed by the players.
    hands : sequence of int, optional
        The sets of cards to deal by seat, instead of drawing them; what they leave over is the kitty.
    """

    def __init__(
        self,
        rules: Rules,
        encoded: EncodedRules,
        seed: int,
        game: int,
        number: int,
        replicate: int,
        scores: Sequence[int],
        players: Sequence[Chooser],
        memories: Sequence[list[int]],
        hands: Sequence[int] | None = None,
    ) -> None:
        self.rules, self.players, self.scores = rules, players, list(scores)
        offsets = rules.pass_offsets
        padded = self.scores + [0] * (MAX_SEATS - rules.seats)
        offset = offsets[(number - 1) % len(offsets)]
        self.table = ReferenceTable(encoded, rules.seats, number, offset, (number - 1) % rules.seats, padded)
        if hands is None:
            self.dealt, self.kitty = reference_cards.deal_cards(rules, seed, game, number)
        else:
            self.dealt, self.kitty = list(hands), rules.deck & ~sum(hands)
        self.seats: list[ReferenceSeat] = []
        for seat, (hand, player) in enumerate(zip(self.dealt, players, strict=True)):
            base = reference_cards.seat_base(seed, game, seat, number)
            params = [*player.params, *[0.0] * (MAX_PARAMS - len(player.params))]
            stream = reference_cards.seat_stream(base, replicate)
            self.seats.append(ReferenceSeat(seat, hand, base, stream, params, memories[seat]))
        self.worth = rules.card_points
        self.penalty = sum(1 << card for card in self.worth)
        self.breaking = HEARTS_BITS
        if rules.hearts_break_by == "heart_or_queen":
            self.breaking |= QUEEN
        if rules.hearts_break_by == "any_penalty":
            self.breaking |= self.penalty
        self.table.hearts_broken = int(rules.hearts_break_by == "never_needed")
        self.plays: list[int] = []
        self.threat = self.kitty_taker = NOBODY
        self.broken_trick = self.queen_trick = 0

    def play(self, *, fixed: bool, last: bool) -> Deal:
        """Play the deal; with ``fixed`` the game ends at the ``last`` deal, whatever the scores."""
        self.pass_cards()
        leader = opener = self.find_opener()
        for number in range(1, self.rules.hand_size + 1):
            leader = self.play_trick(number, leader)
        taken = self.table.taken[: self.rules.seats]
        if self.kitty:
            taken[self.kitty_taker] |= self.kitty
        tricks = self.table.tricks[: self.rules.seats]
        deltas = reference_scoring.score_deal(self.rules, taken, tricks, self.scores, self.table.deal_number)
        totals = reference_scoring.add_scores(self.rules, self.scores, deltas)
        ended = reference_scoring.judge_end(self.rules, totals, self.table.deal_number)
        queen_from, queen_to = self.find_queen_pass()
        return Deal(
            deal=self.table.deal_number,
            pass_offset=self.table.pass_offset,
            points=tuple(deltas),
            scores=tuple(totals),
            opener=opener,
            moon=reference_scoring.find_moon(self.rules, taken),
            sun=reference_scoring.find_sun(self.rules, tricks),
            threat=self.threat,
            queen_taker=find_taker(taken, QUEEN),
            queen_from=queen_from,
            queen_to=queen_to,
            queen_trick=self.queen_trick,
            broken_trick=self.broken_trick,
            bonus_taker=find_taker(taken, card_set(self.rules.bonus_card)),
            ended=int(last) if fixed else ended,
            dealt=tuple(self.dealt),
            passed=tuple(me.passed for me in self.seats),
            plays=tuple(self.plays),
        )

    def ask(self, seat: int, decision: int, legal: int, wanted: int) -> int:
        """Return a player's answer, checked."""
        me, player = self.seats[seat], self.players[seat]
        me.legal, me.draws = legal, decision << 32
        choose: Any = player.choose_card if decision else player.choose_pass
        answer = int(choose(self.table, me))
        if answer & ~legal or answer.bit_count() != wanted:
            given = format_cards(answer) or f"{answer:#x}"
            chose = f"trick {decision}: seat {seat} plays" if decision else f"seat {seat} passes"
            raise StrategyFault(f"{chose} {given}; {wanted} of {format_cards(legal)} wanted")
        return answer

    def pass_cards(self) -> None:
        """Let every seat choose, then move all cards at once."""
        n, offset, wanted = self.rules.seats, self.table.pass_offset, self.rules.pass_cards
        if offset == 0 or wanted == 0:
            return
        passed = [
            self.ask(seat, 0, pass_choices(self.rules, self.seats[seat].hand), wanted) for seat in range(n)
        ]
        received = [0] * n
        for seat, cards in enumerate(passed):
            if offset == SCATTER:
                for away in range(1, n):
                    lowest = cards & -cards
                    received[(seat + away) % n] |= lowest
                    cards ^= lowest
            else:
                received[(seat + offset) % n] |= cards
        for me, gone, come in zip(self.seats, passed, received, strict=True):
            me.passed, me.received = gone, come
            me.hand = me.hand & ~gone | come

    def find_queen_pass(self) -> tuple[int, int]:
        """Return who passed the queen and to whom, or -1 twice."""
        giver = find_taker([me.passed for me in self.seats], QUEEN)
        return giver, find_taker([me.received for me in self.seats], QUEEN)

    def find_opener(self) -> int:
        """Return who leads to the first trick."""
        if self.rules.opening_lead == "left_of_dealer":
            return (self.table.dealer + 1) % self.rules.seats
        clubs = [me.hand & CLUBS_BITS for me in self.seats]
        held = sum(clubs)
        return find_taker(clubs, held & -held)

    def play_trick(self, number: int, leader: int) -> int:
        """Play one trick and return its winner."""
        table, n = self.table, self.rules.seats
        table.trick_number, table.leader = number, leader
        table.trick, table.trick_length, table.trick_cards = [0] * MAX_SEATS, 0, 0
        table.led_suit, table.best_card, table.best_seat = 0, 0, NOBODY
        for place in range(n):
            seat = (leader + place) % n
            self.place_card(seat, self.choose_card(seat))
        self.collect_trick()
        return table.best_seat

    def choose_card(self, seat: int) -> int:
        """Return the card a seat plays; it is asked only when it has a choice."""
        table, hand = self.table, self.seats[seat].hand
        legal = legal_cards(self.rules, hand, table.led_suit, table.trick_number, bool(table.hearts_broken))
        return legal if legal.bit_count() == 1 else self.ask(seat, table.trick_number, legal, 1)

    def place_card(self, seat: int, card: int) -> None:
        """Put a card into the trick."""
        table = self.table
        suit = CLUBS_BITS << ((card.bit_length() - 1) % 4) & FULL_DECK
        self.seats[seat].hand ^= card
        self.plays.append(card.bit_length() - 1)
        if table.trick_length == 0:
            table.led_suit = suit
        elif suit != table.led_suit:
            table.voids[seat] |= table.led_suit
        if suit == table.led_suit and card > table.best_card:
            table.best_card, table.best_seat = card, seat
        table.trick[table.trick_length] = card
        table.trick_length += 1
        table.trick_cards |= card
        table.played |= card
        table.played_by[seat] |= card

    def collect_trick(self) -> None:
        """Give a complete trick to its winner and take note of what it changed."""
        table, winner, cards = self.table, self.table.best_seat, self.table.trick_cards
        table.taken[winner] |= cards
        table.tricks[winner] += 1
        table.points[winner] += sum(worth for card, worth in self.worth.items() if cards >> card & 1)
        if cards & self.breaking:
            table.hearts_broken = 1
            self.broken_trick = self.broken_trick or table.trick_number
        if cards & QUEEN:
            self.queen_trick = table.trick_number
        takes_kitty = self.rules.kitty == "first_trick" or cards & self.penalty
        if self.kitty and self.kitty_taker == NOBODY and takes_kitty:
            self.kitty_taker = winner
        if table.points[winner] >= THREAT_POINTS and table.points[winner] == sum(table.points):
            self.threat = winner
