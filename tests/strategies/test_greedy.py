"""Greedy, rule by rule."""

from __future__ import annotations

from collections.abc import Callable

from positions import ask, build_position

from hearts_sim.game.rules import PRESETS

Plays = Callable[..., str]
Passes = Callable[..., set[str]]


def test_it_leads_low_spades_while_another_seat_has_the_queen(plays: Plays) -> None:
    assert plays("greedy", "2C 9C 4S JS 3H") == "4S"


def test_it_leads_its_shortest_suit_when_the_queen_is_gone_or_its_own(plays: Plays) -> None:
    assert plays("greedy", "2C 9C 4S JS 8D 3H 5H", played="QS") == "8D"
    assert plays("greedy", "2C 9C 4S QS 8D 3H 5H") == "8D"


def test_it_ducks_as_high_as_possible(plays: Plays) -> None:
    assert plays("greedy", "3D 8D TD AD", "JD") == "TD"


def test_last_to_a_trick_with_the_queen_it_ducks(plays: Plays) -> None:
    assert plays("greedy", "KD 4D", "TD QS 9D") == "4D"


def test_last_to_a_clean_trick_it_takes_it_with_its_highest_card(plays: Plays) -> None:
    assert plays("greedy", "4D QD KD", "TD 2D 9D") == "KD"
    assert plays("greedy:take_high=0", "4D QD KD", "TD 2D 9D") == "QD"


def test_last_to_a_clean_spade_trick_it_does_not_take_it_with_the_queen(plays: Plays) -> None:
    assert plays("greedy", "4S QS", "TS 2S 9S") == "4S"


def test_the_queen_goes_under_an_ace_or_king(plays: Plays) -> None:
    assert plays("greedy", "KS QS", "5S AS") == "QS"
    assert plays("greedy", "4S QS", "KS") == "QS"


def test_forced_over_it_spends_its_highest_card_in_last_seat_and_its_lowest_before(plays: Plays) -> None:
    assert plays("greedy", "QD KD", "TD 2H 9D") == "KD"
    assert plays("greedy", "QD KD", "TD 2H") == "QD"


def test_void_it_throws_queen_then_bare_high_spade_then_heart_then_high_card(plays: Plays) -> None:
    assert plays("greedy", "AC QS KH", "JD") == "QS"
    assert plays("greedy", "AC KS KH", "JD") == "KS"
    assert plays("greedy", "AC 3S KS 4H KH", "JD") == "KH"
    assert plays("greedy", "AC KS KH", "JD", played="QS") == "KH"
    assert plays("greedy", "3C AC KS", "JD", played="QS") == "AC"


def test_it_takes_a_trick_from_a_seat_that_has_every_point_so_far(plays: Plays) -> None:
    trick = "8H 3H 4H"
    assert plays("greedy", "2H 9H", trick, points=(0, 8, 0, 0)) == "9H"
    assert plays("greedy", "2H 9H", trick, points=(0, 7, 0, 0)) == "2H"
    assert plays("greedy", "2H 9H", trick, points=(0, 8, 1, 0)) == "2H"
    assert plays("greedy", "2H 9H", trick, points=(0, 0, 8, 0)) == "2H"
    assert plays("greedy:moon_threshold=27", "2H 9H", trick, points=(0, 13, 0, 0)) == "2H"


def test_it_gives_a_shooter_no_points(plays: Plays) -> None:
    assert plays("greedy", "3C AC 4H", "8D", points=(0, 0, 0, 8)) == "AC"
    assert plays("greedy", "4H 9H", "8D", points=(0, 0, 0, 8)) == "9H"


def test_the_threshold_is_a_share_of_the_points_of_the_deal(plays: Plays) -> None:
    spot = PRESETS["spot"].rules
    assert spot.total_points == 129
    assert plays("greedy", "2H 9H", "8H 3H 4H", points=(0, 39, 0, 0), rules=spot) == "2H"
    assert plays("greedy", "2H 9H", "8H 3H 4H", points=(0, 40, 0, 0), rules=spot) == "9H"


def test_it_passes_high_spades_that_are_badly_guarded(passes: Passes) -> None:
    four = "2S 3S 7S JS QS 4C 5C 6C 8D 9D 3H 4H 5H"
    five = "2S 3S 7S TS JS QS 4C 5C 6C 8D 9D 3H 4H"
    assert "QS" in passes("greedy", four)
    assert "QS" not in passes("greedy", five)
    assert "QS" not in passes("greedy:queen_guards=4", four)


def test_it_never_passes_a_spade_below_the_queen(passes: Passes) -> None:
    assert passes("greedy", "3S 4S 9S TS JS 2C 3C 4C 5C 2D 3D 4D 5D").isdisjoint(
        {"3S", "4S", "9S", "TS", "JS"}
    )


def test_it_empties_a_suit_it_has_begun(passes: Passes) -> None:
    assert passes("greedy", "7D 8D 9D 6C 7C 8C TC JC 2S 3S 4S 2H 3H") == {"7D", "8D", "9D"}


def test_it_passes_high_hearts_when_no_suit_can_be_emptied(passes: Passes) -> None:
    hand = "7C 8C 9C TC 7D 8D 9D TD 2S 3S TH QH AH"
    assert passes("greedy", hand) == {"TH", "QH", "AH"}
    assert passes("greedy:pass_hearts=0", hand).isdisjoint({"QH", "AH"})


def test_it_prefers_to_pass_the_two_of_clubs_to_the_three(passes: Passes) -> None:
    assert "2C" in passes("greedy", "2C 3C AD KD 4S 5S 6S 7S 8S 2H 3H 4H 5H")


def test_a_bonus_card_is_kept_and_taken(plays: Plays, passes: Passes) -> None:
    omnibus = PRESETS["omnibus"].rules
    assert "JD" not in passes("greedy", "JD 7D 6C 7C 8C TC 3S 4S 5S 6S 2H 3H 4H", rules=omnibus)
    assert plays("greedy", "4D QD", "JD", rules=omnibus) == "QD"
    assert plays("greedy", "4D JD", "TD 2D 5D", rules=omnibus) == "JD"
    assert plays("greedy", "4D QD", "JD QS", rules=omnibus) == "4D"
    assert plays("greedy", "3C JD", "2S", rules=omnibus, played="QS") == "3C"


def test_a_blunder_is_any_legal_card() -> None:
    seen = set()
    for stream in range(50):
        table, me = build_position("3D 8D TD AD", "JD")
        me["stream"] = stream * 0x9E3779B97F4A7C15 % 2**64
        seen.add(ask("greedy:blunder=1", (table, me)))
    assert len(seen) == 4
