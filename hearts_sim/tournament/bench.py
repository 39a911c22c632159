"""How fast this machine plays: the loop against C programs of the same games, two threads against one, cold against warm.

Speeds are taken in turns (A B A B ...) and compared turn by turn, so that a machine that slows down does so for both.
"""

from __future__ import annotations

import hashlib
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np

import hearts_sim
from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.tournament import openspiel_speed, yardstick

SEED = 20261130
BOTS = ("random", "ducker")
SIGNED = ("random", "low", "ducker", "greedy", "cpu-easy", "cpu-medium", "cpu-hard")
MIXED = ("greedy", "cpu-easy", "cpu-medium", "cpu-hard", "ducker", "low")
LOOP, THREADS, OPENSPIEL = "the loop", "the loop on 2 threads", "OpenSpiel in Python"
NOISY = 1.5
"""A ratio whose turns differ by more than this factor is called noisy."""

BUSY = 0.5
"""A machine on which more programs than this are running on average is called busy."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Turn:
    """How much was played in how many seconds."""

    games: int
    deals: int
    seconds: float


@dataclass(frozen=True)
class Speed:
    """Speed over several turns.

    Attributes
    ----------
    player, bots : str
        What played, with which strategy in all four seats.
    games_per_s, games_per_s_low, games_per_s_high : float
        Median, slowest and fastest turn.
    deals_per_s : float
        Median.
    """

    player: str
    bots: str
    games_per_s: float
    games_per_s_low: float
    games_per_s_high: float
    deals_per_s: float


@dataclass(frozen=True)
class Ratio:
    """How many times as many deals per second one player plays as another.

    Attributes
    ----------
    player, against, bots : str
        Who is compared with whom, with which strategy in all four seats.
    ratio, low, high : float
        Median, lowest and highest of the ratios turn by turn.
    fastest : float
        The fastest turn of one against the fastest of the other: what a machine that does nothing else would show.
    """

    player: str
    against: str
    bots: str
    ratio: float
    low: float
    high: float
    fastest: float

    @property
    def name(self) -> str:
        """What is compared, in words that stay the same from run to run."""
        return f"{self.player} / {self.against}, {self.bots}"


@dataclass(frozen=True)
class Starts:
    """Seconds from the start of a process to the end of its first game: nothing compiled yet, and all cached."""

    cold_s: float
    warm_s: float


@dataclass
class Bench:
    """Everything `measure` found.

    Attributes
    ----------
    machine : dict
        ``cpu``, ``cores``, ``system`` and the versions that matter for speed.
    speeds, ratios : list
        In the order of measuring.
    checksums : dict
        For each strategy, the checksums (hexadecimal) of the games of the loop and of each C program.
    starts : Starts or None
        None if not measured.
    warnings : list of str
        What makes the numbers less than they could be, each with a remedy.
    """

    machine: dict[str, Any]
    speeds: list[Speed] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    checksums: dict[str, dict[str, str]] = field(default_factory=dict)
    starts: Starts | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def same_games(self) -> bool | None:
        """Whether the C programs and the loop played the same games; None without C programs."""
        if not self.checksums:
            return None
        return all(len(set(checksums.values())) == 1 for checksums in self.checksums.values())

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON types: what ``hearts-sim bench --json`` prints and ``--save`` keeps."""
        ratios = [{"name": ratio.name} | asdict(ratio) for ratio in self.ratios]
        body = asdict(self) | {"ratios": ratios, "same_games": self.same_games}
        return {"schema": 1, "command": "bench", "seed": SEED} | body


def measure(
    n_games: int, turns: int, *, starts: bool = True, openspiel: bool = False, say: Say = lambda _: None
) -> Bench:
    """Measure what this machine allows: whole games under standard rules.

    Parameters
    ----------
    n_games : int
        Games in a turn.
    turns : int
        Turns of each player.
    starts : bool
        Whether to measure the start of a process, cold and warm.
    openspiel : bool
        Whether to compare with OpenSpiel's Python binding.
    say : callable
        Told what is measured next.
    """
    bench = Bench(describe_machine(), warnings=find_load(_get_load(), os.cpu_count() or 1))
    with tempfile.TemporaryDirectory(prefix="hearts-sim-bench-") as folder:
        programs = _build_or_warn(Path(folder), bench.warnings)
        for bots in BOTS:
            say(f"measuring four {bots} bots ...")
            _measure_bots(bench, bots, programs, n_games, turns)
    if openspiel:
        say("measuring OpenSpiel ...")
        _measure_openspiel(bench, n_games, turns)
    if starts:
        say("measuring the start of a process ...")
        bench.starts = measure_starts()
    bench.warnings += find_noise(bench.ratios, bench.machine["cores"])
    return bench


def _build_or_warn(folder: Path, warnings: list[str]) -> dict[str, Path]:
    try:
        return yardstick.build(folder)
    except yardstick.CannotBuild as error:
        warnings.append(f"no comparison with C: {error}")
        return {}


def _measure_bots(bench: Bench, bots: str, programs: Mapping[str, Path], n_games: int, turns: int) -> None:
    """Measure the loop on one thread, the C programs and the loop on two threads, in turns."""
    contest: dict[str, Callable[[], Turn]] = {LOOP: _play_loop(bots, n_games)}
    for name, program in programs.items():
        contest[name] = _play_c(program, bots, n_games)
    contest[THREADS] = _play_threads(bots, n_games)
    found = take_turns(contest, turns)
    bench.speeds += [summarize(player, bots, played) for player, played in found.items()]
    bench.ratios += [compare(LOOP, name, bots, found) for name in programs]
    bench.ratios.append(compare(THREADS, LOOP, bots, found))
    if programs:
        bench.checksums[bots] = compare_games(programs, bots, n_games)


def _measure_openspiel(bench: Bench, n_games: int, turns: int) -> None:
    try:
        play_deals = openspiel_speed.make_player()
    except ImportError:
        bench.warnings.append("no comparison with OpenSpiel: pip install 'hearts-sim[bench]' first")
        return

    def play() -> Turn:
        deals, seconds = play_deals()
        return Turn(0, deals, seconds)

    found = take_turns({LOOP: _play_loop("random", n_games), OPENSPIEL: play}, turns)
    bench.speeds.append(summarize(OPENSPIEL, "random", found[OPENSPIEL]))
    bench.ratios.append(compare(LOOP, OPENSPIEL, "random", found))


def take_turns(contest: Mapping[str, Callable[[], Turn]], turns: int) -> dict[str, list[Turn]]:
    """Let the players take turns; return the turns of each.

    Every turn is played twice, and only the second counts: the first warms the processor up again after the others.
    """
    found: dict[str, list[Turn]] = {player: [] for player in contest}
    for _ in range(turns):
        for player, play in contest.items():
            play()
            found[player].append(play())
    return found


def summarize(player: str, bots: str, played: Sequence[Turn]) -> Speed:
    """Return the median, the slowest and the fastest of some turns."""
    games = [turn.games / turn.seconds for turn in played]
    deals = [turn.deals / turn.seconds for turn in played]
    return Speed(player, bots, statistics.median(games), min(games), max(games), statistics.median(deals))


def compare(player: str, against: str, bots: str, found: Mapping[str, Sequence[Turn]]) -> Ratio:
    """Compare deals per second turn by turn."""
    mine, theirs = ([turn.deals / turn.seconds for turn in found[name]] for name in (player, against))
    ratios = [a / b for a, b in zip(mine, theirs, strict=True)]
    return Ratio(
        player, against, bots, statistics.median(ratios), min(ratios), max(ratios), max(mine) / max(theirs)
    )


def find_load(load: float, cores: int) -> list[str]:
    """Return a warning if other programs keep the machine busy; ``load`` is how many are running on average."""
    if load < BUSY:
        return []
    return [
        f"other programs keep {load:.1f} of {cores} cores busy: everything here is slower than it can be, two threads "
        "most of all; close them, wait a minute and measure again"
    ]


def _get_load() -> float:
    """Return how many programs have been running on average in the last minute, 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def find_noise(ratios: Sequence[Ratio], cores: int) -> list[str]:
    """Return warnings about turns that differ too much, and about a machine that cannot show what two threads do."""
    warnings = []
    noisy = [ratio for ratio in ratios if ratio.high > NOISY * ratio.low]
    if noisy:
        worst = max(noisy, key=lambda ratio: ratio.high / ratio.low)
        warnings.append(
            f"turns of the same comparison differ up to {worst.high / worst.low:.1f} times ({worst.name}): the machine "
            "is busy or changes its clock; close other programs and measure again"
        )
    if cores < 2:
        warnings.append("one core only: two threads cannot be faster than one; measure on a machine with two")
    return warnings


def _make_session(bots: str) -> Session:
    return Session(Rules(), SEED, [load_player(bots)])


def _play_loop(bots: str, n_games: int) -> Callable[[], Turn]:
    session, jobs = _make_session(bots), make_jobs(0, n_games, 0, (0,) * 4)

    def play() -> Turn:
        started = time.perf_counter()
        rows = session.play(jobs, keep=False)
        return Turn(n_games, len(rows), time.perf_counter() - started)

    return play


def _play_c(program: Path, bots: str, n_games: int) -> Callable[[], Turn]:
    def play() -> Turn:
        played = yardstick.play(program, bots, SEED, 0, n_games)
        return Turn(played.games, played.deals, played.seconds)

    return play


def _play_threads(bots: str, n_games: int) -> Callable[[], Turn]:
    """Two threads, each with its own session and as many games as one thread alone."""
    sessions = [_make_session(bots) for _ in range(2)]
    jobs = [make_jobs(k * n_games, n_games, 0, (0,) * 4) for k in range(2)]

    def play() -> Turn:
        deals = [0, 0]

        def work(k: int) -> None:
            deals[k] = len(sessions[k].play(jobs[k], keep=False))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        started = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return Turn(2 * n_games, sum(deals), time.perf_counter() - started)

    return play


def compare_games(programs: Mapping[str, Path], bots: str, n_games: int) -> dict[str, str]:
    """Return the checksums of the same games played by the loop (``loop``) and by each C program."""
    rows = _make_session(bots).play(make_jobs(0, n_games, 0, (0,) * 4))
    checksums = {"loop": yardstick.fold_rows(rows)}
    for name, program in programs.items():
        checksums[name] = yardstick.play(program, bots, SEED, 0, n_games).checksum
    return {player: f"{checksum:016x}" for player, checksum in checksums.items()}


def sign_behaviour(n_games: int = 100) -> int:
    """Return one integer, 0 to 2**64 - 1, for how the built-in strategies play; any change of behaviour moves it.

    Under every preset, every strategy of `SIGNED` plays ``n_games`` games in all seats, and those of `MIXED` as many at
    one table. The rules, all cards dealt, passed and played and all points are signed.
    """
    digest = hashlib.sha256()
    for preset in PRESETS.values():
        rules = preset.rules
        digest.update(rules.hash().encode())
        for names in (*((name,) * rules.seats for name in SIGNED), MIXED[: rules.seats]):
            session = Session(rules, SEED, [load_player(name) for name in names], record_cards=True)
            rows = session.play(make_jobs(0, n_games, 0, range(rules.seats)))
            for column in ("game", "deal", "points", "scores", "ended"):
                digest.update(rows[column].astype("<i8").tobytes())
            for column in ("dealt", "passed", "plays"):
                digest.update(session.cards[column].astype("<u8").tobytes())
    return int.from_bytes(digest.digest()[:8], "big")


_FIRST_GAME = """
from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import Rules
Session(Rules(), 0, [load_player("ducker")]).play(make_jobs(0, 1, 0, (0,) * 4))
"""


def measure_starts() -> Starts:
    """Time the first game of a new process twice: with an empty cache of compiled code, then with that cache filled."""
    seconds = []
    with tempfile.TemporaryDirectory(prefix="hearts-sim-cache-") as cache:
        for _ in range(2):
            started = time.perf_counter()
            command = [sys.executable, "-c", _FIRST_GAME]
            subprocess.run(command, check=True, env={**os.environ, "NUMBA_CACHE_DIR": cache})
            seconds.append(time.perf_counter() - started)
    return Starts(*seconds)


def describe_machine() -> dict[str, Any]:
    """Return the processor, its cores, the system, and the versions that matter for speed."""
    return {
        "cpu": _find_cpu_name(),
        "cores": os.cpu_count() or 1,
        "system": platform.system(),
        "hearts_sim": hearts_sim.__version__,
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def _find_cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def read_ratios(stored: Mapping[str, Any]) -> dict[str, float]:
    """Return the ratios by name of what `Bench.to_dict` returned.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is something else.
    """
    return {str(entry["name"]): float(entry["ratio"]) for entry in stored["ratios"]}


def compare_to_baseline(bench: Bench, before: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return each ratio that the baseline also has: ``name, ratio, before, change``.

    Ratios are compared, not speeds: they hold from machine to machine. ``change`` below 1 is slower.
    """
    return [
        {"name": r.name, "ratio": r.ratio, "before": before[r.name], "change": r.ratio / before[r.name]}
        for r in bench.ratios
        if r.name in before
    ]
