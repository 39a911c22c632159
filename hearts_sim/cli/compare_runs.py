"""``hearts-sim compare RUN RUN``: what changed from one run to another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hearts_sim.cli.console import Terminal, fold
from hearts_sim.errors import CheckFailed

if TYPE_CHECKING:
    from rich.table import Table

Facts = Mapping[str, Any]


def show_runs(a: Path, b: Path, alpha: float, fail_if_worse: bool, as_json: bool, terminal: Terminal) -> None:
    """Print by how many points per deal each entrant does better in run A than in run B.

    Raises
    ------
    UsageError
        If the runs do not compare.
    CheckFailed
        If asked for, and an entrant is worse in A than in B.
    """
    from hearts_sim.analysis.metrics import read_run
    from hearts_sim.analysis.run_difference import compare_runs

    found = compare_runs(read_run(b), read_run(a))
    verdicts = {entrant["name"]: judge(entrant, alpha) for entrant in found["entrants"]}
    facts = {
        "schema": 1,
        "command": "compare",
        "runs": [str(a), str(b)],
        "alpha": alpha,
        "paired": found["paired"],
        "blocks": found["blocks"][::-1],
        "entrants": [
            {
                "name": entrant["name"],
                "changed": entrant["changed"],
                "verdict": verdicts[entrant["name"]],
                "a": entrant["after"],
                "b": entrant["before"],
                "difference": entrant["difference"],
            }
            for entrant in found["entrants"]
        ],
    }
    if as_json:
        terminal.show_json(facts)
    else:
        terminal.show(
            *(fold(line) for line in say_runs(facts)), "", make_table(facts), "", fold(_say_method(facts))
        )
    worse = [name for name, verdict in verdicts.items() if verdict == "worse"]
    if fail_if_worse and worse:
        raise CheckFailed(f"{', '.join(worse)} did worse in {a} than in {b}")


def judge(entrant: Facts, alpha: float) -> str:
    """Return ``better``, ``worse``, ``the same`` (exactly) or ``not told apart``."""
    difference = entrant["difference"]
    if difference is None or difference["se"] is None:
        return "not told apart"
    if difference["se"] == 0 and difference["estimate"] == 0:
        return "the same"
    if difference["p_adjusted"] is None or difference["p_adjusted"] >= alpha:
        return "not told apart"
    return "better" if difference["estimate"] > 0 else "worse"


def say_runs(facts: Facts) -> list[str]:
    """Return the answer in words: first those whose strategy changed, then the others if they moved."""
    from hearts_sim.report.words import say_estimate, turn

    lines = []
    for entrant in sorted(facts["entrants"], key=lambda entrant: not entrant["changed"]):
        name, verdict, difference = entrant["name"], entrant["verdict"], entrant["difference"]
        if verdict == "better":
            lines.append(f"{name} takes {say_estimate(difference)} points per deal fewer in the first run.")
        elif verdict == "worse":
            lines.append(
                f"{name} takes {say_estimate(turn(difference))} points per deal more in the first run."
            )
        elif entrant["changed"]:
            lines.append(f"{name} changed, and the two runs do not tell the difference apart.")
    return lines or ["Nothing changed that these runs could tell."]


def make_table(facts: Facts) -> Table:
    """Return a row for every entrant that is in both runs."""
    from rich import box
    from rich.table import Table

    from hearts_sim.report.words import say_estimate, say_p

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("points per deal", overflow="fold")
    for title in ("first run", "second run", "fewer", "p (Holm)"):
        table.add_column(title, justify="right", no_wrap=True)
    for entrant in facts["entrants"]:
        difference = entrant["difference"]
        table.add_row(
            entrant["name"] + (" (changed)" if entrant["changed"] else ""),
            say_estimate(entrant["a"]),
            say_estimate(entrant["b"]),
            say_estimate(difference),
            say_p(None if difference is None else difference.get("p_adjusted")),
        )
    return table


def _say_method(facts: Facts) -> str:
    a, b = facts["blocks"]
    if facts["paired"]:
        return f"The runs dealt the same cards: {a:,} blocks, compared one by one."
    return f"The runs share no plan and seed: {a:,} and {b:,} blocks, taken as independent."
