"""Perft: both engines count the stored numbers of legal card sequences.

``python tests/game/perft_positions.py`` writes the stored counts anew; read the difference before it goes in.
"""

from __future__ import annotations

from typing import Any

import pytest
from perft_positions import ENGINES, FILES, FOLDER, VARIANTS, Line, read_file, read_line

from hearts_sim.game.notation import card_index, card_name, parse_cards
from hearts_sim.game.perft import count_sequences, go_to
from hearts_sim.game.rules import PRESETS, Rules

LINES = {name: read_file(FOLDER / f"{name}.txt") for name in FILES}
BY_ENGINE = pytest.mark.parametrize("engine", ENGINES, ids=["loop", "twin"])


@BY_ENGINE
@pytest.mark.parametrize("name", FILES)
def test_the_engine_counts_what_is_stored(name: str, engine: Any) -> None:
    for line in LINES[name]:
        assert line.count_with(engine) == line.count, str(line)


def test_every_preset_is_counted_from_its_first_trick_unbroken_with_clubs_alone_and_to_its_end() -> None:
    for name in ("openings", "unbroken", "thirteen_clubs", "endings"):
        assert {line.variant for line in LINES[name]} == set(VARIANTS) >= set(PRESETS)


def test_lines_are_read_as_they_are_written() -> None:
    line = Line("black_maria kitty=none", "seed 1 deal 2", "2C 3C", 4, 5)
    assert read_line(str(line)) == line


PLAY = ("pagat", "queen_breaks", *(v for v in VARIANTS if v.startswith("standard ") and "kitty" not in v))


@pytest.mark.parametrize("variant", PLAY)
def test_a_rule_of_play_that_changes_is_noticed(variant: str) -> None:
    def differs(line: Line) -> bool:
        other = Line(variant, line.deal, line.plays, line.depth)
        try:
            return other.count_with(ENGINES[0]) != line.count
        except ValueError:  # a card on the way to the position may not be played
            return True

    standard = [line for lines in LINES.values() for line in lines if line.variant == "standard"]
    assert any(map(differs, standard))


# --- by hand


@BY_ENGINE
def test_a_deal_small_enough_to_count_by_hand(engine: Any) -> None:
    rules = Rules(seats=3, removed=tuple(_left_out("2C 3D 4D 3C 5D 6H")), pass_cards=0)
    start = engine.start(rules, [parse_cards(hand) for hand in ("2C 3D", "3C 6H", "4D 5D")])
    # trick 1: 2C and 3C are forced, seat 2 discards 4D or 5D; seat 1 then leads its heart, and all is forced
    assert [count_sequences(start, n_cards) for n_cards in range(7)] == [1, 1, 1, 2, 2, 2, 2]


@BY_ENGINE
def test_a_position_is_reached_by_legal_cards_only(engine: Any) -> None:
    rules = Rules(seats=3, removed=tuple(_left_out("2C 3D 4D 3C 5D 6H")), pass_cards=0)
    start = engine.start(rules, [parse_cards(hand) for hand in ("2C 3D", "3C 6H", "4D 5D")])
    end = go_to(start, [card_index(word) for word in ("2C", "3C", "5D", "6H", "4D", "3D")])
    assert (end.legal, len(end.plays)) == (0, 6)
    with pytest.raises(ValueError, match="6H is card 3 and may not be played"):
        go_to(start, [card_index(word) for word in ("2C", "3C", "6H")])
    with pytest.raises(ValueError, match="card 1 is 3C, but only 2C may be played"):
        go_to(start, [card_index("3C")])


def _left_out(in_play: str) -> list[str]:
    return [card_name(card) for card in range(52) if card_name(card) not in in_play.split()]
