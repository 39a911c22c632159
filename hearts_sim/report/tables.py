"""Every table of a report as a data frame, and as CSV, Markdown and HTML."""

from __future__ import annotations

import html
from typing import Any

import polars as pl

from hearts_sim.report.data import Report
from hearts_sim.report.words import say_estimate, say_interval

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
        names = pl.Series("entrant", [report.names[i] for i in report.scores["entrant"]])
        tables["scores"] = report.scores.with_columns(names)
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


def rank_cells(report: Report) -> Cells:
    """Return the ranking as people read it: headings and rows of text."""
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
            str(low) if low == high else f"{low}–{high}",
            entrant["name"],
            say_estimate(entrant["points_per_deal"], 3 if report.summary["blocks"] > 50_000 else 2),
            say_estimate(entrant["win_share"], 1, 100, " %"),
            f"{entrant['wins']:,}",
            f"{entrant['draws']:,}",
            f"{entrant['losses']:,}",
            say_interval(entrant["moon_rate"], 1, 1000),
        ])  # fmt: skip
    return head, rows


def pair_cells(report: Report) -> Cells:
    """Return every pair as people read it, the better entrant first."""
    head = ["entrant", "against", "points per deal fewer", "finishes ahead", "p (Holm)"]
    rows = []
    places = {entrant["name"]: place for place, entrant in enumerate(report.ranked)}
    pairs = sorted(report.summary["pairs"], key=lambda pair: sorted((places[pair["a"]], places[pair["b"]])))
    for pair in pairs:
        margin, ahead, a, b = pair["margin"], pair["finishes_ahead"], pair["a"], pair["b"]
        if margin is None:
            continue
        sign = 1 if margin["estimate"] >= 0 else -1
        share = None if ahead is None else (ahead["estimate"] if sign > 0 else 1 - ahead["estimate"])
        p = margin["p_adjusted"]
        rows.append([
            a if sign > 0 else b,
            b if sign > 0 else a,
            say_estimate(margin | {"estimate": abs(margin["estimate"])}),
            "" if share is None else f"{100 * share:.1f} %",
            "unknown" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}",
        ])  # fmt: skip
    return head, rows


def table_cells(report: Report, focus: str | None) -> Cells:
    """Return games, wins, draws and losses per table, of one entrant or of all.

    A win is the lowest score alone, a draw a shared lowest score, a loss the rest.
    """
    head = ["table", "entrant", "games", "wins", "draws", "losses", "won", "points per deal"]
    rows = []
    for row in make_tables(report)["tables"].iter_rows(named=True):
        if focus is not None and row["entrant"] != focus:
            continue
        rows.append([
            shorten_table(row["table"]),
            row["entrant"],
            f"{row['games']:,}",
            f"{row['wins']:,}",
            f"{row['draws']:,}",
            f"{row['losses']:,}",
            f"{100 * row['wins'] / row['games']:.1f} %",
            f"{row['points_per_deal']:.2f}",
        ])  # fmt: skip
    return head, rows


def shorten_table(members: str) -> str:
    """Return ``a, 3 x b`` for ``a, b, b, b``."""
    names = members.split(", ")
    parts = []
    for name in dict.fromkeys(names):
        count = names.count(name)
        parts.append(name if count == 1 else f"{count} × {name}")
    return ", ".join(parts)


def to_markdown(cells: Cells) -> str:
    """Return a table as Markdown; numbers are set to the right."""
    head, rows = cells
    texts = [i for i, name in enumerate(head) if name in ("entrant", "against", "table")]
    rule = "|".join(" --- " if i in texts else " ---: " for i in range(len(head)))
    lines = ["| " + " | ".join(head) + " |", f"|{rule}|"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def to_html(cells: Cells) -> str:
    """Return a table as HTML."""
    head, rows = cells
    texts = {i for i, name in enumerate(head) if name in ("entrant", "against", "table")}

    def row_of(tag: str, row: list[str]) -> str:
        cells_ = (
            f"<{tag}{' class=text' if i in texts else ''}>{html.escape(cell)}</{tag}>"
            for i, cell in enumerate(row)
        )
        return f"<tr>{''.join(cells_)}</tr>"

    body = "\n".join(row_of("td", row) for row in rows)
    return (
        f"<div class=scroll><table><thead>{row_of('th', head)}</thead><tbody>\n{body}\n</tbody></table></div>"
    )
