"""Times a charge, a verification and a backup as the number of releases grows: python -m benchmarks.growth [--sizes
10000 100000].

It fills one PostgreSQL with releases, in budgets of 10 000, and prints at each size what it measured.
The code that charges pays those of one budget; the other budgets are its copies under other ids, whose entries are
linked again, so that each has a chain and balances of its own that verify. The charges that are timed are real ones, to
a budget of their own. The baseline of each ratio is the first size.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from statistics import median

from psycopg import sql
from sqlalchemy import Connection, Engine, Table, select, text

from service.database.engine import open_engine, reading, writing
from service.database.migration import migrate
from service.database.tables import budgets, datasets, entries, hourly_spending, releases, spending
from service.identifiers.identifiers import new_id
from service.ledger.budget_changes import row_of
from service.ledger.chain import Entry, genesis, head_of, link, read_entry
from service.ledger.debit import DebitHandler, Paid
from service.ledger.verification import verify_database
from tests.harness.installation import SIGNER, Installation, epsilon, install, store_answers
from tests.harness.postgres import SUPERUSER, PostgresServer
from tests.harness.process import end_gently_when_told

BATCH, PER_BUDGET, TIMED = 500, 10_000, 300
SETTINGS = {"shared_buffers": "1GB", "max_wal_size": "8GB"}
"""Memory settings of a PostgreSQL server of this size."""
SPEC, RESULT = "p" * 1_500, "r" * 3_000
"""An order and a stored result of the usual size for two categories."""


def charge(engine: Engine, handler: DebitHandler, world: Installation, number: int) -> None:
    """Store a number of paid releases."""
    debits = [replace(world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)), spec=SPEC) for _ in range(number)]
    with writing(engine) as connection:
        paid = handler(connection, debits)
    with writing(engine) as connection:
        store_answers(connection, {each.row.id: RESULT for each in paid if isinstance(each, Paid)})


def entries_of(engine: Engine, world: Installation) -> list[Entry]:
    query = select(entries).where(entries.c.budget_id == world.budget_id).order_by(entries.c.sequence)
    with reading(engine) as connection:
        return [read_entry(row._asdict()) for row in connection.execute(query)]


def copy_budget(engine: Engine, world: Installation, ledger: list[Entry], number: int) -> None:
    """Copies the world's budget with its data set and releases, under ids that end with `number`, and writes its
    ledger as if all of them had been charged there.
    """
    [dataset_id] = world.dataset_ids
    ids = {world.budget_id: new_id("bud"), dataset_id: new_id("dat")}
    ending = f"{number:04}".translate(str.maketrans("0123456789", "abcdefghij"))
    budget, dataset = sql.Literal(ids[world.budget_id]), sql.Literal(ids[dataset_id])
    head, rows = genesis(ids[world.budget_id]), []
    for entry in ledger:
        is_release = entry.subject_id.startswith("rel_")
        subject = entry.subject_id + ending if is_release else ids.get(entry.subject_id, "")
        linked = link(
            head,
            replace(
                entry,
                budget_id=ids[world.budget_id],
                subject_id=subject or entry.subject_id,
                detail=entry.detail.replace(dataset_id, ids[dataset_id]),
            ),
        )
        rows.append(row_of(linked)._asdict())
        head = head_of(linked)
    with writing(engine) as connection:
        # Skip foreign keys and triggers: referenced rows exist, and totals are copied unchanged.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        name = sql.SQL("name || {}").format(sql.Literal(ending))
        _copy(connection, budgets, "id", {"id": budget, "name": name, "head_hash": sql.Literal(head.hash)}, world)
        _copy(connection, datasets, "budget_id", {"id": dataset, "budget_id": budget, "name": name}, world)
        _copy(connection, hourly_spending, "budget_id", {"budget_id": budget}, world)
        _copy(connection, spending, "budget_id", {"budget_id": budget, "dataset_id": dataset}, world)
        changed = {
            "id": sql.SQL("id || {}").format(sql.Literal(ending)),
            "key_hash": sql.SQL("left(key_hash, -8) || {}").format(sql.Literal(f"{number:08}")),
        }
        _copy(connection, releases, "budget_id", changed | {"budget_id": budget, "dataset_id": dataset}, world)
        cursor = connection.connection.cursor()
        names = sql.SQL(", ").join(map(sql.Identifier, rows[0]))
        with cursor.copy(sql.SQL("COPY entries ({}) FROM STDIN").format(names)) as copying:
            for row in rows:
                copying.write_row(tuple(row.values()))


def _copy(
    connection: Connection, table: Table, key: str, changed: dict[str, sql.Composable], world: Installation
) -> None:
    """Copies the world's rows of a table; `key` is the column that holds the id of the budget."""
    names = [column.name for column in table.columns]
    values = [changed.get(name, sql.Identifier(name)) for name in names]
    connection.connection.cursor().execute(
        sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {} WHERE {} = {}").format(
            sql.Identifier(table.name),
            sql.SQL(", ").join(map(sql.Identifier, names)),
            sql.SQL(", ").join(values),
            sql.Identifier(table.name),
            sql.Identifier(key),
            sql.Literal(world.budget_id),
        )
    )


def milliseconds_of_one(engine: Engine, handler: DebitHandler, world: Installation) -> float:
    """The median time of one charge with its result, two commits."""
    times = []
    for _ in range(TIMED):
        started = time.perf_counter()
        charge(engine, handler, world, 1)
        times.append(time.perf_counter() - started)
    return 1000 * median(times)


def report(server: PostgresServer, engine: Engine, handler: DebitHandler, world: Installation, size: int) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))  # as the server would have by then
    one = milliseconds_of_one(engine, handler, world)
    with reading(engine) as connection:
        megabytes = connection.execute(text("SELECT pg_database_size(current_database()) / 1e6")).scalar_one()
        started = time.perf_counter()
        findings = verify_database(connection, [])
    assert not [finding for finding in findings if finding.fault is not None]
    verified = time.perf_counter() - started
    started = time.perf_counter()
    dump = [
        str(server.binaries / "pg_dump"),
        f"--host={server.directory}",
        f"--username={SUPERUSER}",
        "--format=custom",
    ]
    with subprocess.Popen([*dump, "--compress=0", str(engine.url.database)], stdout=subprocess.PIPE) as copying:
        assert copying.stdout
        copied = sum(len(part) for part in iter(partial(copying.stdout.read, 1 << 20), b""))
    assert copying.returncode == 0
    dumped = time.perf_counter() - started
    sys.stdout.write(
        f"{size:>9} releases: {megabytes:7.0f} MB on disk; a charge with its result {one:5.1f} ms; "
        f"verify {verified:6.1f} s; backup {dumped:5.1f} s, {copied / 1e6:.0f} MB\n"
    )
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="of releases, rising")
    sizes = parser.parse_args().sizes
    end_gently_when_told()
    with PostgresServer(settings=SETTINGS) as server:
        name = server.create_database()
        migrate(server.url(name))
        engine = open_engine(server.url(name))
        handler = DebitHandler(SIGNER)
        world = install(engine, total=epsilon(10**9))
        for _ in range(PER_BUDGET // BATCH):
            charge(engine, handler, world, BATCH)
        ledger = entries_of(engine, world)
        # The charges that are timed go elsewhere, so that all copies are alike.
        timed = install(engine, total=epsilon(10**9))
        for number in itertools.count(1):
            if number * PER_BUDGET in sizes:
                report(server, engine, handler, timed, number * PER_BUDGET)
            if number * PER_BUDGET >= max(sizes):
                break
            copy_budget(engine, world, ledger, number)
        engine.dispose()


if __name__ == "__main__":
    main()
