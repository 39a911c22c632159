"""What a report shows, read from a run folder part by part: counts add up, memory does not grow."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import polars as pl

from hearts_sim.analysis.metrics import RunData, summarize
from hearts_sim.analysis.moments import RunMoments, add_moments, measure_unit
from hearts_sim.report import words
from hearts_sim.tournament.sums import list_directions

BANDS = ("under 0", "0", "1 to 4", "5 to 12", "13 to 25", "26 or more")


@dataclass(frozen=True)
class Report:
    """A run with its summary and the counts that only per-deal rows hold.

    Attributes
    ----------
    run : RunData
    summary : dict
        As documented for ``run --json``.
    points : DataFrame
        ``entrant`` (index), ``points``, ``deals``: how often an entrant took so many points in a deal.
    scores : DataFrame
        ``entrant``, ``deal``, ``score`` (sum), ``games``: running totals after each deal of a game.
    tables : DataFrame
        ``table``, ``entrant``, ``games``, ``wins``, ``draws``, ``losses``, ``points``, ``deals``.
    """

    run: RunData
    summary: dict[str, Any]
    points: pl.DataFrame
    scores: pl.DataFrame
    tables: pl.DataFrame

    @cached_property
    def names(self) -> list[str]:
        """Entrants by index."""
        return self.run.names

    @cached_property
    def ranked(self) -> list[dict[str, Any]]:
        """The entrants of the summary, fewest points per deal first."""
        return words.rank(self.summary)

    def index(self, name: str) -> int:
        """Return an entrant's index, which fixes its colour and marker."""
        return self.names.index(name)

    @property
    def n_seats(self) -> int:
        """Seats of a table."""
        return self.run.rules.seats

    @property
    def directions(self) -> list[str]:
        """Words for the pass directions of the rules, in order."""
        return list(list_directions(self.run.rules).values())

    @property
    def n_text(self) -> str:
        """How much was played, in words."""
        s = self.summary
        return f"{s['blocks']:,} blocks, {s['games']:,} games, {s['deals']:,} deals"


_KEYS = {"points": ["entrant", "points"], "scores": ["entrant", "deal"], "tables": ["table", "entrant"]}
_READERS = 2


def read_report(run: RunData) -> Report:
    """Read everything a report shows in one pass over the units; what is kept does not grow with their number."""
    frames: dict[str, list[pl.DataFrame]] = {name: [] for name in _KEYS}
    moments: list[RunMoments] = []
    with ThreadPoolExecutor(_READERS) as pool:
        for unit_moments, unit_frames in pool.map(partial(_read_unit, run), run.units):
            moments = [add_moments([*moments, unit_moments])]
            for name, frame in unit_frames.items():
                frames[name] = [_total([*frames[name], frame], _KEYS[name])]
    return Report(run, summarize(run, add_moments(moments)), *(frames[name][0] for name in _KEYS))


def _read_unit(run: RunData, unit: int) -> tuple[RunMoments, dict[str, pl.DataFrame]]:
    """Return one unit's moments and counts."""
    seats = range(run.rules.seats)
    sums = run.read_part(unit, "sums")
    columns = ["games", "wins", "draws", "losses", "points", "deals"]
    frames = {"tables": sums.group_by("table", "entrant").agg(pl.col(columns).cast(pl.Int64).sum())}
    if run.manifest["record"] == "none":
        frames["points"] = pl.DataFrame(schema={"entrant": pl.UInt8, "points": pl.Int64, "deals": pl.Int64})
        frames["scores"] = pl.DataFrame(
            schema={"entrant": pl.UInt8, "deal": pl.Int64, "score": pl.Int64, "games": pl.Int64}
        )
    else:
        deals = run.read_part(unit, "deals")
        frames["points"] = _total([_count_points(deals, seat) for seat in seats], _KEYS["points"])
        frames["scores"] = _total([_add_scores(deals, seat) for seat in seats], _KEYS["scores"])
    return measure_unit(sums, len(run.names), run.rules.seats, run.listed_tables), frames


def _count_points(deals: pl.DataFrame, seat: int) -> pl.DataFrame:
    keys = [
        pl.col(f"entrant_{seat}").alias("entrant"),
        pl.col(f"points_{seat}").cast(pl.Int64).alias("points"),
    ]
    return deals.group_by(keys).agg(pl.len().cast(pl.Int64).alias("deals"))


def _add_scores(deals: pl.DataFrame, seat: int) -> pl.DataFrame:
    keys = [pl.col(f"entrant_{seat}").alias("entrant"), pl.col("deal").cast(pl.Int64)]
    return deals.group_by(keys).agg(
        pl.col(f"score_{seat}").cast(pl.Int64).sum().alias("score"), pl.len().cast(pl.Int64).alias("games")
    )


def _total(frames: list[pl.DataFrame], keys: list[str]) -> pl.DataFrame:
    joined = pl.concat(frames, how="diagonal")
    return joined.group_by(keys).agg(pl.exclude(keys).sum()).sort(keys)


def band_points(points: pl.DataFrame) -> pl.DataFrame:
    """Return ``entrant``, ``band``, ``share``: the distribution of points per deal in `BANDS`."""
    value = pl.col("points")
    band = (
        pl.when(value < 0)
        .then(0)
        .when(value == 0)
        .then(1)
        .when(value <= 4)
        .then(2)
        .when(value <= 12)
        .then(3)
        .when(value <= 25)
        .then(4)
        .otherwise(5)
    )
    counts = points.group_by("entrant", band=band).agg(pl.col("deals").sum())
    return counts.with_columns(share=pl.col("deals") / pl.col("deals").sum().over("entrant")).sort(
        "entrant", "band"
    )
