"""The compose file's order of events, run on a real PostgreSQL without containers: roles, migrations, service, first
key.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy.engine import make_url

from tests.conftest import OWNER
from tests.test_deployment_files import REQUIRED, SERVICES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.harness.postgres import PostgresServer

KEY = base64.b64encode(bytes(range(32))).decode()
SECRETS = {
    "POSTGRES_OWNER_PASSWORD": "owner",
    "POSTGRES_SERVICE_PASSWORD": "service",
    "POSTERIOR_COUNTS_KEYS": f"v1:{KEY}",
    "POSTERIOR_RECEIPT_KEY": KEY,
}
PROGRAM = [sys.executable, "-c", "from service.cli.main import main; main()"]


def environment(container: str, server: PostgresServer, database: str, directory: Path) -> dict[str, str]:
    """The container's variables with the secrets given, on `server` and below `directory`."""
    given = {
        name: REQUIRED.sub(lambda found: SECRETS[found["name"]], value)
        for name, value in SERVICES[container]["environment"].items()
    }
    role = make_url(given["POSTERIOR_DATABASE_URL"]).username
    assert role
    given["POSTERIOR_DATABASE_URL"] = server.url(database, role)
    if "POSTERIOR_WITNESS_FILE" in given:
        given["POSTERIOR_WITNESS_FILE"] = str(directory / "witness")
    return {"PATH": os.environ["PATH"]} | given


@contextmanager
def serving(variables: dict[str, str]) -> Iterator[str]:
    """The address of a service started as its container starts it, on a free port."""
    with subprocess.Popen(
        [*PROGRAM, "serve"], env=variables | {"POSTERIOR_PORT": "0"}, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        try:
            first = process.stderr.readline()
            found = re.search(r"http://\S+", first)
            assert found, first + process.stderr.read()
            yield found[0]
        finally:
            process.terminate()
            process.stderr.read()


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[str]:
    name = postgres.create_database(owner=OWNER)
    yield name
    postgres.drop_database(name)


def test_roles_migrations_service_and_first_key_come_up_in_this_order(
    postgres: PostgresServer, database: str, tmp_path: Path
) -> None:
    migrate, service = (environment(container, postgres, database, tmp_path) for container in ("migrate", "service"))
    early = subprocess.run([*PROGRAM, "serve"], env=service, capture_output=True, text=True, check=False)
    assert early.returncode != 0
    assert "private-posterior migrate" in early.stderr

    subprocess.run([*PROGRAM, *SERVICES["migrate"]["command"]], env=migrate, capture_output=True, check=True)
    created = subprocess.run(
        [*PROGRAM, "keys", "create", "--role", "admin"], env=service, capture_output=True, text=True, check=True
    )
    with (
        serving(service) as address,
        httpx.Client(base_url=address, transport=httpx.HTTPTransport(retries=20), timeout=60) as client,
    ):
        assert client.get("/readyz").status_code == 200
        answer = client.get("/v1/principals", headers={"Authorization": f"Bearer {created.stdout.strip()}"})
        assert answer.status_code == 200
        assert [principal["role"] for principal in answer.json()["items"]] == ["admin"]


def test_the_service_refuses_to_migrate_with_its_own_role(
    postgres: PostgresServer, database: str, tmp_path: Path
) -> None:
    variables = environment("service", postgres, database, tmp_path)
    done = subprocess.run([*PROGRAM, "migrate"], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "InsufficientPrivilege" in done.stderr


@pytest.mark.parametrize("missing", ["POSTERIOR_COUNTS_KEYS", "POSTERIOR_RECEIPT_KEY"])
def test_without_a_key_the_service_does_not_start(
    postgres: PostgresServer, migrated_postgres: str, tmp_path: Path, missing: str
) -> None:
    name = postgres.create_database(template=migrated_postgres, owner=OWNER)
    variables = environment("service", postgres, name, tmp_path)
    del variables[missing]
    done = subprocess.run(
        [*PROGRAM, "serve"], env=variables | {"POSTERIOR_PORT": "0"}, capture_output=True, text=True, check=False
    )
    postgres.drop_database(name)
    assert done.returncode != 0
    assert missing in done.stderr
    assert KEY not in done.stderr
