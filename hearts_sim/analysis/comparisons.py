"""All entrants with each other at once: intervals and ranks that hold together, and what it would take to tell more apart.

The critical value is the quantile of the largest |t| of all differences when none is real. Given the data, the Gaussian multiplier
bootstrap of block residuals is normal with their covariance, so it is drawn from that (Hothorn, Bretz and Westfall, Biometrical
Journal 50, 2008: multivariate t). With equal, independent entrants it is Tukey's studentized range.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincinv, ndtri

from hearts_sim.analysis import streams
from hearts_sim.analysis.inference import FEWEST_BLOCKS, LEVEL, adjust_holm, find_p_value

DRAWS = 100_000
POWER = 0.8
_AT_ONCE = 10_000

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Extremes:
    """What the largest |t| of several contrasts is when no contrast is real.

    Attributes
    ----------
    largest : ndarray of float, shape (n_draws,)
        Sorted; empty where no contrast varies.
    """

    largest: Floats

    def find_quantile(self, level: float = LEVEL) -> float | None:
        """Return how many standard errors an interval must reach to either side for all to hold together."""
        if not len(self.largest):
            return None
        return float(self.largest[min(len(self.largest) - 1, math.ceil(level * len(self.largest)))])

    def find_p_value(self, t: float) -> float:
        """Return how often the largest |t| is at least this large; never below 1 / (draws + 1)."""
        beyond = len(self.largest) - int(np.searchsorted(self.largest, abs(t)))
        return (1 + beyond) / (1 + len(self.largest))


def draw_extremes(covariance: Floats, n_blocks: int, draws: int = DRAWS) -> Extremes:
    """Draw the largest |t| of contrasts with this covariance, shape (n, n), estimated from so many blocks.

    Contrasts that do not vary are left out. The draws are the same every time.
    """
    error = np.sqrt(np.clip(np.diagonal(covariance), 0, None))
    varies = error > 0
    if not varies.any():
        return Extremes(np.zeros(0))
    scaled = covariance[np.ix_(varies, varies)] / np.outer(error[varies], error[varies])
    values, vectors = np.linalg.eigh(scaled)
    kept = values > 1e-9 * values[-1]
    root = vectors[:, kept] * np.sqrt(values[kept])
    normals = streams.draw_normals(0, streams.SIMULATION, (draws, root.shape[1] + 1))
    freedom = n_blocks - 1
    uniform = np.clip(0.5 * (1 + _erf(normals[:, -1])), 1e-15, 1 - 1e-15)
    shrink = np.sqrt(2 * gammaincinv(freedom / 2, uniform) / freedom)
    largest = [
        np.abs(normals[i : i + _AT_ONCE, :-1] @ root.T).max(axis=1) / shrink[i : i + _AT_ONCE]
        for i in range(0, draws, _AT_ONCE)
    ]
    return Extremes(np.sort(np.concatenate(largest)))


def _erf(z: Floats) -> Floats:
    from scipy.special import erf

    return np.asarray(erf(z / math.sqrt(2)), np.float64)


def compare_all(
    names: Sequence[str],
    values: Floats,
    covariance: Floats,
    n_blocks: int,
    *,
    lower_is_better: bool = False,
    level: float = LEVEL,
) -> list[dict[str, Any]]:
    """Compare every two entrants, all together.

    Parameters
    ----------
    names : sequence of str
        The entrants.
    values, covariance : ndarray of float, shape (n,), (n, n)
        Their estimates with their joint covariance over blocks; nan where unknown.
    n_blocks : int
    lower_is_better : bool
        Whether a smaller value is the better one, such as points.

    Returns
    -------
    list of dict
        Of each pair ``a, b``: by how much ``a`` is better (``estimate``), ``se``, the simultaneous interval ``low, high``, its
        ``p_simultaneous`` and Holm's ``p_adjusted``, whether they are ``separated``, and ``more_blocks`` until they would be.
        None where unknown.
    """
    pairs = list(itertools.combinations(range(len(names)), 2))
    weights = np.zeros((len(pairs), len(names)))
    for row, (a, b) in enumerate(pairs):
        weights[row, [a, b]] = (-1, 1) if lower_is_better else (1, -1)
    known = np.isfinite(values) & np.isfinite(np.diagonal(covariance))
    filled = np.where(np.outer(known, known), covariance, 0.0)
    spread = weights @ filled @ weights.T
    # Identical entrants differ by exactly nothing: what should cancel leaves rounding dust.
    dust = 1e-13 * (np.abs(weights) @ np.abs(filled) @ np.abs(weights).T).diagonal()
    spread[np.diagonal(spread) < dust] = 0
    spread[:, np.diagonal(spread) <= 0] = 0
    usable = np.array([known[a] and known[b] for a, b in pairs], bool)
    extremes = draw_extremes(spread[np.ix_(usable, usable)], n_blocks) if n_blocks >= FEWEST_BLOCKS else None
    result = []
    for row, (a, b) in enumerate(pairs):
        estimate = float(weights[row, [a, b]] @ values[[a, b]])
        error = math.sqrt(spread[row, row]) if usable[row] and extremes is not None else None
        found = _describe(estimate, error, n_blocks, extremes, level)
        result.append({"a": names[a], "b": names[b], **found})
    adjusted = adjust_holm(
        [find_p_value(pair if pair["se"] is not None else None, n_blocks) for pair in result]
    )
    for pair, p in zip(result, adjusted, strict=True):
        pair["p_adjusted"] = p
    return result


def _describe(
    estimate: float, error: float | None, n_blocks: int, extremes: Extremes | None, level: float
) -> dict[str, Any]:
    keys = ("estimate", "se", "low", "high", "p_simultaneous", "separated", "more_blocks")
    found: dict[str, Any] = dict.fromkeys(keys)
    found["separated"] = False
    found["estimate"] = estimate if math.isfinite(estimate) else None
    if found["estimate"] is None or error is None or extremes is None:
        return found
    critical = extremes.find_quantile(level)
    if error == 0 or critical is None:
        certain = estimate != 0
        return found | {
            "se": 0.0,
            "low": estimate,
            "high": estimate,
            "p_simultaneous": 0.0 if certain else 1.0,
            "separated": certain,
            "more_blocks": 0 if certain else None,
        }
    low, high = estimate - critical * error, estimate + critical * error
    return {
        "estimate": estimate,
        "se": error,
        "low": low,
        "high": high,
        "p_simultaneous": extremes.find_p_value(estimate / error),
        "separated": low > 0 or high < 0,
        "more_blocks": count_more_blocks(estimate, error, n_blocks, critical),
    }


def count_more_blocks(
    estimate: float, error: float, n_blocks: int, critical: float, power: float = POWER
) -> int | None:
    """Return how many more blocks tell two entrants apart with this power, if they differ as much as it looks now.

    0 if they are told apart already, None if they look exactly even.
    """
    if abs(estimate) > critical * error:
        return 0
    if estimate == 0:
        return None
    needed = n_blocks * ((critical + float(ndtri(power))) * error / estimate) ** 2
    return math.ceil(needed) - n_blocks if needed < 2.0**53 else None


def find_rank_intervals(names: Sequence[str], pairs: Sequence[dict[str, Any]]) -> dict[str, list[int]]:
    """Return the places each entrant may hold: 1 + how many are told apart as better, n - how many as worse.

    Who is not told apart shares places. With simultaneous intervals all of these hold together, at their level.
    """
    places = {name: [1, len(names)] for name in names}
    for pair in pairs:
        if pair["separated"]:
            better, worse = (pair["a"], pair["b"]) if pair["estimate"] > 0 else (pair["b"], pair["a"])
            places[worse][0] += 1
            places[better][1] -= 1
    return places
