"""The deals are fair: cards, pairs of cards, suit lengths and successive deals are as chance would have them.

The hands of a deal are sets without an order, so what is counted is who holds a card and which cards are held together.
Cards of one deal exclude each other; the statistics below allow for that exactly, as derived beside each.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from hearts_sim.game import cards, rng
from hearts_sim.game.dealing import deal_hands
from hearts_sim.game.jit import compiled
from hearts_sim.game.notation import CLUBS_BITS, N_CARDS, list_cards
from hearts_sim.game.rules import Rules
from hearts_sim.game.table import GAME, encode_rules

N_DEALS = 500_000
N_DEALS_SLOW = 10_000_000
N_SAMPLES, N_DEALS_SAMPLE = 600, 2_000
SEED = 1
DEALS_PER_GAME = 10
FAMILY_LEVEL = 0.01
"""How often all checks of one seat count together would fail fair deals, at most (Bonferroni)."""

LOG = logging.getLogger(__name__)

FAIR, NEVER_HOME, STICKY, EVEN, REPEATING = range(5)


@compiled
def deal_never_home(game: Any, word: Any) -> None:
    """Shuffle by the common mistake that never leaves a card in its place, and deal the deck in order."""
    deck = np.arange(N_CARDS)
    for place in range(N_CARDS - 1, 0, -1):
        other = np.int64(rng.stream_word(word, place) % np.uint64(place))
        deck[place], deck[other] = deck[other], deck[place]
    for seat in range(4):
        hand = np.uint64(0)
        for place in range(13):
            hand |= np.uint64(1) << np.uint64(deck[13 * seat + place])
        game.me[seat].hand = hand


@compiled
def stick_together(game: Any, word: Any) -> None:
    """Put the three of clubs into the hand of the two, for a random card in exchange."""
    two, three = np.uint64(1), np.uint64(16)
    for seat in range(4):
        for other in range(4):
            if game.me[seat].hand & two and game.me[other].hand & three and seat != other:
                others = game.me[seat].hand ^ two
                given = cards.nth_card(others, rng.multiply_high(word, np.uint64(12)))
                game.me[seat].hand ^= given | three
                game.me[other].hand ^= given | three


@compiled
def has_void(game: Any) -> Any:
    found = False
    for seat in range(4):
        for suit in range(4):
            found |= game.me[seat].hand & (cards.CLUBS << np.uint64(suit)) == np.uint64(0)
    return found


@compiled
def deal_by(game: Any, dealer: Any, key: Any, word: Any) -> None:
    """Deal one deal, fairly or with one fault."""
    rarely = word % np.uint64(30) == np.uint64(0)
    if dealer == REPEATING and rarely:
        return
    if dealer == NEVER_HOME:
        deal_never_home(game, word)
        return
    deal_hands(game, key)
    if dealer == STICKY and rarely:
        stick_together(game, rng.mix(word))
    if dealer == EVEN and has_void(game) and word % np.uint64(10) == np.uint64(0):
        deal_hands(game, ~key)


@compiled
def count_deals(
    game: Any, dealer: Any, first: Any, n_deals: Any, by_seat: Any, together: Any, lengths: Any, kept: Any
) -> None:
    """Deal and count: who holds each card, which are held together, suit lengths, and cards that stay with their seat."""
    seats, size = game.table.rules.seats, game.table.rules.hand_size
    held = np.zeros(size, np.int64)
    before = np.zeros(seats, np.uint64)
    for number in range(first, first + n_deals):
        game.table.deal_number = number % DEALS_PER_GAME + 1
        deal_by(game, dealer, np.uint64(number // DEALS_PER_GAME), rng.stream_word(SEED, number))
        for seat in range(seats):
            hand = game.me[seat].hand
            kept[0] += cards.count(hand & before[seat])
            before[seat] = hand
            for suit in range(4):
                lengths[seat, suit, cards.count(hand & (cards.CLUBS << np.uint64(suit)))] += 1
            for place in range(size):
                card = cards.index(cards.lowest(hand))
                hand &= hand - np.uint64(1)
                held[place] = card
                by_seat[card, seat] += 1
                for earlier in range(place):
                    together[held[earlier], card] += 1


@dataclass
class Counts:
    """What was counted in ``n`` deals.

    Attributes
    ----------
    by_seat : array of int64, shape (52, seats)
        How often each seat held each card.
    together : array of int64, shape (52, 52)
        How often the first card, the lower one, was in one hand with the second.
    lengths : array of int64, shape (seats, 4, 14)
        How often each seat held so many cards of each suit.
    kept : int
        How many cards stayed with their seat from one deal to the next, over all deals.
    """

    rules: Rules
    n: int
    by_seat: npt.NDArray[np.int64]
    together: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    kept: int


def count(n_deals: int, seats: int = 4, dealer: int = FAIR, first: int = 0) -> Counts:
    """Deal from deal number ``first`` on, ten to a game, and count."""
    rules = Rules(seats=seats)
    game = np.zeros(1, GAME)[0]
    game["table"]["rules"] = encode_rules(rules)
    game["seed"] = SEED
    by_seat = np.zeros((N_CARDS, seats), np.int64)
    together = np.zeros((N_CARDS, N_CARDS), np.int64)
    lengths = np.zeros((seats, 4, 18), np.int64)
    kept = np.zeros(1, np.int64)
    count_deals(game, dealer, first, n_deals, by_seat, together, lengths, kept)
    return Counts(rules, n_deals, by_seat, together, lengths, int(kept[0]))


def check_seats(counts: Counts) -> float:
    """Return the p-value of card x seat.

    Of D cards and s seats, the covariance of "card c at seat t" is ((I - J/D) D/(D-1)) x (I/s - J/s**2): Pearson's
    statistic is D/(D-1) times a chi-square with (D-1)(s-1) degrees of freedom.
    """
    deck, seats = list_cards(counts.rules.deck), counts.rules.seats
    expected = counts.n / seats
    statistic = ((counts.by_seat[deck] - expected) ** 2 / expected).sum()
    size = len(deck)
    return float(stats.chi2.sf(statistic * (size - 1) / size, (size - 1) * (seats - 1)))


def correlate_pairs(pairs: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.float64]:
    """Return the correlations of "these two are in one hand" between pairs of D cards.

    1 for a pair with itself, -1/(D-2) for pairs that share a card, 2/((D-2)(D-3)) for others: every card is with
    exactly h - 1 others, so that the rows of the matrix over all pairs add up to 0 card by card.
    """
    shared = (pairs[:, None, :, None] == pairs[None, :, None, :]).sum(axis=(2, 3))
    correlations: npt.NDArray[np.float64] = np.choose(
        shared, [2 / ((size - 2) * (size - 3)), -1 / (size - 2), 1.0]
    )
    return correlations


def spread_pairs(counts: Counts, pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return how far each pair's count is from its mean, in standard deviations."""
    chance = (counts.rules.hand_size - 1) / (counts.rules.deck.bit_count() - 1)
    held = counts.together[pairs[:, 0], pairs[:, 1]]
    spread: npt.NDArray[np.float64] = (held - counts.n * chance) / np.sqrt(counts.n * chance * (1 - chance))
    return spread


def check_all_pairs(counts: Counts) -> float:
    """Return the p-value of all D(D-1)/2 pairs: the correlations are (D-1)/(D-3) times a projection of rank D(D-3)/2."""
    deck = list_cards(counts.rules.deck)
    pairs = np.array([(low, high) for low in deck for high in deck if low < high])
    size = len(deck)
    statistic = (spread_pairs(counts, pairs) ** 2).sum() * (size - 3) / (size - 1)
    return float(stats.chi2.sf(statistic, size * (size - 3) / 2))


def check_neighbours(counts: Counts, step: int) -> float:
    """Return the p-value of the pairs of cards that are ``step`` apart: 1 the next suit, 4 the next rank."""
    deck = list_cards(counts.rules.deck)
    pairs = np.array([(c, c + step) for c in deck if c + step in deck and (step == 4 or c % 4 < 3)])
    spread = spread_pairs(counts, pairs)
    statistic = spread @ np.linalg.solve(correlate_pairs(pairs, len(deck)), spread)
    return float(stats.chi2.sf(statistic, len(pairs)))


def check_lengths(counts: Counts, seat: int, suit: int) -> float:
    """Return the p-value of one seat's lengths of one suit against the hypergeometric distribution."""
    rules = counts.rules
    n_suit = (rules.deck & CLUBS_BITS << suit).bit_count()
    observed = counts.lengths[seat, suit]
    expected = counts.n * stats.hypergeom.pmf(
        np.arange(len(observed)), rules.deck.bit_count(), n_suit, rules.hand_size
    )
    rare = expected < 5
    rarest = int(np.argmin(np.where(rare, np.inf, expected)))  # takes in what is rarer still
    seen, mean = observed[~rare].astype(float), expected[~rare]
    seen[(~rare)[:rarest].sum()] += observed[rare].sum()
    mean[(~rare)[:rarest].sum()] += expected[rare].sum()
    return float(stats.chi2.sf(((seen - mean) ** 2 / mean).sum(), len(mean) - 1))


def check_kept(counts: Counts) -> float:
    """Return the p-value of how many cards stay with their seat from deal to deal.

    Two independent deals share D/s cards on average, with a variance of D**2/(D-1) (s-1)/s**2: the trace of the
    square of the covariance in `check_seats`.
    """
    size, seats, steps = counts.rules.deck.bit_count(), counts.rules.seats, counts.n - 1
    variance = size**2 / (size - 1) * (seats - 1) / seats**2
    z = (counts.kept - steps * size / seats) / np.sqrt(steps * variance)
    return float(2 * stats.norm.sf(abs(z)))


def check_deals(counts: Counts) -> dict[str, float]:
    """Return the p-value of every check by its name."""
    lengths = {
        f"length of {suit} at seat {seat}": check_lengths(counts, seat, place)
        for seat in range(counts.rules.seats)
        for place, suit in enumerate("CDSH")
    }
    return {
        "card x seat": check_seats(counts),
        "all pairs": check_all_pairs(counts),
        "neighbours in suit": check_neighbours(counts, 1),
        "neighbours in rank": check_neighbours(counts, 4),
        "kept from deal to deal": check_kept(counts),
    } | lengths


def find_unfair(p_values: dict[str, float]) -> dict[str, float]:
    """Return the checks that fail at a level that holds for all of them together."""
    return {name: p for name, p in p_values.items() if p < FAMILY_LEVEL / len(p_values)}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_deals_are_fair(seats: int) -> None:
    counts = count(N_DEALS, seats)
    size, hand_size = counts.rules.deck.bit_count(), counts.rules.hand_size
    assert counts.by_seat.sum() == N_DEALS * size
    assert counts.together.sum() == N_DEALS * size * (hand_size - 1) / 2
    assert counts.lengths.sum() == N_DEALS * seats * 4
    assert find_unfair(check_deals(counts)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_ten_million_deals_are_fair(seats: int) -> None:
    p_values = check_deals(count(N_DEALS_SLOW, seats))
    smallest = min(p_values, key=lambda name: p_values[name])
    LOG.info(
        "%d seats: of %d p-values the smallest is %.4f, %s",
        seats,
        len(p_values),
        p_values[smallest],
        smallest,
    )
    assert find_unfair(p_values) == {}


@pytest.mark.parametrize(
    ("dealer", "found"),
    [
        (NEVER_HOME, "card x seat"),
        (STICKY, "all pairs"),
        (STICKY, "neighbours in rank"),
        (EVEN, "length of C at seat 0"),
        (REPEATING, "kept from deal to deal"),
    ],
)
def test_a_dealer_with_a_fault_is_caught(dealer: int, found: str) -> None:
    assert found in find_unfair(check_deals(count(N_DEALS, dealer=dealer)))


def test_p_values_of_fair_deals_are_spread_evenly() -> None:
    """Each statistic has the distribution that it is said to have."""
    samples = [check_deals(count(N_DEALS_SAMPLE, first=n * N_DEALS_SAMPLE)) for n in range(N_SAMPLES)]
    evenness = {
        name: float(stats.kstest([p_values[name] for p_values in samples], "uniform").pvalue)
        for name in samples[0]
    }
    assert find_unfair(evenness) == {}
