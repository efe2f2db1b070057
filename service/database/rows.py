"""Types the rows of the tables: a named tuple for each, with a field for each column, so that mypy knows every column
by its name.

Rows are made by position. `typed` and `service.database.compiled` compare the names of what a statement gives with the
fields, so that a row that is out of step with its table can't be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Column, Connection, CursorResult, Executable, Table

from core.accounting.accountants import Cost
from service.costs import of_units

R = TypeVar("R", bound=NamedTuple)
AccountantName: TypeAlias = Literal["basic", "zcdp"]
# The table could hold add_remove too; nothing ever wrote it.
RelationName: TypeAlias = Literal["replace_one"]
ReleaseKind: TypeAlias = Literal["posterior", "query"]
ReleaseState: TypeAlias = Literal["paid", "complete", "failed", "lost"]
JobState: TypeAlias = Literal["pending", "ready", "failed"]
JobKind: TypeAlias = Literal[
    "posterior", "pooled_posterior", "comparison", "picture", "plan", "rehearsal", "query_quote", "query_order"
]
CertificateState: TypeAlias = Literal["pending", "ready", "failed"]


class BudgetRow(NamedTuple):
    """A budget: what it allows, what is spent, and where its ledger ends."""

    id: str
    owner_id: str
    name: str
    accountant: AccountantName
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
    head_hash: str
    created_at: int
    created_nanoseconds: int
    stored_bytes: int

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

    budget_id: str
    sequence: int
    kind: str
    epsilon: int
    delta: int
    rho: int
    principal_id: str
    subject_id: str
    detail: str
    created_at: int
    previous_hash: str
    hash: str

    @property
    def amount(self) -> Cost:
        return of_units(self.epsilon, self.delta, self.rho)


class DatasetRow(NamedTuple):
    """What is public about a data set, and its budget's accountant."""

    id: str
    owner_id: str
    budget_id: str
    name: str
    labels: str
    """A JSON list."""
    attributes: str | None
    """A JSON list; None where labels are all there is."""
    category_count: int
    record_count: int
    unit: str
    one_record_per_unit: int
    records_per_unit: int
    n_is_public: int
    relation: RelationName
    commitment: str
    charged: int
    created_at: int
    deleted_at: int | None
    created_nanoseconds: int
    history_shared: int
    """Whether queries of every grant are answered from all that was released."""
    accountant: AccountantName


class LockedDataset(NamedTuple):
    """What a debit asks of a data set. The labels of many categories are long, and are left out."""

    id: str
    owner_id: str
    commitment: str
    charged: int
    deleted_at: int | None
    history_shared: int


class Revocation(NamedTuple):
    """Whether an API key was revoked."""

    id: str
    revoked_at: int | None


class HoldingsRow(NamedTuple):
    """How many things an owner has that quotas bound."""

    owner_id: str
    budgets: int
    datasets: int
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

    id: str
    role: str
    created_at: int
    revoked_at: int | None
    frozen_until: int | None
    recovery_id: str | None
    sequence: int
    head_hash: str | None
    created_nanoseconds: int


class ApiKeyRow(NamedTuple):
    """An API key."""

    id: str
    principal_id: str
    prefix: str
    secret_hash: str
    issued_by: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None
    parent_id: str | None
    enrolment_id: str | None
    created_nanoseconds: int


class EnrolmentRow(NamedTuple):
    """An enrolment token or a recovery code."""

    id: str
    principal_id: str
    kind: Literal["token", "recovery_code"]
    secret_hash: str
    issued_by: str
    made_by: str | None
    created_at: int
    expires_at: int | None
    used_at: int | None
    ended_at: int | None


class PrincipalEntryRow(NamedTuple):
    """An entry of the chain of a principal's keys."""

    principal_id: str
    sequence: int
    kind: str
    actor_id: str
    subject_id: str
    detail: str
    created_at: int
    previous_hash: str
    hash: str


class KeyRow(NamedTuple):
    """An API key as authentication reads it, with its principal's role."""

    id: str
    principal_id: str
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None
    enrolment_id: str | None
    role: str
    principal_revoked_at: int | None


class SealedRow(NamedTuple):
    """The counts of a data set, sealed."""

    dataset_id: str
    key_id: str
    ciphertext: bytes
    counts_entry: str | None
    """The detail of the ledger's latest entry that says which counts the data set has."""
    category_count: int


class CreationRow(NamedTuple):
    """What was made under an Idempotency-Key."""

    key_hash: str
    fingerprint: str
    subject_id: str
    sealed_secret: bytes | None
    created_at: int


class GrantRow(NamedTuple):
    """What an analyst may spend on a data set, and has spent."""

    id: str
    dataset_id: str
    principal_id: str
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
    owner_id: str
    dataset_nanoseconds: int

    @property
    def cap(self) -> Cost:
        return of_units(self.epsilon_cap, self.delta_cap, self.rho_cap)

    @property
    def spent(self) -> Cost:
        return of_units(self.epsilon_spent, self.delta_spent, self.rho_spent)


class ReleaseRow(NamedTuple):
    """A release that was paid, and what came of it."""

    id: str
    dataset_id: str
    budget_id: str
    sequence: int
    principal_id: str
    key_hash: str
    payload_hash: str
    plan: str
    epsilon_charged: int
    delta_charged: int
    rho_charged: int
    epsilon_remaining: int
    delta_remaining: int
    rho_remaining: int
    receipt: str
    created_at: int
    state: ReleaseState
    leased_until: int
    result: str | None
    public_since: int | None
    kind: ReleaseKind
    owner_id: str
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

    plan: str
    result: str


class QueryChargeRow(NamedTuple):
    """What a release of answers to linear queries measured, and what that cost."""

    release_id: str
    dataset_id: str
    budget_id: str
    sequence: int
    grant_id: str | None
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

    key: str
    id: str
    parameters: str
    state: CertificateState
    estimated_seconds: int
    certified: str | None
    created_at: int
    leased_until: int | None
    leased_by: str | None
    used_at: int | None
    tries: int


class JobRow(NamedTuple):
    """A free computation that is fetched later, and how it stands."""

    id: str
    principal_id: str
    kind: JobKind
    input: str
    state: JobState
    estimated_seconds: int
    result: str | None
    problem: str | None
    """As `Problem.to_json` gives it, as JSON text: what the computation met instead of a result."""
    created_at: int
    finished_at: int | None
    leased_until: int | None
    tries: int


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
