"""Store principals and their names, and read their recoveries. Every function works inside the caller's transaction."""

from __future__ import annotations

import json
import time
from collections.abc import Set as AbstractSet
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from service.database.paging import FIRST_PAGE, PageRequest, in_order_of_creation, name_contains
from service.database.tables import principal_entries, principal_names, principals
from service.identifiers.identifiers import new_id, now, timestamp
from service.principals import chain
from service.principals.auth import COMMAND_LINE
from service.principals.chain import Event, PrincipalEvent
from service.schemas.principals import Role
from service.schemas.statements import StatedRecovery


def create_principal(connection: Connection, role: Role, name: str) -> str:
    """Create a principal and return its pseudonymous id."""
    principal_id = new_id("pri")
    connection.execute(
        insert(principals).values(
            id=principal_id, role=role.value, created_at=now(), created_nanoseconds=time.time_ns(), sequence=0
        )
    )
    connection.execute(insert(principal_names).values(principal_id=principal_id, name=name))
    return principal_id


def principal_rows(
    connection: Connection, page: PageRequest = FIRST_PAGE, part_of_name: str | None = None, *, only: str | None = None
) -> list[Row[tuple[object, ...]]]:
    """Return principals with their names. Raises InvalidRequest for an unknown cursor."""
    query = select(principals, principal_names.c.name).join(
        principal_names, principal_names.c.principal_id == principals.c.id, isouter=True
    )
    query = query.where(name_contains(principal_names.c.name, part_of_name))
    if only is not None:
        query = query.where(principals.c.id == only)
    return list(connection.execute(in_order_of_creation(connection, query, principals, page)))


def analyst_rows(connection: Connection, page: PageRequest, part_of_name: str | None) -> list[Row[tuple[object, ...]]]:
    """Return the active analysts whose names are not erased. Raises InvalidRequest for an unknown cursor."""
    query = select(principals.c.id, principal_names.c.name).join(
        principal_names, principal_names.c.principal_id == principals.c.id
    )
    query = query.where(principals.c.role == Role.ANALYST.value, principals.c.revoked_at.is_(None))
    query = query.where(name_contains(principal_names.c.name, part_of_name))
    return list(connection.execute(in_order_of_creation(connection, query, principals, page)))


def revoke_principal(connection: Connection, principal_id: str, *, erase_name: bool, by: str = COMMAND_LINE) -> None:
    """Revoke a principal, and with it all its keys. Its spending remains. Raises NotFound."""
    if chain.lock(connection, principal_id).revoked_at is None:
        chain.record(connection, principal_id, Event(PrincipalEvent.PRINCIPAL_REVOKED, by, principal_id))
        connection.execute(update(principals).where(principals.c.id == principal_id).values(revoked_at=now()))
    if erase_name:
        connection.execute(delete(principal_names).where(principal_names.c.principal_id == principal_id))


_MAX_LISTED_RECOVERIES: Final = 100


def stated_recoveries(connection: Connection, principal_ids: AbstractSet[str]) -> tuple[list[StatedRecovery], int]:
    """Return the last hundred recoveries of these principals, oldest first, and the number of earlier ones."""
    theirs = principal_entries.c.principal_id.in_(principal_ids)
    started = theirs & (principal_entries.c.kind == PrincipalEvent.RECOVERY_STARTED.value)
    newest_first = (
        principal_entries.c.created_at.desc(),
        principal_entries.c.principal_id,
        principal_entries.c.sequence.desc(),
    )
    listed = select(principal_entries).where(started).order_by(*newest_first).limit(_MAX_LISTED_RECOVERIES)
    rows = list(connection.execute(listed))[::-1]
    ended = select(principal_entries).where(
        theirs,
        principal_entries.c.kind == PrincipalEvent.RECOVERY_VETOED.value,
        principal_entries.c.subject_id.in_([row.subject_id for row in rows]),
    )
    ends = {row.subject_id: row for row in connection.execute(ended)} if rows else {}
    of_all = select(func.count()).select_from(principal_entries).where(started)
    earlier = connection.execute(of_all).scalar_one() - len(rows) if len(rows) == _MAX_LISTED_RECOVERIES else 0
    return [_stated_recovery(row, ends.get(row.subject_id)) for row in rows], earlier


def _stated_recovery(start: Row[Any], end: Row[Any] | None) -> StatedRecovery:
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
