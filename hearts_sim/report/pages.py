"""The report as one self-contained HTML page and as Markdown: pure functions of a run."""

from __future__ import annotations

import html
import re

from hearts_sim.game.rules import Rules
from hearts_sim.report import style, tables, words
from hearts_sim.report.charts import Chart
from hearts_sim.report.data import Report

_CSS = """
:root { color-scheme: light dark; --ink: #1c1c1c; --soft: #5d5d5d; --line: #d9d9d9;
  --paper: #fff; --tint: #f4f6f8; --accent: #0072B2 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --soft: #a8a8a8; --line: #3c3c3c; --paper: #161616; --tint: #212428; --accent: #56B4E9 }
  figure svg { background: #fff; border-radius: 6px; padding: 8px; box-sizing: border-box }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem } h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem }
.lead { font-size: 1.15rem; border-left: 4px solid var(--accent); padding: .2rem 0 .2rem 1rem; margin: 1.2rem 0 }
.soft, figcaption { color: var(--soft); font-size: .9rem }
.warning { border-left: 4px solid #D55E00; padding-left: 1rem }
.scroll { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums }
th { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--ink) } td { border-bottom: 1px solid var(--line) }
th, td { text-align: right; padding: .35rem .6rem; white-space: nowrap } th { white-space: normal } .text { text-align: left }
figure { margin: 1.2rem 0 2rem } figure svg { max-width: 100%; height: auto; display: block }
figcaption { margin-top: .5rem; max-width: 46rem }
pre { background: var(--tint); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; font-size: .85rem; line-height: 1.5 }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0 2rem }
@media print { main { max-width: none; padding: 0 } figure, tr { break-inside: avoid } body { font-size: 11pt } }
"""


def make_html(report: Report, charts: list[Chart]) -> str:
    """Return the whole report as one HTML page that needs nothing else."""
    by_name = {chart.name: chart for chart in charts}
    s = report.summary
    title, preset = html.escape(s["title"] or s["name"]), html.escape(s["rules"]["preset"] or "custom")
    parts = [
        f"<h1>{title}</h1>",
        f"<p class=soft>{html.escape(report.n_text)} · rules {preset} · seed {s['seed']}</p>",
        f"<p class=lead>{html.escape(words.say_lead(report))}</p>",
        *(f"<p class=warning>{html.escape(text)}</p>" for text in s["warnings"]),
        _per_table(report),
        _section("Ranking", tables.to_html(tables.rank_cells(report)), _ranking_note()),
        _pair_figures(by_name, "points_per_deal", "win_share"),
        _levels(report),
        _figure_section(by_name, "head_to_head", tables.to_html(tables.pair_cells(report))),
        *(
            _figure_section(by_name, name)
            for name in ("points_distribution", "moons", "pass_direction", "scores")
        ),
        _figure_section(
            by_name,
            "seat_effect",
            "<p>The program checks itself: with every entrant in every seat, seats must not differ.</p>",
        ),
        _section("Rules", _rules(report)),
        _section("Methods", f"<p>{html.escape(words.say_methods(report))}</p>"),
        _section("Play it again", f"<pre>{html.escape(_repeat(report))}</pre>"),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_CSS}</style></head>\n<body><main>\n{body}\n</main></body></html>\n"
    )


def _section(title: str, *content: str) -> str:
    return f"<h2>{html.escape(title)}</h2>\n" + "\n".join(content)


def _ranking_note() -> str:
    return (
        "<p class=soft>Fewest points first: lower is better. ± is half of a 95 % interval. Entrants that are not told apart share "
        "places (1–2). Won: lowest score alone; shared: lowest score with others; lost: the rest. Win share splits shared wins.</p>"
    )


def _embed(chart: Chart) -> str:
    """Return a figure as inline SVG with ids of its own, its caption below."""
    svg = style.render(chart.figure, "svg").decode()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    for attribute in ('id="', 'href="#', "url(#"):
        svg = svg.replace(attribute, f"{attribute}{chart.name}-")
    label = html.escape(chart.title, quote=True)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    return f"<figure>{svg}<figcaption>{html.escape(chart.caption)}</figcaption></figure>"


def _pair_figures(charts: dict[str, Chart], *names: str) -> str:
    return f"<div class=pair>{''.join(_embed(charts[name]) for name in names)}</div>"


def _figure_section(charts: dict[str, Chart], name: str, after: str = "") -> str:
    if name not in charts:
        return ""
    return _section(charts[name].title, _embed(charts[name]), after)


def _levels(report: Report) -> str:
    steps = words.say_gaps(report)
    if not steps or words.is_fixed(report):
        return ""
    listed = "".join(f"<li>{html.escape(step)}</li>" for step in steps)
    return _section(
        "Step by step", f"<p><b>{html.escape(words.say_spacing(report))}</b></p>", f"<ul>{listed}</ul>"
    )


def _per_table(report: Report) -> str:
    if not words.is_fixed(report):
        return ""
    note = "<p class=soft>Wins: lowest score alone. Draws: lowest score shared. Losses: the rest.</p>"
    return _section(
        "Table by table", tables.to_html(tables.table_cells(report, words.find_focus(report))), note
    )


def _rules(report: Report) -> str:
    standard = Rules().as_dict()
    differs = {key: value for key, value in report.run.rules.as_dict().items() if value != standard[key]}
    s = report.summary["rules"]
    changed = "".join(f"<li>{html.escape(str(k))} = {html.escape(str(v))}</li>" for k, v in differs.items())
    more = (
        f"<p>Different from the standard rules:</p><ul>{changed}</ul>"
        if changed
        else "<p>The standard rules.</p>"
    )
    return f"<p>Preset {html.escape(s['preset'] or 'custom')}, hash {s['hash']}.</p>{more}"


def _repeat(report: Report) -> str:
    m = report.run.manifest
    lines = [m["command_line"], ""]
    lines += [
        f"seed      {m['seed']}",
        f"digest    {m['digest']}",
        f"plan      {m['plan_sha256']}",
        f"rules     {m['rules']['hash']}",
    ]
    lines += [f"{name:<9} {version}" for name, version in m["versions"].items()]
    lines += [
        f"entrant   {e['name']}: {e['strategy']}, source {e['source']} {e['source_hash']}"
        for e in m["entrants"]
    ]
    return "\n".join(lines)


def make_markdown(report: Report, charts: list[Chart]) -> str:
    """Return the report as Markdown that points to the figures beside it."""
    s = report.summary
    lines = [f"# {s['title'] or s['name']}", "", f"**{words.say_lead(report)}**", ""]
    lines += [f"{report.n_text}; rules {s['rules']['preset'] or 'custom'}; seed {s['seed']}.", ""]
    lines += [f"> {text}\n" for text in s["warnings"]]
    lines += ["## Ranking", "", tables.to_markdown(tables.rank_cells(report)), ""]
    lines += ["Fewest points first: lower is better. ± is half of a 95 % interval.", ""]
    if words.say_gaps(report) and not words.is_fixed(report):
        lines += [
            "## Step by step",
            "",
            words.say_spacing(report),
            "",
            *(f"- {step}" for step in words.say_gaps(report)),
            "",
        ]
    if words.is_fixed(report):
        lines += [
            "## Table by table",
            "",
            tables.to_markdown(tables.table_cells(report, words.find_focus(report))),
            "",
        ]
    lines += ["## Pairs", "", tables.to_markdown(tables.pair_cells(report)), ""]
    for chart in charts:
        lines += [
            f"## {chart.title}",
            "",
            f"![{chart.title}](figures/{chart.name}.svg)",
            "",
            chart.caption,
            "",
        ]
    lines += [
        "## Methods",
        "",
        words.say_methods(report),
        "",
        "## Play it again",
        "",
        "```",
        _repeat(report),
        "```",
        "",
    ]
    return "\n".join(lines)
