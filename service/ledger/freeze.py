"""Freeze all budgets of an installation while a restore is pending.

The freeze is a column of the one row of `installation`, which each debit reads under its locks.
`service.ledger.restore` decides when it begins and ends.
"""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from service.database.tables import installation
from service.identifiers.identifiers import now


def is_restore_pending(connection: Connection) -> bool:
    """Return whether a restore is pending, so that nothing may be spent."""
    return connection.execute(select(installation.c.restore_pending_since)).scalar() is not None


def freeze_all(connection: Connection) -> None:
    """Refuse every debit until `unfreeze_all`. Does nothing if all budgets are frozen already."""
    connection.execute(
        update(installation)
        .where(installation.c.restore_pending_since.is_(None))
        .values(restore_pending_since=now(), restores=installation.c.restores + 1)
    )


def unfreeze_all(connection: Connection) -> None:
    connection.execute(update(installation).values(restore_pending_since=None))
