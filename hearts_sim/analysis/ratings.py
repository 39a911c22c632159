"""Ratings: one number per entrant on the Elo scale, fitted to all finishing orders at once.

A batch fit depends on neither the order of games nor of entrants. Read a difference of d as: of these two, the one ahead finishes
before the other, ties aside, with probability 1 / (1 + 10 ** (-d / 400)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from hearts_sim.analysis import comparisons, luce, rating_checks
from hearts_sim.analysis.bootstrap import DRAWS, draw_samples
from hearts_sim.analysis.finishes import Finishes, read_finishes
from hearts_sim.analysis.inference import FEW_BLOCKS, FEWEST_BLOCKS, LEVEL, describe
from hearts_sim.analysis.luce import Fit, Floats
from hearts_sim.analysis.metrics import RunData

SCALE = 400 / math.log(10)
ZERO = 1500.0
"""What the anchor, or the mean of the entrants, is rated."""

_STEPS = 4

Ints = npt.NDArray[np.int64]


def rate_run(
    run: RunData, pairs: Sequence[dict[str, Any]] = (), anchor: str | None = None
) -> dict[str, Any] | None:
    """Return `rate` of a run; None if it was recorded without its deals.

    Parameters
    ----------
    run : RunData
    pairs : sequence of dict
        The pairs of its summary, to look for cycles in.
    anchor : str, optional
        The entrant that is rated 1500; the mean of all by default.
    """
    finishes = read_finishes(run)
    return None if finishes is None else rate(finishes, run.names, run.manifest["seed"], pairs, anchor)


def rate(
    finishes: Finishes,
    names: Sequence[str],
    seed: int,
    pairs: Sequence[dict[str, Any]] = (),
    anchor: str | None = None,
) -> dict[str, Any]:
    """Rate entrants by their finishing orders.

    Parameters
    ----------
    finishes : Finishes
        The counted finishing orders.
    names : sequence of str
        The entrants.
    seed : int
        The run's seed, for the bootstrap.
    pairs : sequence of dict
        ``a, b, finishes_ahead`` of every pair, to look for cycles in.
    anchor : str, optional
        The entrant that is rated 1500; the mean of all by default.

    Returns
    -------
    dict
        ``anchor``; ``entrants``: of each ``name``, ``rating {estimate, low, high, se}`` by the sandwich over blocks and
        ``bootstrap {low, high}``; ``differences``: `comparisons.compare_all` of the ratings; ``rank_intervals`` by name;
        ``ties``: by size, how many times as often a place is shared as the worths alone would say; ``fit``
        (`rating_checks.check_fit`); ``cycles``; ``warnings``. Ratings are null for who never met the anchor, even through
        others; intervals are null where the data bound one side only.

    Raises
    ------
    ValueError
        If the anchor is no entrant.
    """
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is not among the entrants: {', '.join(names)}")
    fit = luce.fit(finishes)
    met = rating_checks.find_groups(finishes.ahead, strong=False)
    bounded = rating_checks.find_groups(finishes.ahead, strong=True)
    core = _find_core(fit, bounded, None if anchor is None else names.index(anchor))
    contrasts = _contrast(fit, core, None if anchor is None else names.index(anchor))
    values = np.where(met == met[core[0]], contrasts @ fit.theta, np.nan)
    covariance = contrasts @ fit.covariance @ contrasts.T
    loose = bounded != bounded[core[0]]
    covariance[loose] = covariance[:, loose] = np.nan
    samples = np.full((1, len(names)), np.nan)
    if finishes.n_blocks >= FEWEST_BLOCKS:
        samples = refit(fit, seed) @ contrasts.T
    entrants = []
    for e, name in enumerate(names):
        rating = describe(ZERO + float(values[e]), float(covariance[e, e]), finishes.n_blocks)
        ends = None if loose[e] else _find_ends(ZERO + samples[:, e])
        entrants.append({"name": name, "rating": rating, "bootstrap": ends})
    differences = comparisons.compare_all(names, values, covariance, finishes.n_blocks)
    cycles = rating_checks.find_cycles(pairs, finishes.n_blocks)
    checked = rating_checks.check_fit(fit, names)
    n = finishes.n_entrants
    return {
        "anchor": anchor,
        "entrants": entrants,
        "differences": differences,
        "rank_intervals": comparisons.find_rank_intervals(names, differences),
        "ties": {str(size): math.exp(fit.theta[n + i]) for i, size in enumerate(fit.sizes)},
        "fit": checked,
        "cycles": cycles,
        "warnings": _list_warnings(finishes, names, values, loose, checked, cycles),
    }


def _find_core(fit: Fit, groups: Ints, anchor: int | None) -> Ints:
    """Return the entrants whose differences are bounded: the anchor's group, else the largest, the strongest of equals."""
    if anchor is not None:
        return np.flatnonzero(groups == groups[anchor])
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    return max(members, key=lambda who: (len(who), fit.theta[who].mean()))


def _contrast(fit: Fit, core: Ints, anchor: int | None) -> Floats:
    """Return what turns parameters into ratings above the anchor, or above the mean of the core; shape (k, n_parameters)."""
    k = fit.finishes.n_entrants
    weights = np.zeros((k, len(fit.theta)))
    weights[:, :k] = np.eye(k)
    if anchor is not None:
        weights[:, anchor] -= 1
    else:
        weights[:, core] -= 1 / len(core)
    return weights * SCALE


def refit(fit: Fit, seed: int, draws: int = DRAWS) -> Floats:
    """Return the parameters fitted to bootstrap samples of the blocks, shape (draws, n_parameters).

    A Newton step from the fit, with each sample's own derivatives, then steps with its gradient at the new place and
    the derivatives as they were: enough for worths as a full fit finds them.
    """
    finishes, p = fit.finishes, len(fit.theta)
    observed = luce.observe(finishes, fit.sizes)
    prior = fit.hessian - fit.information.sum(axis=0).reshape(p, p)
    found = []
    for counts in draw_samples(finishes.numbers, seed, draws):
        menus, wanted = counts @ finishes.counts, counts @ observed
        hessian = np.linalg.inv((counts @ fit.information).reshape(-1, p, p) + prior)
        theta = np.broadcast_to(fit.theta, (len(counts), p)).copy()
        for _ in range(_STEPS):
            pull = fit.prior * (1 - 2 * expit(theta))
            gradient = wanted - luce.expect_all(fit, theta, menus) + pull
            theta += (hessian @ gradient[:, :, None])[:, :, 0]
        found.append(theta)
    return np.concatenate(found)


def _find_ends(samples: Floats) -> dict[str, float] | None:
    if not np.isfinite(samples).all():
        return None
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return {"low": float(low), "high": float(high)}


def _list_warnings(
    finishes: Finishes,
    names: Sequence[str],
    values: Floats,
    loose: npt.NDArray[np.bool_],
    checked: dict[str, Any],
    cycles: list[list[str]],
) -> list[str]:
    warnings = []
    if finishes.n_blocks < FEWEST_BLOCKS:
        warnings.append(f"{finishes.n_blocks} blocks are too few for intervals of ratings")
    elif finishes.n_blocks < FEW_BLOCKS:
        warnings.append(f"{finishes.n_blocks} blocks give rough intervals of ratings")
    for e in np.flatnonzero(np.isnan(values)).tolist():
        warnings.append(f"{names[e]} never met the others, not even through common rivals: it has no rating")
    for e in np.flatnonzero(loose & ~np.isnan(values)).tolist():
        side = "ahead of" if values[e] > 0 else "behind"
        warnings.append(f"{names[e]} always finished {side} others: its rating is bounded on one side only")
    if checked["fits"] is False:
        worst = checked["worst"]
        where = f" at tables with {worst['rival']}" if worst["rival"] else ""
        warnings.append(
            f"the ratings do not say all: {worst['entrant']} wins {100 * worst['observed']:.1f} %{where} where they "
            f"say {100 * worst['expected']:.1f} %; see who finishes ahead of whom"
        )
    for a, b, c in cycles:
        warnings.append(f"no ranking is right: {a} finishes ahead of {b}, {b} of {c} and {c} of {a}")
    return warnings
