"""Makes the triggers that keep the ledger honest on SQLite and PostgreSQL: entries never change, spends never fall,
results are written once.

A batch ALTER on SQLite recreates a table and drops its triggers: a migration that alters one of these tables calls its
guard again.
"""

from __future__ import annotations

from alembic import op

_PAID_COLUMNS = (
    "id",
    "dataset_id",
    "budget_id",
    "sequence",
    "principal_id",
    "key_hash",
    "payload_hash",
    "spec",
    "epsilon_charged",
    "delta_charged",
    "rho_charged",
    "receipt",
    "created_at",
)
_AMOUNTS = ("epsilon", "delta", "rho")
_SPEND_FELL = (
    "NEW.epsilon_spent < OLD.epsilon_spent OR NEW.delta_spent < OLD.delta_spent OR NEW.rho_spent < OLD.rho_spent"
)


def guard_all() -> None:
    """Guards every table of the first schema."""
    guard_entries()
    guard_budgets()
    guard_grants()
    guard_access_requests()
    guard_releases()
    guard_query_charges()
    guard_totals()
    guard_holdings()
    guard_public_texts()
    guard_principals()
    guard_enrolments()
    guard_principal_entries()


def guard_entries() -> None:
    """Entries can be added and nothing else."""
    forbid("entries", "UPDATE", "entries_unchanged", "TRUE", "ledger entries are append-only")
    forbid("entries", "DELETE", "entries_kept", "TRUE", "ledger entries are append-only")


def guard_budgets() -> None:
    """What is spent never falls, the sequence never goes back, and no budget is deleted."""
    fell = f"{_SPEND_FELL} OR NEW.sequence < OLD.sequence"
    forbid("budgets", "UPDATE", "budgets_spends_never_fall", fell, "a spend never falls")
    forbid("budgets", "DELETE", "budgets_kept", "TRUE", "budgets are never deleted")


def guard_grants() -> None:
    """A grant keeps what it spent, and is closed rather than deleted."""
    forbid("grants", "UPDATE", "grants_spends_never_fall", _SPEND_FELL, "a spend never falls")
    forbid("grants", "DELETE", "grants_kept", "TRUE", "grants are never deleted")


def guard_access_requests() -> None:
    """An access request is decided once, its amount and parties stay, its texts are written once and only erased."""
    redecided = "OLD.state <> 'open' AND NEW.state <> OLD.state"
    kept = ("id", "dataset_id", "principal_id", "owner_id", "created_at", *(f"{name}_requested" for name in _AMOUNTS))
    changed = " OR ".join(f"NEW.{column} <> OLD.{column}" for column in kept)
    rewritten = (
        "(NEW.purpose IS NOT NULL AND (OLD.purpose IS NULL OR NEW.purpose <> OLD.purpose))"
        " OR (NEW.reason IS NOT NULL AND OLD.state <> 'open' AND (OLD.reason IS NULL OR NEW.reason <> OLD.reason))"
    )
    forbid("access_requests", "UPDATE", "access_requests_decided_once", redecided, "a request is decided once")
    forbid("access_requests", "UPDATE", "access_requests_unchanged", changed, "a request stays as it was made")
    forbid("access_requests", "UPDATE", "access_requests_only_erased", rewritten, "a text is only erased")
    forbid("access_requests", "DELETE", "access_requests_kept", "TRUE", "requests are never deleted")


def guard_releases() -> None:
    """What was paid stays as it was paid, is drawn once and answered once, and is never deleted."""
    answered = (
        "OLD.state <> 'paid' AND NOT (OLD.state = 'drawn' AND NEW.state = 'complete')"
        " AND (NEW.state <> OLD.state OR COALESCE(NEW.result, '') <> COALESCE(OLD.result, ''))"
    )
    redrawn = "OLD.state <> 'paid' AND COALESCE(NEW.drawn, '') <> COALESCE(OLD.drawn, '')"
    settled = f"({answered}) OR ({redrawn})"
    repaid = " OR ".join(f"NEW.{column} <> OLD.{column}" for column in _PAID_COLUMNS)
    forbid("releases", "UPDATE", "releases_settled_once", settled, "a release is settled once")
    forbid("releases", "UPDATE", "releases_stay_as_paid", repaid, "what was paid stays as it was paid")
    forbid("releases", "DELETE", "releases_kept", "TRUE", "releases are never deleted")


def guard_query_charges() -> None:
    """What was measured and what it cost can be added and nothing else: prices of later rows hang on it."""
    forbid("query_charges", "UPDATE", "query_charges_unchanged", "TRUE", "what was measured stays")
    forbid("query_charges", "DELETE", "query_charges_kept", "TRUE", "what was measured stays")


def guard_totals() -> None:
    """Refuse a lower total of charges, and the deletion of a total."""
    fell = " OR ".join(f"NEW.{name} < OLD.{name}" for name in _AMOUNTS)
    for table in ("spending", "hourly_spending"):
        forbid(table, "UPDATE", f"{table}_never_falls", fell, "a spend never falls")
        forbid(table, "DELETE", f"{table}_kept", "TRUE", "a spend never falls")


def guard_holdings() -> None:
    """Refuse the deletion of the number of an owner's objects, which would begin at 0 again."""
    forbid("holdings", "DELETE", "holdings_kept", "TRUE", "what was counted stays")


def guard_public_texts() -> None:
    """Refuse to change or delete a public text: people have read it, and its signature covers it."""
    forbid("public_texts", "UPDATE", "public_texts_unchanged", "TRUE", "a public text stays")
    forbid("public_texts", "DELETE", "public_texts_kept", "TRUE", "a public text stays")


def guard_principals() -> None:
    """A principal's chain never goes back, and no principal is deleted."""
    forbid(
        "principals",
        "UPDATE",
        "principals_chain_never_goes_back",
        "NEW.sequence < OLD.sequence",
        "a chain never goes back",
    )
    forbid("principals", "DELETE", "principals_kept", "TRUE", "principals are never deleted")


def guard_enrolments() -> None:
    """A token or a code is exchanged once, and stays to say when."""
    again = "OLD.used_at IS NOT NULL AND COALESCE(NEW.used_at, 0) <> OLD.used_at"
    forbid("enrolments", "UPDATE", "enrolments_used_once", again, "a token is used once")
    forbid("enrolments", "DELETE", "enrolments_kept", "TRUE", "enrolments are never deleted")


def guard_principal_entries() -> None:
    """Entries of a principal's chain can be added and nothing else."""
    forbid(
        "principal_entries", "UPDATE", "principal_entries_unchanged", "TRUE", "entries of a principal are append-only"
    )
    forbid("principal_entries", "DELETE", "principal_entries_kept", "TRUE", "entries of a principal are append-only")


def forbid(table: str, operation: str, name: str, condition: str, message: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {operation} ON {table} FOR EACH ROW WHEN {condition} BEGIN SELECT "
            f"RAISE(ABORT, '{message}'); END"
        )
        return
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '{message}'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {name} BEFORE {operation} ON {table} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {name}()"
    )


def forbid_insert_beside(table: str, name: str, other: str, message: str) -> None:
    """Refuses a new row if the query `other`, which may name columns of NEW, finds a row."""
    _forbid_beside(table, "INSERT", name, other, message)


def forbid_update_beside(table: str, name: str, other: str, message: str) -> None:
    """Refuses a change if the query `other`, which may name columns of NEW and OLD, finds a row."""
    _forbid_beside(table, "UPDATE", name, other, message)


def _forbid_beside(table: str, operation: str, name: str, other: str, message: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        forbid(table, operation, name, f"EXISTS ({other})", message)
        return
    # PostgreSQL admits no query in the condition of a trigger.
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF EXISTS ({other}) THEN RAISE "
        f"EXCEPTION '{message}'; END IF; RETURN NEW; END $$"
    )
    op.execute(f"CREATE TRIGGER {name} BEFORE {operation} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")
