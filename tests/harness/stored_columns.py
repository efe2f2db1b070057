# ruff: noqa: E501  the texts of the page
"""Changes each stored column alone, and observes whether triggers refuse that and `ledger verify` names it. `python -m
tests.harness.stored_columns` writes docs/reference/stored-columns.md from what it observes on SQLite.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from sqlalchemy import Column, Connection, Engine, func, select
from sqlalchemy.exc import DBAPIError

from migrations.rights import RIGHTS
from service.auth import Role
from service.database.engine import open_engine, reading, writing
from service.database.migration import migrate
from service.database.tables import metadata
from service.ledger.verification import verify_database
from service.principals.enrolment import exchange, issue_token
from service.principals.people import create_principal
from service.principals.verification import verify_chains
from service.settings import Settings
from tests.harness.bodies import registration
from tests.harness.in_process import running
from tests.harness.installation import PUBLIC_KEYS
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "stored-columns.md"
OF_VALUES: Final = {
    "role": "CASE role WHEN 'owner' THEN 'analyst' ELSE 'owner' END",
    "accountant": "'zcdp'",
    "relation": "'add_remove'",
    "releases.kind": "'query'",
    "releases.state": "'lost'",
    "api_keys.kind": "'session'",
    "enrolments.kind": "CASE kind WHEN 'token' THEN 'recovery_code' ELSE 'token' END",
    "key_checks.kind": "CASE kind WHEN 'counts' THEN 'receipts' ELSE 'counts' END",
    "entries.kind": "'release_published'",
    "principal_entries.kind": "'key_revoked'",
    "datasets.labels": '\'["none", "case"]\'',
    "datasets.attributes": "'[]'",
    "budgets.low_budget_percent": "11",
    "installation.id": "2",
    **dict.fromkeys(("charged", "listed", "history_shared", "n_is_public", "one_record_per_unit"), "flag"),
}
"""Changed values, by the column or by its name."""


INTRODUCTION: Final = """# Stored columns

Who can change each column of the database, whether `private-posterior ledger verify` names the change, and what harm is
left. `python -m tests.harness.stored_columns` writes the columns *Changed by* and *ledger verify* from what it observes:
it changes one column at a time, in all rows of a small installation. A test repeats that on SQLite.

- **Changed by**: `service`, if the service's role on PostgreSQL may change a stored value; `owner`, if only the owner of
  the tables can, after removing a trigger. On SQLite, who can write the file is both.
- **ledger verify**: `named`, if it reports the change; `silent`, if not; `no rows` if the installation has none.

The text of each section says what a change does before a draw, when a release is served, and in `posterior verify`. The
[threat model](../explanation/threat-model.md) names who can do it.
"""
HEADER: Final = "| Column | Changed by | ledger verify |\n|---|---|---|"
LEFT: Final = {
    "access_requests": (
        "Read by no release. A changed request shows another state or text to its parties. An approval gives nothing "
        "without its grant. `posterior verify` does not read it."
    ),
    "api_keys": (
        "A changed key acts no longer, or longer than it should. A row that was added acts as its principal until "
        "`ledger verify` names it. `expires_at` and `secret_hash` are held by a trigger alone. `posterior verify` "
        "shows each act of the key in the ledger."
    ),
    "budgets": (
        "A debit believes limit, policy and freeze, so an analyst could be granted more until `ledger verify` names "
        "it. `posterior verify` recomputes the limit from the ledger, and names a charge above it."
    ),
    "certificate_requests": "Read by no release. A changed row hides a certificate from the principal who requested it.",
    "certificates": (
        "The service signs a certificate with its parameters. It computes a changed one again before it prices a "
        "release, so a change costs time only."
    ),
    "creations": (
        "A changed row makes a repeated creation fail with `idempotency-key-reused`. Rows of 0.1.0 do not bind "
        "`subject_id`: a repetition returns the object that they name."
    ),
    "datasets": (
        "A debit compares owner, commitment, budget, sizes, labels, attributes and unit with the ledger and the "
        "encryption, and refuses a difference with `stored-data-altered`, uncharged. Reads show a changed row until "
        "`ledger verify` names it. `posterior verify --releases` compares releases with the registration."
    ),
    "encrypted_counts": (
        "Other bytes do not decrypt for this data set: a debit refuses with `stored-data-altered`, and a paid release "
        "has failed. The counts can be destroyed, which no ledger can name."
    ),
    "enrolments": (
        "A token or code that was added can be exchanged for a key. The exchange is an entry, and freezes a principal "
        "that uses keys. `ledger verify` names an unknown token, not an unknown code."
    ),
    "entries": (
        "Triggers and rights forbid changes. The chain and the signed receipts name each one, also in `posterior "
        "verify`; a rewriting as a whole shows against a checkpoint alone."
    ),
    "grants": (
        "A debit compares holder and data set, and believes cap, end and closing until `ledger verify` names a change. "
        "`posterior verify` names a charge above the cap or on a closed grant."
    ),
    "holdings": "Read by quotas alone. A changed number gives an owner another quota.",
    "hourly_spending": "Read by reports alone. A changed sum is named; another split into hours is not.",
    "installation": (
        "`restore_pending_since` stops all releases, or lets them go on after a restore that was not accounted for. "
        "Entries still show the restore."
    ),
    "jobs": "The service signs jobs. It deletes a changed one and computes it again, so a change costs time only.",
    "key_checks": "The service does not start with keys that contradict a check value.",
    "principal_entries": "Triggers and rights forbid changes. The chain and the heads in budgets' entries name each one.",
    "principal_names": "Shown to people. A changed name can mislead an owner about an analyst. Nothing compares it.",
    "principals": (
        "`role` decides what a key may do; a trigger and `ledger verify` hold it. A changed `frozen_until` ends the time "
        "in which a recovery can be vetoed, until `ledger verify` names it."
    ),
    "public_texts": "The signature covers it: a changed text is answered with `release-altered`, also offline.",
    "query_charges": (
        "A debit compares the rows with the entry and the signed receipt, and refuses with `stored-data-altered`, "
        "uncharged. `posterior verify` recomputes charges from the ledger, which binds the rows."
    ),
    "releases": (
        "A paid row that differs from its signed receipt has failed. Drawn values and answer are signed: changed ones "
        "are answered with `release-altered`. `posterior verify --releases` compares a release with ledger and receipt. "
        "Without triggers, a row set back to `paid` is drawn again where no witness knows its answer."
    ),
    "spending": "Read by reports alone. A changed sum is named; another split by data set or principal is not.",
}
"""What a change of each table does, and the harm that is left."""


BUDGETS: Final = 2


def settings(url: str, directory: Path) -> Settings:
    return Settings(
        database_url=url,
        response_time_quantum_ms=0,
        counts_keys=COUNTS_KEYS,
        receipt_key=RECEIPT_KEY,
        witness_file=str(directory / "witness"),
    )


def tell(engine: Engine, url: str, directory: Path) -> None:
    """A study with a published release, query answers and an access request; and another owner's."""
    owner, analyst, other = (person(engine, role) for role in (Role.OWNER, Role.ANALYST, Role.OWNER))
    asking = person(engine, Role.ANALYST)
    with writing(engine) as connection:
        late = create_principal(connection, Role.ANALYST, "late")
        exchange(connection, issue_token(connection, late, by="admin").token, expires_at=None, recovery_days=7)

    async def story() -> None:
        async with running(settings(url, directory)) as service:
            made = await service.post(owner, "/v1/datasets", registration([30, 40]), "data")
            await service.post(other, "/v1/datasets", registration([40, 30]))
            path = f"/v1/datasets/{made['id']}"
            grant = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "1e-6"}
            await service.post(owner, f"{path}/grants", grant, "grant")
            release = await service.release(analyst, made["id"], "first")
            await service.send(owner, "PATCH", f"/v1/releases/{release.json()['id']}", {"public": True})
            await service.send(owner, "PATCH", path, {"listed": True})
            wanted = {"epsilon": "0.1", "delta": "0", "purpose": "A report"}
            await service.post(asking, f"{path}/access-requests", wanted, "ask")
            queries = {"queries": [{"weights": [1, 0], "half_width": 60.0}]}
            await service.post(analyst, f"{path}/queries", queries, "queries")

    asyncio.run(story())


def changed(column: Column[Any]) -> str:
    """The statement that gives all rows another value in one column."""
    name, table = column.name, column.table.name
    value = OF_VALUES.get(f"{table}.{name}", OF_VALUES.get(name, ""))
    kind = column.type.python_type
    if value == "flag":
        value = f"1 - {name}"
    elif not value and kind is int:
        value = f"COALESCE({name} + 1000, 1)"
    elif not value and kind is bytes:
        value = "X'00'"
    elif not value:
        value = f"COALESCE(substr({name}, 2) || 'x', 'x')"
    return f"UPDATE {table} SET {name} = {value}"  # noqa: S608  names of the schema


def change(path: Path, column: Column[Any]) -> bool:
    """Changes the column in a SQLite file without its triggers and constraints. Whether the triggers refuse that."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON", "synchronous = OFF"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN")
        try:
            connection.execute(changed(column))
            guarded = False
        except sqlite3.IntegrityError:
            guarded = True
        connection.execute("ROLLBACK")
        connection.execute("BEGIN")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(changed(column))
        connection.execute("COMMIT")
    return guarded


def is_named(connection: Connection) -> bool:
    """Whether `ledger verify` reports a fault of the database as it is now."""
    try:
        findings = verify_database(connection, public_keys=PUBLIC_KEYS)
        return any(each.fault for each in findings) or len(findings) != BUDGETS or bool(verify_chains(connection))
    except (ValueError, LookupError, TypeError, DBAPIError):
        return True


def measure(directory: Path) -> dict[str, tuple[str, str]]:
    """Who can change each column, and whether `ledger verify` names it, on SQLite."""
    filled = directory / "filled.sqlite3"
    migrate(f"sqlite:///{filled}")
    engine = open_engine(f"sqlite:///{filled}")
    tell(engine, f"sqlite:///{filled}", directory)
    with reading(engine) as connection:
        counts = {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in metadata.tables.items()
        }
    engine.dispose()
    found = {}
    for number, column in enumerate(all_columns()):
        path = directory / f"{number}.sqlite3"
        shutil.copy(filled, path)
        guarded = change(path, column)
        engine = open_engine(f"sqlite:///{path}")
        with reading(engine) as connection:
            seen = "named" if is_named(connection) else "silent"
        engine.dispose()
        path.unlink()
        table = column.table.name
        writer = "service" if "UPDATE" in RIGHTS[table] and not guarded else "owner"
        found[str(column)] = (writer, seen if counts[table] else "no rows")
    return found


def all_columns() -> list[Column[Any]]:
    return [column for table in metadata.sorted_tables for column in table.columns]


def page(found: Mapping[str, tuple[str, str]]) -> str:
    """The page, of what was observed."""
    lines = [INTRODUCTION]
    for table in sorted(metadata.tables):
        lines += [f"## {table}", "", *wrap(LEFT[table], 120), "", HEADER]
        for column in metadata.tables[table].columns:
            lines.append(f"| `{column.name}` | {' | '.join(found[str(column)])} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        PAGE.write_text(page(measure(Path(directory))))


if __name__ == "__main__":
    main()
