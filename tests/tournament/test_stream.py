"""Blocks played in order, without a folder."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

import polars as pl
import pytest

from hearts_sim.bots.play import PlayFault
from hearts_sim.game.rules import Rules
from hearts_sim.tournament import stream
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.runner import load_players, run_experiment
from hearts_sim.tournament.stream import stream_sums

NAMES = ("random", "low", "ducker", "greedy")
EXPERIMENT = Experiment(
    "streamed",
    "",
    7,
    Rules(),
    tuple(EntrantSpec(name, name) for name in NAMES),
    DesignSpec(unit="deal", blocks=25),
)


def play(experiment: Experiment = EXPERIMENT, jobs: int = 1) -> list[pl.DataFrame]:
    return list(stream_sums(experiment, make_plan(experiment), load_players(experiment), jobs=jobs))


def test_the_sums_are_those_of_a_run(tmp_path: Path) -> None:
    run_experiment(EXPERIMENT, tmp_path / "run")
    stored = pl.concat(
        [pl.read_parquet(part) for part in sorted((tmp_path / "run/units").glob("*.sums.parquet"))]
    )
    assert pl.concat(play()).equals(stored)


def test_portions_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BLOCKS_PER_STEP", 4)
    alone = play(jobs=1)
    assert [part["block"].max() for part in alone] == [3, 7, 11, 15, 19, 23, 24]
    for jobs in (2, 8):
        assert all(a.equals(b) for a, b in zip(alone, play(jobs=jobs), strict=True))


def test_whoever_stops_looking_stops_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BLOCKS_PER_STEP", 1)
    endless = dataclasses.replace(EXPERIMENT, design=DesignSpec(unit="deal", blocks=1_000_000))
    before = threading.active_count()
    parts = stream_sums(endless, make_plan(endless), load_players(endless), jobs=2)
    next(parts)
    parts.close()
    assert threading.active_count() == before


def test_a_fault_comes_after_the_blocks_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = tmp_path / "late.py"
    bot.write_text(
        "from hearts_sim import Strategy, cards\n\n\n"
        "class Late(Strategy):\n"
        "    name = 'late'\n    compiled = False\n    asked = 0\n\n"
        "    def choose_pass(self, table, me):\n"
        "        return sum(sorted(1 << c for c in range(52) if me.legal >> c & 1)[-3:])\n\n"
        "    def choose_card(self, table, me):\n"
        "        Late.asked += 1\n"
        "        return cards.lowest(me.legal) if Late.asked < 100 else 0\n"
    )
    monkeypatch.setattr(stream, "BLOCKS_PER_STEP", 1)
    faulty = dataclasses.replace(
        EXPERIMENT, entrants=(EntrantSpec("late", str(bot)), *EXPERIMENT.entrants[1:])
    )
    seen: list[int] = []
    with pytest.raises(PlayFault, match="answered no card"):
        seen.extend(part["block"][0] for part in stream_sums(faulty, make_plan(faulty), load_players(faulty)))
    assert seen == list(range(len(seen)))
    assert seen
