"""What every built-in strategy promises, checked in positions of random games under every preset."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from positions import random_positions

from hearts_sim import Strategy
from hearts_sim.bots import play, player, registry
from hearts_sim.game.notation import format_cards
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.game.views import RecordSeat, RecordTable

BUILT_IN = [
    info.name for info in registry.list_named() if info.cls.__module__.startswith("hearts_sim.strategies")
]
LEVELS = ["cpu-easy", "cpu-medium", "cpu-hard"]
SHIPPED = ["random", "low", "ducker", "greedy", *LEVELS]


def class_of(name: str) -> type[Strategy]:
    return registry.find(name).cls


def answer(seated: player.Player, table: Any, me: Any) -> int:
    me["params"][: len(seated.params)] = list(seated.params.values())
    me["draws"] = int(table["trick_number"]) << 32
    return int(seated.dispatchers[int(table["trick_number"] > 0)](table, me))


def test_the_shipped_strategies_are_found() -> None:
    assert set(SHIPPED) <= set(BUILT_IN)


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    cls = class_of(name)
    assert cls.summary
    assert len(cls.summary) <= 90
    assert "Sources\n-------\n" in inspect.cleandoc(cls.__doc__ or "")
    for method in (cls.choose_pass, cls.choose_card):
        assert inspect.getdoc(method)
    for key, param in cls.params.items():
        assert param.low <= param.default <= param.high, key
        assert param.meaning, key


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_answer_is_legal(name: str, preset: str) -> None:
    seated = player.load_player(name)
    for table, me in random_positions(preset):
        chosen = answer(seated, table, me)
        wanted = 1 if table["trick_number"] else int(table["rules"]["pass_cards"])
        legal = int(me["legal"])
        assert not chosen & ~legal, f"{format_cards(chosen)} of {format_cards(legal)}"
        assert chosen.bit_count() == wanted


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", BUILT_IN)
def test_it_plays_whole_games(name: str, preset: str) -> None:
    rules = PRESETS[preset].rules
    rows = play.Session(rules, 3, [player.load_player(name)]).play(
        play.make_jobs(0, 20, entrants=[0] * rules.seats)
    )
    assert len(np.unique(rows["game"])) == 20


@pytest.mark.parametrize("name", [name for name in BUILT_IN if class_of(name).params])
def test_both_ends_of_every_parameter_play(name: str) -> None:
    for key, param in class_of(name).params.items():
        for value in (param.low, param.high):
            session = play.Session(Rules(), 3, [player.load_player(name, params={key: value})])
            assert len(session.play(play.make_jobs(0, 20, entrants=[0] * 4))), (key, value)


@pytest.mark.parametrize("name", [name for name in BUILT_IN if not class_of(name).stochastic])
def test_a_deterministic_strategy_draws_nothing(name: str) -> None:
    seated = player.load_player(name)
    for table, me in random_positions("standard"):
        other = me.copy()
        other["stream"] = 99
        before = answer(seated, table, me)
        assert answer(seated, table, other) == before
        assert int(other["draws"]) == int(table["trick_number"]) << 32


@pytest.mark.parametrize("name", [name for name in BUILT_IN if class_of(name).stochastic])
def test_a_stochastic_strategy_depends_on_its_stream(name: str) -> None:
    changed = 0
    seated = player.load_player(name)
    for table, me in random_positions("standard"):
        other = me.copy()
        other["stream"] = 99
        changed += answer(seated, table, me) != answer(seated, table, other)
    assert changed > 0


@pytest.mark.parametrize("preset", ["standard", "omnibus", "spot", "black_maria", "five_handed", "chicago"])
@pytest.mark.parametrize("name", [name for name in BUILT_IN if class_of(name).compiled])
def test_compiled_and_plain_give_the_same_answer(name: str, preset: str) -> None:
    seated = player.load_player(name)
    for table, me in random_positions(preset)[:1000:17]:
        compiled = answer(seated, table, me)
        me["draws"] = int(table["trick_number"]) << 32
        method = seated.info.cls.choose_card if table["trick_number"] else seated.info.cls.choose_pass
        assert int(method(RecordTable(table), RecordSeat(me))) == compiled


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_changes_nothing_but_its_own_memory_and_stream(name: str) -> None:
    seated = player.load_player(name)
    for table, me in random_positions("standard")[::5]:
        answer(seated, table, me)
        table_before, me_before = table.copy(), me.copy()
        answer(seated, table, me)
        assert table == table_before
        for field in ("memory", "game_memory", "draws"):
            me_before[field] = me[field]
        assert me == me_before


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_sees_its_hand_and_the_cards_played_and_nothing_else(name: str) -> None:
    seated = player.load_player(name)
    for table, me in random_positions("standard"):
        before = answer(seated, table, me)
        other_table, other = table.copy(), me.copy()
        other["passed"] = other["received"] = 0x1234567
        other["memory"] = other["game_memory"] = 77
        other_table["scores"] = [99, 0, 50, 3, 0, 0]
        other_table["deal_number"] = 9
        other_table["pass_offset"] = 2
        other_table["dealer"] = 1
        assert answer(seated, other_table, other) == before


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_leaves_its_ties_to_the_seed(name: str) -> None:
    changed = 0
    seated = player.load_player(name)
    for table, me in random_positions("standard"):
        other = me.copy()
        other["base"] = int(me["base"]) ^ 0xFFFF
        changed += answer(seated, table, me) != answer(seated, table, other)
    assert changed > 0
