"""Behind a pooler that assigns a server for one transaction, releases work as without it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from typer.testing import CliRunner

from migrations.rights import SERVICE_ROLE
from service.cli.main import app
from service.database.engine import open_engine
from service.schemas.principals import Role
from service.settings.settings import SettingsError
from tests.harness.commands import log_of_its_own
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.pgbouncer import pgbouncer
from tests.harness.postgres import Postgres
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.harness.shared_postgres import OWNER
from tests.harness.studies import RegisteredStudy, register, release
from tests.harness.thread import ServiceThread

pytestmark = pytest.mark.long
CALLERS, RELEASES = 16, 10_000


def release_some(url: str, study: RegisteredStudy, caller: int) -> set[int]:
    """The statuses of this caller's share of the releases."""
    with study.owner.client(url) as client:
        return {
            release(client, study.dataset_id, f"{caller}-{number}", epsilon="0.001").status_code
            for number in range(RELEASES // CALLERS)
        }


def test_ten_thousand_releases_through_pgbouncer(postgres: Postgres, migrated_postgres: str) -> None:
    name = postgres.create_database(template=migrated_postgres, owner=OWNER)
    direct = open_engine(postgres.url(name, SERVICE_ROLE))
    owner = person(direct, Role.OWNER)
    with (
        pgbouncer(postgres, name) as url,
        ServiceThread(url, database_pooled="true", response_time_quantum_ms="0") as server,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        study = register(server.url, owner, epsilon="900")
        asked = [callers.submit(release_some, server.url, study, caller) for caller in range(CALLERS)]
        assert set().union(*(each.result() for each in asked)) == {201}
    assert audit(direct, study.budget_id).release_count == RELEASES
    direct.dispose()


def test_an_undeclared_pooler_is_reported_at_the_start(postgres: Postgres, migrated_postgres: str) -> None:
    name = postgres.create_database(template=migrated_postgres, owner=OWNER)
    with pgbouncer(postgres, name) as url, log_of_its_own():
        environment = {"POSTERIOR_DATABASE_URL": url, "POSTERIOR_COUNTS_KEYS": COUNTS_KEYS}
        told = CliRunner().invoke(app, ["serve"], env=environment | {"POSTERIOR_RECEIPT_KEY": RECEIPT_KEY})
    assert isinstance(told.exception, SettingsError)
    assert "POSTERIOR_DATABASE_POOLED" in str(told.exception)
