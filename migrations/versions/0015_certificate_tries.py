"""How often a certificate was begun, so that one that never fits is given up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("certificates", sa.Column("tries", sa.Integer()))
