"""The answers that a caller was given to the same request before are found by an index: planning paid queries read all
of its releases from the data set for them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    where = sa.text("kind = 'query'")
    op.create_index(
        "ix_releases_queries_payload",
        "releases",
        ["payload_hash", "principal_id", "sequence"],
        sqlite_where=where,
        postgresql_where=where,
    )
