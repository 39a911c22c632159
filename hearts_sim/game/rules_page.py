"""docs/rules.md: every option and preset, from the dataclass.

``python -m hearts_sim.game.rules_page docs/rules.md`` writes it anew. What stands below `KEPT` is written by hand and
stays.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from hearts_sim.game.rules import CHOICES, INT_RANGES, PRESETS, Preset, Rules

COMMAND = "python -m hearts_sim.game.rules_page docs/rules.md"
KEPT = "<!-- what stands below this line is written by hand and kept -->"
NO_SOURCE = "not recorded"

_VALUES = {
    "removed": "a list of cards",
    "pass_cycle": "a list of left, right, across, hold, scatter or numbers of seats to the left",
    "pass_forbidden": "a list of cards",
    "spade_honours": "spades and their points, 1 to 50 each",
    "bonus_card": "none or a card",
    "bonus_in_moon": "true or false",
    "doubling_card": "none or a card",
}
_BY_SEATS = ("removed", "pass_cycle")
_HEAD = f"""# Rules

<!-- written by `{COMMAND}` from hearts_sim/game/rules.py; edit that -->

An experiment names a preset and changes what it likes: `[rules]`, `preset = "omnibus"`, `target = 50`. At the command line,
`--set rules.target=50`. `"none"` switches a card or a list off. An unknown key or value is refused with the nearest right one,
and a combination without a defined meaning with the reason. `hearts-sim list rules` prints the presets,
`hearts-sim list rules omnibus` one with every field. Every result holds the whole rules and their hash.

## The default: `standard`

Four seats, 52 cards, 13 each. Everybody passes three cards: left, right, across, not at all, in turn by the number of the deal
within the game. All choose before anyone sees what it receives; any card may be passed. The holder of the 2C after the pass
leads it. Follow suit if you can. On the first trick neither a heart nor the queen of spades is played, unless the hand holds
nothing else. A heart may be led once a heart was played to an earlier trick, or from a hand of hearts alone. The queen never breaks
hearts and may be led at any time after the first trick; so a leader with only hearts and the queen, hearts unbroken, leads the
queen. No trumps: the highest card of the suit led wins the trick, and its winner leads the next. All tricks are played. Each
heart counts 1, the queen 13. Whoever takes all 14 penalty cards scores 0 and every other seat 26. The game ends after the first
deal that leaves a seat at 100 or more. The lowest score wins; a shared lowest score is a shared win.
"""


def describe_values(name: str) -> str:
    """Return in words which values an option may have."""
    if name in CHOICES:
        return ", ".join(CHOICES[name])
    if name in INT_RANGES:
        low, high = INT_RANGES[name]
        return f"{low} to {high:,}"
    return _VALUES[name]


def write_page(before: str = "") -> str:
    """Return the page in Markdown; what stood below `KEPT` in the page ``before`` stands there again."""
    kept = before.partition(KEPT)[2] or "\n"
    options = [_describe_option(field) for field in dataclasses.fields(Rules)]
    parts = [_HEAD, "## Options\n", _list_options(), *options, "## Presets\n", _list_presets()]
    return "\n".join([*parts, KEPT]) + kept


def _list_options() -> str:
    rows = [
        f"| [`{field.name}`](#{field.name}) | {describe_values(field.name)} | {_format_default(field)} |"
        for field in dataclasses.fields(Rules)
    ]
    return "\n".join(["| option | values | default |", "| --- | --- | --- |", *rows, ""])


def _describe_option(field: dataclasses.Field[Any]) -> str:
    meaning = field.metadata["meaning"]
    values, default = describe_values(field.name), _format_default(field)
    head = f"{meaning[0].upper()}{meaning[1:]}. Values: {values}. Default: {default}."
    rulings = [f"- {text}" for text in field.metadata["rulings"]]
    return "\n".join([f"### `{field.name}`\n", head, *([""] if rulings else []), *rulings, ""])


def _list_presets() -> str:
    rows = ["| preset | also called | what it is | differs from `standard` in | source |", "|" + " --- |" * 5]
    return "\n".join([*rows, *map(_describe_preset, PRESETS.values()), ""])


def _describe_preset(preset: Preset) -> str:
    values = preset.rules.as_dict()
    changes = [f"`{name}` = {_format(values[name])}" for name in preset.rules.diff()]
    aliases = ", ".join(f"`{alias}`" for alias in preset.aliases) or "-"
    differs = ", ".join(changes) or "nothing"
    return f"| `{preset.name}` | {aliases} | {preset.summary} | {differs} | {preset.source or NO_SOURCE} |"


def _format_default(field: dataclasses.Field[Any]) -> str:
    return "by seats" if field.name in _BY_SEATS else _format(field.default)


def _format(value: Any) -> str:
    """Return a value as one would write it; an empty one as none."""
    if isinstance(value, bool):
        return str(value).lower()
    if value in (None, (), {}):
        return "none"
    return value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(write_page(page.read_text(encoding="utf-8") if page.exists() else ""), encoding="utf-8")
