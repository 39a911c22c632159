"""Blocks played in order and without a folder: what a test that may stop at any moment looks at."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import polars as pl

from hearts_sim.bots.play import PlayStopped, Session
from hearts_sim.bots.player import Player
from hearts_sim.tournament import store
from hearts_sim.tournament.design import Plan
from hearts_sim.tournament.experiment import Experiment
from hearts_sim.tournament.sums import sum_blocks

BLOCKS_PER_STEP = 100
"""At most this many blocks are handed over at once; fewer where strategies are slow."""


def stream_sums(
    experiment: Experiment, plan: Plan, players: Sequence[Player], *, jobs: int = 1
) -> Generator[pl.DataFrame, None, None]:
    """Play the blocks of a plan and yield their sums, a few blocks at a time, in the order of the blocks.

    What is yielded, and in which portions, does not depend on ``jobs``: whoever looks after each portion and stops sees
    the same whatever the number of threads. Closing the generator stops the threads.

    Parameters
    ----------
    experiment : Experiment
        What to play; its seed must be set.
    plan : Plan
        Its plan.
    players : sequence of Player
        The entrants' strategies, loaded.
    jobs : int
        Threads.

    Yields
    ------
    DataFrame
        The rows of `sums.sum_blocks` of the next `find_step` blocks.

    Raises
    ------
    PlayFault
        If a strategy breaks the contract, when the blocks before have been yielded.
    """
    stop, local = threading.Event(), threading.local()
    n_seats = experiment.rules.seats

    def play(first: int, last: int) -> pl.DataFrame:
        if not hasattr(local, "session"):
            local.session = Session(experiment.rules, experiment.seed, players, should_stop=stop.is_set)
        if stop.is_set():
            raise PlayStopped
        rows = local.session.play(plan.jobs(first, last), keep=False)
        return sum_blocks(store.frame_deals(rows, n_seats), n_seats, len(players), experiment.rules)

    step = find_step(plan)
    waiting: deque[Future[pl.DataFrame]] = deque()
    pool = ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="hearts-sim")
    try:
        for first in range(0, plan.blocks, step):
            waiting.append(pool.submit(play, first, min(first + step, plan.blocks) - 1))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def find_step(plan: Plan) -> int:
    """Return how many blocks of a plan are handed over at once."""
    return min(BLOCKS_PER_STEP, plan.blocks_per_unit)
