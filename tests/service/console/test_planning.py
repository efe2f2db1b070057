"""The counts of a plan in the console, from the rate and the number of records that a person types."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest
from starlette.datastructures import QueryParams

from service.console.forms import FormError
from service.console.planning import Guess, guess_of

ATTRIBUTES: Final[list[dict[str, Any]]] = [
    {"name": "arm", "levels": ["vaccine", "placebo"]}, {"name": "outcome", "levels": ["ill", "well"]},
    {"name": "site", "levels": [str(site) for site in range(20)]},
]  # fmt: skip
TRIAL: Final[dict[str, Any]] = {
    "attributes": ATTRIBUTES,
    "labels": [" · ".join(each) for each in product(*(each["levels"] for each in ATTRIBUTES))],
    "record_count": 36_523,
    "category_count": 80,
}  # fmt: skip
QUESTION: Final = [("kind", "trial"), ("outcome_1", "ill"), ("first_0", "vaccine"), ("second_0", "placebo")]
FORM: Final = [*QUESTION, ("filled_rate", ""), ("filled_records", "")]


def guess(fields: list[tuple[str, str]], data: dict[str, Any] = TRIAL) -> Guess:
    return guess_of(QueryParams(fields), data, None)


def drawn(typed: list[tuple[str, str]], counts: list[str], data: dict[str, Any] = TRIAL) -> Guess:
    """Return the guess after “Draw it” is pressed on a form with these counts."""
    return guess([*typed, *(("count", each) for each in counts)], data)


def test_a_typed_rate_is_used_if_draw_it_is_pressed_without_fill_in() -> None:
    """Seen before: the plan was for 50 %, without the caution that nothing is known."""
    even = guess([])
    assert even.are_alike
    assert drawn(FORM, even.counts).are_alike
    found = drawn([*FORM, ("rate", "170 in 36523")], even.counts)
    assert not found.are_alike
    assert found.parts(TRIAL) == [(85, 18_262), (85, 18_261)]


def test_a_rate_never_replaces_typed_counts_without_fill_in() -> None:
    filled = guess([*FORM, ("rate", "1 %"), ("fill", "yes")])
    own = ["100", *filled.counts[1:]]
    of_rate = [*QUESTION, ("filled_rate", "1 %"), ("filled_records", ""), ("rate", "1 %")]
    assert drawn(of_rate, own).counts == own
    with pytest.raises(FormError, match="Press “Fill in”") as refused:
        drawn([*of_rate[:-1], ("rate", "2 %")], own)
    assert refused.value.field == "rate"
    assert drawn(of_rate[:-1], own).counts == own


def test_a_guessed_number_of_records_is_used_if_draw_it_is_pressed() -> None:
    data = TRIAL | {"record_count": None}
    even = guess([], data)
    found = drawn([*FORM, ("records", "2 400")], even.counts, data)
    assert (sum(map(int, found.counts)), found.are_alike) == (2400, True)
    with pytest.raises(FormError, match="Press “Fill in”"):
        drawn([*FORM, ("records", "2 400")], ["5", *even.counts[1:]], data)


@pytest.mark.parametrize("rate", ["4 in 36523", "170 in 36523", "3 %"])
def test_a_rate_is_spread_evenly_over_groups_and_strata(rate: str) -> None:
    """Seen before: 90 of 170 cases in one arm."""
    counts = [*map(int, guess([*FORM, ("rate", rate)]).counts)]
    ill = counts[:20], counts[40:60]
    assert abs(sum(ill[0]) - sum(ill[1])) <= 1
    by_site = [sum(each) for each in zip(*ill, strict=True)]
    assert max(by_site) - min(by_site) <= 1
    assert sum(counts) == 36_523
