"""Shows how far a run is: a bar on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from hearts_sim.analysis.inference import Moments, Ratio, describe_all, estimate
from hearts_sim.cli.console import Terminal
from hearts_sim.cli.ranking import format_duration, format_interval

if TYPE_CHECKING:
    import polars as pl

    from hearts_sim.tournament.runner import Progress

EVERY_S = 10.0
LONGEST_NAME = 14
"""Longer names are cut on the bar, so that speed, time left and the leader's interval fit into 80 columns."""


class Leader:
    """Points per deal of every entrant so far, with intervals over blocks, in memory that does not grow."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.ratios = [Ratio(f"points:{i}", f"deals:{i}") for i in range(len(names))]
        self.moments: Moments | None = None

    def add(self, sums: pl.DataFrame) -> None:
        """Add the block sums of one unit; no block may come twice."""
        blocks, block = np.unique(sums["block"].to_numpy(), return_inverse=True)
        cell = block * len(self.names) + sums["entrant"].to_numpy()
        size = len(blocks) * len(self.names)
        counts = [np.bincount(cell, sums[name].to_numpy(), size) for name in ("points", "deals")]
        values = np.hstack([count.reshape(len(blocks), -1) for count in counts]).astype(np.int64)
        columns = [ratio.top for ratio in self.ratios] + [ratio.bottom for ratio in self.ratios]
        moments = Moments.of_blocks(columns, values)
        self.moments = moments if self.moments is None else self.moments + moments

    def describe(self, longest_name: int = 60) -> str:
        """Return the entrant with the fewest points, such as ``cpu-hard 4.95 ± 0.04``, or nothing yet."""
        if self.moments is None:
            return ""
        described = describe_all(estimate(self.moments, self.ratios), self.ratios)
        known = [
            (points["estimate"], name, points)
            for points, name in zip(described, self.names, strict=True)
            if points
        ]
        if not known:
            return ""
        _, name, points = min(known, key=lambda item: item[:2])
        short = name if len(name) <= longest_name else f"{name[: longest_name - 1]}…"
        return f"{short} {format_interval(points, digits=2)}"


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


def format_clock(seconds: float) -> str:
    """Return seconds as a clock shows them: ``0:12``, ``3:05``, ``2:10:00``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


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
            said = (
                share,
                f"{speed:,.0f} deals/s",
                f"{format_duration(left)} left",
                f"leads: {leader.describe()}",
            )
            terminal.say("  ".join(said))

    return tell


@contextmanager
def _show_bar(terminal: Terminal, leader: Leader, pace: Pace) -> Iterator[Callable[[Progress], None]]:
    """Show a bar with speed, time left and the leader below it."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = [
        BarColumn(bar_width=10, complete_style="cyan", finished_style="cyan"),
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
                pace=f"{speed:,.0f} deals/s, {format_clock(left)} left",
                leader=f"leads: {leader.describe(LONGEST_NAME)}",
            )

        yield tell
