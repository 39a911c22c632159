"""Random numbers of analyses: known words, right distributions, and the same whatever the portions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from hearts_sim.analysis import streams
from hearts_sim.game import rng


@pytest.mark.parametrize("start", [0, 1, 2**63, 2**64 - 1])
def test_words_are_those_that_seats_draw_from(start: int) -> None:
    words = streams.draw_words(start, np.arange(1, 50, dtype=np.uint64))
    assert [int(word) for word in words] == [rng.stream_word(start, counter) for counter in range(1, 50)]


def test_the_first_words_of_seed_0_are_the_published_ones() -> None:
    words = streams.draw_words(0, np.arange(1, 4, dtype=np.uint64))
    assert [int(word) for word in words] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_purposes_and_seeds_have_streams_of_their_own() -> None:
    starts = {int(streams.start_stream(seed, purpose)) for seed in range(100) for purpose in range(1, 5)}
    assert len(starts) == 400


def test_normal_numbers_are_normal_and_uncorrelated() -> None:
    found = streams.draw_normals(7, streams.SIMULATION, (20_000, 5))
    assert stats.kstest(found.ravel(), "norm").pvalue > 0.001
    assert np.abs(np.corrcoef(found.T) - np.eye(5)).max() < 4 / np.sqrt(20_000)


def test_counts_are_poissons_with_mean_1() -> None:
    counts = streams.draw_counts(3, 0, 500, 2000)
    observed = np.bincount(counts.ravel(), minlength=7)
    expected = stats.poisson(1).pmf(np.arange(6)) * counts.size
    observed, expected = (
        np.append(observed[:6], observed[6:].sum()),
        np.append(expected, counts.size - expected.sum()),
    )
    assert stats.chisquare(observed, expected).pvalue > 0.001
    assert np.abs(np.corrcoef(counts[:40].astype(float))[np.triu_indices(40, 1)]).max() < 5 / np.sqrt(2000)


def test_counts_of_a_block_do_not_depend_on_who_else_is_drawn() -> None:
    whole = streams.draw_counts(3, 0, 100, 1000)
    parts = [streams.draw_counts(3, first, first + 25, 1000) for first in (0, 25, 50, 75)]
    assert np.array_equal(np.concatenate(parts), whole)
    assert np.array_equal(streams.draw_counts(3, 0, 100, 10), whole[:, :10])
