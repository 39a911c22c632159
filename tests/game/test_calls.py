"""How the loop calls a compiled strategy: what the entry writes, returns and keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hearts_sim.game import calls, jit
from hearts_sim.game.table import SEAT, TABLE


def add_all(table: Any, me: Any) -> int:
    """Answer with all that an entry hands over, and one field that it does not."""
    return me.legal | table.best_card | table.led_suit


def refuse_hearts(table: Any, me: Any) -> int:
    if me.legal == np.uint64(8):
        raise ValueError("no hearts please")
    return me.legal


@jit.compiled
def call(address: Any, table: Any, me: Any, legal: Any, best_card: Any) -> Any:
    return calls.call_strategy(address, table, me, legal, best_card)


def ask(method: Any, legal: int, best_card: int) -> tuple[int, int, Any, Any]:
    table, me = np.zeros(1, TABLE)[0], np.zeros(1, SEAT)[0]
    table["led_suit"], me["hand"], me["memory"] = 4, 0xFF, 7
    address = calls.get_address(calls.compile_method(method, cache=False))
    answer, failed = call(address, table, me, np.uint64(legal), np.uint64(best_card))
    return int(answer), int(failed), table, me


def test_the_method_sees_what_the_entry_was_given_and_what_lies_in_the_records() -> None:
    assert ask(add_all, 1, 2)[:2] == (1 | 2 | 4, 0)


def test_the_entry_writes_both_sets_for_others_to_read_and_nothing_else() -> None:
    _, _, table, me = ask(add_all, 16, 32)
    assert (int(me["legal"]), int(table["best_card"])) == (16, 32)
    me["legal"] = table["best_card"] = table["led_suit"] = me["hand"] = 0
    me["memory"] = 0
    assert not any(table.tobytes())
    assert not any(me.tobytes())


@pytest.mark.parametrize(("legal", "failed"), [(4, 0), (8, 1)])
def test_a_method_that_raises_is_told_from_one_that_answers(legal: int, failed: int) -> None:
    answer, has_failed, _, _ = ask(refuse_hearts, legal, 0)
    assert has_failed == failed
    assert failed or answer == legal


def test_a_method_that_was_compiled_is_an_ordinary_compiled_function_too() -> None:
    method = calls.compile_method(refuse_hearts, cache=False)
    me = np.zeros(1, SEAT)[0]
    me["legal"] = 8
    with pytest.raises(ValueError, match="no hearts please"):
        method(np.zeros(1, TABLE)[0], me)
