"""What is said about options that strategies do not model, and what a strategy may say of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearts_sim.bots import registry
from hearts_sim.bots.ignored import explain_ignored
from hearts_sim.bots.registry import StrategyInfo
from hearts_sim.bots.strategy import Strategy
from hearts_sim.errors import UsageError
from hearts_sim.game.rules import PRESETS, Rules


def make(name: str, *options: str) -> StrategyInfo:
    cls = type("Some", (Strategy,), {"name": name, "ignores": options})
    return StrategyInfo(cls, Path("some.py"), {})


def test_one_option_of_one_strategy() -> None:
    said = explain_ignored([make("greedy", "bonus_card", "kitty")], PRESETS["omnibus"].rules)
    assert said == [
        "greedy does not model bonus_card (jack of diamonds); it plays by the other rules",
    ]


def test_strategies_that_miss_the_same_are_named_together_and_each_once() -> None:
    low, high = make("low", "moon", "sun"), make("high", "sun", "doubling_card")
    rules = Rules(moon="subtract", sun="add", doubling_card="TC")
    assert explain_ignored([low, make("flat", "moon", "sun"), low, high], rules) == [
        "low and flat do not model moon (subtract) or sun (add); they play by the other rules",
        "high does not model sun (add) or doubling_card (ten of clubs); it plays by the other rules",
    ]


def test_values_are_told_in_words() -> None:
    info = make("low", "kitty", "spade_honours", "queen_points", "no_tricks_bonus")
    rules = Rules(
        seats=3,
        kitty="first_trick",
        spade_honours=(("AS", 7), ("KS", 10)),
        queen_points=25,
        no_tricks_bonus=-5,
    )
    assert explain_ignored([info], rules) == [
        "low does not model kitty (first_trick), spade_honours (AS 7, KS 10), queen_points (25) or "
        "no_tricks_bonus (-5); it plays by the other rules"
    ]


def test_nothing_is_said_where_nothing_is_missed() -> None:
    assert explain_ignored(registry.list_named(), Rules()) == []
    assert explain_ignored([make("low", "kitty"), make("all")], PRESETS["omnibus"].rules) == []


@pytest.mark.parametrize(
    ("ignores", "said"),
    [
        ('("bonus",)', "the rules have no option 'bonus'; did you mean 'bonus_card'"),
        ('("bonus_card")', "no tuple of options"),
        ("None", "no tuple of options"),
    ],
)
def test_a_strategy_can_ignore_options_of_the_rules_only(ignores: str, said: str, tmp_path: Path) -> None:
    text = (
        "from hearts_sim import Strategy\n"
        f"class Mine(Strategy):\n    name, compiled, ignores = 'mine', False, {ignores}\n"
        "    def choose_pass(self, table, me): return me.legal\n"
        "    def choose_card(self, table, me): return me.legal\n"
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        registry.find(str(tmp_path / "mine.py"))
