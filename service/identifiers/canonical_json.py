"""Texts that are signed or hashed: canonical JSON, one text per value, and the encoding of what a hash chain links."""

from __future__ import annotations

import json
from typing import Final, TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | tuple[Json, ...] | str | int | bool | None"


_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)
_LEAVES: Final = frozenset({str, int, bool, type(None)})
_TEXT: Final = frozenset({str})


def canonical_json(value: Json) -> str:
    """Return the value as ASCII JSON with keys sorted by code point, without spaces, with integers only.

    Raises TypeError for keys that are not text, and for floats, whose text differs between languages. Amounts are
    written as decimal text or as units.
    """
    _check_unambiguous(value)
    return _ENCODER.encode(value)


def _check_unambiguous(value: Json) -> None:
    if type(value) is dict and _LEAVES.issuperset(map(type, value.values())) and _TEXT.issuperset(map(type, value)):
        return  # the usual case
    match value:
        case None | bool() | int() | str():
            return
        case dict():
            if not _TEXT.issuperset(map(type, value)):
                raise TypeError("canonical JSON takes text keys only")
            items = list(value.values())
        case list() | tuple():
            items = list(value)
        case _:
            raise TypeError("canonical JSON takes text, whole numbers, booleans, null, lists and objects only")
    for item in items:
        if type(item) not in _LEAVES:
            _check_unambiguous(item)


class ChainError(ValueError):
    """The ledger was altered or cut. `sequence` is the first entry that shows it. The message contains no data."""

    def __init__(self, sequence: int, rule: str) -> None:
        super().__init__(f"entry {sequence}: {rule}")
        self.sequence = sequence
        self.rule = rule


def netstrings(*values: str | int) -> bytes:
    """Encode values one after another, each preceded by its length, so that different lists have different bytes."""
    parts = [str(value).encode() for value in values]
    return b"".join([b"%d:%b," % (len(part), part) for part in parts])
