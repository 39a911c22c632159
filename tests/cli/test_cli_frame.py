"""The frame of the command line: instant help, streams, exit codes, and errors that a person can read."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import click
import pytest
from calling import Call, Compare

from hearts_sim import __version__, cli
from hearts_sim.cli import console
from hearts_sim.errors import DamagedRun, StrategyFault, UsageError

HEARTS_SIM = [sys.executable, "-c", "from hearts_sim.cli import main; main()"]
PAGES = {
    "help": [],
    "help_run": ["run"],
    "help_list": ["list"],
    "help_new": ["new"],
    "help_new_strategy": ["new", "strategy"],
    "help_new_experiment": ["new", "experiment"],
}


# --- help


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("page", PAGES)
def test_help_is_as_stored_and_starts_with_examples(
    page: str, flag: str, call: Call, same_as_stored: Compare
) -> None:
    done = call(*PAGES[page], flag)
    assert (done.code, done.err) == (0, "")
    assert done.out.index("Examples:") < done.out.index("Usage:") < done.out.index("Options:")
    same_as_stored(page, done.out)


def test_without_a_command_help_is_shown(call: Call) -> None:
    done = call()
    assert done.code == 0
    assert done.out == call("-h").out


def test_help_names_every_exit_code(call: Call) -> None:
    notes = call("-h").out.partition("Exit codes:")[2]
    codes = [UsageError.exit_code, StrategyFault.exit_code, DamagedRun.exit_code]
    for code in (0, 1, *codes, console.INTERNAL_ERROR, console.INTERRUPTED):
        assert f"\n  {code} " in notes


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_listed_command_exists_and_is_listed_with_its_own_words(name: str) -> None:
    command = importlib.import_module(f"hearts_sim.cli.{name}").command
    assert command.help.splitlines()[0] == cli.COMMANDS[name]
    assert len(command.examples) >= 2
    for function in (command, *getattr(command, "commands", {}).values()):
        assert function.context_settings["help_option_names"] == ["-h", "--help"]


@pytest.mark.parametrize("words", [["--help"], ["run", "-h"], ["list", "-h"], ["new", "strategy", "-h"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom hearts_sim.cli import cli\nfrom hearts_sim.cli.console import run_guarded\n"
        f"assert run_guarded(cli, {words}) == 0\n"
        "heavy = {'numba', 'numpy', 'polars', 'matplotlib', 'rich', 'scipy', 'tomllib'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_help_takes_less_than_a_fifth_of_a_second_more_than_bare_python() -> None:
    def best(command: list[str]) -> float:
        times = []
        for _ in range(7):
            started = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            times.append(time.perf_counter() - started)
        return min(times)

    assert best([*HEARTS_SIM, "--help"]) - best([sys.executable, "-c", "pass"]) < 0.2


def test_version(call: Call) -> None:
    assert call("--version").out == call("-V").out == f"hearts-sim {__version__}\n"


# --- errors


def test_a_wrong_command_or_option_names_the_nearest(call: Call, same_as_stored: Compare) -> None:
    wrong = [
        call(*words)
        for words in (["rnu"], ["xyz"], ["run"], ["run", "x", "--job", "2"], ["run", "x", "--jobs", "0"])
    ]
    assert [done.code for done in wrong] == [2] * 5
    assert [done.out for done in wrong] == [""] * 5
    same_as_stored("errors_usage", "\n".join(done.err for done in wrong))


@pytest.mark.parametrize(
    ("error", "code"),
    [(UsageError("so"), 2), (StrategyFault("so"), 3), (DamagedRun("so"), 4), (KeyboardInterrupt(), 130)],
)
def test_each_error_has_its_exit_code_and_no_traceback(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def failing() -> None:
        raise error

    group = click.Group(commands={"fail": failing})
    assert console.run_guarded(group, ["fail"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip() in ("Error: so", "Error: interrupted")


def test_an_unexpected_error_leaves_a_log_and_exit_code_70(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    @click.command()
    def failing() -> None:
        raise ZeroDivisionError("a bug of ours\nwith a long story")

    assert console.run_guarded(click.Group(commands={"fail": failing}), ["fail"]) == 70
    said = capsys.readouterr().err
    (log,) = tmp_path.glob("hearts-sim-*.log")
    assert str(log) in said
    assert "ZeroDivisionError: a bug of ours" in said
    assert "long story" not in said
    assert "Traceback" not in said
    assert "Traceback" in log.read_text(encoding="utf-8")


def test_a_warning_is_one_line_without_source_code(capsys: pytest.CaptureFixture[str]) -> None:
    @click.command()
    def warning() -> None:
        warnings.warn("the disk is nearly full", RuntimeWarning, stacklevel=1)

    before = warnings.showwarning
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert console.run_guarded(click.Group(commands={"warn": warning}), ["warn"]) == 0
    assert capsys.readouterr().err == "warning: the disk is nearly full\n"
    assert warnings.showwarning is before


def test_a_reader_that_leaves_early_is_not_complained_about() -> None:
    process = subprocess.Popen(
        [*HEARTS_SIM, "list", "rules", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 0


# --- text


def test_long_lines_are_folded_but_commands_and_indented_lines_stay_whole() -> None:
    text = "word " * 20 + "hearts-sim run experiments/a.toml\n  " + "x" * 90
    *prose, indented = console.fold(text, 40).split("\n")
    assert max(map(len, prose)) <= 40
    assert any("hearts-sim run experiments/a.toml" in line for line in prose)
    assert indented == "  " + "x" * 90


def test_colour_is_used_only_on_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen:
        encoding = "utf-8"

        def __init__(self) -> None:
            self.text = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None:
            pass

    def has_colour(color: bool = True, **environment: str) -> bool:
        with monkeypatch.context() as patch:
            for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
                patch.delenv(name, raising=False)
            for name, value in ({"TERM": "xterm-256color"} | environment).items():
                patch.setenv(name, value)
            screen = Screen()
            console.make_console(screen, color).print("text", style="red")  # type: ignore[arg-type]
            return "\x1b[31" in screen.text

    assert has_colour()
    assert not has_colour(NO_COLOR="1")
    assert not has_colour(TERM="dumb")
    assert not has_colour(color=False)


def test_text_is_printed_as_it_is() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from hearts_sim.cli.console import Terminal; Terminal().show('[bold]x[/bold] :smile: 1 ')",
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert done.stdout == "[bold]x[/bold] :smile: 1\n"


def test_a_slow_step_is_announced_and_a_quick_one_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = console.Terminal()
    with terminal.announce("working ...", "took {seconds}", after_s=30):
        pass
    assert capsys.readouterr().err == ""
    with terminal.announce("working ...", "took {seconds}", after_s=0):
        assert capsys.readouterr().err == "working ...\n"
    assert capsys.readouterr().err == "took 0.0 s\n"
    with terminal.announce("working ...", "took {seconds}", after_s=0.01):
        time.sleep(0.3)
    assert capsys.readouterr().err == "working ...\ntook 0.3 s\n"


# --- completion


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hearts-sim re", {"report", "replay"}),
        ("hearts-sim run cpu_l", {"cpu_levels"}),
        ("hearts-sim list st", {"strategies"}),
        ("hearts-sim list strategies cpu-", {"cpu-easy", "cpu-medium", "cpu-hard"}),
        ("hearts-sim list rules om", {"omnibus"}),
        ("hearts-sim run x --record c", {"cards"}),
    ],
)
def test_completion_knows_names_without_importing_numba(line: str, expected: set[str], workdir: Path) -> None:
    code = "import sys, atexit\natexit.register(lambda: print('numba' in sys.modules, file=sys.stderr))\n"
    environment = {
        **os.environ,
        "_HEARTS_SIM_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-c", code + "from hearts_sim.cli import main; main()"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=workdir,
    )
    assert {item.partition(",")[2] for item in done.stdout.split()} == expected
    assert done.stderr.strip() == "False"


def test_names_for_completion_are_those_of_the_registry() -> None:
    from hearts_sim.bots import registry
    from hearts_sim.cli import names

    assert names.list_strategy_names() == [info.name for info in registry.list_named()]
