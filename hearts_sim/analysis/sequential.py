"""Is A better than B? A test that may look after every few blocks and stop as soon as it knows.

Two generalized sequential probability ratio tests run side by side on the block differences: no difference against A
being better by the margin, and no difference against B being better by it (Wald, *Sequential Analysis*, 1947; with the
variance estimated, as fishtest does for chess). Each may err with half of alpha. The estimate comes with an
asymptotic confidence sequence (Waudby-Smith et al., Annals of Statistics 2024), which holds whenever one stops. A verdict
needs both: a likelihood ratio beyond its bound, and the confidence sequence on the same side of 0 (for equivalence:
inside the margin), so that the interval that is shown never contradicts it.

All is a function of the differences in the order of the blocks: threads and time play no part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

A_BETTER, B_BETTER = "A better", "B better"
EQUIVALENT, OPEN = "equivalent within the margin", "not separable yet"
FEWEST_BLOCKS = 200
"""The test does not look before: with fewer blocks the variance is a guess."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What a sequential test asks.

    Attributes
    ----------
    margin : float
        The smallest difference that matters, in points per deal; above 0.
    alpha : float
        How often a difference may be found where there is none.
    beta : float
        How often a difference of just the margin, to a given side, may be called none.
    """

    margin: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.margin > 0:
            raise ValueError(f"margin {self.margin:g}: the smallest difference that matters must be above 0")
        for name, share in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < share < 0.5:
                raise ValueError(f"{name} {share:g} is not between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios from which on a side is rejected (low) or accepted (high).

        By Ville's inequality a likelihood ratio ever exceeds 1 / share with probability share at most; Wald's bounds are
        a little closer together, and hold only for the pair.
        """
        return math.log(self.beta), -math.log(self.alpha / 2)


@dataclass(frozen=True)
class State:
    """Where a test stands after some blocks.

    Attributes
    ----------
    verdict : str
        `A_BETTER`, `B_BETTER`, `EQUIVALENT` or `OPEN`.
    n_blocks : int
        Blocks looked at.
    estimate, low, high : float or None
        By how many points per deal A is ahead, with the confidence sequence of level 1 - alpha; None where unknown.
    for_a, for_b : float or None
        The log likelihood ratios of A and of B being better by the margin against no difference.
    """

    verdict: str
    n_blocks: int
    estimate: float | None
    low: float | None
    high: float | None
    for_a: float | None
    for_b: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain JSON types."""
        return dict(vars(self))


class Test:
    """A sequential test in progress; `add` the differences of the blocks in order.

    Parameters
    ----------
    question : Question
        What is asked.
    """

    __test__ = False  # not one of pytest's

    def __init__(self, question: Question) -> None:
        self.question = question
        self._n = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, differences: Floats) -> State:
        """Look at further blocks and return where the test stands.

        Parameters
        ----------
        differences : ndarray of float, shape (n,)
            By how many points per deal A did better than B in each block, in order.
        """
        n = len(differences)
        if n:
            mean = float(differences.mean())
            step = mean - self._mean
            total = self._n + n
            # Chan, Golub and LeVeque, The American Statistician 37, 1983: exact enough however far the mean is from 0.
            self._squares += float(((differences - mean) ** 2).sum()) + step * step * self._n * n / total
            self._mean += step * n / total
            self._n = total
        return judge(self._n, self._mean, self._squares / max(1, self._n - 1), self.question)


def judge(n_blocks: int, mean: float, variance: float, question: Question) -> State:
    """Return what the mean and the variance of so many block differences say."""
    if n_blocks < FEWEST_BLOCKS:
        return State(OPEN, n_blocks, mean if n_blocks else None, None, None, None, None)
    if variance == 0:
        verdict = EQUIVALENT if mean == 0 else A_BETTER if mean > 0 else B_BETTER
        return State(verdict, n_blocks, mean, mean, mean, None, None)
    for_a, for_b = (_compare(n_blocks, sign * mean, variance, question.margin) for sign in (1, -1))
    low, high = question.bounds
    reach = measure_reach(n_blocks, variance, question.alpha)
    verdict = OPEN
    if for_a >= high and mean > reach:
        verdict = A_BETTER
    elif for_b >= high and mean < -reach:
        verdict = B_BETTER
    elif max(for_a, for_b) <= low and abs(mean) + reach < question.margin:
        verdict = EQUIVALENT
    return State(verdict, n_blocks, mean, mean - reach, mean + reach, for_a, for_b)


def _compare(n_blocks: int, mean: float, variance: float, margin: float) -> float:
    """Return the log likelihood ratio of a difference of ``margin`` against none."""
    return n_blocks * margin * (2 * mean - margin) / (2 * variance)


def measure_reach(n_blocks: int, variance: float, alpha: float, planned: int = 1000) -> float:
    """Return half the width of the confidence sequence after so many blocks.

    It is narrowest, compared with an interval for one look, around ``planned`` blocks (Waudby-Smith et al., equation 9 and
    their choice of rho).
    """
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / planned
    spread = n_blocks * rho2 + 1
    return math.sqrt(variance * 2 * spread / (n_blocks**2 * rho2) * math.log(math.sqrt(spread) / alpha))


def run_test(portions: Iterable[Floats], question: Question) -> State:
    """Look after each portion of differences, and stop at the first verdict; return the last state."""
    test = Test(question)
    state = test.add(np.zeros(0))
    for differences in portions:
        state = test.add(differences)
        if state.verdict != OPEN:
            break
    return state
