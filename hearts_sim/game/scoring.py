"""Points of a trick, points of a deal, totals and the end of a game, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.game.cards import HEARTS, QUEEN_OF_SPADES, count, lowest
from hearts_sim.game.jit import compiled
from hearts_sim.game.rules import CHOICES

_SUBTRACT = CHOICES["moon"].index("subtract")
_BEST_FOR_SHOOTER = CHOICES["moon"].index("best_for_shooter")
_SUBTRACT_IF_BEHIND = CHOICES["moon"].index("subtract_if_behind")
_NO_MOON = CHOICES["moon"].index("none")
_SUN_SUBTRACT = CHOICES["sun"].index("subtract")
_HALVE = CHOICES["exact_target"].index("halve_to_50")
_RESET = CHOICES["exact_target"].index("reset_to_0")

GOES_ON, ENDED, CAPPED = 0, 1, 2


@compiled
def points_of(rules: Any, cards: Any) -> Any:
    """Return the penalty points of a set of cards."""
    if rules.plain_points:
        return count(cards & HEARTS) + (rules.queen_points if cards & QUEEN_OF_SPADES else 0)
    total = 0
    left = cards & rules.penalty_cards
    while left:
        card = lowest(left)
        total += rules.card_points[count(card - np.uint64(1))]
        left ^= card
    return total


@compiled
def find_shooter(table: Any) -> Any:
    """Return the seat that has taken every card the moon needs, or -1."""
    needed = table.rules.moon_cards
    for seat in range(table.rules.seats):
        if table.taken[seat] & needed == needed:
            return seat
    return -1


@compiled
def find_sweeper(table: Any) -> Any:
    """Return the seat that has taken every trick, or -1."""
    for seat in range(table.rules.seats):
        if table.tricks[seat] == table.rules.hand_size:
            return seat
    return -1


@compiled
def _adding_suits_shooter(table: Any, shooter: Any, total: Any, must_lead: Any) -> Any:
    """Return whether adding to the others leaves the shooter lowest, or (unless ``must_lead``) the game going on."""
    ends = table.rules.deals_per_game > 0 and table.deal_number >= table.rules.deals_per_game
    leads = True
    for seat in range(table.rules.seats):
        after = table.scores[seat] + (0 if seat == shooter else total)
        if table.rules.deals_per_game == 0 and after >= table.rules.target:
            ends = True
        if after < table.scores[shooter]:
            leads = False
    return leads or not (ends or must_lead)


@compiled
def _subtracts(table: Any, shooter: Any, total: Any, is_sun: Any) -> Any:
    """Return whether this moon is subtracted from the shooter rather than added to the others."""
    if is_sun:
        return table.rules.sun == _SUN_SUBTRACT
    mode = table.rules.moon
    if mode == _BEST_FOR_SHOOTER:
        return not _adding_suits_shooter(table, shooter, total, False)
    if mode == _SUBTRACT_IF_BEHIND:
        return not _adding_suits_shooter(table, shooter, total, True)
    return mode == _SUBTRACT


@compiled
def score_deal(table: Any, shooter: Any, sweeper: Any) -> None:
    """Replace ``table.points``, the penalty points taken, by what the deal adds to each score."""
    rules = table.rules
    seats = rules.seats
    has_shot = shooter >= 0 and rules.moon != _NO_MOON
    if has_shot:
        is_sun = rules.sun > 0 and sweeper == shooter
        total = rules.total_points * (2 if is_sun else 1)
        subtracts = _subtracts(table, shooter, total, is_sun)
        for seat in range(seats):
            table.points[seat] = 0 if subtracts else total
        table.points[shooter] = -total if subtracts else 0
    for seat in range(seats):
        if not has_shot and table.taken[seat] & rules.doubling_card:
            table.points[seat] *= 2
        if table.taken[seat] & rules.bonus_card:
            table.points[seat] += rules.bonus_points
        if not has_shot and table.tricks[seat] == 0:
            table.points[seat] += rules.no_tricks_bonus


@compiled
def add_scores(table: Any) -> Any:
    """Add the deal's points to the scores, apply ``exact_target``, and return whether the game goes on."""
    rules = table.rules
    reached, landed = False, False
    low, low_seats = np.int64(1 << 40), 0
    for seat in range(rules.seats):
        score = table.scores[seat] + table.points[seat]
        if rules.exact_target and score == rules.target:
            if rules.exact_target == _HALVE:
                score = rules.target // 2
            elif rules.exact_target == _RESET:
                score = 0
            else:
                landed = True
        table.scores[seat] = score
        reached = reached or score >= rules.target
        if score < low:
            low, low_seats = score, 0
        low_seats += score == low
    if rules.deals_per_game:
        reached = table.deal_number >= rules.deals_per_game
    if landed or (reached and (low_seats == 1 or not rules.play_on)):
        return ENDED
    return CAPPED if table.deal_number >= rules.max_deals else GOES_ON
