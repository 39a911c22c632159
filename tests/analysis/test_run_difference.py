"""What changed from one run to another."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_sim.analysis.metrics import RunData, read_run
from hearts_sim.analysis.run_difference import compare_runs
from hearts_sim.errors import UsageError
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.runner import run_experiment

NAMES = ("random", "low", "ducker", "greedy")
FIRST = Experiment(
    "x", "", 5, Rules(), tuple(EntrantSpec(name, name) for name in NAMES), DesignSpec(unit="deal", blocks=96)
)


def play(folder: Path, **changes: Any) -> RunData:
    return read_run(run_experiment(dataclasses.replace(FIRST, **changes), folder).folder)


def with_low_as(strategy: str) -> tuple[EntrantSpec, ...]:
    return tuple(EntrantSpec(name, strategy if name == "low" else name) for name in NAMES)


def test_a_run_against_itself_differs_by_exactly_nothing(tmp_path: Path) -> None:
    found = compare_runs(play(tmp_path / "a"), play(tmp_path / "b"))
    assert found["paired"]
    for entrant in found["entrants"]:
        assert not entrant["changed"]
        assert (entrant["difference"]["estimate"], entrant["difference"]["se"]) == (0.0, 0.0)
        assert entrant["difference"]["p_adjusted"] == 1.0


def test_a_changed_strategy_is_named_and_its_gain_found_block_by_block(tmp_path: Path) -> None:
    first, second = play(tmp_path / "a"), play(tmp_path / "b", entrants=with_low_as("cpu-hard"))
    found = {entrant["name"]: entrant for entrant in compare_runs(first, second)["entrants"]}
    assert [name for name, entrant in found.items() if entrant["changed"]] == ["low"]
    gain = found["low"]["difference"]
    points = []
    for run in (first, second):
        own = run.read_part(0, "sums").filter(entrant=1)
        points.append((own["points"] / own["deals"]).to_numpy())
    assert gain["estimate"] == pytest.approx(np.mean(points[0] - points[1]))
    assert gain["se"] == pytest.approx(np.std(points[0] - points[1], ddof=1) / np.sqrt(96))
    assert gain["p_adjusted"] < 0.05


def test_other_cards_are_not_paired_and_variances_add_up(tmp_path: Path) -> None:
    found = compare_runs(play(tmp_path / "a"), play(tmp_path / "b", seed=6))
    assert not found["paired"]
    for entrant in found["entrants"]:
        parts = entrant["before"]["se"] ** 2 + entrant["after"]["se"] ** 2
        assert entrant["difference"]["se"] ** 2 == pytest.approx(parts)


def test_runs_of_different_length_are_not_paired(tmp_path: Path) -> None:
    longer = play(tmp_path / "b", design=DesignSpec(unit="deal", blocks=120))
    found = compare_runs(play(tmp_path / "a"), longer)
    assert (found["paired"], found["blocks"]) == (False, [96, 120])


def test_other_rules_do_not_compare(tmp_path: Path) -> None:
    other = play(tmp_path / "b", rules=PRESETS["spot"].rules)
    with pytest.raises(UsageError, match="different rules"):
        compare_runs(play(tmp_path / "a"), other)


def test_runs_without_a_common_entrant_are_told(tmp_path: Path) -> None:
    renamed = tuple(EntrantSpec(f"my-{name}", name) for name in NAMES)
    other = play(tmp_path / "b", entrants=renamed)
    with pytest.raises(UsageError, match="no entrant is in both runs: random, low"):
        compare_runs(play(tmp_path / "a"), other)
