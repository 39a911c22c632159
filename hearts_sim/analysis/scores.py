"""How a bot does in a suite: its score, its place among the field, and how it plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import LEVEL, Moments, Ratio
from hearts_sim.analysis.metrics import list_ratios, summarize_directions
from hearts_sim.analysis.moments import measure_unit
from hearts_sim.game.rules import Rules


def score_suite(parts: Sequence[pl.DataFrame], names: Sequence[str], rules: Rules) -> dict[str, Any]:
    """Return the bot's score, place and behaviour from the block sums of a suite.

    Parameters
    ----------
    parts : sequence of DataFrame
        Sums of all blocks (`hearts_sim.tournament.sums.sum_blocks`) of an experiment of `suite.make_experiment`.
    names : sequence of str
        The bot, then the field.
    rules : Rules
        The rules that were played.

    Returns
    -------
    dict
        ``score``: margin per deal of the bot, its company being 0; ``ladder``: of each of the field, best first, its own
        ``score`` and by how much the bot is ``ahead`` of it on the same deals, with Holm's ``p_adjusted``; ``place``:
        lowest and highest place among the field and itself that the data allow; ``behaviour``: the bot's rates; its
        effects of the pass direction.
    """
    own = pl.concat(parts).filter(pl.col("table") == pl.col("entrant"))
    margins = _estimate_margins(own, len(names), rules.seats)
    eye = np.eye(len(names))
    scores = [inference.describe_contrast(margins, eye[e]) for e in range(len(names))]
    ahead = [inference.describe_contrast(margins, eye[0] - eye[e]) for e in range(1, len(names))]
    inference.adjust_differences(ahead, margins.n_blocks)
    ladder: list[dict[str, Any]] = [
        {"name": name, "score": score, "ahead": difference}
        for name, score, difference in zip(names[1:], scores[1:], ahead, strict=True)
    ]
    ladder.sort(key=lambda rung: -rung["score"]["estimate"] if rung["score"] else 0.0)
    moments = measure_unit(own, len(names), rules.seats)
    ratios = list_ratios(rules.seats)
    rates = inference.describe_all(
        inference.estimate(moments.entrants[0], list(ratios.values())), list(ratios.values())
    )
    return {
        "score": scores[0],
        "place": find_place(ahead),
        "ladder": ladder,
        "behaviour": dict(zip(ratios, rates, strict=True)),
        "pass_directions": summarize_directions(moments, names, rules)[0],
    }


def find_place(ahead: Sequence[dict[str, Any] | None]) -> list[int]:
    """Return the lowest and the highest place that differences from all others, adjusted, leave open."""
    places = [1, len(ahead) + 1]
    for difference in ahead:
        p_value = None if difference is None else difference["p_adjusted"]
        if difference is None or p_value is None or p_value >= 1 - LEVEL:
            continue
        if difference["estimate"] < 0:
            places[0] += 1
        else:
            places[1] -= 1
    return places


def _estimate_margins(own: pl.DataFrame, n_tables: int, n_seats: int) -> inference.Estimates:
    """Return the margin per deal of each table's own entrant, with their covariance over the shared deals."""
    margin = pl.col("others_points") - (n_seats - 1) * pl.col("points")
    values = own.sort("block", "table").select(
        margin.cast(pl.Int64).alias("margin"), pl.col("deals").cast(pl.Int64)
    )
    columns = [f"{what}:{t}" for t in range(n_tables) for what in ("margin", "deals")]
    moments = Moments.of_blocks(columns, values.to_numpy().reshape(-1, 2 * n_tables))
    ratios = [Ratio(f"margin:{t}", f"deals:{t}", 1 / (n_seats - 1)) for t in range(n_tables)]
    return inference.estimate(moments, ratios)
