"""Ratings on the Elo scale: what they mean, how sure they are, when they say nothing, and what they warn of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from finishing import count, draw_games

from hearts_sim.analysis import luce, rating_checks, ratings
from hearts_sim.analysis.metrics import read_run, summarize
from hearts_sim.analysis.streams import draw_counts
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.runner import run_experiment

Ints = npt.NDArray[np.int64]
NAMES = list("abcde")
WORTHS = [0.4, 0.8, 1.0, 1.5, 3.0]


def rate(entrants: Ints, finals: Ints, block: Ints | None = None, **options: Any) -> dict[str, Any]:
    found = ratings.rate(
        count(entrants, finals, block, options.pop("k", None)), NAMES[: options.pop("n", 5)], 1, **options
    )
    json.dumps(found, allow_nan=False)
    return found


def test_a_difference_of_400_is_odds_of_10_to_1() -> None:
    entrants, finals = draw_games([1, 10], 20_000, 1, seats=2)
    found = rate(entrants, finals, n=2)
    assert found["differences"][0]["estimate"] == pytest.approx(-400, abs=15)
    assert [entrant["rating"]["estimate"] for entrant in found["entrants"]] == pytest.approx(
        [1300, 1700], abs=8
    )


def test_the_truth_of_the_model_is_found() -> None:
    found = rate(*draw_games(WORTHS, 4_000, 2))
    truth = 400 * np.log10(WORTHS)
    for entrant, own in zip(found["entrants"], 1500 + truth - truth.mean(), strict=True):
        assert entrant["rating"]["low"] - 10 < own < entrant["rating"]["high"] + 10
    assert found["fit"]["fits"]
    assert found["warnings"] == []
    assert found["rank_intervals"] == {"a": [5, 5], "b": [4, 4], "c": [3, 3], "d": [2, 2], "e": [1, 1]}


def test_the_anchor_is_1500_for_certain_and_moves_no_difference() -> None:
    games = draw_games(WORTHS, 300, 3, levels=5)
    free, held = rate(*games), rate(*games, anchor="c")
    anchor = held["entrants"][2]["rating"]
    assert (anchor["estimate"], anchor["se"]) == (1500, 0)
    for one, other in zip(free["differences"], held["differences"], strict=True):
        assert (one["a"], one["b"]) == (other["a"], other["b"])
        assert [one["estimate"], one["se"]] == pytest.approx([other["estimate"], other["se"]], rel=1e-9)


def test_an_unknown_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match="the anchor 'z' is not among"):
        rate(*draw_games(WORTHS, 50, 3), anchor="z")


def test_differences_have_the_error_of_both_together() -> None:
    games = draw_games(WORTHS, 300, 4)
    fit = luce.fit(count(*games))
    weights = np.zeros(len(fit.theta))
    weights[[0, 1]] = 1, -1
    first = rate(*games)["differences"][0]
    assert first["se"] == pytest.approx(ratings.SCALE * np.sqrt(weights @ fit.covariance @ weights))


def test_games_of_a_block_are_one_observation() -> None:
    entrants, finals = draw_games(WORTHS, 200, 5)
    once = rate(entrants, finals)
    block = np.repeat(np.arange(200), 4)
    four = rate(np.repeat(entrants, 4, axis=0), np.repeat(finals, 4, axis=0), block)
    for a, b in zip(once["entrants"], four["entrants"], strict=True):
        assert b["rating"]["se"] == pytest.approx(a["rating"]["se"], rel=0.02)


def test_quick_bootstrap_refits_are_full_refits() -> None:
    """Each sample fitted anew from its own repeated games; ratings are worths above their mean."""
    entrants, finals = draw_games(WORTHS, 200, 6, seats=3, levels=4)
    fit = luce.fit(count(entrants, finals))
    fast, counts = ratings.refit(fit, seed=9, draws=12)[:, :5], draw_counts(9, 0, 200, 12)
    centre = np.eye(5) - 1 / 5
    error = np.sqrt(np.diagonal(centre @ fit.covariance[:5, :5] @ centre))
    for draw in range(12):
        again = np.repeat(np.arange(200), counts[:, draw])
        full = luce.fit(count(entrants[again], finals[again])).theta[:5]
        assert np.abs(centre @ (fast[draw] - full) / error).max() < 0.05
        assert np.abs(centre @ (full - fit.theta[:5]) / error).max() > 0.3


def test_the_bootstrap_agrees_with_the_sandwich_and_is_reproducible() -> None:
    games = draw_games(WORTHS, 500, 7, levels=8)
    found = rate(*games)
    assert found == rate(*games)
    for entrant in found["entrants"]:
        width = entrant["rating"]["high"] - entrant["rating"]["low"]
        assert entrant["bootstrap"]["low"] == pytest.approx(entrant["rating"]["low"], abs=0.08 * width)
        assert entrant["bootstrap"]["high"] == pytest.approx(entrant["rating"]["high"], abs=0.08 * width)


def test_a_perfect_winner_has_a_finite_rating_without_interval_and_a_warning() -> None:
    entrants, finals = draw_games([1, 1, 1.3, 1], 200, 8)
    finals[entrants == 0] = -1
    found = rate(entrants, finals, n=4)
    best = found["entrants"][0]
    assert best["rating"]["estimate"] > 1900
    assert (best["rating"]["low"], best["rating"]["se"], best["bootstrap"]) == (None, None, None)
    assert any("a always finished ahead of others" in text for text in found["warnings"])
    rest = [entrant["rating"]["estimate"] for entrant in found["entrants"][1:]]
    assert np.mean(rest) == pytest.approx(1500)
    assert all(entrant["rating"]["low"] is not None for entrant in found["entrants"][1:])
    assert found["rank_intervals"]["a"] == [1, 4]


def test_who_never_met_the_rest_has_no_rating() -> None:
    entrants, finals = draw_games([1, 2, 1], 100, 9, seats=3)
    others = np.array([[3, 4, 3]] * 20)
    finals = np.vstack([finals, np.array([[0, 1, 2], [1, 0, 2]] * 10)])
    found = rate(np.vstack([entrants, others]), finals)
    assert [entrant["rating"] is None for entrant in found["entrants"]] == [False, False, False, True, True]
    assert sum("never met the others" in text for text in found["warnings"]) == 2


def test_an_entrant_without_games_has_no_rating() -> None:
    found = rate(*draw_games([1, 2, 1, 1], 100, 10), k=5)
    assert found["entrants"][4]["rating"] is None


def test_identical_entrants_share_all_places() -> None:
    found = rate(*draw_games([1] * 5, 200, 11, levels=10))
    assert set(map(tuple, found["rank_intervals"].values())) == {(1, 5)}


def test_all_games_shared_by_all() -> None:
    found = rate(np.array([[0, 1, 2]] * 50), np.full((50, 3), 7), n=3)
    assert [entrant["rating"]["estimate"] for entrant in found["entrants"]] == pytest.approx([1500] * 3)


@pytest.mark.parametrize("blocks", [1, 29])
def test_few_blocks_have_estimates_without_intervals(blocks: int) -> None:
    entrants, finals = draw_games(WORTHS, 58, 12)
    found = rate(entrants, finals, np.arange(58) % blocks)
    for entrant in found["entrants"]:
        assert entrant["rating"]["estimate"] is not None
        assert (entrant["rating"]["low"], entrant["bootstrap"]) == (None, None)
    assert found["fit"] == {"fits": None, "worst": None}
    assert f"{blocks} blocks are too few for intervals of ratings" in found["warnings"]


def test_the_fit_is_found_wanting_where_company_decides() -> None:
    """Entrant a wins wherever b sits, and plays like everybody else elsewhere."""
    entrants, finals = draw_games([1] * 5, 1_500, 13)
    with_b = (entrants == 1).any(axis=1, keepdims=True)
    finals = np.where((entrants == 0) & with_b, -1, finals)
    found = rate(entrants, finals)
    assert found["fit"]["fits"] is False
    assert any("the ratings do not say all" in text for text in found["warnings"])
    worst = found["fit"]["worst"]
    i, j = NAMES.index(worst["entrant"]), NAMES.index(worst["rival"] or worst["entrant"])
    at = (entrants == i).any(axis=1) & (entrants == j).any(axis=1)
    won = np.take_along_axis(entrants, finals.argmin(axis=1)[:, None], axis=1)[:, 0] == i
    assert worst["observed"] == pytest.approx(won[at].mean())


def test_a_model_that_is_true_is_doubted_once_in_twenty() -> None:
    wrong = 0
    for seed in range(200):
        fit = luce.fit(count(*draw_games(WORTHS[:4], 150, 1000 + seed)))
        wrong += rating_checks.check_fit(fit, NAMES[:4])["fits"] is False
    assert wrong <= 0.05 * 200 + 3 * np.sqrt(200 * 0.05 * 0.95)


def head_to_head(*leads: tuple[str, str, float]) -> list[dict[str, Any]]:
    return [{"a": a, "b": b, "finishes_ahead": {"estimate": 0.5 + lead, "se": 0.01}} for a, b, lead in leads]


def test_a_sure_cycle_is_named_once() -> None:
    pairs = head_to_head(("a", "b", 0.1), ("a", "c", -0.1), ("b", "c", 0.1), ("a", "d", 0.2))
    assert rating_checks.find_cycles(pairs, 200) == [["a", "b", "c"]]


@pytest.mark.parametrize("last", [0.1, -0.01])
def test_no_cycle_without_a_sure_third_side(last: float) -> None:
    pairs = head_to_head(("a", "b", 0.1), ("a", "c", last), ("b", "c", 0.1))
    pairs.append({"a": "c", "b": "d", "finishes_ahead": None})
    assert rating_checks.find_cycles(pairs, 200) == []


def test_cycles_become_warnings() -> None:
    pairs = head_to_head(("a", "b", 0.1), ("a", "c", -0.1), ("b", "c", 0.1))
    found = rate(*draw_games(WORTHS, 200, 14), pairs=pairs)
    assert "no ranking is right: a finishes ahead of b, b of c and c of a" in found["warnings"]


@pytest.mark.parametrize("unit", ["game", "deal"])
def test_a_run_is_rated_from_its_stored_deals(unit: str, tmp_path: Path) -> None:
    entrants = tuple(EntrantSpec(name, name) for name in ("greedy", "ducker", "low", "random"))
    experiment = Experiment("x", "", 5, Rules(), entrants, DesignSpec(unit=unit, blocks=150))
    run_experiment(experiment, tmp_path / "run")
    run = read_run(tmp_path / "run")
    found = ratings.rate_run(run, summarize(run)["pairs"])
    assert found is not None
    json.dumps(found, allow_nan=False)
    order = sorted(found["entrants"], key=lambda entrant: -entrant["rating"]["estimate"])
    assert [entrant["name"] for entrant in order][-1] == "random"
    assert found["cycles"] == []


def test_a_run_without_its_deals_has_no_ratings(tmp_path: Path) -> None:
    entrants = tuple(EntrantSpec(name, name) for name in ("greedy", "ducker", "low", "random"))
    experiment = Experiment("x", "", 5, Rules(), entrants, DesignSpec(unit="deal", blocks=40))
    run_experiment(experiment, tmp_path / "run", record="none")
    assert ratings.rate_run(read_run(tmp_path / "run")) is None


def test_capped_games_count_as_they_stood(tmp_path: Path) -> None:
    entrants = tuple(EntrantSpec(name, name) for name in ("greedy", "ducker", "low", "random"))
    experiment = Experiment("x", "", 5, Rules(max_deals=2), entrants, DesignSpec(unit="game", blocks=40))
    run_experiment(experiment, tmp_path / "run")
    found = ratings.rate_run(read_run(tmp_path / "run"))
    assert found is not None
    assert all(entrant["rating"]["low"] is not None for entrant in found["entrants"])
