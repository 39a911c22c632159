"""One deal as plain JSON types, with the same facts as its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hearts_sim.game import notation
from hearts_sim.game.reference import Deal
from hearts_sim.game.rules import Rules, name_direction
from hearts_sim.game.transcript import (
    Gift,
    Trick,
    find_kitty,
    find_kitty_taker,
    list_gifts,
    list_tricks,
)

ENDINGS = ("goes_on", "ended", "capped")
SEAT_FACTS = ("opener", "moon", "sun", "threat", "queen_taker", "bonus_taker")


def describe_deal(
    deal: Deal, rules: Rules, names: Sequence[str], scores_before: Sequence[int], seat: int | None = None
) -> dict[str, Any]:
    """Return one deal as plain JSON types.

    Parameters
    ----------
    deal : Deal
        The deal; one that broke off has fewer plays, and then no points and scores.
    rules : Rules
        The rules it was played by.
    names : sequence of str
        Who sat at seats 0, 1, ...
    scores_before : sequence of int
        The totals before the deal.
    seat : int, optional
        Give null for what this seat could not see.

    Returns
    -------
    dict
        Cards are written as in ``QS``, seats as numbers; what did not happen is null.
    """
    sees_kitty = rules.kitty_size > 0 and seat in (None, find_kitty_taker(rules, deal))
    is_whole = len(deal.plays) == rules.seats * rules.hand_size
    giver, taker = deal.queen_from, deal.queen_to
    if seat not in (None, giver, taker):
        giver = taker = -1
    return {
        "deal": deal.deal,
        "pass": name_direction(deal.pass_offset, rules.seats),
        "dealer": (deal.deal - 1) % rules.seats,
        "names": list(names),
        "scores_before": list(scores_before),
        "dealt": [
            _list_names(hand) if seat in (None, owner) else None for owner, hand in enumerate(deal.dealt)
        ],
        "passed": [_describe_gift(gift, seat) for gift in list_gifts(deal)],
        "kitty": _list_names(find_kitty(rules, deal)) if sees_kitty else None,
        "tricks": [_describe_trick(trick, rules) for trick in list_tricks(deal)],
        **{name: _none_below_0(getattr(deal, name)) for name in SEAT_FACTS},
        "queen_from": _none_below_0(giver),
        "queen_to": _none_below_0(taker),
        "queen_trick": deal.queen_trick or None,
        "broken_trick": deal.broken_trick or None,
        "points": list(deal.points) if is_whole else None,
        "scores": list(deal.scores) if is_whole else None,
        "game": ENDINGS[deal.ended] if is_whole else "broke_off",
    }


def _describe_gift(gift: Gift, seat: int | None) -> dict[str, Any]:
    cards = _list_names(gift.cards) if gift.seen_by(seat) else None
    return {"giver": gift.giver, "taker": gift.taker, "cards": cards}


def _describe_trick(trick: Trick, rules: Rules) -> dict[str, Any]:
    is_whole = len(trick.cards) == rules.seats
    return {
        "trick": trick.number,
        "leader": trick.leader,
        "cards": [notation.card_name(card) for card in trick.cards],
        "winner": trick.winner if is_whole else None,
        "points": sum(rules.card_points.get(card, 0) for card in trick.cards) if is_whole else None,
    }


def _list_names(cards: int) -> list[str]:
    return notation.format_cards(cards).split()


def _none_below_0(seat: int) -> int | None:
    return seat if seat >= 0 else None
