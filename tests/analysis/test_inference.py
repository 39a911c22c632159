"""Estimates and intervals: known values, brute force, coverage, and data that give no interval."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio

Ints = npt.NDArray[np.int64]
RATIOS = [Ratio("x", "n"), Ratio("y", "n"), Ratio("y", "m", 0.5)]
COLUMNS = ["x", "y", "n", "m"]


def draw_blocks(n_blocks: int, seed: int = 1) -> Ints:
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 9, n_blocks)
    luck = rng.normal(0, 2, n_blocks)
    x = np.rint(n * (5 + luck) + rng.normal(0, 3, n_blocks))
    y = np.rint(n * (4 - luck) + rng.normal(0, 3, n_blocks))
    return np.stack([x, y, n, 2 * n + 1], axis=1).astype(np.int64)


def covary_by_hand(blocks: Ints) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The definition, block by block: z = (X - theta N) / mean N, V = sum z z' / (G (G - 1))."""
    columns = {name: blocks[:, i].astype(float) for i, name in enumerate(COLUMNS)}
    values, residuals = [], []
    for ratio in RATIOS:
        top, bottom = ratio.scale * columns[ratio.top], columns[ratio.bottom]
        values.append(top.sum() / bottom.sum())
        residuals.append((top - values[-1] * bottom) / bottom.mean())
    z, g = np.array(residuals), len(blocks)
    return np.array(values), z @ z.T / (g * (g - 1))


@pytest.mark.parametrize("n_blocks", [2, 30, 500])
def test_estimates_and_covariance_follow_the_definition(n_blocks: int) -> None:
    blocks = draw_blocks(n_blocks)
    estimates = inference.estimate(Moments.of_blocks(COLUMNS, blocks), RATIOS)
    values, covariance = covary_by_hand(blocks)
    assert estimates.values == pytest.approx(values, rel=1e-12)
    assert estimates.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-12)


def test_a_ratio_worked_out_on_paper() -> None:
    # Two blocks: 3 points in 1 deal, 5 in 3. theta = 2, residuals +1 and -1, mean n = 2: V = (1/4 + 1/4) / 2.
    estimates = inference.estimate(
        Moments.of_blocks(["x", "n"], np.array([[3, 1], [5, 3]])), [Ratio("x", "n")]
    )
    assert estimates.values[0] == 2
    assert estimates.covariance[0, 0] == pytest.approx(0.25)


def test_parts_add_up_to_the_whole_in_any_order() -> None:
    blocks = draw_blocks(400)
    parts = [Moments.of_blocks(COLUMNS, part) for part in np.array_split(blocks, 7)]
    whole = Moments.of_blocks(COLUMNS, blocks)
    for order in (range(7), reversed(range(7)), (3, 0, 6, 1, 5, 2, 4)):
        chosen = [parts[i] for i in order]
        total = chosen[0]
        for part in chosen[1:]:
            total = total + part
        assert total.n_blocks == 400
        assert np.array_equal(total.sums, whole.sums)
        assert np.array_equal(total.products, whole.products)


def test_sums_too_large_to_be_exact_are_refused_and_not_rounded() -> None:
    with pytest.raises(OverflowError, match="columns"):
        Moments.of_blocks(["x"], np.full((100, 1), 2**30, np.int64))
    large = Moments(["x"], 10, np.array([1]), np.array([[2**62]]))
    with pytest.raises(OverflowError):
        large + large


def test_moments_of_other_columns_do_not_add() -> None:
    with pytest.raises(ValueError, match="columns"):
        Moments.of_blocks(["x"], np.ones((2, 1), np.int64)) + Moments.of_blocks(
            ["y"], np.ones((2, 1), np.int64)
        )


def test_gathered_columns_have_the_moments_of_their_sums() -> None:
    blocks = draw_blocks(50)
    gathered = Moments.of_blocks(COLUMNS, blocks).gather({"both": ["x", "y"], "n": ["n"]})
    direct = Moments.of_blocks(["both", "n"], np.stack([blocks[:, 0] + blocks[:, 1], blocks[:, 2]], axis=1))
    assert np.array_equal(gathered.sums, direct.sums)
    assert np.array_equal(gathered.products, direct.products)


@pytest.mark.parametrize(("n_blocks", "t"), [(2, 12.7062), (30, 2.0452), (101, 1.9840), (10**7, 1.95996)])
def test_the_quantile_is_students(n_blocks: int, t: float) -> None:
    assert inference.quantile(n_blocks) == pytest.approx(t, abs=1e-4)


def test_an_interval_is_t_standard_errors_to_either_side() -> None:
    value = inference.describe(5.0, 0.04, 30)
    assert value is not None
    assert value["se"] == pytest.approx(0.2)
    assert value["low"] == pytest.approx(5 - 2.0452 * 0.2, abs=1e-4)
    assert value["high"] == pytest.approx(5 + 2.0452 * 0.2, abs=1e-4)


def test_fewer_than_30_blocks_give_an_estimate_without_interval() -> None:
    assert inference.describe(5.0, 0.04, 29) == {"estimate": 5.0, "low": None, "high": None, "se": None}


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_cannot_be_estimated_is_missing(value: float) -> None:
    assert inference.describe(value, 0.1, 100) is None


def test_a_rare_share_gets_wilsons_interval() -> None:
    # 2 of 100 independent games: Wilson with t(99) = 1.9842, by the textbook formula.
    value = inference.describe(0.02, 0.02 * 0.98 / 100, 100, bounded=True)
    z, n = inference.quantile(100), 100
    centre, reach = 0.02 + z * z / (2 * n), z * math.sqrt(0.02 * 0.98 / n + z * z / (4 * n * n))
    assert value is not None
    assert value["low"] == pytest.approx((centre - reach) / (1 + z * z / n))
    assert value["high"] == pytest.approx((centre + reach) / (1 + z * z / n))
    assert 0 < value["low"] < 0.02 < value["high"]


def test_never_and_always_get_the_rule_of_three() -> None:
    never = inference.describe(0.0, 0.0, 100, count=100, bounded=True)
    always = inference.describe(1.0, 0.0, 100, count=100, bounded=True)
    assert never == {"estimate": 0.0, "low": 0.0, "high": 0.03, "se": 0.0}
    assert always == {"estimate": 1.0, "low": 0.97, "high": 1.0, "se": 0.0}


def test_games_that_share_a_block_do_not_count_as_evidence_for_never() -> None:
    # 50 blocks of 4 games each and no win at all: 50 independent observations, not 200.
    blocks = np.tile([0, 4], (50, 1))
    ratios = [Ratio("won", "games", bounded=True, repeats="games")]
    moments = Moments.of_blocks(["won", "games"], blocks)
    value = inference.describe_all(inference.estimate(moments, ratios), ratios)[0]
    assert value is not None
    assert value["high"] == pytest.approx(3 / 50)


def test_identical_entrants_differ_by_exactly_zero() -> None:
    same = draw_blocks(50)
    same[:, 1] = same[:, 0]
    estimates = inference.estimate(Moments.of_blocks(COLUMNS, same), RATIOS[:2])
    difference = inference.describe_contrast(estimates, np.array([1.0, -1.0]))
    assert difference == {"estimate": 0.0, "low": 0.0, "high": 0.0, "se": 0.0}
    assert inference.find_p_value(difference, 50) == 1.0


def test_a_difference_uses_the_covariance() -> None:
    blocks = draw_blocks(200)
    estimates = inference.estimate(Moments.of_blocks(COLUMNS, blocks), RATIOS[:2])
    difference = inference.describe_contrast(estimates, np.array([1.0, -1.0]))
    v = covary_by_hand(blocks)[1]
    assert difference is not None
    assert difference["se"] == pytest.approx(math.sqrt(v[0, 0] + v[1, 1] - 2 * v[0, 1]))
    assert difference["se"] > math.sqrt(v[0, 0] + v[1, 1])  # luck moves the two apart here


def test_holm_by_hand() -> None:
    adjusted = inference.adjust_holm([0.01, 0.04, None, 0.03, 0.5])
    assert adjusted == [0.04, pytest.approx(0.09), None, pytest.approx(0.09), 0.5]


def test_the_joint_test_of_one_contrast_is_the_t_test() -> None:
    estimates = inference.estimate(Moments.of_blocks(COLUMNS, draw_blocks(80)), RATIOS[:2])
    single = inference.find_p_value(inference.describe_contrast(estimates, np.array([1.0, -1.0])), 80)
    assert inference.find_joint_p_value(estimates, np.array([[1.0, -1.0]])) == pytest.approx(single, rel=1e-6)


def test_repeating_a_contrast_does_not_change_the_joint_test() -> None:
    estimates = inference.estimate(Moments.of_blocks(COLUMNS, draw_blocks(80)), RATIOS[:2])
    once = inference.find_joint_p_value(estimates, np.array([[1.0, -1.0]]))
    assert inference.find_joint_p_value(estimates, np.array([[1.0, -1.0], [-2.0, 2.0]])) == pytest.approx(
        once, rel=1e-6
    )


@pytest.mark.parametrize("n_blocks", [40, 200])
def test_intervals_cover_the_truth_19_times_in_20(n_blocks: int) -> None:
    """Clustered data: one shock per block, blocks of unequal size. Naive intervals would cover half as often."""
    rng = np.random.default_rng(20261130)
    covered, runs, truth = 0, 2000, 6.5
    for _ in range(runs):
        n = rng.integers(4, 13, n_blocks)
        shock = rng.normal(truth, 2, n_blocks)
        x = np.rint(1000 * (n * shock + np.sqrt(n) * rng.normal(0, 1, n_blocks))).astype(np.int64)
        estimates = inference.estimate(
            Moments.of_blocks(["x", "n"], np.stack([x, n], axis=1)), [Ratio("x", "n", 0.001)]
        )
        value = inference.describe(float(estimates.values[0]), float(estimates.covariance[0, 0]), n_blocks)
        assert value is not None
        covered += value["low"] <= truth <= value["high"]
    assert covered / runs == pytest.approx(0.95, abs=0.0175)


@pytest.mark.parametrize("n_blocks", [30, 100])
def test_the_joint_test_rejects_1_in_20_when_nothing_differs(n_blocks: int) -> None:
    rng = np.random.default_rng(7)
    contrasts = np.array([[-1.0, 1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 1]])
    names = ["a", "b", "c", "d", "n"]
    p_values = []
    for _ in range(4000):
        n = rng.integers(8, 13, (n_blocks, 1))
        blocks = np.hstack([rng.poisson(6.5 * n, (n_blocks, 4)), n])
        estimates = inference.estimate(Moments.of_blocks(names, blocks), [Ratio(s, "n") for s in "abcd"])
        p_values.append(inference.find_joint_p_value(estimates, contrasts))
    found = np.array(p_values, float)
    assert np.mean(found < 0.05) == pytest.approx(0.05, abs=0.009)
    assert np.mean(found < 0.5) == pytest.approx(0.5, abs=0.025)
