"""Sets of cards for strategies and the loop: one uint64 mask, the same text compiled or plain.

A single card is a mask with one bit. Every function here works in compiled strategies and in plain Python,
where masks are Python integers. The primitives (`count`, `lowest`, `highest`, `nth_card`) compile to single
instructions.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm_binding
import llvmlite.ir as llvm
import numpy as np
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic, overload, register_jitable

from hearts_sim.game import notation


def _constant(cards: int) -> int:
    """Return a set as numba wants a global one, a uint64; to a type checker it is a number like all sets."""
    return np.uint64(cards)  # type: ignore[return-value]


NONE = _constant(0)
CLUBS = _constant(notation.CLUBS_BITS)
DIAMONDS = _constant(notation.DIAMONDS_BITS)
SPADES = _constant(notation.SPADES_BITS)
HEARTS = _constant(notation.HEARTS_BITS)
QUEEN_OF_SPADES = _constant(1 << notation.card_index("QS"))
KING_OF_SPADES = _constant(1 << notation.card_index("KS"))
ACE_OF_SPADES = _constant(1 << notation.card_index("AS"))
TWO_OF_CLUBS = _constant(1 << notation.card_index("2C"))
JACK_OF_DIAMONDS = _constant(1 << notation.card_index("JD"))
HIGH_SPADES = QUEEN_OF_SPADES | KING_OF_SPADES | ACE_OF_SPADES
LOW_SPADES = _constant(int(SPADES) & (int(QUEEN_OF_SPADES) - 1))
PENALTY_CARDS = HEARTS | QUEEN_OF_SPADES
FULL_DECK = _constant(notation.FULL_DECK)

_ONE = _constant(1)
_FOUR_SUITS = _constant(15)
_U64 = llvm.IntType(64)
HAS_PDEP = "bmi2" in str(llvm_binding.get_host_cpu_features().flatten()).replace("-bmi2", "")


def count(cards: Any) -> int:
    """Return how many cards a set holds."""
    return int(cards).bit_count()


def lowest(cards: Any) -> int:
    """Return the lowest card of a set, equal ranks ordered C D S H; the empty set gives itself."""
    return int(cards) & -int(cards)


def highest(cards: Any) -> int:
    """Return the highest card of a set, equal ranks ordered C D S H; the empty set gives itself."""
    return 1 << int(cards).bit_length() - 1 if cards else 0


def nth_card(cards: Any, n: int) -> int:
    """Return the card of a set that has exactly ``n`` lower ones, ``0 <= n < count(cards)``."""
    left = int(cards)
    for _ in range(int(n)):
        left &= left - 1
    return left & -left


def rank(card: Any) -> int:
    """Return the rank of one card: 0 for a two to 12 for an ace."""
    return (int(card).bit_length() - 1) // 4


def suit_of(card: Any) -> int:
    """Return all thirteen cards of the suit of one card."""
    return notation.CLUBS_BITS << ((int(card).bit_length() - 1) & 3)


@register_jitable
def below(cards: int, card: int) -> int:
    """Return the cards of a set that are lower than one card and of its suit."""
    return cards & suit_of(card) & (card - _ONE)


@register_jitable
def above(cards: int, card: int) -> int:
    """Return the cards of a set that are higher than one card and of its suit."""
    return cards & suit_of(card) & (FULL_DECK ^ (card - _ONE) ^ card)


@register_jitable
def without(cards: int, others: int) -> int:
    """Return the cards of a set that are not among the others."""
    return cards ^ (cards & others)


@register_jitable
def avoid(cards: int, others: int) -> int:
    """Return the cards of a set that are not among the others, or the whole set if that leaves none."""
    left = cards ^ (cards & others)
    return left if left else cards


@register_jitable
def same_rank(cards: int, card: int) -> int:
    """Return the cards of a set that have the rank of one card."""
    return cards & (_FOUR_SUITS << np.uint64(4 * rank(card)))  # type: ignore[return-value]


@register_jitable
def index(card: Any) -> int:
    """Return the number 0 to 51 of one card."""
    return count(card - _ONE)


@register_jitable
def points(rules: Any, cards: Any) -> int:
    """Return the penalty points of a set of cards under a table's rules; the bonus card does not count."""
    total = 0
    left = cards & rules.penalty_cards
    while left:
        card = lowest(left)
        total += rules.card_points[index(card)]
        left ^= card
    return total


@intrinsic
def _ctpop(_typing: Any, value: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), build


@intrinsic
def _trailing_zeros(_typing: Any, value: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], llvm.Constant(llvm.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def _highest_bit(_typing: Any, value: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], llvm.Constant(llvm.IntType(1), 0))
        top = llvm.Constant(_U64, 1 << 63)
        shifted = builder.lshr(top, builder.and_(zeros, llvm.Constant(_U64, 63)))
        return builder.select(builder.icmp_unsigned("==", args[0], llvm.Constant(_U64, 0)), args[0], shifted)

    return types.uint64(types.uint64), build


@intrinsic
def _deposit(_typing: Any, value: Any, mask: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = llvm.FunctionType(_U64, (_U64, _U64))
        return builder.call(get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), args)

    return types.uint64(types.uint64, types.uint64), build


@overload(count, strict=False)
def _compile_count(cards: Any) -> Any:
    return lambda cards: _ctpop(np.uint64(cards))


@overload(lowest, strict=False)
def _compile_lowest(cards: Any) -> Any:
    return lambda cards: np.uint64(cards) & (~np.uint64(cards) + _ONE)


@overload(highest, strict=False)
def _compile_highest(cards: Any) -> Any:
    return lambda cards: _highest_bit(np.uint64(cards))


@overload(rank, strict=False)
def _compile_rank(card: Any) -> Any:
    return lambda card: _trailing_zeros(np.uint64(card)) >> 2


@overload(suit_of, strict=False)
def _compile_suit_of(card: Any) -> Any:
    return lambda card: CLUBS << np.uint64(_trailing_zeros(np.uint64(card)) & 3)


@overload(nth_card, strict=False)
def _compile_nth_card(cards: Any, n: Any) -> Any:
    if HAS_PDEP:
        return lambda cards, n: _deposit(_ONE << np.uint64(n), np.uint64(cards))

    def step_through(cards: Any, n: Any) -> Any:
        left = np.uint64(cards)
        for _ in range(n):
            left &= left - _ONE
        return left & (~left + _ONE)

    return step_through
