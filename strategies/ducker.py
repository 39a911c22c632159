"""Ducker: lose every trick you can, with the highest card that still loses it."""

from __future__ import annotations

from hearts_sim import Seat, Strategy, Table, cards


class Ducker(Strategy):
    """Play just under the winning card; when void, throw the highest card, the queen and hearts first.

    Sources
    -------
    Common beginners' advice; measured as a baseline in many course projects.
    """

    name = "ducker"
    summary = "the highest card that still loses the trick"
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
        """Lead low, duck high, throw what hurts."""
        if table.trick_length == 0:
            return cards.lowest(me.legal)
        if me.legal & table.led_suit:
            losing = cards.below(me.legal, table.best_card)
            return cards.highest(losing) if losing else cards.lowest(me.legal)
        if me.legal & cards.QUEEN_OF_SPADES:
            return cards.QUEEN_OF_SPADES
        hearts = me.legal & cards.HEARTS
        return cards.highest(hearts) if hearts else cards.highest(me.legal)
