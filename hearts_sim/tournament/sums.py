"""From a unit's deals to one row of integer sums per block, table and entrant: all that inference needs.

Integers add up to the same total in any order, so nothing depends on which unit finished first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hearts_sim.errors import HeartsSimError
from hearts_sim.game.rules import Rules, name_direction

WIN_UNIT = 60
"""Win shares are counted in sixtieths, so that 2 to 6 seats can share a win exactly."""

OF_DEALS = ("deals", "points", "others_points", "moons", "moons_conceded", "threats", "queens", "clean")
OF_GAMES = ("games", "win60", "wins", "draws", "losses", "last60", "rank2", "capped")
OF_RIVALS = ("met", "ahead2", "margin")

Ints = npt.NDArray[np.int64]


def list_directions(rules: Rules) -> dict[int, str]:
    """Return the distinct pass offsets of the rules with their words, in the order of the cycle."""
    return {offset: name_direction(offset, rules.seats) for offset in rules.pass_offsets}


def sum_blocks(deals: pl.DataFrame, n_seats: int, n_entrants: int, rules: Rules) -> pl.DataFrame:
    """Aggregate whole blocks of deals to integer sums.

    Parameters
    ----------
    deals : DataFrame
        Columns as in docs/design.md, complete games only.
    n_seats, n_entrants : int
        Sizes of a table and of the experiment.
    rules : Rules
        For the pass directions and for who wins.

    Returns
    -------
    DataFrame
        One row per (block, table, entrant), sorted. ``games`` and ``deals`` count appearances in a seat.
        Of deals: ``points``, ``others_points``, ``moons``, ``moons_conceded``, ``threats``, ``queens``, ``clean``,
        and ``deals_``/``points_`` by pass direction (``pass_left``, ...) and seat (``seat_0``, ...).
        Of games: ``win60``, ``wins``, ``draws``, ``losses``, ``last60``, ``rank2`` (twice the mid-rank),
        ``capped``, and against entrant e ``met_e`` (pairs of seats), ``ahead2_e`` (2 x ahead + ties),
        ``margin_e`` (e's score - own).

    Raises
    ------
    HeartsSimError
        If an identity does not hold: points, win shares or ranks do not add up.
    """
    # numba loads only where deals are counted: a report reads sums without it.
    from hearts_sim.tournament.count import count_deals

    deals = _put_in_order(deals)
    points = _stack(deals, "points", n_seats, np.int16)
    _check_points(deals, points.sum(axis=0, dtype=np.int64), rules)
    group, first_of_group = _number_groups(deals)
    columns = list_columns(n_seats, n_entrants, rules)
    who = np.full((len(first_of_group), n_seats), -1, np.int64)
    sums = np.zeros((len(first_of_group), n_seats, len(columns)), np.int64)
    count_deals(
        group,
        _number_directions(deals, rules),
        np.stack(
            [deals[name].to_numpy().astype(np.int8) for name in ("moon", "threat", "queen_taker", "ended")]
        ),
        _stack(deals, "entrant", n_seats, np.uint8),
        points,
        _stack(deals, "score", n_seats, np.int16),
        rules.target if rules.exact_target == "wins" else -1,
        len(list_directions(rules)),
        who,
        sums,
    )
    table, place = np.nonzero(who >= 0)
    order = np.lexsort((who[table, place], table))
    table, place = table[order], place[order]
    keys = deals[first_of_group].select("block", "table")[table]
    entrant = pl.Series("entrant", who[table, place].astype(np.uint8))
    values = np.ascontiguousarray(sums[table, place].T.astype(np.int32))
    result = pl.DataFrame([*keys, entrant, *map(pl.Series, columns, values)])
    _check_games(result, columns, values, n_seats)
    return result


def list_columns(n_seats: int, n_entrants: int, rules: Rules) -> list[str]:
    """Return the names of the sums in order, without the keys."""
    splits = [f"pass_{name}" for name in list_directions(rules).values()]
    splits += [f"seat_{seat}" for seat in range(n_seats)]
    of_splits = [f"{what}_{split}" for split in splits for what in ("deals", "points")]
    of_rivals = [f"{what}_{entrant}" for entrant in range(n_entrants) for what in OF_RIVALS]
    return [*OF_DEALS, *of_splits, *OF_GAMES, *of_rivals]


def _put_in_order(deals: pl.DataFrame) -> pl.DataFrame:
    """Return deals with those of a table of a block next to each other, as every unit has them already."""
    place = deals["block"].cast(pl.Int64) * 2**16 + deals["table"]
    return deals if place.is_sorted() else deals.sort("block", "table", maintain_order=True)


def _number_groups(deals: pl.DataFrame) -> tuple[Ints, Ints]:
    """Return the table of a block that each deal belongs to, counted from 0, and the first deal of each."""
    block, table = deals["block"].to_numpy(), deals["table"].to_numpy()
    is_new = np.ones(len(block), np.bool_)
    is_new[1:] = (block[1:] != block[:-1]) | (table[1:] != table[:-1])
    return np.cumsum(is_new) - 1, np.flatnonzero(is_new)


def _number_directions(deals: pl.DataFrame, rules: Rules) -> Ints:
    """Return the place of each deal's pass offset among the directions of the rules."""
    offsets = list(list_directions(rules))
    number_of = np.zeros(max(offsets) + 2, np.int64)
    number_of[np.array(offsets) + 1] = np.arange(len(offsets))
    numbers: Ints = number_of[deals["pass_offset"].to_numpy().astype(np.int64) + 1]
    return numbers


def _stack(deals: pl.DataFrame, what: str, n_seats: int, kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.stack([deals[f"{what}_{seat}"].to_numpy().astype(kind) for seat in range(n_seats)])


def _check_points(deals: pl.DataFrame, summed: Ints, rules: Rules) -> None:
    """Check every deal's points against the total that the rules give it."""
    total, others = rules.total_points, rules.seats - 1
    if rules.doubling_card is not None or rules.no_tricks_bonus or rules.bonus_card is not None:
        lowest, highest = _bound_points(rules)
        _raise_on((summed > highest) | (summed < lowest), deals, "the points of a deal are out of range")
        return
    allowed = [total]
    if rules.moon != "none":
        allowed = [total * others, -total]
        if rules.sun != "off":
            allowed += [2 * total * others, -2 * total]
    is_moon = deals["moon"].to_numpy() >= 0
    is_right = np.where(is_moon, np.isin(summed, allowed), summed == total)
    _raise_on(~is_right, deals, "the points of a deal do not add up")


def _bound_points(rules: Rules) -> tuple[int, int]:
    """Return the least and the most points of a deal where bonus and doubling cards blur the exact total."""
    total, others = rules.total_points, rules.seats - 1
    bonus = rules.bonus_points if rules.bonus_card else 0
    factor = 2 if rules.sun != "off" else 1
    highest = max(total * (2 if rules.doubling_card else 1), factor * total * others) + max(0, bonus)
    lowest = -factor * total if rules.moon != "none" else total
    return lowest + min(0, bonus) + rules.no_tricks_bonus * others, highest


def _check_games(sums: pl.DataFrame, columns: list[str], values: npt.NDArray[Any], n_seats: int) -> None:
    """Check that wins, ranks and margins add up in every block."""
    starts = np.flatnonzero(np.diff(sums["block"].to_numpy().astype(np.int64), prepend=-1))
    total = np.add.reduceat(values, starts, axis=1, dtype=np.int64)
    of = {name: total[columns.index(name)] for name in OF_GAMES}
    margin = sum(total[i] for i, name in enumerate(columns) if name.startswith("margin_"))
    is_wrong = (
        (of["win60"] * n_seats != WIN_UNIT * of["games"])
        | (of["last60"] * n_seats != WIN_UNIT * of["games"])
        | (of["rank2"] != of["games"] * (n_seats + 1))
        | (of["wins"] + of["draws"] + of["losses"] != of["games"])
        | (margin != 0)
    )
    _raise_on(is_wrong, sums[starts], "wins, ranks or margins do not add up")


def _raise_on(is_wrong: npt.NDArray[Any], rows: pl.DataFrame, what: str) -> None:
    if is_wrong.any():
        block = rows["block"][int(np.argmax(is_wrong))]
        raise HeartsSimError(
            f"internal error: {what} in block {block}; please report this with the run's manifest"
        )
