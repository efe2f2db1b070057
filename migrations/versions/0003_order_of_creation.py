"""Lists in the order of creation: when each thing was made, finer than the second that is told, and an index for the
releases that somebody made.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for table in ("principals", "api_keys", "budgets", "datasets", "grants"):
        op.add_column(table, sa.Column("created_nanoseconds", sa.BigInteger()))
    op.create_index("ix_releases_principal_created", "releases", ["principal_id", "created_at"])
