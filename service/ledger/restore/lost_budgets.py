"""Name the budgets that the witness knows and the restored database lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from core.accounting.accountants import NOTHING, Cost
from service.database import costs
from service.database.tables import budgets, principal_names
from service.ledger.chain import Head
from service.ledger.receipts import Receipt, SignedEntry
from service.ledger.restore.names import named


@dataclass(slots=True)
class LostBudgets:
    """`heads` are those that the witness recorded. The lines of its folder are added."""

    heads: Mapping[str, Head]
    _spent: dict[str, Cost] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)

    def add(self, line: Receipt | SignedEntry) -> None:
        """Add a line about a budget that the database lacks."""
        spent = self._spent.get(line.budget_id, NOTHING)
        self._spent[line.budget_id] = spent + line.amount if isinstance(line, Receipt) else spent
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
        for budget_id in sorted({*self.heads, *self._spent} - there):
            owner = f", owner {named(people, self._owners[budget_id])}" if budget_id in self._owners else ""
            spent = self._spent.get(budget_id, NOTHING)
            what = f"receipts of {costs.in_words(spent)}" if spent != NOTHING else "no receipt"
            found.append(
                f"budget {budget_id}{owner}: the witness knows it, with {what}, and the database lacks it. If its data "
                "sets are registered again, open a budget that is smaller by what was spent."
            )
        return found
