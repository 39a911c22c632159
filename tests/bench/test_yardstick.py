"""The C programs play the games of hearts-sim: by checksum, against the loop and against plain Python."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import Player, load_player
from hearts_sim.game import rng
from hearts_sim.game.reference import play_game
from hearts_sim.game.rules import Rules
from hearts_sim.game.table import DEAL_ROW
from hearts_sim.tournament import yardstick

PROGRAMS = list(yardstick.PROGRAMS)


class Seated:
    """A player as the reference table takes it."""

    def __init__(self, player: Player) -> None:
        self.params = list(player.params.values())
        strategy: Any = player.info.cls()
        self.choose_pass, self.choose_card = strategy.choose_pass, strategy.choose_card


def make_rows(deals: list[tuple[int, int, tuple[int, ...]]]) -> Any:
    """Rows from (game, deal, points)."""
    rows = np.zeros(len(deals), DEAL_ROW)
    for row, (game, deal, points) in zip(rows, deals, strict=True):
        row["game"], row["deal"] = game, deal
        row["points"][:4] = points
    return rows


def fold_plainly(games: dict[int, list[tuple[int, ...]]]) -> int:
    """The checksum in plain Python, from each game's points deal by deal."""
    total = 0
    for game, deals in games.items():
        value = rng.mix(game)
        for number, points in enumerate(deals, 1):
            row = int.from_bytes(bytes([number, *points]), "big")
            value = rng.mix((value + row) % 2**64)
        total += value
    return total % 2**64


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    if yardstick.find_compiler() is None:
        pytest.skip("no C compiler")
    return yardstick.build(tmp_path_factory.mktemp("yardstick"))


GAMES = {7: [(0, 26, 26, 26), (13, 0, 9, 4)], 2**64 - 1: [(1, 2, 3, 20)]}
ROWS = [(g, n, p) for g, deals in GAMES.items() for n, p in enumerate(deals, 1)]


def test_the_checksum_is_the_one_written_down() -> None:
    assert yardstick.fold_rows(make_rows(ROWS)) == fold_plainly(GAMES)


def test_the_checksum_does_not_depend_on_the_order_of_games() -> None:
    assert yardstick.fold_rows(make_rows(ROWS[::-1])) == yardstick.fold_rows(make_rows(ROWS))


@pytest.mark.parametrize("change", [(0, 1, 26, 26), (26, 0, 26, 26), (0, 26, 26, 25)])
def test_the_checksum_notices_a_point_and_a_seat(change: tuple[int, ...]) -> None:
    changed = [(7, 1, change), *ROWS[1:]]
    assert yardstick.fold_rows(make_rows(changed)) != yardstick.fold_rows(make_rows(ROWS))


def test_the_checksum_notices_deals_in_another_order() -> None:
    swapped = [(7, 1, ROWS[1][2]), (7, 2, ROWS[0][2]), ROWS[2]]
    assert yardstick.fold_rows(make_rows(swapped)) != yardstick.fold_rows(make_rows(ROWS))


def test_no_rows_have_checksum_zero() -> None:
    assert yardstick.fold_rows(make_rows([])) == 0


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("bots", ["random", "ducker"])
@pytest.mark.parametrize(("seed", "first"), [(1, 0), (2**64 - 1, 2**40)])
def test_c_plays_the_games_of_the_loop(
    program: str, bots: str, seed: int, first: int, programs: dict[str, Path]
) -> None:
    rows = Session(Rules(), seed, [load_player(bots)]).play(make_jobs(first, 2_000, 0, (0,) * 4))
    played = yardstick.play(programs[program], bots, seed, first, 2_000)
    assert (played.games, played.deals) == (2_000, len(rows))
    assert played.checksum == yardstick.fold_rows(rows)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("bots", ["random", "ducker"])
def test_c_plays_the_games_of_plain_python(program: str, bots: str, programs: dict[str, Path]) -> None:
    players = [Seated(load_player(bots))] * 4
    games = {g: [deal.points for deal in play_game(Rules(), 5, g, players)] for g in range(10)}
    assert yardstick.play(programs[program], bots, 5, 0, 10).checksum == fold_plainly(games)


@pytest.mark.parametrize("program", PROGRAMS)
def test_repeats_play_the_same_games_again(program: str, programs: dict[str, Path]) -> None:
    once = yardstick.play(programs[program], "random", 3, 0, 20)
    again = yardstick.play(programs[program], "random", 3, 0, 20, repeats=3)
    assert (once.deals, once.checksum) == (again.deals, again.checksum)


@pytest.mark.parametrize("words", [[], ["greedy", "1", "0", "1"], ["random", "1", "0"]])
def test_wrong_words_are_refused_with_the_usage(words: list[str], programs: dict[str, Path]) -> None:
    for program in programs.values():
        done = subprocess.run([str(program), *words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert "random|ducker SEED FIRST_GAME N_GAMES" in done.stderr


def test_without_a_compiler_the_reason_and_the_remedy_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yardstick, "find_compiler", lambda: None)
    with pytest.raises(yardstick.CannotBuild, match="no C compiler; install one of cc, gcc, clang"):
        yardstick.build(tmp_path)


def test_without_the_sources_it_says_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardstick, "SOURCES", Path("nowhere"))
    with pytest.raises(yardstick.CannotBuild, match="run in a copy of the repository"):
        yardstick.build(tmp_path)


def test_a_compiler_that_fails_is_named_with_its_complaint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho 'no such machine' >&2\nexit 1\n", encoding="utf-8")
    compiler.chmod(0o755)
    monkeypatch.setattr(yardstick, "find_compiler", lambda: str(compiler))
    with pytest.raises(yardstick.CannotBuild, match="failed: no such machine"):
        yardstick.build(tmp_path)
