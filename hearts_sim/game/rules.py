"""The rules of a game as one frozen dataclass: every option people play by, its default and its validation.

Imports nothing heavy: a wrong rule in an experiment file is reported without loading numba.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from hearts_sim.errors import RulesError, did_you_mean
from hearts_sim.game import notation

CHOICES: dict[str, tuple[str, ...]] = {
    "kitty": ("none", "first_trick", "first_penalty"),
    "opening_lead": ("lowest_club", "any_club", "left_of_dealer"),
    "first_trick_points": ("forbidden", "allowed"),
    "hearts_break_by": ("heart", "heart_or_queen", "any_penalty", "never_needed"),
    "queen_or_hearts_lead": ("queen", "hearts_allowed"),
    "queen_lead": ("any_time", "after_break"),
    "hearts_points": ("one", "spot", "spot_courts"),
    "moon": ("add", "subtract", "best_for_shooter", "subtract_if_behind", "none"),
    "sun": ("off", "add", "subtract"),
    "exact_target": ("nothing", "halve_to_50", "reset_to_0", "wins"),
    "tie": ("share", "play_on"),
}
INT_RANGES: dict[str, tuple[int, int]] = {
    "seats": (3, 6),
    "pass_cards": (0, 4),
    "queen_points": (0, 50),
    "bonus_points": (-50, 50),
    "no_tricks_bonus": (-50, 0),
    "target": (1, 10_000),
    "max_deals": (1, 10_000),
    "deals_per_game": (0, 10_000),
}
REMOVED_BY_SEATS = {3: ("2D",), 4: (), 5: ("2D", "2C"), 6: ("2C", "3C", "2D", "2S")}
CYCLE_BY_SEATS = {
    3: ("left", "right", "hold"),
    4: ("left", "right", "across", "hold"),
    5: ("left", "right", "hold"),
    6: ("left", "right", "across", "hold"),
}
SCATTER = -1
MAX_CYCLE = 24
QUEEN = 1 << notation.card_index("QS")


def _rule(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True)
class Rules:
    """One set of rules. Every field has the default of the ``standard`` preset.

    Raises
    ------
    RulesError
        If a value is out of range or a combination has no defined meaning; all problems are listed.

    Notes
    -----
    The ``standard`` rules are the common ground of published rules of four-player Hearts, with the moon scored as
    26 points to everyone else. The meaning of each option is in the field's metadata and
    printed by ``hearts-sim list rules``.
    """

    seats: int = _rule(4, "how many play, 3 to 6")
    removed: tuple[str, ...] | None = _rule(
        None, "cards taken out of the deck; by default 3 seats 2D, 5 seats 2D 2C, 6 seats 2C 3C 2D 2S"
    )
    kitty: str = _rule(
        "none",
        "leftover cards lie face down, for the winner of the first trick or of the first with a penalty card",
    )
    pass_cards: int = _rule(3, "how many cards each seat passes; 0 never passes")
    pass_cycle: tuple[str, ...] | None = _rule(
        None, "directions in turn: left, right, across, hold, scatter, or a number of seats to the left"
    )
    pass_forbidden: tuple[str, ...] = _rule(
        (), "cards that may not be passed unless fewer others remain than must be passed"
    )
    opening_lead: str = _rule(
        "lowest_club",
        "what opens a deal: the lowest club, any club of its holder, or the seat left of the dealer",
    )
    first_trick_points: str = _rule(
        "forbidden", "whether hearts and the queen may be discarded on the first trick"
    )
    hearts_break_by: str = _rule("heart", "which card must have fallen before hearts may be led")
    queen_or_hearts_lead: str = _rule(
        "queen", "whether a leader with only the queen and unbroken hearts must lead the queen"
    )
    queen_lead: str = _rule("any_time", "whether the queen may be led before hearts are broken")
    queen_points: int = _rule(13, "points of the queen of spades, 0 to 50")
    hearts_points: str = _rule(
        "one", "points of hearts: one each, pips (J 11 Q 12 K 13 A 14), or pips with courts 10 and the ace 15"
    )
    spade_honours: tuple[tuple[str, int], ...] = _rule(
        (), "further penalty spades with their points, as in Black Maria: KS 10, AS 7"
    )
    bonus_card: str | None = _rule(None, "a card that changes its taker's points by bonus_points, such as JD")
    bonus_points: int = _rule(-10, "what the bonus card is worth")
    bonus_in_moon: bool = _rule(False, "whether the bonus card is needed for the moon")
    no_tricks_bonus: int = _rule(
        0, "points for taking no trick, 0 or less; not given when somebody shoots the moon"
    )
    moon: str = _rule("add", "how a seat that takes every penalty card is scored")
    sun: str = _rule("off", "how a seat that takes every trick is scored: as a moon of twice the total")
    target: int = _rule(100, "a game ends after a deal that leaves a seat at this score or more")
    exact_target: str = _rule("nothing", "what happens to a seat that lands exactly on the target")
    tie: str = _rule("share", "whether a shared lowest score shares the win or plays on")
    doubling_card: str | None = _rule(None, "a card that doubles its taker's points, such as TC")
    max_deals: int = _rule(200, "a game that has not ended after this many deals stops as capped")
    deals_per_game: int = _rule(0, "play this many deals instead of to a target; 0 plays to the target")

    def __post_init__(self) -> None:
        problems = find_problems(dataclasses.asdict(self) | {"spade_honours": self.spade_honours})
        if problems:
            raise RulesError("\n".join(f"rules.{key}: {text}" for key, text in problems))

    @property
    def removed_cards(self) -> int:
        """The set of the cards taken out of the deck."""
        if self.removed is not None:
            return notation.parse_cards(" ".join(self.removed))
        return notation.parse_cards(" ".join(REMOVED_BY_SEATS[self.seats])) if self.kitty == "none" else 0

    @property
    def deck(self) -> int:
        """The set of the cards in play."""
        return notation.FULL_DECK & ~self.removed_cards

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat; also the number of tricks of a deal."""
        return _split_deck(self.deck.bit_count(), self.seats, self.kitty)[0]

    @property
    def kitty_size(self) -> int:
        """Cards left over face down."""
        return _split_deck(self.deck.bit_count(), self.seats, self.kitty)[1]

    @property
    def pass_offsets(self) -> tuple[int, ...]:
        """The pass cycle as seats to the left; 0 holds, -1 scatters."""
        if self.pass_cards == 0:
            return (0,)
        return tuple(_pass_offset(step, self.seats) for step in self.pass_cycle or CYCLE_BY_SEATS[self.seats])

    @property
    def card_points(self) -> dict[int, int]:
        """Points of every penalty card in play, by card 0..51."""
        return _card_points(self.deck, self.hearts_points, self.queen_points, self.spade_honours)

    @property
    def total_points(self) -> int:
        """What all penalty cards in play are worth together: 26 under standard rules."""
        return sum(self.card_points.values())

    def diff(self, other: Rules | None = None) -> dict[str, Any]:
        """Return the fields that differ from ``other`` (``standard`` by default), with this side's values."""
        base = other or Rules()
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != getattr(base, f.name)
        }

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain JSON types in one spelling, defaults by seat count filled in."""
        values = dataclasses.asdict(self)
        values["removed"] = [notation.card_name(c) for c in notation.list_cards(self.removed_cards)]
        values["pass_cycle"] = [
            name_direction(_pass_offset(step, self.seats), self.seats)
            for step in self.pass_cycle or CYCLE_BY_SEATS[self.seats]
        ]
        values["pass_forbidden"] = sorted(_spell(name) for name in self.pass_forbidden)
        values["spade_honours"] = {_spell(name): points for name, points in sorted(self.spade_honours)}
        for key in ("bonus_card", "doubling_card"):
            values[key] = None if values[key] is None else _spell(values[key])
        return values

    def hash(self) -> str:
        """Return 16 hexadecimal digits that name these rules: equal rules, equal hash."""
        return hashlib.sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()[:16]


def name_direction(offset: int, seats: int) -> str:
    """Return the word for a pass offset: hold, left, right, across, scatter, or the number of seats to the left."""
    names = {SCATTER: "scatter", 0: "hold", 1: "left", seats - 1: "right"}
    if seats % 2 == 0:
        names[seats // 2] = "across"
    return names.get(offset, str(offset))


def _spell(card: str) -> str:
    return notation.card_name(notation.card_index(card))


def find_problems(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return every problem of a set of rule values as (field, what is wrong and what is right)."""
    problems = _find_bad_values(values)
    return problems or _find_bad_combinations(values)


def coerce(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return rule values as read from TOML or JSON with lists as tuples and cards in their usual spelling.

    Values that cannot be understood are left for `find_problems` to report.
    """
    result = dict(values)
    for key in ("removed", "pass_cycle", "pass_forbidden"):
        if isinstance(result.get(key), (list, tuple)):
            result[key] = tuple(str(item) for item in result[key])
    if isinstance(result.get("spade_honours"), Mapping):
        result["spade_honours"] = tuple(sorted(result["spade_honours"].items()))
    return result


def _find_bad_values(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    for key, choices in CHOICES.items():
        if values[key] not in choices:
            hint = did_you_mean(str(values[key]), choices)
            problems.append((key, f"{values[key]!r} is not one of {', '.join(choices)}{hint}"))
    for key, (low, high) in INT_RANGES.items():
        if type(values[key]) is not int or not low <= values[key] <= high:
            problems.append((key, f"{values[key]!r} is not a whole number from {low} to {high}"))
    if not isinstance(values["bonus_in_moon"], bool):
        problems.append(("bonus_in_moon", f"{values['bonus_in_moon']!r} is not true or false"))
    for key in ("removed", "pass_forbidden"):
        problems += _check_cards(key, values[key] or ())
    for key in ("bonus_card", "doubling_card"):
        problems += _check_cards(key, () if values[key] is None else (values[key],))
    return problems + _check_honours(values["spade_honours"])


def _check_cards(key: str, names: Any) -> list[tuple[str, str]]:
    if isinstance(names, str) or not isinstance(names, (list, tuple)):
        return [(key, f'{names!r} is not a list of cards such as ["2D", "2C"]')]
    try:
        notation.parse_cards(" ".join(str(name) for name in names))
    except ValueError as error:
        return [(key, str(error))]
    return []


def _check_honours(honours: Any) -> list[tuple[str, str]]:
    key = "spade_honours"
    try:
        pairs = [(notation.card_index(name), points) for name, points in honours]
    except (TypeError, ValueError):
        return [(key, f"{honours!r} is not a table of spades and points such as {{ KS = 10, AS = 7 }}")]
    if any(1 << card & QUEEN or card & 3 != 2 for card, _ in pairs):
        return [(key, "only spades other than the queen; set the queen with queen_points")]
    if any(type(points) is not int or not 1 <= points <= 50 for _, points in pairs):
        return [(key, "points are whole numbers from 1 to 50")]
    return []


def _find_bad_combinations(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    seats, kitty, removed = values["seats"], values["kitty"], values["removed"]
    if kitty != "none" and removed:
        return [("kitty", "a kitty stands in for removed cards; give one of the two")]
    if kitty != "none" and seats == 6:
        return [("kitty", "six seats have no kitty in the rules; 3, 4 and 5 seats do")]
    names = REMOVED_BY_SEATS[seats] if removed is None and kitty == "none" else removed or ()
    deck = notation.FULL_DECK & ~notation.parse_cards(" ".join(names))
    size = deck.bit_count()
    if kitty == "none" and size % seats:
        return [
            (
                "removed",
                f"{size} cards do not deal evenly to {seats} seats; remove {size % seats} more or fewer",
            )
        ]
    hand_size = _split_deck(size, seats, kitty)[0]
    if hand_size < 1:
        return [("removed", "no cards are left to deal")]
    if not deck & notation.CLUBS_BITS and values["opening_lead"] != "left_of_dealer":
        return [("removed", "without clubs nobody can open; set opening_lead = 'left_of_dealer'")]
    return _check_pass(values, hand_size) + _check_scoring(values, deck)


def _check_pass(values: Mapping[str, Any], hand_size: int) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    seats, count, cycle = values["seats"], values["pass_cards"], values["pass_cycle"]
    if count > hand_size:
        problems.append(("pass_cards", f"{count} cards cannot be passed from a hand of {hand_size}"))
    if cycle is None:
        return problems
    if isinstance(cycle, str) or not isinstance(cycle, (list, tuple)) or not 1 <= len(cycle) <= MAX_CYCLE:
        return [*problems, ("pass_cycle", f"{cycle!r} is not a list of 1 to {MAX_CYCLE} directions")]
    for step in cycle:
        try:
            offset = _pass_offset(step, seats)
        except ValueError as error:
            problems.append(("pass_cycle", str(error)))
            continue
        if offset == SCATTER and count not in (0, seats - 1):
            problems.append(
                (
                    "pass_cycle",
                    f"scatter gives one card to each other seat, so pass_cards must be {seats - 1}",
                )
            )
    return problems


def _check_scoring(values: Mapping[str, Any], deck: int) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    points = _card_points(deck, values["hearts_points"], values["queen_points"], values["spade_honours"])
    for key in ("bonus_card", "doubling_card"):
        if values[key] is None:
            continue
        card = notation.card_index(values[key])
        if not deck >> card & 1:
            problems.append((key, f"{values[key]} is not in the deck"))
        if card in points:
            problems.append((key, f"{values[key]} is a penalty card already"))
    if values["bonus_card"] is not None and values["bonus_card"] == values["doubling_card"]:
        problems.append(("doubling_card", "the bonus card cannot double as well"))
    if values["bonus_in_moon"] and (values["bonus_card"] is None or values["moon"] == "none"):
        problems.append(("bonus_in_moon", "needs a bonus_card and a moon"))
    if values["sun"] != "off" and values["moon"] == "none":
        problems.append(("sun", "a sun is a larger moon; with moon = 'none' it has no meaning"))
    if values["deals_per_game"] and values["exact_target"] != "nothing":
        problems.append(("exact_target", "a game of a fixed number of deals has no target to land on"))
    if values["hearts_break_by"] == "never_needed" and values["queen_lead"] == "after_break":
        problems.append(("queen_lead", "hearts are never broken under hearts_break_by = 'never_needed'"))
    return problems


def _split_deck(size: int, seats: int, kitty: str) -> tuple[int, int]:
    hand_size, left = divmod(size, seats)
    if kitty != "none" and left == 0:
        return hand_size - 1, seats
    return hand_size, left


def _pass_offset(step: Any, seats: int) -> int:
    named = {"hold": 0, "left": 1, "right": seats - 1, "scatter": SCATTER}
    if seats % 2 == 0:
        named["across"] = seats // 2
    text = str(step).strip().lower()
    if text in named:
        return named[text]
    if text.isdecimal() and int(text) < seats:
        return int(text)
    if text == "across":
        raise ValueError(f"nobody sits across at {seats} seats")
    hint = did_you_mean(text, named)
    raise ValueError(f"{step!r} is not {', '.join(named)} or a seat offset from 0 to {seats - 1}{hint}")


def _card_points(
    deck: int, hearts_points: str, queen_points: int, honours: tuple[tuple[str, int], ...]
) -> dict[int, int]:
    pips = {"one": [1] * 13, "spot": [*range(2, 15)], "spot_courts": [*range(2, 11), 10, 10, 10, 15]}[
        hearts_points
    ]
    points = {4 * rank + 3: pips[rank] for rank in range(13)}
    points[notation.card_index("QS")] = queen_points
    points |= {notation.card_index(name): value for name, value in honours}
    return {card: value for card, value in sorted(points.items()) if deck >> card & 1}


@dataclass(frozen=True)
class Preset:
    """A named set of rules with its other names and where it comes from."""

    name: str
    source: str
    changes: dict[str, Any]
    aliases: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of this preset."""
        return Rules(**self.changes)


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("standard", "the common ground of published rules", {}, ("classic", "black_lady")),
        Preset("microsoft", "as standard; no points on the first trick", {}, ("windows",)),
        Preset("short", "a standard game to 50", {"target": 50}, ("to_50",)),
        Preset(
            "pagat",
            "pagat.com/reverse/hearts.html, main description",
            {"first_trick_points": "allowed", "moon": "best_for_shooter"},
        ),
        Preset("omnibus", "pagat.com, Omnibus Hearts", {"bonus_card": "JD"}, ("jack_of_diamonds",)),
        Preset("queen_breaks", "pagat.com, variations", {"hearts_break_by": "heart_or_queen"}),
        Preset("new_moon", "pagat.com, variations: new moon", {"moon": "subtract"}, ("old_moon_subtract",)),
        Preset("no_pass", "pagat.com, Black Lady without the pass", {"pass_cards": 0}),
        Preset("three_handed", "pagat.com, three players", {"seats": 3}, ("three",)),
        Preset("five_handed", "pagat.com, five players", {"seats": 5}, ("five",)),
        Preset("six_handed", "pagat.com, six players", {"seats": 6}, ("six",)),
        Preset(
            "three_handed_kitty",
            "pagat.com, three players with a kitty",
            {"seats": 3, "kitty": "first_trick"},
        ),
        Preset(
            "spot",
            "pagat.com, Spot Hearts",
            {"hearts_points": "spot", "queen_points": 25, "target": 500},
            ("spot_hearts",),
        ),
        Preset(
            "black_maria",
            "pagat.com, Black Maria (three players)",
            {
                "seats": 3,
                "removed": ("2C",),
                "pass_cycle": ("right",),
                "opening_lead": "left_of_dealer",
                "first_trick_points": "allowed",
                "hearts_break_by": "never_needed",
                "spade_honours": (("AS", 7), ("KS", 10)),
            },
        ),
        Preset("chicago", "pagat.com, variations: the doubling ten of clubs", {"doubling_card": "TC"}),
        Preset("cpu_table", "the four-seat table with three CPU levels", {}),
    )
}


def find_preset(name: str) -> Preset:
    """Return the preset of that name or alias, whatever its case.

    Raises
    ------
    RulesError
        If there is none; the nearest name is suggested.
    """
    wanted = name.strip().lower().replace("-", "_")
    by_alias = {alias: preset for preset in PRESETS.values() for alias in (preset.name, *preset.aliases)}
    if wanted not in by_alias:
        hint = did_you_mean(wanted, by_alias) or "; see: hearts-sim list rules"
        raise RulesError(f"there are no rules named {name!r}{hint}")
    return by_alias[wanted]
