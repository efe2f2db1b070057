"""Row types: a named tuple for each table and for each narrower query, so that mypy checks column names.

`service.database.tables` derives the columns of a table from the fields of its row type: `int` is BigInteger, `str`
Text and `bytes` LargeBinary, unless the annotation names another type or the foreign key whose type it takes. A column
may be null if `| None` stands outside `Annotated`. Rows are made by position, after the column names of a result were
compared with the fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from sqlalchemy import Column, Connection, CursorResult, Executable, ForeignKey, String, Table

from core.accounting.accountants import Cost
from service.database.costs import of_units

R = TypeVar("R", bound=NamedTuple)
Id: TypeAlias = Annotated[str, String(40)]
Hash: TypeAlias = Annotated[str, String(64)]
"""SHA-256 in hexadecimal."""
AccountantName: TypeAlias = Literal["basic", "zcdp"]
RelationName: TypeAlias = Literal["replace_one", "add_remove"]
ReleaseKind: TypeAlias = Literal["posterior", "query"]
PaidKind: TypeAlias = Literal["counts", "margins", "queries"]
"""What can be paid for. Releases of counts have several mechanisms; other kinds but queries are named as theirs."""
ReleaseState: TypeAlias = Literal["paid", "drawn", "complete", "failed", "lost"]
JobState: TypeAlias = Literal["pending", "ready", "failed"]
JobKind: TypeAlias = Literal[
    "posterior",
    "comparison",
    "picture",
    "plan",
    "query_order",
    "query_price",
    "margins_plan",
    "estimates",
    "certificate",
]
AccessRequestState: TypeAlias = Literal["open", "approved", "declined", "withdrawn"]


def paid_kind_of(mechanism: str) -> PaidKind:
    """Return the kind of a release, other than of queries, by its mechanism."""
    return next((each for each in get_args(PaidKind) if each == mechanism), "counts")


class BudgetRow(NamedTuple):
    """A budget: its limits, the amount spent, and the head of its ledger."""

    id: Id
    owner_id: Annotated[str, ForeignKey("principals.id")]
    name: Annotated[str, String(200)]
    accountant: Annotated[AccountantName, String(10)]
    guaranteed_epsilon: int
    guaranteed_delta: int
    delta_conversion: int
    epsilon_limit: int
    delta_limit: int
    rho_limit: int
    epsilon_spent: int
    delta_spent: int
    rho_spent: int
    epsilon_release_cap: int | None
    delta_release_cap: int | None
    rho_release_cap: int | None
    allowed_mechanisms: str | None
    """A JSON list; None allows all."""
    frozen_at: int | None
    low_budget_percent: int
    sequence: int
    head_hash: Hash
    created_at: int
    created_nanoseconds: int
    """Orders lists by creation; never shown."""
    stored_bytes: int
    """Reserved for releases when they were paid: the most that they can take."""

    @property
    def limit(self) -> Cost:
        return of_units(self.epsilon_limit, self.delta_limit, self.rho_limit)

    @property
    def spent(self) -> Cost:
        return of_units(self.epsilon_spent, self.delta_spent, self.rho_spent)

    @property
    def allowed(self) -> frozenset[Any] | None:
        """Return the allowed mechanisms: none, if the text is not what a decision stored."""
        if self.allowed_mechanisms is None:
            return None
        try:
            return frozenset(json.loads(self.allowed_mechanisms))
        except (ValueError, TypeError):
            return frozenset()

    @property
    def release_cap(self) -> Cost | None:
        if self.epsilon_release_cap is None or self.delta_release_cap is None or self.rho_release_cap is None:
            return None
        return of_units(self.epsilon_release_cap, self.delta_release_cap, self.rho_release_cap)


class EntryRow(NamedTuple):
    """An entry of a budget's ledger."""

    budget_id: Annotated[str, ForeignKey("budgets.id")]
    sequence: int
    kind: Id
    epsilon: int
    delta: int
    rho: int
    principal_id: Id
    subject_id: Id
    detail: str
    created_at: int
    previous_hash: Hash
    hash: Hash

    @property
    def amount(self) -> Cost:
        return of_units(self.epsilon, self.delta, self.rho)


class DatasetRow(NamedTuple):
    """Public facts of a data set, and its budget's accountant."""

    id: Id
    owner_id: Annotated[str, ForeignKey("principals.id")]
    budget_id: Annotated[str, ForeignKey("budgets.id")]
    name: Annotated[str, String(200)]
    labels: str
    """A JSON list."""
    attributes: str | None
    """A JSON list; None if the data set has only labels."""
    category_count: int
    record_count: int | None
    """None if it is private, which is if the relation is add_remove."""
    unit: Annotated[str, String(500)]
    one_record_per_unit: int
    records_per_unit: int
    n_is_public: int
    relation: Annotated[RelationName, String(20)]
    commitment: Hash
    charged: int
    created_at: int
    deleted_at: int | None
    created_nanoseconds: int
    history_shared: int
    """Whether queries of every grant use all releases of the data set."""
    listed: int
    """Whether every analyst of the installation sees its public facts and can ask for access."""
    accountant: AccountantName


class LockedDataset(NamedTuple):
    """Columns of a data set that a debit needs, without the labels, which can be long."""

    id: str
    owner_id: str
    commitment: str
    relation: str
    category_count: int
    record_count: int | None
    records_per_unit: int
    charged: int
    deleted_at: int | None
    history_shared: int
    registered_by: str | None

    @property
    def registrant_id(self) -> str:
        """Return the owner at registration. Counts, entries and receipts stay bound to that owner."""
        return self.registered_by or self.owner_id


class HoldingsRow(NamedTuple):
    """Numbers of an owner's objects that quotas limit."""

    owner_id: Id
    budgets: int
    datasets: int
    """Data sets that are not deleted."""
    grants: int


class PrincipalRow(NamedTuple):
    id: Id
    role: Annotated[str, String(10)]
    created_at: int
    revoked_at: int | None
    frozen_until: int | None
    """End of the time in which an admin's recovery can be vetoed. Until then its keys can't change anything."""
    recovery_id: Id | None
    sequence: int
    head_hash: Hash | None
    created_nanoseconds: int


class ApiKeyRow(NamedTuple):
    id: Id
    principal_id: Annotated[str, ForeignKey("principals.id")]
    prefix: Annotated[str, String(16)]
    secret_hash: Hash
    issued_by: Id
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None
    parent_id: Id | None
    enrolment_id: Id | None
    kind: Annotated[Literal["key", "session"], String(10)]
    created_nanoseconds: int


class EnrolmentRow(NamedTuple):
    """An invitation or a recovery code."""

    id: Id
    principal_id: Annotated[str, ForeignKey("principals.id")]
    kind: Annotated[Literal["token", "recovery_code"], String(20)]
    secret_hash: Hash
    issued_by: Id
    made_by: Id | None
    created_at: int
    expires_at: int | None
    used_at: int | None
    ended_at: int | None


class PrincipalEntryRow(NamedTuple):
    """An entry of the chain of a principal's keys."""

    principal_id: Annotated[str, ForeignKey("principals.id")]
    sequence: int
    kind: Id
    actor_id: Id
    subject_id: Id
    detail: str
    created_at: int
    previous_hash: Hash
    hash: Hash


class KeyRow(NamedTuple):
    """An API key as authentication reads it, with its principal's role."""

    id: str
    principal_id: str
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None
    enrolment_id: str | None
    kind: str
    role: str
    principal_revoked_at: int | None


class EncryptedRow(NamedTuple):
    """The encrypted counts of a data set."""

    dataset_id: Annotated[str, ForeignKey("datasets.id")]
    key_id: Id
    ciphertext: bytes
    counts_entry: str | None
    """Detail of the latest ledger entry that registered or replaced the counts of this data set."""


class CreationRow(NamedTuple):
    """An object created under an Idempotency-Key."""

    key_hash: Hash
    fingerprint: Hash
    subject_id: Id
    sealed_secret: bytes | None
    """The secret of the response, encrypted so that only its caller can decrypt it. Kept for a day."""
    created_at: int


class GrantRow(NamedTuple):
    """A grant: the amounts that an analyst may spend on a data set, and has spent."""

    id: Id
    dataset_id: Annotated[str, ForeignKey("datasets.id")]
    principal_id: Annotated[str, ForeignKey("principals.id")]
    epsilon_cap: int
    delta_cap: int
    rho_cap: int
    epsilon_spent: int
    delta_spent: int
    rho_spent: int
    expires_at: int | None
    closed_at: int | None
    created_at: int
    created_nanoseconds: int
    stored_bytes: int
    """Reserved for releases when they were paid: the most that they can take."""
    owner_id: Id
    dataset_nanoseconds: int
    """Copied from the data set, like `owner_id`, so that lists read in index order."""

    @property
    def cap(self) -> Cost:
        return of_units(self.epsilon_cap, self.delta_cap, self.rho_cap)

    @property
    def spent(self) -> Cost:
        return of_units(self.epsilon_spent, self.delta_spent, self.rho_spent)


class AccessRequestRow(NamedTuple):
    """An analyst's request for a grant on a listed data set, and the owner's decision."""

    id: Id
    dataset_id: Annotated[str, ForeignKey("datasets.id")]
    principal_id: Annotated[str, ForeignKey("principals.id")]
    owner_id: Id
    """Copied from the data set, so that lists read in index order."""
    epsilon_requested: int
    delta_requested: int
    rho_requested: int
    purpose: Annotated[str, String(500)] | None
    """Text by the analyst; None after it was erased."""
    state: Annotated[AccessRequestState, String(10)]
    """Stored state. If its data set is deleted or a party revoked, an open request has ended; that is computed."""
    reason: Annotated[str, String(500)] | None
    """Reason of the owner for declining; None after it was erased."""
    grant_id: Id | None
    created_at: int
    decided_at: int | None
    created_nanoseconds: int

    @property
    def requested(self) -> Cost:
        return of_units(self.epsilon_requested, self.delta_requested, self.rho_requested)


class ReleaseRow(NamedTuple):
    """A paid release and its outcome."""

    id: Id
    dataset_id: Annotated[str, ForeignKey("datasets.id")]
    budget_id: Annotated[str, ForeignKey("budgets.id")]
    sequence: int
    principal_id: Annotated[str, ForeignKey("principals.id")]
    key_hash: Hash
    payload_hash: Hash
    spec: str
    epsilon_charged: int
    delta_charged: int
    rho_charged: int
    epsilon_remaining: int
    delta_remaining: int
    rho_remaining: int
    receipt: str
    created_at: int
    state: Annotated[ReleaseState, String(10)]
    leased_until: int
    drawn: str | None
    """Drawn values as JSON, from which the result is composed."""
    result: str | None
    public_since: int | None
    kind: Annotated[ReleaseKind, String(10)]
    owner_id: Id
    """Owner of the data set."""
    signature: str | None = None
    """Signature of the drawn values and the answer; empty until they are stored. None if version 0.1.0 paid."""
    noise: Hash | None = None
    """The hash by `service.ledger.noise`. None if an earlier version paid, until its payer asks for the same noise
    `once`; then empty if a restore lost what was drawn.
    """

    @property
    def charged(self) -> Cost:
        return of_units(self.epsilon_charged, self.delta_charged, self.rho_charged)

    @property
    def remaining(self) -> Cost:
        return of_units(self.epsilon_remaining, self.delta_remaining, self.rho_remaining)

    @property
    def paid_kind(self) -> PaidKind:
        """Return the kind of the paid thing."""
        if self.kind == "query":
            return "queries"
        return paid_kind_of(json.loads(self.spec)["request"]["mechanism"]["kind"])

    @property
    def document(self) -> str:
        """Return the response of a complete release, as JSON text. Versions 0.1.0 and 0.2.0 stored it without `kind`,
        which then comes first.
        """
        assert self.result is not None, "only a complete release has a result"
        return self.result if self.result.startswith('{"kind":') else f'{{"kind":"{self.paid_kind}",{self.result[1:]}'


class MeasuredRelease(NamedTuple):
    """A complete release whose result carries noisy measurements, and the mechanism that its ledger entry names."""

    id: str
    kind: ReleaseKind
    mechanism: str


class QueryChargeRow(NamedTuple):
    """The rows that a release of query answers measured, and their charge."""

    release_id: Annotated[str, ForeignKey("releases.id")]
    dataset_id: Annotated[str, ForeignKey("datasets.id")]
    budget_id: Annotated[str, ForeignKey("budgets.id")]
    sequence: int
    grant_id: Id | None
    measured: str
    """The rows with their rates, in canonical JSON."""
    apart: str
    """A JSON list with a flag for each row: whether it was charged by itself."""
    epsilon_alone: int
    delta_alone: int
    rho_alone: int
    epsilon_granted: int
    delta_granted: int
    rho_granted: int

    @property
    def alone(self) -> Cost:
        """Return the price of the rows without other rows."""
        return of_units(self.epsilon_alone, self.delta_alone, self.rho_alone)

    @property
    def granted(self) -> Cost:
        """Return the amount that the grant paid: the increase of the joint cost of its own rows."""
        return of_units(self.epsilon_granted, self.delta_granted, self.rho_granted)


class ListedRelease(NamedTuple):
    """Columns of a release in lists, and its budget's accountant, without the long spec, result and receipt."""

    id: str
    dataset_id: str
    sequence: int
    principal_id: str
    mechanism: str | None
    """JSON text; None if a restore lost it."""
    epsilon_charged: int
    delta_charged: int
    rho_charged: int
    created_at: int
    state: ReleaseState
    public_since: int | None
    owner_id: str
    """The present owner of the data set."""
    budget_id: str
    accountant: AccountantName
    grant_id: str | None
    """The grant that paid for queries. It paid what follows, which tells nothing about the rows of others."""
    epsilon_granted: int | None
    delta_granted: int | None
    rho_granted: int | None

    @property
    def charged(self) -> Cost:
        """Return the charge that the release states."""
        if self.grant_id is not None:
            return of_units(self.epsilon_granted or 0, self.delta_granted or 0, self.rho_granted or 0)
        return of_units(self.epsilon_charged, self.delta_charged, self.rho_charged)


class StatedRelease(NamedTuple):
    """Columns of a release in statements."""

    id: str
    sequence: int
    principal_id: str
    mechanism: str | None
    certificate: str | None
    """This and `mechanism` are JSON texts; None if a restore lost them."""
    epsilon_charged: int
    delta_charged: int
    rho_charged: int
    created_at: int
    state: ReleaseState
    kind: ReleaseKind

    @property
    def charged(self) -> Cost:
        return of_units(self.epsilon_charged, self.delta_charged, self.rho_charged)


class JobRow(NamedTuple):
    """A job: a free computation whose result is fetched later, or a certificate."""

    id: Id
    principal_id: Annotated[str, ForeignKey("principals.id")]
    key: Hash
    """Hash of kind and input, by which a repeated request finds its job."""
    kind: Annotated[JobKind, String(20)]
    input: str
    state: Annotated[JobState, String(10)]
    result: str | None
    problem: str | None
    """The Problem that the computation raised, as JSON text of `Problem.to_json`."""
    created_at: int
    finished_at: int | None
    leased_until: int | None
    tries: int
    """Tries begun, without those that ended because their process stopped."""
    created_nanoseconds: int
    signature: str | None = None
    used_at: int | None = None
    """Last use of a certificate by a release, exact to a day."""


def columns_of(row: type[NamedTuple], *tables: Table) -> list[Column[Any]]:
    """Return the columns of `row`, each from the first table that has a column of this name."""
    return [next(table.c[name] for table in tables if name in table.c) for name in row._fields]


def check_columns(row: type[NamedTuple], names: Iterable[str]) -> None:
    """Raise TypeError unless `names` are the fields of `row`, in the same order."""
    if tuple(names) != row._fields:
        raise TypeError(f"a statement gives other columns than {row.__name__} has")


def typed(row: type[R], result: CursorResult[Any]) -> Iterator[R]:
    """Return the rows of a result as `row`. Raises TypeError if their columns differ."""
    check_columns(row, result.keys())
    return map(row._make, result)


def fetch_all(
    connection: Connection, row: type[R], query: Executable, parameters: Mapping[str, Any] | None = None
) -> list[R]:
    return list(typed(row, connection.execute(query, parameters)))


def fetch_first(
    connection: Connection, row: type[R], query: Executable, parameters: Mapping[str, Any] | None = None
) -> R | None:
    """Return the first row of the result, or None if it is empty."""
    result = connection.execute(query, parameters)
    check_columns(row, result.keys())
    found = result.first()
    return None if found is None else row._make(found)


def fetch_one(connection: Connection, row: type[R], query: Executable) -> R:
    """Return the only row of the result."""
    result = connection.execute(query)
    check_columns(row, result.keys())
    return row._make(result.one())
