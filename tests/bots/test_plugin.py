"""A strategy of one's own: found however it is named, the same compiled or plain, and told what is wrong with it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hearts_sim.bots import player, registry
from hearts_sim.bots.play import PlayFault, Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.errors import StrategyFault, UsageError
from hearts_sim.game.notation import format_cards
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.game.table import CARDS_ROW

BOT = """
from hearts_sim import Param, Strategy, cards, rng


class MyBot(Strategy):
    name = "my-bot"
    compiled = {compiled}
    stochastic = True
    params = {{"nerve": Param(2, 0, 4, "how high to play"), "luck": Param(0.2, 0, 1, "how often to guess")}}

    @staticmethod
    def choose_pass(table, me):
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= cards.highest(me.legal ^ chosen)
        return chosen

    @staticmethod
    def choose_card(table, me):
        me.memory[0] += 1
        if rng.draw_float(me) < me.params[1]:
            return rng.pick(me.legal, me)
        if table.trick_length and me.legal & table.led_suit:
            losing = cards.below(me.legal, table.best_card)
            if losing:
                return cards.highest(losing)
        return cards.highest(me.legal) if me.memory[0] > me.params[0] else cards.lowest(me.legal)
"""
SMALL = """
from hearts_sim import Strategy, cards


class Small(Strategy):
    name = "small"
    compiled = False

    @staticmethod
    def choose_pass(table, me):
        return {passed}

    @staticmethod
    def choose_card(table, me):
        return {played}
"""
LOWEST = "int(me.legal) & -int(me.legal)"


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Write a file beside the others and return its path as one types it."""

    def write_file(text: str, name: str = "my_bot.py") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write_file


def play(*specs: str, games: int = 5, rules: Rules | None = None) -> np.ndarray:
    """Play some games and return the cards of their deals."""
    session = Session(rules or Rules(), 3, [load_player(spec) for spec in specs], record_cards=True)
    session.play(make_jobs(0, games))
    return session.cards


# --- the same text, compiled and plain


def test_compiled_and_plain_play_the_same_cards(write) -> None:  # type: ignore[no-untyped-def]
    """200 games with compiled ones at the table, the bot in two seats, its random stream and memory in use."""
    fast = write(BOT.format(compiled=True), "fast.py")
    slow = write(BOT.format(compiled=False), "slow.py")
    compiled = play(fast, "greedy", fast, "random", games=200)
    plain = play(slow, "greedy", slow, "random", games=200)
    mixed = play(slow, "greedy", fast, "random", games=200)
    assert len(compiled) > 1000
    for field in CARDS_ROW.names:
        assert np.array_equal(compiled[field], plain[field]), field
        assert np.array_equal(compiled[field], mixed[field]), field


def test_parameters_change_the_play_of_both_alike(write) -> None:  # type: ignore[no-untyped-def]
    fast = write(BOT.format(compiled=True), "fast.py")
    slow = write(BOT.format(compiled=False), "slow.py")
    usual = play(fast, "greedy", "low", "random")
    bold = [play(f"{bot}:MyBot:nerve=0,luck=0", "greedy", "low", "random") for bot in (fast, slow)]
    assert bold[0].tobytes() == bold[1].tobytes()
    assert bold[0].tobytes() != usual.tobytes()


# --- names


def test_a_file_is_named_with_or_without_class_and_parameters(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    bot = write(BOT.format(compiled=False))
    defaults = {"nerve": 2.0, "luck": 0.2}
    assert load_player(bot).params == defaults
    assert load_player(f"{bot}:MyBot").params == defaults
    assert load_player(f"{bot}:nerve=3").params == defaults | {"nerve": 3.0}
    assert load_player(f"{bot}:MyBot:nerve=3,luck=1").params == {"nerve": 3.0, "luck": 1.0}
    assert load_player(f"{bot}:MyBot:nerve=3:luck=1").params == {"nerve": 3.0, "luck": 1.0}
    assert load_player("my_bot.py", base=tmp_path).info.name == "my-bot"


def test_a_module_is_named_with_its_class(
    write,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "my_package_of_bots").mkdir()
    write(BOT.format(compiled=False), "my_package_of_bots/deep.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = load_player("my_package_of_bots.deep:MyBot:luck=1")
    assert found.info.name == "my-bot"
    assert found.params["luck"] == 1
    assert found.info.path == tmp_path / "my_package_of_bots" / "deep.py"
    with pytest.raises(UsageError, match=r"no strategy class 'MyBoat'.*did you mean 'MyBot'"):
        load_player("my_package_of_bots.deep:MyBoat")
    with pytest.raises(UsageError, match=r"the module my_package_of_boats does not load"):
        load_player("my_package_of_boats:MyBot")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gredy", r"no strategy 'gredy'; did you mean 'greedy'\?"),
        ("zzz", r"no strategy 'zzz'; see: hearts-sim list strategies"),
        ("{folder}/my_bto.py", r"no strategy file .*; did you mean 'my_bot.py'\?"),
        ("{folder}/my_bot.py:nreve=1", r"no parameter 'nreve' .*did you mean 'nerve'\?"),
        ("{folder}/my_bot.py:nerve=5", r"nerve = 5.0 is not a number from 0 to 4"),
        ("{folder}/my_bot.py:nerve=nan", r"nerve = nan is not a number from 0 to 4"),
        ("{folder}/my_bot.py:nerve=high", r"'nerve=high' is not a parameter"),
    ],
)
def test_a_wrong_name_is_told_with_the_nearest_right_one(
    spec: str,
    said: str,
    write,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    write(BOT.format(compiled=False))
    with pytest.raises(UsageError, match=said):
        load_player(spec.format(folder=tmp_path))


def test_several_classes_in_a_file_must_be_told_apart(write) -> None:  # type: ignore[no-untyped-def]
    text = SMALL.format(passed="0", played=LOWEST)
    bot = write(text + text.split("cards\n", 1)[1].replace("Small", "Other"))
    with pytest.raises(
        UsageError, match=r"it holds Small, Other; write one of them, as in .*my_bot.py:Small"
    ):
        load_player(bot)
    assert load_player(f"{bot}:Other").info.cls.__name__ == "Other"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\nclass MyBot(:\n", r"my_bot.py does not load: SyntaxError: .*line 2"),
        ("x = 1\n\ny = 1 / 0\n", r"my_bot.py does not load: ZeroDivisionError: .*\(line 3\)"),
        ("import sys\nsys.exit(3)\n", r"my_bot.py does not load: SystemExit: 3 \(line 2\)"),
        ("import no_such_helper\n", r"No module named 'no_such_helper' \(line 1\)"),
        ("class MyBot:\n    pass\n", r"no class in it derives from hearts_sim.Strategy"),
        (
            "from hearts_sim import Strategy\nclass MyBot(Strategy):\n    name = 'x'\n",
            r"MyBot has no method choose_pass\(table, me\)",
        ),
        (
            SMALL.format(passed="0", played="0")
            .replace("@staticmethod", "")
            .replace("(table", "(self, table")
            .replace("compiled = False", ""),
            r"Small.choose_pass must be a @staticmethod; or set compiled = False",
        ),
    ],
    ids=["syntax", "raises", "exits", "import", "no strategy", "no method", "not static"],
)
def test_a_file_that_is_no_strategy_says_why(text: str, said: str, write) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=said):
        load_player(write(text))


# --- installed strategies


@pytest.fixture
def entry_points(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[importlib.metadata.EntryPoint]]:
    """Entry points as if a package had been installed."""
    points: list[importlib.metadata.EntryPoint] = []
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [p for p in points if p.group == group]
    )
    registry._named_classes.cache_clear()
    yield points
    registry._named_classes.cache_clear()


def test_an_installed_strategy_is_known_by_its_entry_point(
    write,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    entry_points: list[importlib.metadata.EntryPoint],
) -> None:
    write(SMALL.format(passed="0", played=LOWEST), "installed_bot_package.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry_points.append(
        importlib.metadata.EntryPoint("small", "installed_bot_package:Small", registry.ENTRY_POINTS)
    )
    assert load_player("small").info.path == tmp_path / "installed_bot_package.py"
    assert "small" in [info.name for info in registry.list_named()]
    assert load_player("greedy").info.name == "greedy"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (
            "broken",
            "no_such_package:Bot",
            r"the installed strategy 'broken' \(no_such_package:Bot\) does not load",
        ),
        (
            "greedy",
            "hearts_sim.strategies.low:Low",
            r"two strategies are named 'greedy': .*greedy.py and .*low.py",
        ),
    ],
)
def test_an_installed_strategy_that_cannot_be_used_is_named(
    name: str, value: str, said: str, entry_points: list[importlib.metadata.EntryPoint]
) -> None:
    entry_points.append(importlib.metadata.EntryPoint(name, value, registry.ENTRY_POINTS))
    with pytest.raises(UsageError, match=said):
        load_player("greedy")


# --- contract broken


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        ("('AC', 'AC', 'AC')", r"which is not a set of cards"),
        ("cards.lowest(me.legal)", r"answered \w\w; 3 of the legal cards are wanted"),
        ("int(table.rules.deck) & ~int(me.legal)", r"3 of the legal cards are wanted"),
        ("cards.lowest(me.legal) | 0b11 << 50 & ~int(me.legal)", r"3 of the legal cards are wanted"),
        ("1 << 60", r"0x1000000000000000, which names no card"),
        ("None", r"answered None, which is not a set of cards"),
    ],
    ids=["three times AC", "one card", "cards of others", "one of others", "no card", "nothing"],
)
def test_a_wrong_pass_is_a_fault_that_shows_the_hand(passed: str, said: str, write) -> None:  # type: ignore[no-untyped-def]
    bot = write(SMALL.format(passed=passed, played=LOWEST))
    with pytest.raises(PlayFault, match=said) as caught:
        play("low", bot, "low", "low")
    text, facts = str(caught.value), caught.value.facts
    assert text.startswith("the strategy 'small' (my_bot.py) answered")
    assert (facts.method, facts.seat, facts.game, facts.deal, facts.trick) == ("choose_pass", 1, 0, 1, 0)
    assert f"hand    {format_cards(facts.hand)}" in text
    assert len(format_cards(facts.hand).split()) >= 4
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    "played", ["2.5", "float(me.legal)", "str(int(me.legal))", "[me.legal]", "(me.legal, 1)"]
)
def test_what_is_no_whole_number_is_no_set_of_cards(played: str, write) -> None:  # type: ignore[no-untyped-def]
    passed = "sum(1 << i for i in [i for i in range(52) if me.legal >> i & 1][:3])"
    bot = write(SMALL.format(passed=passed, played=played))
    with pytest.raises(PlayFault, match=r"which is not a set of cards") as caught:
        play("low", bot, "low", "low")
    assert caught.value.facts.method == "choose_card"


@pytest.mark.parametrize("played", [LOWEST, "np.uint64(LOW)", "np.int64(LOW)", "cards.lowest(me.legal)"])
def test_every_kind_of_whole_number_is_taken(played: str, write) -> None:  # type: ignore[no-untyped-def]
    text = "import numpy as np\n" + SMALL.format(passed="0", played=played.replace("LOW", LOWEST))
    rules = PRESETS["no_pass"].rules
    expected = play("low", "low", "low", "low", rules=rules)
    assert play(write(text), "low", "low", "low", rules=rules).tobytes() == expected.tobytes()


def test_a_method_that_does_not_compile_is_a_fault_with_the_line(write) -> None:  # type: ignore[no-untyped-def]
    text = SMALL.format(passed="0", played="open('x').read()").replace("    compiled = False\n", "")
    bot = write(text)
    line = 1 + text.splitlines().index("        return open('x').read()")
    with pytest.raises(StrategyFault, match=r"'small' .* does not compile: choose_card: ") as caught:
        load_player(bot)
    assert f"line {line}" in str(caught.value)
    assert "set compiled = False" in str(caught.value)


# --- compiled code that is kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("from hearts_sim import Strategy, cards\nimport math, numpy as np\n", True),
        ("from numba.extending import register_jitable\n", True),
        ("import my_helper\n", False),
        ("import math, my_helper\n", False),
        ("from my_helper import weigh\n", False),
        ("from . import helper\n", False),
        ("from .helper import weigh\n", False),
        ("def f():\n    import my_helper\n", False),
        ("from hearts_sim.strategies.greedy import follow\n", False),
        ("from hearts_sim.strategies import greedy\n", False),
        ("import hearts_sim.strategies.greedy as g\n", False),
        ("from hearts_sim import strategies\n", False),
    ],
)
def test_code_is_kept_only_if_nothing_it_is_made_of_can_change_unseen(text: str, kept: bool, write) -> None:  # type: ignore[no-untyped-def]
    assert player._imports_only_safe(Path(write(text))) is kept


LOAD = """
import json, sys
import numpy as np
from hearts_sim.bots.player import load_player
from hearts_sim.game.table import SEAT, TABLE

found = load_player(sys.argv[1])
card = found.dispatchers[1]
me = np.zeros(1, SEAT)[0]
me["legal"] = 0b11010
hits = sum(sum(d.stats.cache_hits.values()) for d in found.dispatchers)
print(json.dumps([hits, int(card(np.zeros(1, TABLE)[0], me))]))
"""


def load_elsewhere(bot: str, cache: Path) -> list[int]:
    """Load a bot in a new process; return how much came from the cache and the card it plays of 0b11010."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOAD, bot],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_an_edited_bot_is_compiled_anew(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = SMALL.replace("    compiled = False\n", "")
    bot = write(text.format(passed="cards.NONE", played="cards.lowest(me.legal)"))
    assert load_elsewhere(bot, tmp_path / "cache") == [0, 0b10]
    assert load_elsewhere(bot, tmp_path / "cache") == [2, 0b10]
    write(text.format(passed="cards.NONE", played="cards.highest(me.legal)"))
    assert load_elsewhere(bot, tmp_path / "cache") == [0, 0b10000]


def test_an_edited_helper_is_noticed(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = SMALL.replace("    compiled = False\n", "").replace(
        "cards\n", "cards\nfrom my_helper import choose\n", 1
    )
    bot = write(text.format(passed="cards.NONE", played="choose(me.legal)"))
    helper = (
        "from numba.extending import register_jitable\nfrom hearts_sim import cards\n\n\n@register_jitable\n"
    )
    for word, card in (("lowest", 0b10), ("highest", 0b10000)):
        write(f"{helper}def choose(legal):\n    return cards.{word}(legal)\n", "my_helper.py")
        assert load_elsewhere(bot, tmp_path / "cache") == [0, card]
