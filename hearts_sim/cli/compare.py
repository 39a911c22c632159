"""``hearts-sim compare``: whether A is better than B, by how much, and how sure that is."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.console import Terminal, fold, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.cli.names import RESULTS
from hearts_sim.cli.run import Number, Seed, count_cores
from hearts_sim.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_sim.analysis.contest import Contest

Facts = Mapping[str, Any]
DEFAULT_SEED = 1
"""The same question gets the same answer: another seed asks it of other cards."""


class Share(click.ParamType[float]):
    """A number above 0, below a limit."""

    name = "number"

    def __init__(self, below: float) -> None:
        self.below = below

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or say what one looks like."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0 < number < self.below:
            self.fail(f"{value!r} is not a number above 0 and below {self.below:g}", param, ctx)
        return number


@dataclass(frozen=True)
class Request:
    """What the user asked for."""

    a: str
    b: str
    table: str | None
    rules: str
    unit: str
    alpha: float
    margin: float
    max_blocks: int
    seed: int
    jobs: int

    def repeat(self) -> str:
        """Return the command that asks the same again."""
        words = ["hearts-sim", "compare", self.a, self.b]
        if self.table is not None:
            words += ["--table", self.table]
        for option, value, default in (
            ("--rules", self.rules, "standard"),
            ("--unit", self.unit, "deal"),
            ("--alpha", self.alpha, 0.05),
            ("--margin", self.margin, 0.1),
            ("--max-blocks", self.max_blocks, 100_000),
            ("--seed", self.seed, DEFAULT_SEED),
        ):
            if value != default:
                words += [option, str(value)]
        return shlex.join(words)


@click.command(
    "compare",
    cls=Command,
    examples=(
        ("hearts-sim compare my_bot.py greedy", "is my bot better than greedy?"),
        ("hearts-sim compare my_bot.py greedy --table cpu-hard,cpu-hard,cpu-hard", "in that company"),
        (
            "hearts-sim compare results/new results/old --fail-if-worse",
            "two runs; exit 1 if the first is worse",
        ),
    ),
)
@click.argument("a")
@click.argument("b")
@click.option("--table", metavar="X,Y,Z", help="Who else sits at the table. [default: A and B share it]")
@click.option(
    "--rules", default="standard", show_default=True, help="Rule preset; see: hearts-sim list rules."
)
@click.option(
    "--unit",
    type=click.Choice(("deal", "game")),
    default="deal",
    show_default=True,
    help="What a block plays.",
)
@click.option(
    "--margin",
    type=Share(27),
    default=0.1,
    show_default=True,
    help="The smallest difference that matters, in points per deal.",
)
@click.option(
    "--alpha",
    type=Share(0.5),
    default=0.05,
    show_default=True,
    help="How often a difference may be found where there is none.",
)
@click.option("--max-blocks", type=Number(), default=100_000, show_default=True, help="When to give up.")
@click.option("--seed", type=Seed(), default=DEFAULT_SEED, show_default=True, help="The root of the cards.")
@click.option("--jobs", type=Number(), help="Threads; the answer does not depend on it. [default: all cores]")
@click.option("--fail-if-worse", is_flag=True, help="Exit 1 if A is worse than B.")
@json_option
@output_options
def command(
    a: str,
    b: str,
    table: str | None,
    rules: str,
    unit: str,
    margin: float,
    alpha: float,
    max_blocks: int,
    seed: int,
    jobs: int | None,
    fail_if_worse: bool,
    as_json: bool,
    terminal: Terminal,
) -> None:
    """Say whether A is better than B, by how much, and how sure that is.

    A and B are strategies, or two run folders. Strategies play until the answer is clear: A better, B better, or
    no difference that matters; looking all the time is allowed for. Two runs are compared entrant by entrant, block
    by block where they dealt the same cards.
    """
    from hearts_sim.analysis.sequential import FEWEST_BLOCKS

    folders = [_find_run(name) for name in (a, b)]
    if all(folders):
        from hearts_sim.cli.compare_runs import show_runs

        show_runs(folders[0], folders[1], alpha, fail_if_worse, as_json, terminal)  # type: ignore[arg-type]
        return
    if any(folders):
        run, other = (a, b) if folders[0] else (b, a)
        raise UsageError(f"{run} is a run folder and {other!r} is not; compare two runs or two strategies")
    if max_blocks < FEWEST_BLOCKS:
        raise UsageError(
            f"--max-blocks {max_blocks}: the test looks from {FEWEST_BLOCKS} blocks on; give at least that"
        )
    request = Request(a, b, table, rules, unit, alpha, margin, max_blocks, seed, jobs or count_cores())
    facts, interrupted = _ask(request, terminal)
    if as_json:
        terminal.show_json(facts)
    else:
        terminal.show(fold(say_verdict(facts)), "", make_table(facts), "", say_evidence(facts))
        terminal.say(f"repeat      {request.repeat()}")
    if interrupted:
        raise KeyboardInterrupt
    if fail_if_worse and facts["verdict"] == "B better":
        raise CheckFailed(f"{facts['entrants'][0]['name']} is worse than {facts['entrants'][1]['name']}")


def _find_run(name: str) -> Path | None:
    """Return the run folder of a name, or None if it is none."""
    return next((f for f in (Path(name), RESULTS / name) if (f / "manifest.json").is_file()), None)


def _ask(request: Request, terminal: Terminal) -> tuple[dict[str, Any], bool]:
    """Play until the test knows; return what is printed, and whether somebody stopped it by hand."""
    from hearts_sim.analysis.contest import Contest
    from hearts_sim.analysis.sequential import OPEN, Question
    from hearts_sim.cli.prepare import prepare_players
    from hearts_sim.game.rules import find_preset
    from hearts_sim.tournament.contest import make_contest
    from hearts_sim.tournament.design import make_plan
    from hearts_sim.tournament.stream import stream_sums

    company = tuple(word.strip() for word in request.table.split(",")) if request.table else ()
    experiment = make_contest(
        request.a,
        request.b,
        find_preset(request.rules).rules,
        company=company,
        unit=request.unit,
        blocks=request.max_blocks,
        seed=request.seed,
    )
    players = prepare_players(experiment, terminal)
    plan = make_plan(experiment, compiled=all(player.info.compiled for player in players))
    contest = Contest(Question(request.margin, request.alpha), len(players), experiment.rules.seats)
    portions = stream_sums(experiment, plan, players, jobs=request.jobs)
    interrupted = False
    try:
        with terminal.announce("playing ...", "played in {seconds}", after_s=1.5):
            for sums in portions:
                if contest.add(sums).verdict != OPEN:
                    break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        portions.close()
    names = [entrant.name for entrant in experiment.entrants]
    others = experiment.design.tables[0][1:] if company and experiment.design.tables else ()
    return _collect(request, contest, names, others, interrupted), interrupted


def _collect(
    request: Request, contest: Contest, names: list[str], others: Sequence[str], interrupted: bool
) -> dict[str, Any]:
    import hearts_sim

    state = contest.state
    return {
        "schema": 1,
        "command": "compare",
        "verdict": state.verdict,
        "stopped": "by hand"
        if interrupted
        else "at max-blocks"
        if state.n_blocks >= request.max_blocks
        else "by the test",
        "difference": {"estimate": state.estimate, "low": state.low, "high": state.high},
        "confidence": 1 - request.alpha,
        "margin": request.margin,
        "alpha": request.alpha,
        "blocks": state.n_blocks,
        "max_blocks": request.max_blocks,
        "games": contest.games,
        "deals": contest.deals,
        "entrants": contest.describe(names),
        "table": list(others),
        "rules": request.rules,
        "unit": request.unit,
        "seed": request.seed,
        "hearts_sim": hearts_sim.__version__,
    }


def make_table(facts: Facts) -> Table:
    """Return how both did, a row each."""
    from rich import box
    from rich.table import Table

    from hearts_sim.report.words import say_estimate

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("\n", overflow="fold")
    for title in ("points per deal\n(lower is better)", "\nwin share", "moons per\n1,000 deals"):
        table.add_column(title, justify="right", no_wrap=True)
    for entrant in facts["entrants"]:
        table.add_row(
            entrant["name"],
            say_estimate(entrant["points_per_deal"]),
            say_estimate(entrant["win_share"], 1, 100.0, " %"),
            say_estimate(entrant["moon_rate"], 1, 1000.0),
        )
    return table


def say_evidence(facts: Facts) -> str:
    """Return the difference with its interval, and what it rests on."""
    from hearts_sim.report.words import say_interval

    difference, level = facts["difference"], f"{100 * facts['confidence']:.3g} %"
    lines = []
    if difference["low"] is not None:
        lines.append(f"difference  {say_interval(difference, 2)} points per deal, {level} whenever one stops")
    lines.append(
        f"played      {facts['blocks']:,} blocks, {facts['games']:,} {facts['unit']}s, seed {facts['seed']}"
    )
    lines.append(
        f"asked       alpha {facts['alpha']:g}; less than {facts['margin']:g} points does not matter"
    )
    return "\n".join(lines)


def say_verdict(facts: Facts) -> str:
    """Return the verdict in words: who takes how many points fewer than whom."""
    from hearts_sim.analysis.sequential import A_BETTER, B_BETTER, EQUIVALENT

    a, b = (entrant["name"] for entrant in facts["entrants"])
    company = f" in the company of {', '.join(facts['table'])}" if facts["table"] else ""
    verdict, difference = facts["verdict"], facts["difference"]
    if verdict == A_BETTER:
        return f"{a} takes {_say_size(facts, 1)} per deal fewer than {b}{company}."
    if verdict == B_BETTER:
        return f"{a} takes {_say_size(facts, -1)} per deal more than {b}{company}."
    if verdict == EQUIVALENT:
        return f"{a} and {b} are equivalent{company}: they differ by less than {facts['margin']:g} points per deal."
    if difference["estimate"] is None:
        return f"{a} and {b} are not separable yet{company}: nothing was played."
    why = {"by hand": "stopped by hand", "at max-blocks": "--max-blocks was reached"}.get(
        facts["stopped"], ""
    )
    return f"{a} and {b} are not separable yet{company}: {why} after {facts['blocks']:,} blocks."


def _say_size(facts: Facts, sign: int) -> str:
    """Return the size of the difference with its interval, in points and as a part of B's points."""
    from hearts_sim.report.words import say_estimate

    difference = facts["difference"]
    low, high = sorted((sign * difference["low"], sign * difference["high"]))
    text = say_estimate({"estimate": sign * difference["estimate"], "low": low, "high": high}, 2)
    points = facts["entrants"][1]["points_per_deal"]["estimate"]
    part = f" ({100 * abs(difference['estimate']) / points:.0f} %)" if points > 0 else ""
    return f"{text} points{part}"
