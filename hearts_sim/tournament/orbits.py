"""Rotation orbits: who sits where at a table, up to everybody moving a seat to the left.

A block that plays one whole orbit of one deal cancels the luck of that deal: each entrant has held every hand. Further orbits of
the same deal tell less than an orbit of another one, so that designs of orbits play one a block and take turns.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Orbits:
    """The orbits that the blocks of a plan take turns with.

    Attributes
    ----------
    tables : ndarray of int64, shape (n_orbits,)
        Which table each is an arrangement of.
    members : ndarray of int64, shape (n_orbits, n_seats)
        The entrants by seat in seating 0; in seating r everybody sits r seats further to the left.
    seatings : ndarray of int64, shape (n_orbits,)
        How many seatings are played.
    """

    tables: Ints
    members: Ints
    seatings: Ints

    def __len__(self) -> int:
        """Return how many orbits there are."""
        return len(self.tables)

    def to_dict(self) -> dict[str, list[int] | list[list[int]]]:
        """Return the orbits as plain JSON types."""
        return {name: values.tolist() for name, values in vars(self).items()}

    @classmethod
    def from_dict(cls, values: dict[str, list[int] | list[list[int]]]) -> Orbits:
        """Return the orbits that `to_dict` described."""
        return cls(**{name: np.array(rows, np.int64) for name, rows in values.items()})


def list_orbits(tables: Sequence[Sequence[int]]) -> Orbits:
    """Return every different arrangement of each table, those that are rotations of each other as one orbit.

    Two strategies at four seats have 14 arrangements in four orbits: one against three, three against one, two neighbours
    against two, and two against two crosswise, which repeats itself after two seatings.
    """
    rows = []
    for table, members in enumerate(tables):
        seen: set[tuple[int, ...]] = set()
        for arrangement in sorted(set(itertools.permutations(members))):
            if arrangement not in seen:
                turned = [rotate(arrangement, by) for by in range(len(arrangement))]
                seen.update(turned)
                rows.append((table, arrangement, len(set(turned))))
    return _collect(rows)


def list_arrangements(table: Sequence[int]) -> Orbits:
    """Return every order of a table's members around it, each to be played in a single seating."""
    return _collect([(0, order, 1) for order in itertools.permutations(table)])


def rotate(arrangement: tuple[int, ...], by: int) -> tuple[int, ...]:
    """Return an arrangement with everybody ``by`` seats further to the left."""
    return tuple(arrangement[(seat - by) % len(arrangement)] for seat in range(len(arrangement)))


def _collect(rows: Sequence[tuple[int, tuple[int, ...], int]]) -> Orbits:
    tables, members, seatings = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return Orbits(tables, members, seatings)
