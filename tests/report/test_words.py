"""Answers in words: the numbers with their errors, of whom they speak, and what they do not dare to say."""

from __future__ import annotations

from typing import Any

import pytest

from hearts_sim.report import words
from hearts_sim.report.data import Report


def value(estimate: float, half: float | None, p: float | None = 0.0) -> dict[str, Any]:
    ends = {"low": None, "high": None} if half is None else {"low": estimate - half, "high": estimate + half}
    return {"estimate": estimate, "se": None if half is None else half / 2, "p_adjusted": p, **ends}


def summary(*points: float, baseline: str | None = None, p: float = 0.0, half: float | None = 0.05) -> Any:
    names = "abcdefg"[: len(points)]
    share = value(1 / len(points), half)
    return {
        "design": {"kind": "round_robin", "seats": 4},
        "baseline": baseline,
        "focus": baseline,
        "tables": [],
        "steps": [],
        "entrants": [
            {"name": name, "points_per_deal": value(x, half), "win_share": share}
            for name, x in zip(names, points, strict=True)
        ],
        "pairs": [
            {"a": names[i], "b": names[j], "margin": value(points[j] - points[i], half, p)}
            for i in range(len(names))
            for j in range(i + 1, len(names))
        ],
    }


@pytest.mark.parametrize(
    ("estimate", "half", "text"),
    [
        (4.966, 0.021, "4.97 ± 0.02"),
        (0.2271, 0.0046, "0.227 ± 0.005"),
        (0.22712, 0.00046, "0.2271 ± 0.0005"),
        (5.0, 0.0, "5.00 ± 0.00"),
        (4.966, None, "4.97"),
    ],
)
def test_an_estimate_shows_as_many_digits_as_its_error_needs(
    estimate: float, half: float | None, text: str
) -> None:
    assert words.say_estimate(value(estimate, half)) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(1.8, 5.2, "3.5 ± 1.7 %"), (1.7, 6.2, "3.5 [1.7, 6.2] %"), (3.5, 4.0, "3.5 [3.5, 4.0] %")],
)
def test_an_interval_that_reaches_further_to_one_side_shows_both_ends(
    low: float, high: float, text: str
) -> None:
    found = {"estimate": 0.035, "low": low / 100, "high": high / 100}
    assert words.say_estimate(found, 1, 100, " %") == text


def test_what_is_missing_is_called_unknown() -> None:
    assert words.say_estimate(None) == words.say_interval(None) == words.say_p(None) == "unknown"


def test_a_difference_turned_round_keeps_its_interval() -> None:
    turned = words.turn({"estimate": 1.0, "low": 0.8, "high": 1.3})
    assert turned == {"estimate": -1.0, "low": -1.3, "high": -0.8}


def test_the_answer_says_who_by_how_much_than_whom() -> None:
    said = words.say_answer(summary(6.0, 4.5, 8.0))
    assert said == (
        "b is best: it takes 1.50 ± 0.05 points per deal fewer than a, the next, and wins 33.3 ± 5.0 % of its games."
    )


def test_the_answer_does_not_crown_who_is_not_told_apart() -> None:
    said = words.say_answer(summary(4.5, 4.6, p=0.3))
    assert said.startswith("a and b lead and are not told apart")


def test_too_few_blocks_give_no_certainty() -> None:
    assert "too few blocks" in words.say_answer(summary(4.5, 4.6, half=None))


@pytest.mark.parametrize(
    ("points", "shape"),
    [
        ((4.0, 6.0, 8.0), "the steps are even, 2.00 to 2.00"),
        ((4.0, 5.0, 8.0), "the steps are uneven, 1.00 to 3.00"),
    ],
)
def test_spacing_compares_the_steps(points: tuple[float, ...], shape: str) -> None:
    assert (
        words.say_spacing(summary(*points)) == f"a > b > c: every step is clear, and {shape} points per deal."
    )


def test_spacing_names_the_steps_that_are_not_clear() -> None:
    unclear = summary(4.0, 4.1, 8.0)
    unclear["pairs"][0]["margin"]["p_adjusted"] = 0.4
    assert words.say_spacing(unclear) == "Not every step is clear: this run does not tell a and b apart."


def test_the_baseline_is_no_rung_of_the_ladder() -> None:
    said = words.say_lead(summary(4.0, 6.0, 8.0, 5.0, baseline="d"))
    assert said.startswith("a > b > c: every step is clear")
    assert "d" not in said.split(":")[0]


def test_the_one_in_focus_is_spoken_of_table_by_table(reports: dict[str, Report]) -> None:
    found = reports["listed"].summary
    said = words.say_lead(found)
    shares = [words.say_estimate(own["win_share"], 1, 100, " %") for _, own in words.list_own_tables(found)]
    assert said == (
        f"me wins {shares[0]} of its games against 3 low and {shares[1]} against 3 ducker. An equal share would be 25 %."
    )


def test_every_step_between_tables_is_said(reports: dict[str, Report]) -> None:
    (said,) = words.say_gaps(reports["listed"].summary)
    assert said.startswith("me wins ")
    assert "percentage points fewer against 3 ducker than against 3 low" in said


@pytest.mark.parametrize("kind", ["levels", "listed", "deals", "few", "unrecorded"])
def test_every_kind_of_run_has_an_answer(reports: dict[str, Report], kind: str) -> None:
    found = reports[kind].summary
    for said in (words.say_lead(found), words.say_seats(found), *words.say_gaps(found)):
        assert said
        assert "nan" not in said
        assert "None" not in said
