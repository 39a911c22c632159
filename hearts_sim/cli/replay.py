"""``hearts-sim replay``: one deal as people read it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.console import Terminal, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.cli.names import RESULTS, complete_with, find_run_folder, list_preset_names, list_run_names
from hearts_sim.cli.run import Number, Seed
from hearts_sim.errors import DamagedRun, UsageError, did_you_mean

if TYPE_CHECKING:
    from hearts_sim.bots.play import PlayFault
    from hearts_sim.game.reference import Deal
    from hearts_sim.game.transcript import Transcript

FITTING = {
    "a run folder": ("block", "table", "seating", "deal"),
    "--entrants": ("seed", "game", "rules", "seating", "deal"),
    "a transcript": ("deal",),
}
"""Which options say where to look, by what is looked at."""


class Index(Number):
    """A number that counts from 0."""

    low, words = 0, "of 0 or more"


@dataclass(frozen=True)
class Shown:
    """A game to show a deal of.

    Attributes
    ----------
    title : str
        What it is, in one line.
    transcript : Transcript
        Its whole deals.
    fault, broken : PlayFault and Deal, or None
        How a strategy broke the contract, and the deal up to there.
    notes : list of str
        What the user should know first.
    damage : str
        What does not agree with what was stored or written; empty if all does.
    """

    title: str
    transcript: Transcript
    fault: PlayFault | None
    broken: Deal | None
    notes: list[str]
    damage: str = ""


@click.command(
    "replay",
    cls=Command,
    examples=(
        ("hearts-sim replay cpu-levels-20261130 --block 12 --deal 3", "a deal of a run in results/"),
        (
            "hearts-sim replay --entrants greedy,ducker,low,random --seed 1 --seat 2",
            "no run needed; only what seat 2 could see",
        ),
        ("hearts-sim replay RUN --block 12 --transcript > game.txt", "the whole game as text ..."),
        ("hearts-sim replay game.txt --deal 3", "... that can be read, checked and shown again"),
    ),
)
@click.argument("what", required=False, shell_complete=complete_with(list_run_names, "file"))
@click.option("--block", type=Index(), help="Of a run: which block.")
@click.option("--table", type=Index(), help="Of a run: which table. [default: 0]")
@click.option("--seating", type=Index(), help="Which seating of the block. [default: 0]")
@click.option("--entrants", metavar="A,B,...", help="Who sits at seats 0, 1, ..., where there is no run.")
@click.option("--seed", type=Seed(), help="With --entrants: the seed.")
@click.option("--game", type=Seed(), help="With --entrants: which game of the seed. [default: 0]")
@click.option(
    "--rules",
    metavar="PRESET",
    shell_complete=complete_with(list_preset_names),
    help="With --entrants: the rules. [default: standard]",
)
@click.option("--deal", type=Number(), help="Which deal. [default: the first, or where the game breaks off]")
@click.option("--seat", type=Index(), help="Hide what this seat could not see.")
@click.option("--transcript", "as_transcript", is_flag=True, help="Print the game as text that reads back.")
@json_option
@output_options
def command(
    what: str | None,
    entrants: str | None,
    deal: int | None,
    seat: int | None,
    as_transcript: bool,
    as_json: bool,
    terminal: Terminal,
    **where: Any,
) -> None:
    """Show one deal as people read it.

    WHAT is a run folder, the name of one in results/, a transcript, or - for a transcript on stdin. Games are
    played once more, card for card; a strategy that breaks the contract does so again, and the deal is shown up
    to there.
    """
    if as_transcript and (as_json or seat is not None):
        raise click.UsageError("--transcript prints a whole game; give it without --json and --seat")
    chosen = {key: value for key, value in where.items() if value is not None}
    if deal is not None:
        chosen["deal"] = deal
    shown = _find(what, entrants, chosen, terminal)
    _check_seat(seat, shown.transcript)
    number = _choose_deal(shown, deal)
    for note in shown.notes:
        terminal.say(f"note: {note}")
    if as_transcript:
        _write_transcript(shown, deal)
    elif as_json:
        terminal.show_json(_make_json(shown, number, seat))
    else:
        _show_deal(shown, number, seat, terminal)
    if shown.damage:
        raise DamagedRun(shown.damage)
    if shown.fault is not None and number == shown.fault.facts.deal:
        raise _limit_fault(shown.fault, seat)


# --- what to show


def _find(what: str | None, entrants: str | None, chosen: dict[str, Any], terminal: Terminal) -> Shown:
    """Return the game that the command line names."""
    if entrants is not None and what is not None:
        raise click.UsageError("--entrants plays a game of its own; give it without a run or a transcript")
    if entrants is not None:
        _refuse_others("--entrants", chosen)
        return _play_entrants(entrants, chosen, terminal)
    if what is None:
        raise click.UsageError(
            "name a run folder, a transcript or - for stdin; or give --entrants A,B,C,D --seed N"
        )
    if what == "-" or Path(what).is_file():
        _refuse_others("a transcript", chosen)
        return _read_transcript(what)
    if Path(what).suffix and not Path(what).exists() and not (RESULTS / what).exists():
        near = did_you_mean(Path(what).name, [path.name for path in Path(what).parent.glob("*")])
        raise UsageError(f"there is no file or run folder {what!r}{near}")
    folder = find_run_folder(what)
    _refuse_others("a run folder", chosen)
    return _play_run(folder, chosen, terminal)


def _refuse_others(kind: str, chosen: dict[str, Any]) -> None:
    for key in chosen:
        if key not in FITTING[kind]:
            fitting = ", ".join(f"--{name}" for name in FITTING[kind])
            raise click.UsageError(f"--{key} does not go with {kind}, which takes {fitting}")


def _play_entrants(entrants: str, chosen: dict[str, Any], terminal: Terminal) -> Shown:
    """Play one game between named strategies."""
    from hearts_sim.bots.play import make_jobs
    from hearts_sim.cli.prepare import prepare_players
    from hearts_sim.game.rules import find_preset
    from hearts_sim.tournament.replay import play_again, seat_experiment

    if "seed" not in chosen:
        raise click.UsageError("--entrants needs --seed N, which the cards are drawn from")
    preset = find_preset(chosen.get("rules", "standard"))
    experiment = seat_experiment(preset.rules, split_entrants(entrants), chosen["seed"])
    players = prepare_players(experiment, terminal)
    game, seating = chosen.get("game", 0), chosen.get("seating", 0)
    replay = play_again(experiment, players, make_jobs(game, 1, seating, range(preset.rules.seats)))
    title = f"game {game} of seed {chosen['seed']}, {preset.name} rules"
    return Shown(title, replay.transcript, replay.fault, replay.broken, [])


def split_entrants(text: str) -> list[str]:
    """Return the strategies named in a list; commas between parameters, as in ``greedy:blunder=0.1,take_high=0``, do not split."""
    names: list[str] = []
    for part in text.split(","):
        is_parameter = "=" in part and ":" not in part
        if is_parameter and names:
            names[-1] += f",{part}"
        else:
            names.append(part.strip())
    return names


def _play_run(folder: Path, chosen: dict[str, Any], terminal: Terminal) -> Shown:
    """Play one game of a run once more, and compare it with what the run stored."""
    from hearts_sim.cli.prepare import prepare_players
    from hearts_sim.tournament import replay as again
    from hearts_sim.tournament import store

    manifest = store.read_manifest(folder)
    experiment, plan = again.read_experiment(manifest, folder)
    if "block" not in chosen:
        raise click.UsageError(f"say which block with --block, 0 to {plan.blocks - 1}")
    block, table, seating = (chosen.get(key, 0) for key in ("block", "table", "seating"))
    job = again.find_game(plan, block, table, seating)
    players = prepare_players(experiment, terminal)
    replay = again.play_again(experiment, players, job)
    changes = again.list_changes(manifest, players)
    differs = None if replay.fault else again.find_stored_difference(folder, plan, replay.rows)
    notes = [f"{change}; the game may differ" for change in changes]
    damage = f"deal {differs} is not what {folder} stored of it" if differs else ""
    if damage and changes:
        notes, damage = [*notes, damage], ""
    title = f"{experiment.name}, block {block}, table {table}, seating {seating}; seed {experiment.seed}"
    return Shown(title, replay.transcript, replay.fault, replay.broken, notes, damage)


def _read_transcript(what: str) -> Shown:
    """Read a transcript and check it by the rules."""
    from hearts_sim.game.transcript import check
    from hearts_sim.game.transcript_text import parse_transcript

    source = "stdin" if what == "-" else what
    try:
        text = sys.stdin.read() if what == "-" else Path(what).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{source} cannot be read: {error}") from error
    transcript = parse_transcript(text, source)
    if not transcript.deals:
        raise UsageError(f"{source} holds no deals")
    difference = check(transcript)
    seed = "" if transcript.seed is None else f", seed {transcript.seed}, game {transcript.game or 0}"
    damage = f"{source} breaks its rules: {difference}" if difference else ""
    return Shown(f"{source}{seed}", transcript, None, None, [], damage)


# --- showing it


def _check_seat(seat: int | None, transcript: Transcript) -> None:
    if seat is not None and seat >= transcript.rules.seats:
        raise UsageError(f"there is no seat {seat}; seats are 0 to {transcript.rules.seats - 1}")


def _limit_fault(fault: PlayFault, seat: int | None) -> PlayFault:
    """Return a fault as a seat may see it: of another seat, only where it was; its message tells a hand."""
    from hearts_sim.bots.play import PlayFault

    facts = fault.facts
    if seat in (None, facts.seat):
        return fault
    trick = f"trick {facts.trick}" if facts.trick else "passing"
    return PlayFault(
        f"the strategy at seat {facts.seat} broke its contract: {facts.method}, deal {facts.deal}, {trick}\n"
        f"What it held and answered is hidden from seat {seat}; show it with --seat {facts.seat}.",
        facts,
    )


def _choose_deal(shown: Shown, wanted: int | None) -> int:
    """Return the number of the deal to show, and note what others there are."""
    numbers = [deal.deal for deal in shown.transcript.deals]
    if shown.fault is not None:
        numbers.append(shown.fault.facts.deal)
    chosen = wanted if wanted is not None else numbers[-1] if shown.fault is not None else numbers[0]
    known = f"deals {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"only deal {numbers[0]}"
    if chosen not in numbers:
        breaks = ", in which a strategy breaks the contract" if shown.fault is not None else ""
        raise UsageError(f"there is no deal {chosen}; this game has {known}{breaks}")
    if shown.fault is not None and chosen != numbers[-1]:
        shown.notes.append(f"the game breaks off in deal {numbers[-1]}; show that with --deal {numbers[-1]}")
    elif wanted is None and len(numbers) > 1:
        shown.notes.append(f"this game has {known}; choose another with --deal")
    return chosen


def _get_deal(shown: Shown, number: int) -> tuple[Deal, Sequence[int]]:
    """Return a deal and the totals before it."""
    scores = shown.transcript.scores_before
    for deal in shown.transcript.deals:
        if deal.deal == number:
            return deal, scores
        scores = deal.scores
    assert shown.broken is not None
    return shown.broken, shown.broken.scores


def _show_deal(shown: Shown, number: int, seat: int | None, terminal: Terminal) -> None:
    from hearts_sim.report.deal_text import format_deal, paint

    deal, scores_before = _get_deal(shown, number)
    transcript = shown.transcript
    text = format_deal(deal, transcript.rules, transcript.names, scores_before=scores_before, seat=seat)
    terminal.show(shown.title + "\n", paint(text))


def _write_transcript(shown: Shown, wanted: int | None) -> None:
    """Write the whole game, or one deal of it, as text that reads back."""
    from dataclasses import replace

    from hearts_sim.cli.console import write_out
    from hearts_sim.game.transcript_text import format_transcript

    transcript = shown.transcript
    if wanted is not None and wanted in [deal.deal for deal in transcript.deals]:
        deal, scores = _get_deal(shown, wanted)
        transcript = replace(transcript, deals=(deal,), scores_before=tuple(scores))
    write_out(format_transcript(transcript))


def _make_json(shown: Shown, number: int, seat: int | None) -> dict[str, Any]:
    from hearts_sim.analysis.metrics import find_preset_name
    from hearts_sim.report.deal_json import describe_deal

    deal, scores_before = _get_deal(shown, number)
    transcript, fault = shown.transcript, shown.fault
    rules = transcript.rules
    described = describe_deal(deal, rules, transcript.names, scores_before, seat)
    return {
        "schema": 1,
        "command": "replay",
        "title": shown.title,
        "rules": {"preset": find_preset_name(rules), "hash": rules.hash()},
        "seed": transcript.seed,
        "game": transcript.game,
        "seating": transcript.seating,
        "deals": len(transcript.deals),
        "seat": seat,
        "deal": described,
        "fault": str(_limit_fault(fault, seat)) if fault and fault.facts.deal == number else None,
    }
