"""Gets an experiment's strategies and the loop ready to play, and says so when that takes a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hearts_sim.bots.player import Player
    from hearts_sim.cli.console import Terminal
    from hearts_sim.tournament.experiment import Experiment

COMPILING = "compiling the loop and the strategies, once on this machine, about 20 s ..."
PREPARING = "preparing the strategies ..."


def prepare_players(experiment: Experiment, terminal: Terminal) -> list[Player]:
    """Return the entrants' strategies, compiled or loaded, with the loop ready as well."""
    from hearts_sim.tournament import runner

    if is_loop_compiled():
        step = terminal.announce(PREPARING, "ready after {seconds}", after_s=1.5)
    else:
        step = terminal.announce(COMPILING, "compiled in {seconds}", after_s=0)
    with step:
        players = runner.load_players(experiment)
        runner.warm_up(experiment, players)
    return players


def say_what_is_ignored(experiment: Experiment, players: Sequence[Player], terminal: Terminal) -> None:
    """Warn of the rules that strategies do not model, once for all of them."""
    from hearts_sim.bots.ignored import explain_ignored

    for text in explain_ignored([player.info for player in players], experiment.rules):
        terminal.say(f"warning: {text}")


def is_loop_compiled() -> bool:
    """Return whether an earlier process left the compiled loop where this one will look for it."""
    from hearts_sim.game import jit

    return any(jit.CACHE_FOLDER.glob("**/loop.run-*.nbi"))
