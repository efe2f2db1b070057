"""The network to the database stops answering, or leads to a standby for a while: callers are answered, readiness
reports it, and the process recovers and can be stopped.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from service.database.engine import open_engine
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE, until
from tests.harness.out_of_reach import put_back
from tests.harness.people import person
from tests.harness.process import Process
from tests.harness.replicated import Replicated, replicated
from tests.harness.studies import RegisteredStudy, register, release
from tests.harness.thread import ServiceThread

pytestmark = pytest.mark.long
LIMIT_SECONDS = 120


@pytest.fixture(autouse=True)
def _limits_of_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    put_back(monkeypatch)


@pytest.fixture(scope="module")
def pair() -> Iterator[Replicated]:
    with replicated(synchronous=False) as pair:
        yield pair


def start(pair: Replicated, server: Process | ServiceThread) -> RegisteredStudy:
    engine = open_engine(pair.url_of(pair.primary))
    owner = person(engine, Role.OWNER)
    engine.dispose()
    return register(server.url, owner, epsilon="900")


def ask(server: Process | ServiceThread, study: RegisteredStudy, key: str) -> httpx.Response:
    with study.owner.client(server.url) as client:
        return release(client, study.dataset_id, key, epsilon="0.01")


def readiness(server: Process | ServiceThread) -> httpx.Response:
    return httpx.get(f"{server.url}/readyz", timeout=PATIENCE)


def ready(server: Process | ServiceThread) -> int:
    return readiness(server).status_code


def test_a_silent_network_gets_503_is_reported_and_is_left(pair: Replicated) -> None:
    with ServiceThread(pair.url, response_time_quantum_ms="0") as server:
        study = start(pair, server)
        assert ask(server, study, "before").status_code == 201
        assert ready(server) == 200
        pair.proxy.fall_silent()
        try:
            with ThreadPoolExecutor(24) as callers:
                asked = [callers.submit(ask, server, study, f"silent-{number}") for number in range(20)]
                until(lambda: ready(server) == 503)
                answers = [each.result() for each in asked]
            assert {answer.status_code for answer in answers} == {503}, [answer.text for answer in answers]
            with study.owner.client(server.url) as client:
                assert client.get(f"/v1/budgets/{study.budget_id}").status_code == 503
        finally:
            pair.proxy.speak_again()
            pair.proxy.cut()
        until(lambda: ready(server) == 200)
        assert ask(server, study, "silent-0").status_code == 201


def test_a_process_whose_database_is_silent_still_stops(pair: Replicated) -> None:
    server = Process(pair.url, response_time_quantum_ms="0")
    with server:
        study = start(pair, server)
        assert ask(server, study, "before").status_code == 201
        pair.proxy.fall_silent()
        try:
            with ThreadPoolExecutor(8) as callers:
                asked = [callers.submit(ask, server, study, f"stopped-{number}") for number in range(8)]
                time.sleep(1)
                server.stop(signal.SIGTERM)
                for each in asked:
                    assert each.exception() is not None or each.result().status_code == 503
        finally:
            pair.proxy.speak_again()
            pair.proxy.cut()


@pytest.mark.parametrize("attributes", ["", "?target_session_attrs=any"])
def test_connections_that_once_led_to_a_standby_do_not_stay(pair: Replicated, attributes: str) -> None:
    """With `target_session_attrs=any` the driver takes them; with the default it refuses them."""
    with ServiceThread(pair.url + attributes, response_time_quantum_ms="0") as server:
        study = start(pair, server)
        pair.proxy.target = pair.standby.directory
        pair.proxy.cut()
        try:
            with ThreadPoolExecutor(16) as callers:
                answers = list(callers.map(lambda number: ask(server, study, f"standby-{number}"), range(64)))
            assert {answer.json()["type"] for answer in answers} <= {"/problems/database-unavailable"}
            until(lambda: ready(server) == 503)
        finally:
            pair.proxy.target = pair.primary.directory
        until(lambda: ask(server, study, "after").status_code == 201)
        with ThreadPoolExecutor(16) as callers:
            answers = list(callers.map(lambda number: ask(server, study, f"after-{number}"), range(64)))
        assert {answer.status_code for answer in answers} == {201}
        until(lambda: ready(server) == 200)
    pair.proxy.cut()


def test_asynchronous_standbys_are_reported(pair: Replicated) -> None:
    with Process(pair.url) as server:
        until(lambda: "standby" in " ".join(readiness(server).json()["notes"]))
        until(lambda: "synchronous_standby_names" in server.log.read_text())
