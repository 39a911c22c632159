"""A deal as people read it: everything on it, within 80 columns, and nothing a seat may not see."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hearts_sim.bots.play import Session, make_jobs
from hearts_sim.bots.player import load_player
from hearts_sim.game.notation import list_cards
from hearts_sim.game.reference import Deal, deal_cards, play_deal
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.game.transcript import find_kitty, list_hands, list_tricks, read_deal
from hearts_sim.report.deal_text import HIDDEN, format_deal, paint, show_card, show_cards

NAMES = ["greedy", "ducker", "random", "cpu-hard", "low", "a-rather-long-name-of-a-bot"]
FULL_GAME = Rules()
SCATTER = Rules(pass_cycle=("scatter",))
GOLDEN = Path(__file__).parent / "golden"
"""Whole texts to be read; ``UPDATE_SNAPSHOTS=1 pytest tests/report`` writes them anew."""


@dataclass(frozen=True)
class Plain:
    """Passes its highest cards and plays its lowest or highest: fixed here, so that no strategy's edit moves a text."""

    plays_low: bool
    params: tuple[float, ...] = ()

    def choose_pass(self, table: Any, me: Any) -> int:
        return sum(1 << card for card in list_cards(me.legal)[-table.rules.pass_cards :])

    def choose_card(self, table: Any, me: Any) -> int:
        return 1 << list_cards(me.legal)[0 if self.plays_low else -1]


def lay_out(rules: Rules, number: int = 1) -> Deal:
    """Play one deal of seed 5 between plain players, taking turns low and high."""
    hands, _ = deal_cards(rules, 5, 0, number)
    return play_deal(rules, hands, [Plain(seat % 2 == 0) for seat in range(rules.seats)], number=number)


def play(rules: Rules, deal: int = 1, game: int = 3) -> Deal:
    players = [load_player(name) for name in ["greedy", "ducker", "random", "low", "random", "random"]]
    session = Session(rules, 5, players, record_cards=True)
    row = session.play(make_jobs(game, 1, entrants=range(rules.seats), first_deal=deal, n_deals=1))[0]
    return read_deal(row, session.cards[0], rules)


def render(rules: Rules, deal: Deal, **options: object) -> str:
    return format_deal(deal, rules, NAMES[: rules.seats], **options)  # type: ignore[arg-type]


def section(text: str, title: str) -> list[str]:
    """Return the lines of the block that starts with a title."""
    return next(block.splitlines() for block in text.split("\n\n") if block.startswith(title))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seat", [None, 1])
def test_every_preset_fits_80_columns(preset: str, seat: int | None) -> None:
    rules = PRESETS[preset].rules
    text = render(rules, play(rules), seat=seat, scores_before=[40] * rules.seats)
    assert max(map(len, text.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_spot_hearts_for_six_fit_80_columns() -> None:
    rules = Rules(seats=6, hearts_points="spot", queen_points=25)
    assert max(map(len, render(rules, play(rules)).splitlines())) <= 80


def test_hands_stand_by_suit_highest_first() -> None:
    deal = play(FULL_GAME)
    block = section(render(FULL_GAME, deal), "dealt")
    assert [line.split()[0] for line in block[1:]] == ["♣", "♦", "♠", "♥"]
    shown = {
        f"{rank}{line.split()[0]}" for line in block[1:] for rank in line[6:22].split()[1] if rank != "–"
    }
    assert shown == {show_card(card) for card in list_cards(deal.dealt[0])}
    assert show_cards(sum(1 << card for card in (0, 4, 51, 42))) == "3♣ 2♣ Q♠ A♥"


def test_the_hands_played_are_shown_after_a_pass_only() -> None:
    assert "\nhands " in render(FULL_GAME, play(FULL_GAME))
    held = play(FULL_GAME, deal=4)
    assert "pass hold" in render(FULL_GAME, held)
    assert "\nhands " not in render(FULL_GAME, held)
    assert "→" not in render(FULL_GAME, held)


@pytest.mark.parametrize(("deal", "taker"), [(1, "1 ducker"), (2, "3 cpu-hard"), (3, "2 random")])
def test_the_pass_names_giver_cards_and_taker(deal: int, taker: str) -> None:
    played = play(FULL_GAME, deal)
    first = section(render(FULL_GAME, played), "pass")[0]
    assert re.split(r"\s{2,}", first) == ["pass", "0 greedy", f"{show_cards(played.passed[0])} → {taker}"]


def test_scattered_cards_name_a_taker_each() -> None:
    played = play(SCATTER)
    cards = [show_card(card) for card in list_cards(played.passed[2])]
    expected = "   ".join(f"{card} → {taker}" for card, taker in zip(cards, (3, 0, 1), strict=True))
    assert expected in section(render(SCATTER, played), "pass")[2]


def test_a_line_for_each_trick_marks_leader_and_winner() -> None:
    deal = play(FULL_GAME)
    lines = section(render(FULL_GAME, deal), "trick")
    for trick, line in zip(list_tricks(deal), lines[1:], strict=False):
        assert int(line[:4]) == trick.number
        for card in trick.cards:
            assert show_card(card) in line
        assert f"▸{show_card(trick.cards[0])}" in line
        points = sum(FULL_GAME.card_points.get(card, 0) for card in trick.cards)
        mark = f" +{points}" if points else "*"
        assert f"{show_card(trick.by_seat()[trick.winner])}{mark}" in line
        assert line.count("▸") == line.count("*") + line.count("+") == 1


def test_running_points_grow_to_those_of_the_deal() -> None:
    deal = play(FULL_GAME)
    last = section(render(FULL_GAME, deal), "trick")[13]
    assert deal.moon == -1
    assert last.split()[-4:] == [str(points) for points in deal.points]


def test_hearts_and_the_queen_are_marked_in_their_tricks() -> None:
    deal = play(FULL_GAME)
    lines = section(render(FULL_GAME, deal), "trick")
    assert lines[deal.broken_trick].split("  ")[-1].split()[0] == "♥"
    assert lines[deal.queen_trick].endswith("Q♠")
    assert sum(line.endswith(("♥", "Q♠")) for line in lines[1:14]) == len(
        {deal.broken_trick, deal.queen_trick}
    )


def test_points_and_scores_stand_under_their_seats() -> None:
    deal = play(FULL_GAME)
    lines = render(FULL_GAME, deal).splitlines()
    points = next(line for line in lines if line.startswith("points"))
    scores = next(line for line in lines if line.startswith("score "))
    assert points.split()[1:] == [str(value) for value in deal.points]
    assert scores.split()[1:] == [str(value) for value in deal.scores]


def test_the_end_is_said_in_words() -> None:
    assert "The game ended; " in render(FULL_GAME, play(FULL_GAME))
    assert "(lower is better)" in render(FULL_GAME, play(FULL_GAME))
    shared = Rules(target=1, max_deals=1)
    deal = play(shared)
    low = [f"{seat} {NAMES[seat]}" for seat, score in enumerate(deal.scores) if score == min(deal.scores)]
    assert f"{' and '.join(low)} come" in render(shared, deal)


def test_the_bonus_card_and_the_kitty_name_their_takers() -> None:
    rules = Rules(seats=3, kitty="first_trick", bonus_card="JD")
    deal = play(rules)
    text = render(rules, deal)
    assert f"{deal.bonus_taker} {NAMES[deal.bonus_taker]} took the JD (-10)." in text
    winner = list_tricks(deal)[0].winner
    assert f"{winner} {NAMES[winner]} took the kitty: {show_cards(find_kitty(rules, deal))}." in text


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_its_own_hand_and_what_it_passed_and_received(seat: int) -> None:
    deal = play(FULL_GAME, deal=2)
    text = render(FULL_GAME, deal, seat=seat)
    giver = (seat + 1) % 4
    passes = section(text, "pass")
    for line, cards, owner in zip(passes, deal.passed, range(4), strict=True):
        assert (show_cards(cards) in line) == (owner in (seat, giver))
        assert (f"{HIDDEN} →" in line) == (owner not in (seat, giver))
    for title in ("dealt", "hands"):
        for line in section(text, title)[1:]:
            assert line.split().count(HIDDEN) == 3
    assert section(text, "trick") == section(render(FULL_GAME, deal), "trick")


def test_a_seat_is_not_shown_the_cards_it_never_saw() -> None:
    rules = Rules(seats=3, kitty="first_trick")
    deal = play(rules)
    kitty = show_cards(find_kitty(rules, deal))
    winner = list_tricks(deal)[0].winner
    assert f"kitty: {kitty}" in render(rules, deal, seat=winner)
    assert f"kitty: {HIDDEN}" in render(rules, deal, seat=(winner + 1) % 3)
    scattered = play(SCATTER)
    line = section(render(SCATTER, scattered, seat=1), "pass")[3]
    assert line.count(HIDDEN) == 2


def test_colour_changes_no_character() -> None:
    text = render(FULL_GAME, play(FULL_GAME))
    painted = paint(text)
    assert painted.plain == text
    assert {str(span.style) for span in painted.spans} >= {"red", "bold"}


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("preset", ["standard", "three_handed"])
def test_a_deal_reads_as_stored(preset: str, seat: int | None) -> None:
    rules = PRESETS[preset].rules
    text = render(rules, lay_out(rules), scores_before=[0] * rules.seats, seat=seat) + "\n"
    path = GOLDEN / f"{preset}{'' if seat is None else f'_seat_{seat}'}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hidden_view_shows_no_hidden_card_before_the_tricks(preset: str) -> None:
    rules = PRESETS[preset].rules
    deal = lay_out(rules)
    for seat in range(rules.seats):
        before = render(rules, deal, seat=seat).split("\n\ntrick ")[0]
        seen = list_hands(deal)[seat] | deal.dealt[seat]
        visible = {show_card(card) for card in list_cards(seen)}
        by_suit = re.findall(r"([♣♦♠♥]) ([2-9TJQKA]+)(?=\s)", before + "\n")
        shown = {rank + suit for suit, ranks in by_suit for rank in ranks}
        shown |= set(re.findall(r"(?<![2-9TJQKA])[2-9TJQKA][♣♦♠♥]", before))
        assert shown == visible
