"""A report: complete, self-contained, the same bytes every time, and its numbers those of the summary."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from hearts_sim.analysis import inference
from hearts_sim.analysis.metrics import RunData
from hearts_sim.report import build, charts_play, style
from hearts_sim.report.data import Report, average_scores, read_report

ALL = ("levels", "listed", "deals", "few", "unrecorded")
VOID = {"meta", "br", "path", "use", "image", "rect", "line", "circle"}


class Page(HTMLParser):
    """Collects tags, ids and headings, and notices tags that are not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.headings: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"h1", "h2"}:
            self.headings.append(data)


@pytest.mark.parametrize("kind", ALL)
def test_the_page_needs_nothing_else(folders: dict[str, Path], kind: str) -> None:
    text = (folders[kind] / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert {tag for tag, _ in page.tags} & {"script", "link", "iframe", "img", "object"} == set()
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), f"{tag} {name}"
            if name in {"src", "href", "xlink:href"}:
                assert value is not None
                assert value.startswith("#")
    assert re.search(r"url\((?!#)", text) is None
    assert "@import" not in text


@pytest.mark.parametrize("kind", ALL)
def test_figures_of_a_page_do_not_share_ids(folders: dict[str, Path], kind: str) -> None:
    text = (folders[kind] / "report.html").read_text(encoding="utf-8")
    ids = [attributes["id"] for _, attributes in Page(text).tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    assert used <= set(ids)


def test_the_page_opens_with_the_question_and_answers_it(folders: dict[str, Path]) -> None:
    text = (folders["levels"] / "report.html").read_text(encoding="utf-8")
    assert "<h1>Are &lt;these&gt; levels &amp; others well spaced?</h1>" in text
    lead = text.index("<p class=lead>")
    assert lead < text.index("<h2>")
    assert Page(text).headings[1:] == [
        "Ranking",
        "How far apart?",
        "Head to head",
        "Points in a deal",
        "Moon shots",
        "Effect of the pass direction",
        "Scores through the game",
        "Seats: a check of the program",
        "Rules",
        "Methods",
        "Play it again",
    ]


def test_listed_tables_come_first(folders: dict[str, Path]) -> None:
    headings = Page((folders["listed"] / "report.html").read_text(encoding="utf-8")).headings
    assert headings[1:4] == ["Table by table", "How far apart?", "All tables together"]


def test_a_run_without_deals_leaves_out_what_only_deals_show(folders: dict[str, Path]) -> None:
    names = {path.stem for path in (folders["unrecorded"] / "figures").iterdir()}
    assert names == {"points_per_deal", "win_share", "head_to_head", "moons", "pass_direction", "seat_effect"}


def test_few_blocks_are_warned_about_and_give_no_errors(folders: dict[str, Path]) -> None:
    text = (folders["few"] / "report.md").read_text(encoding="utf-8")
    assert "> 5 blocks are too few for intervals" in text
    assert "±" not in text.split("Fewest points first")[0]


@pytest.mark.parametrize("kind", ALL)
def test_markdown_says_what_the_page_says(folders: dict[str, Path], kind: str) -> None:
    markdown = (folders[kind] / "report.md").read_text(encoding="utf-8")
    page = Page((folders[kind] / "report.html").read_text(encoding="utf-8"))
    assert (
        re.findall(r"^## (.*)$", markdown, re.M) == page.headings[-len(re.findall(r"^## ", markdown, re.M)) :]
    )
    linked = re.findall(r"\]\(([^)]+)\)", markdown)
    assert linked
    assert all((folders[kind] / link).is_file() for link in linked)


def test_a_report_tells_how_to_play_the_run_again(runs: dict[str, RunData], folders: dict[str, Path]) -> None:
    text = (folders["levels"] / "report.md").read_text(encoding="utf-8")
    manifest = runs["levels"].manifest
    for fact in (manifest["command_line"], manifest["digest"], manifest["plan_sha256"], "seed       5"):
        assert fact in text


def test_the_same_run_gives_the_same_bytes(runs: dict[str, RunData], tmp_path: Path) -> None:
    for name in ("first", "second"):
        build.build_report(runs["listed"], tmp_path / name)
    first = sorted(path.relative_to(tmp_path / "first") for path in (tmp_path / "first").rglob("*.*"))
    assert {path.suffix for path in first} == {".html", ".md", ".csv", ".svg", ".pdf", ".png", ".json"}
    for path in first:
        assert (tmp_path / "first" / path).read_bytes() == (tmp_path / "second" / path).read_bytes(), path


def test_only_what_is_asked_for_is_written(runs: dict[str, RunData], tmp_path: Path) -> None:
    _, written = build.build_report(runs["few"], tmp_path, formats=("csv",), figures=("pdf",))
    assert {path.suffix for path in written} == {".csv", ".pdf", ".json"}
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(written)


@pytest.mark.parametrize("kind", ALL)
def test_tables_hold_the_numbers_of_the_summary(folders: dict[str, Path], kind: str) -> None:
    summary = json.loads((folders[kind] / "summary.json").read_text(encoding="utf-8"))
    frame = pl.read_csv(folders[kind] / "tables" / "entrants.csv", infer_schema_length=None)
    points = frame["points_per_deal"].to_list()
    assert points == sorted(points)
    by_name = {entrant["name"]: entrant for entrant in summary["entrants"]}
    for row in frame.iter_rows(named=True):
        entrant = by_name[row["entrant"]]
        for key in ("points_per_deal", "win_share", "moon_rate"):
            assert row[key] == entrant[key]["estimate"]
            assert row[f"{key}_low"] == entrant[key]["low"]
        assert row["wins"] == entrant["wins"]


def test_what_was_read_from_the_deals_adds_up(reports: dict[str, Report]) -> None:
    report = reports["levels"]
    by_entrant = report.points.group_by("entrant", maintain_order=True).agg(
        pl.col("deals").sum(), points=(pl.col("points") * pl.col("deals")).sum()
    )
    for (_, deals, points), entrant in zip(by_entrant.rows(), report.summary["entrants"], strict=True):
        assert deals == entrant["deals"]
        assert points / deals == pytest.approx(entrant["points_per_deal"]["estimate"])
    first = report.scores.filter(pl.col("deal") == 1)
    assert first["games"].to_list() == [entrant["games"] for entrant in report.summary["entrants"]]


@pytest.mark.parametrize("kind", ["levels", "listed", "few"])
def test_mean_scores_and_their_bands_follow_from_the_deals(
    runs: dict[str, RunData], reports: dict[str, Report], kind: str
) -> None:
    run, scores = runs[kind], average_scores(reports[kind].scores)
    deals = pl.concat([run.read_part(unit, "deals") for unit in run.units])
    seats = pl.concat(
        deals.select("block", "deal", entrant=f"entrant_{s}", score=f"score_{s}")
        for s in range(run.rules.seats)
    )
    assert scores.height == seats.select("entrant", "deal").n_unique()
    assert scores["low"].is_null().all() == (kind == "few")
    for entrant, deal, games, mean, low, high in scores.rows():
        own = seats.filter((pl.col("entrant") == entrant) & (pl.col("deal") == deal))
        assert own.height == games
        assert own["score"].mean() == pytest.approx(mean)
        blocks = own.group_by("block").agg(pl.col("score").sum(), n=pl.len())
        g = blocks.height
        if g < 30:
            assert (low, high) == (None, None)
            continue
        n = blocks["n"].to_numpy()
        residual = (blocks["score"].to_numpy() - mean * n) / n.mean()
        error = (np.square(residual).sum() / (g * (g - 1))) ** 0.5
        assert high - mean == pytest.approx(inference.quantile(g) * error, rel=1e-6)
        assert mean - low == pytest.approx(high - mean)


def test_reading_in_another_order_of_units_gives_the_same(runs: dict[str, RunData]) -> None:
    run = runs["levels"]
    assert len(run.units) > 2
    turned = RunData(run.folder, run.manifest | {"units": run.manifest["units"][::-1]})
    assert read_report(turned).points.equals(read_report(run).points)
    assert read_report(turned).summary == read_report(run).summary


def test_drawing_leaves_global_settings_alone(reports: dict[str, Report]) -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    for chart in build.draw_all(reports["listed"]):
        style.render(chart.figure, "svg")
    assert dict(mpl.rcParams) == before


def test_an_entrant_has_its_own_colour_and_marker() -> None:
    looks = [(style.colour(i), style.marker(i)) for i in range(40)]
    assert len(set(looks)) == 40


@pytest.mark.parametrize("kind", ALL)
def test_texts_of_a_figure_stay_inside_it(reports: dict[str, Report], kind: str) -> None:
    for chart in build.draw_all(reports[kind]):
        width, height = chart.figure.get_size_inches() * chart.figure.dpi
        box = chart.figure.get_tightbbox()
        x0, y0, x1, y1 = (edge * chart.figure.dpi for edge in box.extents)
        assert x0 >= -1, chart.name
        assert y0 >= -1, chart.name
        assert x1 <= width + 1, chart.name
        assert y1 <= height + 1, chart.name


def list_texts(figure: Figure) -> list[Text]:
    """Return the level and upright texts that a reader sees: an axis keeps labels of ticks beyond its ends."""
    beyond = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]
            beyond |= {label for tick in ticks for label in (tick.label1, tick.label2)}
    texts = [artist for artist in figure.findobj(Text) if isinstance(artist, Text) and artist.get_visible()]
    return [t for t in texts if t.get_text() and t not in beyond and t.get_rotation() in {0, 90}]


@pytest.mark.parametrize("kind", ALL)
def test_texts_of_a_figure_do_not_overlap(reports: dict[str, Report], kind: str) -> None:
    for chart in build.draw_all(reports[kind]):
        chart.figure.draw_without_rendering()
        texts = list_texts(chart.figure)
        assert texts
        boxes = [text.get_window_extent() for text in texts]
        for (i, a), (j, b) in itertools.combinations(enumerate(boxes), 2):
            width = min(a.x1, b.x1) - max(a.x0, b.x0)
            height = min(a.y1, b.y1) - max(a.y0, b.y0)
            # Boxes hold room for accents and tails: letters meet only when boxes share more than that.
            assert min(width, height) <= 0.25 * min(a.height, b.height), (
                chart.name,
                texts[i].get_text(),
                texts[j].get_text(),
            )


def test_lines_that_end_together_are_named_apart() -> None:
    with style.styled():
        figure, axes = style.make_figure(style.DOUBLE, 3)
        axes.set_ylim(0, 100)
        ends = [(10.0, 50.0, "a", 0), (10.0, 50.5, "b", 1), (8.0, 51.0, "c", 2), (10.0, 90.0, "d", 3)]
        charts_play._label_ends(axes, ends)
        figure.draw_without_rendering()
        boxes = sorted((t.get_window_extent() for t in axes.texts), key=lambda box: box.y0)
    assert [text.get_text() for text in axes.texts] == ["a", "b", "c", "d"]
    assert all(upper.y0 >= lower.y1 - 0.25 * lower.height for lower, upper in itertools.pairwise(boxes))
