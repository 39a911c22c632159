"""Low: always the lowest card."""

from __future__ import annotations

from hearts_sim import Seat, Strategy, Table, cards


class Low(Strategy):
    """Pass the highest cards and play the lowest legal one.

    Low cards lose tricks, so playing them first looks safe. It is not: the high cards are still there when
    the hearts come, and the seat that kept them takes the last tricks. The mistake is a beginner's, which
    makes this a useful rung between random play and ducking.

    Sources
    -------
    Common beginners' play; measured as a baseline of this project.
    """

    name = "low"
    summary = "the lowest legal card; passes the highest"
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
        """Pass the highest cards."""
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            chosen |= cards.highest(me.legal ^ chosen)
        return chosen

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Play the lowest legal card."""
        return cards.lowest(me.legal)
