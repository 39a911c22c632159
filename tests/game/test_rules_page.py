"""docs/rules.md says what the dataclass says, and keeps what people wrote below it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from hearts_sim.game import rules_page
from hearts_sim.game.rules import CHOICES, PRESETS, Preset, Rules

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_its_command_writes() -> None:
    assert rules_page.write_page(TEXT) == TEXT, f"run: {rules_page.COMMAND}"


def test_what_is_written_by_hand_stays() -> None:
    by_hand = TEXT.partition(rules_page.KEPT)[2]
    assert "\n## Where other programs rule otherwise\n" in by_hand
    assert rules_page.write_page(TEXT.replace(by_hand, "\nA finding.\n")).endswith(
        f"{rules_page.KEPT}\nA finding.\n"
    )
    assert rules_page.write_page().endswith(f"{rules_page.KEPT}\n")


@pytest.mark.parametrize("field", dataclasses.fields(Rules), ids=lambda field: field.name)
def test_every_option_stands_there_with_values_meaning_and_rulings(field: dataclasses.Field[object]) -> None:
    section = TEXT.partition(f"\n### `{field.name}`\n")[2].partition("\n### ")[0]
    assert field.metadata["meaning"][1:] in section
    assert all(f"\n- {ruling}\n" in section for ruling in field.metadata["rulings"])
    assert all(value in section for value in CHOICES.get(field.name, ()))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_every_preset_stands_there_with_its_names_differences_and_source(preset: Preset) -> None:
    (row,) = [line for line in TEXT.splitlines() if line.startswith(f"| `{preset.name}` | ")]
    assert all(f"`{name}`" in row for name in (*preset.aliases, *preset.rules.diff()))
    assert (preset.source or rules_page.NO_SOURCE) in row
