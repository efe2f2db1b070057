"""Creations that a caller can repeat: which request made what, and, for a day, the secret of its answer, sealed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "creations",
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("subject_id", sa.String(length=40), nullable=False),
        sa.Column("sealed_secret", sa.LargeBinary()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_creations")),
    )
    op.create_index("ix_creations_subject_id", "creations", ["subject_id"])
    op.create_index(
        "ix_creations_sealed",
        "creations",
        ["created_at"],
        sqlite_where=sa.text("sealed_secret IS NOT NULL"),
        postgresql_where=sa.text("sealed_secret IS NOT NULL"),
    )
