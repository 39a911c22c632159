"""What a run says: the summary against the same numbers worked out from the deals, and runs that say little."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from played import count_by_hand, play_deals

from hearts_sim.analysis import metrics, moments
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.tournament.sums import sum_blocks

NAMES = ["greedy", "ducker", "low", "random"]


def summarize(
    deals: pl.DataFrame,
    names: list[str] = NAMES,
    rules: Rules | None = None,
    listed: list[str] | None = None,
    baseline: str | None = None,
) -> dict[str, Any]:
    rules = rules or Rules()
    tables = [[int(e) for e in members] for members in listed or []]
    sums = sum_blocks(deals, rules.seats, len(names), rules)
    measured = moments.measure([sums], len(names), rules.seats, tables)
    return metrics.summarize_moments(measured, describe(names), rules, tables, baseline)


def describe(names: list[str]) -> list[dict[str, Any]]:
    return [{"name": name, "strategy": name, "params": {}} for name in names]


def walk(value: Any, path: str = "summary") -> Iterator[tuple[str, float | None]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from walk(inner, f"{path}[{i}]")
    elif value is None or isinstance(value, float):
        yield path, value


@pytest.fixture(scope="module")
def deals() -> pl.DataFrame:
    return play_deals(" ".join(NAMES), 60)


@pytest.fixture(scope="module")
def summary(deals: pl.DataFrame) -> dict[str, Any]:
    return summarize(deals)


def test_points_per_deal_and_its_error_follow_from_the_deals(
    deals: pl.DataFrame, summary: dict[str, Any]
) -> None:
    for e, entrant in enumerate(summary["entrants"]):
        seats = pl.concat(
            deals.filter(pl.col(f"entrant_{s}") == e).select("block", points=f"points_{s}") for s in range(4)
        )
        blocks = seats.group_by("block").agg(pl.col("points").sum(), n=pl.len()).sort("block")
        x, n = blocks["points"].to_numpy().astype(float), blocks["n"].to_numpy().astype(float)
        theta = x.sum() / n.sum()
        error = math.sqrt((((x - theta * n) / n.mean()) ** 2).sum() / (60 * 59))
        value = entrant["points_per_deal"]
        assert value["estimate"] == pytest.approx(theta)
        assert value["se"] == pytest.approx(error)
        assert value["high"] - theta == pytest.approx(2.000995 * error, rel=1e-5)
        assert entrant["deals"] == n.sum()


def test_counts_and_shares_agree(deals: pl.DataFrame, summary: dict[str, Any]) -> None:
    games = deals.filter(pl.col("ended") > 0)
    for entrant in summary["entrants"]:
        assert entrant["games"] == games.height == entrant["wins"] + entrant["draws"] + entrant["losses"]
        assert entrant["moon_rate"]["estimate"] == entrant["moons"] / entrant["deals"]
    shares = [entrant["win_share"]["estimate"] for entrant in summary["entrants"]]
    margins = [entrant["margin_per_deal"]["estimate"] for entrant in summary["entrants"]]
    places = [entrant["mean_place"]["estimate"] for entrant in summary["entrants"]]
    assert sum(shares) == pytest.approx(1)
    assert sum(margins) == pytest.approx(0, abs=1e-12)
    assert sum(places) == pytest.approx(10)


def test_a_pair_says_by_how_many_points_a_is_ahead_of_b(summary: dict[str, Any]) -> None:
    points = {e["name"]: e["points_per_deal"]["estimate"] for e in summary["entrants"]}
    assert len(summary["pairs"]) == 6
    for pair in summary["pairs"]:
        assert pair["margin"]["estimate"] == pytest.approx(points[pair["b"]] - points[pair["a"]])
        assert 0 <= pair["margin"]["p_adjusted"] <= 1
        assert 0 <= pair["finishes_ahead"]["low"] <= pair["finishes_ahead"]["high"] <= 1


def test_finishing_ahead_is_counted_game_by_game(deals: pl.DataFrame, summary: dict[str, Any]) -> None:
    games = deals.filter(pl.col("ended") > 0).to_dicts()
    ahead = 0.0
    for game in games:
        scores = {game[f"entrant_{s}"]: game[f"score_{s}"] for s in range(4)}
        ahead += 1.0 if scores[0] < scores[1] else 0.5 if scores[0] == scores[1] else 0.0
    pair = next(p for p in summary["pairs"] if (p["a"], p["b"]) == ("greedy", "ducker"))
    assert pair["finishes_ahead"]["estimate"] == pytest.approx(ahead / len(games))


def test_the_ranking_separates_what_is_far_apart(summary: dict[str, Any]) -> None:
    places = {entrant["name"]: entrant["rank_interval"] for entrant in summary["entrants"]}
    assert places["random"] == [4, 4]
    assert places["greedy"] == [1, 1]


def test_direction_effects_average_out_over_the_deals_played(
    deals: pl.DataFrame, summary: dict[str, Any]
) -> None:
    played = {offset: deals.filter(pl.col("pass_offset") == offset).height for offset in (1, 3, 2, 0)}
    for entry in summary["pass_directions"]:
        assert list(entry["effects"]) == ["left", "right", "across", "hold"]
        effects = [effect["estimate"] for effect in entry["effects"].values()]
        assert np.dot(effects, list(played.values())) == pytest.approx(0, abs=1e-9)
        assert 0 <= entry["p_value"] <= 1


def test_seats_share_the_points_of_every_deal(summary: dict[str, Any]) -> None:
    seats = summary["seats"]
    assert len(seats["points_per_deal"]) == 4
    assert 0.001 < seats["p_value"] <= 1


def test_the_order_of_parts_does_not_matter(deals: pl.DataFrame) -> None:
    parts = [
        sum_blocks(deals.filter(pl.col("block").is_between(first, first + 9)), 4, 4, Rules())
        for first in range(0, 60, 10)
    ]
    texts = set()
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 5, 0, 4, 1, 3]):
        measured = moments.measure([parts[i] for i in order], 4, 4)
        texts.add(json.dumps(metrics.summarize_moments(measured, describe(NAMES), Rules())))
    assert len(texts) == 1


def test_tables_of_a_block_are_one_cluster() -> None:
    """The same table listed twice holds no further evidence, so the error must not shrink."""
    once = summarize(play_deals("greedy low", 40, tables=["0111"]), ["greedy", "low"])
    twice = summarize(play_deals("greedy low", 40, tables=["0111", "0111"]), ["greedy", "low"])
    for a, b in zip(once["entrants"], twice["entrants"], strict=True):
        assert b["games"] == 2 * a["games"]
        assert b["points_per_deal"]["se"] == pytest.approx(a["points_per_deal"]["se"])


LITTLE = {
    "one block": ("greedy ducker low random", 1, Rules()),
    "two blocks": ("greedy ducker low random", 2, Rules()),
    "29 blocks": ("greedy ducker low random", 29, Rules()),
    "identical entrants": ("low low low low", 40, Rules()),
    "one deal each": ("greedy ducker low random", 40, Rules(deals_per_game=1)),
    "no pass": ("greedy ducker low random", 40, PRESETS["no_pass"].rules),
}


@pytest.mark.parametrize("case", LITTLE)
def test_every_number_is_finite_or_missing(case: str) -> None:
    entrants, blocks, rules = LITTLE[case]
    summary = summarize(play_deals(entrants, blocks, rules=rules), [f"{i}" for i in range(4)], rules)
    json.dumps(summary, allow_nan=False)
    numbers = dict(walk(summary))
    assert all(value is None or math.isfinite(value) for value in numbers.values())
    has_interval = [
        value is not None for path, value in numbers.items() if path.endswith("points_per_deal.low")
    ]
    assert len(has_interval) == 4
    assert set(has_interval) == {blocks >= 30}


def test_identical_entrants_share_all_places_and_differ_by_exactly_nothing() -> None:
    summary = summarize(play_deals("low low low low", 40), ["a", "b", "c", "d"])
    assert [entrant["rank_interval"] for entrant in summary["entrants"]] == [[1, 4]] * 4
    for pair in summary["pairs"]:
        assert (pair["margin"]["estimate"], pair["margin"]["se"], pair["margin"]["p_adjusted"]) == (0, 0, 1)


def test_an_entrant_that_always_wins_has_an_interval_below_one() -> None:
    deals = play_deals("greedy random", 40, tables=["0111"])
    final = pl.when(pl.col("ended") > 0)
    columns = {
        f"score_{s}": final.then(pl.when(pl.col(f"entrant_{s}") == 0).then(0).otherwise(100 + s))
        .otherwise(f"score_{s}")
        .cast(pl.Int16)
        for s in range(4)
    }
    summary = summarize(deals.with_columns(**columns), ["greedy", "random"])
    always, never = (entrant["win_share"] for entrant in summary["entrants"])
    assert (always["estimate"], always["high"]) == (1, 1)
    assert always["low"] == pytest.approx(1 - 3 / 40)
    assert (never["estimate"], never["low"]) == (0, 0)
    assert summary["pairs"][0]["finishes_ahead"]["low"] == pytest.approx(1 - 3 / 40)


@pytest.fixture(scope="module")
def listed() -> tuple[pl.DataFrame, dict[str, Any]]:
    """One entrant against three of each of two others, who never meet."""
    tables = ["0222", "0111"]
    deals = play_deals("greedy ducker random", 40, tables=tables)
    return deals, summarize(deals, ["greedy", "ducker", "random"], listed=tables)


def test_a_listed_table_counts_its_own_games(listed: tuple[pl.DataFrame, dict[str, Any]]) -> None:
    deals, summary = listed
    assert [table["members"] for table in summary["tables"]] == [
        ["greedy", "random", "random", "random"],
        ["greedy", "ducker", "ducker", "ducker"],
    ]
    for t, table in enumerate(summary["tables"]):
        own = count_by_hand(deals.filter(pl.col("table") == t), 3, Rules())
        for entrant in table["entrants"]:
            e = ["greedy", "ducker", "random"].index(entrant["name"])
            rows = [sums for (_, _, who), sums in own.items() if who == e]
            for what in ("games", "deals", "wins", "draws", "losses"):
                assert entrant[what] == sum(row[what] for row in rows)
            points = sum(row["points"] for row in rows) / sum(row["deals"] for row in rows)
            assert entrant["points_per_deal"]["estimate"] == pytest.approx(points)
            wins = sum(row["win60"] for row in rows) / 60 / sum(row["games"] for row in rows)
            assert entrant["win_share"]["estimate"] == pytest.approx(wins)


def test_the_one_who_sits_everywhere_is_in_focus_and_loses_win_share_step_by_step(
    listed: tuple[pl.DataFrame, dict[str, Any]],
) -> None:
    _, summary = listed
    assert summary["focus"] == "greedy"
    (step,) = summary["steps"]
    easier, harder = (summary["tables"][step[which]]["entrants"][0] for which in ("easier", "harder"))
    assert easier["name"] == harder["name"] == "greedy"
    assert step["easier"] == 0
    lost = easier["win_share"]["estimate"] - harder["win_share"]["estimate"]
    assert step["win_share_lost"]["estimate"] == pytest.approx(lost)
    assert step["win_share_lost"]["p_adjusted"] < 0.05


def test_who_never_met_at_a_listed_table_is_not_compared(listed: tuple[pl.DataFrame, dict[str, Any]]) -> None:
    _, summary = listed
    by_pair = {(p["a"], p["b"]): p for p in summary["pairs"]}
    assert by_pair["ducker", "random"]["finishes_ahead"] is None
    assert by_pair["ducker", "random"]["margin"] is None
    assert by_pair["greedy", "random"]["finishes_ahead"] is not None


def test_a_pair_at_listed_tables_is_compared_where_both_sit(
    listed: tuple[pl.DataFrame, dict[str, Any]],
) -> None:
    deals, summary = listed
    table = deals.filter(pl.col("table") == 0)
    points = dict.fromkeys((0, 2), 0)
    for row in table.iter_rows(named=True):
        for seat in range(4):
            points[row[f"entrant_{seat}"]] += row[f"points_{seat}"]
    margin = next(p["margin"] for p in summary["pairs"] if (p["a"], p["b"]) == ("greedy", "random"))
    expected = points[2] / (3 * table.height) - points[0] / table.height
    assert margin["estimate"] == pytest.approx(expected)


def test_the_baseline_is_in_focus_even_if_others_sit_everywhere_too() -> None:
    tables = ["0122", "0111"]
    deals = play_deals("greedy ducker random", 3, tables=tables)
    names = ["greedy", "ducker", "random"]
    assert summarize(deals, names, listed=tables)["focus"] is None
    assert summarize(deals, names, listed=tables, baseline="ducker")["focus"] == "ducker"
