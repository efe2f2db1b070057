"""Times reads of a small and of a large database.

    python -m benchmarks.reads [--releases 200000] [--data-sets 100000] [--postgres]

Two databases are filled in the same run: a small one with 1 000 releases and 300 data sets, each with a budget and a
grant of its own beside the one that was released from, and a large one. Each read is taken in turns on both, as the
service does it, down to the models that are answered; the baseline of each ratio is the small one. At the end
stands a table in Markdown. The rows are copies of rows that the service wrote, made inside the database with its
triggers switched off; what those would have added up is multiplied instead.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Engine, Table, func, select, text, true

from benchmarks._table import Table as Shown
from core.accounting.accountants import Accountant
from service.database.costs import DIMENSIONS
from service.database.engine import open_engine, reading, writing
from service.database.migration import migrate
from service.database.paging import PageRequest
from service.database.tables import (
    budgets,
    datasets,
    entries,
    grants,
    holdings,
    hourly_spending,
    releases,
    spending,
)
from service.datasets import budgets as budget_use_case
from service.datasets import grants as grant_use_case
from service.datasets import public_facts
from service.ledger.database_state import is_restore_pending
from service.ledger.debit import DebitHandler, Paid
from service.principals import quotas
from service.principals.auth import Caller
from service.releases import access
from service.releases.spec import summary
from service.reports import dataset_statement
from service.reports.allowance import burn_rate
from service.schemas.principals import Role
from tests.harness.installation import SIGNER, Installation, epsilon, install, store_answers
from tests.harness.postgres import PostgresServer
from tests.harness.process import end_gently_when_told

SMALL: Final = (1_000, 300)
PAID, ROUNDS = 100, 15
RESULT: Final = json.dumps({"numbers": ["r" * 20] * 130})
"""A stored result of the usual size for two categories."""
SPEC: Final = json.dumps(
    {
        "request": {"prior": [1.0, 1.0], "mechanism": {"kind": "laplace", "epsilon": "0.5"}, "level": 0.95},
        "labels": ["a", "b"],
        "certificate": {
            "method": "theorem",
            "statement": "The noise has a proven scale.",
            "relation": "replace_one",
            "loss": {"epsilon": "0.5", "delta": "0", "rho": None, "rho_delta": "0"},
            "details": {},
        },
        "rest": "o" * 900,
    }
)


@dataclass(frozen=True, slots=True)
class World:
    """A filled database, and its readers."""

    engine: Engine
    installed: Installation
    middle: dict[str, str]
    """For a table, the id of a row in the middle of its lists: a cursor."""

    @property
    def owner(self) -> Caller:
        return Caller(self.installed.owner_id, Role.OWNER, "key")

    @property
    def analyst(self) -> Caller:
        return Caller(self.installed.analyst_ids[0], Role.ANALYST, "key")

    def page(self, table: Table) -> PageRequest:
        return PageRequest(self.middle[table.name], 100)


def fill(url: str, release_count: int, dataset_count: int) -> World:
    """A database with a number of releases from one data set, half of them an analyst's, and a number of others."""
    migrate(url)
    engine = open_engine(url)
    installed = install(engine, total=epsilon(10**9), grant=epsilon(10**8), analysts=1)
    who = (installed.owner_id, installed.analyst_ids[0])
    insert_releases(engine, installed, who)
    with writing(engine) as connection, no_triggers(connection):
        multiply(connection, installed.budget_id, release_count // PAID)
        connection.execute(
            text("UPDATE budgets SET sequence = (SELECT MAX(sequence) FROM entries WHERE budget_id = budgets.id)")
        )
        copy(connection, budgets, dataset_count)
        copy(connection, datasets, dataset_count, changed={"budget_id": _copied_id("budget_id")})
        copy(
            connection,
            grants,
            dataset_count,
            changed={"dataset_id": _copied_id("dataset_id"), "dataset_nanoseconds": "dataset_nanoseconds + n"},
        )
        copies = ", ".join(
            f"{table.name} = {table.name} * {dataset_count + 1}" for table in (budgets, datasets, grants)
        )
        connection.execute(text(f"UPDATE {holdings.name} SET {copies}"))
        if engine.dialect.name == "postgresql":
            connection.execute(text("ANALYZE"))
        middle = {
            table.name: _middle(connection, table, true(), table.c.created_nanoseconds)
            for table in (budgets, datasets, grants)
        }
        of_budget = releases.c.budget_id == installed.budget_id
        middle[releases.name] = _middle(connection, releases, of_budget, releases.c.sequence)
    return World(engine, installed, middle)


def insert_releases(engine: Engine, installed: Installation, who: Sequence[str]) -> None:
    """PAID releases on the first data set, by these in turns, with their results."""
    each = [
        replace(installed.debit(who[number % len(who)], installed.dataset_ids[0], epsilon(1)), spec=SPEC)
        for number in range(PAID)
    ]
    with writing(engine) as connection:
        paid = DebitHandler(SIGNER)(connection, each)
    with writing(engine) as connection:
        store_answers(connection, {one.row.id: RESULT for one in paid if isinstance(one, Paid)})


def multiply(connection: Connection, budget_id: str, times: int) -> None:
    """Multiply the releases of a budget, with their entries and their totals."""
    of_budget = f"budget_id = '{budget_id}'"
    copy(connection, releases, times - 1, places=("sequence",), which=of_budget)
    copy(connection, entries, times - 1, places=("sequence",), which=f"{of_budget} AND kind = 'release_charged'")
    for table in (spending, hourly_spending):
        sums = ", ".join(f"{name} = {name} * {times}" for name in ("releases", *DIMENSIONS))
        connection.execute(text(f"UPDATE {table.name} SET {sums} WHERE {of_budget}"))


@contextmanager
def no_triggers(connection: Connection) -> Iterator[None]:
    """Disable the triggers: each would run for each of a million rows. The databases belong to this benchmark."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        yield
        return
    triggers = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
    for trigger in triggers:
        connection.execute(text(f"DROP TRIGGER {trigger.name}"))
    yield
    for trigger in triggers:
        connection.exec_driver_sql(trigger.sql)


def copy(
    connection: Connection,
    table: Table,
    times: int,
    *,
    places: tuple[str, ...] = (),
    changed: dict[str, str] | None = None,
    which: str = "TRUE",
) -> None:
    """Copy every row of a table a number of times, under other ids, names and keys, and at later places."""
    later = f"+ n * {PAID}"
    new = {
        "id": _copied_id("id"),
        "name": "name || '-' || n",
        "key_hash": "n || '-' || substr(key_hash, 1, 55)",
        "created_nanoseconds": "created_nanoseconds + n",
        **{place: f"{place} {later}" for place in places},
        **(changed or {}),
    }
    names = [column.name for column in table.columns]
    connection.execute(
        text(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :times) "
            f"INSERT INTO {table.name} ({', '.join(names)}) "
            f"SELECT {', '.join(new.get(name, name) for name in names)} FROM {table.name}, numbers WHERE {which}"
        ),
        {"times": times},
    )


def _middle(connection: Connection, table: Table, which: ColumnElement[bool], order: Column[int]) -> str:
    """The id in the middle of these rows in this order."""
    count = connection.execute(select(func.count()).select_from(table).where(which)).scalar_one()
    return str(
        connection.execute(select(table.c.id).where(which).order_by(order).offset(count // 2).limit(1)).scalar_one()
    )


def _copied_id(column: str) -> str:
    """The id of a copy: the first signs of the copied one, then the number in the signs of ids."""
    number = "CAST(n + 10000000 AS VARCHAR(8))"
    for digit, sign in zip("0189", "abcd", strict=True):
        number = f"replace({number}, '{digit}', '{sign}')"
    return f"substr({column}, 1, 22) || {number}"


Read = Callable[[Connection, World], object]


def _budget_row(connection: Connection, world: World) -> Any:
    return budget_use_case.owned_budget(connection, world.owner, world.installed.budget_id)


def _ledger(connection: Connection, world: World) -> object:
    row = _budget_row(connection, world)
    page = budget_use_case.ledger_rows(connection, row.id, after=row.sequence // 2, limit=101)
    return [budget_use_case.entry_response(each, Accountant(row.accountant)) for each in page]


def _statement(connection: Connection, world: World) -> object:
    dataset_id = world.installed.dataset_ids[0]
    return dataset_statement.get_statement(connection, world.owner, dataset_id, after=0, limit=100)


def _releases_on_dataset(connection: Connection, world: World, caller: Caller) -> object:
    rows = access.list_on(connection, caller, world.installed.dataset_ids[0], PageRequest("", 101))
    return [summary(row, caller) for row in rows]


def _releases_of_caller(connection: Connection, world: World, caller: Caller) -> object:
    return [summary(row, caller) for row in access.list_mine(connection, caller, world.page(releases))]


def _data_sets(connection: Connection, world: World, caller: Caller) -> object:
    found = public_facts.list_visible(connection, caller, world.page(datasets))
    names = public_facts.owner_names(connection, found)
    return [public_facts.dataset_response(row, names.get(row.owner_id)) for row in found]


def _grants(connection: Connection, world: World, caller: Caller) -> object:
    return grant_use_case.list_mine(connection, caller, world.page(grants), grant_use_case.Wanted())


READS: Final[dict[str, Read]] = {
    "statement, first page": _statement,
    "burn rate": lambda c, w: burn_rate(c, _budget_row(c, w)),
    "ledger, a page": _ledger,
    "releases on a data set, owner": lambda c, w: _releases_on_dataset(c, w, w.owner),
    "releases on a data set, analyst": lambda c, w: _releases_on_dataset(c, w, w.analyst),
    "own releases, owner": lambda c, w: _releases_of_caller(c, w, w.owner),
    "own releases, analyst": lambda c, w: _releases_of_caller(c, w, w.analyst),
    "budgets": lambda c, w: [
        budget_use_case.budget_response(row, restore_pending=is_restore_pending(c))
        for row in budget_use_case.list_budgets(c, w.owner.principal_id, w.page(budgets))
    ],
    "data sets, owner": lambda c, w: _data_sets(c, w, w.owner),
    "data sets, analyst": lambda c, w: _data_sets(c, w, w.analyst),
    "grants, owner": lambda c, w: _grants(c, w, w.owner),
    "grants, analyst": lambda c, w: _grants(c, w, w.analyst),
    "releases to answer queries from": lambda c, w: access.measured_releases_on(
        c, w.analyst, public_facts.visible(c, w.analyst, w.installed.dataset_ids[0]), limit=500
    ),
    "quotas": lambda c, w: quotas.used(c, w.owner.principal_id),
}


def milliseconds(world: World, read: Read) -> float:
    """Return the milliseconds of a read: CPU time on SQLite, which works in this process, and wall-clock time on
    PostgreSQL.
    """
    clock = time.process_time if world.engine.dialect.name == "sqlite" else time.perf_counter
    with reading(world.engine) as connection:
        started = clock()
        read(connection, world)
        return 1000 * (clock() - started)


@contextmanager
def addresses(*, postgres: bool) -> Iterator[tuple[str, str]]:
    """Return the addresses of two empty databases."""
    if postgres:
        with PostgresServer() as server:
            yield server.url(server.create_database()), server.url(server.create_database())
        return
    with tempfile.TemporaryDirectory() as directory:
        yield f"sqlite:///{Path(directory) / 'small.sqlite3'}", f"sqlite:///{Path(directory) / 'large.sqlite3'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--releases", type=int, default=200_000)
    parser.add_argument("--data-sets", type=int, default=100_000)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own instead of SQLite")
    wanted = parser.parse_args()
    end_gently_when_told()
    database = "PostgreSQL" if wanted.postgres else "SQLite"
    with addresses(postgres=wanted.postgres) as (small_url, large_url):
        started = time.monotonic()
        small, large = fill(small_url, *SMALL), fill(large_url, wanted.releases, wanted.data_sets)
        sys.stdout.write(
            f"{database}: {wanted.releases} releases and {wanted.data_sets} data "
            f"sets beside {SMALL[0]} and {SMALL[1]}, filled in {time.monotonic() - started:.0f} s; medians of {ROUNDS} "
            f"turns\n"
        )
        shown = Shown(f"{database}: the same with {SMALL[0]} releases and {SMALL[1]} data sets")
        for name, read in READS.items():
            times = [(milliseconds(small, read), milliseconds(large, read)) for _ in range(ROUNDS + 1)][1:]
            before, after = zip(*times, strict=True)
            shown.add(f"{name}, {wanted.releases} releases", before, after, "ms")
        shown.show()
        small.engine.dispose()
        large.engine.dispose()


if __name__ == "__main__":
    main()
