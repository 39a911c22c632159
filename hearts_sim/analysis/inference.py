"""Ratio estimates with cluster-robust covariance over blocks, from sums that add up exactly in any order.

Games that share a block share its deals, so the block, not the game, is the independent observation. Every estimate is a ratio of
sums, theta = sum(X) / sum(N); its covariance with another follows from the blocks' residuals X - theta N (the linearised ratio
estimator, Cochran, *Sampling Techniques*, 3rd ed., section 6; CRV1 of Cameron and Miller, J. Human Resources 50, 2015).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, stdtr, stdtrit

FEWEST_BLOCKS = 30
"""No interval is given for fewer blocks: the covariance itself would be a guess."""
FEW_BLOCKS = 100
"""Below this many blocks an interval comes with a warning."""
LEVEL = 0.95
_RARE = 10
_PRODUCTS_AT_ONCE = 200_000
"""Larger products make the linear algebra library start threads, which costs more than it saves."""
_FEWEST_ROWS = 16

Floats = npt.NDArray[np.float64]


@dataclass
class Moments:
    """Sums and sums of products over blocks of named integer columns.

    Attributes
    ----------
    columns : list of str
        What is summed, one per column.
    n_blocks : int
        How many blocks.
    sums : ndarray of int64, shape (n_columns,)
    products : ndarray of int64, shape (n_columns, n_columns)
        Sums over blocks of the product of two columns.
    """

    columns: list[str]
    n_blocks: int
    sums: npt.NDArray[np.int64]
    products: npt.NDArray[np.int64]

    @classmethod
    def of_blocks(cls, columns: list[str], values: npt.NDArray[np.int64]) -> Moments:
        """Return the moments of whole blocks, ``values`` of shape (n_blocks, n_columns).

        Raises
        ------
        OverflowError
            If the products are too large to be exact.
        """
        products = np.zeros((len(columns), len(columns)), np.int64)
        step = max(1, _PRODUCTS_AT_ONCE // max(1, len(columns) ** 2))
        for first in range(0, len(values), max(step, _FEWEST_ROWS)):
            table = values[first : first + max(step, _FEWEST_ROWS)].astype(np.float64)
            some = table.T @ table
            # Squares are the largest products (Cauchy and Schwarz). Below 2**53 floating point adds them exactly, and fast.
            _refuse_large(columns, np.diagonal(some), 2.0**53)
            products += some.astype(np.int64)
        return cls(columns, len(values), values.sum(axis=0), products)

    def total(self, column: str) -> int:
        """Return the sum of a column over all blocks."""
        return int(self.sums[self.columns.index(column)])

    def gather(self, groups: Mapping[str, Sequence[str]]) -> Moments:
        """Return the moments of new columns, each the sum of some of these."""
        index = {name: i for i, name in enumerate(self.columns)}
        weights = np.zeros((len(groups), len(self.columns)), np.int64)
        for row, members in enumerate(groups.values()):
            weights[row, [index[name] for name in members]] = 1
        return Moments(list(groups), self.n_blocks, weights @ self.sums, weights @ self.products @ weights.T)

    def __add__(self, other: Moments) -> Moments:
        """Return the moments of both sets of blocks together."""
        if self.columns != other.columns:
            raise ValueError("moments of different columns do not add up")
        squares = np.diagonal(self.products).astype(np.float64) + np.diagonal(other.products)
        _refuse_large(self.columns, squares, 2.0**62)
        return Moments(
            self.columns,
            self.n_blocks + other.n_blocks,
            self.sums + other.sums,
            self.products + other.products,
        )


def _refuse_large(columns: Sequence[str], squares: Floats, limit: float) -> None:
    if squares.size and squares.max() >= limit:
        name = columns[int(squares.argmax())]
        raise OverflowError(
            f"the squares of {name!r} (of {len(columns)} columns) are too large to add exactly"
        )


@dataclass(frozen=True)
class Ratio:
    """An estimate to make: ``scale`` x sum of one column / sum of another.

    Attributes
    ----------
    top, bottom : str
        Columns of the moments.
    scale : float
        What the ratio is multiplied with.
    bounded : bool
        Whether it is a share, from 0 to 1.
    repeats : str, optional
        The column that counts how often a block plays the same cards: repetitions are no further evidence for a
        share of exactly 0 or 1.
    """

    top: str
    bottom: str
    scale: float = 1.0
    bounded: bool = False
    repeats: str | None = None


@dataclass(frozen=True)
class Estimates:
    """Estimates with their joint covariance.

    Attributes
    ----------
    values : ndarray of float, shape (n,)
        nan where the denominator is zero.
    covariance : ndarray of float, shape (n, n)
        nan with fewer than two blocks.
    n_blocks : int
    counts : ndarray of float, shape (n,)
        The denominators, without repetitions of the same cards.
    """

    values: Floats
    covariance: Floats
    n_blocks: int
    counts: Floats


def estimate(moments: Moments, ratios: Sequence[Ratio]) -> Estimates:
    """Return the estimates of several ratios with their covariance."""
    index = {name: i for i, name in enumerate(moments.columns)}
    top = np.array([index[r.top] for r in ratios])
    bottom = np.array([index[r.bottom] for r in ratios])
    scale = np.array([r.scale for r in ratios])
    sums, products = moments.sums.astype(np.float64), moments.products.astype(np.float64)
    counts = sums[bottom]
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = sums[top] / counts
        residual = (
            products[np.ix_(top, top)]
            - products[np.ix_(top, bottom)] * theta[None, :]
            - theta[:, None] * products[np.ix_(bottom, top)]
            + theta[:, None] * theta[None, :] * products[np.ix_(bottom, bottom)]
        ) / (counts[:, None] * counts[None, :])
        # What should cancel exactly leaves rounding dust: identical bots have a variance of exactly 0.
        size = np.abs(products[np.ix_(top, top)]) / (counts[:, None] * counts[None, :])
        residual = np.where(np.abs(residual) < 1e-13 * size, 0.0, residual)
        correction = moments.n_blocks / (moments.n_blocks - 1) if moments.n_blocks > 1 else math.nan
        covariance = residual * correction * scale[:, None] * scale[None, :]
        once = np.array([moments.n_blocks / sums[index[r.repeats]] if r.repeats else 1.0 for r in ratios])
        counts = counts * once
    return Estimates(theta * scale, covariance, moments.n_blocks, counts)


def quantile(n_blocks: int, level: float = LEVEL) -> float:
    """Return the two-sided t quantile with ``n_blocks - 1`` degrees of freedom."""
    return float(stdtrit(n_blocks - 1, 0.5 + level / 2))


def describe(
    value: float, variance: float, n_blocks: int, count: float = 0, bounded: bool = False
) -> dict[str, Any] | None:
    """Return ``{estimate, low, high, se}`` of one estimate, None for what is not known.

    Shares close to 0 or 1 get Wilson's interval with the effective sample size theta (1 - theta) / variance; a share of exactly
    0 or 1 gets the rule of three. With fewer than 30 blocks there is no interval.
    """
    if not math.isfinite(value):
        return None
    if n_blocks < FEWEST_BLOCKS or not math.isfinite(variance):
        return {"estimate": value, "low": None, "high": None, "se": None}
    error = math.sqrt(max(variance, 0.0))
    width = quantile(n_blocks) * error
    low, high = value - width, value + width
    if bounded and value in (0.0, 1.0):
        reach = min(1.0, 3 / max(count, 1.0))
        low, high = (0.0, reach) if value == 0 else (1 - reach, 1.0)
    elif bounded and error > 0:
        effective = value * (1 - value) / variance
        if effective * min(value, 1 - value) < _RARE:
            low, high = _wilson(value, effective, quantile(n_blocks))
        low, high = max(low, 0.0), min(high, 1.0)
    return {"estimate": value, "low": low, "high": high, "se": error}


def _wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's interval of a share (J. Am. Stat. Assoc. 22, 1927)."""
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return centre - reach, centre + reach


def describe_all(estimates: Estimates, ratios: Sequence[Ratio]) -> list[dict[str, Any] | None]:
    """Return `describe` of every estimate."""
    return [
        describe(
            float(estimates.values[i]),
            float(estimates.covariance[i, i]),
            estimates.n_blocks,
            float(estimates.counts[i]),
            ratio.bounded,
        )
        for i, ratio in enumerate(ratios)
    ]


def describe_contrast(estimates: Estimates, weights: Floats) -> dict[str, Any] | None:
    """Return `describe` of a weighted sum of estimates."""
    used = weights != 0
    value = float(weights[used] @ estimates.values[used])
    variance = float(weights[used] @ estimates.covariance[np.ix_(used, used)] @ weights[used])
    size = float(
        np.abs(weights[used]) @ np.abs(estimates.covariance[np.ix_(used, used)]) @ np.abs(weights[used])
    )
    return describe(value, 0.0 if variance < 1e-13 * size else variance, estimates.n_blocks)


def find_p_value(difference: dict[str, Any] | None, n_blocks: int) -> float | None:
    """Return the two-sided p-value of a difference against zero; 1 for a difference of exactly 0, None if unknown."""
    if difference is None or difference["se"] is None:
        return None
    if difference["se"] == 0:
        return 1.0 if difference["estimate"] == 0 else 0.0
    return float(2 * stdtr(n_blocks - 1, -abs(difference["estimate"]) / difference["se"]))


def adjust_holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted for all comparisons together (Holm, Scand. J. Statistics 6, 1979)."""
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    worst = 0.0
    for place, (p, i) in enumerate(known):
        worst = max(worst, min(1.0, p * (len(known) - place)))
        adjusted[i] = worst
    return adjusted


def adjust_differences(differences: Sequence[dict[str, Any] | None], n_blocks: int) -> None:
    """Give each difference its ``p_adjusted``, for all of them together."""
    p_values = adjust_holm([find_p_value(difference, n_blocks) for difference in differences])
    for difference, p in zip(differences, p_values, strict=True):
        if difference is not None:
            difference["p_adjusted"] = p


def find_joint_p_value(estimates: Estimates, contrasts: Floats) -> float | None:
    """Return the p-value of the test that all contrasts (one per row) are zero; None if unknown.

    Wald's statistic over blocks is Hotelling's T squared. Referred to his distribution it keeps its size: with 30 blocks and 3
    contrasts, F(3, 29) would reject 6.2 % of true hypotheses at 5 % and this rejects 4.7 % (6,000 simulations).
    """
    if estimates.n_blocks < FEWEST_BLOCKS:
        return None
    effects = contrasts @ estimates.values
    covariance = contrasts @ estimates.covariance @ contrasts.T
    if not np.isfinite(effects).all() or not np.isfinite(covariance).all():
        return None
    if not np.any(covariance):
        return 1.0 if not np.any(effects) else 0.0
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    freedom = estimates.n_blocks - rank
    statistic = float(effects @ np.linalg.pinv(covariance, hermitian=True) @ effects)
    scale = freedom / ((estimates.n_blocks - 1) * rank)
    return float(fdtrc(rank, freedom, max(statistic, 0.0) * scale))
