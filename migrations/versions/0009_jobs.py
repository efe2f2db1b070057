"""Jobs: free computations that are fetched later. Certificates: an id of its own for each who asked, and when each was
used last.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("estimated_seconds", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text()),
        sa.Column("problem", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.Column("leased_until", sa.BigInteger()),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_nanoseconds", sa.BigInteger()),
        sa.CheckConstraint("state IN ('pending', 'ready', 'failed')", name=op.f("ck_jobs_state")),
        sa.CheckConstraint("(state = 'ready') = (result IS NOT NULL)", name=op.f("ck_jobs_ready_has_result")),
        sa.ForeignKeyConstraint(["principal_id"], ["principals.id"], name=op.f("fk_jobs_principal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("principal_id", "key", name=op.f("uq_jobs_principal_id")),
    )
    op.add_column("certificates", sa.Column("used_at", sa.BigInteger()))
    op.add_column("certificate_requests", sa.Column("id", sa.String(length=40)))
    op.create_index(op.f("ix_certificate_requests_id"), "certificate_requests", ["id"], unique=True)
