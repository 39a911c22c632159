"""Golden games: one whole game of every preset as text, and one integer for how everything plays.

``UPDATE_SNAPSHOTS=1 pytest -n 0 tests/game/test_golden.py`` writes them anew; read the difference before it goes in.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from twin_games import play_loop

from hearts_sim.bots import registry
from hearts_sim.game.rules import PRESETS
from hearts_sim.game.transcript import Transcript, check
from hearts_sim.game.transcript_text import format_transcript, parse_transcript
from hearts_sim.tournament import bench

GOLDEN = Path(__file__).parent / "golden"
SIGNATURE = GOLDEN / "signature.txt"
SEED = 20261130
WHAT_NOW = (
    "how the game or a strategy plays has changed. If that is meant, name it in CHANGELOG.md with 'results move: yes', "
    "then run: UPDATE_SNAPSHOTS=1 pytest -n 0 tests/game/test_golden.py"
)
# The game, among those of the seed one with a moon, and who sits at seats 0, 1, ...
GAMES: dict[str, tuple[int, str]] = {
    "standard": (1, "greedy cpu-hard ducker random"),
    "microsoft": (4, "cpu-hard ducker random cpu-medium"),
    "short": (23, "ducker random cpu-medium low"),
    "pagat": (3, "random cpu-medium low cpu-easy"),
    "omnibus": (2, "cpu-medium low cpu-easy greedy"),
    "queen_breaks": (0, "low cpu-easy greedy cpu-hard"),
    "new_moon": (6, "cpu-easy greedy cpu-hard ducker"),
    "no_pass": (3, "greedy cpu-hard ducker random"),
    "three_handed": (1, "cpu-hard ducker random"),
    "five_handed": (0, "ducker random cpu-medium low cpu-easy"),
    "six_handed": (0, "random cpu-medium low cpu-easy greedy cpu-hard"),
    "three_handed_kitty": (0, "cpu-medium low cpu-easy"),
    "spot": (0, "low cpu-easy greedy cpu-hard"),
    "black_maria": (32, "cpu-easy greedy cpu-hard"),
    "chicago": (1, "greedy cpu-hard ducker random"),
    "cpu_table": (6, "greedy cpu-easy cpu-medium cpu-hard"),
}


def write_game(preset: str) -> str:
    """Return the preset's game as a transcript, played by the loop now."""
    rules = PRESETS[preset].rules
    game, table = GAMES[preset]
    names = table.split()
    deals = play_loop(rules, SEED, game, names)
    return format_transcript(Transcript(rules, tuple(names), tuple(deals), SEED, game))


def compare(path: Path, text: str) -> None:
    """Compare a text with the stored one, or store it."""
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path.name}: {WHAT_NOW}"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_stored_game_is_played_again_card_for_card(preset: str) -> None:
    compare(GOLDEN / f"{preset}.txt", write_game(preset))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_stored_game_is_whole_and_by_the_rules(preset: str) -> None:
    stored = parse_transcript((GOLDEN / f"{preset}.txt").read_text(encoding="utf-8"))
    assert stored.rules == PRESETS[preset].rules
    assert check(stored) is None
    assert [deal.ended for deal in stored.deals] == [0] * (len(stored.deals) - 1) + [1]
    assert any(deal.moon >= 0 for deal in stored.deals)


def test_every_strategy_that_comes_along_is_signed_and_sits_at_a_stored_table() -> None:
    shipped = {
        info.name for info in registry.list_named() if info.cls.__module__.startswith("hearts_sim.strategies")
    }
    assert set(bench.SIGNED) == shipped, "add it to SIGNED in hearts_sim/tournament/bench.py"
    assert {name for _, table in GAMES.values() for name in table.split()} == shipped


def test_behaviour_under_every_preset_has_the_stored_signature() -> None:
    compare(SIGNATURE, f"{bench.sign_behaviour()}\n")
