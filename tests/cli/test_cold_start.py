"""The first run on a machine says that it compiles; the second compiles nothing, whatever the line-up."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import gc, json, sys
from hearts_sim.cli import cli
from hearts_sim.cli.console import run_guarded

code = run_guarded(cli, sys.argv[1:])
from numba.core.dispatcher import Dispatcher
from hearts_sim.game import loop

everything = [thing for thing in gc.get_objects() if isinstance(thing, Dispatcher)]
facts = {
    "code": code,
    "loop_hits": sum(loop.run.stats.cache_hits.values()),
    "misses": [d.py_func.__qualname__ for d in everything if sum(d.stats.cache_misses.values())],
    "signatures": len(loop.run.signatures),
}
print(json.dumps(facts), file=sys.stderr)
"""
EXPERIMENT = """
seed = 1
[[entrants]]
strategy = "random"
[[entrants]]
strategy = "ducker"
[design]
kind = "fixed"
tables = [["ducker", "random", "random", "random"]]
blocks = 40
"""


def play(folder: Path, cache: Path, *words: str) -> tuple[str, dict]:  # type: ignore[type-arg]
    """Run in a process of its own; return what it said and what it compiled."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, "run", "small.toml", "--force", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    *said, facts = done.stderr.splitlines()
    return "\n".join(said), json.loads(facts)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict]:  # type: ignore[type-arg]
    """The first run with an empty cache: its folder, what it said, what it compiled."""
    folder = tmp_path_factory.mktemp("cold")
    (folder / "small.toml").write_text(EXPERIMENT, encoding="utf-8")
    return folder, *play(folder, folder / "cache")


def test_the_first_run_announces_that_it_compiles_and_how_long_it_took(first) -> None:  # type: ignore[no-untyped-def]
    _, said, facts = first
    assert facts["code"] == 0
    assert facts["misses"]
    lines = said.splitlines()
    assert lines[3] == "compiling the loop and the strategies, once on this machine, about 20 s ..."
    assert re.fullmatch(r"compiled in \d+\.\d s", lines[4])


@pytest.mark.parametrize(
    "line_up", ['["ducker", "random", "random", "random"]', '["random", "ducker", "ducker", "ducker"]']
)
def test_a_second_process_compiles_nothing_and_says_nothing_of_it(first, line_up: str) -> None:  # type: ignore[no-untyped-def]
    folder, _, _ = first
    said, facts = play(folder, folder / "cache", "--set", f"design.tables=[{line_up}]")
    assert facts == {"code": 0, "loop_hits": 1, "misses": [], "signatures": 1}
    assert "compil" not in said


def test_where_nothing_can_be_kept_one_warning_says_so(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("a file where the cache should be", encoding="utf-8")
    code = "from hearts_sim.cli import main; main()"
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path / "no-folder"),
        "HOME": str(tmp_path / "no-folder"),
    }
    environment = {**environment, "TMPDIR": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", code, "list", "strategies"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert done.stderr.count("warning: compiled code cannot be kept") == 1
    assert "warnings.warn" not in done.stderr
    assert "random" in done.stdout
