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
            yield pl.read_parquet(store.part_path(self.folder, unit, "sums"))

    def read_deals(self) -> Iterator[pl.DataFrame]:
        """Yield the deals unit by unit; nothing if the run did not record them."""
        for unit in self.units:
            path = store.part_path(self.folder, unit, "deals")
            if path.is_file():
                yield pl.read_parquet(path)


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
        "win_share": Ratio("win60", "games", 1 / WIN_UNIT, bounded=True),
        "mean_place": Ratio("rank2", "games", 0.5),
        "last_share": Ratio("last60", "games", 1 / WIN_UNIT, bounded=True),
        "moon_rate": Ratio("moons", "deals", bounded=True),
        "moon_conceded_rate": Ratio("moons_conceded", "deals", bounded=True),
        "threat_rate": Ratio("threats", "deals", bounded=True),
        "queen_rate": Ratio("queens", "deals", bounded=True),
        "clean_rate": Ratio("clean", "deals", bounded=True),
    }


def measure_unit(sums: pl.DataFrame, n_entrants: int, n_seats: int) -> Moments:
    """Return the moments of one unit's block sums, with a column ``name:entrant`` for every sum of every entrant.

    The deals of a block are the same at all its tables, so sums over tables are taken first. Columns ``points_seat_s`` and
    ``deals_seat_s`` without an entrant are those of a seat, whoever sat there.
    """
    sums = sums.with_columns(margin=pl.col("others_points") - (n_seats - 1) * pl.col("points"))
    blocks = sums.get_column("block").unique().sort()
    names = [name for name in sums.columns if name not in ("block", "table", "entrant")]
    keys = pl.DataFrame({"block": blocks}).join(
        pl.DataFrame({"entrant": pl.Series(range(n_entrants), dtype=pl.UInt8)}), how="cross"
    )
    whole = keys.join(sums.group_by("block", "entrant").agg(pl.col(names).sum()), on=["block", "entrant"], how="left")
    values = whole.sort("entrant", "block").select(pl.col(names).fill_null(0)).to_numpy().astype(np.int64)
    cube = values.reshape(n_entrants, len(blocks), len(names))
    columns = [f"{name}:{entrant}" for entrant in range(n_entrants) for name in names]
    table = np.moveaxis(cube, 0, 1).reshape(len(blocks), -1)
    seats = [f"{what}_seat_{seat}" for seat in range(n_seats) for what in ("points", "deals")]
    of_seats = cube[:, :, [names.index(name) for name in seats]].sum(axis=0)
    return Moments.of_blocks([*columns, *seats], np.hstack([table, of_seats]))


def measure(parts: Iterable[pl.DataFrame], n_entrants: int, n_seats: int) -> Moments:
    """Return the moments of all parts together; memory does not grow with their number."""
    total: Moments | None = None
    for sums in parts:
        moments = measure_unit(sums, n_entrants, n_seats)
        total = moments if total is None else total + moments
    if total is None:
        raise ValueError("there are no finished units")
    return total


def summarize_entrants(moments: Moments, entrants: Sequence[dict[str, Any]], n_seats: int) -> list[dict[str, Any]]:
    """Return the entrants' counts and estimates, as documented for ``run --json``."""
    index = {name: i for i, name in enumerate(moments.columns)}
    ratios = list_ratios(n_seats)
    result = []
    for e, entrant in enumerate(entrants):
        own = [Ratio(f"{r.top}:{e}", f"{r.bottom}:{e}", r.scale, r.bounded) for r in ratios.values()]
        described = inference.describe_all(inference.estimate(moments, own), own)
        counts = {name: int(moments.sums[index[f"{name}:{e}"]]) for name in _COUNTS}
        facts = {key: entrant[key] for key in ("name", "strategy", "params")}
        result.append(facts | counts | dict(zip(ratios, described, strict=True)))
    return result


def summarize_pairs(moments: Moments, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return every pair: by how many points per deal ``a`` is ahead of ``b``, and how often it finishes ahead."""
    k = len(names)
    points = [Ratio(f"points:{e}", f"deals:{e}") for e in range(k)]
    estimates = inference.estimate(moments, points)
    pairs = []
    for a in range(k):
        for b in range(a + 1, k):
            weights = np.zeros(k)
            weights[[a, b]] = -1, 1
            ahead = [Ratio(f"ahead2_{b}:{a}", f"met_{b}:{a}", 0.5, bounded=True)]
            finishes = inference.describe_all(inference.estimate(moments, ahead), ahead)[0]
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


def summarize_directions(moments: Moments, names: Sequence[str], rules: Rules) -> list[dict[str, Any]]:
    """Return, per entrant, the effect of each pass direction on its points per deal, with a joint test."""
    directions = list(list_directions(rules).values())
    result = []
    for e, name in enumerate(names):
        ratios = [Ratio(f"points_pass_{d}:{e}", f"deals_pass_{d}:{e}") for d in directions]
        estimates = inference.estimate(moments, [*ratios, Ratio(f"points:{e}", f"deals:{e}")])
        contrasts = np.hstack([np.eye(len(directions)), -np.ones((len(directions), 1))])
        effects = {d: inference.describe_contrast(estimates, contrasts[i]) for i, d in enumerate(directions)}
        p_value = inference.find_joint_p_value(estimates, contrasts) if len(directions) > 1 else None
        result.append({"entrant": name, "effects": effects, "p_value": p_value})
    return result


def summarize_seats(moments: Moments, n_seats: int) -> dict[str, Any]:
    """Return points per deal of every seat, whoever sat there, and the test that seats do not differ."""
    ratios = [Ratio(f"points_seat_{seat}", f"deals_seat_{seat}") for seat in range(n_seats)]
    estimates = inference.estimate(moments, ratios)
    contrasts = np.hstack([-np.ones((n_seats - 1, 1)), np.eye(n_seats - 1)])
    return {
        "points_per_deal": inference.describe_all(estimates, ratios),
        "p_value": inference.find_joint_p_value(estimates, contrasts),
    }


def summarize(run: RunData) -> dict[str, Any]:
    """Return the documented summary of a run (docs/results.md): what ``run --json`` prints."""
    manifest, rules = run.manifest, run.rules
    moments = measure(run.read_sums(), len(run.names), rules.seats)
    entrants = summarize_entrants(moments, manifest["entrants"], rules.seats)
    pairs = summarize_pairs(moments, run.names)
    places = find_rank_intervals(entrants, pairs)
    for entrant in entrants:
        entrant["rank_interval"] = places[entrant["name"]]
        entrant["rating"] = None
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
        "capped_games": sum(entrant["capped"] for entrant in entrants) // rules.seats,
        "confidence": LEVEL,
        "blocks": moments.n_blocks,
        "games": manifest["games"],
        "deals": manifest["deals"],
        "wall_s": wall_s,
        "deals_per_s": round(manifest["deals"] / wall_s) if wall_s else None,
        "digest": manifest["digest"],
        "entrants": entrants,
        "pairs": pairs,
        "pass_directions": summarize_directions(moments, run.names, rules),
        "seats": summarize_seats(moments, rules.seats),
        "warnings": list_warnings(moments.n_blocks, entrants, manifest),
    }


def find_preset_name(rules: Rules) -> str | None:
    """Return the first preset that is exactly these rules, or None."""
    return next((name for name, preset in PRESETS.items() if preset.rules.hash() == rules.hash()), None)


def list_warnings(n_blocks: int, entrants: list[dict[str, Any]], manifest: dict[str, Any]) -> list[str]:
    """Return what a reader must know before believing the numbers."""
    warnings = []
    if n_blocks < inference.FEWEST_BLOCKS:
        warnings.append(f"{n_blocks} blocks are too few for intervals; play at least {inference.FEWEST_BLOCKS}")
    elif n_blocks < inference.FEW_BLOCKS:
        warnings.append(f"{n_blocks} blocks give rough intervals; {inference.FEW_BLOCKS} or more are better")
    if manifest["status"] != "complete":
        warnings.append(f"the run is {manifest['status']}: it holds what was finished")
    capped = sum(entrant["capped"] for entrant in entrants)
    if capped:
        warnings.append("some games did not end and were stopped at max_deals; they count as they stood")
    return warnings
