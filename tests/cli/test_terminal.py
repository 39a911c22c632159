"""On a terminal: a bar that moves on one line of 80 columns, gone when the answer comes."""

from __future__ import annotations

import errno
import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from hearts_sim.cli import console

pty = pytest.importorskip("pty")

CODE = "from hearts_sim.cli import main; main()"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LONG = "a-name-that-is-much-longer-than-anyone-would-wish-to-see-here"


def run_on_terminal(words: list[str], folder: Path, columns: int = 80, **environment: str) -> tuple[int, str]:
    """Run ``hearts-sim`` on a terminal of its own; return its exit code and all it wrote."""
    import fcntl
    import termios

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
            os.environ.pop(name, None)
        os.environ.update({"TERM": "xterm-256color"} | environment)
        time.sleep(0.2)  # until the terminal has its size
        os.execv(sys.executable, [sys.executable, "-c", CODE, *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    written = b""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # how a terminal says on Linux that nobody writes any more
            break
        if not data:
            break
        written += data
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), written.decode()


def list_frames(text: str) -> list[str]:
    """Return what stood on each line at one time or another, but for commands, which are never folded."""
    frames = [CONTROL.sub("", line).rstrip() for line in re.split(r"[\r\n]+", text)]
    return [frame for frame in frames if " hearts-sim " not in frame]


def test_the_bar_shows_speed_time_left_and_leader_on_one_line(workdir: Path) -> None:
    code, text = run_on_terminal(["run", "million_games", "--set", "design.blocks=16000"], workdir)
    assert code == 0, text
    frames = list_frames(text)
    bars = [frame for frame in frames if "deals/s" in frame]
    assert re.search(r" \d+% [\d,]+ deals/s, \d+:\d\d left leads: greedy \d\.\d\d ± 0\.\d\d$", bars[0])
    assert max(map(len, frames)) <= 80
    assert "\x1b[3" in text, "colour"


def test_a_long_name_does_not_break_the_line(workdir: Path) -> None:
    settings = [
        "--set",
        f"entrants.2.name={LONG}",
        "--set",
        "report.baseline=low",
        "--set",
        "design.blocks=4000",
    ]
    code, text = run_on_terminal(["run", "million_games", *settings], workdir)
    assert code == 0, text
    frames = list_frames(text)
    assert any(re.search(r"%.* left leads: a-name-that-i… \d\.\d\d ± 0\.\d\d$", frame) for frame in frames)
    assert max(map(len, frames)) <= 80


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted_and_nothing_moves_on_a_dumb_terminal(
    environment: dict[str, str], workdir: Path
) -> None:
    words = ["run", "million_games", "--set", "design.blocks=4000"]
    code, text = run_on_terminal(words, workdir, **environment)
    assert code == 0, text
    assert "\x1b[3" not in text
    if environment.get("TERM") == "dumb":
        assert "\x1b" not in text
        assert "deals/s" not in text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "no space is left there"),
        (errno.EROFS, "it can only be read"),
        (errno.EACCES, "this user may not write there"),
    ],
)
def test_a_disk_that_refuses_is_told_in_words(
    code: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def write() -> None:
        raise OSError(code, os.strerror(code), "results/x/units")

    group = click.Group(commands={"write": write})
    monkeypatch.setattr(console, "_silence_stdout", lambda: None)
    assert console.run_guarded(group, ["write"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"results/x/units cannot be written: {words}. What was finished before is kept." in said


def test_an_answer_that_cannot_be_written_is_an_error_in_one_line() -> None:
    command = [sys.executable, "-c", CODE, "list", "designs"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "the output cannot be written: no space is left there" in done.stderr
    assert "Traceback" not in done.stderr
