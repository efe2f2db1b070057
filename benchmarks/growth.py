"""What a charge, a verification and a backup take as the number of releases grows: python -m benchmarks.growth
[--releases 1000000].

It fills one PostgreSQL with releases by the code that charges, in budgets of 10 000, and prints after each tenfold what
it measured. The baseline of each ratio is the first size.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from statistics import median

from sqlalchemy import Engine, text

from service.database.engine import open_engine, reading, writing
from service.database.migration import migrate
from service.ledger.debit import DebitHandler, Paid
from service.ledger.verification import verify_database
from service.releases.results import Drawn, store_results
from tests.harness.installation import SIGNER, Installation, epsilon, install
from tests.harness.postgres import SUPERUSER, PostgresServer
from tests.harness.process import end_gently_when_told

BATCH, PER_BUDGET, TIMED = 500, 10_000, 300
ORDER, RESULT = "p" * 1_500, "r" * 3_000
"""Of the usual size of an order and a stored answer for two categories."""


def charge(engine: Engine, handler: DebitHandler, world: Installation, number: int) -> None:
    """So many releases, paid and stored."""
    debits = [
        replace(world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)), order=ORDER) for _ in range(number)
    ]
    with writing(engine) as connection:
        paid = handler(connection, debits)
    with writing(engine) as connection:
        store_results(connection, [Drawn(each.row.id, RESULT) for each in paid if isinstance(each, Paid)])


def milliseconds_of_one(engine: Engine, handler: DebitHandler, world: Installation) -> float:
    """The median time of one charge with its result, two commits."""
    times = []
    for _ in range(TIMED):
        started = time.perf_counter()
        charge(engine, handler, world, 1)
        times.append(time.perf_counter() - started)
    return 1000 * median(times)


def report(server: PostgresServer, engine: Engine, handler: DebitHandler, world: Installation, size: int) -> None:
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
    parser.add_argument("--releases", type=int, default=100_000)
    wanted = parser.parse_args().releases
    end_gently_when_told()
    with PostgresServer() as server:
        name = server.create_database()
        migrate(server.url(name))
        engine = open_engine(server.url(name))
        handler = DebitHandler(SIGNER)
        sizes = [size for size in (10_000, 100_000, 300_000, 1_000_000) if size <= wanted]
        done = 0
        while done < wanted:
            world = install(engine, total=epsilon(10**9))
            for _ in range(PER_BUDGET // BATCH):
                charge(engine, handler, world, BATCH)
            done += PER_BUDGET
            if done in sizes:
                report(server, engine, handler, world, done)
        engine.dispose()


if __name__ == "__main__":
    main()
