"""Quotas: limits of the objects of a principal. They are checked under the lock of the principal's row, on public
facts.

Every function works inside the caller's transaction. A budget, if needed, is locked before the principal.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Table, bindparam, func, select, text

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
from service.identifiers.identifiers import now
from service.limits import limits
from service.principals import chain
from service.principals.auth import SESSION


class Quotas(NamedTuple):
    """Limits per owner, principal, budget and grant."""

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


def _free_answers(paid_by: ColumnElement[bool]) -> ColumnElement[int]:
    """Select the number of free query answers of the grants or budgets in `paid_by`.

    The subquery uses an index for each grant or budget. With a join, PostgreSQL might read the charges of all budgets.
    """
    count = select(func.count()).select_from(query_charges).where(text(FREE_ANSWERS), paid_by).scalar_subquery()
    return func.sum(count)


_FREE_THROUGH_GRANTS = select(_free_answers(query_charges.c.grant_id == grants.c.id)).where(
    grants.c.principal_id == bindparam("principal_id")
)
_FREE_OF_OWNER = select(
    _free_answers(query_charges.c.grant_id.is_(None) & (query_charges.c.budget_id == budgets.c.id))
).where(budgets.c.owner_id == bindparam("principal_id"))


class Used(NamedTuple):
    """Number of objects of each kind that a principal has."""

    budgets: int
    datasets: int
    grants: int
    keys: int
    jobs: int
    access_requests: int


def used(connection: Connection, principal_id: str) -> Used:
    """Return the usage of all quotas of a principal."""
    live = api_keys.c.revoked_at.is_(None) & (api_keys.c.expires_at.is_(None) | (api_keys.c.expires_at > now()))
    keys = api_keys.c.kind != SESSION
    held = _held_objects(connection, principal_id)
    return Used(
        budgets=held.budgets,
        datasets=held.datasets,
        grants=held.grants,
        keys=_count(connection, api_keys, (api_keys.c.principal_id == principal_id) & keys & live),
        jobs=_count(connection, jobs, (jobs.c.principal_id == principal_id) & (jobs.c.kind != "certificate")),
        access_requests=_open_requests(connection, principal_id),
    )


def check_budgets(connection: Connection, owner_id: str, most: int) -> None:
    """Raise ObjectQuotaExceeded if the owner has as many budgets as allowed."""
    chain.lock(connection, owner_id)
    _check("budgets", _held_objects(connection, owner_id).budgets, most)


def check_datasets(connection: Connection, owner_id: str, most: int) -> None:
    """Raise ObjectQuotaExceeded if the owner has as many data sets as allowed."""
    chain.lock(connection, owner_id)
    _check("data sets", _held_objects(connection, owner_id).datasets, most)


def check_grants(connection: Connection, owner_id: str, most: int) -> None:
    """Raise ObjectQuotaExceeded if the owner has given as many grants as allowed."""
    chain.lock(connection, owner_id)
    _check("grants", _held_objects(connection, owner_id).grants, most)


def check_access_requests(connection: Connection, analyst_id: str, most: int) -> None:
    """Raise ObjectQuotaExceeded if the analyst has as many open requests as allowed.

    The caller has locked the principal.
    """
    _check("open access requests", _open_requests(connection, analyst_id), most)


def _open_requests(connection: Connection, analyst_id: str) -> int:
    """Count open requests, without those whose data set was deleted or whose owner was revoked."""
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
    """Raise FreeAnswerQuotaExceeded if the quota is used up.

    Concurrent requests may exceed it slightly, because it limits only storage.
    """
    found = 0
    for free in (_FREE_THROUGH_GRANTS, _FREE_OF_OWNER):
        found += connection.execute(free, {"principal_id": principal_id}).scalar_one() or 0
        if found >= most:
            raise FreeAnswerQuotaExceeded


def _check(what: str, count: int, most: int) -> None:
    if count >= most:
        raise ObjectQuotaExceeded(f"You have {count} {what}; a principal may have at most {most} here.")


def _held_objects(connection: Connection, owner_id: str) -> HoldingsRow:
    """Return the numbers of an owner's objects, which database triggers maintain; zeros if there is no row."""
    query = select(holdings).where(holdings.c.owner_id == owner_id)
    return fetch_first(connection, HoldingsRow, query) or HoldingsRow(owner_id, 0, 0, 0)


def _count(connection: Connection, table: Table, which: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(table).where(which)).scalar_one())
