"""Compiled code that is kept: found again by the next process, never used once its sources have changed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hearts_sim.game import jit

LOAD = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from hearts_sim.bots.player import load_player
    from hearts_sim.game import jit
    dispatchers = load_player(sys.argv[1]).dispatchers
print(json.dumps({
    "folder": str(jit.CACHE_FOLDER),
    "hits": sum(sum(d.stats.cache_hits.values()) for d in dispatchers),
    "misses": sum(sum(d.stats.cache_misses.values()) for d in dispatchers),
    "warnings": [str(warning.message) for warning in caught],
}))
"""


def load(strategy: str, **environment: str) -> dict:  # type: ignore[type-arg]
    """Load a strategy in a process of its own; return what it found in the cache and what it warned of."""
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, strategy],
        capture_output=True,
        text=True,
        check=True,
        env=kept | environment,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def test_the_next_process_compiles_no_strategy(cache: Path) -> None:
    first = load("greedy", NUMBA_CACHE_DIR=str(cache))
    second = load("greedy", NUMBA_CACHE_DIR=str(cache))
    assert (first["hits"], first["misses"], first["warnings"]) == (0, 2, [])
    assert (second["hits"], second["misses"], second["warnings"]) == (2, 0, [])


def test_a_cache_of_ones_own_is_told_apart_by_the_sources_too(cache: Path) -> None:
    """numba notices edits in a function's own file only; the loop is made of many."""
    folder = Path(load("greedy", NUMBA_CACHE_DIR=str(cache))["folder"])
    assert folder.parent == cache
    assert folder.name == f"compiled-{jit.hash_sources()}"


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
@pytest.mark.skipif(sys.platform != "linux", reason="XDG_CACHE_HOME is read on Linux")
def test_where_nothing_can_be_kept_strategies_compile_with_one_warning(variable: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file where the cache should be", encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    found = load("low", **{variable: str(tmp_path / "file"), "TMPDIR": str(tmp_path / "temporary")})
    assert found["misses"] == 2
    [warning] = found["warnings"]
    assert warning.startswith("compiled code cannot be kept")


@pytest.mark.parametrize("name", jit.COMPILED_SOURCES)
def test_an_edit_of_any_source_gives_another_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game").mkdir()
    for source in jit.COMPILED_SOURCES:
        text = (jit.PACKAGE / "game" / f"{source}.py").read_bytes()
        (tmp_path / "game" / f"{source}.py").write_bytes(text)
    before = jit.hash_sources()
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    assert jit.hash_sources() == before
    with (tmp_path / "game" / f"{name}.py").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    assert jit.hash_sources() != before


def list_imports(module: str) -> set[str]:
    """Return the modules of the game that one imports, and through them."""
    found, left = set(), {module}
    while left:
        name = left.pop()
        found.add(name)
        tree = ast.parse((jit.PACKAGE / "game" / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hearts_sim.game"):
                rest = (node.module or "").removeprefix("hearts_sim.game").lstrip(".")
                names = [rest] if rest else [alias.name for alias in node.names]
                left |= {name for name in names if (jit.PACKAGE / "game" / f"{name}.py").is_file()} - found
    return found


@pytest.mark.parametrize("module", ["loop", "cards", "rng"])
def test_all_that_the_loop_is_made_of_is_among_the_sources(module: str) -> None:
    assert list_imports(module) <= set(jit.COMPILED_SOURCES)
