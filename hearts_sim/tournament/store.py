"""The run folder: a manifest and one pair of Parquet parts per unit, each written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt
import polars as pl

from hearts_sim.errors import DamagedRun, UsageError

SCHEMA = 1
MANIFEST = "manifest.json"
UNITS = "units"
RECORDS = ("none", "deals", "cards")


@dataclass(frozen=True)
class UnitEntry:
    """One finished unit as the manifest lists it; ``rows_sha256`` is over its deals as they left the loop."""

    unit: int
    first_block: int
    last_block: int
    games: int
    deals: int
    rows_sha256: str


def frame_deals(rows: npt.NDArray[Any], n_seats: int) -> pl.DataFrame:
    """Return DEAL_ROW rows, shape (n_deals,), as the stored ``deals`` columns (docs/design.md)."""
    columns: dict[str, Any] = {
        "block": rows["game"].astype("u4"),
        "table": rows["table"],
        "seating": rows["seating"],
        "deal": rows["deal"],
        "pass_offset": rows["pass_offset"],
    }
    for stored, field in (("entrant", "entrants"), ("points", "points"), ("score", "scores")):
        columns |= {f"{stored}_{seat}": rows[field][:, seat] for seat in range(n_seats)}
    for name in ("opener", "moon", "sun", "threat", "queen_taker", "queen_from", "queen_to"):
        columns[name] = rows[name]
    for name in ("queen_trick", "broken_trick", "bonus_taker", "ended"):
        columns[name] = rows[name]
    return pl.DataFrame({name: values.copy() for name, values in columns.items()})


def frame_cards(rows: npt.NDArray[Any], cards: npt.NDArray[Any], n_seats: int, n_plays: int) -> pl.DataFrame:
    """Return the cards of the deals in ``rows``: sets as u64 masks by seat, plays as cards 0..51 in order."""
    columns: dict[str, Any] = {"block": rows["game"].astype("u4")}
    columns |= {name: rows[name].copy() for name in ("table", "seating", "deal")}
    for name in ("dealt", "passed"):
        columns |= {f"{name}_{seat}": cards[name][:, seat].copy() for seat in range(n_seats)}
    plays = pl.Series("plays", cards["plays"][:, :n_plays].copy(), dtype=pl.Array(pl.UInt8, n_plays))
    return pl.DataFrame(columns).with_columns(plays)


def hash_rows(rows: npt.NDArray[Any]) -> str:
    """Return the SHA-256 of rows as they left the loop: what a digest is made of, whatever the file format."""
    return hashlib.sha256(rows.tobytes()).hexdigest()


def combine_hashes(entries: list[UnitEntry]) -> str:
    """Return the digest of a run: the SHA-256 over its units' hashes in order."""
    digest = hashlib.sha256()
    for entry in sorted(entries, key=lambda e: e.unit):
        digest.update(bytes.fromhex(entry.rows_sha256))
    return digest.hexdigest()


def part_path(folder: Path, unit: int, kind: str) -> Path:
    """Return where a unit's part lies; ``kind`` is sums, deals or cards."""
    return folder / UNITS / f"{unit:05d}.{kind}.parquet"


def holds_units(folder: Path) -> bool:
    """Return whether a folder holds anything worth keeping: finished units, or files that are no run at all."""
    return not (folder / MANIFEST).is_file() or any((folder / UNITS).glob("*.sums.parquet"))


def write_part(path: Path, frame: pl.DataFrame, metadata: Mapping[str, str]) -> None:
    """Write a Parquet part under a temporary name, flush it to disk, then give it its name."""
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("wb") as file:
        frame.write_parquet(
            file, compression="zstd", compression_level=1, statistics=False, metadata=dict(metadata)
        )
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON file whole or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(value, file, indent=2, ensure_ascii=False, allow_nan=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return a run folder's manifest.

    Raises
    ------
    UsageError
        If the folder is no run folder.
    DamagedRun
        If the manifest cannot be read or is of another schema.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise UsageError(f"{folder} is not a run folder: it has no {MANIFEST}; see: hearts-sim list runs")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedRun(f"{path} cannot be read: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise DamagedRun(
            f"{path} has another schema than {SCHEMA}; it was written by another version of hearts-sim"
        )
    return manifest


def read_unit_entry(folder: Path, unit: int, kinds: tuple[str, ...], plan_hash: str) -> UnitEntry | None:
    """Return a stored unit if all its parts are whole and of this plan, else None."""
    try:
        facts: dict[str, str] = {}
        for kind in kinds:
            path = part_path(folder, unit, kind)
            facts = pl.read_parquet_metadata(path)
            height = pl.scan_parquet(path).select(pl.len()).collect().item()
            if facts.get("plan") != plan_hash or int(facts["rows"]) != height:
                return None
        return UnitEntry(
            **{k: int(facts[k]) for k in ("unit", "first_block", "last_block", "games", "deals")},
            rows_sha256=facts["rows_sha256"],
        )
    except (OSError, KeyError, ValueError, pl.exceptions.PolarsError):
        return None
