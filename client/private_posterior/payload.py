"""Requests as plain JSON, and the Idempotency-Key that is made from a request that spends budget."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal, Protocol, TypeAlias

from private_posterior.errors import NotSendable

Paid: TypeAlias = Literal["release", "queries", "margins"]
"""The requests that spend budget."""


class Array(Protocol):
    """An array of numpy, a series of pandas and their like."""

    def tolist(self) -> Any:
        """Return the elements: `array.tolist()`."""


Numbers: TypeAlias = Sequence[float] | Array
Amount: TypeAlias = str | float | Decimal
"""An ε, a ρ or a δ. Text is exact."""
_MARKER: Final = "private-posterior request key 1"
_UNITS: Final = {"epsilon": 9, "nominal_epsilon": 9, "delta": 18, "delta_to_spend": 18, "rho": 12}
"""Digits after the point of the unit of each amount, by the name of its member."""
_HOLDS_AMOUNTS: Final = ("mechanism", "max_charge")
"""Members of a request that have amounts. A request for margins has some itself."""
_UNHASHED_FIELDS: Final = ("kind", "once")
_FIELDS_WITHOUT_DRAW: Final = ("level", "max_charge")
"""Members of a release request that do not affect the draw."""
_MOST_BITS: Final = 1024
"""Size of the largest whole number that JSON's readers take, in bits."""
_AMOUNT: Final = re.compile(r"[0-9]{1,18}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?")


def unit_of(accountant: str | None) -> Literal["epsilon", "rho"]:
    """Return the name of the amount that a budget with this accountant counts."""
    return "epsilon" if accountant == "basic" else "rho"


def limit_of(accountant: str | None, most: Amount | None) -> dict[str, Any]:
    """Return `max_charge` of a request in the unit of the data set's budget, or nothing if no amount is given."""
    return {} if most is None else {"max_charge": {unit_of(accountant): most}}


def plain(value: Any) -> Any:
    """Return a value as JSON has it. Arrays and scalars of numpy and pandas become lists and numbers, and a Decimal
    becomes text. Raises NotSendable.
    """
    match value:
        case None | bool() | str():
            return value
        case int():
            if value.bit_length() > _MOST_BITS:
                raise NotSendable("a number in a request has too many digits; nothing was sent")
            return int(value)
        case float():
            if not math.isfinite(value):
                raise NotSendable("every number in a request must be finite; nothing was sent")
            return float(value)
        case Decimal():
            return f"{value:f}"
        case Mapping():
            return {str(name): plain(each) for name, each in value.items()}
        case list() | tuple() | range():
            return [plain(each) for each in value]
        case _ if hasattr(value, "tolist"):
            return plain(value.tolist())
        case _:
            raise NotSendable(f"a request can't contain a {type(value).__name__}; nothing was sent")


def request_key(kind: Paid, dataset_id: str, body: Mapping[str, Any]) -> str:
    """Return the Idempotency-Key that is made from a request for a release, for queries or for margins.

    The same request to the same data set has the same key, however its numbers are written: `0.5`, `"0.50"` and
    `numpy.float64(0.5)` are equal. docs/reference/formats.md has the recipe, which never changes. Raises NotSendable.
    """
    request = {name: each for name, each in plain(body).items() if name not in _UNHASHED_FIELDS}
    if kind == "release":
        request = {name: each for name, each in request.items() if name not in _FIELDS_WITHOUT_DRAW}
    if kind == "margins":
        request = _amounts(request)
    for place in _HOLDS_AMOUNTS:
        if isinstance(request.get(place), dict):
            request[place] = _amounts(request[place])
    content = json.dumps([_MARKER, kind, dataset_id, _normal(request)], sort_keys=True, separators=(",", ":"))
    return f"request-{hashlib.sha256(content.encode()).hexdigest()}"


def _amounts(value: Any) -> Any:
    return {name: _amount_in_units(name, each) for name, each in value.items()} if isinstance(value, dict) else value


def _amount_in_units(name: str, value: Any) -> Any:
    """Return an amount in its unit, rounded down. What is not an amount stays, for the service to refuse."""
    if name not in _UNITS or isinstance(value, bool) or not _AMOUNT.fullmatch(str(value)):
        return value
    return math.floor(Fraction(str(value)) * 10 ** _UNITS[name])


def _normal(value: Any) -> Any:
    """Return the value without null members, and with each number as an integer or as decimal text."""
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return int(value) if value.is_integer() else f"{Decimal(repr(value)):f}"
        case dict():
            return {name: _normal(each) for name, each in value.items() if each is not None}
        case _:
            return [_normal(each) for each in value]
