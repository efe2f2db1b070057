"""Amounts in JSON: decimal texts exactly as written, and numbers rounded down to the unit."""

from __future__ import annotations

import math
import re
from decimal import ROUND_FLOOR, Decimal
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from core.privacy import Delta, Epsilon, Rho
from service.schemas import model as amounts
from tests.harness.rows import assert_each


class Place(NamedTuple):
    """The amounts that a field accepts, and the words that document them."""

    field: Any
    kind: type[Epsilon | Delta | Rho]
    words: str

    @property
    def schema(self) -> dict[str, Any]:
        return TypeAdapter(self.field).json_schema()

    def read(self, value: object) -> Decimal:
        return Decimal(str(TypeAdapter(self.field).validate_python(value)))

    def refusal(self, value: object) -> str:
        with pytest.raises(ValidationError) as refused:
            self.read(value)
        return str(refused.value)


PLACES = [
    Place(amounts.EpsilonField, Epsilon, ""),
    Place(amounts.DeltaField, Delta, ""),
    Place(amounts.RhoField, Rho, ""),
    Place(amounts.EpsilonOfRelease, Epsilon, " from 0.0001 to 50"),
    Place(amounts.RhoOfRelease, Rho, " from 1e-8 to 1000"),
    Place(amounts.DeltaOfRelease, Delta, " above 0 and below 1"),
    Place(amounts.DeltaOrNone, Delta, " below 1"),
    Place(amounts.EpsilonOfBudget, Epsilon, " above 0 and at most 1000"),
    Place(amounts.DeltaOfBudget, Delta, " that is 0, or at least 1e-15 and below 1"),
    Place(amounts.DeltaOfConversion, Delta, " above 0 and below 1"),
]
MODES: tuple[Any, ...] = ("validation", "serialization")


def test_the_schema_says_a_decimal_text_its_range_and_its_unit() -> None:
    assert_each(product(PLACES, MODES), lambda row: assert_schema_says_range_and_unit(*row))


def assert_schema_says_range_and_unit(place: Place, mode: Any) -> None:
    schema = TypeAdapter(place.field).json_schema(mode=mode)
    assert schema.keys() == {"type", "format", "description", "examples"}
    assert (schema["type"], schema["format"]) == ("string", "decimal")
    assert schema["description"].endswith(f"privacy{place.words}, in steps of 1e-{place.kind.digits}.")
    assert [str(place.read(example)) for example in schema["examples"]]


@given(place=st.sampled_from(PLACES), data=st.data())
@settings(max_examples=500)
def test_a_text_is_the_amount_that_it_denotes_in_each_plain_form(place: Place, data: st.DataObject) -> None:
    digits = place.kind.digits
    value = Decimal(data.draw(st.integers(10 ** (digits - 4), 10**digits - 1))) / 10**digits
    mantissa = "".join(map(str, value.normalize().as_tuple().digits))
    pointed = mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "")
    for text in (f"{value:f}", f"{pointed}e{value.adjusted()}", f"{pointed}E{value.adjusted():03}"):
        assert place.read(text) == value, text


@given(place=st.sampled_from(PLACES), number=st.floats(1e-4, 0.999))
@settings(max_examples=500)
def test_a_number_is_accepted_and_rounded_down_to_the_unit(place: Place, number: float) -> None:
    unit = Decimal(10) ** -place.kind.digits
    assert place.read(number) == Decimal(repr(number)).quantize(unit, ROUND_FLOOR)


def test_a_text_with_more_digits_than_the_unit_is_refused() -> None:
    assert_each(PLACES, assert_refuses_more_digits)


def assert_refuses_more_digits(place: Place) -> None:
    digits = place.kind.digits
    for text in (f"0.1{'0' * (digits - 1)}1", f"0.1{'0' * digits}", f"1.1e-{digits}", f"1.0e-{digits}"):
        assert f"must have at most {digits} digits after the point" in place.refusal(text), text


OTHER_FORMS = [
    "", ".5", "5.", "0,5", "+0.5", "-0.5", " 0.5", "0.5 ", "0.5\n", "007", "00", "12e-3", "1e", "1e-123",
    "NaN", "Infinity", "0x1", "1_0", "٠.٥", "½",
]  # fmt: skip


def test_a_text_in_another_form_is_refused() -> None:
    assert_each(product(PLACES, OTHER_FORMS), lambda row: assert_refuses_the_form(*row))


def assert_refuses_the_form(place: Place, text: str) -> None:
    assert "must be a plain decimal text such as 0.25 or 2.5e-8" in place.refusal(text)


OTHER_TYPES: list[object] = [True, None, [0.5], {"epsilon": "0.5"}, b"0.5"]


def test_what_is_neither_a_text_nor_a_number_is_refused() -> None:
    assert_each(product(PLACES, OTHER_TYPES), lambda row: assert_refuses_the_type(*row))


def assert_refuses_the_type(place: Place, value: object) -> None:
    assert "must be a decimal text or a number" in place.refusal(value)


def test_a_number_that_is_not_finite_or_is_negative_is_refused() -> None:
    rules = [(math.inf, "finite"), (-math.inf, "finite"), (math.nan, "finite"), (-0.5, "not be negative")]
    rows = [(place, number, rule) for place in PLACES for number, rule in rules]
    assert_each(rows, lambda row: assert_refuses_the_number(*row))


def assert_refuses_the_number(place: Place, number: float, rule: str) -> None:
    assert rule in place.refusal(number)


FORMS: tuple[Any, ...] = (str, Decimal.__float__)


def test_an_amount_above_the_largest_is_refused() -> None:
    assert_each(product(PLACES, FORMS), lambda row: assert_refuses_above_the_largest(*row))


def assert_refuses_above_the_largest(place: Place, form: Any) -> None:
    largest = 1 if place.kind is Delta else 1000
    assert re.search(
        "must be (at most|below|between|from)|too large", place.refusal(form(Decimal(largest) + Decimal("0.001")))
    )
    if " 50" not in place.words and "below 1" not in place.words:
        assert place.read(form(Decimal(largest))) == largest


@pytest.mark.parametrize("form", [str, float])
def test_the_ends_of_a_release_are_accepted_and_what_lies_beyond_is_refused(form: Any) -> None:
    epsilon, delta = PLACES[3], PLACES[5]
    for text in ("0.0001", "50"):
        assert epsilon.read(form(text)) == Decimal(text)
    for text in ("0", "0.00009", "50.001"):
        assert "0.0001" in epsilon.refusal(form(text))
    assert "must be below 1" in delta.refusal(form("1"))
    assert delta.read(form("0.999")) == Decimal("0.999")
