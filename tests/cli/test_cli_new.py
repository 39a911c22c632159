"""``hearts-sim new``: what it writes works as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from calling import Call

from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.tournament.experiment_file import read_experiment


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("rules", [Rules(), PRESETS["black_maria"].rules, PRESETS["six_handed"].rules])
def test_a_new_strategy_compiles_and_plays_whole_games(plain: bool, rules: Rules, call: Call) -> None:
    done = call("new", "strategy", "MyBot", *(["--plain"] if plain else []))
    assert (done.code, done.out) == (0, "my_bot.py\n")
    player = load_player("my_bot.py")
    assert player.info.name == "my-bot"
    assert player.info.compiled is not plain
    session = Session(rules, 1, [player])
    rows = session.play(make_jobs(0, 2, entrants=(0,) * rules.seats))
    assert np.count_nonzero(rows["ended"]) == 2


def test_compiled_and_plain_play_the_same(call: Call) -> None:
    call("new", "strategy", "one")
    call("new", "strategy", "two", "--plain")
    games = [
        Session(Rules(), 5, [load_player(f"{name}.py")]).play(make_jobs(0, 3, entrants=(0, 0, 0, 0)))
        for name in ("one", "two")
    ]
    assert np.array_equal(games[0], games[1])


def test_a_new_experiment_reads_without_a_complaint(call: Call) -> None:
    assert call("new", "experiment", "my-test").out == "my_test.toml\n"
    experiment = read_experiment(Path("my_test.toml"))
    assert experiment.name == "my-test"
    assert [e.name for e in experiment.entrants] == ["greedy", "cpu-easy", "cpu-medium", "greedy-tired"]


@pytest.mark.parametrize("kind", ["strategy", "experiment"])
def test_nothing_is_ever_overwritten(kind: str, call: Call) -> None:
    path = Path(call("new", kind, "mine").out.strip())
    path.write_text("precious", encoding="utf-8")
    again = call("new", kind, "mine")
    assert again.code == 2
    assert f"{path} exists already" in again.err
    assert path.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("name", ["", "9lives", "a/b", "my bot!", "--"])
def test_names_that_make_no_module_are_refused(name: str, call: Call, workdir: Path) -> None:
    before = sorted(workdir.iterdir())
    assert call("new", "strategy", name).code == 2
    assert sorted(workdir.iterdir()) == before


def test_a_new_strategy_is_well_formed(call: Call) -> None:
    call("new", "strategy", "my-bot")
    call("new", "strategy", "my-plain-bot", "--plain")
    ruff = shutil.which("ruff", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if ruff is None:
        pytest.skip("ruff is not installed")
    style = ["--isolated", "--line-length", "110"]
    for path in ("my_bot.py", "my_plain_bot.py"):
        subprocess.run([ruff, "check", *style, "--select", "E,F,I,B", path], check=True)
        subprocess.run([ruff, "format", *style, "--check", path], check=True)
