"""Writes a report: the page, the Markdown, the tables and the figures, the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hearts_sim.analysis.metrics import RunData
from hearts_sim.report import pages, style, tables
from hearts_sim.report.charts import draw_all
from hearts_sim.report.data import Report, read_report
from hearts_sim.tournament.store import write_json

FORMATS = ("html", "md", "csv")
FIGURES = ("svg", "pdf", "png")


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
    charts = draw_all(report)
    written: list[Path] = []

    def write(path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written.append(path)

    if "html" in formats:
        write(folder / "report.html", pages.make_html(report, charts).encode())
    if "md" in formats:
        write(folder / "report.md", pages.make_markdown(report, charts).encode())
    if "csv" in formats:
        for name, frame in tables.make_tables(report).items():
            write(folder / "tables" / f"{name}.csv", frame.write_csv().encode())
    for chart in charts:
        for kind in figures:
            write(folder / "figures" / f"{chart.name}.{kind}", style.render(chart.figure, kind))
    write_json(folder / "summary.json", report.summary)
    written.append(folder / "summary.json")
    return report, written
