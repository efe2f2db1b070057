"""One spelling for every value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.identifiers.canonical_json import Json, canonical_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_reading_and_writing_again_gives_the_same_text(value: Json) -> None:
    text = canonical_json(value)
    assert text.isascii()
    assert canonical_json(json.loads(text)) == text
    assert json.loads(text) == value


def test_keys_are_sorted_and_nothing_is_padded() -> None:
    assert canonical_json({"b": [1, None], "a": "é"}) == '{"a":"\\u00e9","b":[1,null]}'


@pytest.mark.parametrize("value", [0.5, {"a": [float("nan")]}, {1: 2}, {"a": b"x"}])
def test_what_has_several_spellings_is_refused(value: Json) -> None:
    with pytest.raises(TypeError):
        canonical_json(value)
