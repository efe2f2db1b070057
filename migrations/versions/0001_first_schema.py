"""The first schema. Until the tag 0.1.0 it is edited in place, and databases of development are made anew."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

from migrations import append_only
from migrations.running_totals import keep_holdings, keep_totals

revision = "r0001"
down_revision = None


def upgrade() -> None:
    _create_tables()
    _identify()
    keep_totals()
    keep_holdings()
    append_only.guard_all()


def _identify() -> None:
    """Gives the installation its one row."""
    installation = sa.table(
        "installation", sa.column("id"), sa.column("identity"), sa.column("created_at"), sa.column("restores")
    )
    seconds = sa.cast(sa.extract("epoch", sa.func.current_timestamp()), sa.BigInteger)
    op.get_bind().execute(
        sa.insert(installation).values(id=1, identity=secrets.token_hex(16), created_at=seconds, restores=0)
    )


def _create_tables() -> None:
    op.create_table(
        "certificates",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("certified", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger()),
        sa.Column("leased_by", sa.String(length=40)),
        sa.Column("used_at", sa.BigInteger()),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "(state = 'ready') = (certified IS NOT NULL)", name=op.f("ck_certificates_ready_is_certified")
        ),
        sa.CheckConstraint("state IN ('pending', 'ready', 'failed')", name=op.f("ck_certificates_state")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_certificates")),
        sa.UniqueConstraint("id", name=op.f("uq_certificates_id")),
    )
    op.create_table(
        "creations",
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("subject_id", sa.String(length=40), nullable=False),
        sa.Column("sealed_secret", sa.LargeBinary()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_creations")),
    )
    op.create_index(
        "ix_creations_sealed",
        "creations",
        ["created_at"],
        sqlite_where=sa.text("sealed_secret IS NOT NULL"),
        postgresql_where=sa.text("sealed_secret IS NOT NULL"),
    )
    op.create_index("ix_creations_subject_id", "creations", ["subject_id"])
    op.create_table(
        "holdings",
        sa.Column("owner_id", sa.String(length=40), nullable=False),
        sa.Column("budgets", sa.BigInteger(), nullable=False),
        sa.Column("datasets", sa.BigInteger(), nullable=False),
        sa.Column("grants", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("budgets >= 0 AND datasets >= 0 AND grants >= 0", name=op.f("ck_holdings_counted")),
        sa.PrimaryKeyConstraint("owner_id", name=op.f("pk_holdings")),
    )
    op.create_table(
        "hourly_spending",
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("hour", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("releases", sa.BigInteger(), nullable=False),
        sa.Column("epsilon", sa.BigInteger(), nullable=False),
        sa.Column("delta", sa.BigInteger(), nullable=False),
        sa.Column("rho", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("budget_id", "hour", name=op.f("pk_hourly_spending")),
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("identity", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("restore_pending_since", sa.BigInteger()),
        sa.Column("restores", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_installation_single_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.create_table(
        "key_checks",
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("key_id", sa.String(length=64), nullable=False),
        sa.Column("check_value", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger()),
        sa.CheckConstraint("kind IN ('counts', 'receipts')", name=op.f("ck_key_checks_kind")),
        sa.PrimaryKeyConstraint("kind", "key_id", name=op.f("pk_key_checks")),
    )
    op.create_table(
        "principals",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.Column("frozen_until", sa.BigInteger()),
        sa.Column("recovery_id", sa.String(length=40)),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("head_hash", sa.String(length=64)),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("role IN ('admin', 'owner', 'analyst')", name=op.f("ck_principals_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_principals")),
    )
    op.create_index("ix_principals_created", "principals", ["created_nanoseconds", "id"])
    op.create_table(
        "spending",
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("releases", sa.BigInteger(), nullable=False),
        sa.Column("epsilon", sa.BigInteger(), nullable=False),
        sa.Column("delta", sa.BigInteger(), nullable=False),
        sa.Column("rho", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("budget_id", "dataset_id", "principal_id", "kind", name=op.f("pk_spending")),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("prefix", sa.String(length=16), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("issued_by", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger()),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.Column("last_used_at", sa.BigInteger()),
        sa.Column("parent_id", sa.String(length=40)),
        sa.Column("enrolment_id", sa.String(length=40)),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind IN ('key', 'session')", name=op.f("ck_api_keys_kind")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_api_keys_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_api_keys_secret_hash")),
    )
    op.create_index("ix_api_keys_principal_id", "api_keys", ["principal_id"])
    op.create_table(
        "budgets",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("owner_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("accountant", sa.String(length=10), nullable=False),
        sa.Column("guaranteed_epsilon", sa.BigInteger(), nullable=False),
        sa.Column("guaranteed_delta", sa.BigInteger(), nullable=False),
        sa.Column("delta_conversion", sa.BigInteger(), nullable=False),
        sa.Column("epsilon_limit", sa.BigInteger(), nullable=False),
        sa.Column("delta_limit", sa.BigInteger(), nullable=False),
        sa.Column("rho_limit", sa.BigInteger(), nullable=False),
        sa.Column("epsilon_spent", sa.BigInteger(), nullable=False),
        sa.Column("delta_spent", sa.BigInteger(), nullable=False),
        sa.Column("rho_spent", sa.BigInteger(), nullable=False),
        sa.Column("epsilon_release_cap", sa.BigInteger()),
        sa.Column("delta_release_cap", sa.BigInteger()),
        sa.Column("rho_release_cap", sa.BigInteger()),
        sa.Column("allowed_mechanisms", sa.Text()),
        sa.Column("frozen_at", sa.BigInteger()),
        sa.Column("low_budget_percent", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("head_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.Column("stored_bytes", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("accountant IN ('basic', 'zcdp')", name=op.f("ck_budgets_accountant")),
        sa.CheckConstraint(
            "delta_spent >= 0 AND delta_spent <= delta_limit", name=op.f("ck_budgets_delta_within_limit")
        ),
        sa.CheckConstraint(
            "epsilon_spent >= 0 AND epsilon_spent <= epsilon_limit", name=op.f("ck_budgets_epsilon_within_limit")
        ),
        sa.CheckConstraint("low_budget_percent BETWEEN 0 AND 100", name=op.f("ck_budgets_low_budget_percent")),
        sa.CheckConstraint("rho_spent >= 0 AND rho_spent <= rho_limit", name=op.f("ck_budgets_rho_within_limit")),
        sa.CheckConstraint("sequence >= 0", name=op.f("ck_budgets_sequence")),
        sa.ForeignKeyConstraint(["owner_id"], ["principals.id"], name=op.f("fk_budgets_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_budgets")),
        sa.UniqueConstraint("owner_id", "name", name=op.f("uq_budgets_owner_id")),
    )
    op.create_index("ix_budgets_owner_created", "budgets", ["owner_id", "created_nanoseconds", "id"])
    op.create_table(
        "certificate_requests",
        sa.Column("certificate_key", sa.String(length=64), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["certificate_key"], ["certificates.key"], name=op.f("fk_certificate_requests_certificate_key")
        ),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_certificate_requests_principal_id")),
        sa.PrimaryKeyConstraint("certificate_key", "principal_id", name=op.f("pk_certificate_requests")),
    )
    op.create_index("ix_certificate_requests_id", "certificate_requests", ["id"], unique=True)
    op.create_table(
        "enrolments",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("issued_by", sa.String(length=40), nullable=False),
        sa.Column("made_by", sa.String(length=40)),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger()),
        sa.Column("used_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.CheckConstraint("kind IN ('token', 'recovery_code')", name=op.f("ck_enrolments_kind")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_enrolments_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrolments")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_enrolments_secret_hash")),
    )
    op.create_index("ix_enrolments_principal_id", "enrolments", ["principal_id"])
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("result", sa.Text()),
        sa.Column("problem", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.Column("leased_until", sa.BigInteger()),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(state = 'ready') = (result IS NOT NULL)", name=op.f("ck_jobs_ready_has_result")),
        sa.CheckConstraint("state IN ('pending', 'ready', 'failed')", name=op.f("ck_jobs_state")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_jobs_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("principal_id", "key", name=op.f("uq_jobs_principal_id")),
    )
    op.create_table(
        "principal_entries",
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("actor_id", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_principal_entries_principal_id")),
        sa.PrimaryKeyConstraint("principal_id", "sequence", name=op.f("pk_principal_entries")),
    )
    op.create_table(
        "principal_names",
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_principal_names_principal_id")),
        sa.PrimaryKeyConstraint("principal_id", name=op.f("pk_principal_names")),
    )
    op.create_table(
        "datasets",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("owner_id", sa.String(length=40), nullable=False),
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("attributes", sa.Text()),
        sa.Column("category_count", sa.BigInteger(), nullable=False),
        sa.Column("record_count", sa.BigInteger(), nullable=False),
        sa.Column("unit", sa.String(length=500), nullable=False),
        sa.Column("one_record_per_unit", sa.BigInteger(), nullable=False),
        sa.Column("records_per_unit", sa.BigInteger(), nullable=False),
        sa.Column("n_is_public", sa.BigInteger(), nullable=False),
        sa.Column("relation", sa.String(length=20), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger()),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.Column("history_shared", sa.BigInteger(), nullable=False),
        sa.Column("listed", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("relation IN ('replace_one', 'add_remove')", name=op.f("ck_datasets_relation")),
        sa.CheckConstraint("category_count >= 2 AND record_count >= 1", name=op.f("ck_datasets_sizes")),
        sa.ForeignKeyConstraint(["budget_id"], ["budgets.id"], name=op.f("fk_datasets_budget_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["principals.id"], name=op.f("fk_datasets_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_datasets")),
    )
    op.create_index("ix_datasets_budget_id", "datasets", ["budget_id"])
    op.create_index(
        "ix_datasets_listed",
        "datasets",
        ["created_nanoseconds", "id"],
        sqlite_where=sa.text("listed = 1 AND deleted_at IS NULL"),
        postgresql_where=sa.text("listed = 1 AND deleted_at IS NULL"),
    )
    op.create_index(
        "ix_datasets_owner_created",
        "datasets",
        ["owner_id", "created_nanoseconds", "id"],
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_index(
        "uq_datasets_live_name",
        "datasets",
        ["owner_id", "name"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "entries",
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("epsilon", sa.BigInteger(), nullable=False),
        sa.Column("delta", sa.BigInteger(), nullable=False),
        sa.Column("rho", sa.BigInteger(), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("epsilon >= 0 AND delta >= 0 AND rho >= 0", name=op.f("ck_entries_no_refunds")),
        sa.ForeignKeyConstraint(["budget_id"], ["budgets.id"], name=op.f("fk_entries_budget_id")),
        sa.PrimaryKeyConstraint("budget_id", "sequence", name=op.f("pk_entries")),
    )
    op.create_index(
        "ix_entries_counts",
        "entries",
        ["subject_id", "sequence"],
        sqlite_where=sa.text("kind IN ('dataset_registered', 'dataset_replaced')"),
        postgresql_where=sa.text("kind IN ('dataset_registered', 'dataset_replaced')"),
    )
    op.create_index(
        "ix_entries_decisions",
        "entries",
        ["budget_id", "sequence"],
        sqlite_where=sa.text(
            "kind IN ('budget_changed', 'budget_frozen', 'budget_opened', 'budget_unfrozen', 'dataset_deleted', "
            "'dataset_listed', 'dataset_registered', 'dataset_replaced', 'dataset_unlisted', 'history_shared', "
            "'history_unshared')"
        ),
        postgresql_where=sa.text(
            "kind IN ('budget_changed', 'budget_frozen', 'budget_opened', 'budget_unfrozen', 'dataset_deleted', "
            "'dataset_listed', 'dataset_registered', 'dataset_replaced', 'dataset_unlisted', 'history_shared', "
            "'history_unshared')"
        ),
    )
    op.create_index(
        "ix_entries_restores",
        "entries",
        ["budget_id", "sequence"],
        sqlite_where=sa.text("kind IN ('receipt_reconciled', 'restore_ended', 'restore_noticed', 'written_off')"),
        postgresql_where=sa.text("kind IN ('receipt_reconciled', 'restore_ended', 'restore_noticed', 'written_off')"),
    )
    op.create_index(
        "ix_entries_shared_histories",
        "entries",
        ["subject_id"],
        sqlite_where=sa.text("kind = 'history_shared'"),
        postgresql_where=sa.text("kind = 'history_shared'"),
    )
    op.create_index(
        "uq_entries_booked_once",
        "entries",
        ["subject_id"],
        unique=True,
        sqlite_where=sa.text("kind IN ('receipt_reconciled', 'written_off')"),
        postgresql_where=sa.text("kind IN ('receipt_reconciled', 'written_off')"),
    )
    op.create_table(
        "grants",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("epsilon_cap", sa.BigInteger(), nullable=False),
        sa.Column("delta_cap", sa.BigInteger(), nullable=False),
        sa.Column("rho_cap", sa.BigInteger(), nullable=False),
        sa.Column("epsilon_spent", sa.BigInteger(), nullable=False),
        sa.Column("delta_spent", sa.BigInteger(), nullable=False),
        sa.Column("rho_spent", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger()),
        sa.Column("closed_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.Column("stored_bytes", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", sa.String(length=40), nullable=False),
        sa.Column("dataset_nanoseconds", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("delta_spent >= 0 AND delta_spent <= delta_cap", name=op.f("ck_grants_delta_within_cap")),
        sa.CheckConstraint(
            "epsilon_spent >= 0 AND epsilon_spent <= epsilon_cap", name=op.f("ck_grants_epsilon_within_cap")
        ),
        sa.CheckConstraint("rho_spent >= 0 AND rho_spent <= rho_cap", name=op.f("ck_grants_rho_within_cap")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_grants_dataset_id")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_grants_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grants")),
        sa.UniqueConstraint("dataset_id", "principal_id", name=op.f("uq_grants_dataset_id")),
    )
    op.create_index("ix_grants_dataset_created", "grants", ["dataset_id", "created_nanoseconds", "id"])
    op.create_index("ix_grants_owner_created", "grants", ["owner_id", "created_nanoseconds", "id"])
    op.create_index("ix_grants_principal_created", "grants", ["principal_id", "created_nanoseconds", "id"])
    op.create_index("ix_grants_principal_dataset", "grants", ["principal_id", "dataset_nanoseconds", "dataset_id"])
    op.create_table(
        "access_requests",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("owner_id", sa.String(length=40), nullable=False),
        sa.Column("epsilon_requested", sa.BigInteger(), nullable=False),
        sa.Column("delta_requested", sa.BigInteger(), nullable=False),
        sa.Column("rho_requested", sa.BigInteger(), nullable=False),
        sa.Column("purpose", sa.String(length=500)),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.String(length=500)),
        sa.Column("grant_id", sa.String(length=40)),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger()),
        sa.Column("created_nanoseconds", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "(state = 'approved') = (grant_id IS NOT NULL)", name=op.f("ck_access_requests_approved_has_grant")
        ),
        sa.CheckConstraint("(state = 'open') = (decided_at IS NULL)", name=op.f("ck_access_requests_decided_has_time")),
        sa.CheckConstraint(
            "state IN ('open', 'approved', 'declined', 'withdrawn')", name=op.f("ck_access_requests_state")
        ),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_access_requests_dataset_id")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_access_requests_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_requests")),
    )
    for who in ("dataset", "owner", "principal"):
        columns = [f"{who}_id", "created_nanoseconds", "id"]
        op.create_index(f"ix_access_requests_{who}_created", "access_requests", columns)
    op.create_index(
        "uq_access_requests_open",
        "access_requests",
        ["dataset_id", "principal_id"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "releases",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("payload_hash", sa.String(length=64), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("epsilon_charged", sa.BigInteger(), nullable=False),
        sa.Column("delta_charged", sa.BigInteger(), nullable=False),
        sa.Column("rho_charged", sa.BigInteger(), nullable=False),
        sa.Column("epsilon_remaining", sa.BigInteger(), nullable=False),
        sa.Column("delta_remaining", sa.BigInteger(), nullable=False),
        sa.Column("rho_remaining", sa.BigInteger(), nullable=False),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=False),
        sa.Column("drawn", sa.Text()),
        sa.Column("result", sa.Text()),
        sa.Column("public_since", sa.BigInteger()),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("owner_id", sa.String(length=40), nullable=False),
        sa.CheckConstraint("(state = 'complete') = (result IS NOT NULL)", name=op.f("ck_releases_complete_has_result")),
        sa.CheckConstraint(
            "(state IN ('drawn', 'complete')) = (drawn IS NOT NULL)", name=op.f("ck_releases_drawn_has_values")
        ),
        sa.CheckConstraint("state IN ('paid', 'drawn', 'complete', 'failed', 'lost')", name=op.f("ck_releases_state")),
        sa.ForeignKeyConstraint(["budget_id"], ["budgets.id"], name=op.f("fk_releases_budget_id")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_releases_dataset_id")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_releases_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_releases")),
        sa.UniqueConstraint("budget_id", "sequence", name=op.f("uq_releases_budget_id")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_releases_key_hash")),
    )
    op.create_index("ix_releases_dataset_principal", "releases", ["dataset_id", "principal_id", "sequence"])
    op.create_index("ix_releases_dataset_sequence", "releases", ["dataset_id", "sequence"])
    op.create_index("ix_releases_owner_created", "releases", ["owner_id", "created_at", "budget_id", "sequence"])
    op.create_index(
        "ix_releases_principal_created", "releases", ["principal_id", "created_at", "budget_id", "sequence"]
    )
    op.create_index(
        "ix_releases_public",
        "releases",
        ["dataset_id", "sequence"],
        sqlite_where=sa.text("public_since IS NOT NULL"),
        postgresql_where=sa.text("public_since IS NOT NULL"),
    )
    op.create_index(
        "ix_releases_queries_payload",
        "releases",
        ["payload_hash", "principal_id", "sequence"],
        sqlite_where=sa.text("kind = 'query'"),
        postgresql_where=sa.text("kind = 'query'"),
    )
    op.create_index(
        "ix_releases_unfinished",
        "releases",
        ["id"],
        sqlite_where=sa.text("state IN ('paid', 'drawn')"),
        postgresql_where=sa.text("state IN ('paid', 'drawn')"),
    )
    op.create_table(
        "encrypted_counts",
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("key_id", sa.String(length=40), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_encrypted_counts_dataset_id")),
        sa.PrimaryKeyConstraint("dataset_id", name=op.f("pk_encrypted_counts")),
    )
    op.create_index("ix_encrypted_counts_key_id", "encrypted_counts", ["key_id"])
    op.create_table(
        "public_texts",
        sa.Column("release_id", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["releases.id"], name=op.f("fk_public_texts_release_id")),
        sa.PrimaryKeyConstraint("release_id", name=op.f("pk_public_texts")),
    )
    op.create_table(
        "query_charges",
        sa.Column("release_id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("grant_id", sa.String(length=40)),
        sa.Column("measured", sa.Text(), nullable=False),
        sa.Column("apart", sa.Text(), nullable=False),
        sa.Column("epsilon_alone", sa.BigInteger(), nullable=False),
        sa.Column("delta_alone", sa.BigInteger(), nullable=False),
        sa.Column("rho_alone", sa.BigInteger(), nullable=False),
        sa.Column("epsilon_granted", sa.BigInteger(), nullable=False),
        sa.Column("delta_granted", sa.BigInteger(), nullable=False),
        sa.Column("rho_granted", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "epsilon_alone >= 0 AND delta_alone >= 0 AND rho_alone >= 0", name=op.f("ck_query_charges_alone")
        ),
        sa.CheckConstraint(
            "epsilon_granted >= 0 AND delta_granted >= 0 AND rho_granted >= 0", name=op.f("ck_query_charges_granted")
        ),
        sa.ForeignKeyConstraint(["budget_id"], ["budgets.id"], name=op.f("fk_query_charges_budget_id")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_query_charges_dataset_id")),
        sa.ForeignKeyConstraint(["release_id"], ["releases.id"], name=op.f("fk_query_charges_release_id")),
        sa.PrimaryKeyConstraint("release_id", name=op.f("pk_query_charges")),
        sa.UniqueConstraint("dataset_id", "sequence", name=op.f("uq_query_charges_dataset_id")),
    )
    op.create_index(
        "ix_query_charges_free",
        "query_charges",
        ["grant_id", "budget_id"],
        sqlite_where=sa.text("epsilon_granted = 0 AND rho_granted = 0"),
        postgresql_where=sa.text("epsilon_granted = 0 AND rho_granted = 0"),
    )
