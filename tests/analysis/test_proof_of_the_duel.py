"""Slow proof of what a duel gains: the variance of its answer against the same number of games in other seatings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hearts_sim.bots.play import Session
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.contest import make_contest
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.orbits import rotate

pytestmark = pytest.mark.slow

GAMES = 56_000
PAIRS = {
    "greedy, greedy:blunder=0.1": 1.5,
    "cpu-hard, cpu-medium": 1.2,
    "greedy, ducker": 1.2,
    "greedy, random": 0.5,
}
"""How much less variance a duel must have than one arrangement a deal. Of very unequal bots it need not gain."""


def play_differences(pair: str, jobs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return by how many points the first of a pair takes fewer than the second, in each single deal."""
    players = [load_player(spec.strip()) for spec in pair.split(",")]
    rows = Session(Rules(), 404, players).play(jobs)
    points, is_first = rows["points"][:, :4].astype(np.float64), rows["entrants"][:, :4] == 0
    first = (points * is_first).sum(axis=1) / is_first.sum(axis=1)
    second = (points * ~is_first).sum(axis=1) / (~is_first).sum(axis=1)
    return second - first


def measure_variance(differences: npt.NDArray[np.float64], blocks: npt.NDArray[Any]) -> float:
    """Return the variance of the mean of blocks, for a single deal played: what ten times as many deals make ten times smaller."""
    _, block = np.unique(blocks, return_inverse=True)
    sizes = np.bincount(block)
    means = np.bincount(block, differences) / sizes
    return float(means.var(ddof=1) * sizes.mean())


@pytest.mark.parametrize("pair", PAIRS)
def test_a_duel_needs_fewer_deals_than_other_seatings(pair: str) -> None:
    first, second = (spec.strip() for spec in pair.split(","))
    plan = make_plan(make_contest(first, second, Rules(), blocks=GAMES * 2 // 7, seed=404))
    duel = plan.jobs(0, plan.blocks - 1)
    assert plan.orbits is not None
    assert len(duel) == GAMES

    orbits = plan.orbits
    arrangements = [
        rotate(tuple(members), by)
        for members, n in zip(orbits.members.tolist(), orbits.seatings.tolist(), strict=True)
        for by in range(n)
    ]
    seated = np.array(arrangements * (GAMES // len(arrangements)))
    turns = np.arange(GAMES)
    # one arrangement a deal: every game is a block of its own
    apart = np.zeros(GAMES, duel.dtype)
    apart["game"], apart["first_deal"], apart["n_deals"] = turns, 1 + turns // len(arrangements) % 4, 1
    apart["entrants"][:, :4] = seated
    # all arrangements of the same deal: 14 games are a block
    same = apart.copy()
    same["game"] = turns // len(arrangements)

    variance = {
        name: measure_variance(play_differences(pair, jobs), jobs["game"])
        for name, jobs in (("one a deal", apart), ("all 14 of a deal", same), ("duel", duel))
    }
    gain = variance["one a deal"] / variance["duel"]
    print(  # noqa: T201
        f"\n{pair}: "
        + ", ".join(f"{name} {value:.1f}" for name, value in variance.items())
        + f"; gain {gain:.2f} and {variance['all 14 of a deal'] / variance['duel']:.2f}"
    )
    assert gain > PAIRS[pair]
