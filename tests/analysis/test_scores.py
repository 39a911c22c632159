"""A bot's score and place in a suite."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import polars as pl
import pytest

from hearts_sim.analysis.scores import find_place, score_suite
from hearts_sim.game.rules import Rules
from hearts_sim.tournament import suite
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.runner import load_players
from hearts_sim.tournament.stream import stream_sums

SMALL = dataclasses.replace(suite.SUITES["standard-1"], blocks=120, field=("random", "greedy", "ducker"))


def play(bot: str) -> tuple[list[pl.DataFrame], list[str]]:
    experiment = suite.make_experiment(SMALL, bot)
    parts = stream_sums(experiment, make_plan(experiment), load_players(experiment))
    return list(parts), [entrant.name for entrant in experiment.entrants]


def score(bot: str) -> dict[str, Any]:
    return score_suite(*play(bot), Rules())


def test_the_score_is_the_mean_over_deals_of_the_others_less_the_own_points() -> None:
    parts, names = play("low")
    own = pl.concat(parts).filter((pl.col("table") == 0) & (pl.col("entrant") == 0))
    per_block = ((own["others_points"] / 3 - own["points"]) / own["deals"]).to_numpy()
    found = score_suite(parts, names, Rules())["score"]
    assert found["estimate"] == pytest.approx(per_block.mean())
    assert found["se"] == pytest.approx(np.std(per_block, ddof=1) / np.sqrt(120))
    assert found["low"] < found["estimate"] < found["high"]


def test_the_company_scores_exactly_zero() -> None:
    [rung] = [rung for rung in score("low")["ladder"] if rung["name"] == "greedy"]
    assert (rung["score"]["estimate"], rung["score"]["se"]) == (0.0, 0.0)


def test_the_ladder_holds_the_field_best_first() -> None:
    found = score("low")
    assert [rung["name"] for rung in found["ladder"]] == ["greedy", "ducker", "random"]
    assert found["place"] == [3, 3]


def test_the_same_bot_again_is_exactly_level_with_itself() -> None:
    [rung] = [rung for rung in score("ducker")["ladder"] if rung["name"] == "ducker"]
    assert (rung["ahead"]["estimate"], rung["ahead"]["p_adjusted"]) == (0.0, 1.0)
    assert score("ducker")["place"] == [2, 3]


@pytest.mark.parametrize(
    ("differences", "place"),
    [
        ([(1.0, 0.0), (2.0, 0.0)], [1, 1]),
        ([(-1.0, 0.0), (2.0, 0.0)], [2, 2]),
        ([(-1.0, 0.2), (2.0, 0.0)], [1, 2]),
        ([(-1.0, None), None], [1, 3]),
    ],
)
def test_a_place_counts_only_differences_that_are_told_apart(
    differences: list[tuple[float, float | None] | None], place: list[int]
) -> None:
    found = [None if d is None else {"estimate": d[0], "p_adjusted": d[1]} for d in differences]
    assert find_place(found) == place
