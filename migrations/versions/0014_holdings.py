"""Running counts of what each owner has, so that quotas are decided in the same time however much that is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import guard_holdings
from migrations.running_totals import HOLDINGS, keep_holdings

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        # Whoever registers, deletes or grants reads or writes a budget first. None must come in between what is counted
        # and the triggers that go on with it, nor wait for this while it waits for them.
        op.execute("LOCK TABLE budgets IN ACCESS EXCLUSIVE MODE")
    op.create_table(
        "holdings",
        sa.Column("owner_id", sa.String(length=40), primary_key=True),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in HOLDINGS),
        sa.CheckConstraint(" AND ".join(f"{name} >= 0" for name in HOLDINGS), name=op.f("ck_holdings_counted")),
    )
    keep_holdings()
    live = {"datasets": " WHERE deleted_at IS NULL"}
    counted = " UNION ALL ".join(
        f"SELECT owner_id, {', '.join(f'{int(name == table)} AS {name}' for name in HOLDINGS)} "
        f"FROM {table}{live.get(table, '')}"
        for table in HOLDINGS
    )
    op.execute(
        f"INSERT INTO holdings (owner_id, {', '.join(HOLDINGS)}) "
        f"SELECT owner_id, {', '.join(f'SUM({name})' for name in HOLDINGS)} FROM ({counted}) AS each GROUP BY owner_id"
    )
    guard_holdings()
