"""Transcripts as text and back: `parse_transcript(format_transcript(x)) == x`.

The text is read line by line: a header with the rules, the seed and the names, then for each deal the cards dealt,
passed and played, its points and the totals. Blank lines and lines that start with ``#`` mean nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any, NoReturn

from hearts_sim.errors import HeartsSimError, UsageError, did_you_mean
from hearts_sim.game import notation
from hearts_sim.game.reference import Deal
from hearts_sim.game.rules import PRESETS, SCATTER, Rules, find_preset, name_direction
from hearts_sim.game.transcript import Transcript, find_kitty, list_tricks

TITLE = "hearts-sim transcript 1"
ENDINGS = ("goes on", "ended", "stopped at the deal cap")
SEAT_FACTS = ("opener", "moon", "sun", "threat", "queen_taker", "queen_from", "queen_to", "bonus_taker")
TRICK_FACTS = ("queen_trick", "broken_trick")
NOTHING = dict.fromkeys(SEAT_FACTS, -1) | dict.fromkeys(TRICK_FACTS, 0)


def format_transcript(transcript: Transcript) -> str:
    """Return a transcript as text; `parse_transcript` gives back an equal one."""
    lines = [TITLE, *_format_rules(transcript.rules)]
    for key, value in (("seed", transcript.seed), ("game", transcript.game)):
        lines += [] if value is None else [f"{key} {value}"]
    lines += [f"seating {transcript.seating}"] if transcript.seating else []
    lines += [f"first {transcript.first_deal}"] if transcript.first_deal != 1 else []
    lines += [f"deals {transcript.n_deals}"] if transcript.n_deals else []
    lines += [f"seat {seat}: {name}" for seat, name in enumerate(transcript.names)]
    if any(transcript.scores_before):
        lines.append(f"before: {_join(transcript.scores_before)}")
    for deal in transcript.deals:
        lines += ["", *_format_deal(deal, transcript.rules)]
    return "\n".join(lines) + "\n"


def _format_rules(rules: Rules) -> list[str]:
    same = next((preset.name for preset in PRESETS.values() if preset.rules == rules), None)
    if same:
        return [f"rules {same}"]
    return ["rules standard", *(f"rule {key} = {json.dumps(value)}" for key, value in rules.diff().items())]


def _format_deal(deal: Deal, rules: Rules) -> list[str]:
    lines = [f"deal {deal.deal}, pass {name_direction(deal.pass_offset, rules.seats)}"]
    lines += [f"dealt {seat}: {notation.format_cards(cards)}" for seat, cards in enumerate(deal.dealt)]
    if kitty := find_kitty(rules, deal):
        lines.append(f"kitty: {notation.format_cards(kitty)}")
    lines += [
        f"passed {seat}: {notation.format_cards(cards)}" for seat, cards in enumerate(deal.passed) if cards
    ]
    for trick in list_tricks(deal):
        cards = " ".join(map(notation.card_name, trick.cards))
        lines.append(f"trick {trick.number}, seat {trick.leader} leads: {cards}")
    facts = {key: getattr(deal, key) for key in NOTHING}
    noted = " ".join(f"{key}={value}" for key, value in facts.items() if value != NOTHING[key])
    return [
        *lines,
        f"noted: {noted}",
        f"points: {_join(deal.points)}",
        f"scores: {_join(deal.scores)}",
        f"the game {ENDINGS[deal.ended]}",
    ]


def _join(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def parse_transcript(text: str, source: str = "transcript") -> Transcript:
    """Return the transcript that a text describes.

    The cards need not have been played by the rules; `check` tests that.

    Parameters
    ----------
    text : str
        What `format_transcript` wrote, or a person.
    source : str
        What error messages call the text, such as its file's name.

    Raises
    ------
    UsageError
        If a line cannot be understood; the message names it and what was expected.
    """
    reader = _Reader(text, source)
    reader.take(re.escape(TITLE), f"the first line {TITLE!r}")
    rules = _parse_rules(reader)
    seed, game = reader.take_number("seed"), reader.take_number("game")
    seating, first, n_deals = (
        reader.take_number("seating"),
        reader.take_number("first"),
        reader.take_number("deals"),
    )
    names = [reader.take(rf"seat {seat}: (.+)", f"'seat {seat}: NAME'")[1] for seat in range(rules.seats)]
    before = reader.take_if(r"before: (.+)")
    scores_before = reader.read_numbers(before[1], rules.seats) if before else (0,) * rules.seats
    deals = []
    while reader.peek() is not None:
        deals.append(_parse_deal(reader, rules))
    return Transcript(
        rules,
        tuple(names),
        tuple(deals),
        seed,
        game,
        seating or 0,
        1 if first is None else first,
        n_deals or 0,
        scores_before,
    )


class _Reader:
    """The lines of a text that mean something, one after another."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines = [
            (number, line.strip())
            for number, line in enumerate(text.splitlines(), start=1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self.place = 0

    def peek(self) -> str | None:
        """Return the next line without taking it; None at the end."""
        return self.lines[self.place][1] if self.place < len(self.lines) else None

    def take_if(self, pattern: str) -> re.Match[str] | None:
        """Take the next line if it matches."""
        found = re.fullmatch(pattern, self.peek() or "")
        self.place += found is not None
        return found

    def take(self, pattern: str, expected: str) -> re.Match[str]:
        """Take the next line, which must match."""
        found = self.take_if(pattern)
        if found is None:
            line = self.peek()
            self.place += 1
            self.fail(f"expected {expected}, found {'the end' if line is None else repr(line)}")
        return found

    def take_number(self, key: str) -> int | None:
        """Take a line of a keyword and a number, if there is one."""
        found = self.take_if(rf"{key} (\d+)")
        return int(found[1]) if found else None

    def read(self, function: Callable[[str], Any], text: str) -> Any:
        """Return what a function makes of a part of the line just taken."""
        try:
            return function(text)
        except (ValueError, HeartsSimError) as error:
            self.fail(str(error))

    def read_numbers(self, text: str, count: int) -> tuple[int, ...]:
        """Return the whole numbers of a part of the line just taken."""
        words = text.split()
        if len(words) != count or not all(re.fullmatch(r"-?\d+", word) for word in words):
            self.fail(f"expected {count} whole numbers, found {text!r}")
        return tuple(map(int, words))

    def fail(self, problem: str) -> NoReturn:
        """Refuse the line just taken."""
        at_end = self.place > len(self.lines) or not self.lines
        where = "at the end" if at_end else f"line {self.lines[self.place - 1][0]}"
        raise UsageError(f"{self.source}, {where}: {problem}")


def _parse_rules(reader: _Reader) -> Rules:
    name = reader.take(r"rules (\S+)", "'rules PRESET', such as 'rules standard'")[1]
    values = dict(reader.read(find_preset, name).changes)
    known = [f.name for f in fields(Rules)]
    while found := reader.take_if(r"rule (\w+) = (.+)"):
        if found[1] not in known:
            reader.fail(f"there is no rule {found[1]!r}{did_you_mean(found[1], known)}")
        values[found[1]] = reader.read(_read_value, found[2])
    rules: Rules = reader.read(lambda _: Rules(**values), "")
    return rules


def _read_value(text: str) -> Any:
    try:
        return _freeze(json.loads(text))
    except json.JSONDecodeError:
        raise ValueError(f'{text!r} is no value; write 50, true, "JD" or ["left", "hold"]') from None


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def _parse_deal(reader: _Reader, rules: Rules) -> Deal:
    seats = range(rules.seats)
    head = reader.take(r"deal (\d+), pass (\S+)", "'deal NUMBER, pass DIRECTION'")
    offsets = {name_direction(offset, rules.seats): offset for offset in [SCATTER, *seats]}
    if head[2] not in offsets:
        reader.fail(f"{head[2]!r} is no way to pass; use one of {', '.join(offsets)}")
    dealt = [
        reader.read(notation.parse_cards, reader.take(rf"dealt {s}: (.*)", f"'dealt {s}: CARDS'")[1])
        for s in seats
    ]
    _check_dealt(reader, rules, dealt)
    passed = []
    for seat in seats:
        found = reader.take_if(rf"passed {seat}: (.*)")
        passed.append(reader.read(notation.parse_cards, found[1]) if found else 0)
    tricks = list(_parse_tricks(reader, rules))
    noted = reader.take(r"noted:(.*)", "'noted: FACT=NUMBER ...'")[1]
    facts = NOTHING | dict(_parse_fact(reader, word) for word in noted.split())
    points, scores = (
        reader.read_numbers(reader.take(rf"{key}: (.+)", f"'{key}: NUMBERS'")[1], rules.seats)
        for key in ("points", "scores")
    )
    ending = reader.take(
        rf"the game ({'|'.join(ENDINGS)})", f"'the game' and {' or '.join(map(repr, ENDINGS))}"
    )
    deal = Deal(
        deal=int(head[1]),
        pass_offset=offsets[head[2]],
        points=points,
        scores=scores,
        dealt=tuple(dealt),
        passed=tuple(passed),
        plays=tuple(card for _, cards in tricks for card in cards),
        ended=ENDINGS.index(ending[1]),
        **facts,
    )
    _check_leaders(reader, deal, [leader for leader, _ in tricks])
    return deal


def _check_dealt(reader: _Reader, rules: Rules, dealt: Sequence[int]) -> None:
    """Refuse hands that no shuffle can deal: a wrong size, a card twice or not in play."""
    seen = 0
    for seat, hand in enumerate(dealt):
        if hand.bit_count() != rules.hand_size:
            reader.fail(f"seat {seat} is dealt {hand.bit_count()} cards; these rules deal {rules.hand_size}")
        if wrong := hand & (seen | ~rules.deck):
            reader.fail(f"seat {seat} is dealt {notation.format_cards(wrong)}, dealt twice or not in play")
        seen |= hand
    kitty = reader.take_if(r"kitty: (.*)")
    left = rules.deck & ~seen
    if left and (kitty is None or reader.read(notation.parse_cards, kitty[1]) != left):
        reader.fail(f"expected 'kitty: {notation.format_cards(left)}', the cards left over")


def _parse_tricks(reader: _Reader, rules: Rules) -> Iterator[tuple[int, list[int]]]:
    for number in range(1, rules.hand_size + 1):
        expected = f"'trick {number}, seat LEADER leads: CARDS'"
        found = reader.take(rf"trick {number}, seat (\d) leads: (.*)", expected)
        cards = [reader.read(notation.card_index, word) for word in found[2].split()]
        if len(cards) != rules.seats:
            reader.fail(f"a trick has {rules.seats} cards, found {len(cards)}")
        yield int(found[1]), cards


def _check_leaders(reader: _Reader, deal: Deal, leaders: Sequence[int]) -> None:
    if not 0 <= deal.opener < len(deal.dealt):
        reader.fail("the facts noted must name the opener, such as opener=2")
    for trick, leader in zip(list_tricks(deal), leaders, strict=True):
        if leader != trick.leader:
            reader.fail(
                f"deal {deal.deal}: seat {leader} leads trick {trick.number}, but it was seat {trick.leader}'s lead"
            )


def _parse_fact(reader: _Reader, word: str) -> tuple[str, int]:
    found = re.fullmatch(r"(\w+)=(-?\d+)", word)
    if found is None or found[1] not in NOTHING:
        hint = did_you_mean(word.split("=")[0], NOTHING)
        reader.fail(f"{word!r} is no fact of a deal, such as queen_taker=2{hint}")
    return found[1], int(found[2])
