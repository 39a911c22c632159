"""Balanced incomplete blocks: few tables at which every two entrants meet equally often.

A few base tables are shifted around a circle of entrants (Bose, Annals of Eugenics 9, 1939): if every distance on the circle
occurs equally often among the pairs of the base tables, every two entrants meet equally often. With an even number of entrants
one of them may stand still in the middle.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from hearts_sim.game.rng import scale, stream_word

MOST_ENTRANTS = 32
"""Of more nothing is searched for: the search grows too fast."""
_MOST_SEARCHED = 40_000
_SHAPES, _RESTARTS, _ROUNDS = 12, 40, 25

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Shape:
    """How many base tables on a circle of ``size``, ``still`` of them with the one that stands still."""

    size: int
    still: int
    moving: int
    meetings: int

    @property
    def n_tables(self) -> int:
        return self.size * (self.still + self.moving)


def choose_tables(n_entrants: int, n_seats: int) -> Ints | None:
    """Return tables at which every two entrants meet equally often, or None if none fewer than all are found.

    Parameters
    ----------
    n_entrants : int
        More than ``n_seats``.
    n_seats : int
        3 to 6.

    Returns
    -------
    ndarray of int64, shape (n_tables, n_seats), or None
        Members ascending, tables in order; the same for the same arguments, whatever the machine.
    """
    if n_entrants > MOST_ENTRANTS or math.comb(n_entrants, n_seats) > _MOST_SEARCHED:
        return None
    for shape in _list_shapes(n_entrants, n_seats)[:_SHAPES]:
        bases = _search(shape, n_seats)
        if bases is not None:
            return _shift(bases, shape, n_seats)
    return None


def _list_shapes(n_entrants: int, n_seats: int) -> list[_Shape]:
    """Return the shapes whose pairs can add up, with fewer tables than all of them, the smallest first."""
    pairs, shapes = n_seats * (n_seats - 1), []
    limit = math.comb(n_entrants, n_seats)
    for meetings in range(1, limit):
        circle = meetings * (n_entrants - 1)
        if circle % pairs == 0:
            shapes.append(_Shape(n_entrants, 0, circle // pairs, meetings))
        if meetings % (n_seats - 1) == 0:
            still = meetings // (n_seats - 1)
            rest = meetings * (n_entrants - 2) - still * (n_seats - 1) * (n_seats - 2)
            if rest >= 0 and rest % pairs == 0:
                shapes.append(_Shape(n_entrants - 1, still, rest // pairs, meetings))
        if meetings * n_entrants * (n_entrants - 1) // pairs >= limit:
            break
    return sorted((s for s in shapes if s.n_tables < limit), key=lambda s: (s.n_tables, s.still))


def _search(shape: _Shape, n_seats: int) -> list[tuple[int, ...]] | None:
    """Return base tables, those of the still entrant one member short, or None if none were found soon enough.

    One base table after the other is replaced by what brings the distances closest to being equally often; where that leads
    nowhere the search begins anew elsewhere.
    """
    kinds = [_list_bases(shape.size, n_seats - 1)] * shape.still + [
        _list_bases(shape.size, n_seats)
    ] * shape.moving
    words = (stream_word(shape.n_tables, counter) for counter in itertools.count())

    def draw_below(n: int) -> int:
        return next(drawn for word in words if (drawn := scale(word, n)) >= 0)

    for _ in range(_RESTARTS):
        chosen = [draw_below(len(bases)) for bases, _ in kinds]
        counts = np.sum([kind[1][i] for kind, i in zip(kinds, chosen, strict=True)], axis=0)
        for step in range(_ROUNDS * len(kinds)):
            if np.all(counts == shape.meetings):
                return [kind[0][i] for kind, i in zip(kinds, chosen, strict=True)]
            place = step % len(kinds)
            distances = kinds[place][1]
            others = counts - distances[chosen[place]]
            errors = ((others + distances - shape.meetings) ** 2).sum(axis=1)
            best = np.flatnonzero(errors == errors.min())
            chosen[place] = int(best[draw_below(len(best))])
            counts = others + distances[chosen[place]]
    return None


@cache
def _list_bases(size: int, members: int) -> tuple[list[tuple[int, ...]], Ints]:
    """Return the tables that are no shift of each other, and how often each distance from 1 occurs between their members."""
    rows = np.array([(0, *rest) for rest in itertools.combinations(range(1, size), members - 1)], np.int64)
    shifts = np.sort((rows[:, None, :] - rows[:, :, None]) % size, axis=2)
    codes = shifts @ (size ** np.arange(members)[::-1])
    own = codes[:, :1]
    is_first = (codes >= own).all(axis=1) & ((codes == own).sum(axis=1) == 1)
    rows = rows[is_first]
    distances = (rows[:, :, None] - rows[:, None, :]) % size
    counts = np.stack([(distances == d).sum(axis=(1, 2)) for d in range(1, size)], axis=1)
    return [tuple(row) for row in rows.tolist()], counts


def _shift(bases: list[tuple[int, ...]], shape: _Shape, n_seats: int) -> Ints:
    tables = []
    for base, by in itertools.product(bases, range(shape.size)):
        members = [(m + by) % shape.size for m in base]
        tables.append(sorted(members if len(members) == n_seats else [*members, shape.size]))
    return np.array(sorted(tables), np.int64)
