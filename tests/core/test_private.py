"""The promises of the decision "One type for private values, one for released values", one by one."""

from __future__ import annotations

import copy
import json
import operator
import pickle
import traceback
from dataclasses import FrozenInstanceError
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.mechanisms.unsealing import unseal
from core.privacy import Epsilon, PrivacyLoss
from core.private import Private, PrivateValueError, Released
from tests.harness.rows import assert_each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TELLTALES = (31_337, 27_182)
"""Counts that stand in no text by chance."""

REFUSED_METHODS = {
    "__bool__": (),
    "__eq__": (TELLTALES,),
    "__getitem__": (0,),
    "__getstate__": (),
    "__hash__": (),
    "__iter__": (),
    "__len__": (),
    "__ne__": (TELLTALES,),
    "__reduce__": (),
    "__reduce_ex__": (pickle.HIGHEST_PROTOCOL,),
}
"""The methods that hand out, compare or measure what an object holds, each with arguments that it takes."""

REFUSED_LOOKS: dict[str, Callable[[Any], object]] = {
    "asks whether it is true": bool,
    "compares it with an equal": lambda private: private == Private(np.array(TELLTALES)),
    "compares something with it": lambda private: operator.eq(0, private),
    "compares it for difference": lambda private: private != 0,
    "copies it": copy.copy,
    "copies it deeply": copy.deepcopy,
    "copies what holds it": lambda private: copy.deepcopy({"counts": [private]}),
    "counts its elements": len,
    "hashes it": hash,
    "keys a dictionary with it": lambda private: {private: 1},
    "looks for it in a list": lambda private: private in [0, 1],
    "takes an element": lambda private: private[0],
    "takes its elements": list,
    "takes the last element first": reversed,
    "pickles it": pickle.dumps,
    "pickles it as long ago": lambda private: pickle.dumps(private, protocol=0),
    "pickles what holds it": lambda private: pickle.dumps({"counts": [private]}),
    "unpacks it": lambda private: [*private],
}

REFUSED_BY_PYTHON: dict[str, Callable[[Any], object]] = {
    "adds to it": lambda private: private + 1,
    "asks for its attributes": vars,
    "converts it to a number": float,
    "encodes it as JSON": json.dumps,
    "gives it a new attribute": lambda private: setattr(private, "label", "ages"),
    "looks for a count in it": lambda private: TELLTALES[0] in private,
    "orders it": lambda private: private < 1,
    "reads the slot by its name in the source": lambda private: getattr(private, "__sealed"),
    "reads a value": lambda private: private.value,
}


HELD: dict[str, object] = {
    "array": np.array(TELLTALES), "list": list(TELLTALES), "count": TELLTALES[0], "text": str(TELLTALES)
}  # fmt: skip


def assert_of_each(looks: Iterable[str], check: Callable[[Private[object], str], object]) -> None:
    """Check each look at a private value of each kind."""
    assert_each(product(HELD, looks), lambda row: check(Private(HELD[row[0]]), row[1]))


def tells(text: str) -> bool:
    return any(str(count) in text for count in TELLTALES)


def everything_said_of(error: BaseException) -> str:
    """Everything that a verbose log could keep of an error: its text, its arguments, its attributes, and the locals of
    every frame.
    """
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join([*trace.format(), repr(error), repr(error.args), repr(vars(error))])


SHOWS: dict[str, Callable[[object], str]] = {
    "repr": repr, "str": str, "format": format, "ascii": ascii, "{}": "{}".format, "{!r:>40}": "{!r:>40}".format,
    "{:>40}": "{:>40}".format, "{:.2f}": "{:.2f}".format, "%s": "%s".__mod__,
}  # fmt: skip


def test_it_shows_as_nothing_at_all() -> None:
    assert_of_each(SHOWS, assert_shows_nothing)


def assert_shows_nothing(private: Private[object], show: str) -> None:
    assert SHOWS[show](private).strip() == "Private(...)"
    assert repr({"counts": [private]}) == "{'counts': [Private(...)]}"
    assert repr(np.array([private], dtype=object)) == "array([Private(...)], dtype=object)"


def test_a_method_that_would_look_refuses() -> None:
    assert_of_each(REFUSED_METHODS, assert_method_refuses)


def assert_method_refuses(private: Private[object], name: str) -> None:
    with pytest.raises(PrivateValueError, match=r"^a private value can be opened by a mechanism only$"):
        getattr(private, name)(*REFUSED_METHODS[name])


def test_a_look_is_refused_and_the_error_carries_no_value() -> None:
    assert_of_each(REFUSED_LOOKS, assert_look_is_refused)


def assert_look_is_refused(private: Private[object], look: str) -> None:
    with pytest.raises(PrivateValueError) as refused:
        REFUSED_LOOKS[look](private)
    assert refused.value.args == ("a private value can be opened by a mechanism only",)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None
    assert not tells(everything_said_of(refused.value))


def test_missing_methods_are_refused_without_the_value() -> None:
    assert_of_each(REFUSED_BY_PYTHON, assert_python_refuses)


def assert_python_refuses(private: Private[object], look: str) -> None:
    with pytest.raises((TypeError, AttributeError)) as refused:
        REFUSED_BY_PYTHON[look](private)
    assert not tells(everything_said_of(refused.value))


def test_it_has_no_public_attribute_and_no_room_for_one() -> None:
    private = Private(np.array(TELLTALES))
    assert [name for name in dir(private) if not name.startswith("_")] == []
    assert not hasattr(private, "__dict__")


def test_the_mechanisms_get_the_value_itself() -> None:
    counts = np.array(TELLTALES)
    assert unseal(Private(counts)) is counts


def test_a_released_value_cannot_be_exchanged() -> None:
    released = Released(1, PrivacyLoss(Epsilon.parse("1")))
    for name in ("value", "loss"):
        with pytest.raises(FrozenInstanceError):
            setattr(released, name, None)
    with pytest.raises((AttributeError, TypeError)):
        setattr(released, "label", "ages")  # noqa: B010  mypy would refuse the assignment
    assert not hasattr(released, "__dict__")
