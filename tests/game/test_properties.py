"""What holds in every game, whatever the rules and whoever plays."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_games import Seated, play_loop, random_rules

from hearts_sim.bots.player import load_player
from hearts_sim.game import reference_cards
from hearts_sim.game.notation import list_cards
from hearts_sim.game.reference import Deal, play_deal, play_game
from hearts_sim.game.reference_scoring import score_deal
from hearts_sim.game.rules import Rules
from hearts_sim.game.transcript import list_tricks

BUILT_IN = ["ducker", "low", "greedy", "cpu-easy", "cpu-medium", "cpu-hard", "random"]


class Lowest:
    """Pass and play the lowest legal cards: a player without chance or seat."""

    params = ()

    def choose_pass(self, table: Any, me: Any) -> int:
        return sum(1 << card for card in list_cards(me.legal)[: table.rules.pass_cards])

    def choose_card(self, table: Any, me: Any) -> int:
        return int(me.legal & -me.legal)


class Watcher(Seated):
    """A built-in player that checks what it is offered before it answers."""

    def __init__(self, name: str) -> None:
        super().__init__(load_player(name))
        choose_card = self.choose_card

        def check_and_choose(table: Any, me: Any) -> Any:
            assert me.legal
            assert me.legal & ~me.hand == 0
            assert me.legal.bit_count() > 1
            assert me.hand & table.played == 0
            if table.trick_length and me.hand & table.led_suit:
                assert me.legal & ~table.led_suit == 0
            return choose_card(table, me)

        self.choose_card = check_and_choose


@settings(max_examples=60)
@given(rules=random_rules(), seed=st.integers(0, 2**64 - 1), game=st.integers(0, 2**32))
def test_every_card_in_play_is_dealt_and_played_once(rules: Rules, seed: int, game: int) -> None:
    for deal in play_loop(rules, seed, game, ["random"] * rules.seats):
        assert len(set(deal.plays)) == len(deal.plays) == rules.seats * rules.hand_size
        assert sum(1 << card for card in deal.plays) == sum(deal.dealt)
        assert sum(deal.dealt) & ~rules.deck == 0


@settings(max_examples=60)
@given(seed=st.integers(0, 2**64 - 1), seats=st.integers(3, 6))
def test_points_add_up_to_the_total_or_to_a_moon(seed: int, seats: int) -> None:
    before = (0,) * seats
    for deal in play_loop(Rules(seats=seats), seed, 0, ["random"] * seats):
        assert sum(deal.points) == (26 if deal.moon < 0 else 26 * (seats - 1))
        assert deal.scores == tuple(a + b for a, b in zip(before, deal.points, strict=True))
        before = deal.scores


@settings(max_examples=40)
@given(rules=random_rules(), seed=st.integers(0, 2**64 - 1), name=st.sampled_from(BUILT_IN))
def test_what_is_offered_is_legal_and_a_choice(rules: Rules, seed: int, name: str) -> None:
    play_game(rules, seed, 1, [Watcher(name) for _ in range(rules.seats)])


@settings(max_examples=60)
@given(seed=st.integers(0, 2**64 - 1), turn=st.integers(1, 3))
def test_scores_turn_with_the_seats(seed: int, turn: int) -> None:
    """Rules know no seat: taken cards handed on by some seats hand on the points."""
    rules = Rules(moon="best_for_shooter", bonus_card="JD", no_tricks_bonus=-5, doubling_card="TC")
    for deal in play_game(rules, seed, 0, [Lowest()] * 4):
        taken, tricks = _replay_taken(deal)
        scores = [7, 80, 95, 20]
        plain = score_deal(rules, taken, tricks, scores, 2)
        turned = score_deal(rules, _turn(taken, turn), _turn(tricks, turn), _turn(scores, turn), 2)
        assert turned == _turn(plain, turn)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**64 - 1), turn=st.integers(1, 3))
def test_play_turns_with_the_hands(seed: int, turn: int) -> None:
    """Hands dealt some seats further on are played in the same order, by seats that much further on."""
    (plain,) = play_game(Rules(), seed, 0, [Lowest()] * 4, n_deals=1)
    hands = _turn(list(plain.dealt), turn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference_cards, "deal_cards", lambda *_: (hands, 0))
        (turned,) = play_game(Rules(), seed, 0, [Lowest()] * 4, n_deals=1)
    assert turned.plays == plain.plays
    assert turned.opener == (plain.opener + turn) % 4
    assert list(turned.points) == _turn(list(plain.points), turn)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**64 - 1), name=st.sampled_from([n for n in BUILT_IN if n != "random"]))
def test_a_deterministic_player_plays_the_same_in_every_seating(seed: int, name: str) -> None:
    first = play_loop(Rules(), seed, 0, [name] * 4, seating=0)
    assert play_loop(Rules(), seed, 0, [name] * 4, seating=3) == first


@settings(max_examples=40)
@given(seed=st.integers(0, 2**64 - 1), names=st.lists(st.sampled_from(BUILT_IN), min_size=4, max_size=4))
def test_who_plays_never_changes_the_cards(seed: int, names: list[str]) -> None:
    ours = play_loop(Rules(), seed, 3, names, n_deals=4)
    theirs = play_loop(Rules(), seed, 3, ["random"] * 4, n_deals=4)
    assert [deal.dealt for deal in ours] == [deal.dealt for deal in theirs]


@settings(max_examples=100)
@given(seed=st.integers(0, 2**64 - 1), name=st.sampled_from(BUILT_IN), data=st.data())
def test_a_choice_depends_on_the_table_and_the_own_seat_alone(
    seed: int, name: str, data: st.DataObject
) -> None:
    """A decision asked again from copies of the two, after the deal was played out, is answered the same."""
    seen: list[tuple[Any, Any, int]] = []
    asked = Seated(load_player(name))
    choose = asked.choose_card

    def remember(table: Any, me: Any) -> Any:
        # deep copies hold what the player may see and nothing of the other hands
        copies = _copy(table), _copy(me)
        answer = int(choose(table, me))
        seen.append((*copies, answer))
        return answer

    asked.choose_card = remember
    play_game(Rules(), seed, 0, [asked, Lowest(), Lowest(), Lowest()], n_deals=1)
    table, me, answer = data.draw(st.sampled_from(seen))
    assert int(choose(table, me)) == answer
    assert me.hand & table.played == 0


class Recorded(Seated):
    """A built-in player that notes what it answers in each trick."""

    def __init__(self, name: str) -> None:
        super().__init__(load_player(name))
        self.answers: dict[int, int] = {}
        choose_card = self.choose_card

        def choose_and_note(table: Any, me: Any) -> Any:
            self.answers[table.trick_number] = answer = int(choose_card(table, me))
            return answer

        self.choose_card = choose_and_note


class Written:
    """A player that plays what is written, then the lowest legal card."""

    params = ()
    choose_pass = Lowest.choose_pass

    def __init__(self, cards: list[int]) -> None:
        self.cards = cards

    def choose_card(self, table: Any, me: Any) -> int:
        written = 1 << self.cards[table.trick_number - 1] if table.trick_number <= len(self.cards) else 0
        return int(written or me.legal & -me.legal)


@settings(max_examples=100)
@given(seed=st.integers(0, 2**64 - 1), name=st.sampled_from(BUILT_IN), data=st.data())
def test_cards_that_a_seat_cannot_see_never_change_what_it_plays(
    seed: int, name: str, data: st.DataObject
) -> None:
    """Cards of a suit that two other seats still hold change hands; up to there everything looks the same."""
    hold = 4
    asked = Recorded(name)
    (plain,) = play_game(Rules(), seed, 0, [asked, Lowest(), Lowest(), Lowest()], first_deal=hold, n_deals=1)
    number = data.draw(st.integers(1, 12))
    tricks = list_tricks(plain)
    # when seat 0 leads, what the others play to the trick is hidden as well
    shown = number - 1 if tricks[number - 1].leader == 0 else number
    played = [[trick.by_seat()[seat] for trick in tricks[:shown]] for seat in range(4)]
    # whoever holds the 2C opens, which everybody sees
    left = [set(list_cards(hand)) - {0, *cards} for hand, cards in zip(plain.dealt, played, strict=True)]
    pairs = [(one, other) for one in sorted(left[1]) for other in sorted(left[2]) if one & 3 == other & 3]
    swap = sum(1 << card for card in data.draw(st.sampled_from(pairs))) if pairs else 0
    hands = [hand ^ (swap if seat in (1, 2) else 0) for seat, hand in enumerate(plain.dealt)]
    again = Recorded(name)
    play_deal(Rules(), hands, [again, *map(Written, played[1:])], number=hold, seed=seed)
    seen = range(1, number + 1)
    assert [again.answers.get(n) for n in seen] == [asked.answers.get(n) for n in seen]


def _copy(record: Any) -> Any:
    values = {f.name: getattr(record, f.name) for f in dataclasses.fields(record)}
    return type(record)(**{k: list(v) if isinstance(v, list) else v for k, v in values.items()})


def _turn(values: list[int], by: int) -> list[int]:
    return values[-by:] + values[:-by]


def _replay_taken(deal: Deal) -> tuple[list[int], list[int]]:
    """Return the cards and the tricks each seat took, from the plays alone."""
    taken, tricks, leader = [0] * 4, [0] * 4, deal.opener
    for start in range(0, 52, 4):
        trick = deal.plays[start : start + 4]
        best = max(card for card in trick if card % 4 == trick[0] % 4)
        leader = (leader + trick.index(best)) % 4
        taken[leader] |= sum(1 << card for card in trick)
        tricks[leader] += 1
    return taken, tricks
