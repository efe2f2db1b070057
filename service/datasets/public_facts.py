"""The public facts about data sets, for callers who may see them: labels, sizes, unit and commitment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    bindparam,
    case,
    false,
    func,
    select,
)

from service.database.paging import PageRequest, creation_order, in_order, in_order_of_creation, name_contains
from service.database.rows import DatasetRow, columns_of, fetch_all, fetch_first
from service.database.tables import budgets, datasets, grants, principal_names, principals
from service.datasets import budgets as budget_use_case
from service.errors import NotFound
from service.identifiers.identifiers import timestamp
from service.principals.auth import Caller
from service.schemas.cells import of_json
from service.schemas.datasets import Dataset, ListedDataset
from service.schemas.model import Page, page_of
from service.schemas.principals import Role

MAX_LISTED_LABELS: Final = 2_000
"""Longest labels and attributes, in characters, that a list includes. A read of the data set includes longer ones."""
_GRANT = select(grants.c.id).where(
    grants.c.dataset_id == bindparam("dataset"), grants.c.principal_id == bindparam("analyst")
)


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """Public facts of a data set with its budget's accountant, and the grant that the caller spends from, or None for
    the owner.
    """

    dataset: DatasetRow
    grant_id: str | None


def registrant_of(connection: Connection, row: DatasetRow) -> str:
    """Return the owner at registration. The counts stay bound to that owner if the budget is transferred."""
    query = select(datasets.c.registered_by).where(datasets.c.id == row.id)
    return connection.execute(query).scalar_one() or row.owner_id


def owned(connection: Connection, caller: Caller, dataset_id: str) -> DatasetRow:
    """Return the row of the caller's data set, if it is not deleted. Raises NotFound."""
    query = _visible_datasets().where(datasets.c.id == dataset_id, datasets.c.owner_id == caller.principal_id)
    row = fetch_first(connection, DatasetRow, query)
    if row is None or caller.role is not Role.OWNER:
        raise NotFound
    return row


def visible(connection: Connection, caller: Caller, dataset_id: str) -> DatasetRow:
    """Return the row of a data set, not deleted, that the caller owns or has a grant on. Raises NotFound."""
    row = fetch_first(
        connection,
        DatasetRow,
        _VISIBLE_DATASET_BY_ROLE[caller.role],
        {"wanted": dataset_id, "viewer": caller.principal_id},
    )
    if row is None:
        raise NotFound
    return row


def facts(connection: Connection, caller: Caller, dataset_id: str) -> DatasetFacts:
    """Return the facts of a data set that a release by the caller needs. Raises NotFound."""
    dataset = visible(connection, caller, dataset_id)
    if dataset.owner_id == caller.principal_id:
        return DatasetFacts(dataset, None)
    grant_id: str | None = connection.execute(_GRANT, {"dataset": dataset_id, "analyst": caller.principal_id}).scalar()
    if grant_id is None:
        raise NotFound
    return DatasetFacts(dataset, grant_id)


def list_visible(
    connection: Connection,
    caller: Caller,
    page: PageRequest,
    *,
    deleted: bool = False,
    budget_ids: Sequence[str] = (),
    part_of_name: str | None = None,
) -> list[DatasetRow]:
    """Return the data sets, not deleted, that the caller owns or has a grant on; with `deleted`, those that the caller
    owned and deleted. Raises InvalidRequest for an unknown cursor.
    """
    visible_rows = _deleted_datasets() if deleted else _datasets_visible_to(caller.role)
    query = visible_rows.with_only_columns(*LISTED_COLUMNS, maintain_column_froms=True)
    if budget_ids:
        query = query.where(datasets.c.budget_id.in_(budget_ids))
    query = query.where(name_contains(datasets.c.name, part_of_name))
    of_dataset = creation_order(datasets)
    by_grant = caller.role is Role.ANALYST and not deleted
    ordering = (grants.c.dataset_nanoseconds, grants.c.dataset_id) if by_grant else of_dataset
    query = in_order(connection, query, ordering, datasets, page, of_dataset)
    return fetch_all(connection, DatasetRow, query, {"viewer": caller.principal_id})


def _visible_datasets() -> Select[Any]:
    return (
        select(*columns_of(DatasetRow, datasets, budgets))
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .where(datasets.c.deleted_at.is_(None))
    )


def _deleted_datasets() -> Select[Any]:
    """Select the deleted data sets of the owner `viewer`, by the indexes of their budgets."""
    return (
        select(*columns_of(DatasetRow, datasets, budgets))
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .where(budgets.c.owner_id == bindparam("viewer", type_=String), datasets.c.deleted_at.is_not(None))
    )


def _datasets_visible_to(role: Role) -> Select[Any]:
    """Select the data sets, not deleted, that the principal `viewer` may see in this role."""
    viewer = bindparam("viewer", type_=String)
    match role:
        case Role.OWNER:
            return _visible_datasets().where(datasets.c.owner_id == viewer)
        case Role.ANALYST:
            return (
                _visible_datasets()
                .join(grants, grants.c.dataset_id == datasets.c.id)
                .where(grants.c.principal_id == viewer)
            )
        case Role.ADMIN:
            return _visible_datasets().where(false(), datasets.c.owner_id == viewer)


_SHORTNESS_CONDITION = (
    func.length(datasets.c.labels) + func.coalesce(func.length(datasets.c.attributes), 0) <= MAX_LISTED_LABELS
)
_LISTING_EXPRESSIONS: dict[str, ColumnElement[Any]] = {
    "labels": case((_SHORTNESS_CONDITION, datasets.c.labels), else_="[]").label("labels"),
    "attributes": case((_SHORTNESS_CONDITION, datasets.c.attributes)).label("attributes"),
    "accountant": budgets.c.accountant,
}
LISTED_COLUMNS: Final = [
    _LISTING_EXPRESSIONS[name] if name in _LISTING_EXPRESSIONS else datasets.c[name] for name in DatasetRow._fields
]
_VISIBLE_DATASET_BY_ROLE = {
    role: _datasets_visible_to(role).where(datasets.c.id == bindparam("wanted")) for role in Role
}


def owner_names(connection: Connection, rows: Iterable[DatasetRow]) -> dict[str, str]:
    """Return the names of the data sets' owners by their ids, except erased ones."""
    query = select(principal_names.c.principal_id, principal_names.c.name)
    found = connection.execute(query.where(principal_names.c.principal_id.in_({row.owner_id for row in rows})))
    return {row.principal_id: row.name for row in found}


def read_dataset(connection: Connection, caller: Caller, dataset_id: str) -> Dataset:
    """Return the public facts of a data set that is visible to the caller. Raises NotFound."""
    return _named_response(connection, visible(connection, caller, dataset_id))


def _named_response(connection: Connection, row: DatasetRow) -> Dataset:
    return dataset_response(row, owner_names(connection, [row]).get(row.owner_id))


def dataset_response(row: DatasetRow, owner_name: str | None) -> Dataset:
    return Dataset(
        **_listed_facts(row, owner_name),
        budget_id=row.budget_id,
        one_record_per_unit=bool(row.one_record_per_unit),
        n_is_public=bool(row.n_is_public),
        commitment=row.commitment,
        history_shared=bool(row.history_shared),
        listed=bool(row.listed),
        nonce=None,
        warnings=None,
    )


def _listed_facts(row: DatasetRow, owner_name: str | None) -> dict[str, Any]:
    """Return the fields of `ListedDataset`."""
    return {
        "id": row.id,
        "name": row.name,
        "owner_name": owner_name,
        "unit": row.unit,
        "labels": json.loads(row.labels),
        "attributes": None if row.attributes is None else of_json(json.loads(row.attributes)),
        "category_count": row.category_count,
        "record_count": row.record_count,
        "records_per_unit": row.records_per_unit,
        "relation": row.relation,
        "accountant": row.accountant,
        "created_at": timestamp(row.created_at),
    }


def changed_response(connection: Connection, row: DatasetRow, nonce: str | None) -> Dataset:
    return _named_response(connection, row).model_copy(update={"nonce": nonce})


def read_registered(connection: Connection, caller: Caller, dataset_id: str, nonce: str | None) -> Dataset:
    """Return the response to a registration. Raises NotFound."""
    row = owned(connection, caller, dataset_id)
    budget = budget_use_case.owned_budget(connection, caller, row.budget_id)
    warnings = budget_use_case.warnings_of(budget, row.record_count)
    return _named_response(connection, row).model_copy(update={"nonce": nonce, "warnings": warnings})


def _listed_response(row: DatasetRow, owner_name: str | None) -> ListedDataset:
    return ListedDataset(**_listed_facts(row, owner_name))


def list_listed(
    connection: Connection, caller: Caller, page: PageRequest, part_of_name: str | None
) -> Page[ListedDataset]:
    """Return the listed data sets. Raises RoleNotAllowed, InvalidRequest for an unknown cursor."""
    caller.require(Role.ANALYST)
    query = _listed_datasets().with_only_columns(*LISTED_COLUMNS, maintain_column_froms=True)
    query = query.where(name_contains(datasets.c.name, part_of_name))
    rows = fetch_all(connection, DatasetRow, in_order_of_creation(connection, query, datasets, page))
    names = owner_names(connection, rows)
    return page_of(rows, page.limit, lambda row: _listed_response(row, names.get(row.owner_id)), lambda row: row.id)


def read_listed(connection: Connection, caller: Caller, dataset_id: str) -> ListedDataset:
    """Return the public facts of a listed data set. Raises RoleNotAllowed, NotFound."""
    row = listed(connection, caller, dataset_id)
    return _listed_response(row, owner_names(connection, [row]).get(row.owner_id))


def listed(connection: Connection, caller: Caller, dataset_id: str) -> DatasetRow:
    """Return a listed data set. Raises RoleNotAllowed, NotFound."""
    caller.require(Role.ANALYST)
    row = fetch_first(connection, DatasetRow, _listed_datasets().where(datasets.c.id == dataset_id))
    if row is None:
        raise NotFound
    return row


def _listed_datasets() -> Select[Any]:
    """Select listed data sets, except data sets of revoked owners, who can't grant access."""
    return (
        select(*columns_of(DatasetRow, datasets, budgets))
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .join(principals, principals.c.id == datasets.c.owner_id)
        .where(datasets.c.listed == 1, datasets.c.deleted_at.is_(None), principals.c.revoked_at.is_(None))
    )
