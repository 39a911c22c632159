"""Deals laid out by hand for the tests of the game: a few cards each, played in a given order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hearts_sim.game import notation
from hearts_sim.game.notation import format_cards, list_cards, parse_cards
from hearts_sim.game.reference import Deal, play_deal
from hearts_sim.game.rules import Rules


class Scripted:
    """Plays the first card of its wishes that is legal, else the lowest legal one; remembers what it was offered."""

    params = ()

    def __init__(self, wishes: str = "", passes: str = "") -> None:
        self.wishes = [1 << notation.card_index(word) for word in wishes.split()]
        self.passes = parse_cards(passes)
        self.offered: dict[int, str] = {}
        self.hands: dict[int, str] = {}
        self.voids: dict[int, list[str]] = {}
        self.received_when_passing = 0

    def choose_pass(self, table: Any, me: Any) -> int:
        self._remember(table, me)
        self.received_when_passing = me.received
        return self.passes or sum(1 << card for card in list_cards(me.legal)[: table.rules.pass_cards])

    def choose_card(self, table: Any, me: Any) -> int:
        self._remember(table, me)
        wanted = next((card for card in self.wishes if card & me.legal), me.legal & -me.legal)
        return int(wanted)

    def _remember(self, table: Any, me: Any) -> None:
        self.offered[table.trick_number] = format_cards(me.legal)
        self.hands[table.trick_number] = format_cards(me.hand)
        self.voids[table.trick_number] = [_name_suits(cards) for cards in table.voids]


def _name_suits(cards: int) -> str:
    return "".join(suit for place, suit in enumerate(notation.SUITS) if cards & notation.CLUBS_BITS << place)


def only(hands: Sequence[str], **options: Any) -> Rules:
    """Return rules with just the cards of these hands in play, and no pass."""
    left = notation.FULL_DECK & ~parse_cards(" ".join(hands))
    removed = tuple(format_cards(left).split())
    values: dict[str, Any] = {"seats": len(hands), "removed": removed, "pass_cards": 0}
    return Rules(**(values | options))


def play(
    hands: Sequence[str], players: Sequence[Scripted], rules: Rules | None = None, **options: Any
) -> Deal:
    """Play one deal from hands in words."""
    return play_deal(rules or only(hands), [parse_cards(hand) for hand in hands], players, **options)
