"""Whether it matters who sits where beside whom: points per deal by rival and by how many seats to the left it sits.

Whom one passes to, and whom one plays after, may matter more than who is at the table. The block sums do not hold this, so it is
read from the deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio
from hearts_sim.analysis.metrics import RunData
from hearts_sim.analysis.portions import MOST, find_size
from hearts_sim.game.rules import name_direction
from hearts_sim.tournament import store

Ints = npt.NDArray[np.int64]
_FEWEST = 256


def read_neighbours(run: RunData) -> list[dict[str, Any]] | None:
    """Return `summarize_neighbours` of a run; None if it was recorded without its deals.

    Raises
    ------
    DamagedRun
        If a part cannot be read.
    """
    n = run.rules.seats
    columns = ["block", *(f"{what}_{seat}" for what in ("entrant", "points") for seat in range(n))]
    if not all(store.part_path(run.folder, unit, "deals").exists() for unit in run.units):
        return None
    parts = (run.read_part(unit, "deals", columns) for unit in run.units)
    return summarize_neighbours(parts, run.names, n, run.manifest["design"]["blocks"])


def summarize_neighbours(
    parts: Iterable[pl.DataFrame], names: Sequence[str], n_seats: int, planned_blocks: int
) -> list[dict[str, Any]]:
    """Return, per entrant and rival, the effect of where the rival sits on the entrant's points per deal.

    Parameters
    ----------
    parts : iterable of DataFrame
        Rows of ``deals``: ``block``, ``entrant_0`` ..., ``points_0`` ....
    names : sequence of str
        The entrants.
    n_seats, planned_blocks : int
        Sizes of a table and of the experiment; blocks are numbered from 0.

    Returns
    -------
    list of dict
        Of each entrant ``entrant``, ``effects {rival: {left, across, right}}`` (seats to the left, as in passing): points per deal
        with the rival there, less those at all tables with the rival; and the joint ``p_value`` that no place matters.
    """
    points, deals, blocks = _count(parts, len(names), n_seats, planned_blocks)
    points, deals = points[blocks > 0], deals[blocks > 0]
    return [
        {"entrant": name, **_describe(points[:, e], deals[:, e], e, names, n_seats)}
        for e, name in enumerate(names)
    ]


def _count(parts: Iterable[pl.DataFrame], k: int, n: int, planned_blocks: int) -> tuple[Ints, Ints, Ints]:
    """Return points and deals (n_portions, entrant, rival, seats to the left - 1), and the blocks of each portion."""
    size = find_size(planned_blocks, max(_FEWEST, min(MOST, 2**22 // (k * k * (n - 1)))))
    n_portions = -(-planned_blocks // size)
    points, deals = (np.zeros((n_portions, k, k, n - 1), np.int64) for _ in range(2))
    blocks = np.zeros(n_portions, np.int64)
    for rows in parts:
        if not rows.height:
            continue
        block = rows["block"].to_numpy().astype(np.int64)
        np.add.at(blocks, np.unique(block) // size, 1)
        portion = block // size
        low, high = int(portion.min()), int(portion.max()) + 1
        shape = (high - low, k, k, n - 1)
        who = [rows[f"entrant_{seat}"].to_numpy().astype(np.int64) for seat in range(n)]
        for seat in range(n):
            taken = rows[f"points_{seat}"].to_numpy().astype(np.float64)
            for offset in range(1, n):
                rival = who[(seat + offset) % n]
                cell = np.ravel_multi_index(
                    (portion - low, who[seat], rival, np.full(len(block), offset - 1)), shape
                )
                size_of = int(np.prod(shape))
                # Whole numbers below 2**53: exact in any order.
                points[low:high] += np.bincount(cell, taken, size_of).astype(np.int64).reshape(shape)
                deals[low:high] += np.bincount(cell, minlength=size_of).reshape(shape)
    return points, deals, blocks


def _describe(points: Ints, deals: Ints, own: int, names: Sequence[str], n_seats: int) -> dict[str, Any]:
    """Describe one entrant; ``points`` and ``deals`` are its own, shape (n_portions, rival, seats to the left - 1)."""
    met = [e for e in range(len(names)) if e != own and (deals[:, e].sum(axis=0) > 0).all()]
    offsets = range(1, n_seats)
    if not met:
        return {"effects": {}, "p_value": None}
    columns: list[str] = []
    values, ratios = [], []
    for e in met:
        for offset in (*offsets, 0):
            ratios.append(Ratio(f"points:{e}:{offset}", f"deals:{e}:{offset}"))
            columns += [ratios[-1].top, ratios[-1].bottom]
            values += [
                sums[:, e, offset - 1] if offset else sums[:, e].sum(axis=1) for sums in (points, deals)
            ]
    estimates = inference.estimate(Moments.of_blocks(columns, np.stack(values, axis=1)), ratios)
    effects: dict[str, Any] = {}
    free = []
    for place, e in enumerate(met):
        effects[names[e]] = {}
        for offset in offsets:
            weights = np.zeros(len(ratios))
            weights[[place * n_seats + offset - 1, place * n_seats + n_seats - 1]] = 1, -1
            effects[names[e]][name_direction(offset, n_seats)] = inference.describe_contrast(
                estimates, weights
            )
            # The effects of a rival average out over its places, and those of a place over the rivals: the last follow.
            if e != met[-1] and offset != n_seats - 1:
                free.append(weights)
    p_value = inference.find_joint_p_value(estimates, np.array(free)) if free else None
    return {"effects": effects, "p_value": p_value}
