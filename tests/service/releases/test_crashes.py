"""kill -9 of the service at every step of a release and of measuring queries: nothing is charged twice, nothing paid is
lost, and a retry completes it.
"""

from __future__ import annotations

import contextlib
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psutil
import pytest
from sqlalchemy import Engine, select, update

from service.database.engine import reading, writing
from service.database.tables import releases
from service.schemas.principals import Role
from service.settings.faults import CRASH_POINTS
from tests.harness.bodies import querying, release_body
from tests.harness.deadlines import PATIENCE, until
from tests.harness.installation import audit
from tests.harness.people import Person, person
from tests.harness.process import Process
from tests.harness.studies import RegisteredStudy, register

AT_ONCE = {
    "priced": [],
    "debit-written": [],
    "debited": ["paid"],
    "sent": ["paid"],
    "drawn": ["paid"],
    "composed": ["paid"],
    "outcome-written": ["paid"],
    "stored": ["complete"],
}
"""The states of the releases that a crash at each step leaves, if the answer is composed at once."""
AFTER_THE_VALUES = {"drawn": ["paid"], "outcome-written": ["paid"], "drawn-stored": ["drawn"], "composed": ["drawn"]}
"""The same if the drawn values are stored first."""
LEFT_BEHIND = {
    "releases": AT_ONCE,
    "wide": {"drawn-stored": ["drawn"], "stored": ["complete"]},
    "margins": AT_ONCE,
    "queries": {each: AT_ONCE[each] for each in ("debit-written", "debited", "sent", "stored")} | AFTER_THE_VALUES,
}
"""By the kind of request: the steps that it is killed at."""
every_kind = pytest.mark.parametrize("kind", LEFT_BEHIND)


CATEGORIES = {"releases": 2, "wide": 600, "margins": 4, "queries": 2}
TABLE = [{"name": name, "levels": ["no", "yes"]} for name in ("smoker", "ill")]
MARGINS = {"all": 1, "epsilon": "0.5"}


def ask(client: httpx.Client, study: RegisteredStudy, kind: str, key: str) -> httpx.Response:
    bodies = {"queries": querying({"weights": [1, 0], "half_width": 15.0}), "margins": MARGINS}
    body = bodies.get(kind) or release_body(categories=CATEGORIES[kind])
    path = f"/v1/datasets/{study.dataset_id}/releases"
    while True:
        answer = client.post(path, json=body, headers={"Idempotency-Key": key})
        if answer.status_code != 503 or answer.json()["type"] != "/problems/preparation-pending":
            return answer
        time.sleep(0.5)


def study_of(url: str, owner: Person, kind: str, name: str = "study") -> RegisteredStudy:
    attributes: list[dict[str, Any]] | None = TABLE if kind == "margins" else None
    return register(url, owner, epsilon="1", name=name, counts=(400,) * CATEGORIES[kind], attributes=attributes)


def charged(answer: httpx.Response, kind: str) -> str:
    """The ε that the answer says was charged."""
    body = answer.json()
    return str(body["measured"][0]["rate"] if kind == "queries" else body["charged"]["epsilon"])


def _states(engine: Engine, budget_id: str) -> list[str]:
    with reading(engine) as connection:
        return list(connection.execute(select(releases.c.state).where(releases.c.budget_id == budget_id)).scalars())


def end_leases(engine: Engine) -> None:
    """Some time later: releases left by a killed process are drawn by the next process that looks."""
    with writing(engine) as connection:
        connection.execute(update(releases).values(leased_until=0))


def hold_leases(engine: Engine) -> None:
    """No other process draws what a killed one left, however long the test takes."""
    with writing(engine) as connection:
        connection.execute(update(releases).values(leased_until=int(time.time()) + 3600))


def test_every_crash_point_is_tested() -> None:
    assert {point for points in LEFT_BEHIND.values() for point in points} == set(CRASH_POINTS)


@pytest.mark.long
@every_kind
def test_a_process_killed_at_any_step_leaves_what_a_retry_settles(engine: Engine, database_url: str, kind: str) -> None:
    """One process for each step, all on one database; each is killed by its step, and one that lives on answers the
    retries. On PostgreSQL it serves beside the others from the beginning.
    """
    owner = person(engine, Role.OWNER)
    studies: dict[str, RegisteredStudy] = {}
    survivor = Process(database_url, response_time_quantum_ms="0")
    with contextlib.ExitStack() as lasting, contextlib.ExitStack() as stack:
        if engine.dialect.name != "sqlite":
            lasting.enter_context(survivor)
        doomed = {
            point: Process(database_url, response_time_quantum_ms="0", fault=f"crash:{point}")
            for point in LEFT_BEHIND[kind]
        }
        for server in doomed.values():
            server.launch()
            stack.push(server)
        for server in doomed.values():
            server.wait_until_ready()
        for point, server in doomed.items():
            studies[point] = study_of(server.url, owner, kind, point)
            with owner.client(server.url) as client, pytest.raises(httpx.TransportError):
                ask(client, studies[point], kind, f"{point}-key")
            assert server.stop(signal.SIGTERM) == -signal.SIGKILL
            assert _states(engine, studies[point].budget_id) == LEFT_BEHIND[kind][point], point
            assert audit(engine, studies[point].budget_id).release_count == len(LEFT_BEHIND[kind][point])
            hold_leases(engine)

        end_leases(engine)
        if not survivor.url:
            lasting.enter_context(survivor)
        client = lasting.enter_context(owner.client(survivor.url))
        deadline = time.monotonic() + PATIENCE
        for point, study in studies.items():
            answer = ask(client, study, kind, f"{point}-key")
            while answer.status_code == 409 and time.monotonic() < deadline:
                assert answer.json()["charged"] is True
                time.sleep(0.2)
                answer = ask(client, study, kind, f"{point}-key")
            assert answer.status_code == 201, (point, answer.text)
            assert ask(client, study, kind, f"{point}-key").content == answer.content
            assert client.get(f"/v1/releases/{answer.json()['id']}").content == answer.content
            balance = audit(engine, study.budget_id)
            assert (str(balance.spent.epsilon), balance.release_count) == (charged(answer, kind), 1), point
            assert _states(engine, study.budget_id) == ["complete"]


@pytest.mark.parametrize("owner_database_url", ["postgresql"], indirect=True)
def test_a_worker_killed_after_a_release_leaves_it_to_the_other_workers(engine: Engine, database_url: str) -> None:
    owner = person(engine, Role.OWNER)
    with Process(database_url, workers="2", fault="crash:stored") as server, owner.client(server.url) as client:
        study = register(server.url, owner, epsilon="1")
        with pytest.raises(httpx.TransportError):
            ask(client, study, "releases", "key")
        assert ask(client, study, "releases", "key").status_code == 201
        assert server.process.poll() is None
    assert _states(engine, study.budget_id) == ["complete"]
    assert audit(engine, study.budget_id).release_count == 1


@pytest.mark.long
@every_kind
def test_what_was_paid_and_left_by_a_crash_is_drawn_in_the_background(
    engine: Engine, database_url: str, kind: str
) -> None:
    owner = person(engine, Role.OWNER)
    with Process(database_url, response_time_quantum_ms="0", fault="crash:sent") as server:
        study = study_of(server.url, owner, kind)
        with owner.client(server.url) as client, pytest.raises(httpx.TransportError):
            ask(client, study, kind, "key")
    assert _states(engine, study.budget_id) == ["paid"]
    with Process(database_url, response_time_quantum_ms="0") as server, owner.client(server.url) as client:
        until(lambda: _states(engine, study.budget_id) != ["paid"])
        assert ask(client, study, kind, "key").status_code == 201
    assert audit(engine, study.budget_id).release_count == 1


EXPONENTIAL = {"prior": [1e6] * 600, "mechanism": {"kind": "exponential_global", "epsilon": "0.004", "delta": "1e-6"}}
"""A draw that takes about a second at 600 categories."""


def _draw_processes(server: Process) -> list[psutil.Process]:
    found = list[psutil.Process]()
    for each in psutil.Process(server.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if {"service.drawing", "draw"}.intersection(each.cmdline()):
                found.append(each)
    return found


def _settled_response(client: httpx.Client, path: str, body: object, key: str) -> httpx.Response:
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = client.post(path, json=body, headers={"Idempotency-Key": key})
        if answer.status_code not in (409, 503) or time.monotonic() > deadline:
            return answer
        time.sleep(0.1)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["resident", "long"])
def test_a_draw_process_that_is_killed_fails_what_it_drew_and_nothing_else(
    engine: Engine, database_url: str, kind: str
) -> None:
    """kill -9 of the resident before, in and after a draw, and of a long draw in it."""
    owner = person(engine, Role.OWNER)
    fault = "slow_draws:1" if kind == "resident" else ""
    with (
        Process(database_url, response_time_quantum_ms="0", fault=fault) as server,
        owner.client(server.url) as client,
    ):
        categories = 2 if kind == "resident" else 600
        study = register(server.url, owner, epsilon="10", counts=(400,) * categories, delta="1e-3")
        path = f"/v1/datasets/{study.dataset_id}/releases"
        body = release_body() if kind == "resident" else EXPONENTIAL
        first = _settled_response(client, path, body, "first")
        assert first.status_code == 201, first.text
        waiting = _draw_processes(server)  # none of them was sent anything
        for each in waiting:
            each.kill()
        psutil.wait_procs(
            waiting, timeout=PATIENCE
        )  # what is sent to a process that still ends is lost, and stays charged
        second = _settled_response(client, path, body, "second")
        assert second.status_code == 201, second.text
        before = _processor_seconds(server)
        with ThreadPoolExecutor(1) as threads:
            drawing = threads.submit(_settled_response, client, path, body, "third")
            _wait_until_one_draws(server, before)
            drawn = _draw_processes(server)
            for each in drawn:
                each.kill()
            failed = drawing.result()
        psutil.wait_procs(drawn, timeout=PATIENCE)
        assert failed.json()["type"] == "/problems/release-failed", failed.text
        assert _settled_response(client, path, body, "third").json() == failed.json()
        assert _settled_response(client, path, body, "fourth").status_code == 201
        assert _settled_response(client, path, body, "first").content == first.content
    assert sorted(_states(engine, study.budget_id)) == ["complete", "complete", "complete", "failed"]
    assert audit(engine, study.budget_id).release_count == 4


def _processor_seconds(server: Process) -> dict[int, float]:
    """The processor time of each draw process, by its id."""
    seconds = dict[int, float]()
    for each in _draw_processes(server):
        with contextlib.suppress(psutil.NoSuchProcess):
            seconds[each.pid] = each.cpu_times().user
    return seconds


def _wait_until_one_draws(server: Process, before: dict[int, float]) -> None:
    """Wait until a draw process has computed 0.1 s longer than before the order.

    A process that did not wait for orders then is measured from when it is first seen.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for pid, seconds in _processor_seconds(server).items():
            if seconds - before.setdefault(pid, seconds) >= 0.1:
                return
        time.sleep(0.01)
    raise AssertionError("no draw process computes")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["resident", "long"])
def test_sigterm_lets_draws_reach_their_tick_and_the_next_start_draws_the_rest(
    engine: Engine, database_url: str, kind: str
) -> None:
    owner = person(engine, Role.OWNER)
    grid, keys = "1000" if kind == "resident" else "60000", [f"key-{number}" for number in range(8)]
    with Process(database_url, response_time_quantum_ms=grid) as server:
        study = register(server.url, owner, epsilon="10")
        path = f"/v1/datasets/{study.dataset_id}/releases"
        with owner.client(server.url) as client, ThreadPoolExecutor(len(keys)) as threads:
            asked = [
                threads.submit(client.post, path, json=release_body(), headers={"Idempotency-Key": each})
                for each in keys
            ]
            while _states(engine, study.budget_id) != ["paid"] * len(keys):
                time.sleep(0.01)
            server.process.send_signal(signal.SIGTERM)
            answers = [each.result() for each in asked]
        assert server.process.wait(timeout=PATIENCE) == 0, "it stopped in order, on the signal"
    if kind == "resident":
        assert [each.status_code for each in answers] == [201] * len(keys), "their ticks came within the grace"
        assert _states(engine, study.budget_id) == ["complete"] * len(keys)
    else:
        assert {each.json()["type"] for each in answers} == {"/problems/release-in-progress"}
        assert _states(engine, study.budget_id) == ["paid"] * len(keys), "nothing of them was seen"
    end_leases(engine)
    with Process(database_url, response_time_quantum_ms="0") as server, owner.client(server.url) as client:
        for key, answer in zip(keys, answers, strict=True):
            again = _settled_response(client, path, release_body(), key)
            assert again.status_code == 201
            assert kind == "long" or again.content == answer.content
    assert audit(engine, study.budget_id).release_count == len(keys)
