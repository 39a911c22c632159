"""The table and the seat as plain Python sees them, and as annotations in a strategy name them.

`Table` and `Seat` describe what a strategy may read. `RecordTable` and `RecordSeat` are thin windows on the loop's
records for strategies that are not compiled: whole numbers and card sets come out as Python integers.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from typing import Any, Protocol

import numpy as np


class Table(Protocol):
    """What everyone at the table knows; see `hearts_sim.game.table.TABLE` for the meaning of each field."""

    @property
    def rules(self) -> Any:
        """The rules in their encoded form, fields of `hearts_sim.game.table.RULES`."""

    seats: int
    deal_number: int
    pass_offset: int
    dealer: int
    scores: Sequence[int]
    points: Sequence[int]
    tricks: Sequence[int]
    taken: Sequence[int]
    played_by: Sequence[int]
    voids: Sequence[int]
    played: int
    hearts_broken: int
    trick_number: int
    trick: Sequence[int]
    trick_length: int
    trick_cards: int
    leader: int
    led_suit: int
    best_card: int
    best_seat: int


class Seat(Protocol):
    """What one seat alone knows; see `hearts_sim.game.table.SEAT` for the meaning of each field."""

    seat: int
    hand: int
    legal: int
    passed: int
    received: int
    base: int
    stream: int
    draws: int
    params: Sequence[float]
    memory: MutableSequence[int]
    game_memory: MutableSequence[int]


class RecordView:
    """A read-only window on one record: each field as a Python integer, list or further window."""

    __slots__ = ("_record",)

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        """Return a field of the record."""
        try:
            value = self._record[name]
        except ValueError:
            raise AttributeError(
                f"there is no field {name!r}; known: {', '.join(self._record.dtype.names)}"
            ) from None
        if isinstance(value, np.ndarray):
            return value.tolist()
        return RecordView(value) if isinstance(value, np.void) else value.item()

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse: nobody changes the table."""
        raise AttributeError(f"{name} is read only")

    def __dir__(self) -> list[str]:
        return list(self._record.dtype.names)


class RecordTable(RecordView):
    """A `Table` over a record of dtype TABLE."""


class RecordSeat(RecordView):
    """A `Seat` over a record of dtype SEAT; its memories and its stream's position may be written."""

    def __getattr__(self, name: str) -> Any:
        """Return a field of the record; the memories are live."""
        if name in ("memory", "game_memory"):
            return _Words(self._record[name])
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Move the random stream on; refuse anything else."""
        if name != "draws":
            raise AttributeError(f"{name} is read only; write to memory or game_memory")
        self._record["draws"] = np.uint64(int(value) & 0xFFFFFFFFFFFFFFFF)


class _Words(MutableSequence[int]):
    """A live sequence of 64-bit words."""

    def __init__(self, words: Any) -> None:
        self._words = words

    def __getitem__(self, index: Any) -> Any:
        value = self._words[index]
        return value.tolist()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._words[index] = np.asarray(value, dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[int]:
        return iter(self._words.tolist())

    def __delitem__(self, index: Any) -> None:
        raise TypeError("memory has a fixed length")

    def insert(self, index: int, value: int) -> None:
        """Refuse: the memory has a fixed length."""
        raise TypeError("memory has a fixed length")
