"""The schema of an amount accepts exactly the amounts in its range."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from core.privacy import Delta, Epsilon, Rho
from service.schemas import amounts


class Range(NamedTuple):
    """A place's kind of amount, the smallest above 0, the largest, whether 0 is taken, and whether the largest is."""

    field: Any
    kind: type[Epsilon | Delta | Rho]
    least: str
    largest: str
    zero: bool
    closed: bool

    def holds(self, value: Decimal) -> bool:
        if value == 0:
            return self.zero
        largest = Decimal(self.largest)
        return Decimal(self.least) <= value and (value <= largest if self.closed else value < largest)

    @property
    def forms(self) -> list[dict[str, Any]]:
        """The schema's alternatives: a text of a pattern, or a number in one of some ranges."""
        told: list[dict[str, Any]] = TypeAdapter(self.field).json_schema()["anyOf"]
        return told

    @property
    def pattern(self) -> str:
        pattern: str = self.forms[0]["pattern"]
        return pattern


RANGES = [
    Range(amounts.EpsilonOfRelease, Epsilon, "1e-4", "50", zero=False, closed=True),
    Range(amounts.RhoOfRelease, Rho, "1e-8", "1000", zero=False, closed=True),
    Range(amounts.DeltaOfRelease, Delta, "1e-18", "1", zero=False, closed=False),
    Range(amounts.DeltaOrNone, Delta, "1e-18", "1", zero=True, closed=False),
    Range(amounts.EpsilonOfBudget, Epsilon, "1e-9", "1000", zero=False, closed=True),
    Range(amounts.DeltaOfBudget, Delta, "1e-15", "1", zero=True, closed=False),
    Range(amounts.DeltaOfZcdpBudget, Delta, "1e-15", "1", zero=False, closed=False),
]


@pytest.mark.parametrize("taken", RANGES)
@settings(max_examples=25)
@given(data=st.data())
def test_a_text_that_the_schema_takes_is_an_amount_of_the_range(taken: Range, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(taken.pattern.strip("^$"), fullmatch=True, alphabet="0123456789.eE+-"))
    assert taken.holds(Decimal(text))
    assert Decimal(str(TypeAdapter(taken.field).validate_python(text))) == Decimal(text)


@pytest.mark.parametrize("taken", RANGES)
def test_an_amount_is_taken_in_each_plain_form_if_it_lies_in_the_range(taken: Range) -> None:
    digits = taken.kind.digits
    ends = [Decimal(0), Decimal(taken.least), Decimal(taken.largest), Decimal(1), Decimal(10)]
    values = {end + steps * Decimal(10) ** -digits for end in ends for steps in (-1, 0, 1)}
    for value in sorted(each for each in values | {Decimal("0.25"), Decimal("40.5")} if each >= 0):
        mantissa = "".join(map(str, value.normalize().as_tuple().digits))
        pointed = mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "")
        written = [f"{value:f}" if value != value.to_integral() else str(int(value))]
        if value and len(mantissa) <= digits:
            written.append(f"{pointed}e{value.adjusted()}")
        for text in written:
            assert bool(re.fullmatch(taken.pattern, text)) == taken.holds(value), text


@pytest.mark.parametrize("taken", RANGES)
def test_a_number_is_taken_if_it_lies_in_the_range(taken: Range) -> None:
    validator = Draft202012Validator({"anyOf": taken.forms})
    for number in (
        0.0,
        float(taken.least) / 2,
        float(taken.least),
        0.25,
        float(taken.largest),
        1.5 * float(taken.largest),
    ):
        assert validator.is_valid(number) == taken.holds(Decimal(repr(number))), number
