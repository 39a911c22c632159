"""The three computer levels, rule by rule."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from positions import ask, build_position

from hearts_sim.bots import play, player
from hearts_sim.game.notation import format_cards
from hearts_sim.game.rules import PRESETS, Rules

Plays = Callable[..., str]
Passes = Callable[..., set[str]]
LEVELS = ["cpu-easy", "cpu-medium", "cpu-hard"]


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_takes_the_queen_when_it_can_duck(level: str, plays: Plays) -> None:
    assert plays(level, "KD 4D", "TD QS 9D") == "4D"


@pytest.mark.parametrize("level", ["cpu-medium", "cpu-hard"])
def test_medium_and_hard_drop_the_queen_under_an_ace(level: str, plays: Plays) -> None:
    assert plays(level, "KS QS", "5S AS") == "QS"


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_throws_the_queen_when_void(level: str, plays: Plays) -> None:
    assert plays(level, "AC QS KH", "JD") == "QS"


@pytest.mark.parametrize("level", LEVELS)
def test_at_12_points_of_one_seat_alone_no_level_gives_it_penalty_cards(level: str, plays: Plays) -> None:
    assert plays(level, "3C QS KH", "8D", points=(0, 0, 0, 12)) == "3C"
    assert plays(level, "3C QS KH", "8D", points=(0, 0, 0, 11)) == "QS"
    assert plays(level, "3C QS KH", "8D", points=(0, 0, 1, 12)) == "QS"
    assert plays(level, "3C QS KH", "8D", points=(0, 0, 12, 0)) == "QS"
    assert plays(level, "KH QS", "8D", points=(0, 0, 0, 12)) in {"KH", "QS"}


@pytest.mark.parametrize("level", LEVELS)
def test_a_seat_that_leads_the_points_gets_no_queen_under_its_ace(level: str, plays: Plays) -> None:
    assert plays(level, "4S QS", "5S AS", points=(0, 0, 0, 12)) == "4S"


def test_only_hard_takes_a_trick_away_from_that_seat(plays: Plays) -> None:
    at_12, at_11 = {"points": (0, 12, 0, 0)}, {"points": (0, 11, 0, 0)}
    assert [plays(level, "2H 9H", "8H 3H 4H", **at_12) for level in LEVELS] == ["2H", "2H", "9H"]
    assert [plays(level, "2H 9H", "8H 3H 4H", **at_11) for level in LEVELS] == ["2H", "2H", "2H"]
    assert plays("cpu-hard:stop_shooter=0", "2H 9H", "8H 3H 4H", **at_12) == "2H"


def test_12_points_are_a_share_of_the_points_of_the_deal(plays: Plays) -> None:
    spot = PRESETS["spot"].rules
    assert plays("cpu-hard", "2H 9H", "8H 3H 4H", points=(0, 60, 0, 0), rules=spot) == "9H"
    assert plays("cpu-hard", "2H 9H", "8H 3H 4H", points=(0, 59, 0, 0), rules=spot) == "2H"


def test_easy_ducks_what_holds_points_and_otherwise_plays_low(plays: Plays) -> None:
    assert plays("cpu-easy", "3D 8D TD AD", "JD 2H") == "TD"
    assert plays("cpu-easy", "3D 8D TD AD", "JD") == "3D"
    assert plays("cpu-easy", "QS KS", "JS") == "KS"


def test_easy_leads_its_lowest_card(plays: Plays) -> None:
    assert plays("cpu-easy", "3D 8D QS AH") == "3D"


def test_easy_counts_nothing() -> None:
    for played in ("", "QS", "AS KS QS", "2D 3D 4D 5D 6D 7D 9D"):
        position = build_position("8D TD 5S AH", "JD", played=played)
        assert format_cards(ask("cpu-easy", position)) == "8D"


def test_easy_passes_its_highest_cards_and_medium_its_bare_high_spades(passes: Passes) -> None:
    hand = "2C 5C 9C TC 3D 4D JD 2S 7S QS KH QH AH"
    assert passes("cpu-easy", hand) in ({"AH", "KH", "QS"}, {"AH", "KH", "QH"})
    assert passes("cpu-medium", hand) == {"QS", "AH", "KH"}


def test_medium_keeps_high_spades_back_while_the_queen_is_out(plays: Plays) -> None:
    assert plays("cpu-medium", "JS KS", "TS") == "JS"
    assert plays("cpu-medium", "KS 9C") == "9C"
    assert plays("cpu-medium", "KS 3C AH", "9D") == "KS"
    assert plays("cpu-medium", "KS 3C 4H", "9D", played="QS") == "4H"


def test_medium_ducks_high_and_takes_a_clean_trick_in_last_seat(plays: Plays) -> None:
    assert plays("cpu-medium", "3D 8D TD AD", "JD") == "TD"
    assert plays("cpu-medium", "3D 8D TD AD", "JD 2D 4D") == "AD"


def test_hard_leads_a_card_that_all_others_must_beat(plays: Plays) -> None:
    low_diamonds = "2D 3D 4D 5D 6D"
    assert plays("cpu-hard", "7D 7C KC", played=f"{low_diamonds} QS AC QC JC 2C 3C 4C 5C") == "7D"


def test_hard_counts_that_a_low_card_has_become_high(plays: Plays) -> None:
    """The nine of diamonds beats the only diamond left, the nine of clubs none of the clubs left."""
    late = {"played": "QS 3D 4D 5D 6D 7D 8D TD JD QD KD AD 2C 3C 4C 5C 6C 7C 8C", "trick_number": 9}
    assert plays("cpu-hard", "9C 9D", **late) == "9C"
    assert plays("cpu-hard", "9C 9D", "7S", voids={0: "S"}, **late) == "9D"


def test_hard_does_not_lead_into_shown_voids(plays: Plays) -> None:
    """Both leads would win; only one suit is known to bring the queen."""
    played = "2D 3D 4D 5D 2C 3C 4C 5C"
    assert plays("cpu-hard", "AC AD", played=played, voids={1: "D", 2: "D"}) == "AC"
    assert plays("cpu-hard", "AC AD", played=played, voids={1: "C", 2: "C"}) == "AD"


def test_hard_leads_spades_to_flush_out_the_queen_but_not_its_own(plays: Plays) -> None:
    assert plays("cpu-hard", "4S 8S 9S 6C 9C JC 7D TD JD", broken=False) == "4S"
    assert plays("cpu-hard", "2S QS 3C 4C", broken=False) in {"3C", "4C"}


def test_hard_sheds_the_more_dangerous_card(plays: Plays) -> None:
    """Of two clubs to throw, the one that most clubs out are below."""
    assert plays("cpu-hard", "2C KC 2D 4D", "9S", played="QS 2H 3H") == "KC"


def test_hard_takes_the_first_trick_high(plays: Plays) -> None:
    assert plays("cpu-hard", "4C KC AC 5D", "2C 9C TC", trick_number=1) in {"KC", "AC"}


def test_hard_takes_a_bonus_card(plays: Plays) -> None:
    omnibus = PRESETS["omnibus"].rules
    assert plays("cpu-hard", "4D QD", "JD 2D 3D", rules=omnibus) == "QD"
    assert plays("cpu-hard", "4D QD", "JD QS 3D", rules=omnibus) == "4D"


def test_hard_keeps_what_may_take_a_bonus_card(plays: Plays) -> None:
    omnibus = PRESETS["omnibus"].rules
    assert plays("cpu-hard", "8C AD", "2S", played="QS", rules=omnibus) == "8C"
    assert plays("cpu-hard", "8C AD", "2S", played="QS") == "AD"
    assert plays("cpu-hard", "JD KC", played="QS", rules=omnibus) == "KC"


def test_hard_keeps_three_low_spades_beside_the_queen_only_if_there_are_four(passes: Passes) -> None:
    assert "QS" in passes("cpu-hard", "2S 3S 7S QS 4C 5C 6C 8D 9D 3H 4H 5H 6H")
    assert "QS" not in passes("cpu-hard", "2S 3S 7S JS QS 4C 5C 6C 8D 9D 3H 4H 5H")


def margins(entrants: list[str], n_games: int) -> np.ndarray:
    """Return points per deal of the others less its own, one row per block of four rotations."""
    session = play.Session(Rules(), 5, [player.load_player(name) for name in entrants])
    sums = np.zeros((n_games, 4))
    for turn in range(4):
        order = [(seat + turn) % 4 for seat in range(4)]
        rows = session.play(play.make_jobs(0, n_games, turn, order))
        deals = np.bincount(rows["game"].astype(int), minlength=n_games)
        for seat, entrant in enumerate(order):
            own = rows["points"][:, seat].astype(float)
            others = (rows["points"][:, :4].sum(axis=1) - own) / 3
            sums[:, entrant] += np.bincount(rows["game"].astype(int), others - own, n_games) / deals / 4
    return sums


def test_hard_beats_medium_beats_easy_with_intervals_far_apart() -> None:
    blocks = margins(["greedy", "cpu-easy", "cpu-medium", "cpu-hard"], 400)
    for weaker, stronger in ((1, 2), (2, 3)):
        gap = blocks[:, stronger] - blocks[:, weaker]
        assert gap.mean() > 1.5
        assert gap.mean() > 10 * gap.std() / len(gap) ** 0.5


def test_hard_beats_three_greedy() -> None:
    blocks = margins(["cpu-hard", "greedy", "greedy", "greedy"], 400)
    assert blocks[:, 0].mean() > 0.9
