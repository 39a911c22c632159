"""Whether ratings mean anything: who can be compared at all, whether the model fits, and whether strength is one line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hearts_sim.analysis.inference import FEWEST_BLOCKS, LEVEL, adjust_holm, find_p_value
from hearts_sim.analysis.luce import Fit, Floats, split_menus
from hearts_sim.tournament.sums import WIN_UNIT

Ints = npt.NDArray[np.int64]


def find_groups(ahead: Ints, *, strong: bool) -> Ints:
    """Return the group of each entrant, shape (n_entrants,).

    Entrants of a group met, directly or through others. In a ``strong`` one each also finished ahead of, or level with, each other,
    directly or through others: without that, the data bound a difference on one side only.
    """
    kind = "strong" if strong else "weak"
    _, groups = connected_components(csr_array(ahead > 0), directed=True, connection=kind)
    return np.asarray(groups, np.int64)


def check_fit(fit: Fit, names: Sequence[str]) -> dict[str, Any]:
    """Compare the win shares that the ratings predict with those that were played.

    Looked at are the win share of every entrant and its win share at the tables where each rival sits. The observed less the
    expected share has a sandwich variance that counts the estimation of the ratings.

    Returns
    -------
    dict
        ``fits`` (False if any share is off at 5 %, all together; None if unknown) and ``worst``: the share that is most surely off,
        as ``entrant, rival`` (None: at all tables), ``observed, expected, p_adjusted``. None if there is nothing to say.
    """
    finishes = fit.finishes
    k = finishes.n_entrants
    nothing = {"fits": None, "worst": None}
    if finishes.n_blocks < FEWEST_BLOCKS:
        return nothing
    expect, slope, games = _predict_wins(fit)
    observed = finishes.wins.reshape(len(finishes.numbers), -1) / WIN_UNIT
    residual = observed - (finishes.counts @ expect).toarray()
    corrected = residual - fit.scores @ (slope @ fit.inverse).T
    n = len(residual)
    error = np.sqrt((corrected**2).sum(axis=0) * n / (n - 1))
    off = residual.sum(axis=0)
    cells = [(i, j) for i in range(k) for j in range(k) if games[i * k + j] > 0]
    # Where the ratings can follow every share exactly, rounding dust is left.
    dust = 1e-6 * np.sqrt(np.maximum(observed.sum(axis=0), 1))
    p_values: list[float | None] = []
    for i, j in cells:
        cell = i * k + j
        found = {"estimate": off[cell], "se": error[cell]} if error[cell] > dust[cell] else None
        p_values.append(find_p_value(found, finishes.n_blocks))
    known = [(p, place) for place, p in enumerate(adjust_holm(p_values)) if p is not None]
    if not known:
        return nothing
    p_adjusted, place = min(known)
    i, j = cells[place]
    total = observed.sum(axis=0)[i * k + j]
    worst = {
        "entrant": names[i],
        "rival": None if i == j else names[j],
        "observed": float(total / games[i * k + j]),
        "expected": float((total - off[i * k + j]) / games[i * k + j]),
        "p_adjusted": p_adjusted,
    }
    return {"fits": p_adjusted >= 1 - LEVEL, "worst": worst}


def _predict_wins(fit: Fit) -> tuple[csr_array, Floats, Floats]:
    """Return expected wins by menu (n_menus, k * k), their slope (k * k, n_parameters), and the appearances in each cell."""
    finishes, k, p = fit.finishes, fit.finishes.n_entrants, len(fit.theta)
    counts = np.asarray(finishes.counts.sum(axis=0))
    slope, games = np.zeros((k * k, p)), np.zeros(k * k)
    empty = csr_array((len(finishes.menus), k * k))
    for batch in split_menus(finishes, fit.sizes):
        if (finishes.menus[batch.rows[0]] < 0).any():
            continue
        mean, spread = batch.expect(fit.theta)
        found: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
        for seat, cell, counted in _list_cells(finishes.menus[batch.rows], k):
            n = counts[batch.rows][counted]
            np.add.at(games, cell, n)
            np.add.at(slope, (cell[:, None], batch.index[counted]), n[:, None] * spread[counted, seat])
            for column, values in zip(found, (mean[counted, seat], batch.rows[counted], cell), strict=True):
                column.append(values)
        values, rows, cells = (np.concatenate(column) for column in found)
        empty = empty + csr_array((values, (rows, cells)), shape=empty.shape)
    return empty, slope, games


def _list_cells(tables: Ints, k: int) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield for each seat its cell (entrant, rival) at the tables that count for it: each rival once, itself as its own rival."""
    n = tables.shape[1]
    for seat, other in itertools.product(range(n), range(n)):
        own, rival = tables[:, seat], tables[:, other]
        repeated = (tables[:, :other] == rival[:, None]).any(axis=1) | (rival == own)
        counted = np.flatnonzero(~repeated) if seat != other else np.arange(len(tables))
        yield seat, own[counted] * k + rival[counted], counted


def find_cycles(pairs: Sequence[dict[str, Any]], n_blocks: int) -> list[list[str]]:
    """Return the triples of which the first surely finishes ahead of the second, that of the third, and that of the first.

    Parameters
    ----------
    pairs : sequence of dict
        ``a``, ``b`` and ``finishes_ahead`` as `metrics.summarize_pairs` makes them.
    n_blocks : int
        Sure is what differs from an even half with Holm's adjusted p below 0.05, over all pairs.
    """
    met = [pair for pair in pairs if pair["finishes_ahead"] is not None]
    leads = [
        {"estimate": pair["finishes_ahead"]["estimate"] - 0.5, "se": pair["finishes_ahead"]["se"]}
        for pair in met
    ]
    adjusted = adjust_holm([find_p_value(lead, n_blocks) for lead in leads])
    beats: dict[str, set[str]] = {name: set() for pair in met for name in (pair["a"], pair["b"])}
    for pair, lead, p in zip(met, leads, adjusted, strict=True):
        if p is not None and p < 1 - LEVEL:
            better, worse = (pair["a"], pair["b"]) if lead["estimate"] > 0 else (pair["b"], pair["a"])
            beats[better].add(worse)
    return [
        [a, b, c]
        for a in sorted(beats)
        for b in sorted(beats[a])
        for c in sorted(beats[b])
        if a in beats[c] and a == min(a, b, c)
    ]
