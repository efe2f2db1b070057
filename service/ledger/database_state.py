"""The state of a database that the witness compares with its own: identity, timeline, heads, and entries that spend.
While a restore is pending, all its budgets are frozen.

The freeze is a column of the one row of `installation`, which each debit reads under its locks.
`service.ledger.restore` decides when it begins and ends.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select, update

from service.database.lost_commits import HistoryOfServer
from service.database.tables import budgets, entries, installation
from service.identifiers.identifiers import now
from service.ledger.chain import SPENDING, Head
from service.settings.settings import SettingsError


def count_spending(connection: Connection, budget_id: str, *, after: int, last: int) -> int:
    """Return how many of a ledger's entries after the sequence `after`, up to `last`, spend."""
    spending = (
        (entries.c.budget_id == budget_id)
        & entries.c.sequence.between(after + 1, last)
        & entries.c.kind.in_([kind.value for kind in SPENDING])
    )
    count: int = connection.execute(select(func.count()).select_from(entries).where(spending)).scalar_one()
    return count


def read_identity(connection: Connection) -> str:
    """Return the id of the connected database's installation. Raises SettingsError if its row is gone."""
    identity: str | None = connection.execute(select(installation.c.identity)).scalar()
    if identity is None:
        raise SettingsError("the database has no row of its installation: restore a backup")
    return identity


def read_heads(connection: Connection, *, after: str = "", limit: int | None = None) -> dict[str, Head]:
    """Return the heads of the first `limit` budgets after the id `after`, by budget id. Without `limit` return all."""
    query = (
        select(budgets.c.id, budgets.c.sequence, budgets.c.head_hash)
        .where(budgets.c.id > after)
        .order_by(budgets.c.id)
        .limit(limit)
    )
    return {row.id: Head(row.id, row.sequence, row.head_hash) for row in connection.execute(query)}


def read_timeline(connection: Connection) -> str | None:
    """Return the timeline id of the database server, or None if it has none (SQLite)."""
    return connection.execute(select(HistoryOfServer())).scalar_one()


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
