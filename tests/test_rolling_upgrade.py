"""An update in turns: the schema first, while the released version serves, and then both versions on one database."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import create_engine, text

from migrations.rights import SERVICE_ROLE
from service.database.migration import migrate
from service.database.tables import REVISION
from tests.harness.bodies import registration, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.people import Person
from tests.harness.process import COMMAND, Process, environment
from tests.harness.released import ReleasedProcess, run_released, unpack
from tests.harness.server import problem_code
from tests.harness.shared_postgres import OWNER

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


def test_the_released_version_goes_on_while_the_schema_moves_and_beside_the_new_one(
    empty_database_url: str, tmp_path: Path
) -> None:
    owners_url, url = empty_database_url, empty_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    root = tmp_path / "released"
    admin = install_released(owners_url, url, root)
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
            assert release(other, f"beside-{number}").content == answer.content
        assert release(new, "before").content == before.content
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
        assert ask(old, owner, "GET", budget).status_code == 401
        assert ask(new, analyst, "POST", f"{path}/releases", release_body("0.01"), "after").status_code == 201
    check_ledger(url)
