"""The figures of a report: each a function from a report to a figure with its title and caption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hearts_sim.report import style, words
from hearts_sim.report.data import Report

METHOD = "Lines are 95 % intervals, cluster-robust over blocks."


@dataclass(frozen=True)
class Chart:
    """A figure with what stands around it: file name, title, caption."""

    name: str
    title: str
    caption: str
    figure: Figure

    @cached_property
    def svg(self) -> bytes:
        """The figure as SVG, drawn once for the page and for its file."""
        return style.render(self.figure, "svg")


Draw = Callable[[Report], Chart | None]


def height(n_rows: int, row: float = 0.3, frame: float = 0.85) -> float:
    """Return the height in inches of a figure with so many rows."""
    return frame + row * n_rows


def draw_points(report: Report) -> Chart:
    """Points per deal of every entrant."""
    figure, axes = style.make_figure(style.choose_width(report.names), height(len(report.ranked)))
    for row, entrant in enumerate(report.ranked):
        style.draw_estimate(axes, row, entrant["points_per_deal"], report.index(entrant["name"]))
    style.draw_line(axes, _mean_points(report), "mean")
    style.name_rows(axes, [e["name"] for e in report.ranked])
    style.write_values(axes, [words.say_estimate(e["points_per_deal"]) for e in report.ranked])
    axes.set_xlabel("points per deal (← lower is better)")
    caption = f"Mean penalty points per deal, moons as the rules score them. n = {report.n_text}. {METHOD}"
    return Chart("points_per_deal", "Points per deal", caption, figure)


def _mean_points(report: Report) -> float:
    deals = sum(e["deals"] for e in report.ranked)
    return float(sum(e["points_per_deal"]["estimate"] * e["deals"] for e in report.ranked) / deals)


def draw_win_share(report: Report) -> Chart:
    """Win share of every entrant against an equal share."""
    ranked = sorted(report.ranked, key=lambda e: -e["win_share"]["estimate"])
    figure, axes = style.make_figure(style.choose_width(report.names), height(len(ranked)))
    for row, entrant in enumerate(ranked):
        style.draw_estimate(axes, row, entrant["win_share"], report.index(entrant["name"]), 100)
    style.draw_line(axes, 100 / report.n_seats, "equal share")
    style.name_rows(axes, [e["name"] for e in ranked])
    style.write_values(axes, [words.say_estimate(e["win_share"], 1, 100, " %") for e in ranked])
    axes.set_xlabel("win share in % (higher is better →)")
    caption = f"Share of games won; a shared lowest score is a shared win. n = {report.n_text}. {METHOD}"
    return Chart("win_share", "Win share", caption, figure)


def draw_tables(report: Report) -> Chart | None:
    """Win share and points of the entrant in focus at each table of a fixed design."""
    own = words.list_own_tables(report.summary)
    if len(own) < 2:
        return None
    own = sorted(own, key=lambda row: -row[1]["win_share"]["estimate"])
    index = report.index(report.summary["focus"])
    figure, (left, right) = style.make_figure(style.DOUBLE, height(len(own), 0.34, 0.9), 1, 2, sharey=True)
    for row, (_, record) in enumerate(own):
        style.draw_estimate(left, row, record["win_share"], index, 100)
        style.draw_estimate(right, row, record["points_per_deal"], index)
    style.draw_line(left, 100 / report.n_seats, "equal share")
    for axes in (left, right):
        style.name_rows(axes, [f"against {company}" for company, _ in own])
    style.write_values(left, [words.say_estimate(r["win_share"], 1, 100, " %") for _, r in own])
    style.write_values(right, [words.say_estimate(r["points_per_deal"]) for _, r in own])
    left.set_xlabel("win share in % (higher is better →)")
    right.set_xlabel("points per deal (← lower is better)")
    caption = (
        f"{report.summary['focus']} at each table, in order of its win share; all tables play the same cards. "
        f"n = {report.n_text}. {METHOD}"
    )
    return Chart("tables", f"{report.summary['focus']} table by table", caption, figure)


def draw_matrix(report: Report) -> Chart | None:
    """How often each entrant finishes ahead of each other one."""
    names = [e["name"] for e in report.ranked]
    k = len(names)
    shares = np.full((k, k), np.nan)
    shade = np.full((k, k), np.nan)
    for pair in report.summary["pairs"]:
        ahead = pair["finishes_ahead"]
        if ahead is None:
            continue
        a, b = names.index(pair["a"]), names.index(pair["b"])
        shares[a, b] = 100 * ahead["estimate"]
        shares[b, a] = 100 - shares[a, b]
        is_even = ahead["low"] is None or ahead["low"] <= 0.5 <= ahead["high"]
        shade[[a, b], [b, a]] = 50 if is_even else shares[[a, b], [b, a]]
    if k < 2:
        return None
    size = min(style.DOUBLE, 1.7 + 0.62 * k)
    figure, axes = style.make_figure(size, size * 0.82)
    axes.pcolormesh(
        np.ma.masked_invalid(shade), cmap="RdBu", vmin=0, vmax=100, edgecolors="white", linewidth=1
    )
    axes.set_aspect("equal")
    axes.invert_yaxis()
    _write_cells(axes, shares, shade)
    axes.set_xticks(np.arange(k) + 0.5, names, rotation=35, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(np.arange(k) + 0.5, names)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    caption = (
        "How often (%) the entrant of the row finishes a game ahead of the entrant of the column at the same table; a tie "
        "counts half. Blue: ahead more often; red: behind; white: the 95 % interval includes 50. Empty: they never met. "
        f"n = {report.n_text}."
    )
    return Chart("head_to_head", "Head to head", caption, figure)


def _write_cells(axes: Any, shares: Any, shade: Any) -> None:
    for i, j in zip(*np.nonzero(np.isfinite(shares)), strict=True):
        tone = "white" if abs(shade[i, j] - 50) > 32 else "black"
        axes.text(j + 0.5, i + 0.5, f"{shares[i, j]:.0f}", ha="center", va="center", color=tone, fontsize=8)
    for i in range(len(shares)):
        axes.text(i + 0.5, i + 0.5, "·", ha="center", va="center", color=style.GREY, fontsize=8)


def draw_moons(report: Report) -> Chart:
    """Moons made and conceded per 1,000 deals."""
    figure, panels = style.make_figure(style.DOUBLE, height(len(report.ranked)), 1, 2, sharey=True)
    titles = (("moon_rate", "made"), ("moon_conceded_rate", "conceded (lower is better)"))
    for panel, (key, title) in zip(panels, titles, strict=True):
        for row, entrant in enumerate(report.ranked):
            style.draw_estimate(panel, row, entrant[key], report.index(entrant["name"]), 1000)
        style.name_rows(panel, [e["name"] for e in report.ranked])
        style.write_values(panel, [words.say_estimate(e[key], 1, 1000) for e in report.ranked])
        panel.set_xlim(left=0)
        panel.set_title(title)
        panel.set_xlabel("per 1,000 deals")
    caption = (
        "Deals in which an entrant took every penalty card (made) and in which another seat at its table did (conceded). "
        "Whoever shoots often has one shooter fewer against it. "
        f"n = {report.n_text}. {METHOD}"
    )
    return Chart("moons", "Moon shots", caption, figure)
