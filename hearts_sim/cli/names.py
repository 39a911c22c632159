"""Names for the command line: finding experiment files, and completing names without compiling anything."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Iterable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from hearts_sim.errors import UsageError, did_you_mean

EXPERIMENTS = Path("experiments")
RESULTS = Path("results")
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def list_experiment_files() -> list[Path]:
    """Return the experiment files of the working directory: those in ``experiments/``, sorted."""
    return sorted(EXPERIMENTS.glob("*.toml"))


def find_experiment_file(name: str) -> Path:
    """Return the file that a path or the bare name of a file in ``experiments/`` means.

    Raises
    ------
    UsageError
        If there is none; the nearest name is suggested.
    """
    stem = name.removesuffix(".toml")
    candidates = [Path(name), Path(f"{name}.toml"), EXPERIMENTS / f"{stem}.toml"]
    candidates.append(EXPERIMENTS / f"{stem.replace('-', '_')}.toml")
    for path in candidates:
        if path.is_file():
            return path
    near = [*list_experiment_files(), *sorted(Path(name).parent.glob("*.toml"))]
    hint = did_you_mean(name, [str(path) for path in near]) or did_you_mean(
        stem, [path.stem for path in near]
    )
    raise UsageError(f"there is no experiment {name!r}{hint or '; see: hearts-sim list experiments'}")


def list_strategy_names() -> list[str]:
    """Return the names of the built-in strategies by reading their files, importing none."""
    spec = importlib.util.find_spec("hearts_sim.strategies")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
    return sorted(name for folder in folders for path in folder.glob("*.py") for name in _read_names(path))


def _read_names(path: Path) -> Iterable[str]:
    """Yield what the classes of a strategy file assign to ``name``."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for line in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(line, ast.Assign) and any(ast.unparse(target) == "name" for target in line.targets):
                name = ast.literal_eval(line.value)
                if name:
                    yield str(name)


def list_preset_names() -> list[str]:
    """Return the names of the rule presets."""
    from hearts_sim.game.rules import PRESETS

    return list(PRESETS)


def list_run_names() -> list[str]:
    """Return the run folders in ``results/``, as paths."""
    return sorted(path.parent.as_posix() for path in RESULTS.glob("*/manifest.json"))


def find_run_folder(name: str) -> Path:
    """Return the run folder that a path or the name of one in ``results/`` means.

    Raises
    ------
    UsageError
        If there is none; the nearest name is suggested.
    """
    for folder in (Path(name), RESULTS / name):
        if (folder / "manifest.json").is_file():
            return folder
    hint = did_you_mean(Path(name).name, [Path(run).name for run in list_run_names()])
    raise UsageError(f"there is no run {name!r}{hint or '; see: hearts-sim list runs'}")


def complete_with(list_names: Callable[[], Iterable[str]], kind: str = "plain") -> Completer:
    """Return a click completer over a list of names; with ``kind="file"`` paths complete as well."""

    def complete(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in list_names() if name.startswith(typed)]
        return found or ([CompletionItem(typed, type="file")] if kind == "file" else [])

    return complete


def complete_experiments(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete the bare name of an experiment, or a path."""
    return complete_with(lambda: [path.stem for path in list_experiment_files()], "file")(ctx, param, typed)
