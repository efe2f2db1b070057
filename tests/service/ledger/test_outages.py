"""A full disk and a lost database: every answer is true about the charge, and a retry resolves an unknown outcome."""

from __future__ import annotations

import contextlib
import resource
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Engine, select

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine, reading
from service.database.migration import migrate
from service.database.tables import releases
from service.ledger.debit import hash_idempotency_key
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE
from tests.harness.installation import audit, epsilon
from tests.harness.people import Person, person
from tests.harness.postgres import PostgresServer
from tests.harness.process import Process
from tests.harness.shared_postgres import OWNER, ROLES
from tests.harness.studies import RegisteredStudy, register, release

CENT = 10_000_000
"""The charge of each release here, in units of epsilon."""


def _ask(client: httpx.Client, study: RegisteredStudy, key: str) -> httpx.Response:
    return release(client, study.dataset_id, key, epsilon="0.01")


def _settle(client: httpx.Client, study: RegisteredStudy, key: str, before: httpx.Response | None) -> None:
    """Sends the request again until it is answered; earlier answers must have been true."""
    deadline = time.monotonic() + PATIENCE
    answer = _ask(client, study, key)
    while answer.status_code != 201 and time.monotonic() < deadline:
        time.sleep(0.2)
        answer = _ask(client, study, key)
    assert answer.status_code == 201, answer.text
    if before is not None and before.status_code == 201:
        assert answer.content == before.content


def test_a_full_disk_refuses_with_the_truth_and_room_on_it_lets_the_retry_through(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    path = tmp_path / "posterior.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    engine = open_engine(f"sqlite:///{path}")
    owner = person(engine, Role.OWNER)
    with Process(f"sqlite:///{path}", response_time_quantum_ms="0") as server, owner.client(server.url) as client:
        study = register(server.url, owner, epsilon="10")
        assert _ask(client, study, "before").status_code == 201
        unlimited = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        refused = [_ask(client, study, f"during-{number}") for number in range(3)]
        during = audit(engine, study.budget_id)
        made = [client.post("/v1/keys", json={}, headers=named) for named in ({}, {"Idempotency-Key": "another-key"})]
        changed = client.patch(f"/v1/budgets/{study.budget_id}", json={"name": "new"}, headers={"Idempotency-Key": "k"})
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert [answer.status_code for answer in refused] == [503] * 3
        assert during.release_count == 1
        for answer in refused:
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.json()["charged"] in (False, None)
            assert answer.json()["retry_safe"] is True
        for answer, is_named in zip([*made, changed], (False, True, False), strict=True):
            # A caller who sent no idempotency key is not asked to repeat it.
            assert answer.status_code == 503, answer.text
            assert ("Idempotency-Key" in answer.json()["detail"]) == is_named
            assert answer.json()["retryable"] == is_named
            assert answer.json()["charged"] is (None if is_named else False)
        for number, answer in enumerate(refused):
            _settle(client, study, f"during-{number}", answer)
    assert audit(engine, study.budget_id).spent == epsilon(4 * CENT)
    engine.dispose()


SMALL_DISK = 'mount -t tmpfs -o size=6m tmpfs "$0" && cp "$1" "$0" && shift && exec "$@"'
"""Mounts a small disk where the first argument says, for itself alone, puts the file of the second on it, and becomes
the command of the rest.
"""


@pytest.mark.long
def test_nothing_takes_effect_on_a_full_disk_and_readiness_says_so(migrated_sqlite: Path, tmp_path: Path) -> None:
    before, disk = tmp_path / "posterior.sqlite3", tmp_path / "disk"
    before.write_bytes(migrated_sqlite.read_bytes())
    disk.mkdir()
    owner = person(f"sqlite:///{before}", Role.OWNER)
    alone = ("unshare", "--mount", "--map-root-user", "sh", "-c", SMALL_DISK, str(disk), str(before))
    url = f"sqlite:///{disk / before.name}"
    with Process(url, started_by=alone, log=tmp_path / "log") as server, owner.client(server.url) as client:
        study = register(server.url, owner, epsilon="10")
        assert _ask(client, study, "before").status_code == 201
        # Only the process sees the disk.
        seen = Path(f"/proc/{server.process.pid}/root{disk}")
        with (seen / "all the room").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1024))
        during = [_ask(client, study, f"during-{number}") for number in range(40)]
        after = next(number for number, answer in enumerate(during) if answer.status_code != 201)
        changed = client.patch(f"/v1/budgets/{study.budget_id}", json={"name": "new"})
        made = client.post("/v1/keys", json={})
        for answer in (*during[after:], changed, made):
            if answer.status_code == 409:  # there was room for the charge, and then none for its result
                assert (answer.json()["type"], answer.json()["charged"]) == ("/problems/release-in-progress", True)
            else:
                assert (answer.json()["type"], answer.json()["charged"]) == ("/problems/database-unavailable", False)
        assert _becomes(client, 503)
        (seen / "all the room").unlink()
        assert _becomes(client, 200)
        for number, answer in enumerate(during):
            _settle(client, study, f"during-{number}", answer)
        assert client.get(f"/v1/budgets/{study.budget_id}").json()["spent"]["epsilon"] == "0.41"


def _becomes(client: httpx.Client, status: int) -> bool:
    """Whether readiness has this status soon, and for a while."""
    deadline = time.monotonic() + PATIENCE
    while client.get("/readyz").status_code != status and time.monotonic() < deadline:
        time.sleep(0.1)
    seen = set[int]()
    for _ in range(10):
        time.sleep(0.1)
        seen.add(client.get("/readyz").status_code)
    return seen == {status}


@pytest.fixture
def own_postgres() -> Iterator[tuple[PostgresServer, str]]:
    """A cluster that the test may kill, and the service's address in it."""
    with PostgresServer() as server:
        server.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        name = server.create_database(owner=OWNER)
        migrate(server.url(name, OWNER))
        yield server, server.url(name, SERVICE_ROLE)


def _hammer(
    url: str, owner: Person, study: RegisteredStudy, number: int, stop: threading.Event
) -> dict[str, httpx.Response | None]:
    """Releases under new keys until `stop` is set; the answer to each key, None without one."""
    answers: dict[str, httpx.Response | None] = {}
    with owner.client(url) as client:
        while not stop.is_set():
            key = f"caller-{number}-{len(answers)}"
            try:
                answers[key] = _ask(client, study, key)
            except httpx.TransportError:
                answers[key] = None
            if (answer := answers[key]) is None or answer.status_code != 201:
                stop.wait(0.1)
    return answers


def _assert_true(engine: Engine, answers: dict[str, httpx.Response | None], study: RegisteredStudy) -> None:
    """The answers during an outage agree with the ledger after it, key by key."""
    audit(engine, study.budget_id)
    with reading(engine) as connection:
        paid = set(
            connection.execute(select(releases.c.key_hash).where(releases.c.budget_id == study.budget_id)).scalars()
        )
    for key, answer in answers.items():
        if answer is None:
            continue
        assert answer.status_code in (201, 409, 503), answer.text
        charged = True if answer.status_code == 201 else answer.json()["charged"]
        is_paid = hash_idempotency_key(study.owner.principal_id, key) in paid
        assert charged in (None, is_paid), (
            f"{key}: paid is {is_paid}, and the answer was {answer.status_code} {answer.text}"
        )
        assert answer.status_code == 201 or answer.json()["retry_safe"] is True


@pytest.mark.long
@pytest.mark.parametrize("outages", [pytest.param(1, id="once"), pytest.param(6, id="often")])
def test_postgresql_killed_under_load_leaves_true_answers_and_settles_by_retries(
    own_postgres: tuple[PostgresServer, str], outages: int
) -> None:
    cluster, url = own_postgres
    engine = open_engine(url)
    owner = person(engine, Role.OWNER)
    with Process(url, response_time_quantum_ms="0") as server:
        study = register(server.url, owner, epsilon="900")
        answers: dict[str, httpx.Response | None] = {}
        for outage in range(outages):
            stop = threading.Event()
            with ThreadPoolExecutor(8) as callers:
                hammering = [
                    callers.submit(_hammer, server.url, owner, study, 8 * outage + number, stop) for number in range(8)
                ]
                time.sleep(1.5)
                cluster.kill()
                time.sleep(0.5)
                cluster.start()
                time.sleep(1.5)
                stop.set()
                for done in hammering:
                    answers |= done.result()
            engine.dispose()
            _assert_true(engine, answers, study)
        with owner.client(server.url) as client:
            assert any(answer is not None and answer.status_code == 503 for answer in answers.values())
            for key, before in answers.items():
                if before is None or before.status_code != 201 or hash(key) % 8 == 0:
                    _settle(client, study, key, before)
        assert audit(engine, study.budget_id).release_count == len(answers)
    engine.dispose()
