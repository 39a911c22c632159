"""What plain strategies see of the loop's records: Python numbers and lists, and nothing they could change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hearts_sim
from hearts_sim.game.rules import Rules
from hearts_sim.game.table import SEAT, TABLE, encode_rules
from hearts_sim.game.views import RecordSeat, RecordTable, Seat, Table

LARGEST = 2**64 - 1


@pytest.fixture
def table_record() -> Any:
    record = np.zeros(1, TABLE)[0]
    record["rules"] = encode_rules(Rules(target=70))
    record["seats"] = 4
    record["scores"][:4] = [10, 20, 30, -6]
    record["played"] = LARGEST
    record["taken"][2] = LARGEST
    return record


@pytest.fixture
def seat_record() -> Any:
    record = np.zeros(1, SEAT)[0]
    record["hand"] = 2**51 + 1
    record["stream"] = LARGEST
    record["params"][1] = 0.5
    return record


def test_the_annotations_name_every_field_of_the_records() -> None:
    assert {"rules", *Table.__annotations__} == set(TABLE.names or ())
    assert set(Seat.__annotations__) == set(SEAT.names or ())


def test_the_package_exports_the_annotations() -> None:
    assert hearts_sim.Table is Table
    assert hearts_sim.Seat is Seat


def test_fields_come_out_as_python_numbers_and_lists(table_record: Any) -> None:
    table = RecordTable(table_record)
    assert (table.seats, type(table.seats)) == (4, int)
    assert table.scores == [10, 20, 30, -6, 0, 0]
    assert type(table.scores[0]) is int


def test_sets_keep_all_64_bits(table_record: Any, seat_record: Any) -> None:
    assert RecordTable(table_record).played == LARGEST
    assert RecordTable(table_record).taken[2] == LARGEST
    assert RecordSeat(seat_record).stream == LARGEST


def test_the_rules_are_a_view_of_their_own(table_record: Any) -> None:
    rules = RecordTable(table_record).rules
    assert (rules.target, rules.pass_cards, rules.hand_size) == (70, 3, 13)
    assert rules.pass_offsets[:4] == [1, 3, 2, 0]


def test_views_read_what_the_record_holds_now(table_record: Any) -> None:
    table = RecordTable(table_record)
    table_record["trick_number"] = 7
    assert table.trick_number == 7


def test_parameters_are_floats(seat_record: Any) -> None:
    assert RecordSeat(seat_record).params[:2] == [0.0, 0.5]


@pytest.mark.parametrize("name", ["memory", "game_memory"])
def test_what_is_written_to_memory_reaches_the_record(seat_record: Any, name: str) -> None:
    memory = getattr(RecordSeat(seat_record), name)
    memory[0] = LARGEST
    memory[3] += 5
    memory[14:] = [1, 2]
    assert seat_record[name].tolist() == [LARGEST, 0, 0, 5, *[0] * 10, 1, 2]
    assert list(memory) == seat_record[name].tolist()
    assert len(memory) == 16
    assert memory[14:] == [1, 2]


def test_memory_has_a_fixed_length(seat_record: Any) -> None:
    memory = RecordSeat(seat_record).memory
    with pytest.raises(TypeError, match="fixed length"):
        memory.append(1)
    with pytest.raises(TypeError, match="fixed length"):
        del memory[0]
    with pytest.raises(IndexError):
        memory[16] = 1


def test_the_random_stream_moves_on_and_wraps(seat_record: Any) -> None:
    me = RecordSeat(seat_record)
    me.draws = 2**40
    me.draws += np.uint64(1)
    assert seat_record["draws"] == 2**40 + 1
    me.draws = LARGEST + 2
    assert me.draws == 1


def test_nothing_else_can_be_written(table_record: Any, seat_record: Any) -> None:
    with pytest.raises(AttributeError, match="hearts_broken is read only"):
        RecordTable(table_record).hearts_broken = 1
    with pytest.raises(AttributeError, match="hand is read only; write to memory"):
        RecordSeat(seat_record).hand = 0
    with pytest.raises(AttributeError, match="target is read only"):
        RecordTable(table_record).rules.target = 1
    RecordTable(table_record).scores[0] = 99  # a copy
    assert table_record["scores"][0] == 10


def test_a_wrong_name_is_told_the_right_ones(seat_record: Any) -> None:
    with pytest.raises(AttributeError, match=r"no field 'cards'; known: seat, hand, legal"):
        _ = RecordSeat(seat_record).cards
    assert "legal" in dir(RecordSeat(seat_record))
