"""``hearts-sim rate``: a score anyone can cite."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from calling import Call

from hearts_sim.tournament import suite

BOT = """
from hearts_sim import Strategy, cards


class Mine(Strategy):
    name = "mine"

    @staticmethod
    def choose_pass(table, me):
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= cards.highest(me.legal ^ chosen)
        return chosen

    @staticmethod
    def choose_card(table, me):
        return cards.lowest(me.legal)
"""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    one = suite.SUITES["standard-1"]
    monkeypatch.setitem(suite.SUITES, "standard-1", dataclasses.replace(one, blocks=60))


def test_a_bot_of_ones_own_is_rated_in_80_columns(call: Call, workdir: Path) -> None:
    (workdir / "mine.py").write_text(BOT)
    outcome = call("rate", "mine.py")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("mine scores -")
    assert "by standard-1, place " in lines[0]
    assert [line.split()[0] for line in lines if line.startswith(">")] == [">"]
    assert "hearts-sim standard-1, hearts-sim " in lines[-1]


def test_json_says_the_same_twice_and_holds_what_it_takes_to_repeat_it(call: Call) -> None:
    first, second = (json.loads(call("rate", "low", "--json", "--jobs", jobs).out) for jobs in ("1", "2"))
    assert first == second
    assert first["suite"]["seed"] == 20261204
    assert first["bot"]["params"] == {}
    assert len(first["digest"]) == 64
    assert {rung["name"] for rung in first["ladder"]} == set(first["suite"]["field"])


def test_a_suite_that_does_not_exist_is_a_usage_error(call: Call) -> None:
    outcome = call("rate", "low", "--suite", "standard")
    assert outcome.code == 2
    assert "did you mean 'standard-1'?" in outcome.err


def test_a_bot_that_does_not_exist_is_a_usage_error(call: Call) -> None:
    outcome = call("rate", "gredy")
    assert outcome.code == 2
    assert "greedy" in outcome.err
