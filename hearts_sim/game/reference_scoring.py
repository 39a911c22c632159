"""The reference game's scoring, in plain Python: what a deal adds to the scores and whether the game is over.

Written from the rules and independent of the compiled `scoring`, so that the tests can hold one against the
other.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts_sim.game.notation import card_index, list_cards
from hearts_sim.game.rules import Rules

GOES_ON, ENDED, CAPPED = 0, 1, 2
NOBODY = -1


def points_of(rules: Rules, cards: int) -> int:
    """Return the penalty points of a set of cards."""
    worth = rules.card_points
    return sum(worth.get(card, 0) for card in list_cards(cards))


def find_moon(rules: Rules, taken: Sequence[int]) -> int:
    """Return the seat that took every card needed for the moon, or -1."""
    needed = sum(1 << card for card in rules.card_points)
    if rules.bonus_in_moon:
        needed |= card_set(rules.bonus_card)
    return next((seat for seat, cards in enumerate(taken) if needed and cards & needed == needed), NOBODY)


def find_sun(rules: Rules, tricks: Sequence[int]) -> int:
    """Return the seat that took every trick, or -1."""
    return next((seat for seat, count in enumerate(tricks) if count == rules.hand_size), NOBODY)


def find_taker(taken: Sequence[int], cards: int) -> int:
    """Return the seat that took any of some cards, or -1."""
    return next((seat for seat, took in enumerate(taken) if took & cards), NOBODY)


def card_set(name: str | None) -> int:
    """Return the set of one named card, empty for None."""
    return 0 if name is None else 1 << card_index(name)


def score_deal(
    rules: Rules, taken: Sequence[int], tricks: Sequence[int], scores: Sequence[int], deal_number: int
) -> list[int]:
    """Return what one deal adds to each score.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    taken : sequence of int
        The set of cards each seat took, the kitty included.
    tricks : sequence of int
        How many tricks each seat took.
    scores : sequence of int
        The totals before the deal, which some moons look at.
    deal_number : int
        The deal's number in the game, from 1.
    """
    shooter = find_moon(rules, taken)
    bonus_taker = find_taker(taken, card_set(rules.bonus_card))
    bonus = [rules.bonus_points if seat == bonus_taker else 0 for seat in range(rules.seats)]
    if shooter == NOBODY or rules.moon == "none":
        points = _score_plain(rules, taken, tricks)
        return [a + b for a, b in zip(points, bonus, strict=True)]
    way, total = rules.moon, rules.total_points
    if rules.sun != "off" and find_sun(rules, tricks) == shooter:
        way, total = rules.sun, 2 * rules.total_points
    added = [bonus[seat] + (0 if seat == shooter else total) for seat in range(rules.seats)]
    subtracted = [bonus[seat] - (total if seat == shooter else 0) for seat in range(rules.seats)]
    after = add_scores(rules, scores, added)
    behind = after[shooter] > min(after)
    ends = judge_end(rules, after, deal_number) == ENDED
    subtract = {
        "add": False,
        "subtract": True,
        "best_for_shooter": behind and ends,
        "subtract_if_behind": behind,
    }[way]
    return subtracted if subtract else added


def _score_plain(rules: Rules, taken: Sequence[int], tricks: Sequence[int]) -> list[int]:
    """Return the points of a deal in which every seat keeps what it took."""
    points = [points_of(rules, cards) for cards in taken]
    doubler = find_taker(taken, card_set(rules.doubling_card))
    if doubler != NOBODY:
        points[doubler] *= 2
    return [p + (rules.no_tricks_bonus if tricks[seat] == 0 else 0) for seat, p in enumerate(points)]


def add_scores(rules: Rules, scores: Sequence[int], deltas: Sequence[int]) -> list[int]:
    """Return the totals after a deal, a landing on the exact target included.

    ``halve_to_50`` is named after the usual target of 100; it halves any target, rounding down.
    """
    totals = [a + b for a, b in zip(scores, deltas, strict=True)]
    lands_on = {"halve_to_50": rules.target // 2, "reset_to_0": 0}.get(rules.exact_target, rules.target)
    return [lands_on if total == rules.target and not rules.deals_per_game else total for total in totals]


def judge_end(rules: Rules, scores: Sequence[int], deal_number: int) -> int:
    """Return 0 if the game goes on after a deal that left these totals, 1 if it ended, 2 if it is capped."""
    if rules.exact_target == "wins" and rules.target in scores:
        return ENDED
    over = deal_number >= rules.deals_per_game if rules.deals_per_game else max(scores) >= rules.target
    if over and (rules.tie == "share" or list(scores).count(min(scores)) == 1):
        return ENDED
    return CAPPED if deal_number >= rules.max_deals else GOES_ON
