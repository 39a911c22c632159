"""What stands at the end of a report: the rules in words, the method, and how to play the same run again."""

from __future__ import annotations

import dataclasses

from hearts_sim.game.rules import Rules
from hearts_sim.report.data import Report

_MOONS = {
    "add": "everybody else gets the points",
    "subtract": "the shooter's score falls by the points",
    "best_for_shooter": "whichever of add and subtract is better for the shooter",
    "subtract_if_behind": "subtract if that leaves the shooter behind, else add",
    "none": "scored like any other deal",
}


def say_methods(report: Report) -> str:
    """Return a paragraph that can be pasted into a paper."""
    manifest, summary = report.run.manifest, report.summary
    design, seats = summary["design"], report.n_seats
    unit = "whole games" if design["unit"] == "game" else "single deals"
    preset = summary["rules"]["preset"] or "custom"
    tables = f"{design['tables']} table{'s' if design['tables'] > 1 else ''}"
    return (
        f"We simulated {summary['games']:,} {unit} of Hearts ({summary['deals']:,} deals; rules: {preset}, hash "
        f"{summary['rules']['hash']}) with hearts-sim {manifest['versions']['hearts_sim']}, seed {summary['seed']}. "
        f"The design ({design['kind']}) has {tables} and {summary['blocks']:,} blocks. Within a block the same cards are "
        f"dealt at every table in all {seats} rotations of a seating, so that everybody plays every hand; the cyclic order "
        f"of the players changes from block to block. Blocks are independent and games within a block are not, so all "
        f"estimates are ratios of sums with cluster-robust covariance over blocks (CRV1) and Student-t intervals at the "
        f"95 % level; shares near 0 or 1 have Wilson intervals with the effective sample size. Differences between "
        f"entrants use the covariance of the two, their p-values are adjusted for all pairs by Holm's method, and effects "
        f"of pass direction and seat are tested jointly with Hotelling's T-squared test. A shared lowest score is a shared "
        f"win. Points are penalty points: lower is better."
    )


def list_rules(report: Report) -> list[tuple[str, str]]:
    """Return the rules that matter most, and whatever differs from the standard, as (name, value)."""
    rules, standard = report.run.rules, Rules()
    end = f"{rules.deals_per_game} deals" if rules.deals_per_game else f"a score of {rules.target}"
    passing = f"{rules.pass_cards} cards: {', '.join(report.directions)}" if rules.pass_cards else "none"
    queen = f"{rules.queen_points} points; {rules.total_points} points in a deal"
    rows = [
        ("preset", report.summary["rules"]["preset"] or "custom"),
        ("hash", rules.hash()),
        ("seats", str(rules.seats)),
        ("passing", passing),
        ("queen of spades", queen),
        ("moon", _MOONS[rules.moon]),
        ("a game ends at", end),
    ]
    shown = {"seats", "pass_cards", "pass_cycle", "queen_points", "moon", "target", "deals_per_game"}
    values, usual = rules.as_dict(), standard.as_dict()
    for field in dataclasses.fields(Rules):
        if field.name not in shown and values[field.name] != usual[field.name]:
            rows.append((field.name, _show(values[field.name])))
    return rows


def _show(value: object) -> str:
    if isinstance(value, list):
        return " ".join(str(item) for item in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {points}" for key, points in value.items()) or "none"
    return str(value)


def list_repeat(report: Report) -> list[str]:
    """Return the lines from which anyone can play the same run again and check that it is the same."""
    manifest = report.run.manifest
    facts = [
        ("seed", str(manifest["seed"])),
        ("digest", f"{manifest['digest']} (SHA-256 of all deals)"),
        ("plan", manifest["plan_sha256"]),
        ("rules", manifest["rules"]["hash"]),
    ]
    facts += [(name.replace("_", "-"), version) for name, version in manifest["versions"].items()]
    for entrant in manifest["entrants"]:
        facts.append(
            (
                "entrant",
                f"{entrant['name']}: {entrant['strategy']}, {entrant['source']} {entrant['source_hash']}",
            )
        )
    return [manifest["command_line"], "", *(f"{name:<10} {value}" for name, value in facts)]
