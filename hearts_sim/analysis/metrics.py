"""What a run says about its entrants: the metrics, from block sums to the documented summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hearts_sim.analysis import inference
from hearts_sim.analysis.inference import LEVEL, Moments, Ratio
from hearts_sim.errors import DamagedRun
from hearts_sim.game.rules import PRESETS, Rules, coerce
from hearts_sim.tournament import store
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
        """The finished units."""
        return [unit["unit"] for unit in self.manifest["units"]]

    def read_sums(self) -> Iterator[pl.DataFrame]:
        """Yield the block sums unit by unit."""
        for unit in self.units:
            yield self.read_part(unit, "sums")

    def read_part(self, unit: int, kind: str) -> pl.DataFrame:
        """Return one part of one unit: ``sums``, ``deals`` or ``cards``.

        Raises
        ------
        DamagedRun
            If the part is missing or cannot be read.
        """
        path = store.part_path(self.folder, unit, kind)
        try:
            return pl.read_parquet(path)
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
        "mean_place": Ratio("rank2", "games", 0.5),
        "last_share": Ratio("last60", "games", 1 / WIN_UNIT, bounded=True, repeats="games"),
        "moon_rate": Ratio("moons", "deals", bounded=True, repeats="games"),
        "moon_conceded_rate": Ratio("moons_conceded", "deals", bounded=True, repeats="games"),
        "threat_rate": Ratio("threats", "deals", bounded=True, repeats="games"),
        "queen_rate": Ratio("queens", "deals", bounded=True, repeats="games"),
        "clean_rate": Ratio("clean", "deals", bounded=True, repeats="games"),
    }


@dataclass(frozen=True)
class RunMoments:
    """The moments of a run's block sums.

    Attributes
    ----------
    entrants : list of Moments
        One per entrant, of all its columns.
    joint : Moments
        ``points:e`` and ``deals:e`` of every entrant, for differences, and ``points_seat_s`` and ``deals_seat_s`` of every seat,
        whoever sat there.
    """

    entrants: list[Moments]
    joint: Moments

    @property
    def n_blocks(self) -> int:
        """How many blocks."""
        return self.joint.n_blocks

    def __add__(self, other: RunMoments) -> RunMoments:
        """Return the moments of both sets of blocks together."""
        entrants = [own + its for own, its in zip(self.entrants, other.entrants, strict=True)]
        return RunMoments(entrants, self.joint + other.joint)

    def count(self, entrant: int, column: str) -> int:
        """Return an entrant's total of a column."""
        own = self.entrants[entrant]
        return int(own.sums[own.columns.index(column)])


def measure_unit(sums: pl.DataFrame, n_entrants: int, n_seats: int) -> RunMoments:
    """Return the moments of one unit's block sums.

    The deals of a block are the same at all its tables, so sums over tables are taken first.
    """
    sums = sums.with_columns(margin=pl.col("others_points") - (n_seats - 1) * pl.col("points"))
    blocks = sums.get_column("block").unique().sort()
    seats = [f"{what}_seat_{seat}" for seat in range(n_seats) for what in ("points", "deals")]
    unused = {
        "block",
        "table",
        "entrant",
        "others_points",
        *seats,
        *(f"margin_{e}" for e in range(n_entrants)),
    }
    names = [name for name in sums.columns if name not in unused]
    keys = pl.DataFrame({"block": blocks}).join(
        pl.DataFrame({"entrant": pl.Series(range(n_entrants), dtype=pl.UInt8)}), how="cross"
    )
    whole = keys.join(
        sums.group_by("block", "entrant").agg(pl.col(names).sum()), on=["block", "entrant"], how="left"
    )
    values = whole.sort("entrant", "block").select(pl.col(names).fill_null(0).cast(pl.Int64)).to_numpy()
    cube = values.reshape(n_entrants, len(blocks), len(names))
    of_seats = (
        sums.group_by("block").agg(pl.col(seats).cast(pl.Int64).sum()).sort("block").select(seats).to_numpy()
    )
    shared = [f"{what}:{entrant}" for what in ("points", "deals") for entrant in range(n_entrants)]
    of_all = [cube[:, :, names.index(what)].T for what in ("points", "deals")]
    return RunMoments(
        [Moments.of_blocks(names, own) for own in cube],
        Moments.of_blocks([*shared, *seats], np.hstack([*of_all, of_seats])),
    )


def measure(parts: Iterable[pl.DataFrame], n_entrants: int, n_seats: int) -> RunMoments:
    """Return the moments of all parts together; memory does not grow with their number."""
    return add_moments(measure_unit(sums, n_entrants, n_seats) for sums in parts)


def add_moments(parts: Iterable[RunMoments]) -> RunMoments:
    """Return the sum of at least one part's moments.

    Raises
    ------
    ValueError
        If there is none.
    """
    total: RunMoments | None = None
    for moments in parts:
        total = moments if total is None else total + moments
    if total is None:
        raise ValueError("there are no finished units")
    return total


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


def summarize_pairs(moments: RunMoments, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return every pair: by how many points per deal ``a`` is ahead of ``b``, and how often it finishes ahead."""
    k = len(names)
    estimates = inference.estimate(moments.joint, [Ratio(f"points:{e}", f"deals:{e}") for e in range(k)])
    pairs: list[dict[str, Any]] = []
    for a in range(k):
        for b in range(a + 1, k):
            weights = np.zeros(k)
            weights[[a, b]] = -1, 1
            ahead = [Ratio(f"ahead2_{b}", f"met_{b}", 0.5, bounded=True, repeats=f"met_{b}")]
            finishes = inference.describe_all(inference.estimate(moments.entrants[a], ahead), ahead)[0]
            margin = inference.describe_contrast(estimates, weights)
            pairs.append({"a": names[a], "b": names[b], "margin": margin, "finishes_ahead": finishes})
    p_values = [inference.find_p_value(pair["margin"], moments.n_blocks) for pair in pairs]
    for pair, p in zip(pairs, inference.adjust_holm(p_values), strict=True):
        if pair["margin"] is not None:
            pair["margin"]["p_adjusted"] = p
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
        p_value = inference.find_joint_p_value(estimates, contrasts) if len(directions) > 1 else None
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
    moments: RunMoments, entrants: Sequence[dict[str, Any]], rules: Rules
) -> dict[str, Any]:
    """Return what moments say: ``entrants``, ``pairs``, ``pass_directions`` and ``seats`` of the summary.

    Parameters
    ----------
    moments : RunMoments
        Of whole blocks.
    entrants : sequence of dict
        ``name``, ``strategy`` and ``params`` of each.
    rules : Rules
        The rules that were played.
    """
    names = [entrant["name"] for entrant in entrants]
    described = summarize_entrants(moments, entrants, rules.seats)
    pairs = summarize_pairs(moments, names)
    places = find_rank_intervals(described, pairs)
    for entrant in described:
        entrant["rank_interval"] = places[entrant["name"]]
        entrant["rating"] = None
    return {
        "entrants": described,
        "pairs": pairs,
        "pass_directions": summarize_directions(moments, names, rules),
        "seats": summarize_seats(moments, rules.seats),
    }


def summarize(run: RunData, moments: RunMoments | None = None) -> dict[str, Any]:
    """Return the documented summary of a run (docs/results.md): what ``run --json`` prints.

    ``moments`` are the run's own, if somebody has measured them already.
    """
    manifest, rules = run.manifest, run.rules
    if moments is None:
        moments = measure(run.read_sums(), len(run.names), rules.seats)
    found = summarize_moments(moments, manifest["entrants"], rules)
    wall_s = manifest.get("wall_s") or 0
    return {
        "schema": 1,
        "command": "run",
        "run": str(run.folder),
        "name": manifest["name"],
        "title": manifest["title"],
        "seed": manifest["seed"],
        "rules": {"preset": find_preset_name(rules), "hash": manifest["rules"]["hash"]},
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
