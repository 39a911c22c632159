"""Figures of how a game goes: points in a deal, pass directions, running scores, seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from hearts_sim.report import style, words
from hearts_sim.report.charts import METHOD, Chart, height
from hearts_sim.report.data import BANDS, Report, average_scores, band_points

_BAND_COLOURS = ("#08306b", "#2171b5", "#6baed6", "#c6dbef", "#fdae6b", "#d94801")
_BANDS_WITH_WHITE_TEXT = (0, 1, 5)
_LEAST_GAMES = 0.05
_ROOM_FOR_LEADERS = 0.04


def draw_distribution(report: Report) -> Chart | None:
    """How often a deal costs how much, as stacked shares."""
    if report.points.is_empty():
        return None
    shares = band_points(report.points)
    figure, axes = style.make_figure(style.DOUBLE, height(len(report.ranked), 0.34, 1.1))
    left = np.zeros(len(report.ranked))
    for band, label in enumerate(BANDS):
        found = dict(shares.filter(pl.col("band") == band).select("entrant", "share").iter_rows())
        width = np.array([100 * found.get(report.index(e["name"]), 0.0) for e in report.ranked])
        if not width.any():
            continue
        axes.barh(
            range(len(width)),
            width,
            left=left,
            height=0.68,
            color=_BAND_COLOURS[band],
            label=label,
            edgecolor="white",
            linewidth=0.6,
        )
        _write_shares(axes, left, width, "white" if band in _BANDS_WITH_WHITE_TEXT else "black")
        left += width
    style.name_rows(axes, [e["name"] for e in report.ranked])
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of deals in %")
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside upper center",
        ncols=6,
        title="points in a deal",
        title_fontsize=8,
        handlelength=1,
        columnspacing=1.2,
    )
    is_usual = report.run.rules.queen_points == 13
    queen = "13 or more is mostly the queen of spades. " if is_usual else ""
    caption = f"Distribution of points per deal, entrants with the fewest points on top. {queen}n = {report.n_text}."
    return Chart("points_distribution", "Points in a deal", caption, figure)


def _write_shares(axes: Any, left: Any, width: Any, tone: str) -> None:
    for row, share in enumerate(width):
        if share >= 4:
            x = left[row] + share / 2
            axes.text(x, row, f"{share:.0f}", ha="center", va="center", color=tone, fontsize=7.5)


def draw_directions(report: Report) -> Chart | None:
    """Effect of the pass direction on each entrant's points."""
    rows = {row["entrant"]: row for row in report.summary["pass_directions"]}
    directions = report.directions
    if len(directions) < 2:
        return None
    figure, panels = style.make_figure(
        style.DOUBLE, height(len(report.ranked), 0.3, 1.0), 1, len(directions), sharex=True, sharey=True
    )
    for panel, direction in zip(panels, directions, strict=True):
        for row, entrant in enumerate(report.ranked):
            value = rows[entrant["name"]]["effects"][direction]
            style.draw_estimate(panel, row, value, report.index(entrant["name"]), markersize=4.5)
        panel.axvline(0, color=style.GREY, linewidth=0.8, zorder=0)
        panel.set_title(direction)
        style.name_rows(panel, [e["name"] for e in report.ranked])
    figure.supxlabel("points per deal, less the entrant's own mean (← lower is better)", fontsize=8)
    caption = (
        "Points per deal by pass direction, less the entrant's mean over all directions; 0 means that the direction does "
        f"not matter to it. {words.say_directions(report.summary)} n = {report.n_text}. {METHOD}"
    )
    return Chart("pass_direction", "Effect of the pass direction", caption, figure)


def draw_scores(report: Report) -> Chart | None:
    """Mean running score through the game, while at least 5 % of the games go on, and how many do."""
    if report.summary["design"]["unit"] != "game" or report.scores.is_empty():
        return None
    figure, (axes, below) = style.make_figure(style.DOUBLE, 3.6, 2, 1, sharex=True, height_ratios=(5, 1))
    ends: list[tuple[float, float, str, int]] = []
    scores = average_scores(report.scores)
    for entrant in report.ranked:
        index = report.index(entrant["name"])
        own = scores.filter(pl.col("entrant") == index).sort("deal")
        own = own.filter(pl.col("games") >= _LEAST_GAMES * pl.col("games").max())
        deal, mean = own["deal"].to_numpy(), own["score"].to_numpy()
        style.draw_line_of(axes, deal, mean, own["low"].to_numpy(), own["high"].to_numpy(), index)
        ends.append((float(deal[-1]), float(mean[-1]), entrant["name"], index))
    _label_ends(axes, ends)
    axes.set_ylabel("mean score so far\n(lower is better)")
    axes.margins(x=0.02)
    _draw_survivors(below, scores, max(end[0] for end in ends))
    caption = (
        "Mean running score after each deal, over the games that got that far (below: how many), with 95 % bands, "
        "cluster-robust over blocks, where 30 blocks or more got that far; only deals that at least 5 % of the games reach. "
        f"Late deals show only games that lasted: scores rise slowly in them. n = {report.n_text}."
    )
    return Chart("scores", "Scores through the game", caption, figure)


def _draw_survivors(axes: Any, scores: pl.DataFrame, last: float) -> None:
    """Draw the share of games that reach each deal."""
    games = scores.group_by("deal").agg(pl.col("games").sum()).sort("deal").filter(pl.col("deal") <= last)
    share = 100 * games["games"].to_numpy() / games["games"].max()
    axes.bar(games["deal"].to_numpy(), share, width=0.6, color=style.PALE)
    axes.set_ylim(0, 100)
    axes.set_yticks([0, 50, 100])
    axes.set_ylabel("games\nleft in %")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("deal of the game")


def _label_ends(axes: Any, ends: list[tuple[float, float, str, int]]) -> None:
    """Write the names in one column at the right, each led to from the end of its line, moved apart where they are close."""
    low, high = axes.get_ylim()
    least = 0.06 * (high - low)
    ends = sorted(ends, key=lambda end: end[1])
    heights = [ends[0][1]]
    for _, y, _, _ in ends[1:]:
        heights.append(max(y, heights[-1] + least))
    lift = float(np.mean([at - y for at, (_, y, _, _) in zip(heights, ends, strict=True)]))
    last = max(x for x, _, _, _ in ends)
    for at, (x, y, name, index) in zip(heights, ends, strict=True):
        tone = style.colour(index)
        label = (last * (1 + _ROOM_FOR_LEADERS), at - lift)
        axes.plot(
            [x, label[0]], [y, label[1]], color=tone, linewidth=0.6, linestyle=(0, (1, 1.5)), clip_on=False
        )
        axes.annotate(
            name,
            label,
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            color=tone,
            fontsize=8,
            annotation_clip=False,
        )


def draw_seats(report: Report) -> Chart | None:
    """Points per deal by seat: the program checks itself."""
    seats = [seat for seat in report.summary["seats"]["points_per_deal"] if seat is not None]
    if len(seats) < report.n_seats:
        return None
    figure, axes = style.make_figure(style.SINGLE, height(len(seats), 0.26, 0.95))
    for row, value in enumerate(seats):
        style.draw_estimate(axes, row, value, None)
    style.draw_line(axes, float(np.mean([seat["estimate"] for seat in seats])), "mean")
    style.name_rows(axes, [f"seat {seat}" for seat in range(len(seats))])
    style.write_values(axes, [words.say_estimate(seat) for seat in seats])
    axes.set_xlabel("points per deal")
    caption = f"Points per deal by seat, whoever sat there. n = {report.n_text}. {METHOD}"
    return Chart("seat_effect", "Seats: a check of the program", caption, figure)
