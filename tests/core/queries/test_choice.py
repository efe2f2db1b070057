"""A row other than the query is measured only if it meets the width and costs the payer less."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, Row, RowLoss
from core.privacy import Rate
from core.queries.choice import cheaper_row
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import least_rate
from core.simplex_noise import SimplexGeometricNoise

CONFIDENCE = 0.95


def paid_for(history: History, rows: list[Row], accountant: Accountant) -> Payer:
    joint = JointLoss(history.m)
    for row in rows:
        joint.add(RowLoss.of(row, accountant), apart=False)
        history.add_answer(row, Fraction(0), "row")
    return Payer(joint, accountant)


def random_rows(m: int, seed: int) -> list[Row]:
    rng = np.random.default_rng([m, seed])
    rows = [Query(tuple(int(i == j) for i in range(m))).measured_at(Rate.parse("0.1")) for j in range(m - 1)]
    sets = (rng.permutation([1] * int(rng.integers(1, m)) + [0] * m)[:m] for _ in range(6))
    return rows + [Query(tuple(each.tolist())).measured_at(Rate.parse("0.15")) for each in sets if 0 < each.sum() < m]


@pytest.mark.every(2)
@pytest.mark.parametrize("accountant", list(Accountant))
@pytest.mark.parametrize("m", [5, 12])
def test_the_row_meets_the_width_and_costs_at_most_what_the_query_does(m: int, accountant: Accountant) -> None:
    cheaper = 0
    for seed in range(4):
        history = History(1000, m)
        payer = paid_for(history, random_rows(m, seed), accountant)
        query = Query((1, 1, *[0] * (m - 2)))
        known = estimate(history, query)
        assert known is not None
        half_width = 0.7 * known.half_width(CONFIDENCE)
        found = least_rate(history, known, query, half_width, CONFIDENCE)
        assert found is not None
        chosen = cheaper_row(history, payer, query, found, half_width, CONFIDENCE)
        rises = [payer.joint.copy().add(RowLoss.of(each.row, accountant), apart=False) for each in (chosen, found)]
        assert rises[0] <= rises[1]
        cheaper += rises[0] < rises[1]
        history.add_answer(chosen.row, Fraction(0), "chosen")
        after = estimate(history, query)
        assert after is not None
        assert after.half_width(CONFIDENCE) == pytest.approx(chosen.half_width, rel=1e-9)
        assert after.half_width(CONFIDENCE) <= half_width
    assert cheaper >= 1, "in some of these histories another row costs less"


def test_where_all_pairs_cost_alike_the_query_is_measured() -> None:
    history, query = History(1000, 4), Query((1, 1, 0, 0))
    found = least_rate(history, None, query, 15.0, CONFIDENCE)
    assert found is not None
    payer = Payer(JointLoss(4), Accountant.BASIC)
    assert cheaper_row(history, payer, query, found, 15.0, CONFIDENCE) is found


def test_a_row_above_what_one_may_cost_alone_is_not_taken() -> None:
    history = History(1000, 5)
    payer = paid_for(history, random_rows(5, 1), Accountant.BASIC)
    query = Query((1, 1, 0, 0, 0))
    known = estimate(history, query)
    assert known is not None
    half_width = 0.7 * known.half_width(CONFIDENCE)
    found = least_rate(history, known, query, half_width, CONFIDENCE)
    assert found is not None
    capped = Payer(payer.joint, payer.accountant, max_standalone_cost=0)
    chosen = cheaper_row(history, capped, query, found, half_width, CONFIDENCE)
    assert chosen.row.rate.value * chosen.row.span <= found.row.rate.value * found.row.span


def test_beside_releases_of_counts_the_query_is_measured() -> None:
    history, query = History(1680, 9), Query((0, 0, 1) * 3)
    history.add_counts([Fraction(100 + i) for i in range(9)], SimplexGeometricNoise(0.4, 9), "r")
    found = least_rate(history, estimate(history, query), query, 5.0, CONFIDENCE)
    assert found is not None
    payer = Payer(JointLoss(9), Accountant.BASIC)
    assert cheaper_row(history, payer, query, found, 5.0, CONFIDENCE) is found
