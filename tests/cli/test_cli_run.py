"""``hearts-sim run``: from a file to a ranking; nothing overwritten, all repeatable, faults attributed."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from calling import Call, Compare

from hearts_sim.cli import run as run_module
from hearts_sim.cli.progress import EVERY_S, Leader, Pace, format_clock
from hearts_sim.cli.ranking import explain_ranking, format_duration, format_interval, format_rank, rank
from hearts_sim.tournament import store
from hearts_sim.tournament.runner import Progress

SMALL = ("--set", "design.blocks=40")
FAULTY = """
from hearts_sim import Strategy

class Faulty(Strategy):
    name = "faulty"
    compiled = False

    @staticmethod
    def choose_pass(table, me):
        return me.legal

    @staticmethod
    def choose_card(table, me):
        return me.legal
"""


def manifest_of(folder: str) -> dict:  # type: ignore[type-arg]
    return store.read_manifest(Path(folder))


# --- the answer


def test_the_ranking_is_on_stdout_best_first_and_the_rest_on_stderr(call: Call) -> None:
    done = call("run", "cpu_levels", *SMALL)
    assert done.code == 0
    assert "is better)" in done.out
    ranked = re.findall(r"^ *[\d-]+ +([a-z-]+) +(\d+\.\d\d) ± \d", done.out, re.MULTILINE)
    assert {name for name, _ in ranked} == {"human-stand-in", "cpu-easy", "cpu-medium", "cpu-hard"}
    assert [float(points) for _, points in ranked] == sorted(float(points) for _, points in ranked)
    head = done.err.splitlines()[:3]
    assert head == [
        "cpu-levels: 1 table x 40 blocks x 4 seatings = 160 games",
        "seed 20261130",
        "results go to results/cpu-levels-20261130",
    ]
    assert done.err.endswith(
        "\n  results  results/cpu-levels-20261130\n"
        "  repeat   hearts-sim run cpu_levels --seed 20261130 --set design.blocks=40\n"
        "  next     hearts-sim report results/cpu-levels-20261130\n"
    )
    assert max(map(len, [*done.out.splitlines(), *done.err.splitlines()])) <= 80


def test_json_is_exactly_one_object_with_the_same_numbers(call: Call) -> None:
    done = call("run", "cpu_levels", *SMALL, "--json", "-q")
    summary = json.loads(done.out)
    assert (summary["schema"], summary["command"], summary["status"]) == (1, "run", "complete")
    assert (summary["blocks"], summary["games"]) == (40, 160)
    assert summary["compile_s"] >= 0
    assert done.err == ""
    stored = json.loads(Path("results/cpu-levels-20261130/summary.json").read_text(encoding="utf-8"))
    assert stored == {key: value for key, value in summary.items() if key != "compile_s"}


def test_quiet_leaves_the_answer_only(call: Call) -> None:
    done = call("run", "cpu_levels", *SMALL, "-q")
    assert done.err == ""
    assert "cpu-hard" in done.out


def test_the_repeat_line_gives_the_same_results_whatever_the_threads(call: Call) -> None:
    first = call("run", "cpu_opponents", "--set", "design.blocks=60", "--out", "a", "--jobs", "1")
    line = re.search(r"repeat +hearts-sim (.*)", first.err)
    assert line is not None
    again = shlex.split(line.group(1).replace("--out a", "--out b"))
    assert call(*again, "--jobs", "3").code == 0
    assert manifest_of("a")["digest"] == manifest_of("b")["digest"]
    assert call("run", "cpu_opponents", "--set", "design.blocks=60", "--out", "c", "--seed", "0").code == 0
    assert manifest_of("c")["digest"] != manifest_of("a")["digest"]


def test_without_a_seed_one_is_drawn_shown_and_stored(call: Call, workdir: Path) -> None:
    text = (workdir / "experiments/cpu_levels.toml").read_text(encoding="utf-8")
    (workdir / "free.toml").write_text(text.replace("seed = 20261130", ""), encoding="utf-8")
    seeds = set()
    for out in ("a", "b"):
        done = call("run", "free.toml", *SMALL, "--out", out)
        shown = re.search(r"^seed (\d+) \(drawn now", done.err, re.MULTILINE)
        assert shown is not None
        assert manifest_of(out)["seed"] == int(shown.group(1))
        assert f"--seed {shown.group(1)}" in manifest_of(out)["command_line"]
        seeds.add(shown.group(1))
    assert len(seeds) == 2
    refused = call("run", "free.toml", *SMALL, "--resume")
    assert refused.code == 2
    assert "names no seed" in refused.err


def test_settings_are_recorded(call: Call) -> None:
    call("run", "cpu_levels", *SMALL, "--set", "rules.target=50", "--out", "a")
    manifest = manifest_of("a")
    assert manifest["experiment"]["overrides"] == ["design.blocks=40", "rules.target=50"]
    assert manifest["rules"]["fields"]["target"] == 50
    assert "--set rules.target=50" in manifest["command_line"]


def test_each_record_keeps_what_it_says(call: Call) -> None:
    kept = {"none": {"sums"}, "deals": {"sums", "deals"}, "cards": {"sums", "deals", "cards"}}
    assert set(run_module.RECORDS) == set(kept) == set(store.RECORDS)
    for record, kinds in kept.items():
        assert call("run", "cpu_levels", *SMALL, "--record", record, "--out", record).code == 0
        assert {path.name.split(".")[1] for path in Path(record, "units").glob("*.parquet")} == kinds


# --- before anything is played


def test_a_dry_run_tells_plan_balance_and_cost_and_writes_nothing(call: Call, workdir: Path) -> None:
    before = sorted(workdir.rglob("*"))
    done = call("run", "cpu_levels", "--dry-run", "--set", "design.blocks=50")
    assert done.code == 0
    for text in (
        "1 table x 50 blocks x 4 seatings = 200 games",
        "every entrant meets every seat, direction and neighbour equally often",
        "in 6 blocks; this plan has 8 times that and 2 blocks over",
        "cost      about",
    ):
        assert text in done.out
    plan = json.loads(call("run", "cpu_levels", "--dry-run", "--json", "--set", "design.blocks=50").out)
    assert (plan["dry_run"], plan["plan"]["games"], plan["cost"]["games_played"]) == (True, 200, 200)
    assert sorted(workdir.rglob("*")) == before


def test_an_existing_folder_is_left_alone_without_force(call: Call) -> None:
    call("run", "cpu_levels", *SMALL, "--out", "a")
    before = {path: path.read_bytes() for path in Path("a").rglob("*") if path.is_file()}
    refused = call("run", "cpu_levels", *SMALL, "--out", "a", "--seed", "5")
    assert refused.code == 2
    assert "a exists already; go on with it by --resume, replace it by --force" in refused.err
    assert {path: path.read_bytes() for path in Path("a").rglob("*") if path.is_file()} == before
    assert call("run", "cpu_levels", *SMALL, "--out", "a", "--seed", "5", "--force").code == 0
    assert manifest_of("a")["seed"] == 5
    Path("mine").mkdir()
    Path("mine/precious.txt").write_text("x", encoding="utf-8")
    assert call("run", "cpu_levels", *SMALL, "--out", "mine", "--force").code == 2
    assert Path("mine/precious.txt").read_text(encoding="utf-8") == "x"


def test_wrong_requests_have_clear_messages(call: Call, workdir: Path, same_as_stored: Compare) -> None:
    three = (workdir / "experiments/cpu_levels.toml").read_text(encoding="utf-8")
    three = three.replace('[[entrants]]\nstrategy = "cpu-easy"', "").replace('"cpu-medium"', '"cpu-meduim"')
    (workdir / "three.toml").write_text(three.replace("blocks =", "bloks ="), encoding="utf-8")
    asked = (
        ["nope.toml"],
        ["cpu_levls"],
        ["three.toml"],
        ["cpu_levels", "--set", "rules.sets=3"],
        ["cpu_levels", "--set", "entrants.1.strategy=human.py"],
        ["cpu_levels", "--seed", "-1"],
        ["cpu_levels", "--jobs", "0"],
        ["cpu_levels", "--record", "all"],
        ["cpu_levels", "--resume", "--force"],
        ["cpu_levels", "--out", "three.toml"],
    )
    before = sorted(workdir.rglob("*"))
    wrong = [call("run", *words) for words in asked]
    assert [done.code for done in wrong] == [2] * len(asked)
    assert [done.out for done in wrong] == [""] * len(asked)
    assert sorted(workdir.rglob("*")) == before
    same_as_stored("errors_run", "\n".join(done.err for done in wrong))


# --- while it plays


def test_a_strategy_at_fault_is_named_with_its_replay_line_and_exit_code_3(call: Call) -> None:
    Path("faulty.py").write_text(FAULTY, encoding="utf-8")
    faulty = ("--set", "entrants.0.strategy=faulty.py")
    done = call("run", "cpu_levels", *SMALL, *faulty, "--out", "a", "--jobs", "1")
    assert done.code == 3
    assert "the strategy 'faulty' (faulty.py) answered" in done.err
    assert "hearts-sim replay a --block 0 --table 0 --seating 0 --deal 1" in done.err
    assert "Traceback" not in done.err
    assert manifest_of("a")["status"] == "failed"


def test_ctrl_c_keeps_finished_units_and_prints_how_to_go_on(call: Call, workdir: Path) -> None:
    code = "from hearts_sim.cli import main; main()"
    words = ["run", "million_games", "--set", "design.blocks=16000", "--out", "a", "--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=workdir,
    )
    waited = time.monotonic() + 120
    while not list(workdir.glob("a/units/*.sums.parquet")) and time.monotonic() < waited:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    stopped = manifest_of("a")
    assert stopped["status"] == "stopped"
    assert 1 <= len(stopped["units"]) < 16
    line = re.search(r"Go on with:\n  hearts-sim (.*)", err)
    assert line is not None
    assert call(*shlex.split(line.group(1))).code == 0
    assert call(*words[:4], "--out", "b").code == 0
    assert manifest_of("a")["digest"] == manifest_of("b")["digest"]


# --- progress


def sums_of(rows: list[tuple[int, int, int, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["block", "entrant", "points", "deals"], orient="row")


def test_the_leader_is_the_same_in_one_portion_or_many() -> None:
    rows = [(block, e, 10 + (block * (e + 3)) % 7 + 2 * e, 4) for block in range(60) for e in range(3)]
    whole, parts = Leader("abc"), Leader("abc")
    whole.add(sums_of(rows))
    for first in range(0, len(rows), 60):
        parts.add(sums_of(rows[first : first + 60]))
    assert whole.describe() == parts.describe()
    assert re.fullmatch(r"a 3\.\d\d ± 0\.\d\d", whole.describe())


def test_the_leader_needs_no_entrant_to_have_played_yet() -> None:
    leader = Leader("ab")
    assert leader.describe() == ""
    leader.add(sums_of([(0, 1, 20, 4)]))
    assert leader.describe() == "b 5.00"


def test_the_pace_counts_only_what_this_process_played() -> None:
    def at(done: int, elapsed: float) -> Progress:
        return Progress(done, 20, done, 40 * done, 400 * done, elapsed, sums_of([]))

    fresh = Pace()
    assert fresh.measure(at(1, 2.0)) == (200.0, 38.0)
    assert fresh.measure(at(2, 4.0)) == (200.0, 36.0)
    resumed = Pace()
    assert resumed.measure(at(11, 2.0)) == (200.0, 18.0)
    assert resumed.measure(at(12, 4.0)) == (200.0, 16.0)


def test_off_a_terminal_progress_is_a_plain_line_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hearts_sim.cli import progress
    from hearts_sim.cli.console import Terminal

    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.show_progress(Terminal(), ["a", "b"]) as tell:
        for done in range(1, 31):
            now[0] += 1.0
            tell(
                Progress(
                    done, 40, done, done, 1000 * done, now[0], sums_of([(done, 0, 20, 4), (done, 1, 32, 4)])
                )
            )
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 30 // EVERY_S
    assert lines[0] == " 25 %  1,000 deals/s  30 s left  leads: a 5.00"
    with progress.show_progress(Terminal(progress=False), ["a", "b"]) as tell:
        tell(Progress(1, 1, 1, 1, 1, 1.0, sums_of([])))
    assert capsys.readouterr().err == ""


# --- numbers as text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (185, "3 min 05 s"), (7805, "2 h 10 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0:00"), (59.6, "1:00"), (185, "3:05"), (7805, "2:10:05")]
)
def test_clocks(seconds: float, text: str) -> None:
    assert format_clock(seconds) == text


def test_estimates() -> None:
    value = {"estimate": 0.4128, "low": 0.405, "high": 0.421, "se": 0.004}
    assert format_interval(value, 1, 100, " %") == "41.3 ± 0.8 %"
    assert format_interval(value | {"low": None, "high": None}, 1, 100, " %") == "41.3 %"
    assert format_interval(None, 1) == "-"


def test_what_intervals_and_ranges_of_places_mean_is_said_where_there_are_any() -> None:
    points = {"estimate": 5.0, "low": 4.9, "high": 5.1}
    alone, shared = ({"points_per_deal": points, "rank_interval": places} for places in ([1, 1], [1, 2]))
    summary = {
        "confidence": 0.95,
        "design": {"kind": "round_robin"},
        "blocks": 2_500_000,
        "entrants": [alone, alone],
    }
    assert explain_ranking(summary) == "± 95 % interval over 2,500,000 blocks"
    lines = explain_ranking(summary | {"entrants": [shared, shared]}).split("\n")
    assert lines == [
        "± 95 % interval over 2,500,000 blocks",
        "a range of places: not told apart by these data",
    ]
    unknown = {"points_per_deal": points | {"low": None, "high": None}}
    assert (
        explain_ranking(summary | {"blocks": 3, "entrants": [unknown]})
        == "3 blocks are too few for intervals"
    )


def test_places_and_order() -> None:
    entrants = [
        {"name": "b", "points_per_deal": {"estimate": 7.0}, "rank_interval": [2, 3]},
        {"name": "idle", "points_per_deal": None},
        {"name": "a", "points_per_deal": {"estimate": 5.0}, "rank_interval": [1, 1]},
    ]
    assert [(format_rank(e, i), e["name"]) for i, e in enumerate(rank(entrants), 1)] == [
        ("1", "a"),
        ("2-3", "b"),
        ("3", "idle"),
    ]


def test_listed_tables_end_with_the_answer_in_words_and_no_places(call: Call) -> None:
    outcome = call("run", "cpu_opponents", "--set", "design.blocks=40", "--out", "listed")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("human-stand-in wins ")
    assert "against 3 cpu-easy" in " ".join(outcome.out.split())
    [row] = [line for line in lines if line.split()[:1] == ["cpu-hard"]]
    assert row.startswith("  cpu-hard ")
    assert lines[-1] == "no places: the tables are listed, and entrants met different company"
    assert max(map(len, lines)) <= 80
