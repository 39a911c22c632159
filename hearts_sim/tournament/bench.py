"""How fast this machine plays: the loop against a C program of the same games, one thread against two, cold against warm.

Speeds are taken in turns (A B A B ...) and compared turn by turn, so that a machine that slows down does so for both.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

import hearts_sim
from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.bots.registry import list_named
from hearts_sim.game.rules import Rules

SEED = 20261130
FIELDS = ("random", "ducker")
YARDSTICK = Path("benchmarks/yardstick.c")
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True)
class Speed:
    """Games and deals per second of one player of games, over several turns.

    Attributes
    ----------
    what : str
        What played.
    games_per_s, deals_per_s : float
        Medians over the turns.
    fastest, slowest : float
        Games per second of the best and the worst turn.
    """

    what: str
    games_per_s: float
    deals_per_s: float
    fastest: float
    slowest: float


@dataclass(frozen=True)
class Comparison:
    """How many times as fast one is as another: the median, lowest and highest ratio of turns."""

    what: str
    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Bench:
    """Everything `measure` found; ``same_games`` says whether C and the loop played the same cards."""

    machine: str
    versions: str
    speeds: list[Speed]
    comparisons: list[Comparison]
    same_games: bool | None
    cold_start_s: float | None
    warm_start_s: float | None
    notes: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types."""
        return {"schema": 1, "command": "bench"} | asdict(self)


Turn = Callable[[], tuple[int, int, float]]
"""Plays once and returns games, deals and seconds."""


def measure(n_games: int, turns: int, with_cold_start: bool, with_openspiel: bool) -> Bench:
    """Measure everything this machine allows; ``n_games`` per turn, best some seconds' worth in all."""
    notes: list[str] = []
    speeds: list[Speed] = []
    comparisons: list[Comparison] = []
    program = build_yardstick(notes)
    same: bool | None = None
    for field in FIELDS:
        contest = {f"loop, {field}": _play_loop(field, n_games)}
        if program is not None:
            contest[f"C, {field}"] = _play_yardstick(program, field, n_games)
            same = same is not False and _plays_the_same(program, field)
        found = _take_turns(contest, turns)
        speeds += [_summarize(name, results) for name, results in found.items()]
        if program is not None:
            loop_results, c_results = found.values()
            comparisons.append(_compare(f"loop / C, {field}", loop_results, c_results))
    threads = _take_turns(
        {"1 thread": _play_loop("ducker", n_games), "2 threads": _play_threads("ducker", n_games)}, turns
    )
    speeds.append(_summarize("2 threads, ducker", threads["2 threads"]))
    comparisons.append(_compare("2 threads / 1 thread", threads["2 threads"], threads["1 thread"]))
    if (os.cpu_count() or 1) < 2:
        notes.append("one core only: two threads cannot be faster than one")
    if with_openspiel:
        comparisons += _measure_openspiel(n_games, turns, speeds, notes)
    cold, warm = measure_starts() if with_cold_start else (None, None)
    if program is not None:
        shutil.rmtree(program.parent)
    notes += [f"{c.what} varied by {c.high / c.low:.1f} times: the machine is busy; close what you can and run again"
              for c in comparisons if c.high / c.low > 1.5]  # fmt: skip
    return Bench(describe_machine(), describe_versions(), speeds, comparisons, same, cold, warm, notes)


def _take_turns(contest: dict[str, Turn], turns: int) -> dict[str, list[tuple[int, int, float]]]:
    """Play every contestant once unmeasured, then in turns."""
    for play in contest.values():
        play()
    results: dict[str, list[tuple[int, int, float]]] = {name: [] for name in contest}
    for _ in range(turns):
        for name, play in contest.items():
            results[name].append(play())
    return results


def _summarize(what: str, results: Sequence[tuple[int, int, float]]) -> Speed:
    games = [g / s for g, _, s in results]
    deals = [d / s for _, d, s in results]
    return Speed(what, statistics.median(games), statistics.median(deals), max(games), min(games))


def _compare(
    what: str, mine: Sequence[tuple[int, int, float]], theirs: Sequence[tuple[int, int, float]]
) -> Comparison:
    """Compare deals per second turn by turn."""
    ratios = [(d / s) / (e / t) for (_, d, s), (_, e, t) in zip(mine, theirs, strict=True)]
    return Comparison(what, statistics.median(ratios), min(ratios), max(ratios))


def _play_loop(field: str, n_games: int) -> Turn:
    session = Session(Rules(), SEED, [load_player(field)])
    jobs = make_jobs(0, n_games, 0, (0, 0, 0, 0))

    def play() -> tuple[int, int, float]:
        started = time.perf_counter()
        rows = session.play(jobs)
        return n_games, len(rows), time.perf_counter() - started

    return play


def _play_threads(field: str, n_games: int) -> Turn:
    """Two threads, each with as many games as one thread alone."""
    player = load_player(field)
    sessions = [Session(Rules(), SEED, [player]) for _ in range(2)]
    jobs = [make_jobs(k * n_games, n_games, 0, (0, 0, 0, 0)) for k in range(2)]

    def play() -> tuple[int, int, float]:
        counts = [0, 0]

        def work(k: int) -> None:
            counts[k] = len(sessions[k].play(jobs[k]))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        started = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return 2 * n_games, sum(counts), time.perf_counter() - started

    return play


def build_yardstick(notes: list[str]) -> Path | None:
    """Compile the C program into a temporary folder; None, with a note, where that is not possible."""
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    source = next(
        (p for p in (YARDSTICK, Path(hearts_sim.__file__).parent.parent / YARDSTICK) if p.is_file()), None
    )
    if compiler is None or source is None:
        notes.append(
            "no comparison with C: " + ("no C compiler" if compiler is None else f"no {YARDSTICK} here")
        )
        return None
    program = Path(tempfile.mkdtemp(prefix="hearts-sim-bench-")) / "yardstick"
    command = [compiler, "-O3", "-march=native", "-o", str(program), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        notes.append(f"no comparison with C: {' '.join(command)} failed")
        shutil.rmtree(program.parent)
        return None
    return program


def run_yardstick(program: Path, field: str, n_games: int) -> dict[str, Any]:
    """Play games in C and return what it printed: games, deals, seconds, checksum."""
    done = subprocess.run(
        [str(program), field, str(SEED), "0", str(n_games)], capture_output=True, text=True, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _play_yardstick(program: Path, field: str, n_games: int) -> Turn:
    def play() -> tuple[int, int, float]:
        result = run_yardstick(program, field, n_games)
        return result["games"], result["deals"], result["seconds"]

    return play


def _plays_the_same(program: Path, field: str, n_games: int = 2000) -> bool:
    rows = Session(Rules(), SEED, [load_player(field)]).play(make_jobs(0, n_games, 0, (0, 0, 0, 0)))
    return bool(run_yardstick(program, field, n_games)["checksum"] == f"{fold_rows(rows):016x}")


def fold_rows(rows: npt.NDArray[Any]) -> int:
    """Return the checksum of whole games: each game's points folded in order of deal and seat, summed over games.

    Parameters
    ----------
    rows : array of DEAL_ROW
        Four-seat games, complete, each beginning with deal 1, in any order of games.
    """
    _, game = np.unique(rows["game"], return_inverse=True)
    folds = np.unique(rows["game"]).astype(np.uint64)
    with np.errstate(over="ignore"):
        for deal in range(1, int(rows["deal"].max()) + 1):
            played = rows["deal"] == deal
            for seat in range(4):
                points = rows["points"][played, seat].astype(np.int64).astype(np.uint64)
                folds[game[played]] = _mix(folds[game[played]] + points + np.uint64(1))
        return int(folds.sum(dtype=np.uint64))


def _mix(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return SplitMix64's output function of every word."""
    z = (z ^ (z >> np.uint64(30))) * _MIX[0]
    z = (z ^ (z >> np.uint64(27))) * _MIX[1]
    return z ^ (z >> np.uint64(31))


def sign_behaviour(n_games: int = 200) -> int:
    """Return one integer for how every built-in strategy plays a fixed set of games; any change moves it."""
    total = 0
    for info in list_named():
        rows = Session(Rules(), SEED, [load_player(info.name)]).play(make_jobs(0, n_games, 0, (0, 0, 0, 0)))
        total = (total * 1_000_003 + fold_rows(rows)) % (1 << 64)
    return total


def measure_starts() -> tuple[float, float]:
    """Return the seconds a new process needs to its first game with an empty cache, and with a filled one."""
    code = (
        "from hearts_sim.bots.play import Session, make_jobs; from hearts_sim.bots.player import load_player; "
        "from hearts_sim.game.rules import Rules; "
        "Session(Rules(), 0, [load_player('ducker')]).play(make_jobs(0, 1, 0, (0, 0, 0, 0)))"
    )
    seconds = []
    with tempfile.TemporaryDirectory(prefix="hearts-sim-cache-") as folder:
        for _ in range(2):
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_CACHE_DIR": folder}
            )
            seconds.append(time.perf_counter() - started)
    return seconds[0], seconds[1]


def _measure_openspiel(n_games: int, turns: int, speeds: list[Speed], notes: list[str]) -> list[Comparison]:
    """Compare random deals per second with OpenSpiel's Python binding, where it is installed."""
    try:
        import pyspiel  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        notes.append("no comparison with OpenSpiel: pip install 'hearts-sim[bench]'")
        return []
    game = pyspiel.load_game("hearts")
    draw = _Draws(1)

    def play() -> tuple[int, int, float]:
        started = time.perf_counter()
        for _ in range(n_deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[draw.below(len(actions))])
        return n_deals, n_deals, time.perf_counter() - started

    n_deals = 500
    found = _take_turns({"OpenSpiel": play, "loop": _play_loop("random", n_games)}, turns)
    speeds.append(_summarize("OpenSpiel (Python), random deals", found["OpenSpiel"]))
    return [_compare("loop / OpenSpiel, deals", found["loop"], found["OpenSpiel"])]


class _Draws:
    """Cheap random numbers for OpenSpiel's choices, so that drawing is not what is measured."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.state >> 33) % n


def describe_machine() -> str:
    """Return the processor and the number of cores."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        found = [
            line.split(":", 1)[1].strip()
            for line in info.read_text().splitlines()
            if line.startswith("model name")
        ]
        name = found[0] if found else name
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def describe_versions() -> str:
    """Return the versions that matter for speed."""
    numbers = f"numba {numba.__version__}, numpy {np.__version__}"
    return f"hearts-sim {hearts_sim.__version__}, Python {platform.python_version()}, {numbers}"
