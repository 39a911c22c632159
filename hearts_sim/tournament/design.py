"""The plan of an experiment: which tables, which deals, who sits where, and in what portions of work.

Everything here is a function of the experiment alone: never of the number of threads, the time or the
machine.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hearts_sim.bots import registry
from hearts_sim.errors import UsageError
from hearts_sim.game.table import JOB
from hearts_sim.tournament.balanced import choose_tables
from hearts_sim.tournament.experiment import Experiment
from hearts_sim.tournament.orbits import Orbits, list_arrangements, list_orbits

Ints = npt.NDArray[np.int64]

GAMES_PER_UNIT = {"game": 8_000, "deal": 60_000}
"""Games (or single deals) in a unit of work when every strategy is compiled."""
GAMES_PER_PLAIN_UNIT = {"game": 40, "deal": 400}
"""The same when any strategy is plain Python and thousands of times slower."""
FEWEST_UNITS = 16
"""Smaller runs are cut finer, to a tenth at most, so that threads share the work and progress shows."""
MAX_TABLES = 2**16 - 1
MOST_ENTRANTS_IN_FULL = 8
"""A round robin of more entrants plays balanced incomplete blocks instead of every choice of a table."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Which games an experiment consists of.

    Attributes
    ----------
    unit : str
        ``game`` or ``deal``: what a seating of a block plays.
    blocks : int
        Number of blocks.
    cycle_length : int
        Length of the pass cycle.
    tables : ndarray of int64, shape (n_tables, n_seats)
        The entrants of each table, as indices into the experiment's entrants.
    blocks_per_unit : int
        How many blocks make a unit of work; the last unit may be smaller.
    deals_per_game : int
        Deals of a game if the rules fix it, else 0.
    orbits : Orbits, optional
        If given, a block plays one of these, in turns, instead of every table in every rotation of one order.
    """

    unit: str
    blocks: int
    cycle_length: int
    tables: Ints
    blocks_per_unit: int
    deals_per_game: int = 0
    orbits: Orbits | None = None

    @property
    def n_seats(self) -> int:
        """Seats of a table; also the number of seatings of a block's order."""
        return int(self.tables.shape[1])

    @property
    def games_per_block(self) -> int:
        """Games (or single deals) of a block: one per table and seating; of the largest block where they take turns."""
        return int(self.tables.size if self.orbits is None else self.orbits.seatings.max())

    @property
    def n_games(self) -> int:
        """Games (or single deals) of the whole plan."""
        if self.orbits is None:
            return self.blocks * self.games_per_block
        turns, seatings = self._repeats, self.orbits.seatings
        whole, rest = divmod(self.blocks, self.period)
        return int(whole * turns * seatings.sum() + seatings[np.arange(rest) // turns].sum())

    @property
    def _repeats(self) -> int:
        """Blocks that share an order or orbit: single deals go through the pass cycle with it."""
        return self.cycle_length if self.unit == "deal" else 1

    @cached_property
    def orders(self) -> Ints:
        """The cyclic orders of a table's members, shape ((n_seats - 1)!, n_seats); see `list_orders`."""
        return list_orders(self.n_seats)

    @property
    def period(self) -> int:
        """Blocks after which every order or orbit (single deals: and pass direction) has been used equally often."""
        return len(self.orders if self.orbits is None else self.orbits) * self._repeats

    @property
    def units(self) -> list[tuple[int, int]]:
        """First and last block of each unit of work."""
        step = self.blocks_per_unit
        return [(first, min(first + step, self.blocks) - 1) for first in range(0, self.blocks, step)]

    def jobs(self, first_block: int, last_block: int) -> npt.NDArray[Any]:
        """Return the games of blocks ``first_block`` to ``last_block``, both included, as an array of JOB.

        They are in order of block, table and seating. In seating r the k-th member of the block's cyclic
        order sits in seat (k + r) mod n: from one seating to the next everybody moves one seat to the left.
        """
        n = self.n_seats
        blocks = np.arange(first_block, last_block + 1)
        in_cycle, order = blocks % self._repeats, blocks // self._repeats
        if self.orbits is not None:
            return self._list_orbit_jobs(self.orbits, blocks, in_cycle, order)
        member = self._members_by_seat[order % len(self.orders)]
        jobs = np.zeros((len(blocks), len(self.tables), n), JOB)
        jobs["game"] = blocks[:, None, None]
        jobs["table"] = np.arange(len(self.tables))[None, :, None]
        jobs["seating"] = np.arange(n)
        jobs["first_deal"] = 1 + in_cycle[:, None, None]
        jobs["n_deals"] = 1 if self.unit == "deal" else 0
        jobs["entrants"][..., :n] = np.moveaxis(self.tables[:, member], 0, 1)
        return jobs.reshape(-1)

    def _list_orbit_jobs(self, orbits: Orbits, blocks: Ints, in_cycle: Ints, turn: Ints) -> npt.NDArray[Any]:
        """Return the games of blocks that play one orbit each."""
        orbit = turn % len(orbits)
        games = orbits.seatings[orbit]
        of_block = np.repeat(np.arange(len(blocks)), games)
        seating = np.arange(len(of_block)) - np.repeat(np.cumsum(games) - games, games)
        orbit = orbit[of_block]
        jobs = np.zeros(len(of_block), JOB)
        jobs["game"] = blocks[of_block]
        jobs["table"] = orbits.tables[orbit]
        jobs["seating"] = seating
        jobs["first_deal"] = 1 + in_cycle[of_block]
        jobs["n_deals"] = 1 if self.unit == "deal" else 0
        place = (np.arange(self.n_seats)[None, :] - seating[:, None]) % self.n_seats
        jobs["entrants"][:, : self.n_seats] = orbits.members[orbit[:, None], place]
        return jobs

    @cached_property
    def _members_by_seat(self) -> Ints:
        """Which member of a table sits where, shape (n_orders, n_seatings, n_seats)."""
        seat = np.arange(self.n_seats)
        place = (seat[None, :] - seat[:, None]) % self.n_seats
        return self.orders[:, place]

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain JSON types, enough to make every job again."""
        values = {
            "unit": self.unit,
            "blocks": self.blocks,
            "cycle_length": self.cycle_length,
            "tables": self.tables.tolist(),
            "blocks_per_unit": self.blocks_per_unit,
            "deals_per_game": self.deals_per_game,
        }
        return values if self.orbits is None else values | {"orbits": self.orbits.to_dict()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Plan:
        """Return the plan that `to_dict` described, such as a manifest's."""
        orbits = values.get("orbits")
        return cls(
            **{
                **values,
                "tables": np.array(values["tables"], np.int64),
                "orbits": None if orbits is None else Orbits.from_dict(orbits),
            }
        )

    def hash(self) -> str:
        """Return the SHA-256 of the plan as canonical JSON."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    def describe(self) -> dict[str, Any]:
        """Return the plan's counts as plain JSON types; ``deals`` is None when games have no fixed length."""
        fixed = 1 if self.unit == "deal" else self.deals_per_game
        return {
            "tables": len(self.tables),
            "blocks": self.blocks,
            "seatings": self.n_seats,
            "orders": len(self.orders if self.orbits is None else self.orbits),
            "arrangements": None if self.orbits is None else int(self.orbits.seatings.sum()),
            "games": self.n_games,
            "deals": self.n_games * fixed if fixed else None,
            "units": math.ceil(self.blocks / self.blocks_per_unit),
            "blocks_per_unit": self.blocks_per_unit,
            "balance": check_balance(self),
        }


def list_orders(n_seats: int) -> Ints:
    """Return all cyclic orders of a table's members 0..n-1, one per row, each beginning with member 0."""
    return np.array([(0, *rest) for rest in itertools.permutations(range(1, n_seats))], np.int64)


def make_plan(experiment: Experiment, *, compiled: bool | None = None) -> Plan:
    """Return the plan of an experiment.

    Parameters
    ----------
    experiment : Experiment
        What to play.
    compiled : bool, optional
        Whether all strategies are compiled, which decides how large a unit of work is; looked up by default.

    Raises
    ------
    UsageError
        If there are more tables than can be stored, or a strategy cannot be found.
    """
    rules, design = experiment.rules, experiment.design
    tables = _list_tables(experiment)
    orbits = None
    if design.kind == "duel":
        orbits = list_orbits(tables.tolist())
    elif design.kind == "selfplay":
        orbits = list_arrangements(tables[0].tolist())
    games_per_block = int(tables.size if orbits is None else orbits.seatings.max())
    if compiled is None:
        compiled = all(registry.find(e.strategy, experiment.base).compiled for e in experiment.entrants)
    return Plan(
        unit=design.unit,
        blocks=design.blocks,
        cycle_length=len(rules.pass_offsets),
        tables=tables,
        blocks_per_unit=_size_unit(design.unit, design.blocks, games_per_block, compiled),
        deals_per_game=rules.deals_per_game,
        orbits=orbits,
    )


def _list_tables(experiment: Experiment) -> Ints:
    """Return the tables by entrant index: those that are listed, or every choice, or a balanced choice of many."""
    design, n_seats = experiment.design, experiment.rules.seats
    index = {entrant.name: i for i, entrant in enumerate(experiment.entrants)}
    if design.tables is not None:
        _check_table_count(len(design.tables))
        return np.array([[index[name] for name in table] for table in design.tables], np.int64)
    if len(index) > MOST_ENTRANTS_IN_FULL:
        balanced = choose_tables(len(index), n_seats)
        if balanced is not None:
            return balanced
    _check_table_count(math.comb(len(index), n_seats))
    return np.array(list(itertools.combinations(range(len(index)), n_seats)), np.int64)


def _check_table_count(n_tables: int) -> None:
    if n_tables > MAX_TABLES:
        raise UsageError(
            f"this design has {n_tables:,} tables, and at most {MAX_TABLES:,} are possible; "
            'enter fewer strategies, or list the tables with design.kind = "fixed"'
        )


def _size_unit(unit: str, blocks: int, games_per_block: int, compiled: bool) -> int:
    """Return how many blocks make a unit of work."""
    most = (GAMES_PER_UNIT if compiled else GAMES_PER_PLAIN_UNIT)[unit]
    wanted = min(most, max(most // 10, blocks * games_per_block // FEWEST_UNITS))
    return max(1, wanted // games_per_block)


def count_cells(plan: Plan, first_block: int, last_block: int) -> Ints:
    """Count how often each entrant sits in each seat at each step of the pass cycle.

    Returns
    -------
    ndarray of int64, shape (n_entrants, n_seats, cycle_length)
        Single deals for unit ``deal``. For unit ``game`` the first ``cycle_length`` deals of every game are
        counted: each game begins the cycle anew, so that games differ only in where they end.
    """
    cells = np.zeros((int(plan.tables.max()) + 1, plan.n_seats, plan.cycle_length), np.int64)
    for jobs in _split_jobs(plan, first_block, last_block):
        steps = _steps_of(plan, jobs)
        for seat in range(plan.n_seats):
            cells += _count(cells.shape, jobs["entrants"][:, seat, None], seat, steps)
    return cells


def count_neighbours(plan: Plan, first_block: int, last_block: int) -> Ints:
    """Count how often one entrant sits k seats to the left of another at each step of the pass cycle.

    Returns
    -------
    ndarray of int64, shape (n_entrants, n_entrants, n_seats - 1, cycle_length)
        Counts by entrant, neighbour, k - 1 and step, of the deals that `count_cells` counts.
    """
    n, n_entrants = plan.n_seats, int(plan.tables.max()) + 1
    counts = np.zeros((n_entrants, n_entrants, n - 1, plan.cycle_length), np.int64)
    for jobs in _split_jobs(plan, first_block, last_block):
        steps = _steps_of(plan, jobs)
        for seat, offset in itertools.product(range(n), range(1, n)):
            one, other = jobs["entrants"][:, seat, None], jobs["entrants"][:, (seat + offset) % n, None]
            counts += _count(counts.shape, one, other, offset - 1, steps)
    return counts


def _count(shape: tuple[int, ...], *indices: Any) -> Ints:
    """Return how often each combination of indices occurs; they are broadcast against each other."""
    flat = np.ravel_multi_index(np.broadcast_arrays(*indices), shape).ravel()
    return np.bincount(flat, minlength=math.prod(shape)).reshape(shape)


def _split_jobs(plan: Plan, first_block: int, last_block: int) -> Iterator[npt.NDArray[Any]]:
    """Yield the jobs of a range of blocks in portions, so that many tables do not fill the memory."""
    step = max(1, 100_000 // plan.games_per_block)
    for first in range(first_block, last_block + 1, step):
        yield plan.jobs(first, min(first + step - 1, last_block))


def _steps_of(plan: Plan, jobs: npt.NDArray[Any]) -> Ints:
    """Return the steps of the pass cycle that each job counts for, shape (n_jobs, 1 or cycle_length)."""
    if plan.unit == "deal":
        return (jobs["first_deal"][:, None] - 1) % plan.cycle_length
    return np.broadcast_to(np.arange(plan.cycle_length), (len(jobs), plan.cycle_length))


def check_balance(plan: Plan) -> dict[str, Any]:
    """Check that entrant, seat, pass direction and neighbour do not go together.

    Returns
    -------
    dict
        ``period`` in blocks; ``seats_balanced`` and ``neighbours_balanced``: whether over a period every
        entrant meets every (seat, direction) equally often, and every other entrant at every distance and in
        every direction equally often; ``whole_periods`` of the plan and the ``blocks_left_over``; ``uneven``:
        by how much, in parts of the mean, the fullest and the emptiest (seat, direction) cell of an entrant
        differ over the whole plan.
    """
    cells = count_cells(plan, 0, plan.period - 1)
    neighbours = count_neighbours(plan, 0, plan.period - 1)
    whole, rest = divmod(plan.blocks, plan.period)
    total = cells * whole + (count_cells(plan, 0, rest - 1) if rest else 0)
    mean = total.mean(axis=(1, 2))
    spread = (total.max(axis=(1, 2)) - total.min(axis=(1, 2))) / np.where(mean > 0, mean, 1)
    return {
        "period": plan.period,
        "seats_balanced": bool(np.all(cells == cells[:, :1, :1])),
        "neighbours_balanced": bool(np.all(neighbours == neighbours[:, :, :1, :1])),
        "whole_periods": whole,
        "blocks_left_over": rest,
        "uneven": float(spread.max()),
    }
