"""The command line: one group, one file per command that is imported when it is used.

``hearts-sim --help`` imports click and nothing else.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import click

from hearts_sim import __version__
from hearts_sim.cli import console
from hearts_sim.cli.help import Group
from hearts_sim.errors import did_you_mean

COMMANDS = {
    "run": "Play an experiment and print who wins.",
    "report": "Write tables, figures and a page from a run folder.",
    "list": "Show the strategies, rules, designs, experiments or runs there are.",
    "compare": "Say whether A is better than B, by how much, and how sure that is.",
    "rate": "Rate a bot by a named suite of deals and opponents.",
    "replay": "Show one deal as people read it.",
    "new": "Write a starting point for a strategy or an experiment.",
    "bench": "Measure the speed of this machine.",
}
"""Each command is ``cli/<name>.py``; here stands the first line of its help, so that listing imports none."""

EXIT_CODES = (
    ("0", "done"),
    ("1", "a check that was asked for failed"),
    ("2", "the request or a file is wrong; nothing was written"),
    ("3", "a strategy broke its contract; finished work is kept"),
    ("4", "stored results are damaged"),
    ("70", "an error in hearts-sim itself; a log is saved"),
    ("130", "interrupted; finished work is kept"),
)
EXAMPLES = (
    ("hearts-sim run experiments/cpu_levels.toml", "play four strategies at one table and rank them"),
    ("hearts-sim list strategies", "see who can play"),
)
COMPLETION = (
    ("bash", 'eval "$(_HEARTS_SIM_COMPLETE=bash_source hearts-sim)"'),
    ("zsh", 'eval "$(_HEARTS_SIM_COMPLETE=zsh_source hearts-sim)"'),
    ("fish", "_HEARTS_SIM_COMPLETE=fish_source hearts-sim | source"),
)


class _LazyGroup(Group):
    """The commands of `COMMANDS`, each imported only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # once the command is imported, `list` is the submodule here

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"hearts_sim.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS) or f"; commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    examples=EXAMPLES,
    notes=(("Exit codes", EXIT_CODES), ("Completion, for your shell's start-up file", COMPLETION)),
)
@click.version_option(__version__, "-V", "--version", message="hearts-sim %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play the card game Hearts between strategies, fast, and say who is better and how sure that is."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> Any:
    """Run a command and leave with its exit code: the entry point of ``hearts-sim``."""
    raise SystemExit(console.run_guarded(cli, arguments))
