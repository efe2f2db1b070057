"""The cost of measured rows on a real database, compared with brute force over pairs of cells, for any callers, batches
and processes.
"""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from core.accounting.accountants import Accountant, Cost
from core.accounting.pairwise_loss import Row
from core.privacy import Rate
from service import errors
from service.database.engine import open_engine, reading, writing
from service.datasets.cipher import KeyRing, new_key
from service.datasets.datasets import change
from service.errors import Problem
from service.identifiers.identifiers import new_id
from service.ledger import query_debit
from service.ledger.budget_changes import BudgetChange, change_budget
from service.ledger.debit import Debit, DebitHandler, Paid
from service.ledger.joint_costs import Measured
from service.ledger.query_debit import QueryDebit
from service.ledger.receipts import Receipt, parse
from service.ledger.restore.reconcile import Booked, book_receipt
from service.ledger.verification import verify_database
from service.principals.auth import Caller
from service.schemas.datasets import DatasetChange
from service.schemas.principals import Role
from tests.harness.installation import SIGNER, Installation, audit, epsilon, install
from tests.harness.ledger_faults import plant

CELLS = 4
TENTH = 100_000_000
"""In units of epsilon."""


def row(*coefficients: int, rate: int = 3 * TENTH) -> Row:
    return Row(coefficients, 1, Rate(rate))


def cell(number: int, rate: int = 3 * TENTH) -> Row:
    return row(*(int(i == number) for i in range(CELLS)), rate=rate)


def order(
    world: Installation, person: str, dataset_id: str, *rows: Row, most: Cost | None = None, key: str | None = None
) -> Debit:
    measured = Measured.of(rows, Accountant.BASIC) if rows else None
    debit = world.debit(person, dataset_id, Cost(), key=key, mechanism="linear")
    return replace(debit, release_id=new_id("qry"), query=QueryDebit(measured, most))


def joint(rows: list[Row]) -> int:
    """max over pairs of cells of Σ a |h_i - h_k|, in units."""
    pairs = combinations(range(CELLS), 2)
    return max(
        sum(each.rate.units * abs(each.coefficients[i] - each.coefficients[k]) for each in rows) for i, k in pairs
    )


def pay(engine: Engine, handler: DebitHandler, *debits: Debit) -> list[Paid | Problem]:
    with writing(engine) as connection:
        return handler(connection, debits)


def paid(outcome: Paid | Problem) -> Paid:
    assert isinstance(outcome, Paid), outcome
    return outcome


def assert_intact(engine: Engine, world: Installation) -> None:
    with reading(engine) as connection:
        [finding] = [each for each in verify_database(connection) if each.budget_id == world.budget_id]
    assert finding.fault is None, finding.fault


@pytest.mark.every(3)
@pytest.mark.parametrize("seed", range(6))
def test_budget_and_grants_pay_the_rises_of_their_own_maxima(engine: Engine, seed: int) -> None:
    rng = random.Random(seed)
    total, cap = 40 * TENTH, 20 * TENTH
    world = install(engine, total=epsilon(total), grant=epsilon(cap), analysts=2, data_sets=2)
    people = [world.owner_id, *world.analyst_ids]
    of_dataset: dict[str, list[Row]] = {each: [] for each in world.dataset_ids}
    of_grant: dict[tuple[str, str], list[Row]] = {key: [] for key in world.grant_ids}
    released, refused = 0, 0
    processes = [DebitHandler(SIGNER), DebitHandler(SIGNER)]
    for _ in range(14):
        batch = []
        for _ in range(rng.randint(1, 4)):
            person, dataset_id = rng.choice(people), rng.choice(world.dataset_ids)
            rows = [
                row(*([0] + [rng.randint(0, 3) for _ in range(CELLS - 2)] + [1]), rate=rng.randint(1, 2 * TENTH))
                for _ in range(rng.randint(0, 2))
            ]
            batch.append((person, dataset_id, rows))
        if rng.random() < 0.2:
            processes[0] = DebitHandler(SIGNER)
        debits = [order(world, person, dataset_id, *rows) for person, dataset_id, rows in batch]
        outcomes = pay(engine, rng.choice(processes), *debits)
        for (person, dataset_id, rows), outcome in zip(batch, outcomes, strict=True):
            before = sum(joint(each) for each in of_dataset.values()) + released
            cost = joint([*of_dataset[dataset_id], *rows]) - joint(of_dataset[dataset_id])
            own = of_grant.get((person, dataset_id))
            granted = cost if own is None else joint([*own, *rows]) - joint(own)
            fits = before + cost <= total and (own is None or joint(own) + granted <= cap)
            assert isinstance(outcome, Paid) is fits
            refused += not fits
            if fits:
                assert paid(outcome).row.charged == epsilon(cost)
                of_dataset[dataset_id] += rows
                if own is not None:
                    own += rows
        if rng.random() < 0.2:
            [outcome] = pay(engine, processes[0], world.debit(world.owner_id, world.dataset_ids[0], epsilon(TENTH)))
            released += TENTH if isinstance(outcome, Paid) else 0
    assert audit(engine, world.budget_id).spent == epsilon(sum(map(joint, of_dataset.values())) + released)
    with reading(engine) as connection:
        rows_of_grants = connection.execute(text("SELECT id, epsilon_spent FROM grants"))
        spent: dict[str, int] = {each.id: each.epsilon_spent for each in rows_of_grants}
    assert {key: spent[grant_id] for key, grant_id in world.grant_ids.items()} == {
        key: joint(rows) for key, rows in of_grant.items()
    }
    assert_intact(engine, world)
    assert refused or seed != 0, "the trial passes limits"


def test_two_that_would_each_be_free_after_the_other_are_not_both_free(engine: Engine) -> None:
    world = install(engine, total=epsilon(40 * TENTH))
    debits = [order(world, world.owner_id, world.dataset_ids[0], cell(0)) for _ in range(2)]
    outcomes = [paid(each) for each in pay(engine, DebitHandler(SIGNER), *debits)]
    assert [each.row.charged for each in outcomes] == [epsilon(3 * TENTH)] * 2
    free = [
        paid(each)
        for each in pay(
            engine,
            DebitHandler(SIGNER),
            *[order(world, world.owner_id, world.dataset_ids[0], cell(1)) for _ in range(2)],
        )
    ]
    assert [each.row.charged for each in free] == [epsilon(3 * TENTH)] * 2
    again = [
        paid(each)
        for each in pay(
            engine,
            DebitHandler(SIGNER),
            *[order(world, world.owner_id, world.dataset_ids[0], cell(2)) for _ in range(3)],
        )
    ]
    assert [each.row.charged for each in again] == [epsilon(0), epsilon(0), epsilon(3 * TENTH)]
    assert_intact(engine, world)


def test_a_price_that_was_prepared_holds_only_if_nothing_was_measured_since(engine: Engine) -> None:
    world = install(engine, total=epsilon(40 * TENTH))
    handler = DebitHandler(SIGNER)
    pay(engine, handler, *[order(world, world.owner_id, world.dataset_ids[0], cell(number)) for number in (0, 1)])

    def prepared(number: int) -> Debit:
        with reading(engine) as connection:
            return handler.prepared(connection, order(world, world.owner_id, world.dataset_ids[0], cell(number)))

    # Each would be free if it came first. Together they are not, in one batch or in several, here or elsewhere.
    stale = [prepared(2) for _ in range(4)]
    assert all(
        each.query and each.query.prepared and not each.query.prepared.price.cost.epsilon.units for each in stale
    )
    first, second = (paid(each) for each in pay(engine, handler, *stale[:2]))
    [third] = (paid(each) for each in pay(engine, DebitHandler(SIGNER), stale[2]))
    [fourth] = (paid(each) for each in pay(engine, handler, stale[3]))
    assert [each.row.charged.epsilon.units for each in (first, second, third, fourth)] == [0, *[3 * TENTH] * 3]
    [fifth] = (paid(each) for each in pay(engine, handler, prepared(3)))
    assert fifth.row.charged == Cost()
    assert_intact(engine, world)


def test_a_batch_prices_only_so_much_under_the_lock(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest gets a retryable refusal, uncharged, and rows that others measured meanwhile count as work too."""
    monkeypatch.setattr(query_debit, "_MOST_WORK", 2 * CELLS**2)
    world = install(engine, total=epsilon(40 * TENTH))
    handler, other = DebitHandler(SIGNER), DebitHandler(SIGNER)
    orders = [order(world, world.owner_id, world.dataset_ids[0], cell(number)) for number in range(CELLS)]
    outcomes = pay(engine, handler, *orders)
    assert [isinstance(each, errors.DatasetChanged) for each in outcomes] == [False, False, True, True]
    assert audit(engine, world.budget_id).spent == epsilon(6 * TENTH)
    assert [isinstance(each, errors.DatasetChanged) for each in pay(engine, other, orders[2])] == [True]
    with reading(engine) as connection:
        prepared = other.prepared(connection, orders[2])
    assert paid(pay(engine, other, prepared)[0]).row.charged == Cost()
    assert_intact(engine, world)


def test_a_key_pays_for_its_rows_once(engine: Engine) -> None:
    world = install(engine, total=epsilon(40 * TENTH))
    handler = DebitHandler(SIGNER)
    twice = [order(world, world.owner_id, world.dataset_ids[0], cell(0), key="k") for _ in range(2)]
    assert [paid(each).new for each in pay(engine, handler, *twice)] == [True, False]
    assert audit(engine, world.budget_id).spent == epsilon(3 * TENTH)


def test_what_was_rolled_back_leaves_no_trace_in_prices(engine: Engine) -> None:
    world = install(engine, total=epsilon(40 * TENTH))
    handler = DebitHandler(SIGNER)

    class Stop(Exception):
        pass

    def fail() -> None:
        with writing(engine) as connection:
            handler(connection, [order(world, world.owner_id, world.dataset_ids[0], cell(0))])
            raise Stop

    with pytest.raises(Stop):
        fail()
    [outcome] = pay(engine, handler, order(world, world.owner_id, world.dataset_ids[0], cell(1)))
    assert paid(outcome).row.charged == epsilon(3 * TENTH)
    assert_intact(engine, world)


def test_answers_that_measure_nothing_are_entries_of_no_charge_on_an_empty_budget(engine: Engine) -> None:
    world = install(engine, total=epsilon(3 * TENTH), grant=epsilon(3 * TENTH), analysts=1)
    (analyst,), (dataset_id,) = world.analyst_ids, world.dataset_ids
    handler = DebitHandler(SIGNER)
    assert paid(pay(engine, handler, order(world, analyst, dataset_id))[0]).row.charged == Cost()
    with reading(engine) as connection:
        assert connection.execute(text("SELECT charged FROM datasets WHERE id = :id"), {"id": dataset_id}).scalar() == 0
    assert paid(pay(engine, handler, order(world, analyst, dataset_id, cell(0)))[0]).row.charged == epsilon(3 * TENTH)
    assert paid(pay(engine, handler, order(world, analyst, dataset_id))[0]).row.charged == Cost()
    balance = audit(engine, world.budget_id)
    assert (balance.spent, balance.release_count) == (epsilon(3 * TENTH), 3)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT charged FROM datasets WHERE id = :id"), {"id": dataset_id}).scalar() == 1


def test_a_refusal_shows_an_analyst_their_own_amounts_or_none(engine: Engine) -> None:
    world = install(engine, total=epsilon(5 * TENTH), grant=epsilon(4 * TENTH), analysts=2)
    (first, second), (dataset_id,) = world.analyst_ids, world.dataset_ids
    handler = DebitHandler(SIGNER)
    [refused] = pay(engine, handler, order(world, first, dataset_id, cell(0, 5 * TENTH)))
    assert isinstance(refused, errors.GrantExhausted)
    assert refused.extra["largest_possible_charge"]["epsilon"] == "0.4"
    paid(pay(engine, handler, order(world, second, dataset_id, row(0, 1, 1, 1, rate=3 * TENTH)))[0])
    [refused] = pay(engine, handler, order(world, first, dataset_id, row(0, 1, 0, 0, rate=3 * TENTH)))
    assert isinstance(refused, errors.BudgetExhausted)
    assert refused.extra == {}
    # The other's rows make this free for the budget. The grant still pays for it, and sees only that.
    world_cost = paid(pay(engine, handler, order(world, first, dataset_id, row(0, 0, 1, 0, rate=2 * TENTH)))[0])
    assert world_cost.row.remaining == epsilon(2 * TENTH)
    [refused] = pay(engine, handler, order(world, second, dataset_id, cell(1, TENTH), most=epsilon(TENTH - 1)))
    assert isinstance(refused, errors.MaxChargeExceeded)
    assert refused.extra["would_charge"]["epsilon"] == "0.1"
    assert_intact(engine, world)


def test_grants_on_a_shared_history_pay_what_the_budget_pays(engine: Engine) -> None:
    world = install(engine, total=epsilon(40 * TENTH), grant=epsilon(20 * TENTH), analysts=2)
    (first, second), (dataset_id,) = world.analyst_ids, world.dataset_ids
    handler = DebitHandler(SIGNER)

    def granted(person: str, number: int, *, shared: bool) -> Paid | Problem:
        debit = order(world, person, dataset_id, cell(number))
        assert debit.query is not None
        debit = replace(debit, query=replace(debit.query, shared=shared))
        with reading(engine) as connection:
            debit = handler.prepared(connection, debit)
        return pay(engine, handler, debit)[0]

    for number in (0, 1):
        paid(granted(first, number, shared=False))
    assert isinstance(granted(second, 2, shared=True), errors.DatasetChanged), "the owner does not share it"
    with writing(engine) as connection:
        owner = Caller(world.owner_id, Role.OWNER, "key")
        change(connection, owner, dataset_id, DatasetChange(history_shared=True), KeyRing.parse(f"k:{new_key()}"))
    assert isinstance(granted(second, 2, shared=False), errors.DatasetChanged)
    charges = [paid(granted(second, number, shared=True)).charge for number in (2, 2)]
    assert [each.granted for each in charges if each] == [epsilon(0), epsilon(3 * TENTH)]
    assert_intact(engine, world)
    assert audit(engine, world.budget_id).spent == epsilon(9 * TENTH)


def test_a_cap_for_one_release_is_held_against_the_price_alone(engine: Engine) -> None:
    world = install(engine, total=epsilon(40 * TENTH))
    with writing(engine) as connection:
        change_budget(connection, world.budget_id, world.owner_id, BudgetChange(release_cap=epsilon(3 * TENTH)))
    handler = DebitHandler(SIGNER)
    for number in range(3):
        paid(pay(engine, handler, order(world, world.owner_id, world.dataset_ids[0], cell(number)))[0])
    [refused] = pay(engine, handler, order(world, world.owner_id, world.dataset_ids[0], cell(3, 3 * TENTH + 1)))
    assert isinstance(refused, errors.ReleaseCapExceeded), "its rise would be a single unit"


TRUTH = 12 * TENTH


def booked_after_a_restore(migrated_sqlite: Path, directory: Path) -> tuple[int, int]:
    """The amounts that budget and grant report as spent in the end.

    Rows {0}, {1}, {2}, {3} at 0.3 cost 0.3, 0.3, 0, 0. The last two are lost, booked from their receipts, and measured
    again.
    """
    live, backup = directory / "live.db", directory / "backup.db"
    shutil.copy(migrated_sqlite, live)
    engine = open_engine(f"sqlite:///{live}")
    world = install(engine, total=epsilon(40 * TENTH), grant=epsilon(40 * TENTH), analysts=1)
    (analyst,), (dataset_id,) = world.analyst_ids, world.dataset_ids
    handler = DebitHandler(SIGNER)
    pay(engine, handler, *[order(world, analyst, dataset_id, cell(number)) for number in (0, 1)])
    engine.dispose()
    shutil.copy(live, backup)
    engine = open_engine(f"sqlite:///{live}")
    lost = [paid(each) for each in pay(engine, handler, *[order(world, analyst, dataset_id, cell(n)) for n in (2, 3)])]
    assert [each.row.charged for each in lost] == [Cost(), Cost()]
    engine.dispose()
    restored = open_engine(f"sqlite:///{backup}")
    for each in lost:
        signed = json.loads(each.row.receipt)
        receipt = parse(signed, Receipt)
        with writing(restored) as connection:
            assert book_receipt(connection, receipt, signed) is Booked.CHARGED
    with writing(restored) as connection:
        connection.execute(text("UPDATE installation SET restore_pending_since = NULL"))
    # The same process continues: its cache of the lost database must not lower a price.
    for number in (2, 3):
        pay(restored, handler, order(world, analyst, dataset_id, cell(number)))
    with reading(restored) as connection:
        [finding] = verify_database(connection)
        spent = connection.execute(text("SELECT epsilon_spent FROM budgets")).scalar_one()
        granted = connection.execute(text("SELECT epsilon_spent FROM grants")).scalar_one()
        kinds = connection.execute(text("SELECT DISTINCT kind FROM releases WHERE state = 'lost'")).scalars().all()
    assert finding.fault is None
    assert kinds == ["query"]
    restored.dispose()
    return spent, granted


def test_receipts_of_forgotten_rows_book_at_least_what_is_true(migrated_sqlite: Path, tmp_path: Path) -> None:
    assert joint([cell(n) for n in (0, 1, 2, 3, 2, 3)]) == TRUTH
    assert min(booked_after_a_restore(migrated_sqlite, tmp_path)) >= TRUTH


def test_receipts_that_state_the_rise_book_less_than_is_true(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant("rises_booked_at_restore", monkeypatch.setattr)
    assert booked_after_a_restore(migrated_sqlite, tmp_path) == (TRUTH // 2, TRUTH // 2)


@pytest.mark.parametrize("variant", ["sound", "pairs_of_non_empty_cells", "max_over_data_sets"])
def test_a_planted_fault_spends_less_than_is_true(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    """The arithmetic of the figures that `test_query_audit.py` measures on a running service."""
    plant(variant, monkeypatch.setattr)
    shutil.copy(migrated_sqlite, tmp_path / "live.db")
    engine = open_engine(f"sqlite:///{tmp_path / 'live.db'}")
    world = install(engine, total=epsilon(40 * TENTH), data_sets=2, counts=(0, 0, 4, 4))
    handler, asked = DebitHandler(SIGNER), [(0, 0), (0, 0), (0, 2), (1, 0), (1, 2)]
    for wave, number in asked:
        debit = order(world, world.owner_id, world.dataset_ids[wave], cell(number))
        with reading(engine) as connection:
            paid(pay(engine, handler, handler.prepared(connection, debit))[0])
    true = sum(joint([cell(number) for of, number in asked if of == wave]) for wave in (0, 1))
    spent = audit(engine, world.budget_id).spent.epsilon.units
    assert (spent == true) if variant == "sound" else (spent < true)
    engine.dispose()
