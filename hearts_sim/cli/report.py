"""``hearts-sim report``: tables, figures and a page from a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hearts_sim.cli.console import Terminal, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.cli.names import find_run_folder
from hearts_sim.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from hearts_sim.report.data import Report

FORMATS = ("html", "md", "csv")
FIGURES = ("svg", "pdf", "png")


def _split(known: tuple[str, ...]) -> click.ParamType[tuple[str, ...]]:
    class Choices(click.ParamType[tuple[str, ...]]):
        name = ",".join(known)

        def convert(
            self, value: object, param: click.Parameter | None, ctx: click.Context | None
        ) -> tuple[str, ...]:
            if isinstance(value, tuple):
                return value
            words = tuple(
                word.strip() for word in str(value).split(",") if word.strip() and word.strip() != "none"
            )
            for word in words:
                if word not in known:
                    self.fail(
                        f"{word!r} is not one of {', '.join(known)}{did_you_mean(word, known)}", param, ctx
                    )
            return words

    return Choices()


@click.command(
    "report",
    cls=Command,
    examples=(
        (
            "hearts-sim report results/cpu-levels-20261130",
            "write report.html, tables and figures beside the run",
        ),
        ("hearts-sim report cpu-levels-20261130 --figures pdf --format csv", "only what a paper needs"),
    ),
)
@click.argument("run")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write. [default: the run folder]")
@click.option(
    "--format",
    "formats",
    type=_split(FORMATS),
    default=FORMATS,
    help="html, md, csv or none; separated by commas. [default: all]",
)
@click.option(
    "--figures",
    type=_split(FIGURES),
    default=FIGURES,
    help="svg, pdf, png or none; separated by commas. [default: all]",
)
@json_option
@output_options
def command(
    run: str,
    out: Path | None,
    formats: tuple[str, ...],
    figures: tuple[str, ...],
    as_json: bool,
    terminal: Terminal,
) -> None:
    """Write tables, figures and a page from a run folder.

    RUN is a run folder or the name of one in results/. The same run gives the same bytes every time.
    """
    from hearts_sim.analysis.metrics import read_run
    from hearts_sim.report.build import build_report

    folder = find_run_folder(run)
    data = read_run(folder)
    if not data.units:
        raise UsageError(f"{folder} holds no finished unit yet; go on with: hearts-sim run FILE --resume")
    target = out or folder
    try:
        report, written = build_report(data, target, formats, figures)
    except OSError as error:
        raise UsageError(
            f"the report cannot be written: {error}; choose another folder with --out"
        ) from error
    if as_json:
        terminal.show_json(report.summary | {"command": "report", "files": [str(path) for path in written]})
    else:
        terminal.show(*_answer(report))
    terminal.say("\n" + "\n".join(_say_files(target, written)))


def _answer(report: Report) -> list[str]:
    from hearts_sim.cli.console import fold
    from hearts_sim.report import words

    lines = [
        words.say_lead(report.summary),
        *(f"Note: {w}" for w in report.summary["warnings"]),
    ]
    return [fold(line) for line in lines if line]


def _say_files(target: Path, written: list[Path]) -> list[str]:
    """Return where things are, one line for each kind."""
    lines = []
    if target / "report.html" in written:
        lines.append(f"page     {target / 'report.html'}")
    if target / "report.md" in written:
        lines.append(f"text     {target / 'report.md'}")
    for kind in ("tables", "figures"):
        count = sum(path.parent.name == kind for path in written)
        if count:
            lines.append(f"{kind:<8} {target / kind} ({count} files)")
    return lines
