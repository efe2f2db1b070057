"""Determine which entries each budget's ledger lost in a restore, and end the restore once every gap is settled."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, select, text

from service.database.rows import EntryRow, fetch_all
from service.database.tables import (
    OF_RESTORES,
    budgets,
    entries,
)
from service.identifiers.identifiers import now
from service.ledger import freeze
from service.ledger.budget_changes import Act, lock_budget, store
from service.ledger.chain import Entry, EntryKind, read_entry
from service.principals.auth import COMMAND_LINE


@dataclass(slots=True)
class Gap:
    """The entries that a budget's ledger lost in the pending restore: all after entry `kept`.

    - `witnessed`: sequence of the last entry known to have existed, or None if unknown
    - `kept`: None if entries were appended before the restore was noticed
    """

    budget_id: str
    kept: int | None
    witnessed: int | None
    noticed_at: int
    charges: int | None = None
    """Number of lost entries that spend, or None if unknown. Each has a receipt, or was written off before."""
    reconciled: set[int] = field(default_factory=set)
    """Original sequence numbers of the receipts charged again."""
    receipts: int = 0
    """Number of receipts charged again. Receipts of two lost histories can have the same sequence."""
    written_off: bool = False

    @property
    def unknown(self) -> int | None:
        """Number of lost charges not yet reconciled, or None if unknown. If it is not known which lost entries are
        charges, all are counted.
        """
        if self.charges is not None:
            return max(self.charges - self.receipts, 0)
        if self.kept is None or self.witnessed is None:
            return None
        return max(self.witnessed - self.kept, 0) - sum(
            self.kept < sequence <= self.witnessed for sequence in self.reconciled
        )

    @property
    def is_settled(self) -> bool:
        return self.unknown == 0 or self.written_off

    def covers(self, sequence: int) -> bool:
        """Return whether the original entry with this sequence is known to be lost."""
        return self.kept is not None and self.witnessed is not None and self.kept < sequence <= self.witnessed


def read_gaps(connection: Connection, *, ended: bool = False, budget_id: str | None = None) -> dict[str, list[Gap]]:
    """Return the gaps in the ledgers by budget id. Budgets without gaps are omitted.

    Only gaps of the pending restore are included. If `ended`, those of earlier restores are included too, oldest first.
    """
    query = select(entries).where(text(OF_RESTORES)).order_by(entries.c.budget_id, entries.c.sequence)
    if budget_id is not None:
        query = query.where(entries.c.budget_id == budget_id)
    found: dict[str, list[Gap]] = {}
    under_way: dict[str, Gap] = {}
    for row in fetch_all(connection, EntryRow, query):
        entry = read_entry(row._asdict())
        gap = _after(under_way.get(entry.budget_id), entry)
        if gap is not None:
            under_way[entry.budget_id] = gap
        elif (over := under_way.pop(entry.budget_id, None)) is not None and ended:
            found.setdefault(entry.budget_id, []).append(over)
    for gap in under_way.values():
        found.setdefault(gap.budget_id, []).append(gap)
    return found


def _after(gap: Gap | None, entry: Entry) -> Gap | None:
    """Return the open gap after an entry, or None if there is none or the entry closes it."""
    detail = entry.read_detail()
    match entry.kind:
        case EntryKind.RESTORE_NOTICED:
            kept, witnessed = detail.get("kept"), detail.get("witnessed")
            if gap is None:
                return Gap(entry.budget_id, kept, witnessed, entry.created_at, detail.get("charges"))
            if gap.charges is not None:
                gap.charges = _more_charges(gap, gap.charges, kept, witnessed)
            gap.kept = None if gap.kept is None or kept is None else min(gap.kept, kept)
            gap.witnessed = max((each for each in (gap.witnessed, witnessed) if each is not None), default=None)
            gap.written_off = False
            return gap
        case EntryKind.RESTORE_ENDED:
            return None
        case EntryKind.WRITTEN_OFF if gap is not None:
            gap.written_off = True
        case EntryKind.RECEIPT_RECONCILED if gap is not None:
            gap.reconciled.add(detail["receipt"]["body"]["sequence"])
            gap.receipts += 1
        case _:
            pass
    return gap


def _more_charges(gap: Gap, charges: int, kept: int | None, witnessed: int | None) -> int | None:
    """Return the number of lost charges after a further loss, or None if unknown. Entries that no witness counted are
    counted as charges; a receipt inside the gap is one more.
    """
    if kept is None or witnessed is None or gap.kept is None or gap.witnessed is None:
        return None
    return charges + max(max(witnessed - gap.witnessed, 0) + max(gap.kept - kept, 0), 1)


def freeze_unsettled(connection: Connection) -> list[str]:
    """Freeze each budget whose gap is not settled, and return their ids. Only the owner can unfreeze such a budget."""
    frozen = []
    for budget_id, (gap,) in sorted(read_gaps(connection).items()):
        row = lock_budget(connection, budget_id)
        if not gap.is_settled and row.frozen_at is None:
            store(connection, row, {"frozen_at": now()}, [Act(EntryKind.BUDGET_FROZEN, COMMAND_LINE, budget_id)])
            frozen.append(budget_id)
    return frozen


def unsettled(connection: Connection) -> list[Gap]:
    """Return the gaps that are not settled, without those of frozen budgets."""
    frozen = set(connection.execute(select(budgets.c.id).where(budgets.c.frozen_at.is_not(None))).scalars())
    return [
        gap
        for gaps in read_gaps(connection).values()
        for gap in gaps
        if not gap.is_settled and gap.budget_id not in frozen
    ]


def end(connection: Connection) -> None:
    """End the restore, so that debits are possible again. The caller has checked that no gap is `unsettled`."""
    for budget_id in sorted(read_gaps(connection)):
        store(
            connection, lock_budget(connection, budget_id), {}, [Act(EntryKind.RESTORE_ENDED, COMMAND_LINE, budget_id)]
        )
    freeze.unfreeze_all(connection)
