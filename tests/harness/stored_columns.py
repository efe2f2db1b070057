"""Changes each stored column alone and deletes rows, and observes who may do so, and what `ledger verify` and a service
on the changed database do. `ledger verify` is observed for each single row. A service is started once for each column,
changed in all rows, and for each table, without its rows.
"""

from __future__ import annotations

import asyncio
import csv
import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import psycopg
import pytest
from sqlalchemy import Column, Connection, Engine, Table, text, update
from sqlalchemy.exc import DBAPIError, NoResultFound

from migrations.rights import RIGHTS, SERVICE_ROLE
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import UnreadableError, VerificationError, keys_in
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.database.tables import metadata, releases
from service.ledger.outcomes import NOT_SIGNED
from service.ledger.verification import fault_of_installation, verify_database
from service.principals.enrolment import exchange, issue_token
from service.principals.people import create_principal
from service.principals.verification import verify_chains
from service.schemas.principals import Role
from service.settings.settings import SettingsError
from tests.harness.bodies import of_releases, querying, registration, release_body
from tests.harness.guards import drop_guards, without_guards
from tests.harness.in_process import Service, embedded, running
from tests.harness.installation import PUBLIC_KEYS
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.people import Person, person
from tests.harness.server import problem_code
from tests.harness.shared_postgres import OWNER, SharedPostgres
from tests.harness.tells_n import AS_RELEASED

RECORD: Final = Path(__file__).parents[1] / "stored_columns.csv"
"""What was observed last. The long test of tests/test_stored_columns.py writes it."""
OF_VALUES: Final = {
    "role": "CASE role WHEN 'owner' THEN 'analyst' ELSE 'owner' END",
    "accountant": "'zcdp'",
    "relation": "'add_remove'",
    "releases.kind": "'query'",
    "releases.state": "'lost'",
    "api_keys.kind": "'session'",
    "enrolments.kind": "CASE kind WHEN 'token' THEN 'recovery_code' ELSE 'token' END",
    "key_checks.kind": "CASE kind WHEN 'counts' THEN 'receipts' ELSE 'counts' END",
    "entries.kind": "'release_published'",
    "entries.created_at": "created_at + 86400",
    "principal_entries.kind": "'key_revoked'",
    "datasets.labels": '\'["none", "case"]\'',
    "datasets.attributes": "'[]'",
    "budgets.low_budget_percent": "11",
    "installation.id": "2",
    **dict.fromkeys(("charged", "listed", "history_shared", "n_is_public", "one_record_per_unit"), "flag"),
}
"""Changed values, by the column or by its name."""
TELLS_N: Final = {
    **dict.fromkeys(AS_RELEASED, "as released"),
    "datasets.commitment": "hashed",
    "entries.detail": "hashed",
    "creations.fingerprint": "hashed",
    "encrypted_counts.ciphertext": "encrypted",
}
"""How a column depends on a private number of records, unless it does not."""
_EXPONENTIAL: Final = {
    "prior": [1, 1],
    "mechanism": {"kind": "exponential", "calibration": "certified", "epsilon": "0.2", "delta": "1e-7"},
}
_RELEASE_FIELDS: Final = ("dataset_id", "principal_id", "labels", "attributes", "event", "certificate", "charged")
"""Members of a release that do not depend on its noise."""
_WORDS: Final = {
    "stored-data-altered": "fails as altered",
    "release-altered": "fails as altered",
    "release-failed": "failed",
    "release-in-progress": "waits",
    "internal-error": "internal error",
    "database-unavailable": "internal error",
}
"""How the record calls a problem that is not just refused."""
_PENDING: Final = frozenset({"preparation-pending", "computations-unavailable", "rate-limited"})
"""Problems of a busy machine."""


class Change(NamedTuple):
    """Another value in a column, or the deletion of rows."""

    table: Table
    column: Column[Any] | None

    def __str__(self) -> str:
        return f"{self.table.name}.{'(row deleted)' if self.column is None else self.column.name}"

    def statement(self, *, postgres: bool) -> str:
        """The statement of the change, which a condition can follow that begins with AND."""
        if self.column is None:
            return f"DELETE FROM {self.table.name} WHERE TRUE"  # noqa: S608  names of the schema
        value, differs = new_value(self.column, postgres=postgres), "IS DISTINCT FROM" if postgres else "IS NOT"
        column = self.column.name
        return f"UPDATE {self.table.name} SET {column} = {value} WHERE {column} {differs} ({value})"  # noqa: S608


class Observed(NamedTuple):
    """A row of the record."""

    changed_by: str
    """`service`, if the service's role may make the change in a row, or else `owner`: the owner of the tables, who
    removes triggers and constraints.
    """
    paid: str
    """The outcome of a release that was paid before the change."""
    new: str
    """The outcome of a release that is requested after the change."""
    served: str
    """How the answers to reads, repetitions and quotes differ."""
    ledger_verify: str
    """`named` or `silent`, or in how many rows of all the change is named."""
    posterior_verify: str


@dataclass(slots=True)
class World:
    """The people and objects of the installation."""

    owner: Person
    analyst: Person
    admin: Person
    asking: Person
    token: str
    grant: dict[str, Any]
    registered: dict[str, Any]
    ids: dict[str, str] = field(default_factory=dict)
    head: Any = None


class Database(Protocol):
    """A recorded installation on one kind of database."""

    directory: Path

    def owner_url(self) -> str:
        """The address of the recorded database, for the owner of its tables."""

    def service_url(self) -> str:
        """The same for the service's role."""

    @contextmanager
    def copied(self, change: Change | None) -> Iterator[str]:
        """The address of a copy for the service's role, with the change in all rows."""


def all_columns() -> list[Column[Any]]:
    return [column for table in metadata.sorted_tables for column in table.columns]


def all_changes() -> list[Change]:
    tables = metadata.sorted_tables
    return [Change(table, column) for table in tables for column in (*table.columns, None)]


def new_value(column: Column[Any], *, postgres: bool) -> str:
    """An expression of another value in one column."""
    name, table = column.name, column.table.name
    value = OF_VALUES.get(f"{table}.{name}", OF_VALUES.get(name, ""))
    kind = column.type.python_type
    if value == "flag":
        value = f"1 - {name}"
    elif not value and kind is int:
        value = f"COALESCE({name} + 1000, 1)"
    elif not value and kind is bytes:
        value = "'\\x00'" if postgres else "X'00'"
    elif not value:
        value = f"COALESCE(substr({name}, 2) || 'x', 'x')"
    return value


class SqliteCopies:
    """On SQLite: copies of a file, changed without its triggers and constraints."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._filled_database = directory / "filled.sqlite3"
        migrate(self.owner_url())

    def owner_url(self) -> str:
        return f"sqlite:///{self._filled_database}"

    def service_url(self) -> str:
        return self.owner_url()

    @contextmanager
    def copied(self, change: Change | None) -> Iterator[str]:
        path = self.directory / "copy.sqlite3"
        shutil.copy(self._filled_database, path)
        if change is not None:
            with closing(self._open_database(path)) as connection:
                triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
                found = connection.execute(triggers, [change.table.name]).fetchall()
                for name, _ in found:
                    connection.execute(f'DROP TRIGGER "{name}"')
                connection.execute(change.statement(postgres=False))
                for _, sql in found:
                    connection.execute(sql)
        yield f"sqlite:///{path}"
        for each in self.directory.glob("copy.sqlite3*"):
            each.unlink()

    @staticmethod
    def _open_database(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON", "synchronous = OFF"):
            connection.execute(f"PRAGMA {pragma}")
        return connection


class PostgresCopies:
    """On PostgreSQL: copies of a database, changed by the owner of its tables without triggers and constraints."""

    def __init__(self, directory: Path, shared: SharedPostgres) -> None:
        self.directory = directory
        self._server = shared.server
        self._filled_database = self._server.create_database(template=shared.migrated, owner=OWNER)

    def owner_url(self) -> str:
        return self._server.url(self._filled_database, OWNER)

    def service_url(self) -> str:
        return self._server.url(self._filled_database, SERVICE_ROLE)

    @contextmanager
    def copied(self, change: Change | None) -> Iterator[str]:
        name = self._server.create_database(template=self._filled_database, owner=OWNER)
        engine = open_engine(self._server.url(name, OWNER))
        if change is not None:
            with writing(engine) as connection, without_guards(connection, change.table.name):
                drop_constraints(connection)
                connection.exec_driver_sql(change.statement(postgres=True))
        engine.dispose()
        yield self._server.url(name, SERVICE_ROLE)
        self._server.drop_database(name)


def drop_constraints(connection: Connection) -> None:
    query = "SELECT conrelid::regclass, conname FROM pg_constraint WHERE contype IN ('f', 'c') AND conrelid <> 0"
    for table, name in connection.execute(text(query)).all():
        connection.exec_driver_sql(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')


async def tell(database: Database) -> World:
    """A study with a published release, query answers, an access request, a certificate, a job, and a release that is
    paid and not drawn; and another owner's.
    """
    engine = open_engine(database.owner_url())
    owner, analyst, other, asking, admin = (
        person(engine, role) for role in (Role.OWNER, Role.ANALYST, Role.OWNER, Role.ANALYST, Role.ADMIN)
    )
    with writing(engine) as connection:
        late = create_principal(connection, Role.ANALYST, "late")
        exchange(connection, issue_token(connection, late, by="admin").token, expires_at=None, recovery_days=7)
        token = issue_token(connection, create_principal(connection, Role.ANALYST, "new"), by="admin").token
    grant = {"principal_id": analyst.principal_id, "epsilon": "0.8", "delta": "1e-6"}
    world = World(owner, analyst, admin, asking, token, grant, registration([30, 40]))
    settings = embedded(database.owner_url(), database.directory / "world")
    async with running(settings) as service:
        made = await service.made(owner, "/v1/datasets", world.registered, "data")
        await service.made(other, "/v1/datasets", registration([40, 30]))
        path = f"/v1/datasets/{made['id']}"
        granted = await service.made(owner, f"{path}/grants", grant, "grant")
        release = (await service.release(analyst, made["id"], "first")).json()
        waiting = (await service.release(analyst, made["id"], "waiting")).json()
        assert (await send(service, analyst, "POST", f"{path}/releases", _EXPONENTIAL, "certified")).status == 201
        await service.send(owner, "PATCH", f"/v1/releases/{release['id']}", {"public": True})
        await service.send(owner, "PATCH", path, {"listed": True})
        wanted = {"epsilon": "0.1", "delta": "0", "purpose": "A report"}
        asked = await service.made(asking, f"{path}/access-requests", wanted, "ask")
        await service.made(owner, "/v1/keys", {}, "key")
        queries = querying({"weights": [1, 0], "half_width": 60.0})
        answers = await service.made(analyst, f"{path}/releases", queries, "queries")
        world.head = json.loads((await service.send(owner, "GET", f"/v1/budgets/{made['budget_id']}/head")).content)
        posterior = of_releases(release["id"]) | {"prior": [2, 1]}
        with pytest.MonkeyPatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            job = await service.send(analyst, "POST", "/v1/posteriors", posterior)
        assert (await send(service, analyst, "POST", "/v1/posteriors", posterior)).status == 200
    world.ids = {
        "dataset": made["id"], "budget": made["budget_id"], "grant": granted["id"], "release": release["id"],
        "request": asked["id"], "answers": answers["id"], "waiting": waiting["id"], "job": job.json()["id"],
    }  # fmt: skip
    with writing(engine) as connection, without_guards(connection, "releases"):
        undrawn = {"state": "paid", "drawn": None, "result": None, "leased_until": 0, "signature": NOT_SIGNED}
        connection.execute(update(releases).where(releases.c.id == world.ids["waiting"]).values(undrawn))
    engine.dispose()
    return world


class Answer(NamedTuple):
    """What the service answered: a status, the code of a problem or nothing, and the content."""

    status: int
    code: str
    content: bytes

    @property
    def word(self) -> str:
        """How the record calls a refusal."""
        return _WORDS.get(self.code, "refused")


async def send(service: Service, who: Person, method: str, path: str, body: object = None, key: str = "") -> Answer:
    """The answer, once what it needs is computed; it has waited long enough if that takes a minute."""
    headers = {"Idempotency-Key": key} if key else {}
    answer = Answer(0, "", b"")
    for _ in range(120):
        try:
            response = await service.send(who, method, path, body, **headers)
        except Exception:  # noqa: BLE001  any error is one of the service
            return Answer(500, "internal-error", b"")
        code = problem_code(response) if response.status_code >= 400 else ""
        answer = Answer(response.status_code, code, response.content)
        if answer.status != 202 and code not in _PENDING:
            break
        await asyncio.sleep(0.5)
    return answer


_COMPUTED_COLUMNS: Final = {
    "estimates": ("query_charges", "releases"),
    "quotes": ("jobs",),
    "posterior": ("jobs",),
}
"""Requests that need a computation process, which starts slowly, with the tables that they may depend on alone."""


async def reads(service: Service, world: World, table: str | None) -> dict[str, Answer]:
    """What the service answers without a charge, by the request: reads, and repetitions. If only one table was changed,
    computations of others are left out.
    """
    ids, owner, analyst, admin = world.ids, world.owner, world.analyst, world.admin
    data, budget, release = (
        f"/v1/datasets/{ids['dataset']}",
        f"/v1/budgets/{ids['budget']}",
        f"/v1/releases/{ids['release']}",
    )
    paths = [
        *(
            (owner, path)
            for path in (
                data,
                budget,
                f"{budget}/ledger.jsonl",
                f"/v1/grants?dataset_id={ids['dataset']}",
                f"{data}/statement",
            )
        ),
        *((owner, path) for path in ("/v1/me", "/v1/keys", "/v1/access-requests", release)),
        (owner, f"/v1/releases?dataset_id={ids['dataset']}"),
        *((analyst, path) for path in (data, release, f"/v1/releases/{ids['answers']}", "/v1/me")),
        *((analyst, path) for path in ("/v1/datasets", "/v1/grants", f"{data}/allowance")),
        *((analyst, path) for path in (f"/v1/public/releases/{ids['release']}", "/v1/public-key")),
        (admin, "/v1/principals"),
        (world.asking, f"/v1/access-requests/{ids['request']}"),
        (analyst, f"/v1/jobs/{ids['job']}"),
    ]
    found = {
        f"{who.principal_id} {path}": await send(service, who, "GET", path)
        for who, path in paths
        if table in (None, *_COMPUTED_COLUMNS.get(path.rpartition("/")[2], (table,)))
    }
    queries = querying({"weights": [1, 0], "half_width": 60.0})
    for who, path, body, key in (
        (analyst, f"{data}/releases", release_body("0.01"), "first"),
        (analyst, f"{data}/releases", queries, "queries"),
        (analyst, f"{data}/estimates", {"queries": [{"weights": [1, 0]}]}, ""),
        (analyst, f"{data}/quotes", {"kind": "queries", "queries": queries["queries"]}, "queries"),
        (analyst, f"{data}/quotes", _EXPONENTIAL, ""),
        (owner, "/v1/datasets", world.registered, "data"),
        (owner, f"{data}/grants", world.grant, "grant"),
        (owner, "/v1/keys", {}, "key"),
        (analyst, "/v1/posteriors", of_releases(ids["release"]) | {"prior": [2, 1]}, ""),
    ):
        if table in (None, *_COMPUTED_COLUMNS.get(path.rpartition("/")[2], (table,))):
            found[f"POST {path} {key}"] = await send(service, who, "POST", path, body, key)
    enrolled = await send(service, owner, "POST", "/v1/enrolments", {"token": world.token})
    found["enrolment"] = enrolled._replace(content=b"")
    return {name: each._replace(content=_stable(each.content, ids["waiting"])) for name, each in found.items()}


def _stable(content: bytes, waiting: str) -> bytes:
    """The content without what differs between two runs."""
    try:
        lines = [json.loads(line) for line in content.splitlines()]
    except ValueError:
        return content
    for line in lines:
        if isinstance(line, dict) and "summary" in line:  # a statement has the time at which it was made
            del line["created_at"]
    return json.dumps([_part_without_noise(line, waiting) for line in lines]).encode()


def _part_without_noise(part: Any, waiting: str) -> Any:
    """Without values of the release that each run draws, and without times and signatures of the answer itself."""
    if isinstance(part, dict):
        if part.get("id") == waiting:
            return None
        return {name: _part_without_noise(each, waiting) for name, each in part.items() if name not in _MOVING}
    return [_part_without_noise(each, waiting) for each in part] if isinstance(part, list) else part


_MOVING: Final = {"last_used_at", "signature", "at", "answers", "covariance", "expected_accuracy"}


def words_of_reads(before: Mapping[str, Answer], after: Mapping[str, Answer]) -> str:
    """How the record calls the difference between the answers before and after a change."""
    found = {
        "as stored" if new.status < 400 else new.word
        for name, new in after.items()
        if new != before[name] and not (new.status >= 400 and new.code == before[name].code)
    }
    return ", ".join(sorted(found)) or "same"


async def draws(service: Service, world: World, key: str) -> tuple[str, Any]:
    """How the record calls the answer to a release, and its members that do not depend on noise."""
    path = f"/v1/datasets/{world.ids['dataset']}/releases"
    answer = await send(service, world.analyst, "POST", path, release_body("0.01"), key)
    for _ in range(120):
        if answer.code != "release-in-progress":
            break
        await asyncio.sleep(0.5)  # the service itself draws what is paid, when it starts
        answer = await send(service, world.analyst, "POST", path, release_body("0.01"), key)
    if answer.status >= 400:
        return answer.word, None
    document = json.loads(answer.content)
    return "drawn", [document.get(name) for name in _RELEASE_FIELDS]


async def word_of_client(service: Service, world: World) -> str:
    """What `posterior verify --releases` reports, run by the owner as before the change."""
    export = await send(service, world.owner, "GET", f"/v1/budgets/{world.ids['budget']}/ledger.jsonl")
    keys = json.loads((await send(service, world.owner, "GET", "/v1/public-key")).content)
    if export.status >= 400:
        return "refused"
    try:
        ledger = verify_ledger(export.content, keys_in(keys), [world.head], budget_id=world.ids["budget"])
    except (VerificationError, UnreadableError):
        return "named"
    for release_id, entry in ledger.charges.items():
        kind = "queries" if entry.kind == "query_charged" else "releases"
        answer = await send(service, world.owner, "GET", f"/v1/{kind}/{release_id}")
        if answer.status == 303:  # a reader of its public text only, which has no receipt
            answer = await send(service, world.owner, "GET", f"/v1/public/releases/{release_id}")
        if answer.code == "not-found":
            return "named"
        if answer.status == 200 and list(faults_of_release(json.loads(answer.content), ledger, keys_in(keys))):
            return "named"
    return "silent"


def faults(connection: Connection) -> dict[str, str]:
    """Every fault that a pass of `ledger verify` names, by what has it."""
    found = {each.budget_id: each.fault for each in verify_database(connection, public_keys=PUBLIC_KEYS) if each.fault}
    of_installation = fault_of_installation(connection)
    named = {} if of_installation is None else {"installation": of_installation}
    return found | verify_chains(connection) | named


@contextmanager
def altering(engine: Engine, role: str = "owner") -> Iterator[Connection]:
    """A transaction of `service` or of the `owner` of the tables, who removes triggers and constraints. It is rolled
    back.
    """
    with engine.connect() as connection, connection.begin() as transaction:
        if role == "owner":
            drop_guards(connection)
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
        elif role == "owner":
            drop_constraints(connection)
        yield connection
        transaction.rollback()


def places(connection: Connection, table: Table) -> list[str]:
    """Conditions that each name one row of a table."""
    row = "rowid" if connection.dialect.name == "sqlite" else "ctid"
    query = f"SELECT CAST({row} AS TEXT) FROM {table.name}"  # noqa: S608  names of the schema
    cast = "" if row == "rowid" else "::tid"
    return [f"{row} = '{each}'{cast}" for each in connection.execute(text(query)).scalars()]


class Rows(NamedTuple):
    """The columns that a role may change in single rows."""

    is_allowed: bool
    """Whether the role may make the change in a row."""
    named: dict[str, bool]
    """Whether `ledger verify` names the change, by the place of the row. Rows that have the value are left out."""


def verify_rows(url: str, role: str, changes: list[Change]) -> dict[str, Rows]:
    """What `ledger verify` reports, for each change made by the role in one row alone."""
    found, engine = {}, open_engine(url)
    with altering(engine, role) as connection:
        assert faults(connection) == {}
        for change in changes:
            statement = change.statement(postgres=engine.dialect.name == "postgresql")
            is_allowed, named = False, {}
            for place in places(connection, change.table):
                nested = connection.begin_nested()
                try:
                    if connection.execute(text(f"{statement} AND {place}")).rowcount:
                        named[place] = bool(faults(connection))
                        is_allowed = True
                except DBAPIError as error:
                    is_allowed |= _is_of_the_value(error)
                nested.rollback()
            right = "DELETE" if change.column is None else "UPDATE"
            is_allowed &= role == "owner" or right in RIGHTS[change.table.name]  # SQLite has no rights
            found[str(change)] = Rows(is_allowed, named)
    engine.dispose()
    return found


def _is_of_the_value(error: DBAPIError) -> bool:
    """Whether a constraint refuses a value. A trigger or a missing right refuses each value."""
    if isinstance(error.orig, sqlite3.IntegrityError):
        return error.orig.sqlite_errorname != "SQLITE_CONSTRAINT_TRIGGER"
    return isinstance(error.orig, psycopg.errors.IntegrityError)


def word_of_rows(owner: Rows, service: Rows) -> str:
    """How the record calls what `ledger verify` says of a change, made in each row by either role."""
    if service.is_allowed:
        assert all(owner.named[place] is named for place, named in service.named.items())
    named = list(owner.named.values())
    assert named, "no row has another value"
    if len(set(named)) == 1:
        return "named" if named[0] else "silent"
    return f"named in {sum(named)} of {len(named)} rows"


class Behaviour(NamedTuple):
    """The behaviour of a service on a database."""

    reads: dict[str, Answer]
    client: str
    paid: tuple[str, Any]
    new: tuple[str, Any]


async def behaviour(url: str, directory: Path, world: World, table: str | None = None) -> Behaviour | None:
    """None if the service does not start. `table`: the one that was changed."""
    witness = Path(tempfile.mkdtemp(dir=directory)) / "witness"
    try:
        async with running(embedded(url, witness)) as service:
            paid = await draws(service, world, "waiting")
            found = await reads(service, world, table), await word_of_client(service, world)
            return Behaviour(*found, paid, await draws(service, world, "new"))
    except (SettingsError, NoResultFound):  # the second if the installation has no row
        return None


def measure(database: Database, changes: list[Change]) -> dict[str, Observed]:
    """Measure the effects of each change."""
    world = asyncio.run(tell(database))
    owner, service = (
        verify_rows(url, role, changes)
        for url, role in ((database.owner_url(), "owner"), (database.service_url(), "service"))
    )
    with database.copied(None) as url:
        before = asyncio.run(behaviour(url, database.directory, world))
    assert before is not None
    assert (before.paid[0], before.new[0], before.client) == ("drawn", "drawn", "silent"), before
    with database.copied(None) as url:
        again = asyncio.run(behaviour(url, database.directory, world))
    assert again is not None
    assert words_of_reads(before.reads, again.reads) == "same", [
        (name, each, again.reads[name]) for name, each in before.reads.items() if each != again.reads[name]
    ]
    found = {}
    for change in changes:
        name = str(change)
        with database.copied(change) as url:
            after = asyncio.run(behaviour(url, database.directory, world, change.table.name))
        writer, verified = "service" if service[name].is_allowed else "owner", word_of_rows(owner[name], service[name])
        row = Observed(writer, "no start", "no start", "no start", verified, "no start")
        if after is not None:
            paid, new = (
                f"{now[0]} as stored" if now[0] == old[0] == "drawn" and now[1] != old[1] else now[0]
                for now, old in ((after.paid, before.paid), (after.new, before.new))
            )
            row = Observed(writer, paid, new, words_of_reads(before.reads, after.reads), verified, after.client)
        print(name, *row, sep=" | ", file=sys.stderr, flush=True)  # noqa: T201  it takes minutes
        found[name] = row
    return found


def read_record() -> dict[str, Observed]:
    with RECORD.open(encoding="utf-8", newline="") as file:
        _, *lines = csv.reader(file)
    return {f"{table}.{column}": Observed(*words) for table, column, *words, _ in lines}


def write_record(found: Mapping[str, Observed]) -> None:
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["table", "column", *Observed._fields, "tells_n"])
        for name, row in sorted(found.items()):
            lines.writerow([*name.split("."), *row, TELLS_N.get(name, "no")])
