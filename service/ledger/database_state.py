"""The state of a database that the witness compares with its own: identity, timeline, heads, and entries that spend."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from service.database.server_timeline import HistoryOfServer
from service.database.tables import budgets, entries, installation
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
