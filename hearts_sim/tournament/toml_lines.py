"""Which line of a TOML text each key stands on: the standard reader does not say."""

from __future__ import annotations

import re
import tomllib

KeyPath = tuple[str | int, ...]
"""Where a value lies in a document: ``("entrants", 1, "params", "blunder")``."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRINGS = (
    re.compile(r'"""(?:\\.|[^\\])*?"""(?!")', re.DOTALL),
    re.compile(r"'''.*?'''(?!')", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\])*"'),
    re.compile(r"'[^']*'"),
)
_OTHER_VALUE = re.compile(r"[^,\]}\n#]+")


def find_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, counted from 1, of every table, key and array item of a TOML text.

    Parameters
    ----------
    text : str
        Text that `tomllib.loads` accepts.
    """
    return _Scanner(text).scan()


def format_path(path: KeyPath) -> str:
    """Return a key path as people write it: ``entrants[1].params.blunder``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")


class _Scanner:
    """Walks over a valid TOML text once, noting where keys begin; values are skipped, not read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.last_item: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip_blank():
            if self.text.startswith("[", self.at):
                table = self._read_header()
            else:
                self._read_pair(table)
        return self.lines

    def _skip_blank(self) -> bool:
        """Skip blanks, line ends and comments; return whether anything is left."""
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def _skip(self, mark: str) -> bool:
        self._skip_blank()
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) if found else 0
        return found

    def _note(self, path: KeyPath, start: int) -> None:
        self.lines.setdefault(path, self.text.count("\n", 0, start) + 1)

    def _read_header(self) -> KeyPath:
        start = self.at
        is_item = self._skip("[[")
        if not is_item:
            self._skip("[")
        path: KeyPath = ()
        keys = self._read_key()
        for key in keys[:-1]:
            path = self._enter((*path, key))
        path = (*path, keys[-1])
        if is_item:
            self._note(path, start)
            self.last_item[path] = self.last_item.get(path, -1) + 1
        path = self._enter(path)
        self._note(path, start)
        self._skip("]]" if is_item else "]")
        return path

    def _enter(self, path: KeyPath) -> KeyPath:
        """Return the path of a table, or of the latest item if it is an array of tables."""
        return (*path, self.last_item[path]) if path in self.last_item else path

    def _read_key(self) -> list[str]:
        keys: list[str] = []
        while not keys or self._skip("."):
            self._skip_blank()
            match = _BARE_KEY.match(self.text, self.at)
            if match:
                self.at = match.end()
                keys.append(match.group())
            else:
                start = self.at
                self._skip_string()
                keys.append(str(tomllib.loads(f"key = {self.text[start : self.at]}")["key"]))
        return keys

    def _read_pair(self, table: KeyPath) -> None:
        start = self.at
        path = table
        for key in self._read_key():
            path = (*path, key)
            self._note(path, start)
        self._skip("=")
        self._skip_value(path)

    def _skip_value(self, path: KeyPath) -> None:
        self._skip_blank()
        if self._skip("["):
            item = 0
            while not self._skip("]"):
                self._note((*path, item), self.at)
                self._skip_value((*path, item))
                self._skip(",")
                item += 1
        elif self._skip("{"):
            while not self._skip("}"):
                self._read_pair(path)
                self._skip(",")
        elif not self._skip_string():
            match = _OTHER_VALUE.match(self.text, self.at)
            self.at = match.end() if match else len(self.text)

    def _skip_string(self) -> bool:
        for pattern in _STRINGS:
            match = pattern.match(self.text, self.at)
            if match:
                self.at = match.end()
                return True
        return False
