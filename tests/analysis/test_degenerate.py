"""Runs that say little or nothing, through the whole way from a run folder to the documented summary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from played import count_by_hand, play_deals

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio
from hearts_sim.analysis.metrics import read_run, summarize
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.runner import run_experiment
from hearts_sim.tournament.sums import sum_blocks

ESTIMATE = {"estimate", "low", "high", "se"}
OF_AN_ENTRANT = [
    "points_per_deal",
    "margin_per_deal",
    "win_share",
    "mean_place",
    "last_share",
    "moon_rate",
    "moon_conceded_rate",
    "queen_rate",
]


def summarize_run(folder: Path, blocks: int, strategies: str, unit: str = "game") -> dict[str, Any]:
    entrants = tuple(EntrantSpec(f"{name}-{i}", name) for i, name in enumerate(strategies.split()))
    experiment = Experiment("small", "Small?", 9, Rules(), entrants, DesignSpec(unit=unit, blocks=blocks))
    run_experiment(experiment, folder)
    return summarize(read_run(folder))


@pytest.fixture(scope="module")
def identical(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return summarize_run(tmp_path_factory.mktemp("identical") / "run", 40, "ducker ducker ducker ducker")


def test_four_times_the_same_deterministic_entrant_is_exactly_even(identical: dict[str, Any]) -> None:
    """Each sits once in every seat of the same deals, so the block leaves no luck at all."""
    assert len(identical["pairs"]) == 6
    for pair in identical["pairs"]:
        assert pair["margin"] == {"estimate": 0, "low": 0, "high": 0, "se": 0, "p_adjusted": 1}
        # Who sits next to whom does matter to this one, block by block.
        assert pair["finishes_ahead"]["low"] <= 0.5 <= pair["finishes_ahead"]["high"]
    for entrant in identical["entrants"]:
        assert entrant["win_share"] == {"estimate": 0.25, "low": 0.25, "high": 0.25, "se": 0}
        assert entrant["mean_place"]["estimate"] == 2.5
        assert (entrant["margin_per_deal"]["estimate"], entrant["margin_per_deal"]["se"]) == (0, 0)
        assert entrant["rank_interval"] == [1, 4]


def test_what_luck_there_is_between_blocks_still_shows(identical: dict[str, Any]) -> None:
    """Deals with a moon cost more than 26 points in all: points per deal vary although nobody is better."""
    errors = {entrant["points_per_deal"]["se"] for entrant in identical["entrants"]}
    assert len(errors) == 1
    assert min(errors) > 0


@pytest.mark.parametrize("unit", ["game", "deal"])
def test_one_block_gives_estimates_and_no_interval(unit: str, tmp_path: Path) -> None:
    summary = summarize_run(tmp_path / "run", 1, "greedy ducker low random", unit)
    text = json.dumps(summary, allow_nan=False)
    assert json.loads(text) == summary
    for entrant in summary["entrants"]:
        for name in OF_AN_ENTRANT:
            assert entrant[name]["estimate"] is not None
            assert (entrant[name]["low"], entrant[name]["high"], entrant[name]["se"]) == (None, None, None)
        assert entrant["rank_interval"] == [1, 4]
    assert all(pair["margin"]["p_adjusted"] is None for pair in summary["pairs"])
    assert all(entry["p_value"] is None for entry in summary["pass_directions"])
    assert summary["seats"]["p_value"] is None
    assert any("1 blocks are too few" in text for text in summary["warnings"])


def test_the_summary_has_every_documented_key(identical: dict[str, Any]) -> None:
    keys = "schema command run name seed rules status blocks games deals wall_s deals_per_s digest confidence"
    assert set(keys.split()) <= set(identical)
    assert {"entrants", "pairs", "pass_directions", "seats", "warnings", "capped_games"} <= set(identical)
    assert set(identical["rules"]) == {"preset", "hash"}
    assert (identical["schema"], identical["status"], identical["confidence"]) == (1, "complete", 0.95)
    for entrant in identical["entrants"]:
        assert {
            *[
                "name",
                "strategy",
                "params",
                "games",
                "deals",
                "wins",
                "draws",
                "losses",
                "rank_interval",
                "rating",
            ]
        } <= set(entrant)
        assert all(set(entrant[name]) == ESTIMATE for name in OF_AN_ENTRANT)
        assert entrant["wins"] + entrant["draws"] + entrant["losses"] == entrant["games"] == 160
    for pair in identical["pairs"]:
        assert set(pair) == {"a", "b", "margin", "finishes_ahead"}
        assert set(pair["margin"]) == ESTIMATE | {"p_adjusted"}


@pytest.mark.parametrize("lowest", [1, 2, 3, 4])
def test_a_shared_win_is_split_and_counts_as_a_draw(lowest: int) -> None:
    game = play_deals("greedy ducker low random", 1).filter(pl.col("ended") > 0)[:1]
    finals = [20] * lowest + [110, 111, 112][: 4 - lowest]
    game = game.with_columns(**{f"score_{s}": pl.lit(score, pl.Int16) for s, score in enumerate(finals)})
    sums = sum_blocks(game, 4, 4, Rules())
    rows = {row["entrant"]: row for row in sums.iter_rows(named=True)}
    by_seat = [rows[game[f"entrant_{seat}"][0]] for seat in range(4)]
    assert [row["win60"] for row in by_seat] == [60 // lowest] * lowest + [0] * (4 - lowest)
    assert [row["draws"] for row in by_seat] == [int(lowest > 1)] * lowest + [0] * (4 - lowest)
    assert [row["wins"] for row in by_seat] == [int(lowest == 1)] * lowest + [0] * (4 - lowest)
    expected = count_by_hand(game, 4, Rules())
    assert [row["rank2"] for row in by_seat] == [
        expected[row["block"], row["table"], row["entrant"]]["rank2"] for row in by_seat
    ]


def test_the_joint_test_finds_a_strong_effect() -> None:
    rng = np.random.default_rng(3)
    blocks = np.hstack([rng.integers(0, 27, (100, 4)), np.ones((100, 1), np.int64)])
    blocks[:, 2] += 10
    estimates = inference.estimate(
        Moments.of_blocks(["a", "b", "c", "d", "n"], blocks), [Ratio(name, "n") for name in "abcd"]
    )
    contrasts = np.array([[-1.0, 1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 1]])
    p_value = inference.find_joint_p_value(estimates, contrasts)
    assert p_value is not None
    assert 0 < p_value < 1e-6
