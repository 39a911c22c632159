"""The Plackett-Luce model with ties, fitted to counted finishing orders.

From a set A of players, the next place goes to S with probability f(S) / sum of f over all subsets of A no larger than the largest
tie seen, where f(S) is the geometric mean of the players' worths, times delta_|S| if |S| > 1 share the place (Firth, Kosmidis and
Turner, "Davidson-Luce model for multi-item choice with ties", 2019; Turner et al., Computational Statistics 35, 2020). The log
likelihood is concave in the logs of worths and deltas, so Newton's method finds the one maximum. As in their program, a
hypothetical player that everyone beats, and loses to, ``prior`` times keeps finite who always wins; here its worth is 1, and the
deltas are held alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import expit, logsumexp

from hearts_sim.analysis.finishes import Finishes
from hearts_sim.tournament.sums import WIN_UNIT

PRIOR = 0.5
_AT_ONCE = 1_000_000

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Fit:
    """The fitted model.

    Attributes
    ----------
    finishes : Finishes
        What it was fitted to.
    sizes : list of int
        The sizes of ties that were seen.
    theta : ndarray of float, shape (n_entrants + len(sizes),)
        Log worths, then log deltas.
    prior : float
    """

    finishes: Finishes
    sizes: list[int]
    theta: Floats
    prior: float

    @cached_property
    def hessian(self) -> Floats:
        """Minus the second derivative of the log posterior; the level of all worths is held, too."""
        counts = np.asarray(self.finishes.counts.sum(axis=0))
        return _evaluate(self.finishes, self.sizes, self.theta, counts, self.prior)[2]

    @cached_property
    def inverse(self) -> Floats:
        """The inverse of the hessian."""
        return np.asarray(np.linalg.inv(self.hessian), np.float64)

    @cached_property
    def scores(self) -> Floats:
        """The derivative of each portion's log likelihood, shape (n_portions, n_parameters)."""
        means, _ = self.tabulate()
        scores: Floats = observe(self.finishes, self.sizes) - (self.finishes.counts @ means).toarray()
        return scores

    @cached_property
    def covariance(self) -> Floats:
        """The sandwich: robust against everything that games of a block have in common."""
        n = len(self.scores)
        bread = self.inverse
        if n < 2:
            return np.full_like(bread, np.nan)
        covariance: Floats = bread @ (self.scores.T @ self.scores) @ bread * (n / (n - 1))
        return covariance

    @cached_property
    def information(self) -> Floats:
        """Each portion's part of the hessian, shape (n_portions, n_parameters ** 2)."""
        _, spreads = self.tabulate()
        return np.asarray((self.finishes.counts @ spreads).toarray(), np.float64)

    def tabulate(self) -> tuple[csr_array, csr_array]:
        """Return for each menu the expected features, and their covariance as one long row."""
        p, n_menus = len(self.theta), len(self.finishes.menus)
        rows: list[list[npt.NDArray[np.generic]]] = [[], [], [], [], [], []]
        for batch in split_menus(self.finishes, self.sizes):
            mean, spread = batch.expect(self.theta)
            row = np.broadcast_to(batch.rows[:, None], batch.index.shape)
            pair = batch.index[:, :, None] * p + batch.index[:, None, :]
            wide = np.broadcast_to(batch.rows[:, None, None], pair.shape)
            for column, values in zip(rows, (mean, row, batch.index, spread, wide, pair), strict=True):
                column.append(values.ravel())
        mean, row, at, spread, wide, pair = (np.concatenate(c) if c else np.zeros(0, int) for c in rows)
        means = csr_array((mean.astype(float), (row, at)), shape=(n_menus, p))
        return means, csr_array((spread.astype(float), (wide, pair)), shape=(n_menus, p * p))


@dataclass(frozen=True)
class Batch:
    """All menus of one size.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        Their places among the menus.
    index : ndarray of int64, shape (n, n_features)
        Which parameter each feature belongs to: the players', then those of ties.
    features : ndarray of float, shape (n_choices, n_features)
        What each choice of who takes the place adds to the log of f per parameter.
    """

    rows: Ints
    index: Ints
    features: Floats

    def log_choices(self, theta: Floats) -> Floats:
        """Return log f of every choice, shape (n, n_choices)."""
        return theta[self.index] @ self.features.T

    def expect(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return mean (n, n_features) and covariance (n, n_features, n_features) of the features of a choice."""
        logs = self.log_choices(theta)
        shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        mean = shares @ self.features
        square = np.einsum("ac,cq,cr->aqr", shares, self.features, self.features, optimize=True)
        return mean, square - mean[:, :, None] * mean[:, None, :]


def split_menus(finishes: Finishes, sizes: list[int]) -> Iterator[Batch]:
    """Yield the menus by size."""
    size = (finishes.menus >= 0).sum(axis=1)
    for m in range(2, finishes.n_seats + 1):
        rows = np.flatnonzero(size == m)
        if not len(rows):
            continue
        usable = [d for d in sizes if d <= m]
        masks = [mask for mask in range(1, 2**m) if mask.bit_count() == 1 or mask.bit_count() in usable]
        chosen = np.array([[mask >> place & 1 for place in range(m)] for mask in masks], float)
        count = chosen.sum(axis=1, keepdims=True)
        features = np.hstack([chosen / count, count == np.array(usable, float)[None, :]])
        of_ties = finishes.n_entrants + np.array([sizes.index(d) for d in usable], np.int64)
        index = np.hstack([finishes.menus[rows, :m], np.broadcast_to(of_ties, (len(rows), len(usable)))])
        yield Batch(rows, index, features)


def expect_all(fit: Fit, thetas: Floats, counts: Floats) -> Floats:
    """Return the expected features of samples, each with its own parameters and counts of menus.

    Parameters
    ----------
    fit : Fit
        Whose menus.
    thetas : ndarray of float, shape (n_samples, n_parameters)
    counts : ndarray of float, shape (n_samples, n_menus)

    Returns
    -------
    ndarray of float, shape (n_samples, n_parameters)
    """
    total = np.zeros_like(thetas)
    for batch in split_menus(fit.finishes, fit.sizes):
        width = batch.index.size
        places = csr_array(
            (np.ones(width), (np.arange(width), batch.index.ravel())), shape=(width, thetas.shape[1])
        )
        step = max(1, _AT_ONCE // (len(batch.rows) * len(batch.features)))
        for first in range(0, len(thetas), step):
            some = slice(first, first + step)
            logs = thetas[some][:, batch.index] @ batch.features.T
            shares = np.exp(logs - logs.max(axis=2, keepdims=True))
            shares *= (counts[some][:, batch.rows] / shares.sum(axis=2))[:, :, None]
            total[some] += (shares @ batch.features).reshape(-1, width) @ places
    return total


def fit(finishes: Finishes, prior: float = PRIOR) -> Fit:
    """Return the worths under which the finishing orders are likeliest.

    Parameters
    ----------
    finishes : Finishes
        The counted finishing orders.
    prior : float
        How often everyone beats, and loses to, a hypothetical player of worth 1. With 0 the log worths sum to 0, and exist only
        if nobody, and no group, always finishes ahead of all others.
    """
    sizes = [d for d in range(2, finishes.n_seats + 1) if finishes.ties[:, d].any()]
    counts = np.asarray(finishes.counts.sum(axis=0))
    observed = observe(finishes, sizes).sum(axis=0)
    theta = np.zeros(finishes.n_entrants + len(sizes))
    value, gradient, hessian = _evaluate(finishes, sizes, theta, counts, prior, observed)
    for _ in range(100):
        step = np.linalg.solve(hessian, gradient)
        # Each parameter's step in its own standard errors: far finer than anything that is printed.
        if step @ gradient < 1e-18 * max(1.0, counts.sum()) ** 0.5 or np.abs(step).max() < 1e-12:
            break
        length = min(1.0, 4 / np.abs(step).max())
        while True:
            found = _evaluate(finishes, sizes, theta + length * step, counts, prior, observed)
            if found[0] >= value - 1e-9 * abs(value) or length < 1e-6:
                break
            length /= 2
        theta, (value, gradient, hessian) = theta + length * step, found
    return Fit(finishes, sizes, theta, prior)


def observe(finishes: Finishes, sizes: list[int]) -> Floats:
    """Return the observed features of each portion."""
    return np.hstack([finishes.credit / WIN_UNIT, finishes.ties[:, sizes]])


def _evaluate(
    finishes: Finishes,
    sizes: list[int],
    theta: Floats,
    counts: Floats,
    prior: float,
    observed: Floats | None = None,
) -> tuple[float, Floats, Floats]:
    """Return log posterior, gradient and minus the second derivative."""
    p, k = len(theta), finishes.n_entrants
    observed = np.zeros(p) if observed is None else observed
    value, gradient, hessian = float(observed @ theta), observed.copy(), np.zeros((p, p))
    for batch in split_menus(finishes, sizes):
        n = counts[batch.rows]
        value -= float(n @ logsumexp(batch.log_choices(theta), axis=1))
        mean, spread = batch.expect(theta)
        np.add.at(gradient, batch.index, -n[:, None] * mean)
        np.add.at(hessian, (batch.index[:, :, None], batch.index[:, None, :]), n[:, None, None] * spread)
    if prior > 0:
        held = expit(theta)
        value += prior * float(np.log(held * (1 - held)).sum())
        gradient += prior * (1 - 2 * held)
        hessian += np.diag(2 * prior * held * (1 - held))
    else:
        hessian[:k, :k] += max(1.0, float(hessian.trace()) / p)
    return value, gradient, hessian
