"""One deal as people read it: the hands by suit, the pass, a line for each trick, the points and the scores.

`format_deal` returns plain text within 80 columns; `paint` adds colour to it for a terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from hearts_sim.game import notation
from hearts_sim.game.reference import Deal
from hearts_sim.game.rules import Rules, name_direction
from hearts_sim.game.transcript import (
    Trick,
    find_kitty,
    find_kitty_taker,
    list_gifts,
    list_hands,
    list_tricks,
)

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 80
LEADS, WINS = "▸", "*"
HIDDEN = "·"
SUITS = [
    (notation.SUIT_SYMBOLS[suit], notation.CLUBS_BITS << place) for place, suit in enumerate(notation.SUITS)
]
LEGEND = [
    f"{LEADS} leads   {WINS} wins   +n wins n points",
    "right: each seat's points so far, ♥ where hearts broke, Q♠ where the queen fell",
]


def format_deal(
    deal: Deal,
    rules: Rules,
    names: Sequence[str],
    *,
    scores_before: Sequence[int] | None = None,
    seat: int | None = None,
) -> str:
    """Return one deal as text.

    Parameters
    ----------
    deal : Deal
        The deal. One that broke off has fewer plays; nobody is its opener if it broke off while passing.
    rules : Rules
        The rules it was played by.
    names : sequence of str
        Who sat at seats 0, 1, ...; long names are cut to their column.
    scores_before : sequence of int, optional
        The totals before the deal, to show them.
    seat : int, optional
        Show only what this seat could see: its own hand, what it passed and received, and the tricks.

    Returns
    -------
    str
        Lines of at most 80 characters, without a line end after the last.
    """
    labels = [f"{place} {name}" for place, name in enumerate(names)]
    blocks = [
        _describe_start(deal, rules, scores_before),
        _format_hands("dealt", deal.dealt, labels, seat),
        _format_passes(deal, labels, seat),
    ]
    if any(deal.passed) and deal.opener >= 0:
        blocks.append(_format_hands("hands", list_hands(deal), labels, seat))
    if deal.plays:
        blocks.append(_format_tricks(deal, rules, labels))
    is_whole = len(deal.plays) == rules.seats * rules.hand_size
    blocks.append(
        _describe_end(deal, rules, labels, seat) if is_whole else [_describe_break(deal, rules, labels)]
    )
    return "\n\n".join("\n".join(block) for block in blocks if block)


def paint(text: str) -> Text:
    """Return a deal's text with red suits in red, the queen and the marks bold, for a terminal that shows colour."""
    from rich.text import Text

    painted = Text(text)
    painted.highlight_regex(r"[2-9TJQKA]+[♦♥]|[♦♥]( [2-9TJQKA]+)?", "red")
    painted.highlight_regex(r"Q♠", "bold magenta")
    painted.highlight_regex(rf"[{LEADS}]|\{WINS}", "bold")
    painted.highlight_regex(r"\+\d+", "yellow")
    painted.highlight_regex(r"(?m)^(dealt|hands|trick|points|score) .*$", "bold")
    return painted


def show_card(card: int) -> str:
    """Return a card 0..51 as rank and suit symbol."""
    name = notation.card_name(card)
    return name[0] + notation.SUIT_SYMBOLS[name[1]]


def show_cards(cards: int) -> str:
    """Return a set of cards with suit symbols, suit by suit, highest first."""
    by_suit = sorted(notation.list_cards(cards), key=lambda card: (card & 3, -card))
    return " ".join(map(show_card, by_suit))


def _describe_start(deal: Deal, rules: Rules, scores_before: Sequence[int] | None) -> list[str]:
    dealer = (deal.deal - 1) % rules.seats
    lines = [f"Deal {deal.deal}, pass {name_direction(deal.pass_offset, rules.seats)}, seat {dealer} deals"]
    if scores_before is not None:
        lines[0] += f"; scores before: {', '.join(map(str, scores_before))}"
    return lines


def _format_hands(title: str, hands: Sequence[int], labels: Sequence[str], seat: int | None) -> list[str]:
    """Return the hands side by side, a line for each suit."""
    width = (WIDTH - 6) // len(hands)
    lines = [f"{title:<6}" + _columns(labels, width)]
    for symbol, suit in SUITS:
        cells = [
            HIDDEN if seat not in (None, place) else f"{symbol} {_ranks(hand & suit)}"
            for place, hand in enumerate(hands)
        ]
        lines.append(" " * 6 + _columns(cells, width))
    return [line.rstrip() for line in lines]


def _ranks(cards: int) -> str:
    return "".join(notation.RANKS[card >> 2] for card in reversed(notation.list_cards(cards))) or "–"


def _columns(cells: Sequence[str], width: int) -> str:
    return "".join(f"{_cut(cell, width - 1):<{width}}" for cell in cells)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _format_passes(deal: Deal, labels: Sequence[str], seat: int | None) -> list[str]:
    """Return a line for each seat: what it passed, and where to."""
    width = max(len(_cut(label, 18)) for label in labels)
    lines = []
    for giver, group in groupby(list_gifts(deal), key=attrgetter("giver")):
        gifts = list(group)
        shown = [
            f"{show_cards(gift.cards) if gift.seen_by(seat) else HIDDEN} → "
            f"{_cut(labels[gift.taker], 18) if len(gifts) == 1 else gift.taker}"
            for gift in gifts
        ]
        lines.append(f"pass  {_cut(labels[giver], 18):<{width}}  {'   '.join(shown)}")
    return lines


def _format_tricks(deal: Deal, rules: Rules, labels: Sequence[str]) -> list[str]:
    """Return a line for each trick: the cards in seat columns, then every seat's points so far."""
    tricks = list_tricks(deal)
    rows = [_trick_cells(trick, rules) for trick in tricks]
    running = _run_points(tricks, rules)
    small = max(3, *(len(str(value)) + 1 for value in running[-1]))
    room = (WIDTH - 6 - small * rules.seats - 6) // rules.seats
    width = max(min(room, 14), *(len(cell) + 1 for row in rows for cell in row))
    lines = [f"{'trick':<6}{_columns(labels, width)}{_numbers(range(rules.seats), small)}"]
    for trick, row, points in zip(tricks, rows, running, strict=True):
        notes = [
            note for note, at in (("♥", deal.broken_trick), ("Q♠", deal.queen_trick)) if at == trick.number
        ]
        line = f"{trick.number:>4}  {_columns(row, width)}{_numbers(points, small)}  {' '.join(notes)}"
        lines.append(line.rstrip())
    return [*lines, *LEGEND]


def _trick_cells(trick: Trick, rules: Rules) -> list[str]:
    """Return each seat's card with the marks of the leader and, once all have played, of the winner."""
    points = sum(rules.card_points.get(card, 0) for card in trick.cards)
    gap = " " if rules.seats < 6 else ""
    winner = trick.winner if len(trick.cards) == rules.seats else None
    cells = [""] * rules.seats
    for place, card in enumerate(trick.cards):
        seat = (trick.leader + place) % rules.seats
        mark = "" if seat != winner else f"{gap}+{points}" if points else WINS
        cells[seat] = f"{LEADS if seat == trick.leader else ' '}{show_card(card)}{mark}"
    return cells


def _run_points(tricks: Sequence[Trick], rules: Rules) -> list[list[int]]:
    """Return every seat's points after each trick, before what the whole deal adds."""
    points, running = [0] * rules.seats, []
    for trick in tricks:
        if len(trick.cards) == rules.seats:
            points[trick.winner] += sum(rules.card_points.get(card, 0) for card in trick.cards)
        running.append(list(points))
    return running


def _numbers(values: Sequence[int], width: int) -> str:
    return "".join(f"{value:>{width}}" for value in values)


def _describe_end(deal: Deal, rules: Rules, labels: Sequence[str], seat: int | None) -> list[str]:
    """Return the points and scores in columns, then in words what made them and whether the game is over."""
    width = (WIDTH - 8) // rules.seats
    lines = [
        " " * 8 + _columns(labels, width),
        f"{'points':<8}" + _columns([str(value) for value in deal.points], width),
        f"{'score':<8}" + _columns([str(value) for value in deal.scores], width),
    ]
    sentences = [*_describe_events(deal, rules, labels, seat), _describe_ending(deal, rules, labels)]
    wrapped = [
        line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH, subsequent_indent="  ")
    ]
    return [line.rstrip() for line in lines] + ["", *wrapped]


def _describe_break(deal: Deal, rules: Rules, labels: Sequence[str]) -> str:
    """Say where a deal broke off, and whose turn it was."""
    if deal.opener < 0:
        giver = next(seat for seat, cards in enumerate(deal.passed) if not cards)
        return f"The deal breaks off here: {labels[giver]} was to pass."
    tricks = list_tricks(deal)
    seat, number = deal.opener, 1
    if tricks:
        on_table = len(tricks[-1].cards) % rules.seats
        seat = (tricks[-1].leader + on_table) % rules.seats if on_table else tricks[-1].winner
        number = len(tricks) + (on_table == 0)
    return f"The deal breaks off here: {labels[seat]} was to play to trick {number}."


def _describe_events(deal: Deal, rules: Rules, labels: Sequence[str], seat: int | None) -> list[str]:
    events = []
    if deal.queen_taker >= 0 and seat in (None, deal.queen_from, deal.queen_to) and deal.queen_from >= 0:
        taker = "took it back" if deal.queen_taker == deal.queen_from else f"seat {deal.queen_taker} took it"
        events.append(f"Seat {deal.queen_from} passed the queen to seat {deal.queen_to}; {taker}.")
    if deal.moon >= 0:
        feat = "every trick" if deal.sun == deal.moon else "every penalty card"
        events.append(f"{labels[deal.moon]} took {feat}.")
    if deal.bonus_taker >= 0:
        events.append(f"{labels[deal.bonus_taker]} took the {rules.bonus_card} ({rules.bonus_points:+}).")
    if kitty := find_kitty(rules, deal):
        taker_seat = find_kitty_taker(rules, deal)
        shown = show_cards(kitty) if seat in (None, taker_seat) else HIDDEN
        events.append(f"{labels[taker_seat]} took the kitty: {shown}.")
    return events


def _describe_ending(deal: Deal, rules: Rules, labels: Sequence[str]) -> str:
    if deal.ended == 0:
        return "The game goes on."
    lands = [seat for seat, score in enumerate(deal.scores) if score == rules.target]
    if rules.exact_target == "wins" and lands and not rules.deals_per_game:
        winners = lands
    else:
        winners = [seat for seat, score in enumerate(deal.scores) if score == min(deal.scores)]
    how = "The game stopped at the deal cap" if deal.ended == 2 else "The game ended"
    comes = "comes" if len(winners) == 1 else "come"
    named = " and ".join(labels[seat] for seat in winners)
    return f"{how}; {named} {comes} first with {deal.scores[winners[0]]} (lower is better)."
