"""Designs by their idea: the tables they stand for, and what is said when an experiment does not fit one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearts_sim.errors import UsageError
from hearts_sim.tournament.experiment import Experiment
from hearts_sim.tournament.experiment_file import read_experiment


def read(tmp_path: Path, names: str, design: str, rules: str = "") -> Experiment:
    entrants = "".join(f'[[entrants]]\nname = "{name}"\nstrategy = "low"\n' for name in names)
    path = tmp_path / "e.toml"
    path.write_text(f"seed = 1\n{rules}\n{entrants}[design]\n{design}\n")
    return read_experiment(path)


def words(tables: tuple[tuple[str, ...], ...] | None) -> list[str]:
    return ["".join(table) for table in tables or ()]


def test_a_duel_is_every_mixture_of_two(tmp_path: Path) -> None:
    assert words(read(tmp_path, "ab", 'kind = "duel"').design.tables) == ["abbb", "aabb", "aaab"]
    three = read(tmp_path, "ab", 'kind = "duel"', '[rules]\npreset = "three_handed"')
    assert words(three.design.tables) == ["abb", "aab"]


def test_a_mirror_is_two_tables_that_differ_in_one_seat(tmp_path: Path) -> None:
    read_back = read(tmp_path, "abxy", 'kind = "mirror"\nswap = ["a", "b"]\ntable = ["x", "y", "x"]')
    assert words(read_back.design.tables) == ["axyx", "bxyx"]


def test_in_a_gauntlet_the_newcomer_meets_every_choice_of_the_field(tmp_path: Path) -> None:
    found = words(read(tmp_path, "abncd", 'kind = "gauntlet"\nnewcomer = "n"').design.tables)
    assert found == ["nabc", "nabd", "nacd", "nbcd"]


def test_a_self_play_is_one_strategy_under_as_many_names_as_seats(tmp_path: Path) -> None:
    experiment = read(tmp_path, "a", 'kind = "selfplay"')
    assert [entrant.name for entrant in experiment.entrants] == ["a 1", "a 2", "a 3", "a 4"]
    assert Experiment.from_dict(experiment.to_dict()).hash() == experiment.hash()


@pytest.mark.parametrize(
    ("names", "design", "said"),
    [
        ("abc", 'kind = "duel"', "3 entrants; a duel is between two"),
        ("ab", 'kind = "mirror"', "a mirror needs 2 names, the two that take turns, such as swap ="),
        (
            "abx",
            'kind = "mirror"\nswap = ["a", "b"]\ntable = ["x"]',
            "a mirror needs 3 names, who sits with them",
        ),
        (
            "abx",
            'kind = "mirror"\nswap = ["a", "a"]\ntable = ["x", "x", "b"]',
            "'a' cannot take turns with itself",
        ),
        (
            "abxq",
            'kind = "mirror"\nswap = ["a", "b"]\ntable = ["x", "x", "x"]',
            "'q' is neither in design.swap nor",
        ),
        ("abcd", 'kind = "gauntlet"', "name the entrant that meets all others"),
        ("abcd", 'kind = "gauntlet"\nnewcomer = "e"', "no entrant is named 'e'"),
        ("abc", 'kind = "gauntlet"\nnewcomer = "a"', "2 others for the 3 seats beside 'a'; add 1 more"),
        ("ab", 'kind = "selfplay"', "2 entrants; a selfplay seats one strategy against itself"),
        ("abcd", 'newcomer = "a"', 'only for kind = "gauntlet"; this is a round_robin'),
    ],
)
def test_what_does_not_fit_is_said(tmp_path: Path, names: str, design: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, names, design)
    assert said in str(caught.value)
