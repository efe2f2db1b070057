"""Shared histories are found by an index: a statement read every entry of its budget for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    where = sa.text("kind = 'history_shared'")
    op.create_index(
        "ix_entries_shared_histories", "entries", ["subject_id"], sqlite_where=where, postgresql_where=where
    )
