"""The report as Markdown that points to the figures beside it."""

from __future__ import annotations

from hearts_sim.report.sections import Block, Bullets, Code, Figures, Paragraph, Section, Table
from hearts_sim.report.tables import TEXT_COLUMNS, Cells


def make_markdown(sections: list[Section], figure_kind: str | None = "svg") -> str:
    """Return a report as Markdown; figures are linked as ``figures/NAME.KIND``, or left out if there are none."""
    parts = []
    for place, section in enumerate(sections):
        blocks = [_show(block, figure_kind) for block in section.blocks]
        shown = [text for text in blocks if text]
        if shown:
            parts += [f"{'#' if place == 0 else '##'} {section.title}", *shown]
    return "\n\n".join(parts) + "\n"


def _show(block: Block, figure_kind: str | None) -> str:
    match block:
        case Paragraph(text, kind):
            marks = {"lead": ("**", "**"), "warning": ("> ", "")}.get(kind, ("", ""))
            return f"{marks[0]}{text}{marks[1]}"
        case Bullets(items):
            return "\n".join(f"- {item}" for item in items)
        case Table(cells):
            return format_table(cells)
        case Figures(charts):
            if figure_kind is None:
                return ""
            return "\n\n".join(
                f"![{chart.title}](figures/{chart.name}.{figure_kind})\n\n{chart.caption}" for chart in charts
            )
        case Code(lines):
            return "\n".join(["```", *lines, "```"])


def format_table(cells: Cells) -> str:
    """Return a table as Markdown; numbers are set to the right."""
    head, rows = cells
    rule = "|".join(" --- " if name in TEXT_COLUMNS else " ---: " for name in head)
    lines = ["| " + " | ".join(head) + " |", f"|{rule}|"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
