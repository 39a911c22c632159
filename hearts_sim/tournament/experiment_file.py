"""Reads an experiment from a TOML file and says everything that is wrong with it at once."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hearts_sim.bots import registry
from hearts_sim.bots.registry import StrategyInfo
from hearts_sim.errors import RulesError, UsageError, did_you_mean
from hearts_sim.game import rules as game_rules
from hearts_sim.game.rules import Rules
from hearts_sim.tournament import design_tables
from hearts_sim.tournament.document import Document, Problems, read_document
from hearts_sim.tournament.experiment import (
    DEFAULT_BLOCKS,
    KINDS,
    SCHEMA,
    UNITS,
    DesignSpec,
    EntrantSpec,
    Experiment,
    ReportSpec,
)
from hearts_sim.tournament.toml_lines import KeyPath

TOP_KEYS = ("schema", "name", "title", "seed", "rules", "entrants", "design", "report")
MAX_BLOCKS = 2**32 - 1
MAX_ENTRANTS = 255
UNKNOWN = ""
"""The name of an entrant that has none of its own and whose strategy was not found."""
FindStrategy = Callable[[str, Path | None], StrategyInfo]


def read_experiment(
    path: Path,
    overrides: Sequence[str] = (),
    *,
    default_seed: int | None = None,
    find: FindStrategy = registry.find,
) -> Experiment:
    """Read and check an experiment file.

    Parameters
    ----------
    path : Path
        The TOML file.
    overrides : sequence of str
        ``KEY=VALUE`` settings that go before what the file says.
    default_seed : int, optional
        The seed if the file names none.
    find : callable
        Finds a strategy by name and folder.

    Raises
    ------
    UsageError
        With every problem of the file on a line of its own: file, line, key, what was expected.
    """
    return build_experiment(read_document(path, overrides), default_seed=default_seed, find=find)


def build_experiment(
    document: Document, *, default_seed: int | None = None, find: FindStrategy = registry.find
) -> Experiment:
    """Check a document and return the experiment it describes; see `read_experiment`."""
    problems = Problems(document)
    values = document.values
    problems.check_keys((), values, TOP_KEYS)
    if values.get("schema", SCHEMA) != SCHEMA:
        problems.add(
            ("schema",), f"{values['schema']!r} is unknown to this version; it reads schema = {SCHEMA}"
        )
    name = _read_name(problems, document)
    seed = _read_seed(problems, values, default_seed)
    rules, seats = _read_rules(problems, values)
    entrants = _read_entrants(problems, document, find)
    kind = values["design"].get("kind") if isinstance(values.get("design"), dict) else None
    if kind == "selfplay" and seats is not None:
        entrants = design_tables.copy_entrant(problems, entrants, seats)
    names = [entrant.name for entrant in entrants]
    design = _read_design(problems, values, names, seats)
    report = _read_report(problems, values, names)
    title = _read_text(problems, values, ("title",), default=name)
    problems.raise_if_any()
    assert rules is not None
    assert seed is not None
    overrides = tuple(document.overrides.values())
    return Experiment(name, title, seed, rules, tuple(entrants), design, report, document.source, overrides)


def _read_text(problems: Problems, table: Mapping[str, Any], path: KeyPath, default: str = "") -> str:
    value = table.get(str(path[-1]), default)
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        problems.add(path, f"{value!r} is not a line of text in quotes")
        return default
    return value.strip()


def _read_name(problems: Problems, document: Document) -> str:
    name = _read_text(
        problems, document.values, ("name",), document.source.stem if document.source else "experiment"
    )
    if (
        not name.replace("-", "").replace("_", "").replace(".", "").isalnum()
        or name.startswith(".")
        or len(name) > 60
    ):
        problems.add(
            ("name",),
            f"{name!r} is not up to 60 letters, digits, hyphens, underscores and dots; it names a folder",
        )
    return name


def _read_seed(problems: Problems, values: Mapping[str, Any], default: int | None) -> int | None:
    seed = values.get("seed", default)
    if seed is None:
        problems.add((), "no seed; write a whole number, such as seed = 1")
    elif type(seed) is not int or not 0 <= seed < 2**64:
        problems.add(("seed",), f"{seed!r} is not a whole number from 0 to 2**64 - 1")
    else:
        return seed
    return None


def _read_table(
    problems: Problems, values: Mapping[str, Any], key: str, known: Sequence[str]
) -> dict[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        problems.add(
            (key,), f"{table!r} is not a table; write [{key}] on a line of its own and keys below it"
        )
        return {}
    problems.check_keys((key,), table, known)
    return table


def _read_rules(problems: Problems, values: Mapping[str, Any]) -> tuple[Rules | None, int | None]:
    """Return the rules if they hold together, and the number of seats if at least that is known."""
    fields = [field.name for field in dataclasses.fields(Rules)]
    table = _read_table(problems, values, "rules", ["preset", *fields])
    base, base_known = Rules(), True
    try:
        base = game_rules.find_preset(str(table.get("preset", "standard"))).rules
    except RulesError as error:
        problems.add(("rules", "preset"), str(error))
        base_known = "seats" in table
    effective = {name: getattr(base, name) for name in fields}
    effective |= game_rules.coerce({key: value for key, value in table.items() if key in fields})
    found = game_rules.find_problems(effective)
    for key, text in found:
        problems.add(("rules", key), text)
    if not found:
        return Rules(**effective), effective["seats"] if base_known else None
    seats_known = base_known and all(key != "seats" for key, _ in found)
    return None, effective["seats"] if seats_known else None


def _read_entrants(problems: Problems, document: Document, find: FindStrategy) -> list[EntrantSpec]:
    items = document.values.get("entrants", [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        problems.add(
            ("entrants",), 'write [[entrants]] on a line of its own for each, and strategy = "..." below it'
        )
        return []
    base = document.source.parent if document.source else None
    entrants = [_read_entrant(problems, ("entrants", i), item, base, find) for i, item in enumerate(items)]
    if not items:
        problems.add((), 'no entrants; write [[entrants]] and strategy = "greedy" for each')
    if len(items) > MAX_ENTRANTS:
        problems.add(("entrants",), f"{len(items)} entrants; at most {MAX_ENTRANTS} can take part")
    first_with: dict[str, int] = {}
    for i, entrant in enumerate(entrants):
        if entrant.name in first_with and entrant.name != UNKNOWN:
            fix = "give one another name" if "name" in items[i] else 'give it a name of its own: name = "..."'
            problems.add(
                ("entrants", i), f"{entrant.name!r} is also entrants[{first_with[entrant.name]}]; {fix}"
            )
        first_with.setdefault(entrant.name, i)
    return entrants


def _read_entrant(
    problems: Problems, path: KeyPath, item: Mapping[str, Any], base: Path | None, find: FindStrategy
) -> EntrantSpec:
    problems.check_keys(path, item, ("name", "strategy", "params"))
    if "strategy" not in item:
        problems.add(path, 'no strategy; write strategy = "greedy" or the path of your file')
        return EntrantSpec(str(item.get("name", UNKNOWN)), "")
    spec = _read_text(problems, item, (*path, "strategy"))
    params = item.get("params", {})
    if not isinstance(params, dict):
        problems.add((*path, "params"), f"{params!r} is not a table such as {{ blunder = 0.1 }}")
        params = {}
    name = UNKNOWN
    if spec:
        try:
            info = find(spec, base)
            name = info.name
            _check_params(problems, path, info, params)
        except UsageError as error:
            problems.add((*path, "strategy"), str(error))
    if "name" in item:
        name = _read_text(problems, item, (*path, "name"))
    return EntrantSpec(name, spec, params)


def _check_params(problems: Problems, path: KeyPath, info: StrategyInfo, params: Mapping[str, Any]) -> None:
    for key, value in params.items():
        try:
            registry.check_params(info.cls, {key: value}, info.name)
        except UsageError as error:
            problems.add((*path, "params", key), str(error))
        if key in info.given:
            problems.add(
                (*path, "params", key), f"{key} is given in the strategy's name as well; write it once"
            )


def _read_choice(
    problems: Problems, table: Mapping[str, Any], path: KeyPath, choices: Sequence[str], default: str
) -> str:
    value = table.get(str(path[-1]), default)
    if value not in choices:
        hint = did_you_mean(str(value), choices)
        problems.add(path, f"{value!r} is not one of {', '.join(choices)}{hint}")
        return default
    return str(value)


def _read_design(
    problems: Problems, values: Mapping[str, Any], names: Sequence[str], seats: int | None
) -> DesignSpec:
    table = _read_table(
        problems, values, "design", ("kind", "unit", "blocks", "tables", "swap", "table", "newcomer")
    )
    kind = _read_choice(problems, table, ("design", "kind"), tuple(KINDS), "round_robin")
    unit = _read_choice(problems, table, ("design", "unit"), tuple(UNITS), "game")
    blocks = table.get("blocks", DEFAULT_BLOCKS)
    if type(blocks) is not int or not 1 <= blocks <= MAX_BLOCKS:
        problems.add(("design", "blocks"), f"{blocks!r} is not a whole number from 1 to 2**32 - 1")
    for key, owner in (
        ("tables", "fixed"),
        ("swap", "mirror"),
        ("table", "mirror"),
        ("newcomer", "gauntlet"),
    ):
        if key in table and kind != owner:
            problems.add(("design", key), f'only for kind = "{owner}"; this is a {kind}')
    tables = None
    if kind == "fixed":
        tables = _read_tables(problems, table, names, seats)
    elif kind != "round_robin" and names and seats is not None:
        tables = design_tables.list_tables(problems, table, kind, names, seats)
    elif seats is not None and 0 < len(names) < seats:
        problems.add(("entrants",), _explain_too_few(len(names), seats))
    return DesignSpec(kind, unit, blocks, tables)


def _explain_too_few(n_entrants: int, seats: int) -> str:
    """Say how to fill a table that has fewer entrants than seats."""
    are = "1 entrant" if n_entrants == 1 else f"{n_entrants} entrants"
    return (
        f"{are} for {seats} seats; add {seats - n_entrants} more (one strategy may enter under two names) "
        'or set design.kind = "fixed" with tables in which a name may repeat'
    )


def _read_tables(
    problems: Problems, design: Mapping[str, Any], names: Sequence[str], seats: int | None
) -> tuple[tuple[str, ...], ...]:
    path: KeyPath = ("design", "tables")
    tables = design.get("tables")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, list) for table in tables):
        problems.add(path, 'kind = "fixed" needs its tables, such as tables = [["a", "b", "b", "b"]]')
        return ()
    seen: dict[tuple[str, ...], int] = {}
    for i, table in enumerate(tables):
        if seats is not None and len(table) != seats:
            problems.add((*path, i), f"{len(table)} names for {seats} seats")
        for k, name in enumerate(table):
            _check_entrant_name(problems, (*path, i, k), name, names)
        members = tuple(sorted(map(str, table)))
        if members in seen:
            problems.add(
                (*path, i),
                f"the same entrants as design.tables[{seen[members]}]; a table is played in all orders",
            )
        seen.setdefault(members, i)
    seated = Counter(str(name) for table in tables for name in table)
    for i, name in enumerate(names):
        if name not in seated and UNKNOWN not in names:
            problems.add(("entrants", i), f"{name!r} sits at no table of design.tables")
    return tuple(tuple(map(str, table)) for table in tables)


def _check_entrant_name(problems: Problems, path: KeyPath, name: Any, names: Sequence[str]) -> None:
    """Note a name that no entrant has; an entrant whose strategy was not found may have any."""
    if name not in names and UNKNOWN not in names:
        hint = did_you_mean(str(name), names) or f"; entrants: {', '.join(names)}"
        problems.add(path, f"no entrant is named {name!r}{hint}")


def _read_report(problems: Problems, values: Mapping[str, Any], names: Sequence[str]) -> ReportSpec:
    table = _read_table(problems, values, "report", ("baseline",))
    baseline = table.get("baseline")
    if baseline is not None:
        _check_entrant_name(problems, ("report", "baseline"), baseline, names)
    return ReportSpec(baseline)
