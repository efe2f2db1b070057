"""The remaining amount reaches a half width: a query with this width is granted, and a slightly narrower one is
refused.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import JointLoss, RowLoss
from core.privacy import Rate
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import achievable_half_width, affordable_rate, least_rate

CONFIDENCE = 0.95


def history_with(accountant: Accountant, records: int) -> tuple[History, Payer]:
    history, joint = History(1000, 4), JointLoss(4)
    payer = Payer(joint, accountant, records)
    for cells in ((1, 0, 0, 0), (0, 1, 1, 0)):
        loss = payer.loss(Query(cells), Rate.parse("0.1"))
        history.add_answer(Query(cells).measured_at(Rate.parse("0.1")), Fraction(0), "row")
        joint.add(loss, apart=False)
    return history, payer


@pytest.mark.parametrize("records", [1, 3])
@pytest.mark.parametrize("accountant", list(Accountant))
@pytest.mark.parametrize("weights", [(1, 1, 1, 0), (0, 0, 1, 0), (3, 0, 0, 7)])
def test_the_largest_rate_is_the_last_that_fits(weights: tuple[int, ...], accountant: Accountant, records: int) -> None:
    _, payer = history_with(accountant, records)
    left = 10**8
    rate = affordable_rate(Query(weights), payer, left)
    assert rate is not None
    assert payer.rise(payer.loss(Query(weights), rate)) <= left
    assert payer.rise(payer.loss(Query(weights), Rate(int(rate.units * 1.00001)))) > left


@pytest.mark.parametrize("weights", [(1, 1, 1, 0), (0, 0, 1, 0)])
def test_the_half_width_within_reach_is_granted_and_a_narrower_one_is_not(weights: tuple[int, ...]) -> None:
    history, payer = history_with(Accountant.BASIC, 1)
    query, left = Query(weights), 10**8
    known = estimate(history, query)
    half_width = achievable_half_width(history, known, query, payer, left, CONFIDENCE)
    assert half_width is not None
    for asked, fits in ((half_width, True), (half_width * 0.999, False)):
        found = least_rate(history, known, query, asked, CONFIDENCE)
        assert found is not None
        assert (payer.joint.copy().add(RowLoss.of(found.row, Accountant.BASIC), apart=False) <= left) is fits


def test_an_exhausted_budget_reaches_history_and_free_rows() -> None:
    """Cells 0 and 1 or 2 are the most expensive pair: a row that does not separate them is free up to a rate."""
    history, payer = history_with(Accountant.BASIC, 1)
    free, unseen = Query((1, 1, 1, 0)), Query((0, 0, 1, 1))
    known = estimate(history, free)
    assert known is not None
    at_most = achievable_half_width(history, known, free, payer, 0, CONFIDENCE)
    assert at_most is not None
    assert at_most < 0.8 * known.half_width(CONFIDENCE)
    nothing = Payer(payer.joint, payer.accountant, max_standalone_cost=0)
    assert achievable_half_width(history, known, free, nothing, 10**9, CONFIDENCE) == pytest.approx(
        known.half_width(CONFIDENCE)
    )
    assert achievable_half_width(history, None, unseen, nothing, 10**9, CONFIDENCE) is None
