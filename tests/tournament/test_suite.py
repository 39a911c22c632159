"""Suites never change under their name."""

from __future__ import annotations

import pytest

from hearts_sim.errors import UsageError
from hearts_sim.tournament import suite
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.runner import load_players
from hearts_sim.tournament.stream import stream_sums

STANDARD_1 = suite.SUITES["standard-1"]


def test_standard_1_is_what_it_always_was() -> None:
    assert suite.describe(STANDARD_1) == {
        "name": "standard-1",
        "seed": 20261204,
        "rules": {"preset": "standard", "hash": "cc456a7d9466e01d"},
        "deals": 10_000,
        "games": 40_000,
        "company": "greedy",
        "field": ["random", "low", "cpu-easy", "ducker", "cpu-medium", "greedy", "cpu-hard"],
    }


def test_the_first_deals_of_standard_1_are_played_as_always() -> None:
    """A change of this digest changes every rating ever published: it needs a suite of a new name."""
    experiment = suite.make_experiment(STANDARD_1, "ducker")
    parts = stream_sums(experiment, make_plan(experiment), load_players(experiment))
    assert suite.hash_sums([next(parts)])[:16] == "9a9216b9b8438372"


def test_the_bot_sits_alone_among_the_company_and_so_does_each_of_the_field() -> None:
    experiment = suite.make_experiment(STANDARD_1, "greedy:blunder=0.1")
    assert experiment.design.tables is not None
    assert experiment.design.tables[0] == ("greedy:blunder=0.1", "greedy", "greedy", "greedy")
    assert [table[0] for table in experiment.design.tables[1:]] == list(STANDARD_1.field)


def test_a_bot_of_the_field_is_told_from_itself() -> None:
    names = [entrant.name for entrant in suite.make_experiment(STANDARD_1, "low").entrants]
    assert names[0] == "low (rated)"
    assert len(set(names)) == len(names)


def test_a_suite_that_does_not_exist_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no suite 'standart-1'; did you mean 'standard-1'\?"):
        suite.find_suite("standart-1")
