"""``hearts-sim compare``: the verdict first, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from calling import Call

from hearts_sim.tournament import stream


def run(call: Call, folder: str, *words: str) -> None:
    small = ("--set", "design.blocks=60", "--set", "design.unit=deal")
    assert call("run", "cpu_levels", "--out", folder, *small, *words).code == 0


def test_the_verdict_comes_first_in_words_and_all_fits_80_columns(call: Call) -> None:
    outcome = call("compare", "greedy", "low")
    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert lines[0].startswith("greedy takes 4.")
    assert lines[0].endswith(" %) per deal fewer than low.")
    assert max(map(len, lines)) <= 80
    assert "repeat      hearts-sim compare greedy low" in outcome.err


def test_the_same_question_gets_the_same_answer_on_any_number_of_threads(call: Call) -> None:
    one, two = (json.loads(call("compare", "random", "low", "--json", "--jobs", n).out) for n in "12")
    assert one == two
    assert one["verdict"] == "B better"
    assert one["blocks"] == 300
    assert one["difference"]["low"] < one["difference"]["estimate"] < one["difference"]["high"] < 0


def test_equal_strategies_are_equivalent(call: Call) -> None:
    outcome = call("compare", "greedy", "greedy")
    assert outcome.out.splitlines()[0].startswith(
        "greedy and greedy (2) are equivalent: they differ by less than 0.1"
    )


def test_at_max_blocks_it_says_that_it_does_not_know(call: Call) -> None:
    outcome = call("compare", "random", "random", "--max-blocks", "300", "--margin", "0.01")
    assert outcome.code == 0
    assert "are not separable yet: --max-blocks was reached after 300 blocks" in " ".join(outcome.out.split())


def test_company_and_rules_are_named(call: Call) -> None:
    outcome = call("compare", "greedy", "random", "--table", "low,low", "--rules", "three_handed")
    assert "in the company of low, low" in " ".join(outcome.out.split())
    assert "--table low,low --rules three_handed" in " ".join(outcome.err.split())


@pytest.mark.parametrize(("a", "b", "code"), [("low", "greedy", 1), ("greedy", "low", 0), ("low", "low", 0)])
def test_fail_if_worse(call: Call, a: str, b: str, code: int) -> None:
    assert call("compare", a, b, "--fail-if-worse").code == code


def test_a_stop_by_hand_is_told_with_what_is_known_so_far(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = stream.stream_sums

    def interrupted(*arguments: object, **options: object) -> Iterator[pl.DataFrame]:
        for n, part in enumerate(parts(*arguments, **options)):  # type: ignore[arg-type]
            if n == 3:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr(stream, "stream_sums", interrupted)
    outcome = call("compare", "random", "random", "--json")
    facts = json.loads(outcome.out)
    assert outcome.code == 130
    assert (facts["stopped"], facts["blocks"], facts["verdict"]) == ("by hand", 300, "not separable yet")
    assert facts["difference"]["low"] < facts["difference"]["high"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("greedy", "gredy"), "did you mean 'greedy'?"),
        (("greedy", "low", "--rules", "omnibuss"), "omnibus"),
        (("greedy", "low", "--table", "low"), "--table names 1 strategies; 3 sit with"),
        (("greedy", "low", "--margin", "0"), "not a number above 0"),
        (("greedy", "low", "--alpha", "0.5"), "below 0.5"),
        (("greedy", "low", "--max-blocks", "199"), "from 200 blocks on"),
    ],
)
def test_bad_requests_name_what_is_wrong(call: Call, words: tuple[str, ...], hint: str) -> None:
    outcome = call("compare", *words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert hint in " ".join(outcome.err.split())


def test_two_runs_are_compared_entrant_by_entrant(call: Call, workdir: Path) -> None:
    run(call, "old")
    run(call, "new", "--set", "entrants.1.name=cpu-easy", "--set", "entrants.1.strategy=greedy")
    outcome = call("compare", "new", "old")
    assert outcome.out.startswith("cpu-easy takes ")
    assert "fewer in the first run." in outcome.out.splitlines()[0]
    assert "cpu-easy (changed)" in outcome.out
    assert "The runs dealt the same cards: 60 blocks, compared one by one." in outcome.out
    assert call("compare", "old", "new", "--fail-if-worse").code == 1
    assert call("compare", "new", "new", "--fail-if-worse").code == 0


def test_runs_as_json(call: Call, workdir: Path) -> None:
    run(call, "old")
    facts = json.loads(call("compare", "old", "old", "--json").out)
    assert (facts["paired"], facts["blocks"]) == (True, [60, 60])
    assert {entrant["verdict"] for entrant in facts["entrants"]} == {"the same"}


def test_a_run_and_a_strategy_do_not_compare(call: Call, workdir: Path) -> None:
    run(call, "old")
    outcome = call("compare", "old", "greedy")
    assert outcome.code == 2
    assert "old is a run folder and 'greedy' is not" in outcome.err
