"""The examples by which the rules are explained, played out in the compiled loop and in the twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from laid_out import Scripted, only, play

from hearts_sim.game.notation import card_index, parse_cards
from hearts_sim.game.perft import LoopPosition, go_to
from hearts_sim.game.rules import Rules


@dataclass(frozen=True)
class Outcome:
    """What a deal came to."""

    points: tuple[int, ...]
    scores: tuple[int, ...]
    queen_taker: int
    broken_trick: int


Engine = Callable[[Rules, Sequence[str], Sequence[str], Sequence[int]], Outcome]


def play_in_loop(rules: Rules, hands: Sequence[str], tricks: Sequence[str], scores: Sequence[int]) -> Outcome:
    start = LoopPosition.start(rules, [parse_cards(hand) for hand in hands])
    start.games[0]["table"]["scores"][: rules.seats] = scores
    game: Any = go_to(start, [card_index(word) for word in " ".join(tricks).split()])
    game = game.games[0]
    points, totals = (tuple(game["table"][name][: rules.seats].tolist()) for name in ("points", "scores"))
    return Outcome(points, totals, int(game["queen_taker"]), int(game["broken_trick"]))


def play_in_twin(rules: Rules, hands: Sequence[str], tricks: Sequence[str], scores: Sequence[int]) -> Outcome:
    deal = play(hands, [Scripted(" ".join(tricks)) for _ in hands], rules, scores=tuple(scores))
    assert [card_index(word) for word in " ".join(tricks).split()] == list(deal.plays)
    return Outcome(deal.points, deal.scores, deal.queen_taker, deal.broken_trick)


@pytest.fixture(params=[play_in_loop, play_in_twin], ids=["loop", "twin"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return request.param  # type: ignore[no-any-return]


def play_tricks(
    engine: Engine, *tricks: str, leaders: Sequence[int], scores: Sequence[int] = (0, 0, 0, 0), **rules: Any
) -> Outcome:
    """Play tricks, their cards in order of play; ``leaders`` says who leads each. Seat 1 opens."""
    held: list[list[str]] = [[], [], [], []]
    for trick, leader in zip(tricks, leaders, strict=True):
        for place, card in enumerate(trick.split()):
            held[(leader + place) % 4].append(card)
    hands = [" ".join(cards) for cards in held]
    free = only(hands, opening_lead="left_of_dealer", first_trick_points="allowed", **rules)
    return engine(free, hands, tricks, scores)


def test_a_trick_of_diamonds_with_a_heart_and_the_queen_goes_to_the_king(engine: Engine) -> None:
    # 7D led, KD, 4H, QS: 14 for seat 2, and hearts are broken; 5H goes elsewhere, so this is no moon
    deal = play_tricks(engine, "7D KD 4H QS", "3D 5H 4S 8D", leaders=(1, 2))
    assert deal == Outcome((0, 1, 14, 0), (0, 1, 14, 0), queen_taker=2, broken_trick=1)


def test_a_trick_of_hearts_with_the_queen_goes_to_the_ace(engine: Engine) -> None:
    # TH led, AH, QS, 3H: 16 for seat 2
    deal = play_tricks(engine, "TH AH QS 3H", "3D 4D 2D 9H", leaders=(1, 2), hearts_break_by="never_needed")
    assert deal.points == (0, 0, 16, 1)


def test_a_moon_by_the_last_seat_is_26_for_the_others(engine: Engine) -> None:
    # every heart and the queen for seat 3, who had none of 26 points before
    deal = play_tricks(
        engine,
        "JH 7H AH 3H",
        "KH 2H TH 6H",
        "QH QS 9H 5H",
        "AS KS 8H 4H",
        leaders=(1, 3, 3, 3),
        scores=(3, 17, 6, 0),
        hearts_break_by="never_needed",
    )
    assert deal == Outcome((26, 26, 26, 0), (29, 43, 32, 0), queen_taker=3, broken_trick=1)
