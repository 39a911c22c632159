"""Blocks in at most some thousands of portions, for what needs more of them than sums and products.

Blocks are independent, so sums of neighbouring blocks are as well: above a few thousand of them, portions lose nothing, and memory
does not grow with the run. A run of no more blocks than that has one block in each portion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

MOST = 4096
"""At most this many portions."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Portions:
    """Sums of every entrant in every portion of a run.

    Attributes
    ----------
    columns : list of str
        Which sums.
    numbers : ndarray of int64, shape (n_portions,)
        The portions that hold blocks, in order.
    values : ndarray of int64, shape (n_portions, n_entrants, n_columns)
    n_blocks : int
        How many blocks they hold.
    """

    columns: list[str]
    numbers: Ints
    values: Ints
    n_blocks: int

    def take(self, entrant: int, column: str) -> Ints:
        """Return a column of an entrant, one number per portion."""
        values: Ints = self.values[:, entrant, self.columns.index(column)]
        return values


def find_size(planned_blocks: int, most: int = MOST) -> int:
    """Return how many neighbouring blocks make a portion."""
    return max(1, -(-planned_blocks // most))


def collect(
    parts: Iterable[pl.DataFrame], n_entrants: int, planned_blocks: int, columns: Sequence[str]
) -> Portions:
    """Return the portions of block sums, whatever the order of the parts.

    Parameters
    ----------
    parts : iterable of DataFrame
        Block sums of whole blocks (`hearts_sim.tournament.sums.sum_blocks`).
    n_entrants, planned_blocks : int
        Sizes of the experiment; its blocks are numbered from 0.
    columns : sequence of str
        Which sums to keep.
    """
    size = find_size(planned_blocks)
    values = np.zeros((-(-planned_blocks // size), n_entrants, len(columns)), np.int64)
    blocks = np.zeros(len(values), np.int64)
    for sums in parts:
        number = sums["block"].to_numpy().astype(np.int64)
        np.add.at(blocks, np.unique(number) // size, 1)
        cell = number // size * n_entrants + sums["entrant"].to_numpy()
        kept = sums.select(pl.col(list(columns)).cast(pl.Int64)).to_numpy()
        np.add.at(values.reshape(-1, len(columns)), cell, kept)
    present = np.flatnonzero(blocks)
    return Portions(list(columns), present, values[present], int(blocks.sum()))
