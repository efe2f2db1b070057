"""Stops every spending of an installation while a restore is under way, and says whether it is stopped.

The stop is one row of the database, which each debit reads under its locks. `service.restore` says when it begins and
ends.
"""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from service.database.tables import installation
from service.identifiers import now


def is_stopped(connection: Connection) -> bool:
    """Whether a restore is under way, so that nothing may be spent."""
    return connection.execute(select(installation.c.restore_pending_since)).scalar() is not None


def stop(connection: Connection) -> None:
    """Stops every debit until `lift`. Harmless where it is stopped already."""
    connection.execute(
        update(installation)
        .where(installation.c.restore_pending_since.is_(None))
        .values(restore_pending_since=now(), restores=installation.c.restores + 1)
    )


def lift(connection: Connection) -> None:
    """Lets debits happen again."""
    connection.execute(update(installation).values(restore_pending_since=None))
