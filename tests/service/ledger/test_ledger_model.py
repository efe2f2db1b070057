"""The ledger on a real database compared with a model of dictionaries and the pure decision, for any acts in any order.
Measured rows are priced by brute force over pairs of cells.
"""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, text, update
from sqlalchemy.exc import IntegrityError

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.accounting.pairwise_loss import Row, RowLoss
from core.privacy import Delta, Epsilon, Rate
from service.database.engine import open_engine, reading, writing
from service.database.tables import principals
from service.datasets.datasets import destroy
from service.errors import IdempotencyKeyReused, InvalidRequest, MaxChargeExceeded, Problem
from service.identifiers.identifiers import now
from service.ledger import budget_changes as ledger
from service.ledger import debit
from service.ledger.budget_changes import BudgetChange
from service.ledger.debit import Debit, DebitHandler, Paid
from service.ledger.decision import (
    Accepted,
    BudgetState,
    Charge,
    Decision,
    GrantState,
    RefusalReason,
    Refused,
    State,
    decide,
    largest_possible_charge,
    remaining,
)
from service.ledger.joint_costs import Measured, Price, Totals
from service.ledger.query_debit import QueryDebit, problem_of_refusal
from service.ledger.receipts import Receipt, parse
from service.ledger.restore.reconcile import Booked, book_receipt
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.principals.people import revoke_principal
from service.schemas.principals import Role
from tests.harness.installation import SIGNER, Installation, audit, epsilon, install

HANDLER = DebitHandler(SIGNER)
MECHANISMS = ["laplace", "gaussian"]
POLICIES = [*MECHANISMS, "linear"]
CELLS = 4
SLOTS = [f"slot {number}" for number in range(6)]

amounts = st.builds(Cost, st.integers(0, 12).map(Epsilon), st.integers(0, 4).map(Delta))
limits = st.builds(
    Cost, (st.integers(1, 40) | st.integers(100, 400)).map(Epsilon), (st.integers(0, 12) | st.just(100)).map(Delta)
)
people, data_sets = st.integers(0, 2), st.integers(0, 1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A debit in the terms of the model; person 0 is the owner, slots from 5 on are new keys."""

    person: int
    data_set: int
    cost: Cost
    mechanism: str
    slot: int
    payload: str
    rows: tuple[Row, ...] | None
    """For queries, what is measured; None for a release."""
    at_most: int | None


rows = st.lists(
    st.builds(
        lambda cells, rate: Row(cells, 1, Rate(rate)),
        st.tuples(*[st.integers(0, 2)] * CELLS).filter(lambda cells: len(set(cells)) > 1),
        st.integers(1, 4),
    ),
    max_size=2,
).map(tuple)
asked = st.builds(
    Asked,
    people,
    data_sets,
    amounts,
    st.sampled_from(MECHANISMS),
    st.integers(0, 11),
    st.sampled_from(["same", "same", "same", "other"]),
    st.none() | rows | rows,
    st.sampled_from([None, None, None, 0, 4]),
)


def joint(measured: Sequence[Row]) -> int:
    """The largest loss over pairs of cells, in units."""
    return max(
        sum(each.rate.units * abs(each.coefficients[i] - each.coefficients[k]) for each in measured)
        for i, k in combinations(range(CELLS), 2)
    )


def rise(before: Sequence[Row], new: Sequence[Row]) -> Cost:
    return epsilon(joint([*before, *new]) - joint(before))


@dataclass(slots=True)
class Standing:
    """The state of the model as a value that can be stored and restored."""

    budget: BudgetState
    grants: dict[tuple[str, str], GrantState]
    deleted: set[str]
    revoked: set[str]
    unavailable: set[str]
    """People whose recovery can be vetoed."""
    paid: dict[str, tuple[str, str]]
    """Release and payload by the hash of the key."""
    measured: dict[str, list[Row]]
    """By data set, all rows."""
    granted: dict[tuple[str, str], list[Row]]
    """By grant, the rows that its holder paid for."""


def _debit(world: Installation, each: Asked, person: str, data_set: str, key: str) -> Debit:
    if each.rows is None:
        return world.debit(person, data_set, each.cost, key=key, payload=each.payload, mechanism=each.mechanism)
    found = world.debit(person, data_set, NOTHING, key=key, payload=f"queries {each.payload}", mechanism="linear")
    measured = Measured.of(each.rows, Accountant.BASIC) if each.rows else None
    at_most = None if each.at_most is None else Cost(Epsilon(each.at_most), Delta(4))
    return replace(found, query=QueryDebit(measured, at_most))


class LedgerMachine(RuleBasedStateMachine):
    """Each step is applied to the database and to the model; outcomes and all balances must agree."""

    engine: Engine

    @initialize(total=limits, grant=limits)
    def open(self, total: Cost, grant: Cost) -> None:
        self.world = install(self.engine, total=total, grant=grant, analysts=2, data_sets=2)
        self.people = [self.world.owner_id, *self.world.analyst_ids]
        grants = dict.fromkeys(self.world.grant_ids, GrantState(limit=grant, spent=NOTHING))
        self.now = Standing(
            BudgetState(limit=total, spent=NOTHING),
            grants,
            deleted=set(),
            revoked=set(),
            unavailable=set(),
            paid={},
            measured={each: [] for each in self.world.dataset_ids},
            granted={each: [] for each in self.world.grant_ids},
        )
        self.fresh = 0
        self.truth = {each: list[Row]() for each in self.world.dataset_ids}
        self.released = NOTHING
        self.receipts: dict[str, dict[str, Any]] = {}

    @rule(batch=st.lists(asked, min_size=1, max_size=5))
    def pay(self, batch: list[Asked]) -> None:
        debits = list[Debit]()
        self.measuring = dict[str, Sequence[Row]]()
        for each in batch:
            self.fresh += 1
            key = SLOTS[each.slot] if each.slot < len(SLOTS) else f"fresh {self.fresh}"
            person, data_set = self.people[each.person], self.world.dataset_ids[each.data_set]
            debits.append(_debit(self.world, each, person, data_set, key))
            self.measuring[debits[-1].release_id] = each.rows or ()
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
                self.receipts[sent.key_hash] = json.loads(outcome.row.receipt)
            else:
                assert isinstance(outcome, Problem)
                assert outcome.body() == expected.body()

    @rule(batch=st.lists(asked, min_size=1, max_size=3))
    def pay_during_a_recovery_of_the_owner(self, batch: list[Asked]) -> None:
        self._recover_owner(now() + 1000)
        self.now.unavailable.add(self.world.owner_id)
        self.pay(batch)
        self.now.unavailable.clear()
        self._recover_owner(None)

    def _recover_owner(self, until: int | None) -> None:
        with writing(self.engine) as connection:
            connection.execute(
                update(principals).where(principals.c.id == self.world.owner_id).values(frozen_until=until)
            )

    def _model_debit(self, sent: Debit) -> str | Cost | Problem:
        """The id of the release that the key paid before, the remaining amount after paying now, or the problem."""
        key = sent.key_hash
        if key in self.now.paid:
            release_id, payload = self.now.paid[key]
            return release_id if payload == sent.payload_hash else IdempotencyKeyReused()
        slot = (sent.principal_id, sent.dataset_id)
        grant = self.now.grants.get(slot)
        state = State(
            self.now.budget,
            grant,
            dataset_deleted=sent.dataset_id in self.now.deleted,
            principal_revoked=sent.principal_id in self.now.revoked,
            principal_frozen=sent.principal_id in self.now.unavailable,
            owner_unavailable=self.world.owner_id in self.now.unavailable,
        )
        if sent.query is not None:
            return self._model_queries(sent, sent.query, slot, state)
        decision = decide(state, Charge(sent.cost, sent.mechanism, now()))
        if not isinstance(decision, Accepted):
            visible = self._visible_to_caller(state.budget, grant)
            if decision.largest_possible_charge is not None and visible is not state.budget:
                decision = replace(
                    decision,
                    largest_possible_charge=None
                    if decision.by is RefusalReason.BUDGET
                    else largest_possible_charge(visible, grant),
                )
            return problem_of_refusal(decision, "basic")
        self.released += sent.cost
        return self._model_paid(sent, slot, decision, [])

    def _model_queries(self, sent: Debit, query: QueryDebit, slot: tuple[str, str], state: State) -> Cost | Problem:
        new = self.measuring[sent.release_id]
        cost, alone = rise(self.now.measured[sent.dataset_id], new), epsilon(joint(new))
        granted = None if state.grant is None else rise(self.now.granted[slot], new)
        mechanism = sent.mechanism if new else None
        free = decide(state, Charge(NOTHING, mechanism, now()))
        decision = decide(state, Charge(cost, mechanism, now(), granted=granted, alone=alone))
        if isinstance(refused := free if isinstance(free, Refused) else decision, Refused):
            if refused.largest_possible_charge is not None and state.grant is not None:
                own = state.grant.limit.left_after(state.grant.spent)
                refused = replace(refused, largest_possible_charge=own if refused.by is RefusalReason.GRANT else None)
            return problem_of_refusal(refused, "basic")
        assert isinstance(decision, Accepted)
        pays = cost if granted is None else granted
        if query.max_charge is not None and not pays.fits(query.max_charge):
            amount = {"accountant": "basic", "epsilon": str(pays.epsilon), "delta": str(pays.delta)}
            return MaxChargeExceeded(would_charge=amount)
        return self._model_paid(sent, slot, decision, new)

    def _model_paid(self, sent: Debit, slot: tuple[str, str], decision: Accepted, new: Sequence[Row]) -> Cost:
        grant = self.now.grants.get(slot)
        self.now.budget = replace(self.now.budget, spent=decision.budget_spent)
        if grant is not None and decision.grant_spent is not None:
            grant = self.now.grants[slot] = replace(grant, spent=decision.grant_spent)
            self.now.granted[slot] += new
        self.now.measured[sent.dataset_id] += new
        self.truth[sent.dataset_id] += new
        self.now.paid[sent.key_hash] = (sent.release_id, sent.payload_hash)
        if sent.query is not None and grant is not None:
            return grant.limit.left_after(grant.spent)
        return largest_possible_charge(self._visible_to_caller(self.now.budget, grant), grant)

    def _visible_to_caller(self, budget: BudgetState, grant: GrantState | None) -> BudgetState:
        """The budget as a grant's holder may see it: the amount spent beside measured rows would disclose them."""
        unspent = replace(budget, spent=NOTHING)
        hidden = (
            grant is not None
            and any(self.now.measured.values())
            and remaining(budget, grant) != remaining(unspent, grant)
        )
        return unspent if hidden else budget

    def _act(self, act: Callable[[Connection], None]) -> bool:
        """Whether the act was applied; an InvalidRequest rolls it back."""
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
        assert done is self.now.budget.spent.fits(total)
        if done:
            self.now.budget = replace(self.now.budget, limit=total)

    @rule(frozen=st.booleans())
    def freeze(self, *, frozen: bool) -> None:
        assert self._act(
            lambda c: ledger.change_budget(c, self.world.budget_id, self.world.owner_id, BudgetChange(frozen=frozen))
        )
        self.now.budget = replace(self.now.budget, frozen=frozen)

    @rule(cap=st.none() | amounts, mechanisms=st.none() | st.sets(st.sampled_from(POLICIES), min_size=1).map(frozenset))
    def change_policy(self, cap: Cost | None, mechanisms: frozenset[str] | None) -> None:
        change = BudgetChange(release_cap=cap, allowed_mechanisms=mechanisms)
        assert self._act(lambda c: ledger.change_budget(c, self.world.budget_id, self.world.owner_id, change))
        self.now.budget = replace(self.now.budget, release_cap=cap, allowed_mechanisms=mechanisms)

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

        grant = self.now.grants[slot]
        done = self._act(act)
        assert done is (cap is None or grant.spent.fits(cap))
        if done:
            grant = grant if cap is None else replace(grant, limit=cap)
            self.now.grants[slot] = grant if closed is None else replace(grant, closed=closed)

    @rule(person=st.integers(1, 2), sure=st.integers(0, 9))
    def revoke(self, person: int, sure: int) -> None:
        if sure == 0:
            assert self._act(lambda c: revoke_principal(c, self.people[person], erase_name=True))
            self.now.revoked.add(self.people[person])

    @rule(data_set=data_sets, sure=st.integers(0, 9))
    def delete_data_set(self, data_set: int, sure: int) -> None:
        dataset_id = self.world.dataset_ids[data_set]
        if sure == 0 and dataset_id not in self.now.deleted:
            caller = Caller(self.world.owner_id, Role.OWNER, "key")
            assert self._act(lambda c: destroy(c, caller, dataset_id))
            self.now.deleted.add(dataset_id)

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "world"):
            return
        balance = audit(self.engine, self.world.budget_id)
        assert balance.spent == self.now.budget.spent
        assert balance.limit == self.now.budget.limit
        assert balance.frozen is self.now.budget.frozen
        assert balance.release_count == len(self.now.paid)
        self.covers_the_truth()

    def covers_the_truth(self) -> None:
        """The amount booked is at least the loss of all releases and measured rows together, for a person who is in
        every data set.
        """
        truth = self.released + epsilon(sum(joint(each) for each in self.truth.values()))
        assert truth.fits(self.now.budget.spent)


class RestoredLedgerMachine(LedgerMachine):
    """With restored backups, and reconciled receipts of lost charges. On a file of SQLite."""

    path: Path
    migrated: Path

    @initialize(total=limits, grant=limits)
    def open(self, total: Cost, grant: Cost) -> None:
        """Starts on an empty database, since all that it holds is verified after every step."""
        self.engine.dispose()
        shutil.copy(self.migrated, self.path)
        super().open(total, grant)

    @rule()
    def back_up(self) -> None:
        self.engine.dispose()
        shutil.copy(self.path, self.path.with_suffix(".backup"))
        self.saved = copy.deepcopy(self.now)

    @rule(sure=st.integers(0, 2))
    def restore(self, sure: int) -> None:
        if sure or not hasattr(self, "saved"):
            return
        self.engine.dispose()
        shutil.copy(self.path.with_suffix(".backup"), self.path)
        forgotten = [each for key, each in self.receipts.items() if key not in self.saved.paid]
        ids = {key: value for key, value in self.now.paid.items() if key not in self.saved.paid}
        self.now = copy.deepcopy(self.saved)
        for signed in forgotten:
            receipt = parse(signed, Receipt)
            with writing(self.engine) as connection:
                assert book_receipt(connection, receipt, signed) is Booked.CHARGED
            spent = self.now.budget.spent + receipt.amount
            larger = Cost(
                max(spent.epsilon, self.now.budget.limit.epsilon), max(spent.delta, self.now.budget.limit.delta)
            )
            self.now.budget = replace(self.now.budget, spent=spent, limit=larger)
            for slot, grant_id in self.world.grant_ids.items():
                if grant_id == receipt.grant_id:
                    grant = self.now.grants[slot]
                    self.now.grants[slot] = replace(grant, spent=grant.spent + receipt.amount)
        self.now.paid |= ids
        with writing(self.engine) as connection:
            connection.execute(text("UPDATE installation SET restore_pending_since = NULL"))

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "world"):
            return
        with reading(self.engine) as connection:
            [finding] = [each for each in verify_database(connection) if each.budget_id == self.world.budget_id]
        assert finding.fault is None
        assert finding.balances is not None
        assert finding.balances.spent == self.now.budget.spent
        assert finding.balances.limit == self.now.budget.limit
        for slot, grant_id in self.world.grant_ids.items():
            assert finding.balances.spent_by_grant.get(grant_id, NOTHING) == self.now.grants[slot].spent
        self.covers_the_truth()


@pytest.fixture
def machine(database_url: str) -> Iterator[type[LedgerMachine]]:
    engine = open_engine(database_url)
    yield type("LedgerMachineOnADatabase", (LedgerMachine,), {"engine": engine})
    engine.dispose()


@pytest.fixture
def restored_machine(migrated_sqlite: Path, tmp_path: Path) -> Iterator[type[RestoredLedgerMachine]]:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    engine = open_engine(f"sqlite:///{path}")
    places = {"engine": engine, "path": path, "migrated": migrated_sqlite}
    yield type("RestoredLedgerMachineOnAFile", (RestoredLedgerMachine,), places)
    engine.dispose()


def test_the_ledger_does_what_the_model_does(machine: type[LedgerMachine]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=15, stateful_step_count=20))


def test_the_ledger_does_what_the_model_does_with_restores(restored_machine: type[RestoredLedgerMachine]) -> None:
    run_state_machine_as_test(restored_machine, settings=settings(max_examples=15, stateful_step_count=20))


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


@pytest.mark.every(4)
@pytest.mark.parametrize(
    "broken", [_ignore_the_grant, _allow_one_unit_too_much, _forget_the_freeze, _book_nothing_for_a_grant]
)
def test_a_planted_ledger_fault_is_detected(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: Callable[[State, Charge], Decision]
) -> None:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    engine = open_engine(f"sqlite:///{path}")
    monkeypatch.setattr(debit, "decide", broken)
    faulty = type("LedgerMachineOnAFaultyLedger", (LedgerMachine,), {"engine": engine})
    quick = settings(max_examples=1000, stateful_step_count=20, phases=[Phase.generate], report_multiple_bugs=False)
    with pytest.raises((AssertionError, IntegrityError)):
        run_state_machine_as_test(faulty, settings=quick)
    engine.dispose()


_ADD = Totals.add


def _charge_the_budget_what_the_grant_pays(totals: Totals, losses: Sequence[RowLoss], *of: Any, **how: Any) -> Price:
    price = _ADD(totals, losses, *of, **how)
    return replace(price, cost=price.granted)


def _leave_out_pairs_with_an_empty_cell(totals: Totals, losses: Sequence[RowLoss], *of: Any, **how: Any) -> Price:
    """A plant: the last cell is empty, and is confused with the first."""

    def without(values: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.concatenate((values[:-1], values[:1]))

    return _ADD(
        totals,
        [replace(each, values=without(each.values), positions=without(each.positions)) for each in losses],
        *of,
        **how,
    )


@pytest.mark.long
@pytest.mark.parametrize("broken", [_charge_the_budget_what_the_grant_pays, _leave_out_pairs_with_an_empty_cell])
def test_a_planted_price_fault_is_detected(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: Callable[..., Price]
) -> None:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    engine = open_engine(f"sqlite:///{path}")
    monkeypatch.setattr(Totals, "add", broken)
    faulty = type("LedgerMachineOnFaultyPrices", (LedgerMachine,), {"engine": engine})
    quick = settings(max_examples=1000, stateful_step_count=20, phases=[Phase.generate], report_multiple_bugs=False)
    with pytest.raises((AssertionError, IntegrityError)):
        run_state_machine_as_test(faulty, settings=quick)
    engine.dispose()


@pytest.mark.long
def test_the_ledger_with_restores_does_what_the_model_does_for_long(
    restored_machine: type[RestoredLedgerMachine],
) -> None:
    run_state_machine_as_test(restored_machine, settings=settings(max_examples=300, stateful_step_count=40))


@pytest.mark.long
def test_the_ledger_does_what_the_model_does_for_long(machine: type[LedgerMachine]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=400, stateful_step_count=50))
