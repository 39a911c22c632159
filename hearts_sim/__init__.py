"""A headless tournament simulator and strategy benchmark for the card game Hearts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hearts_sim.bots.strategy import Param as Param
    from hearts_sim.bots.strategy import Strategy as Strategy
    from hearts_sim.game import cards as cards
    from hearts_sim.game import rng as rng
    from hearts_sim.game.rules import Rules as Rules
    from hearts_sim.game.views import Seat as Seat
    from hearts_sim.game.views import Table as Table

__version__ = "0.1.0"

_EXPORTS = {
    "Param": ("hearts_sim.bots.strategy", "Param"),
    "Strategy": ("hearts_sim.bots.strategy", "Strategy"),
    "Rules": ("hearts_sim.game.rules", "Rules"),
    "Seat": ("hearts_sim.game.views", "Seat"),
    "Table": ("hearts_sim.game.views", "Table"),
    "cards": ("hearts_sim.game.cards", None),
    "rng": ("hearts_sim.game.rng", None),
}
__all__ = [*_EXPORTS, "__version__"]


def __getattr__(name: str) -> Any:
    """Import an exported name on first use, so that importing the package stays instant."""
    if name not in _EXPORTS:
        raise AttributeError(f"module 'hearts_sim' has no attribute {name!r}")
    module_name, attribute = _EXPORTS[name]
    module = importlib.import_module(module_name)
    return module if attribute is None else getattr(module, attribute)
