from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from core.privacy import Rate
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.search import least_rate
from core.simplex_noise import SimplexGeometricNoise
from tests.core.queries.test_estimator import cube


def test_a_fresh_answer_of_a_half_width_of_15_costs_a_fifth() -> None:
    found = least_rate(History(100, 6), None, Query((1, 0, 0, 0, 0, 0)), 15.0, 0.95)
    assert found is not None
    # P(|Lap(1 / a)| > L) = e^(-a L)
    assert float(found.row.rate) == pytest.approx(np.log(20) / 15, rel=1e-6)
    assert found.half_width <= 15.0


def test_what_the_history_knows_lowers_the_rate() -> None:
    history, query = cube(), Query((0, 0, 1) * 3)
    known = estimate(history, query)
    alone = least_rate(history, None, query, 20.0, 0.95)
    together = least_rate(history, known, query, 20.0, 0.95)
    assert alone is not None
    assert together is not None
    assert float(together.row.rate) == pytest.approx(0.0918435, abs=1e-6)
    assert together.row.rate < alone.row.rate
    history.add_answer(together.row, Fraction(45), "q")
    after = estimate(history, query)
    assert after is not None
    assert after.half_width(0.95) == pytest.approx(together.half_width, rel=1e-9)
    assert after.half_width(0.95) <= 20.0 * (1 + 1e-9)


def test_one_unit_less_would_not_do() -> None:
    query = Query((0, 3, 7), 2)
    found = least_rate(History(100, 3), None, query, 4.0, 0.9)
    assert found is not None
    less = Rate(int(found.row.rate.units * (1 - 1e-6)))
    factor = float(query.scale) * float(1 / less.value)
    assert factor * np.log(10) > 4.0


def test_no_rate_reaches_a_width_that_is_too_small_and_the_least_reaches_a_large_one() -> None:
    query = Query((1, 0))
    assert least_rate(History(100, 2), None, query, 0.01, 0.95) is None
    wide = least_rate(History(100, 2), None, query, 10**6, 0.95)
    assert wide is not None
    assert wide.row.rate == Rate.parse("0.0001")


def test_beside_a_release_of_counts_the_width_that_was_searched_for_is_met() -> None:
    """Weights that differ only by rounding must not make the distribution of the error slower to compute, or its
    interval wider.
    """
    history, query = History(1680, 9), Query((0, 0, 1) * 3)
    history.add_counts([Fraction(100 + i) for i in range(9)], SimplexGeometricNoise(0.4, 9), "r")
    known = estimate(history, query)
    assert known is not None
    found = least_rate(history, known, query, 5.0, 0.95)
    assert found is not None
    history.add_answer(found.row, Fraction(450), "q")
    after = estimate(history, query)
    assert after is not None
    assert after.half_width(0.95) == pytest.approx(found.half_width, rel=1e-9)
    assert after.half_width(0.95) <= 5.0 * (1 + 1e-9)
