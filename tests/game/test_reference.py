"""The rules and the scoring, case by case, on the reference's pure functions."""

from __future__ import annotations

from typing import Any

import pytest

from hearts_sim.game.notation import CLUBS_BITS, DIAMONDS_BITS, RANKS, SPADES_BITS, card_index, parse_cards
from hearts_sim.game.reference import legal_cards, pass_choices
from hearts_sim.game.reference_scoring import add_scores, judge_end, points_of, score_deal
from hearts_sim.game.rules import Rules

HEARTS = " ".join(rank + "H" for rank in RANKS)
ALL_PENALTY = HEARTS + " QS"


def follow(hand: str, trick: int = 2, led: int = CLUBS_BITS, **rules: Any) -> int:
    return legal_cards(Rules(**rules), parse_cards(hand), led, trick, False)


def lead(hand: str, broken: bool = False, **rules: Any) -> int:
    return legal_cards(Rules(**rules), parse_cards(hand), 0, 5, broken)


def score(
    *taken: str, scores: tuple[int, ...] = (0, 0, 0, 0), tricks: tuple[int, ...] = (4, 3, 3, 3), **rules: Any
) -> tuple[int, ...]:
    return tuple(score_deal(Rules(**rules), [parse_cards(cards) for cards in taken], tricks, scores, 3))


def shoot(*scores: int, **rules: Any) -> tuple[int, ...]:
    """Let seat 0 shoot the moon and return the totals."""
    chosen = Rules(**rules)
    deltas = score(ALL_PENALTY, "", "", "", scores=scores, **rules)
    return tuple(add_scores(chosen, scores, deltas))


def test_first_trick_void_seat_discards_no_points() -> None:
    assert follow("AD QS 5H 9H", trick=1) == parse_cards("AD")


def test_first_trick_points_allowed_lets_a_void_seat_discard_anything() -> None:
    hand = "AD QS 5H 9H"
    assert follow(hand, trick=1, first_trick_points="allowed") == parse_cards(hand)


def test_first_trick_a_hand_of_points_alone_plays_any_of_them() -> None:
    hand = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS"
    assert follow(hand, trick=1) == parse_cards(hand)


def test_after_the_first_trick_points_may_be_discarded() -> None:
    assert follow("AD QS 5H", trick=2) == parse_cards("AD QS 5H")


def test_following_suit_comes_first() -> None:
    assert follow("3C AD QS", trick=1) == parse_cards("3C")
    assert follow("3D AD QS 2H", led=DIAMONDS_BITS) == parse_cards("3D AD")


def test_first_trick_of_spades_keeps_the_queen_back_while_another_spade_follows() -> None:
    barred: dict[str, Any] = {"trick": 1, "led": SPADES_BITS, "opening_lead": "left_of_dealer"}
    assert follow("5S QS AD", **barred) == parse_cards("5S")
    assert follow("QS AD", **barred) == parse_cards("QS")


def test_unbroken_hearts_are_not_led() -> None:
    assert lead("KH 3C") == parse_cards("3C")
    assert lead("KH 3C", broken=True) == parse_cards("KH 3C")


def test_the_queen_may_be_led_before_hearts_break_unless_barred() -> None:
    assert lead("QS 5H 7D") == parse_cards("QS 7D")
    assert lead("QS 5H 7D", queen_lead="after_break") == parse_cards("7D")
    assert lead("QS", queen_lead="after_break") == parse_cards("QS")


def test_queen_and_hearts_alone_must_lead_the_queen_unless_hearts_are_allowed() -> None:
    assert lead("QS 4H 9H") == parse_cards("QS")
    assert lead("QS 4H 9H", queen_or_hearts_lead="hearts_allowed") == parse_cards("QS 4H 9H")


def test_hearts_alone_may_all_be_led() -> None:
    assert lead("4H 9H AH") == parse_cards("4H 9H AH")


def test_hearts_that_never_need_breaking_may_be_led() -> None:
    assert lead("4H 9C", hearts_break_by="never_needed") == parse_cards("4H 9C")


@pytest.mark.parametrize(
    ("opening", "legal"), [("lowest_club", "2C"), ("any_club", "2C 9C"), ("left_of_dealer", "2C 9C 4D")]
)
def test_what_opens_a_deal(opening: str, legal: str) -> None:
    hand = parse_cards("2C 9C 4D 5H QS")
    assert legal_cards(Rules(opening_lead=opening), hand, 0, 1, False) == parse_cards(legal)


def test_forbidden_pass_cards_are_not_offered_while_enough_others_remain() -> None:
    rules = Rules(pass_forbidden=("QS", "KS", "AS"))
    assert pass_choices(rules, parse_cards("QS KS AS 2C 3C 4C")) == parse_cards("2C 3C 4C")
    assert pass_choices(rules, parse_cards("QS KS AS 2C 3C")) == parse_cards("QS KS AS 2C 3C")


def test_plain_deal_points() -> None:
    assert score("", "2H 3H 4H 5H 6H 7H 8H 9H TH", "QS JH QH KH", "AH") == (0, 9, 16, 1)


def test_every_card_has_its_points() -> None:
    assert points_of(Rules(), parse_cards(ALL_PENALTY)) == 26
    assert points_of(Rules(hearts_points="spot", queen_points=25), parse_cards(ALL_PENALTY)) == 129
    assert points_of(Rules(hearts_points="spot_courts"), parse_cards("TH JH QH KH AH")) == 55
    assert points_of(Rules(spade_honours=(("KS", 10), ("AS", 7))), parse_cards("QS KS AS")) == 30


def test_bonus_card_with_the_moon() -> None:
    assert score(ALL_PENALTY + " JD", "", "", "", bonus_card="JD") == (-10, 26, 26, 26)


def test_bonus_card_against_the_moon() -> None:
    assert score(ALL_PENALTY, "", "JD", "", bonus_card="JD") == (0, 26, 16, 26)


def test_bonus_card_in_a_plain_deal() -> None:
    rest = HEARTS.removeprefix("2H 3H 4H ")
    assert score("QS 2H 3H 4H JD", rest, "", "", bonus_card="JD") == (6, 10, 0, 0)


def test_bonus_card_needed_for_the_moon() -> None:
    scored = score(ALL_PENALTY, "", "JD", "", bonus_card="JD", bonus_in_moon=True)
    assert scored == (26, 0, -10, 0)


def test_no_tricks_bonus_only_when_nobody_shoots() -> None:
    assert score(ALL_PENALTY, "", "", "", tricks=(10, 2, 1, 0), no_tricks_bonus=-5) == (0, 26, 26, 26)
    assert score("QS", HEARTS, "", "", tricks=(1, 9, 3, 0), no_tricks_bonus=-5) == (13, 13, 0, -5)


def test_doubling_card_doubles_its_taker_but_never_a_moon() -> None:
    assert score("QS TC", HEARTS, "", "", doubling_card="TC") == (26, 13, 0, 0)
    assert score(ALL_PENALTY + " TC", "", "", "", doubling_card="TC") == (0, 26, 26, 26)


def test_no_moon_scores_like_any_other_deal() -> None:
    assert score(ALL_PENALTY, "", "", "", moon="none") == (26, 0, 0, 0)


def test_a_subtracted_moon() -> None:
    assert score(ALL_PENALTY, "", "", "", moon="subtract") == (-26, 0, 0, 0)


@pytest.mark.parametrize(("sun", "scored"), [("add", (0, 52, 52, 52)), ("subtract", (-52, 0, 0, 0))])
def test_a_sun_is_a_moon_of_twice_the_total(sun: str, scored: tuple[int, ...]) -> None:
    assert score(ALL_PENALTY, "", "", "", tricks=(13, 0, 0, 0), sun=sun) == scored
    assert score(ALL_PENALTY, "", "", "", tricks=(12, 1, 0, 0), sun=sun) == (0, 26, 26, 26)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((90, 95, 63, 40), (64, 95, 63, 40)),
        ((30, 80, 20, 10), (30, 106, 46, 36)),
        ((90, 95, 64, 70), (90, 121, 90, 96)),
        ((60, 10, 20, 30), (60, 36, 46, 56)),
    ],
)
def test_the_moon_best_for_the_shooter(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert shoot(*before, moon="best_for_shooter") == after


def test_the_moon_subtracted_from_a_shooter_who_would_be_behind() -> None:
    assert shoot(60, 10, 20, 30, moon="subtract_if_behind") == (34, 10, 20, 30)
    assert shoot(30, 80, 20, 10, moon="subtract_if_behind") == (30, 106, 46, 36)


def test_the_shooters_bonus_counts_when_the_best_moon_is_chosen() -> None:
    rules = Rules(moon="best_for_shooter", bonus_card="JD")
    taken = [parse_cards(ALL_PENALTY + " JD"), 0, 0, 0]
    # with the jack adding leaves the shooter lowest, at 85 to 86
    assert score_deal(rules, taken, (10, 1, 1, 1), (95, 90, 60, 80), 4) == [-10, 26, 26, 26]


@pytest.mark.parametrize(
    ("option", "totals", "ended"),
    [
        ("nothing", [100, 60, 30, 20], 1),
        ("halve_to_50", [50, 60, 30, 20], 0),
        ("reset_to_0", [0, 60, 30, 20], 0),
        ("wins", [100, 60, 30, 20], 1),
    ],
)
def test_landing_exactly_on_the_target(option: str, totals: list[int], ended: int) -> None:
    rules = Rules(exact_target=option)
    assert add_scores(rules, [90, 60, 30, 20], [10, 0, 0, 0]) == totals
    assert judge_end(rules, totals, 5) == ended


def test_a_shared_lowest_score_ends_the_game_or_plays_on() -> None:
    assert judge_end(Rules(tie="share"), [104, 60, 60, 88], 9) == 1
    assert judge_end(Rules(tie="play_on"), [104, 60, 60, 88], 9) == 0
    assert judge_end(Rules(tie="play_on"), [104, 60, 61, 88], 9) == 1


def test_the_deal_cap_stops_a_game_with_its_own_status() -> None:
    assert judge_end(Rules(moon="subtract", max_deals=8), [0, 0, 0, 0], 7) == 0
    assert judge_end(Rules(moon="subtract", max_deals=8), [0, 0, 0, 0], 8) == 2


def test_a_fixed_number_of_deals_looks_at_no_target() -> None:
    assert judge_end(Rules(deals_per_game=4), [120, 1, 2, 3], 3) == 0
    assert judge_end(Rules(deals_per_game=4), [20, 1, 2, 3], 4) == 1


def test_the_queen_is_card_42() -> None:
    assert card_index("QS") == 42
