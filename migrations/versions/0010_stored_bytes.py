"""How many bytes the releases of each budget, and of each grant, may take: what was reserved when they were paid."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for table in ("budgets", "grants"):
        op.add_column(table, sa.Column("stored_bytes", sa.BigInteger(), nullable=False, server_default="0"))
