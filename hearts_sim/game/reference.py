"""The reference game: the rules once more in plain Python, to be read and compared with the compiled loop.

`play_game` plays a game with any objects that choose passes and cards, `play_deal` one deal from given hands.
One deal is in `reference_deal`, what may be played in `reference_table`, the dealing in `reference_cards`, the
scoring in `reference_scoring`.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts_sim.game.reference_cards import deal_cards
from hearts_sim.game.reference_deal import DealInPlay
from hearts_sim.game.reference_table import Chooser, Deal, EncodedRules, legal_cards, pass_choices
from hearts_sim.game.rules import Rules
from hearts_sim.game.table import MEMORY_WORDS

__all__ = ["Chooser", "Deal", "deal_cards", "legal_cards", "pass_choices", "play_deal", "play_game"]


def play_game(
    rules: Rules,
    seed: int,
    game: int,
    players: Sequence[Chooser],
    *,
    replicate: int = 0,
    first_deal: int = 1,
    n_deals: int = 0,
) -> list[Deal]:
    """Play one game and return its deals.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    seed, game : int
        What keys the cards, 0 to 2**64 - 1.
    players : sequence of Chooser
        Who sits at seats 0, 1, ...
    replicate : int
        Which of the seats' own random streams are used.
    first_deal : int
        The number of the first deal.
    n_deals : int
        How many deals to play; 0 plays until the rules end the game.

    Raises
    ------
    StrategyFault
        If a player answers illegally.
    """
    scores = [0] * rules.seats
    memories = [[0] * MEMORY_WORDS for _ in range(rules.seats)]
    encoded = EncodedRules(rules)
    deals: list[Deal] = []
    while not deals or deals[-1].ended == 0:
        number = first_deal + len(deals)
        last = n_deals > 0 and len(deals) + 1 == n_deals
        deal = DealInPlay(rules, encoded, seed, game, number, replicate, scores, players, memories)
        deals.append(deal.play(fixed=n_deals > 0, last=last))
        scores = list(deals[-1].scores)
    return deals


def play_deal(
    rules: Rules,
    hands: Sequence[int],
    players: Sequence[Chooser],
    *,
    number: int = 1,
    scores: Sequence[int] = (),
    seed: int = 0,
    game: int = 0,
    replicate: int = 0,
) -> Deal:
    """Play one deal from given hands.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    hands : sequence of int
        The sets of cards dealt by seat; what they leave over is the kitty.
    players : sequence of Chooser
        Who sits at seats 0, 1, ...
    number : int
        The number of the deal, which settles the pass and the dealer.
    scores : sequence of int
        The totals before the deal; all 0 by default.
    seed, game, replicate : int
        What keys the seats' random streams.

    Raises
    ------
    StrategyFault
        If a player answers illegally.
    """
    memories = [[0] * MEMORY_WORDS for _ in range(rules.seats)]
    before = tuple(scores) or (0,) * rules.seats
    deal = DealInPlay(
        rules, EncodedRules(rules), seed, game, number, replicate, before, players, memories, hands
    )
    return deal.play(fixed=False, last=False)
