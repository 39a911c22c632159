"""A game, or some deals of one, written down: who sat where, what was dealt, passed and played, and what it scored.

`transcript_text` writes it as text and reads it back. `check` plays the cards again by the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from hearts_sim.errors import StrategyFault, UsageError
from hearts_sim.game import notation
from hearts_sim.game.reference import Deal, deal_cards, play_deal
from hearts_sim.game.rules import SCATTER, Rules


@dataclass(frozen=True)
class Transcript:
    """Consecutive deals of one game.

    Attributes
    ----------
    rules : Rules
        The rules.
    names : tuple of str
        Who sits at seats 0, 1, ...
    deals : tuple of Deal
        The deals, in order.
    seed, game : int or None
        What the cards were drawn from; None where they were laid out by hand.
    seating : int
        Which replicate of the strategies' random streams was used.
    first_deal : int
        The number of the game's first deal.
    n_deals : int
        How many deals the game was to have, whatever the rules say; 0 follows the rules.
    scores_before : tuple of int
        The totals before the first of the deals; all 0 at the start of a game.

    Raises
    ------
    UsageError
        If there is not one name and one total for each seat, or a name does not fit on a line.
    """

    rules: Rules
    names: tuple[str, ...]
    deals: tuple[Deal, ...]
    seed: int | None = None
    game: int | None = None
    seating: int = 0
    first_deal: int = 1
    n_deals: int = 0
    scores_before: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seats = self.rules.seats
        if not self.scores_before:
            object.__setattr__(self, "scores_before", (0,) * seats)
        for what, values in (("names", self.names), ("totals before the first deal", self.scores_before)):
            if len(values) != seats:
                raise UsageError(f"these rules seat {seats}, but {len(values)} {what} are given")
        for name in self.names:
            if name != name.strip() or not name.isprintable() or not name:
                raise UsageError(f"{name!r} cannot name a seat; use one line without blanks around it")


@dataclass(frozen=True)
class Trick:
    """One trick: its number from 1, who led and who won, and the cards 0..51 in order of play."""

    number: int
    leader: int
    winner: int
    cards: tuple[int, ...]

    def by_seat(self) -> list[int]:
        """Return the card of each seat."""
        return [self.cards[(seat - self.leader) % len(self.cards)] for seat in range(len(self.cards))]


def list_tricks(deal: Deal) -> list[Trick]:
    """Return the tricks of a deal: the highest card of the suit led wins and its seat leads next."""
    seats, leader = len(deal.dealt), deal.opener
    tricks: list[Trick] = []
    for start in range(0, len(deal.plays), seats):
        cards = deal.plays[start : start + seats]
        best = max((card for card in cards if card & 3 == cards[0] & 3), default=cards[0])
        winner = (leader + cards.index(best)) % seats
        tricks.append(Trick(len(tricks) + 1, leader, winner, cards))
        leader = winner
    return tricks


def find_kitty(rules: Rules, deal: Deal) -> int:
    """Return the cards that were left over, as a set."""
    return rules.deck & ~sum(deal.dealt)


def find_kitty_taker(rules: Rules, deal: Deal) -> int:
    """Return who won the cards left over: the winner of the first trick, or of the first with a penalty card.

    Nobody, -1, where no such trick was played yet.
    """
    for trick in list_tricks(deal):
        if rules.kitty == "first_trick" or any(card in rules.card_points for card in trick.cards):
            return trick.winner if len(trick.cards) == rules.seats else -1
    return -1


@dataclass(frozen=True)
class Gift:
    """What one seat passed to another, as a set of cards."""

    giver: int
    taker: int
    cards: int

    def seen_by(self, seat: int | None) -> bool:
        """Return whether a seat could see the cards; None sees all."""
        return seat in (None, self.giver, self.taker)


def list_gifts(deal: Deal) -> list[Gift]:
    """Return who passed what to whom; scattered cards go one by one to the seats on the left, the lowest first."""
    seats, gifts = len(deal.dealt), []
    for giver, cards in enumerate(deal.passed):
        if cards and deal.pass_offset != SCATTER:
            gifts.append(Gift(giver, (giver + deal.pass_offset) % seats, cards))
        elif cards:
            steps = enumerate(notation.list_cards(cards), start=1)
            gifts += [Gift(giver, (giver + step) % seats, 1 << card) for step, card in steps]
    return gifts


def list_hands(deal: Deal) -> list[int]:
    """Return the hands that were played: those dealt, after the pass."""
    hands = [dealt & ~passed for dealt, passed in zip(deal.dealt, deal.passed, strict=True)]
    for gift in list_gifts(deal):
        hands[gift.taker] |= gift.cards
    return hands


def read_deal(row: Any, cards: Any, rules: Rules) -> Deal:
    """Return a stored deal: a record of DEAL_ROW and one of CARDS_ROW, as a `Deal`."""
    values: dict[str, Any] = {}
    for f in fields(Deal):
        value = (row if f.name in row.dtype.names else cards)[f.name].tolist()
        values[f.name] = tuple(value[: rules.seats]) if isinstance(value, list) else value
    values["plays"] = tuple(cards["plays"][: rules.seats * rules.hand_size].tolist())
    return Deal(**values)


def check(transcript: Transcript) -> str | None:
    """Play a transcript's cards again by its rules and return the first difference, or None.

    With a seed, the cards dealt are compared as well. A card out of turn is reported as one that may not be played.
    """
    scores, goes_on, number = transcript.scores_before, True, 0
    for deal in transcript.deals:
        where = f"deal {deal.deal}"
        if not goes_on or (number and deal.deal != number + 1):
            return f"{where}: it follows deal {number}, which {'goes on' if goes_on else 'was the last'}"
        difference = _check_dealing(transcript, deal) or _check_play(transcript, deal, scores)
        if difference:
            return f"{where}: {difference}"
        scores, goes_on, number = deal.scores, deal.ended == 0, deal.deal
    return None


def _check_dealing(transcript: Transcript, deal: Deal) -> str | None:
    if transcript.seed is None:
        return None
    hands, _ = deal_cards(transcript.rules, transcript.seed, transcript.game or 0, deal.deal)
    for seat, (hand, dealt) in enumerate(zip(hands, deal.dealt, strict=True)):
        if hand != dealt:
            return f"seed {transcript.seed} deals seat {seat} {notation.format_cards(hand)}"
    return None


def _check_play(transcript: Transcript, deal: Deal, scores: Sequence[int]) -> str | None:
    rules = transcript.rules
    script = [_Script(deal, seat) for seat in range(rules.seats)]
    try:
        again = play_deal(rules, deal.dealt, script, number=deal.deal, scores=scores)
    except StrategyFault as error:
        return str(error)
    if transcript.n_deals:
        is_last = deal.deal - transcript.first_deal + 1 >= transcript.n_deals
        again = replace(again, ended=int(is_last))
    return _find_difference(deal, again)


@dataclass(frozen=True)
class _Script:
    """A player that does what is written."""

    deal: Deal
    seat: int
    params: tuple[float, ...] = ()

    def choose_pass(self, table: Any, me: Any) -> int:
        """Return the cards that this seat passed."""
        return self.deal.passed[self.seat]

    def choose_card(self, table: Any, me: Any) -> int:
        """Return the next card of the deal, whoever played it."""
        n_played: int = table.played.bit_count()
        return 1 << self.deal.plays[n_played]


def _find_difference(written: Deal, played: Deal) -> str | None:
    """Say what is written otherwise than it was played, the cards first."""
    for place, (left, right) in enumerate(zip(written.plays, played.plays, strict=True)):
        if left != right:
            trick = place // len(written.dealt) + 1
            only = notation.card_name(right)
            return f"trick {trick}: {notation.card_name(left)} is written, but only {only} may be played"
    for f in fields(Deal):
        left, right = getattr(written, f.name), getattr(played, f.name)
        if left != right and f.name == "passed":
            return "cards are passed that the deal does not pass"
        if left != right:
            return f"{f.name} {_show(left)} is written, but the cards give {_show(right)}"
    return None


def _show(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
