"""What the random rules of the other tests are worth: every option and every value of it is drawn."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from twin_games import random_rules

from hearts_sim.game.rules import CHOICES, INT_RANGES, Rules

EXAMPLES = 600


@pytest.fixture(scope="module")
def drawn() -> dict[str, list[Any]]:
    """Every value of every field in a fixed sample of random rules."""
    values: dict[str, list[Any]] = defaultdict(list)

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(rules=random_rules())
    def collect(rules: Rules) -> None:
        for field in dataclasses.fields(rules):
            values[field.name].append(getattr(rules, field.name))

    collect()
    return values


@pytest.mark.parametrize("option", CHOICES)
def test_every_word_of_an_option_is_drawn(option: str, drawn: dict[str, list[Any]]) -> None:
    assert set(drawn[option]) == set(CHOICES[option])


# The ends that are drawn: whole games are short, and a number of deals stays below the cap.
ENDS = INT_RANGES | {
    "target": (1, 200),
    "max_deals": (1, 6),
    "deals_per_game": (0, 4),
}


@pytest.mark.parametrize("option", INT_RANGES)
def test_numbers_reach_both_ends(option: str, drawn: dict[str, list[Any]]) -> None:
    assert (min(drawn[option]), max(drawn[option])) == ENDS[option]
    assert len(set(drawn[option])) > 2


@pytest.mark.parametrize(
    "option", [f.name for f in dataclasses.fields(Rules) if f.name not in {*CHOICES, *INT_RANGES}]
)
def test_cards_lists_and_switches_are_drawn_both_on_and_off(option: str, drawn: dict[str, list[Any]]) -> None:
    found = {bool(value) for value in drawn[option]}
    assert found == {True, False}


def test_every_direction_is_drawn(drawn: dict[str, list[Any]]) -> None:
    steps = {step for cycle in drawn["pass_cycle"] if cycle for step in cycle}
    assert steps == {"left", "right", "across", "hold", "scatter", *map(str, range(6))}


def test_any_two_options_meet_away_from_their_defaults(drawn: dict[str, list[Any]]) -> None:
    default = {field.name: field.default for field in dataclasses.fields(Rules)}
    changed = {
        name: {i for i, value in enumerate(values) if value != default[name]}
        for name, values in drawn.items()
    }
    # the reason why each of these cannot meet is what `Rules` says when they are given together
    never = {
        frozenset(pair)
        for pair in (
            ("kitty", "removed"),
            ("exact_target", "deals_per_game"),
        )
    }
    names = list(drawn)
    apart = {
        frozenset((a, b))
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if not changed[a] & changed[b]
    }
    assert apart == never
