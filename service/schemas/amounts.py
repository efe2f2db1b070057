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
from pydantic.config import JsonDict
from pydantic.functional_validators import AfterValidator, PlainValidator
from typing_extensions import TypeAliasType

from core.accounting.accountants import Accountant, Cost
from core.mechanisms.event import check_epsilon
from core.privacy import AmountError, Delta, Epsilon, Rho

A = TypeVar("A", Epsilon, Delta, Rho)

# Larger amounts guarantee nothing. The database's integers are large enough for these.
_MAX: dict[type[Epsilon | Delta | Rho], int] = {Epsilon: 1000, Delta: 1, Rho: 1000}
_TEXT = re.compile(r"(0|[1-9][0-9]{0,17})(\.[0-9]{1,40})?|[0-9](\.[0-9]{1,40})?[eE][+-]?[0-9]{1,2}")


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
        if not _TEXT.fullmatch(value):
            raise ValueError("must be a plain decimal text such as 0.25 or 2.5e-8, without sign or spaces")
        exponent = Decimal(value).as_tuple().exponent
        if isinstance(exponent, int) and exponent < -kind.digits:  # trailing zeros count as digits, too
            raise ValueError(f"must have at most {kind.digits} digits after the point")
        return _checked(kind, value)
    raise ValueError("must be a decimal text or a number")


def _checked(kind: type[A], text: str) -> A:
    try:
        return kind.parse(text)
    except AmountError as error:
        raise ValueError(str(error)) from None


def _documented(kind: type[A], values: str = "") -> WithJsonSchema:
    """Return the schema of an amount: a decimal text. `values` documents those that a field accepts; the code that uses
    the amount enforces them.
    """
    description, example = _DESCRIPTIONS[kind]
    return WithJsonSchema(
        {
            "type": "string",
            "format": "decimal",
            "description": f"{description}{values and f' {values}'}, in steps of 1e-{kind.digits}.",
            "examples": [example],
        }
    )


_DESCRIPTIONS: Final[dict[type[Epsilon | Delta | Rho], tuple[str, str]]] = {
    Epsilon: ("An ε of differential privacy", "0.8"),
    Delta: ("A δ of differential privacy", "1e-8"),
    Rho: ("A ρ of zero-concentrated differential privacy", "0.05"),
}

EpsilonField = Annotated[
    Epsilon,
    PlainValidator(lambda v: read_amount(Epsilon, v)),
    PlainSerializer(str, return_type=str),
    _documented(Epsilon),
]
NOTHING_LEFT_OUT: Final[JsonDict] = {"default": "0"}
"""The default 0, documented as a caller writes it."""
DeltaField = Annotated[
    Delta, PlainValidator(lambda v: read_amount(Delta, v)), PlainSerializer(str, return_type=str), _documented(Delta)
]
RhoField = Annotated[
    Rho, PlainValidator(lambda v: read_amount(Rho, v)), PlainSerializer(str, return_type=str), _documented(Rho)
]


def _below_one(delta: Delta) -> Delta:
    if delta.value >= 1:
        raise ValueError("must be below 1")
    return delta


def _of_release(epsilon: Epsilon) -> Epsilon:
    check_epsilon(epsilon)
    return epsilon


EpsilonOfRelease = Annotated[EpsilonField, AfterValidator(_of_release), _documented(Epsilon, "from 0.0001 to 50")]
RhoOfRelease = Annotated[RhoField, _documented(Rho, "from 1e-8 to 1000")]
DeltaOfRelease = Annotated[DeltaField, AfterValidator(_below_one), _documented(Delta, "above 0 and below 1")]
DeltaOrNone = Annotated[DeltaField, AfterValidator(_below_one), _documented(Delta, "below 1")]
EpsilonOfBudget = Annotated[EpsilonField, _documented(Epsilon, "above 0 and at most 1000")]
DeltaOfBudget = Annotated[DeltaField, _documented(Delta, "that is 0, or at least 1e-15 and below 1")]
DeltaOfZcdpBudget = Annotated[DeltaField, _documented(Delta, "from 1e-15 to below 1")]
DeltaOfConversion = Annotated[DeltaField, _documented(Delta, "above 0 and below 1")]


class Guarantee(BaseModel):
    """(epsilon, delta)-differential privacy."""

    model_config = ConfigDict(frozen=True)

    epsilon: EpsilonField
    delta: DeltaField


AccountantName = TypeAliasType("AccountantName", Literal["basic", "zcdp"])


class BasicAmount(BaseModel):
    """An amount under basic composition."""

    model_config = ConfigDict(frozen=True)

    accountant: Literal["basic"] = Field(description="`basic`: ε and δ add up.")
    epsilon: EpsilonField
    delta: DeltaField


class ZcdpAmount(BaseModel):
    """An amount under zero-concentrated DP: ρ, and the δ that some releases are charged in addition."""

    model_config = ConfigDict(frozen=True)

    accountant: Literal["zcdp"] = Field(description="`zcdp`: ρ adds up.")
    rho: RhoField
    delta: DeltaField


Amount = TypeAliasType("Amount", Annotated[BasicAmount | ZcdpAmount, Field(discriminator="accountant")])


def amount(accountant: Accountant, cost: Cost) -> BasicAmount | ZcdpAmount:
    """Return `cost` in the dimensions of `accountant`."""
    if accountant is Accountant.BASIC:
        return BasicAmount(accountant="basic", epsilon=cost.epsilon, delta=cost.delta)
    return ZcdpAmount(accountant="zcdp", rho=cost.rho, delta=cost.delta)
