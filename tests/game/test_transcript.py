"""Transcripts: text and back without loss, errors that name their line, and a check that finds what was altered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_games import play_loop, random_rules

from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.errors import UsageError
from hearts_sim.game.notation import card_name
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.game.transcript import Transcript, check, list_tricks, read_deal
from hearts_sim.game.transcript_text import format_transcript, parse_transcript

NAMES = ("greedy", "my bot (v2)", "low", "random#1", "ducker", "Zoë")


def write_game(rules: Rules, seed: int = 5, game: int = 3, **options: Any) -> Transcript:
    deals = play_loop(rules, seed, game, ["random"] * rules.seats, **options)
    return Transcript(
        rules,
        NAMES[: rules.seats],
        tuple(deals),
        seed,
        game,
        options.get("seating", 0),
        options.get("first_deal", 1),
        options.get("n_deals", 0),
    )


@pytest.fixture(scope="module")
def standard() -> Transcript:
    return write_game(Rules())


def alter(transcript: Transcript, deal: int = 0, **changes: Any) -> Transcript:
    """Return a transcript with other facts in one deal."""
    deals = list(transcript.deals)
    deals[deal] = replace(deals[deal], **changes)
    return replace(transcript, deals=tuple(deals))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_every_preset_comes_back_and_checks(preset: str) -> None:
    transcript = write_game(PRESETS[preset].rules)
    assert parse_transcript(format_transcript(transcript)) == transcript
    assert check(transcript) is None


@settings(max_examples=40)
@given(rules=random_rules(), seed=st.integers(0, 2**64 - 1), game=st.integers(0, 2**63))
def test_any_rules_come_back_and_check(rules: Rules, seed: int, game: int) -> None:
    transcript = write_game(rules, seed, game, seating=2, first_deal=2, n_deals=3)
    assert parse_transcript(format_transcript(transcript)) == transcript
    assert check(transcript) is None


def test_one_deal_from_the_middle_of_a_game_stands_alone(standard: Transcript) -> None:
    before = standard.deals[3].scores
    alone = replace(standard, deals=standard.deals[4:5], scores_before=before)
    assert f"before: {' '.join(map(str, before))}" in format_transcript(alone)
    assert parse_transcript(format_transcript(alone)) == alone
    assert check(alone) is None


def test_a_stored_deal_is_read_with_its_cards() -> None:
    rules = Rules(seats=3, kitty="first_trick")
    session = Session(rules, 8, [load_player("low")] * 3, record_cards=True)
    rows = session.play(make_jobs(2, 1, entrants=(0, 1, 2)))
    deals = [read_deal(row, cards, rules) for row, cards in zip(rows, session.cards, strict=True)]
    assert deals == play_loop(rules, 8, 2, ["low"] * 3)
    assert check(Transcript(rules, NAMES[:3], tuple(deals), 8, 2)) is None


def test_a_transcript_reads_as_it_is_said() -> None:
    text = format_transcript(write_game(Rules(bonus_card="JD", target=50)))
    head, first, *_ = text.split("\n\n")
    assert head.splitlines() == [
        "hearts-sim transcript 1",
        "rules standard",
        'rule bonus_card = "JD"',
        "rule target = 50",
        "seed 5",
        "game 3",
        "seat 0: greedy",
        "seat 1: my bot (v2)",
        "seat 2: low",
        "seat 3: random#1",
    ]
    assert first.splitlines()[0] == "deal 1, pass left"
    assert first.splitlines()[-1] == "the game goes on"


def test_a_preset_is_named_rather_than_spelled_out() -> None:
    assert "rules omnibus\n" in format_transcript(write_game(PRESETS["omnibus"].rules, n_deals=1))


def test_blank_lines_and_comments_mean_nothing(standard: Transcript) -> None:
    text = "# from a friend\n\n" + format_transcript(standard).replace("\n", "\n\n  # note\n")
    assert parse_transcript(text) == standard


def test_tricks_are_led_by_the_winner_of_the_one_before(standard: Transcript) -> None:
    deal = standard.deals[0]
    tricks = list_tricks(deal)
    assert tricks[0].leader == deal.opener
    assert [trick.leader for trick in tricks[1:]] == [trick.winner for trick in tricks[:-1]]
    assert [card for trick in tricks for card in trick.cards] == list(deal.plays)
    for trick in tricks:
        assert trick.by_seat()[trick.leader] == trick.cards[0]


def edit(transcript: Transcript, old: str, new: str) -> str:
    """Return the text with its first ``old`` replaced."""
    text = format_transcript(transcript)
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "transcript 1",
            "transcript 9",
            "game.txt, line 1: expected the first line 'hearts-sim transcript 1'",
        ),
        (
            "rules standard",
            "rules standart",
            "line 2: there are no rules named 'standart'; did you mean 'standard'",
        ),
        (
            "rules standard",
            "rules standard\nrule taget = 50",
            "line 3: there is no rule 'taget'; did you mean 'target'",
        ),
        (
            "rules standard",
            "rules standard\nrule target = 0",
            "line 3: rules.target: 0 is not a whole number",
        ),
        ("rules standard", "rules standard\nrule target = [", "line 3: '[' is no value; write 50, true"),
        ("seat 1: my bot (v2)\n", "", "line 6: expected 'seat 1: NAME', found 'seat 2: low'"),
        ("pass left", "pass up", "'up' is no way to pass; use one of scatter, hold, left, across, right"),
        ("dealt 0: ", "dealt 0: 1X ", "line 11: '1X' is not a card"),
        ("trick 1, seat", "trick 2, seat", "expected 'trick 1, seat LEADER leads: CARDS', found 'trick 2"),
        (
            "noted: opener=",
            "noted: queentaker=",
            "is no fact of a deal, such as queen_taker=2; did you mean 'queen_taker'",
        ),
        ("\npoints: ", "\npoints: 7 ", "expected 4 whole numbers"),
        ("the game goes on", "the game halts", "expected 'the game' and 'goes on' or 'ended'"),
    ],
)
def test_a_mistake_is_told_with_its_line(standard: Transcript, old: str, new: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_transcript(edit(standard, old, new), "game.txt")
    assert str(caught.value).startswith("game.txt, line ")
    assert said in str(caught.value)


def test_a_text_that_stops_early_is_told_so(standard: Transcript) -> None:
    lines = format_transcript(standard).splitlines()
    with pytest.raises(UsageError, match=r"at the end: expected 'the game'.*found the end"):
        parse_transcript("\n".join(lines[:-1]))
    with pytest.raises(UsageError, match="at the end: expected the first line"):
        parse_transcript("")


def test_hands_that_no_shuffle_deals_are_refused(standard: Transcript) -> None:
    first, second = (line.split() for line in format_transcript(standard).splitlines()[10:12])
    with pytest.raises(UsageError, match=f"seat 1 is dealt {first[2]}, dealt twice"):
        parse_transcript(edit(standard, " ".join(second), " ".join([*second[:2], first[2], *second[3:]])))
    with pytest.raises(UsageError, match="seat 0 is dealt 12 cards; these rules deal 13"):
        parse_transcript(edit(standard, " ".join(first), " ".join(first[:-1])))


def test_cards_left_over_must_be_named() -> None:
    transcript = write_game(Rules(seats=3, kitty="first_trick"), n_deals=1)
    kitty = next(line for line in format_transcript(transcript).splitlines() if line.startswith("kitty: "))
    with pytest.raises(UsageError, match=f"expected '{kitty}', the cards left over"):
        parse_transcript(edit(transcript, kitty + "\n", ""))


def test_a_seat_out_of_turn_is_refused(standard: Transcript) -> None:
    leader = list_tricks(standard.deals[0])[1].leader
    other = (leader + 1) % 4
    with pytest.raises(
        UsageError, match=f"deal 1: seat {other} leads trick 2, but it was seat {leader}'s lead"
    ):
        parse_transcript(edit(standard, f"trick 2, seat {leader}", f"trick 2, seat {other}"))


@pytest.mark.parametrize("name", ["", " low", "two\nlines"])
def test_a_name_must_fit_its_line(standard: Transcript, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a seat"):
        replace(standard, names=(name, *standard.names[1:]))


def test_there_is_a_name_for_each_seat(standard: Transcript) -> None:
    with pytest.raises(UsageError, match="these rules seat 4, but 3 names are given"):
        replace(standard, names=standard.names[:3])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("points", (1, 2, 3, 20), "deal 1: points 1 2 3 20 is written, but the cards give"),
        ("moon", 2, "deal 1: moon 2 is written, but the cards give -1"),
        ("broken_trick", 0, "deal 1: broken_trick 0 is written"),
        ("ended", 2, "deal 1: ended 2 is written, but the cards give 0"),
    ],
)
def test_the_check_finds_an_altered_fact(standard: Transcript, field: str, value: Any, said: str) -> None:
    difference = check(alter(standard, **{field: value}))
    assert difference is not None
    assert difference.startswith(said)


def test_the_check_finds_a_revoke(standard: Transcript) -> None:
    plays = list(standard.deals[0].plays)
    last = list_tricks(standard.deals[0])[-1]
    places = [place for place in range(48) if _seat_of(standard, place) == last.leader and place >= 4]
    place = places[0]
    plays[place], plays[48] = plays[48], plays[place]
    difference = check(alter(standard, plays=tuple(plays)))
    assert difference is not None
    assert difference.startswith("deal 1: ")


def _seat_of(transcript: Transcript, place: int) -> int:
    trick = list_tricks(transcript.deals[0])[place // 4]
    return (trick.leader + place % 4) % 4


def test_the_check_names_the_card_that_may_not_be_played(standard: Transcript) -> None:
    deal = standard.deals[0]
    trick = list_tricks(deal)[0]
    foreign = deal.plays[-1]
    plays = (*deal.plays[:1], foreign, *deal.plays[2:-1], deal.plays[1])
    difference = check(alter(standard, plays=plays))
    assert difference is not None
    assert f"trick 1: seat {(trick.leader + 1) % 4} plays {card_name(foreign)}" in difference or (
        f"trick 1: {card_name(foreign)} is written, but only" in difference
    )


def test_the_check_finds_another_pass(standard: Transcript) -> None:
    deal = standard.deals[0]
    assert "passes" in (check(alter(standard, passed=(0, *deal.passed[1:]))) or "")
    hold = next(place for place, deal in enumerate(standard.deals) if deal.pass_offset == 0)
    difference = check(alter(standard, hold, passed=(7, 0, 0, 0)))
    assert difference == f"deal {hold + 1}: cards are passed that the deal does not pass"


def test_the_check_finds_cards_that_the_seed_does_not_deal(standard: Transcript) -> None:
    assert (check(replace(standard, seed=6)) or "").startswith("deal 1: seed 6 deals seat 0 ")
    assert check(replace(standard, seed=None, game=None)) is None


def test_the_check_finds_missing_deals_and_deals_after_the_end(standard: Transcript) -> None:
    gap = replace(standard, deals=(standard.deals[0], standard.deals[2]))
    assert check(gap) == "deal 3: it follows deal 1, which goes on"
    short = replace(standard, n_deals=1, deals=(replace(standard.deals[0], ended=1), *standard.deals[1:]))
    assert check(short) == "deal 2: it follows deal 1, which was the last"
