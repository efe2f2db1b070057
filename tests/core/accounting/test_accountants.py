"""Prices, allowances and remaining amounts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.accountants import (
    NOTHING,
    Accountant,
    BudgetTerms,
    Cost,
    TermsError,
    largest_epsilon,
    price,
    remaining_releases,
)
from core.accounting.zcdp import epsilon_of, rho_of_pure
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho

E, D, R = Epsilon.parse, Delta.parse, Rho.parse
costs = st.builds(
    Cost, st.integers(0, 10**12).map(Epsilon), st.integers(0, 10**18).map(Delta), st.integers(0, 10**15).map(Rho)
)


def test_a_tenth_and_two_tenths_fill_a_budget_of_three_tenths() -> None:
    spent = Cost(epsilon=E("0.1")) + Cost(epsilon=E("0.2"))
    assert BudgetTerms.basic(E("0.3"), D("0")).limit.left_after(spent) == NOTHING


def test_basic_charges_epsilon_and_delta_as_proven() -> None:
    assert price(PrivacyLoss(E("0.7"), D("1e-9"), R("0.01")), Accountant.BASIC) == Cost(
        epsilon=E("0.7"), delta=D("1e-9")
    )


def test_zcdp_charges_the_proven_rho_and_the_delta_beside_it() -> None:
    loss = PrivacyLoss(E("2"), D("1e-6"), R("0.01"), D("1e-12"))
    assert price(loss, Accountant.ZCDP) == Cost(delta=D("1e-12"), rho=R("0.01"))


def test_zcdp_charges_what_epsilon_and_delta_imply_where_no_rho_was_proven() -> None:
    assert price(PrivacyLoss(E("1"), D("1e-9")), Accountant.ZCDP) == Cost(delta=D("1e-9"), rho=rho_of_pure(E("1")))


def test_zcdp_charges_the_implied_rho_where_the_proven_one_is_no_better_in_either_dimension() -> None:
    assert price(PrivacyLoss(E("1"), D("0"), R("0.5")), Accountant.ZCDP) == Cost(rho=rho_of_pure(E("1")))


def test_an_exponential_mechanism_is_charged_an_eighth_of_its_squared_range() -> None:
    assert price(PrivacyLoss(E("0.8"), rho=Rho.ceil(E("0.8").value ** 2 / 8)), Accountant.ZCDP) == Cost(rho=R("0.08"))


def test_a_zcdp_allowance_splits_delta_and_guarantees_the_sum() -> None:
    terms = BudgetTerms.zcdp(E("1"), delta_conversion=D("9e-7"), delta_releases=D("1e-7"))
    assert terms.delta == D("1e-6")
    assert terms.limit.delta == D("1e-7")
    assert epsilon_of(terms.limit.rho, D("9e-7")) <= E("1")


def test_what_was_spent_under_zcdp_is_guaranteed_with_the_deltas_of_the_conversion_and_of_the_releases() -> None:
    terms = BudgetTerms.zcdp(E("1"), delta_conversion=D("9e-7"), delta_releases=D("1e-7"))
    guaranteed = PrivacyLoss(epsilon_of(R("0.001"), D("9e-7")), D("9.5e-7"), R("0.001"), D("5e-8"))
    assert terms.guarantee(Cost(delta=D("5e-8"), rho=R("0.001"))) == guaranteed


def test_a_zcdp_allowance_without_delta_for_the_conversion_is_refused() -> None:
    with pytest.raises(TermsError):
        BudgetTerms.zcdp(E("1"), delta_conversion=D("0"), delta_releases=D("1e-7"))


@pytest.mark.parametrize("releases", ["0.5", "0.6"])
def test_a_delta_of_one_or_more_is_refused(releases: str) -> None:
    with pytest.raises(TermsError):
        BudgetTerms.zcdp(E("1"), delta_conversion=D("0.5"), delta_releases=D(releases))
    with pytest.raises(TermsError):
        BudgetTerms.basic(E("1"), D("1"))


@given(st.data())
def test_whatever_fits_the_limit_is_guaranteed_within_the_allowance(data: st.DataObject) -> None:
    delta_conversion, delta_releases = data.draw(st.tuples(st.integers(1, 10**17), st.integers(0, 10**17)))
    epsilon = Epsilon(data.draw(st.integers(0, 10**12)))
    terms = BudgetTerms.zcdp(epsilon, delta_conversion=Delta(delta_conversion), delta_releases=Delta(delta_releases))
    spent = Cost(
        delta=Delta(data.draw(st.integers(0, terms.limit.delta.units))),
        rho=Rho(data.draw(st.integers(0, terms.limit.rho.units))),
    )
    proven = terms.guarantee(spent)
    assert proven.epsilon <= terms.epsilon
    assert proven.delta <= terms.delta


@given(remaining=costs, cost=costs)
def test_exactly_the_reported_number_of_releases_fits(remaining: Cost, cost: Cost) -> None:
    count = remaining_releases(remaining, cost)
    if count is None:
        assert cost == NOTHING
        return
    times = [
        Cost(Epsilon(cost.epsilon.units * k), Delta(cost.delta.units * k), Rho(cost.rho.units * k))
        for k in (count, count + 1)
    ]
    assert [total.fits(remaining) for total in times] == [True, False]


@given(remaining=costs, accountant=st.sampled_from(Accountant))
def test_the_largest_epsilon_fits_and_one_unit_more_does_not(remaining: Cost, accountant: Accountant) -> None:
    asked = set[Epsilon]()

    def price_of(epsilon: Epsilon) -> Cost:
        asked.add(epsilon)
        return price(PrivacyLoss(epsilon), accountant)

    found = largest_epsilon(remaining, price_of, at_most=E("50"))
    assert len(asked) <= 60, "a price can take milliseconds"
    assert price_of(found).fits(remaining)
    assert found == E("50") or not price_of(Epsilon(found.units + 1)).fits(remaining)


@given(limit=costs, spent=costs)
def test_the_remaining_amount_is_never_negative_and_fits_the_limit(limit: Cost, spent: Cost) -> None:
    left = limit.left_after(spent)
    assert left.fits(limit)
    if spent.fits(limit):
        assert spent + left == limit
