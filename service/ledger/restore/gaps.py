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
from service.ledger import database_state
from service.ledger.budget_changes import Act, lock_budget, store
from service.ledger.chain import SPENDING, Entry, EntryKind, read_entry
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
    """Largest number of lost entries that spend, or None if unknown. Each has a receipt, or was written off before."""
    reconciled: set[int] = field(default_factory=set)
    """Original sequence numbers of the receipts charged again, and of other lost entries that spend."""
    others: set[int] = field(default_factory=set)
    """Original sequence numbers of the other entries that the witness's folder had."""
    receipts: int = 0
    """Number of receipts and write-offs charged again. Those of two lost histories can have the same sequence."""
    applied: int = 0
    """Number of entries that were applied again, or needed nothing."""
    not_applied: int = 0
    """Number of entries that the folder had and that could not be applied again."""
    written_off: bool = False

    @property
    def lost(self) -> int | None:
        """Number of lost entries, or None if unknown."""
        return None if self.kept is None or self.witnessed is None else max(self.witnessed - self.kept, 0)

    @property
    def missing(self) -> int | None:
        """Number of lost entries of which nothing is known but their number, or None if unknown."""
        return None if self.lost is None else self.lost - sum(map(self.covers, self.reconciled | self.others))

    @property
    def lost_charges(self) -> int | None:
        """Number of lost charges, or None if unknown. The witness may count other entries of the last second, too, but
        not those that the folder has.
        """
        if self.charges is None or self.lost is None:
            return self.charges
        return min(self.charges, self.lost - sum(map(self.covers, self.others - self.reconciled)))

    @property
    def unknown(self) -> int | None:
        """Number of lost charges not yet reconciled, or None if unknown. If it is not known which lost entries are
        charges, all are counted.
        """
        return self.missing if self.lost_charges is None else max(self.lost_charges - self.receipts, 0)

    @property
    def decisions(self) -> int | None:
        """Number of lost entries that may be decisions and were not applied again, or None if unknown. Without a
        witness, no such entry is known.
        """
        if self.witnessed is None:
            return self.not_applied
        if self.missing is None:
            return None
        charges = self.unknown if self.charges is not None or not self.written_off else 0
        return self.not_applied + max(self.missing - (charges or 0), 0)

    @property
    def is_settled(self) -> bool:
        """Return whether every lost charge is accounted for. A lost decision does not count: it freezes its budget."""
        return self.unknown == 0 or self.written_off

    def covers(self, sequence: int) -> bool:
        """Return whether the original entry with this sequence is known to be lost."""
        return self.kept is not None and self.witnessed is not None and self.kept < sequence <= self.witnessed


def read_gaps(connection: Connection, *, ended: bool = False, budget_id: str | None = None) -> dict[str, list[Gap]]:
    """Return the gaps in the ledgers by budget id. Budgets without gaps are omitted.

    Only gaps of the pending restore are included. If `ended`, gaps of earlier restores are included too, oldest first.
    """
    query = select(entries).where(text(OF_RESTORES)).order_by(entries.c.budget_id, entries.c.sequence)
    if budget_id is not None:
        query = query.where(entries.c.budget_id == budget_id)
    found: dict[str, list[Gap]] = {}
    under_way: dict[str, Gap] = {}
    for row in fetch_all(connection, EntryRow, query):
        entry = read_entry(row._asdict())
        gap = _gap_after(under_way.get(entry.budget_id), entry)
        if gap is not None:
            under_way[entry.budget_id] = gap
        elif (over := under_way.pop(entry.budget_id, None)) is not None and ended:
            found.setdefault(entry.budget_id, []).append(over)
    for gap in under_way.values():
        found.setdefault(gap.budget_id, []).append(gap)
    return found


def _gap_after(gap: Gap | None, entry: Entry) -> Gap | None:
    """Return the open gap after an entry, or None if there is none or the entry closes it."""
    detail = entry.read_detail()
    match entry.kind:
        case EntryKind.RESTORE_NOTICED:
            kept, witnessed = detail.get("kept"), detail.get("witnessed")
            if gap is None:
                return Gap(entry.budget_id, kept, witnessed, entry.created_at, detail.get("charges"))
            if gap.charges is not None:
                added = detail.get("charges")
                gap.charges = _more_charges(gap, gap.charges, kept, witnessed) if added is None else gap.charges + added
            gap.kept = None if gap.kept is None or kept is None else min(gap.kept, kept)
            gap.witnessed = max((each for each in (gap.witnessed, witnessed) if each is not None), default=None)
            gap.written_off = False
            return gap
        case EntryKind.RESTORE_ENDED:
            return None
        case EntryKind.WRITTEN_OFF if gap is not None and entry.principal_id != COMMAND_LINE:
            gap.written_off = True
        case EntryKind.RECEIPT_RECONCILED if gap is not None:
            gap.reconciled.add(detail["receipt"]["body"]["sequence"])
            gap.receipts += 1
        case EntryKind.ENTRY_RECONCILED if gap is not None:
            (gap.reconciled if detail["kind"] in SPENDING else gap.others).add(detail["sequence"])
            gap.receipts += detail["kind"] == EntryKind.WRITTEN_OFF  # a reconciled receipt is charged again by itself
            gap.not_applied += "lost" in detail
            gap.applied += "lost" not in detail
        case _:
            pass
    return gap


def _more_charges(gap: Gap, charges: int, kept: int | None, witnessed: int | None) -> int | None:
    """Return the number of lost charges after a further loss, or None if unknown. Every entry that no witness counted
    counts as a charge. A receipt inside the gap adds one.
    """
    if kept is None or witnessed is None or gap.kept is None or gap.witnessed is None:
        return None
    return charges + max(max(witnessed - gap.witnessed, 0) + max(gap.kept - kept, 0), 1)


def freeze_unsettled(connection: Connection) -> list[str]:
    """Freeze each budget whose gap is not settled, and return their ids. Only the owner can unfreeze such a budget."""
    found = [gap for _, (gap,) in sorted(read_gaps(connection).items()) if not gap.is_settled]
    return [gap.budget_id for gap in found if _freeze(connection, gap, "a restore lost charges of unknown amounts")]


def _freeze(connection: Connection, gap: Gap, reason: str) -> bool:
    """Freeze the budget of a gap. Return False if it is frozen already."""
    row = lock_budget(connection, gap.budget_id)
    if row.frozen_at is not None:
        return False
    act = Act(EntryKind.BUDGET_FROZEN, COMMAND_LINE, gap.budget_id, detail={"reason": reason})
    store(connection, row, {"frozen_at": now()}, [act])
    return True


def unsettled(connection: Connection) -> list[Gap]:
    """Return the gaps that are not settled, without gaps of frozen budgets."""
    frozen = set(connection.execute(select(budgets.c.id).where(budgets.c.frozen_at.is_not(None))).scalars())
    return [gap for (gap,) in read_gaps(connection).values() if not gap.is_settled and gap.budget_id not in frozen]


def undecided(connection: Connection) -> list[Gap]:
    """Return the gaps in which a decision is lost, and was not applied again."""
    return [gap for (gap,) in read_gaps(connection).values() if gap.decisions != 0]


def end(connection: Connection) -> list[Gap]:
    """End the restore, so that debits are possible again. The caller has checked that no gap is `unsettled`.

    Each budget with a lost decision stays frozen until its owner unfreezes it. Return the gaps of these budgets.
    """
    kept_frozen = undecided(connection)
    for gap in kept_frozen:
        _freeze(connection, gap, "a restore lost decisions that could not be applied again")
    for budget_id in sorted(read_gaps(connection)):
        ended = Act(EntryKind.RESTORE_ENDED, COMMAND_LINE, budget_id)
        store(connection, lock_budget(connection, budget_id), {}, [ended])
    database_state.unfreeze_all(connection)
    return kept_frozen
