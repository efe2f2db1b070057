"""Read recoveries of principals for statements, which always include them. Works inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from service.database.tables import principal_entries
from service.identifiers.identifiers import timestamp
from service.principals.chain import PrincipalEvent
from service.schemas.statements import StatedRecovery

_LISTED: Final = 100


def stated_recoveries(connection: Connection, principal_ids: AbstractSet[str]) -> tuple[list[StatedRecovery], int]:
    """Return the last hundred recoveries of these principals, oldest first, and the number of earlier ones."""
    theirs = principal_entries.c.principal_id.in_(principal_ids)
    started = theirs & (principal_entries.c.kind == PrincipalEvent.RECOVERY_STARTED.value)
    newest_first = (
        principal_entries.c.created_at.desc(),
        principal_entries.c.principal_id,
        principal_entries.c.sequence.desc(),
    )
    listed = select(principal_entries).where(started).order_by(*newest_first).limit(_LISTED)
    rows = list(connection.execute(listed))[::-1]
    ended = select(principal_entries).where(
        theirs,
        principal_entries.c.kind == PrincipalEvent.RECOVERY_VETOED.value,
        principal_entries.c.subject_id.in_([row.subject_id for row in rows]),
    )
    ends = {row.subject_id: row for row in connection.execute(ended)} if rows else {}
    of_all = select(func.count()).select_from(principal_entries).where(started)
    earlier = connection.execute(of_all).scalar_one() - len(rows) if len(rows) == _LISTED else 0
    return [_stated(row, ends.get(row.subject_id)) for row in rows], earlier


def _stated(start: Row[Any], end: Row[Any] | None) -> StatedRecovery:
    ended_at = None if end is None else timestamp(end.created_at)
    replaced = end is not None and _is_replacement(end)
    return StatedRecovery(
        principal_id=start.principal_id,
        started_at=timestamp(start.created_at),
        frozen_until=timestamp(json.loads(start.detail)["frozen_until"]),
        vetoed_at=None if replaced else ended_at,
        replaced_at=ended_at if replaced else None,
    )


def _is_replacement(end: Row[Any]) -> bool:
    """Return whether a later recovery ended this one, as opposed to a veto by the principal."""
    return "replaced_by" in json.loads(end.detail)
