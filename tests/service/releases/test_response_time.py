"""Response times of releases, measured by a client over HTTP: those of the most unequal histograms cannot be
distinguished, and a planted delay can. Requests come in blocks of three in random order: to a data set with all records
in one category, to another with the same counts (the control), and to one with the records spread evenly. If the time
does not depend on the counts, swapping two times within a block does not change their joint distribution, whatever the
load. So a permutation test over such swaps is exact, and needs no quiet machine. Its statistic is that of Kolmogorov
and Smirnov, the largest distance between two empirical distributions.
"""

from __future__ import annotations

import random
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.harness.bodies import budget_body, unique
from tests.harness.server import Party, serving_process
from tests.service.conftest import dataset_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

FALSE_ALARM = 1e-5
"""Probability that one comparison fails by chance. The file makes about a dozen: one failure in ten thousand runs."""
BLOCKS = 60
STREAMS = 2
_SWAPS = 1_000_000
_CHUNK = 50_000

MECHANISMS: list[tuple[dict[str, Any], int, int]] = [
    ({"kind": "simplex_geometric", "epsilon": "0.1"}, 100_000, 2),
    ({"kind": "gaussian", "rho": "0.001", "delta": "1e-6"}, 100_000, 100),
    # The smooth sensitivity is scanned for at every distance where the records are even, and at few where one category
    # is empty.
    ({"kind": "exponential_published", "nominal_epsilon": "0.5", "delta": "1e-6"}, 10_000, 3),
    ({"kind": "exponential_published", "nominal_epsilon": "0.5", "delta": "1e-6"}, 100_000, 10),
]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from request to response, by block; `one` and `control` are of all records in one category, `even` of
    an even spread. Shape (blocks,).
    """

    one: NDArray[np.float64]
    control: NDArray[np.float64]
    even: NDArray[np.float64]

    def __str__(self) -> str:
        medians = ", ".join(f"{name} {np.median(getattr(self, name)):.3f} s" for name in self.__slots__)
        return (
            f"medians: {medians}; p(control) = {same_law(self.one, self.control):.1e}, p(even) = "
            f"{same_law(self.one, self.even):.1e}"
        )


def same_law(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The p-value of the hypothesis that swapping first[i] and second[i] does not change the joint distribution. Random
    swaps from a fixed seed, the observed one among them.
    """
    pairs = len(first)
    order = np.argsort(np.concatenate([first, second]), kind="stable")
    block, sign = order % pairs, np.where(order < pairs, 1, -1).astype(np.int8)
    rng = np.random.default_rng(7)

    def distance(swaps: NDArray[np.int8]) -> NDArray[np.int16]:
        return np.asarray(np.abs(np.cumsum(swaps[:, block] * sign, axis=1, dtype=np.int16)).max(axis=1))

    observed = distance(np.ones((1, pairs), dtype=np.int8))[0]
    as_far = sum(
        int((distance(rng.choice(np.array([-1, 1], dtype=np.int8), (_CHUNK, pairs))) >= observed).sum())
        for _ in range(_SWAPS // _CHUNK)
    )
    return (1 + as_far) / (1 + _SWAPS)


@contextmanager
def owner_of(directory: Path, migrated: Path, grid_ms: int, fault: str = "") -> Iterator[Party]:
    """An owner at a service with this response-time quantum."""
    path = directory / f"{unique('database')}.sqlite3"
    shutil.copy(migrated, path)
    with serving_process(
        directory, f"sqlite:///{path}", fault=fault, response_time_quantum_ms=str(grid_ms), log_level="error"
    ) as server:
        yield server.new("owner")


def measure(owner: Party, mechanism: dict[str, Any], n: int, m: int, streams: int = STREAMS) -> Times:
    """The times of `BLOCKS` blocks."""
    one = [n] + [0] * (m - 1)
    even = [n - (m - 1) * (n // m)] + [n // m] * (m - 1)
    budget = budget_body(epsilon="1000", delta="0.1")
    datasets = {
        name: owner.post(
            "/v1/datasets",
            dataset_body(
                labels=[f"c{i}" for i in range(m)],
                counts=counts,
                budget={"kind": "new", "budget": budget | {"name": unique("budget")}},
            ),
        ).json()["id"]
        for name, counts in {"one": one, "control": one, "even": even}.items()
    }
    body = {"prior": [1] * m, "mechanism": mechanism}
    for dataset_id in datasets.values():  # the certificate is made once, at the first request
        key = unique("key").replace(" ", "-")
        owner.wait_for(partial(owner.release, dataset_id, body, key=key), status=201)

    def seconds(name: str) -> float:
        started = time.perf_counter()
        answer = owner.release(datasets[name], body)
        elapsed = time.perf_counter() - started
        assert answer.status_code == 201, answer.text
        return elapsed

    def block(order: list[str]) -> dict[str, float]:
        return {name: seconds(name) for name in order}

    rng = random.Random(11)
    orders = [rng.sample(sorted(datasets), 3) for _ in range(BLOCKS)]
    with ThreadPoolExecutor(streams) as threads:
        blocks = list(threads.map(block, orders))
    times = Times(**{name: np.array([each[name] for each in blocks]) for name in datasets})
    print(f"{mechanism['kind']} n={n} m={m}: {times}")  # noqa: T201  a report of the long run
    assert same_law(times.one, times.control) > FALSE_ALARM, "the experiment tells apart what is the same"
    return times


@pytest.mark.parametrize(("mechanism", "n", "m"), MECHANISMS)
def test_response_times_do_not_tell_extreme_histograms_apart(
    mechanism: dict[str, Any], n: int, m: int, migrated_sqlite: Path, tmp_path: Path
) -> None:
    with owner_of(tmp_path, migrated_sqlite, 200) as owner:
        times = measure(owner, mechanism, n, m)
    assert same_law(times.one, times.even) > FALSE_ALARM


@pytest.mark.parametrize(
    # A delay past the tick stays below the second after which a draw process is killed.
    ("planted_seconds", "grid_ms", "caught"),
    [(0.2, 0, True), (0.2, 800, False), (0.4, 200, True)],
)
def test_a_planted_delay_is_detected_without_quantization_and_past_a_tick_and_hidden_before_one(
    planted_seconds: float,
    grid_ms: int,
    caught: bool,  # noqa: FBT001  a parameter of the test
    migrated_sqlite: Path,
    tmp_path: Path,
) -> None:
    mechanism, n, m = MECHANISMS[0]
    with owner_of(tmp_path, migrated_sqlite, grid_ms, f"late_draws:{planted_seconds}") as owner:
        # One caller alone: a second one would wait behind the planted delays too, and they would tell less.
        times = measure(owner, mechanism, n, m, streams=1)
    assert (same_law(times.one, times.even) <= FALSE_ALARM) == caught
