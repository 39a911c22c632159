"""The figures of a report: each a function from a report to a figure with its title and caption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from hearts_sim.report import style, words
from hearts_sim.report.data import BANDS, Report, band_points

_METHOD = "Bars are 95 % intervals, cluster-robust over blocks."
_BAND_COLOURS = ("#08306b", "#2171b5", "#6baed6", "#c6dbef", "#fdae6b", "#d94801")


@dataclass(frozen=True)
class Chart:
    """A figure with what stands around it: file name, title, caption."""

    name: str
    title: str
    caption: str
    figure: Figure


def draw_all(report: Report) -> list[Chart]:
    """Return every figure that the run's data allow."""
    charts = []
    with style.styled():
        for draw in _CHARTS:
            chart = draw(report)
            if chart is not None:
                style.settle(chart.figure)
                charts.append(chart)
    return charts


def _height(n_rows: int, row: float = 0.3, frame: float = 0.85) -> float:
    return frame + row * n_rows


def _index(report: Report, name: str) -> int:
    return report.names.index(name)


def draw_win_share(report: Report) -> Chart:
    """Win share of every entrant against an equal share."""
    ranked = sorted(report.ranked, key=lambda e: -e["win_share"]["estimate"])
    figure, axes = style.make_figure(style.SINGLE, _height(len(ranked)))
    for row, entrant in enumerate(ranked):
        style.draw_estimate(axes, row, entrant["win_share"], _index(report, entrant["name"]), 100)
    style.draw_line(axes, 100 / report.n_seats, "equal share")
    style.name_rows(axes, [e["name"] for e in ranked])
    axes.set_xlabel("win share (%), higher is better →")
    caption = f"Share of games won; a shared lowest score is a shared win. n = {report.n_text}. {_METHOD}"
    return Chart("win_share", "Win share", caption, figure)


def draw_points(report: Report) -> Chart:
    """Points per deal of every entrant."""
    figure, axes = style.make_figure(style.SINGLE, _height(len(report.ranked)))
    for row, entrant in enumerate(report.ranked):
        style.draw_estimate(axes, row, entrant["points_per_deal"], _index(report, entrant["name"]))
    deals = sum(e["deals"] for e in report.ranked)
    mean = sum(e["points_per_deal"]["estimate"] * e["deals"] for e in report.ranked) / deals
    style.draw_line(axes, mean, "mean")
    style.name_rows(axes, [e["name"] for e in report.ranked])
    axes.set_xlabel("← lower is better, points per deal")
    caption = f"Mean penalty points per deal, moons as the rules score them. n = {report.n_text}. {_METHOD}"
    return Chart("points_per_deal", "Points per deal", caption, figure)


def draw_distribution(report: Report) -> Chart | None:
    """How often a deal costs how much, as stacked shares."""
    if report.points.is_empty():
        return None
    shares = band_points(report.points)
    figure, axes = style.make_figure(style.DOUBLE, _height(len(report.ranked), 0.34, 1.1))
    left = np.zeros(len(report.ranked))
    for band, label in enumerate(BANDS):
        found = dict(shares.filter(pl.col("band") == band).select("entrant", "share").iter_rows())
        width = np.array([100 * found.get(_index(report, e["name"]), 0.0) for e in report.ranked])
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
        for row, share in enumerate(width):
            if share >= 4:
                tone = "white" if band in (0, 1, 5) else "black"
                axes.text(
                    left[row] + share / 2,
                    row,
                    f"{share:.0f}",
                    ha="center",
                    va="center",
                    color=tone,
                    fontsize=7.5,
                )
        left += width
    style.name_rows(axes, [e["name"] for e in report.ranked])
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of deals (%)")
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside upper center",
        ncols=6,
        title="points in a deal",
        title_fontsize=8,
        handlelength=1,
        columnspacing=1.2,
    )
    caption = f"Distribution of points per deal, entrants with the fewest points on top. n = {report.n_text}."
    return Chart("points_distribution", "Points in a deal", caption, figure)


def draw_moons(report: Report) -> Chart:
    """Moons made and conceded per 1,000 deals."""
    figure, axes = style.make_figure(style.DOUBLE, _height(len(report.ranked)), 1, 2, sharey=True)
    titles = (("moon_rate", "made"), ("moon_conceded_rate", "conceded"))
    for panel, (key, title) in zip(axes, titles, strict=True):
        for row, entrant in enumerate(report.ranked):
            style.draw_estimate(panel, row, entrant[key], _index(report, entrant["name"]), 1000)
        style.name_rows(panel, [e["name"] for e in report.ranked])
        panel.set_xlim(left=0)
        panel.set_title(title)
        panel.set_xlabel("per 1,000 deals")
    caption = (
        "Deals in which an entrant took every penalty card (made) and in which another seat at its table did (conceded). "
        f"n = {report.n_text}. {_METHOD}"
    )
    return Chart("moons", "Moon shots", caption, figure)


def draw_directions(report: Report) -> Chart | None:
    """Effect of the pass direction on each entrant's points."""
    rows = {row["entrant"]: row for row in report.summary["pass_directions"]}
    directions = report.directions
    if len(directions) < 2:
        return None
    figure, panels = style.make_figure(
        style.DOUBLE, _height(len(report.ranked), 0.3, 1.0), 1, len(directions), sharex=True, sharey=True
    )
    for panel, direction in zip(panels, directions, strict=True):
        for row, entrant in enumerate(report.ranked):
            value = rows[entrant["name"]]["effects"][direction]
            style.draw_estimate(panel, row, value, _index(report, entrant["name"]), markersize=4)
        panel.axvline(0, color=style.GREY, linewidth=0.8, zorder=0)
        panel.set_title(direction)
        style.name_rows(panel, [e["name"] for e in report.ranked])
    figure.supxlabel("← better · points per deal against the entrant's own mean · worse →", fontsize=8)
    caption = (
        "Points per deal by pass direction, less the entrant's mean over all directions; 0 means that the direction does not "
        f"matter to it. n = {report.n_text}. {_METHOD}"
    )
    return Chart("pass_direction", "Effect of the pass direction", caption, figure)


def draw_seats(report: Report) -> Chart:
    """Points per deal by seat: the harness checks itself."""
    seats = report.summary["seats"]["points_per_deal"]
    figure, axes = style.make_figure(style.SINGLE, _height(len(seats), 0.26, 0.95))
    for row, value in enumerate(seats):
        style.draw_estimate(axes, row, value, 6)
    style.draw_line(axes, float(np.mean([seat["estimate"] for seat in seats])), "mean")
    style.name_rows(axes, [f"seat {seat}" for seat in range(len(seats))])
    axes.set_xlabel("points per deal")
    caption = (
        f"Points per deal by seat over all entrants. {words.say_seats(report)} n = {report.n_text}. {_METHOD}"
    )
    return Chart("seat_effect", "Seats", caption, figure)


def draw_matrix(report: Report) -> Chart:
    """How often each entrant finishes ahead of each other one."""
    names = [e["name"] for e in report.ranked]
    k = len(names)
    shares = np.full((k, k), np.nan)
    for pair in report.summary["pairs"]:
        if pair["finishes_ahead"] is None:
            continue
        a, b = names.index(pair["a"]), names.index(pair["b"])
        shares[a, b] = 100 * pair["finishes_ahead"]["estimate"]
        shares[b, a] = 100 - shares[a, b]
    size = min(style.DOUBLE, 1.7 + 0.62 * k)
    figure, axes = style.make_figure(size, size * 0.82)
    axes.imshow(shares, cmap="RdBu", vmin=0, vmax=100)
    for i in range(k):
        for j in range(k):
            if np.isfinite(shares[i, j]):
                tone = "white" if abs(shares[i, j] - 50) > 32 else "black"
                axes.text(j, i, f"{shares[i, j]:.0f}", ha="center", va="center", color=tone, fontsize=8)
    axes.set_xticks(range(k), names, rotation=35, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(k), names)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    caption = (
        "How often (%) the entrant of the row finishes a game ahead of the entrant of the column at the same table; "
        "a tie counts half. "
        f"n = {report.n_text}."
    )
    return Chart("head_to_head", "Head to head", caption, figure)


def draw_scores(report: Report) -> Chart | None:
    """Mean running score through the game, while at least 5 % of the games go on."""
    if report.run.manifest["experiment"]["design"]["unit"] != "game" or report.scores.is_empty():
        return None
    figure, axes = style.make_figure(style.DOUBLE, 3.0)
    ends: list[tuple[float, float, str, int]] = []
    for entrant in report.ranked:
        index = _index(report, entrant["name"])
        own = report.scores.filter(pl.col("entrant") == index).sort("deal")
        own = own.filter(pl.col("games") >= 0.05 * own["games"].max())  # type: ignore[operator]
        deal = own["deal"].to_numpy()
        mean = (own["score"] / own["games"]).to_numpy()
        axes.plot(deal, mean, color=style.colour(index), marker=style.marker(index), markersize=3.5)
        ends.append((float(deal[-1]), float(mean[-1]), entrant["name"], index))
    _label_ends(axes, ends)
    axes.set_xlabel("deal of the game")
    axes.set_ylabel("mean score so far\n(lower is better)")
    axes.margins(x=0.02)
    caption = (
        "Mean running score after each deal, over the games that got that far; only deals that at least 5 % of the games reach. "
        f"Late deals are of the longer games, in which scores rise slowly. n = {report.n_text}."
    )
    return Chart("scores", "Scores through the game", caption, figure)


def _label_ends(axes: Any, ends: list[tuple[float, float, str, int]]) -> None:
    """Write each name at the end of its line, moved apart where lines end close together."""
    low, high = axes.get_ylim()
    least = 0.06 * (high - low)
    at = -np.inf
    for x, y, name, index in sorted(ends, key=lambda end: end[1]):
        at = max(y, at + least)
        axes.annotate(
            name,
            (x, at),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=style.colour(index),
            fontsize=8,
            annotation_clip=False,
        )


_CHARTS: tuple[Callable[[Report], Chart | None], ...] = (
    draw_points,
    draw_win_share,
    draw_matrix,
    draw_distribution,
    draw_moons,
    draw_directions,
    draw_scores,
    draw_seats,
)
