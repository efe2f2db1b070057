"""Grants: amounts that an owner allows an analyst to spend on a data set, and the budget and grant that decide a
caller's next charge. Every function works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple, Self

from sqlalchemy import Connection, Row, Select, select, update
from typing_extensions import TypeAliasType

from core.accounting.accountants import NOTHING, Accountant, Cost
from service.database import costs
from service.database.paging import PageRequest, in_order_of_creation
from service.database.rows import BudgetRow, DatasetRow, GrantRow, PrincipalRow, fetch_all, fetch_one
from service.database.tables import access_requests, budgets, datasets, grants, principal_names, principals
from service.datasets import public_facts
from service.errors import Conflict, InvalidRequest, NotFound
from service.identifiers.identifiers import now, timestamp
from service.ledger import budget_changes as ledger
from service.ledger.database_state import is_restore_pending
from service.ledger.decision import Accepted, BudgetState, Charge, GrantState, State, decide, remaining
from service.ledger.query_debit import MEASURING, visible_to_caller
from service.ledger.row_locks import budget_state, grant_state
from service.principals.auth import Caller, available, is_frozen
from service.principals.quotas import check_grants
from service.schemas.datasets import Grant, GrantChange, GrantCreate
from service.schemas.model import Page, amount, page_of
from service.schemas.principals import Role

_CAP_WARNING: Final = "The cap leaves more than remains of the budget, which ends the grant's releases first."


class GivenGrant(NamedTuple):
    """A grant with the owner and budget of its data set, and the analyst's name, which is None after it was erased."""

    row: GrantRow
    owner_id: str
    name: str | None
    budget: BudgetRow

    @classmethod
    def of(cls, joined: Row[Any]) -> Self:
        """Return the grant in a row of the query `_joined_grants`."""
        columns = len(GrantRow._fields)
        owner_id, name, *budget = joined[columns:]
        return cls(GrantRow._make(joined[:columns]), owner_id, name, BudgetRow._make(budget))

    @property
    def accountant(self) -> Accountant:
        return Accountant(self.budget.accountant)


def create(connection: Connection, caller: Caller, dataset_id: str, body: GrantCreate, most: int | None = None) -> str:
    """Open a grant and return its id. `most` limits the owner's grants. Raises NotFound, InvalidRequest,
    Conflict, ObjectQuotaExceeded.
    """
    dataset = public_facts.owned(connection, caller, dataset_id)
    analyst = connection.execute(
        select(principals.c.id).where(
            principals.c.id == body.principal_id,
            principals.c.role == Role.ANALYST.value,
            principals.c.revoked_at.is_(None),
        )
    ).first()
    if analyst is None:
        raise InvalidRequest.at("principal_id", "must be the id of an analyst")
    cap = costs.asked(Accountant(dataset.accountant), epsilon=body.epsilon, rho=body.rho, delta=body.delta)
    return give(connection, caller, dataset, body.principal_id, cap, expires_at=body.expires_at, most=most)


def give(
    connection: Connection,
    caller: Caller,
    dataset: DatasetRow,
    analyst_id: str,
    cap: Cost,
    *,
    expires_at: int | None,
    most: int | None,
) -> str:
    """Open a grant on a data set of the caller and return its id. If the analyst has an open request for access, it is
    approved. Raises Conflict, ObjectQuotaExceeded.
    """
    ledger.lock_budget(connection, dataset.budget_id)
    if holds_grant(connection, dataset.id, analyst_id):
        raise Conflict("This analyst already has a grant on this data set; change it instead.")
    if most is not None:
        check_grants(connection, caller.principal_id, most)
    request = (
        (access_requests.c.dataset_id == dataset.id)
        & (access_requests.c.principal_id == analyst_id)
        & (access_requests.c.state == "open")
    )
    request_id = connection.execute(select(access_requests.c.id).where(request)).scalar()
    grant_id = ledger.open_grant(
        connection,
        budget_id=dataset.budget_id,
        dataset_id=dataset.id,
        analyst_id=analyst_id,
        owner=caller,
        cap=cap,
        expires_at=expires_at,
        access_request_id=request_id,
    )
    approved = update(access_requests).where(request).values(state="approved", grant_id=grant_id, decided_at=now())
    connection.execute(approved)
    return grant_id


def holds_grant(connection: Connection, dataset_id: str, analyst_id: str) -> bool:
    """Return whether the analyst has a grant on the data set, including closed and expired ones."""
    query = select(grants.c.id).where(grants.c.dataset_id == dataset_id, grants.c.principal_id == analyst_id)
    return connection.execute(query).first() is not None


def change(connection: Connection, caller: Caller, grant_id: str, body: GrantChange) -> None:
    """Change, close or reopen a grant that the caller gave. Raises NotFound, InvalidRequest."""
    grant = visible(connection, caller, grant_id)
    caller.require(Role.OWNER)
    cap = None
    if body.epsilon is not None or body.rho is not None or body.delta is not None:
        cap = costs.asked(grant.accountant, epsilon=body.epsilon, rho=body.rho, delta=body.delta, before=grant.row.cap)
    ledger.change_grant(
        connection,
        budget_id=grant.budget.id,
        grant_id=grant_id,
        owner=caller,
        cap=cap,
        closed=body.closed,
        expires_at=body.expires_at if "expires_at" in body.model_fields_set else ledger.UNCHANGED,
    )


def _joined_grants() -> Select[Any]:
    return (
        select(grants, datasets.c.owner_id, principal_names.c.name, budgets)
        .join(datasets, datasets.c.id == grants.c.dataset_id)
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .join(principal_names, principal_names.c.principal_id == grants.c.principal_id, isouter=True)
    )


def visible(connection: Connection, caller: Caller, grant_id: str) -> GivenGrant:
    """Return a grant that the caller gave or holds. Raises NotFound."""
    found = connection.execute(_joined_grants().where(grants.c.id == grant_id)).first()
    grant = None if found is None else GivenGrant.of(found)
    if grant is None or caller.principal_id not in (grant.owner_id, grant.row.principal_id):
        raise NotFound
    return grant


GrantListState = TypeAliasType("GrantListState", Literal["open", "ended"])


class Wanted(NamedTuple):
    """The grants that a list shows; None and no budgets show all."""

    dataset_id: str | None = None
    budget_ids: Sequence[str] = ()
    principal_id: str | None = None
    state: GrantListState | None = None


def list_mine(connection: Connection, caller: Caller, page: PageRequest, wanted: Wanted) -> Page[Grant]:
    """Return the grants that the caller gave or holds, including those on deleted data sets. Raises InvalidRequest for
    an unknown cursor.
    """
    who = grants.c.owner_id if caller.role is Role.OWNER else grants.c.principal_id
    query = _joined_grants().where(who == caller.principal_id)
    if wanted.dataset_id is not None:
        query = query.where(grants.c.dataset_id == wanted.dataset_id)
    if wanted.budget_ids:
        on_budget = select(datasets.c.id).where(datasets.c.budget_id.in_(wanted.budget_ids))
        query = query.where(grants.c.dataset_id.in_(on_budget))
    if wanted.principal_id is not None:
        query = query.where(grants.c.principal_id == wanted.principal_id)
    if wanted.state is not None:
        is_open = grants.c.closed_at.is_(None) & (grants.c.expires_at.is_(None) | (grants.c.expires_at > now()))
        query = query.where(is_open if wanted.state == "open" else ~is_open)
    joined = connection.execute(in_order_of_creation(connection, query, grants, page))
    found = [GivenGrant.of(row) for row in joined]
    return page_of(found, page.limit, partial(grant_response, connection, caller), lambda grant: grant.row.id)


def latest_on(connection: Connection, dataset_id: str, limit: int) -> list[GivenGrant]:
    """Return the latest grants on a data set, also a deleted one, newest first."""
    newest_first = (grants.c.created_nanoseconds.desc(), grants.c.id.desc())
    query = _joined_grants().where(grants.c.dataset_id == dataset_id).order_by(*newest_first).limit(limit)
    return [GivenGrant.of(row) for row in connection.execute(query)]


def get_grant(connection: Connection, caller: Caller, grant_id: str) -> Grant:
    """Return a grant that the caller gave or holds. Raises NotFound."""
    return grant_response(connection, caller, visible(connection, caller, grant_id))


def grant_response(connection: Connection, caller: Caller, grant: GivenGrant) -> Grant:
    """Return the grant as the caller may see it. The holder must not learn what others measured on the budget."""
    row, accountant = grant.row, grant.accountant
    budget, state = budget_state(grant.budget, restore_pending=False), grant_state(row)
    owned = caller.principal_id == grant.owner_id
    left = remaining(budget if owned else visible_to_caller(connection, grant.budget.id, budget, state), state)
    warnings = [_CAP_WARNING] if owned and left != state.limit.left_after(state.spent) else []
    return Grant(
        id=row.id,
        dataset_id=row.dataset_id,
        principal_id=row.principal_id,
        name=grant.name,
        cap=amount(accountant, row.cap),
        spent=amount(accountant, row.spent),
        remaining=amount(accountant, left),
        warnings=warnings,
        stored_bytes=row.stored_bytes,
        closed=row.closed_at is not None,
        expired=row.expires_at is not None and row.expires_at <= now(),
        expires_at=None if row.expires_at is None else timestamp(row.expires_at),
        created_at=timestamp(row.created_at),
    )


def caller_limits(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget_row: BudgetRow
) -> tuple[BudgetState, GrantState | None]:
    """Return the budget and grant that determine a charge by this caller, limited to what the caller may see.

    The grant is None for the owner.
    """
    budget = budget_state(budget_row, restore_pending=is_restore_pending(connection))
    if dataset.owner_id == caller.principal_id:
        return budget, None
    held = select(grants).where(grants.c.dataset_id == dataset.id, grants.c.principal_id == caller.principal_id)
    grant = grant_state(fetch_one(connection, GrantRow, held))
    return visible_to_caller(connection, dataset.budget_id, budget, grant), grant


def asked_by(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget: BudgetState, grant: GrantState | None
) -> State:
    """Return the state that determines a charge by this caller: budget, grant, and the states of caller and owner."""
    query = select(principals).where(principals.c.id.in_({caller.principal_id, dataset.owner_id}))
    people = {row.id: row for row in fetch_all(connection, PrincipalRow, query)}
    return State(
        budget,
        grant,
        dataset_deleted=False,
        principal_revoked=False,
        principal_frozen=is_frozen(people[caller.principal_id].frozen_until),
        owner_unavailable=dataset.owner_id not in available(connection, people.values()),
    )


def may_measure(
    connection: Connection, caller: Caller, dataset: DatasetRow, budget: BudgetState, grant: GrantState | None
) -> bool:
    """Return whether the caller may measure rows for queries now, if they cost nothing."""
    free = Charge(NOTHING, MEASURING, now())
    return isinstance(decide(asked_by(connection, caller, dataset, budget, grant), free), Accepted)
