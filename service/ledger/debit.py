"""Charge a release before its counts are decrypted.

A batch of debits locks all rows in a fixed order (`service.ledger.row_locks`), so that batches can't deadlock. Then
`service.ledger.decision.decide` decides each debit in turn on the locked facts, and the granted ones are written with
a few statements. A debit is refused if a fact that its price depends on changed before the lock.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import Connection, bindparam, insert, update

from core.accounting.accountants import NOTHING, Accountant, Cost
from service.database import costs
from service.database.rows import (
    EncryptedRow,
    LockedDataset,
    PrincipalRow,
    QueryChargeRow,
    ReleaseRow,
)
from service.database.tables import (
    budgets,
    datasets,
    entries,
    grants,
    query_charges,
    releases,
)
from service.database.writer import on_commit
from service.errors import (
    ClockUnconfirmed,
    DatasetChanged,
    FailoverPending,
    IdempotencyKeyReused,
    NotFound,
    Problem,
    RestorePending,
    StorageQuotaExceeded,
    StoredDataAltered,
)
from service.identifiers.canonical_json import Json, canonical_json
from service.identifiers.identifiers import now
from service.ledger.budget_changes import NewestTime, newest_times, principal_head, row_of
from service.ledger.chain import Entry, EntryKind, head_of, link
from service.ledger.clock import is_ahead, is_behind
from service.ledger.counts_binding import CountsBinding
from service.ledger.database_state import freeze_all
from service.ledger.decision import (
    Accepted,
    BudgetState,
    Charge,
    GrantState,
    RefusalReason,
    Refused,
    State,
    decide,
    largest_possible_charge,
)
from service.ledger.joint_costs import JointCosts, Verified
from service.ledger.outcomes import NOT_SIGNED, sign_outcome
from service.ledger.query_debit import (
    BatchPrices,
    Priced,
    QueryDebit,
    problem_of_refusal,
    refusal_of_queries,
    remaining_for_queries,
    visible_to_caller,
)
from service.ledger.receipts import Signer
from service.ledger.row_locks import Locked, find_by_noise, find_paid, hash_former, lock
from service.ledger.witness import ReceiptSigned, Witness
from service.principals.auth import is_frozen
from service.settings.faults import crash_point

NOTHING_DRAWN: Final = "[]"
"""`releases.drawn` of answers that need no draw."""
_FIXED_BYTES = 8_000
"""Fixed overhead of a release: receipt and common fields, in bytes."""


class StorageLimits(NamedTuple):
    """Largest number of bytes reserved for the releases of one budget, and of one grant."""

    budget: float = math.inf
    grant: float = math.inf


UNLIMITED: Final = StorageLimits()


class StoredCounts(Protocol):
    """Access to encrypted counts (implemented in `service.datasets.counts`)."""

    def read(self, connection: Connection, dataset_ids: list[str]) -> Mapping[str, EncryptedRow]:
        """Return the encrypted counts of these data sets by id, without those whose counts were destroyed."""

    def refusal(self, connection: Connection, row: EncryptedRow | None, binding: CountsBinding) -> Problem | None:
        """Return None if a draw process with the keys of this process could decrypt the row, else the Problem.

        Its time depends only on the size of the counts.
        """


@dataclass(frozen=True, slots=True)
class Debit:
    """A priced release to be paid. `commitment` names the counts that were priced. `spec` is the stored text of what
    will be drawn; the ledger entry and the receipt contain its SHA-256.
    """

    release_id: str
    principal_id: str
    key_id: str
    dataset_id: str
    budget_id: str
    grant_id: str | None
    key_hash: str
    """`hash_idempotency_key` of the idempotency key."""
    payload_hash: str
    """Hash of the request. A release with the same key and payload was paid by the same request."""
    commitment: str
    mechanism: str
    cost: Cost
    spec: str
    lease_seconds: int = 0
    """Seconds for which only the paying process may draw the release."""
    query: QueryDebit | None = None
    """Set for query answers. `cost` is then zero, and the price is computed under the lock."""

    description: str = ""
    """Hash of the labels, attributes and unit that the spec states (`hash_description`). If empty, it is not
    compared.
    """
    noise: str | None = None
    """Hash of the noise (`service.ledger.noise.hash_noise`)."""
    once: bool = False
    """Whether a release of the same noise is returned instead."""
    refusal: Problem | None = None
    """The reason why nothing may be paid, on public facts. What was paid before is still returned."""
    result_bytes: int = 0
    """Upper bound of the bytes of the result, without the parts that repeat the spec."""

    @property
    def reserved_bytes(self) -> int:
        """Return an upper bound on the bytes stored for the release: its spec, and a result that repeats parts of
        the spec.
        """
        return 4 * len(self.spec.encode()) + self.result_bytes + _FIXED_BYTES

    @property
    def draws(self) -> bool:
        """Return whether the debit pays for a draw. Query answers from existing releases need none."""
        return self.query is None or self.query.measured is not None


@dataclass(frozen=True, slots=True)
class Paid:
    """The current row of the release. `new` is True if this debit paid for it, and False if an earlier one did."""

    row: ReleaseRow
    new: bool
    charge: QueryChargeRow | None = None
    """The charge of queries if this debit paid for it."""
    counts: EncryptedRow | None = None
    """The encrypted counts if this debit paid for their draw."""
    commit: int | None = None
    """Number of the transaction that paid, in this process."""


_STORE_BUDGET = update(budgets).where(budgets.c.id == bindparam("locked_id"))
_STORE_GRANT = update(grants).where(grants.c.id == bindparam("locked_id"))


def hash_idempotency_key(principal_id: str, idempotency_key: str) -> str:
    """Return the stored hash of an Idempotency-Key. Receipts contain it, so that after a restore a lost key can be
    bound again and pays for nothing new.
    """
    return hashlib.sha256(
        canonical_json(["private-posterior idempotency key 1", principal_id, idempotency_key]).encode()
    ).hexdigest()


class Wish(NamedTuple):
    """What tells whether a request was paid for before, as in a `Debit`. `key_hash` is empty without a key."""

    key_hash: str
    payload_hash: str
    noise: str | None = None
    once: bool = False


def find_paid_before(connection: Connection, wish: Debit | Wish) -> ReleaseRow | None:
    """Return the release that an earlier request paid for in place of this one, or None.

    Raises IdempotencyKeyReused.
    """
    by_key = {row.key_hash: row for row in find_paid(connection, [wish.key_hash])}
    before = _earlier_release(connection, by_key, wish)
    if isinstance(before, Problem):
        raise before
    return before


class DebitHandler:
    """The handler to which the writer passes each batch of debits."""

    def __init__(
        self,
        signer: Signer,
        witness: Witness | None = None,
        counts: StoredCounts | None = None,
        limits: StorageLimits = UNLIMITED,
        verified: Verified | None = None,
    ) -> None:
        """Take the parts that debits need.

        If `counts` is None, it is not checked whether the counts can be decrypted. If `verified` is None, only what
        `signer` signed is believed.
        """
        self._signer = signer
        self._witness = witness
        self._counts = counts
        self._limits = limits
        self._commits = count()
        self._joint_costs = JointCosts(verified or (lambda check: check({signer.key_id: signer.public_key})))

    def __call__(self, connection: Connection, debits: Sequence[Debit]) -> list[Paid | Problem]:
        """Pay or refuse each debit as a whole. Return the outcomes in the order of the debits."""
        locked = _lock(connection, debits)
        verified = self._witness is None or self._witness.is_verified(locked.history)
        if self._witness is not None and any(self._witness.is_contradicted_by(head) for head in locked.heads.values()):
            # The database went back in time while this process was running. It may list releases as pending that were
            # already drawn, so nothing is granted.
            freeze_all(connection)
            locked = _lock(connection, debits)
        instant, newest = now(), newest_times(connection, locked.budgets.keys())
        altered = locked.altered | (locked.heads.keys() - newest.keys())
        instants = dict.fromkeys(locked.budgets, instant) | {each: max(instant, newest[each].at) for each in newest}
        outcomes, commit = list[Paid | Problem](), next(self._commits)
        new_entries: list[Entry] = []
        new_releases: list[ReleaseRow] = []
        new_charges: list[QueryChargeRow] = []
        uncharged: set[str] = set()
        prices = BatchPrices(connection, self._joint_costs)
        touched_grants: set[str] = set()
        counts = _BatchCounts(connection, self._counts, locked, debits)
        for debit in debits:
            before = _earlier_release(connection, locked.paid, debit)
            if before is None and debit.once and hash_former(connection, debit.dataset_id, debit.principal_id):
                before = _earlier_release(connection, locked.paid, debit)
            if isinstance(before, ReleaseRow):
                # If the response to COMMIT was lost, a retried debit finds its own row. It is still reported as new, so
                # that its caller draws the release.
                is_own = before.id == debit.release_id and before.state in {"paid", "drawn"}
                outcomes.append(Paid(before, new=is_own and not locked.restore_pending))
                continue
            refusal = before or debit.refusal
            if refusal is not None:
                outcomes.append(refusal)
                continue
            if not verified:
                outcomes.append(FailoverPending())
                continue
            if self._contradicts(instant, newest.get(debit.budget_id)):
                outcomes.append(ClockUnconfirmed())
                continue
            if not altered.isdisjoint((debit.budget_id, debit.grant_id)):
                outcomes.append(StoredDataAltered())
                continue
            decision, priced = _decide(connection, locked, debit, prices, instants)
            if isinstance(decision, Accepted) and debit.draws:
                decision = counts.refusal(debit) or decision
            size = debit.reserved_bytes
            if isinstance(decision, Accepted) and not self._has_capacity(locked, debit, size):
                decision = StorageQuotaExceeded()
            if isinstance(decision, Problem):
                outcomes.append(decision)
                continue
            locked.budgets[debit.budget_id] = locked.budgets[debit.budget_id].with_spent(decision.budget_spent)
            if debit.grant_id is not None and decision.grant_spent is not None:
                locked.grants[debit.grant_id] = locked.grants[debit.grant_id].with_spent(decision.grant_spent)
                touched_grants.add(debit.grant_id)
            for payer in (debit.budget_id, debit.grant_id):
                if payer is not None:
                    locked.stored[payer] += size
            dataset = locked.datasets[debit.dataset_id]
            detail = _detail(debit, priced, dataset.registrant_id, locked.principals.get(debit.principal_id))
            entry = link(locked.heads[debit.budget_id], _draft(debit, priced, instants[debit.budget_id], detail))
            locked.heads[debit.budget_id] = head_of(entry)
            new_entries.append(entry)
            remaining = _remaining(connection, locked, debit)
            release = self._release(locked, debit, entry, detail, remaining)
            new_releases.append(release)
            charge = None
            if priced is not None and debit.query is not None:
                prices.granted(debit.dataset_id, priced)
                if debit.query.measured is not None:
                    locked.measured.add(debit.budget_id)
                charge = debit.query.row(entry, priced.price, debit.dataset_id, debit.grant_id)
                new_charges.append(charge)
            if debit.draws and not locked.datasets[debit.dataset_id].charged:
                uncharged.add(debit.dataset_id)
            locked.paid[debit.key_hash] = release
            outcomes.append(Paid(release, new=True, charge=charge, counts=counts.of(debit), commit=commit))
        if new_releases:
            _write(connection, locked, new_entries, new_releases, new_charges, touched_grants, uncharged)
            crash_point("debit-written")
        return outcomes

    def prepared(self, connection: Connection, debit: Debit) -> Debit:
        """Return the debit with the current price of its queries. Less work is then left under the lock."""
        if debit.query is None or debit.query.measured is None:
            return debit
        price = self._joint_costs.prepare(
            connection, debit.dataset_id, debit.grant_id, debit.query.measured, shared=debit.query.shared
        )
        return replace(debit, query=replace(debit.query, prepared=price))

    def _contradicts(self, instant: int, newest: NewestTime | None) -> bool:
        """Return whether the system's clock contradicts a ledger whose newest entry has the time `newest`."""
        if newest is None:
            return False
        looked_at = None if self._witness is None else self._witness.looked_at
        return is_behind(instant, newest.at) or is_ahead(instant, newest.confirmed, looked_at)

    def _has_capacity(self, locked: Locked, debit: Debit, size: int) -> bool:
        """Return whether the storage quotas of budget and grant allow `size` more bytes."""
        return locked.stored[debit.budget_id] + size <= self._limits.budget and (
            debit.grant_id is None or locked.stored[debit.grant_id] + size <= self._limits.grant
        )

    def _release(
        self, locked: Locked, debit: Debit, entry: Entry, detail: Mapping[str, Json], remaining: Cost
    ) -> ReleaseRow:
        return ReleaseRow(
            id=debit.release_id,
            dataset_id=debit.dataset_id,
            budget_id=debit.budget_id,
            sequence=entry.sequence,
            principal_id=debit.principal_id,
            key_hash=debit.key_hash,
            payload_hash=debit.payload_hash,
            spec=debit.spec,
            epsilon_charged=entry.amount.epsilon.units,
            delta_charged=entry.amount.delta.units,
            rho_charged=entry.amount.rho.units,
            epsilon_remaining=remaining.epsilon.units,
            delta_remaining=remaining.delta.units,
            rho_remaining=remaining.rho.units,
            receipt=self._signer.receipt(entry, locked.accountants[debit.budget_id], detail),
            created_at=entry.created_at,
            state="paid" if debit.draws else "drawn",
            leased_until=now() + debit.lease_seconds,
            drawn=None if debit.draws else NOTHING_DRAWN,
            result=None,
            public_since=None,
            kind="posterior" if debit.query is None else "query",
            owner_id=locked.datasets[debit.dataset_id].registrant_id,
            signature=NOT_SIGNED if debit.draws else sign_outcome(self._signer, debit.release_id, NOTHING_DRAWN),
            noise=debit.noise,
        )


def _earlier_release(
    connection: Connection, by_key: Mapping[str, ReleaseRow], wish: Debit | Wish
) -> ReleaseRow | IdempotencyKeyReused | None:
    """Return the release that the wish's key paid for or, if the wish is `once`, one of the same noise. Return None
    if there is none. `by_key` has paid releases by the hash of their key, also those that this batch stores.
    """
    row = by_key.get(wish.key_hash)
    if row is not None:
        is_same = row.payload_hash == wish.payload_hash or (wish.once and row.noise == wish.noise)
        return row if is_same else IdempotencyKeyReused()
    if not wish.once or wish.noise is None:
        return None
    in_batch = (each for each in by_key.values() if each.noise == wish.noise and each.state not in {"failed", "lost"})
    return next(in_batch, None) or find_by_noise(connection, wish.noise)


class _BatchCounts:
    """The encrypted counts of one batch. They are read once, before the first debit is granted. Each combination of
    data set and budget is decrypted once.
    """

    def __init__(
        self, connection: Connection, counts: StoredCounts | None, locked: Locked, debits: Sequence[Debit]
    ) -> None:
        self._connection = connection
        self._counts = counts
        self._locked_rows = locked
        self._wanted_ids = {each.dataset_id for each in debits if each.draws and each.key_hash not in locked.paid}
        self._stored_counts: Mapping[str, EncryptedRow] | None = None
        self._refusals: dict[CountsBinding, Problem | None] = {}

    def of(self, debit: Debit) -> EncryptedRow | None:
        """Return the encrypted counts of a debit that was not refused, if it pays for a draw."""
        return None if self._stored_counts is None or not debit.draws else self._stored_counts.get(debit.dataset_id)

    def refusal(self, debit: Debit) -> Problem | None:
        """Return None if a draw process could decrypt the counts. If not, the release must not be charged."""
        if self._counts is None:
            return None
        if self._stored_counts is None:
            self._stored_counts = self._counts.read(self._connection, sorted(self._wanted_ids))
        dataset = self._locked_rows.datasets[debit.dataset_id]
        binding = _binding(dataset, debit.budget_id, self._locked_rows.accountants[debit.budget_id])
        row = self._stored_counts.get(dataset.id)
        if row is not None and debit.description and _description_hash(row) not in (None, debit.description):
            return StoredDataAltered()
        if binding not in self._refusals:
            self._refusals[binding] = self._counts.refusal(self._connection, row, binding)
        return self._refusals[binding]


def _description_hash(row: EncryptedRow) -> str | None:
    """Return the hash by which the ledger binds labels, attributes and unit, or None for a data set of 0.1.0."""
    try:
        described: str | None = json.loads(row.counts_entry or "{}").get("description_sha256")
    except ValueError:  # the entry was altered
        return ""
    return described


def _binding(dataset: LockedDataset, budget_id: str, accountant: str) -> CountsBinding:
    """Return the facts that the counts must be bound to. The receipt of the charge will contain the same facts."""
    return CountsBinding(
        dataset_id=dataset.id,
        commitment=dataset.commitment,
        budget_id=budget_id,
        owner_id=dataset.registrant_id,
        accountant=accountant,
        relation=dataset.relation,
        category_count=dataset.category_count,
        record_count=dataset.record_count,
        records_per_unit=dataset.records_per_unit,
    )


def _lock(connection: Connection, debits: Sequence[Debit]) -> Locked:
    return lock(
        connection,
        budget_ids=(debit.budget_id for debit in debits),
        grant_ids=(debit.grant_id for debit in debits if debit.grant_id is not None),
        dataset_ids=(debit.dataset_id for debit in debits),
        principal_ids=(debit.principal_id for debit in debits),
        key_ids=(debit.key_id for debit in debits),
        key_hashes=(debit.key_hash for debit in debits),
    )


def _decide(
    connection: Connection, locked: Locked, debit: Debit, prices: BatchPrices, instants: Mapping[str, int]
) -> tuple[Accepted | Problem, Priced | None]:
    """Return the outcome of one debit, and the price of queries if it was computed."""
    dataset = locked.datasets.get(debit.dataset_id)
    if dataset is None or debit.budget_id not in locked.budgets:
        return NotFound(), None
    instant = instants[debit.budget_id]
    if dataset.deleted_at is None and dataset.commitment != debit.commitment:
        return DatasetChanged(), None
    if debit.query is not None and debit.query.shared is not bool(dataset.history_shared):
        return DatasetChanged(), None
    if debit.grant_id is None and dataset.owner_id != debit.principal_id:
        return NotFound(), None
    holder = (debit.principal_id, debit.dataset_id)
    if debit.grant_id is not None and locked.holders.get(debit.grant_id) != holder:
        return NotFound(), None
    grant = None if debit.grant_id is None else locked.grants[debit.grant_id]
    revoked = not locked.revoked.isdisjoint((debit.principal_id, debit.key_id))
    revoked |= now() >= locked.key_ends.get(debit.key_id, math.inf)
    principal = locked.principals.get(debit.principal_id)
    frozen = principal is not None and is_frozen(principal.frozen_until)
    state = State(
        locked.budgets[debit.budget_id],
        grant,
        dataset_deleted=dataset.deleted_at is not None,
        principal_revoked=revoked,
        principal_frozen=frozen,
        owner_unavailable=dataset.owner_id not in locked.available,
    )
    if debit.query is not None:
        return _decide_on_queries(connection, locked, debit, debit.query, prices, state, instant)
    decision = decide(state, Charge(debit.cost, debit.mechanism, instant))
    if isinstance(decision, Refused):
        return _refusal(connection, locked, debit, decision, state), None
    return decision, None


def _decide_on_queries(
    connection: Connection,
    locked: Locked,
    debit: Debit,
    query: QueryDebit,
    prices: BatchPrices,
    state: State,
    instant: int,
) -> tuple[Accepted | Problem, Priced | None]:
    # Skip pricing if even a zero charge would be refused.
    mechanism = debit.mechanism if query.measured is not None else None
    if isinstance(refused := decide(state, Charge(NOTHING, mechanism, instant)), Refused):
        return _refusal(connection, locked, debit, refused, state), None
    accountant = Accountant(locked.accountants[debit.budget_id])
    try:
        priced = prices.price(query, accountant, debit.dataset_id, debit.grant_id)
    except StoredDataAltered as problem:
        return problem, None
    if priced is None:
        return DatasetChanged(), None
    decision = decide(state, query.charge(priced.price, debit.mechanism, instant))
    if isinstance(decision, Refused):
        return _refusal(connection, locked, debit, decision, state), None
    above = query.above_limit(priced.price, accountant, granted=state.grant is not None)
    return (decision if above is None else above), priced


def _refusal(connection: Connection, locked: Locked, debit: Debit, refused: Refused, state: State) -> Problem:
    if refused.by is RefusalReason.BUDGET_FROZEN and locked.restore_pending:
        return RestorePending()
    accountant = locked.accountants[debit.budget_id]
    if debit.query is not None:
        return refusal_of_queries(refused, state.budget, state.grant, accountant)
    if refused.largest_possible_charge is not None and state.grant is not None:
        visible = _visible_state(connection, locked, debit, state.budget, state.grant)
        if visible is not state.budget:
            refused = Refused(
                refused.by,
                None if refused.by is RefusalReason.BUDGET else largest_possible_charge(visible, state.grant),
            )
    return problem_of_refusal(refused, accountant)


def _remaining(connection: Connection, locked: Locked, debit: Debit) -> Cost:
    budget, grant = locked.budgets[debit.budget_id], locked.grants.get(debit.grant_id or "")
    if debit.query is not None:
        return remaining_for_queries(budget, grant)
    return largest_possible_charge(_visible_state(connection, locked, debit, budget, grant), grant)


def _visible_state(
    connection: Connection, locked: Locked, debit: Debit, budget: BudgetState, grant: GrantState | None
) -> BudgetState:
    return visible_to_caller(
        connection, debit.budget_id, budget, grant, measured_now=debit.budget_id in locked.measured
    )


def _detail(debit: Debit, priced: Priced | None, owner_id: str, principal: PrincipalRow | None) -> dict[str, Json]:
    """Return the detail of a charge's ledger entry."""
    detail: dict[str, Json] = {
        "dataset_id": debit.dataset_id,
        "mechanism": debit.mechanism,
        "owner_id": owner_id,
        "commitment": debit.commitment,
        "spec_sha256": hashlib.sha256(debit.spec.encode()).hexdigest(),
        "key_hash": debit.key_hash,
        "payload_hash": debit.payload_hash,
        "api_key_id": debit.key_id,
    }
    if principal is not None:
        detail["principal_head"] = principal_head(principal.sequence, principal.head_hash)
    if debit.grant_id is not None:
        detail["grant_id"] = debit.grant_id
    if priced is not None and debit.query is not None:
        detail |= debit.query.detail(priced.price)
    return detail


def _draft(debit: Debit, priced: Priced | None, instant: int, detail: dict[str, Json]) -> Entry:
    return Entry(
        budget_id=debit.budget_id,
        sequence=0,
        kind=EntryKind.RELEASE_CHARGED if priced is None else EntryKind.QUERY_CHARGED,
        amount=debit.cost if priced is None else priced.price.cost,
        principal_id=debit.principal_id,
        subject_id=debit.release_id,
        detail=canonical_json(detail),
        created_at=instant,
    )


def _write(
    connection: Connection,
    locked: Locked,
    new_entries: list[Entry],
    new_releases: list[ReleaseRow],
    new_charges: list[QueryChargeRow],
    touched_grants: set[str],
    uncharged: set[str],
) -> None:
    budget_ids = {release.budget_id for release in new_releases}
    connection.execute(_STORE_BUDGET, [_balance(locked, budget_id) for budget_id in sorted(budget_ids)])
    if touched_grants:
        spent = [
            {"locked_id": grant_id, "stored_bytes": locked.stored[grant_id]}
            | costs.columns(locked.grants[grant_id].spent, "spent")
            for grant_id in sorted(touched_grants)
        ]
        connection.execute(_STORE_GRANT, spent)
    if uncharged:
        connection.execute(update(datasets).where(datasets.c.id.in_(sorted(uncharged))).values(charged=1))
    connection.execute(insert(entries), [row_of(entry)._asdict() for entry in new_entries])
    connection.execute(insert(releases), [row._asdict() for row in new_releases])
    if new_charges:
        connection.execute(insert(query_charges), [row._asdict() for row in new_charges])
    on_commit(connection, *(locked.heads[budget_id] for budget_id in budget_ids))
    on_commit(connection, *(ReceiptSigned(row.id, row.receipt) for row in new_releases))


def _balance(locked: Locked, budget_id: str) -> dict[str, Any]:
    head = locked.heads[budget_id]
    return {
        "locked_id": budget_id,
        "sequence": head.sequence,
        "head_hash": head.hash,
        "stored_bytes": locked.stored[budget_id],
    } | costs.columns(locked.budgets[budget_id].spent, "spent")
