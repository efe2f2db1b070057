"""Back up a SQLite database while the service runs, and put a backup in place while it is stopped. Each copy is marked
as a copy.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from service.database.engine import DatabaseNotReady, find_folder
from service.identifiers.identifiers import now


class BackupError(RuntimeError):
    """The copy can't be made or put in place. The message gives the reason."""


def back_up(database: Path, copy: Path) -> None:
    """Copy the database, and mark the copy as restored: a service on it releases nothing until `ledger unfreeze`.

    Releases that are paid and not drawn become lost in the copy, since the original may still draw them. Raises
    BackupError.
    """
    if not database.exists():
        raise BackupError("there is no database to copy")
    if copy.exists():
        raise BackupError("the copy would overwrite a file that exists")
    draft = copy.with_name(f".{copy.name}.part")
    try:
        draft.touch(mode=0o600)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(draft)) as target:
            source.backup(target)
            _mark(target)
        draft.replace(copy)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"the copy could not be made: {error}") from None
    finally:
        draft.unlink(missing_ok=True)


def put_back(copy: Path, database: Path) -> Path | None:
    """Replace the database by a copy, and mark it as restored even if another tool made the copy. Return the new path
    of the old database, or None if there was none. The service must be stopped. Raises BackupError.

    The old database's write-ahead log is moved with it, since it would corrupt another database.
    """
    if not copy.exists():
        raise BackupError(f"there is no file {copy}")
    if copy.resolve() == database.resolve():
        raise BackupError("the copy is the database itself")
    draft = database.with_name(f".{database.name}.part")
    try:
        find_folder(database)
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(draft)) as target:
            source.backup(target)
            _check(target, copy)
            _mark(target)
        kept = _set_aside(database)
        draft.replace(database)
    except DatabaseNotReady as error:
        raise BackupError(str(error)) from None
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{copy} could not be put in place: {error}") from None
    except UnicodeDecodeError:  # SQLite quotes the bytes of a damaged schema.
        raise BackupError(f"{copy} is damaged") from None
    finally:
        draft.unlink(missing_ok=True)
    return kept


def _check(target: sqlite3.Connection, copy: Path) -> None:
    """Raise BackupError unless the copied database is intact."""
    if target.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise BackupError(f"{copy} is damaged")


def _mark(copy: sqlite3.Connection) -> None:
    """Mark a copy as restored, so that a service on it releases nothing until `ledger unfreeze`. Mark its pending
    releases as lost, so that it never draws what the original may have drawn.
    """
    copy.execute("PRAGMA journal_mode = DELETE")
    copy.execute("PRAGMA synchronous = FULL")
    with copy:
        copy.execute(
            (
                "UPDATE installation SET restore_pending_since = ?, restores = restores + 1 WHERE "
                "restore_pending_since IS NULL"
            ),
            (now(),),
        )
        copy.execute("UPDATE releases SET state = 'lost' WHERE state = 'paid'")


def _set_aside(database: Path) -> Path | None:
    """Rename the database and its log files. Return its new path, or None if there was none. Raises BackupError if the
    database is in use.
    """
    if not database.exists():
        for suffix in ("-wal", "-shm", "-journal"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        return None
    with closing(sqlite3.connect(database, timeout=0)) as connection, suppress(sqlite3.DatabaseError):
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.rollback()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise BackupError("the database is in use: stop the service first") from None
    kept = database.with_name(f"{database.name}.before-restore-{now()}")
    for suffix in ("-wal", "-shm", "-journal", ""):
        beside = database.with_name(database.name + suffix)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + suffix))
    return kept
