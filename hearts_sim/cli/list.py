"""``hearts-sim list``: what there is to play with, and what was played."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from hearts_sim.cli import names
from hearts_sim.cli.console import Terminal, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.errors import HeartsSimError, UsageError, did_you_mean

if TYPE_CHECKING:
    from hearts_sim.bots.registry import StrategyInfo
    from hearts_sim.game.rules import Preset

Facts = dict[str, Any]
"""One thing as plain JSON types; ``name`` is always among them."""


def _complete_name(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    completers: dict[str, Callable[[], Sequence[str]]] = {
        "strategies": names.list_strategy_names,
        "rules": names.list_preset_names,
        "experiments": lambda: [path.stem for path in names.list_experiment_files()],
        "runs": names.list_run_names,
    }
    known = completers.get(ctx.params.get("what") or "", list)
    return [CompletionItem(name) for name in known() if name.startswith(typed)]


@click.command(
    "list",
    cls=Command,
    examples=(
        ("hearts-sim list strategies", "all strategies in a table"),
        ("hearts-sim list strategies greedy", "one in full: parameters, ranges, sources, file"),
    ),
)
@click.argument("what", shell_complete=names.complete_with(lambda: KINDS))
@click.argument("name", required=False, shell_complete=_complete_name)
@json_option
@output_options
def command(what: str, name: str | None, as_json: bool, terminal: Terminal) -> None:
    """Show the strategies, rules, designs, experiments or runs there are.

    WHAT is one of strategies, rules, designs, experiments, runs. With NAME, one of them in full; a strategy
    may also be a file, such as my_bot.py.
    """
    if what not in KINDS:
        hint = did_you_mean(what, KINDS) or f"; there are {', '.join(KINDS)}"
        raise click.UsageError(f"{what!r} cannot be listed{hint}")
    kind = KINDS[what]
    if name:
        found = kind.find(name)
        if as_json:
            terminal.show_json({"schema": 1, "command": "list", "what": what, "item": found})
        else:
            terminal.show(format_card(found))
        return
    items = kind.list_all()
    if as_json:
        terminal.show_json({"schema": 1, "command": "list", "what": what, "items": items})
    elif items:
        terminal.show(make_table(kind.columns, items))
        terminal.say(f"\none in full: hearts-sim list {what} {items[0]['name']}")
    else:
        terminal.say(kind.empty)


def list_strategies() -> list[Facts]:
    """Return the facts of every built-in and installed strategy, compiling none."""
    from hearts_sim.bots import registry

    return [describe_strategy(info) for info in registry.list_named()]


def find_strategy(name: str) -> Facts:
    """Return the facts of the strategy that a name or file means."""
    from hearts_sim.bots import registry

    return describe_strategy(registry.find(name))


def describe_strategy(info: StrategyInfo) -> Facts:
    """Return what there is to know about a strategy."""
    kinds = ["compiled" if info.compiled else "plain Python", *(["random"] if info.stochastic else [])]
    return {
        "name": info.name,
        "summary": info.summary,
        "kind": ", ".join(kinds),
        "parameters": {
            key: {"default": p.default, "low": p.low, "high": p.high, "meaning": p.meaning}
            for key, p in info.params.items()
        },
        "does not model": list(info.ignores),
        "file": _shorten(info.path),
        "source_hash": info.source_hash,
        "description": inspect.getdoc(info.cls) or "",
    }


def _shorten(path: Path) -> str:
    """Return a path relative to the working directory if it lies below it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def list_rules() -> list[Facts]:
    """Return the facts of every preset."""
    from hearts_sim.game.rules import PRESETS

    return [describe_preset(preset) for preset in PRESETS.values()]


def find_rules(name: str) -> Facts:
    """Return a preset with every field: its value, what it may be, what it means and what is ruled on it."""
    import dataclasses

    from hearts_sim.game.rules import Rules, find_preset
    from hearts_sim.game.rules_page import describe_values

    preset = find_preset(name)
    values = preset.rules.as_dict()
    fields = {
        field.name: {
            "value": values[field.name],
            "values": describe_values(field.name),
            "meaning": field.metadata["meaning"],
            "rulings": list(field.metadata["rulings"]),
        }
        for field in dataclasses.fields(Rules)
    }
    return (
        describe_preset(preset)
        | {"hash": preset.rules.hash(), "total_points": preset.rules.total_points}
        | {"fields": fields}
    )


def describe_preset(preset: Preset) -> Facts:
    """Return what a preset is, its aliases, its source and what differs from standard."""
    from hearts_sim.game.rules_page import NO_SOURCE

    changed = preset.rules.diff()
    values = preset.rules.as_dict()
    return {
        "name": preset.name,
        "summary": preset.summary,
        "differs from standard": {key: values[key] for key in changed},
        "source": preset.source or NO_SOURCE,
        "aliases": list(preset.aliases),
    }


def list_designs() -> list[Facts]:
    """Return the designs and units an experiment can have."""
    from hearts_sim.tournament.experiment import KINDS, UNITS

    kinds = [{"name": name, "key": "design.kind", "summary": text} for name, text in KINDS.items()]
    return kinds + [{"name": name, "key": "design.unit", "summary": text} for name, text in UNITS.items()]


def list_experiments() -> list[Facts]:
    """Return the experiments in ``experiments/``, without looking up their strategies."""
    return [describe_experiment(path) for path in names.list_experiment_files()]


def describe_experiment(path: Path) -> Facts:
    """Return what an experiment file says of itself."""
    from hearts_sim.tournament.document import read_document

    try:
        values = read_document(path).values
    except HeartsSimError as error:
        return {"name": path.stem, "title": str(error), "file": str(path)}
    entrants = [
        str(e.get("name") or e.get("strategy")) for e in values.get("entrants", []) if isinstance(e, dict)
    ]
    return {
        "name": path.stem,
        "title": values.get("title", ""),
        "file": str(path),
        "rules": values.get("rules", {}),
        "entrants": entrants,
        "design": values.get("design", {}),
    }


def find_experiment(name: str) -> Facts:
    """Return the facts of the experiment that a path or bare name means."""
    return describe_experiment(names.find_experiment_file(name))


def list_runs() -> list[Facts]:
    """Return the runs in ``results/``."""
    return [describe_run(Path(folder)) for folder in names.list_run_names()]


def describe_run(folder: Path) -> Facts:
    """Return what a run's manifest says."""
    from hearts_sim.tournament import store

    try:
        manifest: Mapping[str, Any] = store.read_manifest(folder)
    except HeartsSimError as error:
        return {"name": folder.name, "status": "damaged", "problem": str(error), "folder": str(folder)}
    kept = ("title", "seed", "status", "games", "deals", "wall_s", "record", "digest", "command_line")
    facts = {"name": folder.name, "folder": str(folder), **{key: manifest.get(key) for key in kept}}
    return facts | {"entrants": [entrant["name"] for entrant in manifest.get("entrants", [])]}


def find_run(name: str) -> Facts:
    """Return the facts of a run by folder or by its name in ``results/``."""
    return describe_run(names.find_run_folder(name))


def find_design(name: str) -> Facts:
    """Return a design or unit by name."""
    items = {item["name"]: item for item in list_designs()}
    if name not in items:
        hint = did_you_mean(name, items) or f"; there are {', '.join(items)}"
        raise UsageError(f"there is no design {name!r}{hint}")
    return items[name]


def make_table(columns: Sequence[str], items: Sequence[Facts]) -> Any:
    """Return things as a rich table, one row each."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        is_number = all(isinstance(item.get(column), int) for item in items)
        justify: Any = "right" if is_number else "left"
        table.add_column(column, no_wrap=column == "name", justify=justify, overflow="fold")
    for item in items:
        table.add_row(*(format_cell(item.get(column)) for column in columns))
    return table


def format_cell(value: Any) -> str:
    """Return a value as it stands in a table; of things with a meaning only the names."""
    if _has_meanings(value):
        return ", ".join(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {format_cell(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        nested = any(isinstance(item, (list, tuple)) for item in value)
        return "; ".join(" ".join(map(str, item)) for item in value) if nested else ", ".join(map(str, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)


def format_card(item: Facts) -> str:
    """Return one thing in full: each fact after its key, the longer ones below."""
    indent = max(len(key) for key in item) + 2
    lines: list[str] = []
    for key, value in item.items():
        if not _is_long(value):
            text = str(value) if isinstance(value, int) else format_cell(value)
            lines += _hang(key, text or "none", indent)
    for key, value in item.items():
        if _is_long(value):
            lines += ["", key, *(_format_text(value) if isinstance(value, str) else _format_fields(value))]
    return "\n".join(lines)


def _is_long(value: Any) -> bool:
    return _has_meanings(value) or (isinstance(value, str) and "\n" in value)


def _has_meanings(value: Any) -> bool:
    """Return whether a value holds parameters or rule fields."""
    if not isinstance(value, Mapping) or not value:
        return False
    return all(isinstance(inner, Mapping) and "meaning" in inner for inner in value.values())


def _hang(key: str, text: str, indent: int) -> list[str]:
    """Return a key and its text, folded to 80 columns beside the key; long words such as paths stay whole."""
    import textwrap

    head = f"{key:<{indent}}"
    return textwrap.wrap(
        text,
        80,
        initial_indent=head,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _format_text(text: str) -> list[str]:
    """Return a docstring with its paragraphs folded to 78 columns and its headings as they are."""
    import textwrap

    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        first, *rest = paragraph.split("\n")
        if rest and set(rest[0]) == {"-"}:
            lines += [f"  {first}", f"  {rest.pop(0)}"]
        else:
            rest.insert(0, first)
        lines += textwrap.wrap("\n".join(rest), 78, initial_indent="  ", subsequent_indent="  ")
        lines.append("")
    return lines[:-1]


def _format_fields(fields: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return parameters or rule fields, each with its value, range and meaning."""
    import textwrap

    lines: list[str] = []
    for name, facts in fields.items():
        if "default" in facts:
            head = f"{name} = {facts['default']:g}, from {facts['low']:g} to {facts['high']:g}"
        else:
            head = f"{name} = {json.dumps(facts['value'])}"
        lines.append(f"  {head}")
        values = [f"possible: {facts['values']}"] if "values" in facts else []
        for text in (facts["meaning"], *values, *facts.get("rulings", ())):
            lines += textwrap.wrap(text, 78, initial_indent="      ", subsequent_indent="        ")
    return lines


@dataclass(frozen=True)
class Kind:
    """How one kind of thing is listed."""

    columns: Sequence[str]
    list_all: Callable[[], list[Facts]]
    find: Callable[[str], Facts]
    empty: str = ""


KINDS: dict[str, Kind] = {
    "strategies": Kind(("name", "summary", "parameters"), list_strategies, find_strategy),
    "rules": Kind(("name", "summary", "differs from standard"), list_rules, find_rules),
    "designs": Kind(("name", "key", "summary"), list_designs, find_design),
    "experiments": Kind(
        ("name", "entrants", "title"),
        list_experiments,
        find_experiment,
        "no experiments/*.toml in this folder; begin with:\n  hearts-sim new experiment NAME",
    ),
    "runs": Kind(
        ("name", "status", "games", "deals"),
        list_runs,
        find_run,
        "no runs in results/ of this folder; begin with:\n  hearts-sim run experiments/cpu_levels.toml",
    ),
}
