"""What a strategy is: a class with a name, parameters, and two methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Param:
    """A number that tunes a strategy.

    Parameters
    ----------
    default, low, high : float
        The usual value and the closed range of allowed ones.
    meaning : str
        One line for the reader of ``hearts-sim list strategies``.
    """

    default: float
    low: float
    high: float
    meaning: str


class Strategy:
    """Base class of everything that plays.

    A compiled strategy has two static methods in numba's subset of Python. ``table`` is a record of
    `hearts_sim.game.table.TABLE` (what everyone knows), ``me`` one of `SEAT` (what this seat alone knows).
    A plain strategy (``compiled = False``) has the same two methods, static or not, on views with the same fields; one
    instance plays one seat for one game.

    Attributes
    ----------
    name : str
        How experiments name it; lower case with hyphens.
    summary : str
        What it does, in one line.
    params : mapping of str to Param
        Its parameters; ``me.params`` holds their values in this order.
    stochastic : bool
        Whether it draws from its own random stream. Ties settled with `rng.pick_tied` do not count.
    compiled : bool
        Whether numba compiles it.
    ignores : tuple of str
        The options of the rules that should change how one plays and that it plays as if they were not there, such as
        ``("bonus_card", "kitty")``: field names of `hearts_sim.game.rules.Rules`. A run whose rules have one of them says
        so once, and ``hearts-sim list strategies NAME`` shows them. What may be played is never ignored: ``me.legal`` has it.
    """

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    params: ClassVar[Mapping[str, Param]] = {}
    stochastic: ClassVar[bool] = False
    compiled: ClassVar[bool] = True
    ignores: ClassVar[tuple[str, ...]] = ()

    choose_pass: Any
    """Return a mask of exactly ``table.rules.pass_cards`` cards of ``me.legal``."""

    choose_card: Any
    """Return a mask with one card of ``me.legal``."""
