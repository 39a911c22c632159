"""Line numbers of keys: what an error message points at."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hearts_sim.tournament.toml_lines import find_lines, format_path

TEXT = '''# a comment with [brackets] and "quotes"
schema = 1
title = """
several [lines]
of = text
"""

[rules]  # header
preset = "a # b"
removed = [
    "2D",  # first
    "2C",
]
"quoted key" = { inner = 1, other = [1, 2] }
dotted.key = 'literal [x]'

[[entrants]]
strategy = "low"

[[entrants]]
strategy = "greedy"
params = { blunder = 0.1, more = [
  2] }
[entrants.extra]
deep = 1979-05-27 07:32:00
'''


def test_every_kind_of_key_is_found_on_its_line() -> None:
    lines = find_lines(TEXT)
    expected = {
        ("schema",): 2,
        ("title",): 3,
        ("rules",): 8,
        ("rules", "preset"): 9,
        ("rules", "removed"): 10,
        ("rules", "removed", 0): 11,
        ("rules", "removed", 1): 12,
        ("rules", "quoted key", "inner"): 14,
        ("rules", "quoted key", "other", 1): 14,
        ("rules", "dotted", "key"): 15,
        ("entrants",): 17,
        ("entrants", 0): 17,
        ("entrants", 0, "strategy"): 18,
        ("entrants", 1): 20,
        ("entrants", 1, "params", "blunder"): 22,
        ("entrants", 1, "params", "more"): 22,
        ("entrants", 1, "params", "more", 0): 23,
        ("entrants", 1, "extra"): 24,
        ("entrants", 1, "extra", "deep"): 25,
    }
    assert {path: lines.get(path) for path in expected} == expected


def list_paths(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {path} | {found for key, item in items for found in list_paths(item, (*path, key))}


def test_no_key_is_missed_and_none_is_made_up() -> None:
    assert set(find_lines(TEXT)) == list_paths(tomllib.loads(TEXT)) - {()}


@given(st.text(alphabet="ab\"'\\#[]{},=\n ", max_size=12))
def test_nothing_inside_a_text_value_is_taken_for_a_key(text: str) -> None:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    document = f'first = """{escaped}"""\nsecond = [{{ a = 1 }}]\n'
    lines = find_lines(document)
    assert set(lines) == {("first",), ("second",), ("second", 0), ("second", 0, "a")}
    assert lines["second",] == document.count("\n", 0, document.rindex("second")) + 1


def test_paths_are_written_as_people_write_them() -> None:
    assert format_path(("entrants", 1, "params", "blunder")) == "entrants[1].params.blunder"
    assert format_path(("design", "tables", 0, 2)) == "design.tables[0][2]"
