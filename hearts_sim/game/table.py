"""The records of a game: `Table` is what everyone knows, `Seat` what one seat alone knows.

A compiled strategy receives one of each. Every whole number is int64, every set of cards uint64, so that arithmetic in
a strategy needs no casts. The loop's own record (`GAME`) holds both and what no strategy may see.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from hearts_sim.game import notation
from hearts_sim.game.rules import CHOICES, MAX_CYCLE, QUEEN, Rules

MAX_SEATS = 6
MAX_PARAMS = 16
MEMORY_WORDS = 16

RULES = np.dtype(
    [
        ("seats", "i8"),
        ("hand_size", "i8"),
        ("kitty_size", "i8"),
        ("deck", "u8"),
        ("pass_cards", "i8"),
        ("pass_offsets", "i8", (MAX_CYCLE,)),
        ("cycle_length", "i8"),
        ("pass_forbidden", "u8"),
        ("opening_lead", "i8"),
        ("first_trick_barred", "u8"),
        ("breaking_cards", "u8"),
        ("unbroken_barred", "u8"),
        ("always_broken", "i8"),
        ("hearts_allowed", "i8"),
        ("penalty_cards", "u8"),
        ("plain_points", "i8"),
        ("queen_points", "i8"),
        ("card_points", "i8", (notation.N_CARDS,)),
        ("total_points", "i8"),
        ("moon_cards", "u8"),
        ("moon", "i8"),
        ("sun", "i8"),
        ("kitty", "i8"),
        ("bonus_card", "u8"),
        ("bonus_points", "i8"),
        ("no_tricks_bonus", "i8"),
        ("doubling_card", "u8"),
        ("target", "i8"),
        ("exact_target", "i8"),
        ("play_on", "i8"),
        ("max_deals", "i8"),
        ("deals_per_game", "i8"),
        ("group_count", "i8"),
        ("group_sizes", "i8", (8,)),
        ("group_products", "u8", (8,)),
    ],
    align=True,
)
"""`Rules` as the loop reads it: choices are indices into `rules.CHOICES`, cards are masks."""

TABLE = np.dtype(
    [
        ("rules", RULES),
        ("seats", "i8"),
        ("deal_number", "i8"),
        ("pass_offset", "i8"),
        ("dealer", "i8"),
        ("scores", "i8", (MAX_SEATS,)),
        ("points", "i8", (MAX_SEATS,)),
        ("tricks", "i8", (MAX_SEATS,)),
        ("taken", "u8", (MAX_SEATS,)),
        ("played_by", "u8", (MAX_SEATS,)),
        ("voids", "u8", (MAX_SEATS,)),
        ("played", "u8"),
        ("hearts_broken", "i8"),
        ("trick_number", "i8"),
        ("trick", "u8", (MAX_SEATS,)),
        ("trick_length", "i8"),
        ("trick_cards", "u8"),
        ("leader", "i8"),
        ("led_suit", "u8"),
        ("best_card", "u8"),
        ("best_seat", "i8"),
    ],
    align=True,
)
"""What everyone at the table knows.

``deal_number`` and ``trick_number`` count from 1. ``pass_offset`` is how many seats to the left the cards go: 0 hold,
-1 scatter. ``scores`` are totals before this deal; ``points``, ``tricks`` and ``taken`` (cards) are what each seat has
taken in this deal so far. ``voids[s]`` holds all cards of each suit that seat ``s`` has failed to follow. ``trick``
holds the current trick's cards in order of play, ``trick_cards`` their union, ``led_suit`` all cards of the suit led
(none when leading), ``best_card`` the card that is winning and ``best_seat`` who played it.
"""

SEAT = np.dtype(
    [
        ("seat", "i8"),
        ("hand", "u8"),
        ("legal", "u8"),
        ("passed", "u8"),
        ("received", "u8"),
        ("base", "u8"),
        ("stream", "u8"),
        ("draws", "u8"),
        ("params", "f8", (MAX_PARAMS,)),
        ("memory", "u8", (MEMORY_WORDS,)),
        ("game_memory", "u8", (MEMORY_WORDS,)),
    ],
    align=True,
)
"""What one seat alone knows.

``legal`` holds the cards that may be played, or passed while passing. ``params`` are the strategy's parameters in the
order of their declaration. ``memory`` is cleared at each deal, ``game_memory`` at each game. ``base``, ``stream`` and
``draws`` belong to `rng`; before a decision ``draws`` is its number (0 for the pass, then the trick's) times 2**32.
"""

ENTRANT = np.dtype(
    [("pass_address", "i8"), ("card_address", "i8"), ("params", "f8", (MAX_PARAMS,))], align=True
)
"""A strategy as the loop reads it; an address of 0 means that it is asked outside the loop."""

JOB = np.dtype(
    [
        ("game", "u8"),
        ("table", "i8"),
        ("seating", "i8"),
        ("first_deal", "i8"),
        ("n_deals", "i8"),
        ("entrants", "i8", (MAX_SEATS,)),
    ],
    align=True,
)
"""One game to play: ``game`` keys the deals, ``seating`` the replicate of the bots' own streams.

Deals are numbered from ``first_deal`` (1 for a whole game); ``n_deals`` > 0 plays just so many, whatever the rules say.
"""

DEAL_ROW = np.dtype(
    [
        ("game", "u8"),
        ("table", "u2"),
        ("seating", "u1"),
        ("deal", "u2"),
        ("pass_offset", "i1"),
        ("entrants", "u1", (MAX_SEATS,)),
        ("points", "i2", (MAX_SEATS,)),
        ("scores", "i2", (MAX_SEATS,)),
        ("opener", "i1"),
        ("moon", "i1"),
        ("sun", "i1"),
        ("threat", "i1"),
        ("queen_taker", "i1"),
        ("queen_from", "i1"),
        ("queen_to", "i1"),
        ("queen_trick", "u1"),
        ("broken_trick", "u1"),
        ("bonus_taker", "i1"),
        ("ended", "u1"),
    ]
)
"""One deal as it is stored. Seats are -1 where nobody; tricks count from 1, 0 where it did not happen.

``points`` are what the deal added to each score, ``scores`` the totals after it. ``moon`` took every penalty card,
``sun`` every trick, ``threat`` had 13 or more points while nobody else had any. ``queen_from`` passed the queen to
``queen_to``. ``ended`` is 0 if the game goes on, 1 if it ended, 2 if it was stopped at the deal cap.
"""

CARDS_ROW = np.dtype(
    [("dealt", "u8", (MAX_SEATS,)), ("passed", "u8", (MAX_SEATS,)), ("plays", "u1", (notation.N_CARDS,))]
)
"""The cards of one deal: dealt and passed sets by seat, then the cards 0..51 in order of play."""

GAME = np.dtype(
    [
        ("table", TABLE),
        ("me", SEAT, (MAX_SEATS,)),
        ("seed", "u8"),
        ("job", "i8"),
        ("row", "i8"),
        ("phase", "i8"),
        ("turn", "i8"),
        ("asked", "i8"),
        ("answer", "u8"),
        ("answered", "i8"),
        ("fault", "i8"),
        ("pass_masks", "u8", (MAX_SEATS,)),
        ("kitty", "u8"),
        ("kitty_taker", "i8"),
        ("opener", "i8"),
        ("threat", "i8"),
        ("points_out", "i8"),
        ("queen_from", "i8"),
        ("queen_to", "i8"),
        ("queen_taker", "i8"),
        ("queen_trick", "i8"),
        ("broken_trick", "i8"),
        ("cycle_step", "i8"),
        ("seat_words", "u8", (MAX_SEATS,)),
        ("logs_cards", "i8"),
        ("plays", "u8", (notation.N_CARDS,)),
        ("dealt", "u8", (MAX_SEATS,)),
        ("card_addresses", "i8", (MAX_SEATS,)),
        ("pass_addresses", "i8", (MAX_SEATS,)),
    ],
    align=True,
)
"""Everything the loop keeps between calls; no strategy ever sees it."""

TableType = numba.from_dtype(TABLE)
SeatType = numba.from_dtype(SEAT)


def _mask(names: tuple[str, ...]) -> int:
    return notation.parse_cards(" ".join(names))


def _group_draws(size: int, draws: int) -> tuple[list[int], list[int]]:
    """Split the draws with bounds size, size-1, ... into groups whose product stays under 2**56."""
    sizes, products = [0], [1]
    for bound in range(size, size - draws, -1):
        if products[-1] * bound >= 1 << 56:
            sizes.append(0)
            products.append(1)
        sizes[-1] += 1
        products[-1] *= bound
    return sizes, products


def encode_rules(rules: Rules) -> npt.NDArray[Any]:
    """Return the rules as one `RULES` record (a 0-dimensional structured array)."""
    record = np.zeros((), RULES)
    points = rules.card_points
    penalty = sum(1 << card for card in points)
    hearts = notation.HEARTS_BITS
    queen_barred = QUEEN if rules.queen_lead == "after_break" else 0
    breaking = {"heart": hearts, "heart_or_queen": hearts | QUEEN, "any_penalty": penalty, "never_needed": 0}
    bonus = 0 if rules.bonus_card is None else _mask((rules.bonus_card,))
    never = rules.hearts_break_by == "never_needed"
    draws = rules.deck.bit_count() - (rules.hand_size if rules.kitty_size == 0 else rules.kitty_size)
    sizes, products = _group_draws(rules.deck.bit_count(), draws)
    values: dict[str, Any] = {
        "seats": rules.seats,
        "hand_size": rules.hand_size,
        "kitty_size": rules.kitty_size,
        "deck": rules.deck,
        "pass_cards": rules.pass_cards,
        "cycle_length": len(rules.pass_offsets),
        "pass_forbidden": _mask(rules.pass_forbidden),
        "first_trick_barred": (hearts | QUEEN) if rules.first_trick_points == "forbidden" else 0,
        "breaking_cards": breaking[rules.hearts_break_by],
        "unbroken_barred": 0 if never else hearts | queen_barred,
        "always_broken": never,
        "hearts_allowed": rules.queen_or_hearts_lead == "hearts_allowed",
        "penalty_cards": penalty,
        "plain_points": rules.hearts_points == "one" and not rules.spade_honours and bool(penalty & QUEEN),
        "queen_points": rules.queen_points,
        "total_points": rules.total_points,
        "moon_cards": penalty | (bonus if rules.bonus_in_moon else 0),
        "bonus_card": bonus,
        "bonus_points": rules.bonus_points,
        "no_tricks_bonus": rules.no_tricks_bonus,
        "doubling_card": 0 if rules.doubling_card is None else _mask((rules.doubling_card,)),
        "target": rules.target,
        "play_on": rules.tie == "play_on",
        "max_deals": rules.max_deals,
        "deals_per_game": rules.deals_per_game,
        "group_count": len(sizes),
    }
    for name in ("opening_lead", "moon", "sun", "kitty", "exact_target"):
        values[name] = CHOICES[name].index(getattr(rules, name))
    for name, value in values.items():
        record[name] = value
    record["pass_offsets"][: len(rules.pass_offsets)] = rules.pass_offsets
    record["group_sizes"][: len(sizes)] = sizes
    record["group_products"][: len(products)] = products
    for card, worth in points.items():
        record["card_points"][card] = worth
    return record
