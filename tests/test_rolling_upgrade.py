"""An update in turns: the schema first, while the released version serves, and then both versions on one database."""

from __future__ import annotations

import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import create_engine, text

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine, reading
from service.database.migration import migrate
from service.database.tables import REVISION
from tests.harness.bodies import registration, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.people import Person
from tests.harness.process import COMMAND, Process, environment
from tests.harness.released import COMMITS, ReleasedProcess, run_released, unpack
from tests.harness.server import problem_code
from tests.harness.shared_postgres import OWNER
from tests.test_migrate_waits import migrate_in_a_process

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long


def revision(url: str) -> str:
    engine = create_engine(url)
    with engine.connect() as connection:
        found: str = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    engine.dispose()
    return found


def ask(server: Process, who: Person, method: str, path: str, body: object = None, key: str = "") -> httpx.Response:
    headers = dict(who.headers) | ({"Idempotency-Key": key} if key else {})
    return httpx.request(method, server.url + path, json=body, headers=headers, timeout=PATIENCE)


def made(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code in {200, 201}, answer.text
    body: dict[str, Any] = answer.json()
    return body


def newcomer(server: Process, admin: Person, role: str) -> Person:
    """A person enrolled through the released version."""
    principal = made(ask(server, admin, "POST", "/v1/principals", {"role": role, "name": role}))
    enrolled = made(httpx.post(f"{server.url}/v1/enrolments", json={"token": principal["enrolment"]["token"]}))
    return Person(principal["id"], enrolled["key"])


def install_released(owners_url: str, url: str, root: Path, version: str = "0.1.0") -> Person:
    """An admin of the released version, which is unpacked to `root` and has its schema in the database."""
    unpack(root, version)
    run_released(root, "migrate", database_url=owners_url)
    return Person("", run_released(root, "keys", "create", "--role", "admin", database_url=url))


def check_ledger(url: str) -> None:
    done = subprocess.run(
        [COMMAND, "ledger", "verify"], env=environment(url), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def with_kind(content: bytes) -> bytes:
    """What this version answers for a text that an earlier one stored."""
    return content.replace(b"{", b'{"kind":"counts",', 1)


@pytest.mark.parametrize("version", COMMITS)
def test_the_released_version_goes_on_while_the_schema_moves_and_beside_the_new_one(
    empty_database_url: str, tmp_path: Path, version: str
) -> None:
    owners_url, url = empty_database_url, empty_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    root = tmp_path / "released"
    admin = install_released(owners_url, url, root, version)
    with ExitStack() as running:
        old = running.enter_context(ReleasedProcess(root, url))
        owner, analyst = newcomer(old, admin, "owner"), newcomer(old, admin, "analyst")
        dataset = made(ask(old, owner, "POST", "/v1/datasets", registration([7, 5])))
        releases, budget = f"/v1/datasets/{dataset['id']}/releases", f"/v1/budgets/{dataset['budget_id']}"
        grant = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
        made(ask(old, owner, "POST", f"/v1/datasets/{dataset['id']}/grants", grant))

        def release(server: Process, key: str) -> httpx.Response:
            return ask(server, analyst, "POST", releases, release_body("0.01"), key)

        before = release(old, "before")
        assert before.status_code == 201

        migrate(owners_url)

        assert revision(owners_url) == REVISION
        assert release(old, "before").content == before.content
        assert release(old, "after").status_code == 201
        made(ask(old, owner, "PATCH", budget, {"low_budget_percent": 20}))
        published = made(ask(old, analyst, "GET", releases))["items"][0]["id"]
        made(ask(old, owner, "PATCH", f"/v1/releases/{published}", {"public": True}))
        made(ask(old, owner, "POST", "/v1/datasets", registration([1, 2]) | {"name": "another"}))
        assert ask(old, admin, "GET", "/readyz").status_code == 200

        new = running.enter_context(Process(url))
        for number in range(10):
            one, other = (old, new) if number % 2 else (new, old)
            answer = release(one, f"beside-{number}")
            assert answer.status_code == 201, answer.text
            expected = with_kind(answer.content) if other is new else answer.content
            assert release(other, f"beside-{number}").content == expected
        assert release(new, "before").content == with_kind(before.content)
        public = httpx.get(f"{new.url}/v1/public/releases/{published}", timeout=PATIENCE)
        assert public.status_code == 200
        assert "receipt" not in public.json()
        made(ask(new, owner, "PATCH", budget, {"low_budget_percent": 30}))
        assert made(ask(old, owner, "GET", budget))["low_budget_percent"] == 30
        spent = [made(ask(server, owner, "GET", budget))["spent"] for server in (old, new)]
        held = made(ask(new, owner, "GET", "/v1/quotas"))
        assert [held[name]["used"] for name in ("budgets", "datasets", "grants")] == [2, 2, 1]
        assert spent[0] == spent[1] == {"accountant": "basic", "epsilon": "0.12", "delta": "0"}
    check_ledger(url)


def test_beside_the_new_version_the_released_one_draws_nothing_from_a_transferred_budget(
    empty_database_url: str, tmp_path: Path
) -> None:
    """It does not know the owner at registration, to which the counts are bound."""
    owners_url, url = empty_database_url, empty_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    root = tmp_path / "released"
    admin = install_released(owners_url, url, root, "0.2.0")
    migrate(owners_url)
    with ReleasedProcess(root, url) as old, Process(url) as new:
        owner, successor, analyst = (newcomer(old, admin, role) for role in ("owner", "owner", "analyst"))
        dataset = made(ask(old, owner, "POST", "/v1/datasets", registration([7, 5])))
        path, budget = f"/v1/datasets/{dataset['id']}", f"/v1/budgets/{dataset['budget_id']}"
        grant = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
        made(ask(old, owner, "POST", f"{path}/grants", grant))
        before = ask(old, analyst, "POST", f"{path}/releases", release_body("0.01"), "before")
        assert before.status_code == 201
        assert ask(new, admin, "DELETE", f"/v1/principals/{owner.principal_id}").status_code == 204
        to = {"principal_id": successor.principal_id}
        assert ask(new, admin, "PUT", f"{budget}/owner", to).status_code == 204

        for who in (analyst, successor):
            refused = ask(old, who, "POST", f"{path}/releases", release_body("0.01"), "after")
            assert (problem_code(refused), refused.json()["charged"]) == ("stored-data-altered", False)
        assert ask(old, analyst, "POST", f"{path}/releases", release_body("0.01"), "before").content == before.content
        assert made(ask(old, successor, "GET", budget))["spent"] == made(ask(new, successor, "GET", budget))["spent"]
        assert ask(old, successor, "GET", f"{budget}/ledger").status_code == 500, "it does not know the entry's kind"
        # It remembers a caller for a moment, and does not find the budget then.
        assert ask(old, owner, "GET", budget).status_code in (401, 404)
        assert ask(new, analyst, "POST", f"{path}/releases", release_body("0.01"), "after").status_code == 201
    check_ledger(url)


@pytest.mark.parametrize("is_read", [False, True], ids=["alone", "beside a dump"])
def test_two_migrations_from_0_2_0_at_once_beside_serving_replicas(
    empty_database_url: str,
    tmp_path: Path,
    is_read: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """Prints how long callers and migrations waited: docs/how-to/deploy.md states it."""
    url = empty_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    admin = install_released(empty_database_url, url, tmp_path / "released", "0.2.0")
    waits: list[float] = []
    migrated = threading.Event()
    with ExitStack() as running:
        replicas: list[Process] = [running.enter_context(ReleasedProcess(tmp_path / "released", url))]
        if not url.startswith("sqlite"):
            replicas.append(running.enter_context(ReleasedProcess(tmp_path / "released", url)))
        owner = newcomer(replicas[0], admin, "owner")
        data = made(ask(replicas[0], owner, "POST", "/v1/datasets", registration([7, 5])))

        def call(replica: Process) -> None:
            while not migrated.is_set():
                started = time.monotonic()
                path, key = f"/v1/datasets/{data['id']}/releases", f"{replicas.index(replica)}-{time.monotonic_ns()}"
                answer = ask(replica, owner, "POST", path, release_body("0.0001"), key)
                waits.append(time.monotonic() - started)
                assert answer.status_code == 201, answer.text

        def dump() -> None:
            engine = open_engine(empty_database_url)
            with reading(engine) as connection:
                connection.execute(text("SELECT count(*) FROM entries"))
                time.sleep(6 if is_read else 0)
            engine.dispose()

        def update() -> tuple[str, str, float]:
            started = time.monotonic()
            done = migrate_in_a_process(empty_database_url)
            return done.stdout, done.stderr, time.monotonic() - started

        with ThreadPoolExecutor(8) as threads:
            calling = [threads.submit(call, replica) for replica in replicas]
            dumping = threads.submit(dump)
            updates = [threads.submit(update) for _ in range(2)]
            results = [each.result() for each in updates]
            migrated.set()
            for each in [*calling, dumping]:
                each.result()
    assert [stdout for stdout, *_ in results] == ["The database is ready.\n"] * 2, results
    assert revision(empty_database_url) == REVISION
    slowest = sorted(waits)[-3:]
    print(f"migrations took {[round(each[2], 1) for each in results]} s; {len(waits)} requests, slowest {slowest} s")  # noqa: T201
