"""The answers that cost a caller nothing are counted by an index: whoever had few of them had all of their answers
read for it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    where = sa.text("epsilon_granted = 0 AND rho_granted = 0")
    op.create_index(
        "ix_query_charges_free",
        "query_charges",
        ["grant_id", "budget_id"],
        sqlite_where=where,
        postgresql_where=where,
    )
