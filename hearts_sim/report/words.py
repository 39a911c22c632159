"""Answers in words: who is ahead, by how much, how sure that is, always saying of whom it speaks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import polars as pl

from hearts_sim.report.data import Report


def say_estimate(value: Mapping[str, Any] | None, digits: int = 2, factor: float = 1, unit: str = "") -> str:
    """Return ``4.97 ± 0.02``; the sign of half a 95 % interval is left out where none is known."""
    if value is None:
        return "unknown"
    text = f"{factor * value['estimate']:.{digits}f}"
    if value["low"] is not None:
        text += f" ± {factor * (value['high'] - value['low']) / 2:.{digits}f}"
    return text + unit


def say_interval(value: Mapping[str, Any] | None, digits: int = 1, factor: float = 1, unit: str = "") -> str:
    """Return ``2.3 [2.1, 2.5]``."""
    if value is None:
        return "unknown"
    text = f"{factor * value['estimate']:.{digits}f}"
    if value["low"] is not None:
        text += f" [{factor * value['low']:.{digits}f}, {factor * value['high']:.{digits}f}]"
    return text + unit


def find_margin(report: Report, better: str, worse: str) -> dict[str, Any] | None:
    """Return by how many points per deal one entrant takes fewer than another."""
    for pair in report.summary["pairs"]:
        if (pair["a"], pair["b"]) == (better, worse):
            return pair["margin"]  # type: ignore[no-any-return]
        if (pair["b"], pair["a"]) == (better, worse):
            return _turn(pair["margin"])
    return None


def _turn(margin: dict[str, Any] | None) -> dict[str, Any] | None:
    if margin is None:
        return None
    low, high = margin["low"], margin["high"]
    return margin | {
        "estimate": -margin["estimate"],
        "low": None if high is None else -high,
        "high": None if low is None else -low,
    }


def is_separated(margin: Mapping[str, Any] | None) -> bool:
    """Return whether a difference is told apart from zero after adjusting for all comparisons."""
    return margin is not None and margin.get("p_adjusted") is not None and margin["p_adjusted"] < 0.05


def say_answer(report: Report) -> str:
    """Return the run's answer in one sentence."""
    ranked = report.ranked
    if len(ranked) < 2:
        return f"{ranked[0]['name']} takes {say_estimate(ranked[0]['points_per_deal'])} points per deal."
    first, second = ranked[0]["name"], ranked[1]["name"]
    margin = find_margin(report, first, second)
    if margin is None or margin["low"] is None:
        return (
            f"{first} took the fewest points per deal, but there are too few blocks to say how sure that is."
        )
    if not is_separated(margin):
        return (
            f"{first} and {second} lead and are not told apart: {first} takes {say_estimate(margin)} points per deal "
            f"fewer than {second}."
        )
    return (
        f"{first} is best: it takes {say_estimate(margin)} points per deal fewer than {second}, the next, and wins "
        f"{say_estimate(ranked[0]['win_share'], 1, 100, ' %')} of its games."
    )


def say_lead(report: Report) -> str:
    """Return what a report opens with: who is best; before it the spacing, where levels are set against a baseline."""
    if find_focus(report) is not None and is_fixed(report):
        return say_tables(report)
    if report.run.manifest["experiment"]["report"]["baseline"] is None or len(list_steps(report)) < 2:
        return say_answer(report)
    return f"{say_spacing(report)} {say_answer(report)}"


def is_fixed(report: Report) -> bool:
    """Return whether the experiment lists its tables, so that entrants do not all meet the same company."""
    return bool(report.run.manifest["experiment"]["design"]["kind"] == "fixed")


def find_focus(report: Report) -> str | None:
    """Return whose record a report shows per table: the baseline, or the one entrant that sits at every table."""
    baseline = report.run.manifest["experiment"]["report"]["baseline"]
    if baseline is not None:
        return str(baseline)
    everywhere = set.intersection(*(set(table) for table in report.run.manifest["design"]["tables"]))
    return report.names[min(everywhere)] if len(everywhere) == 1 else None


def name_company(report: Report, table: int, focus: str) -> str:
    """Return who else sits at a table: ``3 cpu-easy``, ``low and 2 random``."""
    seated = [report.names[entrant] for entrant in report.run.manifest["design"]["tables"][table]]
    if focus in seated:
        seated.remove(focus)
    counts = [(seated.count(name), name) for name in dict.fromkeys(seated)]
    parts = [name if count == 1 else f"{count} {name}" for count, name in counts]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def say_tables(report: Report) -> str:
    """Say how often the entrant in focus wins in each company."""
    focus = find_focus(report) or report.names[0]
    own = report.tables.filter(pl.col("entrant") == report.names.index(focus))
    parts = [
        f"{100 * row['wins'] / row['games']:.1f} % against {name_company(report, row['table'], focus)}"
        for row in own.iter_rows(named=True)
    ]
    return f"{focus} wins alone: {', '.join(parts)}. An equal share would be {100 / report.n_seats:.1f} %."


def list_steps(report: Report) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return neighbours on the ladder, best first; the baseline is measured against, not a rung."""
    baseline = report.run.manifest["experiment"]["report"]["baseline"]
    rungs = [entrant for entrant in report.ranked if entrant["name"] != baseline]
    return list(itertools.pairwise(rungs))


def say_gaps(report: Report) -> list[str]:
    """Return one sentence for each step of the ladder, from the best entrant down."""
    sentences = []
    for upper, lower in list_steps(report):
        margin = find_margin(report, upper["name"], lower["name"])
        verdict = "clearly apart" if is_separated(margin) else "not told apart"
        sentences.append(
            f"{upper['name']} takes {say_estimate(margin)} points per deal fewer than {lower['name']}: {verdict}."
        )
    return sentences


def say_spacing(report: Report) -> str:
    """Answer whether the entrants are well spaced: all steps separated, and the largest against the smallest."""
    pairs = list_steps(report)
    margins = [find_margin(report, upper["name"], lower["name"]) for upper, lower in pairs]
    gaps = [margin["estimate"] for margin in margins if margin is not None]
    if not pairs or len(gaps) < len(pairs):
        return ""
    if not all(is_separated(margin) for margin in margins):
        together = ", ".join(
            f"{upper['name']} and {lower['name']}"
            for (upper, lower), margin in zip(pairs, margins, strict=True)
            if not is_separated(margin)
        )
        return f"Not every step is real: {together} are not told apart by this run."
    if len(gaps) == 1:
        return f"The two are clearly apart, by {gaps[0]:.2f} points per deal."
    shape = "evenly spaced" if max(gaps) < 1.5 * min(gaps) else "in order but unevenly spaced"
    ladder = " > ".join([pairs[0][0]["name"], *(lower["name"] for _, lower in pairs)])
    every = "Both" if len(gaps) == 2 else f"All {len(gaps)}"
    return f"{ladder}: {every} steps are real, and they are {shape}, from {min(gaps):.2f} to {max(gaps):.2f} points per deal."


def say_seats(report: Report) -> str:
    """Say what the harness's check of itself found: seats must not matter where rotation is fair."""
    p = report.summary["seats"]["p_value"]
    if p is None:
        return "There are too few blocks to check the seats."
    spread = [seat["estimate"] for seat in report.summary["seats"]["points_per_deal"] if seat]
    verdict = (
        "no seat is favoured, as it must be" if p >= 0.001 else "the seats differ more than chance allows"
    )
    return f"Points per deal by seat lie between {min(spread):.3f} and {max(spread):.3f}; joint test p = {p:.2g}: {verdict}."


def say_methods(report: Report) -> str:
    """Return a paragraph that can be pasted into a paper."""
    manifest, summary = report.run.manifest, report.summary
    design = manifest["experiment"]["design"]
    unit = "whole games" if design["unit"] == "game" else "single deals"
    preset = summary["rules"]["preset"] or "custom"
    tables = len(manifest["design"]["tables"])
    return (
        f"{summary['games']:,} {unit} of Hearts ({summary['deals']:,} deals; rules: {preset}, hash "
        f"{summary['rules']['hash']}) were simulated with hearts-sim {manifest['versions']['hearts_sim']}, seed "
        f"{summary['seed']}. The design ({design['kind']}) has {tables} table{'s' if tables > 1 else ''} and "
        f"{summary['blocks']:,} blocks; a block replays the same deals in all {report.n_seats} rotations of a seating, "
        f"and the cyclic order of the seating changes from block to block. Estimates are ratios of sums; intervals are "
        f"95 % Student-t intervals from the cluster-robust covariance over blocks (shares near 0 or 1: Wilson intervals "
        f"with the effective sample size). Differences are adjusted for all pairs by Holm's method. Shared wins are "
        f"split. Points are penalty points: lower is better."
    )
