"""Units with several records: a data set says how many one unit has, at most."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("datasets", sa.Column("records_per_unit", sa.Integer(), nullable=False, server_default="1"))
