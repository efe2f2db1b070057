"""Makes the triggers that keep running totals of what was released and of what owners have.

The database adds up, and not the service: on PostgreSQL the functions run with the rights of the tables' owner, so that
the service's role can read the totals and change none.
"""

from __future__ import annotations

from alembic import op

SECONDS_PER_HOUR = 3600
SPENDING = "'release_charged', 'query_charged', 'receipt_reconciled', 'written_off'"
"""The kinds of entries that spend."""
_COSTS_SOMETHING = "{row}epsilon > 0 OR {row}delta > 0 OR {row}rho > 0"
_SUMS = ("releases", "epsilon", "delta", "rho")
_OWNER_OF_DATASET = "(SELECT owner_id FROM datasets WHERE id = NEW.dataset_id)"
_DELETION_EVENT = "UPDATE OF deleted_at"
_DELETION_CONDITION = "{}.deleted_at IS NOT NULL AND {}.deleted_at IS NULL"
HOLDINGS = ("budgets", "datasets", "grants")
"""What is counted for each owner, named for the tables."""


def is_release(row: str = "") -> str:
    """1 for an entry that counts as a release, else 0. Answers to queries that cost nothing are many, and say nothing
    of how fast a budget goes.
    """
    return (
        f"CASE WHEN {row}kind = 'written_off' OR ({row}kind = 'query_charged' AND NOT "
        f"({_COSTS_SOMETHING.format(row=row)})) THEN 0 ELSE 1 END"
    )


def keep_totals() -> None:
    """Adds each new entry to the hour that it fell in, and each new release to what its principal spent on its data
    set. Answers for which nothing was measured are not releases.
    """
    _create_trigger_after(
        "INSERT",
        "entries",
        "entries_added_up",
        f"NEW.kind IN ({SPENDING})",
        _addition_statement(
            "hourly_spending",
            {"budget_id": "NEW.budget_id", "hour": f"NEW.created_at / {SECONDS_PER_HOUR}"},
            (is_release("NEW."), "NEW.epsilon", "NEW.delta", "NEW.rho"),
        ),
    )
    _create_trigger_after(
        "INSERT",
        "releases",
        "releases_added_up",
        "TRUE",
        _addition_statement(
            "spending",
            {name: f"NEW.{name}" for name in ("budget_id", "dataset_id", "principal_id", "kind")},
            ("1", "NEW.epsilon_charged", "NEW.delta_charged", "NEW.rho_charged"),
        ),
    )
    _create_trigger_after(
        "INSERT",
        "query_charges",
        "query_charges_added_up",
        "NEW.measured = '[]'",
        "UPDATE spending SET releases = releases - 1 WHERE budget_id = NEW.budget_id AND dataset_id = NEW.dataset_id "
        "AND principal_id = (SELECT principal_id FROM releases WHERE id = NEW.release_id) AND kind = 'query';",
    )


def keep_holdings() -> None:
    """Counts what each owner has: budgets and grants, which stay, and live data sets."""
    for table, name, operation, owner, condition, more in (
        ("budgets", "budgets_counted", "INSERT", "NEW.owner_id", "TRUE", 1),
        ("grants", "grants_counted", "INSERT", _OWNER_OF_DATASET, "TRUE", 1),
    ):
        _create_trigger_after(operation, table, name, condition, _count_statement(table, owner, more))
    count_datasets()


def count_datasets() -> None:
    """Counts the live data sets of each owner."""
    for name, operation, condition, more in (
        ("datasets_counted", "INSERT", "NEW.deleted_at IS NULL", 1),
        ("datasets_deleted", _DELETION_EVENT, _DELETION_CONDITION.format("NEW", "OLD"), -1),
        ("datasets_brought_back", _DELETION_EVENT, _DELETION_CONDITION.format("OLD", "NEW"), 1),
    ):
        _create_trigger_after(
            operation, "datasets", name, condition, _count_statement("datasets", "NEW.owner_id", more)
        )


def count_transferred() -> None:
    """Moves budgets, live data sets and grants from one owner's number to another's."""
    for table in HOLDINGS:
        condition = "NEW.owner_id <> OLD.owner_id" + (" AND NEW.deleted_at IS NULL" if table == "datasets" else "")
        statement = f"{_count_statement(table, 'OLD.owner_id', -1)} {_count_statement(table, 'NEW.owner_id', 1)}"
        _create_trigger_after("UPDATE OF owner_id", table, f"{table}_transferred", condition, statement)


def _addition_statement(table: str, key: dict[str, str], amounts: tuple[str, ...]) -> str:
    """The statement that adds amounts to the row of a key."""
    sums = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in _SUMS)
    return (
        f"INSERT INTO {table} ({', '.join([*key, *_SUMS])}) VALUES ({', '.join([*key.values(), *amounts])}) "
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {sums};"
    )


def _count_statement(table: str, owner: str, more: int) -> str:
    """The statement that counts one more thing of an owner, or one fewer."""
    if more < 0:
        return f"UPDATE holdings SET {table} = {table} - 1 WHERE owner_id = {owner};"
    start = ", ".join("1" if name == table else "0" for name in HOLDINGS)
    return (
        f"INSERT INTO holdings (owner_id, {', '.join(HOLDINGS)}) VALUES ({owner}, {start}) "
        f"ON CONFLICT (owner_id) DO UPDATE SET {table} = holdings.{table} + 1;"
    )


def _create_trigger_after(operation: str, table: str, name: str, condition: str, statement: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER {name} AFTER {operation} ON {table} FOR EACH ROW WHEN {condition} BEGIN {statement} END"
        )
        return
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS "
        f"$$ BEGIN {statement} RETURN NULL; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {name} AFTER {operation} ON {table} FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {name}()"
    )
