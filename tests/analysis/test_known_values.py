"""Estimates, covariances and intervals against statsmodels and scipy."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio


def test_ratios_and_covariance_are_a_clustered_regression_on_entrants() -> None:
    """Each deal is a row, each entrant a dummy, each block a cluster: means with the sandwich covariance."""
    generator = np.random.default_rng(1)
    block = np.repeat(np.arange(120), generator.integers(2, 9, 120))
    entrant = generator.integers(0, 3, len(block))
    luck = generator.normal(0, 3, 120)
    points = np.rint(6 + entrant + luck[block] * (1 - entrant) + generator.normal(0, 4, len(block))).astype(
        int
    )
    columns = [f"{what}:{e}" for e in range(3) for what in ("points", "deals")]
    values = np.zeros((120, 6), np.int64)
    np.add.at(values, (block, 2 * entrant), points)
    np.add.at(values, (block, 2 * entrant + 1), 1)
    ratios = [Ratio(f"points:{e}", f"deals:{e}") for e in range(3)]
    found = inference.estimate(Moments.of_blocks(columns, values), ratios)
    theirs = sm.OLS(points, np.eye(3)[entrant]).fit(
        cov_type="cluster", cov_kwds={"groups": block, "use_correction": False}
    )
    assert found.values == pytest.approx(theirs.params, rel=1e-10)
    assert found.covariance == pytest.approx(theirs.cov_params() * 120 / 119, rel=1e-8)
    contrasts = np.array([[1.0, -1, 0], [0, 1, -1]])
    # Hotelling's F against theirs, which is Wald's: the same statistic with other degrees of freedom.
    wald = theirs.wald_test(contrasts, use_f=False, scalar=True).statistic * 119 / 120
    expected = stats.f.sf(wald * 118 / (119 * 2), 2, 118)
    assert inference.find_joint_p_value(found, contrasts) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("wins", "games"), [(1, 40), (3, 200), (198, 200)])
def test_a_rare_share_has_wilsons_interval(wins: int, games: int) -> None:
    share = wins / games
    found = inference.describe(share, share * (1 - share) / games, 10**7, games, bounded=True)
    assert found is not None
    assert (found["low"], found["high"]) == pytest.approx(
        proportion_confint(wins, games, method="wilson"), rel=1e-4
    )


def test_holm_is_that_of_statsmodels() -> None:
    p_values = list(np.random.default_rng(2).random(30) ** 4)
    assert inference.adjust_holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_a_p_value_is_students() -> None:
    blocks = np.random.default_rng(3).integers(-9, 10, (50, 1))
    estimates = inference.estimate(
        Moments.of_blocks(["x", "n"], np.hstack([blocks, np.ones_like(blocks)])), [Ratio("x", "n")]
    )
    described = inference.describe_contrast(estimates, np.ones(1))
    theirs = stats.ttest_1samp(blocks[:, 0], 0)
    assert inference.find_p_value(described, 50) == pytest.approx(theirs.pvalue, rel=1e-9)
    interval = theirs.confidence_interval()
    assert described is not None
    assert (described["low"], described["high"]) == pytest.approx((interval.low, interval.high))
