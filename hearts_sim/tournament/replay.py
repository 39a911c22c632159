"""Plays one game of a run, or of a seed, once more and keeps every card of it, up to where it breaks off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt
import polars as pl

import hearts_sim
from hearts_sim.bots.play import PlayFault, Session
from hearts_sim.bots.player import Player
from hearts_sim.errors import DamagedRun, UsageError
from hearts_sim.game.notation import list_cards
from hearts_sim.game.reference import Deal
from hearts_sim.game.rules import Rules
from hearts_sim.game.transcript import Transcript, read_deal
from hearts_sim.tournament import store
from hearts_sim.tournament.design import Plan
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment

NOBODY = -1


@dataclass(frozen=True)
class Replay:
    """A game played once more.

    Attributes
    ----------
    transcript : Transcript
        The whole deals.
    rows : ndarray of DEAL_ROW, shape (n_deals,)
        The same deals as the loop stored them.
    fault : PlayFault or None
        How a strategy broke the contract, if one did.
    broken : Deal or None
        The deal it did so in, up to the last card that was played.
    """

    transcript: Transcript
    rows: npt.NDArray[Any]
    fault: PlayFault | None = None
    broken: Deal | None = None


def seat_experiment(rules: Rules, strategies: Sequence[str], seed: int) -> Experiment:
    """Return an experiment of one table at which the strategies sit in the order given.

    Raises
    ------
    UsageError
        If there is not one strategy for each seat.
    """
    if len(strategies) != rules.seats:
        raise UsageError(
            f"these rules seat {rules.seats}, but {len(strategies)} entrants are named; "
            "name one for each seat, such as greedy,ducker,low,random"
        )
    entrants = tuple(EntrantSpec(name, name) for name in strategies)
    design = DesignSpec("fixed", blocks=1, tables=(tuple(strategies),))
    return Experiment("replay", "", seed, rules, entrants, design)


def read_experiment(manifest: dict[str, Any], folder: Path) -> tuple[Experiment, Plan]:
    """Return the experiment and the plan that a run's manifest describes.

    Raises
    ------
    DamagedRun
        If the manifest does not describe them.
    """
    try:
        return Experiment.from_dict(manifest["experiment"]), Plan.from_dict(manifest["design"])
    except (KeyError, TypeError, ValueError, UsageError) as error:
        raise DamagedRun(
            f"{folder / store.MANIFEST} does not describe an experiment of this version of hearts-sim: {error}"
        ) from error


def find_game(plan: Plan, block: int, table: int, seating: int) -> npt.NDArray[Any]:
    """Return one game of a plan as an array of JOB, shape (1,).

    Raises
    ------
    UsageError
        If the plan has no such block, table or seating.
    """
    counts = (("block", block, plan.blocks), ("table", table, len(plan.tables)))
    for what, value, count in (*counts, ("seating", seating, plan.n_seats)):
        if not 0 <= value < count:
            known = f"{what}s 0 to {count - 1}" if count > 1 else f"only {what} 0"
            raise UsageError(f"there is no {what} {value}; this run has {known}")
    jobs = plan.jobs(block, block)
    found = jobs[(jobs["table"] == table) & (jobs["seating"] == seating)]
    if not len(found):
        played = ", ".join(f"table {job['table']} seating {job['seating']}" for job in jobs)
        raise UsageError(
            f"block {block} does not play table {table} seating {seating}; blocks of this design take turns, and "
            f"this one plays {played}"
        )
    job: npt.NDArray[Any] = found[:1].copy()
    return job


def play_again(experiment: Experiment, players: Sequence[Player], job: npt.NDArray[Any]) -> Replay:
    """Play one game, keeping its cards.

    Parameters
    ----------
    experiment : Experiment
        The rules, the seed and the entrants.
    players : sequence of Player
        The entrants' strategies.
    job : ndarray of JOB, shape (1,)
        The game.

    Returns
    -------
    Replay
        With the deals before the fault, if a strategy breaks the contract.
    """
    rules = experiment.rules
    session = Session(rules, experiment.seed, players, record_cards=True)
    fault, broken = None, None
    try:
        rows = session.play(job)
    except PlayFault as error:
        fault, broken = error, read_deal_in_play(session.game, rules)
        rows = _play_deals_before(session, job, broken.deal)
    deals = tuple(read_deal(row, cards, rules) for row, cards in zip(rows, session.cards, strict=True))
    names = [experiment.entrants[entrant].name for entrant in job["entrants"][0][: rules.seats]]
    transcript = Transcript(
        rules,
        tuple(names),
        deals,
        seed=experiment.seed,
        game=int(job["game"][0]),
        seating=int(job["seating"][0]),
        first_deal=int(job["first_deal"][0]),
        n_deals=int(job["n_deals"][0]),
    )
    return Replay(transcript, rows, fault, broken)


def _play_deals_before(session: Session, job: npt.NDArray[Any], number: int) -> npt.NDArray[Any]:
    """Play the game's deals before one that breaks off: the loop gives no rows of a game that it did not finish."""
    shorter = job.copy()
    shorter["n_deals"] = number - job["first_deal"]
    rows = session.play(shorter[shorter["n_deals"] > 0])
    rows["ended"] = 0  # the game went on to the deal in which it broke off
    return rows


def read_deal_in_play(game: Any, rules: Rules) -> Deal:
    """Return the deal that a game record stands in, up to its last card.

    Nobody is the opener while seats are passing. ``points`` are those taken so far, ``scores`` the totals before.
    """
    seats, table = rules.seats, game["table"]
    is_passing = int(table["trick_number"]) == 0
    n_plays = 0 if is_passing else seats * (int(table["trick_number"]) - 1) + int(table["trick_length"])
    plays = [list_cards(card)[0] for card in game["plays"][:n_plays].tolist()]
    facts = ("threat", "queen_from", "queen_to", "queen_taker", "queen_trick", "broken_trick")
    return Deal(
        deal=int(table["deal_number"]),
        pass_offset=int(table["pass_offset"]),
        points=tuple(table["points"][:seats].tolist()),
        scores=tuple(table["scores"][:seats].tolist()),
        opener=NOBODY if is_passing else int(game["opener"]),
        moon=NOBODY,
        sun=NOBODY,
        bonus_taker=NOBODY,
        ended=0,
        dealt=tuple(game["dealt"][:seats].tolist()),
        passed=tuple(game["pass_masks"][:seats].tolist()),
        plays=tuple(plays),
        **{name: int(game[name]) for name in facts},
    )


def list_changes(manifest: dict[str, Any], players: Sequence[Player]) -> list[str]:
    """Return what has changed since a run was played and may change its games, one sentence each."""
    played_by, is_now = manifest["versions"]["hearts_sim"], hearts_sim.__version__
    changes = []
    if played_by != is_now:
        changes.append(f"the run was played by hearts-sim {played_by}, this is {is_now}")
    for entrant, player in zip(manifest["entrants"], players, strict=True):
        if entrant["source_hash"] != player.info.source_hash:
            changes.append(f"{player.info.path.name} was edited since {entrant['name']!r} played the run")
    return changes


def find_stored_difference(folder: Path, plan: Plan, rows: npt.NDArray[Any]) -> int | None:
    """Return the number of the first deal that the run stored otherwise than it was played now, or None.

    None as well where the run kept no deals of this game.

    Parameters
    ----------
    folder : Path
        The run folder.
    plan : Plan
        The run's plan.
    rows : ndarray of DEAL_ROW, shape (n_deals,)
        One whole game.
    """
    unit = int(rows["game"][0]) // plan.blocks_per_unit
    path = store.part_path(folder, unit, "deals")
    if not path.is_file():
        return None
    played = store.frame_deals(rows, plan.n_seats)
    try:
        stored = pl.read_parquet(path).filter(
            block=played["block"][0], table=played["table"][0], seating=played["seating"][0]
        )
    except (OSError, pl.exceptions.PolarsError) as error:
        raise DamagedRun(f"{path} cannot be read: {error}") from error
    for ours, theirs in zip(played.rows(), stored.rows(), strict=False):
        if ours != theirs:
            return int(ours[played.columns.index("deal")])
    return None if stored.height == played.height else int(rows["deal"][-1])
