"""Connect to SQLite or PostgreSQL, and handle their differences, such as the beginning of a write transaction.

Python's sqlite3 opens a transaction by itself only before some statements, so a read that is followed by a write is not
isolated. This handling is switched off here. SQLAlchemy's begin executes BEGIN, or BEGIN IMMEDIATE for a write
transaction.
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
from service.settings.settings import DEFAULT_FILE, SettingsError

_PAGES_OF_LOG: Final = 4000
"""Pages of 4 KiB. If the log is longer, a commit checkpoints what `service.database.writer` has not."""
_LOCK_WAIT_SECONDS = 20
_LOCK_WAIT_SECONDS_IN_SERVICE = 4
"""Longest wait for a lock in the service. It is far below the query timeout, so that the wait is not taken for a
network failure.
"""
_TRUNCATING_EVERY_SECONDS = 0.05

_READ_ONLY_TRANSACTION: Final = "25006"
_SERIALIZATION_FAILURE: Final = "40001"
_DEADLOCK_DETECTED: Final = "40P01"
_DISK_FULL: Final = "53100"
_LOCK_NOT_AVAILABLE: Final = "55P03"
_INSUFFICIENT_PRIVILEGE: Final = "42501"


class DatabaseNotReady(RuntimeError):
    """The database, its folder or this version's schema is missing."""


def open_engine(url: str, query_timeout: float | None = None, *, pooled: bool = False, make: bool = False) -> Engine:
    """Open an engine with durable, isolated transactions. SQLite uses WAL, synchronous FULL, foreign keys and
    secure_delete.

    - `query_timeout`: seconds that PostgreSQL may take for one response; None, for commands, leaves it to the server
    - `pooled`: the address is a pooler in transaction mode, so no session state may be left behind
    - `make`: create a missing SQLite file, readable only by its owner; otherwise DatabaseNotReady is raised
    """
    if make_url(url).get_backend_name() == "sqlite":
        _find_file(Path(make_url(url).database or ""), make=make)
        lock_wait = _LOCK_WAIT_SECONDS if query_timeout is None else _LOCK_WAIT_SECONDS_IN_SERVICE
        return _open_sqlite(url, Path(make_url(url).database or ""), lock_wait)
    return _open_postgres(url, query_timeout, pooled=pooled)


def _open_postgres(url: str, query_timeout: float | None, *, pooled: bool) -> Engine:
    try:
        import psycopg  # noqa: PLC0415  an extra: the driver is large, and SQLite does not need it
    except ImportError:
        raise SettingsError(
            "POSTERIOR_DATABASE_URL names PostgreSQL, whose driver is not installed: pip install "
            "'psycopg[binary]>=3.2', the extra [postgresql] of private-posterior"
        ) from None

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
        # A standby returns old data, so the service never connects to one.
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
            f"there is no database at {path}: run `private-posterior migrate`, or correct POSTERIOR_DATABASE_URL"
        )
    find_folder(path)
    # SQLite gives the files beside it the same mode.
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def find_folder(path: Path) -> None:
    """Create the default folder of a new database, readable only by its owner. Raises DatabaseNotReady for any other
    missing folder, since its name may be a typing error.
    """
    if path == Path(DEFAULT_FILE):
        path.parent.mkdir(mode=0o700, exist_ok=True)
    if not path.parent.exists():
        raise DatabaseNotReady(f"there is no folder {path.parent}: make it, or correct POSTERIOR_DATABASE_URL")


def _beginning_with(host: str, port: int, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the servers in `options`, the last working one first. Otherwise an unresponsive server would cost each new
    connection its query timeout.
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
        if _file_at(path) != opened:  # SQLite would create a missing file
            raise DatabaseUnavailable from FileNotFoundError

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            # Otherwise statements that change many rows copy them to a file in a shared directory.
            "temp_store = MEMORY",
            f"wal_autocheckpoint = {_PAGES_OF_LOG}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if _file_at(path) != opened:  # a charge would be written to a file that was moved or deleted
            raise DatabaseUnavailable from FileNotFoundError
        driver: Any = connection.connection.driver_connection
        with translated(connection):
            driver.execute("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

    return engine


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return device and inode of the file at this path, or None if there is none."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


@contextmanager
def translated(connection: Connection) -> Iterator[None]:
    """Convert errors of the driver to those of SQLAlchemy, so that callers handle one kind of error."""
    dialect = connection.dialect
    module = dialect.loaded_dbapi
    try:
        yield
    except module.Error as error:
        lost = is_read_only(error) or dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
        if lost:
            connection.invalidate()
        # Without statement and parameters, which could contain private values.
        raise DBAPIError.instance(
            None, None, error, module.Error, hide_parameters=True, connection_invalidated=lost, dialect=dialect
        ) from error


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Begin a write transaction. It commits when the block ends, and rolls back if the block raises."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection
        check_in_transaction(connection)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Begin a read transaction whose statements all see the database as its first statement does.

    SQLite always reads so. PostgreSQL by default lets each statement see later commits.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


class HeldConnection:
    """A connection that one thread keeps between transactions, which saves waiting for the pool and its liveness check.

    After a failure it is closed, and the next transaction opens another.
    """

    def __init__(self, engine: Engine, *, writes: bool) -> None:
        self._engine = engine
        self._writes = writes
        self._pool = engine.pool
        self._connection: Connection | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Begin a transaction as `writing` or `reading` does."""
        if self._pool is not self._engine.pool:  # the pool was replaced since its connections failed
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
        """Close the connection. Its pool may have been replaced."""
        connection, self._connection = self._connection, None
        if connection is not None:
            if not connection.invalidated:
                connection.detach()
            connection.close()


def truncate_log(engine: Engine, *, wait_seconds: float = 0.0) -> bool:
    """Checkpoint and truncate SQLite's write-ahead log, so that deleted values are in neither file. Return False if a
    reader prevented it for `wait_seconds`, or if the disk is full.

    Does nothing on other databases and returns True.
    """
    if engine.dialect.name != "sqlite":
        return True
    deadline = time.monotonic() + wait_seconds
    while not (done := _truncated_log(engine)) and time.monotonic() < deadline:
        time.sleep(_TRUNCATING_EVERY_SECONDS)
    return done


def _truncated_log(engine: Engine) -> bool:
    # The deletion is committed already, so a full disk must not make it look failed.
    with suppress(SQLAlchemyError, sqlite3.Error):
        return _moved_and_emptied_log(engine)
    return False


def _moved_and_emptied_log(engine: Engine) -> bool:
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        # The checkpoint blocks writers while it waits for readers, and a backup reads for minutes. So it does not wait.
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
    """Raise RuntimeError if a COMMIT would roll back. PostgreSQL answers COMMIT of an aborted transaction without an
    error, and rolls it back.
    """
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        # IDLE: no statement was executed.
        if driver.info.transaction_status.name not in {"INTRANS", "IDLE"}:
            raise RuntimeError("a transaction that was to be committed had failed")


def await_standbys(connection: Connection) -> None:
    """Make the commit of this transaction wait for the synchronous standbys even if it changes nothing. PostgreSQL
    only.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_logical_emit_message(true, 'private-posterior', '')")


def be_patient(connection: Connection) -> None:
    """Remove the time limit of statements in this transaction, for commands that read a whole database. PostgreSQL
    only.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")


def write_a_page(connection: Connection) -> None:
    """Make this transaction write a page even if it changes nothing, so that its commit fails on a full disk. SQLite
    only.
    """
    if connection.dialect.name != "sqlite":
        return
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    connection.exec_driver_sql(f"PRAGMA user_version = {version}")


def is_without_room(error: Exception) -> bool:
    """Return whether the disk of the database was full.

    The transaction is then not committed: SQLite writes its commit record last, and PostgreSQL reports this error only
    after a rollback.
    """
    return isinstance(error, DBAPIError) and (
        _kind(error) == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == _DISK_FULL
    )


def is_locked(error: Exception) -> bool:
    """Return whether another program held the lock of the SQLite file for too long."""
    return isinstance(error, DBAPIError) and _kind(error) == sqlite3.SQLITE_BUSY


def is_read_only(error: object) -> bool:
    """Return whether the server refuses all writes, as a standby does.

    Another connection may reach a writable server.
    """
    return getattr(error, "sqlstate", None) == _READ_ONLY_TRANSACTION


def is_disconnect(error: DBAPIError) -> bool:
    """Return whether the database could not be reached. It is False if the database refused the statement."""
    return error.connection_invalidated or isinstance(error, OperationalError) or is_read_only(error.orig)


def is_conflict(error: DBAPIError) -> bool:
    """Return whether PostgreSQL aborted the transaction in favour of another one, as in a deadlock."""
    return getattr(error.orig, "sqlstate", None) in {_DEADLOCK_DETECTED, _SERIALIZATION_FAILURE}


DAMAGED: Final = (
    "the database file is damaged, or not a database: restore a backup with `private-posterior restore COPY`"
)


OF_THE_DISK: Final = "the disk of the database can't be read or written: see whether it is full"


READ_ONLY: Final = "the database is read-only: let the service write it, or give the address of the primary"


def is_unwritable(error: Exception) -> bool:
    """Return whether the SQLite file or the server takes no writes."""
    original = error.orig if isinstance(error, DBAPIError) else error
    return _kind(error) == sqlite3.SQLITE_READONLY or is_read_only(original) or "session is read-only" in str(original)


def is_lock_timeout(error: Exception) -> bool:
    """Return whether PostgreSQL gave up the wait for a lock, because of its length or of a deadlock."""
    states = {_LOCK_NOT_AVAILABLE, _DEADLOCK_DETECTED}
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in states


def is_forbidden(error: Exception) -> bool:
    """Return whether the role lacks a privilege on PostgreSQL."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _INSUFFICIENT_PRIVILEGE


def is_damaged(error: Exception) -> bool:
    """Return whether SQLite reports a malformed file or another format.

    Its message about a damaged schema may contain bytes that are not valid text.
    """
    return isinstance(error, UnicodeDecodeError) or _kind(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_of_the_disk(error: Exception) -> bool:
    """Return whether SQLite reports a full or failed disk.

    On a full disk it can't even open a database, because it creates files beside it.
    """
    return _kind(error) in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def _kind(error: Exception) -> int | None:
    """Return SQLite's primary error code, or None for any other error."""
    code: int | None = getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def check_ready(connection: Connection) -> str:
    """Return the revision of the schema. Raises DatabaseNotReady unless the migrations of this version have run. Later
    migrations may have run too, since they only add.
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
    """Raise DatabaseNotReady if the SQLite file is damaged, for example by the write-ahead log of another one. Reads
    the whole file.
    """
    if connection.dialect.name != "sqlite":
        return
    try:
        said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    except DBAPIError:
        said = None
    if said != "ok":
        raise DatabaseNotReady(DAMAGED)
