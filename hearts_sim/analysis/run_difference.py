"""What changed from one run to another: the same entrants, by points per deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio
from hearts_sim.analysis.metrics import RunData
from hearts_sim.errors import UsageError

Ints = npt.NDArray[np.int64]
SAME = ("strategy", "params", "source_hash")
"""What makes an entrant the same player in two runs."""


def compare_runs(before: RunData, after: RunData) -> dict[str, Any]:
    """Return by how many points per deal each common entrant does better in the second run than in the first.

    Runs of the same plan and seed played the same cards, so their blocks are compared pair by pair; other runs are taken
    as independent.

    Returns
    -------
    dict
        ``paired``: whether blocks were paired; ``blocks``: of each run; ``entrants``: for each common one ``name``,
        ``changed`` (its strategy, parameters or source differ), ``before`` and ``after`` (points per deal) and
        ``difference`` (points per deal fewer after than before, with Holm's ``p_adjusted``).

    Raises
    ------
    UsageError
        If the rules differ, or no entrant is in both.
    """
    if before.manifest["rules"]["hash"] != after.manifest["rules"]["hash"]:
        raise UsageError(
            "the two runs were played by different rules; points by different rules do not compare"
        )
    common = [name for name in before.names if name in after.names]
    if not common:
        raise UsageError(
            f"no entrant is in both runs: {', '.join(before.names)} in the first, {', '.join(after.names)} in the second"
        )
    blocks = [_sum_blocks(run, common) for run in (before, after)]
    paired = _is_paired(before, after) and np.array_equal(blocks[0][0], blocks[1][0])
    estimates = _estimate_paired(blocks, len(common)) if paired else _estimate_apart(blocks, len(common))
    differences = [estimate["difference"] for estimate in estimates]
    inference.adjust_differences(differences, min(len(numbers) for numbers, _ in blocks))
    entrants = [
        {"name": name, "changed": _has_changed(before, after, name), **estimate}
        for name, estimate in zip(common, estimates, strict=True)
    ]
    return {"paired": bool(paired), "blocks": [len(numbers) for numbers, _ in blocks], "entrants": entrants}


def _is_paired(before: RunData, after: RunData) -> bool:
    """Return whether two runs dealt the same cards to the same seatings."""
    keys = ("unit", "tables", "cycle_length", "deals_per_game")
    plans = [{key: run.manifest["design"].get(key) for key in keys} for run in (before, after)]
    return (
        plans[0] == plans[1]
        and before.manifest["seed"] == after.manifest["seed"]
        and before.names == after.names
    )


def _has_changed(before: RunData, after: RunData, name: str) -> bool:
    entrants = [run.manifest["entrants"][run.names.index(name)] for run in (before, after)]
    return any(entrants[0].get(key) != entrants[1].get(key) for key in SAME)


def _sum_blocks(run: RunData, names: Sequence[str]) -> tuple[Ints, Ints]:
    """Return the blocks' numbers and, shape (n_blocks, 2 x n_names), the points and deals of each entrant in each."""
    columns = ("block", "entrant", "points", "deals")
    sums = pl.concat([run.read_part(unit, "sums", list(columns)) for unit in run.units])
    sums = sums.group_by("block", "entrant").agg(pl.col("points", "deals").cast(pl.Int64).sum())
    numbers = np.unique(sums["block"].to_numpy())
    values = np.zeros((len(numbers), 2 * len(names)), np.int64)
    for place, name in enumerate(names):
        own = sums.filter(pl.col("entrant") == run.names.index(name))
        row = np.searchsorted(numbers, own["block"].to_numpy())
        values[row, 2 * place : 2 * place + 2] = own.select("points", "deals").to_numpy()
    return numbers.astype(np.int64), values


def _list_columns(n: int, run: int) -> list[str]:
    return [f"{what}:{run}:{e}" for e in range(n) for what in ("points", "deals")]


def _estimate_paired(blocks: Sequence[tuple[Ints, Ints]], n: int) -> list[dict[str, Any]]:
    values = np.hstack([own for _, own in blocks])
    moments = Moments.of_blocks([*_list_columns(n, 0), *_list_columns(n, 1)], values)
    result = []
    for e in range(n):
        ratios = [Ratio(f"points:{run}:{e}", f"deals:{run}:{e}") for run in (0, 1)]
        estimates = inference.estimate(moments, ratios)
        difference = inference.describe_contrast(estimates, np.array([1.0, -1.0]))
        before, after = inference.describe_all(estimates, ratios)
        result.append({"before": before, "after": after, "difference": difference})
    return result


def _estimate_apart(blocks: Sequence[tuple[Ints, Ints]], n: int) -> list[dict[str, Any]]:
    """Return the same for runs that share no cards: variances add up."""
    result = []
    moments = [Moments.of_blocks(_list_columns(n, run), values) for run, (_, values) in enumerate(blocks)]
    for e in range(n):
        ratios = [[Ratio(f"points:{run}:{e}", f"deals:{run}:{e}")] for run in (0, 1)]
        found = [inference.estimate(own, ratio) for own, ratio in zip(moments, ratios, strict=True)]
        before, after = (
            inference.describe_all(own, ratio)[0] for own, ratio in zip(found, ratios, strict=True)
        )
        value = float(found[0].values[0] - found[1].values[0])
        variance = float(found[0].covariance[0, 0] + found[1].covariance[0, 0])
        difference = inference.describe(value, variance, min(own.n_blocks for own in found))
        result.append({"before": before, "after": after, "difference": difference})
    return result
