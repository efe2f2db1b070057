"""Shared histories: a data set says whether its history answers all of its grants."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("datasets", sa.Column("history_shared", sa.Integer(), nullable=False, server_default="0"))
