"""The random streams: exact, known words, and the same words compiled and plain."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_sim.game import cards, notation, reference_cards, rng
from hearts_sim.game.rules import PRESETS

WORD = st.integers(0, 2**64 - 1)
CARDS = st.integers(0, notation.FULL_DECK)
N_KEYS = 10_000


@numba.njit
def compiled_primitives(hand: Any, card: Any, n: Any) -> Any:
    return (
        (cards.count(hand), cards.lowest(hand), cards.highest(hand), cards.nth_card(hand, n)),
        (cards.rank(card), cards.suit_of(card), cards.index(card)),
        (cards.below(hand, card), cards.above(hand, card), cards.same_rank(hand, card)),
        (cards.without(hand, card), cards.avoid(hand, card)),
    )


@numba.njit
def compiled_streams(word: Any, n: Any, counter: Any) -> Any:
    scaled = rng.scale(word, n)
    return rng.mix(word), rng.stream_word(word, counter), scaled, rng.seat_stream(word, counter)


@numba.njit
def fill_stream(start: Any, words: Any) -> Any:
    for place in range(len(words)):
        words[place] = rng.stream_word(start, place + 1)


def compiled_words(seed: int, n: int) -> list[int]:
    words = np.zeros(n, np.uint64)
    fill_stream(np.uint64(seed), words)
    return [int(word) for word in words]


def plain_words(seed: int, n: int) -> list[int]:
    return [rng.stream_word(seed, position) for position in range(1, n + 1)]


def reference_words(seed: int, n: int) -> list[int]:
    return [reference_cards.split_mix(seed, position) for position in range(1, n + 1)]


def numpy_philox(key: tuple[int, int], counter: tuple[int, ...]) -> list[int]:
    """Return numpy's words at a counter; numpy adds one to its counter before the first words."""
    number = (sum(word << (64 * place) for place, word in enumerate(counter)) - 1) % 2**256
    start = np.array([number >> (64 * place) & (2**64 - 1) for place in range(4)], np.uint64)
    source = np.random.Philox(key=np.array(key, np.uint64), counter=start)
    return [int(word) for word in source.random_raw(4)]


@given(seed=WORD, purpose=WORD, block=WORD, deal=WORD, game=WORD)
def test_philox_is_numpys(seed: int, purpose: int, block: int, deal: int, game: int) -> None:
    expected = numpy_philox((seed, purpose), (block, deal, game, 0))
    assert list(reference_cards.philox(seed, purpose, block, deal, game)) == expected
    words = rng.philox(*(np.uint64(word) for word in (seed, purpose, block, deal, game)))
    assert [int(word) for word in words] == expected


def draw_rows(columns: int) -> list[list[int]]:
    """Return rows of words: every mix of 0, 1, 2**63 and 2**64 - 1, then N_KEYS random ones."""
    corners = [list(row) for row in itertools.product((0, 1, 2**63, 2**64 - 1), repeat=columns)]
    words = np.random.default_rng(20).integers(0, 2**64, (N_KEYS, columns), np.uint64)
    return corners + [[int(word) for word in row] for row in words]


def test_philox_is_numpys_for_ten_thousand_keys() -> None:
    rows = draw_rows(5)
    assert len({(seed, purpose) for seed, purpose, *_ in rows}) >= N_KEYS
    for seed, purpose, block, deal, game in rows:
        expected = numpy_philox((seed, purpose), (block, deal, game, 0))
        words = rng.philox(*(np.uint64(word) for word in (seed, purpose, block, deal, game)))
        assert [int(word) for word in words] == expected, (seed, purpose, block, deal, game)
        assert list(reference_cards.philox(seed, purpose, block, deal, game)) == expected


def test_philox_gives_its_published_words() -> None:
    # philox4x64 10, key and counter 0, in the authors' kat_vectors (Random123)
    expected = [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]
    assert numpy_philox((0, 0), (0, 0, 0, 0)) == expected
    assert [int(word) for word in rng.philox(*[np.uint64(0)] * 5)] == expected
    assert list(reference_cards.philox(0, 0, 0, 0, 0)) == expected


def split_mix_words(seed: int, n: int) -> list[int]:
    """Return the first n words of SplitMix64 with a running state, as in the authors' splitmix64.c."""
    state, words = seed, []
    for _ in range(n):
        state = state + 0x9E3779B97F4A7C15 & 2**64 - 1
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
        z = (z ^ z >> 27) * 0x94D049BB133111EB & 2**64 - 1
        words.append(z ^ z >> 31)
    return words


@pytest.mark.parametrize("give_words", [split_mix_words, plain_words, compiled_words, reference_words])
def test_split_mix_gives_its_published_words(give_words: Any) -> None:
    # seed 1234567 on Rosetta Code, "Pseudo-random numbers/Splitmix64"
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    expected += [4593380528125082431, 16408922859458223821]
    assert give_words(1234567, 5) == expected


def test_split_mix_by_position_is_split_mix_by_running_state() -> None:
    for (seed,) in draw_rows(1):
        expected = split_mix_words(seed, 3)
        assert compiled_words(seed, 3) == expected
        assert reference_words(seed, 3) == expected
    for seed in (0, 1, 2**64 - 1):
        assert compiled_words(seed, 1_000) == plain_words(seed, 1_000) == split_mix_words(seed, 1_000)


@given(hand=CARDS.filter(bool), other=st.integers(0, 51), data=st.data())
def test_card_functions_are_the_same_compiled_and_plain(hand: int, other: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, hand.bit_count() - 1))
    plain = compiled_primitives.py_func(hand, 1 << other, n)
    compiled = compiled_primitives(np.uint64(hand), np.uint64(1 << other), n)
    for left, right in zip(plain, compiled, strict=True):
        assert [int(value) for value in left] == [int(value) for value in right]


@given(hand=CARDS.filter(bool), other=st.integers(0, 51))
def test_card_functions_say_what_they_mean(hand: int, other: int) -> None:
    held = notation.list_cards(hand)
    card = 1 << other
    assert cards.lowest(hand) == 1 << held[0]
    assert cards.highest(hand) == 1 << held[-1]
    assert [cards.nth_card(hand, n) for n in range(len(held))] == [1 << index for index in held]
    same_suit = [index for index in held if index % 4 == other % 4]
    assert cards.below(hand, card) == sum(1 << index for index in same_suit if index < other)
    assert cards.above(hand, card) == sum(1 << index for index in same_suit if index > other)


@given(word=WORD, n=st.integers(1, 2**63), counter=st.integers(0, 2**62))
def test_streams_are_the_same_compiled_and_plain(word: int, n: int, counter: int) -> None:
    plain = compiled_streams.py_func(word, n, counter)
    compiled = compiled_streams(np.uint64(word), np.uint64(n), np.uint64(counter))
    assert [int(value) for value in plain] == [int(value) for value in compiled]


@given(n=st.integers(1, 2**40), data=st.data())
def test_scaling_is_exact(n: int, data: st.DataObject) -> None:
    """Each number below n is given by the same number of accepted words."""
    k = data.draw(st.integers(0, n - 1))
    first = -(-k * 2**64 // n)
    after = -(-(k + 1) * 2**64 // n)
    rejected = sum(rng.scale(word, n) < 0 for word in {first, after - 1})
    assert after - first - rejected == 2**64 // n
    assert {rng.scale(word, n) for word in range(first + 1, min(first + 4, after))} <= {k}


def test_a_rejected_word_is_replaced_by_the_next() -> None:
    n = 2**63 + 1
    rejecting = next(p for p in range(1, 100) if rng.scale(rng.stream_word(5, p), n) < 0)
    me = SimpleNamespace(stream=5, draws=rejecting - 1)
    assert 0 <= rng.draw_below(n, me) < n
    assert int(me.draws) > rejecting


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_is_a_partition_of_the_deck(preset: str) -> None:
    rules = PRESETS[preset].rules
    for game in range(50):
        hands, kitty = reference_cards.deal_cards(rules, 0, game, 1)
        assert sum(hands) + kitty == rules.deck
        assert {hand.bit_count() for hand in hands} == {rules.hand_size}
        assert kitty.bit_count() == rules.kitty_size


def test_two_seeds_share_no_deal() -> None:
    rules = PRESETS["standard"].rules
    deals = {tuple(reference_cards.deal_cards(rules, s, g, 1)[0]) for s in (0, 1) for g in range(256)}
    assert len(deals) == 512
