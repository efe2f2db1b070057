"""Statement of a data set, in figures and in words. Works inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select, text

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.privacy import Delta, Epsilon
from service.database.costs import DIMENSIONS, of_units
from service.database.rows import (
    BudgetRow,
    DatasetRow,
    EntryRow,
    StatedRelease,
    columns_of,
    fetch_all,
    fetch_first,
    fetch_one,
)
from service.database.tables import (
    OF_DECISIONS,
    OF_RESTORES,
    OF_SHARED_HISTORIES,
    ORDERED_CERTIFICATE,
    ORDERED_MECHANISM,
    budgets,
    datasets,
    entries,
    principal_names,
    releases,
    spending,
)
from service.datasets import access_requests, grants
from service.datasets.public_facts import dataset_response, owner_names, registrant_of
from service.errors import NotFound
from service.identifiers.identifiers import now, timestamp
from service.ledger.budget_changes import terms_of
from service.ledger.chain import EntryKind
from service.ledger.transfers import transfers
from service.principals.auth import Caller
from service.principals.people import stated_recoveries
from service.releases.spec import stated_certificate, stated_mechanism
from service.reports.scope import assessment, responsibilities
from service.reports.statement_text import Facts, OtherDataset, paragraphs
from service.schemas import statements as schema
from service.schemas.model import Guarantee, amount, page_of
from service.schemas.principals import Role

_MAX_LISTED_ITEMS: Final = 100
"""Number of grants, access requests and decisions that the text names."""
_PARTS: dict[str, ColumnElement[Any]] = {"mechanism": ORDERED_MECHANISM, "certificate": ORDERED_CERTIFICATE}
_STATED_COLUMNS = [_PARTS[name] if name in _PARTS else releases.c[name] for name in StatedRelease._fields]


def get_statement(
    connection: Connection, caller: Caller, dataset_id: str, *, after: int, limit: int
) -> schema.Statement:
    """Return the statement of the caller's data set, with the releases after sequence `after`. Raises NotFound.

    A deleted data set has a statement too.
    """
    dataset = _owned_dataset(connection, caller, dataset_id)
    budget = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    accountant, spent, total = Accountant(budget.accountant), budget.spent, budget.limit
    spenders = _spenders(connection, dataset)
    of_dataset = select(*_STATED_COLUMNS).where(releases.c.dataset_id == dataset_id, releases.c.sequence > after)
    rows = fetch_all(connection, StatedRelease, of_dataset.order_by(releases.c.sequence).limit(limit + 1))
    charged = sum((cost for cost, _ in spenders), NOTHING)
    so_far = terms_of(budget).guarantee(spent)
    transferred = transfers(connection, [budget.id])
    owners = {caller.principal_id, *(json.loads(each.detail)["from"] for each in transferred)}
    recoveries, earlier = stated_recoveries(connection, owners | {each.principal_id for _, each in spenders})
    others = _other_datasets(connection, dataset)
    owner_name = owner_names(connection, [dataset]).get(dataset.owner_id)
    return schema.Statement(
        created_at=timestamp(now()),
        summary=paragraphs(
            Facts(
                dataset=dataset,
                budget=budget,
                owner_name=owner_name,
                so_far=so_far,
                releases=sum(each.releases for _, each in spenders),
                others=others,
                decisions=_decisions(connection, dataset, transferred),
                owners=owners,
                registrant_id=registrant_of(connection, dataset),
                grants=grants.latest_on(connection, dataset_id, _MAX_LISTED_ITEMS + 1),
                requests=access_requests.latest_on(connection, dataset_id, _MAX_LISTED_ITEMS + 1),
                recoveries=recoveries,
                earlier_recoveries=earlier,
                was_shared=_was_shared(connection, dataset),
            ),
            most=_MAX_LISTED_ITEMS,
        ),
        responsibilities=responsibilities(dataset, budget),
        assessment=assessment(dataset, budget, sum(each.releases for _, each in spenders)),
        dataset=dataset_response(dataset, owner_name),
        deleted_at=None if dataset.deleted_at is None else timestamp(dataset.deleted_at),
        budget_id=budget.id,
        guarantee_limit=Guarantee(epsilon=Epsilon(budget.guaranteed_epsilon), delta=Delta(budget.guaranteed_delta)),
        guarantee_to_date=Guarantee(epsilon=so_far.epsilon, delta=so_far.delta),
        datasets_on_budget=len(others) + 1,
        budget_total=amount(accountant, total),
        budget_spent=amount(accountant, spent),
        budget_remaining=amount(accountant, total.left_after(spent)),
        charged_to_dataset=amount(accountant, charged),
        counts_replaceable=dataset.deleted_at is None and not dataset.charged,
        written_off=amount(accountant, _written_off_cost(connection, budget.id)),
        spenders=[spender for _, spender in spenders],
        recoveries=recoveries,
        earlier_recoveries=earlier,
        ledger_sequence=budget.sequence,
        ledger_hash=budget.head_hash,
        releases=page_of(rows, limit, lambda row: _stated_release(row, accountant), lambda row: row.sequence),
    )


def _owned_dataset(connection: Connection, caller: Caller, dataset_id: str) -> DatasetRow:
    query = (
        select(*columns_of(DatasetRow, datasets, budgets))
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .where(datasets.c.id == dataset_id)
    )
    owned = query.where(datasets.c.owner_id == caller.principal_id)
    row = fetch_first(connection, DatasetRow, owned) if caller.role is Role.OWNER else None
    if row is None:
        raise NotFound
    return row


def _other_datasets(connection: Connection, dataset: DatasetRow) -> list[OtherDataset]:
    """Return the other data sets of the budget, oldest first."""
    columns = (datasets.c.created_nanoseconds, datasets.c.id, datasets.c.name, datasets.c.deleted_at)
    query = select(*columns).where(datasets.c.budget_id == dataset.budget_id, datasets.c.id != dataset.id)
    rows = sorted(connection.execute(query), key=lambda row: (row.created_nanoseconds, row.id))
    return [OtherDataset(row.name, row.deleted_at) for row in rows]


def _decisions(connection: Connection, dataset: DatasetRow, transferred: Sequence[EntryRow]) -> list[EntryRow]:
    """Return the latest decisions about the data set and its budget, newest first."""
    # The words of an index, which SQLite finds by them alone.
    of_dataset = (entries.c.budget_id == dataset.budget_id) & entries.c.subject_id.in_((dataset.id, dataset.budget_id))
    query = select(entries).where(of_dataset, text(OF_DECISIONS)).order_by(entries.c.sequence.desc())
    found = [*fetch_all(connection, EntryRow, query.limit(_MAX_LISTED_ITEMS + 1)), *transferred]
    return sorted(found, key=lambda entry: entry.sequence, reverse=True)[: _MAX_LISTED_ITEMS + 1]


def _spenders(connection: Connection, dataset: DatasetRow) -> list[tuple[Cost, schema.Spender]]:
    accountant, principal_id = Accountant(dataset.accountant), spending.c.principal_id
    sums = [func.sum(spending.c[summed]) for summed in (*DIMENSIONS, "releases")]
    query = (
        select(principal_id, func.min(principal_names.c.name), *sums)
        .join(principal_names, principal_names.c.principal_id == principal_id, isouter=True)
        .where(spending.c.budget_id == dataset.budget_id, spending.c.dataset_id == dataset.id)
        .group_by(principal_id)
        .order_by(principal_id)
    )
    found = []
    for principal_id, name, epsilon, delta, rho, count in connection.execute(query):
        cost = of_units(int(epsilon), int(delta), int(rho))
        found.append(
            (
                cost,
                schema.Spender(
                    principal_id=principal_id, name=name, releases=int(count), charged=amount(accountant, cost)
                ),
            )
        )
    return found


def _was_shared(connection: Connection, dataset: DatasetRow) -> bool:
    """Return whether the data set's history was ever shared among its grants."""
    # SQLite uses a partial index only if the condition has the same text as the index. The condition needs no budget,
    # because a data set belongs to one budget.
    query = select(entries.c.sequence).where(entries.c.subject_id == dataset.id, text(OF_SHARED_HISTORIES))
    return bool(dataset.history_shared) or connection.execute(query.limit(1)).first() is not None


def _written_off_cost(connection: Connection, budget_id: str) -> Cost:
    # SQLite uses a partial index only if the condition has the same text as the index.
    of_restores = (entries.c.budget_id == budget_id) & text(OF_RESTORES)
    query = select(entries).where(of_restores, entries.c.kind == EntryKind.WRITTEN_OFF.value)
    return sum((row.amount for row in fetch_all(connection, EntryRow, query)), NOTHING)


def _stated_release(row: StatedRelease, accountant: Accountant) -> schema.StatedRelease:
    certificate = stated_certificate(row.certificate)
    return schema.StatedRelease(
        id=row.id,
        ledger_sequence=row.sequence,
        principal_id=row.principal_id,
        created_at=timestamp(row.created_at),
        state=row.state,
        kind=row.kind,
        mechanism=stated_mechanism(row.mechanism),
        charged=amount(accountant, row.charged),
        certificate=None if certificate is None else certificate.statement,
    )
