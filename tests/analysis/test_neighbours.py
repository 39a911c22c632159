"""Who sits beside whom: counted by hand, found where it matters, and not found where it does not."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from played import play_deals
from scipy import stats

from hearts_sim.analysis.neighbours import summarize_neighbours
from hearts_sim.game.rules import PRESETS

NAMES = ["greedy", "ducker", "low", "random"]


def test_points_beside_a_rival_are_those_counted_deal_by_deal() -> None:
    deals = play_deals(" ".join(NAMES), 48, unit="deal")
    found = summarize_neighbours([deals], NAMES, 4, 48)
    at: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for row in deals.iter_rows(named=True):
        seat_of = {row[f"entrant_{seat}"]: seat for seat in range(4)}
        at[(seat_of[1] - seat_of[0]) % 4].append(row[f"points_{seat_of[0]}"])
    everywhere = np.mean([*at[1], *at[2], *at[3]])
    effects = found[0]["effects"]["ducker"]
    assert list(effects) == ["left", "across", "right"]
    for word, offset in (("left", 1), ("across", 2), ("right", 3)):
        assert effects[word]["estimate"] == pytest.approx(np.mean(at[offset]) - everywhere)


def test_parts_and_their_order_do_not_matter() -> None:
    deals = play_deals(" ".join(NAMES), 40, unit="deal")
    parts = [deals.filter(pl.col("block") % 3 == i) for i in range(3)]
    expected = summarize_neighbours([deals], NAMES, 4, 40)
    assert summarize_neighbours(parts[::-1], NAMES, 4, 40) == expected


def test_a_neighbour_that_costs_points_is_found() -> None:
    deals = play_deals("random random random random", 96, unit="deal")
    left_of_0 = [
        pl.when((pl.col(f"entrant_{s}") == 0) & (pl.col(f"entrant_{(s + 1) % 4}") == 1)).then(6).otherwise(0)
        for s in range(4)
    ]
    worse = deals.with_columns(**{f"points_{s}": pl.col(f"points_{s}") + left_of_0[s] for s in range(4)})
    found = summarize_neighbours([worse], NAMES, 4, 96)
    effect = found[0]["effects"]["ducker"]["left"]
    assert effect["low"] > 1
    assert found[0]["p_value"] < 1e-4
    assert min(entry["p_value"] for entry in found[1:]) > 1e-3


def test_the_joint_test_is_uniform_where_no_place_matters() -> None:
    deals = play_deals("random random random random", 4_800, unit="deal")
    p_values = []
    for run in range(50):
        own = deals.filter(pl.col("block") // 96 == run).with_columns(pl.col("block") - 96 * run)
        p_values += [entry["p_value"] for entry in summarize_neighbours([own], NAMES, 4, 96)]
    assert stats.kstest(p_values, "uniform").pvalue > 0.001


def test_three_seats_have_a_left_and_a_right() -> None:
    deals = play_deals("greedy ducker low", 36, rules=PRESETS["three_handed"].rules, unit="deal")
    found = summarize_neighbours([deals], NAMES[:3], 3, 36)
    assert list(found[0]["effects"]["low"]) == ["left", "right"]


@pytest.mark.parametrize("blocks", [1, 12, 40])
def test_every_number_is_finite_or_missing(blocks: int) -> None:
    found = summarize_neighbours([play_deals("low low low low", blocks)], NAMES, 4, blocks)
    json.dumps(found, allow_nan=False)
    assert len(found) == 4


def test_rivals_that_never_met_are_left_out() -> None:
    deals = play_deals("greedy ducker low", 30, tables=["0111", "0222"])
    found = summarize_neighbours([deals], NAMES[:3], 4, 30)
    assert set(found[1]["effects"]) == {"greedy"}
    assert set(found[0]["effects"]) == {"ducker", "low"}
    assert summarize_neighbours([], NAMES, 4, 30)[0] == {"entrant": "greedy", "effects": {}, "p_value": None}
