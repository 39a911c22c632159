"""Orbits of rotations: two strategies have 14 arrangements at four seats, and a duel plays them all equally often."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from hearts_sim.game.rules import Rules
from hearts_sim.tournament.design import Plan, check_balance, count_cells, count_neighbours, make_plan
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.orbits import list_arrangements, list_orbits


def plan_of(kind: str, names: str, tables: tuple[str, ...] | None, seats: int = 4, **design: object) -> Plan:
    spec = DesignSpec(kind, tables=tuple(map(tuple, tables)) if tables else None, **design)  # type: ignore[arg-type]
    entrants = tuple(EntrantSpec(name, "low") for name in names)
    return make_plan(Experiment("test", "test", 1, Rules(seats=seats), entrants, spec), compiled=True)


def duel_of(seats: int, **design: object) -> Plan:
    return plan_of("duel", "ab", tuple("a" * n + "b" * (seats - n) for n in range(1, seats)), seats, **design)


def test_the_four_orbits_of_a_duel() -> None:
    orbits = list_orbits([[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]])
    told = list(zip(orbits.tables.tolist(), orbits.members.tolist(), orbits.seatings.tolist(), strict=True))
    assert told == [
        (0, [0, 1, 1, 1], 4),
        (1, [0, 0, 1, 1], 4),
        (1, [0, 1, 0, 1], 2),
        (2, [0, 0, 0, 1], 4),
    ]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("unit", ["game", "deal"])
def test_a_duel_plays_every_mixed_arrangement_once_in_each_direction(seats: int, unit: str) -> None:
    plan = duel_of(seats, unit=unit, blocks=1)
    jobs = plan.jobs(0, plan.period - 1)
    seen = Counter(
        (tuple(job["entrants"][:seats].tolist()), int(job["first_deal"]), int(job["n_deals"])) for job in jobs
    )
    assert set(seen.values()) == {1}
    assert len({arrangement for arrangement, *_ in seen}) == 2**seats - 2
    assert len(seen) == (2**seats - 2) * (plan.cycle_length if unit == "deal" else 1)


def test_a_block_of_a_duel_is_one_orbit_of_one_deal() -> None:
    plan = duel_of(4, unit="deal", blocks=32)
    for block in range(32):
        jobs = plan.jobs(block, block)
        assert len({(int(job["game"]), int(job["first_deal"]), int(job["table"])) for job in jobs}) == 1
        seated = [tuple(job["entrants"][:4].tolist()) for job in jobs]
        assert len(set(seated)) == len(seated)
        assert seated == [tuple(np.roll(seated[0], by).tolist()) for by in range(len(seated))]


@pytest.mark.parametrize("blocks", [1, 15, 16, 17, 50])
@pytest.mark.parametrize("unit", ["game", "deal"])
def test_the_games_of_a_duel_are_counted_as_they_are_played(blocks: int, unit: str) -> None:
    plan = duel_of(4, unit=unit, blocks=blocks)
    assert plan.n_games == len(plan.jobs(0, blocks - 1))
    assert sum(len(plan.jobs(first, last)) for first, last in plan.units) == plan.n_games


PLANS = {
    "duel": ("ab", ("abbb", "aabb", "aaab")),
    "mirror": ("abxyz", ("axyz", "bxyz")),
    "gauntlet": ("nabcd", ("nabc", "nabd", "nacd", "nbcd")),
    "selfplay": ("abcd", None),
}


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize("unit", ["game", "deal"])
def test_strategy_seat_direction_and_neighbour_are_not_aliased(kind: str, unit: str) -> None:
    """Every entrant meets each (seat, direction) equally often, and each other entrant at each distance."""
    names, tables = PLANS[kind]
    plan = plan_of(kind, names, tables, unit=unit, blocks=1)
    balance = check_balance(plan)
    assert (balance["seats_balanced"], balance["neighbours_balanced"]) == (True, True)
    # and the check itself sees a plan that stops short of its period
    if unit == "deal":
        short = count_cells(plan, 0, plan.period - 2)
        assert not np.all(short == short[:, :1, :1])


def test_self_play_seats_everybody_everywhere_in_every_order_but_once_a_deal() -> None:
    plan = plan_of("selfplay", "abcd", None, unit="deal", blocks=96)
    assert plan.n_games == 96 == plan.period
    assert np.all(count_cells(plan, 0, 95) == 96 // 16)
    assert len(list_arrangements([0, 1, 2, 3])) == math.factorial(4)
    others = count_neighbours(plan, 0, 95)
    assert all(np.all(others[a, b] == 8) for a in range(4) for b in range(4) if a != b)


def test_a_plan_with_orbits_survives_the_manifest() -> None:
    plan = duel_of(4, unit="deal", blocks=40)
    again = Plan.from_dict(plan.to_dict())
    assert again.hash() == plan.hash()
    assert np.array_equal(again.jobs(3, 30), plan.jobs(3, 30))
    assert plan.hash() != duel_of(4, unit="deal", blocks=41).hash()
