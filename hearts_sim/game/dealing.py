"""Shuffling, dealing and passing, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.game import rng
from hearts_sim.game.cards import CLUBS, QUEEN_OF_SPADES, count, lowest, nth_card
from hearts_sim.game.jit import at, compiled
from hearts_sim.game.rng import philox

_ZERO = np.uint64(0)


@compiled
def _next_word(words: Any, used: Any, seed: Any, deal: Any, game: Any) -> Any:
    """Return the next dealing word with the block of four it came from and how many of all words are used."""
    if used & 3 == 0:
        words = philox(seed, rng.DEALING, np.uint64(used >> 2), deal, game)
    place = used & 3
    word = words[0] if place == 0 else words[1] if place == 1 else words[2] if place == 2 else words[3]
    return word, words, used + 1


@compiled
def deal_hands(game: Any, key: Any) -> None:
    """Deal the cards of the table's deal number into ``me[at(seat)].hand`` and the kitty.

    ``key`` is the game number of the random streams. Exactly uniform: a word serves a group of draws, and is rejected
    when the group's joint bound does not divide evenly (Brackett-Rozinsky and Lemire, 2024).
    """
    rules = game.table.rules
    deal = np.uint64(game.table.deal_number)
    left = rules.deck
    size = np.uint64(count(left))
    words = (_ZERO, _ZERO, _ZERO, _ZERO)
    used = 0
    seat, room, hand = 0, rules.hand_size, _ZERO
    for group in range(rules.group_count):
        product = rules.group_products[at(group)]
        word, words, used = _next_word(words, used, game.seed, deal, key)
        if word * product < product:
            threshold = (~product + np.uint64(1)) % product
            while word * product < threshold:
                word, words, used = _next_word(words, used, game.seed, deal, key)
        for _ in range(rules.group_sizes[at(group)]):
            card = nth_card(left, rng.multiply_high(word, size))
            word *= size
            size -= np.uint64(1)
            left ^= card
            hand |= card
            room -= 1
            if room == 0:
                game.me[at(seat)].hand = hand
                seat, room, hand = seat + 1, rules.hand_size, _ZERO
    game.kitty = _ZERO
    if rules.kitty_size:
        game.kitty = left
    else:
        game.me[at(seat)].hand = left


@compiled
def key_game(game: Any, key: Any) -> None:
    """Draw the word of each seat from which its random streams of this game start, deal by deal."""
    for seat in range(game.table.rules.seats):
        words = philox(game.seed, rng.SEATS, np.uint64(seat >> 2), _ZERO, key)
        place = seat & 3
        game.seat_words[at(seat)] = (
            words[0] if place == 0 else words[1] if place == 1 else words[2] if place == 2 else words[3]
        )


@compiled
def passable(rules: Any, hand: Any) -> Any:
    """Return the cards of a hand that may be passed: all but the forbidden ones, or all if too few would remain."""
    allowed = hand & ~rules.pass_forbidden
    return allowed if count(allowed) >= rules.pass_cards else hand


@compiled
def exchange_passes(game: Any) -> None:
    """Move all passed cards at once, and note who passed the queen of spades to whom."""
    seats = game.table.rules.seats
    offset = game.table.pass_offset
    for giver in range(seats):
        me = game.me[at(giver)]
        me.passed = game.pass_masks[at(giver)]
        me.hand ^= me.passed
    for giver in range(seats):
        cards_left = game.pass_masks[at(giver)]
        step = offset if offset > 0 else 1
        while cards_left:
            cards_given = cards_left if offset > 0 else lowest(cards_left)
            taker = giver + step
            taker = taker - seats if taker >= seats else taker
            game.me[at(taker)].received |= cards_given
            if cards_given & QUEEN_OF_SPADES:
                game.queen_from = giver
                game.queen_to = taker
            cards_left ^= cards_given
            step += 1
    for taker in range(seats):
        me = game.me[at(taker)]
        me.hand |= me.received


@compiled
def find_opener(game: Any) -> Any:
    """Return the seat that leads to the first trick."""
    rules = game.table.rules
    if rules.opening_lead == 2:
        return (game.table.dealer + 1) % rules.seats
    opener = -1
    lowest_club = ~_ZERO
    for seat in range(rules.seats):
        clubs = game.me[at(seat)].hand & CLUBS
        if clubs and lowest(clubs) < lowest_club:
            lowest_club = lowest(clubs)
            opener = seat
    return opener
