"""Compare the system's clock with the times of ledger entries, and confirm it.

A charge is refused in two cases, until the clock is right again or an operator confirms it:

- The clock is minutes behind the newest entry of the budget's ledger. Keys and grants that have ended would be valid
  again.
- It is weeks ahead of the witness's last look, and of that entry unless the entry charged nothing. An act that charges
  nothing is recorded under any clock, so it confirms none. Keys and grants would end too early, and the entry
  of the charge would put the clock behind its ledger once it is right again.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select

from service.database.tables import budgets, entries
from service.identifiers.identifiers import now
from service.ledger.budget_changes import Act, lock_budget, store
from service.ledger.chain import CONFIRMING, EntryKind
from service.principals.auth import COMMAND_LINE

_MAX_LAG_SECONDS: Final = 300
"""Larger than the differences between the clocks of replicas."""
_AHEAD_SECONDS: Final = 14 * 86_400
"""Limit on a jump ahead: longer than most outages, because an outage looks the same as a clock that was set forward."""


def is_behind(instant: int, newest: int) -> bool:
    """Return whether `instant` is too early after an entry of the time `newest`."""
    return newest - instant > _MAX_LAG_SECONDS


def is_ahead(instant: int, confirmed: int, looked_at: int | None) -> bool:
    """Return whether `instant` is too late after the newest entry that confirms its time, and the witness's last look,
    which is None if no look is recorded.
    """
    return looked_at is not None and instant - max(confirmed, looked_at) > _AHEAD_SECONDS


def confirm(connection: Connection) -> int:
    """Confirm the clock in each ledger that it contradicts, and return how many these are.

    The entry has the time of the clock, so that later times of the ledger follow it.
    """
    newest = (entries.c.budget_id == budgets.c.id) & (entries.c.sequence == budgets.c.sequence)
    times = connection.execute(select(budgets.c.id, entries.c.created_at).join(entries, newest)).all()
    confirming = entries.c.kind.in_(sorted(CONFIRMING))
    by_budget = select(entries.c.budget_id, func.max(entries.c.created_at)).where(confirming).group_by("budget_id")
    confirmed = dict(map(tuple, connection.execute(by_budget)))
    instant = now()
    contradicted = [
        row
        for row in times
        if is_behind(instant, row.created_at) or is_ahead(instant, confirmed.get(row.id, 0), looked_at=0)
    ]
    for budget_id, newest_entry in sorted(map(tuple, contradicted)):
        act = Act(EntryKind.CLOCK_CONFIRMED, COMMAND_LINE, budget_id, detail={"ledger_time": newest_entry})
        store(connection, lock_budget(connection, budget_id), {}, [act])
    return len(contradicted)
