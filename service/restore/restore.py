"""What happens to a database that was restored from a backup: it is noticed, stopped, brought up to date, and let go again.

A restored database has forgotten charges. It must not forget that it did: anything drawn from it before the forgotten charges are back would overspend,
and a forgotten release drawn again under its key would show the data twice for one charge. So:

1. *Notice.* A copy made by `private-posterior backup` carries a mark; any other is noticed by the witness (`service.ledger.witness`) or by a
   signed receipt that the database does not know. From then on every debit is refused, and releases that were paid and not yet drawn are lost: they may have
   been drawn after the backup was taken. Every budget's ledger says what was kept and what is known to have been.
2. *Reconcile.* Every receipt that callers or owners still have is charged again, once, and its idempotency key is bound to a release that is lost.
3. *Write off.* For what no receipt tells, the owner states an amount, also nothing.
4. *Unfreeze.* Debits are possible again, once every budget is accounted for or frozen by itself.

Nothing here opens counts. Every function works inside the caller's transaction.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from sqlalchemy import Connection, func, insert, select, text, tuple_, update

from core.accounting.accountants import NOTHING, Accountant, Cost
from core.accounting.zcdp import epsilon_of
from core.privacy import Delta, Epsilon, Rho
from service import costs
from service.auth import COMMAND_LINE, By
from service.canonical_json import canonical_json
from service.database.rows import BudgetRow, EntryRow, GrantRow, fetch_all, fetch_first, fetch_one
from service.database.tables import (
    BOOKED_ONCE,
    OF_RESTORES,
    budgets,
    datasets,
    entries,
    grants,
    installation,
    principals,
    releases,
)
from service.errors import IdempotencyKeyReused, InvalidRequest
from service.identifiers import now
from service.ledger import standstill
from service.ledger.acts import Act, allowance_of, lock_budget, principal_of, store
from service.ledger.chain import Entry, EntryKind, Head, read_entry
from service.ledger.receipts import Receipt
from service.ledger.witness import Witness, read_heads

_AT_ONCE = 500
"""Rows that one look asks for."""
T = TypeVar("T")


@dataclass(slots=True)
class Gap:
    """What a budget's ledger forgot in the restore that is under way: everything behind entry `kept`.

    `witnessed` is the last entry that is known to have been, None where nobody knows; `kept` is None where the ledger was written on before anybody
    noticed.
    """

    budget_id: str
    kept: int | None
    witnessed: int | None
    noticed_at: int
    reconciled: set[int] = field(default_factory=set)
    """Sequence numbers, of before, of the receipts that were charged again."""
    written_off: bool = False

    @property
    def unknown(self) -> int | None:
        """How many entries of before are neither kept nor charged again; None where nobody knows."""
        if self.kept is None or self.witnessed is None:
            return None
        return max(self.witnessed - self.kept, 0) - sum(
            self.kept < sequence <= self.witnessed for sequence in self.reconciled
        )

    @property
    def is_settled(self) -> bool:
        return self.unknown == 0 or self.written_off

    def covers(self, sequence: int) -> bool:
        """Whether an entry of before with this sequence is already known to be forgotten."""
        return self.kept is not None and self.witnessed is not None and self.kept < sequence <= self.witnessed


def notice_if_restored(connection: Connection, witness: Witness) -> bool:
    """Looks whether the database went back in time, and stops it if so. True where a restore is under way, noticed now or before.

    It costs a look at each budget's head, and at the entry that the witness remembers where the ledger has grown since.
    """
    # What the process commits from here on is no part of what it looks for.
    seen_before, told = list(witness.heads.values()), list(witness.told)
    news = {seen.budget_id: seen for seen in _forgotten(connection, seen_before)}
    slept = witness.restores < connection.execute(select(installation.c.restores)).scalar_one()
    if slept or witness.outlived:
        # A restore that others noticed: what was seen of before it is no news where the ledger already knows it is gone.
        past = read_gaps(connection, ended=True) if news else {}
        known = {
            seen.budget_id
            for seen in news.values()
            if any(gap.covers(seen.sequence) for gap in past.get(seen.budget_id, []))
        }
        news = {
            budget_id: seen
            for budget_id, seen in news.items()
            if budget_id not in known or not (slept or budget_id in witness.outlived)
        }
    if not news and not standstill.is_stopped(connection) and not _has_lost_results(connection, told):
        return False
    _notice(connection, witness, news)
    return True


def _forgotten(connection: Connection, seen: Iterable[Head]) -> list[Head]:
    """The heads among `seen` that the ledgers do not have."""
    heads = read_heads(connection)
    forgotten, behind = [], []
    for each in seen:
        now_ = heads.get(each.budget_id)
        if now_ is None or now_.sequence < each.sequence or (now_.sequence == each.sequence and now_.hash != each.hash):
            forgotten.append(each)
        elif now_.sequence > each.sequence > 0:
            behind.append(each)
    for some in _batched(behind, _AT_ONCE):
        place = tuple_(entries.c.budget_id, entries.c.sequence)
        stored = select(entries.c.budget_id, entries.c.hash).where(
            place.in_([(each.budget_id, each.sequence) for each in some])
        )
        hashes = {row.budget_id: row.hash for row in connection.execute(stored)}
        forgotten += [each for each in some if hashes.get(each.budget_id) != each.hash]
    return forgotten


def _batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _has_lost_results(connection: Connection, told: list[str]) -> bool:
    """Whether one of these releases, whose results were told, has none any more."""
    kept = 0
    for some in _batched(told, _AT_ONCE):
        settled = select(func.count()).where(releases.c.id.in_(some), releases.c.state != "paid")
        kept += connection.execute(settled).scalar_one()
    return kept < len(told)


def _notice(connection: Connection, witness: Witness, news: Mapping[str, Head]) -> None:
    """Stops the database and writes into every ledger what is known of what it forgot, once for each thing known."""
    standstill.stop(connection)
    connection.execute(update(releases).where(releases.c.state == "paid").values(state="lost"))
    gaps = read_gaps(connection)
    for budget_id in connection.execute(select(budgets.c.id).order_by(budgets.c.id)).scalars().all():
        row = lock_budget(connection, budget_id)
        gap = next(iter(gaps.get(budget_id, [])), None)
        seen = witness.heads.get(budget_id)
        if gap is not None and (budget_id not in news or gap.covers(news[budget_id].sequence)):
            continue
        if budget_id in news:
            kept = gap.kept if gap is not None else row.sequence if row.sequence < news[budget_id].sequence else None
            witnessed: int | None = news[budget_id].sequence
        else:
            kept, witnessed = row.sequence, None if seen is None else row.sequence
        detail = {"kept": kept, "witnessed": witnessed}
        store(connection, row, {}, [Act(EntryKind.RESTORE_NOTICED, COMMAND_LINE, budget_id, detail=detail)])


def read_gaps(connection: Connection, *, ended: bool = False, budget_id: str | None = None) -> dict[str, list[Gap]]:
    """The gap of each budget in the restore under way, none for a budget that has none; with `ended`, those of earlier restores before it."""
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
    """The open gap after an entry; None where there is none, or where the entry closes it."""
    detail = entry.read_detail()
    match entry.kind:
        case EntryKind.RESTORE_NOTICED:
            kept, witnessed = detail.get("kept"), detail.get("witnessed")
            if gap is None:
                return Gap(entry.budget_id, kept, witnessed, entry.created_at)
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
        case _:
            pass
    return gap


class Booked(Enum):
    """What came of a receipt."""

    KNOWN = "already known to the database"
    CHARGED = "forgotten, and now charged again"
    NO_BUDGET = "of a budget that the database does not have: there is nothing here to charge"


def book_receipt(connection: Connection, receipt: Receipt, signed: Mapping[str, Any]) -> Booked:
    """Charges a verified receipt that the database forgot, and binds its idempotency key to a lost release. Booking it again changes nothing.

    The charge has happened, so it is booked also where a limit or a cap of the restored database is too small for it; the limit is then
    raised to what is spent, as the ledger must not claim a smaller loss than there was.
    """
    if connection.execute(select(budgets.c.id).where(budgets.c.id == receipt.budget_id)).first() is None:
        return Booked.NO_BUDGET
    budget = lock_budget(connection, receipt.budget_id)
    if _is_known(connection, receipt):
        return Booked.KNOWN
    acts = _evidence(connection, receipt)
    locked = select(grants).where(grants.c.id == receipt.grant_id).with_for_update()
    grant = fetch_first(connection, GrantRow, locked) if receipt.grant_id else None
    columns, raised = _raised_limit(budget, receipt.amount)
    acts += raised
    if grant is not None:
        acts += _charge_grant(connection, grant, receipt.amount)
    detail: dict[str, Any] = {"receipt": dict(signed), "dataset_id": receipt.dataset_id}
    if grant is not None:
        detail["grant_id"] = receipt.grant_id
    acts.append(Act(EntryKind.RECEIPT_RECONCILED, COMMAND_LINE, receipt.release_id, receipt.amount, detail))
    store(connection, budget, columns, acts)
    _bind_key(connection, receipt, signed, budget.sequence + len(acts))
    return Booked.CHARGED


def _evidence(connection: Connection, receipt: Receipt) -> list[Act]:
    """A forgotten receipt proves that the database was restored: stops it, and says so where the ledger does not know it yet."""
    gaps = read_gaps(connection, ended=True, budget_id=receipt.budget_id).get(receipt.budget_id, [])
    if any(gap.covers(receipt.sequence) and receipt.at <= gap.noticed_at for gap in gaps):
        return []
    standstill.stop(connection)
    detail = {"kept": receipt.sequence - 1, "witnessed": receipt.sequence}
    return [Act(EntryKind.RESTORE_NOTICED, COMMAND_LINE, receipt.budget_id, detail=detail)]


def _is_known(connection: Connection, receipt: Receipt) -> bool:
    drawn = select(releases.c.id).where(releases.c.id == receipt.release_id)
    booked = select(entries.c.sequence).where(entries.c.subject_id == receipt.release_id, text(BOOKED_ONCE))
    return connection.execute(drawn).first() is not None or connection.execute(booked).first() is not None


def _raised_limit(budget: BudgetRow, charge: Cost) -> tuple[dict[str, Any], list[Act]]:
    """The budget's columns after a charge that can't be refused, and the entry that raises the limit where it has to be."""
    spent, allowance = budget.spent + charge, allowance_of(budget)
    columns: dict[str, Any] = dict(costs.columns(spent, "spent"))
    if spent.fits(allowance.limit):
        return columns, []
    limit = _larger_of(allowance.limit, spent)
    if allowance.accountant is Accountant.BASIC:
        epsilon, delta = limit.epsilon, limit.delta
    else:
        epsilon = max(allowance.epsilon, epsilon_of(limit.rho, allowance.delta_conversion))
        delta = allowance.delta_conversion + limit.delta
    columns |= costs.columns(limit, "limit") | {"guaranteed_epsilon": epsilon.units, "guaranteed_delta": delta.units}
    detail = {
        "epsilon": str(epsilon),
        "delta": str(delta),
        "reason": "a forgotten charge does not fit the restored limit",
    }
    return columns, [Act(EntryKind.BUDGET_CHANGED, COMMAND_LINE, budget.id, limit, detail)]


def _charge_grant(connection: Connection, grant: GrantRow, charge: Cost) -> list[Act]:
    spent, cap = grant.spent + charge, grant.cap
    columns, acts = costs.columns(spent, "spent"), list[Act]()
    if not spent.fits(cap):
        cap = _larger_of(cap, spent)
        columns |= costs.columns(cap, "cap")
        acts = [Act(EntryKind.GRANT_CHANGED, COMMAND_LINE, grant.id, cap)]
    connection.execute(update(grants).where(grants.c.id == grant.id).values(**columns))
    return acts


def _larger_of(one: Cost, other: Cost) -> Cost:
    return Cost(
        Epsilon(max(one.epsilon.units, other.epsilon.units)),
        Delta(max(one.delta.units, other.delta.units)),
        Rho(max(one.rho.units, other.rho.units)),
    )


def _bind_key(connection: Connection, receipt: Receipt, signed: Mapping[str, Any], sequence: int) -> None:
    """Keeps a lost release under the receipt's idempotency key, unless its data set or principal was forgotten too, or the key was used anew."""
    dataset = connection.execute(select(datasets.c.id).where(datasets.c.id == receipt.dataset_id)).first()
    principal = connection.execute(select(principals.c.id).where(principals.c.id == receipt.principal_id)).first()
    taken = select(releases.c.id).where(
        releases.c.principal_id == receipt.principal_id, releases.c.key_hash == receipt.key_hash
    )
    if dataset is None or principal is None or connection.execute(taken).first() is not None:
        return
    connection.execute(update(datasets).where(datasets.c.id == receipt.dataset_id).values(charged=1))
    connection.execute(
        insert(releases).values(
            {
                "id": receipt.release_id,
                "dataset_id": receipt.dataset_id,
                "budget_id": receipt.budget_id,
                "sequence": sequence,
                "principal_id": receipt.principal_id,
                "key_hash": receipt.key_hash,
                "payload_hash": receipt.payload_hash,
                "plan": "{}",
                "receipt": canonical_json(dict(signed)),
                "created_at": receipt.at,
                "state": "lost",
                "leased_until": 0,
            }
            | costs.columns(receipt.amount, "charged")
            | costs.columns(NOTHING, "remaining")
        )
    )


def write_off(
    connection: Connection, budget_id: str, *, owner: By, idempotency_key: str, amount: Cost, reason: str
) -> EntryRow:
    """Spends, by the owner's word, what may have been spent and can't be known; returns the entry, the earlier one for a key that was used.

    Raises InvalidRequest where it is more than remains, IdempotencyKeyReused where the key wrote off something else.
    """
    budget = lock_budget(connection, budget_id)
    subject_id = _write_off_id(budget_id, principal_of(owner), idempotency_key)
    booked = select(entries).where(entries.c.subject_id == subject_id, text(BOOKED_ONCE))
    earlier = fetch_first(connection, EntryRow, booked)
    if earlier is not None:
        if (earlier.amount, json.loads(earlier.detail)["reason"]) != (amount, reason):
            raise IdempotencyKeyReused
        return earlier
    spent = budget.spent + amount
    if not spent.fits(budget.limit):
        raise InvalidRequest.at("", "is more than remains of the budget; raise its total first")
    act = Act(EntryKind.WRITTEN_OFF, owner, subject_id, amount, {"reason": reason})
    store(connection, budget, costs.columns(spent, "spent"), [act])
    return fetch_one(connection, EntryRow, booked)


def _write_off_id(budget_id: str, owner_id: str, idempotency_key: str) -> str:
    digest = hashlib.sha256(
        canonical_json(["private-posterior write-off 1", budget_id, owner_id, idempotency_key]).encode()
    ).digest()
    return "wof_" + base64.b32encode(digest[:16]).decode().rstrip("=").lower()


def freeze_unsettled(connection: Connection) -> list[str]:
    """Freezes each budget whose gap nobody has accounted for; only its owner lifts that. Returns their ids."""
    frozen = []
    for budget_id, (gap,) in sorted(read_gaps(connection).items()):
        row = lock_budget(connection, budget_id)
        if not gap.is_settled and row.frozen_at is None:
            store(connection, row, {"frozen_at": now()}, [Act(EntryKind.BUDGET_FROZEN, COMMAND_LINE, budget_id)])
            frozen.append(budget_id)
    return frozen


def unsettled(connection: Connection) -> list[Gap]:
    """The gaps that nobody has accounted for, of budgets that are not frozen by themselves."""
    frozen = set(connection.execute(select(budgets.c.id).where(budgets.c.frozen_at.is_not(None))).scalars())
    return [
        gap
        for gaps in read_gaps(connection).values()
        for gap in gaps
        if not gap.is_settled and gap.budget_id not in frozen
    ]


def end(connection: Connection) -> None:
    """Ends the restore: debits happen again. The caller has seen to it that nothing is `unsettled`."""
    for budget_id in sorted(read_gaps(connection)):
        store(
            connection, lock_budget(connection, budget_id), {}, [Act(EntryKind.RESTORE_ENDED, COMMAND_LINE, budget_id)]
        )
    standstill.lift(connection)
