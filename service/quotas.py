"""Quotas: how many things a principal may have, decided under the lock of the principal's row, and on public facts.

Every function works inside the caller's transaction. Whoever locks a budget too locks it before.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Table, bindparam, func, select, text

from service import limits
from service.auth import SESSION
from service.database.rows import HoldingsRow, fetch_first
from service.database.tables import (
    FREE_ANSWERS,
    access_requests,
    api_keys,
    budgets,
    datasets,
    grants,
    holdings,
    jobs,
    principals,
    query_charges,
)
from service.errors import FreeAnswerQuotaExceeded, ObjectQuotaExceeded
from service.identifiers import now
from service.principals import chain


class Quotas(NamedTuple):
    """The most that each owner, principal, budget and grant may have."""

    budgets: int = limits.BUDGETS.max_per_key
    datasets: int = limits.DATASETS.max_per_key
    grants: int = limits.GRANTS.max_per_key
    keys: int = limits.KEYS.max_per_key
    budget_bytes: int = limits.BUDGET_BYTES.max_per_key
    grant_bytes: int = limits.GRANT_BYTES.max_per_key
    free_answers: int = limits.FREE_ANSWERS.max_per_key
    access_requests: int = limits.ACCESS_REQUESTS.max_per_key

    @classmethod
    def times(cls, factor: int) -> Self:
        return cls(*(factor * most for most in cls()))


def _free(paid_by: ColumnElement[bool]) -> ColumnElement[int]:
    """How many answers that cost nothing were paid for by the grants, or budgets, of a query: an index has those of
    each, and their ids stay in the database. With a join in its place PostgreSQL may read those of all.
    """
    count = select(func.count()).select_from(query_charges).where(text(FREE_ANSWERS), paid_by).scalar_subquery()
    return func.sum(count)


_FREE_THROUGH_GRANTS = select(_free(query_charges.c.grant_id == grants.c.id)).where(
    grants.c.principal_id == bindparam("principal_id")
)
_FREE_OF_OWNER = select(_free(query_charges.c.grant_id.is_(None) & (query_charges.c.budget_id == budgets.c.id))).where(
    budgets.c.owner_id == bindparam("principal_id")
)


class Used(NamedTuple):
    """How many of each a principal has."""

    budgets: int
    datasets: int
    grants: int
    keys: int
    jobs: int
    access_requests: int


def used(connection: Connection, principal_id: str) -> Used:
    """What a principal has that counts."""
    live = api_keys.c.revoked_at.is_(None) & (api_keys.c.expires_at.is_(None) | (api_keys.c.expires_at > now()))
    keys = api_keys.c.kind != SESSION
    held = _held(connection, principal_id)
    return Used(
        budgets=held.budgets,
        datasets=held.datasets,
        grants=held.grants,
        keys=_count(connection, api_keys, (api_keys.c.principal_id == principal_id) & keys & live),
        jobs=_count(connection, jobs, jobs.c.principal_id == principal_id),
        access_requests=_open_requests(connection, principal_id),
    )


def check_budgets(connection: Connection, owner_id: str, most: int) -> None:
    """Raises ObjectQuotaExceeded where the owner can't have another budget."""
    chain.lock(connection, owner_id)
    _check("budgets", _held(connection, owner_id).budgets, most)


def check_datasets(connection: Connection, owner_id: str, most: int) -> None:
    """Raises ObjectQuotaExceeded where the owner can't have another data set."""
    chain.lock(connection, owner_id)
    _check("data sets", _held(connection, owner_id).datasets, most)


def check_grants(connection: Connection, owner_id: str, most: int) -> None:
    """Raises ObjectQuotaExceeded where the owner can't give another grant."""
    chain.lock(connection, owner_id)
    _check("grants", _held(connection, owner_id).grants, most)


def check_access_requests(connection: Connection, analyst_id: str, most: int) -> None:
    """Raises ObjectQuotaExceeded if the analyst, whose principal the caller has locked, can't make another request."""
    _check("open access requests", _open_requests(connection, analyst_id), most)


def _open_requests(connection: Connection, analyst_id: str) -> int:
    """Without those that ended with their data set or its owner, which no one can decide."""
    query = (
        select(func.count())
        .select_from(access_requests)
        .join(datasets, datasets.c.id == access_requests.c.dataset_id)
        .join(principals, principals.c.id == access_requests.c.owner_id)
        .where(access_requests.c.principal_id == analyst_id, access_requests.c.state == "open")
        .where(datasets.c.deleted_at.is_(None), principals.c.revoked_at.is_(None))
    )
    return int(connection.execute(query).scalar_one())


def check_free_answers(connection: Connection, principal_id: str, most: int) -> None:
    """Raises FreeAnswerQuotaExceeded. A few at once may pass it together; it bounds storage and no more."""
    found = 0
    for free in (_FREE_THROUGH_GRANTS, _FREE_OF_OWNER):
        found += connection.execute(free, {"principal_id": principal_id}).scalar_one() or 0
        if found >= most:
            raise FreeAnswerQuotaExceeded


def _check(what: str, count: int, most: int) -> None:
    if count >= most:
        raise ObjectQuotaExceeded(f"You have {count} {what}, and {most} are the most that a principal may have here.")


def _held(connection: Connection, owner_id: str) -> HoldingsRow:
    """What the database has counted of an owner; nothing, before the first."""
    query = select(holdings).where(holdings.c.owner_id == owner_id)
    return fetch_first(connection, HoldingsRow, query) or HoldingsRow(owner_id, 0, 0, 0)


def _count(connection: Connection, table: Table, which: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(table).where(which)).scalar_one())
