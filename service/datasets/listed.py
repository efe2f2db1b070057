"""Return the public facts of listed data sets to analysts. Works inside the caller's transaction."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Select, select

from service.database.paging import PageRequest, in_order_of_creation, name_contains
from service.database.rows import DatasetRow, columns_of, fetch_all, fetch_first
from service.database.tables import budgets, datasets, principals
from service.datasets.public_facts import LISTED_COLUMNS, owner_names
from service.errors import NotFound
from service.identifiers.identifiers import timestamp
from service.principals.auth import Caller
from service.schemas.access_requests import ListedDataset
from service.schemas.cells import of_json
from service.schemas.model import Page, page_of
from service.schemas.principals import Role


def list_listed(
    connection: Connection, caller: Caller, page: PageRequest, part_of_name: str | None
) -> Page[ListedDataset]:
    """Return the listed data sets. Raises RoleNotAllowed, InvalidRequest for an unknown cursor."""
    caller.require(Role.ANALYST)
    query = _listed().with_only_columns(*LISTED_COLUMNS, maintain_column_froms=True)
    query = query.where(name_contains(datasets.c.name, part_of_name))
    rows = fetch_all(connection, DatasetRow, in_order_of_creation(connection, query, datasets, page))
    names = owner_names(connection, rows)
    return page_of(rows, page.limit, lambda row: listed_response(row, names.get(row.owner_id)), lambda row: row.id)


def read_listed(connection: Connection, caller: Caller, dataset_id: str) -> ListedDataset:
    """Return the public facts of a listed data set. Raises RoleNotAllowed, NotFound."""
    row = listed(connection, caller, dataset_id)
    return listed_response(row, owner_names(connection, [row]).get(row.owner_id))


def listed(connection: Connection, caller: Caller, dataset_id: str) -> DatasetRow:
    """Return a listed data set. Raises RoleNotAllowed, NotFound."""
    caller.require(Role.ANALYST)
    row = fetch_first(connection, DatasetRow, _listed().where(datasets.c.id == dataset_id))
    if row is None:
        raise NotFound
    return row


def _listed() -> Select[Any]:
    """Select listed data sets, except those of revoked owners, who can't grant access."""
    return (
        select(*columns_of(DatasetRow, datasets, budgets))
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .join(principals, principals.c.id == datasets.c.owner_id)
        .where(datasets.c.listed == 1, datasets.c.deleted_at.is_(None), principals.c.revoked_at.is_(None))
    )


def listed_response(row: DatasetRow, owner_name: str | None) -> ListedDataset:
    return ListedDataset(
        id=row.id,
        name=row.name,
        owner_name=owner_name,
        unit=row.unit,
        labels=json.loads(row.labels),
        attributes=None if row.attributes is None else of_json(json.loads(row.attributes)),
        category_count=row.category_count,
        record_count=row.record_count,
        records_per_unit=row.records_per_unit,
        relation=row.relation,
        accountant=row.accountant,
        created_at=timestamp(row.created_at),
    )
