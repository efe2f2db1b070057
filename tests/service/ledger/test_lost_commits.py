"""The answer to a debit's COMMIT is lost, and the retry reaches another server than the primary: no answer says that a
charge in the ledger was not made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from psycopg import sql
from sqlalchemy import select

from service.database.engine import open_engine, reading
from service.database.tables import releases
from service.datasets.cipher import commit
from service.ledger.debit import hash_idempotency_key
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.replicated import Replicated, replicated
from tests.harness.studies import RegisteredStudy, register, release
from tests.harness.thread import ServiceThread


@pytest.fixture(scope="module")
def pair() -> Iterator[Replicated]:
    with replicated(synchronous=False) as pair:
        yield pair


@pytest.fixture(scope="module")
def server(pair: Replicated) -> Iterator[ServiceThread]:
    with ServiceThread(pair.url, response_time_quantum_ms="0") as server:
        yield server


@pytest.fixture
def study(pair: Replicated, server: ServiceThread) -> Iterator[RegisteredStudy]:
    engine = open_engine(pair.url_of(pair.primary))
    with engine.begin():
        owner = person(engine, Role.OWNER)
    engine.dispose()
    study = register(server.url, owner, epsilon="900")
    yield study
    audit_engine = open_engine(pair.url_of(pair.primary))
    audit(audit_engine, study.budget_id)
    audit_engine.dispose()


def is_charged(pair: Replicated, study: RegisteredStudy, key: str) -> bool:
    engine = open_engine(pair.url_of(pair.primary))
    with reading(engine) as connection:
        query = select(releases.c.id).where(releases.c.key_hash == hash_idempotency_key(study.owner.principal_id, key))
        found = connection.execute(query).first()
    engine.dispose()
    return found is not None


def ask(server: ServiceThread, study: RegisteredStudy, key: str) -> httpx.Response:
    with study.owner.client(server.url) as client:
        return release(client, study.dataset_id, key, epsilon="0.01")


def until_settled(server: ServiceThread, study: RegisteredStudy, key: str) -> httpx.Response:
    deadline = time.monotonic() + PATIENCE
    while (answer := ask(server, study, key)).status_code != 201 and time.monotonic() < deadline:
        time.sleep(0.2)
    return answer


def to_standby(pair: Replicated) -> None:
    pair.proxy.target = pair.standby.directory


def refuse(pair: Replicated) -> None:
    pair.proxy.target = None


def make_read_only(pair: Replicated) -> None:
    pair.primary.configure(default_transaction_read_only="on")


def rename_releases(pair: Replicated, old: str = "releases", new: str = "releases_away") -> None:
    with pair.primary.connect(pair.database) as connection:
        connection.execute(sql.SQL("ALTER TABLE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))


def mend(pair: Replicated) -> None:
    pair.proxy.target = pair.primary.directory
    with pair.primary.connect(pair.database) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute("ALTER SYSTEM RESET ALL")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("ALTER TABLE IF EXISTS releases_away RENAME TO releases")
    pair.proxy.cut()


@pytest.mark.every(2)
@pytest.mark.parametrize("meets", [to_standby, refuse, make_read_only, rename_releases])
def test_a_lost_commit_is_never_denied(
    pair: Replicated, server: ServiceThread, study: RegisteredStudy, meets: Callable[[Replicated], None]
) -> None:
    assert ask(server, study, "before").status_code == 201
    pair.proxy.lose_debit(lambda: meets(pair))
    try:
        answer = ask(server, study, "lost")
        # Nor does its caller get "uncharged", when it repeats the request while the ledger cannot be read.
        repeated = [ask(server, study, key) for key in ("lost", "before") for _ in range(2)]
    finally:
        mend(pair)
    assert is_charged(pair, study, "lost")
    for told in repeated:
        assert told.status_code in {201, 500, 503}, told.text
        assert told.status_code == 201 or told.json()["charged"] is None, told.text
    assert answer.status_code == 503, answer.text
    assert (answer.json()["type"], answer.json()["charged"]) == ("/problems/outcome-unknown", None)
    again = ask(server, study, "lost")
    assert again.status_code == 201 or again.json()["charged"] is True, again.text


@pytest.mark.every(2)
@pytest.mark.parametrize("meets", [to_standby, make_read_only])
def test_a_database_that_takes_no_writes_charges_nothing_and_says_so(
    pair: Replicated, server: ServiceThread, study: RegisteredStudy, meets: Callable[[Replicated], None]
) -> None:
    meets(pair)
    pair.proxy.cut()
    try:
        answers = [ask(server, study, f"refused-{number}") for number in range(3)]
    finally:
        mend(pair)
    for number, answer in enumerate(answers):
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/database-unavailable"), answer.text
        assert answer.json()["charged"] is False
        assert not is_charged(pair, study, f"refused-{number}")


def test_a_debit_whose_commit_was_lost_finds_its_own_row_and_draws(
    pair: Replicated, server: ServiceThread, study: RegisteredStudy
) -> None:
    pair.proxy.lose_debit(lambda: None)
    answer = ask(server, study, "own")
    assert answer.status_code == 201, answer.text
    assert ask(server, study, "own").content == answer.content


def test_a_wait_for_the_standby_that_was_cancelled_is_in_doubt(
    pair: Replicated, server: ServiceThread, study: RegisteredStudy
) -> None:
    """The server then answers the COMMIT with success and a warning: the charge may be lost in a failover, so
    nothing may be drawn from it yet.
    """
    pair.primary.configure(synchronous_standby_names="nobody")
    try:
        with pair.primary.connect() as canceller, ThreadPoolExecutor(1) as caller:
            asked = caller.submit(ask, server, study, "cancelled")
            while not asked.done():
                canceller.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                time.sleep(0.05)
            answer = asked.result()
    finally:
        mend(pair)
    assert answer.status_code == 503, answer.text
    assert answer.json()["charged"] is None
    with pair.primary.connect(pair.database) as connection:
        connection.execute("UPDATE releases SET leased_until = 0 WHERE state = 'paid'")
    assert until_settled(server, study, "cancelled").status_code == 201


def made(client: httpx.Client, path: str) -> set[str]:
    return {item["id"] for item in client.get(path, params={"limit": 200}).json()["items"]}


CREATIONS: dict[str, tuple[Role, bytes, str, dict[str, object]]] = {
    "principal": (Role.ADMIN, b"INSERT INTO principals", "/v1/principals", {"role": "owner", "name": "once"}),
    "key": (Role.OWNER, b"INSERT INTO api_keys", "/v1/keys", {}),
    "budget": (
        Role.OWNER,
        b"INSERT INTO budgets",
        "/v1/budgets",
        {"accountant": "basic", "name": "once", "epsilon": "1", "delta": "0"},
    ),
    "dataset": (
        Role.OWNER,
        b"INSERT INTO datasets",
        "/v1/datasets",
        {
            "name": "once",
            "labels": ["a", "b"],
            "counts": [3, 4],
            "unit": "one person",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {
                "kind": "new",
                "budget": {"accountant": "basic", "name": "its own", "epsilon": "1", "delta": "0"},
            },
        },
    ),
}


@pytest.mark.every(2)
@pytest.mark.parametrize("what", CREATIONS)
def test_an_object_of_a_lost_commit_is_returned_and_not_created_again(
    pair: Replicated, server: ServiceThread, what: str
) -> None:
    role, sent, path, body = CREATIONS[what]
    engine = open_engine(pair.url_of(pair.primary))
    somebody = person(engine, role)
    engine.dispose()
    with somebody.client(server.url) as client:
        before = made(client, path)
        pair.proxy.lose_commit(sent)
        answer = client.post(path, json=body)
        assert answer.status_code == 201, answer.text
        assert made(client, path) - before == {answer.json()["id"]}
        if what == "key":
            headers = {"Authorization": f"Bearer {answer.json()['key']}"}
            with httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE) as new:
                assert new.get("/v1/keys").status_code == 200
        if what == "dataset":
            nonce = bytes.fromhex(answer.json()["nonce"])
            assert commit(nonce, ["a", "b"], [3, 4]) == answer.json()["commitment"]
