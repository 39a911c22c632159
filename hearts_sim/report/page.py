"""The report as one self-contained HTML page: no scripts, nothing to load, the same bytes every time."""

from __future__ import annotations

import html
import re

from hearts_sim.report import style
from hearts_sim.report.charts import Chart
from hearts_sim.report.sections import Block, Bullets, Code, Figures, Paragraph, Section, Table
from hearts_sim.report.tables import TEXT_COLUMNS, Cells

# In the dark, figures are turned over like a negative; rotating the hues brings the colours back.
_CSS = """
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5a5a5a; --line: #d9d9d9;
  --paper: #fff; --tint: #f4f6f8; --accent: #0072B2 }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --soft: #a8a8a8; --line: #3c3c3c; --paper: #161616; --tint: #212428; --accent: #56B4E9 }
  figure svg { filter: invert(.9) hue-rotate(180deg) }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem }
.lead { font-size: 1.15rem; border-left: 4px solid var(--accent); padding: .2rem 0 .2rem 1rem; margin: 1.2rem 0 }
.soft, figcaption { color: var(--soft); font-size: .9rem }
.warning { border-left: 4px solid #D55E00; padding-left: 1rem }
.scroll { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums }
th { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--ink) }
td { border-bottom: 1px solid var(--line) }
th, td { text-align: right; padding: .35rem .6rem; white-space: nowrap }
th { white-space: normal } .text { text-align: left } td.wide { white-space: normal }
figure { margin: 1.2rem 0 1.6rem } figure svg { width: 100%; height: auto; display: block }
figure.small svg { max-width: 30rem } figure.wide > div { overflow-x: auto } figure.wide svg { min-width: 34rem }
figcaption { margin-top: .5rem; max-width: 46rem }
svg [id$="-patch_1"] path { fill: none !important }
pre { background: var(--tint); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px;
  font-size: .85rem; line-height: 1.5 }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); gap: 0 2rem }
@media print {
  main { max-width: none; padding: 0 } body { font-size: 10pt } h2 { break-after: avoid }
  figure, tr, pre { break-inside: avoid } figure.wide svg { min-width: 0 } pre { white-space: pre-wrap }
}
"""


def make_page(sections: list[Section]) -> str:
    """Return a report as one HTML page that needs nothing else."""
    title = html.escape(sections[0].title)
    body = "\n".join(
        "\n".join([_head(section, place), *(_show(block) for block in section.blocks)])
        for place, section in enumerate(sections)
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_CSS}</style></head>\n<body><main>\n{body}\n</main></body></html>\n"
    )


def _write(text: str) -> str:
    """Return text for HTML; a number stays on one line with its error, its per cent sign and the letter it is the value of."""
    text = html.escape(text).replace(" %", "&nbsp;%")
    for sign in ("±", "="):
        text = text.replace(f" {sign} ", f"&nbsp;{sign}&nbsp;")
    return text


def _head(section: Section, place: int) -> str:
    level = "h1" if place == 0 else "h2"
    return f"<{level}>{_write(section.title)}</{level}>"


def _show(block: Block) -> str:
    match block:
        case Paragraph(text, kind):
            attribute = "" if kind == "plain" else f" class={kind}"
            return f"<p{attribute}>{_write(text)}</p>"
        case Bullets(items):
            return f"<ul>{''.join(f'<li>{_write(item)}</li>' for item in items)}</ul>"
        case Table(cells):
            return format_table(cells)
        case Figures(charts):
            figures = "".join(_embed(chart) for chart in charts)
            return f"<div class=pair>{figures}</div>" if len(charts) > 1 else figures
        case Code(lines):
            return f"<pre>{html.escape(chr(10).join(lines))}</pre>"


def format_table(cells: Cells) -> str:
    """Return a table as HTML that scrolls sideways on a small screen."""
    head, rows = cells

    def row_of(tag: str, row: list[str]) -> str:
        shown = []
        for name, cell in zip(head, row, strict=True):
            kinds = (["text"] if name in TEXT_COLUMNS else []) + (["wide"] if name == "value" else [])
            attribute = f' class="{" ".join(kinds)}"' if kinds else ""
            shown.append(f"<{tag}{attribute}>{_write(cell)}</{tag}>")
        return f"<tr>{''.join(shown)}</tr>"

    body = "\n".join(row_of("td", row) for row in rows)
    return (
        f"<div class=scroll><table><thead>{row_of('th', head)}</thead><tbody>\n{body}\n</tbody></table></div>"
    )


def _embed(chart: Chart) -> str:
    """Return a figure as inline SVG with ids of its own, its caption below."""
    svg = chart.svg.decode()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    for attribute in ('id="', 'href="#', "url(#"):
        svg = svg.replace(attribute, f"{attribute}{chart.name}-")
    label = html.escape(f"{chart.title}. {chart.caption}", quote=True)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    size = "wide" if chart.figure.get_figwidth() > style.SINGLE + 1 else "small"
    caption = _write(chart.caption)
    return f"<figure class={size}><div>{svg}</div><figcaption>{caption}</figcaption></figure>"
