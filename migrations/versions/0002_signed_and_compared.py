"""What the service stores and later relies on is signed, or compared with what can't be changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.append_only import forbid

revision = "r0002"
down_revision = "r0001"

_SIGNED = ("certificates", "jobs", "releases")


def upgrade() -> None:
    _sign_stored_texts()
    _guard_receipt_keys()


def _sign_stored_texts() -> None:
    """Add the signatures of certificates, jobs and outcomes. Certificates and jobs can be computed again."""
    for table in ("certificate_requests", "certificates", "jobs"):
        op.execute(f"DELETE FROM {table}")
    for table in _SIGNED:
        op.add_column(table, sa.Column("signature", sa.Text()))
    changed = "COALESCE(NEW.signature, '') <> COALESCE(OLD.signature, '')"
    resigned = f"OLD.state NOT IN ('paid', 'drawn') AND {changed}"
    # A row with a signature, even an empty one, was paid under this version. An earlier version, which may still run
    # beside it, signs nothing, and must not store its outcome.
    unsigned = (
        "OLD.signature IS NOT NULL AND NEW.state IN ('drawn', 'complete') AND NEW.state <> OLD.state AND "
        f"NOT ({changed})"
    )
    forbid("releases", "UPDATE", "releases_signed", f"({resigned}) OR ({unsigned})", "an outcome is signed once")


def _guard_receipt_keys() -> None:
    """Add no receipt key: the settings have them. Those that 0.1.0 recorded stay, and must be in the settings."""
    stays = "OLD.kind = 'receipts'"
    forbid("key_checks", "INSERT", "key_checks_of_counts", "NEW.kind = 'receipts'", "receipt keys are in the settings")
    forbid("key_checks", "UPDATE", "key_checks_unchanged", f"{stays} OR NEW.kind = 'receipts'", "key checks stay")
    forbid("key_checks", "DELETE", "key_checks_kept", stays, "key checks stay")
