"""Plays jobs with any mix of players: the loop runs, plain strategies answer it, faults become errors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hearts_sim.bots.player import Player, make_entrants
from hearts_sim.bots.registry import describe_error
from hearts_sim.errors import StrategyFault
from hearts_sim.game import loop
from hearts_sim.game.notation import format_cards
from hearts_sim.game.rules import Rules
from hearts_sim.game.table import CARDS_ROW, DEAL_ROW, GAME, JOB, MAX_SEATS, encode_rules
from hearts_sim.game.views import RecordSeat, RecordTable

DEALS_PER_GAME_GUESS = 14
_METHODS = ("choose_pass", "choose_card")


@dataclass(frozen=True)
class FaultFacts:
    """Where a strategy broke the contract: coordinates that replay it, and what it saw and said."""

    entrant: int
    method: str
    seat: int
    game: int
    table: int
    seating: int
    deal: int
    trick: int
    hand: int
    legal: int
    answer: str


class PlayStopped(Exception):
    """The games were dropped unfinished because the run stops."""


class PlayFault(StrategyFault):
    """A strategy answered illegally or raised; ``facts`` say where."""

    def __init__(self, message: str, facts: FaultFacts) -> None:
        super().__init__(message)
        self.facts = facts


def make_jobs(
    first_game: int,
    n_games: int,
    seating: int = 0,
    entrants: Sequence[int] = (0, 1, 2, 3),
    *,
    first_deal: int = 1,
    n_deals: int = 0,
) -> npt.NDArray[Any]:
    """Return consecutive games with the same seating as an array of JOB, shape (n_games,)."""
    jobs = np.zeros(n_games, JOB)
    jobs["game"] = np.arange(first_game, first_game + n_games, dtype=np.uint64)
    jobs["seating"] = seating
    jobs["first_deal"] = first_deal
    jobs["n_deals"] = n_deals
    jobs["entrants"][:, : len(entrants)] = entrants
    return jobs


class Session:
    """One thread's game state: plays jobs for one set of rules, seed and players.

    Parameters
    ----------
    rules : Rules
        The rules of every game.
    seed : int
        The root seed, 0 to 2**64 - 1.
    players : sequence of Player
        What the entrant numbers of a job mean.
    record_cards : bool
        Whether `play` also keeps the cards of every deal, in ``cards``.
    should_stop : callable, optional
        Asked before every plain strategy's turn; true drops the games at once.

    Notes
    -----
    Compiled strategies run without the GIL, so sessions in several threads run side by side. A session itself is for
    one thread.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        players: Sequence[Player],
        record_cards: bool = False,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.players = list(players)
        self.n_seats = rules.seats
        self.record_cards = record_cards
        self.should_stop = should_stop
        self.cards: npt.NDArray[Any] = np.zeros(0, CARDS_ROW)
        self._rows: npt.NDArray[Any] = np.zeros(0, DEAL_ROW)
        self.entrants = make_entrants(self.players)
        self._games = np.zeros(1, GAME)
        self.game = self._games[0]
        self.game["table"]["rules"] = encode_rules(rules)
        self.game["table"]["seats"] = rules.seats
        self.game["seed"] = seed
        self._table_view = RecordTable(self.game["table"])
        self._seat_views = [RecordSeat(self.game["me"][seat]) for seat in range(MAX_SEATS)]
        self._bots: dict[int, Any] = {}
        self._bots_job = -1

    def play(self, jobs: npt.NDArray[Any], keep: bool = True) -> npt.NDArray[Any]:
        """Play all jobs and return their deals in order, an array of DEAL_ROW.

        Without ``keep`` the rows may lie in memory of the session and hold only until it plays again. Memory that is
        used again costs the system nothing; new memory costs as much as a tenth of the time of quick strategies.

        Raises
        ------
        PlayFault
            If a strategy breaks the contract. The session can play other jobs afterwards.
        PlayStopped
            If ``should_stop`` said so.
        """
        game = self.game
        game["job"] = game["row"] = 0
        game["phase"], game["answered"] = loop.NEXT_GAME, 0
        self._bots_job = -1
        n_rows = len(jobs) if np.all(jobs["n_deals"] == 1) else len(jobs) * DEALS_PER_GAME_GUESS
        if len(self._rows) < n_rows:
            self._rows = np.zeros(n_rows, DEAL_ROW)
        rows = self._rows
        logs = np.zeros(len(rows) if self.record_cards else 0, CARDS_ROW)
        full_rows, full_logs = [], []
        while True:
            status = loop.run(game, jobs, self.entrants, rows, logs)
            if status == loop.DONE:
                break
            if status == loop.MUST_ANSWER:
                if self.should_stop is not None and self.should_stop():
                    raise PlayStopped
                self._answer(jobs)
            elif status == loop.FAULT:
                raise self._make_fault(jobs, self._explain_fault(jobs))
            else:
                full_rows.append(rows.copy())
                full_logs.append(logs.copy())
                game["row"] = 0
        n_rows = int(game["row"])
        self.cards = np.concatenate([*full_logs, logs[:n_rows]])
        return np.concatenate([*full_rows, rows[:n_rows]]) if keep or full_rows else rows[:n_rows]

    def _answer(self, jobs: npt.NDArray[Any]) -> None:
        """Ask the plain strategy whose turn it is and hand its answer to the loop."""
        game = self.game
        seat = int(game["asked"])
        if self._bots_job != int(game["job"]):
            self._bots_job = int(game["job"])
            self._bots = {}
        method = _METHODS[int(game["phase"] == loop.PLAYING)]
        try:
            if seat not in self._bots:
                self._bots[seat] = self._player_at(jobs, seat).info.cls()
            answer = getattr(self._bots[seat], method)(self._table_view, self._seat_views[seat])
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            reason = describe_error(error, self._player_at(jobs, seat).info.path)
            raise self._make_fault(jobs, f"raised {reason}") from error
        try:
            # Only whole numbers: np.uint64 alone would cut 2.5 to 2 and read the text "16".
            game["answer"] = np.uint64(operator.index(answer))
        except (TypeError, ValueError, OverflowError):
            raise self._make_fault(jobs, f"answered {answer!r:.80}, which is not a set of cards") from None
        game["answered"] = 1

    def _player_at(self, jobs: npt.NDArray[Any], seat: int) -> Player:
        return self.players[int(jobs[int(self.game["job"])]["entrants"][seat])]

    def _explain_fault(self, jobs: npt.NDArray[Any]) -> str:
        """Say what the asked strategy did wrong; a compiled one that raised is asked again to learn the exception."""
        game = self.game
        seat = int(game["asked"])
        if game["fault"] == loop.RAISED:
            me = game["me"][seat]
            me["draws"] = np.uint64(int(game["table"]["trick_number"]) << 32)
            player = self._player_at(jobs, seat)
            try:
                player.dispatchers[int(game["phase"] == loop.PLAYING)](game["table"], me)
            except Exception as error:
                return f"raised {type(error).__name__}: {error}"
            return "raised an exception"
        answer = int(game["answer"])
        wanted = 1 if game["phase"] == loop.PLAYING else int(game["table"]["rules"]["pass_cards"])
        named = format_cards(answer) or ("no card" if answer == 0 else f"{answer:#x}, which names no card")
        return f"answered {named}; {wanted} of the legal cards {'is' if wanted == 1 else 'are'} wanted"

    def _make_fault(self, jobs: npt.NDArray[Any], what: str) -> PlayFault:
        game = self.game
        job = jobs[int(game["job"])]
        seat = int(game["asked"])
        me = game["me"][seat]
        player = self._player_at(jobs, seat)
        facts = FaultFacts(
            entrant=int(job["entrants"][seat]),
            method=_METHODS[int(game["phase"] == loop.PLAYING)],
            seat=seat,
            game=int(job["game"]),
            table=int(job["table"]),
            seating=int(job["seating"]),
            deal=int(game["table"]["deal_number"]),
            trick=int(game["table"]["trick_number"]),
            hand=int(me["hand"]),
            legal=int(me["legal"]),
            answer=what,
        )
        where = f"game {facts.game}, seating {facts.seating}, deal {facts.deal}"
        where += f", trick {facts.trick}" if facts.trick else ", passing"
        message = (
            f"the strategy {player.info.name!r} ({player.info.path.name}) {what}\n"
            f"  method  {facts.method}, seat {seat}, {where}\n"
            f"  hand    {format_cards(facts.hand)}\n"
            f"  legal   {format_cards(facts.legal)}"
        )
        return PlayFault(message, facts)
