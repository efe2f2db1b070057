"""Describe the releases from which queries on a data set are answered: those that the caller may read, how noisy they
are, and what was charged for them if the caller may see that. This costs no budget.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, select

from core.accounting.accountants import Accountant
from core.accounting.pairwise_loss import cost_of_units
from core.privacy import NeighbourRelation
from core.queries.estimator import Query, estimate
from core.queries.history import History
from service.database import costs
from service.database.rows import DatasetRow, QueryChargeRow, fetch_all
from service.database.tables import query_charges, releases
from service.datasets import datasets as dataset_use_case
from service.principals.auth import Caller
from service.queries.measuring import payer_of, read_payer
from service.queries.readable_history import KnownRelease, ReadableHistory, history_of, read_known
from service.runtime.runtime import Runtime
from service.schemas import queries as schema
from service.schemas.model import amount
from service.schemas.principals import Role

_HISTORY: Final = "service.queries.history:computed"
_MAX_NUMBERS: Final = 200_000
"""Limit of coefficients in the response, over all rows."""
_PROCESSOR_SECONDS: Final = 10
"""Limit of CPU time. It is below the limit of wall time, so that a history that is too large is not tried again."""
_WELL_KNOWN: Final = 0.1


async def history(runtime: Runtime, caller: Caller, dataset_id: str) -> str:
    """Return the JSON text of a History. Raises NotFound, RoleNotAllowed and the errors of `Processes.compute`."""
    caller.require(Role.OWNER, Role.ANALYST)

    def read(connection: Connection) -> str:
        dataset = dataset_use_case.visible(connection, caller, dataset_id)
        known, payer = (
            read_known(connection, caller, dataset, runtime.database.keys),
            read_payer(connection, caller, dataset),
        )
        paid = _paid(connection, caller, dataset, [each["id"] for each in known if "unused" not in each])
        return json.dumps({"dataset": dataset, "known": known, "payer": payer, "paid": paid})

    async with runtime.processes.computation_slots.slot(caller.principal_id):
        text = await runtime.database.read(read)
        return await runtime.processes.compute_in_slot(_HISTORY, text, processor_seconds=_PROCESSOR_SECONDS)


def _paid(
    connection: Connection, caller: Caller, dataset: DatasetRow, release_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return for each release its standalone cost and its charge. The charge is None if the caller may not see it.

    The budget's charge for rows would disclose what others measured, so only the owner sees it. A grant's charge is
    visible to its holder and to nobody else.
    """
    accountant = Accountant(dataset.accountant)
    names = costs.column_names("charged")
    chosen = select(releases.c.id, releases.c.principal_id, *(releases.c[name] for name in names))
    charged = {row.id: row for row in connection.execute(chosen.where(releases.c.id.in_(release_ids)))}
    of_queries = select(query_charges).where(query_charges.c.release_id.in_(release_ids))
    costs_by_id: dict[str, dict[str, Any]] = {}
    for row in charged.values():
        cost = costs.of_units(*(getattr(row, name) for name in names))
        costs_by_id[row.id] = {"standalone_cost": cost, "charged": cost}
    for query in fetch_all(connection, QueryChargeRow, of_queries):
        costs_by_id[query.release_id]["standalone_cost"] = query.alone
        if dataset.owner_id != caller.principal_id:
            own = charged[query.release_id].principal_id == caller.principal_id
            costs_by_id[query.release_id]["charged"] = query.granted if own else None
    return {
        release_id: {name: None if cost is None else costs.document(accountant, cost) for name, cost in paid.items()}
        for release_id, paid in costs_by_id.items()
    }


def computed(text: str) -> str:
    """Computation: return the JSON text that `history` returns."""
    content = json.loads(text)
    dataset = DatasetRow(*content["dataset"])
    known = history_of(dataset.record_count, dataset.category_count, content["known"])
    payer, accountant = payer_of(content["payer"], dataset), Accountant(dataset.accountant)
    return schema.History(
        items=_items(known, content["known"], content["paid"]),
        excluded_releases=known.excluded_releases,
        joint_cost=None if payer is None else amount(accountant, cost_of_units(accountant, payer.joint.units)),
        precise_categories=_well_known(known.history, json.loads(dataset.labels)),
    ).model_dump_json()


def _items(
    known: ReadableHistory, of: Sequence[KnownRelease], paid: dict[str, dict[str, Any]]
) -> list[schema.HistoryItem]:
    rows = {each["id"]: each.get("measured") for each in of}
    numbers, items = 0, []
    for item in known.items:
        measured = rows[item.release_id]
        numbers += sum(len(row["coefficients"]) for row in measured or [])
        shown = (
            None
            if measured is None or numbers > _MAX_NUMBERS
            else [{name: row[name] for name in schema.NoisyRow.model_fields} for row in measured]
        )
        items.append(
            schema.HistoryItem.model_validate(
                {
                    "release_id": item.release_id,
                    "mechanism": item.mechanism,
                    "rows": item.rows,
                    "standard_deviation": item.standard_deviation,
                    "measured": shown,
                }
                | paid[item.release_id]
            )
        )
    return items


def _well_known(history: History, labels: list[str]) -> list[str]:
    n: float | None = history.n
    if n is None:
        total = estimate(history, Query((1,) * history.m, relation=NeighbourRelation.ADD_REMOVE))
        n = None if total is None else total.estimate
    if n is None:
        return []
    limit = _WELL_KNOWN * n / history.m
    return [
        label for label, deviation in zip(labels, history.cell_deviations().tolist(), strict=True) if deviation <= limit
    ]
