"""``hearts-sim list``: tables of 80 columns, one thing in full, and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import Call, Compare

KINDS = ("strategies", "rules", "designs", "experiments")


@pytest.mark.parametrize("what", KINDS)
def test_a_table_has_a_row_for_each_in_80_columns_and_says_what_next(what: str, call: Call) -> None:
    done = call("list", what)
    names = [item["name"] for item in json.loads(call("list", what, "--json").out)["items"]]
    rows = [line.split()[0] for line in done.out.splitlines()[2:] if not line.startswith(" ")]
    assert done.code == 0
    assert rows == names
    assert max(map(len, done.out.splitlines())) <= 80
    assert f"hearts-sim list {what} {names[0]}" in done.err


@pytest.mark.parametrize("what", KINDS)
def test_json_is_one_object_and_nothing_else_is_said(what: str, call: Call) -> None:
    done = call("list", what, "--json")
    found = json.loads(done.out)
    assert (found["schema"], found["command"], found["what"]) == (1, "list", what)
    assert done.err == ""
    name = found["items"][0]["name"]
    assert json.loads(call("list", what, name, "--json").out)["item"]["name"] == name


@pytest.mark.parametrize("what", KINDS)
def test_everything_can_be_shown_in_full_in_80_columns(what: str, call: Call) -> None:
    for item in json.loads(call("list", what, "--json").out)["items"]:
        done = call("list", what, item["name"])
        assert (done.code, done.err) == (0, ""), item["name"]
        long = [line for line in done.out.splitlines() if len(line) > 80 and not line.startswith("file ")]
        assert long == []


def test_rules_with_a_table_inside_are_shown_with_it(call: Call) -> None:
    text = call("list", "rules", "black_maria").out
    assert "spade_honours AS 7, KS 10" in text
    assert 'spade_honours = {"AS": 7, "KS": 10}' in text


def test_a_strategy_in_full_shows_parameters_with_ranges_sources_and_file(call: Call) -> None:
    text = call("list", "strategies", "greedy").out
    assert "blunder = 0, from 0 to 1\n      probability of playing a random legal card" in text
    assert "Sources" in text
    assert "greedy.py" in text


def test_a_strategy_file_can_be_looked_at_by_path(call: Call) -> None:
    call("new", "strategy", "my-bot")
    facts = json.loads(call("list", "strategies", "my_bot.py", "--json").out)["item"]
    assert (facts["name"], facts["file"], facts["kind"]) == ("my-bot", "my_bot.py", "compiled")


def test_rules_in_full_show_every_field_with_its_meaning(call: Call) -> None:
    text = call("list", "rules", "jack-of-diamonds").out
    assert 'bonus_card = "JD"\n      a card that changes its taker' in text
    assert "differs from standard  bonus_card JD" in text


def test_a_broken_experiment_file_does_not_hide_the_others(call: Call, workdir: Path) -> None:
    (workdir / "experiments" / "aaa.toml").write_text("name = ", encoding="utf-8")
    items = {i["name"]: i for i in json.loads(call("list", "experiments", "--json").out)["items"]}
    assert "not valid TOML" in items["aaa"]["title"]
    assert items["cpu_levels"]["entrants"] == ["human-stand-in", "cpu-easy", "cpu-medium", "cpu-hard"]


def test_without_runs_it_says_how_to_begin(call: Call) -> None:
    done = call("list", "runs")
    assert (done.code, done.out) == (0, "")
    assert "hearts-sim run experiments/cpu_levels.toml" in done.err
    assert json.loads(call("list", "runs", "--json").out)["items"] == []


def test_unknown_names_are_errors_with_the_nearest_spelling(call: Call, same_as_stored: Compare) -> None:
    asked = (
        ["stratgies"],
        ["strategies", "gredy"],
        ["rules", "omnibuss"],
        ["designs", "fixd"],
        ["runs", "x"],
        ["experiments", "cpu_levl"],
    )
    wrong = [call("list", *words) for words in asked]
    assert [done.code for done in wrong] == [2] * len(asked)
    assert [done.out for done in wrong] == [""] * len(asked)
    same_as_stored("errors_list", "\n".join(done.err for done in wrong))
