"""Analysts' requests for access to listed data sets, and owners' decisions. All functions work inside the caller's
transaction.

A request changes only under the lock of the data set's budget, so that it is decided once. Locks are taken in the order
budget, principals, requests.
"""

from __future__ import annotations

import time
from typing import Any, Final, NamedTuple, Self, assert_never

from sqlalchemy import ColumnElement, Connection, Row, Select, case, insert, or_, select, update

from core.accounting.accountants import Accountant
from service.database import costs
from service.database.paging import PageRequest, in_order_of_creation
from service.database.rows import AccessRequestRow
from service.database.tables import access_requests, budgets, datasets, grants, principal_names, principals
from service.datasets import grants as grant_use_case
from service.datasets import public_facts
from service.datasets.public_facts import listed
from service.errors import Conflict, InvalidRequest, NotFound, ObjectQuotaExceeded, RecoveryPending, Unauthenticated
from service.identifiers.identifiers import new_id, now, timestamp
from service.ledger import budget_changes as ledger
from service.ledger.budget_changes import Act
from service.ledger.chain import EntryKind
from service.principals import chain
from service.principals.auth import Caller, is_frozen, require_live
from service.principals.chain import Event, PrincipalEvent
from service.principals.quotas import check_access_requests
from service.schemas.access_requests import (
    AccessRequest,
    AccessRequestChange,
    AccessRequestCreate,
    AccessRequestState,
)
from service.schemas.model import Page, amount, page_of
from service.schemas.principals import Role

MAX_REQUESTS_PER_DATASET: Final = 10
"""Limit per analyst, including decided requests. It ends repeated requests that are declined or withdrawn."""
_ROWS_AT_ONCE: Final = 200
"""Requests per transaction when texts are erased, so that others wait only briefly."""
_owners = principals.alias("owners")
_owner_names = principal_names.alias("owner_names")


class FoundRequest(NamedTuple):
    """A request with facts of its data set and its parties."""

    row: AccessRequestRow
    accountant: Accountant
    budget_id: str
    name: str | None
    purpose: str | None
    reason: str | None
    state: AccessRequestState
    grant_id: str | None
    """The grant by which the request was approved, if there is one of its analyst on its data set."""

    @classmethod
    def of(cls, joined: Row[Any]) -> Self:
        """Return the request in a row of the query `_joined_requests`."""
        columns = len(AccessRequestRow._fields)
        accountant, *rest = joined[columns:]
        return cls(AccessRequestRow._make(joined[:columns]), Accountant(accountant), *rest)


def create(connection: Connection, caller: Caller, dataset_id: str, body: AccessRequestCreate, most: int) -> str:
    """Create an access request and return its id. The analyst may have at most `most` open requests.

    Raises RoleNotAllowed, NotFound unless the data set is listed, Conflict, ObjectQuotaExceeded, InvalidRequest,
    RecoveryPending.
    """
    caller.require(Role.ANALYST)
    dataset = listed(connection, caller, dataset_id)
    cap = costs.asked(Accountant(dataset.accountant), epsilon=body.epsilon, rho=body.rho, delta=body.delta)
    if not (cap.epsilon.units or cap.rho.units):
        raise InvalidRequest.at(costs.main_dimension(Accountant(dataset.accountant)), "must be above 0")
    ledger.lock_budget(connection, dataset.budget_id)
    listed(connection, caller, dataset_id)  # check again under the lock
    if grant_use_case.holds_grant(connection, dataset_id, caller.principal_id):
        raise Conflict("You have a grant on this data set; its owner can change it.")
    _lock_acting(connection, caller)
    check_access_requests(connection, caller.principal_id, most)
    mine = (access_requests.c.dataset_id == dataset_id) & (access_requests.c.principal_id == caller.principal_id)
    states = list(connection.execute(select(access_requests.c.state).where(mine)).scalars())
    if "open" in states:
        raise Conflict("You have an open request for this data set; withdraw it before you make another.")
    if len(states) >= MAX_REQUESTS_PER_DATASET:
        raise ObjectQuotaExceeded(
            f"You have asked for this data set {MAX_REQUESTS_PER_DATASET} times, the largest number allowed."
        )
    request_id = new_id("acc")
    connection.execute(
        insert(access_requests).values(
            {
                "id": request_id,
                "dataset_id": dataset_id,
                "principal_id": caller.principal_id,
                "owner_id": dataset.owner_id,
                "purpose": body.purpose,
                "state": "open",
                "created_at": now(),
                "created_nanoseconds": time.time_ns(),
            }
            | costs.columns(cap, "requested")
        )
    )
    detail = {"dataset_id": dataset_id, "requested": list(costs.columns(cap).values())}
    _record(connection, caller, PrincipalEvent.ACCESS_REQUESTED, request_id, detail)
    return request_id


def change(
    connection: Connection, caller: Caller, request_id: str, body: AccessRequestChange, most: int | None = None
) -> bool:
    """Approve, decline or withdraw a request. Return False if it was in that state already. `most` limits the owner's
    grants.

    Raises RoleNotAllowed, NotFound, Conflict, ObjectQuotaExceeded, InvalidRequest, RecoveryPending.
    """
    caller.require(Role.ANALYST if body.state == "withdrawn" else Role.OWNER)
    ledger.lock_budget(connection, visible(connection, caller, request_id).budget_id)
    found = visible(connection, caller, request_id)
    if found.state == body.state:
        return False
    if found.state != "open":
        raise Conflict(f"This request is {found.state}.")
    row = found.row
    match body.state:
        case "approved":
            cap = costs.asked(
                found.accountant, epsilon=body.epsilon, rho=body.rho, delta=body.delta, before=row.requested
            )
            dataset = public_facts.owned(connection, caller, row.dataset_id)
            grant_use_case.give(
                connection, caller, dataset, row.principal_id, cap, expires_at=body.expires_at, most=most
            )
        case "declined":
            detail = {"dataset_id": row.dataset_id, "analyst_id": row.principal_id}
            ledger.record(
                connection, found.budget_id, Act(EntryKind.ACCESS_DECLINED, caller, request_id, detail=detail)
            )
            assert body.reason is not None, "a refusal has one"
            _decide(connection, request_id, state="declined", reason=body.reason)
        case "withdrawn":
            _lock_acting(connection, caller)
            _record(connection, caller, PrincipalEvent.ACCESS_WITHDRAWN, request_id, {"dataset_id": row.dataset_id})
            _decide(connection, request_id, state="withdrawn")
        case _:
            assert_never(body.state)
    return True


def _decide(connection: Connection, request_id: str, **columns: str) -> None:
    decided = update(access_requests).where(access_requests.c.id == request_id)
    connection.execute(decided.values(**columns, decided_at=now()))


def _lock_acting(connection: Connection, caller: Caller) -> None:
    """Lock the caller's principal and key. Raises Unauthenticated, RecoveryPending."""
    principal = chain.lock(connection, caller.principal_id)
    if principal.revoked_at is not None:
        raise Unauthenticated
    if is_frozen(principal.frozen_until):
        raise RecoveryPending
    require_live(connection, [caller])


def _record(
    connection: Connection, caller: Caller, kind: PrincipalEvent, request_id: str, detail: dict[str, Any]
) -> None:
    event = Event(kind, caller.principal_id, request_id, detail | {"api_key_id": caller.key_id})
    chain.record(connection, caller.principal_id, event)


def _joined_requests() -> Select[Any]:
    """Select requests with the columns of `FoundRequest`.

    A purpose is shown only while the analyst has a name, and a reason only while both parties have names.
    """
    request, has_name = access_requests.c, principal_names.c.name.is_not(None)
    has_ended = or_(
        datasets.c.deleted_at.is_not(None), principals.c.revoked_at.is_not(None), _owners.c.revoked_at.is_not(None)
    )
    return (
        select(
            access_requests,
            budgets.c.accountant,
            datasets.c.budget_id,
            principal_names.c.name.label("shown_name"),
            case((has_name, request.purpose)).label("shown_purpose"),
            case((has_name & _owner_names.c.name.is_not(None), request.reason)).label("shown_reason"),
            case(((request.state == "open") & has_ended, "ended"), else_=request.state).label("shown_state"),
            grants.c.id.label("shown_grant"),
        )
        .join(datasets, datasets.c.id == request.dataset_id)
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .join(principals, principals.c.id == request.principal_id)
        .join(_owners, _owners.c.id == request.owner_id)
        .join(principal_names, principal_names.c.principal_id == request.principal_id, isouter=True)
        .join(_owner_names, _owner_names.c.principal_id == request.owner_id, isouter=True)
        .join(
            grants,
            (grants.c.id == request.grant_id)
            & (grants.c.dataset_id == request.dataset_id)
            & (grants.c.principal_id == request.principal_id),
            isouter=True,
        )
    )


def visible(connection: Connection, caller: Caller, request_id: str) -> FoundRequest:
    """Return a request that the caller made or received. Raises NotFound."""
    # The owner of the data set reads what an earlier owner decided.
    who = datasets.c.owner_id if caller.role is Role.OWNER else access_requests.c.principal_id
    mine = (access_requests.c.id == request_id) & (who == caller.principal_id)
    found = connection.execute(_joined_requests().where(mine)).first()
    if found is None:
        raise NotFound
    return FoundRequest.of(found)


def _condition_of_caller(caller: Caller) -> ColumnElement[bool]:
    who = access_requests.c.owner_id if caller.role is Role.OWNER else access_requests.c.principal_id
    return who == caller.principal_id


def list_mine(
    connection: Connection,
    caller: Caller,
    state: AccessRequestState | None,
    page: PageRequest,
    *,
    dataset_id: str | None = None,
    principal_id: str | None = None,
) -> Page[AccessRequest]:
    """Return the requests that the caller made or received. Raises InvalidRequest for an unknown cursor."""
    query = _joined_requests().where(_condition_of_caller(caller))
    if dataset_id is not None:
        query = query.where(access_requests.c.dataset_id == dataset_id)
    if principal_id is not None:
        query = query.where(access_requests.c.principal_id == principal_id)
    if state is not None:
        query = query.where(query.selected_columns.shown_state == state)
    joined = connection.execute(in_order_of_creation(connection, query, access_requests, page))
    found = [FoundRequest.of(row) for row in joined]
    return page_of(found, page.limit, response, lambda request: request.row.id)


def latest_on(connection: Connection, dataset_id: str, limit: int) -> list[FoundRequest]:
    """Return the latest requests for a data set, also a deleted one, newest first."""
    newest_first = (access_requests.c.created_nanoseconds.desc(), access_requests.c.id.desc())
    query = _joined_requests().where(access_requests.c.dataset_id == dataset_id).order_by(*newest_first).limit(limit)
    return [FoundRequest.of(row) for row in connection.execute(query)]


def get_access_request(connection: Connection, caller: Caller, request_id: str) -> AccessRequest:
    """Return a request that the caller made or received. Raises NotFound."""
    return response(visible(connection, caller, request_id))


def read_changed(connection: Connection, caller: Caller, request_id: str, *, changed: bool) -> AccessRequest:
    """Return a request as `read` does, after `change`."""
    return get_access_request(connection, caller, request_id).model_copy(update={"changed": changed})


def response(found: FoundRequest) -> AccessRequest:
    row = found.row
    return AccessRequest(
        id=row.id,
        dataset_id=row.dataset_id,
        principal_id=row.principal_id,
        name=found.name,
        requested=amount(found.accountant, row.requested),
        purpose=found.purpose,
        state=found.state,
        reason=found.reason,
        grant_id=found.grant_id,
        created_at=timestamp(row.created_at),
        decided_at=None if row.decided_at is None else timestamp(row.decided_at),
        changed=None,
    )


def erase_texts(connection: Connection, principal_id: str | None = None) -> bool:
    """Erase purposes and reasons of one principal without a name, or of all such principals.

    Returns whether more may be left.
    """
    has_name = select(principal_names.c.principal_id)
    by_analyst = access_requests.c.principal_id.not_in(has_name)
    of_analyst: ColumnElement[bool] = by_analyst
    of_owner: ColumnElement[bool] = access_requests.c.owner_id.not_in(has_name)
    if principal_id is not None:
        of_analyst &= access_requests.c.principal_id == principal_id
        of_owner &= access_requests.c.owner_id == principal_id
    has_reason = access_requests.c.reason.is_not(None)
    which = (of_analyst & (access_requests.c.purpose.is_not(None) | has_reason)) | (of_owner & has_reason)
    some = select(access_requests.c.id).where(which).limit(_ROWS_AT_ONCE).scalar_subquery()
    erased = connection.execute(
        update(access_requests)
        .where(access_requests.c.id.in_(some))
        .values(purpose=case((by_analyst, None), else_=access_requests.c.purpose), reason=None)
    )
    return erased.rowcount == _ROWS_AT_ONCE
