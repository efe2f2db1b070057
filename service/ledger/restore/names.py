"""Name owners, budgets and data sets beside their ids, for an operator who asks people about a restore, and the budgets
that the witness knows and the restored database lacks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from core.accounting.accountants import NOTHING, Cost
from service.database import costs
from service.database.tables import budgets, datasets, principal_names
from service.ledger.chain import Head
from service.ledger.receipts import Receipt, SignedEntry


@dataclass(frozen=True, slots=True)
class Names:
    """Names by id. A name that was erased, or that the restored database lacks, is missing."""

    budgets: dict[str, str]
    owners: dict[str, str]
    """Ids of owners by the ids of their budgets."""
    datasets: dict[str, str] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(
        cls, connection: Connection, budget_ids: Collection[str], lines: Collection[Receipt | SignedEntry] = ()
    ) -> Names:
        receipts = [each for each in lines if isinstance(each, Receipt)]
        wanted = {*budget_ids, *(each.budget_id for each in lines)}
        found = connection.execute(select(budgets.c.id, budgets.c.name, budgets.c.owner_id)).all()
        owners = {row.id: row.owner_id for row in found if row.id in wanted}
        wanted_people = {*owners.values(), *(each.owner_id for each in receipts)}
        wanted_datasets = {each.dataset_id for each in receipts}
        people = connection.execute(select(principal_names.c.principal_id, principal_names.c.name)).all()
        sets = connection.execute(select(datasets.c.id, datasets.c.name)).all()
        return cls(
            {row.id: row.name for row in found if row.id in wanted},
            owners,
            {row.id: row.name for row in sets if row.id in wanted_datasets},
            {row.principal_id: row.name for row in people if row.principal_id in wanted_people},
        )

    def budget(self, budget_id: str) -> str:
        owner = f", owner {_id_with_name(self.people, self.owners[budget_id])}" if budget_id in self.owners else ""
        return f"budget {_id_with_name(self.budgets, budget_id)}{owner}"

    def subject(self, line: Receipt | SignedEntry) -> str:
        """Return the owner, budget and data set of a receipt, or the budget, kind and subject of another entry."""
        if isinstance(line, SignedEntry):
            return f"{self.budget(line.budget_id)}, {line.entry_kind} of {line.subject_id}"
        return (
            f"owner {_id_with_name(self.people, line.owner_id)}, budget {_id_with_name(self.budgets, line.budget_id)}, "
            f"data set {_id_with_name(self.datasets, line.dataset_id)}"
        )


def _id_with_name(names: dict[str, str], id_: str) -> str:
    """Return an id with its name, in which control characters are escaped."""
    name = names.get(id_)
    if name is None:
        return id_
    return f"{id_} ({name if name.isprintable() else name.encode('unicode_escape').decode()})"


@dataclass(slots=True)
class LostBudgets:
    """`heads` are those that the witness recorded. The lines of its folder are added."""

    heads: Mapping[str, Head]
    _spent_by_budget: dict[str, Cost] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)

    def add(self, line: Receipt | SignedEntry) -> None:
        """Add a line about a budget that the database lacks."""
        spent = self._spent_by_budget.get(line.budget_id, NOTHING)
        self._spent_by_budget[line.budget_id] = spent + line.amount if isinstance(line, Receipt) else spent
        if isinstance(line, Receipt):
            self._owners[line.budget_id] = line.owner_id
        elif line.sequence == 1:
            self._owners[line.budget_id] = line.principal_id

    def entries_of(self, budget_id: str) -> int:
        """Return the number of a budget's entries that the witness recorded, or 0."""
        return self.heads[budget_id].sequence if budget_id in self.heads else 0

    def sentences(self, connection: Connection) -> list[str]:
        """Return a sentence about each budget that the database still lacks."""
        there = set(connection.execute(select(budgets.c.id)).scalars())
        columns = principal_names.c.principal_id, principal_names.c.name
        people = dict(map(tuple, connection.execute(select(*columns))))
        found = []
        for budget_id in sorted({*self.heads, *self._spent_by_budget} - there):
            owner = f", owner {_id_with_name(people, self._owners[budget_id])}" if budget_id in self._owners else ""
            spent = self._spent_by_budget.get(budget_id, NOTHING)
            what = f"receipts of {costs.in_words(spent)}" if spent != NOTHING else "no receipt"
            found.append(
                f"budget {budget_id}{owner}: the witness knows it, with {what}, and the database lacks it. If its data "
                "sets are registered again, open a budget that is smaller by what was spent."
            )
        return found
