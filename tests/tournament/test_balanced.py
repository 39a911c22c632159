"""Balanced incomplete blocks: everybody meets everybody equally often at far fewer tables than all."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from hearts_sim.tournament.balanced import MOST_ENTRANTS, choose_tables


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("entrants", [9, 10, 11, 13, 14, 18, 20])
def test_every_two_entrants_meet_equally_often(entrants: int, seats: int) -> None:
    tables = choose_tables(entrants, seats)
    assert tables is not None
    assert len(tables) < math.comb(entrants, seats)
    assert np.all(np.diff(tables, axis=1) > 0)
    meetings = Counter(pair for table in tables.tolist() for pair in itertools.combinations(table, 2))
    assert len(meetings) == math.comb(entrants, 2)
    assert len(set(meetings.values())) == 1
    assert len(set(np.bincount(tables.ravel()).tolist())) == 1


def test_four_handed_designs_exist_for_every_number_of_entrants_up_to_the_limit() -> None:
    sizes = {}
    for n in range(9, MOST_ENTRANTS + 1):
        tables = choose_tables(n, 4)
        assert tables is not None, n
        sizes[n] = len(tables)
    # the smallest there can be (Hanani, Annals of Mathematical Statistics 32, 1961) where a circle gives it
    assert (sizes[9], sizes[12], sizes[13], sizes[25]) == (18, 33, 13, 100)


def test_the_projective_plane_of_order_three_is_found() -> None:
    tables = choose_tables(13, 4)
    assert tables is not None
    assert all(len(set(a) & set(b)) == 1 for a, b in itertools.combinations(tables.tolist(), 2))


def test_where_all_tables_are_the_smallest_design_none_is_returned() -> None:
    assert choose_tables(5, 4) is None
    assert choose_tables(MOST_ENTRANTS + 1, 4) is None
