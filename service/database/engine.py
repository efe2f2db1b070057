"""Connects to SQLite or PostgreSQL, and knows what differs between them: how a transaction that means to write begins.

Python's sqlite3 opens a transaction by itself only before some statements, so a read that is followed by a write is not
isolated. Its own handling is switched off here, and SQLAlchemy's begin says BEGIN, or BEGIN IMMEDIATE where the caller
means to write.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from service.database.tables import REVISION
from service.errors import DatabaseUnavailable
from service.settings import DEFAULT_FILE, SettingsError

_PAGES_OF_LOG: Final = 4000
"""Of 4 KiB: where the write-ahead log is longer, a commit moves what `service.database.checkpoints` has left in it."""
_LOCK_WAIT_SECONDS = 20
_LOCK_WAIT_SECONDS_IN_SERVICE = 4
"""Well within the query timeout of a service, which would take a longer wait for a silent network."""
_TRUNCATING_EVERY_SECONDS = 0.05

_READ_ONLY_TRANSACTION: Final = "25006"
_SERIALIZATION_FAILURE: Final = "40001"
_DEADLOCK_DETECTED: Final = "40P01"
_DISK_FULL: Final = "53100"


class DatabaseNotReady(RuntimeError):
    """There is no database, no folder for one, or no schema of this version's in it."""


def open_engine(url: str, query_timeout: float | None = None, *, pooled: bool = False, make: bool = False) -> Engine:
    """An engine whose transactions are what they claim to be. SQLite: WAL, synchronous FULL, foreign keys, deleted
    pages overwritten.

    `query_timeout` is how many seconds PostgreSQL may take for any one answer; with None, as for commands, as many as
    the server's own limits allow. `pooled`: the address leads to a pooler that lends a server for one transaction at a
    time, so that nothing may be left behind in a session. Only with `make` is a SQLite file made where there is none,
    for its owner alone; else DatabaseNotReady is raised.
    """
    if make_url(url).get_backend_name() == "sqlite":
        _find_file(Path(make_url(url).database or ""), make=make)
        lock_wait = _LOCK_WAIT_SECONDS if query_timeout is None else _LOCK_WAIT_SECONDS_IN_SERVICE
        return _open_sqlite(url, Path(make_url(url).database or ""), lock_wait)
    return _open_postgres(url, query_timeout, pooled=pooled)


def _open_postgres(url: str, query_timeout: float | None, *, pooled: bool) -> Engine:
    import psycopg  # noqa: PLC0415  the driver is large, and SQLite does without

    from service.database.postgres_connection import BoundedConnection  # noqa: PLC0415  as above

    given = make_url(url).query
    lock_wait = _LOCK_WAIT_SECONDS if query_timeout is None else _LOCK_WAIT_SECONDS_IN_SERVICE
    statement_limit = 60 if query_timeout is None else query_timeout
    chosen: dict[str, Any] = {
        "connect_timeout": 3,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
        # A standby answers reads, of what was; nothing here may hang on that, so none is ever connected to.
        "target_session_attrs": "read-write",
    }
    limits = {"lock_timeout": f"{lock_wait}s", "statement_timeout": f"{statement_limit}s"}
    if pooled:
        chosen["prepare_threshold"] = None
    else:
        chosen["options"] = " ".join(f"-c {name}={value}" for name, value in limits.items())
    engine = create_engine(
        url,
        pool_size=8,
        max_overflow=8,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={name: value for name, value in chosen.items() if name not in given},
    )

    preferred: dict[str, str] = {}

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: object, _record: object, arguments: Any, options: Any) -> BoundedConnection:
        try:
            connection: BoundedConnection = BoundedConnection.connect(*arguments, **(options | preferred))
        except psycopg.OperationalError as error:
            if "unsupported startup parameter" in str(error):
                raise SettingsError(
                    "the database address leads to a pooler; set POSTERIOR_DATABASE_POOLED to true"
                ) from None
            raise
        connection.query_timeout = query_timeout
        preferred.update(_beginning_with(connection.info.host, connection.info.port, options))
        return connection

    if pooled:

        @event.listens_for(engine, "begin")
        def _limit(connection: Connection) -> None:
            connection.exec_driver_sql("; ".join(f"SET LOCAL {name} = '{value}'" for name, value in limits.items()))

    @event.listens_for(engine, "handle_error")
    def _leave_a_standby(context: Any) -> None:
        if is_read_only(context.original_exception):
            context.is_disconnect = True

    return engine


def _find_file(path: Path, *, make: bool) -> None:
    if path.exists():
        return
    if not make:
        raise DatabaseNotReady(
            f"there is no database at {path}: run `private-posterior migrate`, or mend POSTERIOR_DATABASE_URL"
        )
    find_folder(path)
    # SQLite gives the files beside it the same mode.
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def find_folder(path: Path) -> None:
    """Sees to the folder of a database that is about to be made. The default one is made, for its owner alone; another
    that is missing may be a slip of the pen. Raises DatabaseNotReady.
    """
    if path == Path(DEFAULT_FILE):
        path.parent.mkdir(mode=0o700, exist_ok=True)
    if not path.parent.exists():
        raise DatabaseNotReady(f"there is no folder {path.parent}: make it, or mend POSTERIOR_DATABASE_URL")


def _beginning_with(host: str, port: int, options: Mapping[str, Any]) -> dict[str, str]:
    """The servers that `options` name, with the one that was found last in front: one that fell silent would cost
    each new connection its query timeout.
    """
    hosts, ports = str(options.get("host", "")).split(","), str(options.get("port", "")).split(",")
    if len(hosts) != len(ports) or len(hosts) == 1:
        return {}
    servers = sorted(zip(hosts, ports, strict=True), key=lambda server: server != (host, str(port)))
    return {"host": ",".join(each for each, _ in servers), "port": ",".join(each for _, each in servers)}


def _open_sqlite(url: str, path: Path, lock_wait_seconds: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=8,
        max_overflow=8,
        hide_parameters=True,
        connect_args={"timeout": lock_wait_seconds, "check_same_thread": False},
    )

    opened = _file_at(path)

    @event.listens_for(engine, "do_connect")
    def _find(*_: object) -> None:
        if _file_at(path) != opened:  # SQLite would make a file where there is none
            raise DatabaseUnavailable from FileNotFoundError

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            # Else what a statement of many rows changes is copied to a file in a directory for all.
            "temp_store = MEMORY",
            f"wal_autocheckpoint = {_PAGES_OF_LOG}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if _file_at(path) != opened:  # a charge would go into a file that was moved away or deleted
            raise DatabaseUnavailable from FileNotFoundError
        driver: Any = connection.connection.driver_connection
        with translated(connection):
            driver.execute("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

    return engine


def _file_at(path: Path) -> tuple[int, int] | None:
    """Which file is at the path, by device and inode; None if none is."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


@contextmanager
def translated(connection: Connection) -> Iterator[None]:
    """Raises what the driver raises as SQLAlchemy would, so that everybody else knows one kind of error."""
    dialect = connection.dialect
    module = dialect.loaded_dbapi
    try:
        yield
    except module.Error as error:
        lost = is_read_only(error) or dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
        if lost:
            connection.invalidate()
        # Neither text nor parameters: they could hold what no log may have.
        raise DBAPIError.instance(
            None, None, error, module.Error, hide_parameters=True, connection_invalidated=lost, dialect=dialect
        ) from error


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that means to write: committed when the block ends, rolled back when it raises."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection
        check_in_transaction(connection)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads: one consistent view."""
    with engine.connect() as connection, connection.begin():
        yield connection


class HeldConnection:
    """A connection that one thread keeps between its transactions, so that none waits for the pool or for a sign of
    life of the database.

    After a failure it is closed, and the next transaction takes another.
    """

    def __init__(self, engine: Engine, *, writes: bool) -> None:
        self._engine = engine
        self._writes = writes
        self._pool = engine.pool
        self._connection: Connection | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """As `writing` or `reading`."""
        if self._pool is not self._engine.pool:  # somebody found that connections of before lead nowhere
            self.close()
        if self._connection is None:
            self._pool = self._engine.pool
            self._connection = self._engine.connect().execution_options(writes=self._writes)
        try:
            with self._connection.begin():
                yield self._connection
                check_in_transaction(self._connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the connection, whose pool may be another by now."""
        connection, self._connection = self._connection, None
        if connection is not None:
            if not connection.invalidated:
                connection.detach()
            connection.close()


def truncate_log(engine: Engine, *, wait_seconds: float = 0.0) -> bool:
    """Moves SQLite's write-ahead log into the database and empties it, so that what was deleted lies in neither. False
    where somebody was in the way for all of `wait_seconds`, or the disk has no room.

    Nothing to do on other databases.
    """
    if engine.dialect.name != "sqlite":
        return True
    deadline = time.monotonic() + wait_seconds
    while not (done := _truncated_log(engine)) and time.monotonic() < deadline:
        time.sleep(_TRUNCATING_EVERY_SECONDS)
    return done


def _truncated_log(engine: Engine) -> bool:
    # What was deleted is committed by now: that a full disk keeps the log as it is must not look like a failure of it.
    with suppress(SQLAlchemyError, sqlite3.Error):
        return _moved_and_emptied_log(engine)
    return False


def _moved_and_emptied_log(engine: Engine) -> bool:
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        # It keeps all others from writing while it waits for those who read, and a backup reads for minutes: so it
        # waits for nobody.
        lock_wait_ms = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (busy, *_) = cursor.fetchone() or (1,)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {lock_wait_ms}")
        cursor.close()
    finally:
        connection.close()
    return not busy


def check_in_transaction(connection: Connection) -> None:
    """Asserts that a COMMIT will commit: PostgreSQL answers one of an aborted transaction as if nothing were wrong,
    and rolls it back.
    """
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        # Idle is one in which nothing was done.
        if driver.info.transaction_status.name not in {"INTRANS", "IDLE"}:
            raise RuntimeError("a transaction that was to be committed had failed")


def await_standbys(connection: Connection) -> None:
    """Has the commit of this transaction wait for the synchronous standbys, also where it changes nothing. Nothing
    to do on other databases.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_logical_emit_message(true, 'private-posterior', '')")


def be_patient(connection: Connection) -> None:
    """Has no statement of this transaction end for its time: whoever reads a whole database waits for as long as
    that takes. Nothing to do on other databases.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")


def write_a_page(connection: Connection) -> None:
    """Has SQLite write a page of this transaction, also where it changes nothing, so that its commit tells whether the
    disk has room. Nothing to do on other databases.
    """
    if connection.dialect.name != "sqlite":
        return
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    connection.exec_driver_sql(f"PRAGMA user_version = {version}")


def is_without_room(error: Exception) -> bool:
    """Whether the database found no room on its disk. SQLite writes last what makes a transaction a committed one, and
    PostgreSQL answers a commit with an error only if it rolled back: this transaction is not committed.
    """
    return isinstance(error, DBAPIError) and (
        _kind(error) == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == _DISK_FULL
    )


def is_locked(error: Exception) -> bool:
    """Whether another program held the lock of a SQLite file for too long."""
    return isinstance(error, DBAPIError) and _kind(error) == sqlite3.SQLITE_BUSY


def is_read_only(error: object) -> bool:
    """Whether a server refused to write at all, as a standby does: another connection may lead to one that writes."""
    return getattr(error, "sqlstate", None) == _READ_ONLY_TRANSACTION


def is_disconnect(error: DBAPIError) -> bool:
    """Whether the database was out of reach, rather than unwilling."""
    return error.connection_invalidated or isinstance(error, OperationalError) or is_read_only(error.orig)


def is_conflict(error: DBAPIError) -> bool:
    """Whether PostgreSQL ended a transaction for the sake of another one, as in a deadlock."""
    return getattr(error.orig, "sqlstate", None) in {_DEADLOCK_DETECTED, _SERIALIZATION_FAILURE}


DAMAGED: Final = "the database file is damaged, or is none: put a backup back with `private-posterior restore COPY`"


OF_THE_DISK: Final = "the disk of the database can't be read or written: see whether it is full"


def is_damaged(error: Exception) -> bool:
    """Whether SQLite says that the file is malformed or holds something else. What it says of a damaged schema quotes
    bytes that need not be text.
    """
    return isinstance(error, UnicodeDecodeError) or _kind(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_of_the_disk(error: Exception) -> bool:
    """Whether SQLite says that its disk is full, or failed: on a full one a database can't even be opened, since the
    files beside it have no room.
    """
    return _kind(error) in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def _kind(error: Exception) -> int | None:
    """SQLite's primary code; None of any other error."""
    code: int | None = getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def check_ready(connection: Connection) -> str:
    """The revision of the schema. Raises DatabaseNotReady unless the migrations of this version have run; those of a
    later one may have run too, as they only add.
    """
    try:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    except DBAPIError as error:
        if is_damaged(error):
            raise DatabaseNotReady(DAMAGED) from None
        revision = None
    if revision is None:
        raise DatabaseNotReady("the database has no schema yet: run `private-posterior migrate`")
    if revision < REVISION:
        raise DatabaseNotReady(
            f"the database has schema {revision}, and this version needs {REVISION}: run `private-posterior migrate`"
        )
    return str(revision)


def check_whole(connection: Connection) -> None:
    """Raises DatabaseNotReady where a SQLite file is damaged, as by the write-ahead log of another one. Reads all of
    it.
    """
    if connection.dialect.name != "sqlite":
        return
    try:
        said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    except DBAPIError:
        said = None
    if said != "ok":
        raise DatabaseNotReady(DAMAGED)
