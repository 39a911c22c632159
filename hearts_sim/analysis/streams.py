"""Keyed random words for analyses: each is a function of the run's seed and of what it is for.

SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) as in `hearts_sim.game.rng`, over whole arrays and without numba, which reading a
run does not need. Words, and what is made of them here, are the same on every machine and with every version of numpy.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

BOOTSTRAP, SIMULATION = 3, 4
"""Purposes; 1 and 2 deal cards and draw for seats (`hearts_sim.game.rng`)."""

Words = npt.NDArray[np.uint64]

_WEYL = np.uint64(0x9E3779B97F4A7C15)
_MIX_0 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_1 = np.uint64(0x94D049BB133111EB)


def draw_words(start: npt.ArrayLike, counter: npt.ArrayLike) -> Words:
    """Return the words at positions ``counter`` of the SplitMix64 streams that begin at ``start``; both are broadcast."""
    with np.errstate(over="ignore"):
        z = np.asarray(start, np.uint64) + np.asarray(counter, np.uint64) * _WEYL
        z = (z ^ (z >> np.uint64(30))) * _MIX_0
        z = (z ^ (z >> np.uint64(27))) * _MIX_1
        return np.asarray(z ^ (z >> np.uint64(31)), np.uint64)


def start_stream(seed: int, purpose: int) -> Words:
    """Return where the stream of a purpose begins, for a root seed of 0 to 2**64 - 1."""
    return draw_words(draw_words(np.uint64(seed), 1), np.uint64(purpose))


def draw_normals(seed: int, purpose: int, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Return independent standard normal numbers, by inversion of 53 random bits; row by row, so rows can be added."""
    counter = np.arange(1, math.prod(shape) + 1, dtype=np.uint64).reshape(shape)
    uniform = ((draw_words(start_stream(seed, purpose), counter) >> np.uint64(11)) + 0.5) / 2.0**53
    return np.asarray(ndtri(uniform), np.float64)


def draw_counts(seed: int, first: int, last: int, draws: int) -> npt.NDArray[np.uint8]:
    """Return how often blocks ``first`` to ``last`` - 1 are drawn in each bootstrap sample: Poisson counts of mean 1.

    A count depends on the seed, the block and the sample alone, so blocks may be taken in any order and in any portions. 16 random
    bits make one count; its distribution is Poisson's to 1 / 65,536.

    Returns
    -------
    ndarray of uint8, shape (last - first, draws)
    """
    blocks = draw_words(start_stream(seed, BOOTSTRAP), np.arange(first + 1, last + 1, dtype=np.uint64))
    words = draw_words(blocks[:, None], np.arange(1, -(-draws // 4) + 1, dtype=np.uint64))
    lanes = words.astype("<u8").view("<u2")[:, :draws]
    return np.asarray(_POISSON[lanes], np.uint8)


def _tabulate_poisson() -> npt.NDArray[np.uint8]:
    """Return the Poisson count, mean 1, for each of 65,536 equally likely numbers."""
    shares = np.exp(-1) / np.array([math.factorial(n) for n in range(13)], np.float64)
    bounds = np.rint(np.cumsum(shares) * 65536).astype(np.int64)
    return np.searchsorted(bounds, np.arange(65536), side="right").astype(np.uint8)


_POISSON = _tabulate_poisson()
