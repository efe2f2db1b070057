"""Principals and keys."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response, status
from sqlalchemy import Connection

from service import principals as use_case
from service.auth import Role
from service.errors import NotFound, RoleNotAllowed
from service.identifiers import timestamp
from service.routers.dependencies import CallerDependency, PageDependency, PathId, RuntimeDependency
from service.schemas.model import Page, page_of
from service.schemas.principals import Key, KeyCreate, NewKey, Principal, PrincipalCreate
from service.schemas.problems import problems

router = APIRouter(prefix="/v1")


def _time(seconds: int | None) -> str | None:
    return None if seconds is None else timestamp(seconds)


def _principal(row: Any) -> Principal:
    return Principal(id=row.id, role=row.role, name=row.name, created_at=timestamp(row.created_at), revoked_at=_time(row.revoked_at))


def _key(row: Any) -> dict[str, Any]:
    return {
        "id": row.id,
        "principal_id": row.principal_id,
        "prefix": row.prefix,
        "issued_by": row.issued_by,
        "created_at": timestamp(row.created_at),
        "expires_at": _time(row.expires_at),
        "revoked_at": _time(row.revoked_at),
        "last_used_at": _time(None if row.last_used_at is None else row.last_used_at // 60 * 60),
    }


@router.post("/principals", status_code=status.HTTP_201_CREATED, tags=["principals"], responses=problems(RoleNotAllowed))
async def create_principal(body: PrincipalCreate, caller: CallerDependency, runtime: RuntimeDependency) -> Principal:
    """Adds somebody who may hold keys. Admins only."""
    caller.require(Role.ADMIN)

    def work(connection: Connection) -> Principal:
        principal_id = use_case.create_principal(connection, body.role, body.name)
        return _principal(use_case.principal_rows(connection, only=principal_id)[0])

    return await runtime.write(work)


@router.get("/principals", tags=["principals"], responses=problems(RoleNotAllowed))
async def list_principals(caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency) -> Page[Principal]:
    """Everybody who holds or held keys: all for an admin, oneself for others."""
    only = None if caller.role is Role.ADMIN else caller.principal_id
    rows = await runtime.read(lambda c: use_case.principal_rows(c, after=page.cursor, limit=page.limit + 1, only=only))
    return page_of(rows, page.limit, _principal, lambda row: row.id)


@router.delete(
    "/principals/{principal_id}", status_code=status.HTTP_204_NO_CONTENT, tags=["principals"], responses=problems(RoleNotAllowed, NotFound)
)
async def revoke_principal(
    principal_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    *,
    erase_name: Annotated[bool, Query(description="Also forget the name; the pseudonymous id stays in the ledger.")] = False,
) -> Response:
    """Ends all keys of a principal at once. What it spent stays spent. Admins only."""
    caller.require(Role.ADMIN)
    await runtime.write(lambda c: use_case.revoke_principal(c, principal_id, erase_name=erase_name, by=caller.principal_id))
    runtime.recent_callers.clear()
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/keys", status_code=status.HTTP_201_CREATED, tags=["keys"], responses=problems(RoleNotAllowed, NotFound))
async def create_key(body: KeyCreate, caller: CallerDependency, runtime: RuntimeDependency) -> NewKey:
    """Issues a key, for yourself or, as an admin, for somebody else. A key issued for an owner is an entry in the owner's ledgers."""
    principal_id = body.principal_id or caller.principal_id
    if principal_id != caller.principal_id:
        caller.require(Role.ADMIN)

    def work(connection: Connection) -> NewKey:
        key_id, secret = use_case.create_key(connection, principal_id, issued_by=caller.principal_id, expires_in_days=body.expires_in_days)
        return NewKey(**_key(use_case.key_rows(connection, caller, only=key_id)[0]), key=secret.key)

    return await runtime.write(work)


@router.get("/keys", tags=["keys"], responses=problems())
async def list_keys(caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency) -> Page[Key]:
    """Keys, by their prefixes: all for an admin, one's own for others."""
    rows = await runtime.read(lambda c: use_case.key_rows(c, caller, after=page.cursor, limit=page.limit + 1))
    return page_of(rows, page.limit, lambda row: Key(**_key(row)), lambda row: row.id)


@router.delete("/keys/{key_id}", status_code=status.HTTP_204_NO_CONTENT, tags=["keys"], responses=problems(NotFound))
async def revoke_key(key_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """Ends a key at once."""
    await runtime.write(lambda c: use_case.revoke_key(c, caller, key_id))
    runtime.recent_callers.clear()
    return Response(status_code=status.HTTP_204_NO_CONTENT)
