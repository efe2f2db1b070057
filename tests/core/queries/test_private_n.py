"""Queries on a table whose number of records is private: no answer is public, and only what was measured is known."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.limits import MAX_RECORDS
from core.noise import GeometricNoise
from core.privacy import NeighbourRelation, Rate
from core.queries.choice import cheaper_row
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import least_rate
from tests.core.queries.test_row_space import rank

PRIVATE = NeighbourRelation.ADD_REMOVE
CONFIDENCE = 0.95


def query_of(*coefficients: int, denominator: int = 1) -> Query:
    return Query(coefficients, denominator, PRIVATE)


def history_of(rows: list[list[int]], rates: list[str], answers: list[Fraction] | None = None) -> History:
    history = History(None, len(rows[0]))
    for number, (row, rate) in enumerate(zip(rows, rates, strict=True)):
        answer = Fraction(3) if answers is None else answers[number]
        history.add_answer(Row(tuple(row), 1, Rate.parse(rate), relation=PRIVATE), answer, "q")
    return history


def dense_weights(rows: list[list[int]], rates: list[str], query: list[int]) -> list[float]:
    """β = V^-1 H (H^T V^-1 H)^-1 q on independent columns, in 120 digits."""
    with mpmath.workdps(120):
        columns: list[int] = []
        for column in range(len(query)):
            if rank([[row[c] for row in rows] for c in (*columns, column)]) > len(columns):
                columns.append(column)
        H = mpmath.matrix([[row[c] for c in columns] for row in rows])
        V = mpmath.diag([mpmath.mpf(rate) ** 2 / 2 for rate in rates])
        solved = mpmath.lu_solve(H.T * V * H, mpmath.matrix([query[c] for c in columns]))
        return [float(weight) for weight in V * H * solved]


@pytest.mark.parametrize("seed", range(20))
def test_the_weights_are_those_of_dense_least_squares_with_n_unknown(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, count = int(rng.integers(2, 7)), int(rng.integers(1, 12))
    rows = rng.integers(-2, int(rng.choice([2, 5, 1000])), (count, m))
    rows[:, 0] += ~rows.any(axis=1)
    rates = [str(rate) for rate in rng.choice(["0.0001", "0.01", "1", "50"], count)]
    history = history_of(rows.tolist(), rates)
    query = (rng.integers(-3, 4, count) @ rows).tolist()
    assert history.sees(query)
    found, expected = (
        history.weights(np.array(query, dtype=np.float64)),
        np.array(dense_weights(rows.tolist(), rates, query)),
    )
    deviations = history.deviations
    assert np.abs((found - expected) * deviations).max() <= 1e-8 * np.linalg.norm(expected * deviations) + 1e-12


def test_a_query_is_determined_only_by_rows_that_give_it_without_the_row_of_ones() -> None:
    history = history_of([[1, 0, 0], [0, 1, 0]], ["1", "1"])
    for unknown in ((0, 0, 1), (1, 1, 1), (5, 5, 5), (2, 1, 1)):
        assert estimate(history, query_of(*unknown)) is None, unknown
    assert estimate(history, query_of(2, -1, 0)) is not None
    nothing = estimate(history, query_of(0, 0, 0))
    assert nothing is not None
    assert (nothing.estimate, nothing.half_width(CONFIDENCE)) == (0.0, 0.0)
    whole = history_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["1", "1", "1"])
    assert estimate(whole, query_of(1, 1, 1)) is not None


def test_noisy_counts_of_all_cells_answer_every_query_and_of_all_but_one_they_do_not() -> None:
    most, every = History(None, 4), History(None, 4)
    most.add_counts([Fraction(5)] * 3, GeometricNoise(0.5), "rel")
    every.add_counts([Fraction(y) for y in (5, -1, 7, 2)], GeometricNoise(0.5), "rel")
    assert estimate(most, query_of(1, 1, 1, 1)) is None
    found = estimate(every, query_of(1, 1, 1, 1))
    assert found is not None
    assert found.estimate == pytest.approx(13)
    assert found.deviation == pytest.approx(2 * GeometricNoise(0.5).deviation)


def test_rounding_moves_the_answer_about_the_largest_table_by_less_than_one_record() -> None:
    """Without noise the estimate is the answer. In floating point a remainder of 1e-16 a record would be some units."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        m, count = 5, 7
        rows = rng.integers(-9, 10, (count, m))
        counts = rng.integers(0, MAX_RECORDS // m, m)
        exact = [Fraction(sum(int(h) * int(c) for h, c in zip(row, counts, strict=True))) for row in rows]
        history = history_of(rows.tolist(), [str(rate) for rate in rng.choice(["0.001", "0.3", "7"], count)], exact)
        weights = (rng.integers(-3, 4, count) @ rows).tolist()
        query = query_of(*weights, denominator=7)
        found = estimate(history, query)
        assert found is not None
        true = Fraction(sum(int(q) * int(c) for q, c in zip(weights, counts, strict=True)), 7)
        size = float(np.abs(found.weights) @ np.abs(history.answers))
        assert abs(Fraction(found.estimate) - true) <= found.rounding
        assert found.rounding <= 2e-15 * size + 1e-9, "what is left is the rounding of the answers themselves"


@pytest.mark.parametrize("coefficients", [(3, 7, 11), (-4, 0, 6), (0, 0, -5), (0, 123_456_789_012, 10**15), (1, 1, 1)])
def test_the_measured_row_is_a_multiple_of_the_query_and_no_constant_is_left_out(coefficients: tuple[int, ...]) -> None:
    query = query_of(*coefficients, denominator=10)
    row = query.measured_at(Rate.parse("0.5"))
    assert [query.scale * Fraction(h, row.denominator) for h in row.coefficients] == [
        Fraction(value, 10) for value in coefficients
    ]
    assert row.relation is PRIVATE
    assert row.span == max(abs(Fraction(h, row.denominator)) for h in row.coefficients)
    assert 1 <= row.span < 10


@pytest.mark.parametrize("accountant", list(Accountant))
@pytest.mark.parametrize("m", [5, 12])
def test_the_other_cells_are_measured_if_they_meet_the_width_and_cost_less(m: int, accountant: Accountant) -> None:
    """All records and those of the first two cells were measured. So the first two cells are the dearest, and the count
    of the others is as good as theirs.
    """
    history, joint, query = History(None, m), JointLoss(m), query_of(1, 1, *[0] * (m - 2))
    single = [query_of(*(int(i == j) for i in range(m))) for j in range(m)]
    for each, rate in [(query_of(*[1] * m), "1"), (query, "0.5"), *((each, "0.1") for each in single)]:
        row = each.measured_at(Rate.parse(rate))
        joint.add(RowLoss.of(row, accountant), apart=False)
        history.add_answer(row, Fraction(0), "row")
    payer, known = Payer(joint, accountant), estimate(history, query)
    assert known is not None
    half_width = 0.9 * known.half_width(CONFIDENCE)
    found = least_rate(history, known, query, half_width, CONFIDENCE)
    assert found is not None
    chosen = cheaper_row(history, payer, query, found, half_width, CONFIDENCE)
    assert chosen.row.coefficients == (0, 0, *[1] * (m - 2))
    assert chosen.row.relation is PRIVATE
    assert payer.rise(RowLoss.of(chosen.row, accountant)) < payer.rise(RowLoss.of(found.row, accountant))
    history.add_answer(chosen.row, Fraction(0), "chosen")
    after = estimate(history, query)
    assert after is not None
    assert after.half_width(CONFIDENCE) == pytest.approx(chosen.half_width, rel=1e-9)
    assert after.half_width(CONFIDENCE) <= half_width


@pytest.mark.parametrize("noise", ["geometric", "laplace"])
def test_what_is_measured_and_its_price_do_not_depend_on_the_noisy_answers(noise: str) -> None:
    """Others see prices who may not read the answers."""
    query = query_of(1, 1, 0, 0, 0)
    payer = Payer(JointLoss(5), Accountant.BASIC, 1)

    def measured(size: int) -> tuple[Row, Row]:
        answers = [Fraction(size), *map(Fraction, (5, 7, 2, 4))]
        if noise == "geometric":
            history = History(None, 5)
            history.add_counts(answers, GeometricNoise(0.3), "r")
        else:
            history = history_of([[int(i == j) for i in range(5)] for j in range(5)], ["0.3"] * 5, answers)
        found = least_rate(history, estimate(history, query), query, 6.0, CONFIDENCE)
        assert found is not None
        return found.row, cheaper_row(history, payer, query, found, 6.0, CONFIDENCE).row

    assert measured(3) == measured(2**46) == measured(MAX_RECORDS)


@pytest.mark.parametrize("records", [1, 3])
def test_a_payer_pays_for_the_dearest_cell(records: int) -> None:
    """Brute force: adding one record to a cell moves each answer by its coefficient, and k records by k times that."""
    rows = [query_of(1, 0, -2), query_of(1, 1, 1), query_of(0, 3, 1)]
    payer = Payer(JointLoss(3), Accountant.BASIC, records)
    for row in rows:
        payer = payer.after(row.measured_at(Rate.parse("0.25")))
    moved = [sum(abs(Fraction(q.coefficients[i])) for q in rows) for i in range(3)]
    assert payer.joint.units == max(moved) * records * Fraction(1, 4) * 10**9
