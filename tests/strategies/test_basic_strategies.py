"""Random, low and ducker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from positions import build_position

from hearts_sim.bots import player
from hearts_sim.game.notation import format_cards

Plays = Callable[..., str]
Passes = Callable[..., set[str]]


def test_random_plays_each_legal_card_about_as_often() -> None:
    table, me = build_position("2C 7D QS AH")
    seated = player.load_player("random")
    counts: Counter[str] = Counter()
    for stream in range(2000):
        me["stream"] = (stream * 0x9E3779B97F4A7C15) % 2**64
        me["draws"] = 0
        counts[format_cards(int(seated.dispatchers[1](table, me)))] += 1
    assert set(counts) == {"2C", "7D", "QS", "AH"}
    assert min(counts.values()) > 420


def test_low_leads_and_follows_with_its_lowest_card(plays: Plays) -> None:
    assert plays("low", "3C 7D QS AH") == "3C"
    assert plays("low", "3C 7D KD AH", "9D") == "7D"


def test_low_discards_its_lowest_card_even_when_it_could_throw_the_queen(plays: Plays) -> None:
    assert plays("low", "3C QS AH", "9D") == "3C"


def test_low_and_ducker_pass_their_highest_cards(passes: Passes) -> None:
    hand = "2C 5C 9C TC 3D 4D JD 2S 7S KS 8H QH AH"
    assert passes("low", hand) == {"AH", "KS", "QH"}
    assert passes("ducker", hand) == {"AH", "KS", "QH"}


def test_ducker_plays_the_highest_card_that_still_loses(plays: Plays) -> None:
    assert plays("ducker", "3D 8D TD AD", "JD") == "TD"


def test_ducker_that_cannot_duck_plays_low(plays: Plays) -> None:
    assert plays("ducker", "QD AD", "JD") == "QD"


def test_ducker_throws_the_queen_then_hearts_then_high_cards(plays: Plays) -> None:
    assert plays("ducker", "AC QS KH", "JD") == "QS"
    assert plays("ducker", "AC 2H KH", "JD") == "KH"
    assert plays("ducker", "AC 2S 3S", "JD") == "AC"
