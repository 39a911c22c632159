"""Random deals of Hearts through OpenSpiel's Python binding, to compare speeds with."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable

import numpy as np

N_DEALS = 500
_WORDS_PER_DEAL = 150
"""A deal takes a choice of passing direction, 52 cards dealt, 12 passed and 52 played: 117."""


def make_player(n_deals: int = N_DEALS) -> Callable[[], tuple[int, float]]:
    """Return a function that plays deals with OpenSpiel and returns how many, and the seconds.

    Every action is uniformly random among the legal ones, chance included, as in hearts-sim's ``random``. The game has
    OpenSpiel's own defaults, which are the standard rules with passing. Random words are made beforehand, so that
    little but OpenSpiel is timed.

    Raises
    ------
    ImportError
        If OpenSpiel is not installed.
    """
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("hearts")
    words = _make_words(n_deals * _WORDS_PER_DEAL)

    def play() -> tuple[int, float]:
        next_word = iter(words).__next__
        started = time.perf_counter()
        for _ in range(n_deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[next_word() * len(actions) >> 32])
        return n_deals, time.perf_counter() - started

    return play


def _make_words(n: int) -> list[int]:
    """Return n random 32-bit words: the upper halves of a SplitMix64 stream."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    words: list[int] = ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).tolist()
    return words
