"""Rules at the command line: what has no meaning is refused before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import Call

REFUSED = [
    (["seats=7"], "rules.seats: 7 is not a whole number from 3 to 6"),
    (["pass_cards=9"], "rules.pass_cards: 9 is not a whole number from 0 to 4"),
    (["moon=subtrac"], "rules.moon: 'subtrac' is not one of add, subtract, best_for_shooter"),
    (['removed=["2C"]'], "rules.removed: 51 cards do not deal evenly to 4 seats; remove 3 more or 1 fewer"),
    (["preset=six_handed", "kitty=first_trick"], "rules.kitty: six seats have no kitty in the rules"),
    (['removed=["2C"]', "kitty=first_trick"], "rules.kitty: a kitty stands in for removed cards"),
    (["bonus_points=-5"], "rules.bonus_points: needs the card that has them"),
    (["moon=none", "sun=add"], "rules.sun: a sun is a larger moon"),
    (["deals_per_game=4", "exact_target=wins"], "rules.exact_target: a game of a fixed number of deals"),
    (["hearts_break_by=never_needed", "queen_lead=after_break"], "rules.queen_lead: hearts are never broken"),
    (["bonus_card=QS"], "rules.bonus_card: QS is a penalty card already"),
]


@pytest.mark.parametrize(("settings", "said"), REFUSED, ids=[" ".join(s) for s, _ in REFUSED])
def test_rules_without_a_meaning_are_refused_with_one_reason(
    settings: list[str], said: str, call: Call, workdir: Path
) -> None:
    before = sorted(workdir.rglob("*"))
    done = call("run", "cpu_levels", *(word for value in settings for word in ("--set", f"rules.{value}")))
    message = " ".join(done.err.split())
    assert (done.code, done.out) == (2, "")
    assert said in message
    assert message.count("rules.") - message.count("--set rules.") == 1
    assert sorted(workdir.rglob("*")) == before


def test_an_option_of_a_preset_can_be_switched_off(call: Call) -> None:
    words = ["--set", "rules.preset=omnibus", "--set", "rules.bonus_card=none"]
    done = call("run", "cpu_levels", "--dry-run", *words)
    assert done.code == 0, done.err


def test_a_preset_in_full_tells_values_and_rulings_and_where_it_comes_from(call: Call) -> None:
    text = call("list", "rules", "pagat").out
    assert 'moon = "best_for_shooter"\n      how a seat that takes every penalty card is scored\n' in text
    assert "possible: add, subtract, best_for_shooter, subtract_if_behind, none" in text
    assert "A moon is found by the cards taken, never by a total." in text
    assert "\nsource                 pagat.com\n" in text
    assert "\nsource                 not recorded\n" in call("list", "rules", "omnibus").out


def test_a_run_says_once_what_its_strategies_do_not_model(call: Call) -> None:
    words = [
        "cpu_levels",
        "--set",
        "design.blocks=2",
        "--set",
        "rules.doubling_card=TC",
        "--set",
        "rules.sun=add",
    ]
    done = call("run", *words, "--out", "a")
    said = " ".join(done.err.split())
    assert done.code == 0
    assert said.count("not model") == 2
    assert "warning: greedy and cpu-hard do not model sun (add); they play by the other rules" in said
    assert (
        "warning: cpu-easy and cpu-medium do not model sun (add) or doubling_card (ten of clubs); they play"
        in said
    )
    assert "not model" not in done.out
    assert "not model" not in call("run", "cpu_levels", "--set", "design.blocks=2", "--out", "b").err
    assert call("run", *words, "--out", "c", "--quiet").err == ""


def test_a_strategy_in_full_shows_what_it_does_not_model(call: Call) -> None:
    text = " ".join(call("list", "strategies", "greedy").out.split())
    assert " does not model kitty, no_tricks_bonus, moon, sun, exact_target file " in text
    call("new", "strategy", "my-bot")
    assert " does not model none file " in " ".join(call("list", "strategies", "my_bot.py").out.split())
