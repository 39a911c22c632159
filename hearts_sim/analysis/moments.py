"""From the block sums of units to the moments that all estimates of a run are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.analysis.inference import Moments

OF_CELLS = ("points", "deals", "win60", "games", "wins", "draws", "losses")
"""What is kept for every entrant at every table of a ``fixed`` design."""
MOST_CELLS = 200
"""With more (table, entrant) pairs than this, only whole entrants are described: the products would fill memory."""

Tables = Sequence[Sequence[int]]


@dataclass(frozen=True)
class RunMoments:
    """The moments of a run's block sums.

    Attributes
    ----------
    entrants : list of Moments
        One per entrant, of all its columns.
    joint : Moments
        ``points:e`` and ``deals:e`` of every entrant, for differences, and ``points_seat_s`` and ``deals_seat_s`` of every seat,
        whoever sat there.
    cells : Moments, optional
        Of a ``fixed`` design: ``what:t:e`` of every entrant e at every table t, for each of `OF_CELLS`.
    """

    entrants: list[Moments]
    joint: Moments
    cells: Moments | None = None

    @property
    def n_blocks(self) -> int:
        """How many blocks."""
        return self.joint.n_blocks

    def __add__(self, other: RunMoments) -> RunMoments:
        """Return the moments of both sets of blocks together."""
        entrants = [own + its for own, its in zip(self.entrants, other.entrants, strict=True)]
        cells = self.cells + other.cells if self.cells and other.cells else None
        return RunMoments(entrants, self.joint + other.joint, cells)

    def count(self, entrant: int, column: str) -> int:
        """Return an entrant's total of a column."""
        return self.entrants[entrant].total(column)


def list_cells(tables: Tables) -> list[tuple[int, int]]:
    """Return every (table, entrant) of a design in order."""
    return [(t, e) for t, members in enumerate(tables) for e in sorted(set(members))]


def measure_unit(sums: pl.DataFrame, n_entrants: int, n_seats: int, tables: Tables = ()) -> RunMoments:
    """Return the moments of one unit's block sums.

    The deals of a block are the same at all its tables, so sums over tables are taken first.

    Parameters
    ----------
    sums : DataFrame
        Of whole blocks, as `hearts_sim.tournament.sums.sum_blocks` makes them.
    n_entrants, n_seats : int
        Sizes of the experiment and of a table.
    tables : sequence of sequence of int, optional
        The members of each table, if the tables are to be described one by one: those of a ``fixed`` design.
    """
    blocks, block = np.unique(sums.get_column("block").to_numpy(), return_inverse=True)
    entrant = sums.get_column("entrant").to_numpy().astype(np.int64)
    unused = {"block", "table", "entrant", "others_points", *(f"margin_{e}" for e in range(n_entrants))}
    seats = [f"{what}_seat_{seat}" for seat in range(n_seats) for what in ("points", "deals")]
    names = [name for name in sums.columns if name not in unused and name not in seats]
    margin = pl.col("others_points") - (n_seats - 1) * pl.col("points")
    values = sums.select(pl.col(names).cast(pl.Int64), margin=margin.cast(pl.Int64)).to_numpy()
    cube = _add_rows(entrant * len(blocks) + block, values, n_entrants * len(blocks))
    cube = cube.reshape(n_entrants, len(blocks), -1)
    of_seats = _add_rows(block, sums.select(pl.col(seats).cast(pl.Int64)).to_numpy(), len(blocks))
    shared = [f"{what}:{e}" for what in ("points", "deals") for e in range(n_entrants)]
    of_all = [cube[:, :, names.index(what)].T for what in ("points", "deals")]
    return RunMoments(
        [Moments.of_blocks([*names, "margin"], own) for own in cube],
        Moments.of_blocks([*shared, *seats], np.hstack([*of_all, of_seats])),
        _measure_cells(sums, block, len(blocks), tables),
    )


def _add_rows(cell: npt.NDArray[np.int64], values: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """Return the sums of the rows of each cell, shape (size, n_columns); zero where a cell has none."""
    order = np.argsort(cell, kind="stable")
    present, first = np.unique(cell[order], return_index=True)
    total = np.zeros((size, values.shape[1]), np.int64)
    total[present] = np.add.reduceat(values[order], first, axis=0)
    return total


def _measure_cells(
    sums: pl.DataFrame, block: npt.NDArray[np.int64], n_blocks: int, tables: Tables
) -> Moments | None:
    cells = list_cells(tables)
    if not 0 < len(cells) <= MOST_CELLS:
        return None
    place = {cell: i for i, cell in enumerate(cells)}
    rows = sums.select("table", "entrant").rows()
    values = np.zeros((n_blocks, len(cells), len(OF_CELLS)), np.int64)
    values[block, [place[row] for row in rows]] = sums.select(pl.col(OF_CELLS).cast(pl.Int64)).to_numpy()
    columns = [f"{what}:{t}:{e}" for t, e in cells for what in OF_CELLS]
    return Moments.of_blocks(columns, values.reshape(n_blocks, -1))


def measure(parts: Iterable[pl.DataFrame], n_entrants: int, n_seats: int, tables: Tables = ()) -> RunMoments:
    """Return the moments of all parts together; memory does not grow with their number."""
    return add_moments(measure_unit(sums, n_entrants, n_seats, tables) for sums in parts)


def add_moments(parts: Iterable[RunMoments]) -> RunMoments:
    """Return the sum of at least one part's moments.

    Raises
    ------
    ValueError
        If there is none.
    """
    total: RunMoments | None = None
    for moments in parts:
        total = moments if total is None else total + moments
    if total is None:
        raise ValueError("there are no finished units")
    return total
