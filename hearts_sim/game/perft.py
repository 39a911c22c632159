"""Perft: how many sequences of cards may be played from a position, counted by each engine with its own rules.

Chess programs are compared in this way: a count goes wrong when any rule does. Nothing is ruled here: the compiled loop is
stopped and resumed at every choice, and the reference plays trick by trick up to a choice. Both play a single legal
card without asking; it lengthens a sequence and adds none.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hearts_sim.errors import StrategyFault
from hearts_sim.game import loop
from hearts_sim.game.notation import card_name, list_cards
from hearts_sim.game.reference_deal import DealInPlay
from hearts_sim.game.reference_table import EncodedRules
from hearts_sim.game.rules import Rules
from hearts_sim.game.table import CARDS_ROW, DEAL_ROW, ENTRANT, GAME, JOB, MEMORY_WORDS, encode_rules


class Position(Protocol):
    """Where a deal stands: at a seat that has a choice, or at its end."""

    @property
    def n_played(self) -> int:
        """How many cards of the deal have been played."""

    @property
    def plays(self) -> Sequence[int]:
        """Those cards, 0..51, in order."""

    @property
    def legal(self) -> int:
        """The set of cards that the seat to play may choose from; empty at the end of the deal."""

    def play(self, card: int) -> Position:
        """Return the next position at which there is a choice, after a set of one card was played."""


def count_sequences(position: Position, n_cards: int) -> int:
    """Return in how many ways a deal can go on until ``n_cards`` cards of it are played, or all."""
    if position.n_played >= n_cards or not position.legal:
        return 1
    if position.n_played == n_cards - 1:
        return position.legal.bit_count()
    choices = [1 << card for card in list_cards(position.legal)]
    return sum(count_sequences(position.play(card), n_cards) for card in choices)


def go_to(position: Position, plays: Sequence[int]) -> Position:
    """Return the position after some cards 0..51 were played, and those after them that are alone legal.

    Raises
    ------
    ValueError
        If one of them may not be played.
    """
    while position.n_played < len(plays):
        card = plays[position.n_played]
        if not position.legal >> card & 1:
            raise ValueError(f"{card_name(card)} is card {position.n_played + 1} and may not be played")
        position = position.play(1 << card)
    for number, (played, wanted) in enumerate(zip(position.plays, plays, strict=False), start=1):
        if played != wanted:
            raise ValueError(
                f"card {number} is {card_name(wanted)}, but only {card_name(played)} may be played"
            )
    return position


class LoopPosition:
    """A deal in the compiled loop, stopped where a seat is asked.

    Parameters
    ----------
    games : ndarray of GAME, shape (1,)
        The loop's state; it is not changed.
    has_ended : bool
        Whether the deal is over.
    """

    _jobs = np.zeros(1, JOB)
    _entrants = np.zeros(1, ENTRANT)
    _rows = np.zeros(1, DEAL_ROW)
    _logs = np.zeros(1, CARDS_ROW)

    def __init__(self, games: npt.NDArray[Any], has_ended: bool) -> None:
        self.games = games
        game = games[0]
        self.n_played = int(game["table"]["played"]).bit_count()
        self.legal = 0 if has_ended else int(game["me"][game["asked"]]["legal"])

    @property
    def plays(self) -> Sequence[int]:
        """The cards 0..51 played so far, in order."""
        return [int(card).bit_length() - 1 for card in self.games[0]["plays"][: self.n_played]]

    @classmethod
    def start(cls, rules: Rules, hands: Sequence[int]) -> LoopPosition:
        """Return the first choice of a deal that is played from these hands without a pass; seat 0 deals.

        The loop is stopped where it asks for a pass, given the hands, and told to hold.
        """
        games = np.zeros(1, GAME)
        game = games[0]
        game["table"]["rules"] = encode_rules(dataclasses.replace(rules, pass_cards=1, pass_cycle=("left",)))
        game["table"]["seats"] = rules.seats
        cls._jobs["first_deal"] = cls._jobs["n_deals"] = 1
        cls._run(games)
        for seat, hand in enumerate(hands):
            game["me"][seat]["hand"] = hand
        game["kitty"] = rules.deck & ~sum(hands)
        game["table"]["pass_offset"] = 0
        return cls(games, cls._run(games))

    def play(self, card: int) -> LoopPosition:
        """Return the next position at which there is a choice."""
        games = self.games.copy()
        games[0]["answer"], games[0]["answered"] = card, 1
        return LoopPosition(games, self._run(games))

    @classmethod
    def _run(cls, games: npt.NDArray[Any]) -> bool:
        """Let the loop go on to the next question; return whether the deal is over."""
        status = loop.run(games[0], cls._jobs, cls._entrants, cls._rows, cls._logs)
        if status == loop.FAULT:
            raise StrategyFault("the loop refuses a card that it offered")
        return status == loop.DONE


class _AtChoice(Exception):
    """A reference seat has a choice; ``legal`` is the set of cards it has."""

    def __init__(self, legal: int) -> None:
        super().__init__()
        self.legal = legal


class _OnPath:
    """A player at the reference table that plays given cards, for every seat, up to the next choice."""

    params = ()

    def __init__(self, path: Sequence[int]) -> None:
        self.left = list(path)

    def choose_pass(self, table: Any, me: Any) -> int:
        """Nobody passes here."""
        raise NotImplementedError

    def choose_card(self, table: Any, me: Any) -> int:
        """Return the next card of the path."""
        if not self.left:
            raise _AtChoice(me.legal)
        return self.left.pop(0)


@dataclass(frozen=True)
class TwinPosition:
    """A deal of the reference game, at the choice after some cards of a trick.

    ``deal`` stands before trick ``number``, which ``leader`` leads; the choices made in it so far are ``path``.
    """

    deal: DealInPlay
    number: int
    leader: int
    path: tuple[int, ...]
    plays: tuple[int, ...]
    legal: int

    @property
    def n_played(self) -> int:
        """How many cards of the deal have been played."""
        return len(self.plays)

    @classmethod
    def start(cls, rules: Rules, hands: Sequence[int]) -> TwinPosition:
        """Return the first choice of a deal that is played from these hands without a pass; seat 0 deals."""
        n = rules.seats
        memories = [[0] * MEMORY_WORDS for _ in range(n)]
        players = [_OnPath(()) for _ in range(n)]
        deal = DealInPlay(rules, EncodedRules(rules), 0, 0, 1, 0, [0] * n, players, memories, hands)
        return _find_choice(deal, 1, deal.find_opener(), ())

    def play(self, card: int) -> TwinPosition:
        """Return the next position at which there is a choice."""
        return _find_choice(self.deal, self.number, self.leader, (*self.path, card))


def _find_choice(deal: DealInPlay, number: int, leader: int, path: tuple[int, ...]) -> TwinPosition:
    """Play on along a path to the first choice behind it, or to the end of the deal."""
    while number <= deal.rules.hand_size:
        trial = _copy_deal(deal, path)
        try:
            winner = trial.play_trick(number, leader)
        except _AtChoice as choice:
            return TwinPosition(deal, number, leader, path, tuple(trial.plays), choice.legal)
        deal, number, leader, path = trial, number + 1, winner, ()
    return TwinPosition(deal, number, leader, (), tuple(deal.plays), 0)


def _copy_deal(deal: DealInPlay, path: Sequence[int]) -> DealInPlay:
    """Return a deal that can be played on without changing this one, by players who follow a path."""
    trial = copy.copy(deal)
    trial.players = [_OnPath(path)] * deal.rules.seats
    trial.plays = list(deal.plays)
    trial.seats = [copy.copy(me) for me in deal.seats]
    trial.table = copy.copy(deal.table)
    for name in ("points", "tricks", "taken", "played_by", "voids"):
        setattr(trial.table, name, list(getattr(deal.table, name)))
    return trial
