"""Settings, database checks and error messages for every command."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from service.settings.settings import Settings


def read_settings() -> Settings:
    from service.settings.settings import Settings, SettingsError

    try:
        return Settings.from_environment()
    except SettingsError as error:
        fail(str(error))


@contextmanager
def open_database(settings: Settings) -> Iterator[Engine]:
    """Open the database, and close its connections however the block ends."""
    from service.database.engine import open_engine

    engine = open_engine(settings.database_url, pooled=settings.database_pooled)
    try:
        yield engine
    finally:
        engine.dispose()


def require_ready(settings: Settings) -> None:
    """End the command with a message unless the database is present, undamaged and of this version's schema."""
    import sqlite3

    from sqlalchemy.exc import DBAPIError

    from service.database.engine import (
        DAMAGED,
        OF_THE_DISK,
        READ_ONLY,
        DatabaseNotReady,
        check_ready,
        check_whole,
        is_damaged,
        is_of_the_disk,
        is_unwritable,
        reading,
    )

    try:
        with open_database(settings) as engine, reading(engine) as connection:
            check_ready(connection)
            check_whole(connection)
    except DatabaseNotReady as error:
        fail(str(error))
    except (DBAPIError, sqlite3.Error, UnicodeDecodeError) as error:
        if is_damaged(error):
            fail(DAMAGED)
        if is_of_the_disk(error):
            fail(OF_THE_DISK)
        if is_unwritable(error):
            fail(READ_ONLY)
        fail("the database can't be reached at the address that POSTERIOR_DATABASE_URL gives")


def fail(message: str, code: int = 2) -> NoReturn:
    """Print a message on standard error and exit.

    Code 2 means that the command could not run; code 1 means that it ran and found a fault.
    """
    tell(message)
    raise typer.Exit(code)


def tell(message: str) -> None:
    """Print a message on standard error."""
    try:
        typer.echo(f"private-posterior: {message}", err=True)
    except OSError:
        # It may be full: Python would write the message again at its end, fail, and exit with a code of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
