"""Measures over HTTP how long releases take from pairs of tables whose draws took the most different times.

    python -m benchmarks.response_times [--answers 250] [--grids 0 25] [--streams 3] [--pairs 1 2 …]

The pairs are those that `benchmarks.draw_pairs` found, and one whose draws differed most in an earlier version. An owner
with one connection asks for releases from both tables of a pair in turn, in a random order within each turn: what else
the machine does meets both alike. Some pairs are measured at the same time (`--streams`). With response-time quantization off and on
(`--grids`, in ms), the machine is idle at first, and then under load that one analyst makes over 16 connections: plans
without end, wide releases by noise and by the exponential mechanism. Limits are those that the service has by default.

Each line has the median time from request to answer of either table and the ratio of these; how often the first table's
answer was the slower one of a turn; and with quantization, the share of late answers of either table. Intervals are confidence intervals of 95 %: by a bootstrap of the turns for the ratio, Wilson's for shares.
The least time of a pair says what its first tick is. An answer is late if it comes more than one and a half first ticks
after the request: its draw missed the tick, or its charge waited.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import math
import multiprocessing
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np
from numpy.typing import NDArray

from benchmarks.draw_pairs import Medians, Pair, pair
from benchmarks.hostile import ENDLESS, service
from benchmarks.service import environment_of
from service.database.engine import open_engine
from service.database.migration import migrate
from service.runtime.key_file import load_keys
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import budget_body, registration, unique
from tests.harness.people import Person, person
from tests.harness.process import end_gently_when_told

PAIRS: Final = [
    pair("exponential_published", (1.0, 1.0), "10", 20_000, None),
    pair("exponential_published", (0.001, 0.001), "10", 20_000, None),
    pair("exponential_published", (0.5, 0.5), "10", 20_000, None),
    pair("exponential_global", (15.5, 15.5), "10", 1_000_000, 7),
    pair("exponential_published", (1e3,) * 3, "0.0001", 20_000, 14),
    pair("exponential_published", (0.5,) * 3, "0.1", 20_000, None),
    pair("exponential_proven", (15.5, 15.5), "0.0001", 20_000, 0),
    pair("exponential_published", (0.5,) * 40, "0.0001", 100_000, None),
    pair("exponential_published", (15.5,) * 40, "0.0001", 100_000, 15),
]
"""The six worst of up to three categories; the pair whose draws took 11.5 and 3.7 ms when their work still depended on
the counts; and the two worst of more categories, which have a process for each draw.
"""
CONNECTIONS: Final = 16
WIDE_NOISE: Final = {"prior": [1] * 10_000, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.001"}}
WIDE_CHOICE: Final = {"prior": [1] * 200, "mechanism": {"kind": "exponential_global", "epsilon": "0.001"}}
MOST_SECONDS: Final = 1800
"""Seconds of the load."""
REPORTED_SECONDS: Final = 30
"""Seconds after which the responses to the load are counted again."""
_OTHER_ROLES: Final = (Role.OWNER, Role.ANALYST)
_CERTIFICATE_SECONDS: Final = 120
_LATE_TICKS: Final = 1.5
_WILSON: Final = 1.959964


def mechanism_of(of: Pair) -> dict[str, str]:
    """Return the mechanism of a request for this pair."""
    match of.mechanism:
        case "gaussian":
            return {"kind": "gaussian", "rho": of.epsilon, "delta": "1e-6"}
        case "exponential_published":
            return {"kind": "exponential_published", "nominal_epsilon": of.epsilon, "delta": "1e-6"}
        case "exponential_proven":
            return {"kind": "exponential", "calibration": "proven", "epsilon": of.epsilon}
        case _:
            return {"kind": of.mechanism, "epsilon": of.epsilon}


def dataset_of(client: httpx.Client, counts: tuple[int, ...]) -> str:
    budget = {"kind": "new", "budget": budget_body(epsilon="1000", delta="0.1")}
    answer = client.post("/v1/datasets", json=registration(counts, budget=budget))
    return str(answer.raise_for_status().json()["id"])


@dataclass(slots=True)
class Table:
    """Requests releases from one table. If the budget is spent, it registers the table again on another."""

    client: httpx.Client
    counts: tuple[int, ...]
    body: dict[str, Any]
    _dataset_id: str = field(default="", init=False)

    def seconds(self) -> float:
        """Return the seconds from the request to the response."""
        if not self._dataset_id:
            self._prepare()
        started = time.perf_counter()
        answer = self._ask()
        elapsed = time.perf_counter() - started
        if answer.status_code == 201:
            return elapsed
        assert answer.json()["type"] == "/problems/budget-exhausted", answer.text
        self._dataset_id = ""
        return self.seconds()

    def _prepare(self) -> None:
        """Request a release that is not measured, so that its certificate exists."""
        self._dataset_id = dataset_of(self.client, self.counts)
        deadline = time.monotonic() + _CERTIFICATE_SECONDS
        while (answer := self._ask()).status_code != 201:
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.5)

    def _ask(self) -> httpx.Response:
        headers = {"Idempotency-Key": unique("key").replace(" ", "-")}
        return self.client.post(f"/v1/datasets/{self._dataset_id}/releases", json=self.body, headers=headers)


def measured(client: httpx.Client, of: Pair, answers: int) -> NDArray[np.float64]:
    """Seconds, shape (answers, 2)."""
    body = {"prior": list(of.prior), "mechanism": mechanism_of(of)}
    tables = [Table(client, counts, body) for counts in (of.first, of.second)]
    for table in tables:
        table.seconds()
    found, rng = np.empty((answers, 2)), random.Random(1)
    for turn in range(answers):
        for which in rng.sample((0, 1), 2):
            found[turn, which] = tables[which].seconds()
    return found


def wilson(number: int, of: int) -> tuple[float, float]:
    """A confidence interval of 95 % of a share."""
    z2 = _WILSON * _WILSON
    middle, half = number + z2 / 2.0, _WILSON * math.sqrt(number * (of - number) / of + z2 / 4.0)
    return (middle - half) / (of + z2), (middle + half) / (of + z2)


def in_words(seconds: NDArray[np.float64], first_tick: float) -> str:
    """The cells of a table."""
    found, turns = Medians.of(seconds), len(seconds)

    def share(places: NDArray[np.bool_]) -> str:
        low, high = wilson(int(places.sum()), turns)
        return f"{100 * places.mean():.1f} % [{100 * low:.1f}, {100 * high:.1f}]"

    cells = [
        f"{1e3 * found.first:.1f}, {1e3 * found.second:.1f} ms",
        f"{found.first / found.second:.3f} [{found.ratio[0]:.3f}, {found.ratio[1]:.3f}]",
        share(seconds[:, 0] > seconds[:, 1]),
    ]
    late = [share(seconds[:, which] > _LATE_TICKS * first_tick) for which in (0, 1)] if first_tick else []
    return " | ".join(cells + late)


class Load:
    """The requests of one analyst over 16 connections."""

    def __init__(self, url: str, analyst: Person, noise: str, choice: str) -> None:
        self._url, self._analyst, self._noise, self._choice = url, analyst, noise, choice
        self._numbers, self._statuses = itertools.count(), Counter[str]()

    def run(self, until: float) -> None:
        os.nice(10)
        asyncio.run(self._run(until))

    async def _run(self, until: float) -> None:
        limits = httpx.Limits(max_connections=CONNECTIONS)
        headers = {"Authorization": f"Bearer {self._analyst.key}"}
        async with httpx.AsyncClient(base_url=self._url, headers=headers, timeout=120, limits=limits) as http:

            async def plan() -> httpx.Response:
                body = ENDLESS | {"epsilons": [f"{1 + 0.001 * next(self._numbers):.3f}"]}
                return await http.post("/v1/plans", json=body)

            async def release(dataset_id: str, body: dict[str, Any]) -> httpx.Response:
                headers = {"Idempotency-Key": f"load-{time.time_ns()}-{next(self._numbers)}"}
                return await http.post(f"/v1/datasets/{dataset_id}/releases", json=body, headers=headers)

            async def noise() -> httpx.Response:
                return await release(self._noise, WIDE_NOISE)

            async def choice() -> httpx.Response:
                return await release(self._choice, WIDE_CHOICE)

            shares = [("plans", plan, 8), ("wide noise", noise, 4), ("wide choices", choice, 4)]
            async with asyncio.timeout(max(0.1, until - time.time())):
                await asyncio.gather(
                    self._report(until),
                    *(self._repeat(name, send, until) for name, send, many in shares for _ in range(many)),
                )

    async def _repeat(self, name: str, send: Callable[[], Awaitable[httpx.Response]], until: float) -> None:
        while time.time() < until:
            self._statuses[f"{name}: {(await send()).status_code}"] += 1
            await asyncio.sleep(0.005)

    async def _report(self, until: float) -> None:
        while time.time() < until:
            await asyncio.sleep(REPORTED_SECONDS)
            print(f"<!-- answers to the load so far: {dict(self._statuses)} -->", flush=True)


@contextmanager
def loaded(load: Load) -> Iterator[None]:
    """Load until the block ends, and for half an hour at most."""
    process = multiprocessing.Process(target=load.run, args=(time.time() + MOST_SECONDS,), daemon=True)
    process.start()
    try:
        time.sleep(2)
        yield
        assert process.is_alive(), "the load ended before the measurement"
    finally:
        process.kill()
        process.join()


def prepared(url: str, base_url: str) -> tuple[list[Person], Load]:
    """An owner for each pair, and the load of an analyst who may read two wide data sets of somebody else."""
    engine = open_engine(url)
    owners, other, analyst = [person(engine, Role.OWNER) for _ in PAIRS], *(person(engine, r) for r in _OTHER_ROLES)
    engine.dispose()
    with other.client(base_url) as client:
        noise, choice = dataset_of(client, (10,) * 10_000), dataset_of(client, (500,) * 200)
        for dataset_id in (noise, choice):
            grant = {"principal_id": analyst.principal_id, "epsilon": "1000", "delta": "0"}
            client.post(f"/v1/datasets/{dataset_id}/grants", json=grant).raise_for_status()
    return owners, Load(base_url, analyst, noise, choice)


def measure(directory: Path, grid_ms: int, numbers: list[int], answers: int, streams: int) -> None:
    url = f"sqlite:///{directory}/service-{grid_ms}.db"
    migrate(url)
    # The service ends first: then no stream waits for it.
    with ThreadPoolExecutor(streams) as threads, service(url, directory, grid_ms) as (base_url, _):
        owners, load = prepared(url, base_url)
        first_ticks: dict[Pair, float] = {}

        def row(number: int) -> None:
            found = PAIRS[number - 1]
            with owners[number - 1].client(base_url) as client:
                client.timeout = 120
                seconds = measured(client, found, answers)
            # The first tick is a power of two times the least spacing.
            octave = math.floor(math.log2(1e3 * seconds.min() / grid_ms)) if grid_ms else 0
            tick = first_ticks.setdefault(found, grid_ms * 2**octave / 1e3)
            shown = f" {1e3 * tick:.0f} ms |" if grid_ms else ""
            print(f"| {number} |{shown} {in_words(seconds, tick)} |", flush=True)

        for is_loaded in (False, True):
            print(
                f"\nGrid {grid_ms} ms, {'under load' if is_loaded else 'idle'}, {answers} answers of each\n", flush=True
            )
            with loaded(load) if is_loaded else nullcontext():
                list(threads.map(row, numbers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=250, help="of each table, in each state of the machine")
    parser.add_argument("--grids", type=int, nargs="+", default=[0, 25], help="quanta in ms; 0 turns quantization off")
    parser.add_argument("--streams", type=int, default=3, help="pairs that are measured at the same time")
    numbers = range(1, len(PAIRS) + 1)
    parser.add_argument("--pairs", type=int, nargs="+", choices=numbers, default=list(numbers), help="which ones")
    arguments = parser.parse_args()
    end_gently_when_told()
    for number in arguments.pairs:
        print(f"{number}. {PAIRS[number - 1]}")
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        load_keys(Settings.from_environment(environment_of(f"sqlite:///{place}/keys", place)).keys, may_make=True)
        for grid_ms in arguments.grids:
            measure(place, grid_ms, arguments.pairs, arguments.answers, arguments.streams)


if __name__ == "__main__":
    main()
