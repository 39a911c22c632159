"""Measuring speed: fair turns, medians, honest warnings, a baseline, and one integer for behaviour."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hearts_sim.cli import cli
from hearts_sim.cli.console import run_guarded
from hearts_sim.tournament import bench, openspiel_speed, yardstick
from hearts_sim.tournament.bench import Bench, Ratio, Turn

MACHINE = {
    "cpu": "x",
    "cores": 2,
    "system": "s",
    "hearts_sim": "0",
    "python": "3",
    "numba": "0",
    "numpy": "2",
}
RATIO = Ratio("the loop", "C", "random", 0.6, 0.5, 0.7, 0.6)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The C programs, built once for all tests here; none without a compiler."""
    if yardstick.find_compiler() is None:
        return {}
    return yardstick.build(tmp_path_factory.mktemp("yardstick"))


@pytest.fixture
def run(
    programs: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run ``hearts-sim bench`` on a few games only; return exit code, stdout and stderr."""
    measure, build = bench.measure, yardstick.build
    monkeypatch.setattr(
        yardstick, "build", lambda folder: programs if yardstick.find_compiler() else build(folder)
    )
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(bench, "measure", lambda _n, _turns, **options: measure(20, 2, **options))

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run_guarded(cli, ["bench", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_players_take_turns_of_which_the_second_half_counts() -> None:
    order: list[str] = []

    def player(name: str) -> Callable[[], Turn]:
        def play() -> Turn:
            order.append(name)
            return Turn(len(order), 0, 1.0)

        return play

    found = bench.take_turns({"a": player("a"), "b": player("b")}, 3)
    assert order == ["a", "a", "b", "b"] * 3
    assert [turn.games for turn in found["a"]] == [2, 6, 10]
    assert [turn.games for turn in found["b"]] == [4, 8, 12]


def test_a_speed_is_the_median_with_the_slowest_and_fastest_turn() -> None:
    speed = bench.summarize("x", "random", [Turn(10, 100, 1.0), Turn(10, 100, 5.0), Turn(10, 100, 2.0)])
    assert (speed.games_per_s, speed.games_per_s_low, speed.games_per_s_high) == (5, 2, 10)
    assert speed.deals_per_s == 50


def test_a_ratio_compares_deals_turn_by_turn() -> None:
    mine = [Turn(1, 100, 1.0), Turn(1, 100, 4.0), Turn(1, 100, 1.0)]
    theirs = [Turn(9, 100, 0.5), Turn(9, 100, 2.0), Turn(9, 50, 1.0)]
    ratio = bench.compare("a", "b", "random", {"a": mine, "b": theirs})
    assert (ratio.ratio, ratio.low, ratio.high) == (0.5, 0.5, 2.0)
    assert ratio.fastest == 0.5
    assert ratio.name == "a / b, random"


def test_noise_is_told_with_the_worst_comparison_and_a_remedy() -> None:
    noisy = Ratio("the loop", "tuned C", "ducker", 0.6, 0.3, 0.9, 0.7)
    [warning] = bench.find_noise([RATIO, noisy], cores=2)
    assert "3.0 times (the loop / tuned C, ducker)" in warning
    assert "close other programs" in warning
    assert bench.find_noise([RATIO], cores=2) == []


def test_a_busy_machine_is_told_before_its_numbers_are_believed() -> None:
    [warning] = bench.find_load(1.26, cores=2)
    assert "keep 1.3 of 2 cores busy" in warning
    assert "close them" in warning
    assert bench.find_load(0.2, cores=2) == []


def test_one_core_is_told() -> None:
    [warning] = bench.find_noise([RATIO], cores=1)
    assert warning.startswith("one core only")


def test_games_that_differ_are_noticed() -> None:
    same = {"loop": "0a", "C": "0a", "tuned C": "0a"}
    assert Bench(MACHINE).same_games is None
    assert Bench(MACHINE, checksums={"random": same, "ducker": same}).same_games is True
    assert Bench(MACHINE, checksums={"random": same, "ducker": same | {"C": "0b"}}).same_games is False


def test_a_baseline_is_compared_by_ratios_that_both_have() -> None:
    stored = Bench(MACHINE, ratios=[RATIO]).to_dict()
    now = Bench(
        MACHINE,
        ratios=[Ratio("the loop", "C", "random", 0.3, 0.3, 0.3, 0.3), Ratio("x", "y", "z", 1, 1, 1, 1)],
    )
    [change] = bench.compare_to_baseline(now, bench.read_ratios(json.loads(json.dumps(stored))))
    assert change == {"name": "the loop / C, random", "ratio": 0.3, "before": 0.6, "change": 0.5}


def test_the_first_start_finds_an_empty_cache_and_the_second_what_the_first_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    code = (
        "import os, pathlib; cache = pathlib.Path(os.environ['NUMBA_CACHE_DIR']); "
        f"open({str(log)!r}, 'a').write(f'{{len(list(cache.iterdir()))}} '); (cache / 'code').touch()"
    )
    monkeypatch.setattr(bench, "_FIRST_GAME", code)
    starts = bench.measure_starts()
    assert log.read_text(encoding="utf-8") == "0 1 "
    assert min(starts.cold_s, starts.warm_s) > 0


def test_the_signature_is_the_same_twice_and_moves_with_behaviour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SIGNED", ("low", "random"))
    signed = bench.sign_behaviour(5)
    assert 0 <= signed < 2**64
    assert bench.sign_behaviour(5) == signed
    monkeypatch.setattr(bench, "SIGNED", ("ducker", "random"))
    assert bench.sign_behaviour(5) != signed


def test_signature_prints_one_integer_and_nothing_else(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "sign_behaviour", lambda: 12345678901234567890)
    assert run("--signature") == (0, "12345678901234567890\n", "")


def test_the_answer_goes_to_stdout_in_80_columns_and_the_rest_to_stderr(run: Run) -> None:
    code, out, err = run("--quick")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "random      the loop on 2 threads / the loop " in out
    assert "first game of a new process" not in out
    assert "measuring four ducker bots" in err
    if yardstick.find_compiler() is not None:
        assert "same games in C: yes (checksums " in out


def test_json_is_one_object_with_every_number(run: Run) -> None:
    code, out, _ = run("--quick", "--json", "-q")
    facts = json.loads(out)
    assert (code, facts["schema"], facts["command"]) == (0, 1, "bench")
    assert {speed["player"] for speed in facts["speeds"]} >= {"the loop", "the loop on 2 threads"}
    assert all(ratio["low"] <= ratio["ratio"] <= ratio["high"] for ratio in facts["ratios"])
    assert facts["starts"] is None
    assert facts["baseline"] is None


def test_without_a_compiler_it_says_so_and_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardstick, "find_compiler", lambda: None)
    code, out, err = run("--quick")
    assert code == 0
    assert "Warning: no comparison with C: there is no C compiler" in err
    assert "ducker      the loop on 2 threads / the loop" in out
    assert "same games" not in out


@pytest.mark.skipif(importlib.util.find_spec("pyspiel") is not None, reason="OpenSpiel is installed")
def test_without_openspiel_it_says_how_to_get_it(run: Run) -> None:
    code, _, err = run("--quick", "--openspiel")
    assert code == 0
    assert "pip install 'hearts-sim[bench]'" in " ".join(err.split())


def test_openspiel_plays_whole_deals() -> None:
    pytest.importorskip("pyspiel")
    deals, seconds = openspiel_speed.make_player(3)()
    assert (deals, seconds > 0) == (3, True)


def keep_baseline(path: Path, ratio: float) -> None:
    """Write a baseline in which two threads are ``ratio`` times one."""
    entry = Ratio("the loop on 2 threads", "the loop", "random", ratio, ratio, ratio, ratio)
    path.write_text(json.dumps(Bench(MACHINE, ratios=[entry]).to_dict()), encoding="utf-8")


def test_a_kept_result_is_a_baseline(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "base.json"
    code, _, err = run("--quick", "--save", str(kept))
    assert code == 0
    assert f"--baseline {kept}" in " ".join(err.split())
    stored: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    code, out, _ = run("--quick", "--json", "--baseline", str(kept))
    assert code == 0
    assert [c["name"] for c in json.loads(out)["baseline"]] == [r["name"] for r in stored["ratios"]]


def test_check_fails_when_a_ratio_fell_and_passes_when_it_did_not(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "base.json"
    keep_baseline(kept, 1000.0)
    code, out, err = run("--quick", "--baseline", str(kept), "--check")
    assert code == 1
    assert "in the baseline 1000.00" in out
    assert "the loop on 2 threads / the loop, random fell to 0.00 of the baseline" in " ".join(err.split())
    assert run("--quick", "--baseline", str(kept))[0] == 0
    keep_baseline(kept, 0.001)
    assert run("--quick", "--baseline", str(kept), "--check")[0] == 0


@pytest.mark.parametrize("text", [None, "not json", "[]", '{"command": "run"}', '{"command": "bench"}'])
def test_a_wrong_baseline_is_refused_before_anything_is_measured(
    text: str | None, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "base.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(bench, "measure", lambda *_, **__: pytest.fail("it measured"))
    code, out, err = run("--baseline", str(path))
    assert (code, out) == (2, "")
    assert "hearts-sim bench --save" in " ".join(err.split())


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_measured(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "measure", lambda *_, **__: pytest.fail("it measured"))
    code, _, err = run("--save", str(tmp_path / "no" / "base.json"))
    assert code == 2
    assert "there is no folder" in " ".join(err.split())
