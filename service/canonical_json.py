"""Spells JSON in one way only, so that a hash or a signature over it can be checked by anyone."""

from __future__ import annotations

import json
from typing import Final, TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | tuple[Json, ...] | str | int | bool | None"


_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)
_LEAVES: Final = frozenset({str, int, bool, type(None)})
_TEXT: Final = frozenset({str})


def canonical_json(value: Json) -> str:
    """ASCII text, keys sorted by code point, no spaces, whole numbers only: two equal values have the same text.

    Raises TypeError for a float (its spelling differs between languages; amounts go as decimal text or units) and for
    keys that are not text.
    """
    _refuse_what_has_several_spellings(value)
    return _ENCODER.encode(value)


def _refuse_what_has_several_spellings(value: Json) -> None:
    if type(value) is dict and _LEAVES.issuperset(map(type, value.values())) and _TEXT.issuperset(map(type, value)):
        return  # as nearly everything
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
            _refuse_what_has_several_spellings(item)
