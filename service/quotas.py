"""Quotas: how many things a principal may have, decided under the lock of the principal's row, and on public facts.

Every function works inside the caller's transaction. Whoever locks a budget too locks it before.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Table, func, select

from service.auth import SESSION
from service.database.rows import HoldingsRow, fetch_first
from service.database.tables import access_requests, api_keys, datasets, holdings, jobs, principals
from service.errors import QuotaReached
from service.identifiers import now
from service.principals import chain
from service.settings import Settings


class Quotas(NamedTuple):
    """The most that each owner, principal, budget and grant may have."""

    budgets: int = 1_000
    datasets: int = 1_000
    grants: int = 10_000
    """Closed grants count, too."""
    keys: int = 20
    budget_bytes: int = 1_000_000_000
    """Each release of a budget reserves its largest size."""
    grant_bytes: int = 200_000_000
    free_answers: int = 1_000
    """Stored answers to queries that cost nothing."""
    access_requests: int = 20
    """Open ones."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls(*(settings.quota_factor * most for most in cls()))


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
    """Raises QuotaReached where the owner can't have another budget."""
    chain.lock(connection, owner_id)
    _check("budgets", _held(connection, owner_id).budgets, most)


def check_datasets(connection: Connection, owner_id: str, most: int) -> None:
    """Raises QuotaReached where the owner can't have another data set."""
    chain.lock(connection, owner_id)
    _check("data sets", _held(connection, owner_id).datasets, most)


def check_grants(connection: Connection, owner_id: str, most: int) -> None:
    """Raises QuotaReached where the owner can't give another grant."""
    chain.lock(connection, owner_id)
    _check("grants", _held(connection, owner_id).grants, most)


def check_access_requests(connection: Connection, analyst_id: str, most: int) -> None:
    """Raises QuotaReached if the analyst, whose principal the caller has locked, can't make another request."""
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


def _check(what: str, count: int, most: int) -> None:
    if count >= most:
        raise QuotaReached(f"You have {count} {what}, and {most} are the most that a principal may have here.")


def _held(connection: Connection, owner_id: str) -> HoldingsRow:
    """What the database has counted of an owner; nothing, before the first."""
    query = select(holdings).where(holdings.c.owner_id == owner_id)
    return fetch_first(connection, HoldingsRow, query) or HoldingsRow(owner_id, 0, 0, 0)


def _count(connection: Connection, table: Table, which: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).select_from(table).where(which)).scalar_one())
