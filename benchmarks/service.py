"""Counts durable releases per second over HTTP beside an empty request and bare transactions, in one run.

    python -m benchmarks.service [--seconds 3] [--quick]

For SQLite and for a real PostgreSQL: releases/s and latency with 1, 8 and 32 clients, one hot budget and 64 budgets,
time grid on and off. Baselines, measured in the same run: the same server's `async` no-op POST with a small model, and
the bare database transaction of a debit and its result (the service's own statements, without HTTP, drawing, or
batching). The load generator is a raw-socket client in a process of its own, since a full client library would be what
is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import uvicorn
from pydantic import BaseModel

from core.accounting.accountants import Cost
from core.privacy import Epsilon
from service.app import create_app
from service.auth import Role
from service.cli.serving import SERVER_OPTIONS
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.identifiers import new_id
from service.key_file import load_keys
from service.ledger.debit import Debit, DebitHandler, hash_idempotency_key
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.releases.results import Drawn, store_results
from service.settings import Settings
from tests.harness.postgres import PostgresServer

BUDGETS = 64
EPSILON = "0.02"


class _Small(BaseModel):
    prior: list[float]
    epsilon: str


def serve() -> None:
    """The service with one route more: an async no-op POST."""
    app = create_app(Settings.from_environment())

    @app.post("/noop")
    async def noop(body: _Small) -> _Small:
        return body

    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["POSTERIOR_PORT"]), log_level="warning", **SERVER_OPTIONS)


@dataclass(frozen=True)
class Load:
    """What the clients send: a path and body each, in turn."""

    port: int
    key: str
    requests: list[tuple[str, bytes]]
    charging: bool


async def _client(load: Load, number: int, until: float, latencies: list[float], failures: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", load.port)
    count = 0
    while time.perf_counter() < until:
        path, body = load.requests[(number + count) % len(load.requests)]
        idempotency = f"Idempotency-Key: {os.getpid()}-{number}-{count}\r\n" if load.charging else ""
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {load.key}\r\n{idempotency}Content-Type: application/json\r\n"
        started = time.perf_counter()
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        if answer[9:10] == b"2":
            latencies.append(time.perf_counter() - started)
        else:
            failures.append(int(answer[9:12]))
        count += 1
    writer.close()


def _generate(
    load: Load, clients: int, seconds: float, answers: multiprocessing.Queue[tuple[list[float], list[int]]]
) -> None:
    latencies: list[float] = []
    failures: list[int] = []

    async def run() -> None:
        until = time.perf_counter() + seconds
        await asyncio.gather(*(_client(load, number, until, latencies, failures) for number in range(clients)))

    asyncio.run(run())
    answers.put((latencies, failures))


def measure(load: Load, clients: int, seconds: float) -> tuple[float, float, float]:
    """Requests per second, and the median and 99th percentile of their latency in milliseconds."""
    answers: multiprocessing.Queue[tuple[list[float], list[int]]] = multiprocessing.Queue()
    process = multiprocessing.Process(target=_generate, args=(load, clients, seconds, answers))
    process.start()
    latencies, failures = answers.get()
    process.join()
    assert not failures, f"{len(failures)} requests failed, the first with {failures[0]}"
    cuts = statistics.quantiles(latencies, n=100)
    return len(latencies) / seconds, cuts[49] * 1000, cuts[98] * 1000


@contextmanager
def running(url: str, directory: Path, grid_ms: int) -> Iterator[int]:
    """The service on `url`, as a process of its own; yields its port."""
    port = 18_000 + os.getpid() % 1000 + grid_ms % 7
    environment = (
        os.environ
        | environment_of(url, directory)
        | {"POSTERIOR_PORT": str(port), "POSTERIOR_RESPONSE_GRID_MS": str(grid_ms)}
    )
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.service", "--serve"], env=environment)
    try:
        for _ in range(600):
            try:
                httpx.get(f"http://127.0.0.1:{port}/readyz").raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


def environment_of(url: str, directory: Path) -> dict[str, str]:
    return {
        "POSTERIOR_DATABASE_URL": url,
        "POSTERIOR_KEY_FILE": str(directory / "keys.json"),
        "POSTERIOR_RATE_LIMIT_PER_MINUTE": "0",
    }


def prepare(url: str, port: int) -> tuple[str, list[str]]:
    """An owner's key and the ids of 64 data sets, each on a budget of its own."""
    engine = open_engine(url)
    with writing(engine) as connection:
        owner = create_principal(connection, Role.OWNER, "owner")
        _, secret = create_key(connection, owner, issued_by="benchmark", expires_in_days=None)
    engine.dispose()
    ids = []
    for number in range(BUDGETS):
        body = {
            "name": f"data {number}",
            "labels": ["yes", "no"],
            "counts": [33, 200_712],
            "unit": "one child",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {
                "kind": "new",
                "budget": {"accountant": "basic", "name": f"budget {number}", "epsilon": "1000", "delta": 0},
            },
        }
        answer = httpx.post(
            f"http://127.0.0.1:{port}/v1/datasets", json=body, headers={"Authorization": f"Bearer {secret.key}"}
        )
        ids.append(answer.raise_for_status().json()["id"])
    return secret.key, ids


def bare_transactions(url: str, directory: Path, seconds: float) -> float:
    """Releases per second of the bare database work: a debit and a stored result, a transaction each, one after
    another.
    """
    settings = Settings.from_environment(environment_of(url, directory))
    _, signer = load_keys(settings)
    engine = open_engine(url)
    handler = DebitHandler(signer)
    with engine.connect() as connection:
        dataset = connection.exec_driver_sql("SELECT id, budget_id, owner_id, commitment FROM datasets LIMIT 1").one()
        key_id = connection.exec_driver_sql("SELECT id FROM api_keys LIMIT 1").scalar_one()
    count, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        debit = Debit(
            release_id=new_id("rel"),
            principal_id=dataset.owner_id,
            key_id=key_id,
            dataset_id=dataset.id,
            budget_id=dataset.budget_id,
            grant_id=None,
            key_hash=hash_idempotency_key(dataset.owner_id, f"bare-{count}"),
            payload_hash="0" * 64,
            commitment=dataset.commitment,
            mechanism="simplex_geometric",
            cost=Cost(epsilon=Epsilon(1)),
            order="{}",
        )
        with writing(engine) as connection:
            handler(connection, [debit])
        with writing(engine) as connection:
            store_results(connection, [Drawn(debit.release_id, "{}")])
        count += 1
    engine.dispose()
    return count / seconds


def benchmark(name: str, url: str, directory: Path, seconds: float, *, quick: bool) -> None:
    migrate(url)
    print(f"\n{name}")
    body = json.dumps({"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": EPSILON}}).encode()
    small = json.dumps({"prior": [1, 1], "epsilon": EPSILON}).encode()
    with running(url, directory, 0) as port:
        key, ids = prepare(url, port)
        many = Load(port, key, [(f"/v1/datasets/{each}/releases", body) for each in ids], charging=True)
        hot = Load(port, key, many.requests[:1], charging=True)
        noop = Load(port, key, [("/noop", small)], charging=False)
        measure(many, 8, 1)
        row("bare transactions, no HTTP, unbatched", 1, (bare_transactions(url, directory, seconds), 0, 0), None)
        for clients in (32,) if quick else (1, 8, 32):
            base = measure(noop, clients, seconds)
            row("no-op POST", clients, base, None)
            row("releases, 64 budgets", clients, measure(many, clients, seconds), base[0])
            row("releases, one hot budget", clients, measure(hot, clients, seconds), base[0])
    if not quick:
        with running(url, directory, 50) as port:
            for clients in (1, 32):
                row(
                    "releases, 64 budgets, grid 50 ms",
                    clients,
                    measure(Load(port, key, many.requests, charging=True), clients, seconds),
                    None,
                )


def row(what: str, clients: int, figures: tuple[float, float, float], baseline: float | None) -> None:
    rate, median, slowest = figures
    latency = f"p50 {median:6.1f} ms  p99 {slowest:6.1f} ms" if median else " " * 27
    share = f"{rate / baseline:6.1%} of the no-op" if baseline else ""
    print(f"  {what:<38} {clients:>3} clients  {rate:8.0f}/s  {latency}  {share}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each figure is measured")
    parser.add_argument("--quick", action="store_true", help="32 clients and no grid only")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    with tempfile.TemporaryDirectory() as directory, PostgresServer() as postgres:
        place = Path(directory)
        migrated = f"sqlite:///{place}/service.db"
        Settings.from_environment({"POSTERIOR_DATABASE_URL": migrated})
        load_keys(Settings.from_environment(environment_of(migrated, place)), may_make=True)
        benchmark("SQLite (WAL, synchronous=FULL)", migrated, place, arguments.seconds, quick=arguments.quick)
        benchmark(
            "PostgreSQL", postgres.url(postgres.create_database()), place, arguments.seconds, quick=arguments.quick
        )


if __name__ == "__main__":
    main()
