"""The cards of a block: the same at every table in every seating, whoever plays; set by seed and block."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hearts_sim.bots.play import Session
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.design import Plan, make_plan
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment


def play(
    strategies: str, first: int, last: int, *, seed: int = 7, unit: str = "deal"
) -> tuple[Plan, npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the plan, the rows and the dealt cards of some blocks."""
    names = strategies.split()
    entrants = tuple(EntrantSpec(f"{name}-{i}", name) for i, name in enumerate(names))
    experiment = Experiment("test", "test", seed, Rules(), entrants, DesignSpec(unit=unit, blocks=last + 1))
    plan = make_plan(experiment)
    session = Session(experiment.rules, seed, [load_player(name) for name in names], record_cards=True)
    rows = session.play(plan.jobs(first, last))
    return plan, rows, session.cards["dealt"][:, :4]


@pytest.mark.parametrize("unit", ["deal", "game"])
def test_every_table_and_seating_of_a_block_is_dealt_the_same(unit: str) -> None:
    _, rows, dealt = play("low ducker greedy random cpu-easy", 0, 5, unit=unit)
    for block in range(6):
        first_deals = dealt[
            (rows["game"] == block) & (rows["deal"] == rows["deal"][rows["game"] == block].min())
        ]
        assert len(first_deals) == 5 * 4
        assert np.all(first_deals == first_deals[0])


def test_other_players_leave_the_deals_of_every_block_as_they_are() -> None:
    _, _, with_low = play("low low low low", 0, 23)
    _, _, with_random = play("random low ducker random", 0, 23)
    assert np.array_equal(with_low, with_random)


def test_later_blocks_are_the_tail_of_a_longer_run() -> None:
    plan, rows, dealt = play("low ducker greedy random", 0, 119)
    _, tail_rows, tail_dealt = play("low ducker greedy random", 100, 119)
    start = 100 * plan.games_per_block
    assert np.array_equal(rows[start:], tail_rows)
    assert np.array_equal(dealt[start:], tail_dealt)


def test_two_seeds_have_no_deal_in_common() -> None:
    deals = [{tuple(cards) for cards in play("low low low low", 0, 255, seed=seed)[2]} for seed in (0, 1)]
    assert [len(d) for d in deals] == [256, 256]
    assert not deals[0] & deals[1]


def test_over_whole_periods_everyone_passes_every_way_from_every_seat() -> None:
    """The plan's balance as it shows in what was played, not in what was planned."""
    _, rows, _ = play("low ducker greedy random", 0, 47)
    cells = np.zeros((4, 4, 4), int)
    for seat in range(4):
        np.add.at(cells, (rows["entrants"][:, seat], seat, rows["pass_offset"]), 1)
    assert np.all(cells == 12)
