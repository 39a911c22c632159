"""Every table of a report: as a data frame with all digits, and as text that people read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from hearts_sim.report.data import Report, average_scores
from hearts_sim.report.words import is_fixed, list_own_tables, say_estimate, say_p, turn

_ESTIMATES = (
    "points_per_deal",
    "margin_per_deal",
    "win_share",
    "mean_place",
    "last_share",
    "moon_rate",
    "moon_conceded_rate",
    "threat_rate",
    "queen_rate",
    "clean_rate",
)


def make_tables(report: Report) -> dict[str, pl.DataFrame]:
    """Return the report's tables by file name, full precision, intervals as two columns."""
    tables = {
        "entrants": _frame_entrants(report),
        "pairs": _frame_pairs(report),
        "pass_directions": _frame_directions(report),
        "seats": _frame_seats(report),
        "tables": _frame_tables(report),
    }
    if not report.points.is_empty():
        names = pl.Series("entrant", [report.names[i] for i in report.points["entrant"]])
        tables["points_distribution"] = report.points.with_columns(names)
        scores = average_scores(report.scores)
        names = pl.Series("entrant", [report.names[i] for i in scores["entrant"]])
        tables["scores"] = scores.with_columns(names)
    return tables


def _spread(name: str, value: dict[str, Any] | None) -> dict[str, float | None]:
    """Return an estimate as three columns."""
    parts = value or {"estimate": None, "low": None, "high": None}
    return {name: parts["estimate"], f"{name}_low": parts["low"], f"{name}_high": parts["high"]}


def _frame_entrants(report: Report) -> pl.DataFrame:
    rows = []
    for entrant in report.ranked:
        low, high = entrant["rank_interval"]
        row: dict[str, Any] = {"entrant": entrant["name"], "strategy": entrant["strategy"]}
        row |= {"rank_low": low, "rank_high": high}
        row |= {key: entrant[key] for key in ("games", "wins", "draws", "losses", "deals", "moons")}
        for key in _ESTIMATES:
            row |= _spread(key, entrant[key])
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _frame_pairs(report: Report) -> pl.DataFrame:
    rows = []
    for pair in report.summary["pairs"]:
        row = {"a": pair["a"], "b": pair["b"]}
        row |= _spread("points_fewer", pair["margin"]) | _spread("finishes_ahead", pair["finishes_ahead"])
        row["p_adjusted"] = pair["margin"] and pair["margin"]["p_adjusted"]
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _frame_directions(report: Report) -> pl.DataFrame:
    rows = []
    for entry in report.summary["pass_directions"]:
        for direction, effect in entry["effects"].items():
            row = {"entrant": entry["entrant"], "direction": direction}
            rows.append(row | _spread("effect", effect) | {"joint_p": entry["p_value"]})
    return pl.DataFrame(rows, infer_schema_length=None)


def _frame_seats(report: Report) -> pl.DataFrame:
    seats = report.summary["seats"]
    rows = [
        {"seat": i} | _spread("points_per_deal", value) for i, value in enumerate(seats["points_per_deal"])
    ]
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(
        joint_p=pl.lit(seats["p_value"], pl.Float64)
    )


def _frame_tables(report: Report) -> pl.DataFrame:
    members = [", ".join(report.names[e] for e in table) for table in report.run.manifest["design"]["tables"]]
    frame = report.tables
    return frame.select(
        pl.Series("table", [members[i] for i in frame["table"]], dtype=pl.String),
        pl.Series("entrant", [report.names[i] for i in frame["entrant"]], dtype=pl.String),
        "games",
        "wins",
        "draws",
        "losses",
        (pl.col("points") / pl.col("deals")).alias("points_per_deal"),
    )


Cells = tuple[list[str], list[list[str]]]
"""A table of text: headings and rows."""
TEXT_COLUMNS = frozenset({"entrant", "against", "table", "rule", "value"})
"""Headings of columns that are set to the left; all others hold numbers."""


def rank_cells(report: Report) -> Cells:
    """Return the ranking as people read it."""
    head = [
        "",
        "entrant",
        "points per deal",
        "win share",
        "games won",
        "shared",
        "lost",
        "moons per 1,000 deals",
    ]
    rows = []
    for entrant in report.ranked:
        low, high = entrant["rank_interval"]
        rows.append([
            "" if is_fixed(report.summary) else str(low) if low == high else f"{low}–{high}",
            entrant["name"],
            say_estimate(entrant["points_per_deal"]),
            say_estimate(entrant["win_share"], 1, 100, " %"),
            f"{entrant['wins']:,}",
            f"{entrant['draws']:,}",
            f"{entrant['losses']:,}",
            say_estimate(entrant["moon_rate"], 1, 1000),
        ])  # fmt: skip
    return head, rows


def pair_cells(report: Report) -> Cells:
    """Return every pair that met as people read it, the better entrant first."""
    head = ["entrant", "against", "points per deal fewer", "finishes ahead", "p (Holm)"]
    rows = []
    places = {entrant["name"]: place for place, entrant in enumerate(report.ranked)}
    pairs = sorted(report.summary["pairs"], key=lambda pair: sorted((places[pair["a"]], places[pair["b"]])))
    for pair in pairs:
        margin, ahead, better, worse = pair["margin"], pair["finishes_ahead"], pair["a"], pair["b"]
        if margin is None:
            continue
        p = margin["p_adjusted"]
        if margin["estimate"] < 0:
            margin, ahead, better, worse = turn(margin), mirror(ahead), worse, better
        share = "" if ahead is None else say_estimate(ahead, 1, 100, " %")
        rows.append([better, worse, say_estimate(margin), share, say_p(p)])
    return head, rows


def mirror(share: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a share as seen from the other side: one minus it."""
    if share is None:
        return None
    low, high = share["low"], share["high"]
    mirrored = {"estimate": 1 - share["estimate"], "low": None, "high": None}
    if low is not None:
        mirrored |= {"low": 1 - high, "high": 1 - low}
    return share | mirrored


def table_cells(report: Report) -> Cells:
    """Return games, wins, draws and losses per table, of the entrant in focus or, without one, of all.

    A win is the lowest score alone, a draw a shared lowest score, a loss the rest.
    """
    head = ["games", "wins", "draws", "losses", "win share", "points per deal"]
    focus = report.summary["focus"]
    if focus is not None:
        own = list_own_tables(report.summary)
        return ["against", *head], [[company, *_record_cells(record)] for company, record in own]
    rows = [
        [shorten_table(table["members"]), entrant["name"], *_record_cells(entrant)]
        for table in report.summary["tables"]
        for entrant in table["entrants"]
    ]
    return ["table", "entrant", *head], rows


def _record_cells(record: dict[str, Any]) -> list[str]:
    counts = [f"{record[what]:,}" for what in ("games", "wins", "draws", "losses")]
    share = say_estimate(record["win_share"], 1, 100, " %")
    return [*counts, share, say_estimate(record["points_per_deal"])]


def shorten_table(members: Sequence[str]) -> str:
    """Return ``a, 3 × b`` for a, b, b, b."""
    counts = [(members.count(name), name) for name in dict.fromkeys(members)]
    return ", ".join(name if count == 1 else f"{count} × {name}" for count, name in counts)
