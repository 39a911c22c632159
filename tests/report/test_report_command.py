"""``hearts-sim report``: the answer on stdout, where the files are on stderr, errors that say what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hearts_sim.analysis.metrics import RunData
from hearts_sim.cli import cli
from hearts_sim.cli.console import run_guarded

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    """Run ``hearts-sim report`` in an empty folder; returns exit status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run_guarded(cli, ["report", *map(str, words)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_answer_is_said_and_the_files_are_named(
    call: Call, runs: dict[str, RunData], tmp_path: Path
) -> None:
    code, out, err = call(runs["levels"].folder, "--out", "here", "--format", "html,md", "--figures", "none")
    assert code == 0
    assert "greedy is best: it takes" in " ".join(out.split())
    assert err.split() == ["page", "here/report.html", "text", "here/report.md"]
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "report.html",
        "report.md",
        "summary.json",
    ]


def test_a_run_is_found_by_its_name_in_results(call: Call, runs: dict[str, RunData], tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "mine").symlink_to(runs["few"].folder)
    code, _, err = call("mine", "--out", "here", "--format", "csv", "--figures", "none")
    assert code == 0
    assert "tables   here/tables (7 files)" in err


def test_json_is_one_object_with_the_files(call: Call, runs: dict[str, RunData]) -> None:
    code, out, _ = call(
        runs["listed"].folder, "--out", "here", "--format", "none", "--figures", "svg", "--json"
    )
    found = json.loads(out)
    assert code == 0
    assert (found["schema"], found["command"]) == (1, "report")
    assert "here/figures/tables.svg" in found["files"]
    assert found["tables"][0]["members"] == ["me", "low", "low", "low"]


def test_quiet_prints_the_answer_only(call: Call, runs: dict[str, RunData]) -> None:
    code, out, err = call(runs["few"].folder, "--out", "here", "--format", "md", "--figures", "none", "-q")
    assert (code, err) == (0, "")
    assert "too few blocks" in out


@pytest.mark.parametrize(
    ("option", "wrong", "hint"), [("--format", "htlm", "'html'"), ("--figures", "pgn", "'png'")]
)
def test_a_wrong_kind_is_an_error_with_the_right_spelling(
    call: Call, runs: dict[str, RunData], option: str, wrong: str, hint: str
) -> None:
    code, out, err = call(runs["few"].folder, option, wrong)
    assert (code, out) == (2, "")
    assert f"did you mean {hint}?" in " ".join(err.split())


def test_a_folder_that_is_no_run_is_an_error(call: Call, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, _, err = call("empty")
    assert code == 2
    assert "hearts-sim list runs" in " ".join(err.split())


def test_a_damaged_part_is_named(call: Call, runs: dict[str, RunData], tmp_path: Path) -> None:
    import shutil

    shutil.copytree(runs["few"].folder, tmp_path / "damaged")
    (tmp_path / "damaged" / "units" / "00000.deals.parquet").write_bytes(b"PAR1")
    code, _, err = call("damaged")
    assert code == 4
    assert "00000.deals.parquet cannot be read" in " ".join(err.split())


def test_a_run_that_was_killed_says_how_to_go_on(
    call: Call, runs: dict[str, RunData], tmp_path: Path
) -> None:
    (tmp_path / "killed").mkdir()
    manifest = {key: value for key, value in runs["few"].manifest.items() if key not in {"units", "digest"}}
    (tmp_path / "killed" / "manifest.json").write_text(json.dumps(manifest | {"status": "running"}))
    code, _, err = call("killed")
    assert code == 2
    assert "--resume" in err
