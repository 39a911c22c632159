"""Presets: each is what its name means and nothing else; and what may be written in a file."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from hearts_sim.game.rules import CHOICES, INT_RANGES, PRESETS, Rules, coerce, find_preset

DIFFS: dict[str, dict[str, Any]] = {
    "standard": {},
    "microsoft": {},
    "short": {"target": 50},
    "pagat": {"first_trick_points": "allowed", "moon": "best_for_shooter"},
    "omnibus": {"bonus_card": "JD"},
    "queen_breaks": {"hearts_break_by": "heart_or_queen"},
    "new_moon": {"moon": "subtract"},
    "no_pass": {"pass_cards": 0},
    "three_handed": {"seats": 3},
    "five_handed": {"seats": 5},
    "six_handed": {"seats": 6},
    "three_handed_kitty": {"seats": 3, "kitty": "first_trick"},
    "spot": {"hearts_points": "spot", "queen_points": 25, "target": 500},
    "black_maria": {
        "seats": 3,
        "removed": ("2C",),
        "pass_cycle": ("right",),
        "opening_lead": "left_of_dealer",
        "first_trick_points": "allowed",
        "hearts_break_by": "never_needed",
        "spade_honours": (("AS", 7), ("KS", 10)),
    },
    "chicago": {"doubling_card": "TC"},
    "cpu_table": {},
}
# seats, cards in a hand, cards left over, points of a deal
SIZES = {
    "three_handed": (3, 17, 0, 26),
    "five_handed": (5, 10, 0, 26),
    "six_handed": (6, 8, 0, 26),
    "three_handed_kitty": (3, 17, 1, 26),
    "spot": (4, 13, 0, 129),
    "black_maria": (3, 17, 0, 43),
}


def test_a_preset_differs_from_standard_in_what_it_says_and_nothing_else() -> None:
    assert {name: preset.rules.diff() for name, preset in PRESETS.items()} == DIFFS


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_its_seats_cards_and_points(preset: str) -> None:
    rules = PRESETS[preset].rules
    sizes = (rules.seats, rules.hand_size, rules.kitty_size, rules.total_points)
    assert sizes == SIZES.get(preset, (4, 13, 0, 26))


def test_standard_is_the_default_and_every_default_is_the_first_choice() -> None:
    assert next(iter(PRESETS.values())).rules == Rules()
    for name, choices in CHOICES.items():
        assert getattr(Rules(), name) == choices[0]
    for name, (low, high) in INT_RANGES.items():
        assert low <= getattr(Rules(), name) <= high


def test_no_name_means_two_presets() -> None:
    names = [name for preset in PRESETS.values() for name in (preset.name, *preset.aliases)]
    assert len(set(names)) == len(names)
    assert all(find_preset(name) for name in names)


def test_sources_are_told_where_they_are_recorded_only() -> None:
    assert {name for name, preset in PRESETS.items() if preset.source} == {"standard", "pagat"}


def test_every_option_has_a_meaning_and_its_rulings_are_sentences() -> None:
    for field in dataclasses.fields(Rules):
        assert field.metadata["meaning"]
        assert all(text.endswith(".") for text in field.metadata["rulings"]), field.name


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"bonus_card": "none"}, {"bonus_card": None}),
        ({"doubling_card": "none"}, {"doubling_card": None}),
        ({"spade_honours": "none"}, {"spade_honours": ()}),
        ({"pass_forbidden": "none"}, {"pass_forbidden": ()}),
        ({"removed": "none"}, {"removed": ()}),
        ({"deals_per_game": "none"}, {"deals_per_game": 0}),
        ({"moon": "none"}, {"moon": "none"}),
        ({"bonus_card": "10d"}, {"bonus_card": "TD"}),
        ({"removed": ["2d", "2C"]}, {"removed": ("2D", "2C")}),
        ({"spade_honours": {"ks": 10, "AS": 7}}, {"spade_honours": (("AS", 7), ("KS", 10))}),
        ({"pass_cycle": ["left", 2]}, {"pass_cycle": ("left", "2")}),
        ({"bonus_card": "11D", "removed": 5}, {"bonus_card": "11D", "removed": 5}),
    ],
)
def test_values_are_read_as_people_write_them(written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert coerce(written) == meant
