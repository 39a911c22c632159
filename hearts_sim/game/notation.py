"""Cards as integers and as text. No imports: everything else may use it.

A card is an integer from 0 to 51, ``4 * rank + suit``: ranks run 2..A as 0..12, suits clubs, diamonds, spades,
hearts as 0..3. A set of cards is an integer with one bit per card. Counting by rank first makes the lowest and the
highest card of any set its lowest and highest bit, whether the set holds one suit or four; equal ranks are ordered
clubs, diamonds, spades, hearts.
"""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "CDSH"
SUIT_SYMBOLS = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}
N_CARDS = 52
FULL_DECK = (1 << N_CARDS) - 1

CLUBS_BITS, DIAMONDS_BITS, SPADES_BITS, HEARTS_BITS = (
    sum(1 << (4 * rank + suit) for rank in range(13)) for suit in range(4)
)


def card_index(text: str) -> int:
    """Return the card 0..51 named by ``text``: rank then suit, as in ``QS``, ``TD`` or ``10d``.

    Raises
    ------
    ValueError
        If the text names no card.
    """
    cleaned = text.strip().upper().replace("10", "T")
    if len(cleaned) != 2 or cleaned[0] not in RANKS or cleaned[1] not in SUITS:
        raise ValueError(f"{text!r} is not a card; write rank then suit, such as QS, TD or 2C")
    return 4 * RANKS.index(cleaned[0]) + SUITS.index(cleaned[1])


def card_name(index: int) -> str:
    """Return the two-letter name of the card 0..51."""
    return RANKS[index >> 2] + SUITS[index & 3]


def parse_cards(text: str) -> int:
    """Return the set of the cards named in ``text``, separated by blanks or commas.

    Raises
    ------
    ValueError
        If a word names no card or a card is named twice.
    """
    cards = 0
    for word in text.replace(",", " ").split():
        bit = 1 << card_index(word)
        if cards & bit:
            raise ValueError(f"{word} is named twice in {text!r}")
        cards |= bit
    return cards


def list_cards(cards: int) -> list[int]:
    """Return the cards 0..51 of a set, lowest first."""
    return [index for index in range(N_CARDS) if cards >> index & 1]


def format_cards(cards: int) -> str:
    """Return the names of a set's cards, suit by suit (clubs, diamonds, spades, hearts), lowest first."""
    ordered = sorted(list_cards(int(cards)), key=lambda index: (index & 3, index))
    return " ".join(card_name(index) for index in ordered)
