"""Slow proofs with the real simulator: p-values of equal entrants, and how often intervals hold the truth.

One long run is played for each and cut into runs of ``BLOCKS`` blocks. Its mean is the truth that their intervals must hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from hearts_sim.analysis import bootstrap, comparisons, inference, luce, metrics, moments, portions, ratings
from hearts_sim.analysis.finishes import Finishes, count_finishes
from hearts_sim.bots.play import Session
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.store import frame_deals
from hearts_sim.tournament.sums import sum_blocks

pytestmark = pytest.mark.slow

BLOCKS = 240
"""Ten times all cyclic orders."""
EQUAL = [("random", {}), ("random", {}), ("random", {}), ("random", {})]
NOISY = ("greedy", {"blunder": 0.1})
UNEQUAL = [NOISY, ("ducker", {}), ("low", {}), ("random", {})]
Sub = tuple[int, pl.DataFrame, pl.DataFrame]


def play_runs(entrants: list[tuple[str, dict[str, float]]], runs: int, unit: str, seed: int) -> Iterator[Sub]:
    """Yield the number, the block sums and the last deals of each run; blocks are numbered anew from 0."""
    specs = tuple(EntrantSpec(f"e{i}", name, params) for i, (name, params) in enumerate(entrants))
    design = DesignSpec(unit=unit, blocks=runs * BLOCKS)
    plan = make_plan(Experiment("proof", "", seed, Rules(), specs, design))
    session = Session(Rules(), seed, [load_player(name, None, params) for name, params in entrants])
    for run in range(runs):
        rows = session.play(plan.jobs(run * BLOCKS, (run + 1) * BLOCKS - 1))
        deals = frame_deals(rows, 4).with_columns(pl.col("block") - run * BLOCKS)
        yield run, sum_blocks(deals, 4, len(entrants), Rules()), deals.filter(pl.col("ended") > 0)


def report(title: str, found: dict[str, float]) -> None:
    print(f"\n{title}")  # noqa: T201
    for name, value in found.items():
        print(f"  {name:<28} {value:.4f}")  # noqa: T201


@pytest.mark.parametrize("unit", ["deal", "game"])
def test_p_values_of_equal_entrants_are_uniform_over_1000_runs(unit: str) -> None:
    p_values: dict[str, list[float]] = {}
    ties = 0
    for _, sums, last in play_runs(EQUAL, 1000, unit, seed=101):
        measured = moments.measure([sums], 4, 4)
        names = list("abcd")
        pairs = metrics.summarize_pairs(measured, names)
        first = pairs[0]
        found: dict[str, Any] = {"margin": inference.find_p_value(first["margin"], BLOCKS)}
        ahead = first["finishes_ahead"]
        lead = {"estimate": ahead["estimate"] - 0.5, "se": ahead["se"]}
        found["finishes ahead"] = inference.find_p_value(lead, BLOCKS)
        found["pass directions, jointly"] = metrics.summarize_directions(measured, names, Rules())[0][
            "p_value"
        ]
        rated = luce.fit(count_finishes([last], 4, Rules(), BLOCKS))
        weights = np.zeros(len(rated.theta))
        weights[[0, 1]] = 1, -1
        difference = {
            "estimate": weights @ rated.theta,
            "se": float(np.sqrt(weights @ rated.covariance @ weights)),
        }
        found["ratings"] = inference.find_p_value(difference, BLOCKS)
        for name, p in found.items():
            p_values.setdefault(name, []).append(p)
        estimates = inference.estimate(
            measured.joint, [inference.Ratio(f"points:{e}", f"deals:{e}") for e in range(4)]
        )
        compared = comparisons.compare_all(names, estimates.values, estimates.covariance, BLOCKS)
        ties += any(pair["separated"] for pair in compared)
    uniform = {name: float(stats.kstest(p, "uniform").pvalue) for name, p in p_values.items()}
    report(f"{unit}: Kolmogorov-Smirnov p of 1,000 p-values", uniform)
    report("share below 0.05", {name: float(np.mean(np.array(p) < 0.05)) for name, p in p_values.items()})
    report("any two of four equal entrants told apart", {"share of runs": ties / 1000})
    assert min(uniform.values()) > 0.001
    assert ties / 1000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)


RUNS = 2000


def test_95_percent_intervals_hold_the_truth_95_percent_of_the_time() -> None:
    ratios = metrics.list_ratios(4)
    skewed = {name: ratio for name, ratio in ratios.items() if name in bootstrap.SKEWED}
    columns = sorted({column for ratio in skewed.values() for column in (ratio.top, ratio.bottom)})
    intervals: dict[str, list[tuple[float, float]]] = {}
    total: moments.RunMoments | None = None
    tallies: list[Finishes] = []
    for run, sums, last in play_runs(UNEQUAL, RUNS, "game", seed=202):
        measured = moments.measure([sums], 4, 4)
        total = measured if total is None else total + measured
        for e in range(4):
            described = inference.describe_all(
                inference.estimate(measured.entrants[e], list(ratios.values())), list(ratios.values())
            )
            for name, value in zip(ratios, described, strict=True):
                ends = (np.nan, np.nan) if value is None else (value["low"], value["high"])
                intervals.setdefault(f"{name} {UNEQUAL[e][0]}", []).append(ends)
        own = portions.collect([sums], 4, BLOCKS, columns)
        for e, boots in enumerate(bootstrap.describe_entrants(own, skewed, run, draws=1000)):
            for name, interval in boots.items():
                ends = (np.nan, np.nan) if interval is None else (interval["low"], interval["high"])
                intervals.setdefault(f"bootstrap {name} {UNEQUAL[e][0]}", []).append(ends)
        finishes = count_finishes([last], 4, Rules(), BLOCKS)
        tallies.append(finishes)
        for e, entrant in enumerate(ratings.rate(finishes, list("abcd"), run)["entrants"]):
            for kind in ("rating", "bootstrap"):
                ends = (entrant[kind]["low"], entrant[kind]["high"])
                intervals.setdefault(
                    f"{'' if kind == 'rating' else 'bootstrap '}rating {UNEQUAL[e][0]}", []
                ).append(ends)
    assert total is not None
    truth: dict[str, float] = {}
    for e in range(4):
        values = inference.estimate(total.entrants[e], list(ratios.values())).values
        truth |= {f"{name} {UNEQUAL[e][0]}": float(v) for name, v in zip(ratios, values, strict=True)}
    theta = luce.fit(join(tallies)).theta[:4]
    truth |= {
        f"rating {UNEQUAL[e][0]}": float(1500 + ratings.SCALE * (theta[e] - theta.mean())) for e in range(4)
    }
    covered, missing = {}, {}
    for name, ends in intervals.items():
        low, high = np.array(ends).T
        known = np.isfinite(low)
        own_truth = truth[name.removeprefix("bootstrap ")]
        missing[name] = 1 - float(known.mean())
        covered[name] = (
            float(((low[known] <= own_truth) & (own_truth <= high[known])).mean()) if known.any() else np.nan
        )
    report(f"{RUNS} runs of {BLOCKS} blocks: how often 95 % intervals hold the truth", covered)
    report("without interval", {name: share for name, share in missing.items() if share > 0})
    report("truth", truth)
    wrong = {name: share for name, share in covered.items() if not 0.935 <= share <= 0.965}
    assert not wrong, wrong


def join(tallies: list[Finishes]) -> Finishes:
    """Return the finishes of all runs as one, each run a portion."""
    from scipy.sparse import csr_array

    menus = np.unique(np.concatenate([tally.menus for tally in tallies]), axis=0)
    place = {tuple(menu): i for i, menu in enumerate(menus.tolist())}
    counts = np.zeros((len(tallies), len(menus)))
    for run, tally in enumerate(tallies):
        counts[run, [place[tuple(menu)] for menu in tally.menus.tolist()]] = np.asarray(
            tally.counts.sum(axis=0)
        )
    return Finishes(
        n_entrants=4,
        n_seats=4,
        n_blocks=sum(tally.n_blocks for tally in tallies),
        n_games=sum(tally.n_games for tally in tallies),
        numbers=np.arange(len(tallies)),
        menus=menus,
        counts=csr_array(counts),
        credit=np.stack([tally.credit.sum(axis=0) for tally in tallies]),
        ties=np.stack([tally.ties.sum(axis=0) for tally in tallies]),
        wins=np.stack([tally.wins.sum(axis=0) for tally in tallies]),
        ahead=np.sum([tally.ahead for tally in tallies], axis=0),
    )


def test_simultaneous_intervals_of_pairs_hold_together() -> None:
    """All six differences of points at once, with the real spread and correlation of unequal entrants."""
    kept: list[tuple[np.ndarray, list[dict[str, Any]]]] = []
    for _, sums, _ in play_runs(UNEQUAL, RUNS, "deal", seed=303):
        measured = moments.measure([sums], 4, 4)
        estimates = inference.estimate(
            measured.joint, [inference.Ratio(f"points:{e}", f"deals:{e}") for e in range(4)]
        )
        kept.append(
            (
                estimates.values,
                comparisons.compare_all(list("abcd"), estimates.values, estimates.covariance, BLOCKS),
            )
        )
    means = np.mean([values for values, _ in kept], axis=0)
    truths = [means[a] - means[b] for a, b in itertools.combinations(range(4), 2)]
    held = np.mean(
        [all(p["low"] <= t <= p["high"] for p, t in zip(pairs, truths, strict=True)) for _, pairs in kept]
    )
    report("all six simultaneous intervals hold together", {"share of runs": float(held)})
    assert held == pytest.approx(0.95, abs=0.015)
