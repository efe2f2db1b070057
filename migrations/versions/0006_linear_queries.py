"""Linear queries: releases of their answers, what they measured and what that cost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import guard_query_charges

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("releases", sa.Column("kind", sa.String(length=10), nullable=False, server_default="posterior"))
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
        sa.ForeignKeyConstraint(["release_id"], ["releases.id"], name=op.f("fk_query_charges_release_id")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_query_charges_dataset_id")),
        sa.ForeignKeyConstraint(["budget_id"], ["budgets.id"], name=op.f("fk_query_charges_budget_id")),
        sa.PrimaryKeyConstraint("release_id", name=op.f("pk_query_charges")),
        sa.UniqueConstraint("dataset_id", "sequence", name=op.f("uq_query_charges_dataset_id")),
    )
    guard_query_charges()
