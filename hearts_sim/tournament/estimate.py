"""What a run will cost, found by playing a little of it and keeping nothing."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass

from hearts_sim.bots.play import Session
from hearts_sim.bots.player import Player
from hearts_sim.tournament import store
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.experiment import Experiment


@dataclass(frozen=True)
class Cost:
    """What a run will cost, from a sample of its own games.

    Attributes
    ----------
    games_played, deals_played : int
        The size of the sample.
    deals : int
        Deals of the whole run.
    thread_s : float
        Seconds of the whole run on one thread.
    disk_bytes : int
        Size of the per-deal rows of the whole run.
    """

    games_played: int
    deals_played: int
    deals: int
    thread_s: float
    disk_bytes: int


def estimate_cost(experiment: Experiment, players: list[Player], seconds: float = 1.0) -> Cost:
    """Play the first blocks of an experiment for about ``seconds`` and scale up; writes nothing."""
    plan = make_plan(experiment, compiled=all(player.info.compiled for player in players))
    session = Session(experiment.rules, experiment.seed, players)
    session.play(plan.jobs(0, 0)[:1])
    games = deals = n_bytes = 0
    spent, first, step = 0.0, 0, 1
    while first < plan.blocks and spent < seconds:
        jobs = plan.jobs(first, min(first + step, plan.blocks) - 1)
        started = time.perf_counter()
        rows = session.play(jobs)
        spent += time.perf_counter() - started
        buffer = io.BytesIO()
        store.frame_deals(rows, experiment.rules.seats).write_parquet(
            buffer, compression="zstd", compression_level=1
        )
        games, deals, n_bytes = games + len(jobs), deals + len(rows), n_bytes + len(buffer.getvalue())
        first += step
        step = min(2 * step, plan.blocks_per_unit)
    scale = plan.n_games / games
    return Cost(games, deals, round(deals * scale), spent * scale, round(n_bytes * scale))
