"""One deal played by the compiled loop and by OpenSpiel side by side, compared at every decision.

Both get the same cards, passes and plays. At each decision the two sets of legal cards must be equal, then a chooser
picks a card and both are told; at the end the points must be equal. A card that the loop plays without asking counts
as a decision with that one legal card.
"""

from __future__ import annotations

import importlib
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_sim.bots.play import make_jobs
from hearts_sim.game import loop
from hearts_sim.game.notation import FULL_DECK, HEARTS_BITS, card_name, format_cards, list_cards
from hearts_sim.game.rules import QUEEN, Rules
from hearts_sim.game.table import CARDS_ROW, DEAL_ROW, ENTRANT, GAME, encode_rules

Options = Mapping[str, bool]
Chooser = Callable[[int, random.Random], int]
"""Picks one card of a set of legal ones, as a set of one."""

DEFAULTS: dict[str, bool] = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
"""Every option of OpenSpiel's game with its default."""

VARIANTS: list[dict[str, bool]] = [
    dict(zip(DEFAULTS, values, strict=True))
    for values in itertools.product((True, False), repeat=len(DEFAULTS))
]

OFFSETS = (1, 3, 2, 0)
"""The pass cycle; OpenSpiel's directions are offsets to the left as ours are: 1 left, 2 across, 3 right, 0 none."""

_SWAP_MAJORS = (0, 1, 3, 2)
"""OpenSpiel's suits are C D H S, ours C D S H; both count a card as 4 * rank + suit."""
SAME_CARD = [card & ~3 | _SWAP_MAJORS[card & 3] for card in range(52)]
"""Turns our card into OpenSpiel's, and back."""
_BITS = [1 << SAME_CARD[action] for action in range(52)]
_ACTIONS = {1 << card: SAME_CARD[card] for card in range(52)}
_MOON_POINTS = 26


def translate_options(options: Options) -> Rules:
    """Return our rules for a set of OpenSpiel's options."""
    hearts_break_by = "heart_or_queen" if options["qs_breaks_hearts"] else "heart"
    return Rules(
        pass_cards=3 if options["pass_cards"] else 0,
        first_trick_points="forbidden" if options["no_pts_on_first_trick"] else "allowed",
        opening_lead="any_club" if options["can_lead_any_club"] else "lowest_club",
        bonus_card="JD" if options["jd_bonus"] else None,
        no_tricks_bonus=-5 if options["avoid_all_tricks_bonus"] else 0,
        hearts_break_by=hearts_break_by if options["must_break_hearts"] else "never_needed",
        queen_or_hearts_lead="hearts_allowed" if options["can_lead_hearts_instead_of_qs"] else "queen",
    )


class Difference(AssertionError):
    """The two disagree; the message tells the whole deal so far, the attributes the decision.

    Attributes
    ----------
    kind : str
        "pass", "play" or "points".
    ours, theirs : int or list of int
        The sets of legal cards, or the points by seat.
    hand, played, trick_length : int
        What the seat holds, all cards played before, and how many of them lie in the current trick.
    """

    def __init__(
        self, kind: str, ours: Any, theirs: Any, hand: int, played: Sequence[int], story: str
    ) -> None:
        self.kind, self.ours, self.theirs, self.hand = kind, ours, theirs, hand
        self.played, self.trick_length = sum(played), len(played) % 4
        said = [value if kind == "points" else format_cards(value) for value in (ours, theirs)]
        super().__init__(f"{kind}: hearts-sim says {said[0]}, OpenSpiel {said[1]}\n{story}")


@dataclass
class Played:
    """A deal on which both agreed: how often they were compared, and the loop's own row of it."""

    n_decisions: int
    row: Any


class TwoTables:
    """The compiled loop and OpenSpiel's game, ready to play the same deals.

    Parameters
    ----------
    rules : Rules
        What the loop plays by; four seats.
    options : mapping of str to bool
        What OpenSpiel plays by.
    seed : int
        Keys the loop's own deals.
    """

    def __init__(self, rules: Rules, options: Options, seed: int = 0) -> None:
        self.rules, self.options = rules, dict(options)
        self.their_game = importlib.import_module("pyspiel").load_game("hearts", self.options)
        games = np.zeros(1, GAME)
        self.game = games[0]
        self.game["table"]["rules"] = encode_rules(rules)
        self.game["table"]["seats"] = 4
        self.game["seed"] = seed
        # Views into the record: reading these is several times as fast as reading fields of the record.
        self._hands, self._legal = games["me"]["hand"][0], games["me"]["legal"][0]
        self._asked, self._plays = games["asked"], games["plays"][0]
        self._answer, self._answered = games["answer"], games["answered"]
        self._played = games["table"]["played"]
        self._jobs = make_jobs(0, 1, n_deals=1)
        self._entrants = np.zeros(4, ENTRANT)  # addresses of 0: every choice is made outside
        self._rows, self._logs = np.zeros(1, DEAL_ROW), np.zeros(1, CARDS_ROW)
        self._status = loop.DONE

    def play(
        self,
        number: int,
        offset: int,
        choosers: Sequence[Chooser],
        source: random.Random,
        hands: Sequence[int] | None = None,
        passes: Sequence[int] | None = None,
    ) -> Played:
        """Play one deal at both tables.

        Parameters
        ----------
        number : int
            Keys the loop's own deal.
        offset : int
            The pass; 0 where nobody passes.
        choosers : sequence of callable
            What the seats pass and play.
        source : random.Random
            What the choosers draw from.
        hands : sequence of int, optional
            The sets of cards to deal instead of the loop's own.
        passes : sequence of int, optional
            The sets to pass instead of what the choosers pick.

        Raises
        ------
        Difference
            Where the two first disagree.
        """
        self._deal(number, offset, hands)
        self.dealt = [int(hand) for hand in self._hands[:4]]
        self.passed = [0, 0, 0, 0]
        self.order: list[int] = []
        state = self.their_game.new_initial_state()
        state.apply_action(offset)
        # OpenSpiel deals one card to each seat in turn
        for cards in zip(*(list_cards(hand) for hand in self.dealt), strict=True):
            for card in cards:
                state.apply_action(SAME_CARD[card])
        self._run()
        if offset:
            self._pass(state, choosers, source, passes)
        self._play_tricks(state, choosers, source)
        self._compare_points([_MOON_POINTS - value for value in state.returns()])
        return Played((12 if offset else 0) + len(self.order), self._rows[0])

    def _deal(self, number: int, offset: int, hands: Sequence[int] | None) -> None:
        """Bring the loop to just before the pass with its own steps; given hands take the place of those dealt."""
        game, job = self.game, self._jobs[0]
        job["game"] = number
        job["first_deal"] = OFFSETS.index(offset) + 1 if self.rules.pass_cards else 1
        game["job"] = game["row"] = game["answered"] = 0
        game["logs_cards"] = 1
        loop._start_game(game, job, self._entrants)
        loop._start_deal(game, job)
        assert game["table"]["pass_offset"] == offset
        if hands is not None:
            assert sum(hands) == FULL_DECK
            assert [hand.bit_count() for hand in hands] == [13] * 4
            self._hands[:4] = hands
            game["dealt"][:4] = hands
        game["phase"] = loop.PASSING

    def _run(self) -> None:
        """Let the loop play until it asks, and note at which cards played it waits."""
        self._status = loop.run(self.game, self._jobs, self._entrants, self._rows, self._logs)
        assert self._status in (loop.DONE, loop.MUST_ANSWER)
        self._waits_at = int(self._played[0]) if self._status == loop.MUST_ANSWER else -1

    def _tell(self, answer: int) -> None:
        self._answer[0], self._answered[0] = answer, 1
        self._run()

    def _pass(
        self, state: Any, choosers: Sequence[Chooser], source: random.Random, passes: Sequence[int] | None
    ) -> None:
        """Pass three cards from each seat; OpenSpiel asks for one at a time, the loop for all."""
        for seat in range(4):
            asked = self._asked[0] if self._status == loop.MUST_ANSWER else -1
            assert asked == seat == state.current_player(), self._tell_story(seat)
            chosen = 0
            for _ in range(3):
                legal = int(self._legal[seat]) & ~chosen
                theirs = sum([_BITS[action] for action in state.legal_actions()])
                if legal != theirs:
                    raise Difference("pass", legal, theirs, legal, [], self._tell_story(seat))
                card = choosers[seat](legal if passes is None else passes[seat] & ~chosen, source)
                chosen |= card
                state.apply_action(_ACTIONS[card])
            self.passed[seat] = chosen
            self._tell(chosen)

    def _play_tricks(self, state: Any, choosers: Sequence[Chooser], source: random.Random) -> None:
        order, played = self.order, 0
        while not state.is_terminal():
            seat = state.current_player()
            theirs = sum([_BITS[action] for action in state.legal_actions()])
            waits = self._waits_at == played
            ours = int(self._legal[seat]) if waits else int(self._plays[len(order)])
            if ours != theirs:
                raise Difference("play", ours, theirs, self._held(seat), order, self._tell_story(seat))
            assert not waits or self._asked[0] == seat, self._tell_story(seat)
            card = ours
            if waits:
                card = choosers[seat](ours, source)
                self._tell(card)
            state.apply_action(_ACTIONS[card])
            order.append(card)
            played |= card

    def _held(self, seat: int) -> int:
        """Return what a seat holds at the decision that is being compared."""
        offset = int(self.game["table"]["pass_offset"])
        held = self.dealt[seat] & ~self.passed[seat] | self.passed[(seat - offset) % 4]
        return held & ~sum(self.order)

    def _compare_points(self, theirs: list[float]) -> None:
        ours = self._rows[0]["points"][:4].tolist()
        done = self._status == loop.DONE and self._logs[0]["plays"].tolist() == [
            card.bit_length() - 1 for card in self.order
        ]
        if ours != theirs or not done:
            raise Difference("points", ours, theirs, 0, self.order, self._tell_story(-1))

    def _tell_story(self, seat: int) -> str:
        """Return all that is needed to lay the position out again."""
        lines = [f"rules {self.rules.diff()}", f"options {self.options}", f"seat {seat}"]
        lines += [f"dealt {s}: {format_cards(hand)}" for s, hand in enumerate(self.dealt)]
        lines += [f"passed {s}: {format_cards(cards)}" for s, cards in enumerate(self.passed) if cards]
        names = [card_name(card.bit_length() - 1) for card in self.order]
        tricks = [" ".join(names[first : first + 4]) for first in range(0, len(names), 4)]
        return "\n".join([*lines, "played: " + " / ".join(tricks)])


def pick_random(cards: int, source: random.Random) -> int:
    """Pick any card."""
    for _ in range(int(source.random() * cards.bit_count())):
        cards &= cards - 1
    return cards & -cards


def pick_lowest(cards: int, source: random.Random) -> int:
    """Pick the lowest card."""
    return cards & -cards


def pick_highest(cards: int, source: random.Random) -> int:
    """Pick the highest card: takes tricks."""
    return 1 << cards.bit_length() - 1


def spend_penalties(cards: int, source: random.Random) -> int:
    """Pick the queen, else a heart, as soon as one is legal: breaks hearts early."""
    return cards & QUEEN or pick_random(cards & HEARTS_BITS or cards, source)


def save_penalties(cards: int, source: random.Random) -> int:
    """Keep hearts and the queen while anything else is legal: ends with hands of nothing else."""
    return pick_random(cards & ~(HEARTS_BITS | QUEEN) or cards, source)


def save_hearts(cards: int, source: random.Random) -> int:
    """Pick the queen as soon as it is legal and keep hearts: leads to queens that fall before any heart."""
    return cards & QUEEN or pick_random(cards & ~HEARTS_BITS or cards, source)


def save_clubs(cards: int, source: random.Random) -> int:
    """Pick the lowest card that is no club."""
    others = cards & ~(HEARTS_BITS >> 3)
    return pick_lowest(others or cards, source)


CHOOSERS: list[Chooser] = [
    pick_random,
    pick_random,
    pick_lowest,
    pick_highest,
    spend_penalties,
    save_penalties,
    save_hearts,
    save_clubs,
]


def wish(first: int, then: Chooser) -> Chooser:
    """Return a chooser that picks a card as soon as it is legal, and otherwise as another does."""
    return lambda cards, source: first if cards & first else then(cards, source)
