"""The rules of a game as one frozen dataclass: every option people play by, its default, its rulings; and presets.

Imports nothing heavy: a wrong rule in an experiment file is reported without loading numba.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field, fields
from typing import Any

from hearts_sim.errors import RulesError, did_you_mean
from hearts_sim.game import notation
from hearts_sim.game.rules_check import (
    CHOICES,
    CYCLE_BY_SEATS,
    DEFAULT_BONUS,
    INT_RANGES,
    MAX_CYCLE,
    QUEEN,
    REMOVED_BY_SEATS,
    SCATTER,
    card_points,
    coerce,
    find_problems,
    pass_offset,
    spell_card,
    split_deck,
)

__all__ = [
    "CHOICES",
    "INT_RANGES",
    "MAX_CYCLE",
    "PRESETS",
    "QUEEN",
    "SCATTER",
    "Preset",
    "Rules",
    "coerce",
    "find_preset",
    "find_problems",
    "name_direction",
]


def _rule(default: Any, meaning: str, *rulings: str) -> Any:
    return field(default=default, metadata={"meaning": meaning, "rulings": rulings})


@dataclass(frozen=True)
class Rules:
    """One set of rules. Every field has the default of the ``standard`` preset.

    Raises
    ------
    RulesError
        If a value is out of range or a combination has no defined meaning; all problems are listed.

    Notes
    -----
    The ``standard`` rules are what four of five published pages of rules agree on, with the moon scored as 26 points
    to everyone else. What each option means and what is ruled on it is in the field's metadata, printed by
    ``hearts-sim list rules NAME`` and in docs/rules.md.
    """

    seats: int = _rule(
        4,
        "how many play, 3 to 6",
        "3 seats: without 2D, 17 cards each, 2C opens. 4 seats: 13 each. 5 seats: without 2D and 2C, 10 each, 3C opens. "
        "6 seats: without 2C 3C 2D 2S, 8 each, 4C opens.",
    )
    removed: tuple[str, ...] | None = _rule(
        None,
        "cards taken out of the deck; by default 3 seats 2D, 5 seats 2D 2C, 6 seats 2C 3C 2D 2S",
        "The cards left must deal evenly. The opener holds the lowest club in play, whatever is removed.",
    )
    kitty: str = _rule(
        "none",
        "leftover cards lie face down, for the winner of the first trick or of the first with a penalty card",
        "Instead of removing cards: with 3 seats 1 card, with 5 seats 2, with 4 seats 4 and 12 cards each. "
        "6 seats have none.",
        "Its cards count for the taker as if won in a trick: penalty cards also for the moon, and a bonus or doubling "
        "card. Nobody sees them before the deal is scored.",
        "If the lowest club lies in the kitty, the next club opens.",
    )
    pass_cards: int = _rule(
        3,
        "how many cards each seat passes; 0 never passes",
        "All seats choose before anyone sees what it receives. Any card may be passed, the 2C and the QS too; whoever "
        "holds the 2C after the pass leads it.",
    )
    pass_cycle: tuple[str, ...] | None = _rule(
        None,
        "directions in turn: left, right, across, hold, scatter, or a number of seats to the left",
        "By default 4 and 6 seats pass left, right, across, hold; 3 and 5 seats left, right, hold.",
        "Directions go by the number of the deal in its game: the first deal of every game uses the first.",
        "Scatter gives one card to each other seat, so pass_cards must be seats - 1: the lowest card goes to the left, "
        "the next one seat further, and so on.",
    )
    pass_forbidden: tuple[str, ...] = _rule(
        (),
        "cards that may not be passed unless fewer others remain than must be passed",
        "A hand with fewer than pass_cards other cards may pass any of its cards.",
    )
    opening_lead: str = _rule(
        "lowest_club",
        "what opens a deal: the lowest club, any club of its holder, or the seat left of the dealer",
        "any_club: the holder of the lowest club leads any of its clubs.",
        "left_of_dealer: that seat leads any card that may be led. Seat 0 deals first, the deal moves left each time.",
    )
    first_trick_points: str = _rule(
        "forbidden",
        "whether hearts and the queen may be discarded on the first trick",
        "A hand of nothing else may play any of it. Following suit comes first.",
        "Neither a bonus card nor a spade honour is barred.",
        "Under left_of_dealer the ban holds for the opening lead as well.",
    )
    hearts_break_by: str = _rule(
        "heart",
        "which card must have fallen before hearts may be led",
        "The card must lie in an earlier trick, led or discarded. A hand of hearts alone may lead them, which breaks "
        "them.",
        "any_penalty: hearts, the queen and spade honours. never_needed: hearts may be led at any time.",
    )
    queen_or_hearts_lead: str = _rule(
        "queen",
        "whether a leader with only the queen and unbroken hearts must lead the queen",
        "hearts_allowed: it may lead any of its cards.",
    )
    queen_lead: str = _rule(
        "any_time",
        "whether the queen may be led before hearts are broken",
        "after_break: a hand of nothing but the queen and hearts may lead any of them, for none may be led before.",
        "On the first trick the queen is not led where points are forbidden.",
    )
    queen_points: int = _rule(
        13,
        "points of the queen of spades, 0 to 50",
        "Worth 0 she is a penalty card all the same: needed for the moon and barred from the first trick.",
    )
    hearts_points: str = _rule(
        "one",
        "points of hearts: one each, pips (J 11 Q 12 K 13 A 14), or pips with courts 10 and the ace 15",
    )
    spade_honours: tuple[tuple[str, int], ...] = _rule(
        (),
        "further penalty spades with their points, as in Black Maria: KS 10, AS 7",
        "They are penalty cards: needed for the moon. They are not barred from the first trick, and break hearts only "
        "under any_penalty.",
    )
    bonus_card: str | None = _rule(
        None,
        "a card that changes its taker's points by bonus_points, such as JD",
        "It goes to whoever takes it, in a moon deal too, and is no penalty card.",
        "With JD worth -10 and moon = add: whoever takes all 14 penalty cards and JD scores -10, the others 26; if seat 2 "
        "took JD, the points are 0, 26, 16, 26.",
    )
    bonus_points: int = _rule(DEFAULT_BONUS, "what the bonus card is worth")
    bonus_in_moon: bool = _rule(
        False,
        "whether the bonus card is needed for the moon",
        "If true, a seat with every penalty card but without the bonus card keeps its points.",
    )
    no_tricks_bonus: int = _rule(
        0, "points for taking no trick, 0 or less; not given when somebody shoots the moon"
    )
    moon: str = _rule(
        "add",
        "how a seat that takes every penalty card is scored",
        "A moon is found by the cards taken, never by a total. Total below: the points of all penalty cards in play, 26 by "
        "default.",
        "add: 0 for the shooter, the total for every other seat. subtract: minus the total for the shooter, 0 for the "
        "others. none: the shooter keeps the points.",
        "best_for_shooter: add, unless adding would end the game with the shooter not lowest (a tie counts as lowest); then "
        "subtract. subtract_if_behind: subtract whenever the shooter would not be lowest after adding.",
        "Both look at the scores with bonus cards and exact_target applied.",
    )
    sun: str = _rule(
        "off",
        "how a seat that takes every trick is scored: as a moon of twice the total",
        "It must be a moon as well. The sun goes before the moon option.",
    )
    target: int = _rule(100, "a game ends after a deal that leaves a seat at this score or more")
    exact_target: str = _rule(
        "nothing",
        "what happens to a seat that lands exactly on the target",
        "It is applied after moon and bonus and before the end of the game is tested.",
        "halve_to_50: half of whatever the target is, rounded down. reset_to_0: 0. wins: the game ends and that seat comes "
        "first, whatever the others have.",
    )
    tie: str = _rule(
        "share",
        "whether a shared lowest score shares the win or plays on",
        "play_on: further deals until one seat alone is lowest.",
    )
    doubling_card: str | None = _rule(
        None,
        "a card that doubles its taker's points, such as TC",
        "It doubles penalty points, after the moon test: never a moon, a bonus card or the no-tricks bonus.",
    )
    max_deals: int = _rule(
        200,
        "a game that has not ended after this many deals stops as capped",
        "Such games are counted and shown. Moons that subtract and bonuses can make a game endless.",
    )
    deals_per_game: int = _rule(
        0,
        "play this many deals instead of to a target; 0 plays to the target",
        "With tie = play_on further deals follow until one seat alone is lowest.",
    )

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
        return split_deck(self.deck.bit_count(), self.seats, self.kitty)[0]

    @property
    def kitty_size(self) -> int:
        """Cards left over face down."""
        return split_deck(self.deck.bit_count(), self.seats, self.kitty)[1]

    @property
    def pass_offsets(self) -> tuple[int, ...]:
        """The pass cycle as seats to the left; 0 holds, -1 scatters."""
        if self.pass_cards == 0:
            return (0,)
        return tuple(pass_offset(step, self.seats) for step in self.pass_cycle or CYCLE_BY_SEATS[self.seats])

    @property
    def card_points(self) -> dict[int, int]:
        """Points of every penalty card in play, by card 0..51."""
        return card_points(self.deck, self.hearts_points, self.queen_points, self.spade_honours)

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
            name_direction(pass_offset(step, self.seats), self.seats)
            for step in self.pass_cycle or CYCLE_BY_SEATS[self.seats]
        ]
        values["pass_forbidden"] = sorted(map(spell_card, self.pass_forbidden))
        values["spade_honours"] = {spell_card(name): points for name, points in sorted(self.spade_honours)}
        for key in ("bonus_card", "doubling_card"):
            values[key] = None if values[key] is None else spell_card(values[key])
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


@dataclass(frozen=True)
class Preset:
    """A named set of rules.

    Attributes
    ----------
    name, summary : str
        How experiments call it, and what it is in one line.
    changes : dict
        The fields that differ from standard.
    aliases : tuple of str
        Its other names.
    source : str or None
        Where the rules come from; None where that is not recorded.
    """

    name: str
    summary: str
    changes: dict[str, Any]
    aliases: tuple[str, ...] = ()
    source: str | None = None

    @property
    def rules(self) -> Rules:
        """The rules of this preset."""
        return Rules(**self.changes)


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "standard",
            "four seats, hearts 1, the queen 13, a moon adds 26 to the others, to 100",
            {},
            ("classic", "black_lady"),
            "what four of five published pages of rules agree on",
        ),
        Preset("microsoft", "as standard, the ban on first-trick points as written there", {}, ("windows",)),
        Preset("short", "a standard game to 50", {"target": 50}, ("to_50",)),
        Preset(
            "pagat",
            "points may fall in the first trick; the shooter scores the moon as suits it best",
            {"first_trick_points": "allowed", "moon": "best_for_shooter"},
            (),
            "pagat.com",
        ),
        Preset("omnibus", "the jack of diamonds is worth -10", {"bonus_card": "JD"}, ("jack_of_diamonds",)),
        Preset(
            "queen_breaks", "the queen of spades breaks hearts too", {"hearts_break_by": "heart_or_queen"}
        ),
        Preset("new_moon", "a moon subtracts 26 from the shooter", {"moon": "subtract"}),
        Preset("no_pass", "no cards are passed", {"pass_cards": 0}),
        Preset("three_handed", "three seats, without 2D", {"seats": 3}, ("three",)),
        Preset("five_handed", "five seats, without 2D and 2C", {"seats": 5}, ("five",)),
        Preset("six_handed", "six seats, without 2C 3C 2D 2S", {"seats": 6}, ("six",)),
        Preset(
            "three_handed_kitty",
            "three seats; the card left over goes to the winner of the first trick",
            {"seats": 3, "kitty": "first_trick"},
        ),
        Preset(
            "spot",
            "hearts count their pips, the queen 25: 129 in all, to 500",
            {"hearts_points": "spot", "queen_points": 25, "target": 500},
            ("spot_hearts",),
        ),
        Preset(
            "black_maria",
            "three seats without 2C, pass right; KS 10 and AS 7: 43 in all; any lead at any time",
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
        Preset("chicago", "whoever takes the ten of clubs doubles its points", {"doubling_card": "TC"}),
        Preset("cpu_table", "the four-seat table with three computer levels; rules as standard", {}),
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
