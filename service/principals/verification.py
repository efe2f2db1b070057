"""Verify the chains of principals' keys against the database's heads and the heads in budgets' entries."""

from __future__ import annotations

import json
from collections import defaultdict

from sqlalchemy import Connection, select

from service.database.rows import PrincipalEntryRow, PrincipalRow, fetch_all
from service.database.tables import entries, principal_entries, principals
from service.ledger.chain import ChainError
from service.principals import chain

_AT_ONCE = 1000


def verify_chains(connection: Connection) -> dict[str, str]:
    """Return the fault of each principal's chain that is not intact, by principal id."""
    named = _named_heads(connection)
    faults: dict[str, str] = {}
    for principal in fetch_all(connection, PrincipalRow, select(principals).order_by(principals.c.id)):
        query = select(principal_entries).where(principal_entries.c.principal_id == principal.id)
        rows = fetch_all(connection, PrincipalEntryRow, query.order_by(principal_entries.c.sequence))
        try:
            end = chain.verify(principal.id, rows, named[principal.id])
        except ChainError as error:
            faults[principal.id] = str(error)
            continue
        if end != (principal.sequence, principal.head_hash or chain.genesis_hash(principal.id)):
            faults[principal.id] = "the principal's row names another end than its entries have"
    return faults


def _named_heads(connection: Connection) -> dict[str, dict[int, str]]:
    """Return the heads in entries of budgets, by principal and sequence. If two differ, one of them contradicts the
    chain.
    """
    named: dict[str, dict[int, str]] = defaultdict(dict)
    query = select(entries.c.principal_id, entries.c.detail).order_by(entries.c.budget_id, entries.c.sequence)
    for principal_id, detail in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        head = json.loads(detail).get("principal_head")
        if isinstance(head, dict) and head.get("hash") is not None:
            named[principal_id].setdefault(head["sequence"], head["hash"])
    return named
