"""Two strategies against each other, as an experiment whose blocks can be looked at one after another."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_sim.bots import registry
from hearts_sim.errors import UsageError
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment


def make_contest(
    a: str,
    b: str,
    rules: Rules,
    *,
    company: Sequence[str] = (),
    unit: str = "deal",
    blocks: int,
    seed: int,
) -> Experiment:
    """Return the experiment that tells two strategies apart: entrant 0 is ``a``, entrant 1 is ``b``.

    Without company the two share tables in every mixed arrangement, an orbit of rotations a block. With company each in
    turn takes the one free seat at the same table, on the same cards, in every seat.

    Parameters
    ----------
    a, b : str
        Strategies as everywhere: a name, a file, a class, with parameters.
    rules : Rules
        The rules.
    company : sequence of str
        Who has the other seats, one fewer than there are seats.
    unit : str
        ``deal`` or ``game``.
    blocks, seed : int
        The most blocks that may be played, and the root of their cards.

    Raises
    ------
    UsageError
        If the company has the wrong size or a strategy cannot be found.
    """
    if company and len(company) != rules.seats - 1:
        raise UsageError(
            f"--table names {len(company)} strategies; {rules.seats - 1} sit with the one that is compared "
            f"at a table of {rules.seats}"
        )
    specs = [a, b, *dict.fromkeys(company)]
    names = name_all(specs)
    entrants = tuple(EntrantSpec(name, spec) for name, spec in zip(names, specs, strict=True))
    if company:
        others = tuple(names[specs.index(spec, 2)] for spec in company)
        tables = tuple((name, *others) for name in names[:2])
    else:
        tables = mix(names[0], names[1], rules.seats)
    design = DesignSpec("mirror" if company else "duel", unit, blocks, tables)
    return Experiment("compare", f"{names[0]} against {names[1]}", seed, rules, entrants, design)


def mix(a: str, b: str, n_seats: int) -> tuple[tuple[str, ...], ...]:
    """Return the tables of two that share all seats, from one seat for ``a`` to one for ``b``."""
    return tuple((a,) * n + (b,) * (n_seats - n) for n in range(1, n_seats))


def name_all(specs: Sequence[str]) -> list[str]:
    """Return a name of its own for every strategy: ``greedy``, ``greedy:blunder=0.1``, ``greedy (2)``."""
    names: list[str] = []
    for spec in specs:
        name = registry.find(spec).full_name
        again = sum(other == name or other.startswith(f"{name} (") for other in names)
        names.append(f"{name} ({again + 1})" if again else name)
    return names
