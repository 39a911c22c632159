"""What a ``fixed`` design says table by table, where entrants do not all meet the same company."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio
from hearts_sim.analysis.moments import Tables, list_cells
from hearts_sim.tournament.sums import WIN_UNIT

_COUNTS = ("games", "deals", "wins", "draws", "losses")


def find_focus(names: Sequence[str], tables: Tables, baseline: str | None) -> str | None:
    """Return whose record matters: the baseline, else the one entrant that sits at every table, else nobody."""
    if baseline is not None:
        return baseline
    everywhere = set.intersection(*(set(members) for members in tables)) if tables else set()
    return names[min(everywhere)] if len(everywhere) == 1 and len(tables) > 1 else None


def summarize_tables(cells: Moments, names: Sequence[str], tables: Tables) -> list[dict[str, Any]]:
    """Return every table with its members and, for each different one, its counts, win share and points per deal."""
    result: list[dict[str, Any]] = [
        {"members": [names[e] for e in members], "entrants": []} for members in tables
    ]
    for t, e in list_cells(tables):
        ratios = [_win_share(t, e), Ratio(f"points:{t}:{e}", f"deals:{t}:{e}")]
        win_share, points = inference.describe_all(inference.estimate(cells, ratios), ratios)
        counts = {what: cells.total(f"{what}:{t}:{e}") for what in _COUNTS}
        estimates = {"win_share": win_share, "points_per_deal": points}
        result[t]["entrants"].append({"name": names[e], **counts, **estimates})
    return result


def summarize_steps(
    cells: Moments, names: Sequence[str], tables: Tables, focus: str | None
) -> list[dict[str, Any]]:
    """Return by how much the win share of the entrant in focus falls from one table to the next harder one.

    Tables are in order of its win share, the easiest first; p-values are adjusted for all steps.
    """
    if focus is None:
        return []
    e = names.index(focus)
    seated = [t for t, members in enumerate(tables) if e in members]
    estimates = inference.estimate(cells, [_win_share(t, e) for t in seated])
    order = sorted(range(len(seated)), key=lambda i: (-np.nan_to_num(estimates.values[i]), seated[i]))
    steps: list[dict[str, Any]] = []
    for easier, harder in pairwise(order):
        weights = np.zeros(len(seated))
        weights[[easier, harder]] = 1, -1
        loss = inference.describe_contrast(estimates, weights)
        steps.append({"easier": seated[easier], "harder": seated[harder], "win_share_lost": loss})
    inference.adjust_differences([step["win_share_lost"] for step in steps], cells.n_blocks)
    return steps


def measure_margin(cells: Moments, tables: Tables, a: int, b: int) -> dict[str, Any] | None:
    """Return by how many points per deal ``a`` takes fewer than ``b`` at the tables where both sit, or in the same company.

    None if they neither sit together nor take turns at a table.
    """
    common = [t for t, members in enumerate(tables) if a in members and b in members]
    seated = {a: common, b: common} if common else _find_turns(tables, a, b)
    if not seated[a]:
        return None
    groups = {
        f"{what}:{e}": [f"{what}:{t}:{e}" for t in seated[e]] for what in ("points", "deals") for e in (a, b)
    }
    ratios = [Ratio(f"points:{e}", f"deals:{e}") for e in (a, b)]
    estimates = inference.estimate(cells.gather(groups), ratios)
    return inference.describe_contrast(estimates, np.array([-1.0, 1.0]))


def _find_turns(tables: Tables, a: int, b: int) -> dict[int, list[int]]:
    """Return the tables at which one entrant sits in the place of the other, the rest of the company being the same."""
    company = {
        e: {tuple(sorted(set_aside(members, e))): t for t, members in enumerate(tables) if e in members}
        for e in (a, b)
    }
    shared = [others for others in company[a] if others in company[b]]
    return {e: [company[e][others] for others in shared] for e in (a, b)}


def set_aside(members: Sequence[int], entrant: int) -> list[int]:
    """Return a table's members less one seat of an entrant."""
    rest = list(members)
    rest.remove(entrant)
    return rest


def _win_share(table: int, entrant: int) -> Ratio:
    games = f"games:{table}:{entrant}"
    return Ratio(f"win60:{table}:{entrant}", games, 1 / WIN_UNIT, bounded=True, repeats=games)
