"""Grants the service's role on PostgreSQL enough rights to run, and too few to rewrite the ledger."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

SERVICE_ROLE = "posterior_service"

RIGHTS = {
    "access_requests": "SELECT, INSERT, UPDATE",
    "alembic_version": "SELECT",
    "api_keys": "SELECT, INSERT, UPDATE",
    "budgets": "SELECT, INSERT, UPDATE",
    "certificate_requests": "SELECT, INSERT, UPDATE, DELETE",
    "certificates": "SELECT, INSERT, UPDATE, DELETE",
    "creations": "SELECT, INSERT, UPDATE",
    "datasets": "SELECT, INSERT, UPDATE",
    "enrolments": "SELECT, INSERT, UPDATE",
    "entries": "SELECT, INSERT",
    "grants": "SELECT, INSERT, UPDATE",
    "holdings": "SELECT",
    "hourly_spending": "SELECT",
    "installation": "SELECT, UPDATE",
    "jobs": "SELECT, INSERT, UPDATE, DELETE",
    "key_checks": "SELECT, INSERT",
    "principal_entries": "SELECT, INSERT",
    "principal_names": "SELECT, INSERT, UPDATE, DELETE",
    "principals": "SELECT, INSERT, UPDATE",
    "public_texts": "SELECT, INSERT",
    "query_charges": "SELECT, INSERT",
    "releases": "SELECT, INSERT, UPDATE",
    "encrypted_counts": "SELECT, INSERT, UPDATE, DELETE",
    "spending": "SELECT",
}
"""Rights by table. A table that is missing here cannot be reached by the service, which a test tells before an
operator does.
"""
LEFT = frozenset({"certificate_requests", "certificates"})
"""Tables of facts that can be recomputed, which only an earlier version uses. It may run beside this one, so only a
later revision can drop them.
"""


def grant_rights(connection: Connection) -> None:
    """Give the service's role exactly `RIGHTS`, on the tables of this revision. If the database is not PostgreSQL, or
    has no such role, everything stays as it is.
    """
    if connection.dialect.name != "postgresql":
        return
    if connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": SERVICE_ROLE}).first() is None:
        return
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA public TO {SERVICE_ROLE}")
    connection.exec_driver_sql(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {SERVICE_ROLE}")
    there = set(inspect(connection).get_table_names())
    for table, rights in ((table, rights) for table, rights in RIGHTS.items() if table in there):
        connection.exec_driver_sql(f"GRANT {rights} ON {table} TO {SERVICE_ROLE}")
