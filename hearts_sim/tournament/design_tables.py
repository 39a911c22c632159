"""The tables of the designs that an experiment file names by their idea: duel, mirror, gauntlet, self-play."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from hearts_sim.errors import did_you_mean
from hearts_sim.tournament.contest import mix
from hearts_sim.tournament.document import Problems
from hearts_sim.tournament.experiment import EntrantSpec

MOST_TABLES = 2**16 - 1
Tables = tuple[tuple[str, ...], ...]


def list_tables(
    problems: Problems, design: Mapping[str, Any], kind: str, names: Sequence[str], seats: int
) -> Tables | None:
    """Return the tables of a design by entrant name, noting what is wrong; None where the plan finds them itself."""
    if kind == "duel":
        return _list_duel(problems, names, seats)
    if kind == "mirror":
        return _list_mirror(problems, design, names, seats)
    if kind == "gauntlet":
        return _list_gauntlet(problems, design, names, seats)
    return None


def copy_entrant(problems: Problems, entrants: list[EntrantSpec], seats: int) -> list[EntrantSpec]:
    """Return the one entrant of a self-play under as many names as there are seats."""
    if len(entrants) != 1:
        if entrants:
            problems.add(
                ("entrants",),
                f"{len(entrants)} entrants; a selfplay seats one strategy against itself: name one only",
            )
        return entrants
    first = entrants[0]
    return [dataclasses.replace(first, name=f"{first.name} {number}") for number in range(1, seats + 1)]


def _list_duel(problems: Problems, names: Sequence[str], seats: int) -> Tables:
    if len(names) != 2:
        problems.add(
            ("entrants",),
            f'{len(names)} entrants; a duel is between two: name two, or set design.kind = "round_robin"',
        )
        return ()
    return mix(names[0], names[1], seats)


def _list_mirror(problems: Problems, design: Mapping[str, Any], names: Sequence[str], seats: int) -> Tables:
    swap = _read_names(problems, design, "swap", names, 2, "the two that take turns")
    company = _read_names(problems, design, "table", names, seats - 1, "who sits with them")
    if len(swap) != 2 or len(company) != seats - 1:
        return ()
    if swap[0] == swap[1]:
        problems.add(("design", "swap"), f"{swap[0]!r} cannot take turns with itself; name two entrants")
    for i, name in enumerate(names):
        if name not in swap and name not in company:
            problems.add(("entrants", i), f"{name!r} is neither in design.swap nor in design.table")
    return tuple((name, *company) for name in swap)


def _list_gauntlet(problems: Problems, design: Mapping[str, Any], names: Sequence[str], seats: int) -> Tables:
    newcomer = design.get("newcomer")
    if newcomer not in names:
        hint = did_you_mean(str(newcomer), names) or f"; entrants: {', '.join(names)}"
        told = "is missing" if newcomer is None else f"no entrant is named {newcomer!r}"
        problems.add(("design", "newcomer"), f"{told}; name the entrant that meets all others{hint}")
        return ()
    field = [name for name in names if name != newcomer]
    if len(field) < seats - 1:
        problems.add(
            ("entrants",),
            f"{len(field)} others for the {seats - 1} seats beside {newcomer!r}; add {seats - 1 - len(field)} more "
            "(one strategy may enter under two names)",
        )
        return ()
    if math.comb(len(field), seats - 1) > MOST_TABLES:
        problems.add(
            ("entrants",), f"a field of {len(field)} has more than {MOST_TABLES:,} tables; name fewer"
        )
        return ()
    return tuple((str(newcomer), *others) for others in itertools.combinations(field, seats - 1))


def _read_names(
    problems: Problems, design: Mapping[str, Any], key: str, names: Sequence[str], count: int, what: str
) -> list[str]:
    """Return a list of entrants' names, or as much of it as is right."""
    value = design.get(key)
    if not isinstance(value, list) or len(value) != count:
        example = ", ".join(f'"{name}"' for name in [*names, *names][:count])
        problems.add(("design", key), f"a mirror needs {count} names, {what}, such as {key} = [{example}]")
        return []
    for i, name in enumerate(value):
        if name not in names:
            hint = did_you_mean(str(name), names) or f"; entrants: {', '.join(names)}"
            problems.add(("design", key, i), f"no entrant is named {name!r}{hint}")
    return [str(name) for name in value]
