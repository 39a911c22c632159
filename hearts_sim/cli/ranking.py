"""The table a run ends with: who is best, by how much, and how sure that is; and numbers as text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

Facts = Mapping[str, Any]
TITLES = (
    "points per\ndeal (lower\nis better)",
    "\n\nwin share",
    "moons\nper 1,000\ndeals",
    "\n\ngames",
    "\n\ndeals",
)
"""Short enough for a table of 80 columns with names of 14 letters."""


def make_ranking(summary: Facts) -> Table:
    """Return the entrants of a summary (docs: ``summary.json``) as a rich table, fewest points first.

    Parameters
    ----------
    summary : mapping
        With ``entrants``; each estimate is ``{estimate, low, high, se}`` or None.
    """
    from rich import box
    from rich.table import Table

    from hearts_sim.report.words import is_fixed

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("\n\nentrant", overflow="fold")
    for title in TITLES:
        table.add_column(title, justify="right", no_wrap=True)
    listed = is_fixed(summary)
    for place, entrant in enumerate(rank(summary["entrants"]), 1):
        table.add_row(
            "" if listed else format_rank(entrant, place),
            entrant["name"],
            format_interval(entrant["points_per_deal"], digits=2),
            format_interval(entrant["win_share"], digits=1, factor=100, unit=" %"),
            format_interval(entrant["moon_rate"], digits=1, factor=1000, with_width=False),
            f"{entrant['games']:,}",
            f"{entrant['deals']:,}",
        )
    return table


def explain_ranking(summary: Facts) -> str:
    """Return what stands below the table: what the intervals are and what a range of places means."""
    if all((entrant["points_per_deal"] or {}).get("low") is None for entrant in summary["entrants"]):
        return f"{summary['blocks']:,} blocks are too few for intervals"
    level = f"{100 * summary['confidence']:.0f} %"
    from hearts_sim.report.words import is_fixed

    if is_fixed(summary):
        return (
            f"± {level} interval over {summary['blocks']:,} blocks\n"
            "no places: the tables are listed, and entrants met different company"
        )
    shared = any(low != high for low, high in map(_places, summary["entrants"]))
    note = "\na range of places: not told apart by these data" if shared else ""
    return f"± {level} interval over {summary['blocks']:,} blocks{note}"


def rank(entrants: Sequence[Facts]) -> list[Facts]:
    """Return entrants with the fewest points per deal first."""
    unknown = {"estimate": math.inf}
    return sorted(entrants, key=lambda entrant: (entrant["points_per_deal"] or unknown)["estimate"])


def format_rank(entrant: Facts, place: int) -> str:
    """Return a place, or the places that the data do not tell apart: ``2-3``."""
    low, high = _places(entrant, place)
    return str(low) if low == high else f"{low}-{high}"


def _places(entrant: Facts, place: int = 0) -> tuple[int, int]:
    low, high = entrant.get("rank_interval") or (place, place)
    return low, high


def format_interval(
    value: Facts | None, digits: int, factor: float = 1, unit: str = "", with_width: bool = True
) -> str:
    """Return an estimate with the half width of its interval: ``4.95 ± 0.04``; ``-`` if there is none."""
    if value is None or value["estimate"] is None:
        return "-"
    text = f"{factor * value['estimate']:.{digits}f}"
    if with_width and value["low"] is not None:
        text += f" ± {factor * (value['high'] - value['low']) / 2:.{digits}f}"
    return text + unit


def format_duration(seconds: float) -> str:
    """Return seconds as people say them: ``12 s``, ``3 min 05 s``, ``2 h 10 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
