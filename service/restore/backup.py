"""Copies of a SQLite database: taken while the service runs, and put in its place while it does not. A copy knows of
itself that it is one.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from service.database.engine import DatabaseNotReady, find_folder
from service.identifiers import now


class BackupError(RuntimeError):
    """The copy can't be made or put in place; the message says why."""


def back_up(database: Path, copy: Path) -> None:
    """Copies the database, and marks the copy as restored: a service on it releases nothing until `ledger unfreeze`.
    Raises BackupError.

    Releases that were paid and not drawn are lost in the copy: the original may still draw them.
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
    """Puts a copy in the place of the database, marked as restored whichever way it was made, and returns where the old
    one now is. Raises BackupError.

    The files beside the old database go with it: its write-ahead log would make nonsense of any other. The service must
    be stopped.
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
    """Raises BackupError unless what was copied is whole."""
    if target.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise BackupError(f"{copy} is damaged")


def _mark(copy: sqlite3.Connection) -> None:
    """Has a service on this copy release nothing until `ledger unfreeze`, and never draw what the original may have
    drawn.
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
    """Moves the database and what is beside it out of the way. Raises BackupError where somebody has it open."""
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
