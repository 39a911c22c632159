"""From a unit's deals to one row of integer sums per block, table and entrant: all that inference needs.

Integers add up to the same total in any order, so nothing depends on which unit finished first.
"""

from __future__ import annotations

import polars as pl

from hearts_sim.errors import HeartsSimError
from hearts_sim.game.rules import Rules, name_direction

WIN_UNIT = 60
"""Win shares are counted in sixtieths, so that 2 to 6 seats can share a win exactly."""


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
    _check_points(deals, n_seats, rules)
    of_deals = _sum_deals(deals, n_seats, rules)
    of_games = _sum_games(deals.filter(pl.col("ended") > 0), n_seats, n_entrants, rules)
    sums = of_deals.join(of_games, on=["block", "table", "entrant"], how="left", validate="1:1")
    sums = sums.sort("block", "table", "entrant")
    _check_games(sums, n_seats)
    return sums


def _sum_deals(deals: pl.DataFrame, n_seats: int, rules: Rules) -> pl.DataFrame:
    total = pl.sum_horizontal(pl.col(f"points_{seat}").cast(pl.Int32) for seat in range(n_seats))
    shared = deals.with_columns(total=total)
    seats = pl.concat(
        shared.select(
            "block",
            "table",
            pl.col(f"entrant_{seat}").alias("entrant"),
            pl.col(f"points_{seat}").cast(pl.Int32).alias("points"),
            (pl.col("total") - pl.col(f"points_{seat}")).alias("others_points"),
            "pass_offset",
            pl.lit(seat, pl.Int8).alias("seat"),
            (pl.col("moon") == seat).alias("moons"),
            ((pl.col("moon") >= 0) & (pl.col("moon") != seat)).alias("moons_conceded"),
            (pl.col("threat") == seat).alias("threats"),
            (pl.col("queen_taker") == seat).alias("queens"),
        )
        for seat in range(n_seats)
    )
    aggregates = [
        pl.len().cast(pl.Int32).alias("deals"),
        pl.col("points").sum(),
        pl.col("others_points").sum(),
    ]
    for name in ("moons", "moons_conceded", "threats", "queens"):
        aggregates.append(pl.col(name).sum().cast(pl.Int32))
    aggregates.append((pl.col("points") == 0).sum().cast(pl.Int32).alias("clean"))
    conditions = {
        f"pass_{name}": pl.col("pass_offset") == offset for offset, name in list_directions(rules).items()
    } | {f"seat_{seat}": pl.col("seat") == seat for seat in range(n_seats)}
    for name, condition in conditions.items():
        aggregates.append(condition.sum().cast(pl.Int32).alias(f"deals_{name}"))
        aggregates.append((pl.col("points") * condition).sum().alias(f"points_{name}"))
    return seats.group_by("block", "table", "entrant").agg(aggregates)


def rank_scores(games: pl.DataFrame, n_seats: int, rules: Rules) -> pl.DataFrame:
    """Add ``final_s`` to finished games: the scores by which places are given, lower first.

    With ``exact_target = wins`` a seat that landed on the target comes before everybody else.
    """
    finals = []
    for seat in range(n_seats):
        score = pl.col(f"score_{seat}").cast(pl.Int32)
        if rules.exact_target == "wins":
            score = pl.when(score == rules.target).then(pl.lit(-(10**6), pl.Int32)).otherwise(score)
        finals.append(score.alias(f"final_{seat}"))
    return games.with_columns(finals)


def _sum_games(games: pl.DataFrame, n_seats: int, n_entrants: int, rules: Rules) -> pl.DataFrame:
    ranked = rank_scores(games, n_seats, rules)
    finals = [pl.col(f"final_{seat}") for seat in range(n_seats)]
    lowest, highest = pl.min_horizontal(finals), pl.max_horizontal(finals)
    ranked = ranked.with_columns(
        lowest=lowest,
        highest=highest,
        n_lowest=pl.sum_horizontal((final == lowest).cast(pl.Int32) for final in finals),
        n_highest=pl.sum_horizontal((final == highest).cast(pl.Int32) for final in finals),
    )
    seats = pl.concat(_view_game(ranked, seat, n_seats, n_entrants) for seat in range(n_seats))
    return seats.group_by("block", "table", "entrant").agg(pl.all().sum())


def _view_game(ranked: pl.DataFrame, seat: int, n_seats: int, n_entrants: int) -> pl.DataFrame:
    """Return finished games as one seat counts them."""
    own = pl.col(f"final_{seat}")
    others = [other for other in range(n_seats) if other != seat]
    is_first, is_last = own == pl.col("lowest"), own == pl.col("highest")
    two = pl.lit(2, pl.Int32)
    columns = {
        "games": pl.lit(1, pl.Int32),
        "win60": is_first * (WIN_UNIT // pl.col("n_lowest")),
        "wins": (is_first & (pl.col("n_lowest") == 1)).cast(pl.Int32),
        "draws": (is_first & (pl.col("n_lowest") > 1)).cast(pl.Int32),
        "losses": (~is_first).cast(pl.Int32),
        "last60": is_last * (WIN_UNIT // pl.col("n_highest")),
        "rank2": two + pl.sum_horizontal(_compare(pl.col(f"final_{other}"), own) for other in others),
        "capped": (pl.col("ended") == 2).cast(pl.Int32),
    }
    for entrant in range(n_entrants):
        met = [(pl.col(f"entrant_{other}") == entrant).cast(pl.Int32) for other in others]
        ahead = [_compare(own, pl.col(f"final_{other}")) for other in others]
        gap = [pl.col(f"score_{other}").cast(pl.Int32) - pl.col(f"score_{seat}") for other in others]
        columns[f"met_{entrant}"] = pl.sum_horizontal(met)
        columns[f"ahead2_{entrant}"] = pl.sum_horizontal(m * a for m, a in zip(met, ahead, strict=True))
        columns[f"margin_{entrant}"] = pl.sum_horizontal(m * g for m, g in zip(met, gap, strict=True))
    keys = (pl.col("block"), pl.col("table"), pl.col(f"entrant_{seat}").alias("entrant"))
    return ranked.select(*keys, *(value.cast(pl.Int32).alias(name) for name, value in columns.items()))


def _compare(first: pl.Expr, second: pl.Expr) -> pl.Expr:
    """Return 2 where the first score is lower, 1 where they tie, 0 where it is higher."""
    return (first < second).cast(pl.Int32) + (first <= second).cast(pl.Int32)


def _check_points(deals: pl.DataFrame, n_seats: int, rules: Rules) -> None:
    """Check every deal's points against the total that the rules give it."""
    total = rules.total_points
    if rules.doubling_card is not None or rules.no_tricks_bonus or rules.bonus_card is not None:
        return _check_points_with_extras(deals, n_seats, rules)
    allowed = [total]
    if rules.moon != "none":
        allowed = [total, total * (n_seats - 1), -total]
        if rules.sun != "off":
            allowed += [2 * total * (n_seats - 1), -2 * total]
    has_moon = pl.col("moon") >= 0
    summed = pl.sum_horizontal(pl.col(f"points_{seat}").cast(pl.Int32) for seat in range(n_seats))
    is_right = pl.when(has_moon).then(summed.is_in(allowed)).otherwise(summed == total)
    _raise_on(deals.filter(~is_right), "the points of a deal do not add up")
    return None


def _check_points_with_extras(deals: pl.DataFrame, n_seats: int, rules: Rules) -> None:
    """Check bounds where bonus and doubling cards blur the exact total."""
    total = rules.total_points
    bonus = min(0, rules.bonus_points if rules.bonus_card else 0) + rules.no_tricks_bonus * (n_seats - 1)
    rise = max(0, rules.bonus_points if rules.bonus_card else 0)
    factor = 2 if rules.sun != "off" else 1
    highest = max(total * (2 if rules.doubling_card else 1), factor * total * (n_seats - 1)) + rise
    lowest = min(total, -factor * total if rules.moon != "none" else total) + bonus
    summed = pl.sum_horizontal(pl.col(f"points_{seat}").cast(pl.Int32) for seat in range(n_seats))
    _raise_on(deals.filter((summed > highest) | (summed < lowest)), "the points of a deal are out of range")


def _check_games(sums: pl.DataFrame, n_seats: int) -> None:
    """Check that wins, ranks and margins add up in every block."""
    margins = pl.sum_horizontal(pl.col("^margin_.*$"))
    blocks = sums.group_by("block").agg(
        pl.col("games", "win60", "last60", "rank2").sum(),
        margin=margins.sum(),
        lost=pl.col("losses").sum(),
        shared=pl.col("wins").sum() + pl.col("draws").sum(),
    )
    is_wrong = (
        (pl.col("win60") * n_seats != WIN_UNIT * pl.col("games"))
        | (pl.col("last60") * n_seats != WIN_UNIT * pl.col("games"))
        | (pl.col("rank2") != pl.col("games") * (n_seats + 1))
        | (pl.col("margin") != 0)
        | (pl.col("lost") + pl.col("shared") != pl.col("games"))
    )
    _raise_on(blocks.filter(is_wrong), "wins, ranks or margins do not add up")


def _raise_on(wrong: pl.DataFrame, what: str) -> None:
    if wrong.height:
        block = wrong.get_column("block").item(0)
        raise HeartsSimError(
            f"internal error: {what} in block {block}; please report this with the run's manifest"
        )
