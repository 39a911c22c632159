"""The block bootstrap: against scipy's, reproducible, and finite or missing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from played import play_deals
from scipy import stats

from hearts_sim.analysis import bootstrap, portions
from hearts_sim.analysis.metrics import list_ratios
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.sums import sum_blocks

Ints = npt.NDArray[np.int64]
RATIOS = {name: ratio for name, ratio in list_ratios(4).items() if name in bootstrap.SKEWED}
COLUMNS = sorted({column for ratio in RATIOS.values() for column in (ratio.top, ratio.bottom)})


def draw(n: int, seed: int) -> tuple[Ints, Ints]:
    generator = np.random.default_rng(seed)
    bottoms = generator.integers(20, 60, (n, 1))
    return generator.poisson(0.02 * bottoms), bottoms


def find(tops: Ints, bottoms: Ints, seed: int = 1, draws: int = 2000) -> bootstrap.Interval | None:
    return bootstrap.find_intervals(tops, bottoms, np.arange(len(tops)), seed, draws=draws)[0]


def test_it_is_efrons_bootstrap_t() -> None:
    """The textbook algorithm, sample by sample, with Poisson counts from another generator."""
    tops, bottoms = draw(60, 1)
    x, n = tops[:, 0], bottoms[:, 0]

    def measure(rows: Ints) -> tuple[float, float]:
        theta = x[rows].sum() / n[rows].sum()
        residual = x[rows] - theta * n[rows]
        return theta, float(np.sqrt((residual**2).sum() * len(rows) / (len(rows) - 1)) / n[rows].sum())

    theta, error = measure(np.arange(60))
    generator = np.random.default_rng(5)
    samples = [measure(np.repeat(np.arange(60), generator.poisson(1, 60))) for _ in range(20_000)]
    low, high = np.quantile([(value - theta) / own for value, own in samples], [0.025, 0.975])
    found = find(tops, bottoms, draws=20_000)
    assert found is not None
    assert found["low"] == pytest.approx(theta - high * error, abs=0.06 * error)
    assert found["high"] == pytest.approx(theta - low * error, abs=0.06 * error)


def test_with_many_blocks_it_agrees_with_scipy() -> None:
    tops, bottoms = draw(3000, 2)
    theirs = stats.bootstrap(
        (tops[:, 0], bottoms[:, 0]),
        lambda x, n, axis=-1: x.sum(axis=axis) / n.sum(axis=axis),
        paired=True,
        n_resamples=4000,
        method="BCa",
        rng=np.random.default_rng(3),
    ).confidence_interval
    found = find(tops, bottoms, draws=4000)
    assert found is not None
    width = theirs.high - theirs.low
    assert [found["low"], found["high"]] == pytest.approx([theirs.low, theirs.high], abs=0.05 * width)


def test_the_seed_alone_decides() -> None:
    tops, bottoms = draw(100, 3)
    assert find(tops, bottoms) == find(tops, bottoms)
    assert find(tops, bottoms, seed=2) != find(tops, bottoms)


@pytest.mark.parametrize("seed", range(5))
def test_the_longer_end_of_a_rare_event_points_away_from_zero(seed: int) -> None:
    generator = np.random.default_rng(seed)
    tops, bottoms = generator.poisson(0.2, (60, 1)), np.full((60, 1), 40)
    found, theta = find(tops, bottoms), tops.sum() / bottoms.sum()
    assert found is not None
    assert found["high"] - theta > theta - found["low"] > 0


@pytest.mark.parametrize("tops", [np.zeros((50, 1), np.int64), np.full((50, 1), 4)])
def test_what_does_not_vary_has_no_bootstrap(tops: Ints) -> None:
    assert find(tops, np.full((50, 1), 4)) is None


def test_an_event_seen_in_one_block_only_has_no_end() -> None:
    tops = np.zeros((50, 1), np.int64)
    tops[7] = 1
    assert find(tops, np.full((50, 1), 4)) is None


@pytest.fixture(scope="module")
def sums() -> pl.DataFrame:
    return sum_blocks(play_deals("greedy ducker low random", 60), 4, 4, Rules())


def collect(parts: list[pl.DataFrame], planned: int = 60) -> portions.Portions:
    return portions.collect(parts, 4, planned, COLUMNS)


def test_intervals_of_a_run_hold_the_estimates_whatever_the_order_of_parts(sums: pl.DataFrame) -> None:
    parts = [sums.filter(pl.col("block") % 3 == i) for i in range(3)]
    found = bootstrap.describe_entrants(collect(parts), RATIOS, 11)
    assert found == bootstrap.describe_entrants(collect(parts[::-1]), RATIOS, 11)
    for e, entrant in enumerate(found):
        own = sums.filter(entrant=e)
        share = own["win60"].sum() / 60 / own["games"].sum()
        interval = entrant["win_share"]
        assert interval is None or 0 <= interval["low"] <= share <= interval["high"] <= 1
    assert found[0]["win_share"] is not None


def test_portions_hold_all_blocks_once(sums: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "find_size", lambda planned: 7)
    few = collect([sums])
    assert (few.n_blocks, list(few.numbers)) == (60, list(range(9)))
    for e in range(4):
        assert few.take(e, "moons").sum() == sums.filter(entrant=e)["moons"].sum()
    assert few.take(0, "deals")[0] == sums.filter(entrant=0)["deals"][:7].sum()


@pytest.mark.parametrize(("planned", "size"), [(0, 1), (1, 1), (4096, 1), (4097, 2), (1_000_000, 245)])
def test_portions_are_at_most_4096(planned: int, size: int) -> None:
    assert portions.find_size(planned) == size


def test_fewer_than_30_blocks_have_no_bootstrap(sums: pl.DataFrame) -> None:
    few = collect([sums.filter(pl.col("block") < 29)])
    assert all(v is None for entrant in bootstrap.describe_entrants(few, RATIOS, 1) for v in entrant.values())
