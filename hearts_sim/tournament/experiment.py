"""An experiment: rules, entrants and design. `experiment_file` reads one from TOML."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hearts_sim.game import rules as game_rules
from hearts_sim.game.rules import Rules

SCHEMA = 1
KINDS = {
    "round_robin": "everybody meets everybody: every choice of a table, of more than eight entrants a balanced choice",
    "duel": "two entrants share the table in every mixed arrangement; a block plays one orbit of rotations",
    "mirror": "two entrants take the same seat at the same table in turn, on the same cards",
    "gauntlet": "one newcomer meets every choice of a field",
    "selfplay": "one strategy under as many names as there are seats: all must come out equal",
    "fixed": "the tables are listed; a name may sit at a table more than once",
}
LISTED = ("fixed", "mirror", "gauntlet", "duel")
"""Designs with tables of their own, where entrants do not all meet the same company."""
UNITS = {
    "game": "a block is one game's cards, played to the target in every seating",
    "deal": "a block is a single deal, played in every seating; pass directions take turns",
}
DEFAULT_BLOCKS = 1000


@dataclass(frozen=True)
class EntrantSpec:
    """A strategy that takes part, under a name of its own.

    Attributes
    ----------
    name : str
        How results call it; by default the strategy's name.
    strategy : str
        What `hearts_sim.bots.registry.find` understands.
    params : mapping of str to float
        Parameters that differ from their defaults.
    """

    name: str
    strategy: str
    params: Mapping[str, float] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class DesignSpec:
    """Who meets whom, and how often.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    unit : str
        One of `UNITS`.
    blocks : int
        How many blocks; each is the same cards at every table in every seating.
    tables : tuple of tuple of str, optional
        The tables of a design of `LISTED`, by entrant name.
    """

    kind: str = "round_robin"
    unit: str = "game"
    blocks: int = DEFAULT_BLOCKS
    tables: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class ReportSpec:
    """What a report shows: the entrant that others are compared with, if any."""

    baseline: str | None = None


@dataclass(frozen=True)
class Experiment:
    """Everything a run's results are a function of.

    Attributes
    ----------
    name, title : str
        A short name for folders and a line for people.
    seed : int
        The root of all randomness, 0 to 2**64 - 1.
    rules : Rules
        The rules of every game.
    entrants : tuple of EntrantSpec
        Who takes part.
    design : DesignSpec
        Who meets whom.
    report : ReportSpec
        What a report shows; does not change any result.
    source : Path, optional
        The file it was read from; relative strategy files are looked for beside it.
    overrides : tuple of str
        The ``KEY=VALUE`` overrides that were applied.
    """

    name: str
    title: str
    seed: int
    rules: Rules
    entrants: tuple[EntrantSpec, ...]
    design: DesignSpec
    report: ReportSpec = ReportSpec()
    source: Path | None = None
    overrides: tuple[str, ...] = ()

    @property
    def base(self) -> Path | None:
        """The folder that relative strategy files are tried against first."""
        return self.source.parent if self.source else None

    def to_dict(self) -> dict[str, Any]:
        """Return the effective configuration as plain JSON types; `from_dict` reads it back."""
        design: dict[str, Any] = {
            "kind": self.design.kind,
            "unit": self.design.unit,
            "blocks": self.design.blocks,
        }
        if self.design.tables is not None:
            design["tables"] = [list(table) for table in self.design.tables]
        entrants = [{"name": e.name, "strategy": e.strategy, "params": dict(e.params)} for e in self.entrants]
        return {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "seed": self.seed,
            "rules": self.rules.as_dict(),
            "entrants": entrants,
            "design": design,
            "report": {"baseline": self.report.baseline},
            "source": self.source.as_posix() if self.source else None,
            "overrides": list(self.overrides),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Experiment:
        """Return the experiment that `to_dict` described, such as a manifest's; nothing is looked up."""
        design = dict(values["design"])
        if "tables" in design:
            design["tables"] = tuple(tuple(table) for table in design["tables"])
        return cls(
            name=values["name"],
            title=values["title"],
            seed=values["seed"],
            rules=Rules(**game_rules.coerce(values["rules"])),
            entrants=tuple(EntrantSpec(**entrant) for entrant in values["entrants"]),
            design=DesignSpec(**design),
            report=ReportSpec(**values["report"]),
            source=Path(values["source"]) if values["source"] else None,
            overrides=tuple(values["overrides"]),
        )

    def hash(self) -> str:
        """Return the SHA-256 of what the results are a function of, as canonical JSON."""
        keys = ("schema", "name", "seed", "rules", "entrants", "design")
        basis = {key: value for key, value in self.to_dict().items() if key in keys}
        text = json.dumps(basis, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()
