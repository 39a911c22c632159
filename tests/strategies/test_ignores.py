"""What a strategy says that it does not model changes no choice of its own; everything else that scores does."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from positions import Position, random_positions

from hearts_sim.bots import play, player, registry
from hearts_sim.bots.registry import StrategyInfo
from hearts_sim.game.notation import RANKS
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.game.table import encode_rules

# Every option that changes what a card costs or brings, away from its default.
SCORING: dict[str, Rules] = {
    "kitty": Rules(kitty="first_trick"),
    "queen_points": Rules(queen_points=50),
    "hearts_points": Rules(hearts_points="spot"),
    "spade_honours": Rules(spade_honours=(("AS", 7), ("KS", 10))),
    "bonus_card": Rules(bonus_card="JD"),
    "no_tricks_bonus": Rules(no_tricks_bonus=-5),
    "moon": Rules(moon="none"),
    "sun": Rules(sun="add"),
    "exact_target": Rules(exact_target="wins"),
    "doubling_card": Rules(doubling_card="TC"),
}
BUILT_IN = [info for info in registry.list_named() if info.cls.__module__.startswith("hearts_sim.strategies")]
PAIRS = list(itertools.product(BUILT_IN, SCORING))
IDS = [f"{info.name}-{option}" for info, option in PAIRS]


STANDARD = encode_rules(Rules())


def changes_choice(seated: player.Player, position: Position, encoded: Any) -> bool:
    """Return whether a strategy answers otherwise when the table has these rules instead of standard ones."""
    table, me = position[0].copy(), position[1].copy()
    method = seated.dispatchers[int(table["trick_number"] > 0)]
    me["params"][: len(seated.params)] = list(seated.params.values())
    answers = []
    for rules in (STANDARD, encoded):
        table["rules"] = rules
        me["draws"] = int(table["trick_number"]) << 32
        answers.append(int(method(table, me)))
    return answers[0] != answers[1]


@pytest.mark.parametrize(("info", "option"), PAIRS, ids=IDS)
def test_an_option_changes_choices_unless_it_is_said_to_be_ignored(info: StrategyInfo, option: str) -> None:
    seated, encoded = player.load_player(info.name), encode_rules(SCORING[option])
    changed = any(changes_choice(seated, position, encoded) for position in random_positions("standard"))
    assert changed != (option in info.ignores)


def test_nothing_else_is_said_to_be_ignored() -> None:
    assert {option for info in BUILT_IN for option in info.ignores} <= set(SCORING)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("info", [info for info in BUILT_IN if info.name != "random"], ids=lambda i: i.name)
def test_under_every_preset_a_strategy_takes_fewer_points_than_random_play(
    info: StrategyInfo, preset: str
) -> None:
    rules = PRESETS[preset].rules
    session = play.Session(rules, 5, [player.load_player(name) for name in (info.name, "random")])
    deals = session.play(play.make_jobs(0, 200, 0, [0] + [1] * (rules.seats - 1), n_deals=1))
    mean = deals["points"][:, : rules.seats].mean(axis=0)
    assert mean[0] < mean[1:].mean()


@pytest.mark.parametrize("info", BUILT_IN, ids=lambda info: info.name)
def test_rules_without_any_points_are_played_to_the_cap(info: StrategyInfo) -> None:
    left = " ".join(f"{rank}H" for rank in RANKS) + " QS 2C 3C"
    rules = Rules(removed=tuple(left.split()), max_deals=2)
    deals = play.Session(rules, 1, [player.load_player(info.name)]).play(
        play.make_jobs(0, 5, entrants=[0] * 4)
    )
    assert deals["ended"].tolist() == [0, 2] * 5
