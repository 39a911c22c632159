"""The set helpers that strategies read well with: the same answers compiled and plain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from hearts_sim import cards
from hearts_sim.game.notation import format_cards, parse_cards
from hearts_sim.game.rules import PRESETS
from hearts_sim.game.table import RULES, encode_rules
from hearts_sim.game.views import RecordView


@numba.njit
def compiled_avoid(some: Any, others: Any) -> Any:
    return cards.avoid(some, others)


@numba.njit
def compiled_same_rank(some: Any, card: Any) -> Any:
    return cards.same_rank(some, card)


@numba.njit
def compiled_index(card: Any) -> Any:
    return cards.index(card)


@numba.njit
def compiled_points(rules: Any, some: Any) -> Any:
    return cards.points(rules, some)


def both(plain: Callable[..., Any], compiled: Callable[..., Any], *sets: int) -> int:
    """Return the answer that a helper gives plain and compiled."""
    answer = int(plain(*sets))
    assert int(compiled(*(np.uint64(one) for one in sets))) == answer
    return answer


@pytest.mark.parametrize(
    ("some", "others", "left"),
    [("2C 3D QS", "QS 4H", "2C 3D"), ("QS", "QS 4H", "QS"), ("2C", "", "2C"), ("", "QS", "")],
)
def test_avoid_gives_way_when_nothing_else_is_left(some: str, others: str, left: str) -> None:
    answer = both(cards.avoid, compiled_avoid, parse_cards(some), parse_cards(others))
    assert answer == parse_cards(left)


def test_same_rank_takes_one_rank_of_a_set() -> None:
    some = parse_cards("2C 2S 3D KC KH AS")
    for card, same in (("2C", "2C 2S"), ("KD", "KC KH"), ("AS", "AS"), ("9H", "")):
        assert format_cards(both(cards.same_rank, compiled_same_rank, some, parse_cards(card))) == same


def test_index_numbers_every_card() -> None:
    for card in range(52):
        assert both(cards.index, compiled_index, 1 << card) == card


@pytest.mark.parametrize(
    ("preset", "points"), [("standard", 13 + 1 + 1), ("spot", 25 + 2 + 14), ("black_maria", 13 + 10 + 1 + 1)]
)
def test_points_follow_the_rules_of_the_table(preset: str, points: int) -> None:
    rules = encode_rules(PRESETS[preset].rules)
    assert rules.dtype == RULES
    some = parse_cards("QS KS 2H AH JD")
    assert cards.points(RecordView(rules[()]), some) == points
    assert compiled_points(rules[()], np.uint64(some)) == points
