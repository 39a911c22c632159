"""What the tests of the game share: players at the reference table, random rules, two games compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import strategies as st

from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import Player, load_player
from hearts_sim.errors import RulesError
from hearts_sim.game import notation
from hearts_sim.game.reference import Deal, play_game
from hearts_sim.game.rules import CHOICES, QUEEN, Rules

BY_SEAT_FIELDS = ("points", "scores", "dealt", "passed")


class Seated:
    """A player as the reference table takes it."""

    def __init__(self, player: Player) -> None:
        self.params = list(player.params.values())
        strategy: Any = player.info.cls()
        self.choose_pass, self.choose_card = strategy.choose_pass, strategy.choose_card


def read_rows(rows: Any, cards: Any, rules: Rules) -> list[Deal]:
    """Return the loop's rows and cards as the reference's deals."""
    deals = []
    for row, log in zip(rows, cards, strict=True):
        values: dict[str, Any] = {}
        for field in dataclasses.fields(Deal):
            value = (row if field.name in rows.dtype.names else log)[field.name].tolist()
            values[field.name] = tuple(value[: rules.seats]) if field.name in BY_SEAT_FIELDS else value
        values["plays"] = tuple(values["plays"][: rules.seats * rules.hand_size])
        deals.append(Deal(**values))
    return deals


def play_loop(
    rules: Rules, seed: int, game: int, names: Sequence[str], n_games: int = 1, seating: int = 0, **job: int
) -> list[Deal]:
    """Play games in the compiled loop."""
    session = Session(rules, seed, [load_player(name) for name in names], record_cards=True)
    rows = session.play(make_jobs(game, n_games, seating, range(rules.seats), **job))
    return read_rows(rows, session.cards, rules)


def play_twin(
    rules: Rules, seed: int, game: int, names: Sequence[str], n_games: int = 1, seating: int = 0, **job: int
) -> list[Deal]:
    """Play the same games in plain Python."""
    seated = [Seated(load_player(name)) for name in names]
    games = range(game, game + n_games)
    return [deal for g in games for deal in play_game(rules, seed, g, seated, replicate=seating, **job)]


def assert_same_game(rules: Rules, seed: int, game: int, names: Sequence[str], **options: int) -> list[Deal]:
    """Play games twice and show the first difference, if any; return the deals."""
    compiled = play_loop(rules, seed, game, names, **options)
    plain = play_twin(rules, seed, game, names, **options)
    for index, (left, right) in enumerate(zip(compiled, plain, strict=False)):
        for field in ("deal", "dealt", "passed", "plays", *(f.name for f in dataclasses.fields(Deal))):
            ours, theirs = getattr(left, field), getattr(right, field)
            if ours != theirs:
                pytest.fail(
                    f"row {index}, deal {left.deal}: {field} is {ours} in the loop, {theirs} in the twin\n"
                    f"rules {rules.diff()}, seed {seed}, game {game}, {names}, {options}\n{left}\n{right}"
                )
    assert len(compiled) == len(plain)
    return plain


@st.composite
def random_rules(draw: st.DrawFn, /, **fixed: Any) -> Rules:
    """Draw any rules that are valid: every option, every word of it and the ends of every range."""
    seats = draw(st.integers(3, 6))
    values: dict[str, Any] = {key: draw(st.sampled_from(choices)) for key, choices in CHOICES.items()}
    card = st.sampled_from([notation.card_name(c) for c in range(52)])
    values |= {
        "seats": seats,
        "kitty": draw(st.sampled_from(CHOICES["kitty"])) if seats < 6 else "none",
        "pass_cards": draw(st.integers(0, 4)),
        "pass_forbidden": tuple(draw(st.sets(card, max_size=4))),
        "queen_points": draw(st.integers(0, 50)),
        "spade_honours": draw(_honours()),
        "bonus_card": draw(st.none() | card),
        "bonus_points": draw(st.sampled_from([-50, -10, 50]) | st.integers(-50, 50)),
        "bonus_in_moon": draw(st.booleans()),
        "no_tricks_bonus": draw(st.integers(-50, 0)),
        "doubling_card": draw(st.none() | card),
        "target": draw(st.integers(1, 200)),
        "deals_per_game": draw(st.sampled_from([0, 0, 1, 4])),
        "max_deals": draw(st.integers(1, 6)),
    }
    steps = ["left", "right", "hold", *(str(offset) for offset in range(seats))]
    steps += ["across"] if seats % 2 == 0 else []
    steps += ["scatter"] if values["pass_cards"] == seats - 1 else []
    values["pass_cycle"] = draw(
        st.none() | st.lists(st.sampled_from(steps), min_size=1, max_size=4).map(tuple)
    )
    if values["kitty"] == "none" and draw(st.booleans()):
        size = 52 % seats + seats * draw(st.integers(0, 4))
        cards = draw(st.sets(st.integers(0, 51), min_size=size, max_size=size))
        values["removed"] = tuple(notation.card_name(c) for c in cards)
    return Rules(**_repair(values | fixed))


@st.composite
def _honours(draw: st.DrawFn) -> tuple[tuple[str, int], ...]:
    """Draw none, those of Black Maria, or any spades but the queen with any points."""
    spades = [notation.card_name(c) for c in notation.list_cards(notation.SPADES_BITS & ~QUEEN)]
    some = draw(st.dictionaries(st.sampled_from(spades), st.integers(1, 50), max_size=3))
    return draw(st.sampled_from([(), (("AS", 7), ("KS", 10)), tuple(sorted(some.items()))]))


def _repair(values: dict[str, Any]) -> dict[str, Any]:
    """Put defaults where a combination is refused, until none is."""
    defaults = {f.name: f.default for f in dataclasses.fields(Rules)}
    while True:
        try:
            Rules(**values)
            return values
        except RulesError as error:
            for line in str(error).splitlines():
                key = line.removeprefix("rules.").split(":")[0]
                values[key] = None if key == "removed" else defaults[key]
