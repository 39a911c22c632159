"""Figures keep an entrant's look throughout, and say what their numbers rest on."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from hearts_sim.report import build, style
from hearts_sim.report.charts import Chart
from hearts_sim.report.data import Report

ALL = ("levels", "listed", "deals", "few", "unrecorded")
OF_ENTRANTS = {"points_per_deal", "win_share", "moons", "pass_direction"}
WITH_INTERVALS = OF_ENTRANTS | {"tables", "seat_effect"}


@pytest.fixture(scope="module")
def charts(reports: dict[str, Report]) -> dict[str, list[Chart]]:
    return {kind: build.draw_all(report) for kind, report in reports.items()}


@pytest.mark.parametrize("kind", ALL)
def test_every_caption_says_n_and_how_the_intervals_were_made(
    kind: str, charts: dict[str, list[Chart]]
) -> None:
    names = {chart.name for chart in charts[kind]}
    assert names >= OF_ENTRANTS - {"pass_direction"}
    for chart in charts[kind]:
        assert re.search(r"\bn = .*\d.* blocks", chart.caption), chart.name
        if chart.name in WITH_INTERVALS:
            assert "95 % intervals, cluster-robust over blocks" in chart.caption, chart.name
        elif chart.name == "head_to_head":
            assert "95 % interval" in chart.caption


def find_looks(chart: Chart) -> list[dict[str, tuple[str, str]]]:
    """Return, per panel, the colour and marker of the dot in each named row."""
    looks = []
    names = [label.get_text() for label in chart.figure.axes[0].get_yticklabels()]
    for axes in chart.figure.axes:
        dots: dict[str, tuple[str, str]] = {}
        for line in axes.lines:
            if not isinstance(line, Line2D) or line.get_marker() in ("None", "", None):
                continue
            (row,) = set(np.asarray(line.get_ydata()).tolist())
            dots[names[int(row)]] = (to_hex(line.get_color()), str(line.get_marker()))
        looks.append(dots)
    return looks


@pytest.mark.parametrize("kind", ALL)
def test_an_entrant_looks_the_same_in_every_figure(
    kind: str, charts: dict[str, list[Chart]], reports: dict[str, Report]
) -> None:
    report = reports[kind]
    expected = {
        name: (style.colour(report.index(name)).lower(), style.marker(report.index(name)))
        for name in report.run.names
    }
    checked = 0
    for chart in charts[kind]:
        if chart.name not in OF_ENTRANTS:
            continue
        for dots in find_looks(chart):
            assert dots == expected, chart.name
            checked += 1
    assert checked >= 4


@pytest.mark.parametrize("kind", ALL)
def test_rows_are_in_order_of_rank_and_values_stand_where_they_belong(
    kind: str, charts: dict[str, list[Chart]], reports: dict[str, Report]
) -> None:
    """The dot of each row is at the entrant's own estimate."""
    (chart,) = (chart for chart in charts[kind] if chart.name == "points_per_deal")
    axes = chart.figure.axes[0]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    assert rows == [entrant["name"] for entrant in reports[kind].ranked]
    estimates = {e["name"]: e["points_per_deal"]["estimate"] for e in reports[kind].summary["entrants"]}
    assert [estimates[name] for name in rows] == sorted(estimates.values())
    dots = {
        rows[int(np.asarray(line.get_ydata())[0])]: np.asarray(line.get_xdata())[0]
        for line in axes.lines
        if line.get_marker() not in ("None", "")
    }
    assert dots == pytest.approx(estimates)


def test_without_intervals_no_line_is_drawn(charts: dict[str, list[Chart]]) -> None:
    (chart,) = (chart for chart in charts["few"] if chart.name == "points_per_deal")
    horizontal = [
        line
        for line in chart.figure.axes[0].lines
        if line.get_marker() in ("None", "") and len(set(np.asarray(line.get_ydata()).tolist())) == 1
    ]
    assert horizontal == []


def test_games_of_a_listed_table_are_won_shared_or_lost(reports: dict[str, Report]) -> None:
    tables = reports["listed"].summary["tables"]
    assert len(tables) == 2
    for table in tables:
        for entrant in table["entrants"]:
            assert entrant["wins"] + entrant["draws"] + entrant["losses"] == entrant["games"]
            assert entrant["games"] == 160 * table["members"].count(entrant["name"])
