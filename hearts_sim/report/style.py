"""How every figure looks: sizes, colours that survive colour blindness and grey print, and files without dates."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

Floats = npt.NDArray[np.float64]
SINGLE, DOUBLE = 3.5, 7.2
"""Widths in inches: one column and two columns of a journal page."""

# Okabe and Ito, "Color Universal Design" (2008), without the yellow that vanishes on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#7F7F7F")
MARKERS = "osD^vP*X"
GREY, INK, PALE = "#6b6b6b", "#333333", "#c9ced3"

_SETTINGS: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.edgecolor": GREY,
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.4,
    "errorbar.capsize": 0,
    "axes.facecolor": "none",
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "hearts-sim",
    "savefig.dpi": 200,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the house style; global settings are restored afterwards."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(cast(Any, _SETTINGS))
        yield


def colour(index: int) -> str:
    """Return the colour of an entrant, the same in every figure."""
    return COLOURS[index % len(COLOURS)]


def marker(index: int) -> str:
    """Return the marker of an entrant, so that colour is never the only difference."""
    # Where colours come round again, markers are one further.
    return MARKERS[(index + index // len(COLOURS)) % len(MARKERS)]


def balance(index: int) -> float:
    """Return the factor that makes an entrant's marker as large as the others look: stars are mostly points."""
    return 1.6 if marker(index) == "*" else 1.0


def make_figure(
    width: float, height: float, rows: int = 1, columns: int = 1, **options: Any
) -> tuple[Figure, Any]:
    """Return a figure of a size in inches with its axes."""
    # The three backends measure text a little differently; the padding keeps it inside for all.
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.05))
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, **options)


def choose_width(names: Sequence[str]) -> float:
    """Return the width in inches of one column, a little more where long names would leave no room for the data."""
    longest = max(map(len, names))
    return SINGLE + min(0.9, 0.06 * max(0, longest - 16))


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Write names down the left, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def draw_estimate(
    axes: Axes,
    row: float,
    value: dict[str, Any] | None,
    index: int | None,
    factor: float = 1,
    markersize: float = 5,
) -> None:
    """Draw a dot with its 95 % interval on a horizontal line, as entrant ``index`` or as nobody."""
    if value is None:
        return
    tone = INK if index is None else colour(index)
    if value["low"] is not None:
        ends = [factor * value["low"], factor * value["high"]]
        axes.plot(ends, [row, row], color=tone, linewidth=1.6, solid_capstyle="butt")
    shape = "o" if index is None else marker(index)
    markersize *= 1.0 if index is None else balance(index)
    axes.plot(
        factor * value["estimate"],
        row,
        shape,
        color=tone,
        markersize=markersize,
        markeredgewidth=0,
        zorder=3,
    )


def draw_line_of(axes: Axes, x: Floats, y: Floats, low: Floats, high: Floats, index: int) -> None:
    """Draw how entrant ``index`` goes, with a band from low to high where they are known."""
    axes.fill_between(x, low, high, color=colour(index), alpha=0.2, linewidth=0)
    axes.plot(
        x,
        y,
        color=colour(index),
        marker=marker(index),
        markersize=4.5 * balance(index),
        markeredgecolor="white",
        markeredgewidth=0.5,
    )


def write_values(axes: Axes, texts: Sequence[str]) -> None:
    """Write one text per row to the right of the axes."""
    for row, text in enumerate(texts):
        axes.annotate(
            text,
            (1, row),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color=INK,
            annotation_clip=False,
        )


def draw_line(axes: Axes, value: float, label: str) -> None:
    """Draw a vertical reference line with its meaning on top."""
    axes.axvline(value, color=GREY, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    axes.annotate(
        label,
        (value, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=7,
        color=GREY,
    )


def settle(figure: Figure) -> None:
    """Lay a figure out once and for all: three file formats then share one layout, and its cost."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as svg, pdf or png."""
    settings: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": "hearts-sim"},
        "pdf": {"CreationDate": None, "Creator": "hearts-sim", "Producer": None},
        "png": {"Software": None},
    }
    buffer = io.BytesIO()
    with styled():
        figure.savefig(buffer, format=kind, metadata=settings[kind])
    return buffer.getvalue()
