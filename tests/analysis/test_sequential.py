"""A sequential test may look as often as it likes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hearts_sim.analysis import sequential
from hearts_sim.analysis.sequential import A_BETTER, B_BETTER, EQUIVALENT, OPEN, Question, judge, run_test

QUESTION = Question(margin=0.2)


def draw(difference: float, n: int, seed: int, skewed: bool = False) -> np.ndarray:
    """Return block differences with the spread of a duel, normal or as skewed (0.65) as those of very unequal bots."""
    generator = np.random.default_rng(seed)
    noise = (generator.gamma(9.5, size=n) - 9.5) / 9.5**0.5 if skewed else generator.normal(size=n)
    return 2.7 * noise + difference


def find_verdicts(difference: float, runs: int, n: int, look: int, skewed: bool = False) -> dict[str, int]:
    """Return how often each verdict is reached by ``n`` blocks, looking every ``look`` of them."""
    found = {A_BETTER: 0, B_BETTER: 0, EQUIVALENT: 0, OPEN: 0}
    for seed in range(runs):
        portions = draw(difference, n, seed, skewed).reshape(-1, look)
        found[run_test(portions, QUESTION).verdict] += 1
    return found


@pytest.mark.parametrize(("difference", "verdict"), [(0.4, A_BETTER), (-0.4, B_BETTER), (0.0, EQUIVALENT)])
def test_a_clear_case_is_decided(difference: float, verdict: str) -> None:
    assert run_test(draw(difference, 50_000, 1).reshape(-1, 100), QUESTION).verdict == verdict


def test_it_stops_at_the_first_look_that_knows() -> None:
    values = draw(0.5, 10_000, 1)
    state = run_test(values.reshape(-1, 50), QUESTION)
    assert state.verdict == A_BETTER
    before = sequential.Test(QUESTION).add(values[: state.n_blocks - 50])
    assert before.verdict == OPEN


def test_the_verdict_does_not_depend_on_how_blocks_are_handed_over_between_looks() -> None:
    test = sequential.Test(QUESTION)
    values = draw(0.3, 3_000, 2)
    for portion in np.split(values, [1, 7, 500, 501]):
        state = test.add(portion)
    whole = sequential.Test(QUESTION).add(values)
    assert state.verdict == whole.verdict
    assert state.estimate == pytest.approx(whole.estimate, rel=1e-12)
    assert state.low == pytest.approx(whole.low, rel=1e-12)


def test_nothing_is_said_of_fewer_than_200_blocks() -> None:
    state = sequential.Test(QUESTION).add(draw(5.0, 199, 1))
    assert (state.verdict, state.low, state.for_a) == (OPEN, None, None)
    assert sequential.Test(QUESTION).add(np.zeros(0)).estimate is None


def test_identical_bots_are_equivalent_and_a_constant_difference_is_one() -> None:
    assert judge(200, 0.0, 0.0, QUESTION).verdict == EQUIVALENT
    assert judge(200, 0.5, 0.0, QUESTION).verdict == A_BETTER
    assert judge(200, -0.5, 0.0, QUESTION).verdict == B_BETTER


def test_the_likelihood_ratio_is_that_of_two_normal_means() -> None:
    values = draw(0.1, 400, 3)
    state = sequential.Test(QUESTION).add(values)
    variance = values.var(ddof=1)
    by_hand = (np.sum(values**2) - np.sum((values - 0.2) ** 2)) / (2 * variance)
    assert state.for_a == pytest.approx(by_hand)
    assert state.for_b == pytest.approx((np.sum(values**2) - np.sum((values + 0.2) ** 2)) / (2 * variance))


def test_bounds_are_those_of_villes_inequality() -> None:
    assert Question(1.0, alpha=0.1, beta=0.2).bounds == pytest.approx((math.log(0.2), math.log(1 / 0.05)))


def test_the_confidence_sequence_is_the_published_formula() -> None:
    rho2 = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1) / 1000
    n, variance = 777, 4.0
    by_hand = 2 * math.sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * math.log(math.sqrt(n * rho2 + 1) / 0.05))
    assert sequential.measure_reach(n, variance, 0.05) == pytest.approx(by_hand)


@pytest.mark.parametrize("skewed", [False, True])
def test_looking_all_the_time_does_not_find_what_is_not_there(skewed: bool) -> None:
    found = find_verdicts(0.0, runs=300, n=4_000, look=20, skewed=skewed)
    assert found[A_BETTER] + found[B_BETTER] <= 0.05 * 300 + 9
    assert found[EQUIVALENT] > 200


def test_a_difference_of_the_margin_is_found() -> None:
    found = find_verdicts(0.2, runs=200, n=8_000, look=50)
    assert found[A_BETTER] >= 0.95 * 200 - 9
    assert found[B_BETTER] == 0


def test_a_peeking_t_test_would_find_what_is_not_there() -> None:
    """The check above can fail: a t test looked at as often errs several times as often as it says."""
    wrong = 0
    for seed in range(300):
        values = draw(0.0, 4_000, seed)
        n = np.arange(1, 4_001)
        mean = np.cumsum(values) / n
        error = np.sqrt((np.cumsum(values**2) / n - mean**2) / n)
        wrong += bool(np.any(np.abs(mean[200::20]) > 1.96 * error[200::20]))
    assert wrong > 0.15 * 300


@pytest.mark.slow
@pytest.mark.parametrize("skewed", [False, True])
def test_alpha_holds_under_continuous_peeking(skewed: bool) -> None:
    found = find_verdicts(0.0, runs=5_000, n=10_000, look=5, skewed=skewed)
    share = (found[A_BETTER] + found[B_BETTER]) / 5_000
    print(f"skewed={skewed}: {100 * share:.2f} % false verdicts; {found}")  # noqa: T201
    assert share <= 0.05


@pytest.mark.slow
def test_the_confidence_sequence_covers_the_truth_at_every_look() -> None:
    missed = 0
    for seed in range(2_000):
        values = draw(0.0, 10_000, seed, skewed=True)
        n = np.arange(1, len(values) + 1)
        mean = np.cumsum(values) / n
        variance = np.maximum(np.cumsum(values**2) / n - mean**2, 1e-12) * n / np.maximum(1, n - 1)
        looks = n[199::10]
        reach = [sequential.measure_reach(int(k), float(variance[k - 1]), 0.05) for k in looks]
        missed += bool(np.any(np.abs(mean[looks - 1]) > reach))
    print(f"missed at some look: {100 * missed / 2_000:.2f} %")  # noqa: T201
    assert missed <= 0.05 * 2_000
