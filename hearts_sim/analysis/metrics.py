"""What a run says about its entrants: the metrics, from block sums to the documented summary."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hearts_sim.analysis import inference, tables
from hearts_sim.analysis.inference import LEVEL, Ratio
from hearts_sim.analysis.moments import RunMoments, Tables, measure
from hearts_sim.errors import DamagedRun
from hearts_sim.game.rules import PRESETS, Rules, coerce
from hearts_sim.tournament import store
from hearts_sim.tournament.experiment import LISTED
from hearts_sim.tournament.sums import WIN_UNIT, list_directions

_COUNTS = ("games", "wins", "draws", "losses", "deals", "moons", "capped")


@dataclass(frozen=True)
class RunData:
    """A run folder opened for reading."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def names(self) -> list[str]:
        """The entrants' names in order."""
        return [entrant["name"] for entrant in self.manifest["entrants"]]

    @property
    def rules(self) -> Rules:
        """The rules the run was played by."""
        return Rules(**coerce(self.manifest["rules"]["fields"]))

    @property
    def units(self) -> list[int]:
        """The finished units; none in a run that was killed before it could list them."""
        return [unit["unit"] for unit in self.manifest.get("units", [])]

    @property
    def listed_tables(self) -> Tables:
        """The tables of a design that has its own, by entrant index; none where everybody meets everybody."""
        is_listed = self.manifest["experiment"]["design"]["kind"] in LISTED
        return self.manifest["design"]["tables"] if is_listed else ()

    def read_sums(self) -> Iterator[pl.DataFrame]:
        """Yield the block sums unit by unit."""
        for unit in self.units:
            yield self.read_part(unit, "sums")

    def read_part(self, unit: int, kind: str, columns: list[str] | None = None) -> pl.DataFrame:
        """Return one part of one unit, ``sums``, ``deals`` or ``cards``, or some of its columns.

        Raises
        ------
        DamagedRun
            If the part is missing or cannot be read.
        """
        path = store.part_path(self.folder, unit, kind)
        try:
            return pl.read_parquet(path, columns=columns)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise DamagedRun(
                f"{path} cannot be read: {error}; play the missing unit again with: hearts-sim run FILE --resume"
            ) from error


def read_run(folder: Path) -> RunData:
    """Open a run folder.

    Raises
    ------
    UsageError, DamagedRun
        If it is none, or its manifest cannot be read.
    """
    return RunData(folder, store.read_manifest(folder))


def list_ratios(n_seats: int) -> dict[str, Ratio]:
    """Return the metrics of one entrant by name, in columns of the block sums."""
    return {
        "points_per_deal": Ratio("points", "deals"),
        "margin_per_deal": Ratio("margin", "deals", 1 / (n_seats - 1)),
        "win_share": Ratio("win60", "games", 1 / WIN_UNIT, bounded=True, repeats="games"),
        "outright_win_share": Ratio("wins", "games", bounded=True, repeats="games"),
        "mean_place": Ratio("rank2", "games", 0.5),
        "last_share": Ratio("last60", "games", 1 / WIN_UNIT, bounded=True, repeats="games"),
        "moon_rate": Ratio("moons", "deals", bounded=True, repeats="games"),
        "moon_conceded_rate": Ratio("moons_conceded", "deals", bounded=True, repeats="games"),
        "threat_rate": Ratio("threats", "deals", bounded=True, repeats="games"),
        "threat_conversion": Ratio("moons", "threats", bounded=True, repeats="games"),
        "queen_rate": Ratio("queens", "deals", bounded=True, repeats="games"),
        "clean_rate": Ratio("clean", "deals", bounded=True, repeats="games"),
    }


def summarize_entrants(
    moments: RunMoments, entrants: Sequence[dict[str, Any]], n_seats: int
) -> list[dict[str, Any]]:
    """Return the entrants' counts and estimates, as documented for ``run --json``."""
    ratios = list_ratios(n_seats)
    result = []
    for e, entrant in enumerate(entrants):
        estimates = inference.estimate(moments.entrants[e], list(ratios.values()))
        described = inference.describe_all(estimates, list(ratios.values()))
        facts = {key: entrant[key] for key in ("name", "strategy", "params")}
        counts = {name: moments.count(e, name) for name in _COUNTS}
        result.append(facts | counts | dict(zip(ratios, described, strict=True)))
    return result


def summarize_pairs(moments: RunMoments, names: Sequence[str], listed: Tables = ()) -> list[dict[str, Any]]:
    """Return every pair: by how many points per deal ``a`` is ahead of ``b``, and how often it finishes ahead.

    Where everybody meets everybody, the difference is that of their points over all tables. At ``listed`` tables it is over
    those where both sit, and missing if there is none: other company gives other points.
    """
    k = len(names)
    estimates = inference.estimate(moments.joint, [Ratio(f"points:{e}", f"deals:{e}") for e in range(k)])
    pairs: list[dict[str, Any]] = []
    for a, b in itertools.combinations(range(k), 2):
        ahead = [Ratio(f"ahead2_{b}", f"met_{b}", 0.5, bounded=True, repeats=f"met_{b}")]
        finishes = inference.describe_all(inference.estimate(moments.entrants[a], ahead), ahead)[0]
        if moments.cells is not None:
            margin = tables.measure_margin(moments.cells, listed, a, b)
        else:
            weights = np.zeros(k)
            weights[[a, b]] = -1, 1
            margin = inference.describe_contrast(estimates, weights)
        pairs.append({"a": names[a], "b": names[b], "margin": margin, "finishes_ahead": finishes})
    inference.adjust_differences([pair["margin"] for pair in pairs], moments.n_blocks)
    return pairs


def find_rank_intervals(entrants: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Return the places each entrant may hold: only differences with an adjusted p below 0.05 count."""
    better = {entrant["name"]: 0 for entrant in entrants}
    worse = dict(better)
    for pair in pairs:
        margin = pair["margin"]
        if margin is None or margin["p_adjusted"] is None or margin["p_adjusted"] >= 1 - LEVEL:
            continue
        winner, loser = (pair["a"], pair["b"]) if margin["estimate"] > 0 else (pair["b"], pair["a"])
        worse[winner] += 1
        better[loser] += 1
    return {name: [1 + better[name], len(entrants) - worse[name]] for name in better}


def summarize_directions(moments: RunMoments, names: Sequence[str], rules: Rules) -> list[dict[str, Any]]:
    """Return, per entrant, the effect of each pass direction on its points per deal, with a joint test."""
    directions = list(list_directions(rules).values())
    ratios = [Ratio(f"points_pass_{d}", f"deals_pass_{d}") for d in directions]
    contrasts = np.hstack([np.eye(len(directions)), -np.ones((len(directions), 1))])
    result = []
    for e, name in enumerate(names):
        estimates = inference.estimate(moments.entrants[e], [*ratios, Ratio("points", "deals")])
        effects = {d: inference.describe_contrast(estimates, contrasts[i]) for i, d in enumerate(directions)}
        # Effects average out over the deals, so the last follows from the others: tested with them it would count as a further one.
        p_value = inference.find_joint_p_value(estimates, contrasts[:-1]) if len(directions) > 1 else None
        result.append({"entrant": name, "effects": effects, "p_value": p_value})
    return result


def summarize_seats(moments: RunMoments, n_seats: int) -> dict[str, Any]:
    """Return points per deal of every seat, whoever sat there, and the test that seats do not differ."""
    ratios = [Ratio(f"points_seat_{seat}", f"deals_seat_{seat}") for seat in range(n_seats)]
    estimates = inference.estimate(moments.joint, ratios)
    contrasts = np.hstack([-np.ones((n_seats - 1, 1)), np.eye(n_seats - 1)])
    return {
        "points_per_deal": inference.describe_all(estimates, ratios),
        "p_value": inference.find_joint_p_value(estimates, contrasts),
    }


def summarize_moments(
    moments: RunMoments,
    entrants: Sequence[dict[str, Any]],
    rules: Rules,
    listed: Tables = (),
    baseline: str | None = None,
) -> dict[str, Any]:
    """Return what moments say: ``entrants``, ``pairs``, ``pass_directions``, ``seats``, ``focus``, ``tables``, ``steps``.

    Parameters
    ----------
    moments : RunMoments
        Of whole blocks.
    entrants : sequence of dict
        ``name``, ``strategy`` and ``params`` of each.
    rules : Rules
        The rules that were played.
    listed : sequence of sequence of int
        The tables of a ``fixed`` design.
    baseline : str, optional
        The entrant that others are compared with.
    """
    names = [entrant["name"] for entrant in entrants]
    described = summarize_entrants(moments, entrants, rules.seats)
    pairs = summarize_pairs(moments, names, listed)
    places = find_rank_intervals(described, pairs)
    for entrant in described:
        entrant["rank_interval"] = places[entrant["name"]]
        entrant["rating"] = None
    focus = tables.find_focus(names, listed, baseline)
    cells = moments.cells
    return {
        "entrants": described,
        "pairs": pairs,
        "pass_directions": summarize_directions(moments, names, rules),
        "seats": summarize_seats(moments, rules.seats),
        "focus": focus,
        "tables": tables.summarize_tables(cells, names, listed) if cells else [],
        "steps": tables.summarize_steps(cells, names, listed, focus) if cells else [],
    }


def summarize(run: RunData, moments: RunMoments | None = None) -> dict[str, Any]:
    """Return the documented summary of a run (docs/results.md): what ``run --json`` prints.

    ``moments`` are the run's own, if somebody has measured them already.
    """
    manifest, rules = run.manifest, run.rules
    if moments is None:
        moments = measure(run.read_sums(), len(run.names), rules.seats, run.listed_tables)
    baseline = manifest["experiment"]["report"]["baseline"]
    found = summarize_moments(moments, manifest["entrants"], rules, run.listed_tables, baseline)
    wall_s = manifest.get("wall_s") or 0
    return {
        "schema": 1,
        "command": "run",
        "run": str(run.folder),
        "name": manifest["name"],
        "title": manifest["title"],
        "seed": manifest["seed"],
        "rules": {"preset": find_preset_name(rules), "hash": manifest["rules"]["hash"]},
        "design": {
            "kind": manifest["experiment"]["design"]["kind"],
            "unit": manifest["experiment"]["design"]["unit"],
            "seats": rules.seats,
            "tables": len(manifest["design"]["tables"]),
        },
        "baseline": baseline,
        "status": manifest["status"],
        "capped_games": sum(entrant["capped"] for entrant in found["entrants"]) // rules.seats,
        "confidence": LEVEL,
        "blocks": moments.n_blocks,
        "games": manifest["games"],
        "deals": manifest["deals"],
        "wall_s": wall_s,
        "deals_per_s": round(manifest["deals"] / wall_s) if wall_s else None,
        "digest": manifest["digest"],
        **found,
        "warnings": list_warnings(moments.n_blocks, found["entrants"], manifest),
    }


def find_preset_name(rules: Rules) -> str | None:
    """Return the first preset that is exactly these rules, or None."""
    return next((name for name, preset in PRESETS.items() if preset.rules.hash() == rules.hash()), None)


def list_warnings(n_blocks: int, entrants: list[dict[str, Any]], manifest: dict[str, Any]) -> list[str]:
    """Return what a reader must know before believing the numbers."""
    warnings = []
    if n_blocks < inference.FEWEST_BLOCKS:
        warnings.append(
            f"{n_blocks} blocks are too few for intervals; play at least {inference.FEWEST_BLOCKS}"
        )
    elif n_blocks < inference.FEW_BLOCKS:
        warnings.append(f"{n_blocks} blocks give rough intervals; {inference.FEW_BLOCKS} or more are better")
    if manifest["status"] != "complete":
        warnings.append(f"the run is {manifest['status']}: it holds what was finished")
    capped = sum(entrant["capped"] for entrant in entrants)
    if capped:
        warnings.append("some games did not end and were stopped at max_deals; they count as they stood")
    return warnings
