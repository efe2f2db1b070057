"""The ledger on a real database against a model that is nothing but dictionaries and the pure decision: whatever is
done, in whatever order.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Delta, Epsilon
from service.auth import Caller, Role
from service.database.engine import open_engine, writing
from service.datasets.datasets import destroy
from service.errors import IdempotencyKeyReused, InvalidRequest, Problem
from service.identifiers import now
from service.ledger import acts as ledger
from service.ledger import debit
from service.ledger.acts import BudgetChange
from service.ledger.debit import Debit, DebitHandler, Paid
from service.ledger.decision import Accepted, BudgetState, Charge, Decision, GrantState, State, decide, room
from service.ledger.refusal import problem_of_refusal
from service.principals.people import revoke_principal
from tests.harness.installation import SIGNER, audit, install

HANDLER = DebitHandler(SIGNER)
MECHANISMS = ["laplace", "gaussian"]
SLOTS = [f"slot {number}" for number in range(6)]

amounts = st.builds(Cost, st.integers(0, 12).map(Epsilon), st.integers(0, 4).map(Delta))
limits = st.builds(Cost, st.integers(1, 40).map(Epsilon), st.integers(0, 12).map(Delta))
people, data_sets = st.integers(0, 2), st.integers(0, 1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A debit in the terms of the model; person 0 is the owner, slot 5 and above are fresh keys."""

    person: int
    data_set: int
    cost: Cost
    mechanism: str
    slot: int
    payload: str


asked = st.builds(
    Asked,
    people,
    data_sets,
    amounts,
    st.sampled_from(MECHANISMS),
    st.integers(0, 11),
    st.sampled_from(["same", "same", "same", "other"]),
)


class LedgerMachine(RuleBasedStateMachine):
    """Each step is done to the database and to the model; what comes back, and all balances, must agree."""

    engine: Engine

    @initialize(total=limits, grant=limits)
    def open(self, total: Cost, grant: Cost) -> None:
        self.world = install(self.engine, total=total, grant=grant, analysts=2, data_sets=2)
        self.people = [self.world.owner_id, *self.world.analyst_ids]
        self.budget = BudgetState(limit=total, spent=NOTHING)
        self.grants = dict.fromkeys(self.world.grant_ids, GrantState(limit=grant, spent=NOTHING))
        self.deleted: set[str] = set()
        self.revoked: set[str] = set()
        self.paid: dict[str, tuple[str, str]] = {}
        self.fresh = 0

    @rule(batch=st.lists(asked, min_size=1, max_size=5))
    def pay(self, batch: list[Asked]) -> None:
        debits = []
        for each in batch:
            self.fresh += 1
            key = SLOTS[each.slot] if each.slot < len(SLOTS) else f"fresh {self.fresh}"
            person, data_set = self.people[each.person], self.world.dataset_ids[each.data_set]
            debits.append(
                self.world.debit(person, data_set, each.cost, key=key, payload=each.payload, mechanism=each.mechanism)
            )
        with writing(self.engine) as connection:
            outcomes = HANDLER(connection, debits)
        for sent, outcome in zip(debits, outcomes, strict=True):
            expected = self._model_debit(sent)
            if isinstance(expected, str):
                assert isinstance(outcome, Paid)
                assert outcome.row.id == expected
            elif isinstance(expected, Cost):
                assert isinstance(outcome, Paid)
                assert outcome.new
                assert outcome.row.remaining == expected
            else:
                assert isinstance(outcome, Problem)
                assert outcome.body() == expected.body()

    def _model_debit(self, sent: Debit) -> str | Cost | Problem:
        """The id of the release that the key paid before, what remains after paying now, or the problem."""
        key = sent.key_hash
        if key in self.paid:
            release_id, payload = self.paid[key]
            return release_id if payload == sent.payload_hash else IdempotencyKeyReused()
        slot = (sent.principal_id, sent.dataset_id)
        grant = self.grants.get(slot)
        state = State(self.budget, grant, sent.dataset_id in self.deleted, sent.principal_id in self.revoked)
        decision = decide(state, Charge(sent.cost, sent.mechanism, now()))
        if not isinstance(decision, Accepted):
            return problem_of_refusal(decision, "basic")
        self.budget = replace(self.budget, spent=decision.budget_spent)
        if grant is not None and decision.grant_spent is not None:
            self.grants[slot] = replace(grant, spent=decision.grant_spent)
        self.paid[key] = (sent.release_id, sent.payload_hash)
        return room(self.budget, self.grants.get(slot))

    def _act(self, act: Callable[[Connection], None]) -> bool:
        """Whether the act was done; an InvalidRequest undoes it."""
        try:
            with writing(self.engine) as connection:
                act(connection)
        except InvalidRequest:
            return False
        return True

    @rule(total=limits)
    def change_total(self, total: Cost) -> None:
        change = BudgetChange(epsilon=total.epsilon, delta=total.delta)
        done = self._act(lambda c: ledger.change_budget(c, self.world.budget_id, self.world.owner_id, change))
        assert done is self.budget.spent.fits(total)
        if done:
            self.budget = replace(self.budget, limit=total)

    @rule(frozen=st.booleans())
    def freeze(self, *, frozen: bool) -> None:
        assert self._act(
            lambda c: ledger.change_budget(c, self.world.budget_id, self.world.owner_id, BudgetChange(frozen=frozen))
        )
        self.budget = replace(self.budget, frozen=frozen)

    @rule(
        cap=st.none() | amounts, mechanisms=st.none() | st.sets(st.sampled_from(MECHANISMS), min_size=1).map(frozenset)
    )
    def change_policy(self, cap: Cost | None, mechanisms: frozenset[str] | None) -> None:
        change = BudgetChange(release_cap=cap, allowed_mechanisms=mechanisms)
        assert self._act(lambda c: ledger.change_budget(c, self.world.budget_id, self.world.owner_id, change))
        self.budget = replace(self.budget, release_cap=cap, allowed_mechanisms=mechanisms)

    @rule(person=st.integers(1, 2), data_set=data_sets, cap=st.none() | limits, closed=st.none() | st.booleans())
    def change_grant(self, person: int, data_set: int, cap: Cost | None, *, closed: bool | None) -> None:
        slot = (self.people[person], self.world.dataset_ids[data_set])

        def act(connection: Connection) -> None:
            ledger.change_grant(
                connection,
                budget_id=self.world.budget_id,
                grant_id=self.world.grant_ids[slot],
                owner=self.world.owner_id,
                cap=cap,
                closed=closed,
            )

        grant = self.grants[slot]
        done = self._act(act)
        assert done is (cap is None or grant.spent.fits(cap))
        if done:
            grant = grant if cap is None else replace(grant, limit=cap)
            self.grants[slot] = grant if closed is None else replace(grant, closed=closed)

    @rule(person=st.integers(1, 2), sure=st.integers(0, 9))
    def revoke(self, person: int, sure: int) -> None:
        if sure == 0:
            assert self._act(lambda c: revoke_principal(c, self.people[person], erase_name=True))
            self.revoked.add(self.people[person])

    @rule(data_set=data_sets, sure=st.integers(0, 9))
    def delete_data_set(self, data_set: int, sure: int) -> None:
        dataset_id = self.world.dataset_ids[data_set]
        if sure == 0 and dataset_id not in self.deleted:
            caller = Caller(self.world.owner_id, Role.OWNER, "key")
            assert self._act(lambda c: destroy(c, caller, dataset_id))
            self.deleted.add(dataset_id)

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "world"):
            return
        balance = audit(self.engine, self.world.budget_id)
        assert balance.spent == self.budget.spent
        assert balance.limit == self.budget.limit
        assert balance.frozen is self.budget.frozen
        assert balance.release_count == len(self.paid)


@pytest.fixture
def machine(database_url: str) -> Iterator[type[LedgerMachine]]:
    engine = open_engine(database_url)
    yield type("LedgerMachineOnADatabase", (LedgerMachine,), {"engine": engine})
    engine.dispose()


def test_the_ledger_does_what_the_model_does(machine: type[LedgerMachine]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=15, stateful_step_count=20))


def _ignore_the_grant(state: State, charge: Charge) -> Decision:
    return decide(replace(state, grant=None), charge)


def _allow_one_unit_too_much(state: State, charge: Charge) -> Decision:
    limit = state.budget.limit + Cost(epsilon=Epsilon(1))
    return decide(replace(state, budget=replace(state.budget, limit=limit)), charge)


def _forget_the_freeze(state: State, charge: Charge) -> Decision:
    return decide(replace(state, budget=replace(state.budget, frozen=False)), charge)


def _book_nothing_for_a_grant(state: State, charge: Charge) -> Decision:
    decision = decide(state, charge)
    if isinstance(decision, Accepted) and state.grant is not None:
        return replace(decision, grant_spent=state.grant.spent)
    return decision


@pytest.mark.parametrize(
    "broken", [_ignore_the_grant, _allow_one_unit_too_much, _forget_the_freeze, _book_nothing_for_a_grant]
)
def test_a_ledger_with_a_planted_fault_is_told_from_the_model(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: Callable[[State, Charge], Decision]
) -> None:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    engine = open_engine(f"sqlite:///{path}")
    monkeypatch.setattr(debit, "decide", broken)
    faulty = type("LedgerMachineOnAFaultyLedger", (LedgerMachine,), {"engine": engine})
    quick = settings(max_examples=60, stateful_step_count=20, phases=[Phase.generate], report_multiple_bugs=False)
    with pytest.raises((AssertionError, IntegrityError)):
        run_state_machine_as_test(faulty, settings=quick)
    engine.dispose()


@pytest.mark.long
def test_the_ledger_does_what_the_model_does_for_long(machine: type[LedgerMachine]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=400, stateful_step_count=50))
