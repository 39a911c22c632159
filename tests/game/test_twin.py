"""The compiled loop and the plain reference play the same game: card for card, row field for field."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_games import assert_same_game, random_rules

from hearts_sim.bots.registry import list_named
from hearts_sim.game.rules import PRESETS, Rules

NAMES = [info.name for info in list_named()]
MIXED = ["random", "cpu-medium", "greedy", "ducker", "low", "cpu-easy"]
# Hundreds of games of each line-up make more than 10,000 deals for each number of seats.
CHEAP_GAMES, DEAR_GAMES = 125, 30
CHUNKS = 3


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_plays_the_same_game_against_itself(name: str, seats: int) -> None:
    games = DEAR_GAMES if name == "cpu-hard" else CHEAP_GAMES
    deals = assert_same_game(Rules(seats=seats), 7, 0, [name] * seats, n_games=games)
    assert len(deals) > 5 * games


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mixed_tables_play_the_same_game(chunk: int, seats: int) -> None:
    names = (MIXED[chunk:] + MIXED)[:seats]
    deals = assert_same_game(Rules(seats=seats), 2**64 - 1, chunk * 1000, names, n_games=125, seating=chunk)
    assert len(deals) > 125 * 5


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_plays_the_same_game(preset: str) -> None:
    rules = PRESETS[preset].rules
    assert_same_game(rules, 11, 5, MIXED[: rules.seats], n_games=15)
    assert_same_game(rules, 12, 5, ["cpu-hard"] * rules.seats, n_games=1)


def test_deals_opened_with_any_card_are_the_same() -> None:
    assert_same_game(Rules(opening_lead="left_of_dealer"), 3, 0, ["random"] * 4, n_games=60, n_deals=1)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_block_of_single_deals_is_the_same_from_any_first_deal(seats: int) -> None:
    for first_deal in (1, 2, 3, 4, 9):
        deals = assert_same_game(
            Rules(seats=seats), 3, 50, MIXED[:seats], n_games=4, first_deal=first_deal, n_deals=1
        )
        assert [deal.deal for deal in deals] == [first_deal] * 4


@settings(max_examples=150)
@given(rules=random_rules(), seed=st.integers(0, 2**64 - 1), game=st.integers(0, 2**63), data=st.data())
def test_any_valid_rules_play_the_same_game(rules: Rules, seed: int, game: int, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(MIXED), min_size=rules.seats, max_size=rules.seats))
    assert_same_game(rules, seed, game, names, seating=data.draw(st.integers(0, 5)))


@settings(max_examples=60)
@given(rules=random_rules(), n_deals=st.integers(2, 3), first_deal=st.integers(1, 5))
def test_a_fixed_number_of_deals_is_played_whatever_the_scores(
    rules: Rules, n_deals: int, first_deal: int
) -> None:
    names = ["random"] * rules.seats
    deals = assert_same_game(rules, 1, 2, names, first_deal=first_deal, n_deals=n_deals)
    assert len(deals) == n_deals
