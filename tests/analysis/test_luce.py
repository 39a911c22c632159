"""Plackett-Luce with ties: against choix, against brute force, against statsmodels, and what must not matter."""

from __future__ import annotations

import itertools
import math

import choix
import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
import statsmodels.api as sm
from finishing import count, draw_games, frame_games
from played import play_deals
from scipy.optimize import approx_fprime, minimize

from hearts_sim.analysis import luce
from hearts_sim.analysis.finishes import count_finishes
from hearts_sim.game.rules import PRESETS, Rules

WORTHS = [0.4, 0.8, 1.0, 1.5, 3.0]
Floats = npt.NDArray[np.float64]


def test_without_ties_it_is_choix() -> None:
    entrants, finals = draw_games(WORTHS, 400, 1)
    rankings = [
        tuple(int(e) for e in game[order])
        for game, order in zip(entrants, finals.argsort(axis=1), strict=True)
    ]
    found = luce.fit(count(entrants, finals), prior=0)
    theirs = choix.opt_rankings(5, rankings, alpha=0.0, method="Newton-CG", tol=1e-12)
    assert found.sizes == []
    assert found.theta - found.theta.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def sum_log_likelihood(
    theta: Floats, entrants: Floats, finals: Floats, sizes: list[int], prior: float
) -> float:
    """The definition, game by game and choice by choice."""
    k = len(theta) - len(sizes)

    def weigh(who: tuple[int, ...]) -> float:
        tie = theta[k + sizes.index(len(who))] if len(who) > 1 else 0.0
        return float(np.mean([theta[e] for e in who]) + tie)

    total = 0.0
    for game, final in zip(entrants, finals, strict=True):
        for level in sorted(set(final)):
            left = [int(e) for e, f in zip(game, final, strict=True) if f >= level]
            chosen = tuple(int(e) for e, f in zip(game, final, strict=True) if f == level)
            allowed = [d for d in (1, *sizes) if d <= len(left)]
            every = [weigh(who) for d in allowed for who in itertools.combinations(left, d)]
            total += weigh(chosen) - math.log(sum(map(math.exp, every)))
    return total - prior * float(np.sum(np.log1p(np.exp(-theta)) + np.log1p(np.exp(theta))))


@pytest.mark.parametrize(("seats", "prior"), [(4, 0.5), (3, 2.0), (5, 0.5)])
def test_with_ties_it_maximizes_the_likelihood_written_out(seats: int, prior: float) -> None:
    entrants, finals = draw_games(WORTHS, 60, 2, seats=seats, levels=4)
    found = luce.fit(count(entrants, finals), prior=prior)
    assert len(found.sizes) >= 2
    best = minimize(
        lambda theta: -sum_log_likelihood(theta, entrants, finals, found.sizes, prior),
        np.zeros(len(found.theta)),
        method="BFGS",
        options={"gtol": 1e-6},
    )
    assert found.theta == pytest.approx(best.x, abs=2e-5)


def test_scores_and_information_are_the_derivatives_of_the_likelihood() -> None:
    entrants, finals = draw_games(WORTHS, 8, 3, levels=3)
    found = luce.fit(count(entrants, finals))
    p = len(found.theta)
    for game in range(8):
        one = slice(game, game + 1)
        slope = approx_fprime(
            found.theta,
            lambda theta, one=one: sum_log_likelihood(theta, entrants[one], finals[one], found.sizes, 0.0),
            1e-6,
        )
        assert found.scores[game] == pytest.approx(slope, abs=1e-4)
    curve = approx_fprime(
        found.theta,
        lambda t: luce._evaluate(
            found.finishes,
            found.sizes,
            t,
            np.ones(1) @ found.finishes.counts.toarray().sum(0, keepdims=True),
            0.5,
        )[1],
        1e-6,
    )
    assert found.hessian == pytest.approx(-curve, abs=1e-3)
    prior = found.hessian - found.information.sum(axis=0).reshape(p, p)
    assert prior == pytest.approx(np.diag(np.diagonal(prior)), abs=1e-9)


def test_the_sandwich_of_two_seats_is_statsmodels_clustered_logit() -> None:
    generator = np.random.default_rng(4)
    entrants = np.stack([generator.permutation(4)[:2] for _ in range(600)])
    block = np.arange(600) // 4
    luck = np.repeat(generator.normal(0, 1, 150), 4)
    lead = np.array([0.0, 0.3, 0.6, 1.0])[entrants] @ [1, -1] + luck
    won = (generator.random(600) < 1 / (1 + np.exp(-lead))).astype(int)
    found = luce.fit(count(entrants, np.stack([1 - won, won], axis=1), block), prior=0)
    design = np.zeros((600, 4))
    design[np.arange(600), entrants[:, 0]] += 1
    design[np.arange(600), entrants[:, 1]] -= 1
    theirs = sm.Logit(won, design[:, 1:]).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": block, "use_correction": False}
    )
    contrast = np.hstack([-np.ones((3, 1)), np.eye(3)])
    assert contrast @ found.theta == pytest.approx(theirs.params, abs=1e-7)
    assert contrast @ found.covariance @ contrast.T == pytest.approx(
        theirs.cov_params() * 150 / 149, rel=1e-6
    )


def test_entrants_with_mirrored_results_are_rated_alike() -> None:
    entrants = np.array([[0, 1, 2, 3]] * 6)
    finals = np.array([[1, 2, 3, 3], [2, 1, 3, 3], [3, 3, 1, 2], [3, 3, 2, 1], [1, 1, 2, 3], [1, 1, 3, 2]])
    theta = luce.fit(count(entrants, finals)).theta
    assert theta[0] == pytest.approx(theta[1], abs=1e-12)
    assert theta[2] == pytest.approx(theta[3], abs=1e-12)
    assert theta[0] > theta[2]


def test_who_always_ties_is_rated_alike() -> None:
    found = luce.fit(count(np.array([[0, 1, 2]] * 40), np.array([[5, 5, 5]] * 40)))
    assert found.theta[:3] == pytest.approx(np.zeros(3), abs=1e-9)
    assert found.sizes == [3]
    assert np.isfinite(found.theta).all()


def test_the_order_of_entrants_games_seats_and_parts_does_not_matter() -> None:
    entrants, finals = draw_games(WORTHS, 300, 5, levels=4)
    expected = luce.fit(count(entrants, finals)).theta
    generator = np.random.default_rng(6)
    games, seats, names = generator.permutation(300), generator.permutation(4), generator.permutation(5)
    shuffled = luce.fit(count(names[entrants[games][:, seats]], finals[games][:, seats])).theta
    assert shuffled[names] == pytest.approx(expected[:5], abs=1e-9)
    assert shuffled[5:] == pytest.approx(expected[5:], abs=1e-9)
    frame = frame_games(np.arange(300), entrants, finals)
    parts = [frame[200:], frame[:100], frame[100:200]]
    whole, apart = (count_finishes(p, 5, Rules(), 300) for p in ([frame], parts))
    assert np.array_equal(luce.fit(whole).theta, luce.fit(apart).theta)
    assert np.array_equal(luce.fit(whole).covariance, luce.fit(apart).covariance)


def test_only_the_order_of_finals_matters() -> None:
    entrants, finals = draw_games(WORTHS, 100, 7, levels=4)
    assert np.array_equal(
        luce.fit(count(entrants, finals)).theta, luce.fit(count(entrants, 7 * finals - 30)).theta
    )


def test_doing_better_in_one_game_never_lowers_a_rating() -> None:
    entrants, finals = draw_games(WORTHS, 50, 8, levels=6)
    before = luce.fit(count(entrants, finals)).theta
    for game in range(10):
        who = int(entrants[game, 0])
        better = finals.copy()
        better[game, 0] = -1
        after = luce.fit(count(entrants, better)).theta
        assert after[who] - after[:5].mean() >= before[who] - before[:5].mean() - 1e-9


def test_a_perfect_winner_stays_finite() -> None:
    found = luce.fit(count(np.array([[0, 1, 2, 3]] * 1000), np.array([[0, 1, 2, 3], [0, 2, 1, 3]] * 500)))
    assert np.isfinite(found.theta).all()
    assert np.isfinite(found.covariance).all()
    assert found.theta[0] > found.theta[1] > found.theta[3]


@pytest.mark.parametrize("preset", ["standard", "three_handed", "six_handed"])
def test_counts_add_up_to_the_games_and_places(preset: str) -> None:
    rules = PRESETS[preset].rules
    n = rules.seats
    deals = play_deals(
        "greedy ducker low random greedy low"[: {3: 17, 4: 24, 6: 999}[n]], 12, rules=rules, unit="deal"
    )
    found = count_finishes([deals.filter(pl.col("ended") > 0)], n, rules, 12)
    assert found.n_games == 12 * n
    assert (found.n_blocks, list(found.numbers)) == (12, list(range(12)))
    whole = (found.menus >= 0).all(axis=1)
    assert found.counts[:, whole].sum() == found.n_games
    own = found.wins[:, np.arange(n), np.arange(n)]
    assert own.sum() == 60 * found.n_games
    assert (found.ahead + found.ahead.T)[np.triu_indices(n, 1)].min() >= found.n_games


def test_a_game_counted_by_hand() -> None:
    """Entrant 2 first, 0 and 3 share the next place, 1 last."""
    found = count(np.array([[0, 1, 2, 3]]), np.array([[50, 90, 10, 50]]))
    assert found.credit.tolist() == [[30, 0, 60, 30]]
    assert found.ties.tolist() == [[0, 1, 1, 0, 0]]
    assert sorted(map(tuple, found.menus.tolist())) == [(3, 1, 0, -1), (3, 2, 1, 0)]
    assert found.wins[0, 2].tolist() == [60, 60, 60, 60]
    assert found.wins[0, [0, 1, 3]].sum() == 0
    assert found.ahead.tolist() == [[0, 1, 0, 1], [0, 0, 0, 0], [1, 1, 0, 1], [1, 1, 0, 0]]


def test_who_lands_on_the_target_comes_first() -> None:
    frame = frame_games(np.zeros(1, np.int64), np.array([[0, 1, 2, 3]]), np.array([[100, 3, 40, 40]]))
    found = count_finishes([frame], 4, Rules(exact_target="wins"), 1)
    assert found.credit.tolist() == [[60, 60, 30, 30]]
    assert found.wins[0, 0, 0] == 60
