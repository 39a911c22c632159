"""Running the command line inside the test process, and comparing what it says with stored texts.

``UPDATE_SNAPSHOTS=1 pytest tests/cli`` writes the stored texts anew; read the difference before it goes in.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from calling import Call, Compare, Outcome

from hearts_sim.cli import cli
from hearts_sim.cli.console import run_guarded

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory with the shipped experiments, 80 columns wide."""
    shutil.copytree(ROOT / "experiments", tmp_path / "experiments")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def call(workdir: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run ``hearts-sim`` with the given words in the working directory."""

    def run(*words: str) -> Outcome:
        capsys.readouterr()
        try:
            code = run_guarded(cli, words)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def same_as_stored() -> Compare:
    """Compare a text with the one stored under a name, and hold it to 80 columns."""

    def compare(name: str, text: str) -> None:
        path = SNAPSHOTS / f"{name}.txt"
        if os.environ.get("UPDATE_SNAPSHOTS"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if len(line) > 80] == []

    return compare
