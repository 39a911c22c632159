"""``hearts-sim bench``: how fast this machine plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.console import Terminal, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.errors import HeartsSimError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_sim.tournament.bench import Bench

TOO_SLOW = 0.8


class TooSlow(HeartsSimError):
    """The loop is slower against C than in the stored baseline."""

    exit_code = 1


@click.command(
    "bench",
    cls=Command,
    examples=(
        ("hearts-sim bench", "about half a minute; close other programs first"),
        ("hearts-sim bench --quick --check base.json", "fail when the loop became slower than in base.json"),
    ),
)
@click.option("--quick", is_flag=True, help="A few seconds; rough.")
@click.option("--openspiel", is_flag=True, help="Compare with OpenSpiel's Python binding too, if installed.")
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), help="Keep the result as a baseline."
)
@click.option(
    "--check",
    "baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Fail if slower than this baseline.",
)
@click.option(
    "--signature", is_flag=True, help="Print one integer for how every strategy plays; measure nothing."
)
@json_option
@output_options
def command(
    quick: bool,
    openspiel: bool,
    save: Path | None,
    baseline: Path | None,
    signature: bool,
    as_json: bool,
    terminal: Terminal,
) -> None:
    """Measure the speed of this machine.

    Whole games with passing and scoring under standard rules, one thread, against a C program that plays the same games card
    for card (built on the spot when there is a compiler). Speeds are medians of turns taken alternately.
    """
    from hearts_sim.tournament import bench

    if signature:
        terminal.show(str(bench.sign_behaviour()))
        return
    stored = _read_baseline(baseline) if baseline else None
    terminal.say(f"{bench.describe_machine()}\n{bench.describe_versions()}")
    result = bench.measure(5_000 if quick else 20_000, 5 if quick else 15, not quick, openspiel)
    if as_json:
        terminal.show_json(result.to_dict())
    else:
        terminal.show(_make_table(result), *_say_facts(result))
    for note in result.notes:
        terminal.say(f"Note: {note}")
    if save is not None:
        save.write_text(json.dumps(result.to_dict(), indent=2) + "\n", encoding="utf-8")
    if stored is not None:
        _compare(result, stored, terminal)


def _make_table(result: Bench) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("")
    for title in ("games/s", "min … max", "deals/s"):
        table.add_column(title, justify="right", no_wrap=True)
    for speed in result.speeds:
        spread = f"{speed.slowest:,.0f} … {speed.fastest:,.0f}"
        table.add_row(speed.what, f"{speed.games_per_s:,.0f}", spread, f"{speed.deals_per_s:,.0f}")
    return table


def _say_facts(result: Bench) -> list[str]:
    lines = [""]
    lines += [f"{c.what}: {c.ratio:.2f} times ({c.low:.2f} … {c.high:.2f})" for c in result.comparisons]
    if result.same_games is not None:
        lines.append(f"same games as the C program, card for card: {'yes' if result.same_games else 'NO'}")
    if result.cold_start_s is not None:
        lines.append(
            f"first game of a new process: {result.warm_start_s:.1f} s; on a machine that has never compiled: "
            f"{result.cold_start_s:.1f} s"
        )
    return lines


def _read_baseline(path: Path) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is no baseline: {error}; make one with --save") from error
    return stored


def _compare(result: Bench, stored: dict[str, Any], terminal: Terminal) -> None:
    """Compare ratios to C, which hold from machine to machine, and fail on a clear loss."""
    before = {c["what"]: c["ratio"] for c in stored["comparisons"]}
    for now in result.comparisons:
        if now.what not in before:
            continue
        change = now.ratio / before[now.what]
        terminal.say(f"{now.what}: {now.ratio:.2f}, baseline {before[now.what]:.2f} ({change:.2f} times)")
        if change < TOO_SLOW:
            raise TooSlow(f"{now.what} fell to {change:.2f} of the baseline")
