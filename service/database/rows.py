"""Types rows: a named tuple for each table that is read as a whole, and for what narrower queries give, so that mypy
knows every column by its name.

`service.database.tables` makes the columns of a table from the fields of its row: `int` is BigInteger, `str` Text and
`bytes` LargeBinary, unless the annotation names another type or the foreign key whose type it takes. Rows are made by
position, once the names of what a statement gives were compared with the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Column, Connection, CursorResult, Executable, ForeignKey, String, Table

from core.accounting.accountants import Cost
from service.costs import of_units

R = TypeVar("R", bound=NamedTuple)
Id: TypeAlias = Annotated[str, String(40)]
Hash: TypeAlias = Annotated[str, String(64)]
"""SHA-256 in hexadecimal."""
AccountantName: TypeAlias = Literal["basic", "zcdp"]
# The table could hold add_remove too; nothing ever wrote it.
RelationName: TypeAlias = Literal["replace_one"]
ReleaseKind: TypeAlias = Literal["posterior", "query"]
ReleaseState: TypeAlias = Literal["paid", "drawn", "complete", "failed", "lost"]
JobState: TypeAlias = Literal["pending", "ready", "failed"]
JobKind: TypeAlias = Literal[
    "posterior",
    "pooled_posterior",
    "comparison",
    "picture",
    "plan",
    "curves",
    "rehearsal",
    "query_quote",
    "query_order",
]
AccessRequestState: TypeAlias = Literal["open", "approved", "declined", "withdrawn"]
CertificateState: TypeAlias = Literal["pending", "ready", "failed"]


class BudgetRow(NamedTuple):
    """A budget: what it allows, what is spent, and where its ledger ends."""

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
    """The place in lists, which are in the order of creation; no answer shows it."""
    stored_bytes: int
    """Reserved for releases when they were paid: the most that they can take."""

    @property
    def limit(self) -> Cost:
        return of_units(self.epsilon_limit, self.delta_limit, self.rho_limit)

    @property
    def spent(self) -> Cost:
        return of_units(self.epsilon_spent, self.delta_spent, self.rho_spent)

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
    """What is public about a data set, and its budget's accountant."""

    id: Id
    owner_id: Annotated[str, ForeignKey("principals.id")]
    budget_id: Annotated[str, ForeignKey("budgets.id")]
    name: Annotated[str, String(200)]
    labels: str
    """A JSON list."""
    attributes: str | None
    """A JSON list; None where labels are all there is."""
    category_count: int
    record_count: int
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
    """Whether queries of every grant are answered from all that was released."""
    listed: int
    """Whether every analyst of the installation sees its public facts and can ask for access."""
    accountant: AccountantName


class LockedDataset(NamedTuple):
    """What a debit asks of a data set. The labels of many categories are long, and are left out."""

    id: str
    owner_id: str
    commitment: str
    relation: str
    category_count: int
    record_count: int
    records_per_unit: int
    charged: int
    deleted_at: int | None
    history_shared: int


class LockedKey(NamedTuple):
    """What a debit asks of an API key: whether it still counts."""

    id: str
    expires_at: int | None
    revoked_at: int | None


class HoldingsRow(NamedTuple):
    """How many things an owner has that quotas bound."""

    owner_id: Id
    budgets: int
    datasets: int
    """Live ones."""
    grants: int


class LockedPrincipal(NamedTuple):
    """What a debit asks of a principal: whether it counts, and where the chain of its keys ends."""

    id: str
    revoked_at: int | None
    frozen_until: int | None
    sequence: int
    head_hash: str | None


class PrincipalRow(NamedTuple):
    """A principal."""

    id: Id
    role: Annotated[str, String(10)]
    created_at: int
    revoked_at: int | None
    frozen_until: int | None
    """Until then an admin's recovery can be vetoed, and its keys change nothing."""
    recovery_id: Id | None
    sequence: int
    head_hash: Hash | None
    created_nanoseconds: int


class ApiKeyRow(NamedTuple):
    """An API key."""

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
    """An enrolment token or a recovery code."""

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
    """The detail of the latest entry of the data set's budget that says which counts the data set has."""


class CreationRow(NamedTuple):
    """What was made under an Idempotency-Key."""

    key_hash: Hash
    fingerprint: Hash
    subject_id: Id
    sealed_secret: bytes | None
    """Only its caller can open it, and only for a day."""
    created_at: int


class GrantRow(NamedTuple):
    """What an analyst may spend on a data set, and has spent."""

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
    """Both of the data set, so that lists read in the order of an index."""

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
    """Of the data set, so that lists read in the order of an index."""
    epsilon_requested: int
    delta_requested: int
    rho_requested: int
    purpose: Annotated[str, String(500)] | None
    """In the analyst's words; None once erased."""
    state: Annotated[AccessRequestState, String(10)]
    """An open request to a deleted data set, or of or to a revoked principal, has ended: that is computed."""
    reason: Annotated[str, String(500)] | None
    """Why the owner declined; None once erased."""
    grant_id: Id | None
    created_at: int
    decided_at: int | None
    created_nanoseconds: int

    @property
    def requested(self) -> Cost:
        return of_units(self.epsilon_requested, self.delta_requested, self.rho_requested)


class ReleaseRow(NamedTuple):
    """A release that was paid, and what came of it."""

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
    """What was drawn, as JSON; what a complete release was composed from."""
    result: str | None
    public_since: int | None
    kind: Annotated[ReleaseKind, String(10)]
    owner_id: Id
    """Of the data set."""

    @property
    def charged(self) -> Cost:
        return of_units(self.epsilon_charged, self.delta_charged, self.rho_charged)

    @property
    def remaining(self) -> Cost:
        return of_units(self.epsilon_remaining, self.delta_remaining, self.rho_remaining)

    @property
    def document(self) -> str:
        """The JSON text that a complete release was answered with."""
        assert self.result is not None, "only a complete release has one"
        return self.result


class Telling(NamedTuple):
    """A complete release, without what it says."""

    id: str
    kind: ReleaseKind


class CompleteRelease(NamedTuple):
    """The order and the result of a complete release, as stored."""

    spec: str
    result: str


class QueryChargeRow(NamedTuple):
    """What a release of answers to linear queries measured, and what that cost."""

    release_id: Annotated[str, ForeignKey("releases.id")]
    dataset_id: Annotated[str, ForeignKey("datasets.id")]
    budget_id: Annotated[str, ForeignKey("budgets.id")]
    sequence: int
    grant_id: Id | None
    measured: str
    """The rows with their rates, canonical JSON."""
    apart: str
    """A JSON list that says of each row whether it was charged by itself."""
    epsilon_alone: int
    delta_alone: int
    rho_alone: int
    epsilon_granted: int
    delta_granted: int
    rho_granted: int

    @property
    def alone(self) -> Cost:
        """The price of the rows without any others."""
        return of_units(self.epsilon_alone, self.delta_alone, self.rho_alone)

    @property
    def granted(self) -> Cost:
        """What the grant paid: the rise of the cost of the rows that its own holder paid for."""
        return of_units(self.epsilon_granted, self.delta_granted, self.rho_granted)


class ListedRelease(NamedTuple):
    """What a list says of a release, and its budget's accountant. Plan, result and receipt are long, and are left
    out.
    """

    id: str
    dataset_id: str
    sequence: int
    principal_id: str
    mechanism: str | None
    """JSON text; None where a restored database does not have it."""
    epsilon_charged: int
    delta_charged: int
    rho_charged: int
    created_at: int
    state: ReleaseState
    public_since: int | None
    owner_id: str
    accountant: AccountantName

    @property
    def charged(self) -> Cost:
        return of_units(self.epsilon_charged, self.delta_charged, self.rho_charged)


class StatedRelease(NamedTuple):
    """What a statement says of a release."""

    id: str
    sequence: int
    principal_id: str
    mechanism: str | None
    certificate: str | None
    """JSON texts; None where a restored database does not have them."""
    epsilon_charged: int
    delta_charged: int
    rho_charged: int
    created_at: int
    state: ReleaseState
    kind: ReleaseKind

    @property
    def charged(self) -> Cost:
        return of_units(self.epsilon_charged, self.delta_charged, self.rho_charged)


class ResultRow(NamedTuple):
    """What came of a release."""

    id: str
    state: ReleaseState
    result: str | None


class InstallationState(NamedTuple):
    """Whether a restore is under way, so that nothing may be spent."""

    restore_pending_since: int | None
    history: str | None
    """The database server's name for its past, as `service.database.history` says."""


class CertificateRow(NamedTuple):
    """A certificate that was asked for, and how it stands."""

    key: Hash
    id: Id
    parameters: str
    state: Annotated[CertificateState, String(10)]
    certified: str | None
    created_at: int
    leased_until: int | None
    leased_by: Id | None
    used_at: int | None
    """By a release, to the day."""
    tries: int
    """Begun, and not ended by a process that stopped."""


class JobRow(NamedTuple):
    """A free computation that is fetched later, and how it stands."""

    id: Id
    principal_id: Annotated[str, ForeignKey("principals.id")]
    key: Hash
    """The hash of kind and input: a request that is sent again finds its job."""
    kind: Annotated[JobKind, String(20)]
    input: str
    state: Annotated[JobState, String(10)]
    result: str | None
    problem: str | None
    """As `Problem.to_json` gives it, as JSON text: what the computation met instead of a result."""
    created_at: int
    finished_at: int | None
    leased_until: int | None
    tries: int
    created_nanoseconds: int


def columns_of(row: type[NamedTuple], *tables: Table) -> list[Column[Any]]:
    """The columns that make up `row`, each from the first of the tables that has one of its name."""
    return [next(table.c[name] for table in tables if name in table.c) for name in row._fields]


def check_columns(row: type[NamedTuple], names: Iterable[str]) -> None:
    """Raises TypeError unless a statement gives just the columns of `row`, in its order."""
    if tuple(names) != row._fields:
        raise TypeError(f"a statement gives other columns than {row.__name__} has")


def typed(row: type[R], result: CursorResult[Any]) -> Iterator[R]:
    """The rows of a result, each as `row`. Raises TypeError where their columns are others."""
    check_columns(row, result.keys())
    return map(row._make, result)


def fetch_all(
    connection: Connection, row: type[R], query: Executable, parameters: Mapping[str, Any] | None = None
) -> list[R]:
    """Every row that the query gives."""
    return list(typed(row, connection.execute(query, parameters)))


def fetch_first(
    connection: Connection, row: type[R], query: Executable, parameters: Mapping[str, Any] | None = None
) -> R | None:
    """The first row that the query gives; None where there is none."""
    result = connection.execute(query, parameters)
    check_columns(row, result.keys())
    found = result.first()
    return None if found is None else row._make(found)


def fetch_one(
    connection: Connection, row: type[R], query: Executable, parameters: Mapping[str, Any] | None = None
) -> R:
    """The one row that the query gives."""
    result = connection.execute(query, parameters)
    check_columns(row, result.keys())
    return row._make(result.one())
