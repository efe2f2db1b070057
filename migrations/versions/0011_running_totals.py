"""Running totals of what was released, and indexes in the order of every list: reads that take as long whatever
happened before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import guard_totals
from migrations.running_totals import SECONDS_PER_HOUR, SPENDING, is_release, keep_places, keep_totals

revision = "0011"
down_revision = "0010"

_PLACE = "created_nanoseconds"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        # Every debit begins here. None must come in between what is added up and the triggers that go on with it.
        op.execute("LOCK TABLE budgets IN ACCESS EXCLUSIVE MODE")
    _make_totals()
    op.add_column("releases", sa.Column("owner_id", sa.String(length=40)))
    op.add_column("grants", sa.Column("owner_id", sa.String(length=40)))
    op.add_column("grants", sa.Column("dataset_nanoseconds", sa.BigInteger()))
    keep_totals()
    keep_places()
    _fill()
    guard_totals()
    op.drop_index("ix_releases_principal_created", "releases")
    op.drop_index("ix_grants_principal_id", "grants")
    for table, name, columns, condition in (
        ("releases", "principal_created", ["principal_id", "created_at", "budget_id", "sequence"], None),
        ("releases", "owner_created", ["owner_id", "created_at", "budget_id", "sequence"], None),
        ("releases", "dataset_principal", ["dataset_id", "principal_id", "sequence"], None),
        ("releases", "public", ["dataset_id", "sequence"], "public_since IS NOT NULL"),
        ("principals", "created", [_PLACE, "id"], None),
        ("budgets", "owner_created", ["owner_id", _PLACE, "id"], None),
        ("datasets", "owner_created", ["owner_id", _PLACE, "id"], "deleted_at IS NULL"),
        ("grants", "owner_created", ["owner_id", _PLACE, "id"], None),
        ("grants", "dataset_created", ["dataset_id", _PLACE, "id"], None),
        ("grants", "principal_created", ["principal_id", _PLACE, "id"], None),
        ("grants", "principal_dataset", ["principal_id", "dataset_nanoseconds", "dataset_id"], None),
    ):
        where = None if condition is None else sa.text(condition)
        op.create_index(f"ix_{table}_{name}", table, columns, sqlite_where=where, postgresql_where=where)


def _make_totals() -> None:
    op.create_table(
        "spending",
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("principal_id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        *_sums(),
        sa.PrimaryKeyConstraint("budget_id", "dataset_id", "principal_id", "kind", name=op.f("pk_spending")),
    )
    op.create_table(
        "hourly_spending",
        sa.Column("budget_id", sa.String(length=40), nullable=False),
        sa.Column("hour", sa.BigInteger(), nullable=False),
        *_sums(),
        sa.PrimaryKeyConstraint("budget_id", "hour", name=op.f("pk_hourly_spending")),
    )


def _sums() -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=False) for name in ("releases", "epsilon", "delta", "rho")]


def _fill() -> None:
    """What the triggers would have made of the rows that there are."""
    op.execute(
        "INSERT INTO hourly_spending (budget_id, hour, releases, epsilon, delta, rho) "
        f"SELECT budget_id, created_at / {SECONDS_PER_HOUR}, SUM({is_release()}), SUM(epsilon), SUM(delta), SUM(rho) "
        f"FROM entries WHERE kind IN ({SPENDING}) GROUP BY 1, 2"
    )
    op.execute(
        "INSERT INTO spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) "
        "SELECT releases.budget_id, releases.dataset_id, principal_id, kind, "
        "SUM(CASE WHEN kind = 'query' AND measured = '[]' THEN 0 ELSE 1 END), "
        "SUM(epsilon_charged), SUM(delta_charged), SUM(rho_charged) "
        "FROM releases LEFT JOIN query_charges ON query_charges.release_id = releases.id GROUP BY 1, 2, 3, 4"
    )
    for table in ("principals", "api_keys", "budgets", "datasets", "grants"):
        op.execute(f"UPDATE {table} SET {_PLACE} = created_at * 1000000000 WHERE {_PLACE} IS NULL")
    op.execute(
        "UPDATE grants SET owner_id = (SELECT owner_id FROM datasets WHERE id = dataset_id), "
        f"dataset_nanoseconds = (SELECT {_PLACE} FROM datasets WHERE id = dataset_id)"
    )
    op.execute("UPDATE releases SET owner_id = (SELECT owner_id FROM datasets WHERE id = dataset_id)")
