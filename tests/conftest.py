"""Databases for the tests: every test that asks for `database_url` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import certifi
import pytest
from hypothesis import settings

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine
from service.database.migration import migrate
from service.drawing import estimates
from service.settings.settings import PREFIX
from tests.harness.out_of_reach import put_out_of_reach
from tests.harness.postgres import Postgres
from tests.harness.programs import installed, needs_program
from tests.harness.shared_postgres import OWNER, shared_postgres

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from sqlalchemy import Engine


# The fast suite draws the same examples every time, so that it fails for a change and not by chance; the long one
# explores.
settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("repeatable")


ROOT = Path(__file__).parents[1]
SAME_ON_BOTH = (
    *(
        f"tests/service/test_{subject}.py"
        for subject in (
            "access_requests",
            "altered_database",
            "certificates",
            "ended_owner",
            "ends",
            "formats",
            "holdings",
            "installation_keys",
            "log",
            "metrics",
            "planted_counts",
            "plans",
            "quotas",
            "roles",
            "runtime",
            "shared_places",
            "transfers",
            "what_leaves",
            "written_rows",
        )
    ),
    *(
        f"tests/service/releases/test_{subject}.py"
        for subject in (
            "after_the_charge",
            "expected_accuracy",
            "payload",
            "release_over_http",
            "remembered_facts",
            "tampered_rows",
        )
    ),
    *(f"tests/service/principals/test_{subject}.py" for subject in ("enrolment", "keys", "sessions", "verification")),
    *(
        f"tests/service/ledger/test_{subject}.py"
        for subject in ("acts", "both_ways", "decided", "joint_costs", "reports_beside_releases", "verification")
    ),
    "tests/service/ledger/restore/test_lost_decisions.py",
    "tests/service/test_creations.py::test_a_",
    "tests/service/test_creations.py::test_the_",
    "tests/test_upgrade.py",
    *(
        f"tests/service/{room}/"
        for room in ("cli", "console", "datasets", "posteriors", "queries", "reports", "runtime", "web")
    ),
)
"""Tests that are long on PostgreSQL, because other fast tests run the same statements there."""


def pytest_configure() -> None:
    """SIGTERM ends the tests as an interrupt at the keyboard does: what fixtures started ends in order."""
    if moved := [path for path in SAME_ON_BOTH if not (ROOT / path.partition("::")[0]).exists()]:
        raise pytest.UsageError(f"SAME_ON_BOTH in tests/conftest.py names {moved}, which are not there")
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, object, object]:
    """Refuses a fast test that needs a program which README does not name."""
    made = yield
    for item in made if isinstance(made, list) else []:
        if needs_program(item) and not item.get_closest_marker("long"):
            raise pytest.Collector.CollectError(
                f"{item.nodeid} needs a program of tests/harness/programs.py: mark it as long"
            )
    return made


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is made here stays. To look for garbage in it takes a fourth of the time, and again during the tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks as long the tests whose result differs little between PostgreSQL and SQLite, and the cases that `every`
    leaves to the long tests.

    Where several processes share the tests, those of the core come last: they are many, short and wait for nothing, so
    that the processes end together.
    """
    cases = Counter[tuple[str, bool]]()
    for item in items:
        on_postgres = "postgres" in item.nodeid.partition("[")[2]
        if on_postgres and item.nodeid.startswith(SAME_ON_BOTH):
            item.add_marker(pytest.mark.long)
        if marker := item.get_closest_marker("every"):
            # PostgreSQL has a row of its own.
            row = item.nodeid.partition("[")[0], on_postgres
            if cases[row] % marker.args[0]:
                item.add_marker(pytest.mark.long)
            cases[row] += 1
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.nodeid.startswith("tests/core/"))


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables in the shell of the person who runs the tests must not configure a service under test."""
    for name in os.environ:
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def one_certificate(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with the first of the certificates that httpx trusts."""
    mark = "-----END CERTIFICATE-----\n"
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition(mark)
    path = tmp_path_factory.mktemp("trusted") / "one.pem"
    path.write_text(first + end, encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def _few_certificates(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, one_certificate: str) -> None:
    """Each client of httpx reads all certificates that it trusts, for plain HTTP too: 25 ms of CPU for none that a fast
    test meets. Long tests may install packages.
    """
    if not request.node.get_closest_marker("long"):
        monkeypatch.setenv("SSL_CERT_FILE", one_certificate)


@pytest.fixture(autouse=True)
def _reference_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed of this host must not change a test. Services in separate processes measure it."""
    monkeypatch.setattr(estimates, "host_factor", lambda: 1.0)


@pytest.fixture(scope="session", autouse=True)
def _limits_out_of_reach() -> Iterator[None]:
    """The other work of this host must not change a test either."""
    with pytest.MonkeyPatch.context() as patch:
        put_out_of_reach(patch)
        yield


@pytest.fixture
def curl() -> str:
    return installed("curl")


@pytest.fixture
def node() -> str:
    return installed("node")


@pytest.fixture
def promtool() -> str:
    return installed("promtool")


@pytest.fixture
def rscript() -> str:
    return installed("Rscript")


@pytest.fixture
def systemd_analyze() -> str:
    return installed("systemd-analyze")


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """The PostgreSQL cluster of this run, with the roles that an installation has."""
    return shared_postgres().server


@pytest.fixture(scope="session")
def migrated_postgres() -> str:
    """The name of a migrated database that others are copied from; nothing may connect to it."""
    return shared_postgres().migrated


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file that others are copied from."""
    path = tmp_path_factory.mktemp("migrated") / "posterior.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without a schema, on each kind in turn; on PostgreSQL for the role that runs
    migrations.
    """
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'posterior.sqlite3'}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = server.create_database(owner=OWNER)
    yield server.url(name, OWNER)
    server.drop_database(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def owner_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated, empty database, on each kind in turn; on PostgreSQL for the role that
    owns the tables.
    """
    if request.param == "sqlite":
        path = tmp_path / "posterior.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        yield f"sqlite:///{path}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    name = server.create_database(template=request.getfixturevalue("migrated_postgres"), owner=OWNER)
    yield server.url(name, OWNER)
    server.drop_database(name)


@pytest.fixture
def database_url(owner_database_url: str) -> str:
    """The address of a migrated, empty database, on each kind in turn; on PostgreSQL for the service's role."""
    return owner_database_url.replace(f"{OWNER}@", f"{SERVICE_ROLE}@")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """On a migrated, empty database, on each kind in turn."""
    engine = open_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def owner_engine(owner_database_url: str) -> Iterator[Engine]:
    """An engine of the same database as `engine`; on PostgreSQL, of the role that owns the tables."""
    engine = open_engine(owner_database_url)
    yield engine
    engine.dispose()
