"""What rule values are possible: their ranges, what each means for the deck, and every reason to refuse them.

Imports nothing heavy: a wrong rule in an experiment file is reported without loading numba.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hearts_sim.errors import did_you_mean
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
"""The words an option may have; the default first."""

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
"""The lowest and the highest number an option may have."""

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
DEFAULT_BONUS = -10

# What "none" means where a file can say so; an option that has the word among its choices is not here.
_NONE: dict[str, Any] = {
    "removed": (),
    "pass_forbidden": (),
    "spade_honours": (),
    "bonus_card": None,
    "doubling_card": None,
    "deals_per_game": 0,
}


def coerce(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return rule values as read from TOML or JSON as `Rules` takes them.

    Lists become tuples, cards get their usual spelling, and ``"none"`` switches off an option that takes cards or a
    number of deals. Values that cannot be understood are left for `find_problems` to report.
    """
    result = {key: _NONE[key] if key in _NONE and value == "none" else value for key, value in values.items()}
    for key in ("removed", "pass_cycle", "pass_forbidden"):
        if isinstance(result.get(key), (list, tuple)):
            spell = str if key == "pass_cycle" else spell_card
            result[key] = tuple(spell(str(item)) for item in result[key])
    if isinstance(result.get("spade_honours"), Mapping):
        result["spade_honours"] = tuple(
            sorted((spell_card(str(name)), worth) for name, worth in result["spade_honours"].items())
        )
    for key in ("bonus_card", "doubling_card"):
        if isinstance(result.get(key), str):
            result[key] = spell_card(result[key])
    return result


def spell_card(name: str) -> str:
    """Return a card's name in its usual spelling, or a name of no card as it is."""
    try:
        return notation.card_name(notation.card_index(name))
    except ValueError:
        return name


def find_problems(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return every problem of a set of rule values as (field, what is wrong and what is right)."""
    problems = _find_bad_values(values)
    return problems or _find_bad_combinations(values)


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
    except (AttributeError, TypeError, ValueError):
        return [(key, f"{honours!r} is not a table of spades and points such as {{ KS = 10, AS = 7 }}")]
    if any(1 << card & QUEEN or card & 3 != 2 for card, _ in pairs):
        return [(key, "only spades other than the queen; set the queen with queen_points")]
    if any(type(points) is not int or not 1 <= points <= 50 for _, points in pairs):
        return [(key, "points are whole numbers from 1 to 50")]
    if len({card for card, _ in pairs}) < len(pairs):
        return [(key, "a card is named twice")]
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
        return [("removed", _explain_uneven(size, seats))]
    hand_size = split_deck(size, seats, kitty)[0]
    if hand_size < 1:
        return [("removed", "no cards are left to deal")]
    if not deck & notation.CLUBS_BITS and values["opening_lead"] != "left_of_dealer":
        return [("removed", "without clubs nobody can open; set opening_lead = 'left_of_dealer'")]
    return _check_pass(values, hand_size) + _check_cards_in_play(values, deck) + _check_scoring(values)


def _explain_uneven(size: int, seats: int) -> str:
    more = size % seats
    fewer = seats - more
    either = f"{more} more or {fewer} fewer" if size + fewer <= notation.N_CARDS else f"{more} more"
    return f"{size} cards do not deal evenly to {seats} seats; remove {either}"


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
            offset = pass_offset(step, seats)
        except ValueError as error:
            problems.append(("pass_cycle", str(error)))
            continue
        if offset == SCATTER and count not in (0, seats - 1):
            problems.append(("pass_cycle", _explain_scatter(seats)))
    return problems


def _explain_scatter(seats: int) -> str:
    most = INT_RANGES["pass_cards"][1]
    fix = (
        f"pass_cards must be {seats - 1}"
        if seats - 1 <= most
        else f"{seats} seats cannot: at most {most} are passed"
    )
    return f"scatter gives one card to each other seat, so {fix}"


def _check_cards_in_play(values: Mapping[str, Any], deck: int) -> list[tuple[str, str]]:
    """Check the cards that have a meaning of their own: that they are in play and mean one thing."""
    problems: list[tuple[str, str]] = []
    for name, _ in values["spade_honours"]:
        if not deck >> notation.card_index(name) & 1:
            problems.append(("spade_honours", f"{name} is not in the deck"))
    points = card_points(deck, values["hearts_points"], values["queen_points"], values["spade_honours"])
    extra = {
        key: notation.card_index(values[key])
        for key in ("bonus_card", "doubling_card")
        if values[key] is not None
    }
    for key, card in extra.items():
        if not deck >> card & 1:
            problems.append((key, f"{values[key]} is not in the deck"))
        if card in points:
            problems.append((key, f"{values[key]} is a penalty card already"))
    if len(extra) == 2 and extra["bonus_card"] == extra["doubling_card"]:
        problems.append(("doubling_card", "the bonus card cannot double as well"))
    return problems


def _check_scoring(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    problems: list[tuple[str, str]] = []
    if values["bonus_points"] != DEFAULT_BONUS and values["bonus_card"] is None:
        problems.append(("bonus_points", "needs the card that has them; set bonus_card, such as JD"))
    if values["bonus_in_moon"] and (values["bonus_card"] is None or values["moon"] == "none"):
        problems.append(("bonus_in_moon", "needs a bonus_card and a moon"))
    if values["sun"] != "off" and values["moon"] == "none":
        problems.append(("sun", "a sun is a larger moon; with moon = 'none' it has no meaning"))
    if values["deals_per_game"] and values["exact_target"] != "nothing":
        problems.append(("exact_target", "a game of a fixed number of deals has no target to land on"))
    if values["deals_per_game"] > values["max_deals"]:
        problems.append(
            ("deals_per_game", f"no game gets there: max_deals = {values['max_deals']} stops it before")
        )
    if values["hearts_break_by"] == "never_needed" and values["queen_lead"] == "after_break":
        problems.append(("queen_lead", "hearts are never broken under hearts_break_by = 'never_needed'"))
    return problems


def split_deck(size: int, seats: int, kitty: str) -> tuple[int, int]:
    """Return how many cards each seat is dealt and how many are left over."""
    hand_size, left = divmod(size, seats)
    if kitty != "none" and left == 0:
        return hand_size - 1, seats
    return hand_size, left


def pass_offset(step: Any, seats: int) -> int:
    """Return a pass direction as seats to the left; 0 holds, -1 scatters.

    Raises
    ------
    ValueError
        If it is no direction at a table of that many seats.
    """
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


def card_points(
    deck: int, hearts_points: str, queen_points: int, honours: tuple[tuple[str, int], ...]
) -> dict[int, int]:
    """Return the points of every penalty card of a deck, by card 0..51."""
    pips = {"one": [1] * 13, "spot": [*range(2, 15)], "spot_courts": [*range(2, 11), 10, 10, 10, 15]}[
        hearts_points
    ]
    points = {4 * rank + 3: pips[rank] for rank in range(13)}
    points[notation.card_index("QS")] = queen_points
    points |= {notation.card_index(name): value for name, value in honours}
    return {card: value for card, value in sorted(points.items()) if deck >> card & 1}
