"""Give budgets to other owners, and read the entries by which admins did."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, func, select, text, update

from service.database.rows import EntryRow, PrincipalRow, columns_of, fetch_all
from service.database.tables import OF_TRANSFERS, access_requests, budgets, datasets, entries, grants, principals
from service.errors import Conflict, InvalidRequest
from service.ledger.budget_changes import Act, lock_budget, store
from service.ledger.chain import EntryKind
from service.principals.auth import Caller
from service.schemas.principals import Role

_LONGEST_NAME: Final = 200
"""Characters of the columns of names."""


def transfer(connection: Connection, budget_id: str, admin: Caller, owner_id: str) -> None:
    """Give a budget whose owner's access has ended to another owner, with its data sets, grants and open requests.
    Names that the new owner has already get a number. Does nothing if the budget is that owner's.

    Counts, receipts and entries stay bound to the owner at registration. Raises NotFound, InvalidRequest for a new
    owner who can't be one, Conflict if the former owner's access has not ended, and RecoveryPending.
    """
    row = lock_budget(connection, budget_id)
    ids = {row.owner_id, owner_id, admin.principal_id}
    query = select(*columns_of(PrincipalRow, principals)).where(principals.c.id.in_(ids)).order_by(principals.c.id)
    people = {each.id: each for each in fetch_all(connection, PrincipalRow, query.with_for_update(read=True))}
    new = people.get(owner_id)
    if new is None or new.role != Role.OWNER.value or new.revoked_at is not None:
        raise InvalidRequest.at("principal_id", "must be the id of an owner whose access has not ended")
    if row.owner_id == owner_id:
        return
    if people[row.owner_id].revoked_at is None:
        raise Conflict("The owner's access has not ended. Only a budget of an owner who has left can be transferred.")
    of_budget, moved = datasets.c.budget_id == budget_id, {"owner_id": owner_id}
    acts = [Act(EntryKind.BUDGET_TRANSFERRED, admin, budget_id, detail={"from": row.owner_id, "to": owner_id})]
    taken = set(connection.execute(select(budgets.c.name).where(budgets.c.owner_id == owner_id)).scalars())
    name = _free_name(row.name, taken)
    if name != row.name:
        acts.append(Act(EntryKind.BUDGET_RENAMED, admin, budget_id, detail={"name": name}))
    live = select(datasets.c.id, datasets.c.name, datasets.c.owner_id, datasets.c.budget_id).where(
        datasets.c.owner_id.in_((row.owner_id, owner_id)), datasets.c.deleted_at.is_(None)
    )
    rows = connection.execute(live.order_by(datasets.c.id)).all()
    theirs, all_names = {each.name for each in rows if each.owner_id == owner_id}, {each.name for each in rows}
    renamed = {each.id: each.name for each in rows if each.budget_id == budget_id and each.name in theirs}
    for dataset_id, old_name in renamed.items():
        renamed[dataset_id] = _free_name(old_name, all_names)
        all_names.add(renamed[dataset_id])
        acts.append(Act(EntryKind.DATASET_RENAMED, admin, dataset_id, detail={"name": renamed[dataset_id]}))
    store(connection, row, moved | {"name": name}, acts)
    for dataset_id, new_name in renamed.items():
        connection.execute(update(datasets).where(datasets.c.id == dataset_id).values(name=new_name))
    registrant = func.coalesce(datasets.c.registered_by, datasets.c.owner_id)
    connection.execute(update(datasets).where(of_budget).values(**moved, registered_by=registrant))
    on_it = select(datasets.c.id).where(of_budget)
    connection.execute(update(grants).where(grants.c.dataset_id.in_(on_it)).values(**moved))
    is_open = (access_requests.c.state == "open") & access_requests.c.dataset_id.in_(on_it)
    connection.execute(update(access_requests).where(is_open).values(**moved))


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with the first number from 2 up that makes it differ from those in `taken`."""
    found, number = name, 1
    while found in taken:
        number += 1
        suffix = f" ({number})"
        found = name[: _LONGEST_NAME - len(suffix)] + suffix
    return found


def transfers(connection: Connection, budget_ids: Collection[str]) -> list[EntryRow]:
    """Return the transfers of these budgets, in the order of each ledger."""
    # SQLite uses a partial index only if the condition has the same text as the index.
    query = select(entries).where(entries.c.budget_id.in_(budget_ids), text(OF_TRANSFERS))
    return fetch_all(connection, EntryRow, query.order_by(entries.c.budget_id, entries.c.sequence))


def former_owners(connection: Connection, owner_id: str) -> set[str]:
    """Return the ids of earlier owners of this owner's budgets."""
    own = connection.execute(select(budgets.c.id).where(budgets.c.owner_id == owner_id)).scalars()
    return {json.loads(entry.detail)["from"] for entry in transfers(connection, list(own))}
