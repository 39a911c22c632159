"""``hearts-sim run``: play an experiment and print who wins."""

from __future__ import annotations

import os
import shlex
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.console import Terminal, fold, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.cli.names import RESULTS, complete_experiments, find_experiment_file
from hearts_sim.errors import UsageError

if TYPE_CHECKING:
    from hearts_sim.tournament.experiment import Experiment

RECORDS = ("none", "deals", "cards")
MOST_TABLES_SAID = 6
"""Of more listed tables the report tells; a sentence of them all would be a wall of numbers."""


class Number(click.ParamType):  # type: ignore[type-arg]  # generic in new click only
    """A whole number in a range, shown as N."""

    name = "n"
    low, high, words = 1, 10**6, "of 1 or more"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or say what one looks like."""
        if not str(value).isdecimal() or not self.low <= int(value) <= self.high:
            self.fail(f"{value!r} is not a whole number {self.words}", param, ctx)
        return int(value)


class Seed(Number):
    """A seed: 64 bits."""

    low, high, words = 0, 2**64 - 1, "from 0 to 2**64-1"


@dataclass(frozen=True)
class Request:
    """What the user asked for, as the command line says it."""

    file: str
    out: Path | None
    seed: int | None
    settings: tuple[str, ...]
    record: str
    jobs: int

    def repeat(self, seed: int, *extra: str) -> str:
        """Return the command that plays the same again, with the seed it was played with."""
        words = ["hearts-sim", "run", self.file, "--seed", str(seed)]
        for setting in self.settings:
            words += ["--set", setting]
        if self.record != "deals":
            words += ["--record", self.record]
        if self.out is not None:
            words += ["--out", str(self.out)]
        return shlex.join([*words, *extra])


@click.command(
    "run",
    cls=Command,
    examples=(
        (
            "hearts-sim run experiments/cpu_levels.toml",
            "play it; the ranking is printed, the rest is in results/",
        ),
        ("hearts-sim run cpu_levels --set design.blocks=200 --out /tmp/try", "a smaller run, kept elsewhere"),
    ),
)
@click.argument("file", shell_complete=complete_experiments)
@click.option("--out", type=click.Path(path_type=Path), help="Run folder. [default: results/NAME-SEED]")
@click.option("--jobs", type=Number(), help="Threads; results do not depend on it. [default: all cores]")
@click.option("--seed", type=Seed(), help="Seed, before the file's.")
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Replace a value of the file; repeatable."
)
@click.option(
    "--record", type=click.Choice(RECORDS), default="deals", show_default=True, help="What to keep."
)
@click.option("--dry-run", is_flag=True, help="Show the plan and its cost; write nothing.")
@click.option("--resume", is_flag=True, help="Go on with a run that was stopped.")
@click.option("--force", is_flag=True, help="Replace an existing run folder.")
@json_option
@output_options
def command(
    file: str,
    out: Path | None,
    jobs: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    record: str,
    dry_run: bool,
    resume: bool,
    force: bool,
    as_json: bool,
    terminal: Terminal,
) -> None:
    """Play an experiment and print who wins.

    FILE is a TOML file, or the bare name of one in experiments/. The same file, settings and seed give the
    same results on any number of threads.

    Kept with --record: none (sums of each block), deals (also a row for every deal), cards (also every card).
    """
    request = Request(file, out, seed, settings, record, jobs or count_cores())
    if resume and force:
        raise click.UsageError("--resume goes on with a run and --force replaces it; give one of the two")
    experiment, was_drawn = _read(request)
    if resume and was_drawn:
        raise UsageError(f"{file} names no seed; give --seed with the seed of the run to go on with")
    folder = out or RESULTS / f"{experiment.name}-{experiment.seed}"
    if dry_run:
        from hearts_sim.cli.dry_run import show_plan

        show_plan(experiment, folder, request.jobs, record, as_json, terminal)
        return
    _check_folder(folder, resume, force)
    terminal.say(_make_header(experiment, folder, was_drawn))
    summary = _play(experiment, folder, request, resume, force, terminal)
    if as_json:
        terminal.show_json(summary)
    else:
        from hearts_sim.cli.ranking import explain_ranking, make_ranking
        from hearts_sim.report.words import is_fixed, say_lead

        if is_fixed(summary) and len(summary["tables"]) <= MOST_TABLES_SAID:
            terminal.show(fold(say_lead(summary)), "")
        terminal.show(make_ranking(summary), "\n" + explain_ranking(summary))
    for warning in summary["warnings"]:
        terminal.say(f"warning: {warning}")
    rows = {
        "results": folder,
        "repeat": request.repeat(experiment.seed),
        "next": f"hearts-sim report {shlex.quote(str(folder))}",
    }
    terminal.say("\n".join(["", *(f"  {key:<7}  {text}" for key, text in rows.items())]))


def count_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _read(request: Request) -> tuple[Experiment, bool]:
    """Return the experiment as it will be played, and whether its seed was drawn just now."""
    import secrets

    from hearts_sim.tournament.document import read_document
    from hearts_sim.tournament.experiment_file import build_experiment

    settings = list(request.settings)
    if request.seed is not None:
        settings.append(f"seed={request.seed}")
    document = read_document(find_experiment_file(request.file), settings)
    drawn = None if "seed" in document.values else secrets.randbelow(2**32)
    return build_experiment(document, default_seed=drawn), drawn is not None


def _check_folder(folder: Path, resume: bool, force: bool) -> None:
    """Refuse to write into a folder that holds something, before anything is compiled."""
    from hearts_sim.tournament.store import holds_units

    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; choose a folder with --out")
    if folder.is_dir() and any(folder.iterdir()) and not (resume or force) and holds_units(folder):
        raise UsageError(
            f"{folder} exists already; go on with it by --resume, replace it by --force, "
            "or choose another folder with --out"
        )


def _make_header(experiment: Experiment, folder: Path, was_drawn: bool) -> str:
    """Return three lines: what is played, with which seed, where the results go."""
    from hearts_sim.cli.dry_run import say_counts
    from hearts_sim.tournament.design import make_plan

    drawn = " (drawn now; give it with --seed to play the same again)" if was_drawn else ""
    what = f"{experiment.name}: {say_counts(make_plan(experiment))}"
    return f"{what}\nseed {experiment.seed}{drawn}\nresults go to {folder}"


def _play(
    experiment: Experiment, folder: Path, request: Request, resume: bool, force: bool, terminal: Terminal
) -> dict[str, Any]:
    """Compile, play and summarize."""
    from hearts_sim.analysis.metrics import read_run, summarize
    from hearts_sim.cli.prepare import prepare_players, say_what_is_ignored
    from hearts_sim.cli.progress import show_progress
    from hearts_sim.tournament import runner, store

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # batch systems stop a run this way
    started = time.perf_counter()
    players = prepare_players(experiment, terminal)
    compile_s = time.perf_counter() - started
    say_what_is_ignored(experiment, players, terminal)
    try:
        with show_progress(terminal, [entrant.name for entrant in experiment.entrants]) as tell:
            run = runner.run_experiment(
                experiment,
                folder,
                jobs=request.jobs,
                record=request.record,
                force=force,
                resume=resume,
                players=players,
                on_progress=tell,
                command_line=request.repeat(experiment.seed),
            )
    except runner.Interrupted as error:
        raise runner.Interrupted(
            f"{error}\nGo on with:\n  {request.repeat(experiment.seed, '--resume')}"
        ) from None
    summary = summarize(read_run(run.folder))
    store.write_json(run.folder / "summary.json", summary)
    return summary | {"compile_s": round(compile_s, 3)}
