"""Named, versioned suites: the same deals and the same field for everyone, so that two ratings can be compared.

A suite never changes under its name. A better one gets a new name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from hearts_sim.bots import registry
from hearts_sim.errors import UsageError, did_you_mean
from hearts_sim.game.rules import PRESETS
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment


@dataclass(frozen=True)
class Suite:
    """What a bot is rated by.

    Attributes
    ----------
    name : str
        Its name with its version.
    seed : int
        The root of its deals.
    preset : str
        Its rules.
    blocks : int
        Single deals; each is played with the bot in every seat.
    company : str
        Who sits in all other seats, and scores 0 by definition.
    field : tuple of str
        Who is measured the same way on the same deals, from the weakest to the strongest.
    """

    name: str
    seed: int
    preset: str
    blocks: int
    company: str
    field: tuple[str, ...]


SUITES = {
    "standard-1": Suite(
        name="standard-1",
        seed=20261204,
        preset="standard",
        blocks=10_000,
        company="greedy",
        field=("random", "low", "cpu-easy", "ducker", "cpu-medium", "greedy", "cpu-hard"),
    )
}
LATEST = "standard-1"


def find_suite(name: str) -> Suite:
    """Return a suite by name.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    if name not in SUITES:
        raise UsageError(
            f"there is no suite {name!r}{did_you_mean(name, SUITES)}; suites: {', '.join(SUITES)}"
        )
    return SUITES[name]


def make_experiment(suite: Suite, spec: str, params: Mapping[str, float] | None = None) -> Experiment:
    """Return the suite as an experiment: first the table of the bot, then one for each of the field.

    At every table the one that is measured is member 0, and the company has all other seats.
    """
    rules = PRESETS[suite.preset].rules
    name = registry.find(spec).full_name
    while name in suite.field:
        name += " (rated)"
    entrants = (EntrantSpec(name, spec, params or {}), *(EntrantSpec(other, other) for other in suite.field))
    others = (suite.company,) * (rules.seats - 1)
    tables = tuple((entrant.name, *others) for entrant in entrants)
    design = DesignSpec("fixed", "deal", suite.blocks, tables)
    return Experiment(suite.name, f"{name} by {suite.name}", suite.seed, rules, entrants, design)


def hash_sums(parts: Sequence[pl.DataFrame]) -> str:
    """Return the SHA-256 of block sums: what a rating's digest is."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.write_csv().encode())
    return digest.hexdigest()


def describe(suite: Suite) -> dict[str, Any]:
    """Return the suite as plain JSON types."""
    rules = PRESETS[suite.preset].rules
    return {
        "name": suite.name,
        "seed": suite.seed,
        "rules": {"preset": suite.preset, "hash": rules.hash()},
        "deals": suite.blocks,
        "games": suite.blocks * rules.seats,
        "company": suite.company,
        "field": list(suite.field),
    }
