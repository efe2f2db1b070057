"""The tables. Constraints repeat every limit that the ledger checks, so that the database refuses what a fault in the
code might write.

Amounts are integers of the units of `core.privacy`, in the three dimensions of `core.accounting.accountants.Cost`:
epsilon in 1e-9, delta in 1e-18, rho in 1e-12; a dimension that the accountant does not use is 0. Times are Unix
seconds.
"""

from __future__ import annotations

from collections.abc import Collection
from types import NoneType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import SchemaItem
from sqlalchemy.sql.functions import FunctionElement

from service.database.costs import DIMENSIONS
from service.database.rows import (
    AccessRequestRow,
    ApiKeyRow,
    BudgetRow,
    CreationRow,
    DatasetRow,
    EncryptedRow,
    EnrolmentRow,
    EntryRow,
    GrantRow,
    HoldingsRow,
    JobRow,
    PrincipalEntryRow,
    PrincipalRow,
    QueryChargeRow,
    ReleaseRow,
)


class JsonPart(FunctionElement[str]):
    """The JSON text of the object at a path of names in a text column, or NULL if there is none."""

    type = String()
    inherit_cache = True
    name = "json_part"

    def __init__(self, column: Column[Any], *path: str) -> None:
        assert all(name.isidentifier() for name in path), "the path is part of the statement"
        super().__init__(column, literal_column(",".join(path)))


@compiles(JsonPart)
def _compile_for_sqlite(element: JsonPart, compiler: Any, **_: Any) -> str:
    column, path = element.clauses
    return f"json_extract({compiler.process(column)}, '$.{compiler.process(path).replace(',', '.')}')"


@compiles(JsonPart, "postgresql")
def _compile_for_postgres(element: JsonPart, compiler: Any, **_: Any) -> str:
    column, path = element.clauses
    return f"(({compiler.process(column)})::json #>> '{{{compiler.process(path)}}}')"


REVISION = "r0003"
"""Revision of the schema that these tables describe. Revisions are compared as text."""
NOTHING_MEASURED = "[]"
"""Value of `query_charges.measured` if nothing was measured."""
OF_RESTORES = "kind IN ('entry_reconciled', 'receipt_reconciled', 'restore_ended', 'restore_noticed', 'written_off')"
"""Entries about restores. The text is that of the index's condition, since SQLite uses a partial index only for the
same text.
"""
OF_COUNTS = "kind IN ('dataset_registered', 'dataset_replaced')"
"""Entries that register or replace counts."""
OF_DECISIONS = (
    "kind IN ('budget_changed', 'budget_frozen', 'budget_opened', 'budget_unfrozen', 'dataset_deleted', "
    "'dataset_listed', 'dataset_registered', 'dataset_replaced', 'dataset_unlisted', 'history_shared', "
    "'history_unshared')"
)
"""Entries of an owner's decisions about a budget and its data sets, but for grants."""
OF_TERMS = (
    "kind IN ('budget_changed', 'budget_frozen', 'budget_opened', 'budget_unfrozen', 'grant_changed', 'grant_closed', "
    "'grant_opened', 'grant_reopened', 'policy_changed')"
)
"""Entries of decisions about a budget or grant on which a debit relies."""
OF_TRANSFERS = "kind = 'budget_transferred'"
"""Entries that give a budget another owner."""
OF_SHARED_HISTORIES = "kind = 'history_shared'"
"""Entries that share the history of a data set."""
UNFINISHED = "state IN ('paid', 'drawn')"
"""Paid releases without an answer."""
OF_QUERIES = "kind = 'query'"
"""Releases of query answers."""
FREE_ANSWERS = "epsilon_granted = 0 AND rho_granted = 0"
"""Query charges that cost the caller nothing."""
LISTED = "listed = 1 AND deleted_at IS NULL"
"""Data sets that every analyst sees."""
OPEN = "state = 'open'"
"""Access requests without a decision."""
BOOKED_ONCE = "kind IN ('entry_reconciled', 'receipt_reconciled', 'written_off')"


def within(limit: str) -> list[CheckConstraint]:
    """Return constraints: in each dimension the amount spent is at least 0 and at most the limit."""
    return [
        CheckConstraint(f"{name}_spent >= 0 AND {name}_spent <= {name}_{limit}", name=f"{name}_within_{limit}")
        for name in DIMENSIONS
    ]


_TYPES: Final = {int: BigInteger, str: Text, bytes: LargeBinary}


def table(
    name: str,
    row: type[NamedTuple],
    *arguments: SchemaItem,
    key: tuple[str, ...] = ("id",),
    without: Collection[str] = (),
) -> Table:
    """Return a table with a column for each field of `row`, except those in `without`, which come from other tables."""
    hints = get_type_hints(row, include_extras=True)
    columns = [_column(field, hint, is_key=field in key) for field, hint in hints.items() if field not in without]
    return Table(name, metadata, *columns, *arguments)


def _column(name: str, hint: Any, *, is_key: bool) -> Column[Any]:
    is_nullable = NoneType in get_args(hint)
    kind = get_args(hint)[0] if is_nullable else hint
    described = getattr(kind, "__metadata__", None) or (_TYPES[kind],)
    return Column(name, *described, primary_key=is_key, nullable=is_nullable)


def partial_index(name: str, *columns: Column[Any], where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

installation = Table(
    "installation",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("identity", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("restore_pending_since", BigInteger),
    Column("restores", Integer, nullable=False),
    CheckConstraint("id = 1", name="single_row"),
)

principals = table(
    "principals",
    PrincipalRow,
    CheckConstraint("role IN ('admin', 'owner', 'analyst')", name="role"),
)
Index("ix_principals_created", principals.c.created_nanoseconds, principals.c.id)

# Names are separate from pseudonymous ids, so that a name can be erased while the ledger keeps its entries.
principal_names = Table(
    "principal_names",
    metadata,
    Column("principal_id", ForeignKey("principals.id"), primary_key=True),
    Column("name", String(200), nullable=False),
)

api_keys = table(
    "api_keys",
    ApiKeyRow,
    Index("ix_api_keys_principal_id", "principal_id"),
    UniqueConstraint("secret_hash"),
    CheckConstraint("kind IN ('key', 'session')", name="kind"),
)

# Invitations and recovery codes: each is exchanged once, for a key and a new code.
enrolments = table(
    "enrolments",
    EnrolmentRow,
    Index("ix_enrolments_principal_id", "principal_id"),
    UniqueConstraint("secret_hash"),
    CheckConstraint("kind IN ('token', 'recovery_code')", name="kind"),
)

# Append-only, as `entries`.
principal_entries = table(
    "principal_entries",
    PrincipalEntryRow,
    key=("principal_id", "sequence"),
)

# Check values of the installation's keys, which disclose nothing else about them. They prevent that a database is used
# with the wrong keys.
key_checks = Table(
    "key_checks",
    metadata,
    Column("kind", String(10), primary_key=True),
    Column("key_id", String(64), primary_key=True),
    Column("check_value", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    CheckConstraint("kind IN ('counts', 'receipts')", name="kind"),
)

budgets = table(
    "budgets",
    BudgetRow,
    UniqueConstraint("owner_id", "name"),
    CheckConstraint("accountant IN ('basic', 'zcdp')", name="accountant"),
    *within("limit"),
    CheckConstraint("sequence >= 0", name="sequence"),
    CheckConstraint("low_budget_percent BETWEEN 0 AND 100", name="low_budget_percent"),
)
Index("ix_budgets_owner_created", budgets.c.owner_id, budgets.c.created_nanoseconds, budgets.c.id)

# Append-only: triggers refuse UPDATE and DELETE, and on PostgreSQL the service's role has no right to them.
entries = table(
    "entries",
    EntryRow,
    CheckConstraint("epsilon >= 0 AND delta >= 0 AND rho >= 0", name="no_refunds"),
    key=("budget_id", "sequence"),
)
# A lost release is charged again only once, and a write-off or another lost entry is recorded only once.
partial_index(
    "uq_entries_booked_once",
    entries.c.subject_id,
    unique=True,
    where=BOOKED_ONCE,
)

partial_index(
    "ix_entries_counts",
    entries.c.subject_id,
    entries.c.sequence,
    where=OF_COUNTS,
)
partial_index(
    "ix_entries_shared_histories",
    entries.c.subject_id,
    where=OF_SHARED_HISTORIES,
)
partial_index(
    "ix_entries_decisions",
    entries.c.budget_id,
    entries.c.sequence,
    where=OF_DECISIONS,
)
partial_index(
    "ix_entries_transfers",
    entries.c.budget_id,
    entries.c.sequence,
    where=OF_TRANSFERS,
)
partial_index("ix_entries_terms", entries.c.subject_id, entries.c.sequence, where=OF_TERMS)
partial_index(
    "ix_entries_restores",
    entries.c.budget_id,
    entries.c.sequence,
    where=OF_RESTORES,
)

datasets = table(
    "datasets",
    DatasetRow,
    # The owner at registration, if the budget was transferred since. Jobs store a DatasetRow, so it has no field there.
    Column("registered_by", String(40)),
    Index("ix_datasets_budget_id", "budget_id"),
    CheckConstraint("relation IN ('replace_one', 'add_remove')", name="relation"),
    CheckConstraint(
        "category_count >= 2 AND ((relation = 'replace_one' AND n_is_public = 1 AND COALESCE(record_count, 0) >= 1) OR "
        "(relation = 'add_remove' AND n_is_public = 0 AND record_count IS NULL))",
        name="sizes",
    ),
    without={"accountant"},
)
# A deleted data set frees its name and keeps its row for the ledger.
partial_index(
    "uq_datasets_live_name",
    datasets.c.owner_id,
    datasets.c.name,
    unique=True,
    where="deleted_at IS NULL",
)

partial_index(
    "ix_datasets_owner_created",
    datasets.c.owner_id,
    datasets.c.created_nanoseconds,
    datasets.c.id,
    where="deleted_at IS NULL",
)
partial_index("ix_datasets_listed", datasets.c.created_nanoseconds, datasets.c.id, where=LISTED)

# Counts are separate from the public facts of a data set.
encrypted_counts = table(
    "encrypted_counts",
    EncryptedRow,
    Index("ix_encrypted_counts_key_id", "key_id"),
    key=("dataset_id",),
    without={"counts_entry"},
)
has_counts = encrypted_counts.c.dataset_id
"""The ids of the data sets whose counts are stored, for those who may not read the counts."""

grants = table(
    "grants",
    GrantRow,
    UniqueConstraint("dataset_id", "principal_id"),
    *within("cap"),
)
Index("ix_grants_owner_created", grants.c.owner_id, grants.c.created_nanoseconds, grants.c.id)
Index("ix_grants_dataset_created", grants.c.dataset_id, grants.c.created_nanoseconds, grants.c.id)
Index("ix_grants_principal_created", grants.c.principal_id, grants.c.created_nanoseconds, grants.c.id)
Index("ix_grants_principal_dataset", grants.c.principal_id, grants.c.dataset_nanoseconds, grants.c.dataset_id)

# Texts are erased with the name of their author or of the analyst. The rest of a request remains.
access_requests = table(
    "access_requests",
    AccessRequestRow,
    CheckConstraint("state IN ('open', 'approved', 'declined', 'withdrawn')", name="state"),
    CheckConstraint("(state = 'open') = (decided_at IS NULL)", name="decided_has_time"),
    CheckConstraint("(state = 'approved') = (grant_id IS NOT NULL)", name="approved_has_grant"),
)
partial_index(
    "uq_access_requests_open",
    access_requests.c.dataset_id,
    access_requests.c.principal_id,
    unique=True,
    where=OPEN,
)
for _who in ("dataset", "owner", "principal"):
    Index(
        f"ix_access_requests_{_who}_created",
        access_requests.c[f"{_who}_id"],
        access_requests.c.created_nanoseconds,
        access_requests.c.id,
    )

releases = table(
    "releases",
    ReleaseRow,
    # The hash covers the principal. In a separate index, a batch of keys is found quickly; for pairs SQLite would scan
    # the table.
    UniqueConstraint("key_hash"),
    UniqueConstraint("budget_id", "sequence"),
    CheckConstraint("state IN ('paid', 'drawn', 'complete', 'failed', 'lost')", name="state"),
    CheckConstraint("(state = 'complete') = (result IS NOT NULL)", name="complete_has_result"),
    CheckConstraint("(state IN ('drawn', 'complete')) = (drawn IS NOT NULL)", name="drawn_has_values"),
)
ORDERED_MECHANISM = JsonPart(releases.c.spec, "request", "mechanism").label("mechanism")
ORDERED_CERTIFICATE = JsonPart(releases.c.spec, "certificate").label("certificate")
"""A part of a stored spec. The rest of a spec grows with the number of categories."""
CHARGED_MECHANISM = JsonPart(entries.c.detail, "mechanism").label("mechanism")
"""The mechanism that the ledger entry of a charge names."""
_LISTING_COLUMNS = (releases.c.kind, releases.c.created_at, releases.c.budget_id, releases.c.sequence)
Index("ix_releases_principal_kind_created", releases.c.principal_id, *_LISTING_COLUMNS)
Index("ix_releases_owner_kind_created", releases.c.owner_id, *_LISTING_COLUMNS)
Index("ix_releases_dataset_principal", releases.c.dataset_id, releases.c.principal_id, releases.c.sequence)
partial_index(
    "ix_releases_public",
    releases.c.dataset_id,
    releases.c.sequence,
    where="public_since IS NOT NULL",
)
Index("ix_releases_dataset_sequence", releases.c.dataset_id, releases.c.sequence)
partial_index(
    "ix_releases_unfinished",
    releases.c.id,
    where=UNFINISHED,
)
Index("ix_releases_noise", releases.c.noise, releases.c.sequence)
partial_index("ix_releases_without_noise", releases.c.dataset_id, releases.c.principal_id, where="noise IS NULL")
partial_index(
    "ix_releases_queries_payload",
    releases.c.payload_hash,
    releases.c.principal_id,
    releases.c.sequence,
    where=OF_QUERIES,
)

# Measured rows of query answers and their charges. A charge is the increase of a joint maximum, computed from these
# rows under the budget's lock. Append-only, as `entries`.
query_charges = table(
    "query_charges",
    QueryChargeRow,
    UniqueConstraint("dataset_id", "sequence"),
    CheckConstraint("epsilon_alone >= 0 AND delta_alone >= 0 AND rho_alone >= 0", name="alone"),
    CheckConstraint("epsilon_granted >= 0 AND delta_granted >= 0 AND rho_granted >= 0", name="granted"),
    key=("release_id",),
)
partial_index("ix_query_charges_free", query_charges.c.grant_id, query_charges.c.budget_id, where=FREE_ANSWERS)

# Running totals, so that reports and quotas take constant time. Triggers maintain them (`migrations.running_totals`),
# and the service only reads them.
spending = Table(
    "spending",
    metadata,
    Column("budget_id", String(40), primary_key=True),
    Column("dataset_id", String(40), primary_key=True),
    Column("principal_id", String(40), primary_key=True),
    Column("kind", String(10), primary_key=True),
    # Query answers that measured nothing are not counted.
    Column("releases", BigInteger, nullable=False),
    *[Column(name, BigInteger, nullable=False) for name in DIMENSIONS],
)
hourly_spending = Table(
    "hourly_spending",
    metadata,
    Column("budget_id", String(40), primary_key=True),
    # Hours since 1970.
    Column("hour", BigInteger, primary_key=True, autoincrement=False),
    # Write-offs and free answers are not counted.
    Column("releases", BigInteger, nullable=False),
    *[Column(name, BigInteger, nullable=False) for name in DIMENSIONS],
)

# Numbers of each owner's objects that quotas limit.
holdings = table(
    "holdings",
    HoldingsRow,
    CheckConstraint("budgets >= 0 AND datasets >= 0 AND grants >= 0", name="counted"),
    key=("owner_id",),
)

# Public texts of published releases. Append-only.
public_texts = Table(
    "public_texts",
    metadata,
    Column("release_id", ForeignKey("releases.id"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

# Jobs and certificates. They contain only released values and public facts.
jobs = table(
    "jobs",
    JobRow,
    UniqueConstraint("principal_id", "key"),
    CheckConstraint("state IN ('pending', 'ready', 'failed')", name="state"),
    CheckConstraint("(state = 'ready') = (result IS NOT NULL)", name="ready_has_result"),
)

# Objects created under an Idempotency-Key, so that a repeated request creates nothing new. Releases store their own
# keys.
creations = table(
    "creations",
    CreationRow,
    Index("ix_creations_subject_id", "subject_id"),
    key=("key_hash",),
)
partial_index(
    "ix_creations_sealed",
    creations.c.created_at,
    where="sealed_secret IS NOT NULL",
)
