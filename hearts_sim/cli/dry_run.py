"""``hearts-sim run --dry-run``: the plan of an experiment, its balance and its cost, writing nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hearts_sim.cli.console import Terminal
from hearts_sim.cli.prepare import prepare_players
from hearts_sim.cli.ranking import format_duration

if TYPE_CHECKING:
    from hearts_sim.game.rules import Rules
    from hearts_sim.tournament.design import Plan
    from hearts_sim.tournament.estimate import Cost
    from hearts_sim.tournament.experiment import Experiment


def show_plan(
    experiment: Experiment, folder: Path, jobs: int, record: str, as_json: bool, terminal: Terminal
) -> None:
    """Print what a run would do; a second of it is played to find out what it costs."""
    from hearts_sim.tournament.design import make_plan
    from hearts_sim.tournament.estimate import estimate_cost

    plan = make_plan(experiment)
    cost = estimate_cost(experiment, prepare_players(experiment, terminal))
    facts: dict[str, Any] = {
        "schema": 1,
        "command": "run",
        "dry_run": True,
        "name": experiment.name,
        "seed": experiment.seed,
        "run": str(folder),
        "experiment_sha256": experiment.hash(),
        "rules": experiment.rules.diff(),
        "plan": plan.describe(),
        "cost": dataclasses.asdict(cost) | {"jobs": jobs, "wall_s": round(cost.thread_s / jobs, 1)},
    }
    if as_json:
        terminal.show_json(facts)
        return
    rows = _describe(experiment, plan, cost, jobs, record) | {"results": f"would go to {folder}"}
    terminal.show("\n".join(f"{key:<9} {text}" for key, text in rows.items()))
    terminal.say("\nnothing was written")


def _describe(experiment: Experiment, plan: Plan, cost: Cost, jobs: int, record: str) -> dict[str, str]:
    """Return the lines of the text form by their titles."""
    facts = plan.describe()
    about = "" if facts["deals"] else "about "
    disk = "" if record == "none" else f", about {max(1, round(cost.disk_bytes / 1e6)):,} MB on disk"
    duration = format_duration(cost.thread_s / jobs)
    threads = "1 thread" if jobs == 1 else f"{jobs} threads"
    return {
        "title": experiment.title,
        "entrants": ", ".join(_describe_entrants(experiment)),
        "rules": describe_rules(experiment.rules),
        "plan": say_counts(plan),
        "deals": f"{about}{facts['deals'] or cost.deals:,}",
        "work": f"{facts['units']:,} units of up to {facts['blocks_per_unit']:,} blocks",
        "seed": str(experiment.seed),
        **_describe_balance(facts["balance"]),
        "cost": f"about {duration} on {threads}{disk}",
        "": f"({cost.games_played:,} {_name_games(plan)} of it were played to find out)",
    }


def _describe_entrants(experiment: Experiment) -> list[str]:
    texts = []
    for entrant in experiment.entrants:
        params = ", ".join(f"{key} {value:g}" for key, value in entrant.params.items())
        own = [] if entrant.name == entrant.strategy else [entrant.strategy]
        inner = " ".join([*own, *([params] if params else [])])
        texts.append(f"{entrant.name} ({inner})" if inner else entrant.name)
    return texts


def _describe_balance(balance: dict[str, Any]) -> dict[str, str]:
    evenly = balance["seats_balanced"] and balance["neighbours_balanced"]
    blocks, periods, rest = balance["period"], balance["whole_periods"], balance["blocks_left_over"]
    head = (
        "every entrant meets every seat, direction and neighbour equally often"
        if evenly
        else "entrants do NOT meet every seat, direction and neighbour equally often"
    )
    over = f" and {rest} blocks over" if rest else ""
    uneven = f"; seats and directions differ by {100 * balance['uneven']:.2g} %" if balance["uneven"] else ""
    return {"balance": head, " ": f"in {blocks:,} blocks; this plan has {periods:,} times that{over}{uneven}"}


def describe_rules(rules: Rules) -> str:
    """Return rules in words: ``standard``, or what differs from it."""
    changed = ", ".join(f"{key} {value}" for key, value in rules.diff().items())
    return f"standard but {changed}" if changed else "standard"


def _name_games(plan: Plan) -> str:
    return "games" if plan.unit == "game" else "single deals"


def say_counts(plan: Plan) -> str:
    """Return the size of a plan in words: ``1 table x 5,000 blocks x 4 seatings = 20,000 games``."""
    tables = "1 table" if len(plan.tables) == 1 else f"{len(plan.tables):,} tables"
    if plan.orbits is not None:
        arrangements = f"{int(plan.orbits.seatings.sum())} arrangements in {len(plan.orbits)} orbits"
        return (
            f"{arrangements}, one for each of {plan.blocks:,} blocks = {plan.n_games:,} {_name_games(plan)}"
        )
    product = f"{tables} x {plan.blocks:,} blocks x {plan.n_seats} seatings"
    return f"{product} = {plan.n_games:,} {_name_games(plan)}"
