"""The checker of histories accepts a sound one and catches each planted lie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.harness.history import Attempt, Charged, NotLinearizable, check
from tests.harness.installation import epsilon

LIMIT = epsilon(10)
CHARGES = [Charged("a", 2, epsilon(4)), Charged("b", 3, epsilon(4))]
UNKNOWN = Attempt("a", epsilon(4), 0.0, 1.0, 503, charged=None, code="outcome-unknown")
HISTORY = [
    UNKNOWN,
    Attempt("a", epsilon(4), 2.0, 3.0, 201, b"one", charged=True),
    Attempt("b", epsilon(4), 4.0, 5.0, None),
    Attempt("b", epsilon(4), 6.0, 7.0, 201, b"two", charged=True),
    Attempt("a", epsilon(4), 8.0, 9.0, 201, b"one", charged=True),
    Attempt("c", epsilon(4), 8.0, 9.0, 409, charged=False, code="budget-exhausted"),
]


def test_a_sound_history_is_accepted() -> None:
    check(HISTORY, CHARGES, LIMIT)


@pytest.mark.parametrize(
    ("history", "charges", "word"),
    [
        ([*HISTORY, Attempt("a", epsilon(4), 10.0, 11.0, 201, b"another", charged=True)], CHARGES, "two answers"),
        (HISTORY, CHARGES[:1], "not in the ledger"),
        (HISTORY, [*CHARGES, Charged("c", 4, epsilon(4))], "does not fit"),
        (HISTORY, [*CHARGES, Charged("a", 4, epsilon(1))], "charged twice"),
        ([*HISTORY, replace(UNKNOWN, began=10.0, ended=11.0, charged=False)], CHARGES, "uncharged after"),
        ([replace(UNKNOWN, charged=False)], CHARGES[:1], "uncharged, and is"),
        (HISTORY, [replace(CHARGES[0], sequence=4), CHARGES[1]], "answered before"),
        ([Attempt("c", epsilon(4), 8.0, 9.0, 409, charged=False, code="budget-exhausted")], CHARGES[:1], "fitted"),
    ],
    ids=lambda each: each.replace(" ", "-") if isinstance(each, str) else "",
)
def test_a_lie_is_caught(history: list[Attempt], charges: list[Charged], word: str) -> None:
    with pytest.raises(NotLinearizable, match=word):
        check(history, charges, LIMIT)
