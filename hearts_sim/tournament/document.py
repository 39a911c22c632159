"""An experiment file as read: its values, where each came from, and the list of what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hearts_sim.errors import UsageError, did_you_mean
from hearts_sim.tournament.toml_lines import KeyPath, find_lines, format_path


@dataclass(frozen=True)
class Document:
    """The values of an experiment, and the line or override each was written on.

    ``overrides`` maps the key paths that ``--set`` replaced to what was given, such as ``design.blocks=100``.
    """

    values: dict[str, Any]
    source: Path | None = None
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    overrides: Mapping[KeyPath, str] = field(default_factory=dict)

    def locate(self, path: KeyPath) -> tuple[int, str]:
        """Return the line of a value (0 if none) and where it is in words: ``file:line`` or ``--set ...``."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.overrides:
                return 0, f"--set {self.overrides[path[:end]]}"
            if path[:end] in self.lines:
                return self.lines[path[:end]], f"{self.source}:{self.lines[path[:end]]}"
        for override, text in self.overrides.items():
            if path and override[: len(path)] == path:
                return 0, f"--set {text}"
        return 0, str(self.source) if self.source else "experiment"


class Problems:
    """Collects everything that is wrong with a document, so that all of it can be said at once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.found: list[tuple[int, str]] = []

    def add(self, path: KeyPath, text: str) -> None:
        """Note a problem with the value at a key path."""
        line, where = self.document.locate(path)
        key = format_path(path)
        self.found.append((line, f"{where}: {key}: {text}" if key else f"{where}: {text}"))

    def check_keys(self, path: KeyPath, table: Mapping[str, Any], known: Iterable[str]) -> None:
        """Note every key of a table that is not one of the known ones."""
        names = tuple(known)
        for key in table:
            if key not in names:
                hint = did_you_mean(key, names) or f"; known keys: {', '.join(names)}"
                self.add((*path, key), f"unknown key{hint}")

    def raise_if_any(self) -> None:
        """Raise a UsageError that lists all problems by line."""
        if self.found:
            lines = [text for _, text in sorted(self.found, key=lambda item: item[0])]
            head = [f"{len(lines)} problems in {self.document.source or 'the experiment'}"]
            raise UsageError("\n".join(head + lines if len(lines) > 1 else lines))


def read_document(path: Path, overrides: Sequence[str] = ()) -> Document:
    """Read a TOML file and apply overrides such as ``design.blocks=100``.

    Raises
    ------
    UsageError
        If the file cannot be read, is not TOML, or an override cannot be applied.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: not a text file in UTF-8 ({error.reason} at byte {error.start})"
        ) from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(_describe_syntax_error(path, str(error))) from error
    applied = dict(apply_override(values, override) for override in overrides)
    return Document(values, path, find_lines(text), applied)


def _describe_syntax_error(path: Path, message: str) -> str:
    match = re.fullmatch(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if not match:
        return f"{path}: not valid TOML: {message}"
    text, line, column = match.groups()
    if line is None:
        return f"{path}: not valid TOML: {text} at the end of the file"
    hint = "; text goes in quotes" if text == "Invalid value" else ""
    return f"{path}:{line}: not valid TOML: {text} (column {column}){hint}"


def apply_override(values: dict[str, Any], override: str) -> tuple[KeyPath, str]:
    """Set one value in a document, in place; return its key path and the override.

    Parameters
    ----------
    values : dict
        The document.
    override : str
        ``KEY=VALUE``; the key dotted, items by number (``entrants.0.name``), the value as in TOML. Text may
        go without quotes.

    Raises
    ------
    UsageError
        If the key leads nowhere.
    """
    key, mark, text = override.partition("=")
    parts = [part for part in re.split(r"[.\[\]]+", key.strip()) if part]
    if not mark or not parts:
        raise UsageError(f"--set {override}: write KEY=VALUE, as in --set design.blocks=100")
    place: Any = values
    path: KeyPath = ()
    for part in parts[:-1]:
        path, place = _step_into(place, path, part, override)
    last = _item_key(place, path, parts[-1], override)
    place[last] = _parse_value(text.strip())
    return (*path, last), override


def _step_into(place: Any, path: KeyPath, part: str, override: str) -> tuple[KeyPath, Any]:
    key = _item_key(place, path, part, override)
    if isinstance(place, dict):
        return (*path, key), place.setdefault(part, {})
    return (*path, key), place[key]


def _item_key(place: Any, path: KeyPath, part: str, override: str) -> Any:
    """Return a key or item number that can be set in ``place``."""
    if isinstance(place, dict):
        return part
    if not isinstance(place, list):
        raise UsageError(f"--set {override}: {format_path(path)} is a single value and has no {part!r}")
    if not part.isdecimal() or int(part) >= len(place):
        count = f"{len(place)} items, counted from 0"
        raise UsageError(f"--set {override}: {format_path(path)} has {count}; there is no item {part!r}")
    return int(part)


def _parse_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
