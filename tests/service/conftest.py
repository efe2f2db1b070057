"""A running service on each database, and the people and objects of its tests."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from migrations.rights import SERVICE_ROLE
from service.identifiers.identifiers import now, timestamp
from tests.harness.bodies import registration
from tests.harness.server import Party, Server, own_keys, using, without_posteriors
from tests.harness.shared_postgres import OWNER
from tests.harness.studies import RegisteredStudy
from tests.harness.thread import ServiceThread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.harness.postgres import Postgres

COUNTS = [7_300_427_311, 913_377_551]
"""Counts that nothing else in the suite looks like: `server` searches all that came out for a trace of them."""


def start_on_sqlite(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceThread]:
    directory = tmp_path_factory.mktemp("service")
    shutil.copy(migrated_sqlite, directory / "posterior.sqlite3")
    with ServiceThread(f"sqlite:///{directory / 'posterior.sqlite3'}", log=directory / "log", **own_keys()) as service:
        yield service


def start_on_postgres(
    postgres: Postgres, migrated_postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceThread]:
    database_url = postgres.url(postgres.create_database(template=migrated_postgres, owner=OWNER), SERVICE_ROLE)
    with ServiceThread(database_url, log=tmp_path_factory.mktemp("service") / "log", **own_keys()) as service:
        yield service


sqlite_service = pytest.fixture(scope="session", name="sqlite_service")(start_on_sqlite)
postgres_service = pytest.fixture(scope="session", name="postgres_service")(start_on_postgres)


@pytest.fixture(scope="module")
def sqlite_server(sqlite_service: ServiceThread) -> Iterator[Server]:
    yield from _server_of_a_file(sqlite_service)


@pytest.fixture(scope="module")
def postgres_server(postgres_service: ServiceThread) -> Iterator[Server]:
    yield from _server_of_a_file(postgres_service)


def _server_of_a_file(service: ServiceThread) -> Iterator[Server]:
    os.truncate(service.log, 0)
    database_url = service.environment["POSTERIOR_DATABASE_URL"]
    with using(service, database_url.replace(f"{SERVICE_ROLE}@", f"{OWNER}@")) as server:
        yield server
        assert_counts_stayed_in(server)


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Server:
    """A service on each database in turn, shared by all tests of this process: each makes its own principals and data
    sets. Each file has its own admin, log and transcript. A file that changes the service for a while, or counts all
    that it holds, starts its own by `serving`.
    """
    running: Server = request.getfixturevalue(f"{request.param}_server")
    return running


def assert_counts_stayed_in(server: Server) -> None:
    for text in (server.log.read_text(), *map(without_posteriors, server.transcript)):
        assert not any(str(count) in text for count in COUNTS), text[:2000]


@pytest.fixture
def admin(server: Server) -> Party:
    return server.admin


@pytest.fixture
def owner(server: Server) -> Party:
    return server.new("owner")


@pytest.fixture
def analyst(server: Server) -> Party:
    return server.new("analyst")


def dataset_body(**changes: Any) -> dict[str, Any]:
    """A data set of two categories on a new budget, with counts that tests search for in all output."""
    return registration(COUNTS, labels=["case", "none"], unit="one child") | changes


@dataclass(frozen=True, slots=True)
class Study(RegisteredStudy):
    """A data set with a budget of ε = 1, and an analyst who may spend half of it."""

    owner: Party
    analyst: Party
    grant_id: str

    def budget(self) -> dict[str, Any]:
        body: dict[str, Any] = self.owner.get(f"/v1/budgets/{self.budget_id}").json()
        return body

    def ledger(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.owner.get(f"/v1/budgets/{self.budget_id}/ledger", limit=1000).json()[
            "items"
        ]
        return entries

    def spent(self) -> str:
        """The ε that the budget reports as spent; the ledger must agree."""
        charged = [entry["amount"]["epsilon"] for entry in self.ledger() if entry["kind"] == "release_charged"]
        spent: str = self.budget()["spent"]["epsilon"]
        assert abs(sum(map(float, charged)) - float(spent)) < 1e-9
        return spent


@pytest.fixture
def study(owner: Party, analyst: Party) -> Study:
    return make_study(owner, analyst)


def make_study(owner: Party, analyst: Party, **changes: Any) -> Study:
    dataset = owner.post("/v1/datasets", dataset_body(**changes)).json()
    grant = owner.post(
        f"/v1/datasets/{dataset['id']}/grants",
        {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "1e-6"},
    ).json()
    return Study(owner, dataset["id"], dataset["budget_id"], analyst, grant["id"])


def end_grant(study: Study) -> None:
    """Give the study's grant an end, and wait for it."""
    end = now() + 2
    assert study.owner.patch(f"/v1/grants/{study.grant_id}", {"expires_at": timestamp(end)}).status_code == 200
    while now() < end:
        time.sleep(0.05)


_STANDING_STUDIES: dict[tuple[httpx.Client, str], Study] = {}
"""By the client of a file, which is closed at its end."""


def _shared_study(server: Server, what: str, **changes: Any) -> Study:
    if (server.http, what) not in _STANDING_STUDIES:
        _STANDING_STUDIES[server.http, what] = make_study(server.new("owner"), server.new("analyst"), **changes)
    return _STANDING_STUDIES[server.http, what]


@pytest.fixture
def standing(server: Server) -> Study:
    """A study shared by tests whose every request is refused, and which therefore leave it as it is."""
    return _shared_study(server, "standing")


@pytest.fixture
def small(server: Server) -> Study:
    """A study like `standing`, with few enough records to enumerate every candidate."""
    return _shared_study(server, "small", counts=[7, 5])
