"""A copy of a SQLite database that was taken while the service ran, and that knows of itself that it is one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from service.identifiers import now


class BackupError(RuntimeError):
    """The copy can't be made; the message says why."""


def back_up(database: Path, copy: Path) -> None:
    """Copies the database, and marks the copy as restored: a service on it releases nothing until `ledger unfreeze`. Raises BackupError.

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
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("PRAGMA synchronous = FULL")
            with target:
                target.execute(
                    "UPDATE installation SET restore_pending_since = ?, restores = restores + 1 WHERE restore_pending_since IS NULL",
                    (now(),),
                )
                target.execute("UPDATE releases SET state = 'lost' WHERE state = 'paid'")
        draft.replace(copy)
    except (OSError, sqlite3.Error) as error:
        draft.unlink(missing_ok=True)
        raise BackupError(f"the copy could not be made: {error}") from None
