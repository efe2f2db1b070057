"""What the service stores and later relies on is signed, or compared with what can't be changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import forbid, forbid_insert_beside
from migrations.running_totals import count_datasets

revision = "r0002"
down_revision = "r0001"

_SIGNED = ("jobs", "releases")
_UNCHANGED = {
    "api_keys": (
        *("id", "principal_id", "prefix", "secret_hash", "issued_by", "created_at", "expires_at", "enrolment_id"),
        *("kind", "created_nanoseconds"),
    ),
    "budgets": ("id", "owner_id", "accountant", "delta_conversion", "created_at", "created_nanoseconds"),
    "datasets": (
        *("id", "owner_id", "budget_id", "unit", "one_record_per_unit", "records_per_unit", "n_is_public", "relation"),
        *("created_at", "created_nanoseconds"),
    ),
    "enrolments": (*("id", "principal_id", "kind", "secret_hash", "issued_by", "made_by", "created_at", "expires_at"),),
    "grants": (
        *("id", "dataset_id", "principal_id", "created_at", "created_nanoseconds", "owner_id", "dataset_nanoseconds"),
    ),
    "installation": ("identity", "created_at"),
    "principals": ("id", "role", "created_at", "created_nanoseconds"),
    "releases": ("kind", "owner_id", "epsilon_remaining", "delta_remaining", "rho_remaining"),
}
"""Columns that are written once, with their row."""
_SIZES = (
    "category_count >= 2 AND ((relation = 'replace_one' AND n_is_public = 1 AND COALESCE(record_count, 0) >= 1) OR "
    "(relation = 'add_remove' AND n_is_public = 0 AND record_count IS NULL))"
)
"""A private number of records is not stored, and may be 0."""
_ENDS = {"api_keys": "revoked_at", "datasets": "deleted_at", "enrolments": "ended_at", "principals": "revoked_at"}


def upgrade() -> None:
    _admit_private_sizes()
    _sign_stored_texts()
    _guard_receipt_keys()
    _guard_decisions()
    _list_by_kind()
    _list_terms()


def _sign_stored_texts() -> None:
    """Add the signatures of jobs and outcomes. Jobs can be computed again, and so can certificates, which are jobs from
    this version on. An earlier version may still use their tables.
    """
    op.execute("DELETE FROM jobs")
    for table in _SIGNED:
        op.add_column(table, sa.Column("signature", sa.Text()))
    op.add_column("jobs", sa.Column("used_at", sa.BigInteger()))
    changed = "COALESCE(NEW.signature, '') <> COALESCE(OLD.signature, '')"
    resigned = f"OLD.state NOT IN ('paid', 'drawn') AND {changed}"
    # A row with a signature, even an empty one, was paid under this version. An earlier version, which may still run
    # beside it, signs nothing, and must not store its outcome.
    unsigned = (
        "OLD.signature IS NOT NULL AND NEW.state IN ('drawn', 'complete') AND NEW.state <> OLD.state AND "
        f"NOT ({changed})"
    )
    forbid("releases", "UPDATE", "releases_signed", f"({resigned}) OR ({unsigned})", "an outcome is signed once")


def _admit_private_sizes() -> None:
    """Admit data sets whose number of records is private, and one neighbour relation per budget."""
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_datasets()
    else:
        op.alter_column("datasets", "record_count", nullable=True)
        op.drop_constraint("ck_datasets_sizes", "datasets")
        op.create_check_constraint(op.f("ck_datasets_sizes"), "datasets", _SIZES)
    other = "SELECT 1 FROM datasets WHERE budget_id = NEW.budget_id AND relation <> NEW.relation"
    forbid_insert_beside("datasets", "datasets_of_one_relation", other, "a budget has one neighbour relation")


def _rebuild_datasets() -> None:
    """Recreate the table, since SQLite can't change a column or constraint. Rows of other tables refer to its rows
    again once these are inserted again; the deferred foreign keys are checked at the end of the transaction.
    """
    indexes = list(
        op.get_bind().exec_driver_sql("SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'datasets'")
    )
    (created,) = op.get_bind().exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'datasets'").scalars()
    created = created.replace("category_count >= 2 AND record_count >= 1", _SIZES)
    created = created.replace("record_count BIGINT NOT NULL", "record_count BIGINT")
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute("CREATE TABLE kept_datasets AS SELECT * FROM datasets")
    op.execute("DROP TABLE datasets")
    op.execute(created)
    op.execute("INSERT INTO datasets SELECT * FROM kept_datasets")
    op.execute("DROP TABLE kept_datasets")
    for (index,) in indexes:
        if index is not None:  # SQLite makes the index of the primary key itself
            op.execute(index)
    count_datasets()


def _guard_receipt_keys() -> None:
    """Add no receipt key: the settings have them. Those that 0.1.0 recorded stay, and must be in the settings."""
    stays = "OLD.kind = 'receipts'"
    forbid("key_checks", "INSERT", "key_checks_of_counts", "NEW.kind = 'receipts'", "receipt keys are in the settings")
    forbid("key_checks", "UPDATE", "key_checks_unchanged", f"{stays} OR NEW.kind = 'receipts'", "key checks stay")
    forbid("key_checks", "DELETE", "key_checks_kept", stays, "key checks stay")


def _guard_decisions() -> None:
    """Refuse changes of what never changes: holders, owners, roles and descriptions, the end of a key, principal, token
    or data set, and the mark and counts of a charged data set.
    """
    for table, columns in _UNCHANGED.items():
        changed = " OR ".join(_differs(column) for column in columns)
        forbid(table, "UPDATE", f"{table}_never_change", changed, f"a column of {table} never changes")
    for table, column in _ENDS.items():
        undone = f"OLD.{column} IS NOT NULL AND ({_differs(column)})"
        forbid(table, "UPDATE", f"{table}_stay_ended", undone, "an end is never undone")
    renamed = " OR ".join(_differs(column) for column in ("labels", "attributes", "category_count"))
    replaced = f"OLD.charged = 1 AND (NEW.commitment <> OLD.commitment OR {_differs('record_count')})"
    fell = f"NEW.charged < OLD.charged OR ({replaced})"
    alone = f"NEW.commitment = OLD.commitment AND ({renamed})"
    forbid("datasets", "UPDATE", "datasets_renamed_with_counts", alone, "a value never changes without its counts")
    forbid("datasets", "UPDATE", "datasets_stay_charged", fell, "a charged data set stays as it is")
    forbid("datasets", "DELETE", "datasets_kept", "TRUE", "data sets are never deleted")
    forbid("api_keys", "DELETE", "api_keys_kept", "TRUE", "keys are never deleted")
    forbid("installation", "UPDATE", "installation_restored", "NEW.restores < OLD.restores", "a restore stays counted")
    forbid("installation", "DELETE", "installation_kept", "TRUE", "the installation stays")


def _differs(column: str) -> str:
    """Return the condition that a column changes, which may be from or to null."""
    return f"NEW.{column} <> OLD.{column} OR (NEW.{column} IS NULL) <> (OLD.{column} IS NULL)"


def _list_by_kind() -> None:
    """Index releases by kind too, so that a list of query answers does not read all other releases of its caller."""
    for who in ("owner", "principal"):
        columns = [f"{who}_id", "kind", "created_at", "budget_id", "sequence"]
        op.create_index(f"ix_releases_{who}_kind_created", "releases", columns)
        op.drop_index(f"ix_releases_{who}_created", "releases")


def _list_terms() -> None:
    """Index the entries on which a debit relies by the budget or grant that they decide about."""
    terms = sa.text(
        "kind IN ('budget_changed', 'budget_frozen', 'budget_opened', 'budget_unfrozen', 'grant_changed', "
        "'grant_closed', 'grant_opened', 'grant_reopened', 'policy_changed')"
    )
    columns = ["subject_id", "sequence"]
    op.create_index("ix_entries_terms", "entries", columns, sqlite_where=terms, postgresql_where=terms)
