"""What a report says, in order, before it becomes a page or Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_sim.report import methods, tables, words
from hearts_sim.report.charts import Chart
from hearts_sim.report.data import Report
from hearts_sim.report.tables import Cells


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; ``kind`` is plain, lead, soft or warning."""

    text: str
    kind: str = "plain"


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: list[str]


@dataclass(frozen=True)
class Table:
    """A table of text."""

    cells: Cells


@dataclass(frozen=True)
class Figures:
    """Figures side by side where there is room."""

    charts: list[Chart]


@dataclass(frozen=True)
class Code:
    """Lines to be kept as they are."""

    lines: list[str]


_INTERVALS = "± is half of a 95 % interval; brackets hold both ends where they are not equally far"
Block = Paragraph | Bullets | Table | Figures | Code


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it."""

    title: str
    blocks: list[Block]


def compose(report: Report, charts: list[Chart]) -> list[Section]:
    """Return the sections of a report; the first is its title and answer."""
    by_name = {chart.name: chart for chart in charts}
    sections = [_open(report)]
    if words.is_fixed(report.summary):
        sections += [_show_tables(report, by_name), *_show_steps(report), _rank(report, by_name)]
    else:
        sections += [_rank(report, by_name), *_show_steps(report)]
    for name in ("head_to_head", "points_distribution", "moons", "pass_direction", "scores", "seat_effect"):
        sections += _show_figure(report, by_name, name)
    return [
        *sections,
        Section("Rules", [Table((["rule", "value"], [list(row) for row in methods.list_rules(report)]))]),
        Section("Methods", [Paragraph(methods.say_methods(report))]),
        Section("Play it again", [Code(methods.list_repeat(report))]),
    ]


def _open(report: Report) -> Section:
    s = report.summary
    facts = f"{report.n_text} · rules {s['rules']['preset'] or 'custom'} · seed {s['seed']}"
    warnings: list[Block] = [Paragraph(text, "warning") for text in s["warnings"]]
    return Section(
        s["title"] or s["name"], [Paragraph(facts, "soft"), Paragraph(words.say_lead(s), "lead"), *warnings]
    )


def _show_tables(report: Report, charts: dict[str, Chart]) -> Section:
    blocks: list[Block] = [
        Table(tables.table_cells(report)),
        Paragraph(
            "Wins: lowest score alone. Draws: lowest score shared. Losses: the rest. Win share counts a shared win in part. "
            f"{_INTERVALS}.",
            "soft",
        ),
    ]
    if "tables" in charts:
        blocks.append(Figures([charts["tables"]]))
    return Section("Table by table", blocks)


def _show_steps(report: Report) -> list[Section]:
    steps = words.say_gaps(report.summary)
    if not steps:
        return []
    verdict = words.say_spacing(report.summary)
    opening: list[Block] = [Paragraph(verdict)] if verdict else []
    return [Section("How far apart?", [*opening, Bullets(steps)])]


def _rank(report: Report, charts: dict[str, Chart]) -> Section:
    ranking = Table(tables.rank_cells(report))
    note = f"Fewest points first: lower is better. {_INTERVALS}. "
    wins = " Won: lowest score alone; shared: lowest score with others; lost: the rest. Win share splits shared wins."
    if words.is_fixed(report.summary):
        note += "There are no places: entrants did not all meet the same company." + wins
        return Section("All tables together", [ranking, Paragraph(note, "soft")])
    note += "Entrants that are not told apart share places (1–2)." + wins
    figures = Figures([charts["points_per_deal"], charts["win_share"]])
    return Section("Ranking", [ranking, Paragraph(note, "soft"), figures])


def _show_figure(report: Report, charts: dict[str, Chart], name: str) -> list[Section]:
    if name not in charts:
        return []
    blocks: list[Block] = [Figures([charts[name]])]
    if name == "head_to_head":
        blocks.append(Table(tables.pair_cells(report)))
    if name == "seat_effect":
        blocks.insert(0, Paragraph(words.say_seats(report.summary)))
    return [Section(charts[name].title, blocks)]
