"""Entries that a restore lost are indexed as those about restores are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0003"
down_revision = "r0002"


def upgrade() -> None:
    _index_restores()


def _index_restores() -> None:
    """Include entries of the kind `entry_reconciled`. An earlier version, which may still run beside this one, asks for
    fewer kinds; PostgreSQL uses the new indexes for its queries too.
    """
    of_restores = "'entry_reconciled', 'receipt_reconciled', 'restore_ended', 'restore_noticed', 'written_off'"
    booked_once = "'entry_reconciled', 'receipt_reconciled', 'written_off'"
    _replace("ix_entries_restores", ["budget_id", "sequence"], of_restores, unique=False)
    _replace("uq_entries_booked_once", ["subject_id"], booked_once, unique=True)


def _replace(name: str, columns: list[str], kinds: str, *, unique: bool) -> None:
    where = sa.text(f"kind IN ({kinds})")
    op.drop_index(name, "entries")
    op.create_index(name, "entries", columns, unique=unique, sqlite_where=where, postgresql_where=where)
