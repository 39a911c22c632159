"""Studentized block bootstrap intervals for shares of rare events, whose estimates are skewed.

Every sample draws each block a Poisson number of times with mean 1; the interval comes from the quantiles of (theta* - theta) / se*
(Efron and Tibshirani, *An Introduction to the Bootstrap*, section 12.5; Poisson counts: Hanley and MacGibbon, Comput. Methods
Programs Biomed. 83, 2006). What a block is drawn depends on the seed and its number alone: the same run has the same intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from hearts_sim.analysis import streams
from hearts_sim.analysis.inference import FEWEST_BLOCKS, LEVEL, Ratio
from hearts_sim.analysis.portions import Ints, Portions

DRAWS = 2000
_AT_ONCE = 250
SKEWED = (
    "win_share",
    "last_share",
    "moon_rate",
    "moon_conceded_rate",
    "threat_rate",
    "queen_rate",
    "clean_rate",
)
"""The metrics that are described by the bootstrap too."""

Floats = npt.NDArray[np.float64]
Interval = dict[str, float]


def describe_entrants(
    portions: Portions, ratios: dict[str, Ratio], seed: int, *, draws: int = DRAWS, level: float = LEVEL
) -> list[dict[str, Interval | None]]:
    """Return ``{metric: {low, high}}`` of each entrant; None where nothing is known or nothing varies.

    Parameters
    ----------
    portions : Portions
        Holding the columns of all the ratios.
    ratios : dict
        The metrics by name.
    seed : int
        The run's seed.
    """
    k = portions.values.shape[1]
    names = [(e, name) for e in range(k) for name in ratios]
    tops = np.stack([portions.take(e, ratios[name].top) for e, name in names], axis=1)
    bottoms = np.stack([portions.take(e, ratios[name].bottom) for e, name in names], axis=1)
    if portions.n_blocks < FEWEST_BLOCKS:
        found: list[Interval | None] = [None] * len(names)
    else:
        found = find_intervals(tops, bottoms, portions.numbers, seed, draws=draws, level=level)
    result: list[dict[str, Interval | None]] = [{} for _ in range(k)]
    for (e, name), interval in zip(names, found, strict=True):
        result[e][name] = None if interval is None else _scale(interval, ratios[name])
    return result


def find_intervals(
    tops: Ints, bottoms: Ints, numbers: Ints, seed: int, *, draws: int = DRAWS, level: float = LEVEL
) -> list[Interval | None]:
    """Return ``{low, high}`` of each ratio of sums; None where it does not vary or the bootstrap has no end.

    Parameters
    ----------
    tops, bottoms : ndarray of int64, shape (n_portions, n_ratios)
        What is divided by what, portion by portion.
    numbers : ndarray of int64, shape (n_portions,)
        The portions' numbers, which their random counts are keyed by.
    """
    top, bottom = tops.astype(np.float64), bottoms.astype(np.float64)
    sums = (top, bottom, top * top, top * bottom, bottom * bottom)
    ones = np.ones((1, len(top)))
    theta, error = (row[0] for row in _studentize([ones @ part for part in sums], ones.sum(axis=1)))
    pivots = []
    for counts in draw_samples(numbers, seed, draws):
        values, errors = _studentize([counts @ part for part in sums], counts.sum(axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            pivots.append((values - theta) / errors)
    pivot = np.concatenate(pivots)
    return [_invert(theta[i], error[i], pivot[:, i], level) for i in range(len(theta))]


def draw_samples(numbers: Ints, seed: int, draws: int) -> Iterator[Floats]:
    """Yield the counts of all bootstrap samples, some samples at a time, shape (n_samples, n_portions)."""
    counts = streams.draw_counts(seed, 0, int(numbers.max()) + 1, draws)[numbers]
    for first in range(0, draws, _AT_ONCE):
        yield counts[:, first : first + _AT_ONCE].T.astype(np.float64)


def _studentize(sums: Sequence[Floats], n: Floats) -> tuple[Floats, Floats]:
    """Return ratios and their cluster-robust standard errors from sums of X, N, XX, XN and NN over ``n`` portions."""
    x, size, xx, xn, nn = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = x / size
        spread = xx - 2 * theta * xn + theta * theta * nn
        spread = np.where(spread < 1e-12 * xx, 0.0, spread)
        return theta, np.sqrt(spread * (n / (n - 1))[:, None]) / size


def _invert(theta: float, error: float, pivot: Floats, level: float) -> Interval | None:
    if not np.isfinite(theta) or not error > 0:
        return None
    # 0 / 0: a sample just like the estimate; one without the entrant says nothing.
    ordered = np.sort(pivot[~np.isnan(pivot)])
    if len(ordered) < 0.9 * len(pivot):
        return None
    tail = int((1 - level) / 2 * (len(ordered) + 1))
    low, high = theta - ordered[-tail] * error, theta - ordered[tail - 1] * error
    if not (np.isfinite(low) and np.isfinite(high)):
        return None
    return {"low": float(low), "high": float(high)}


def _scale(interval: Interval, ratio: Ratio) -> Interval:
    low, high = (ratio.scale * interval[end] for end in ("low", "high"))
    return {"low": max(low, 0.0), "high": min(high, 1.0)} if ratio.bounded else {"low": low, "high": high}
