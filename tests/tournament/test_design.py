"""The plan: who sits where on which deals; balanced, fair, and a function of the experiment alone."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from hearts_sim.errors import UsageError
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.design import (
    GAMES_PER_PLAIN_UNIT,
    GAMES_PER_UNIT,
    Plan,
    check_balance,
    count_cells,
    count_neighbours,
    list_orders,
    make_plan,
)
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment

LEFT, RIGHT, ACROSS, HOLD = range(4)


def make_experiment(
    names: str = "abcd",
    *,
    rules: Rules | None = None,
    tables: tuple[str, ...] | None = None,
    **design: object,
) -> Experiment:
    spec = DesignSpec(
        kind="fixed" if tables else "round_robin",
        tables=tuple(tuple(table) for table in tables) if tables else None,
        **design,  # type: ignore[arg-type]
    )
    entrants = tuple(EntrantSpec(name, "low") for name in names)
    return Experiment("test", "test", 1, rules or Rules(), entrants, spec)


def plan_of(*args: object, compiled: bool = True, **kwargs: object) -> Plan:
    return make_plan(make_experiment(*args, **kwargs), compiled=compiled)  # type: ignore[arg-type]


# --- balance


def test_over_400_deals_every_bot_seat_direction_cell_is_equal() -> None:
    plan = plan_of("abcd", unit="deal", blocks=100)
    cells = count_cells(plan, 0, 99)
    assert plan.n_games == 400
    assert cells.shape == (4, 4, 4)
    assert np.all(cells == 25)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("unit", ["game", "deal"])
def test_over_a_period_strategy_seat_direction_and_neighbour_are_crossed(seats: int, unit: str) -> None:
    plan = plan_of("abcdef"[:seats], rules=Rules(seats=seats), unit=unit, blocks=1)
    n_orders = math.factorial(seats - 1)
    assert plan.period == n_orders * (plan.cycle_length if unit == "deal" else 1)
    cells = count_cells(plan, 0, plan.period - 1)
    assert np.all(cells == n_orders)
    neighbours = count_neighbours(plan, 0, plan.period - 1)
    for one, other in itertools.product(range(seats), repeat=2):
        # each of the other seats - 1 entrants is at each distance equally often, in every direction
        assert np.all(neighbours[one, other] == (0 if one == other else n_orders * seats // (seats - 1)))


def test_direction_and_rotation_share_no_period() -> None:
    """The fault to avoid: seating and direction advance together, and a seat always passes the same way."""
    jobs = plan_of("abcd", unit="deal", blocks=24).jobs(0, 23)
    seen = {(int(job["first_deal"]), int(job["entrants"][0])) for job in jobs}
    assert seen == set(itertools.product((1, 2, 3, 4), range(4)))


def test_the_balance_check_can_fail() -> None:
    plan = plan_of("abcd", unit="deal", blocks=24)
    broken = dataclasses.replace(plan, cycle_length=4)
    broken.__dict__["orders"] = list_orders(4)[:1]
    balance = check_balance(broken)
    assert balance["seats_balanced"]
    assert not balance["neighbours_balanced"]
    assert check_balance(plan)["neighbours_balanced"]


def test_left_over_blocks_are_told_with_what_they_unbalance() -> None:
    balance = check_balance(plan_of("abcd", unit="deal", blocks=26))
    assert (balance["whole_periods"], balance["blocks_left_over"]) == (1, 2)
    # two directions have 7 blocks, two have 6: the cells are 7 and 6 where the mean is 6.5
    assert balance["uneven"] == pytest.approx(1 / 6.5)
    assert check_balance(plan_of("abcd", unit="deal", blocks=48))["uneven"] == 0


@pytest.mark.parametrize("tables", [("abbb",), ("abab",), ("aabb", "abbb"), ("aaaa",)])
def test_tables_with_repeated_names_keep_all_rotations(tables: tuple[str, ...]) -> None:
    names = sorted(set("".join(tables)))
    plan = plan_of("".join(names), tables=tables, unit="deal", blocks=24)
    jobs = plan.jobs(0, 0)
    assert len(jobs) == 4 * len(tables)
    balance = check_balance(plan)
    assert balance["seats_balanced"]
    assert balance["neighbours_balanced"]


def test_one_against_three_sits_in_four_different_seats() -> None:
    jobs = plan_of("ab", tables=("abbb",), unit="game", blocks=1).jobs(0, 0)
    assert sorted(tuple(row) for row in jobs["entrants"][:, :4]) == [
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    ]


# --- the same deals for everybody


def test_a_round_robin_has_every_choice_of_entrants_once() -> None:
    plan = plan_of("abcdef", unit="game", blocks=2)
    assert [tuple(table) for table in plan.tables] == list(itertools.combinations(range(6), 4))
    assert plan.n_games == 2 * 15 * 4


def test_each_table_and_seating_of_a_block_meets_the_same_deals() -> None:
    jobs = plan_of("abcde", unit="deal", blocks=50).jobs(0, 49)
    for block in range(50):
        mine = jobs[jobs["game"] == block]
        assert len(mine) == 5 * 4
        assert len(np.unique(mine["first_deal"])) == 1
        assert sorted({(int(t), int(s)) for t, s in mine[["table", "seating"]]}) == list(
            itertools.product(range(5), range(4))
        )
        for _, seatings in itertools.groupby(mine, key=lambda job: int(job["table"])):
            seats = np.array([job["entrants"][:4] for job in seatings])
            assert all(len(set(column)) == 4 for column in seats.T), "each member sits once in each seat"


@pytest.mark.parametrize("unit", ["game", "deal"])
def test_block_i_is_a_function_of_i_alone(unit: str) -> None:
    long, short = plan_of("abcde", unit=unit, blocks=1000), plan_of("abcde", unit=unit, blocks=1)
    assert np.array_equal(long.jobs(100, 160), short.jobs(0, 160)[100 * long.games_per_block :])
    pieces = np.concatenate([long.jobs(first, first + 6) for first in range(0, 70, 7)])
    assert np.array_equal(pieces, long.jobs(0, 69))


def test_other_entrants_leave_the_deals_of_every_block_as_they_are() -> None:
    few, many = plan_of("abcd", unit="deal", blocks=30), plan_of("abcdef", unit="deal", blocks=30)
    for plan in (few, many):
        assert {(int(j["game"]), int(j["first_deal"])) for j in plan.jobs(0, 29)} == {
            (block, block % 4 + 1) for block in range(30)
        }


def test_units_of_work_play_whole_games_from_deal_1_and_single_deals_one_by_one() -> None:
    games = plan_of("abcd", unit="game", blocks=9).jobs(0, 8)
    assert set(games["first_deal"]) == {1}
    assert set(games["n_deals"]) == {0}
    deals = plan_of("abcd", unit="deal", blocks=9).jobs(0, 8)
    assert set(deals["n_deals"]) == {1}


def test_games_use_one_cyclic_order_after_another() -> None:
    jobs = plan_of("abcd", unit="game", blocks=6).jobs(0, 5)
    orders = set()
    for block in range(6):
        seats = [int(e) for e in jobs[jobs["game"] == block][0]["entrants"][:4]]
        at = seats.index(0)
        orders.add(tuple(seats[at:] + seats[:at]))
    assert orders == {(0, *rest) for rest in itertools.permutations((1, 2, 3))}


# --- portions


@pytest.mark.parametrize("unit", ["game", "deal"])
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("blocks", [1, 17, 999, 250_000])
def test_units_cover_every_block_once_and_are_neither_huge_nor_tiny(
    unit: str, compiled: bool, blocks: int
) -> None:
    plan = plan_of("abcde", unit=unit, blocks=blocks, compiled=compiled)
    covered = [block for first, last in plan.units for block in range(first, last + 1)]
    assert covered == list(range(blocks))
    most = (GAMES_PER_UNIT if compiled else GAMES_PER_PLAIN_UNIT)[unit]
    largest = max(last - first + 1 for first, last in plan.units) * plan.games_per_block
    assert largest <= max(most, plan.games_per_block)
    if blocks == 250_000:
        assert largest > 0.9 * most - plan.games_per_block
    assert plan.describe()["units"] == len(plan.units)


def test_a_block_larger_than_a_unit_is_a_unit_of_its_own() -> None:
    plan = plan_of("abcdefgh", unit="game", blocks=3, compiled=False)
    assert plan.games_per_block == 280
    assert plan.units == [(0, 0), (1, 1), (2, 2)]


def test_plain_strategies_make_small_units() -> None:
    experiment = make_experiment("abcd", blocks=5000)
    assert make_plan(experiment, compiled=False).blocks_per_unit < make_plan(experiment).blocks_per_unit


def test_a_plan_survives_the_manifest() -> None:
    plan = plan_of("abcde", unit="deal", blocks=40)
    again = Plan.from_dict(plan.to_dict())
    assert again.hash() == plan.hash()
    assert np.array_equal(again.jobs(3, 9), plan.jobs(3, 9))
    assert again.units == plan.units


def test_counts_of_deals_are_exact_where_the_rules_fix_them() -> None:
    assert plan_of("abcd", unit="game", blocks=10).describe()["deals"] is None
    assert plan_of("abcd", unit="game", blocks=10, rules=Rules(deals_per_game=8)).describe()["deals"] == 320
    assert plan_of("abcde", unit="deal", blocks=10).describe()["deals"] == 200


def test_too_many_tables_are_refused_before_they_are_made() -> None:
    experiment = make_experiment("abcd", blocks=1)
    crowd = tuple(EntrantSpec(f"e{i}", "low") for i in range(200))
    with pytest.raises(UsageError, match="64,684,950 tables, and at most 65,535"):
        make_plan(dataclasses.replace(experiment, entrants=crowd))
