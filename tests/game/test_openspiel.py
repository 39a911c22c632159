"""OpenSpiel's Hearts, written by others in C++, allows the same cards and gives the same points under every option.

What it rules otherwise by default is in docs/proofs.md.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from openspiel_games import (
    CHOOSERS,
    DEFAULTS,
    OFFSETS,
    VARIANTS,
    Chooser,
    Difference,
    Played,
    TwoTables,
    pick_highest,
    pick_lowest,
    pick_random,
    save_penalties,
    translate_options,
    wish,
)

from hearts_sim.game.notation import (
    CLUBS_BITS,
    DIAMONDS_BITS,
    FULL_DECK,
    HEARTS_BITS,
    SPADES_BITS,
    list_cards,
    parse_cards,
)
from hearts_sim.game.rules import QUEEN, Rules

LOG = logging.getLogger(__name__)
N_DEALS = 2_000
N_DEALS_SLOW = 200_000
TWO_OF_HEARTS = parse_cards("2H")
JACK = parse_cards("JD")


@pytest.fixture(scope="module")
def openspiel() -> Any:
    """OpenSpiel, an extra: `pip install 'hearts-sim[test]'`."""
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'hearts-sim[test]'")


@pytest.fixture(scope="module")
def tables(openspiel: Any) -> list[TwoTables]:
    """Both engines under each of OpenSpiel's 256 settings."""
    return [TwoTables(translate_options(options), options, seed=20) for options in VARIANTS]


def play_any(tables: TwoTables, number: int, source: random.Random) -> Played:
    """Play one random deal with a random pass and any mix of choosers."""
    offset = OFFSETS[int(source.random() * 4)] if tables.rules.pass_cards else 0
    choosers = [CHOOSERS[int(source.random() * len(CHOOSERS))] for _ in range(4)]
    return tables.play(number, offset, choosers, source)


def compare_deals(tables: list[TwoTables], n_deals: int) -> int:
    """Play random deals, each setting in its turn, and return at how many decisions the legal cards were compared."""
    source = random.Random(20)
    return sum(play_any(tables[n % len(tables)], n, source).n_decisions for n in range(n_deals))


def test_every_option_of_openspiel_is_translated(openspiel: Any) -> None:
    options = openspiel.load_game("hearts").get_parameters()
    assert options == DEFAULTS
    assert (
        len({translate_options(variant).hash() for variant in VARIANTS}) == 192
    )  # 64 differ in what cannot matter


def test_random_deals_are_played_alike(tables: list[TwoTables]) -> None:
    assert compare_deals(tables, N_DEALS) >= N_DEALS * 52


@pytest.mark.slow
def test_very_many_random_deals_are_played_alike(tables: list[TwoTables]) -> None:
    n_decisions = compare_deals(tables, N_DEALS_SLOW)
    LOG.info("%d deals, %d decisions", N_DEALS_SLOW, n_decisions)
    assert n_decisions >= N_DEALS_SLOW * 52


@dataclass(frozen=True)
class Case:
    """Hands as they are after the pass, and how the seats play; seats and cards not named are random."""

    hands: Mapping[int, str | int]
    choosers: Mapping[int, Chooser] = field(default_factory=dict)

    def complete(self, source: random.Random) -> list[int]:
        """Return four hands with the cards left over dealt at random."""
        hands = [self.hands.get(seat, 0) for seat in range(4)]
        masks = [parse_cards(hand) if isinstance(hand, str) else hand for hand in hands]
        left = list_cards(FULL_DECK & ~sum(masks))
        source.shuffle(left)
        for seat, mask in enumerate(masks):
            room = 13 - mask.bit_count()
            masks[seat] = mask | sum(1 << card for card in left[:room])
            del left[:room]
        return masks


HEARTS_BUT_ACE = HEARTS_BITS & ~parse_cards("AH")
HEARTS_BUT_TWO_TOP = HEARTS_BUT_ACE & ~parse_cards("KH")
TOP_CARDS = "AC KC QC AD KD QD AS KS QS AH KH QH JH"
# Seat 0 takes all but the first trick, which seat 1 takes with the ace of clubs and whatever seat 2 discards on it.
ALL_BUT_ONE = {
    0: "2C AD KD QD AS KS QS JS AH KH QH JH TH",
    1: "AC 2D 3D 4D 5D 6D 7D 8D 9D 2S 3S 4S 5S",
    2: "TD JD 6S 7S 8S 9S TS 2H 3H 4H 5H 6H 7H",
}
CASES = {
    "one suit each": Case({0: CLUBS_BITS, 1: DIAMONDS_BITS, 2: SPADES_BITS, 3: HEARTS_BITS}),
    "thirteen clubs": Case({0: CLUBS_BITS}),
    "thirteen hearts": Case({0: HEARTS_BITS}),
    "hearts and the queen": Case({0: HEARTS_BUT_ACE | QUEEN}),
    "hearts, the queen and a club": Case({0: HEARTS_BUT_TWO_TOP | QUEEN | parse_cards("3C")}),
    "a leader with hearts only": Case({0: HEARTS_BUT_ACE | parse_cards("AC")}),
    "a leader with hearts and the queen": Case({0: HEARTS_BUT_TWO_TOP | QUEEN | parse_cards("AC")}),
    "a leader with one heart and spades": Case({0: "AC 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS 2H"}),
    "hands of penalty cards at the end": Case({}, dict.fromkeys(range(4), save_penalties)),
    "a seat without a trick": Case({0: "3C 4C 2D 3D 4D 5D 2S 3S 4S 2H 3H 4H 5H"}, {0: pick_lowest}),
    "a moon of all tricks": Case({0: TOP_CARDS}, {0: pick_highest}),
    "a moon with the jack elsewhere": Case(ALL_BUT_ONE, {0: pick_highest, 2: wish(JACK, pick_random)}),
    "a moon but for one heart": Case(ALL_BUT_ONE, {0: pick_highest, 2: wish(TWO_OF_HEARTS, pick_random)}),
}


def take_back(hands: list[int], offset: int, source: random.Random) -> tuple[list[int], list[int]]:
    """Return the hands before the pass, and the passes, that lead to these hands."""
    if offset == 0:
        return hands, [0, 0, 0, 0]
    received = [sum(1 << card for card in source.sample(list_cards(hand), 3)) for hand in hands]
    passes = [received[(seat + offset) % 4] for seat in range(4)]
    return [hands[seat] & ~received[seat] | passes[seat] for seat in range(4)], passes


def play_case(tables: list[TwoTables], case: Case) -> Iterator[tuple[Rules, int, Any]]:
    """Play a case under every setting, from any seat and after any pass; yield rules, its seat 0 and the row."""
    source = random.Random(20)
    for number, pair in enumerate(tables):
        hands = case.complete(source)
        turn = int(source.random() * 4)
        choosers = [
            case.choosers.get(seat, CHOOSERS[int(source.random() * len(CHOOSERS))]) for seat in range(4)
        ]
        offset = OFFSETS[int(source.random() * 4)] if pair.rules.pass_cards else 0
        dealt, passes = take_back(hands[-turn:] + hands[:-turn], offset, source)
        played = pair.play(number, offset, choosers[-turn:] + choosers[:-turn], source, dealt, passes)
        yield pair.rules, turn, played.row


@pytest.mark.parametrize("name", CASES)
def test_laid_out_deals_are_played_alike(tables: list[TwoTables], name: str) -> None:
    assert len(list(play_case(tables, CASES[name]))) == len(VARIANTS)


def test_the_moons_that_are_laid_out_happen(tables: list[TwoTables]) -> None:
    for rules, seat, row in play_case(tables, CASES["a moon of all tricks"]):
        assert row["moon"] == row["sun"] == seat
        assert row["bonus_taker"] == (seat if rules.bonus_card else -1)
    for rules, seat, row in play_case(tables, CASES["a moon with the jack elsewhere"]):
        assert (row["moon"], row["sun"]) == (seat, -1)
        assert row["bonus_taker"] == ((seat + 1) % 4 if rules.bonus_card else -1)
        assert row["points"][(seat + 1) % 4] == (16 if rules.bonus_card else 26)


def test_the_moon_that_misses_one_heart_is_none(tables: list[TwoTables]) -> None:
    for rules, seat, row in play_case(tables, CASES["a moon but for one heart"]):
        misses = rules.first_trick_points == "allowed"
        assert row["moon"] == (-1 if misses else seat)


def find_difference(rules: Rules, options: dict[str, bool], n_deals: int = 1_000) -> Difference | None:
    """Return the first difference between rules and options that do not mean the same, if deals show one."""
    pair = TwoTables(rules, options)
    source = random.Random(20)
    for number in range(n_deals):
        try:
            play_any(pair, number, source)
        except Difference as found:
            return found
    return None


@pytest.mark.parametrize(
    ("option", "kind"),
    [
        ("no_pts_on_first_trick", "play"),
        ("can_lead_any_club", "play"),
        ("jd_bonus", "points"),
        ("avoid_all_tricks_bonus", "points"),
        ("must_break_hearts", "play"),
        ("qs_breaks_hearts", "play"),
        ("can_lead_hearts_instead_of_qs", "play"),
    ],
)
def test_a_rule_that_differs_is_noticed(openspiel: Any, option: str, kind: str) -> None:
    difference = find_difference(translate_options(DEFAULTS), DEFAULTS | {option: not DEFAULTS[option]})
    assert difference is not None
    assert difference.kind == kind


def test_the_default_games_differ_only_where_the_queen_fell_before_any_heart(openspiel: Any) -> None:
    pair = TwoTables(Rules(), DEFAULTS)
    source = random.Random(20)
    differences = []
    for number in range(N_DEALS):
        try:
            play_any(pair, number, source)
        except Difference as found:
            differences.append(found)
    assert 0 < len(differences) < N_DEALS
    for difference in differences:
        assert (difference.kind, difference.trick_length) == ("play", 0)
        assert difference.played & (HEARTS_BITS | QUEEN) == QUEEN
        assert difference.theirs == difference.hand
        assert difference.ours == difference.hand & ~HEARTS_BITS


def test_the_smallest_position_where_the_default_games_differ(openspiel: Any) -> None:
    """The queen falls on the first trick from a hand of hearts and the queen; the winner holds the other heart."""
    hands: dict[int, str | int] = {0: "2C 4C", 1: HEARTS_BUT_ACE | QUEEN, 2: "AC AH 2D", 3: "3C 5C"}
    dealt = Case(hands).complete(random.Random(20))
    wishes = ["2C", "QS", "AC", "3C"]
    choosers = [wish(parse_cards(card), pick_random) for card in wishes]
    with pytest.raises(Difference) as caught:
        TwoTables(Rules(), DEFAULTS).play(0, 0, choosers, random.Random(20), dealt)
    assert caught.value.played == parse_cards(" ".join(wishes))
    assert caught.value.theirs == dealt[2] & ~parse_cards("AC")
    assert caught.value.ours == dealt[2] & ~parse_cards("AC AH")


def test_openspiel_without_a_pass_still_passes_as_chance_says(openspiel: Any) -> None:
    state = openspiel.load_game("hearts", {"pass_cards": False}).new_initial_state()
    assert [direction for direction, _ in state.chance_outcomes()] == [0, 1, 2, 3]
    assert state.legal_actions() == [0]
    state.apply_action(1)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert len(state.legal_actions()) == 13  # a seat that opens would have the two of clubs alone
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    assert "Received Cards" in str(state)
