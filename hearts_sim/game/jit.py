"""The only door to numba: where compiled code is cached, how it is compiled, how a function pointer is called.

numba's cache does not notice edits in other files, so the cache folder is named by a hash of every compiled source of
this package, and set before the first decorator runs. Nothing compiles at import: `njit` without a signature compiles
on the first call.
"""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])
PACKAGE = Path(__file__).resolve().parent.parent
at = np.uint64
"""Marks an index as never negative: ``points[at(seat)]`` skips the check for counting from the end."""


COMPILED_SOURCES = (
    "calls",
    "cards",
    "dealing",
    "jit",
    "loop",
    "notation",
    "rng",
    "rules",
    "rules_check",
    "scoring",
    "table",
)


def hash_sources() -> str:
    """Return 16 hexadecimal digits naming the sources that compiled code is made of, and numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for name in COMPILED_SOURCES:
        digest.update((PACKAGE / "game" / f"{name}.py").read_bytes())
    return digest.hexdigest()[:16]


def _choose_cache_folder() -> Path:
    """Return a writable folder for compiled code: in NUMBA_CACHE_DIR or the user's cache, or a temporary one with one warning."""
    chosen = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    parent = Path(chosen).absolute() if chosen else platformdirs.user_cache_path("hearts-sim")
    folder = parent / f"compiled-{hash_sources()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="hearts-sim-"))
        warnings.warn(
            f"compiled code cannot be kept ({error}); every run compiles anew. "
            "Set NUMBA_CACHE_DIR to a writable folder to avoid this.",
            RuntimeWarning,
            stacklevel=2,
        )
    return folder


CACHE_FOLDER = _choose_cache_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """Compile a function of the game on its first call, cached on disk, without the GIL and without bounds checks."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """Make a function part of the compiled functions that call it: for the few that run once a card or once a trick."""
    return cast(F, numba.njit(nogil=True, error_model="numpy", inline="always")(function))
