"""An empirical lower bound on ε from the answers of a running service to measured queries alone, on the worst pair of
neighbours. The charge in the ledger must not be less.

For each transcript the log ratio of the two distributions' densities is computed from its measured rows, as any reader
of the answers can. A ledger that is broken on purpose (`tests.harness.ledger_faults`) charges less than the bound, and
must be caught.
"""

from __future__ import annotations

import itertools
import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from service.schemas.principals import Role
from tests.harness.bodies import budget_body, querying, registration, unique
from tests.harness.deadlines import PATIENCE
from tests.harness.people import Person, person
from tests.harness.privacy_loss import lower_bound
from tests.harness.process import Process
from tests.harness.server import run

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

SOUND: Final = 200
FAULTY: Final = {"pairs_of_non_empty_cells": 300, "max_over_data_sets": 1000, "rises_booked_at_restore": 1000}
"""Transcripts in each world. A fault has to be seen through the bound's margin."""
ASKING: Final = 6
_TRIES: Final = 10
_LEVELS: Final = 2
"""Parts of a unit to which the log ratios are rounded, which bounds the number of events."""
Counts = tuple[int, ...]
Vector = tuple[int, ...]


@dataclass(slots=True)
class Transcript:
    """What one owner can read of a budget: its data sets, the measured rows with their answers, and the receipts."""

    owner: Person
    budget_id: str = ""
    dataset_ids: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[Fraction], Fraction, Fraction]] = field(default_factory=list)
    """Data set, row, rate and answer."""
    receipts: list[dict[str, Any]] = field(default_factory=list)
    spent: Decimal = Decimal(0)

    def register(self, http: httpx.Client, counts: Counts) -> None:
        budget: dict[str, Any] = {"kind": "new", "budget": budget_body(epsilon="100", delta="0")}
        if self.budget_id:
            budget = {"kind": "existing", "id": self.budget_id}
        made = self._post(http, "/v1/datasets", registration(counts, budget=budget))
        self.budget_id = made["budget_id"]
        self.dataset_ids.append(made["id"])

    def ask(self, http: httpx.Client, weights: Vector, rate: float, data_set: int = 0) -> float:
        """Measures the row at about this rate, and returns only its answer."""
        half_width = 2.9957 / rate  # P(|Lap(1 / rate)| > half width) = 0.05
        body = querying({"weights": list(weights), "half_width": half_width})
        found = self._post(http, f"/v1/datasets/{self.dataset_ids[data_set]}/releases", body)
        for row in found["measured"]:
            exact = [Fraction(value, row["denominator"]) for value in row["coefficients"]]
            self.rows.append((data_set, exact, Fraction(row["rate"]), Fraction(row["exact_answer"])))
        self.receipts.append(found["receipt"])
        return float(found["measured"][-1]["answer"])

    def note_spent(self, http: httpx.Client) -> None:
        answer = http.get(f"/v1/budgets/{self.budget_id}", headers=self.owner.headers).raise_for_status()
        self.spent = Decimal(answer.json()["spent"]["epsilon"])

    def _post(self, http: httpx.Client, path: str, body: object) -> Any:
        key = {"Idempotency-Key": unique("audit").replace(" ", "-")}
        answer = http.post(path, json=body, headers=self.owner.headers | key)
        for _ in range(_TRIES):
            # A busy machine lets the service wait for its database in vain; the same key again is safe.
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                break
            time.sleep(1)
            answer = http.post(path, json=body, headers=self.owner.headers | key)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def log_ratio(self, first: Counts, second: Counts) -> int:
        """Return ln p(transcript | first) / p(transcript | second), with the same change in every data set."""
        total = Fraction(0)
        for _, row, rate, answer in self.rows:
            one, other = (sum(h * c for h, c in zip(row, counts, strict=True)) for counts in (first, second))
            total += rate * (abs(answer - other) - abs(answer - one))
        return round(total * _LEVELS)

    def losses(self, m: int) -> dict[tuple[int, int], Fraction]:
        """T_ik of the measured rows of all data sets together."""
        return {
            (i, k): sum((rate * abs(row[i] - row[k]) for _, row, rate, _ in self.rows), Fraction(0))
            for i, k in itertools.permutations(range(m), 2)
        }


def ask_where_nobody_seems_to_be(transcript: Transcript, http: httpx.Client, counts: Counts) -> None:
    """An adaptive chain on two empty cells: the last answer decides which is queried next."""
    transcript.register(http, counts)
    rate, answers = 0.15, [0.0]
    for _ in range(4):
        cell = 0 if answers[-1] >= 0.5 or len(answers) == 1 else 1
        # Each query wants half of the half width reached so far, so that it is measured.
        answers.append(transcript.ask(http, tuple(int(i == cell) for i in range(4)), rate * 2 ** len(answers)))


def ask_two_waves(transcript: Transcript, http: httpx.Client, counts: Counts) -> None:
    """A contrast in each of two data sets on one budget."""
    for wave in (0, 1):
        transcript.register(http, counts)
        transcript.ask(http, (1, -1, 0, 0), 0.875, wave)


def ask_before_a_restore(transcript: Transcript, http: httpx.Client, counts: Counts) -> None:
    """A contrast of two cells."""
    transcript.register(http, counts)
    transcript.ask(http, (1, -1, 0, 0), 0.875)


def ask_of_the_other_cells(transcript: Transcript, http: httpx.Client, _: Counts) -> None:
    """The contrast of two others, which raises no maximum."""
    transcript.ask(http, (0, 0, 1, -1), 0.875)


CHAINS: Final[dict[str, tuple[Counts, list[Callable[[Transcript, httpx.Client, Counts], None]]]]] = {
    "pairs_of_non_empty_cells": ((0, 0, 4, 4), [ask_where_nobody_seems_to_be]),
    "max_over_data_sets": ((4, 4, 4, 4), [ask_two_waves]),
    "rises_booked_at_restore": ((4, 4, 4, 4), [ask_before_a_restore, ask_of_the_other_cells, ask_of_the_other_cells]),
}
"""Counts of a world, and what is asked; between the second and the third part the database is restored as it was after
the first.
"""


class World:
    """A service on a database of its own, and transcripts of it."""

    def __init__(self, directory: Path, migrated: Path, variant: str) -> None:
        self.path, self.backup = directory / "posterior.sqlite3", directory / "backup.sqlite3"
        self.directory, self.variant = directory, variant
        shutil.copy(migrated, self.path)
        self.url = f"sqlite:///{self.path}"

    def collect(self, chain: str, counts: Counts, size: int) -> list[Transcript]:
        owners = [person(self.url, Role.OWNER) for _ in range(ASKING)]
        transcripts = [Transcript(owners[number % ASKING]) for number in range(size)]
        parts = CHAINS[chain][1]
        for number, part in enumerate(parts):
            if number == 2:
                self._restore(transcripts)
            self._go_on(transcripts, part, counts, ends=number == len(parts) - 1)
            if number == 0:
                shutil.copy(self.path, self.backup)
        return transcripts

    def _go_on(
        self,
        transcripts: list[Transcript],
        part: Callable[[Transcript, httpx.Client, Counts], None],
        counts: Counts,
        *,
        ends: bool,
    ) -> None:
        with (
            self._serving() as server,
            httpx.Client(base_url=server.url, timeout=PATIENCE) as http,
        ):

            def go_on(owned: list[Transcript]) -> None:
                for each in owned:
                    part(each, http, counts)
                    if ends:
                        each.note_spent(http)

            with ThreadPoolExecutor(ASKING) as threads:
                list(threads.map(go_on, [transcripts[number::ASKING] for number in range(ASKING)]))

    def _serving(self) -> Process:
        fault = "" if self.variant == "sound" else f"mispriced:{self.variant}"
        return Process(self.url, log=self.directory / "log", fault=fault, log_level="warning", quota_factor="100")

    def _restore(self, transcripts: list[Transcript]) -> None:
        """Restores the backup, and reconciles it with all issued receipts."""
        receipts = self.directory / "receipts.jsonl"
        receipts.write_text("\n".join(json.dumps(receipt) for each in transcripts for receipt in each.receipts))
        for each in self.directory.glob("posterior.sqlite3*"):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        shutil.copy(self.backup, self.path)
        environment = self._serving().environment
        run("ledger", "reconcile", str(receipts), environment=environment)
        run("ledger", "unfreeze", environment=environment)


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("fault", [False, True], ids=["sound", "faulty"])
def test_the_audit_of_queries_holds_a_sound_ledger_and_catches_planted_faults(
    migrated_sqlite: Path, tmp_path: Path, chain: str, *, fault: bool
) -> None:
    variant, size = (chain, FAULTY[chain]) if fault else ("sound", SOUND)
    counts, _ = CHAINS[chain]
    first = _collect(tmp_path / "first", migrated_sqlite, variant, chain, counts, size)
    # The worst pair of neighbours, by the totals of the measured rows: a person moves from cell i to cell k.
    totals = [each.losses(len(counts)) for each in first]
    i, k = max((pair for pair in totals[0] if counts[pair[0]]), key=lambda pair: sum(each[pair] for each in totals))
    moved = tuple(count - (cell == i) + (cell == k) for cell, count in enumerate(counts))
    second = _collect(tmp_path / "second", migrated_sqlite, variant, chain, moved, size)
    ratios = [[each.log_ratio(counts, moved) for each in world] for world in (first, second)]
    found, stated = lower_bound(ratios[0], ratios[1], 0.0), float(max(each.spent for each in first))
    print(f"{chain} {variant}: charged {stated:.3f}, audited at least {found:.3f}, worst pair {i, k}")  # noqa: T201  a report of the long run
    assert found > 0
    assert (found > stated) is fault
    if not fault:
        for each in (*first, *second):
            assert each.spent >= max(each.losses(len(counts)).values()), "a transcript that cost more than was charged"


def _collect(directory: Path, migrated: Path, variant: str, chain: str, counts: Counts, size: int) -> list[Transcript]:
    directory.mkdir()
    return World(directory, migrated, variant).collect(chain, counts, size)
