"""Random: any legal card, each as likely as the next."""

from __future__ import annotations

from hearts_sim import Seat, Strategy, Table, cards, rng


class Random(Strategy):
    """Pass three random cards and play random legal ones: the floor of every ladder.

    Sources
    -------
    None needed.
    """

    name = "random"
    summary = "any legal card, each equally likely"
    stochastic = True
    ignores = (
        "kitty",
        "queen_points",
        "hearts_points",
        "spade_honours",
        "bonus_card",
        "no_tricks_bonus",
        "moon",
        "sun",
        "exact_target",
        "doubling_card",
    )

    @staticmethod
    def choose_pass(table: Table, me: Seat) -> int:
        """Pass random cards, one after another."""
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= rng.pick(me.legal ^ chosen, me)
        return chosen

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Play a random legal card."""
        return rng.pick(me.legal, me)
