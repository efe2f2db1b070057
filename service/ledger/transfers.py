"""Read the entries by which admins gave budgets to other owners."""

from __future__ import annotations

import json
from collections.abc import Collection

from sqlalchemy import Connection, select, text

from service.database.rows import EntryRow, fetch_all
from service.database.tables import OF_TRANSFERS, budgets, entries


def transfers(connection: Connection, budget_ids: Collection[str]) -> list[EntryRow]:
    """Return the transfers of these budgets, in the order of each ledger."""
    # SQLite uses a partial index only if the condition has the same text as the index.
    query = select(entries).where(entries.c.budget_id.in_(budget_ids), text(OF_TRANSFERS))
    return fetch_all(connection, EntryRow, query.order_by(entries.c.budget_id, entries.c.sequence))


def former_owners(connection: Connection, owner_id: str) -> set[str]:
    """Return the ids of earlier owners of this owner's budgets."""
    own = connection.execute(select(budgets.c.id).where(budgets.c.owner_id == owner_id)).scalars()
    return {json.loads(entry.detail)["from"] for entry in transfers(connection, list(own))}
