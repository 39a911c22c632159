"""The types of the fixtures that run the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """What a command left behind: its exit code and what it wrote."""

    code: int
    out: str
    err: str


Call = Callable[..., Outcome]
Compare = Callable[[str, str], None]
