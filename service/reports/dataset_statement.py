"""Statement of a data set, in figures and in words for readers without mathematics. Works inside the caller's
transaction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select, text

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.privacy import Delta, Epsilon, PrivacyLoss
from service.auth import Caller, Role
from service.costs import DIMENSIONS, of_units
from service.database.rows import BudgetRow, DatasetRow, EntryRow, StatedRelease, fetch_all, fetch_first, fetch_one
from service.database.tables import (
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
from service.datasets.datasets import dataset_response
from service.errors import NotFound
from service.identifiers import now, timestamp
from service.ledger.acts import terms_of
from service.ledger.chain import EntryKind
from service.principals.recoveries import stated_recoveries
from service.releases.spec import stated_certificate, stated_mechanism
from service.schemas import statements as schema
from service.schemas.amounts import Guarantee, amount
from service.schemas.cells import of_json
from service.schemas.model import page_of

_UPWARD = Context(prec=40, rounding=ROUND_CEILING)
_THREE_DIGITS = Context(prec=3, rounding=ROUND_CEILING)
_THOUSANDTH = Decimal("0.001")
_LARGE = Decimal(1_000_000)
_PARTS: dict[str, ColumnElement[Any]] = {"mechanism": ORDERED_MECHANISM, "certificate": ORDERED_CERTIFICATE}
_STATED = [_PARTS[name] if name in _PARTS else releases.c[name] for name in StatedRelease._fields]
_SHARED = (
    "The owner shares, or has shared, the history of the data set among its grants: answers to queries use all "
    "that was measured for anyone. A grant's cap limits its holder's spending, and only the budget limits what the "
    "holder can learn."
)


def read(connection: Connection, caller: Caller, dataset_id: str, *, after: int, limit: int) -> schema.Statement:
    """Return the statement of the caller's data set, with the releases after sequence `after`. Raises NotFound.

    A deleted data set has a statement too.
    """
    dataset = _owned(connection, caller, dataset_id)
    budget = fetch_one(connection, BudgetRow, select(budgets).where(budgets.c.id == dataset.budget_id))
    accountant, spent, total = Accountant(budget.accountant), budget.spent, budget.limit
    spenders = _spenders(connection, dataset)
    of_dataset = select(*_STATED).where(releases.c.dataset_id == dataset_id, releases.c.sequence > after)
    rows = fetch_all(connection, StatedRelease, of_dataset.order_by(releases.c.sequence).limit(limit + 1))
    charged = sum((cost for cost, _ in spenders), NOTHING)
    so_far = terms_of(budget).guarantee(spent)
    recoveries, earlier = stated_recoveries(
        connection, {caller.principal_id, *(each.principal_id for _, each in spenders)}
    )
    neighbours = _count(connection, dataset.budget_id)
    return schema.Statement(
        created_at=timestamp(now()),
        summary=_in_words(
            dataset,
            budget,
            so_far,
            sum(each.releases for _, each in spenders),
            neighbours,
            recoveries,
            earlier,
            was_shared=_was_shared(connection, dataset),
        ),
        dataset=dataset_response(dataset),
        deleted_at=None if dataset.deleted_at is None else timestamp(dataset.deleted_at),
        budget_id=budget.id,
        guarantee_limit=Guarantee(epsilon=Epsilon(budget.guaranteed_epsilon), delta=Delta(budget.guaranteed_delta)),
        guarantee_to_date=Guarantee(epsilon=so_far.epsilon, delta=so_far.delta),
        datasets_on_budget=neighbours,
        budget_total=amount(accountant, total),
        budget_spent=amount(accountant, spent),
        budget_remaining=amount(accountant, total.left_after(spent)),
        charged_to_dataset=amount(accountant, charged),
        written_off=amount(accountant, _written_off(connection, budget.id)),
        spenders=[spender for _, spender in spenders],
        recoveries=recoveries,
        earlier_recoveries=earlier,
        ledger_sequence=budget.sequence,
        ledger_hash=budget.head_hash,
        releases=page_of(rows, limit, lambda row: _stated(row, accountant), lambda row: row.sequence),
    )


def _owned(connection: Connection, caller: Caller, dataset_id: str) -> DatasetRow:
    query = (
        select(datasets, budgets.c.accountant)
        .join(budgets, budgets.c.id == datasets.c.budget_id)
        .where(datasets.c.id == dataset_id)
    )
    owned = query.where(datasets.c.owner_id == caller.principal_id)
    row = fetch_first(connection, DatasetRow, owned) if caller.role is Role.OWNER else None
    if row is None:
        raise NotFound
    return row


def _count(connection: Connection, budget_id: str) -> int:
    return int(connection.execute(select(func.count()).where(datasets.c.budget_id == budget_id)).scalar_one())


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
    # In the words of an index, which SQLite finds by them alone. An id is of one data set, and it of one budget.
    query = select(entries.c.sequence).where(entries.c.subject_id == dataset.id, text(OF_SHARED_HISTORIES))
    return bool(dataset.history_shared) or connection.execute(query.limit(1)).first() is not None


def _written_off(connection: Connection, budget_id: str) -> Cost:
    # The words of an index, which SQLite finds by them alone.
    of_restores = (entries.c.budget_id == budget_id) & text(OF_RESTORES)
    query = select(entries).where(of_restores, entries.c.kind == EntryKind.WRITTEN_OFF.value)
    return sum((row.amount for row in fetch_all(connection, EntryRow, query)), NOTHING)


def _stated(row: StatedRelease, accountant: Accountant) -> schema.StatedRelease:
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


def _in_words(
    dataset: DatasetRow,
    budget: BudgetRow,
    so_far: PrivacyLoss,
    count: int,
    data_sets: int,
    recoveries: Sequence[schema.StatedRecovery],
    earlier_recoveries: int,
    *,
    was_shared: bool,
) -> list[str]:
    promised_epsilon, promised_delta = Epsilon(budget.guaranteed_epsilon), Delta(budget.guaranteed_delta)
    shared = "this data set alone draws" if data_sets == 1 else f"{data_sets} data sets about the same people draw"
    fate = (
        ""
        if dataset.deleted_at is None
        else f" They were destroyed on {timestamp(dataset.deleted_at)[:10]}; nothing more can be released."
    )
    what = (
        f"The data set {_quoted(dataset.name)} holds how many of {dataset.record_count} records fall into each of {dataset.category_count} categories{_attributes_in_words(dataset)}. "
        f"One record stands for, in its owner's words, {_quoted(dataset.unit)}. The owner affirms that {_records_in_words(dataset)} and that the number of records may be "
        f"known. The service never gives out the counts themselves.{fate}"
    )
    records = dataset.records_per_unit
    promise = (
        "The promise is differential privacy under replacement of one record: two data sets are neighbours when "
        "one record is in another category. "
        if records == 1
        else "The promise is differential privacy under replacement of all records of one unit: two data sets are "
        f"neighbours when up to {records} records are in other categories. "
    ) + _odds(promised_epsilon, promised_delta, "all releases that this budget will ever allow", records)
    so_far_in_words = (
        _odds(so_far.epsilon, so_far.delta, "all releases so far, of every data set on the budget", records)
        if so_far.epsilon.units or so_far.delta.units
        else "Nothing of the budget is spent."
    )
    spent = (
        f"On the budget {_quoted(budget.name)} {shared}. So far {_times(count)} from this data set. {so_far_in_words}"
    )
    ledger = (
        "Each release was charged, before the counts were decrypted, the proven privacy loss of its mechanism. "
        "Answers to queries are charged the increase in the joint loss of all measured answers on the data set, "
        "which can be zero. No charge is ever refunded. " + (f"{_SHARED} " if was_shared else "") + "The "
        f"ledger of these charges is chained by hashes and ends, for this statement, with entry {budget.sequence}, hash {budget.head_hash}."
    )
    not_covered = (
        "Not covered: what the number of records tells; "
        + ("" if records == 1 else "how many records a unit has; ")
        + "what other budgets, other services or other publications tell about the same people; "
        f"units that stand behind {'several' if records == 1 else 'more'} records in spite of the affirmation; and facts about groups, which releases are made to show."
    )
    access = [*_earlier_in_words(earlier_recoveries), *map(_recovery_in_words, recoveries)]
    return [what, promise, spent, ledger, *access, not_covered]


def _attributes_in_words(dataset: DatasetRow) -> str:
    attributes = None if dataset.attributes is None else of_json(json.loads(dataset.attributes))
    if attributes is None:
        return ""
    parts = [
        f"{_quoted(each.name)} ({len(each.levels)} {'level' if len(each.levels) == 1 else 'levels'})"
        for each in attributes
    ]
    return ", the possible combinations of " + (
        " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
    )


def _earlier_in_words(recoveries: int) -> list[str]:
    if recoveries == 0:
        return []
    times = "once" if recoveries == 1 else f"{recoveries} times"
    return [f"Before the recoveries listed next, administrators recovered access {times}."]


def _recovery_in_words(recovery: schema.StatedRecovery) -> str:
    before, until = "before anything could be changed or released", recovery.frozen_until[:10]
    if recovery.vetoed_at is not None:
        end = f"it was vetoed on {recovery.vetoed_at[:10]}, {before}."
    elif recovery.replaced_at is not None:
        end = f"a later recovery replaced it on {recovery.replaced_at[:10]}, {before}."
    elif recovery.frozen_until > timestamp(now()):
        end = f"nothing can be changed or released in its name until {until}, and until then it can be vetoed."
    else:
        end = f"nothing could be changed or released in its name until {until}, and nobody vetoed it."
    return (
        f"On {recovery.started_at[:10]} an administrator recovered access for the principal {recovery.principal_id}; "
        f"{end}"
    )


def _times(count: int) -> str:
    return (
        "there was one release" if count == 1 else f"there were {count} releases" if count else "nothing was released"
    )


_LIKE_QUOTES: Final = "\"'`´“”„‟‘’‚‛′″‴‵‶‷⁗ʹʺʼˮ˝״«»‹›❛❜❝❞❮❯〝〞〟＂＇"
"""Marks that look like the end of a quotation, alone or in pairs."""


def _quoted(text: str) -> str:
    """Return the owner's text as a quotation that it can't end, so that it never reads as a sentence of the
    statement.
    """
    return "“" + re.sub(f"[{_LIKE_QUOTES}]+", "'", text) + "”"


def _records_in_words(dataset: DatasetRow) -> str:
    records = dataset.records_per_unit
    return "each unit has exactly one record" if records == 1 else f"no unit has more than {records} records"


def _odds(epsilon: Epsilon, delta: Delta, releases_in_words: str, records: int) -> str:
    # A budget reaches epsilon = 1000, where no floating-point number holds the factor.
    factor = _UPWARD.exp(Decimal(str(epsilon)))
    shown = (
        str(factor.quantize(_THOUSANDTH, rounding=ROUND_CEILING))
        if factor < _LARGE
        else f"{_THREE_DIGITS.plus(factor):.2e}"
    )
    slack = f", plus at most {delta}" if delta.units else ""
    return (
        f"Had {'one record' if records == 1 else f'{records} records'} been in {'another category' if records == 1 else 'other categories'}, any conclusion from {releases_in_words} would have been at most {shown} times as "
        f"probable{slack} (epsilon {epsilon}, delta {delta})."
    )
