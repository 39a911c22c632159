"""Small deals laid out by hand: what programs of this kind have had wrong in public, played through the twin."""

from __future__ import annotations

from typing import Any

import pytest
from laid_out import Scripted, only, play
from twin_games import play_twin

from hearts_sim.errors import StrategyFault
from hearts_sim.game.notation import FULL_DECK, HEARTS_BITS, card_name, format_cards, list_cards, parse_cards
from hearts_sim.game.reference import deal_cards
from hearts_sim.game.rules import QUEEN, Rules
from hearts_sim.game.transcript import list_tricks

HEARTS = format_cards(HEARTS_BITS).split()
FULL_HANDS = [format_cards(hand) for hand in deal_cards(Rules(), 1, 1, 1)[0]]


def lead_after_discard(discard: str, **rules: Any) -> str:
    """Return what a leader with a heart and 3C may lead after ``discard`` fell on a diamond trick."""
    heart = "AH" if discard == "KH" else "KH"
    hands = [f"2C AD {heart} 3C", "3D 4D 8S 9S", "5D 6D TS JS", f"6S 7S {discard} 5S"]
    players = [Scripted("AD 3C"), Scripted("3D 4D"), Scripted("5D 6D"), Scripted(f"6S {discard}")]
    deal = play(hands, players, only(hands, first_trick_points="forbidden", **rules))
    assert card_name(deal.plays[7]) == discard
    return players[0].offered.get(3, "3C")  # a seat with one legal card is not asked


@pytest.mark.parametrize("heart", HEARTS)
def test_every_heart_discarded_lets_hearts_be_led(heart: str) -> None:
    assert lead_after_discard(heart) == "3C " + ("AH" if heart == "KH" else "KH")


@pytest.mark.parametrize("discard", ["4S", "QS", "KS", "AS"])
def test_no_other_card_lets_hearts_be_led(discard: str) -> None:
    assert lead_after_discard(discard) == "3C"


@pytest.mark.parametrize(
    ("break_by", "discard", "legal"),
    [
        ("heart_or_queen", "QS", "3C KH"),
        ("heart_or_queen", "KS", "3C"),
        ("any_penalty", "QS", "3C KH"),
        ("never_needed", "4S", "3C KH"),
    ],
)
def test_what_lets_hearts_be_led_is_an_option(break_by: str, discard: str, legal: str) -> None:
    assert lead_after_discard(discard, hearts_break_by=break_by) == legal


def test_spade_honours_break_hearts_where_any_penalty_does() -> None:
    assert lead_after_discard("KS", hearts_break_by="any_penalty", spade_honours=(("KS", 10),)) == "3C KH"


def test_a_hand_of_hearts_alone_leads_any_and_that_breaks_hearts() -> None:
    hands = ["2C 4H 9H", "3C 5D 6D", "4C 8D 9D", "5C TD KC"]
    players = [Scripted("2C"), Scripted(), Scripted(), Scripted()]
    assert play(hands, players).broken_trick == 2
    hands = ["AC 4H 9H", "2C 3D 6D", "4C 8D 9D", "5C TD KC"]
    players = [Scripted("9H"), *(Scripted() for _ in range(3))]
    assert play(hands, players).broken_trick == 2
    assert players[0].offered[2] == "4H 9H"


def test_no_void_is_recorded_for_a_seat_that_wins_and_changes_suit() -> None:
    hands = ["2C 3D 4D", "AC 6D 7D", "3C 8D 9D", "5S TD JD"]
    players = [Scripted(), Scripted("AC 6D"), Scripted(), Scripted()]
    play(hands, players)
    assert players[2].voids[2] == ["", "", "", "C", "", ""]


def test_every_suit_not_followed_is_a_void_that_all_see() -> None:
    hands = ["2C 4C 5S 8S", "AC 7S TS JS", "8D 9D TD JD", "3C 5C 2S 3S"]
    players = [Scripted(), Scripted("AC JS TS"), Scripted(), Scripted()]
    play(hands, players)
    assert players[2].voids[2] == ["", "", "C", "", "", ""]
    assert players[2].voids[3] == ["", "", "CS", "", "", ""]


def test_without_a_pass_the_holder_of_the_two_of_clubs_leads_it() -> None:
    holder = next(seat for seat, hand in enumerate(FULL_HANDS) if "2C" in hand)
    deal = play(FULL_HANDS, [Scripted() for _ in range(4)], Rules(), number=4)
    assert (deal.pass_offset, deal.opener, card_name(deal.plays[0])) == (0, holder, "2C")


def test_a_passed_two_of_clubs_is_led_by_its_new_holder() -> None:
    holder = next(seat for seat, hand in enumerate(FULL_HANDS) if "2C" in hand)
    deal = play(FULL_HANDS, [Scripted() for _ in range(4)], Rules(), number=1)
    assert (deal.opener, card_name(deal.plays[0])) == ((holder + 1) % 4, "2C")


def test_nine_deals_pass_left_right_across_and_hold_in_turn() -> None:
    deals = play_twin(Rules(), 1, 1, ["low"] * 4, n_deals=9)
    assert [deal.pass_offset for deal in deals] == [1, 3, 2, 0, 1, 3, 2, 0, 1]


def test_the_next_game_starts_with_a_pass_to_the_left() -> None:
    deals = play_twin(Rules(deals_per_game=6), 1, 1, ["low"] * 4, n_games=2)
    assert [deal.pass_offset for deal in deals] == [1, 3, 2, 0, 1, 3] * 2


def test_no_seat_sees_a_received_card_while_others_still_choose() -> None:
    players = [Scripted() for _ in range(4)]
    deal = play(FULL_HANDS, players, Rules())
    assert [player.hands[0] for player in players] == FULL_HANDS
    assert [player.received_when_passing for player in players] == [0] * 4
    assert [cards.bit_count() for cards in deal.passed] == [3] * 4


def test_scattered_cards_go_round_the_table_lowest_first() -> None:
    rules = Rules(pass_cycle=("scatter",))
    players = [Scripted() for _ in range(4)]
    deal = play(FULL_HANDS, players, rules)
    played = [{trick.by_seat()[seat] for trick in list_tricks(deal)} for seat in range(4)]
    for giver, cards in enumerate(deal.passed):
        for step, card in enumerate(list_cards(cards), start=1):
            assert card in played[(giver + step) % 4]


@pytest.mark.parametrize(
    ("passes", "said"),
    [("AC", "passes AC; 3 of"), ("AC KC", "passes KC AC; 3 of"), ("2C 2D 2S 2H", "passes 2C 2D 2S 2H; 3 of")],
)
def test_a_pass_of_the_wrong_size_is_refused(passes: str, said: str) -> None:
    with pytest.raises(StrategyFault, match=said):
        play(FULL_HANDS, [Scripted(passes=passes), *(Scripted() for _ in range(3))], Rules())


def test_a_pass_of_cards_not_held_is_refused() -> None:
    foreign = format_cards(FULL_DECK & ~parse_cards(FULL_HANDS[0])).split()[:3]
    with pytest.raises(StrategyFault, match=r"seat 0 passes .*; 3 of .* wanted"):
        play(FULL_HANDS, [Scripted(passes=" ".join(foreign)), *(Scripted() for _ in range(3))], Rules())


def test_a_card_that_may_not_be_played_is_refused_with_what_may() -> None:
    class Cheat(Scripted):
        def choose_card(self, table: Any, me: Any) -> int:
            return QUEEN

    hands = ["2C 3D", "4C 5C", "6C 7C", "8C QS"]
    with pytest.raises(StrategyFault, match="trick 1: seat 1 plays QS; 1 of 4C 5C wanted"):
        play(hands, [Scripted(), Cheat(), Scripted(), Scripted()])


@pytest.mark.parametrize("kitty", ["first_trick", "first_penalty"])
@pytest.mark.parametrize("left_over", ["AH", "QS"])
def test_the_kitty_counts_for_its_winner(kitty: str, left_over: str) -> None:
    rules = Rules(seats=3, kitty=kitty, pass_cards=0)
    hands, drawn = deal_cards(rules, 4, 0, 1)
    wanted = parse_cards(left_over)
    hands = [hand ^ (wanted | drawn) if hand & wanted else hand for hand in hands]
    deal = play([format_cards(hand) for hand in hands], [Scripted() for _ in range(3)], rules)
    tricks, worth = list_tricks(deal), rules.card_points
    in_tricks = [0, 0, 0]
    for trick in tricks:
        in_tricks[trick.winner] += sum(worth.get(card, 0) for card in trick.cards)
    first = (
        tricks[0] if kitty == "first_trick" else next(t for t in tricks if any(c in worth for c in t.cards))
    )
    in_tricks[first.winner] += worth[wanted.bit_length() - 1]
    assert deal.moon == -1
    assert list(deal.points) == in_tricks
    assert sum(deal.points) == 26


def test_nobody_is_offered_a_card_of_the_kitty() -> None:
    rules = Rules(seats=5, kitty="first_trick")
    hands, kitty = deal_cards(rules, 4, 0, 1)
    players = [Scripted() for _ in range(5)]
    deal = play([format_cards(hand) for hand in hands], players, rules)
    assert kitty.bit_count() == 2
    assert not any(kitty >> card & 1 for card in deal.plays)
    offered = " ".join(
        cards for player in players for cards in [*player.offered.values(), *player.hands.values()]
    )
    assert not set(format_cards(kitty).split()) & set(offered.split())


def test_the_next_club_opens_when_the_lowest_lies_in_the_kitty() -> None:
    rules = Rules(seats=3, kitty="first_trick", pass_cards=0)
    hands, drawn = deal_cards(rules, 4, 0, 1)
    two = parse_cards("2C")
    hands = [hand ^ (two | drawn) if hand & two else hand for hand in hands]
    deal = play([format_cards(hand) for hand in hands], [Scripted() for _ in range(3)], rules)
    assert card_name(deal.plays[0]) == "3C"
    assert hands[deal.opener] & parse_cards("3C")
