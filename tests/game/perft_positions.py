"""The positions whose sequences are counted in tests/game/perft/*.txt, and how a line of those files reads.

``python tests/game/perft_positions.py`` finds the positions and counts anew, with both engines. A line is
``preset option=value ... | deal | cards played | depth | count``. The deal is the hands by seat, or ``seed S deal D`` of
game 0. Nobody passes and seat 0 deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hearts_sim.game.notation import (
    CLUBS_BITS,
    HEARTS_BITS,
    card_index,
    card_name,
    format_cards,
    list_cards,
    parse_cards,
)
from hearts_sim.game.perft import LoopPosition, Position, TwinPosition, count_sequences, go_to
from hearts_sim.game.reference_cards import deal_cards
from hearts_sim.game.rules import PRESETS, QUEEN, Rules, find_preset

FOLDER = Path(__file__).parent / "perft"
ENGINES: tuple[Any, ...] = (LoopPosition, TwinPosition)
MOST = 1000
"""Lines go as deep as they can without a larger count, which both engines manage in a moment."""

OPTIONS = (
    "standard queen_or_hearts_lead=hearts_allowed",
    "standard queen_lead=after_break",
    "standard opening_lead=any_club",
    "standard opening_lead=left_of_dealer",
    "standard hearts_break_by=any_penalty spade_honours=KS:10,AS:7",
    "standard hearts_break_by=never_needed",
    "standard kitty=first_trick",
    "five_handed kitty=first_penalty",
)
VARIANTS = (*PRESETS, *OPTIONS)


@dataclass(frozen=True)
class Line:
    """One line of a file: a position, how many cards are played from it, and in how many ways."""

    variant: str
    deal: str
    plays: str
    depth: int
    count: int = 0

    def __str__(self) -> str:
        return " | ".join((self.variant, self.deal, self.plays or "-", str(self.depth), str(self.count)))

    def start(self, engine: Any) -> Position:
        """Return the position in one of the engines."""
        rules = read_variant(self.variant)
        plays = [card_index(word) for word in self.plays.replace("-", "").split()]
        return go_to(engine.start(rules, read_deal(rules, self.deal)), plays)

    def count_with(self, engine: Any) -> int:
        """Return the count that an engine finds."""
        n_played = len(self.plays.replace("-", "").split())
        return count_sequences(self.start(engine), n_played + self.depth)


def read_line(text: str) -> Line:
    """Return what a line of a file says."""
    variant, deal, plays, depth, count = (part.strip() for part in text.split("|"))
    return Line(variant, deal, plays, int(depth), int(count))


def read_file(path: Path) -> list[Line]:
    """Return the lines of a file without its comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [read_line(line) for line in lines if not line.startswith("#")]


@cache
def read_variant(text: str) -> Rules:
    """Return the rules that a preset and options in words mean."""
    preset, *options = text.split()
    values: dict[str, Any] = dict(find_preset(preset).changes)
    for option in options:
        key, _, value = option.partition("=")
        pairs = [pair.split(":") for pair in value.split(",")]
        values[key] = tuple((card, int(worth)) for card, worth in pairs) if ":" in value else value
    return Rules(**values)


def read_deal(rules: Rules, text: str) -> list[int]:
    """Return the hands by seat that a deal in words means."""
    if text.startswith("seed"):
        _, seed, _, deal = text.split()
        return deal_cards(rules, int(seed), 0, int(deal))[0]
    return [parse_cards(hand) for hand in text.split("/")]


def lay_out(rules: Rules, first: int) -> str:
    """Return the hands in words when seat 0 holds the highest cards of ``first`` and the others every n-th card left."""
    own = sum(1 << card for card in list_cards(first & rules.deck)[-rules.hand_size :])
    left = list_cards(rules.deck & ~own)
    missing = rules.hand_size - own.bit_count()
    own |= sum(1 << card for card in left[:missing])
    left, n = left[missing:], rules.seats - 1
    others = [sum(1 << card for card in left[k::n][: rules.hand_size]) for k in range(n)]
    return " / ".join(map(format_cards, [own, *others]))


def play_lowest(position: Position, n_cards: int) -> Position:
    """Play the lowest legal card at every choice until that many cards are played."""
    while position.n_played < n_cards and position.legal:
        position = position.play(position.legal & -position.legal)
    return position


def name_plays(plays: Sequence[int]) -> str:
    return " ".join(map(card_name, plays))


def list_openings() -> Iterator[Line]:
    """Every variant from the first card of two deals."""
    for variant in VARIANTS:
        for deal in (1, 2):
            yield Line(variant, f"seed 1 deal {deal}", "", 0)


def list_unbroken() -> Iterator[Line]:
    """Every variant from a lead with hearts unbroken, by a hand of hearts and others, the queen in it or elsewhere."""
    for variant in VARIANTS:
        rules = read_variant(variant)
        found = {has_queen: find_unbroken(rules, has_queen) for has_queen in (False, True)}
        for deal, plays in found.values():
            yield Line(variant, deal, plays, 0)


def find_unbroken(rules: Rules, has_queen: bool) -> tuple[str, str]:
    """Return the first deal of seed 2 that comes to such a lead after two tricks or more, and the cards up to it."""
    for number in range(1, 1000):
        deal = f"seed 2 deal {number}"
        for trick in (2, 3, 4):
            position = play_lowest(TwinPosition.start(rules, read_deal(rules, deal)), trick * rules.seats)
            hand = position.deal.seats[position.leader].hand if isinstance(position, TwinPosition) else 0
            played = sum(1 << card for card in position.plays)
            stands = len(position.plays) == trick * rules.seats and not played & (HEARTS_BITS | QUEEN)
            mixed = hand & HEARTS_BITS and hand & ~HEARTS_BITS & ~QUEEN
            if stands and mixed and bool(hand & QUEEN) == has_queen:
                return deal, name_plays(position.plays)
    raise LookupError("no such deal")


def list_hearts_only() -> Iterator[Line]:
    """Four seats and more: the winner of the first trick holds nothing but hearts."""
    yield from list_laid_out(HEARTS_BITS)


def list_hearts_and_queen() -> Iterator[Line]:
    """Four seats and more: the winner of the first trick holds nothing but hearts and the queen."""
    yield from list_laid_out(HEARTS_BITS, QUEEN)


def list_laid_out(suit: int, queen: int = 0) -> Iterator[Line]:
    for variant in VARIANTS:
        rules = read_variant(variant)
        if rules.seats == 3 or rules.opening_lead == "left_of_dealer":
            continue
        room = rules.hand_size - 1 - queen.bit_count()
        own = parse_cards("AC") | queen | sum(1 << card for card in list_cards(suit)[-room:])
        position = play_lowest(TwinPosition.start(rules, read_deal(rules, lay_out(rules, own))), rules.seats)
        yield Line(variant, lay_out(rules, own), name_plays(position.plays[: rules.seats]), 0)


def list_thirteen_clubs() -> Iterator[Line]:
    """Every variant from the first card when seat 0 holds all clubs, or as many as it can."""
    for variant in VARIANTS:
        yield Line(variant, lay_out(read_variant(variant), CLUBS_BITS), "", 0)


def list_endings() -> Iterator[Line]:
    """Every variant through the last three tricks of a deal."""
    for variant in VARIANTS:
        rules = read_variant(variant)
        hands = read_deal(rules, "seed 3 deal 1")
        position = play_lowest(TwinPosition.start(rules, hands), rules.seats * (rules.hand_size - 3))
        plays = position.plays[: rules.seats * (rules.hand_size - 3)]
        yield Line(variant, "seed 3 deal 1", name_plays(plays), 3 * rules.seats)


FILES = {
    "openings": list_openings,
    "unbroken": list_unbroken,
    "hearts_only": list_hearts_only,
    "hearts_and_queen": list_hearts_and_queen,
    "thirteen_clubs": list_thirteen_clubs,
    "endings": list_endings,
}


def count(line: Line) -> Line:
    """Return a line with its count, as deep as `MOST` allows unless it names a depth."""
    best = line
    for depth in [line.depth] if line.depth else range(1, 13):
        here = Line(line.variant, line.deal, line.plays, depth)
        counts = [here.count_with(engine) for engine in ENGINES]
        assert counts[0] == counts[1], f"{here}: the loop counts {counts[0]}, the twin {counts[1]}"
        if counts[0] > MOST and not line.depth:
            break
        best = Line(line.variant, line.deal, line.plays, depth, counts[0])
    return best


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, list_lines in FILES.items():
        what = (list_lines.__doc__ or "").strip()
        head = [f"# {what}", "# preset option=value ... | deal | cards played | depth | count"]
        lines = [str(count(line)) for line in list_lines()]
        (FOLDER / f"{name}.txt").write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
