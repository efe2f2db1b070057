"""Reports recoveries of principals, which statements tell for ever. Works inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from typing import Final

from sqlalchemy import Connection, select

from service.database.tables import principal_entries
from service.identifiers import timestamp
from service.principals.chain import PrincipalEvent
from service.schemas.statements import StatedRecovery

_MAX: Final = 200
"""Entries: a recovery has one or two."""


def stated_recoveries(connection: Connection, principal_ids: AbstractSet[str]) -> list[StatedRecovery]:
    """The recoveries of these principals, the earliest first, as far as the last hundred or so."""
    kinds = [PrincipalEvent.RECOVERY_STARTED.value, PrincipalEvent.RECOVERY_VETOED.value]
    query = select(principal_entries).where(
        principal_entries.c.principal_id.in_(principal_ids), principal_entries.c.kind.in_(kinds)
    )
    newest_first = (
        principal_entries.c.created_at.desc(),
        principal_entries.c.principal_id,
        principal_entries.c.sequence.desc(),
    )
    rows = list(connection.execute(query.order_by(*newest_first).limit(_MAX)))[::-1]
    vetoed = {
        row.subject_id: timestamp(row.created_at) for row in rows if row.kind == PrincipalEvent.RECOVERY_VETOED.value
    }
    return [
        StatedRecovery(
            principal_id=row.principal_id,
            started_at=timestamp(row.created_at),
            frozen_until=timestamp(json.loads(row.detail)["frozen_until"]),
            vetoed_at=vetoed.get(row.subject_id),
        )
        for row in rows
        if row.kind == PrincipalEvent.RECOVERY_STARTED.value
    ]
