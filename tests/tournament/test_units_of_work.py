"""How a run is cut into units of work is a matter of speed alone; the manifest says what results depend on."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import polars as pl
import pytest

import hearts_sim
from hearts_sim.analysis.metrics import read_run, summarize
from hearts_sim.game.rules import Rules
from hearts_sim.tournament import design, store
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.runner import run_experiment

FOUR = tuple(EntrantSpec(name, name) for name in ("greedy", "ducker", "low", "random"))
BLOCKS = 61
OF_A_RUN = ("digest", "wall_s", "run", "deals_per_s")


def read_rows(folder: Path, kind: str) -> pl.DataFrame:
    return pl.concat(pl.read_parquet(path) for path in sorted(folder.glob(f"units/*.{kind}.parquet")))


@pytest.mark.parametrize("unit", ["game", "deal"])
def test_the_size_of_units_changes_no_row_and_no_estimate(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment("units", "", 8, Rules(), FOUR, DesignSpec(unit=unit, blocks=BLOCKS))
    for blocks in (1, 7, 60, 1000):
        monkeypatch.setattr(design, "_size_unit", lambda *_, blocks=blocks: blocks)
        run_experiment(experiment, tmp_path / str(blocks), jobs=2, record="cards")
    whole = tmp_path / "1000"
    assert len(list(whole.glob("units/*.deals.parquet"))) == 1
    summary = summarize(read_run(whole))
    for blocks in (1, 7, 60):
        folder = tmp_path / str(blocks)
        assert len(list(folder.glob("units/*.deals.parquet"))) == -(-BLOCKS // blocks)
        for kind in ("deals", "sums", "cards"):
            assert read_rows(folder, kind).equals(read_rows(whole, kind))
        found = summarize(read_run(folder))
        assert {k: v for k, v in found.items() if k not in OF_A_RUN} == {
            k: v for k, v in summary.items() if k not in OF_A_RUN
        }


def test_the_manifest_says_what_results_depend_on(tmp_path: Path) -> None:
    experiment = Experiment("said", "Why?", 2**64 - 1, Rules(target=50), FOUR, DesignSpec(blocks=3))
    run_experiment(experiment, tmp_path / "run", record="none", command_line="hearts-sim run said.toml")
    manifest = store.read_manifest(tmp_path / "run")
    assert manifest["seed"] == 2**64 - 1
    assert manifest["rules"]["fields"]["target"] == 50
    assert manifest["rules"]["hash"] == Rules(target=50).hash() != Rules().hash()
    assert (manifest["name"], manifest["title"]) == ("said", "Why?")
    assert manifest["command_line"] == "hearts-sim run said.toml"
    assert [entrant["name"] for entrant in manifest["entrants"]] == ["greedy", "ducker", "low", "random"]
    assert len({entrant["source_hash"] for entrant in manifest["entrants"]}) == 4
    versions = manifest["versions"]
    assert versions["hearts_sim"] == hearts_sim.__version__
    assert (versions["numba"], versions["numpy"], versions["polars"]) == (
        numba.__version__,
        np.__version__,
        pl.__version__,
    )
    assert len(manifest["digest"]) == 64
