"""Times the witness's journal on SQLite: python -m benchmarks.witness [--rounds 300].

A batch of charges and the storing of its results are committed, and the witness hears of both, as in the service; with
a synced journal, with one that is not synced, and without any. The three take turns, on databases of their own beside
each other, so that whatever else the disk does falls on all of them. The baseline of each ratio runs without a journal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles

from service.database.engine import open_engine
from service.database.migration import migrate
from service.database.writer import Writer
from service.ledger.debit import DebitHandler
from service.ledger.witness import Witness
from service.releases.results import store_outcomes
from tests.harness.installation import SIGNER, Installation, epsilon, install, outcome

BATCHES = (1, 8, 32)
SPEC, RESULT = "p" * 1_500, "r" * 3_000
"""An order and a stored result of the usual size for two categories."""


@dataclass(frozen=True, slots=True)
class Side:
    """One way to keep a journal, and the times of its batches."""

    name: str
    writer: Writer
    handler: DebitHandler
    world: Installation
    seconds: list[float]

    def perform(self, size: int) -> None:
        debits = [
            replace(self.world.debit(self.world.owner_id, self.world.dataset_ids[0], epsilon(1)), spec=SPEC)
            for _ in range(size)
        ]
        started = time.perf_counter()
        paid = [future.result() for future in [self.writer.submit(self.handler, debit) for debit in debits]]
        for stored in [self.writer.submit(store_outcomes, outcome(each.row.id, answer=RESULT)) for each in paid]:
            stored.result()
        self.seconds.append(time.perf_counter() - started)


def side(directory: Path, name: str, witness: Witness | None) -> Side:
    url = f"sqlite:///{directory / name}.db"
    migrate(url)
    engine = open_engine(url)
    world = install(engine, total=epsilon(10**9))
    writer = Writer(engine, committed=lambda _, notes: None if witness is None else witness.on_commit(notes))
    return Side(name, writer, DebitHandler(SIGNER), world, [])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--directory", type=Path, default=None, help="Where the databases lie; the disk to measure.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.directory) as name:
        directory = Path(name)
        sides = [
            side(directory, "none", None),
            side(directory, "unsynced", Witness.open(directory / "unsynced", "installation", sync=False)),
            side(directory, "synced", Witness.open(directory / "synced", "installation", sync=True)),
        ]
        for size in BATCHES:
            for each in sides:
                each.seconds.clear()
            for number in range(chosen.rounds):
                for turn in range(len(sides)):
                    sides[(number + turn) % len(sides)].perform(size)
            baseline = median(sides[0].seconds)
            for each in sides:
                typical = median(each.seconds)
                sys.stdout.write(
                    f"{size:>3} releases a batch, journal {each.name:<9}: {1000 * typical:6.2f} ms in the median, "
                    f"{1000 * quantiles(each.seconds, n=20)[-1]:6.2f} ms at 95 %, {typical / baseline:5.2f} of none\n"
                )
            sys.stdout.flush()
        for each in sides:
            each.writer.close()


if __name__ == "__main__":
    main()
