"""Keyed random streams: every draw is a function of what it is for, never of what was drawn before.

Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) with the key
(root seed, purpose) and the counter (block, deal, game, 0) gives the words that deal the cards and one base word per
seat. A seat's own draws are SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) started from that base word, so that one draw
costs two multiplications. Bounded integers are exact: Lemire's method with rejection (ACM TOMACS 29, 2019).
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir as llvm
import numpy as np
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic, overload, register_jitable

from hearts_sim.game import cards as _cards
from hearts_sim.game.jit import compiled

DEALING = np.uint64(1)
SEATS = np.uint64(2)

_MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
_MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
_WEYL_0 = np.uint64(0x9E3779B97F4A7C15)
_WEYL_1 = np.uint64(0xBB67AE8584CAA73B)
_MIX_0 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_1 = np.uint64(0x94D049BB133111EB)
_TIE_TAG = np.uint64(0x6A09E667F3BCC909)
_REPLICATE_STEP = np.uint64(0xD1342543DE82EF95)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_WORD = (1 << 64) - 1


@intrinsic
def _multiply_high(_typing: Any, a: Any, b: Any) -> Any:
    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        wide = llvm.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, llvm.Constant(wide, 64)), llvm.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


@intrinsic
def _must_reject(_typing: Any, low: Any, bound: Any) -> Any:
    """Return whether ``low < 2**64 mod bound``, in a function of its own: once in 2**58 draws, so out of the way."""

    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = llvm.FunctionType(llvm.IntType(1), [llvm.IntType(64)] * 2)
        function = get_or_insert_function(builder.module, kind, "hearts_sim.must_reject")
        if function.is_declaration:
            function.linkage = "internal"
            function.attributes.add("noinline")
            inside = llvm.IRBuilder(function.append_basic_block())
            low, bound = function.args
            inside.ret(inside.icmp_unsigned("<", low, inside.urem(inside.neg(bound), bound)))
        return builder.call(function, args)

    return types.boolean(types.uint64, types.uint64), build


def multiply_high(a: Any, b: Any) -> int:
    """Return the upper 64 bits of the 128-bit product of two words."""
    return int(a) * int(b) >> 64


@overload(multiply_high, strict=False)
def _compile_multiply_high(a: Any, b: Any) -> Any:
    return lambda a, b: _multiply_high(np.uint64(a), np.uint64(b))


@compiled
def philox(seed: Any, purpose: Any, block: Any, deal: Any, game: Any) -> Any:
    """Return four random words for the key (seed, purpose) and the counter (block, deal, game, 0).

    All arguments and results are uint64.
    """
    c0, c1, c2, c3 = block, deal, game, _ZERO
    k0, k1 = seed, purpose
    for _ in range(10):
        high_0 = _multiply_high(_MULTIPLIER_0, c0)
        low_0 = _MULTIPLIER_0 * c0
        high_1 = _multiply_high(_MULTIPLIER_1, c2)
        low_1 = _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0 += _WEYL_0
        k1 += _WEYL_1
    return c0, c1, c2, c3


def mix(word: Any) -> int:
    """Return SplitMix64's output function of a word: a bijection that spreads every bit."""
    z = int(word)
    z = ((z ^ z >> 30) * int(_MIX_0)) & _WORD
    z = ((z ^ z >> 27) * int(_MIX_1)) & _WORD
    return z ^ z >> 31


@overload(mix, strict=False)
def _compile_mix(word: Any) -> Any:
    def mix_word(word: Any) -> Any:
        z = np.uint64(word)
        z = (z ^ (z >> np.uint64(30))) * _MIX_0
        z = (z ^ (z >> np.uint64(27))) * _MIX_1
        return z ^ (z >> np.uint64(31))

    return mix_word


def stream_word(start: Any, counter: Any) -> int:
    """Return the word at a position of the SplitMix64 stream that starts at ``start``."""
    return mix(int(start) + int(counter) * int(_WEYL_0) & _WORD)


@overload(stream_word, strict=False)
def _compile_stream_word(start: Any, counter: Any) -> Any:
    return lambda start, counter: mix(np.uint64(start) + np.uint64(counter) * _WEYL_0)


def scale(word: Any, n: Any) -> int:
    """Return a number 0..n-1 from one random word, or -1 if the word must be rejected to stay exactly uniform."""
    product = int(word) * int(n)
    return product >> 64 if (product & _WORD) >= (1 << 64) % int(n) else -1


@overload(scale, strict=False)
def _compile_scale(word: Any, n: Any) -> Any:
    def scale_word(word: Any, n: Any) -> Any:
        bound = np.uint64(n)
        low = np.uint64(word) * bound
        if low < bound and _must_reject(low, bound):
            return np.int64(-1)
        return np.int64(_multiply_high(np.uint64(word), bound))

    return scale_word


def seat_stream(base: Any, replicate: Any) -> int:
    """Return where a seat's own stream starts, for one replicate of a deal."""
    return mix(int(base) + int(replicate) * int(_REPLICATE_STEP) & _WORD)


@overload(seat_stream, strict=False)
def _compile_seat_stream(base: Any, replicate: Any) -> Any:
    return lambda base, replicate: mix(np.uint64(base) + np.uint64(replicate) * _REPLICATE_STEP)


@register_jitable
def draw_word(me: Any) -> int:
    """Return the next 64 random bits of the seat's own stream."""
    me.draws += _ONE
    return stream_word(me.stream, me.draws)


@register_jitable
def draw_below(n: Any, me: Any) -> int:
    """Return a random whole number from 0 to ``n - 1``, exactly uniform, from the seat's own stream."""
    while True:
        drawn = scale(draw_word(me), n)
        if drawn >= 0:
            return drawn


@register_jitable
def draw_float(me: Any) -> float:
    """Return a random float in [0, 1) from the seat's own stream."""
    return draw_below(9007199254740992, me) / 9007199254740992.0


@register_jitable
def pick(cards: Any, me: Any) -> int:
    """Return a random card of a non-empty set, each equally likely, from the seat's own stream."""
    return _cards.nth_card(cards, draw_below(_cards.count(cards), me))


@register_jitable
def pick_tied(cards: Any, me: Any) -> int:
    """Return one card of a non-empty set of equally good ones, settled by the game's seed.

    The same game settles the same tie the same way, whatever else its strategies draw. A strategy that uses only
    this is deterministic: it is a function of the game's seed and of what it sees.
    """
    counter = int(me.draws) >> 32
    settled = scale(stream_word(me.base ^ _TIE_TAG, counter), _cards.count(cards))
    while settled < 0:
        counter += 1 << 32
        settled = scale(stream_word(me.base ^ _TIE_TAG, counter), _cards.count(cards))
    return _cards.nth_card(cards, settled)
