"""Block sums are what anyone would count by hand, and refuse deals that cannot be."""

from __future__ import annotations

import polars as pl
import pytest
from played import count_by_hand, play_deals

from hearts_sim.errors import HeartsSimError
from hearts_sim.game.rules import PRESETS, Rules, name_direction
from hearts_sim.tournament.sums import list_directions, sum_blocks

OF_DEALS = ("deals", "points", "others_points", "moons", "moons_conceded", "threats", "queens", "clean")
OF_GAMES = ("games", "win60", "wins", "draws", "losses", "last60", "rank2", "capped")

CASES = {
    "standard": (Rules(), "greedy ducker low random"),
    "three seats": (PRESETS["three_handed"].rules, "greedy ducker low"),
    "five seats": (PRESETS["five_handed"].rules, "greedy ducker low random greedy"),
    "six seats": (PRESETS["six_handed"].rules, "greedy ducker low random greedy low"),
    "bonus card": (PRESETS["omnibus"].rules, "greedy ducker low random"),
    "doubling card": (PRESETS["chicago"].rules, "greedy ducker low random"),
    "moon subtracts": (PRESETS["new_moon"].rules, "greedy ducker low random"),
    "moon ignored": (Rules(moon="none"), "greedy ducker low random"),
    "sun": (Rules(sun="add"), "low low low random"),
    "no tricks": (Rules(no_tricks_bonus=-5), "greedy ducker low random"),
    "exact target wins": (Rules(exact_target="wins", target=40), "greedy ducker low random"),
    "scatter": (Rules(pass_cycle=("scatter", "hold")), "greedy ducker low random"),
    "kitty": (PRESETS["three_handed_kitty"].rules, "greedy ducker low"),
    "capped": (Rules(max_deals=3), "greedy ducker low random"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("unit", ["game", "deal"])
def test_every_sum_is_what_counting_seat_by_seat_gives(case: str, unit: str) -> None:
    rules, entrants = CASES[case]
    k = len(entrants.split())
    deals = play_deals(entrants, 6, rules=rules, unit=unit)
    sums = sum_blocks(deals, rules.seats, k, rules)
    expected = count_by_hand(deals, k, rules)
    assert sums.height == len(expected)
    for row in sums.iter_rows(named=True):
        own = expected[row["block"], row["table"], row["entrant"]]
        names = [*OF_DEALS, *OF_GAMES]
        names += [f"{what}_{e}" for what in ("met", "ahead2", "margin") for e in range(k)]
        names += [f"{what}_seat_{s}" for what in ("deals", "points") for s in range(rules.seats)]
        assert {name: row[name] for name in names} == {name: own[name] for name in names}
        for offset, word in list_directions(rules).items():
            assert row[f"deals_pass_{word}"] == own[f"deals_at_offset_{offset}"]
            assert row[f"points_pass_{word}"] == own[f"points_at_offset_{offset}"]


def test_an_entrant_in_several_seats_counts_once_for_each() -> None:
    deals = play_deals("greedy low", 4, tables=["0111", "1000"])
    sums = sum_blocks(deals, 4, 2, Rules())
    assert sums.select("block", "table", "entrant").rows() == [
        (block, table, entrant) for block in range(4) for table in range(2) for entrant in range(2)
    ]
    assert sums.get_column("games").to_list()[:4] == [4, 12, 12, 4]
    expected = count_by_hand(deals, 2, Rules())
    for row in sums.iter_rows(named=True):
        own = expected[row["block"], row["table"], row["entrant"]]
        assert {name: row[name] for name in OF_GAMES} == {name: own[name] for name in OF_GAMES}
        assert (row["met_0"], row["ahead2_0"], row["margin_0"]) == (
            own["met_0"],
            own["ahead2_0"],
            own["margin_0"],
        )


def test_the_order_of_the_deals_does_not_matter() -> None:
    deals = play_deals("greedy low", 4, tables=["0111", "1000"])
    shuffled = deals.sample(fraction=1, shuffle=True, seed=3)
    assert sum_blocks(shuffled, 4, 2, Rules()).equals(sum_blocks(deals, 4, 2, Rules()))


def test_all_columns_are_integers_without_gaps() -> None:
    sums = sum_blocks(play_deals("greedy ducker low random", 3), 4, 4, Rules())
    assert all(kind.is_integer() for kind in sums.schema.values())
    assert sum(sums.null_count().row(0)) == 0


def test_who_lands_on_the_target_comes_first_and_the_margin_keeps_the_real_scores() -> None:
    rules = Rules(exact_target="wins")
    game = play_deals("greedy ducker low random", 1).filter(pl.col("ended") > 0)[:1]
    scores = {f"score_{seat}": pl.lit(score, pl.Int16) for seat, score in enumerate((100, 3, 40, 40))}
    game = game.with_columns(**scores)
    sums = sum_blocks(game, 4, 4, rules)
    by_seat = {game[f"entrant_{seat}"][0]: seat for seat in range(4)}
    rows = {by_seat[row["entrant"]]: row for row in sums.iter_rows(named=True)}
    assert [rows[seat]["wins"] for seat in range(4)] == [1, 0, 0, 0]
    assert [rows[seat]["rank2"] for seat in range(4)] == [2, 4, 7, 7]
    assert [rows[seat]["last60"] for seat in range(4)] == [0, 0, 30, 30]
    second = game["entrant_1"][0]
    assert rows[0][f"ahead2_{second}"] == 2
    assert rows[0][f"margin_{second}"] == 3 - 100


@pytest.mark.parametrize("rules", [Rules(), PRESETS["omnibus"].rules], ids=["exact total", "bonus blurs it"])
def test_points_that_do_not_add_up_name_the_block(rules: Rules) -> None:
    deals = play_deals("greedy ducker low random", 3, rules=rules)
    at = (pl.col("block") == 2) & (pl.col("deal") == 1) & (pl.col("seating") == 1)
    broken = deals.with_columns(points_0=pl.when(at).then(500).otherwise(pl.col("points_0")).cast(pl.Int16))
    with pytest.raises(HeartsSimError, match=r"points of a deal .* block 2"):
        sum_blocks(broken, 4, 4, rules)


def test_a_moon_must_cost_what_the_rules_say() -> None:
    deals = play_deals("greedy ducker low random", 3)
    broken = deals.with_columns(moon=pl.when(pl.col("block") == 1).then(-1).otherwise("moon").cast(pl.Int8))
    broken = broken.with_columns(
        points_0=pl.when(pl.col("block") == 1).then(26).otherwise("points_0").cast(pl.Int16),
        points_1=pl.when(pl.col("block") == 1).then(26).otherwise("points_1").cast(pl.Int16),
        points_2=pl.when(pl.col("block") == 1).then(26).otherwise("points_2").cast(pl.Int16),
        points_3=pl.when(pl.col("block") == 1).then(0).otherwise("points_3").cast(pl.Int16),
    )
    with pytest.raises(HeartsSimError, match="block 1"):
        sum_blocks(broken, 4, 4, Rules())


@pytest.mark.parametrize(
    ("offset", "seats", "word"),
    [
        (0, 4, "hold"),
        (1, 4, "left"),
        (2, 4, "across"),
        (3, 4, "right"),
        (2, 3, "right"),
        (2, 5, "2"),
        (3, 6, "across"),
        (-1, 4, "scatter"),
    ],
)
def test_directions_have_the_words_players_use(offset: int, seats: int, word: str) -> None:
    assert name_direction(offset, seats) == word
