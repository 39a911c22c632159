"""Writes a report: the page, the Markdown, the tables and the figures, the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hearts_sim.analysis.metrics import RunData
from hearts_sim.report import charts, charts_play, style, tables
from hearts_sim.report.charts import Chart, Draw
from hearts_sim.report.data import Report, read_report
from hearts_sim.report.markdown import make_markdown
from hearts_sim.report.page import make_page
from hearts_sim.report.sections import compose
from hearts_sim.tournament.store import write_json

FORMATS = ("html", "md", "csv")
FIGURES = ("svg", "pdf", "png")

_DRAW: tuple[Draw, ...] = (
    charts.draw_points,
    charts.draw_win_share,
    charts.draw_tables,
    charts.draw_matrix,
    charts_play.draw_distribution,
    charts.draw_moons,
    charts_play.draw_directions,
    charts_play.draw_scores,
    charts_play.draw_seats,
)


def draw_all(report: Report) -> list[Chart]:
    """Return every figure that the run's data allow."""
    drawn = []
    with style.styled():
        for draw in _DRAW:
            chart = draw(report)
            if chart is not None:
                style.settle(chart.figure)
                drawn.append(chart)
    return drawn


def build_report(
    run: RunData, folder: Path, formats: Sequence[str] = FORMATS, figures: Sequence[str] = FIGURES
) -> tuple[Report, list[Path]]:
    """Write a run's report into a folder and return what it shows and the files, in order.

    Raises
    ------
    ValueError
        If the run has no finished unit.
    """
    report = read_report(run)
    drawn = draw_all(report)
    sections = compose(report, drawn)
    written: list[Path] = []

    def write(path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written.append(path)

    if "html" in formats:
        write(folder / "report.html", make_page(sections).encode())
    if "md" in formats:
        write(folder / "report.md", make_markdown(sections, next(iter(figures), None)).encode())
    if "csv" in formats:
        for name, frame in tables.make_tables(report).items():
            write(folder / "tables" / f"{name}.csv", frame.write_csv().encode())
    for chart in drawn:
        for kind in figures:
            drawing = chart.svg if kind == "svg" else style.render(chart.figure, kind)
            write(folder / "figures" / f"{chart.name}.{kind}", drawing)
    write_json(folder / "summary.json", report.summary)
    written.append(folder / "summary.json")
    return report, written
