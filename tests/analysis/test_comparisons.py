"""Comparisons of all with all: against Tukey's studentized range, statsmodels and simulation."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from hearts_sim.analysis import comparisons
from hearts_sim.analysis.comparisons import compare_all, count_more_blocks, draw_extremes, find_rank_intervals

NAMES = list("abcdef")


def contrast_all(n: int) -> np.ndarray:
    rows = [(i, j) for i in range(n) for j in range(i + 1, n)]
    weights = np.zeros((len(rows), n))
    for row, (i, j) in enumerate(rows):
        weights[row, [i, j]] = 1, -1
    return weights


@pytest.mark.parametrize(("n", "blocks"), [(2, 30), (3, 31), (4, 1000), (12, 200)])
def test_with_equal_independent_entrants_it_is_the_studentized_range(n: int, blocks: int) -> None:
    weights = contrast_all(n)
    found = draw_extremes(weights @ weights.T, blocks).find_quantile()
    assert found == pytest.approx(stats.studentized_range.ppf(0.95, n, blocks - 1) / np.sqrt(2), abs=0.02)


def test_its_p_value_is_the_studentized_ranges() -> None:
    weights = contrast_all(4)
    found = draw_extremes(weights @ weights.T, 60)
    for t in (1.0, 2.0, 2.6, 3.5):
        expected = stats.studentized_range.sf(t * np.sqrt(2), 4, 59)
        assert found.find_p_value(t) == pytest.approx(expected, abs=0.006)


def test_one_contrast_alone_has_students_quantile() -> None:
    assert draw_extremes(np.array([[4.0]]), 40).find_quantile() == pytest.approx(
        stats.t.ppf(0.975, 39), abs=0.02
    )


def test_holm_is_that_of_statsmodels() -> None:
    generator = np.random.default_rng(1)
    root = generator.normal(size=(6, 6))
    pairs = compare_all(NAMES, generator.normal(0, 3, 6), root @ root.T, 80)
    raw = [2 * stats.t.sf(abs(pair["estimate"]) / pair["se"], 79) for pair in pairs]
    assert [pair["p_adjusted"] for pair in pairs] == pytest.approx(list(multipletests(raw, method="holm")[1]))


def test_a_pair_says_by_how_much_a_is_better() -> None:
    values, covariance = np.array([5.0, 7.0]), np.array([[0.04, 0.01], [0.01, 0.09]])
    higher = compare_all(["a", "b"], values, covariance, 100)[0]
    lower = compare_all(["a", "b"], values, covariance, 100, lower_is_better=True)[0]
    assert (higher["estimate"], lower["estimate"]) == (-2, 2)
    assert lower["se"] == pytest.approx(np.sqrt(0.04 + 0.09 - 0.02))
    assert lower["separated"]
    assert lower["low"] == pytest.approx(2 - stats.t.ppf(0.975, 99) * lower["se"], abs=0.01)


def test_who_is_not_told_apart_shares_places() -> None:
    pairs = compare_all(list("abcd"), np.array([9.0, 5.1, 5.0, 1.0]), 0.01 * np.eye(4), 200)
    assert find_rank_intervals(list("abcd"), pairs) == {"a": [1, 1], "b": [2, 3], "c": [2, 3], "d": [4, 4]}


def test_places_do_not_depend_on_the_order_of_entrants() -> None:
    generator = np.random.default_rng(4)
    values, root = generator.normal(0, 2, 6), generator.normal(size=(6, 6))
    covariance = root @ root.T / 6
    expected = find_rank_intervals(NAMES, compare_all(NAMES, values, covariance, 90))
    for _ in range(5):
        order = generator.permutation(6)
        names = [NAMES[i] for i in order]
        pairs = compare_all(names, values[order], covariance[np.ix_(order, order)], 90)
        assert find_rank_intervals(names, pairs) == expected


def test_so_many_more_blocks_would_tell_them_apart() -> None:
    """Checked by simulation: with that many blocks four in five tests find the difference."""
    estimate, error, n = 0.1, 0.1, 100
    more = count_more_blocks(estimate, error, n, critical=1.96)
    assert more is not None
    sd, total = error * np.sqrt(n), n + more
    drawn = np.random.default_rng(1).normal(estimate, sd / np.sqrt(total), 20_000)
    assert np.mean(np.abs(drawn) > 1.96 * sd / np.sqrt(total)) == pytest.approx(0.8, abs=0.01)


def test_no_more_blocks_where_it_is_known_and_no_number_where_it_looks_even() -> None:
    assert count_more_blocks(1.0, 0.1, 100, 1.96) == 0
    assert count_more_blocks(0.0, 0.1, 100, 1.96) is None
    assert count_more_blocks(1e-12, 1.0, 100, 1.96) is None


def check_finite(pairs: list[dict[str, Any]]) -> None:
    json.dumps(pairs, allow_nan=False)


def test_identical_entrants_are_even_and_share_all_places() -> None:
    pairs = compare_all(list("abc"), np.full(3, 6.5), np.full((3, 3), 0.2), 50)
    check_finite(pairs)
    assert all((p["estimate"], p["se"], p["p_adjusted"], p["separated"]) == (0, 0, 1, False) for p in pairs)
    assert set(map(tuple, find_rank_intervals(list("abc"), pairs).values())) == {(1, 3)}


def test_a_certain_difference_is_certain() -> None:
    pairs = compare_all(["a", "b"], np.array([2.0, 1.0]), np.zeros((2, 2)), 50)
    check_finite(pairs)
    assert (pairs[0]["low"], pairs[0]["high"], pairs[0]["separated"]) == (1, 1, True)


@pytest.mark.parametrize("blocks", [1, 29])
def test_few_blocks_separate_nobody(blocks: int) -> None:
    covariance = np.full((2, 2), np.nan) if blocks == 1 else np.eye(2)
    pairs = compare_all(["a", "b"], np.array([9.0, 1.0]), covariance, blocks)
    check_finite(pairs)
    assert (pairs[0]["estimate"], pairs[0]["low"], pairs[0]["p_adjusted"], pairs[0]["separated"]) == (
        8,
        None,
        None,
        False,
    )


def test_an_unknown_entrant_is_unknown_and_disturbs_no_other() -> None:
    values, covariance = np.array([2.0, np.nan, 1.0]), np.eye(3) * 0.01
    covariance[1] = covariance[:, 1] = np.nan
    pairs = compare_all(list("abc"), values, covariance, 50)
    check_finite(pairs)
    assert [p["estimate"] for p in pairs] == [None, 1, None]
    assert [p["separated"] for p in pairs] == [False, True, False]
    assert pairs[1]["low"] == pytest.approx(1 - stats.t.ppf(0.975, 49) * np.sqrt(0.02), abs=0.01)


@pytest.mark.parametrize("correlated", [False, True])
def test_all_intervals_hold_together_19_times_in_20(correlated: bool) -> None:
    """Six equal entrants, 60 blocks, residuals that sum to zero in a block as margins do."""
    generator = np.random.default_rng(2)
    covered, runs = 0, 400
    for _ in range(runs):
        blocks = generator.normal(size=(60, 6)) * (np.arange(1, 7) if correlated else 1)
        blocks -= blocks.mean(axis=1, keepdims=True)
        covariance = np.cov(blocks.T) / 60
        weights = contrast_all(6)
        error = np.sqrt(np.diagonal(weights @ covariance @ weights.T))
        critical = draw_extremes(weights @ covariance @ weights.T, 60, draws=4_000).find_quantile()
        covered += bool(np.all(np.abs(weights @ blocks.mean(axis=0)) <= critical * error))
    assert covered / runs == pytest.approx(0.95, abs=0.033)
    assert comparisons.LEVEL == 0.95
