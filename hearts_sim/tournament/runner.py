"""Plays an experiment: units go to threads, finished units become parts, the manifest says how far it got."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np
import polars as pl

import hearts_sim
from hearts_sim.bots.play import PlayFault, PlayStopped, Session
from hearts_sim.bots.player import Player, load_player
from hearts_sim.errors import HeartsSimError, StrategyFault, UsageError
from hearts_sim.tournament import store
from hearts_sim.tournament.design import Plan, make_plan
from hearts_sim.tournament.experiment import Experiment
from hearts_sim.tournament.store import UnitEntry
from hearts_sim.tournament.sums import sum_blocks

STATUSES = ("running", "complete", "stopped", "failed")


class Interrupted(HeartsSimError):
    """The user stopped a run; what was finished is kept."""

    exit_code = 130


@dataclass(frozen=True)
class Progress:
    """How far a run is, told after each unit; ``sums`` are that unit's block sums."""

    units_done: int
    units_total: int
    blocks_done: int
    games: int
    deals: int
    elapsed_s: float
    sums: pl.DataFrame


@dataclass
class Run:
    """A finished or stopped run: its folder, manifest and times."""

    folder: Path
    manifest: dict[str, Any]
    wall_s: float


@dataclass
class _Work:
    """What every worker of one run shares."""

    experiment: Experiment
    plan: Plan
    players: list[Player]
    folder: Path
    record: str
    plan_hash: str
    stop: threading.Event = field(default_factory=threading.Event)
    local: threading.local = field(default_factory=threading.local)


def load_players(experiment: Experiment) -> list[Player]:
    """Find and compile the strategies of all entrants; seconds on a new machine, milliseconds after."""
    base = experiment.source.parent if experiment.source else None
    return [load_player(entrant.strategy, base, entrant.params) for entrant in experiment.entrants]


def warm_up(experiment: Experiment, players: list[Player]) -> None:
    """Compile or load the loop and the counting of block sums, playing nothing."""
    rules = experiment.rules
    rows = Session(rules, 0, players).play(make_plan(experiment).jobs(0, 0)[:0])
    sum_blocks(store.frame_deals(rows, rules.seats), rules.seats, len(players), rules)


def run_experiment(
    experiment: Experiment,
    folder: Path,
    *,
    jobs: int = 1,
    record: str = "deals",
    force: bool = False,
    resume: bool = False,
    players: list[Player] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    command_line: str = "",
) -> Run:
    """Play an experiment into a run folder.

    Parameters
    ----------
    experiment : Experiment
        What to play; its seed must be set.
    folder : Path
        The run folder; it must not exist unless ``force`` (it is emptied) or ``resume`` (it is continued).
    jobs : int
        Threads. The results do not depend on it.
    record : str
        ``none`` keeps block sums only, ``deals`` a row per deal as well, ``cards`` also every card.
    players : list of Player, optional
        The entrants' strategies when they are loaded already.
    on_progress : callable, optional
        Called in this thread after each finished unit.
    command_line : str
        Stored in the manifest.

    Raises
    ------
    UsageError
        If the folder exists, or cannot be continued.
    StrategyFault
        If a strategy breaks the contract; finished units are kept.
    Interrupted
        On Ctrl-C; finished units are kept.
    """
    started = time.perf_counter()
    plan = make_plan(experiment)
    players = players or load_players(experiment)
    manifest = _make_manifest(experiment, plan, players, record, command_line)
    work = _Work(experiment, plan, players, folder, record, manifest["plan_sha256"])
    done = _prepare_folder(work, manifest, force, resume)
    store.write_json(folder / store.MANIFEST, manifest)
    status = "failed"
    error: HeartsSimError | None = None
    playing = _play_units(work, set(range(len(plan.units))) - set(done), jobs)
    try:
        for entry, sums in playing:
            done[entry.unit] = entry
            if on_progress is not None:
                on_progress(_measure_progress(done, plan, started, sums))
        status = "complete"
    except KeyboardInterrupt:
        status = "stopped"
        work.stop.set()
        playing.close()
        done |= _find_whole_units(work)  # what the threads still finished counts too
        error = Interrupted(f"stopped; {len(done)} of {len(plan.units)} units are kept in {folder}")
    except StrategyFault as fault:
        error = _add_replay_line(fault, folder)
    finally:
        work.stop.set()
        _finish_manifest(manifest, folder, list(done.values()), status, time.perf_counter() - started)
    if error is not None:
        raise error
    return Run(folder, manifest, time.perf_counter() - started)


def _find_whole_units(work: _Work) -> dict[int, UnitEntry]:
    """Return the units of this plan whose parts are whole in the run folder."""
    found = {}
    for unit in range(len(work.plan.units)):
        entry = store.read_unit_entry(work.folder, unit, _part_kinds(work.record), work.plan_hash)
        if entry is not None:
            found[unit] = entry
    return found


def _measure_progress(done: dict[int, UnitEntry], plan: Plan, started: float, sums: pl.DataFrame) -> Progress:
    entries = done.values()
    return Progress(
        units_done=len(done),
        units_total=len(plan.units),
        blocks_done=sum(e.last_block - e.first_block + 1 for e in entries),
        games=sum(e.games for e in entries),
        deals=sum(e.deals for e in entries),
        elapsed_s=time.perf_counter() - started,
        sums=sums,
    )


def _prepare_folder(work: _Work, manifest: dict[str, Any], force: bool, resume: bool) -> dict[int, UnitEntry]:
    """Make the folder, or empty it, or find what an earlier run of the same plan finished."""
    folder = work.folder
    done: dict[int, UnitEntry] = {}
    exists = folder.exists() and any(folder.iterdir())
    if exists and resume:
        old = store.read_manifest(folder)
        if old["plan_sha256"] != manifest["plan_sha256"] or old["record"] != work.record:
            raise UsageError(
                f"{folder} holds another run: the experiment, the seed, a strategy, --record or the version differs; "
                "replace it with --force or choose another folder with --out"
            )
        done = _find_whole_units(work)
    elif exists and not force and store.holds_units(folder):
        raise UsageError(
            f"{folder} exists already; go on with --resume, replace it with --force, or choose another with --out"
        )
    elif exists:
        _empty_run_folder(folder)
    try:
        (folder / store.UNITS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error}") from error
    return done


def _empty_run_folder(folder: Path) -> None:
    """Delete what a run and its report have written; refuse a folder that is something else."""
    if not (folder / store.MANIFEST).is_file():
        raise UsageError(f"{folder} is not a run folder; --force replaces runs only")
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def _part_kinds(record: str) -> tuple[str, ...]:
    return {"none": ("sums",), "deals": ("deals", "sums"), "cards": ("cards", "deals", "sums")}[record]


def _play_units(
    work: _Work, units: set[int], jobs: int
) -> Generator[tuple[UnitEntry, pl.DataFrame], None, None]:
    """Yield finished units as they come; at most two per thread are handed out at a time."""
    waiting = sorted(units, reverse=True)
    running: dict[Future[tuple[UnitEntry, pl.DataFrame]], int] = {}
    pool = ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="hearts-sim")
    try:
        while waiting or running:
            while waiting and len(running) < 2 * jobs:
                unit = waiting.pop()
                running[pool.submit(_play_unit, work, unit)] = unit
            finished = wait(running, return_when=FIRST_COMPLETED).done
            # whole units come before a fault, so that they are kept; of several faults the first unit's is told
            for future in sorted(finished, key=lambda done: (done.exception() is not None, running[done])):
                del running[future]
                yield future.result()
    except BaseException:
        work.stop.set()
        for future in running:
            future.cancel()
        raise
    finally:
        with suppress(KeyboardInterrupt):
            pool.shutdown(wait=True, cancel_futures=True)


def _play_unit(work: _Work, unit: int) -> tuple[UnitEntry, pl.DataFrame]:
    """Play one unit and write its parts, the sums last: they are the mark of a whole unit."""
    if work.stop.is_set():
        raise PlayStopped
    experiment, rules = work.experiment, work.experiment.rules
    first, last = work.plan.units[unit]
    session = getattr(work.local, "session", None)
    if session is None:
        session = Session(
            rules, experiment.seed, work.players, work.record == "cards", should_stop=work.stop.is_set
        )
        work.local.session = session
    rows = session.play(work.plan.jobs(first, last), keep=False)
    deals = store.frame_deals(rows, rules.seats)
    sums = sum_blocks(deals, rules.seats, len(work.players), rules)
    entry = UnitEntry(
        unit, first, last, int(np.count_nonzero(rows["ended"])), len(rows), store.hash_rows(rows)
    )
    frames = {"deals": deals, "sums": sums}
    if work.record == "cards":
        n_plays = rules.seats * rules.hand_size
        frames["cards"] = store.frame_cards(rows, session.cards, rules.seats, n_plays)
    for kind in _part_kinds(work.record):
        facts = {key: str(value) for key, value in asdict(entry).items()}
        facts |= {"plan": work.plan_hash, "rows": str(frames[kind].height), "schema": str(store.SCHEMA)}
        store.write_part(store.part_path(work.folder, unit, kind), frames[kind], facts)
    return entry, sums


def _add_replay_line(fault: StrategyFault, folder: Path) -> StrategyFault:
    if not isinstance(fault, PlayFault):
        return fault
    facts = fault.facts
    line = (
        f"hearts-sim replay {shlex.quote(str(folder))} --block {facts.game} --table {facts.table} "
        f"--seating {facts.seating} --deal {facts.deal}"
    )
    return PlayFault(f"{fault}\n  replay  {line}\n  What was finished before is kept in {folder}.", facts)


def _make_manifest(
    experiment: Experiment, plan: Plan, players: list[Player], record: str, command_line: str
) -> dict[str, Any]:
    entrants = [
        {
            "name": entrant.name,
            "strategy": entrant.strategy,
            "params": player.params,
            "stochastic": player.info.stochastic,
            "source": player.info.path.name,
            "source_hash": player.info.source_hash,
        }
        for entrant, player in zip(experiment.entrants, players, strict=True)
    ]
    manifest: dict[str, Any] = {
        "schema": store.SCHEMA,
        "name": experiment.name,
        "title": experiment.title,
        "seed": experiment.seed,
        "status": "running",
        "command_line": command_line,
        "record": record,
        "experiment": experiment.to_dict(),
        "rules": {"fields": experiment.rules.as_dict(), "hash": experiment.rules.hash()},
        "entrants": entrants,
        "design": plan.to_dict(),
        "versions": {
            "hearts_sim": hearts_sim.__version__,
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": np.__version__,
            "polars": pl.__version__,
        },
    }
    manifest["plan_sha256"] = hash_plan(manifest)
    return manifest


def hash_plan(manifest: dict[str, Any]) -> str:
    """Return the SHA-256 of everything the results are a function of."""
    basis = {key: manifest[key] for key in ("schema", "seed", "rules", "entrants", "design")}
    basis["version"] = manifest["versions"]["hearts_sim"]
    return hashlib.sha256(json.dumps(basis, sort_keys=True).encode()).hexdigest()


def _finish_manifest(
    manifest: dict[str, Any], folder: Path, entries: list[UnitEntry], status: str, wall_s: float
) -> None:
    entries = sorted(entries, key=lambda entry: entry.unit)
    manifest["status"] = status
    manifest["wall_s"] = round(wall_s, 3)
    manifest["games"] = sum(entry.games for entry in entries)
    manifest["deals"] = sum(entry.deals for entry in entries)
    manifest["digest"] = store.combine_hashes(entries)
    manifest["units"] = [asdict(entry) for entry in entries]
    store.write_json(folder / store.MANIFEST, manifest)
