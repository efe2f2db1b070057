"""Attributes of cross tables: a data set's cells can be the combinations of their levels."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("datasets", sa.Column("attributes", sa.Text()))
