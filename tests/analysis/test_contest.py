"""Two strategies against each other, looked at block by block."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hearts_sim.analysis.contest import Contest, list_differences
from hearts_sim.analysis.sequential import A_BETTER, EQUIVALENT, OPEN, Question
from hearts_sim.errors import UsageError
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.tournament.contest import make_contest, name_all
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.experiment import Experiment
from hearts_sim.tournament.runner import load_players
from hearts_sim.tournament.stream import stream_sums


def play(experiment: Experiment) -> pl.DataFrame:
    return pl.concat(list(stream_sums(experiment, make_plan(experiment), load_players(experiment))))


@pytest.mark.parametrize("preset", ["standard", "spot", "three_handed", "five_handed"])
def test_in_a_contest_both_play_in_every_block_and_equally_often_over_a_period(preset: str) -> None:
    experiment = make_contest("low", "ducker", PRESETS[preset].rules, blocks=1, seed=3)
    period = make_plan(experiment).period
    sums = play(make_contest("low", "ducker", PRESETS[preset].rules, blocks=period, seed=3))
    per_block = sums.group_by("block", "entrant").agg(pl.col("deals").sum()).sort("block", "entrant")
    assert per_block.height == 2 * period
    deals = per_block["deals"].to_numpy().reshape(-1, 2)
    assert deals[:, 0].sum() == deals[:, 1].sum()


def test_in_company_each_takes_the_same_seat_on_the_same_cards() -> None:
    contest = make_contest("low", "low", Rules(), company=("greedy", "ducker", "greedy"), blocks=10, seed=3)
    assert contest.design.tables == (
        ("low", "greedy", "ducker", "greedy"),
        ("low (2)", "greedy", "ducker", "greedy"),
    )
    assert np.all(list_differences(play(contest)) == 0)


def test_a_difference_is_points_per_deal_of_the_second_less_those_of_the_first() -> None:
    sums = pl.DataFrame(
        {
            "block": [0, 0, 0, 1, 1, 1],
            "entrant": [0, 1, 2, 1, 0, 0],
            "points": [10, 30, 99, 8, 4, 8],
            "deals": [5, 10, 1, 4, 2, 2],
        }
    )
    assert list_differences(sums).tolist() == [1.0, -1.0]


def test_the_estimate_of_a_contest_is_the_mean_over_its_blocks() -> None:
    experiment = make_contest("greedy", "random", Rules(), blocks=240, seed=3)
    contest = Contest(Question(0.1), 2, 4)
    states = [
        contest.add(sums) for sums in stream_sums(experiment, make_plan(experiment), load_players(experiment))
    ]
    assert [state.verdict for state in states] == [OPEN, A_BETTER, A_BETTER]
    assert states[-1].estimate == pytest.approx(list_differences(play(experiment)).mean())
    assert (contest.games, contest.deals) == (60 * 14, 60 * 14)
    first, second = contest.describe(["greedy", "random"])
    assert first["points_per_deal"]["estimate"] < second["points_per_deal"]["estimate"]


def test_the_same_deterministic_bot_twice_differs_by_exactly_nothing() -> None:
    experiment = make_contest("greedy", "greedy", Rules(), blocks=200, seed=3)
    contest = Contest(Question(0.1), 2, 4)
    assert contest.add(play(experiment)).verdict == EQUIVALENT
    assert contest.state.estimate == 0.0


def test_before_the_first_block_nothing_is_known() -> None:
    described = Contest(Question(0.1), 2, 4).describe(["a", "b"])
    assert described[0]["points_per_deal"] is None


def test_names_are_told_apart() -> None:
    specs = ["greedy", "greedy", "greedy:blunder=0.1", "greedy"]
    assert name_all(specs) == ["greedy", "greedy (2)", "greedy:blunder=0.1", "greedy (3)"]


def test_a_company_of_the_wrong_size_is_told() -> None:
    with pytest.raises(UsageError, match="--table names 2 strategies; 3 sit with"):
        make_contest("low", "greedy", Rules(), company=("low", "low"), blocks=1, seed=1)
