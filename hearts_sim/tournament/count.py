"""The one pass over a unit's deals that adds up the block sums: compiled, or it would take longer than the games."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.game.jit import compiled
from hearts_sim.tournament.sums import OF_DEALS, OF_GAMES, WIN_UNIT

_AFTER_DEALS = len(OF_DEALS)
_AFTER_GAMES = len(OF_GAMES)
_CAPPED = 2
_FIRST_OF_ALL = -(1 << 20)


@compiled
def count_deals(
    group: Any,
    direction: Any,
    facts: Any,
    entrants: Any,
    points: Any,
    scores: Any,
    winning_score: Any,
    n_directions: Any,
    who: Any,
    sums: Any,
) -> None:
    """Add up deals by group (a table of a block) and entrant.

    Parameters
    ----------
    group : ndarray of int64, shape (n_deals,)
        Which table of which block each deal belongs to, from 0.
    direction : ndarray of int64, shape (n_deals,)
        Which of the ``n_directions`` pass directions it had.
    facts : ndarray of int8, shape (4, n_deals)
        Seat that shot the moon, that threatened to, that took the queen (-1 nobody); whether the game ended.
    entrants, points, scores : ndarray, shape (n_seats, n_deals)
        Who sits where, points of the deal, score after it.
    winning_score : int
        A final score that comes before all others; -1 if there is none.
    n_directions : int
        Number of pass directions.
    who : ndarray of int64, shape (n_groups, n_seats)
        Filled with the different entrants of each group, in order of appearance; must be -1.
    sums : ndarray of int64, shape (n_groups, n_seats, n_columns)
        Added to; columns as `hearts_sim.tournament.sums.list_columns` names them.
    """
    n_seats, n_deals = points.shape
    at_seats = _AFTER_DEALS + 2 * n_directions
    at_games = at_seats + 2 * n_seats
    places = np.zeros(n_seats, np.int64)
    finals = np.zeros(n_seats, np.int64)
    for i in range(n_deals):
        members = who[group[i]]
        total = np.int64(0)
        for seat in range(n_seats):
            total += points[seat, i]
            place = 0
            while members[place] >= 0 and members[place] != entrants[seat, i]:
                place += 1
            members[place] = entrants[seat, i]
            places[seat] = place
        moon, threat, queen, ended = facts[0, i], facts[1, i], facts[2, i], facts[3, i]
        for seat in range(n_seats):
            own, taken = sums[group[i], places[seat]], np.int64(points[seat, i])
            own[0] += 1
            own[1] += taken
            own[2] += total - taken
            own[3] += moon == seat
            own[4] += moon >= 0 and moon != seat
            own[5] += threat == seat
            own[6] += queen == seat
            own[7] += taken == 0
            own[_AFTER_DEALS + 2 * direction[i]] += 1
            own[_AFTER_DEALS + 2 * direction[i] + 1] += taken
            own[at_seats + 2 * seat] += 1
            own[at_seats + 2 * seat + 1] += taken
        if ended > 0:
            for seat in range(n_seats):
                finals[seat] = scores[seat, i]
                if winning_score >= 0 and finals[seat] == winning_score:
                    finals[seat] = _FIRST_OF_ALL
            for seat in range(n_seats):
                own = sums[group[i], places[seat]][at_games:]
                _count_game(seat, finals, ended, own)
                _count_rivals(seat, i, finals, scores, entrants, own[_AFTER_GAMES:])


@compiled
def _count_game(seat: Any, finals: Any, ended: Any, own: Any) -> None:
    """Add one finished game as one seat sees it."""
    lower = higher = equal = np.int64(0)
    for final in finals:
        lower += final < finals[seat]
        higher += final > finals[seat]
        equal += final == finals[seat]
    own[0] += 1
    if lower == 0:
        own[1] += WIN_UNIT // equal
        own[2] += equal == 1
        own[3] += equal > 1
    else:
        own[4] += 1
    if higher == 0:
        own[5] += WIN_UNIT // equal
    own[6] += 2 * lower + equal + 1
    own[7] += ended == _CAPPED


@compiled
def _count_rivals(seat: Any, i: Any, finals: Any, scores: Any, entrants: Any, own: Any) -> None:
    """Add one finished game of one seat against each other seat."""
    for other in range(len(finals)):
        if other != seat:
            rival = 3 * np.int64(entrants[other, i])
            own[rival] += 1
            own[rival + 1] += (finals[seat] < finals[other]) + (finals[seat] <= finals[other])
            own[rival + 2] += np.int64(scores[other, i]) - scores[seat, i]
