"""Many callers in several processes on one budget: exactly the releases that fit are granted, also if processes are
killed.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import Engine, select, text

from core.accounting.accountants import Cost
from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine, reading
from service.database.migration import migrate
from service.database.rows import GrantRow, fetch_all
from service.database.tables import grants
from service.database.writer import Writer
from service.ledger.debit import Debit, DebitHandler
from tests.harness.callers import go, outcomes, start
from tests.harness.deadlines import until
from tests.harness.installation import SIGNER, Balance, Installation, audit, epsilon, install
from tests.harness.postgres import PostgresServer
from tests.harness.shared_postgres import OWNER, ROLES

PROCESSES, CALLERS = 2, 4
"""`test_concurrent_releases.py` sends 64 callers through four processes, over HTTP."""


def test_callers_in_two_processes_get_exactly_what_fits(engine: Engine, database_url: str) -> None:
    """Three budgets at once: equal costs; mixed costs, grants and two data sets; and few keys sent from all callers."""
    equal = install(engine, total=epsilon(300))
    mixed = install(engine, total=epsilon(200), grant=epsilon(30), analysts=3, data_sets=2)
    repeated = install(engine, total=epsilon(300))
    equal_debits = [equal.debit(equal.owner_id, equal.dataset_ids[0], epsilon(7)) for _ in range(60)]
    rng = random.Random(1954)
    people = [mixed.owner_id, *mixed.analyst_ids]
    mixed_debits = [
        mixed.debit(rng.choice(people), rng.choice(mixed.dataset_ids), epsilon(rng.choice([1, 2, 5, 9, 14])))
        for _ in range(100)
    ]
    repeated_debits = [
        repeated.debit(repeated.owner_id, repeated.dataset_ids[0], epsilon(7), key=f"key {n % 5}") for n in range(60)
    ]
    debits = equal_debits + mixed_debits + repeated_debits
    rng.shuffle(debits)
    said: dict[str, list[dict[str, Any]]] = {}
    for each in run(database_url, debits):
        said.setdefault(each["key"], []).append(each)

    granted = Counter(said[debit.key_hash][0].get("problem", "granted") for debit in equal_debits)
    assert granted == {"granted": 42, "budget-exhausted": 18}
    balance = audit(engine, equal.budget_id)
    assert (balance.spent, balance.release_count) == (epsilon(294), 42)

    _assert_nothing_that_fits_was_refused(
        engine, mixed, [debit for debit in mixed_debits if "problem" in said[debit.key_hash][0]]
    )
    assert audit(engine, mixed.budget_id).release_count == sum(
        "release" in said[debit.key_hash][0] for debit in mixed_debits
    )

    answers = [each for key_hash in {debit.key_hash for debit in repeated_debits} for each in said[key_hash]]
    assert (len(answers), len({each["release"] for each in answers}), sum(each["new"] for each in answers)) == (
        60,
        5,
        5,
    )
    assert audit(engine, repeated.budget_id).spent == epsilon(35)


def run(url: str, debits: list[Debit]) -> list[dict[str, Any]]:
    """All outcomes of the debits, dealt out to callers in processes that start together."""
    hands = [debits[number :: PROCESSES * CALLERS] for number in range(PROCESSES * CALLERS)]
    processes = [start(url, hands[number::PROCESSES]) for number in range(PROCESSES)]
    go(processes)
    said = list(itertools.chain.from_iterable(map(outcomes, processes)))
    assert all(process.returncode == 0 for process in processes)
    return said


def _assert_nothing_that_fits_was_refused(engine: Engine, world: Installation, refused: list[Debit]) -> None:
    """Charges only add up: a release that did not fit when it was refused does not fit at the end either."""
    rooms = _rooms(engine, world, audit(engine, world.budget_id))
    assert refused
    assert not any(debit.cost.fits(rooms[debit.grant_id]) for debit in refused)


def _rooms(engine: Engine, world: Installation, balance: Balance) -> dict[str | None, Cost]:
    """The price of one more release, by grant; None for the owner."""
    left = balance.limit.left_after(balance.spent)
    with reading(engine) as connection:
        rows = fetch_all(connection, GrantRow, select(grants).where(grants.c.id.in_(world.grant_ids.values())))
    by_grant = {row.id: left.smaller_of(row.cap.left_after(row.spent)) for row in rows}
    return by_grant | {None: left}


def test_a_killed_process_loses_nothing_that_it_said_and_its_keys_pay_once(engine: Engine, database_url: str) -> None:
    world = install(engine, total=epsilon(10**9))
    _kill_and_settle(engine, database_url, world, answers=100)


@pytest.mark.long
def test_processes_killed_at_many_moments_lose_nothing(engine: Engine, database_url: str) -> None:
    world = install(engine, total=epsilon(10**9))
    for round_number in range(12):
        _kill_and_settle(engine, database_url, world, answers=20 + 13 * round_number)


def _kill_and_settle(engine: Engine, url: str, world: Installation, *, answers: int) -> None:
    debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for _ in range(8_000)]
    before = audit(engine, world.budget_id).release_count
    process = start(url, [debits[number::8] for number in range(8)])
    go([process])
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(answers)]
    os.kill(process.pid, signal.SIGKILL)
    answered = [json.loads(line) for line in said] + outcomes(process)
    _wait_until_alone(engine)
    count = audit(engine, world.budget_id).release_count
    assert before + len(answered) <= count <= before + len(answered) + 8
    known = {each["key"]: each["release"] for each in answered}
    writer = Writer(engine)
    handler = DebitHandler(SIGNER)
    settled = [(debit, writer.submit(handler, debit)) for debit in debits[: len(answered) + 64]]
    for debit, paid in settled:
        assert known.setdefault(debit.key_hash, paid.result().row.id) == paid.result().row.id
    writer.close()
    assert audit(engine, world.budget_id).release_count == before + len(known)


def _wait_until_alone(engine: Engine) -> None:
    """Until the transactions of a killed client have ended: SQLite's end with it, PostgreSQL's with its connections."""
    if engine.dialect.name == "sqlite":
        return
    engine.dispose()
    query = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
    )

    def is_alone() -> bool:
        with reading(engine) as connection:
            return bool(connection.execute(query).scalar_one() == 1)

    until(is_alone)


@pytest.mark.long
def test_postgresql_killed_under_load_keeps_every_charge_that_was_answered() -> None:
    with PostgresServer() as server:
        server.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        name = server.create_database(owner=OWNER)
        migrate(server.url(name, OWNER))
        url = server.url(name, SERVICE_ROLE)
        engine = open_engine(url)
        world = install(engine, total=epsilon(10**9))
        paid: dict[str, str] = {}
        for _ in range(5):
            debits = [world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)) for _ in range(8_000)]
            process = start(url, [debits[number::8] for number in range(8)])
            go([process])
            assert process.stdout is not None
            said = [json.loads(process.stdout.readline()) for _ in range(200)]
            server.kill()
            server.start()
            said += outcomes(process)
            engine.dispose()
            paid |= {each["key"]: each["release"] for each in said if "release" in each}
            problems = {each["problem"] for each in said if "problem" in each}
            assert problems <= {"database-unavailable", "outcome-unknown"}
            balance = audit(engine, world.budget_id)
            assert balance.release_count >= len(paid)
            writer = Writer(engine)
            handler = DebitHandler(SIGNER)
            settled = [(debit, writer.submit(handler, debit)) for debit in debits]
            for debit, outcome in settled:
                release_id = outcome.result().row.id
                assert paid.setdefault(debit.key_hash, release_id) == release_id
            writer.close()
            assert audit(engine, world.budget_id).release_count == len(paid)
        engine.dispose()
