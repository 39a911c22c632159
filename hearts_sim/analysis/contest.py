"""What the blocks of a contest say about its two strategies, looked at as they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.analysis import inference
from hearts_sim.analysis.metrics import list_ratios
from hearts_sim.analysis.moments import RunMoments, measure_unit
from hearts_sim.analysis.sequential import Question, State, Test

METRICS = ("points_per_deal", "margin_per_deal", "win_share", "moon_rate", "queen_rate")


class Contest:
    """A contest in progress between entrants 0 and 1 of an experiment.

    Parameters
    ----------
    question : Question
        What is asked of their differences.
    n_entrants, n_seats : int
        Sizes of the experiment and of a table.
    """

    def __init__(self, question: Question, n_entrants: int, n_seats: int) -> None:
        self.test = Test(question)
        self.state: State = self.test.add(np.zeros(0))
        self.n_entrants, self.n_seats = n_entrants, n_seats
        self._moments: RunMoments | None = None
        self.games = self.deals = 0

    def add(self, sums: pl.DataFrame) -> State:
        """Look at the sums of further blocks, in order, and return where the test stands."""
        moments = measure_unit(sums, self.n_entrants, self.n_seats)
        self._moments = moments if self._moments is None else self._moments + moments
        self.games += int(sums["games"].sum()) // self.n_seats
        self.deals += int(sums["deals"].sum()) // self.n_seats
        self.state = self.test.add(list_differences(sums))
        return self.state

    def describe(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return ``name`` and the estimates of `METRICS` of both; intervals are for one look, at the end."""
        ratios = {name: ratio for name, ratio in list_ratios(self.n_seats).items() if name in METRICS}
        result: list[dict[str, Any]] = []
        for e in (0, 1):
            found: list[Any] = [None] * len(ratios)
            if self._moments is not None:
                estimates = inference.estimate(self._moments.entrants[e], list(ratios.values()))
                found = inference.describe_all(estimates, list(ratios.values()))
            result.append({"name": names[e], **dict(zip(ratios, found, strict=True))})
        return result


def list_differences(sums: pl.DataFrame) -> npt.NDArray[np.float64]:
    """Return by how many points per deal entrant 0 takes fewer than entrant 1 in each block, in order.

    Parameters
    ----------
    sums : DataFrame
        Of whole blocks, as `hearts_sim.tournament.sums.sum_blocks` makes them.
    """
    per_block = (
        sums.filter(pl.col("entrant") < 2)
        .group_by("block", "entrant")
        .agg(pl.col("points", "deals").cast(pl.Int64).sum())
        .sort("block", "entrant")
    )
    points, deals = (per_block[name].to_numpy().reshape(-1, 2) for name in ("points", "deals"))
    rates = points / deals
    differences: npt.NDArray[np.float64] = rates[:, 1] - rates[:, 0]
    return differences
