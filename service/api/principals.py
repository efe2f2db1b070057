"""Routes of principals, enrolment and keys."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response, status
from sqlalchemy import Connection

from service import errors
from service.api.creation import CreationDependency
from service.api.dependencies import (
    CallerDependency,
    FormerCallerDependency,
    LedgerPageDependency,
    NameContains,
    PageDependency,
    PathId,
    RuntimeDependency,
)
from service.database.rows import ApiKeyRow, PrincipalEntryRow
from service.datasets import access_requests, budgets
from service.identifiers.identifiers import timestamp
from service.limits.limits import JOBS
from service.logs import log
from service.principals import chain, enrolment, keys, people, quotas
from service.principals.auth import SESSION, confirmed_until, is_frozen
from service.principals.creations import Made
from service.schemas.budgets import OwnedBudget
from service.schemas.model import Page, page_of
from service.schemas.principals import (
    Analyst,
    ApiKey,
    EnrolmentCreate,
    EnrolmentToken,
    KeyCreate,
    Me,
    Principal,
    PrincipalCreate,
    PrincipalEntry,
    QuotaReport,
    QuotaUsage,
    Role,
    SessionConfirmation,
)
from service.schemas.problems import OF_CHANGES, OF_CREATIONS, problems

router = APIRouter(prefix="/v1")


async def _recovery_days(request: Request) -> int:
    days: int = request.app.state.recovery_days
    return days


RecoveryDaysDependency = Annotated[int, Depends(_recovery_days)]


def _time(seconds: int | None) -> str | None:
    return None if seconds is None else timestamp(seconds)


def _principal(row: Any) -> Principal:
    return Principal(
        id=row.id,
        role=row.role,
        name=row.name,
        created_at=timestamp(row.created_at),
        revoked_at=_time(row.revoked_at),
        frozen_until=_time(row.frozen_until if is_frozen(row.frozen_until) else None),
        enrolment=None,
    )


def _token(issued: enrolment.IssuedToken) -> EnrolmentToken:
    return EnrolmentToken(
        id=issued.id,
        principal_id=issued.principal_id,
        token=issued.token,
        expires_at=timestamp(issued.expires_at),
        recovers=issued.recovers,
    )


def _entry(row: PrincipalEntryRow) -> PrincipalEntry:
    columns = row._asdict()
    return PrincipalEntry(**columns | {"detail": json.loads(row.detail), "created_at": timestamp(row.created_at)})


def _key(row: ApiKeyRow, secret: str | None = None) -> ApiKey:
    return ApiKey(
        id=row.id,
        principal_id=row.principal_id,
        kind=row.kind,
        prefix=row.prefix,
        issued_by=row.issued_by,
        parent_id=row.parent_id,
        created_at=timestamp(row.created_at),
        expires_at=_time(row.expires_at),
        revoked_at=_time(row.revoked_at),
        last_used_at=_time(None if row.last_used_at is None else row.last_used_at // 60 * 60),
        key=secret,
        recovery_code=None,
        frozen_until=None,
    )


@router.post(
    "/principals",
    status_code=status.HTTP_201_CREATED,
    tags=["principals"],
    responses=problems(errors.RoleNotAllowed, errors.KeyRequired, *OF_CREATIONS),
)
async def create_principal(
    body: PrincipalCreate, caller: CallerDependency, runtime: RuntimeDependency, creation: CreationDependency
) -> Principal:
    """Add a principal, and return the invitation for its first key. Admins only, with their own key."""
    caller.require(Role.ADMIN)
    caller.require_key()

    def make(connection: Connection) -> Made:
        chain.require_acting(connection, caller)
        principal_id = people.create_principal(connection, body.role, body.name)
        issued = enrolment.issue_token(connection, principal_id, by=caller.principal_id)
        return Made(principal_id, _token(issued).model_dump_json())

    def answer(connection: Connection, made: Made) -> Principal:
        principal = _principal(people.principal_rows(connection, only=made.subject_id)[0])
        token = None if made.secret is None else EnrolmentToken.model_validate_json(made.secret)
        return principal.model_copy(update={"enrolment": token})

    return await creation.perform(runtime, caller, "principals", body=body, make=make, answer=answer)


@router.get("/me", tags=["principals"], responses=problems())
async def get_me(caller: CallerDependency, runtime: RuntimeDependency) -> Me:
    """Return the principal and the key that sent the request."""

    def work(connection: Connection) -> Me:
        principal = people.principal_rows(connection, only=caller.principal_id)[0]
        until = confirmed_until(connection, caller) if caller.is_session else None
        return Me(
            principal=_principal(principal),
            key=_key(keys.key_row(connection, caller.key_id)),
            confirmed_until=None if until is None else timestamp(until),
        )

    return await runtime.database.read(work)


@router.get("/principals", tags=["principals"], responses=problems(errors.RoleNotAllowed))
async def list_principals(
    caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency, name_contains: NameContains = None
) -> Page[Principal]:
    """List principals, including revoked ones. An admin sees all; others see only themselves."""
    only = None if caller.role is Role.ADMIN else caller.principal_id
    with errors.error_location("query"):
        rows = await runtime.database.read(lambda c: people.principal_rows(c, page, name_contains, only=only))
    return page_of(rows, page.limit, _principal, lambda row: row.id)


@router.get("/analysts", tags=["principals"], responses=problems(errors.RoleNotAllowed))
async def list_analysts(
    caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency, name_contains: NameContains = None
) -> Page[Analyst]:
    """List the analysts of this installation by name, for owners who give grants."""
    caller.require(Role.OWNER)
    with errors.error_location("query"):
        rows = await runtime.database.read(lambda c: people.analyst_rows(c, page, name_contains))
    return page_of(rows, page.limit, lambda row: Analyst(id=row.id, name=row.name), lambda row: row.id)


@router.delete(
    "/principals/{principal_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    tags=["principals"],
    responses=problems(*OF_CHANGES, errors.KeyRequired),
)
async def revoke_principal(
    principal_id: PathId,
    caller: CallerDependency,
    runtime: RuntimeDependency,
    *,
    erase_name: Annotated[
        bool,
        Query(
            description=(
                "Also erase the name and the texts of access requests. The pseudonymous id stays in the ledger."
            )
        ),
    ] = False,
) -> Response:
    """Revoke a principal: all its keys end at once. What it spent is not refunded. Admins only."""
    caller.require(Role.ADMIN)
    caller.require_key()

    def work(connection: Connection) -> None:
        chain.require_acting(connection, caller)
        people.revoke_principal(connection, principal_id, erase_name=erase_name, by=caller.principal_id)

    await runtime.database.write(work)
    runtime.caches.callers.clear()
    if erase_name:
        while await runtime.database.write(lambda c: access_requests.erase_texts(c, principal_id)):
            pass
        await runtime.database.truncate_log()
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.get(
    "/principals/{principal_id}/budgets",
    tags=["principals"],
    responses=problems(errors.RoleNotAllowed, errors.NotFound),
)
async def list_principal_budgets(
    principal_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, page: PageDependency
) -> Page[OwnedBudget]:
    """List the ids of a principal's budgets, to freeze them or transfer them. Admins only."""
    caller.require(Role.ADMIN)

    def work(connection: Connection) -> Page[OwnedBudget]:
        if not people.principal_rows(connection, only=principal_id):
            raise errors.NotFound
        with errors.error_location("query"):
            rows = budgets.list_budgets(connection, principal_id, page)
        return page_of(
            rows,
            page.limit,
            lambda row: OwnedBudget(id=row.id, created_at=timestamp(row.created_at)),
            lambda row: row.id,
        )

    return await runtime.database.read(work)


@router.get("/principals/{principal_id}/entries", tags=["principals"], responses=problems(errors.NotFound))
async def list_principal_entries(
    principal_id: PathId, caller: CallerDependency, runtime: RuntimeDependency, page: LedgerPageDependency
) -> Page[PrincipalEntry]:
    """List the changes of a principal's keys, tokens and recoveries, in order and chained by hashes. An admin can read
    all; others only their own.
    """
    if caller.principal_id != principal_id and caller.role is not Role.ADMIN:
        raise errors.NotFound
    rows = await runtime.database.read(lambda c: chain.rows(c, principal_id, after=page.after, limit=page.limit + 1))
    return page_of(rows, page.limit, _entry, lambda row: row.sequence)


@router.post(
    "/principals/{principal_id}/enrolment-tokens",
    status_code=status.HTTP_201_CREATED,
    tags=["principals"],
    responses=problems(*OF_CHANGES, errors.KeyRequired),
)
async def create_enrolment_token(
    principal_id: PathId, caller: CallerDependency, runtime: RuntimeDependency
) -> EnrolmentToken:
    """Issue a token that a person exchanges for a key. It is valid for a day and replaces earlier tokens. Admins only.

    If the principal has used keys before, the exchange starts a recovery. The principal is then frozen until the veto
    period ends.
    """
    caller.require(Role.ADMIN)
    caller.require_key()

    def work(connection: Connection) -> EnrolmentToken:
        chain.require_acting(connection, caller)
        return _token(enrolment.issue_token(connection, principal_id, by=caller.principal_id))

    issued = await runtime.database.write(work)
    log.add(made_id=issued.id)
    runtime.caches.callers.clear()
    return issued


@router.delete(
    "/principals/{principal_id}/recovery",
    status_code=status.HTTP_204_NO_CONTENT,
    tags=["principals"],
    responses=problems(errors.NotFound, errors.Conflict, errors.RecoveryPending, errors.OutcomeUnknown),
)
async def veto_recovery(
    principal_id: PathId,
    caller: FormerCallerDependency,
    runtime: RuntimeDependency,
    recovery_days: RecoveryDaysDependency,
) -> Response:
    """End a recovery that an admin started for you, with the keys that came from it and any token that was not
    exchanged yet. Send the request with any key from before the recovery.

    A key that an admin revoked can still veto under two conditions. You used the key, or created it with a key or code
    of yours. The admin revoked it during the recovery, or less than a recovery period before.
    """
    await runtime.database.write(lambda c: enrolment.veto(c, caller, principal_id, recovery_days=recovery_days))
    runtime.caches.callers.clear()
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post(
    "/enrolments",
    status_code=status.HTTP_201_CREATED,
    tags=["keys"],
    responses=problems(errors.TokenInvalid, errors.TokenAlreadyUsed, errors.RecoveryPending, errors.OutcomeUnknown),
)
async def create_enrolment(
    body: EnrolmentCreate, runtime: RuntimeDependency, recovery_days: RecoveryDaysDependency
) -> ApiKey:
    """Exchange an invitation or a recovery code, once, for a key and a new recovery code. Needs no key.

    The response is never repeated: if it is lost, you need a new token. Exchanging a recovery code ends all earlier
    keys.
    """
    async with runtime.database.unauthenticated_slot():
        await runtime.database.read(lambda c: enrolment.find(c, body.token))

        def work(connection: Connection) -> ApiKey:
            with errors.error_location("body"):
                enrolled = enrolment.exchange(
                    connection,
                    body.token,
                    expires_at=body.expires_at,
                    recovery_days=recovery_days,
                )
            shown_once = {"recovery_code": enrolled.recovery_code, "frozen_until": _time(enrolled.frozen_until)}
            return _key(keys.key_row(connection, enrolled.key_id), enrolled.key.key).model_copy(update=shown_once)

        answer = await runtime.database.write(work)
    log.add(caller_id=answer.principal_id, made_id=answer.id)
    runtime.caches.callers.clear()
    return answer


@router.post(
    "/keys",
    status_code=status.HTTP_201_CREATED,
    tags=["keys"],
    responses=problems(errors.InvalidRequest, errors.KeyRequired, errors.KeyQuotaExceeded, *OF_CREATIONS),
)
async def create_key(
    body: KeyCreate, caller: CallerDependency, runtime: RuntimeDependency, creation: CreationDependency
) -> ApiKey:
    """Issue another key for yourself. It expires no later than the key that issues it. A session's key can't issue
    keys.
    """
    caller.require_key()

    def make(connection: Connection) -> Made:
        most = runtime.database.quotas.keys
        with errors.error_location("body"):
            if body.kind == SESSION:
                key_id, secret = keys.create_session(connection, caller, expires_at=body.expires_at)
            else:
                key_id, secret = keys.create_child(connection, caller, expires_at=body.expires_at, most=most)
        return Made(key_id, secret.key)

    def answer(connection: Connection, made: Made) -> ApiKey:
        return _key(keys.key_row(connection, made.subject_id), made.secret)

    made = await creation.perform(runtime, caller, "keys", body=body, make=make, answer=answer)
    if body.kind == SESSION:
        runtime.caches.callers.clear()  # the oldest session may have ended
    return made


@router.post(
    "/keys/{key_id}/confirmation",
    tags=["keys"],
    responses=problems(errors.KeyRequired, errors.NotFound, errors.RecoveryPending),
)
async def confirm_session(key_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> SessionConfirmation:
    """Confirm a session that the key of this request began. For ten minutes it may then approve requests, give and
    change grants, and raise and unfreeze budgets. Use does not prolong it, and it ends with the session.
    """
    caller.require_key()
    until = await runtime.database.write(lambda c: keys.confirm_session(c, caller, key_id))
    return SessionConfirmation(confirmed_until=timestamp(until))


@router.post(
    "/keys/{key_id}/successor",
    status_code=status.HTTP_201_CREATED,
    tags=["keys"],
    responses=problems(
        errors.KeyRequired, errors.NotFound, errors.Conflict, errors.RecoveryPending, errors.OutcomeUnknown
    ),
)
async def replace_key(key_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> ApiKey:
    """End the key that sends this request, and issue a successor that expires at the same time. Keys that the old one
    issued stay valid and belong to the successor.
    """
    caller.require_key()

    def work(connection: Connection) -> ApiKey:
        new_key_id, secret = keys.replace_key(connection, caller, key_id)
        return _key(keys.key_row(connection, new_key_id), secret.key)

    answer = await runtime.database.write(work)
    log.add(made_id=answer.id)
    runtime.caches.callers.clear()
    return answer


@router.get("/keys", tags=["keys"], responses=problems())
async def list_keys(
    caller: CallerDependency,
    runtime: RuntimeDependency,
    page: PageDependency,
    *,
    own: Annotated[bool, Query(description="List only your own keys, even if you are an admin.")] = False,
) -> Page[ApiKey]:
    """List keys, shown by their prefixes. An admin sees all keys; others see their own."""
    with errors.error_location("query"):
        rows = await runtime.database.read(lambda c: keys.key_rows(c, caller, page, own=own))
    return page_of(rows, page.limit, _key, lambda row: row.id)


@router.delete(
    "/keys/{key_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    tags=["keys"],
    responses=problems(
        errors.KeyRequired, errors.NotFound, errors.Conflict, errors.RecoveryPending, errors.OutcomeUnknown
    ),
)
async def revoke_key(key_id: PathId, caller: CallerDependency, runtime: RuntimeDependency) -> Response:
    """End a key and all keys that descend from it, at once. A key can end itself and those it issued; an admin can end
    any key. A session's key can end itself only.
    """
    if key_id != caller.key_id:
        caller.require_key()
    await runtime.database.write(lambda c: keys.revoke_key(c, caller, key_id))
    runtime.caches.callers.clear()
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.get("/quotas", tags=["principals"], responses=problems())
async def get_quotas(caller: CallerDependency, runtime: RuntimeDependency) -> QuotaReport:
    """Return the number of your stored objects and the limits for them."""
    used = await runtime.database.read(lambda c: quotas.used(c, caller.principal_id))
    most = runtime.database.quotas
    return QuotaReport(
        budgets=QuotaUsage(used=used.budgets, limit=most.budgets),
        datasets=QuotaUsage(used=used.datasets, limit=most.datasets),
        grants=QuotaUsage(used=used.grants, limit=most.grants),
        keys=QuotaUsage(used=used.keys, limit=most.keys),
        access_requests=QuotaUsage(used=used.access_requests, limit=most.access_requests),
        jobs=QuotaUsage(used=used.jobs, limit=JOBS.max_per_key),
        bytes_per_budget=most.budget_bytes,
        bytes_per_grant=most.grant_bytes,
    )
