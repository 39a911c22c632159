"""Rules: what is refused and why, presets, differences and hashes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from twin_games import random_rules

from hearts_sim.errors import RulesError
from hearts_sim.game.notation import card_name
from hearts_sim.game.rules import CHOICES, INT_RANGES, PRESETS, Rules, find_preset

REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"seats": 7}, "seats", "from 3 to 6"),
    ({"seats": True}, "seats", "whole number"),
    ({"pass_cards": 9}, "pass_cards", "from 0 to 4"),
    ({"moon": "ad"}, "moon", "add"),
    ({"bonus_in_moon": 1}, "bonus_in_moon", "true or false"),
    ({"removed": ("1X",)}, "removed", "not a card"),
    ({"removed": ("2C", "2C")}, "removed", "twice"),
    ({"removed": ("2C",)}, "removed", "51 cards do not deal evenly to 4 seats; remove 3 more or 1 fewer"),
    ({"seats": 3, "removed": ()}, "removed", "52 cards do not deal evenly to 3 seats; remove 1 more"),
    ({"seats": 5, "removed": ("2C",)}, "removed", "remove 1 more"),
    ({"removed": tuple(card_name(card) for card in range(52))}, "removed", "no cards are left"),
    ({"seats": 3, "removed": tuple(card_name(4 * r) for r in range(13))}, "removed", "without clubs"),
    ({"kitty": "first_trick", "removed": ("2C",)}, "kitty", "stands in for removed cards"),
    ({"seats": 6, "kitty": "first_trick"}, "kitty", "six seats"),
    ({"pass_cycle": ("leftt",)}, "pass_cycle", "left"),
    ({"pass_cycle": ()}, "pass_cycle", "1 to 24"),
    ({"pass_cycle": ("scatter",), "pass_cards": 2}, "pass_cycle", "must be 3"),
    ({"seats": 6, "pass_cycle": ("scatter",)}, "pass_cycle", "6 seats cannot: at most 4 are passed"),
    ({"seats": 3, "pass_cycle": ("across",)}, "pass_cycle", "nobody sits across"),
    ({"pass_forbidden": "QS"}, "pass_forbidden", "list of cards"),
    ({"spade_honours": (("QS", 5),)}, "spade_honours", "queen_points"),
    ({"spade_honours": (("KH", 5),)}, "spade_honours", "only spades"),
    ({"spade_honours": (("KS", 0),)}, "spade_honours", "1 to 50"),
    ({"spade_honours": (("KS", 5), ("ks", 6))}, "spade_honours", "named twice"),
    ({"spade_honours": ((5, 5),)}, "spade_honours", "not a table of spades"),
    ({"seats": 3, "removed": ("KS",), "spade_honours": (("KS", 5),)}, "spade_honours", "not in the deck"),
    ({"bonus_card": "QS"}, "bonus_card", "penalty card already"),
    ({"seats": 3, "bonus_card": "2D"}, "bonus_card", "not in the deck"),
    ({"bonus_card": "JD", "doubling_card": "jd"}, "doubling_card", "cannot double"),
    ({"doubling_card": "KS", "spade_honours": (("KS", 5),)}, "doubling_card", "penalty card already"),
    ({"bonus_points": -5}, "bonus_points", "set bonus_card"),
    ({"bonus_in_moon": True}, "bonus_in_moon", "needs a bonus_card"),
    ({"bonus_card": "JD", "bonus_in_moon": True, "moon": "none"}, "bonus_in_moon", "and a moon"),
    ({"sun": "add", "moon": "none"}, "sun", "no meaning"),
    ({"deals_per_game": 4, "exact_target": "wins"}, "exact_target", "no target"),
    ({"deals_per_game": 9, "max_deals": 8}, "deals_per_game", "max_deals = 8 stops it before"),
    (
        {"seats": 6, "removed": tuple(card_name(c) for c in range(1, 47)), "pass_cards": 2},
        "pass_cards",
        "hand of 1",
    ),
    ({"hearts_break_by": "never_needed", "queen_lead": "after_break"}, "queen_lead", "never broken"),
]


@pytest.mark.parametrize(("values", "field", "reason"), REFUSED)
def test_what_has_no_meaning_is_refused_with_its_reason(
    values: dict[str, Any], field: str, reason: str
) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**values)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"rules.{field}: ")
    assert reason in line


def test_all_bad_values_are_named_at_once() -> None:
    with pytest.raises(RulesError) as caught:
        Rules(seats=7, pass_cards=9, moon="sometimes")
    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == [
        "rules.moon",
        "rules.seats",
        "rules.pass_cards",
    ]


@pytest.mark.parametrize("field", INT_RANGES)
def test_numbers_outside_their_range_are_refused(field: str) -> None:
    low, high = INT_RANGES[field]
    for value in (low - 1, high + 1):
        with pytest.raises(RulesError, match=rf"rules\.{field}: "):
            Rules(**dict[str, Any]({field: value}))


@pytest.mark.parametrize(
    ("seats", "hand_size", "lowest_club"), [(3, 17, "2C"), (4, 13, "2C"), (5, 10, "3C"), (6, 8, "4C")]
)
def test_seat_counts_deal_evenly(seats: int, hand_size: int, lowest_club: str) -> None:
    rules = Rules(seats=seats)
    assert (rules.hand_size, rules.kitty_size) == (hand_size, 0)
    clubs = rules.deck & int("1" * 13, 16)
    assert card_name((clubs & -clubs).bit_length() - 1) == lowest_club


@pytest.mark.parametrize(("seats", "hand_size", "kitty_size"), [(3, 17, 1), (4, 12, 4), (5, 10, 2)])
def test_a_kitty_holds_what_is_left(seats: int, hand_size: int, kitty_size: int) -> None:
    rules = Rules(seats=seats, kitty="first_penalty")
    assert (rules.hand_size, rules.kitty_size) == (hand_size, kitty_size)


def test_nine_deals_pass_in_turn() -> None:
    offsets = Rules().pass_offsets
    assert [offsets[deal % len(offsets)] for deal in range(9)] == [1, 3, 2, 0, 1, 3, 2, 0, 1]


@pytest.mark.parametrize(
    ("preset", "total"), [("standard", 26), ("spot", 129), ("black_maria", 43), ("six_handed", 26)]
)
def test_preset_totals(preset: str, total: int) -> None:
    assert PRESETS[preset].rules.total_points == total


def test_presets_answer_to_every_alias_and_any_case() -> None:
    for preset in PRESETS.values():
        for name in (preset.name, preset.name.upper().replace("_", "-"), *preset.aliases):
            assert find_preset(name) is preset


def test_an_unknown_preset_gets_a_suggestion() -> None:
    with pytest.raises(RulesError, match="standard"):
        find_preset("standart")


def test_diff_names_only_what_differs() -> None:
    assert Rules().diff() == {}
    assert PRESETS["short"].rules.diff() == {"target": 50}
    assert Rules().diff(PRESETS["short"].rules) == {"target": 100}


def test_spelling_out_a_default_leaves_the_hash_alone() -> None:
    assert Rules(seats=3, removed=("2D",)).hash() == Rules(seats=3).hash()
    assert Rules(pass_cycle=("left", "right", "across", "hold")).hash() == Rules().hash()


def test_every_choice_changes_the_hash() -> None:
    base = Rules()
    for field, choices in CHOICES.items():
        hashes = {dataclasses.replace(base, **dict[str, Any]({field: choice})).hash() for choice in choices}
        assert len(hashes) == len(choices), field


@given(rules=random_rules())
def test_valid_rules_account_for_every_card(rules: Rules) -> None:
    assert rules.hand_size * rules.seats + rules.kitty_size == rules.deck.bit_count()
    assert all(rules.deck >> card & 1 for card in rules.card_points)
    assert Rules(**rules.diff()) == rules
