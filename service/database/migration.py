"""Migrate a database to this version's schema."""

from __future__ import annotations

import importlib.resources
import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError, OperationalError

from service.database.engine import DAMAGED, OF_THE_DISK, DatabaseNotReady, is_damaged, is_of_the_disk


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
        if is_damaged(error):
            raise MigrationError(DAMAGED) from None
        if is_of_the_disk(error):
            raise MigrationError(OF_THE_DISK) from None
        if isinstance(error, OSError | OperationalError | sqlite3.OperationalError):
            raise MigrationError(
                "the database can't be opened and written at the address that POSTERIOR_DATABASE_URL gives"
            ) from None
        raise
