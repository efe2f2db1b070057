"""An update in turns: the schema first, while the released version goes on serving, and then both versions beside each
other on one database.
"""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import create_engine, text

from migrations.rights import SERVICE_ROLE
from service.database.migration import migrate
from service.database.tables import REVISION
from service.ledger.debit import MIN_LEASE_SECONDS
from tests.conftest import OWNER
from tests.harness.bodies import registration, release_body
from tests.harness.people import Person
from tests.harness.process import COMMAND, Process, environment
from tests.harness.released import ReleasedProcess, run_released, unpack

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long

CATEGORIES = 1_500
"""Enough for orders and results that are packed."""


def revision(url: str) -> str:
    engine = create_engine(url)
    with engine.connect() as connection:
        found: str = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    engine.dispose()
    return found


def ask(server: Process, who: Person, method: str, path: str, body: object = None, key: str = "") -> httpx.Response:
    headers = dict(who.headers) | ({"Idempotency-Key": key} if key else {})
    return httpx.request(method, server.url + path, json=body, headers=headers, timeout=60)


def made(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code in {200, 201}, answer.text
    body: dict[str, Any] = answer.json()
    return body


def newcomer(server: Process, admin: Person, role: str) -> Person:
    """Somebody to whom an admin of the released version gave a key."""
    principal_id = made(ask(server, admin, "POST", "/v1/principals", {"role": role, "name": role}))["id"]
    return Person(principal_id, made(ask(server, admin, "POST", "/v1/keys", {"principal_id": principal_id}))["key"])


def first_installed(owners_url: str, url: str, root: Path) -> Person:
    """An admin of the released version, which is unpacked to `root` and has its schema in the database."""
    unpack(root)
    run_released(root, "migrate", database_url=owners_url)
    assert revision(owners_url) == "0001"
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
    admin = first_installed(owners_url, url, root)
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
        public = httpx.get(f"{new.url}/v1/public/releases/{published}", timeout=60)
        assert public.status_code == 200
        assert "receipt" not in public.json()
        made(ask(new, owner, "PATCH", budget, {"low_budget_percent": 30}))
        assert made(ask(old, owner, "GET", budget))["low_budget_percent"] == 30
        spent = [made(ask(server, owner, "GET", budget))["spent"] for server in (old, new)]
        held = made(ask(new, owner, "GET", "/v1/quotas"))
        assert [held[name]["used"] for name in ("budgets", "datasets", "grants")] == [2, 2, 1]
        assert spent[0] == spent[1] == {"accountant": "basic", "epsilon": "0.12", "delta": "0"}
    check_ledger(url)


@pytest.mark.parametrize("packs", [False, True], ids=["told not to pack", "by default"])
def test_a_release_of_many_categories_of_the_new_version_meets_the_released_one(
    empty_database_url: str, tmp_path: Path, *, packs: bool
) -> None:
    """Where the new one is told not to pack, each version answers, lists and draws what the other was paid for. By
    default the released one answers with what is stored, which is no release, and draws nothing; either way everything
    is charged once, and the new one has it.
    """
    owners_url, url = empty_database_url, empty_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")
    root = tmp_path / "released"
    admin = first_installed(owners_url, url, root)
    migrate(owners_url)

    def new_process(crash_at: str = "") -> Process:
        if packs:
            return Process(url, crash_at=crash_at)
        return Process(url, crash_at=crash_at, pack_releases="false")

    with ExitStack() as running:
        old = running.enter_context(ReleasedProcess(root, url))
        owner = newcomer(old, admin, "owner")
        # Nothing was sealed when the schema moved; what the released version seals from here on opens too.
        dataset = made(ask(old, owner, "POST", "/v1/datasets", registration([7] * CATEGORIES)))
        releases = f"/v1/datasets/{dataset['id']}/releases"

        def release(server: Process, key: str) -> httpx.Response:
            return ask(server, owner, "POST", releases, release_body("0.01", CATEGORIES), key)

        def settled(server: Process, until: float) -> httpx.Response:
            """What a process answers of the release that was left undrawn, asked again until it is drawn or time is
            up.
            """
            while (answer := release(server, "undrawn")).status_code == 409 and time.monotonic() < until:
                assert answer.json()["charged"] is True
                time.sleep(0.2)
            return answer

        by_old = release(old, "by-old")
        with new_process() as new:
            by_new = release(new, "by-new")
            assert (by_old.status_code, by_new.status_code) == (201, 201), by_new.text
            assert release(new, "by-old").content == by_old.content
        with new_process(crash_at="opened") as doomed, pytest.raises(httpx.TransportError):
            release(doomed, "undrawn")
        lease_ends = time.monotonic() + MIN_LEASE_SECONDS
        by_id = ask(old, owner, "GET", f"/v1/releases/{by_new.json()['id']}")
        assert by_id.content == release(old, "by-new").content
        assert (by_id.content == by_new.content) is not packs
        assert settled(old, lease_ends + (2 if packs else 120)).status_code == (409 if packs else 201)

        new = running.enter_context(new_process())
        undrawn = settled(new, lease_ends + 120)
        assert undrawn.status_code == 201, undrawn.text
        assert release(new, "by-new").content == by_new.content
        assert packs or release(old, "undrawn").content == undrawn.content
        for server in (old, new):
            listed = made(ask(server, owner, "GET", releases))["items"]
            assert [row["mechanism"]["kind"] for row in listed] == ["simplex_geometric"] * 3
            assert {row["state"] for row in listed} == {"complete"}
            made(ask(server, owner, "GET", f"/v1/datasets/{dataset['id']}/statement"))
            spent = made(ask(server, owner, "GET", f"/v1/budgets/{dataset['budget_id']}"))["spent"]
            assert spent == {"accountant": "basic", "epsilon": "0.03", "delta": "0"}
    check_ledger(url)
