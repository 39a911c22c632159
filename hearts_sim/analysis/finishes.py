"""Who finished before whom, counted: all that ratings need to know of a run's games.

A finishing order is a sequence of choices: from a whole table the first, or several tied, then from those who are left, and so on.
Games that leave the same entrants to choose from are counted together, so a rating takes as long for a million games as for a
thousand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_array

from hearts_sim.analysis.metrics import RunData
from hearts_sim.analysis.portions import MOST, find_size
from hearts_sim.game.rules import Rules
from hearts_sim.tournament import store
from hearts_sim.tournament.sums import WIN_UNIT

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
_BEFORE_ALL = -(2**15)
_FEWEST = 256


@dataclass(frozen=True)
class Finishes:
    """Counted finishing orders of a run.

    Attributes
    ----------
    n_entrants, n_seats, n_blocks, n_games : int
    numbers : ndarray of int64, shape (n_portions,)
        The portions of neighbouring blocks (`portions`) that were played, in order.
    menus : ndarray of int64, shape (n_menus, n_seats)
        Every set of entrants that a place was ever to be filled from, sorted, -1 behind the last.
    counts : sparse array of float, shape (n_portions, n_menus)
        How often.
    credit : ndarray of int64, shape (n_portions, n_entrants)
        60 for each place an entrant took alone, 60 / m for one it shared with m - 1 others. Last places alone are no choice.
    ties : ndarray of int64, shape (n_portions, n_seats + 1)
        How often places were shared by so many.
    wins : ndarray of int64, shape (n_portions, n_entrants, n_entrants)
        60 times the win share of i at tables where j sits as well; at all tables for j = i.
    ahead : ndarray of int64, shape (n_entrants, n_entrants)
        How often i finished ahead of j or level with it.
    """

    n_entrants: int
    n_seats: int
    n_blocks: int
    n_games: int
    numbers: Ints
    menus: Ints
    counts: csr_array
    credit: Ints
    ties: Ints
    wins: Ints
    ahead: Ints


def read_finishes(run: RunData) -> Finishes | None:
    """Count the finishing orders of a run; None if it was recorded without its deals.

    Raises
    ------
    DamagedRun
        If a part cannot be read.
    """
    n = run.rules.seats
    columns = ["block", *(f"{what}_{seat}" for what in ("entrant", "score") for seat in range(n)), "ended"]
    if not all(store.part_path(run.folder, unit, "deals").exists() for unit in run.units):
        return None
    parts = (run.read_part(unit, "deals", columns).filter(pl.col("ended") > 0) for unit in run.units)
    return count_finishes(parts, len(run.names), run.rules, run.manifest["design"]["blocks"])


def count_finishes(
    parts: Iterable[pl.DataFrame], n_entrants: int, rules: Rules, planned_blocks: int
) -> Finishes:
    """Count the finishing orders of the last deals of games.

    Parameters
    ----------
    parts : iterable of DataFrame
        Rows of ``deals`` with which games ended: ``block``, ``entrant_0`` ..., ``score_0`` ....
    n_entrants, planned_blocks : int
        Sizes of the experiment; its blocks are numbered from 0.
    rules : Rules
        For the number of seats and for who wins.
    """
    n = rules.seats
    size = find_size(planned_blocks, max(_FEWEST, min(MOST, 2**24 // n_entrants**2)))
    tally = _Tally(n_entrants, n, -(-planned_blocks // size))
    for games in parts:
        block = games["block"].to_numpy().astype(np.int64)
        entrants = games.select(f"entrant_{s}" for s in range(n)).to_numpy().astype(np.int64)
        finals = games.select(f"score_{s}" for s in range(n)).to_numpy().astype(np.int64)
        if rules.exact_target == "wins":
            finals = np.where(finals == rules.target, _BEFORE_ALL, finals)
        np.add.at(tally.blocks, np.unique(block) // size, 1)
        tally.add(block // size, entrants, finals)
    return tally.finish()


class _Tally:
    """Counts that grow part by part."""

    def __init__(self, n_entrants: int, n_seats: int, n_portions: int) -> None:
        self.k, self.n = n_entrants, n_seats
        self.blocks = np.zeros(n_portions, np.int64)
        self.credit = np.zeros((n_portions, n_entrants), np.int64)
        self.ties = np.zeros((n_portions, n_seats + 1), np.int64)
        self.wins = np.zeros((n_portions, n_entrants, n_entrants), np.int64)
        self.ahead = np.zeros((n_entrants, n_entrants), np.int64)
        self.games = 0
        self._keys: list[tuple[Ints, Words, Ints]] = []

    def add(self, portion: Ints, entrants: Ints, finals: Ints) -> None:
        """Count games: ``portion`` (n,), ``entrants`` and ``finals`` (n, n_seats), the lowest final first."""
        if not len(portion):
            return
        self.games += len(portion)
        # A part holds neighbouring blocks: only their portions are touched.
        low, high = int(portion.min()), int(portion.max()) + 1
        own_credit, own_ties = self.credit[low:high], self.ties[low:high]
        for seat in range(self.n):
            own, final = entrants[:, seat], finals[:, [seat]]
            level, behind = finals == final, finals >= final
            shared, left = level.sum(axis=1), behind.sum(axis=1)
            chosen = left > 1
            _add(own_credit, (portion - low, own), np.where(chosen, WIN_UNIT // shared, 0))
            # Each choice is counted once: at the first of the seats that share the place.
            first = chosen & (level.argmax(axis=1) == seat)
            _add(own_ties, (portion[first] - low, shared[first]), 1)
            self._count_menus(portion[first], entrants[first], behind[first])
            win = np.where(left == self.n, WIN_UNIT // shared, 0)
            self._count_rivals(self.wins[low:high], portion - low, entrants, seat, win, behind)

    def _count_menus(self, portion: Ints, entrants: Ints, behind: npt.NDArray[np.bool_]) -> None:
        """Count the sets of entrants left, each as one word: a byte per entrant, sorted."""
        who = np.sort(np.where(behind, entrants + 1, 0), axis=1)[:, ::-1].astype(np.uint64)
        words = np.zeros(len(who), np.uint64)
        for place in range(self.n):
            words |= who[:, place] << np.uint64(8 * place)
        order = np.lexsort((words, portion))
        portion, words = portion[order], words[order]
        is_new = np.ones(len(order), np.bool_)
        is_new[1:] = (portion[1:] != portion[:-1]) | (words[1:] != words[:-1])
        first = np.flatnonzero(is_new)
        self._keys.append((portion[first], words[first], np.diff(first, append=len(order))))

    def _count_rivals(
        self,
        wins: Ints,
        portion: Ints,
        entrants: Ints,
        seat: int,
        win: Ints,
        behind: npt.NDArray[np.bool_],
    ) -> None:
        own = entrants[:, seat]
        _add(wins, (portion, own, own), win)
        for other in range(self.n):
            if other == seat:
                continue
            rival = entrants[:, other]
            _add(self.ahead, (own, rival), behind[:, other].astype(np.int64))
            repeated = (entrants[:, :other] == rival[:, None]).any(axis=1) | (rival == own)
            _add(wins, (portion, own, rival), np.where(repeated, 0, win))

    def finish(self) -> Finishes:
        """Return what was counted."""
        present = np.flatnonzero(self.blocks)
        portion, words, counts = (
            (np.concatenate(column) for column in zip(*self._keys, strict=True))
            if self._keys
            else (np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.int64))
        )
        menu_words, menu = np.unique(words, return_inverse=True)
        shape = (len(self.blocks), len(menu_words))
        table = csr_array((counts.astype(np.float64), (portion, menu)), shape=shape)
        places = np.uint64(8) * np.arange(self.n, dtype=np.uint64)
        menus = ((menu_words[:, None] >> places) & np.uint64(255)).astype(np.int64) - 1
        return Finishes(
            n_entrants=self.k,
            n_seats=self.n,
            n_blocks=int(self.blocks.sum()),
            n_games=self.games,
            numbers=present,
            menus=menus,
            counts=table[present],
            credit=self.credit[present],
            ties=self.ties[present],
            wins=self.wins[present],
            ahead=self.ahead,
        )


def _add(total: Ints, index: tuple[Ints, ...], amount: Any) -> None:
    """Add to cells that may occur several times."""
    flat = np.ravel_multi_index(index, total.shape)
    weights = np.broadcast_to(np.asarray(amount, np.float64), flat.shape)
    # Whole numbers below 2**53: exact in any order.
    total += np.bincount(flat, weights, total.size).astype(np.int64).reshape(total.shape)
