"""The reference game's table and seats as plain objects, and what may be passed and played at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hearts_sim.game import reference_scoring
from hearts_sim.game.notation import CLUBS_BITS, HEARTS_BITS
from hearts_sim.game.rules import QUEEN, Rules
from hearts_sim.game.table import MAX_SEATS, MEMORY_WORDS, encode_rules


class Chooser(Protocol):
    """Who sits at a reference table: a strategy, compiled or not, with its parameter values."""

    @property
    def params(self) -> Sequence[float]:
        """Parameter values in order of declaration."""

    def choose_pass(self, table: Any, me: Any) -> Any:
        """Return the set of cards to pass."""

    def choose_card(self, table: Any, me: Any) -> Any:
        """Return the card to play as a set of one."""


@dataclass(frozen=True)
class Deal:
    """One deal as it was played; the fields are those of `table.DEAL_ROW` and `table.CARDS_ROW`."""

    deal: int
    pass_offset: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    opener: int
    moon: int
    sun: int
    threat: int
    queen_taker: int
    queen_from: int
    queen_to: int
    queen_trick: int
    broken_trick: int
    bonus_taker: int
    ended: int
    dealt: tuple[int, ...]
    passed: tuple[int, ...]
    plays: tuple[int, ...]


class EncodedRules:
    """The rules' fields as a strategy reads them, as plain numbers and lists."""

    def __init__(self, rules: Rules) -> None:
        record = encode_rules(rules)
        for name in record.dtype.names or ():
            setattr(self, name, record[name].tolist())


def _no_cards() -> list[int]:
    return [0] * MAX_SEATS


@dataclass
class ReferenceTable:
    """What everyone knows; the meaning of each field is that of `table.TABLE`."""

    rules: EncodedRules
    seats: int
    deal_number: int
    pass_offset: int
    dealer: int
    scores: list[int]
    points: list[int] = field(default_factory=_no_cards)
    tricks: list[int] = field(default_factory=_no_cards)
    taken: list[int] = field(default_factory=_no_cards)
    played_by: list[int] = field(default_factory=_no_cards)
    voids: list[int] = field(default_factory=_no_cards)
    played: int = 0
    hearts_broken: int = 0
    trick_number: int = 0
    trick: list[int] = field(default_factory=_no_cards)
    trick_length: int = 0
    trick_cards: int = 0
    leader: int = 0
    led_suit: int = 0
    best_card: int = 0
    best_seat: int = 0


@dataclass
class ReferenceSeat:
    """What one seat alone knows; the meaning of each field is that of `table.SEAT`."""

    seat: int
    hand: int
    base: int
    stream: int
    params: list[float]
    game_memory: list[int]
    legal: int = 0
    passed: int = 0
    received: int = 0
    draws: int = 0
    memory: list[int] = field(default_factory=lambda: [0] * MEMORY_WORDS)


def legal_cards(rules: Rules, hand: int, led_suit: int, trick_number: int, hearts_broken: bool) -> int:
    """Return the cards of a hand that may be played.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    hand : int
        The set of cards held.
    led_suit : int
        All cards of the suit led; 0 when leading.
    trick_number : int
        The trick's number in the deal, from 1. Whoever leads to trick 1 is the opener.
    hearts_broken : bool
        Whether hearts are broken.
    """
    barred_first = HEARTS_BITS | QUEEN if rules.first_trick_points == "forbidden" and trick_number == 1 else 0
    if led_suit:
        follow = hand & led_suit or hand
        return follow & ~barred_first or follow
    if trick_number == 1 and rules.opening_lead != "left_of_dealer":
        clubs = hand & CLUBS_BITS
        return clubs if rules.opening_lead == "any_club" else clubs & -clubs
    barred_unbroken = 0
    if not hearts_broken and rules.hearts_break_by != "never_needed":
        barred_unbroken = HEARTS_BITS | (QUEEN if rules.queen_lead == "after_break" else 0)
    if rules.queen_or_hearts_lead == "hearts_allowed" and not hand & ~(HEARTS_BITS | QUEEN):
        barred_unbroken = 0
    return hand & ~barred_unbroken & ~barred_first or hand & ~barred_first or hand


def pass_choices(rules: Rules, hand: int) -> int:
    """Return the cards of a hand that may be passed."""
    forbidden = sum(reference_scoring.card_set(name) for name in rules.pass_forbidden)
    allowed = hand & ~forbidden
    return allowed if allowed.bit_count() >= rules.pass_cards else hand
