"""Errors that a user may meet, each with the exit status of the command that meets it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HeartsSimError(Exception):
    """Anything hearts-sim refuses to do, said in words meant for the person who reads it."""

    exit_code = 70


class CheckFailed(HeartsSimError):
    """A check that was asked for did not hold: slower than the baseline, worse than the other bot."""

    exit_code = 1


class UsageError(HeartsSimError):
    """A request that cannot be carried out as written: a wrong name, value, file or combination."""

    exit_code = 2


class RulesError(UsageError):
    """Rules that contradict themselves or have no defined meaning."""


class StrategyFault(HeartsSimError):
    """A strategy broke the contract: an illegal card, an exception, a failed compilation."""

    exit_code = 3


class DamagedRun(HeartsSimError):
    """Stored results that do not verify."""

    exit_code = 4


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest known spelling, or an empty string."""
    near = difflib.get_close_matches(wrong.lower(), {name.lower(): name for name in known}, n=1, cutoff=0.5)
    by_lower = {name.lower(): name for name in known}
    return f"; did you mean {by_lower[near[0]]!r}?" if near else ""
