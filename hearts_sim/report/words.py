"""Answers in words: who is ahead, by how much, how sure that is, always saying of whom it speaks.

All are functions of a run's summary (``summary.json``), so that any command can say them.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from hearts_sim.tournament.experiment import LISTED

Facts = Mapping[str, Any]
MORE_DIGITS = 3
"""How many digits more than asked for an estimate may get, so that a small error is not written as zero."""

LOPSIDED = 0.05
"""From which difference of its halves on, in parts of the whole, an interval is written with both ends."""


def choose_digits(value: Facts, digits: int, factor: float = 1) -> int:
    """Return how many decimals show an estimate with at least one digit of its error."""
    if value["low"] is None:
        return digits
    half = factor * (value["high"] - value["low"]) / 2
    enough = (d for d in range(digits, digits + MORE_DIGITS) if half == 0 or round(half, d) > 0)
    return digits if half == 0 else next(enough, digits + MORE_DIGITS)


def say_estimate(value: Facts | None, digits: int = 2, factor: float = 1, unit: str = "") -> str:
    """Return ``4.97 ± 0.02``, half of the 95 % interval, or ``1.2 [0.4, 3.1]`` where its halves differ; no more than is known."""
    if value is None:
        return "unknown"
    if is_lopsided(value):
        return say_interval(value, digits, factor, unit)
    digits = choose_digits(value, digits, factor)
    text = f"{factor * value['estimate']:.{digits}f}"
    if value["low"] is not None:
        text += f" ± {factor * (value['high'] - value['low']) / 2:.{digits}f}"
    return text + unit


def is_lopsided(value: Facts) -> bool:
    """Return whether an interval reaches clearly further to one side, as those of rare events do."""
    if value["low"] is None:
        return False
    below, above = value["estimate"] - value["low"], value["high"] - value["estimate"]
    return bool(abs(above - below) > LOPSIDED * (above + below))


def say_interval(value: Facts | None, digits: int = 1, factor: float = 1, unit: str = "") -> str:
    """Return ``2.3 [2.1, 2.5]``."""
    if value is None:
        return "unknown"
    digits = choose_digits(value, digits, factor)
    text = f"{factor * value['estimate']:.{digits}f}"
    if value["low"] is not None:
        text += f" [{factor * value['low']:.{digits}f}, {factor * value['high']:.{digits}f}]"
    return text + unit


def say_p(p: float | None) -> str:
    """Return a p-value as papers write it: ``0.043``, ``< 0.001``."""
    return "unknown" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def join(words: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def rank(summary: Facts) -> list[dict[str, Any]]:
    """Return the entrants of a summary, fewest points per deal first."""
    return sorted(summary["entrants"], key=lambda e: (e["points_per_deal"]["estimate"], e["name"]))


def is_fixed(summary: Facts) -> bool:
    """Return whether entrants do not all meet the same company, so that they have no common places."""
    return summary["design"]["kind"] in LISTED and summary["design"]["kind"] != "duel"


def find_margin(summary: Facts, better: str, worse: str) -> dict[str, Any] | None:
    """Return by how many points per deal one entrant takes fewer than another."""
    for pair in summary["pairs"]:
        if (pair["a"], pair["b"]) == (better, worse):
            return pair["margin"]  # type: ignore[no-any-return]
        if (pair["b"], pair["a"]) == (better, worse):
            return turn(pair["margin"])
    return None


def turn(difference: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a difference as seen from the other side."""
    if difference is None:
        return None
    low, high = difference["low"], difference["high"]
    turned = {"estimate": -difference["estimate"], "low": None, "high": None}
    if low is not None:
        turned |= {"low": -high, "high": -low}
    return difference | turned


def is_separated(difference: Facts | None) -> bool:
    """Return whether a difference is told apart from zero after adjusting for all comparisons."""
    return (
        difference is not None
        and difference.get("p_adjusted") is not None
        and difference["p_adjusted"] < 0.05
    )


def say_lead(summary: Facts) -> str:
    """Return what a report opens with.

    Of a ``fixed`` design that is how the entrant in focus fares at each table. Otherwise it is who is best; before it,
    where levels are set against a baseline, whether they are well spaced.
    """
    if summary["design"]["kind"] == "mirror":
        return say_mirror(summary)
    if summary["focus"] is not None and summary["tables"]:
        return say_tables(summary)
    if summary["baseline"] is None or len(list_steps(summary)) < 2:
        return say_answer(summary)
    return f"{say_spacing(summary)} {say_answer(summary)}".strip()


def say_answer(summary: Facts) -> str:
    """Return who is best, in one sentence."""
    ranked = rank(summary)
    first = ranked[0]["name"]
    if len(ranked) < 2:
        return f"{first} takes {say_estimate(ranked[0]['points_per_deal'])} points per deal."
    second = ranked[1]["name"]
    margin = find_margin(summary, first, second)
    if margin is None:
        return f"{first} took the fewest points per deal, but it never met {second}, the next: compare within a table."
    if margin["low"] is None:
        return (
            f"{first} took the fewest points per deal, but there are too few blocks to say how sure that is."
        )
    fewer = f"{first} takes {say_estimate(margin)} points per deal fewer than {second}"
    if not is_separated(margin):
        return f"{first} and {second} lead and are not told apart: {fewer}."
    share = say_estimate(ranked[0]["win_share"], 1, 100, " %")
    return (
        f"{first} is best: it takes {say_estimate(margin)} points per deal fewer than {second}, the next, and wins "
        f"{share} of its games."
    )


def name_company(table: Facts, focus: str) -> str:
    """Return who else sits at a table: ``3 cpu-easy``, ``low and 2 random``."""
    seated = list(table["members"])
    if focus in seated:
        seated.remove(focus)
    counts = [(seated.count(name), name) for name in dict.fromkeys(seated)]
    return join([name if count == 1 else f"{count} {name}" for count, name in counts])


def list_own_tables(summary: Facts) -> list[tuple[str, dict[str, Any]]]:
    """Return the company and the record of the entrant in focus at each of its tables, as listed."""
    focus = summary["focus"]
    return [
        (name_company(table, focus), entrant)
        for table in summary["tables"]
        for entrant in table["entrants"]
        if entrant["name"] == focus
    ]


def say_mirror(summary: Facts) -> str:
    """Say what it changes that one entrant takes the place of another at the same table, on the same cards."""
    first, second = (set_of["members"] for set_of in summary["tables"])
    a, b, company = first[0], second[0], name_company(summary["tables"][0], first[0])
    margin = find_margin(summary, a, b)
    if margin is not None and margin["estimate"] < 0:
        a, b, margin = b, a, turn(margin)
    apart = "" if is_separated(margin) else " They are not told apart."
    return (
        f"In the same seat, on the same cards, in the company of {company}, {a} takes "
        f"{say_estimate(margin)} points per deal fewer than {b}.{apart}"
    )


def say_tables(summary: Facts) -> str:
    """Say how often the entrant in focus wins in each company."""
    shares = [say_estimate(own["win_share"], 1, 100, " %") for _, own in list_own_tables(summary)]
    company = [f"against {others}" for others, _ in list_own_tables(summary)]
    parts = [f"{shares[0]} of its games {company[0]}"]
    parts += [f"{share} {others}" for share, others in zip(shares[1:], company[1:], strict=True)]
    equal = 100 / summary["design"]["seats"]
    return f"{summary['focus']} wins {join(parts)}. An equal share would be {equal:.3g} %."


def list_steps(summary: Facts) -> list[tuple[str, str, dict[str, Any] | None]]:
    """Return neighbours on the ladder with their margin, best first; the baseline is measured against, not a rung."""
    rungs = [entrant["name"] for entrant in rank(summary) if entrant["name"] != summary["baseline"]]
    return [(upper, lower, find_margin(summary, upper, lower)) for upper, lower in itertools.pairwise(rungs)]


def say_gaps(summary: Facts) -> list[str]:
    """Return one sentence for each step: of the ladder of entrants, or of the tables of the entrant in focus."""
    if is_fixed(summary):
        return [_say_table_step(summary, step) for step in summary["steps"]]
    return [
        f"{upper} takes {say_estimate(margin)} points per deal fewer than {lower}: {_verdict(margin)}."
        for upper, lower, margin in list_steps(summary)
    ]


def _say_table_step(summary: Facts, step: Facts) -> str:
    focus, lost = summary["focus"], step["win_share_lost"]
    easier, harder = (name_company(summary["tables"][step[key]], focus) for key in ("easier", "harder"))
    fewer = say_estimate(lost, 1, 100, " percentage points")
    return f"{focus} wins {fewer} fewer against {harder} than against {easier}: {_verdict(lost)}."


def _verdict(difference: Facts | None) -> str:
    return "clearly apart" if is_separated(difference) else "not told apart"


def say_spacing(summary: Facts) -> str:
    """Answer whether the rungs are well spaced: which steps are clear, and the largest against the smallest."""
    unit, factor, digits = "points per deal", 1, 2
    if is_fixed(summary):
        unit, factor, digits = "percentage points of win share", 100, 1
        company = (
            [name_company(table, summary["focus"]) for table in summary["tables"]] if summary["focus"] else []
        )
        steps = [(company[s["easier"]], company[s["harder"]], s["win_share_lost"]) for s in summary["steps"]]
    else:
        steps = list_steps(summary)
    gaps = [factor * difference["estimate"] for _, _, difference in steps if difference is not None]
    if not steps or len(gaps) < len(steps):
        return ""
    together = [f"{upper} and {lower}" for upper, lower, difference in steps if not is_separated(difference)]
    if together:
        return f"Not every step is clear: this run does not tell {join(together)} apart."
    if len(gaps) == 1:
        return f"{steps[0][0]} and {steps[0][1]} are clearly apart, by {gaps[0]:.{digits}f} {unit}."
    rungs = [steps[0][0], *(lower for _, lower, _ in steps)]
    ladder = f"From {' to '.join(rungs)}" if is_fixed(summary) else " > ".join(rungs)
    shape = "the steps are even" if max(gaps) < 1.5 * min(gaps) else "the steps are uneven"
    return f"{ladder}: every step is clear, and {shape}, {min(gaps):.{digits}f} to {max(gaps):.{digits}f} {unit}."


def say_directions(summary: Facts) -> str:
    """Say whose points the pass direction changes, by the joint tests."""
    known = [entry for entry in summary["pass_directions"] if entry["p_value"] is not None]
    if not known or len(known[0]["effects"]) < 2:
        return ""
    moved = [entry["entrant"] for entry in known if entry["p_value"] < 0.05]
    steady = [f"{e['entrant']} (p = {say_p(e['p_value'])})" for e in known if e["p_value"] >= 0.05]
    parts = []
    if moved:
        parts.append(
            f"The pass direction changes the points of {join(moved)} (joint test of each, p < 0.05)."
        )
    if steady:
        parts.append(f"No effect is seen for {join(steady)}.")
    return " ".join(parts)


def say_seats(summary: Facts) -> str:
    """Say what the program's check of itself found: with everybody in every seat, seats must not matter."""
    p = summary["seats"]["p_value"]
    if p is None:
        return "There are too few blocks to check the seats."
    spread = [seat["estimate"] for seat in summary["seats"]["points_per_deal"] if seat]
    verdict = "no seat is favoured" if p >= 0.001 else "the seats differ more than chance allows"
    return (
        f"Everybody sits in every seat equally often, so no seat may be better. Points per deal lie between {min(spread):.3f} and "
        f"{max(spread):.3f} (joint test: p {'' if p < 0.001 else '= '}{say_p(p)}): {verdict}."
    )
