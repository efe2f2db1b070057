"""Weights of the best linear unbiased estimate, against normal equations in 60 digits."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from core.accounting.pairwise_loss import Row
from core.privacy import Rate
from core.queries.history import MAX_COLUMNS, History, HistoryError
from core.simplex_noise import SimplexGeometricNoise
from tests.core.queries.test_row_space import rank


def history_of(rows: list[list[int]], rates: list[str], denominator: int = 1, n: int = 100) -> History:
    history = History(n, len(rows[0]))
    for row, rate in zip(rows, rates, strict=True):
        history.add_answer(Row(tuple(row), denominator, Rate.parse(rate)), Fraction(3), "q")
    return history


def exact_weights(rows: list[list[int]], rates: list[str], query: list[int]) -> list[float]:
    """β = V^-1 H (H^T V^-1 H)^-1 q on independent columns, with the row of ones measured 10^30 times as well as any
    other.
    """
    with mpmath.workdps(120):
        listed = [*rows, [1] * len(query)]
        precisions = [mpmath.mpf(rate) ** 2 / 2 for rate in rates] + [mpmath.mpf(10) ** 60]
        columns: list[int] = []
        for column in range(len(query)):
            if rank([[row[c] for row in listed] for c in (*columns, column)]) > len(columns):
                columns.append(column)
        H = mpmath.matrix([[row[c] for c in columns] for row in listed])
        V = mpmath.diag(precisions)
        solved = mpmath.lu_solve(H.T * V * H, mpmath.matrix([query[c] for c in columns]))
        return [float(weight) for weight in V * H * solved][:-1]


@pytest.mark.parametrize("seed", range(25))
def test_the_weights_are_those_of_the_best_linear_unbiased_estimate(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, count = int(rng.integers(2, 7)), int(rng.integers(1, 12))
    rows = rng.integers(0, int(rng.choice([2, 5, 1000])), (count, m)).tolist()
    rates = [str(rate) for rate in rng.choice(["0.0001", "0.01", "1", "50"], count)]
    history = history_of(rows, rates)
    weights = rng.integers(-3, 4, count)
    query = [int(weights @ [row[i] for row in rows]) + 7 for i in range(m)]
    assert history.sees(query)
    found = history.weights(np.array(query, dtype=np.float64))
    expected = np.array(exact_weights(rows, rates, query))
    deviations = history.deviations
    assert np.abs((found - expected) * deviations).max() <= 1e-8 * np.linalg.norm(expected * deviations) + 1e-12
    least, largest = history.left_over(found, np.array(query, dtype=np.float64))
    assert largest - least <= 1e-9 * (1 + max(map(abs, query)))


@pytest.mark.parametrize("seed", range(15))
def test_rows_added_at_once_or_one_by_one_give_the_same_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, count = 12, 30
    rows = rng.integers(0, 3, (count, m))
    together = History(50, m)
    together.add_rows(rows.tolist(), 1, [Fraction(0)] * count, history_of([[0, 1]], ["0.5"]).parts[0].noise, "q")
    singly = history_of(rows.tolist(), ["0.5"] * count)
    query = np.asarray(rng.integers(-2, 3, m), dtype=np.float64)
    assert together.sees(query.astype(int).tolist()) == singly.sees(query.astype(int).tolist())
    assert together.rank == singly.rank
    assert together.weights(query) == pytest.approx(singly.weights(query), abs=1e-10)


@pytest.mark.parametrize("all_but_the_last", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_noisy_counts_after_rows_or_before_give_the_same_weights(seed: int, *, all_but_the_last: bool) -> None:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 14))
    rows = [row.tolist() for row in rng.integers(0, 2, (int(rng.integers(1, m + 1)), m))]
    rates, counted = [str(rate) for rate in rng.choice(["0.001", "0.1", "10"], len(rows))], m - all_but_the_last
    noise = history_of([[0, 1]], ["0.2"]).parts[0].noise
    before, after = history_of(rows, rates), History(100, m)
    before.add_counts([Fraction(5)] * counted, noise, "rel")
    after.add_counts([Fraction(5)] * counted, noise, "rel")
    for row, rate in zip(rows, rates, strict=True):
        after.add_answer(Row(tuple(row), 1, Rate.parse(rate)), Fraction(3), "q")
    query = np.asarray(rng.integers(-2, 3, m), dtype=np.float64)
    singles = np.eye(m, dtype=int)[:counted].tolist()
    expected = exact_weights([*rows, *singles], [*rates, *["0.2"] * counted], query.astype(int).tolist())
    assert before.weights(query) == pytest.approx(expected, abs=1e-8)
    assert after.weights(query) == pytest.approx([*expected[len(rows) :], *expected[: len(rows)]], abs=1e-8)


def test_a_query_is_seen_only_within_the_span_of_the_rows_and_of_ones() -> None:
    history = history_of([[1, 1, 0, 0], [0, 0, 1, 0]], ["1", "1"])
    assert history.columns == 3
    assert history.sees([0, 0, 0, 1])
    assert history.sees([5, 5, 5, 5])
    assert not history.sees([1, 0, 0, 0])
    assert not history.sees([1, 2, 0, 0])


def test_a_copy_grows_alone() -> None:
    history = history_of([[1, 1, 0, 0]], ["1"])
    copy = history.copy()
    copy.add_answer(Row((1, 0, 0, 0), 1, Rate.parse("1")), Fraction(1), "q")
    assert copy.sees([0, 1, 0, 0])
    assert not history.sees([0, 1, 0, 0])
    assert len(history) == 1


def test_noisy_counts_of_all_cells_see_every_query() -> None:
    history = History(10, 4)
    history.add_counts([Fraction(x) for x in (5, -1, 4, 2)], SimplexGeometricNoise(0.4, 4), "rel")
    assert history.rank == 3
    assert history.sees([10**15, -1, 4, 7])
    assert history.weights(np.array([1.0, 0.0, 0.0, 0.0])) == pytest.approx([0.75, -0.25, -0.25, -0.25])


def test_too_many_columns_are_refused_and_change_nothing() -> None:
    history = history_of([[0] * MAX_COLUMNS + [1]], ["1"])
    with pytest.raises(HistoryError):
        history.add_answer(Row(tuple(range(MAX_COLUMNS + 1)), 1, Rate.parse("0.01")), Fraction(1), "q")
    assert len(history) == 1
    assert history.columns == 2
    with pytest.raises(HistoryError):
        history.add_rows([[1, 2]], 1, [Fraction(1)], history.parts[0].noise, "q")
