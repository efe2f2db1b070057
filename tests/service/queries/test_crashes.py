"""kill -9 of the service at every step of measuring: nothing is charged twice, paid queries are measured, and a retry
completes them.
"""

from __future__ import annotations

import contextlib
import signal
import time

import httpx
import pytest
from sqlalchemy import Engine, select, update

from service.auth import Role
from service.database.engine import reading, writing
from service.database.tables import releases
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.process import Process
from tests.harness.studies import RegisteredStudy, register

pytestmark = pytest.mark.long

LEFT_BEHIND = {
    "debit-written": [],
    "debited": ["paid"],
    "sent": ["paid"],
    "drawn": ["paid"],
    "drawn-stored": ["drawn"],
    "composed": ["drawn"],
    "stored": ["complete"],
}
"""The states of the releases that a crash at each step leaves."""
QUERIES = [{"weights": [1, 0], "half_width": 15.0}]


def states(engine: Engine, budget_id: str) -> list[str]:
    with reading(engine) as connection:
        return list(connection.execute(select(releases.c.state).where(releases.c.budget_id == budget_id)).scalars())


def ask(client: httpx.Client, study: RegisteredStudy, key: str) -> httpx.Response:
    path = f"/v1/datasets/{study.dataset_id}/queries"
    return client.post(path, json={"queries": QUERIES}, headers={"Idempotency-Key": key})


def test_a_process_killed_at_any_step_leaves_what_a_retry_settles(engine: Engine, database_url: str) -> None:
    owner = person(engine, Role.OWNER)
    studies: dict[str, RegisteredStudy] = {}
    with contextlib.ExitStack() as stack:
        doomed = {point: Process(database_url, response_time_quantum_ms="0", crash_at=point) for point in LEFT_BEHIND}
        for server in doomed.values():
            server.launch()
            stack.push(server)
        for server in doomed.values():
            server.wait_until_ready()
        for point, server in doomed.items():
            studies[point] = register(server.url, owner, epsilon="1", name=point)
            with owner.client(server.url) as client, pytest.raises(httpx.TransportError):
                ask(client, studies[point], f"{point}-key")
            assert server.stop(signal.SIGTERM) == -signal.SIGKILL
            assert states(engine, studies[point].budget_id) == LEFT_BEHIND[point], point

    with writing(engine) as connection:
        connection.execute(update(releases).values(leased_until=0))  # as after a while
    with Process(database_url, response_time_quantum_ms="0") as server, owner.client(server.url) as client:
        deadline = time.monotonic() + 120
        for point, study in studies.items():
            answer = ask(client, study, f"{point}-key")
            while answer.status_code == 409 and time.monotonic() < deadline:
                assert answer.json()["charged"] is True
                time.sleep(0.2)
                answer = ask(client, study, f"{point}-key")
            assert answer.status_code == 201, (point, answer.text)
            assert ask(client, study, f"{point}-key").content == answer.content
            assert client.get(f"/v1/queries/{answer.json()['id']}").content == answer.content
            [row] = answer.json()["measured"]
            balance = audit(engine, study.budget_id)
            assert balance.release_count == 1, point
            assert str(balance.spent.epsilon) == row["rate"], point
            assert states(engine, study.budget_id) == ["complete"]


def test_paid_queries_left_by_a_crash_are_measured_in_the_background(engine: Engine, database_url: str) -> None:
    owner = person(engine, Role.OWNER)
    with Process(database_url, response_time_quantum_ms="0", crash_at="sent") as server:
        study = register(server.url, owner, epsilon="1")
        with owner.client(server.url) as client, pytest.raises(httpx.TransportError):
            ask(client, study, "key")
    assert states(engine, study.budget_id) == ["paid"]
    with Process(database_url, response_time_quantum_ms="0") as server, owner.client(server.url) as client:
        deadline = time.monotonic() + 180
        while states(engine, study.budget_id) == ["paid"]:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert ask(client, study, "key").status_code == 201
    assert audit(engine, study.budget_id).release_count == 1
