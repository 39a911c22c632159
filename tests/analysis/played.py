"""Real games for the tests of the statistics, and block sums counted one by one in plain Python."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import polars as pl

from hearts_sim.bots.play import Session
from hearts_sim.bots.player import load_player
from hearts_sim.game.rules import Rules
from hearts_sim.tournament.design import make_plan
from hearts_sim.tournament.experiment import DesignSpec, EntrantSpec, Experiment
from hearts_sim.tournament.store import frame_deals


def play_deals(
    entrants: str,
    blocks: int,
    *,
    rules: Rules | None = None,
    unit: str = "game",
    tables: list[str] | None = None,
    seed: int = 11,
) -> pl.DataFrame:
    """Return the deals of an experiment; entrants are strategies, the k-th is called ``strategy-k``."""
    rules = rules or Rules()
    names = entrants.split()
    specs = tuple(EntrantSpec(f"{name}-{i}", name) for i, name in enumerate(names))
    design = DesignSpec(unit=unit, blocks=blocks)
    if tables is not None:
        named = tuple(tuple(specs[int(e)].name for e in table) for table in tables)
        design = DesignSpec(kind="fixed", unit=unit, blocks=blocks, tables=named)
    plan = make_plan(Experiment("test", "test", seed, rules, specs, design))
    rows = Session(rules, seed, [load_player(name) for name in names]).play(plan.jobs(0, blocks - 1))
    return frame_deals(rows, rules.seats)


def count_by_hand(deals: pl.DataFrame, n_entrants: int, rules: Rules) -> dict[tuple[int, int, int], Any]:
    """Return what `sum_blocks` must give, by (block, table, entrant), counted seat by seat."""
    sums: dict[tuple[int, int, int], Any] = defaultdict(lambda: defaultdict(int))
    seats = range(rules.seats)
    for row in deals.iter_rows(named=True):
        points = [row[f"points_{s}"] for s in seats]
        for seat in seats:
            own = sums[row["block"], row["table"], row[f"entrant_{seat}"]]
            own["deals"] += 1
            own["points"] += points[seat]
            own["others_points"] += sum(points) - points[seat]
            own["moons"] += row["moon"] == seat
            own["moons_conceded"] += row["moon"] not in (-1, seat)
            own["threats"] += row["threat"] == seat
            own["queens"] += row["queen_taker"] == seat
            own["clean"] += points[seat] == 0
            own[f"deals_at_offset_{row['pass_offset']}"] += 1
            own[f"points_at_offset_{row['pass_offset']}"] += points[seat]
            own[f"deals_seat_{seat}"] += 1
            own[f"points_seat_{seat}"] += points[seat]
        if row["ended"]:
            _count_game(sums, row, n_entrants, rules)
    return sums


def _count_game(sums: Any, row: dict[str, Any], n_entrants: int, rules: Rules) -> None:
    seats = range(rules.seats)
    scores = [row[f"score_{s}"] for s in seats]
    finals = [-9999 if rules.exact_target == "wins" and s == rules.target else s for s in scores]
    for seat in seats:
        own = sums[row["block"], row["table"], row[f"entrant_{seat}"]]
        first, last = finals.count(min(finals)), finals.count(max(finals))
        own["games"] += 1
        own["capped"] += row["ended"] == 2
        own["win60"] += 60 // first if finals[seat] == min(finals) else 0
        own["wins"] += finals[seat] == min(finals) and first == 1
        own["draws"] += finals[seat] == min(finals) and first > 1
        own["losses"] += finals[seat] != min(finals)
        own["last60"] += 60 // last if finals[seat] == max(finals) else 0
        own["rank2"] += 1 + sum(f < finals[seat] for f in finals) + sum(f <= finals[seat] for f in finals)
        for other in seats:
            if other != seat:
                rival = row[f"entrant_{other}"]
                own[f"met_{rival}"] += 1
                own[f"ahead2_{rival}"] += (finals[seat] < finals[other]) + (finals[seat] <= finals[other])
                own[f"margin_{rival}"] += scores[other] - scores[seat]
