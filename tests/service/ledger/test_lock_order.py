"""Two servers change, grant, register and release on the same budgets, and never deadlock."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from service.database.engine import open_engine, reading
from service.database.tables import datasets as table
from service.database.writer import Writer, run_each
from service.datasets import datasets
from service.datasets.cipher import KeyRing, new_key
from service.ledger import budget_changes
from service.ledger.budget_changes import BudgetChange
from service.ledger.debit import DebitHandler
from service.limits.limits import WRITES
from service.principals.auth import Caller
from service.schemas.datasets import DatasetChange, DatasetCreate
from service.schemas.principals import Role
from tests.harness.installation import SIGNER, Installation, audit, epsilon, install
from tests.harness.postgres import Postgres

RING = KeyRing.parse(f"k:{new_key()}")


def deadlocks(server: Postgres) -> int:
    time.sleep(1.2)  # statistics are counted with a delay of a second
    with server.connect() as connection:
        (count,) = connection.execute("SELECT sum(deadlocks) FROM pg_stat_database").fetchone() or (0,)
    return int(count)


def change(connection: Connection, world: Installation, percent: int) -> None:
    caller = Caller(world.owner_id, Role.OWNER, "key")
    budget_changes.change_budget(connection, world.budget_id, caller, BudgetChange(low_budget_percent=percent))


def register(connection: Connection, world: Installation, name: str) -> str:
    body = DatasetCreate.model_validate(
        {
            "name": name,
            "labels": ["a", "b"],
            "counts": [3, 4],
            "unit": "one person",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {"kind": "existing", "id": world.budget_id},
        }
    )
    caller = Caller(world.owner_id, Role.OWNER, "key")
    dataset_id = datasets.register(connection, caller, body, datasets.histogram(body), RING).dataset_id
    datasets.change(connection, caller, dataset_id, DatasetChange(counts=[4, 5]), RING)
    return dataset_id


@pytest.mark.parametrize("seconds", [5, pytest.param(60, marks=pytest.mark.long)])
def test_two_servers_never_wait_for_each_other_in_a_ring(
    postgres: Postgres, migrated_postgres: str, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    # On a busy machine those at the end of a round wait longer than the limit. That is not a ring: here they may wait.
    monkeypatch.setattr("service.database.writer.WRITES", WRITES._replace(wait_seconds=math.inf))
    name = postgres.create_database(template=migrated_postgres)
    url = postgres.url(name)
    engines = [open_engine(url) for _ in range(2)]
    worlds = [install(engines[0], total=epsilon(10**9)) for _ in range(12)]
    writers = [Writer(engine, batch_size=8) for engine in engines]
    before, rng, done = deadlocks(postgres), random.Random(12), Counter[str]()
    handlers = [DebitHandler(SIGNER) for _ in writers]
    until = time.monotonic() + seconds
    round_ = 0
    while time.monotonic() < until:
        round_ += 1
        jobs: list[tuple[str, Future[Any]]] = []
        for number in range(40):
            world = rng.choice(worlds)
            for writer, handler in zip(writers, handlers, strict=True):
                if rng.random() < 0.6:
                    debit = world.debit(world.owner_id, world.dataset_ids[0], epsilon(1))
                    jobs.append((f"paid from {world.budget_id}", writer.submit(handler, debit)))
                else:
                    acting: list[tuple[str, Callable[[Connection], Any]]] = [
                        ("changed", partial(change, world=world, percent=rng.randrange(100))),
                        ("registered", partial(register, world=world, name=f"{round_}-{number}-{id(writer)}")),
                    ]
                    what, act = rng.choice(acting)
                    jobs.append((what, writer.submit(run_each, act, alone=True)))
        for what, job in jobs:
            job.result()
            done[what] += 1
    for writer in writers:
        assert writer.close(60)
    assert deadlocks(postgres) == before
    # All answers agree with the ledgers.
    for world in worlds:
        assert audit(engines[0], world.budget_id).release_count == done[f"paid from {world.budget_id}"]
    with reading(engines[0]) as connection:
        stored = connection.execute(select(func.count()).select_from(table).where(table.c.name.like("%-%-%")))
        assert stored.scalar_one() == done["registered"]
    for engine in engines:
        engine.dispose()
    postgres.drop_database(name)
