"""Fixtures: what a strategy plays or passes in a position written as cards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from positions import ask, build_passing, build_position

from hearts_sim.game.notation import format_cards


@pytest.fixture
def plays() -> Callable[..., str]:
    """``plays("greedy", hand, trick, ...)`` is the name of the card a strategy plays."""
    return lambda spec, *args, **kwargs: format_cards(ask(spec, build_position(*args, **kwargs)))


@pytest.fixture
def passes() -> Callable[..., set[str]]:
    """``passes("greedy", hand)`` is the set of the cards a strategy passes."""
    return lambda spec, hand, **kwargs: set(format_cards(ask(spec, build_passing(hand, **kwargs))).split())
