"""The compiled, resumable trick loop: one set of rules for every seat count, preset and kind of bot.

`run` plays jobs until all are done, the rows are full, an outside strategy must answer, or a strategy broke the
contract. It keeps its whole state in the game record, so it can be called again to go on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_sim.game import rng
from hearts_sim.game.calls import call_strategy
from hearts_sim.game.cards import HEARTS, QUEEN_OF_SPADES, count, suit_of
from hearts_sim.game.dealing import deal_hands, exchange_passes, find_opener, key_game, passable
from hearts_sim.game.jit import at, compiled, inlined
from hearts_sim.game.scoring import ENDED, GOES_ON, add_scores, find_holder, points_of, score_deal

# What `run` returns.
DONE, MUST_ANSWER, FAULT, ROWS_FULL = 0, 1, 2, 3
# Where a game stands between two calls.
NEXT_GAME, NEXT_DEAL, PASSING, PLAYING = 0, 1, 2, 3
# What a strategy did wrong.
NO_FAULT, RAISED, ILLEGAL = 0, 1, 2

THREAT_POINTS = 13
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_DECISION_SHIFT = np.uint64(32)
_SIGN_BIT = np.uint64(63)


@compiled
def lead_choices(rules: Any, hand: Any, broken: Any, trick_number: Any) -> Any:
    """Return the cards of a hand that may be led."""
    legal = hand
    if not broken:
        unbroken = hand & ~rules.unbroken_barred
        only_hearts_and_queen = hand & ~(HEARTS | QUEEN_OF_SPADES) == _ZERO
        if unbroken and not (rules.hearts_allowed and only_hearts_and_queen):
            legal = unbroken
    if trick_number == 1:
        allowed = legal & ~rules.first_trick_barred
        if not allowed:
            allowed = hand & ~rules.first_trick_barred
        if allowed:
            legal = allowed
    return legal


@compiled
def opening_choices(rules: Any, hand: Any) -> Any:
    """Return the cards that may open the deal: the lowest club held by the opener, its clubs, or any lead."""
    clubs = hand & suit_of(_ONE)
    if rules.opening_lead == 0:
        return clubs & (~clubs + _ONE)
    if rules.opening_lead == 1:
        return clubs
    return lead_choices(rules, hand, rules.always_broken, 1)


@inlined
def follow_choices(hand: Any, led_suit: Any, barred: Any) -> Any:
    """Return the cards of a hand that may follow; ``barred`` is empty after the first trick."""
    following = hand & led_suit
    legal = following if following else hand
    allowed = legal & ~barred
    return allowed if allowed else legal


@compiled
def _start_game(game: Any, job: Any, entrants: Any) -> None:
    table = game.table
    rules = table.rules
    table.deal_number = job.first_deal - 1
    game.cycle_step = (job.first_deal - 1) % rules.cycle_length
    table.dealer = (job.first_deal + rules.seats - 2) % rules.seats
    key_game(game, job.game)
    for seat in range(table.rules.seats):
        table.scores[at(seat)] = 0
        entrant = entrants[at(job.entrants[at(seat)])]
        game.pass_addresses[at(seat)] = entrant.pass_address
        game.card_addresses[at(seat)] = entrant.card_address
        me = game.me[at(seat)]
        me.seat = seat
        me.params[:] = entrant.params
        me.game_memory[:] = _ZERO


@compiled
def _start_deal(game: Any, job: Any) -> None:
    table = game.table
    rules = table.rules
    table.deal_number += 1
    table.pass_offset = rules.pass_offsets[at(game.cycle_step)]
    game.cycle_step = game.cycle_step + 1 if game.cycle_step + 1 < rules.cycle_length else 0
    table.dealer = table.dealer + 1 if table.dealer + 1 < rules.seats else 0
    deal_hands(game, job.game)
    deal_number = np.uint64(table.deal_number)
    replicate = np.uint64(job.seating)
    for seat in range(rules.seats):
        table.points[at(seat)] = 0
        table.tricks[at(seat)] = 0
        table.taken[at(seat)] = _ZERO
        table.played_by[at(seat)] = _ZERO
        table.voids[at(seat)] = _ZERO
        me = game.me[at(seat)]
        me.base = rng.stream_word(game.seat_words[at(seat)], deal_number)
        me.stream = rng.seat_stream(me.base, replicate)
        game.dealt[at(seat)] = me.hand
        game.pass_masks[at(seat)] = _ZERO
        me.passed = _ZERO
        me.received = _ZERO
        me.memory[:] = _ZERO
    table.played = _ZERO
    table.hearts_broken = rules.always_broken
    table.trick_number = 0
    table.trick_length = 0
    table.trick_cards = _ZERO
    table.led_suit = _ZERO
    table.best_card = _ZERO
    game.kitty_taker = -1
    game.threat = -1
    game.points_out = 0
    game.queen_from = -1
    game.queen_to = -1
    game.queen_taker = -1
    game.queen_trick = 0
    game.broken_trick = 0
    game.turn = 0


@compiled
def _ask(game: Any, me: Any, address: Any, legal: Any, best_card: Any, decision: Any, wanted: Any) -> Any:
    """Ask one seat for ``wanted`` of its legal cards; return (cards, status of `run`).

    The seat's ``legal`` and the table's ``best_card`` are written here or by the entry of the strategy.
    """
    me.draws = np.uint64(decision) << _DECISION_SHIFT
    if address:
        answer, failed = call_strategy(address, game.table, me, legal, best_card)
    elif game.answered:
        game.answered = 0
        answer, failed = game.answer, _ZERO
    else:
        me.legal = legal
        game.table.best_card = best_card
        game.asked = me.seat
        return _ZERO, MUST_ANSWER
    if (answer & ~legal) | failed | np.uint64(count(answer) ^ wanted):
        game.asked = me.seat
        game.answer = answer
        game.fault = RAISED if failed else ILLEGAL
        return answer, FAULT
    return answer, DONE


@compiled
def _ask_passes(game: Any) -> Any:
    """Ask every seat what it passes, then exchange; return a status of `run`."""
    table = game.table
    rules = table.rules
    if table.pass_offset != 0:
        while game.turn < rules.seats:
            seat = game.turn
            me = game.me[at(seat)]
            choices = passable(rules, me.hand)
            answer, status = _ask(
                game, me, game.pass_addresses[at(seat)], choices, _ZERO, 0, rules.pass_cards
            )
            if status != DONE:
                return status
            game.pass_masks[at(seat)] = answer
            game.turn += 1
        exchange_passes(game)
    game.opener = find_opener(game)
    table.leader = game.opener
    table.trick_number = 1
    return DONE


@inlined
def _finish_trick(game: Any, number: Any) -> None:
    """Give the complete trick to its winner, who leads next."""
    table = game.table
    rules = table.rules
    winner = table.best_seat
    trick = table.trick_cards
    table.taken[at(winner)] |= trick
    table.tricks[at(winner)] += 1
    worth = points_of(rules, trick)
    points = table.points[at(winner)] + worth
    table.points[at(winner)] = points
    game.points_out += worth
    is_threat = points >= THREAT_POINTS and points == game.points_out
    game.threat = winner if is_threat else game.threat
    game.queen_trick = number if trick & QUEEN_OF_SPADES else game.queen_trick
    game.queen_taker = winner if trick & QUEEN_OF_SPADES else game.queen_taker
    breaks_first = game.broken_trick == 0 and trick & (HEARTS | rules.breaking_cards) != _ZERO
    game.broken_trick = number if breaks_first else game.broken_trick
    if rules.kitty and game.kitty_taker < 0 and (rules.kitty == 1 or trick & rules.penalty_cards):
        game.kitty_taker = winner
    table.hearts_broken = 1 if trick & rules.breaking_cards else table.hearts_broken
    table.leader = winner
    table.trick_length = 0
    table.trick_cards = _ZERO
    table.led_suit = _ZERO
    table.best_card = _ZERO


@inlined
def _show_card(game: Any, seat: Any, first_play: Any, turn: Any, card: Any) -> None:
    """Lay a card on the table for all to see."""
    table = game.table
    table.trick[at(turn)] = card
    table.trick_length = turn + 1
    table.trick_cards |= card
    table.played |= card
    table.played_by[at(seat)] |= card
    if game.logs_cards:
        game.plays[at(first_play + turn)] = card


@compiled
def _play_tricks(game: Any) -> Any:
    """Play from wherever the deal stands to its last trick; return a status of `run`.

    What changes with every card is kept in local variables and written through for the strategies to read; choices
    that no processor can predict (who can follow, who wins) are written so that they compile without branches.
    """
    table = game.table
    rules = table.rules
    seats = rules.seats
    number = table.trick_number
    while number <= rules.hand_size:
        first_play = (number - 1) * seats
        turn = table.trick_length
        seat = table.leader
        if turn == 0:
            me = game.me[at(seat)]
            if number == 1:  # noqa: SIM108  (as one expression the line is harder to read)
                legal = opening_choices(rules, me.hand)
            else:
                legal = lead_choices(rules, me.hand, table.hearts_broken, number)
            card = legal
            if legal & (legal - _ONE):
                card, status = _ask(game, me, game.card_addresses[at(seat)], legal, _ZERO, number, 1)
                if status != DONE:
                    return status
            me.hand ^= card
            table.led_suit = suit_of(card)
            table.best_card = card
            table.best_seat = seat
            _show_card(game, seat, first_play, 0, card)
            turn = 1
        barred = rules.first_trick_barred if number == 1 else _ZERO
        led_suit = table.led_suit
        best_card = table.best_card
        best_seat = table.best_seat
        seat += turn
        seat = seat - seats if seat >= seats else seat
        while turn < seats:
            me = game.me[at(seat)]
            legal = follow_choices(me.hand, led_suit, barred)
            card = legal
            if legal & (legal - _ONE):
                card, status = _ask(game, me, game.card_addresses[at(seat)], legal, best_card, number, 1)
                if status != DONE:
                    return status
            me.hand ^= card
            following = card & led_suit
            table.voids[at(seat)] |= led_suit & (_ZERO - ((following - _ONE) >> _SIGN_BIT))
            best_seat = seat if following > best_card else best_seat
            best_card = following if following > best_card else best_card
            table.best_seat = best_seat
            _show_card(game, seat, first_play, turn, card)
            turn += 1
            seat = seat + 1 if seat + 1 < seats else 0
        _finish_trick(game, number)
        number += 1
        table.trick_number = number
    return DONE


@compiled
def _find_shooter(game: Any) -> Any:
    """Return the seat that has taken every card the moon needs, or -1; it can only be the queen's taker."""
    needed = game.table.rules.moon_cards
    taker = game.queen_taker
    if needed & QUEEN_OF_SPADES == _ZERO:
        return find_holder(game.table, needed)
    return taker if taker >= 0 and game.table.taken[at(taker)] & needed == needed else -1


@compiled
def _finish_deal(game: Any, job: Any, row: Any) -> Any:
    """Score the deal, fill its row, and return whether the game goes on."""
    table = game.table
    rules = table.rules
    if rules.kitty and game.kitty_taker >= 0:
        table.taken[at(game.kitty_taker)] |= game.kitty
        table.points[at(game.kitty_taker)] += points_of(rules, game.kitty)
        game.queen_taker = find_holder(table, QUEEN_OF_SPADES)
    shooter = _find_shooter(game)
    sweeper = table.leader if table.tricks[at(table.leader)] == rules.hand_size else -1
    score_deal(table, shooter, sweeper)
    ended = add_scores(table)
    if job.n_deals:
        ended = ENDED if table.deal_number - job.first_deal + 1 >= job.n_deals else GOES_ON
    row.game = job.game
    row.table = job.table
    row.seating = job.seating
    row.deal = table.deal_number
    row.pass_offset = table.pass_offset
    row.queen_taker = game.queen_taker
    row.bonus_taker = find_holder(table, rules.bonus_card) if rules.bonus_card else -1
    for seat in range(rules.seats):
        row.entrants[at(seat)] = job.entrants[at(seat)]
        row.points[at(seat)] = table.points[at(seat)]
        row.scores[at(seat)] = table.scores[at(seat)]
    row.opener = game.opener
    row.moon = shooter
    row.sun = sweeper
    row.threat = game.threat
    row.queen_from = game.queen_from
    row.queen_to = game.queen_to
    row.queen_trick = game.queen_trick
    row.broken_trick = game.broken_trick
    row.ended = ended
    return ended


@compiled
def _log_cards(game: Any, log: Any) -> None:
    """Write the cards of the finished deal."""
    rules = game.table.rules
    for seat in range(rules.seats):
        log.dealt[at(seat)] = game.dealt[at(seat)]
        log.passed[at(seat)] = game.pass_masks[at(seat)]
    for play in range(rules.seats * rules.hand_size):
        log.plays[at(play)] = count(game.plays[at(play)] - _ONE)


@compiled
def run(game: Any, jobs: Any, entrants: Any, rows: Any, logs: Any) -> int:
    """Play jobs until something must come from outside; return DONE, MUST_ANSWER, FAULT or ROWS_FULL.

    Parameters
    ----------
    game : GAME record
        The state; ``game.job`` and ``game.row`` say how far it is. Everything is written through it.
    jobs : array of JOB, shape (n_jobs,)
        The games to play, in this order.
    entrants : array of ENTRANT, shape (n_entrants,)
        What ``job.entrants`` points into.
    rows : array of DEAL_ROW, shape (n_rows,)
        Filled from ``game.row`` on; ROWS_FULL asks the caller to empty it and set ``game.row = 0``.
    logs : array of CARDS_ROW, shape (n_rows,) or (0,)
        The cards of the same deals, if wanted.

    Returns
    -------
    int
        With MUST_ANSWER, ``game.asked`` is the seat to ask; put its answer in ``game.answer``, set
        ``game.answered = 1`` and call again. With FAULT, ``game.asked``, ``game.answer`` and ``game.fault`` say who
        did what.
    """
    game.logs_cards = len(logs) > 0
    while game.job < len(jobs):
        job = jobs[at(game.job)]
        if game.phase == NEXT_GAME:
            _start_game(game, job, entrants)
            game.phase = NEXT_DEAL
        if game.phase == NEXT_DEAL:
            if game.row >= len(rows):
                return ROWS_FULL
            _start_deal(game, job)
            game.phase = PASSING
        if game.phase == PASSING:
            status = _ask_passes(game)
            if status != DONE:
                return status
            game.phase = PLAYING
        status = _play_tricks(game)
        if status != DONE:
            return status
        ended = _finish_deal(game, job, rows[at(game.row)])
        if len(logs):
            _log_cards(game, logs[at(game.row)])
        game.row += 1
        game.phase = NEXT_DEAL
        if ended != GOES_ON:
            game.phase = NEXT_GAME
            game.job += 1
    return DONE
