"""From a strategy found to one that plays: parameters filled in, compiled for the loop or wrapped for it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

from hearts_sim.bots import registry
from hearts_sim.bots.registry import StrategyInfo
from hearts_sim.bots.strategy import Strategy
from hearts_sim.errors import StrategyFault, UsageError
from hearts_sim.game import calls
from hearts_sim.game.table import ENTRANT, MAX_PARAMS

# A cached strategy does not notice edits in modules it imports; these cannot change under it.
_SAFE_IMPORTS = {"hearts_sim", "numba", "numpy"} | set(sys.stdlib_module_names)
# Other strategies are not among the sources that name the cache folder.
_STRATEGIES = "hearts_sim.strategies."


@dataclass(frozen=True)
class Player:
    """A strategy with its parameter values, ready to sit down.

    Attributes
    ----------
    info : StrategyInfo
        The strategy.
    params : dict of str to float
        Every declared parameter with its value, in order of declaration.
    dispatchers : tuple
        The compiled ``choose_pass`` and ``choose_card``; empty for a plain strategy.
    """

    info: StrategyInfo
    params: dict[str, float]
    dispatchers: tuple[Any, ...]

    def fill_entrant(self, entrant: Any) -> None:
        """Write this player into one ENTRANT record."""
        addresses = [calls.get_address(d) for d in self.dispatchers] or [0, 0]
        entrant["pass_address"], entrant["card_address"] = addresses
        entrant["params"][: len(self.params)] = list(self.params.values())


def load_player(spec: str, base: Path | None = None, params: Mapping[str, float] | None = None) -> Player:
    """Find a strategy, check its parameters and compile it.

    Raises
    ------
    UsageError
        If the name or a parameter is wrong.
    StrategyFault
        If a compiled strategy does not compile.
    """
    info = registry.find(spec, base)
    chosen = {**info.given, **(params or {})}
    registry.check_params(info.cls, chosen, spec)
    if len(info.params) > MAX_PARAMS:
        raise UsageError(f"{spec}: {len(info.params)} parameters; at most {MAX_PARAMS} are possible")
    values = {key: float(chosen.get(key, param.default)) for key, param in info.params.items()}
    return Player(info, values, _compile(info.cls, info.path) if info.compiled else ())


def make_entrants(players: list[Player]) -> npt.NDArray[Any]:
    """Return the players as an array of ENTRANT, shape (n_players,)."""
    entrants = np.zeros(len(players), ENTRANT)
    for entrant, player in zip(entrants, players, strict=True):
        player.fill_entrant(entrant)
    return entrants


_compiled: dict[type[Strategy], tuple[Any, ...]] = {}


def _compile(cls: type[Strategy], path: Path) -> tuple[Any, ...]:
    if cls not in _compiled:
        keep = _imports_only_safe(path)
        _compiled[cls] = tuple(
            _compile_method(cls, name, path, keep) for name in ("choose_pass", "choose_card")
        )
    return _compiled[cls]


def _compile_method(cls: type[Strategy], name: str, path: Path, keep: bool) -> Any:
    try:
        return calls.compile_method(getattr(cls, name), keep)
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith("Failed in")), lines[0])
        place = next((line for line in reversed(lines) if line.startswith("File ")), "")
        raise StrategyFault(
            f"the strategy {cls.name or cls.__name__!r} ({path}) does not compile: {name}: {reason}"
            + (f"\n  {place}" if place else "")
            + "\n  Compiled strategies use numba's subset of Python; set compiled = False to play it as plain Python."
        ) from error
    except Exception as error:  # numba lets mistakes such as a name that does not exist through as they are
        reason = f"there is no field {error}" if isinstance(error, KeyError) else str(error)
        raise StrategyFault(
            f"the strategy {cls.name or cls.__name__!r} ({path}) does not compile: {name}: "
            f"{type(error).__name__}: {reason}"
        ) from error


def _imports_only_safe(path: Path) -> bool:
    """Return whether a strategy file imports nothing that may be edited between two runs."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            module = node.module if node.level == 0 else None
            names = [f"{module}.{alias.name}" for alias in node.names] if module else ["."]
        if any(
            name.split(".")[0] not in _SAFE_IMPORTS or f"{name}.".startswith(_STRATEGIES) for name in names
        ):
            return False
    return True
