"""Says which options of the rules a strategy plays as if they were not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hearts_sim.bots.registry import StrategyInfo
from hearts_sim.game.notation import card_index
from hearts_sim.game.rules import Rules

_RANKS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
_SUITS = ["clubs", "diamonds", "spades", "hearts"]
_CARDS = ("bonus_card", "doubling_card")


def explain_ignored(infos: Sequence[StrategyInfo], rules: Rules) -> list[str]:
    """Return a sentence for each set of options that some of the strategies do not model, naming them together.

    Parameters
    ----------
    infos : sequence of StrategyInfo
        The strategies that play; one that plays twice is named once.
    rules : Rules
        What they play. Only options that differ from standard can be missing to anyone.

    Returns
    -------
    list of str
        Such as ``greedy does not model sun (add); it plays by the other rules``; empty if there is nothing to say.
    """
    names: dict[tuple[str, ...], list[str]] = {}
    changed = rules.diff()
    for info in infos:
        ignored = tuple(_describe(option, changed) for option in info.ignores if option in changed)
        if ignored and info.name not in names.setdefault(ignored, []):
            names[ignored].append(info.name)
    return [_say(who, what) for what, who in names.items()]


def _say(who: Sequence[str], what: Sequence[str]) -> str:
    does, they, play = ("does", "it", "plays") if len(who) == 1 else ("do", "they", "play")
    return f"{_join(who, 'and')} {does} not model {_join(what, 'or')}; {they} {play} by the other rules"


def _join(words: Sequence[str], last: str) -> str:
    """Return words as an enumeration."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _describe(option: str, changed: Mapping[str, Any]) -> str:
    """Return an option with its value in words."""
    value = changed[option]
    if option in _CARDS:
        rank, suit = divmod(card_index(value), 4)
        return f"{option} ({_RANKS[rank]} of {_SUITS[suit]})"
    if option == "spade_honours":
        return f"{option} ({', '.join(f'{card} {points}' for card, points in value)})"
    return f"{option} ({value})"
