"""The decision on a charge: each limit alone, their order, and that nothing is ever overspent."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Delta, Epsilon, Rho
from service.ledger.decision import (
    Accepted,
    BudgetState,
    Charge,
    GrantState,
    RefusalReason,
    Refused,
    State,
    decide,
    largest_possible_charge,
)


def cost(epsilon: int, delta: int = 0, rho: int = 0) -> Cost:
    return Cost(Epsilon(epsilon), Delta(delta), Rho(rho))


OPEN = State(
    BudgetState(limit=cost(100, 10), spent=cost(40, 1)),
    GrantState(limit=cost(30, 5), spent=cost(10)),
    dataset_deleted=False,
    principal_revoked=False,
)
CHARGE = Charge(cost(20), "laplace", at=1000)

small = st.integers(0, 6)
costs = st.builds(cost, small, small, small)
states = st.builds(
    State,
    st.builds(
        BudgetState,
        costs,
        costs,
        st.booleans(),
        st.none() | costs,
        st.none() | st.frozensets(st.sampled_from(["laplace", "gaussian"])),
    ),
    st.none() | st.builds(GrantState, costs, costs, st.booleans(), st.none() | st.integers(999, 1001)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
charges = st.builds(Charge, costs, st.just("laplace"), st.just(1000))


def test_a_charge_that_every_limit_allows_is_granted_with_the_balances_after_it() -> None:
    assert decide(OPEN, CHARGE) == Accepted(cost(60, 1), cost(30))


def test_the_last_unit_can_be_spent_and_not_one_more() -> None:
    owner = replace(OPEN, grant=None)
    assert decide(owner, replace(CHARGE, cost=cost(60, 9))) == Accepted(cost(100, 10), None)
    assert decide(owner, replace(CHARGE, cost=cost(60, 10))) == Refused(RefusalReason.BUDGET, cost(60, 9))
    assert decide(owner, replace(CHARGE, cost=cost(61, 9))) == Refused(RefusalReason.BUDGET, cost(60, 9))


def refusals() -> list[tuple[RefusalReason, State]]:
    """For each limit, in the documented order, the open state with that limit alone made to fail."""
    budget, grant = OPEN.budget, OPEN.grant
    assert grant is not None
    return [
        (RefusalReason.PRINCIPAL_REVOKED, replace(OPEN, principal_revoked=True)),
        (RefusalReason.PRINCIPAL_FROZEN, replace(OPEN, principal_frozen=True)),
        (RefusalReason.DATASET_DELETED, replace(OPEN, dataset_deleted=True)),
        (RefusalReason.GRANT_CLOSED, replace(OPEN, grant=replace(grant, closed=True))),
        (RefusalReason.GRANT_EXPIRED, replace(OPEN, grant=replace(grant, expires_at=1000))),
        (RefusalReason.OWNER_UNAVAILABLE, replace(OPEN, owner_unavailable=True)),
        (RefusalReason.BUDGET_FROZEN, replace(OPEN, budget=replace(budget, frozen=True))),
        (
            RefusalReason.MECHANISM_NOT_ALLOWED,
            replace(OPEN, budget=replace(budget, allowed_mechanisms=frozenset({"gaussian"}))),
        ),
        (RefusalReason.RELEASE_CAP, replace(OPEN, budget=replace(budget, release_cap=cost(19, 10)))),
        (RefusalReason.GRANT, replace(OPEN, grant=replace(grant, spent=cost(11)))),
        (RefusalReason.BUDGET, replace(OPEN, budget=replace(budget, spent=cost(81, 1)))),
    ]


@pytest.mark.parametrize(("limit", "state"), refusals())
def test_each_limit_refuses_by_itself(limit: RefusalReason, state: State) -> None:
    decision = decide(state, CHARGE)
    assert isinstance(decision, Refused)
    assert decision.by is limit
    shows_amounts = limit in (RefusalReason.RELEASE_CAP, RefusalReason.GRANT, RefusalReason.BUDGET)
    assert decision.largest_possible_charge == (
        largest_possible_charge(state.budget, state.grant) if shows_amounts else None
    )


def test_every_limit_is_tested_and_the_order_is_that_of_the_enumeration() -> None:
    assert [limit for limit, _ in refusals()] == list(RefusalReason)


@pytest.mark.parametrize("first", range(len(RefusalReason)))
def test_where_several_limits_fail_the_first_of_the_documented_order_answers(first: int) -> None:
    state = OPEN
    assert state.grant is not None
    for limit, failing in refusals()[first:]:
        assert failing.grant is not None
        changed_budget = {
            name: getattr(failing.budget, name)
            for name in ("frozen", "release_cap", "allowed_mechanisms", "spent")
            if getattr(failing.budget, name) != getattr(OPEN.budget, name)
        }
        changed_grant = {
            name: getattr(failing.grant, name)
            for name in ("closed", "expires_at", "spent")
            if getattr(failing.grant, name) != getattr(OPEN.grant, name)
        }
        assert state.grant is not None
        state = State(
            replace(state.budget, **changed_budget),
            replace(state.grant, **changed_grant),
            dataset_deleted=state.dataset_deleted or failing.dataset_deleted,
            principal_revoked=state.principal_revoked or failing.principal_revoked,
            principal_frozen=state.principal_frozen or failing.principal_frozen,
            owner_unavailable=state.owner_unavailable or failing.owner_unavailable,
        )
        assert limit in RefusalReason
    decision = decide(state, CHARGE)
    assert isinstance(decision, Refused)
    assert decision.by is list(RefusalReason)[first]


@given(states, charges)
def test_nothing_accepted_passes_a_limit_and_everything_accepted_is_booked_in_full(
    state: State, charge: Charge
) -> None:
    decision = decide(state, charge)
    if isinstance(decision, Accepted):
        assert decision.budget_spent == state.budget.spent + charge.cost
        assert decision.budget_spent.fits(state.budget.limit)
        assert not state.budget.frozen
        assert not state.principal_revoked
        assert not state.owner_unavailable
        assert not state.dataset_deleted
        if state.grant is not None:
            assert decision.grant_spent == state.grant.spent + charge.cost
            assert decision.grant_spent.fits(state.grant.limit)
        if state.budget.release_cap is not None:
            assert charge.cost.fits(state.budget.release_cap)


@given(states, charges)
def test_a_refusal_over_amounts_shows_the_most_that_would_have_been_granted(state: State, charge: Charge) -> None:
    decision = decide(state, charge)
    if isinstance(decision, Refused) and decision.largest_possible_charge is not None:
        overspent = not state.budget.spent.fits(state.budget.limit) or (
            state.grant is not None and not state.grant.spent.fits(state.grant.limit)
        )
        assert overspent or isinstance(decide(state, replace(charge, cost=decision.largest_possible_charge)), Accepted)
        for more in (cost(1), cost(0, 1), cost(0, 0, 1)):
            assert isinstance(decide(state, replace(charge, cost=decision.largest_possible_charge + more)), Refused)


@given(states, charges)
def test_a_charge_of_nothing_changes_nothing(state: State, charge: Charge) -> None:
    decision = decide(state, replace(charge, cost=NOTHING))
    if isinstance(decision, Accepted):
        assert decision.budget_spent == state.budget.spent


@pytest.mark.parametrize(
    "state",
    [
        BudgetState(
            cost(100, 10), cost(1), frozen=True, release_cap=cost(9), allowed_mechanisms=frozenset({"laplace"})
        ),
        GrantState(cost(100, 10), cost(1), closed=True, expires_at=5),
    ],
)
def test_what_a_debit_spends_changes_nothing_else_of_a_limit(state: BudgetState | GrantState) -> None:
    assert not [each.name for each in fields(state) if getattr(state, each.name) == each.default], (
        "a default would not show that it was kept"
    )
    assert state.with_spent(cost(2, 3)) == replace(state, spent=cost(2, 3))
