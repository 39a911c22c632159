"""Experiment files: what they may say, and that everything wrong with one is said at once and in place."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from hearts_sim.errors import UsageError
from hearts_sim.game.rules import PRESETS, Rules
from hearts_sim.tournament.experiment import DEFAULT_BLOCKS, Experiment
from hearts_sim.tournament.experiment_file import read_experiment

ROOT = Path(__file__).resolve().parents[2]
Write = Callable[..., Path]
TWO = """seed = 1
[[entrants]]
strategy = "low"
[[entrants]]
strategy = "greedy"
"""
FOUR = """
[[entrants]]
strategy = "random"
[[entrants]]
strategy = "low"
[[entrants]]
strategy = "ducker"
[[entrants]]
strategy = "greedy"
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write an experiment into an empty working directory and return its path."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str, name: str = "exp.toml") -> Path:
        Path(name).write_text(textwrap.dedent(text), encoding="utf-8")
        return Path(name)

    return write_file


def complaints(path: Path, *overrides: str) -> list[str]:
    with pytest.raises(UsageError) as caught:
        read_experiment(path, overrides)
    return str(caught.value).splitlines()


# --- what a file may say


def test_the_shortest_file_has_defaults_for_the_rest(write: Write) -> None:
    experiment = read_experiment(write("seed = 0" + FOUR))
    assert experiment.name == experiment.title == "exp"
    assert experiment.seed == 0
    assert experiment.rules == Rules()
    assert [e.name for e in experiment.entrants] == ["random", "low", "ducker", "greedy"]
    assert (experiment.design.kind, experiment.design.unit) == ("round_robin", "game")
    assert experiment.design.blocks == DEFAULT_BLOCKS
    assert experiment.report.baseline is None


@pytest.mark.parametrize("seed", [0, 1, 2**53 + 1, 2**64 - 1])
def test_any_64_bit_seed_is_kept_exactly(write: Write, seed: int) -> None:
    assert read_experiment(write(f"seed = {seed}" + FOUR)).seed == seed


def test_without_a_seed_the_default_is_taken_and_without_that_it_is_asked_for(write: Write) -> None:
    path = write(FOUR)
    assert read_experiment(path, default_seed=0).seed == 0
    assert complaints(path) == ["exp.toml: no seed; write a whole number, such as seed = 1"]


def test_rules_are_a_preset_and_any_field(write: Write) -> None:
    text = 'seed = 1\n[rules]\npreset = "Black-Maria"\ntarget = 50\nspade_honours = { KS = 5 }\n' + FOUR
    rules = read_experiment(write(text)).rules
    assert rules.diff(PRESETS["black_maria"].rules) == {"target": 50, "spade_honours": (("KS", 5),)}


def test_parameters_may_stand_in_the_name_or_beside_it(write: Write) -> None:
    text = '[[entrants]]\nname = "tired"\nstrategy = "greedy:blunder=0.5"\nparams = { take_high = 0 }\n'
    tired = read_experiment(write("seed = 1\n" + text + FOUR)).entrants[0]
    assert (tired.name, tired.strategy, dict(tired.params)) == (
        "tired",
        "greedy:blunder=0.5",
        {"take_high": 0},
    )


def test_a_strategy_file_is_found_beside_the_experiment_before_the_working_directory(
    write: Write,
) -> None:
    bot = (ROOT / "strategies" / "low.py").read_text(encoding="utf-8")
    Path("sub").mkdir()
    write(bot.replace('"low"', '"beside"'), "sub/bot.py")
    write(bot.replace('"low"', '"working"'), "bot.py")
    write(bot.replace('"low"', '"only-here"'), "other.py")
    text = 'seed = 1\n[[entrants]]\nstrategy = "bot.py"\n[[entrants]]\nstrategy = "other.py"\n' + FOUR
    names = [e.name for e in read_experiment(write(text, "sub/exp.toml")).entrants]
    assert names[:2] == ["beside", "only-here"]


def test_a_name_may_repeat_at_a_fixed_table(write: Write) -> None:
    text = 'tables = [["greedy", "low", "low", "low"], ["greedy", "greedy", "low", "low"]]'
    tables = read_experiment(write(TWO + '[design]\nkind = "fixed"\n' + text)).design.tables
    assert tables == (("greedy", "low", "low", "low"), ("greedy", "greedy", "low", "low"))


@pytest.mark.parametrize("path", sorted((ROOT / "experiments").glob("*.toml")), ids=lambda p: p.stem)
def test_shipped_experiments_read_and_survive_a_round_trip_through_json(path: Path) -> None:
    experiment = read_experiment(path)
    again = Experiment.from_dict(json.loads(json.dumps(experiment.to_dict())))
    assert again.to_dict() == experiment.to_dict()
    assert again.rules.hash() == experiment.rules.hash()
    assert again.hash() == experiment.hash()


def test_the_hash_names_what_results_depend_on_and_nothing_else(write: Write) -> None:
    first = read_experiment(write("seed = 1" + FOUR))
    same = read_experiment(
        write('title = "other words"\nseed = 1' + FOUR + '[report]\nbaseline = "low"', "exp2.toml"),
        ["name=exp"],
    )
    assert same.hash() == first.hash()
    for change in (
        "seed=2",
        "design.blocks=7",
        "rules.target=50",
        "entrants.3.params.blunder=0.1",
        "design.unit=deal",
    ):
        assert read_experiment(Path("exp.toml"), [change]).hash() != first.hash(), change


# --- overrides


def test_overrides_are_read_as_toml_and_recorded(write: Write) -> None:
    sets = (
        "design.blocks=7",
        "rules.preset=short",
        "entrants[1].name='mine'",
        "entrants.3.params.blunder=0.25",
    )
    experiment = read_experiment(write("seed = 1" + FOUR), sets)
    assert experiment.design.blocks == 7
    assert experiment.rules.target == 50
    assert experiment.entrants[1].name == "mine"
    assert experiment.entrants[3].params == {"blunder": 0.25}
    assert experiment.overrides == sets
    assert experiment.to_dict()["overrides"] == list(sets)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("design.blocks", "write KEY=VALUE, as in --set design.blocks=100"),
        ("name.first=1", "name is a single value and has no 'first'"),
        ("entrants.9.name='x'", "entrants has 4 items, counted from 0; there is no item '9'"),
        ("design.blocks=none", "design.blocks: 'none' is not a whole number from 1 to 2**32 - 1"),
        ("desing.blocks=3", "desing: unknown key; did you mean 'design'?"),
    ],
)
def test_an_override_that_leads_nowhere_is_named(write: Write, override: str, message: str) -> None:
    path = write('seed = 1\nname = "a"' + FOUR)
    assert complaints(path, override) == [f"--set {override}: {message}"]


# --- what is wrong with one


def test_everything_wrong_is_said_at_once_with_line_key_and_nearest_spelling(write: Write) -> None:
    path = write("""\
        schema = 2
        sed = 1
        seed = -1
        [rules]
        taget = 50
        moon = "subtrackt"
        [[entrants]]
        strategy = "gredy"
        name = "a"
        [[entrants]]
        strategy = "greedy"
        params = { blundr = 1, take_high = 7 }
        [[entrants]]
        strategy = "greedy"
        [[entrants]]
        strategy = "low"
        [design]
        kind = "dual"
        bloks = 5
        [report]
        baseline = "lo"
    """)
    head, *rest = complaints(path)
    assert head == "12 problems in exp.toml"
    expected = [
        "exp.toml:1: schema: 2 is unknown to this version; it reads schema = 1",
        "exp.toml:2: sed: unknown key; did you mean 'seed'?",
        "exp.toml:3: seed: -1 is not a whole number from 0 to 2**64 - 1",
        "exp.toml:5: rules.taget: unknown key; did you mean 'target'?",
        "exp.toml:6: rules.moon: 'subtrackt' is not one of add, subtract",
        "exp.toml:8: entrants[0].strategy: there is no strategy 'gredy'; did you mean 'greedy'?",
        "exp.toml:12: entrants[1].params.blundr: greedy: no parameter 'blundr'",
        "exp.toml:12: entrants[1].params.take_high: greedy: take_high = 7 is not a number from 0 to 1",
        "exp.toml:13: entrants[2]: 'greedy' is also entrants[1]; give it a name of its own",
        "exp.toml:18: design.kind: 'dual' is not one of round_robin, duel, mirror, gauntlet, selfplay, fixed; did you mean 'duel'?",
        "exp.toml:19: design.bloks: unknown key; did you mean 'blocks'?",
        "exp.toml:21: report.baseline: no entrant is named 'lo'; did you mean 'low'?",
    ]
    assert len(rest) == len(expected)
    for line, start in zip(rest, expected, strict=True):
        assert line.startswith(start), line


def test_three_bots_for_four_seats_is_one_error_that_says_how_to_fill(write: Write) -> None:
    path = write(TWO + '[[entrants]]\nstrategy = "ducker"\n')
    (line,) = complaints(path)
    assert line.startswith("exp.toml:2: entrants: 3 entrants for 4 seats; add 1 more")
    assert 'design.kind = "fixed"' in line
    assert read_experiment(path, ["rules.seats=3"]).rules.seats == 3


def test_a_strategy_that_is_not_found_causes_no_further_complaints(write: Write) -> None:
    text = TWO.replace("greedy", "mybot.py") + '[design]\nkind = "fixed"\n'
    text += 'tables = [["my-bot", "low", "low", "low"]]\n[report]\nbaseline = "my-bot"\n'
    (line,) = complaints(write(text))
    assert line.startswith("exp.toml:5: entrants[1].strategy: there is no strategy file mybot.py")


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ("", 'exp.toml:6: design.tables: kind = "fixed" needs its tables'),
        (
            'tables = [["low", "low", "low"], ["low", "low", "low", "greedy"]]',
            "design.tables[0]: 3 names for 4 seats",
        ),
        ('tables = [["low", "low", "low", "gredy"]]', "no entrant is named 'gredy'; did you mean 'greedy'?"),
        ('tables = [["low", "low", "low", "low"]]', "'greedy' sits at no table of design.tables"),
        (
            'tables = [["low", "low", "low", "greedy"],\n ["greedy", "low", "low", "low"]]',
            "exp.toml:9: design.tables[1]: the same entrants as design.tables[0]",
        ),
    ],
)
def test_fixed_tables_are_checked(write: Write, tables: str, message: str) -> None:
    text = TWO + '[design]\nkind = "fixed"\n'
    assert any(message in line for line in complaints(write(text + tables)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "seed = 1\nname = bare\n",
            "exp.toml:2: not valid TOML: Invalid value (column 8); text goes in quotes",
        ),
        ("seed = 1\nseed = 2\n", "exp.toml:2: not valid TOML: Cannot overwrite a value"),
        ("seed = [1,", "exp.toml: not valid TOML: Invalid value at the end of the file"),
        ("seed = 1\nrules = 3\n" + FOUR, "exp.toml:2: rules: 3 is not a table"),
        ("seed = 1\nentrants = 'low'\n", "exp.toml:2: entrants: write [[entrants]] on a line of its own"),
        ("seed = 1\n", "exp.toml: no entrants; write [[entrants]]"),
        ("seed = true\n" + FOUR, "exp.toml:1: seed: True is not a whole number"),
        ('seed = 1\nname = "a/b"\n' + FOUR, "exp.toml:2: name: 'a/b' is not up to 60 letters"),
        (
            'seed = 1\n[rules]\npreset = "omnibuss"\n' + FOUR,
            "exp.toml:3: rules.preset: there are no rules named",
        ),
        (
            "seed = 1\n[rules]\nkitty = 'first_trick'\nseats = 6\n" + FOUR,
            "exp.toml:3: rules.kitty: six seats",
        ),
        ("seed = 1\n[[entrants]]\nname = 'x'\n" + FOUR, "exp.toml:2: entrants[0]: no strategy"),
    ],
)
def test_each_kind_of_mistake_has_its_message(write: Write, text: str, message: str) -> None:
    assert any(line.startswith(message) for line in complaints(write(text))), complaints(Path("exp.toml"))


def test_a_file_that_is_not_there_or_not_text_is_named(write: Write) -> None:
    Path("bin.toml").write_bytes(b"\xff\xfe\x00")
    assert complaints(Path("no.toml")) == ["no.toml: cannot be read: No such file or directory"]
    assert complaints(Path("bin.toml"))[0].startswith("bin.toml: not a text file in UTF-8")
