"""Positions for strategies: written by hand as cards, or met in random play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from hearts_sim import Rules, Strategy, rng
from hearts_sim.bots import play, player, registry
from hearts_sim.game import loop
from hearts_sim.game.notation import card_index, format_cards, parse_cards
from hearts_sim.game.rules import PRESETS
from hearts_sim.game.table import SEAT, TABLE, encode_rules
from hearts_sim.game.views import RecordSeat, RecordTable

Position = tuple[Any, Any]


def build_position(
    hand: str,
    trick: str = "",
    *,
    seat: int = 0,
    played: str = "",
    points: Sequence[int] = (0, 0, 0, 0),
    voids: Mapping[int, str] | None = None,
    trick_number: int = 5,
    broken: bool = True,
    rules: Rules | None = None,
) -> Position:
    """Return (table, me) records: ``seat`` is to play to ``trick``, after the cards ``played`` before it."""
    rules = rules or Rules()
    table, me = np.zeros((), TABLE), np.zeros((), SEAT)
    table["rules"] = encode_rules(rules)
    table["seats"] = rules.seats
    table["deal_number"] = 1
    table["trick_number"] = trick_number
    table["hearts_broken"] = broken
    table["points"][: len(points)] = points
    cards = [1 << card_index(name) for name in trick.split()]
    table["leader"] = (seat - len(cards)) % rules.seats
    table["trick_length"] = len(cards)
    table["trick_cards"] = sum(cards)
    table["played"] = parse_cards(played) | sum(cards)
    for turn, card in enumerate(cards):
        player_seat = (table["leader"] + turn) % rules.seats
        table["trick"][turn] = card
        table["played_by"][player_seat] |= np.uint64(card)
        if turn == 0:
            table["led_suit"] = sum(
                1 << other for other in range(52) if other & 3 == card_index(trick.split()[0]) & 3
            )
        if int(table["led_suit"]) & card and card > int(table["best_card"]):
            table["best_card"], table["best_seat"] = card, player_seat
    for void_seat, suits in (voids or {}).items():
        table["voids"][void_seat] = sum(1 << c for c in range(52) if "CDSH"[c & 3] in suits)
    me["seat"], me["draws"], me["base"] = seat, trick_number << 32, 12345
    me["hand"] = parse_cards(hand)
    me["legal"] = find_legal(table[()], np.uint64(me["hand"]))
    return table[()], me[()]


def find_legal(table: Any, hand: Any) -> int:
    if table["trick_length"] == 0:
        return int(loop.lead_choices(table["rules"], hand, table["hearts_broken"], table["trick_number"]))
    return int(loop.follow_choices(hand, table["led_suit"], np.uint64(0)))


def build_passing(hand: str, rules: Rules | None = None) -> Position:
    """Return (table, me) records of a seat that passes from ``hand``."""
    table, me = build_position(hand, trick_number=0, broken=False, rules=rules)
    table["pass_offset"] = 1
    me["legal"] = me["hand"]
    return table, me


def ask(spec: str, position: Position) -> int:
    """Return a strategy's answer, which must be the same compiled and as plain Python."""
    table, me = position
    asked = player.load_player(spec)
    me["params"][: len(asked.params)] = list(asked.params.values())
    method = ("choose_pass", "choose_card")[int(table["trick_number"] > 0)]
    me["draws"] = 0
    compiled = int(asked.dispatchers[method == "choose_card"](table, me))
    me["draws"] = 0
    plain = int(getattr(asked.info.cls, method)(RecordTable(table), RecordSeat(me)))
    assert compiled == plain, f"{spec}: compiled {format_cards(compiled)}, plain {format_cards(plain)}"
    return compiled


class Recorder(Strategy):
    """Plays at random and keeps every position it is asked in."""

    name = "recorder"
    stochastic = True
    compiled = False
    kept: list[Position] = []  # noqa: RUF012

    def choose_pass(self, table: Any, me: Any) -> int:
        self.keep(table, me)
        chosen = 0
        for _ in range(table.rules.pass_cards):
            chosen |= int(rng.pick(me.legal ^ chosen, me))
        return chosen

    def choose_card(self, table: Any, me: Any) -> int:
        self.keep(table, me)
        return int(rng.pick(me.legal, me))

    def keep(self, table: Any, me: Any) -> None:
        if len(self.kept) < 1000:
            self.kept.append((table._record.copy(), me._record.copy()))


@cache
def random_positions(preset: str) -> list[Position]:
    """Return 1,000 positions of random games under a preset, passing ones among them."""
    rules = PRESETS[preset].rules
    Recorder.kept = []
    recorder = player.Player(registry.StrategyInfo(Recorder, registry.Path(__file__), {}), {}, ())
    session = play.Session(rules, 7, [recorder])
    jobs = play.make_jobs(0, 1, entrants=[0] * rules.seats)
    while len(Recorder.kept) < 1000:
        session.play(jobs)
        jobs["game"] += 1
    return Recorder.kept
