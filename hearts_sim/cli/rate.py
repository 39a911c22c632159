"""``hearts-sim rate``: a bot by the standard suite, as one page that anyone can cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from hearts_sim.cli.console import Terminal, json_option, output_options
from hearts_sim.cli.help import Command
from hearts_sim.cli.run import Number, count_cores

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_sim.tournament.suite import Suite

Facts = Mapping[str, Any]
BEHAVIOUR = (
    ("points_per_deal", "points per deal (lower is better)", 2, 1.0, ""),
    ("win_share", "deals with the fewest points", 1, 100.0, " %"),
    ("clean_rate", "deals without a point", 1, 100.0, " %"),
    ("queen_rate", "deals in which it takes the queen", 1, 100.0, " %"),
    ("moon_rate", "moons shot in 1,000 deals", 1, 1000.0, ""),
    ("moon_conceded_rate", "moons conceded in 1,000 deals", 1, 1000.0, ""),
    ("threat_rate", "13 points and nobody else any, in 1,000 deals", 1, 1000.0, ""),
)


@click.command(
    "rate",
    cls=Command,
    examples=(
        ("hearts-sim rate my_bot.py", "its score, its place among the built-in strategies, a line to cite"),
        ("hearts-sim rate greedy:blunder=0.1 --json", "the same as data"),
    ),
)
@click.argument("bot")
@click.option(
    "--suite", default="standard-1", show_default=True, help="The suite; it never changes under its name."
)
@click.option("--jobs", type=Number(), help="Threads; the rating does not depend on it. [default: all cores]")
@json_option
@output_options
def command(bot: str, suite: str, jobs: int | None, as_json: bool, terminal: Terminal) -> None:
    """Rate a bot by a named suite of deals and opponents.

    BOT is a strategy as everywhere: greedy, greedy:blunder=0.1, my_bot.py, my_bot.py:MyBot, package.module:MyBot.

    The bot sits with three of the same company on 10,000 deals, in every seat of each. Its score is by how many
    points per deal it does better than the others at its table, on average. The field of built-in strategies is
    measured the same way on the same deals.
    """
    from hearts_sim.tournament.suite import find_suite

    found = find_suite(suite)
    facts = _rate(bot, found, jobs or count_cores(), terminal)
    if as_json:
        terminal.show_json(facts)
        return
    terminal.show(say_score(facts), "", make_ladder(facts), "", make_behaviour(facts), "", cite(facts))


def _rate(bot: str, suite: Suite, jobs: int, terminal: Terminal) -> dict[str, Any]:
    """Play the suite and return what is printed."""
    import hearts_sim
    from hearts_sim.analysis.inference import LEVEL
    from hearts_sim.analysis.scores import score_suite
    from hearts_sim.cli.prepare import prepare_players
    from hearts_sim.tournament import suite as suites
    from hearts_sim.tournament.design import make_plan
    from hearts_sim.tournament.stream import stream_sums

    experiment = suites.make_experiment(suite, bot)
    players = prepare_players(experiment, terminal)
    plan = make_plan(experiment, compiled=all(player.info.compiled for player in players))
    with terminal.announce("playing ...", "played in {seconds}", after_s=1.5):
        parts = list(stream_sums(experiment, plan, players, jobs=jobs))
    names = [entrant.name for entrant in experiment.entrants]
    rated = players[0]
    return {
        "schema": 1,
        "command": "rate",
        "bot": {
            "name": names[0],
            "strategy": bot,
            "params": rated.params,
            "source_hash": rated.info.source_hash,
        },
        "suite": suites.describe(suite),
        "confidence": LEVEL,
        **score_suite(parts, names, experiment.rules),
        "digest": suites.hash_sums(parts),
        "hearts_sim": hearts_sim.__version__,
    }


def say_score(facts: Facts) -> str:
    """Return the score and the place in words."""
    from hearts_sim.report.words import say_estimate

    low, high = facts["place"]
    place = f"place {low}" if low == high else f"place {low} to {high}"
    suite = facts["suite"]
    return (
        f"{facts['bot']['name']} scores {_sign(facts['score'])}{say_estimate(facts['score'])} by {suite['name']}, "
        f"{place} of {len(facts['ladder']) + 1}.\n"
        f"Points per deal better than the others at its table, three {suite['company']}, who are 0;\n"
        f"{suite['deals']:,} deals in every seat, 95 % interval. Higher is better."
    )


def make_ladder(facts: Facts) -> Table:
    """Return the bot among the field, the best first."""
    from hearts_sim.report.words import say_estimate, say_p

    table = _start_table(
        ("", "left"),
        ("strategy", "left"),
        ("score", "right"),
        ("the bot is ahead by", "right"),
        ("p (Holm)", "right"),
    )
    own = {"name": facts["bot"]["name"], "score": facts["score"], "ahead": None}
    rungs = [*facts["ladder"], own]
    for rung in sorted(rungs, key=lambda rung: -rung["score"]["estimate"]):
        ahead = rung["ahead"]
        table.add_row(
            ">" if rung is own else "",
            rung["name"],
            _sign(rung["score"]) + say_estimate(rung["score"]),
            "" if ahead is None else _sign(ahead) + say_estimate(ahead),
            "" if ahead is None else say_p(ahead["p_adjusted"]),
        )
    return table


def make_behaviour(facts: Facts) -> Table:
    """Return how the bot plays at its table."""
    from hearts_sim.report.words import say_estimate

    table = _start_table(("how it plays", "left"), (facts["bot"]["name"], "right"))
    for name, words, digits, factor, unit in BEHAVIOUR:
        table.add_row(words, say_estimate(facts["behaviour"][name], digits, factor, unit))
    for direction, effect in facts["pass_directions"]["effects"].items():
        table.add_row(
            f"points more or less when passing {direction}".replace("passing hold", "holding"),
            _sign(effect) + say_estimate(effect),
        )
    return table


def cite(facts: Facts) -> str:
    """Return the line to cite, with all that it takes to get the same number."""
    from hearts_sim.report.words import say_estimate

    bot = facts["bot"]
    return (
        f"cite: {bot['name']} (source {bot['source_hash'][:12]}) scores {_sign(facts['score'])}{say_estimate(facts['score'])}\n"
        f"      on hearts-sim {facts['suite']['name']}, hearts-sim {facts['hearts_sim']}, digest {facts['digest'][:12]}"
    )


def _sign(value: Facts | None) -> str:
    return "+" if value is not None and value["estimate"] > 0 else ""


def _start_table(*columns: tuple[str, Any]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    for title, justify in columns:
        table.add_column(title, justify=justify)
    return table
