"""The house rules that a machine can check: which way imports run, who may print, who may read the clock."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "hearts_sim"
LAYERS = ["errors", "game", "bots", "tournament", "analysis", "report", "cli"]
MODULES = sorted(PACKAGE.rglob("*.py"))
STRATEGIES = sorted((ROOT / "strategies").glob("*.py"))


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def list_imports(path: Path) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_never_run_backwards(path: Path) -> None:
    layer = layer_of(path)
    if layer == "__init__":
        return
    for name, line in list_imports(path):
        parts = name.split(".")
        if parts[0] != "hearts_sim" or len(parts) < 2 or parts[1] not in LAYERS:
            continue
        assert LAYERS.index(parts[1]) <= LAYERS.index(layer), f"{path}:{line}: {layer} imports {name}"


@pytest.mark.parametrize(
    "path", [p for p in MODULES if layer_of(p) != "cli"], ids=lambda p: str(p.relative_to(ROOT))
)
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            assert name not in {"print", "exit", "quit", "sys.exit", "os._exit"}, (
                f"{path}:{node.lineno}: {name}"
            )


@pytest.mark.parametrize("path", MODULES + STRATEGIES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_randomness_but_our_own(path: Path) -> None:
    for name, line in list_imports(path):
        assert name.split(".")[0] not in {"random", "secrets"} or layer_of_any(path) == "cli", (
            f"{path}:{line}: {name}"
        )
    assert "np.random" not in path.read_text(encoding="utf-8")


def layer_of_any(path: Path) -> str:
    return layer_of(path) if path.is_relative_to(PACKAGE) else "strategies"


@pytest.mark.parametrize("path", STRATEGIES, ids=lambda p: p.name)
def test_a_strategy_file_imports_nothing_that_could_change_under_its_compiled_copy(path: Path) -> None:
    for name, line in list_imports(path):
        top = name.split(".")[0]
        assert top in {"hearts_sim", "numpy", "numba", "__future__"}, f"{path}:{line}: {name}"


@pytest.mark.parametrize("path", MODULES + STRATEGIES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450, f"{path} asks to be split"


def test_importing_the_package_loads_nothing_heavy() -> None:
    import subprocess

    code = "import sys, hearts_sim; print([m for m in ('numba', 'polars', 'matplotlib', 'click') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_cache_folder_is_named_by_every_compiled_module() -> None:
    from hearts_sim.game.jit import COMPILED_SOURCES

    uncompiled = {"__init__", "reference", "reference_cards", "reference_deal", "reference_scoring"}
    uncompiled |= {"perft", "reference_table", "rules_page", "transcript", "transcript_text", "views"}
    assert {path.stem for path in (PACKAGE / "game").glob("*.py")} == uncompiled | set(COMPILED_SOURCES)
