# ruff: noqa: E501  the texts of the page
"""Changes each stored column alone, and observes who may write it, and what a service on the changed database does with
it. `python -m tests.harness.stored_columns` writes docs/reference/stored-columns.md from what it observes on SQLite.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, NamedTuple, Protocol

import psycopg
import pytest
from sqlalchemy import Column, Connection, text, update
from sqlalchemy.exc import DBAPIError

from migrations.rights import RIGHTS, SERVICE_ROLE
from private_posterior.verification.ledgers import verify_ledger
from private_posterior.verification.releases import faults_of_release
from private_posterior.verification.signatures import UnreadableError, VerificationError, keys_in
from service.database.engine import open_engine, reading, writing
from service.database.migration import migrate
from service.database.tables import metadata, releases
from service.ledger.outcomes import NOT_SIGNED
from service.ledger.verification import verify_database
from service.principals.enrolment import exchange, issue_token
from service.principals.people import create_principal
from service.principals.verification import verify_chains
from service.schemas.principals import Role
from service.settings.settings import SettingsError
from tests.harness.bodies import registration, release_body
from tests.harness.guards import without_guards
from tests.harness.in_process import Service, embedded, running
from tests.harness.installation import PUBLIC_KEYS
from tests.harness.out_of_reach import NOBODY_WAITS
from tests.harness.people import Person, person
from tests.harness.server import problem_code
from tests.harness.shared_postgres import OWNER, SharedPostgres
from tests.harness.tells_n import AS_RELEASED

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "stored-columns.md"
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
    "principal_entries.kind": "'key_revoked'",
    "datasets.labels": '\'["none", "case"]\'',
    "datasets.attributes": "'[]'",
    "budgets.low_budget_percent": "11",
    "installation.id": "2",
    **dict.fromkeys(("charged", "listed", "history_shared", "n_is_public", "one_record_per_unit"), "flag"),
}
"""Changed values, by the column or by its name."""
INTRODUCTION: Final = """# Stored columns

What happens if a person who can write the database changes a stored column. `python -m tests.harness.stored_columns`
changes one column at a time, in all rows of a small installation, starts the service on it, and writes the tables from
what it observes. A test repeats that on SQLite and on PostgreSQL.

- **Changed by**: `service`, if the service's role on PostgreSQL may change a stored value; `owner`, if only the owner
  of the tables can, after removing a trigger. On SQLite, who can write the file is both.
- **Paid release**: a release that was paid before the change and not drawn. **New release**: one that is asked for
  after it. `drawn`: as without the change; `drawn as stored`: with the changed value in its answer.
- **Served**: what the service answers to reads, repetitions and quotes. `same`: every answer is the same; `as stored`:
  one has the changed value.
- `fails as altered`: `stored-data-altered` or `release-altered`; `failed`: the paid release has failed and stays
  charged; `refused`: another problem; `no start`: the service does not start.
- **ledger verify** and **posterior verify** (with `--releases`, by the owner): `named`, `silent`, or `refused` if the owner
  can't read the ledger.

- **Tells n**: whether the column depends on a number of records that is private: `no`; `as released`: it has noisy
  counts, or what follows from them; `encrypted`: each count takes eight bytes; `hashed`: with the owner's nonce or a
  secret of the service, of 256 bits each, so nobody can try numbers. `tests/test_stored_columns.py` compares every column
  of an installation with a table of 3 records and of one with 12 720 799 345.

The sentences say what harm is left where `ledger verify` is silent. The [threat
model](../explanation/guarantees.md#who-is-trusted-with-what) names who can do it.
"""
OF_CHANGES: Final = ("Changed by", "Paid release", "New release", "Served", "ledger verify", "posterior verify")
COLUMNS: Final = (*OF_CHANGES, "Tells n")
TELLS_N: Final = {
    **dict.fromkeys(AS_RELEASED, "as released"),
    "datasets.commitment": "hashed",
    "entries.detail": "hashed",
    "creations.fingerprint": "hashed",
    "encrypted_counts.ciphertext": "encrypted",
}
"""Whether a column depends on a private number of records, unless it is `no`."""
HARM: Final = {
    "access_requests": (
        "People read another state, amount or text of a request. An approval gives nothing without its grant, whose "
        "entry names the request."
    ),
    "api_keys": (
        "Without the trigger, a key acts longer than it should, or another secret opens it, and only the acts of the "
        "principal show it. A key whose `kind` became `key` needs no confirmation. `prefix`, times and issuer only mislead "
        "the people who read them."
    ),
    "budgets": (
        "`name`, `created_at` and `created_nanoseconds` mislead the people who read them. `stored_bytes` changes a quota "
        "of storage."
    ),
    "creations": (
        "A repetition is refused, creates a second object, or returns its object without the secret. Rows of 0.1.0 do "
        "not bind `subject_id`: a repetition returns the object that they name."
    ),
    "datasets": "`name`, `created_at` and `created_nanoseconds` mislead the people who read them.",
    "encrypted_counts": "Changed or deleted counts are lost, and paid releases from them have failed. No entry holds counts.",
    "enrolments": (
        "Without the trigger, a token or a code works longer than it should, or for another secret. Its exchange is an "
        "entry of the principal."
    ),
    "grants": "The times mislead the people who read them. `stored_bytes` changes a quota of storage.",
    "holdings": "An owner has another quota of objects.",
    "hourly_spending": "The chart of spending shows an amount in another hour, or another number of releases.",
    "installation": (
        "`restore_pending_since` stops all releases, or lets them go on after a restore that was not accounted for. "
        "Entries still show the restore."
    ),
    "jobs": "A changed job is lost, and computed again when it is requested. Its times are not signed.",
    "key_checks": "A changed check value keeps the service from starting. Without its row, the service starts with other keys, which open none of the counts.",
    "principal_names": "A changed name misleads an owner about an analyst.",
    "principals": "`created_at` and `created_nanoseconds` mislead the people who read them.",
    "public_texts": "A text under another release is not found, or fails as altered. Texts and times are not missed if deleted.",
    "query_charges": "`budget_id` is read by lists of free answers alone.",
    "releases": (
        "A release marked `lost` or `failed` is no longer served, and one set back to `paid` without triggers is drawn again "
        "where no witness knows its answer: several draws for one charge. `leased_until` delays a draw."
    ),
    "spending": "Reports split what was spent otherwise by data set, principal or kind. Only the sum is compared.",
}
"""The harm that is left in each table, if `ledger verify` is silent on one of its columns."""
BUDGETS: Final = 2
_EXPONENTIAL: Final = {
    "prior": [1, 1],
    "mechanism": {"kind": "exponential", "calibration": "certified", "epsilon": "0.2", "delta": "1e-7"},
}
_OF_RELEASE: Final = ("dataset_id", "principal_id", "labels", "attributes", "event", "certificate", "charged")
"""Members of a release that do not depend on its noise."""
_WORDS: Final = {
    "stored-data-altered": "fails as altered",
    "release-altered": "fails as altered",
    "release-failed": "failed",
    "release-in-progress": "waits",
    "internal-error": "internal error",
    "database-unavailable": "internal error",
}
"""How the page calls a problem that is not just refused."""
_PENDING: Final = frozenset({"queries-pending", "certificate-pending", "computations-unavailable", "rate-limited"})
"""Problems of a busy machine."""


class Observed(NamedTuple):
    """A row of the page."""

    changed_by: str
    paid: str
    new: str
    served: str
    ledger_verify: str
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
    def copied(self, column: Column[Any] | None) -> Iterator[str]:
        """The address of a copy for the service's role, with another value in the column."""

    def is_guarded(self, column: Column[Any]) -> bool:
        """Whether the service's role is refused a change of the column."""


def all_columns() -> list[Column[Any]]:
    return [column for table in metadata.sorted_tables for column in table.columns]


def changed(column: Column[Any], *, postgres: bool = False) -> str:
    """The statement that gives all rows another value in one column."""
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
    return f"UPDATE {table} SET {name} = {value}"  # noqa: S608  names of the schema


class SqliteCopies:
    """On SQLite: copies of a file, changed without its triggers and constraints."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._filled = directory / "filled.sqlite3"
        migrate(self.owner_url())

    def owner_url(self) -> str:
        return f"sqlite:///{self._filled}"

    def service_url(self) -> str:
        return self.owner_url()

    @contextmanager
    def copied(self, column: Column[Any] | None) -> Iterator[str]:
        path = self.directory / "copy.sqlite3"
        shutil.copy(self._filled, path)
        if column is not None:
            with closing(self._opened(path)) as connection:
                triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
                found = connection.execute(triggers, [column.table.name]).fetchall()
                for name, _ in found:
                    connection.execute(f'DROP TRIGGER "{name}"')
                connection.execute(changed(column))
                for _, sql in found:
                    connection.execute(sql)
        yield f"sqlite:///{path}"
        for each in self.directory.glob("copy.sqlite3*"):
            each.unlink()

    def is_guarded(self, column: Column[Any]) -> bool:
        with closing(self._opened(self._filled)) as connection:
            connection.execute("BEGIN")
            try:
                connection.execute(changed(column))
            except sqlite3.IntegrityError:
                return True
            finally:
                connection.execute("ROLLBACK")
        return "UPDATE" not in RIGHTS[column.table.name]

    @staticmethod
    def _opened(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON", "synchronous = OFF"):
            connection.execute(f"PRAGMA {pragma}")
        return connection


class PostgresCopies:
    """On PostgreSQL: copies of a database, changed by the owner of its tables without triggers and constraints."""

    def __init__(self, directory: Path, shared: SharedPostgres) -> None:
        self.directory = directory
        self._server = shared.server
        self._filled = self._server.create_database(template=shared.migrated, owner=OWNER)

    def owner_url(self) -> str:
        return self._server.url(self._filled, OWNER)

    def service_url(self) -> str:
        return self._server.url(self._filled, SERVICE_ROLE)

    @contextmanager
    def copied(self, column: Column[Any] | None) -> Iterator[str]:
        name = self._server.create_database(template=self._filled, owner=OWNER)
        engine = open_engine(self._server.url(name, OWNER))
        if column is not None:
            with writing(engine) as connection, without_guards(connection, column.table.name):
                drop_constraints(connection)
                connection.exec_driver_sql(changed(column, postgres=True))
        engine.dispose()
        yield self._server.url(name, SERVICE_ROLE)
        self._server.drop_database(name)

    def is_guarded(self, column: Column[Any]) -> bool:
        engine = open_engine(self._server.url(self._filled, SERVICE_ROLE))
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql(changed(column, postgres=True))
                connection.rollback()
        except DBAPIError as error:
            # A constraint refuses this value, and not each value.
            return not isinstance(error.orig, psycopg.errors.IntegrityError)
        finally:
            engine.dispose()
        return False


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
        queries = {"queries": [{"weights": [1, 0], "half_width": 60.0}]}
        answers = await service.made(analyst, f"{path}/queries", queries, "queries")
        world.head = json.loads((await service.send(owner, "GET", f"/v1/budgets/{made['budget_id']}/head")).content)
        posterior = f"/v1/releases/{release['id']}/posterior"
        with pytest.MonkeyPatch.context() as hurried:
            hurried.setattr(*NOBODY_WAITS)
            job = await service.send(analyst, "POST", posterior, {"prior": [2, 1]})
        assert (await send(service, analyst, "POST", posterior, {"prior": [2, 1]})).status == 200
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
        """How the page calls a refusal."""
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


_COMPUTED: Final = {
    "history": ("query_charges", "releases"),
    "query-quotes": ("query_charges", "releases"),
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
        *((owner, path) for path in (data, budget, f"{budget}/ledger.jsonl", f"{data}/grants", f"{data}/statement")),
        *((owner, path) for path in ("/v1/me", "/v1/keys", f"{data}/access-requests", release, f"{data}/releases")),
        *((analyst, path) for path in (data, release, f"/v1/queries/{ids['answers']}", f"{data}/history", "/v1/me")),
        *((analyst, path) for path in ("/v1/datasets", f"/v1/grants/{ids['grant']}", f"{data}/allowance")),
        *((analyst, path) for path in (f"/v1/public/releases/{ids['release']}", "/v1/public-key")),
        *((admin, path) for path in ("/v1/principals", f"/v1/principals/{analyst.principal_id}")),
        (world.asking, f"/v1/access-requests/{ids['request']}"),
        (analyst, f"/v1/jobs/{ids['job']}"),
    ]
    found = {
        f"{who.principal_id} {path}": await send(service, who, "GET", path)
        for who, path in paths
        if table in (None, *_COMPUTED.get(path.rpartition("/")[2], (table,)))
    }
    queries = {"queries": [{"weights": [1, 0], "half_width": 60.0}]}
    for who, path, body, key in (
        (analyst, f"{data}/releases", release_body("0.01"), "first"),
        (analyst, f"{data}/queries", queries, "queries"),
        (analyst, f"{data}/query-quotes", queries, ""),
        (analyst, f"{data}/quotes", _EXPONENTIAL, ""),
        (owner, "/v1/datasets", world.registered, "data"),
        (owner, f"{data}/grants", world.grant, "grant"),
        (owner, "/v1/keys", {}, "key"),
        (analyst, f"{release}/posterior", {"prior": [2, 1]}, ""),
    ):
        if table in (None, *_COMPUTED.get(path.rpartition("/")[2], (table,))):
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
    return json.dumps([_without_noise(line, waiting) for line in lines]).encode()


def _without_noise(part: Any, waiting: str) -> Any:
    """Without values of the release that each run draws, and without times and signatures of the answer itself."""
    if isinstance(part, dict):
        if part.get("id") == waiting:
            return None
        return {name: _without_noise(each, waiting) for name, each in part.items() if name not in _MOVING}
    return [_without_noise(each, waiting) for each in part] if isinstance(part, list) else part


_MOVING: Final = {"last_used_at", "signature", "at", "from_history", "covariance"}


def words_of_reads(before: Mapping[str, Answer], after: Mapping[str, Answer]) -> str:
    """How the page calls the difference between the answers before and after a change."""
    found = {
        "as stored" if new.status < 400 else new.word
        for name, new in after.items()
        if new != before[name] and not (new.status >= 400 and new.code == before[name].code)
    }
    return ", ".join(sorted(found)) or "same"


async def draws(service: Service, world: World, key: str) -> tuple[str, Any]:
    """How the page calls the answer to a release, and its members that do not depend on noise."""
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
    return "drawn", [document.get(name) for name in _OF_RELEASE]


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


def is_named(url: str) -> bool:
    """Whether `ledger verify` reports a fault of the database as it is now."""
    engine = open_engine(url)
    try:
        with reading(engine) as connection:
            findings = verify_database(connection, public_keys=PUBLIC_KEYS)
            return any(each.fault for each in findings) or len(findings) != BUDGETS or bool(verify_chains(connection))
    except (ValueError, LookupError, TypeError, DBAPIError):
        return True
    finally:
        engine.dispose()


class Behaviour(NamedTuple):
    """What a service does on a database."""

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
    except SettingsError:
        return None


def measure(database: Database, columns: list[Column[Any]]) -> dict[str, Observed]:
    """What is observed of each column."""
    world = asyncio.run(tell(database))
    with database.copied(None) as url:
        before = asyncio.run(behaviour(url, database.directory, world))
        assert not is_named(url)
    assert before is not None
    assert (before.paid[0], before.new[0], before.client) == ("drawn", "drawn", "silent"), before
    with database.copied(None) as url:
        again = asyncio.run(behaviour(url, database.directory, world))
    assert again is not None
    assert words_of_reads(before.reads, again.reads) == "same", [
        (name, each, again.reads[name]) for name, each in before.reads.items() if each != again.reads[name]
    ]
    found = {}
    for column in columns:
        with database.copied(column) as url:
            verified = "named" if is_named(url) else "silent"
            after = asyncio.run(behaviour(url, database.directory, world, column.table.name))
        writer = "owner" if database.is_guarded(column) else "service"
        row = Observed(writer, "no start", "no start", "no start", verified, "no start")
        if after is not None:
            paid, new = (
                f"{now[0]} as stored" if now[0] == old[0] == "drawn" and now[1] != old[1] else now[0]
                for now, old in ((after.paid, before.paid), (after.new, before.new))
            )
            row = Observed(writer, paid, new, words_of_reads(before.reads, after.reads), verified, after.client)
        print(column, *row, sep=" | ", file=sys.stderr, flush=True)  # noqa: T201  it takes minutes
        found[str(column)] = row
    return found


def page(found: Mapping[str, Observed]) -> str:
    """The page, of what was observed."""
    lines = [INTRODUCTION]
    for table in sorted(metadata.tables):
        lines += [f"## {table}", ""]
        if table in HARM:
            lines += [*wrap(HARM[table], 120), ""]
        lines += [f"| Column | {' | '.join(COLUMNS)} |", f"|{'---|' * (len(COLUMNS) + 1)}"]
        for column in metadata.tables[table].columns:
            tells = TELLS_N.get(str(column), "no")
            lines.append(f"| `{column.name}` | {' | '.join(found[str(column)])} | {tells} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write the page; with names of columns as arguments, only show what is observed of them."""
    columns = [each for each in all_columns() if not sys.argv[1:] or str(each) in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as directory:
        found = measure(SqliteCopies(Path(directory)), columns)
    if not sys.argv[1:]:
        PAGE.write_text(page(found))


if __name__ == "__main__":
    main()
