"""JSON in one spelling only, so that a hash or a signature over it can be checked by anyone."""

from __future__ import annotations

import json
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | tuple[Json, ...] | str | int | bool | None"


def canonical_json(value: Json) -> str:
    """ASCII text, keys sorted by code point, no spaces, whole numbers only: two equal values have the same text.

    Raises TypeError for a float (its spelling differs between languages; amounts go as decimal text or units) and for keys that are not text.
    """
    _refuse_what_has_several_spellings(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _refuse_what_has_several_spellings(value: Json) -> None:
    match value:
        case None | bool() | int() | str():
            return
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise TypeError("canonical JSON takes text keys only")
                _refuse_what_has_several_spellings(item)
        case list() | tuple():
            for item in value:
                _refuse_what_has_several_spellings(item)
        case _:
            raise TypeError("canonical JSON takes text, whole numbers, booleans, null, lists and objects only")
