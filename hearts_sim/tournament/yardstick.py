"""The C programs of the same games that speed is measured against: built on the spot, run, and held to the loop's games.

``benchmarks/yardstick_plain.c`` is the game as one writes it in C; ``benchmarks/yardstick.c`` is tuned, without a branch
that a processor cannot predict, and says what the checksum is.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import hearts_sim

SOURCES = Path("benchmarks")
PROGRAMS = {"C": "yardstick_plain.c", "tuned C": "yardstick.c"}
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O3", "-march=native", "-fno-tree-vectorize", "-fno-tree-slp-vectorize")
N_SEATS = 4


@dataclass(frozen=True)
class Played:
    """What one run of the C program reports.

    Attributes
    ----------
    games, deals : int
        How many it played.
    seconds : float
        How long the playing took, without the start of the program.
    checksum : int
        See `fold_rows`.
    """

    games: int
    deals: int
    seconds: float
    checksum: int


class CannotBuild(Exception):
    """There are no C programs to compare with; the message says why and what would help."""


def find_sources() -> Path | None:
    """Return the folder of the sources, in the current folder or beside the package; None in an installed package."""
    places = (Path(), Path(hearts_sim.__file__).resolve().parent.parent)
    folders = (place / SOURCES for place in places)
    return next((f for f in folders if all((f / name).is_file() for name in PROGRAMS.values())), None)


def find_compiler() -> str | None:
    """Return the path of a C compiler, or None."""
    return next((path for name in COMPILERS if (path := shutil.which(name))), None)


def build(folder: Path) -> dict[str, Path]:
    """Compile the programs into a folder and return their paths by the names of `PROGRAMS`.

    Raises
    ------
    CannotBuild
        If there are no sources, no compiler, or the compiler fails.
    """
    sources, compiler = find_sources(), find_compiler()
    if sources is None:
        raise CannotBuild(f"{SOURCES}/yardstick.c is not here; run in a copy of the repository")
    if compiler is None:
        raise CannotBuild(f"there is no C compiler; install one of {', '.join(COMPILERS)}")
    programs = {}
    for name, source in PROGRAMS.items():
        programs[name] = folder / Path(source).stem
        command = [compiler, *FLAGS, "-o", str(programs[name]), str(sources / source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = next(iter(done.stderr.strip().splitlines()), f"exit status {done.returncode}")
            raise CannotBuild(f"{' '.join(command)} failed: {reason}")
    return programs


def play(program: Path, bots: str, seed: int, first_game: int, n_games: int, repeats: int = 1) -> Played:
    """Play games with four equal bots and return what the last repeat reports.

    Parameters
    ----------
    program : Path
        What `build` returned.
    bots : str
        ``random`` or ``ducker``.
    seed, first_game, n_games : int
        Which games: those of jobs ``first_game``, ... with seating 0.
    repeats : int
        How often to play them; the first time warms the processor up.
    """
    words = [str(program), bots, str(seed), str(first_game), str(n_games), str(repeats)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    last = json.loads(done.stdout.splitlines()[-1])
    return Played(last["games"], last["deals"], last["seconds"], int(last["checksum"], 16))


def fold_rows(rows: npt.NDArray[Any]) -> int:
    """Return the checksum of complete four-seat games as the C program computes it, 0 to 2**64 - 1.

    Parameters
    ----------
    rows : array of DEAL_ROW, shape (n_deals,)
        Games from deal 1 to their end, in any order; points are 0 to 255.

    Notes
    -----
    A game's hash starts as ``mix(game)`` and becomes ``mix(hash + row)`` at each deal, where ``row`` holds, from the
    highest byte to the lowest, the deal's number and the points of seats 0 to 3. The checksum is the sum over games.
    """
    games, index = np.unique(rows["game"], return_inverse=True)
    folded = rows["deal"].astype(np.uint64)
    for seat in range(N_SEATS):
        folded = folded << np.uint64(8) | rows["points"][:, seat].astype(np.uint64)
    hashes = _mix(games.astype(np.uint64))
    for deal in range(1, int(rows["deal"].max(initial=0)) + 1):
        played = rows["deal"] == deal
        hashes[index[played]] = _mix(hashes[index[played]] + folded[played])
    return int(hashes.sum(dtype=np.uint64))


def _mix(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return SplitMix64's output function of every word, as `rng.mix` does for one."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
