"""Entries that a restore lost are indexed as those about restores are. A budget of an owner who has left can be
transferred to another owner. Releases have a hash of their noise, by which a payer finds them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import forbid, forbid_update_beside
from migrations.running_totals import count_transferred

revision = "r0003"
down_revision = "r0002"

_UNCHANGED = {
    "access_requests": (
        *("id", "dataset_id", "principal_id", "created_at"),
        *("epsilon_requested", "delta_requested", "rho_requested"),
    ),
    "budgets": ("id", "accountant", "delta_conversion", "created_at", "created_nanoseconds"),
    "datasets": (
        *("id", "budget_id", "unit", "one_record_per_unit", "records_per_unit", "n_is_public", "relation"),
        *("created_at", "created_nanoseconds"),
    ),
    "grants": ("id", "dataset_id", "principal_id", "created_at", "created_nanoseconds", "dataset_nanoseconds"),
}
"""Columns that are written once, with their row. An owner may change, as `_OWNERS` says."""
_GUARDS = {"access_requests": "access_requests_unchanged"}
"""Names of the triggers that keep these columns, unless it is the table's name with `_never_change`."""
_OWNERS = {
    # A budget changes its owner only after the owner's access has ended. The others follow it.
    "budgets": "SELECT 1 FROM principals WHERE id = OLD.owner_id AND revoked_at IS NULL",
    "datasets": "SELECT 1 FROM budgets WHERE id = NEW.budget_id AND owner_id <> NEW.owner_id",
    "grants": "SELECT 1 FROM datasets WHERE id = NEW.dataset_id AND owner_id <> NEW.owner_id",
    "access_requests": "SELECT 1 FROM datasets WHERE id = NEW.dataset_id AND owner_id <> NEW.owner_id",
}
"""By table, a query that finds a row if the owner may not change so."""


def upgrade() -> None:
    _index_restores()
    _let_owners_follow()
    _hash_noises()


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


def _let_owners_follow() -> None:
    """Let a budget, its data sets, grants and open requests change their owner together, after the owner's end."""
    op.add_column("datasets", sa.Column("registered_by", sa.String(length=40)))
    for table, columns in _UNCHANGED.items():
        name = _GUARDS.get(table, f"{table}_never_change")
        _drop_guard(table, name)
        changed = " OR ".join(_differs(column) for column in columns)
        forbid(table, "UPDATE", name, changed, f"a column of {table} never changes")
        other = f"{_OWNERS[table]} AND NEW.owner_id <> OLD.owner_id"
        forbid_update_beside(table, f"{table}_follow_owner", other, "an owner changes only by a transfer")
    first = "COALESCE(OLD.registered_by, OLD.owner_id)"
    kept = f"NEW.owner_id <> OLD.owner_id AND COALESCE(NEW.registered_by, '') <> {first}"
    moved = f"NEW.owner_id = OLD.owner_id AND ({_differs('registered_by')})"
    message = "the owner at registration stays"
    forbid("datasets", "UPDATE", "datasets_keep_registrant", f"({kept}) OR ({moved})", message)
    count_transferred()
    transferred = sa.text("kind = 'budget_transferred'")
    place = ["budget_id", "sequence"]
    op.create_index("ix_entries_transfers", "entries", place, sqlite_where=transferred, postgresql_where=transferred)


def _hash_noises() -> None:
    """Let releases have a hash of their noise, which is written once: with the release or, if an earlier version paid
    for it, when its payer asks for the same noise `once`. This migration reads no release: it locks them all.
    """
    op.add_column("releases", sa.Column("noise", sa.String(length=64)))
    op.create_index("ix_releases_noise", "releases", ["noise", "sequence"])
    without = sa.text("noise IS NULL")
    payer = ["dataset_id", "principal_id"]
    op.create_index("ix_releases_without_noise", "releases", payer, sqlite_where=without, postgresql_where=without)
    changed = "OLD.noise IS NOT NULL AND COALESCE(NEW.noise, '') <> OLD.noise"
    forbid("releases", "UPDATE", "releases_keep_noise", changed, "what was paid stays as it was paid")


def _drop_guard(table: str, name: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"DROP TRIGGER {name}")
        return
    op.execute(f"DROP TRIGGER {name} ON {table}")
    op.execute(f"DROP FUNCTION {name}()")


def _differs(column: str) -> str:
    """Return the condition that a column changes, which may be from or to null."""
    return f"NEW.{column} <> OLD.{column} OR (NEW.{column} IS NULL) <> (OLD.{column} IS NULL)"
