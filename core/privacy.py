"""Privacy parameters as exact amounts, and the privacy loss that consists of them.

Amounts are integers of a small unit. Sums are exact, so 0.1 + 0.2 spends exactly a budget of 0.3. Code that converts a
number to an amount states its rounding: charges round up, limits round down. A bare float is never accepted as an
amount.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar, Final, Self, TypeAlias

Real: TypeAlias = Fraction | Decimal | int | float
NEEDS_DELTA: Final = "it needs a delta above 0 and below 1"
"""The rule of a mechanism or a conversion that has no guarantee at delta = 0."""


_set: Final = object.__setattr__


class AmountError(ValueError):
    """The text is not an amount of this unit. The message names the rule and never repeats the text."""


class NeighbourRelation(StrEnum):
    """The pairs of data sets that the guarantee makes hard to distinguish."""

    REPLACE_ONE = "replace_one"
    """One record changes its category; the number of records is public."""
    ADD_REMOVE = "add_remove"
    """One record is added or removed; the number of records is private."""

    @classmethod
    def at_size(cls, n: int | None) -> NeighbourRelation:
        """Return the neighbour relation of tables with n records. `n` is None if the number is private."""
        return cls.ADD_REMOVE if n is None else cls.REPLACE_ONE


@dataclass(init=False, frozen=True, slots=True, order=True)
class _Amount:
    """A non-negative integer number of units; a unit is 10^−digits."""

    units: int
    digits: ClassVar[int]

    def __init__(self, units: int) -> None:
        # Written by hand for speed, because a release creates about thirty amounts.
        if type(units) is not int:
            raise TypeError("an amount must be a whole number of units")
        if units < 0:
            raise AmountError("an amount must not be negative")
        _set(self, "units", units)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the amount that a decimal text denotes exactly.

        Raises AmountError if the text is not a finite, non-negative decimal, or has more digits than the unit.
        """
        try:
            value = Decimal(text)
        except InvalidOperation:
            raise AmountError("must be a decimal number") from None
        if not value.is_finite():
            raise AmountError("must be finite")
        if value < 0:
            raise AmountError("must not be negative")
        if value.adjusted() > 30:
            raise AmountError("is too large")
        numerator, denominator = value.as_integer_ratio()
        units, rest = divmod(numerator * 10**cls.digits, denominator)
        if rest:
            raise AmountError(f"must have at most {cls.digits} digits after the point")
        return cls(units)

    @classmethod
    def ceil(cls, value: Real) -> Self:
        """Return the smallest amount >= `value`, for charges. Raises AmountError unless `value` is finite and >= 0."""
        return cls(math.ceil(_exact_fraction(value) * 10**cls.digits))

    @classmethod
    def floor(cls, value: Real) -> Self:
        """Return the largest amount <= `value`, for limits. Raises AmountError unless `value` is finite and >= 0."""
        return cls(math.floor(_exact_fraction(value) * 10**cls.digits))

    @property
    def value(self) -> Fraction:
        return Fraction(self.units, 10**self.digits)

    def __float__(self) -> float:
        return float(self.value)

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.units + other.units)

    def __str__(self) -> str:
        """Return plain decimal text without an exponent or trailing zeros; `parse` restores the amount."""
        whole, part = divmod(self.units, 10**self.digits)
        fraction = f"{part:0{self.digits}d}".rstrip("0")
        return f"{whole}.{fraction}" if fraction else str(whole)


def _exact_fraction(value: Real) -> Fraction:
    if isinstance(value, float) and not math.isfinite(value):
        raise AmountError("must be finite")
    exact = Fraction(value)
    if exact < 0:
        raise AmountError("must not be negative")
    return exact


@dataclass(init=False, frozen=True, slots=True, order=True)
class Epsilon(_Amount):
    """The ε of differential privacy, in units of 1e-9."""

    digits: ClassVar[int] = 9


@dataclass(init=False, frozen=True, slots=True, order=True)
class Delta(_Amount):
    """The δ of differential privacy, in units of 1e-18."""

    digits: ClassVar[int] = 18


@dataclass(init=False, frozen=True, slots=True, order=True)
class Rho(_Amount):
    """The ρ of zero-concentrated differential privacy, in units of 1e-12."""

    digits: ClassVar[int] = 12


@dataclass(init=False, frozen=True, slots=True, order=True)
class Rate(_Amount):
    """1 / scale of the Laplace noise on the answer to a linear query, in units of 1e-9."""

    digits: ClassVar[int] = 9


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """The loss proven of a mechanism: (epsilon, delta)-DP and, if `rho` is given, rho-zCDP except with probability
    `rho_delta`.

    `rho_delta` is the δ of δ-approximate zCDP; it is 0 if the ρ holds without exception.
    """

    epsilon: Epsilon
    delta: Delta = Delta(0)
    rho: Rho | None = None
    rho_delta: Delta = Delta(0)

    def is_within(self, stated: PrivacyLoss) -> bool:
        """Return whether `stated` bounds every amount of this loss. A rho that `stated` leaves out is not compared."""
        return (
            self.epsilon.units <= stated.epsilon.units
            and self.delta.units <= stated.delta.units
            and (stated.rho is None or (self.rho is not None and self.rho.units <= stated.rho.units))
            and self.rho_delta.units <= stated.rho_delta.units
        )
