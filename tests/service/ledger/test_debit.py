"""The debit on real databases: accepted charges, refusals, and two overlapping transactions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, update

from core.accounting.accountants import NOTHING, Cost
from core.privacy import Epsilon
from service import errors
from service.database.engine import writing
from service.database.tables import datasets, principals
from service.database.writer import Writer
from service.identifiers.identifiers import now
from service.ledger import budget_changes as ledger
from service.ledger import debit as debit_module
from service.ledger.budget_changes import BudgetChange
from service.ledger.debit import DebitHandler, Paid
from service.principals import chain
from service.principals.auth import Caller
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE
from tests.harness.guards import drop_guards
from tests.harness.installation import SIGNER, Installation, audit, epsilon, install

HANDLER = DebitHandler(SIGNER)


@pytest.fixture
def writer(engine: Engine) -> Iterator[Writer]:
    writer = Writer(engine)
    yield writer
    writer.close()


def test_a_charge_is_booked_on_budget_grant_and_ledger_at_once(engine: Engine, writer: Writer) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    (analyst,), (dataset,) = world.analyst_ids, world.dataset_ids
    paid = writer.submit(HANDLER, world.debit(analyst, dataset, epsilon(30))).result()
    assert paid.new
    assert paid.row.remaining == epsilon(20)
    assert audit(engine, world.budget_id).spent == epsilon(30)


def test_the_same_key_pays_once_in_one_batch_and_in_several(engine: Engine, writer: Writer) -> None:
    world = install(engine, total=epsilon(100))
    tries = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(30), key="k") for _ in range(3)]
    with writing(engine) as connection:
        first = HANDLER(connection, tries)
    again = writer.submit(HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(30), key="k")).result()
    assert all(isinstance(each, Paid) for each in first)
    assert [each.new for each in first if isinstance(each, Paid)] == [True, False, False]
    assert not again.new
    assert {again.row.id} == {each.row.id for each in first if isinstance(each, Paid)}
    assert audit(engine, world.budget_id).spent == epsilon(30)


def test_the_same_key_for_another_request_is_refused(engine: Engine, writer: Writer) -> None:
    world = install(engine, total=epsilon(100))
    writer.submit(
        HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(30), key="k", payload="one")
    ).result()
    with pytest.raises(errors.IdempotencyKeyReused):
        writer.submit(
            HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(30), key="k", payload="two")
        ).result()


def test_a_refusal_leaves_no_row_and_binds_no_key(engine: Engine, writer: Writer) -> None:
    world = install(engine, total=epsilon(100))
    before = audit(engine, world.budget_id)
    with pytest.raises(errors.BudgetExhausted) as refused:
        writer.submit(HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(101), key="k")).result()
    assert refused.value.extra["largest_possible_charge"] == {
        "accountant": "basic",
        "epsilon": "0.0000001",
        "delta": "0",
    }
    assert audit(engine, world.budget_id) == before
    assert (
        writer.submit(HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(100), key="k", payload="x"))
        .result()
        .new
    )


def test_in_one_batch_exactly_as_many_succeed_as_fit(engine: Engine) -> None:
    world = install(engine, total=epsilon(100))
    with writing(engine) as connection:
        outcomes = HANDLER(
            connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(7)) for _ in range(64)]
        )
    assert sum(isinstance(outcome, Paid) for outcome in outcomes) == 14
    assert audit(engine, world.budget_id).spent == epsilon(98)


def test_a_failing_batch_is_undone_and_its_items_are_paid_singly(engine: Engine, writer: Writer) -> None:
    world = install(engine, total=epsilon(100))

    def spoil(_: object, __: object) -> list[Any]:
        raise RuntimeError("planted")

    gate = threading.Event()
    writer.submit(lambda _, items: [gate.wait()] * len(items), None)
    good = [writer.submit(HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(10))) for _ in range(3)]
    bad = writer.submit(spoil, None)
    more = [writer.submit(HANDLER, world.debit(world.owner_id, world.dataset_ids[0], epsilon(10))) for _ in range(3)]
    gate.set()
    assert all(each.result().new for each in good + more)
    with pytest.raises(RuntimeError, match="planted"):
        bad.result()
    assert audit(engine, world.budget_id).spent == epsilon(60)


def freeze(connection: Any, world: Installation) -> None:
    ledger.change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=True))


def lower_total(connection: Any, world: Installation) -> None:
    ledger.change_budget(connection, world.budget_id, world.owner_id, BudgetChange(epsilon=Epsilon(5)))


def cap_releases(connection: Any, world: Installation) -> None:
    ledger.change_budget(connection, world.budget_id, world.owner_id, BudgetChange(release_cap=epsilon(5)))


def forbid_mechanism(connection: Any, world: Installation) -> None:
    ledger.change_budget(
        connection, world.budget_id, world.owner_id, BudgetChange(allowed_mechanisms=frozenset({"gaussian"}))
    )


def _change_grant(
    connection: Any,
    world: Installation,
    *,
    cap: Cost | None = None,
    closed: bool | None = None,
    expires_at: int | ledger.Unchanged = ledger.UNCHANGED,
) -> None:
    ledger.change_grant(
        connection,
        budget_id=world.budget_id,
        grant_id=world.grant_ids[world.analyst_ids[0], world.dataset_ids[0]],
        owner=world.owner_id,
        cap=cap,
        closed=closed,
        expires_at=expires_at,
    )


def close_grant(connection: Any, world: Installation) -> None:
    _change_grant(connection, world, closed=True)


def lower_grant(connection: Any, world: Installation) -> None:
    _change_grant(connection, world, cap=epsilon(5))


def spend_budget(connection: Any, world: Installation) -> None:
    outcome = HANDLER(connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(95))])[0]
    assert isinstance(outcome, Paid)


def spend_grant(connection: Any, world: Installation) -> None:
    outcome = HANDLER(connection, [world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(45))])[0]
    assert isinstance(outcome, Paid)


def revoke(connection: Any, world: Installation) -> None:
    from service.principals.people import revoke_principal

    revoke_principal(connection, world.analyst_ids[0], erase_name=False)


def revoke_owner(connection: Any, world: Installation) -> None:
    from service.principals.people import revoke_principal

    revoke_principal(connection, world.owner_id, erase_name=False)


def recover_owner(connection: Any, world: Installation) -> None:
    chain.lock(connection, world.owner_id)
    started = update(principals).where(principals.c.id == world.owner_id)
    connection.execute(started.values(frozen_until=now() + 1000, recovery_id="enr_x"))


def delete_dataset(connection: Any, world: Installation) -> None:
    from service.datasets.datasets import destroy

    destroy(connection, Caller(world.owner_id, Role.OWNER, "key"), world.dataset_ids[0])


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (spend_budget, errors.BudgetExhausted),
        (lower_total, errors.BudgetExhausted),
        (spend_grant, errors.GrantExhausted),
        (lower_grant, errors.GrantExhausted),
        (close_grant, errors.GrantClosed),
        (freeze, errors.BudgetFrozen),
        (cap_releases, errors.ReleaseCapExceeded),
        (forbid_mechanism, errors.MechanismNotAllowed),
        (revoke, errors.Unauthenticated),
        (revoke_owner, errors.OwnerUnavailable),
        (recover_owner, errors.OwnerUnavailable),
        (delete_dataset, errors.NotFound),
    ],
)
def test_a_debit_waits_for_an_overlapping_change_and_is_decided_on_what_that_left(
    engine: Engine, first: Callable[[Any, Installation], None], problem: type[errors.Problem]
) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    debit = world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(10))

    def pay() -> object:
        with writing(engine) as connection:
            return HANDLER(connection, [debit])[0]

    with ThreadPoolExecutor(1) as other:
        with writing(engine) as connection:
            first(connection, world)
            second = other.submit(pay)
            with pytest.raises(StillWaiting):
                second.result(timeout=0.3)
        assert isinstance(second.result(timeout=PATIENCE), problem)
    audit(engine, world.budget_id)


@pytest.mark.every(2)
@pytest.mark.parametrize("first", [spend_budget, spend_grant, freeze, close_grant])
def test_a_debit_that_waited_for_a_change_that_was_undone_is_granted(
    engine: Engine, first: Callable[[Any, Installation], None]
) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    debit = world.debit(world.analyst_ids[0], world.dataset_ids[0], epsilon(10))

    def pay() -> object:
        with writing(engine) as connection:
            return HANDLER(connection, [debit])[0]

    with ThreadPoolExecutor(1) as other:
        with engine.connect().execution_options(writes=True) as connection, connection.begin() as transaction:
            first(connection, world)
            second = other.submit(pay)
            with pytest.raises(StillWaiting):
                second.result(timeout=0.3)
            transaction.rollback()
        assert isinstance(second.result(timeout=PATIENCE), Paid)
    assert audit(engine, world.budget_id).spent == epsilon(10)


def test_a_key_cannot_pay_twice_in_two_overlapping_transactions(engine: Engine) -> None:
    world = install(engine, total=epsilon(100), data_sets=2)

    def pay() -> object:
        with writing(engine) as connection:
            return HANDLER(connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(10), key="k")])[0]

    with ThreadPoolExecutor(1) as other:
        with writing(engine) as connection:
            first = HANDLER(connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(10), key="k")])[0]
            second = other.submit(pay)
            with pytest.raises(StillWaiting):
                second.result(timeout=0.3)
        answer = second.result(timeout=PATIENCE)
    assert isinstance(first, Paid)
    assert isinstance(answer, Paid)
    assert not answer.new
    assert answer.row.id == first.row.id
    assert audit(engine, world.budget_id).spent == epsilon(10)


def test_one_key_sent_for_two_budgets_at_once_pays_for_one_and_is_refused_for_the_other(
    engine: Engine, owner_engine: Engine, writer: Writer
) -> None:
    one, two = install(engine, total=epsilon(100)), install(engine, total=epsilon(100))
    first = one.debit(one.owner_id, one.dataset_ids[0], epsilon(10), key="k", payload="one")
    other = two.debit(two.owner_id, two.dataset_ids[0], epsilon(10), payload="two")
    same_key = replace(other, principal_id=one.owner_id, key_hash=first.key_hash)
    with writing(owner_engine) as connection:
        drop_guards(connection)
        connection.execute(
            update(datasets).where(datasets.c.id == two.dataset_ids[0]).values(owner_id=one.owner_id, name="moved")
        )
    with writing(engine) as connection:
        assert isinstance(HANDLER(connection, [first])[0], Paid)
        second = writer.submit(HANDLER, same_key)
        with pytest.raises(StillWaiting):
            second.result(timeout=0.3)
    with pytest.raises(errors.IdempotencyKeyReused):
        second.result(timeout=PATIENCE)
    assert audit(engine, two.budget_id).release_count == 0


def test_crossing_batches_do_not_lock_each_other_out(engine: Engine) -> None:
    """Two batches over the same two budgets, in opposite order, many times: each finishes, and the totals are right."""
    one, two = install(engine, total=epsilon(1000)), install(engine, total=epsilon(1000))
    both = [one, two]

    def pay(order: list[Installation]) -> None:
        for _ in range(25):
            with writing(engine) as connection:
                HANDLER(connection, [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for world in order])

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(pay, order) for order in (both, both[::-1]) * 2]:
            done.result(timeout=PATIENCE)
    assert [audit(engine, world.budget_id).spent for world in both] == [epsilon(100), epsilon(100)]


def test_a_charge_of_nothing_is_booked_as_nothing(engine: Engine, writer: Writer) -> None:
    world = install(engine, total=epsilon(100))
    writer.submit(HANDLER, world.debit(world.owner_id, world.dataset_ids[0], NOTHING)).result()
    assert audit(engine, world.budget_id).spent == NOTHING


def test_an_expired_grant_stays_expired_if_the_clock_goes_back(
    engine: Engine, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = install(engine, total=epsilon(100), grant=epsilon(50), analysts=1)
    (analyst,), (dataset,) = world.analyst_ids, world.dataset_ids
    start = now()

    def at(seconds: int) -> None:
        for module in (ledger, debit_module):
            monkeypatch.setattr(module, "now", lambda: start + seconds)

    with writing(engine) as connection:
        _change_grant(connection, world, expires_at=start + 10)
    at(11)
    writer.submit(HANDLER, world.debit(world.owner_id, dataset, epsilon(1), key="by the owner")).result()
    at(0)
    with pytest.raises(errors.GrantExpired):
        writer.submit(HANDLER, world.debit(analyst, dataset, epsilon(1), key="after its end")).result()
    with writing(engine) as connection:
        ledger.change_budget(connection, world.budget_id, world.owner_id, BudgetChange(frozen=False, name="another"))
    paid = writer.submit(HANDLER, world.debit(world.owner_id, dataset, epsilon(1), key="again")).result()
    assert paid.row.created_at == start + 11, "entries are in the order of their times"
    assert paid.row.leased_until <= start + 3600, "leases follow the system's clock"
