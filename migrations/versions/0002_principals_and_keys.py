"""Enrolment, recovery and key chains of principals; check values of the installation's keys; sealed counts bound to
their commitment.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import guard_enrolments, guard_principal_entries, guard_principals

revision = "0002"
down_revision = "0001"

_OF_COUNTS = "kind IN ('dataset_registered', 'dataset_replaced')"


def upgrade() -> None:
    op.add_column("principals", sa.Column("frozen_until", sa.BigInteger()))
    op.add_column("principals", sa.Column("recovery_id", sa.String(length=40)))
    op.add_column("principals", sa.Column("sequence", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("principals", sa.Column("head_hash", sa.String(length=64)))
    op.add_column("api_keys", sa.Column("parent_id", sa.String(length=40)))
    op.add_column("api_keys", sa.Column("enrolment_id", sa.String(length=40)))
    op.add_column("sealed_counts", sa.Column("format", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("installation", sa.Column("sealed_format", sa.Integer(), nullable=False, server_default="1"))
    # Where nothing is sealed yet, nothing of the old format has to be opened either, unless a process of the version
    # before goes on serving somebody, and seals in it.
    op.execute(
        "UPDATE installation SET sealed_format = 2 "
        "WHERE NOT EXISTS (SELECT 1 FROM sealed_counts) AND NOT EXISTS (SELECT 1 FROM api_keys)"
    )
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
    op.create_index(op.f("ix_enrolments_principal_id"), "enrolments", ["principal_id"])
    op.create_table(
        "principal_entries",
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.BigInteger(), autoincrement=False, nullable=False),
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
        "key_checks",
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("key_id", sa.String(length=64), nullable=False),
        sa.Column("check_value", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger()),
        sa.CheckConstraint("kind IN ('counts', 'receipts')", name=op.f("ck_key_checks_kind")),
        sa.PrimaryKeyConstraint("kind", "key_id", name=op.f("pk_key_checks")),
    )
    op.create_index(
        "ix_entries_counts",
        "entries",
        ["subject_id", "sequence"],
        sqlite_where=sa.text(_OF_COUNTS),
        postgresql_where=sa.text(_OF_COUNTS),
    )
    guard_principals()
    guard_enrolments()
    guard_principal_entries()
