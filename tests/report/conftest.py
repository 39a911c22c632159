"""Runs that were really played, of the kinds a report must be able to show."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearts_sim.analysis.metrics import RunData, read_run
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.report.data import Report, read_report
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment, ReportSpec
from hearts_sim.tournament.runner import run_experiment

LISTED = (("me", "low", "low", "low"), ("me", "ducker", "ducker", "ducker"))
KINDS = ("levels", "listed", "deals", "few", "unrecorded")


def make_experiment(kind: str) -> Experiment:
    """Return an experiment of one of `KINDS`."""
    four = tuple(EntrantSpec(name, name) for name in ("greedy", "ducker", "low", "random"))
    title = "Are <these> levels & others well spaced?"
    me = EntrantSpec("me", "greedy")
    match kind:
        case "levels":
            design, report = DesignSpec(blocks=450), ReportSpec("greedy")
            return Experiment(kind, title, 5, Rules(), four, design, report)
        case "listed":
            design = DesignSpec("fixed", blocks=40, tables=LISTED)
            return Experiment(kind, title, 5, Rules(), (me, *four[1:3]), design)
        case "deals":
            return Experiment(kind, title, 5, Rules(), four, DesignSpec(unit="deal", blocks=96))
        case "few":
            rules = PRESETS["three_handed"].rules
            return Experiment(kind, "", 5, rules, four[:3], DesignSpec(blocks=5))
        case _:
            return Experiment(kind, title, 5, Rules(), four, DesignSpec(blocks=40))


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunData]:
    """One run of every kind."""
    folder = tmp_path_factory.mktemp("runs")
    for kind in KINDS:
        record = "none" if kind == "unrecorded" else "deals"
        line = f"hearts-sim run {kind}.toml"
        run_experiment(make_experiment(kind), folder / kind, record=record, command_line=line)
    return {kind: read_run(folder / kind) for kind in KINDS}


@pytest.fixture(scope="session")
def reports(runs: dict[str, RunData]) -> dict[str, Report]:
    """What is read from each run."""
    return {kind: read_report(run) for kind, run in runs.items()}


@pytest.fixture(scope="session")
def folders(runs: dict[str, RunData], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of each run, written once."""
    from hearts_sim.report.build import build_report

    folder = tmp_path_factory.mktemp("reports")
    for kind, run in runs.items():
        build_report(run, folder / kind, figures=("svg",))
    return {kind: folder / kind for kind in runs}
