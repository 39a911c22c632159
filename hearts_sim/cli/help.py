"""Help that starts with examples, for every command."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import click

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 80}


class _ExamplesFirst:
    """What commands and groups share: a ``format_help`` that shows examples before options."""

    examples: Sequence[tuple[str, str]]
    notes: Sequence[tuple[str, Sequence[tuple[str, str]]]]

    def __init__(
        self,
        *args: Any,
        examples: Sequence[tuple[str, str]] = (),
        notes: Sequence[tuple[str, Sequence[tuple[str, str]]]] = (),
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("context_settings", CONTEXT)
        super().__init__(*args, **kwargs)
        self.examples = examples
        self.notes = notes

    def format_help(self: Any, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summary, the examples, usage, options and notes, in this order."""
        first, _, rest = inspect.cleandoc(self.help or "").partition("\n\n")
        formatter.write_text(first)
        if self.examples:
            with formatter.section("Examples"):
                for command, comment in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{command}\n")
                    if comment:
                        formatter.write(f"{'':{formatter.current_indent + 4}}{comment}\n")
        formatter.write("\n")
        self.format_usage(ctx, formatter)
        for paragraph in filter(None, rest.split("\n\n")):
            formatter.write("\n")
            formatter.write_text(paragraph)
        self.format_options(ctx, formatter)
        for title, rows in self.notes:
            with formatter.section(title):
                formatter.write_dl(rows)


class Command(_ExamplesFirst, click.Command):
    """A command whose help starts with examples.

    Parameters
    ----------
    examples : sequence of (str, str)
        Command lines, each with what it does (may be empty).
    notes : sequence of (str, rows)
        Sections after the options: a title and (term, meaning) rows.
    """


class Group(_ExamplesFirst, click.Group):
    """A group of commands whose help starts with examples; see `Command`."""
