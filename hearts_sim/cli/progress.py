"""Shows how far a run is: a bar on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from hearts_sim.cli.console import Terminal

if TYPE_CHECKING:
    import polars as pl

    from hearts_sim.tournament.runner import Progress

EVERY_S = 10.0
Z_95 = 1.96
"""Half width of a 95 % interval in standard errors; the ranking at the end also allows for few blocks."""


class Leader:
    """Points per deal of every entrant so far, with intervals over blocks, in memory that does not grow."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.blocks = np.zeros(len(names))
        self.moments = np.zeros((len(names), 5))

    def add(self, sums: pl.DataFrame) -> None:
        """Add the block sums of one unit; no block may come twice."""
        import polars as pl

        points, deals = pl.col("points"), pl.col("deals")
        by_block = sums.group_by("entrant", "block").agg(
            points.sum().cast(pl.Float64), deals.sum().cast(pl.Float64)
        )
        moments = {"p": points, "d": deals, "pp": points * points, "pd": points * deals, "dd": deals * deals}
        added = by_block.group_by("entrant").agg(
            pl.len().alias("blocks"), **{key: value.sum() for key, value in moments.items()}
        )
        who = added["entrant"].to_numpy()
        self.blocks[who] += added["blocks"].to_numpy()
        self.moments[who] += added.select(list(moments)).to_numpy()

    def estimate(self) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
        """Return points per deal and half the width of the interval, by entrant; nan where unknown."""
        p, d, pp, pd, dd = self.moments.T
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = p / d
            squares = np.maximum(pp - 2 * mean * pd + mean**2 * dd, 0)
            half = Z_95 * np.sqrt(squares * self.blocks / (self.blocks - 1)) / d
        return mean, half

    def describe(self) -> str:
        """Return the entrant with the fewest points, such as ``cpu-hard 4.95 ± 0.04 points per deal``."""
        mean, half = self.estimate()
        best = int(np.nanargmin(mean))
        width = f" ± {half[best]:.2f}" if math.isfinite(half[best]) else ""
        return f"{self.names[best]} {mean[best]:.2f}{width} points per deal"


class Pace:
    """How fast a run goes, by what was played since this process started it."""

    def __init__(self) -> None:
        self.units_before: int | None = None
        self.deals_before = 0

    def measure(self, progress: Progress) -> tuple[float, float]:
        """Return deals per second so far and the seconds that are left."""
        if self.units_before is None:
            self.units_before = progress.units_done - 1
            self.deals_before = round(progress.deals * self.units_before / progress.units_done)
        units = progress.units_done - self.units_before
        seconds = max(progress.elapsed_s, 1e-9)
        left = progress.units_total - progress.units_done
        return (progress.deals - self.deals_before) / seconds, seconds * left / units


@contextmanager
def show_progress(terminal: Terminal, names: Sequence[str]) -> Iterator[Callable[[Progress], None]]:
    """Give a function to call with each `Progress`; shows it as the terminal and the user allow."""
    leader, pace = Leader(names), Pace()
    if not terminal.progress:
        yield lambda progress: None
    elif terminal.is_live:
        with _show_bar(terminal, leader, pace) as tell:
            yield tell
    else:
        yield _make_teller(terminal, leader, pace)


def _make_teller(terminal: Terminal, leader: Leader, pace: Pace) -> Callable[[Progress], None]:
    """Return a function that says one plain line every ten seconds."""
    last_said = time.monotonic()

    def tell(progress: Progress) -> None:
        nonlocal last_said
        leader.add(progress.sums)
        speed, left = pace.measure(progress)
        if time.monotonic() - last_said >= EVERY_S:
            last_said = time.monotonic()
            share = f"{100 * progress.units_done / progress.units_total:3.0f} %"
            terminal.say(f"{share}  {speed:,.0f} deals/s  {format_duration(left)} left  {leader.describe()}")

    return tell


@contextmanager
def _show_bar(terminal: Terminal, leader: Leader, pace: Pace) -> Iterator[Callable[[Progress], None]]:
    """Show a bar with speed, time left and the leader below it."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = [
        BarColumn(bar_width=14, complete_style="cyan", finished_style="cyan"),
        TaskProgressColumn(),
        TextColumn("{task.fields[pace]}", markup=False),
        TextColumn("{task.fields[leader]}", markup=False),
    ]
    with Bar(*columns, console=terminal.err, transient=True) as bar:
        task = bar.add_task("", total=None, pace="starting", leader="")

        def tell(progress: Progress) -> None:
            leader.add(progress.sums)
            speed, left = pace.measure(progress)
            bar.update(
                task,
                total=progress.units_total,
                completed=progress.units_done,
                pace=f"{speed:,.0f} deals/s, {format_duration(left)} left",
                leader="leads: " + leader.describe().removesuffix(" points per deal"),
            )

        yield tell


def format_duration(seconds: float) -> str:
    """Return seconds as people say them: ``12 s``, ``3 min 05 s``, ``2 h 10 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
