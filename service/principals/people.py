"""Store principals and their names. Every function works inside the caller's transaction."""

from __future__ import annotations

import time

from sqlalchemy import Connection, Row, delete, insert, select, update

from service.database.paging import FIRST_PAGE, PageRequest, in_order_of_creation
from service.database.tables import principal_names, principals
from service.identifiers.identifiers import new_id, now
from service.principals import chain
from service.principals.auth import COMMAND_LINE
from service.principals.chain import Event, PrincipalEvent
from service.schemas.principals import Role


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
    connection: Connection, page: PageRequest = FIRST_PAGE, *, only: str | None = None
) -> list[Row[tuple[object, ...]]]:
    """Return principals with their names. Raises InvalidRequest for an unknown cursor."""
    query = select(principals, principal_names.c.name).join(
        principal_names, principal_names.c.principal_id == principals.c.id, isouter=True
    )
    if only is not None:
        query = query.where(principals.c.id == only)
    return list(connection.execute(in_order_of_creation(connection, query, principals, page)))


def analyst_rows(connection: Connection, page: PageRequest) -> list[Row[tuple[object, ...]]]:
    """Return the active analysts whose names are not erased. Raises InvalidRequest for an unknown cursor."""
    query = select(principals.c.id, principal_names.c.name).join(
        principal_names, principal_names.c.principal_id == principals.c.id
    )
    query = query.where(principals.c.role == Role.ANALYST.value, principals.c.revoked_at.is_(None))
    return list(connection.execute(in_order_of_creation(connection, query, principals, page)))


def revoke_principal(connection: Connection, principal_id: str, *, erase_name: bool, by: str = COMMAND_LINE) -> None:
    """Revoke a principal, and with it all its keys. Its spending remains. Raises NotFound."""
    if chain.lock(connection, principal_id).revoked_at is None:
        chain.record(connection, principal_id, Event(PrincipalEvent.PRINCIPAL_REVOKED, by, principal_id))
        connection.execute(update(principals).where(principals.c.id == principal_id).values(revoked_at=now()))
    if erase_name:
        connection.execute(delete(principal_names).where(principal_names.c.principal_id == principal_id))
