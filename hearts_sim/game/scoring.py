"""Points of a trick, points of a deal, totals and the end of a game, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.game.cards import HEARTS, QUEEN_OF_SPADES, count, lowest
from hearts_sim.game.jit import at, compiled
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
def find_holder(table: Any, cards: Any) -> Any:
    """Return the seat that has taken all of these cards, or -1; nobody holds the empty set."""
    holder = -1
    if cards == np.uint64(0):
        return holder
    for seat in range(table.rules.seats):
        holder = seat if table.taken[at(seat)] & cards == cards else holder
    return holder


@compiled
def _adding_suits_shooter(table: Any, shooter: Any, total: Any, must_lead: Any) -> Any:
    """Return whether adding leaves the shooter lowest, or (unless ``must_lead``) the game going on.

    The deal is scored that way in full, extra cards and exact target included, and taken back.
    """
    before = table.scores.copy()
    for seat in range(table.rules.seats):
        table.points[at(seat)] = 0 if seat == shooter else total
    _add_extras(table, True)
    ends = add_scores(table) == ENDED
    leads = True
    for seat in range(table.rules.seats):
        if table.scores[at(seat)] < table.scores[at(shooter)]:
            leads = False
    table.scores[:] = before
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
            table.points[at(seat)] = 0 if subtracts else total
        table.points[at(shooter)] = -total if subtracts else 0
    if rules.doubling_card | rules.bonus_card or rules.no_tricks_bonus:
        _add_extras(table, has_shot)


@compiled
def _add_extras(table: Any, has_shot: Any) -> None:
    """Apply the doubling card, the bonus card and the bonus for taking no trick."""
    rules = table.rules
    for seat in range(rules.seats):
        if not has_shot and table.taken[at(seat)] & rules.doubling_card:
            table.points[at(seat)] *= 2
        if table.taken[at(seat)] & rules.bonus_card:
            table.points[at(seat)] += rules.bonus_points
        if not has_shot and table.tricks[at(seat)] == 0:
            table.points[at(seat)] += rules.no_tricks_bonus


@compiled
def _apply_exact_target(table: Any) -> Any:
    """Change the scores that are exactly on the target, and return whether landing there ends the game."""
    rules = table.rules
    landed = False
    for seat in range(rules.seats):
        if table.scores[at(seat)] == rules.target:
            if rules.exact_target == _HALVE:
                table.scores[at(seat)] = rules.target // 2
            elif rules.exact_target == _RESET:
                table.scores[at(seat)] = 0
            else:
                landed = True
    return landed


@compiled
def _has_one_lowest(table: Any) -> Any:
    """Return whether the lowest score belongs to one seat alone."""
    low_seats = 0
    for seat in range(table.rules.seats):
        lower = 0
        for other in range(table.rules.seats):
            lower += table.scores[at(other)] < table.scores[at(seat)]
        low_seats += lower == 0
    return low_seats == 1


@compiled
def add_scores(table: Any) -> Any:
    """Add the deal's points to the scores, apply ``exact_target``, and return GOES_ON, ENDED or CAPPED."""
    rules = table.rules
    highest_score = np.int64(-(1 << 40))
    for seat in range(rules.seats):
        score = table.scores[at(seat)] + table.points[at(seat)]
        table.scores[at(seat)] = score
        highest_score = max(highest_score, score)
    if rules.exact_target and highest_score >= rules.target:
        if _apply_exact_target(table):
            return ENDED
        highest_score = np.int64(-(1 << 40))
        for seat in range(rules.seats):
            highest_score = max(highest_score, table.scores[at(seat)])
    is_over = highest_score >= rules.target
    if rules.deals_per_game:
        is_over = table.deal_number >= rules.deals_per_game
    if is_over and not (rules.play_on and not _has_one_lowest(table)):
        return ENDED
    return CAPPED if table.deal_number >= rules.max_deals else GOES_ON
