"""Made-up games with known finishing orders, for the tests of ratings."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.analysis.finishes import Finishes, count_finishes

Ints = npt.NDArray[np.int64]


def frame_games(block: Ints, entrants: Ints, finals: Ints) -> pl.DataFrame:
    columns: dict[str, Any] = {"block": block}
    for seat in range(entrants.shape[1]):
        columns |= {f"entrant_{seat}": entrants[:, seat], f"score_{seat}": finals[:, seat]}
    return pl.DataFrame(columns)


def count(entrants: Ints, finals: Ints, block: Ints | None = None, k: int | None = None) -> Finishes:
    """Count games given as arrays of shape (n_games, n_seats); each game is a block of its own by default."""
    block = np.arange(len(entrants)) if block is None else block
    rules: Any = SimpleNamespace(seats=entrants.shape[1], exact_target="none", target=100)
    frame = frame_games(block, entrants, finals)
    return count_finishes([frame], k or int(entrants.max()) + 1, rules, int(block.max()) + 1)


def draw_games(
    worths: list[float], n_games: int, seed: int, seats: int = 4, levels: int = 0
) -> tuple[Ints, Ints]:
    """Return games in Plackett-Luce order: finals are places, or with ``levels`` coarse times, so that some tie."""
    generator = np.random.default_rng(seed)
    entrants = np.stack([generator.permutation(len(worths))[:seats] for _ in range(n_games)])
    times = generator.exponential(size=entrants.shape) / np.array(worths)[entrants]
    if levels:
        return entrants, np.minimum(np.floor(levels * times), 3 * levels).astype(np.int64)
    return entrants, times.argsort(axis=1).argsort(axis=1)
