"""``hearts-sim new``: a working starting point for a strategy or an experiment, written beside you."""

from __future__ import annotations

import re
from pathlib import Path

import click

from hearts_sim.cli.console import Terminal, output_options
from hearts_sim.cli.help import Command, Group
from hearts_sim.errors import UsageError

STRATEGY = '''"""{title}: say here in one line what it does."""

from __future__ import annotations

from hearts_sim import Param, Seat, Strategy, Table, cards


class {class_name}(Strategy):
    """Say here in a paragraph how it thinks, for whoever meets it in a result.

    Sources
    -------
    Where the idea comes from, if it is not your own.
    """

    name = "{name}"
    summary = "ducks when it can, throws the queen and hearts when it cannot follow"
    params = {{
        # a number to tune: default, lowest, highest, meaning; me.params holds the values in this order
        "keep_spades": Param(1, 0, 1, "1 keeps the spades below the queen when passing"),
    }}

    # A card is a set of one. With sets: & | ^, cards.highest, cards.lowest, cards.below, cards.count.
    # table is what everyone sees: table.led_suit, table.best_card, table.trick_length, table.points.
    # me is what you alone see: me.hand, me.legal, me.passed, me.received, me.params.
{method_note}
    @staticmethod
    def choose_pass(table: Table, me: Seat) -> int:
        """Return a set of exactly table.rules.pass_cards cards of me.legal."""
        chosen = cards.NONE
        for _ in range(table.rules.pass_cards):
            left = me.legal ^ chosen
            if me.params[0] > 0:
                left = cards.avoid(left, cards.LOW_SPADES)
            chosen |= cards.highest(left)
        return chosen

    @staticmethod
    def choose_card(table: Table, me: Seat) -> int:
        """Return one card of me.legal; you are asked only when there is a choice."""
        if table.trick_length == 0:
            return cards.lowest(me.legal)
        if me.legal & table.led_suit:
            losing = cards.below(me.legal, table.best_card)
            return cards.highest(losing) if losing else cards.lowest(me.legal)
        if me.legal & cards.QUEEN_OF_SPADES:
            return cards.QUEEN_OF_SPADES
        hearts = me.legal & cards.HEARTS
        return cards.highest(hearts if hearts else me.legal)
'''

COMPILED_NOTE = """
    # Both methods are compiled by numba: numbers, sets of cards, if, for and while, and your own functions if
    # marked @register_jitable (from numba.extending). For anything else: compiled = False, slow but free.
"""
PLAIN_NOTE = """
    # Plain Python: import and use whatever you like. One instance plays a seat for one game: methods without
    # @staticmethod get self and can remember things. It is far slower than a compiled strategy.
    compiled = False
"""

EXPERIMENT = """# {title}: say here what you want to find out.
#
#     hearts-sim run {file}

schema = 1
name = "{name}"
title = "{title}"
seed = {seed} # the same seed, the same cards; any whole number

[rules]
preset = "standard" # see: hearts-sim list rules. Any rule may follow, such as
# target = 50

# Who plays: built-in names (hearts-sim list strategies) or your own files (hearts-sim new strategy my-bot).
[[entrants]]
strategy = "greedy"

[[entrants]]
strategy = "cpu-easy"

[[entrants]]
strategy = "cpu-medium"

# The same strategy may enter twice under two names, with other parameters.
[[entrants]]
name = "greedy-tired"
strategy = "greedy"
params = {{ blunder = 0.2 }}

[design]
kind = "round_robin" # every choice of four of the entrants is a table; or "fixed" with
# tables = [["greedy", "cpu-easy", "cpu-easy", "cpu-easy"]]
unit = "game" # whole games, or "deal" for single deals
blocks = 1000 # a block is the same cards at every table in every seat; four times the blocks, half the error

[report]
baseline = "greedy" # whom the report compares the others with
"""


@click.group(
    "new",
    cls=Group,
    examples=(
        ("hearts-sim new strategy my-bot", "writes my_bot.py, which plays as it is"),
        ("hearts-sim new experiment my-test", "writes my_test.toml, which runs as it is"),
    ),
)
def command() -> None:
    """Write a starting point for a strategy or an experiment.

    It works as it is and says in comments what to change. Nothing is ever overwritten.
    """


@command.command(
    "strategy",
    cls=Command,
    examples=(
        ("hearts-sim new strategy my-bot", "a compiled strategy in my_bot.py"),
        ("hearts-sim new strategy my-bot --plain", "one in plain Python, which may use any library"),
    ),
)
@click.argument("name")
@click.option("--plain", is_flag=True, help="Plain Python instead of compiled.")
@output_options
def strategy(name: str, plain: bool, terminal: Terminal) -> None:
    """Write a strategy that plays as it is.

    It goes into the working directory, in a file named after NAME.
    """
    words = _split_name(name)
    path = Path("_".join(words) + ".py")
    note = (PLAIN_NOTE if plain else COMPILED_NOTE).strip("\n") + "\n"
    text = STRATEGY.format(
        title=" ".join(words).capitalize(),
        class_name="".join(word.capitalize() for word in words),
        name="-".join(words),
        method_note=note,
    )
    _write_new(path, text)
    terminal.show(str(path))
    terminal.say(
        f'\nlook at it  hearts-sim list strategies {path}\nplay it     strategy = "{path}" in an experiment'
    )


@command.command(
    "experiment",
    cls=Command,
    examples=(
        ("hearts-sim new experiment my-test", "writes my_test.toml"),
        ("hearts-sim run my_test.toml", "plays it"),
    ),
)
@click.argument("name")
@output_options
def experiment(name: str, terminal: Terminal) -> None:
    """Write an experiment that runs as it is.

    It goes into the working directory, in a file named after NAME.
    """
    import secrets

    words = _split_name(name)
    path = Path("_".join(words) + ".toml")
    title = " ".join(words).capitalize()
    text = EXPERIMENT.format(title=title, name="-".join(words), file=path, seed=secrets.randbelow(10**8))
    _write_new(path, text)
    terminal.show(str(path))
    terminal.say(f"\nnext  hearts-sim run {path}")


def _split_name(name: str) -> list[str]:
    """Return the words of a name such as ``my-bot``, ``my_bot`` or ``MyBot``."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name)
    words = [word.lower() for word in re.split(r"[-_ ]+", spaced) if word]
    if not words or not words[0][0].isalpha() or not all(re.fullmatch(r"[a-z0-9]+", word) for word in words):
        raise UsageError(
            f"{name!r} is not a name such as my-bot: letters and digits, words joined by hyphens"
        )
    return words


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists already and is left alone; choose another name") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
