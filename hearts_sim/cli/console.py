"""What goes to the terminal and how: streams, colour, width; the one place where errors become exit codes.

Data goes to stdout, everything else to stderr. Imports nothing heavy: rich comes when something is drawn.
"""

from __future__ import annotations

import errno
import functools
import json
import os
import re
import shutil
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from hearts_sim.errors import HeartsSimError

if TYPE_CHECKING:
    from rich.console import Console

F = TypeVar("F", bound=Callable[..., Any])

NOT_WRITTEN = 2
INTERNAL_ERROR = 70
INTERRUPTED = 130
OF_THE_DISK = {
    errno.ENOSPC: "no space is left there",
    errno.EDQUOT: "the quota of this user is used up",
    errno.EROFS: "it can only be read",
    errno.EACCES: "this user may not write there",
    errno.EPERM: "this user may not write there",
}
"""What a disk refuses, in words."""
_COMMAND = re.compile(r"hearts-sim [a-z]+ [\w./-]+")
_JOINED = "\0"
"""Stands for the blanks inside a command while text is folded, so that commands stay on one line."""
WIDEST = 100
"""Prose is not set wider than this, however wide the terminal is."""


@dataclass(frozen=True)
class Terminal:
    """Where a command writes, and what the user wants to see.

    Attributes
    ----------
    quiet : bool
        Say nothing but the answer and errors.
    progress : bool
        Whether progress may be shown.
    color : bool
        Whether colour is allowed; each stream also has to be a terminal.
    """

    quiet: bool = False
    progress: bool = True
    color: bool = True

    @cached_property
    def out(self) -> Console:
        """The console for data: stdout."""
        return make_console(sys.stdout, self.color)

    @cached_property
    def err(self) -> Console:
        """The console for everything else: stderr."""
        return make_console(sys.stderr, self.color)

    @property
    def is_live(self) -> bool:
        """Whether stderr can show something that moves."""
        return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")

    def show(self, *parts: Any) -> None:
        """Write text or rich tables to stdout."""
        for part in parts:
            with self.out.capture() as captured:
                self.out.print(part, soft_wrap=isinstance(part, str))
            write_out("\n".join(line.rstrip() for line in captured.get().split("\n")))

    def show_json(self, value: Mapping[str, Any]) -> None:
        """Write one JSON object to stdout."""
        write_out(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")

    def say(self, text: str, style: str | None = None) -> None:
        """Write a message to stderr unless quiet; lines that begin with a blank are not folded."""
        if not self.quiet:
            self.err.print(fold(text), style=style, soft_wrap=True)

    @contextmanager
    def announce(self, text: str, done: str, after_s: float) -> Iterator[None]:
        """Say ``text`` if a step takes longer than ``after_s``, and ``done`` with its time when it has.

        Parameters
        ----------
        text, done : str
            What to say; ``done`` may hold ``{seconds}``.
        after_s : float
            Seconds; 0 says it before the step begins.
        """
        import threading

        said = threading.Event()

        def say_it() -> None:
            said.set()
            self.say(text)

        timer = threading.Timer(after_s, say_it)
        timer.daemon = True
        started = time.perf_counter()
        if after_s:
            timer.start()
        else:
            say_it()
        try:
            yield
        finally:
            timer.cancel()
        if said.is_set():
            seconds = time.perf_counter() - started
            self.say(done.format(seconds=f"{seconds:.1f} s"))


def make_console(stream: TextIO, color: bool = True) -> Console:
    """Return a rich console for a stream that prints text as it is: no markup, no highlighting."""
    from rich.console import Console

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # what rich is handling, for `run_guarded` to deal with

    options: dict[str, Any] = {} if color else {"no_color": True, "color_system": None}
    return PlainConsole(file=stream, markup=False, highlight=False, emoji=False, **options)


def write_out(text: str) -> None:
    """Write text to stdout; leave quietly if whoever reads it has left."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        raise click.exceptions.Exit(0) from None


def fold(text: str, width: int | None = None) -> str:
    """Return text with its long lines folded; lines that begin with a blank stay as they are."""
    width = width or min(WIDEST, shutil.get_terminal_size().columns)
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= width or line.startswith(" "):
            lines.append(line)
        else:
            whole = _COMMAND.sub(lambda match: match.group().replace(" ", _JOINED), line)
            lines += textwrap.wrap(
                whole, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
            )
    return "\n".join(lines).replace(_JOINED, " ")


def output_options(function: F) -> F:
    """Add ``-q``, ``--no-progress`` and ``--no-color`` to a command; it gets a `Terminal` as ``terminal``."""

    @click.option("-q", "--quiet", is_flag=True, help="Print nothing but the answer and errors.")
    @click.option("--no-progress", is_flag=True, help="Show no progress.")
    @click.option("--no-color", is_flag=True, help="Use no colour; NO_COLOR is respected too.")
    @functools.wraps(function)
    def wrapped(*args: Any, quiet: bool, no_progress: bool, no_color: bool, **kwargs: Any) -> Any:
        terminal = Terminal(quiet=quiet, progress=not (quiet or no_progress), color=not no_color)
        return function(*args, terminal=terminal, **kwargs)

    return wrapped  # type: ignore[return-value]


def json_option(function: F) -> F:
    """Add ``--json`` to a command, as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")(
        function
    )


def run_guarded(group: click.Group, arguments: Sequence[str] | None) -> int:
    """Run the command line and return its exit code; every error ends here, as a message on stderr."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            result = group.main(args=arguments, prog_name="hearts-sim", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _report_usage(error)
    except HeartsSimError as error:
        complain(str(error))
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return 0
    except OSError as error:
        if error.errno not in OF_THE_DISK:
            complain(_save_log(error))
            return INTERNAL_ERROR
        complain(_explain_disk(error))
        _silence_stdout()
        return NOT_WRITTEN
    except Exception as error:
        complain(_save_log(error))
        return INTERNAL_ERROR
    return result if isinstance(result, int) else 0


def _explain_disk(error: OSError) -> str:
    """Return what could not be written and what to do about it."""
    where = f"{error.filename}" if error.filename else "the output"
    reason = OF_THE_DISK[error.errno or 0]
    return (
        f"{where} cannot be written: {reason}.\n"
        "What was finished before is kept. Make room or choose another place; a run goes on with --resume."
    )


def complain(text: str) -> None:
    """Write an error to stderr."""
    message = fold(f"Error: {text}")
    if sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        message = message.replace("Error:", click.style("Error:", fg="red", bold=True), 1)
    click.echo(message, err=True, color=True)


def _show_warning(message: Warning | str, *_where: Any, **_more: Any) -> None:
    """Write a warning to stderr without the line of source code it came from."""
    click.echo(fold(f"warning: {message}"), err=True)


def _report_usage(error: click.ClickException) -> int:
    complain(error.format_message())
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(f"See: {context.command_path} -h", err=True)
    return error.exit_code


def _silence_stdout() -> None:
    """Point stdout nowhere, so that closing it at exit does not complain once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _save_log(error: Exception) -> str:
    """Save what a developer needs to know about an unexpected error; return what to tell the user."""
    import tempfile
    import traceback

    import hearts_sim

    with tempfile.NamedTemporaryFile(
        "w", prefix="hearts-sim-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        log.write(f"hearts-sim {hearts_sim.__version__}, Python {sys.version}, {sys.platform}\n")
        log.write(f"{sys.argv}\n\n{''.join(traceback.format_exception(error))}")
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    return (
        f"something in hearts-sim went wrong ({reason:.200}).\n"
        f"This is a fault of the program, not yours. Please report it with this file:\n  {log.name}"
    )
