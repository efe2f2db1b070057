"""Amounts in JSON: decimal text in responses; decimal text or a JSON number in requests.

A text with more digits than the unit has is refused, since the caller chose it. A JSON number with more digits is
rounded down, since 0.1 + 0.2 arrives as 0.30000000000000004. Responses echo the amount used.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.config import JsonDict, JsonValue
from pydantic.functional_validators import AfterValidator, PlainValidator

from core.accounting.accountants import Accountant, Cost
from core.mechanisms.event import check_epsilon
from core.privacy import AmountError, Delta, Epsilon, Rho
from service.schemas.decimal_texts import exponent, pattern_of_range

A = TypeVar("A", Epsilon, Delta, Rho)

# Larger amounts mean nothing, and the database's integers hold these with room to spare.
_MAX: dict[type[Epsilon | Delta | Rho], int] = {Epsilon: 1000, Delta: 1, Rho: 1000}


def _pattern(largest: int, digits: int) -> str:
    """Return a regular expression for the decimal texts from 0 to `largest` with at most `digits` digits behind the
    point, plain or with an exponent.
    """
    whole = len(str(largest)) - 1
    below = f"(0|[1-9][0-9]{{0,{whole - 1}}})" if whole else "0"
    plain = [rf"{largest}(\.0{{1,{digits}}})?", rf"{below}(\.[0-9]{{1,{digits}}})?"]
    small = [rf"[0-9](\.[0-9]{{1,{digits - down}}})?[eE]-{exponent(down)}" for down in range(1, digits)]
    large = [rf"[0-9](\.[0-9]{{1,{digits}}})?[eE]\+?{exponent(up)}" for up in range(whole)]
    last = [rf"[0-9][eE]-{exponent(digits)}", rf"1(\.0{{1,{digits}}})?[eE]\+?{exponent(whole)}"]
    return f"^({'|'.join(plain + small + large + last)})$"


_PATTERNS = {kind: _pattern(_MAX[kind], digits) for kind, digits in ((Epsilon, 9), (Delta, 18), (Rho, 12))}
_TEXTS = {kind: re.compile(pattern) for kind, pattern in _PATTERNS.items()}
_DECIMAL = re.compile(r"[0-9]{1,18}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?")


def read_amount(kind: type[A], value: object) -> A:
    """Return the amount of a JSON value. Raises ValueError with the rule and never the value."""
    if isinstance(value, kind):
        return value
    amount = _parsed(kind, value)
    if amount > kind.floor(_MAX[kind]):
        raise ValueError(f"must be at most {_MAX[kind]}")
    return amount


def _parsed(kind: type[A], value: object) -> A:
    if isinstance(value, bool):
        raise ValueError("must be a decimal text or a number")
    if isinstance(value, int):
        return _checked(kind, str(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("must be finite")
        if value < 0:
            raise ValueError("must not be negative")
        return kind.floor(Decimal(repr(value)))
    if isinstance(value, str):
        if not _DECIMAL.fullmatch(value):
            raise ValueError("must be a plain decimal text such as 0.25 or 1e-8, without sign or spaces")
        amount = _checked(kind, value)
        # What is left is an amount above the largest, or one written in an unusual way, such as 007 or 12e-3.
        if not _TEXTS[kind].match(value) and amount <= kind.floor(_MAX[kind]):
            raise ValueError(
                "must be written plainly, such as 0.25, or with one digit before the point, such as 2.5e-8"
            )
        return amount
    raise ValueError("must be a decimal text or a number")


def _checked(kind: type[A], text: str) -> A:
    try:
        return kind.parse(text)
    except AmountError as error:
        raise ValueError(str(error)) from None


_DESCRIPTIONS: Final[dict[type[Epsilon | Delta | Rho], tuple[str, str]]] = {
    Epsilon: ("An ε of differential privacy, in steps of 1e-9.", "0.8"),
    Delta: ("A δ of differential privacy, in steps of 1e-18.", "1e-8"),
    Rho: ("A ρ of zero-concentrated differential privacy, in steps of 1e-12.", "0.05"),
}


def _schema(kind: type[A]) -> tuple[WithJsonSchema, WithJsonSchema]:
    description, example = _DESCRIPTIONS[kind]
    return (
        _taken(kind, _PATTERNS[kind], [{"minimum": 0, "maximum": _MAX[kind]}]),
        WithJsonSchema({"type": "string", "description": description, "examples": [example]}, mode="serialization"),
    )


def _taken(kind: type[A], pattern: str, numbers: list[JsonDict]) -> WithJsonSchema:
    """Return the schema of an amount in a request: a decimal text of the pattern, or a number in one of the ranges."""
    description, example = _DESCRIPTIONS[kind]
    forms: list[JsonValue] = [{"type": "string", "pattern": pattern}, *({"type": "number", **each} for each in numbers)]
    return WithJsonSchema(
        {
            "anyOf": forms,
            "description": description + "Decimal text. A JSON number is accepted too, and rounded down to the unit.",
            "examples": [example],
        },
        mode="validation",
    )


def _within(kind: type[A], *, least: int, largest: int, zero: bool = False) -> WithJsonSchema:
    """Return the schema of the amounts that a field accepts: from 10^-least to `largest`, or below 1 if `largest` is 1,
    and also 0 if `zero` is set. It documents the rule; the code that uses the amount enforces it.
    """
    below = largest == 1
    pattern = pattern_of_range(digits=kind.digits, least=least, largest=largest, below=below, zero=zero)
    ranges: list[JsonDict] = [{"minimum": float(f"1e-{least}"), "exclusiveMaximum" if below else "maximum": largest}]
    if zero:
        ranges.insert(0, {"minimum": 0, "maximum": 0})
    return _taken(kind, pattern, ranges)


_EPSILON_IN, _EPSILON_OUT = _schema(Epsilon)
_DELTA_IN, _DELTA_OUT = _schema(Delta)
_RHO_IN, _RHO_OUT = _schema(Rho)

EpsilonField = Annotated[
    Epsilon,
    PlainValidator(lambda v: read_amount(Epsilon, v)),
    PlainSerializer(str, return_type=str),
    _EPSILON_IN,
    _EPSILON_OUT,
]
NOTHING_LEFT_OUT: Final[JsonDict] = {"default": "0"}
"""The default 0, documented as a caller writes it."""
DeltaField = Annotated[
    Delta, PlainValidator(lambda v: read_amount(Delta, v)), PlainSerializer(str, return_type=str), _DELTA_IN, _DELTA_OUT
]
RhoField = Annotated[
    Rho, PlainValidator(lambda v: read_amount(Rho, v)), PlainSerializer(str, return_type=str), _RHO_IN, _RHO_OUT
]


def _below_one(delta: Delta) -> Delta:
    if delta.value >= 1:
        raise ValueError("must be below 1")
    return delta


def _of_release(epsilon: Epsilon) -> Epsilon:
    check_epsilon(epsilon)
    return epsilon


EpsilonOfRelease = Annotated[EpsilonField, AfterValidator(_of_release), _within(Epsilon, least=4, largest=50)]
RhoOfRelease = Annotated[RhoField, _within(Rho, least=8, largest=1000)]
DeltaOfRelease = Annotated[DeltaField, AfterValidator(_below_one), _within(Delta, least=18, largest=1)]
DeltaOrNone = Annotated[DeltaField, AfterValidator(_below_one), _within(Delta, least=18, largest=1, zero=True)]
EpsilonOfBudget = Annotated[EpsilonField, _within(Epsilon, least=9, largest=1000)]
DeltaOfBudget = Annotated[DeltaField, _within(Delta, least=15, largest=1, zero=True)]
DeltaOfZcdpBudget = Annotated[DeltaField, _within(Delta, least=15, largest=1)]
DeltaOfConversion = Annotated[DeltaField, _within(Delta, least=18, largest=1)]


class Guarantee(BaseModel):
    """(epsilon, delta)-differential privacy."""

    model_config = ConfigDict(frozen=True)

    epsilon: EpsilonField
    delta: DeltaField


class BasicAmount(BaseModel):
    """An amount under basic composition."""

    model_config = ConfigDict(frozen=True)

    accountant: Literal["basic"]
    epsilon: EpsilonField
    delta: DeltaField


class ZcdpAmount(BaseModel):
    """An amount under zero-concentrated DP: ρ, and δ of single releases."""

    model_config = ConfigDict(frozen=True)

    accountant: Literal["zcdp"]
    rho: RhoField
    delta: DeltaField


Amount = Annotated[BasicAmount | ZcdpAmount, Field(discriminator="accountant")]


def amount(accountant: Accountant, cost: Cost) -> BasicAmount | ZcdpAmount:
    """Return `cost` in the dimensions of `accountant`."""
    if accountant is Accountant.BASIC:
        return BasicAmount(accountant="basic", epsilon=cost.epsilon, delta=cost.delta)
    return ZcdpAmount(accountant="zcdp", rho=cost.rho, delta=cost.delta)
