"""Processes of the service on one database, 64 callers over sockets, one budget: never overspent, and used to the last
unit.
"""

from __future__ import annotations

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import Engine

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine
from service.schemas.principals import Role
from tests.harness.installation import audit, epsilon
from tests.harness.people import Person, person
from tests.harness.postgres import PostgresServer
from tests.harness.process import Process
from tests.harness.shared_postgres import OWNER
from tests.harness.studies import RegisteredStudy, grant, register, release

PROCESSES, CALLERS, ASKS = 4, 16, 4

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A migrated database that this module's tests share, since four processes are slow to start."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("shared") / "posterior.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        yield f"sqlite:///{path}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create_database(template=request.getfixturevalue("migrated_postgres"), owner=OWNER)
    yield server.url(name, SERVICE_ROLE)
    server.drop_database(name)


@pytest.fixture(scope="module")
def engine(url: str) -> Iterator[Engine]:
    engine = open_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def servers(url: str) -> Iterator[list[Process]]:
    """Four processes on one database, as replicas behind a load balancer are."""
    servers = [Process(url, response_time_quantum_ms="0") for _ in range(PROCESSES)]
    with contextlib.ExitStack() as stack:
        for server in servers:
            server.launch()
            stack.push(server)
        for server in servers:
            server.wait_until_ready()
        yield servers


def test_64_callers_in_four_processes_spend_one_budget_to_the_last_release(
    engine: Engine, servers: list[Process]
) -> None:
    owner, analysts = person(engine, Role.OWNER), [person(engine, Role.ANALYST) for _ in range(2)]
    study = register(servers[0].url, owner, epsilon="10")
    caps = {analyst.principal_id: cap for analyst, cap in zip(analysts, ["1.5", "20"], strict=True)}
    for analyst in analysts:
        grant(servers[0].url, study, analyst, epsilon=caps[analyst.principal_id])
    people = [owner, *analysts]

    def call(number: int) -> list[tuple[str, httpx.Response]]:
        who = people[number % len(people)]
        with who.client(servers[number % PROCESSES].url) as client:

            def answer(key: str) -> httpx.Response:
                # On a busy machine a turn of the writer can take too long, before the charge.
                while (found := release(client, study.dataset_id, key, epsilon="0.07")).status_code == 503:
                    assert found.json()["charged"] is False
                return found

            return [(who.principal_id, answer(f"{number}-{ask}")) for ask in range(ASKS)]

    with ThreadPoolExecutor(PROCESSES * CALLERS) as callers:
        answers = [answer for done in callers.map(call, range(PROCESSES * CALLERS)) for answer in done]
    codes = Counter(answer.json().get("type", "granted").rsplit("/", 1)[-1] for _, answer in answers)
    assert set(codes) == {"granted", "grant-exhausted", "budget-exhausted"}
    assert codes["granted"] == 142
    assert sum(answer.status_code == 201 for who, answer in answers if who == analysts[0].principal_id) <= 21
    assert all(answer.json()["charged"] is False for _, answer in answers if answer.status_code != 201)
    balance = audit(engine, study.budget_id)
    assert balance.release_count == codes["granted"]
    assert balance.spent == epsilon(142 * 70_000_000)


def test_one_key_sent_to_every_process_at_once_is_one_release_byte_for_byte(
    engine: Engine, servers: list[Process]
) -> None:
    owner = person(engine, Role.OWNER)
    study = register(servers[0].url, owner, epsilon="10")

    def call(number: int) -> bytes:
        return _retry_until_answered(owner, servers[number % PROCESSES].url, study, f"key-{number % 2}")

    with ThreadPoolExecutor(PROCESSES * CALLERS) as callers:
        texts = list(callers.map(call, range(PROCESSES * CALLERS)))
    assert len(set(texts)) == 2
    assert audit(engine, study.budget_id).release_count == 2


def _retry_until_answered(who: Person, url: str, study: RegisteredStudy, key: str) -> bytes:
    with who.client(url) as client:
        for _ in range(600):
            answer = release(client, study.dataset_id, key)
            if answer.status_code == 201:
                return answer.content
            assert answer.status_code == 409
            problem = answer.json()
            assert (problem["type"].rsplit("/", 1)[-1], problem["charged"], problem["retry_safe"]) == (
                "release-in-progress",
                True,
                True,
            )
            assert answer.headers["Retry-After"]
    raise AssertionError("the release never ended")
