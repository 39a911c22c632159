"""The reference game's chance: random words, the deal and the seats' words, in plain integers.

Written from the description in docs/design.md and independent of the compiled `rng` and `dealing`, so that
the tests can hold one against the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from hearts_sim.game.notation import list_cards
from hearts_sim.game.rules import Rules

WORD = 2**64
DEALING, SEATS = 1, 2


def philox(seed: int, purpose: int, block: int, deal: int, game: int) -> tuple[int, int, int, int]:
    """Return the four words of Philox4x64-10 for key (seed, purpose) and counter (block, deal, game, 0).

    Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
    """
    counter = (block, deal, game, 0)
    key = (seed, purpose)
    for _ in range(10):
        left = 0xD2E7470EE14C6C93 * counter[0]
        right = 0xCA5A826395121157 * counter[2]
        counter = (
            right // WORD ^ counter[1] ^ key[0],
            right % WORD,
            left // WORD ^ counter[3] ^ key[1],
            left % WORD,
        )
        key = ((key[0] + 0x9E3779B97F4A7C15) % WORD, (key[1] + 0xBB67AE8584CAA73B) % WORD)
    return counter


def split_mix(start: int, position: int) -> int:
    """Return the word at a position, counted from 1, of the SplitMix64 stream that starts at ``start``.

    Position 0 applies the output function to ``start`` itself. Source: Steele, Lea, Flood, OOPSLA 2014.
    """
    word = (start + position * 0x9E3779B97F4A7C15) % WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def seat_word(seed: int, game: int, seat: int) -> int:
    """Return a seat's word for a game."""
    return philox(seed, SEATS, seat // 4, 0, game)[seat % 4]


def seat_base(seed: int, game: int, seat: int, deal_number: int) -> int:
    """Return a seat's base word in one deal of a game: what settles its ties."""
    return split_mix(seat_word(seed, game, seat), deal_number)


def seat_stream(base: int, replicate: int) -> int:
    """Return where the seat's own random stream starts in one replicate of a deal."""
    return split_mix((base + replicate * 0xD1342543DE82EF95) % WORD, 0)


def group_bounds(size: int, draws: int) -> list[list[int]]:
    """Return the bounds size, size-1, ... of all draws in groups whose product stays under 2**56."""
    groups: list[list[int]] = [[]]
    product = 1
    for bound in range(size, size - draws, -1):
        if product * bound >= 2**56:
            groups.append([])
            product = 1
        groups[-1].append(bound)
        product *= bound
    return groups


@dataclass
class WordSource:
    """The words that deal one deal's cards, in order."""

    seed: int
    game: int
    deal_number: int
    used: int = 0

    def next_word(self) -> int:
        """Return the next word."""
        block, place = divmod(self.used, 4)
        self.used += 1
        return philox(self.seed, DEALING, block, self.deal_number, self.game)[place]


def draw_group(words: WordSource, bounds: list[int]) -> list[int]:
    """Return one exactly uniform number below each bound, all from one word.

    Source: Brackett-Rozinsky, Lemire, "Batched ranged random integer generation", 2024.
    """
    product = 1
    for bound in bounds:
        product *= bound
    word = words.next_word()
    while word * product % WORD < WORD % product:
        word = words.next_word()
    drawn = []
    for bound in bounds:
        drawn.append(word * bound // WORD)
        word = word * bound % WORD
    return drawn


def deal_cards(rules: Rules, seed: int, game: int, deal_number: int) -> tuple[list[int], int]:
    """Return the hands by seat and the kitty, as sets."""
    words = WordSource(seed, game, deal_number)
    left = list_cards(rules.deck)
    has_kitty = rules.kitty_size > 0
    draws = rules.hand_size * (rules.seats if has_kitty else rules.seats - 1)
    drawn = [
        left.pop(place) for bounds in group_bounds(len(left), draws) for place in draw_group(words, bounds)
    ]
    order = drawn if has_kitty else drawn + left
    size = rules.hand_size
    hands = [sum(1 << card for card in order[seat * size : (seat + 1) * size]) for seat in range(rules.seats)]
    return hands, sum(1 << card for card in left) if has_kitty else 0
