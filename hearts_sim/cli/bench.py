"""``hearts-sim bench``: how fast this machine plays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.console import Terminal, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_sim.tournament.bench import Bench

TOO_SLOW = 0.8
"""With ``--check``, a ratio below this part of the baseline's is a failure."""


@click.command(
    "bench",
    cls=Command,
    examples=(
        ("hearts-sim bench", "about a minute and a half; close other programs first"),
        ("hearts-sim bench --quick --baseline base.json --check", "fail if the loop became slower"),
        ("hearts-sim bench --signature", "one integer that any change of behaviour moves"),
    ),
)
@click.option("--quick", is_flag=True, help="Rough numbers in some seconds, without cold start.")
@click.option("--openspiel", is_flag=True, help="Compare with OpenSpiel's Python binding too.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Keep the result as JSON.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Compare with a result kept by --save.",
)
@click.option(
    "--check",
    is_flag=True,
    help=f"Exit 1 if a ratio fell below {TOO_SLOW} of the baseline's, or games differ.",
)
@click.option("--signature", is_flag=True, help="Print only an integer for how all strategies play.")
@json_option
@output_options
def command(
    quick: bool,
    openspiel: bool,
    save: Path | None,
    baseline: Path | None,
    check: bool,
    signature: bool,
    as_json: bool,
    terminal: Terminal,
) -> None:
    """Measure the speed of this machine.

    Whole games with passing and scoring under standard rules, against two C programs of the same games
    (built on the spot where there is a compiler), two threads against one, and the start of a process. Players
    take turns; numbers are medians with the lowest and the highest turn.
    """
    from hearts_sim.tournament import bench

    before = _read_baseline(baseline) if baseline else None
    if save is not None and not save.resolve().parent.is_dir():
        raise UsageError(f"--save: there is no folder {save.parent}; make it first")

    if signature:
        with terminal.announce("playing ...", "played in {seconds}", after_s=1.5):
            signed = bench.sign_behaviour()
        terminal.show(str(signed))
        return
    say = terminal.say if terminal.progress else _say_nothing
    n_games, turns = (4_000, 5) if quick else (6_000, 41)
    result = bench.measure(n_games, turns, starts=not quick, openspiel=openspiel, say=say)
    facts = result.to_dict()
    changes = None if before is None else bench.compare_to_baseline(result, before)
    if as_json:
        terminal.show_json(facts | {"baseline": changes})
    else:
        terminal.show(
            describe_machine(facts["machine"]), "", make_table(result), "", compare_players(result), ""
        )
        terminal.show("\n".join(explain(result, changes)))
    for warning in result.warnings:
        terminal.say(f"Warning: {warning}")
    if save is not None:
        save.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        terminal.say(f"kept in {save}; compare later: hearts-sim bench --baseline {save}")
    if check:
        _check(result, changes)


def describe_machine(machine: dict[str, Any]) -> str:
    """Return two lines: the processor, and the versions that matter for speed."""
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}\n"
        f"hearts-sim {machine['hearts_sim']}, Python {machine['python']}, numba {machine['numba']}, "
        f"numpy {machine['numpy']}"
    )


def make_table(result: Bench) -> Table:
    """Return the speeds as a table, one row for each player and kind of bots."""
    table = _start_table("four bots", "played by")
    for title in ("games/s", "min … max", "deals/s"):
        table.add_column(title, justify="right", no_wrap=True)
    for speed in result.speeds:
        games, spread = (
            f"{speed.games_per_s:,.0f}",
            f"{speed.games_per_s_low:,.0f} … {speed.games_per_s_high:,.0f}",
        )
        if speed.games_per_s == 0:  # it plays deals, no games
            games = spread = "-"
        table.add_row(speed.bots, speed.player, games, spread, f"{speed.deals_per_s:,.0f}")
    return table


def compare_players(result: Bench) -> Table:
    """Return how many times as fast one player is as another, one row for each comparison."""
    table = _start_table("four bots", "how many times as fast")
    for title in ("median", "min … max", "fastest"):
        table.add_column(title, justify="right", no_wrap=True)
    for ratio in result.ratios:
        digits = 2 if ratio.ratio < 10 else 0
        median, low, high, fastest = (
            f"{value:.{digits}f}" for value in (ratio.ratio, ratio.low, ratio.high, ratio.fastest)
        )
        table.add_row(ratio.bots, f"{ratio.player} / {ratio.against}", median, f"{low} … {high}", fastest)
    return table


def _start_table(*titles: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(title)
    return table


def explain(result: Bench, changes: Sequence[dict[str, Any]] | None) -> list[str]:
    """Return what else was found, a line each."""
    lines = []
    if result.same_games is not None:
        sums = ", ".join(checksums["loop"] for checksums in result.checksums.values())
        lines.append(f"same games in C: {'yes' if result.same_games else 'NO'} (checksums {sums})")
    if result.starts is not None:
        lines.append(
            f"first game of a new process: after {result.starts.warm_s:.1f} s; "
            f"{result.starts.cold_s:.1f} s where nothing is compiled yet"
        )
    for change in changes or ():
        lines.append(
            f"{change['name']}: {change['ratio']:.2f}, in the baseline {change['before']:.2f}: "
            f"{change['change']:.2f} times as fast"
        )
    return lines


def _say_nothing(_text: str) -> None:
    pass


def _read_baseline(path: Path) -> dict[str, float]:
    from hearts_sim.tournament import bench

    try:
        return bench.read_ratios(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        reason = error.strerror or str(error)
    except (KeyError, TypeError, ValueError):
        reason = "this is not what --save keeps"
    raise UsageError(f"--baseline {path}: {reason}; keep one with: hearts-sim bench --save {path}")


def _check(result: Bench, changes: Sequence[dict[str, Any]] | None) -> None:
    if result.same_games is False:
        raise CheckFailed("the loop and the C programs played different games")
    for change in changes or ():
        if change["change"] < TOO_SLOW:
            raise CheckFailed(f"{change['name']} fell to {change['change']:.2f} of the baseline")
