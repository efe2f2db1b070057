"""Migrate a database to this version's schema."""

from __future__ import annotations

import importlib.resources
import sqlite3
import time
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError, OperationalError

from service.database.engine import (
    DAMAGED,
    OF_THE_DISK,
    READ_ONLY,
    DatabaseNotReady,
    is_damaged,
    is_forbidden,
    is_lock_timeout,
    is_locked,
    is_of_the_disk,
    is_unwritable,
)

LOCK_WAIT_SECONDS: Final = 0.5
"""Longest wait of a migration for one lock on PostgreSQL. As long, callers wait behind it. It is shorter than the
second after which PostgreSQL ends one of two transactions that wait for each other, so a caller is not ended."""
_PAUSE_SECONDS: Final = 1.0
_REPEATED_SECONDS: Final = 60.0
"""Time after which a migration that found no free lock is not begun again."""


def configuration(url: str) -> Config:
    """Return Alembic's configuration for the migrations of this version."""
    config = Config()
    config.set_main_option("script_location", str(Path(str(importlib.resources.files("migrations")))))
    config.attributes["url"] = url
    return config


class MigrationError(RuntimeError):
    """The database can't be upgraded. The message gives the reason."""


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database at `url` to `revision`. There are no downgrades, because a migration never removes spending.
    Raises MigrationError.

    A migration on PostgreSQL waits for a lock only briefly, since every caller waits behind it. Then it is rolled back
    and repeated as a whole, for a limited time.
    """
    until = time.monotonic() + _REPEATED_SECONDS
    while True:
        try:
            return _migrate_once(url, revision)
        except DBAPIError as error:
            if not is_lock_timeout(error):
                raise
            if time.monotonic() > until:
                raise MigrationError(_sentence(error)) from None
        time.sleep(_PAUSE_SECONDS)


def _migrate_once(url: str, revision: str) -> None:
    """Upgrade the database in one transaction. Raises MigrationError, and DBAPIError on PostgreSQL if a lock was not
    free.
    """
    try:
        command.upgrade(configuration(url), revision)
    except CommandError:
        raise MigrationError(
            "the database has a schema that this version does not know: a later version of the service made it, or one "
            "before 0.1.0"
        ) from None
    except DatabaseNotReady as error:
        raise MigrationError(str(error)) from None
    except (DBAPIError, sqlite3.DatabaseError, UnicodeDecodeError, OSError) as error:
        if is_lock_timeout(error):
            raise
        if isinstance(error, OSError | OperationalError | sqlite3.OperationalError | UnicodeDecodeError):
            raise MigrationError(_sentence(error)) from None
        if is_damaged(error) or is_unwritable(error) or is_forbidden(error):
            raise MigrationError(_sentence(error)) from None
        raise


def _sentence(error: Exception) -> str:
    """Return the cause of a failed migration, and what to do."""
    if is_damaged(error):
        return DAMAGED
    if is_of_the_disk(error):
        return OF_THE_DISK
    if is_unwritable(error):
        return READ_ONLY
    if is_forbidden(error):
        return "this role lacks privileges on the tables: run `private-posterior migrate` as the role that owns them"
    if is_locked(error):
        return "another program holds a lock on the database file: end it, and run `private-posterior migrate` again"
    if is_lock_timeout(error):
        return (
            "another connection uses the tables, for example a dump or a long transaction; nothing was changed: wait "
            "until it has ended, and run `private-posterior migrate` again"
        )
    return "the database can't be opened and written at the address that POSTERIOR_DATABASE_URL gives"
