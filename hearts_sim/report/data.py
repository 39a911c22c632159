"""What a report shows, read from a run folder part by part: counts add up, memory does not grow."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import Moments, Ratio
from hearts_sim.analysis.metrics import RunData, summarize
from hearts_sim.analysis.moments import RunMoments, measure_unit
from hearts_sim.report import words
from hearts_sim.tournament.sums import list_directions

Ints = npt.NDArray[np.int64]
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
        ``entrant``, ``deal``, ``score`` (sum), ``games``: running totals after each deal of a game; ``blocks`` that got so far
        and sums over them of squares and products, ``score_score``, ``score_games``, ``games_games``, for the interval.
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
_OF_SCORES = {"score": "estimate", "low": "low", "high": "high"}
_READERS = 2
_UNITS_AT_ONCE = 32


def read_report(run: RunData) -> Report:
    """Read everything a report shows in one pass over the units; what is kept does not grow with their number."""
    counts: dict[str, list[pl.DataFrame]] = {name: [] for name in _KEYS}
    moments: RunMoments | None = None
    with ThreadPoolExecutor(_READERS) as pool:
        for unit_moments, unit_counts in pool.map(partial(_read_unit, run), run.units):
            moments = unit_moments if moments is None else moments + unit_moments
            for name, frame in unit_counts.items():
                counts[name].append(frame)
                if len(counts[name]) == _UNITS_AT_ONCE:
                    counts[name] = [_total(counts[name], _KEYS[name])]
    totals = {name: _total(frames, _KEYS[name]) for name, frames in counts.items()}
    return Report(run, summarize(run, moments), **totals)


def _read_unit(run: RunData, unit: int) -> tuple[RunMoments, dict[str, pl.DataFrame]]:
    """Return one unit's moments and counts."""
    sums = run.read_part(unit, "sums")
    columns = ["games", "wins", "draws", "losses", "points", "deals"]
    frames = {"tables": sums.group_by("table", "entrant").agg(pl.col(columns).cast(pl.Int64).sum())}
    if run.manifest["record"] == "none":
        nothing = np.zeros(0, np.int64)
        frames |= count_deals(nothing, nothing, nothing, nothing, nothing)
    else:
        seats = range(run.rules.seats)
        names = [f"{what}_{seat}" for what in ("entrant", "points", "score") for seat in seats]
        deals = run.read_part(unit, "deals", ["block", "deal", *names])
        columns_of = {
            what: np.concatenate([deals[f"{what}_{s}"].to_numpy().astype(np.int64) for s in seats])
            for what in ("entrant", "points", "score")
        }
        block, deal = (
            np.tile(deals[what].to_numpy().astype(np.int64), run.rules.seats) for what in ("block", "deal")
        )
        frames |= count_deals(block, deal, columns_of["entrant"], columns_of["points"], columns_of["score"])
    return measure_unit(sums, len(run.names), run.rules.seats, run.listed_tables), frames


def count_deals(block: Ints, deal: Ints, entrant: Ints, points: Ints, score: Ints) -> dict[str, pl.DataFrame]:
    """Return ``points`` and ``scores`` of a `Report`, from one row per deal and seat of whole blocks."""
    lowest = points.min(initial=0)
    span = points.max(initial=0) - lowest + 1
    deals = np.bincount(entrant * span + points - lowest)
    at = np.flatnonzero(deals)
    return {
        "points": pl.DataFrame({"entrant": at // span, "points": at % span + lowest, "deals": deals[at]}),
        "scores": _count_scores(block, deal, entrant, score),
    }


def _count_scores(block: Ints, deal: Ints, entrant: Ints, score: Ints) -> pl.DataFrame:
    block = block - block.min() if block.size else block
    n_blocks = block.max(initial=0) + 1
    longest = deal.max(initial=0) + 1
    size = n_blocks * longest * (entrant.max(initial=0) + 1)
    cell = (entrant * longest + deal) * n_blocks + block
    games = np.bincount(cell, minlength=size).reshape(-1, n_blocks)
    # Floating point adds integers of this size exactly.
    total = np.bincount(cell, score, size).astype(np.int64).reshape(-1, n_blocks)
    on = np.flatnonzero(games.any(axis=1))
    games, total = games[on], total[on]
    sums = {
        "score": total,
        "games": games,
        "blocks": games > 0,
        "score_score": total * total,
        "score_games": total * games,
        "games_games": games * games,
    }
    keys = {"entrant": on // longest, "deal": on % longest}
    return pl.DataFrame(keys | {name: values.sum(axis=1) for name, values in sums.items()})


def average_scores(scores: pl.DataFrame) -> pl.DataFrame:
    """Return ``entrant``, ``deal``, ``games`` that got so far and the mean ``score``, ``low``, ``high`` over them.

    The interval is that of `inference.estimate`, over the blocks that got so far; null where there are too few of them.
    """
    ratio, rows = Ratio("score", "games"), []
    for row in scores.iter_rows(named=True):
        products = [[row["score_score"], row["score_games"]], [row["score_games"], row["games_games"]]]
        sums = np.array([row["score"], row["games"]])
        moments = Moments(["score", "games"], row["blocks"], sums, np.array(products))
        value = inference.describe_all(inference.estimate(moments, [ratio]), [ratio])[0] or {}
        keys = {name: row[name] for name in ("entrant", "deal", "games")}
        rows.append(keys | {name: value.get(key) for name, key in _OF_SCORES.items()})
    kinds = dict.fromkeys(("entrant", "deal", "games"), pl.Int64) | dict.fromkeys(_OF_SCORES, pl.Float64)
    return pl.DataFrame(rows, schema=kinds)


def _total(frames: list[pl.DataFrame], keys: list[str]) -> pl.DataFrame:
    return pl.concat(frames).group_by(keys).agg(pl.exclude(keys).sum()).sort(keys)


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
