"""kill -9 of the service at every step of a release: nothing is charged twice, nothing that was paid is lost, and a
retry settles it.
"""

from __future__ import annotations

import contextlib
import signal
import time

import httpx
import pytest
from sqlalchemy import Engine, select

from service.auth import Role
from service.database.engine import reading
from service.database.tables import releases
from service.faults import CRASH_POINTS
from service.ledger.debit import MIN_LEASE_SECONDS
from tests.harness.installation import audit, epsilon
from tests.harness.people import person
from tests.harness.process import Process
from tests.harness.studies import RegisteredStudy, register, release

LEFT_BEHIND = {
    "priced": [],
    "debit-written": [],
    "debited": ["paid"],
    "opened": ["paid"],
    "drawn": ["paid"],
    "result-written": ["paid"],
    "stored": ["complete"],
}
"""The states of the releases that a crash at each step leaves."""


def _states(engine: Engine, budget_id: str) -> list[str]:
    with reading(engine) as connection:
        return list(connection.execute(select(releases.c.state).where(releases.c.budget_id == budget_id)).scalars())


def test_every_crash_point_is_tested() -> None:
    assert list(LEFT_BEHIND) == list(CRASH_POINTS)


def test_a_process_killed_at_any_step_leaves_what_a_retry_settles(engine: Engine, database_url: str) -> None:
    """One process for each step, all on one database; each is killed by its step, and one that lives on answers the
    retries.
    """
    owner = person(engine, Role.OWNER)
    studies: dict[str, RegisteredStudy] = {}
    with contextlib.ExitStack() as stack:
        doomed = {point: Process(database_url, response_grid_ms="0", crash_at=point) for point in CRASH_POINTS}
        for server in doomed.values():
            server.launch()
            stack.push(server)
        for server in doomed.values():
            server.wait_until_ready()
        for point, server in doomed.items():
            studies[point] = register(server.url, owner, epsilon="1", name=point)
            with owner.client(server.url) as client, pytest.raises(httpx.TransportError):
                release(client, studies[point].dataset_id, f"{point}-key")
            assert server.stop(signal.SIGTERM) == -signal.SIGKILL
            assert _states(engine, studies[point].budget_id) == LEFT_BEHIND[point], point
            assert audit(engine, studies[point].budget_id).release_count == len(LEFT_BEHIND[point])

    with Process(database_url, response_grid_ms="0") as server, owner.client(server.url) as client:
        deadline = time.monotonic() + MIN_LEASE_SECONDS + 120
        for point, study in studies.items():
            answer = release(client, study.dataset_id, f"{point}-key")
            while answer.status_code == 409 and time.monotonic() < deadline:
                assert answer.json()["charged"] is True
                time.sleep(0.2)
                answer = release(client, study.dataset_id, f"{point}-key")
            assert answer.status_code == 201, (point, answer.text)
            assert release(client, study.dataset_id, f"{point}-key").content == answer.content
            assert client.get(f"/v1/releases/{answer.json()['id']}").content == answer.content
            balance = audit(engine, study.budget_id)
            assert (balance.spent, balance.release_count) == (epsilon(100_000_000), 1), point
            assert _states(engine, study.budget_id) == ["complete"]


@pytest.mark.parametrize("owner_database_url", ["postgresql"], indirect=True)
def test_a_worker_killed_after_a_release_leaves_it_to_the_other_workers(engine: Engine, database_url: str) -> None:
    owner = person(engine, Role.OWNER)
    with Process(database_url, workers="2", crash_at="stored") as server, owner.client(server.url) as client:
        study = register(server.url, owner, epsilon="1")
        with pytest.raises(httpx.TransportError):
            release(client, study.dataset_id, "key")
        assert release(client, study.dataset_id, "key").status_code == 201
        assert server.process.poll() is None
    assert _states(engine, study.budget_id) == ["complete"]
    assert audit(engine, study.budget_id).release_count == 1


@pytest.mark.long
def test_what_a_crash_left_paid_and_undrawn_is_drawn_without_anybody_asking(engine: Engine, database_url: str) -> None:
    owner = person(engine, Role.OWNER)
    with Process(database_url, response_grid_ms="0", crash_at="opened") as server:
        study = register(server.url, owner, epsilon="1")
        with owner.client(server.url) as client, pytest.raises(httpx.TransportError):
            release(client, study.dataset_id, "key")
    assert _states(engine, study.budget_id) == ["paid"]
    with Process(database_url, response_grid_ms="0") as server, owner.client(server.url) as client:
        deadline = time.monotonic() + MIN_LEASE_SECONDS + 120
        while _states(engine, study.budget_id) == ["paid"]:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert release(client, study.dataset_id, "key").status_code == 201
    assert audit(engine, study.budget_id).release_count == 1
