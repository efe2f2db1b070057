"""Counts charged queries per second over HTTP beside charged releases, with 1 and 64 callers on one data set, in one
run.

    python -m benchmarks.charged_queries [--seconds 3] [--rounds 3] [--cells 6]

Each caller is an analyst with a grant of its own, since what one caller asks for takes turns. A query is a random set of
cells with a half width far below what its caller knows, so that each is measured; a release is `simplex_geometric`. The
service runs on a SQLite file with response-time quantization off. Rounds of both are interleaved; every figure is the median of the
rounds, with the least and the largest. A caller waits as long as Retry-After says; only
answers count.
"""

from __future__ import annotations

import argparse
import itertools
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import httpx

from service.database.migration import migrate
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, registration
from tests.harness.people import Person, person
from tests.harness.process import Process, end_gently_when_told

_CALLERS: Final = (1, 64)
_HALF_WIDTHS: Final = (40.0, 400.0)
"""Range of the half width of a query. It is drawn for each query, so that history never answers it."""
_NUMBERS = itertools.count()


def ask(client: httpx.Client, dataset_id: str, rng: random.Random, cells: int) -> httpx.Response:
    chosen = [0] * cells
    while len(set(chosen)) == 1:
        chosen = [rng.randint(0, 10**6) for _ in range(cells)]
    half_width = 10**6 * rng.uniform(*_HALF_WIDTHS)
    query = {"weights": chosen, "half_width": half_width}
    body = {"kind": "queries", "queries": [query], "max_charge": {"epsilon": "1000"}}
    return client.post(f"/v1/datasets/{dataset_id}/releases", json=body, headers=_key())


def release(client: httpx.Client, dataset_id: str, cells: int) -> httpx.Response:
    body = {"prior": [1] * cells, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.001"}}
    return client.post(f"/v1/datasets/{dataset_id}/releases", json=body, headers=_key())


def _key() -> dict[str, str]:
    return {"Idempotency-Key": f"benchmark-{next(_NUMBERS)}"}


def rate(clients: list[httpx.Client], seconds: float, request: Callable[[httpx.Client], httpx.Response]) -> float:
    """Answers per second of all clients together, each asking one after the other."""
    end = time.monotonic() + seconds

    def one(client: httpx.Client) -> int:
        count = 0
        while time.monotonic() < end:
            answer = request(client)
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:  # others were in front for too long
                time.sleep(float(answer.headers["Retry-After"]))
                continue
            count += answer.raise_for_status().is_success
        return count

    started = time.monotonic()
    with ThreadPoolExecutor(len(clients)) as threads:
        total = sum(threads.map(one, clients))
    return total / (time.monotonic() - started)


def study(server: Process, owner: Person, analysts: list[Person], cells: int) -> str:
    """A new data set, so that no round has the history of the one before; each analyst has a grant."""
    budget = {"kind": "new", "budget": budget_body(epsilon="1000", delta="0")}
    with owner.client(server.url) as client:
        made = client.post("/v1/datasets", json=registration([1000] * cells, budget=budget)).raise_for_status().json()
        for each in analysts:
            body = {"principal_id": each.principal_id, "epsilon": "1000", "delta": "0"}
            client.post(f"/v1/datasets/{made['id']}/grants", json=body).raise_for_status()
    dataset_id: str = made["id"]
    return dataset_id


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cells", type=int, default=6)
    arguments = parser.parse_args()
    end_gently_when_told()
    cells, rng = arguments.cells, random.Random(1)
    directory = Path(tempfile.mkdtemp(prefix="charged-queries-"))
    url = f"sqlite:///{directory / 'posterior.sqlite3'}"
    migrate(url)
    owner = person(url, Role.OWNER)
    analysts = [person(url, Role.ANALYST) for _ in range(max(_CALLERS))]
    print(f"{'callers':>8} {'queries/s':>24} {'releases/s':>24}   on one data set of {cells} cells")
    try:
        with Process(url) as server:
            clients = [each.client(server.url) for each in analysts]
            for callers in _CALLERS:
                found: tuple[list[float], list[float]] = ([], [])
                for _ in range(arguments.rounds):
                    dataset_id = study(server, owner, analysts[:callers], cells)
                    using, seconds = clients[:callers], arguments.seconds
                    found[0].append(rate(using, seconds, partial(ask, dataset_id=dataset_id, rng=rng, cells=cells)))
                    found[1].append(rate(using, seconds, partial(release, dataset_id=dataset_id, cells=cells)))
                shown = [f"{statistics.median(each):8.1f} ({min(each):.1f} to {max(each):.1f})" for each in found]
                print(f"{callers:>8} {shown[0]:>24} {shown[1]:>24}")
            for client in clients:
                client.close()
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
