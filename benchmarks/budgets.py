"""Times charges in a database with many budgets: python -m benchmarks.budgets [--budgets 100000] [--rounds 20].

Two SQLite databases, with a hundred budgets and with many, are charged in turns, as a service does it: 32 callers at
once, each charge and its result committed by the writer, the witness notified of every head and journal, and looking at the
ledgers once a second. The baseline of each ratio is the small database of the same run. What the witness does now and
then for all budgets at once, writing one file of its journal, is timed by itself, with charges going on meanwhile.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles

from sqlalchemy import Engine, insert, select

from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.database.tables import budgets
from service.database.writer import Writer
from service.identifiers.identifiers import new_id
from service.ledger.chain import genesis
from service.ledger.debit import DebitHandler
from service.ledger.restore.watch import look
from service.ledger.witness import Witness
from service.releases.results import store_outcomes
from tests.harness.installation import SIGNER, Installation, epsilon, install, outcome
from tests.harness.process import end_gently_when_told

CALLERS, CHARGED, ROUND_SECONDS, AT_ONCE = 32, 64, 2.0, 1000
SPEC, RESULT = "p" * 1_500, "r" * 3_000
"""An order and a stored result of the usual size for two categories."""


@dataclass(slots=True)
class Side:
    """A database with a number of budgets, and the time that its charges took."""

    budgets: int
    engine: Engine
    writer: Writer
    witness: Witness
    worlds: list[Installation]
    handler: DebitHandler = field(default_factory=lambda: DebitHandler(SIGNER))
    seconds: list[float] = field(default_factory=list)
    in_fold: list[float] = field(default_factory=list)

    def call(self, caller: int, until: float, seconds: list[float]) -> None:
        number = caller
        while time.monotonic() < until:
            world = self.worlds[number % CHARGED]
            number += CALLERS
            debit = replace(world.debit(world.owner_id, world.dataset_ids[0], epsilon(1)), spec=SPEC)
            started = time.perf_counter()
            paid = self.writer.submit(self.handler, debit).result()
            self.writer.submit(store_outcomes, outcome(paid.row.id, answer=RESULT)).result()
            seconds.append(time.perf_counter() - started)

    def charge(self, threads: ThreadPoolExecutor, seconds: list[float]) -> None:
        until = time.monotonic() + ROUND_SECONDS
        for each in [threads.submit(self.call, caller, until, seconds) for caller in range(CALLERS)]:
            each.result()

    def charge_while_looking(self, threads: ThreadPoolExecutor) -> None:
        done = threading.Event()

        def keep_looking() -> None:
            while not done.wait(1.0):
                look(self.engine, self.witness)

        looking = threading.Thread(target=keep_looking)
        looking.start()
        try:
            self.charge(threads, self.seconds)
        finally:
            done.set()
            looking.join()

    def charge_while_folding(self, threads: ThreadPoolExecutor) -> float:
        """Return the seconds in which the witness wrote its file."""
        taken = []

        def fold() -> None:
            started = time.perf_counter()
            self.witness.compact()
            taken.append(time.perf_counter() - started)

        timer = threading.Timer(ROUND_SECONDS / 2, fold)
        timer.start()
        self.charge(threads, self.in_fold)
        timer.join()
        return taken[0]


def side(directory: Path, count: int) -> Side:
    url = f"sqlite:///{directory / str(count)}.db"
    migrate(url)
    engine = open_engine(url)
    worlds = [install(engine, total=epsilon(10**9)) for _ in range(CHARGED)]
    with writing(engine) as connection:
        one = connection.execute(select(budgets).where(budgets.c.id == worlds[0].budget_id)).one()._asdict()
        # Nothing happens to these: only the witness looks at them, at their heads.
        others = [
            one | {"id": (id_ := new_id("bud")), "name": id_, "head_hash": genesis(id_).hash, "sequence": 0}
            for _ in range(count - CHARGED)
        ]
        for start in range(0, len(others), AT_ONCE):
            connection.execute(insert(budgets), others[start : start + AT_ONCE])
    witness = Witness.open(directory / f"{count}.witness", "installation")
    look(engine, witness)
    while witness.cursor:
        look(engine, witness)
    return Side(count, engine, Writer(engine, committed=lambda _, notes: witness.on_commit(notes)), witness, worlds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--budgets", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=20)
    chosen = parser.parse_args()
    end_gently_when_told()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(CALLERS) as threads:
        sides = [side(Path(name), count) for count in (100, chosen.budgets)]
        for number in range(chosen.rounds):
            for turn in range(len(sides)):
                sides[(number + turn) % len(sides)].charge_while_looking(threads)
        folds = {each.budgets: median(each.charge_while_folding(threads) for _ in range(3)) for each in sides}
        p50, p99 = median(sides[0].seconds), quantiles(sides[0].seconds, n=100)[98]
        for each in sides:
            own = quantiles(each.seconds, n=100)[98]
            sys.stdout.write(
                f"{each.budgets:>7} budgets: a charge with its result {1000 * median(each.seconds):6.1f} ms in the "
                f"median ({median(each.seconds) / p50:.2f}), p99 {1000 * own:6.1f} ms ({own / p99:.2f}); writing the "
                f"witness's file {1000 * folds[each.budgets]:5.0f} ms, with charges of at most "
                f"{1000 * max(each.in_fold):5.0f} ms meanwhile\n"
            )
            each.writer.close()
            each.engine.dispose()


if __name__ == "__main__":
    main()
