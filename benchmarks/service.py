"""Counts durable releases per second over HTTP, beside an empty request and bare transactions, in one run.

    python -m benchmarks.service [--seconds 2] [--rounds 5] [--quick]

For SQLite and for a real PostgreSQL, at default settings apart from the rate limit: releases per second and their
latency with 1, 32 and 64 clients, on one hot budget and on 64 budgets, and on PostgreSQL with 1 and 2 workers.

The baselines stand beside the service and are measured in the same run. *An empty request* is an `async` POST of one
small model to a FastAPI application of this one route, under the same server options: what no service on this framework
can pass. *Bare transactions* are a debit and its result by the service's own statements, in batches of the size that
the service reaches under 32 clients, without HTTP or drawing.

*The peer* is the service that a competent engineer writes in a day (`benchmarks/_peer.py`), on a database of the same
kind and as durable; the last lines say what its users lack.

Every figure is the median of interleaved rounds, with the least and the largest. The load generator is a raw-socket
client in a process of its own, since a full client library would be what is measured. At the end stands a table in
Markdown, with each figure as a share of the empty request and of the peer in the same run.

`--quick` takes about two minutes on two cores, all of it about twelve.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import queue
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks._peer import ABSENT
from benchmarks._peer import KEY as PEER_KEY
from benchmarks._processes import end
from core.accounting.accountants import Cost
from core.privacy import Epsilon
from service.cli.serving import SERVER_OPTIONS
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.identifiers.identifiers import new_id
from service.ledger.debit import Debit, DebitHandler, hash_idempotency_key
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.runtime.key_file import load_keys
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.installation import store_answers
from tests.harness.postgres import PostgresServer
from tests.harness.process import end_gently_when_told

_ENDING_SECONDS = 60
BUDGETS = 64
EPSILON = "0.02"
METRICS_KEY = "the benchmark reads the sizes of batches"
BODY = json.dumps({"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": EPSILON}}).encode()
SMALL = json.dumps({"prior": [1, 1], "epsilon": EPSILON}).encode()


class Small(BaseModel):
    prior: list[float]
    epsilon: str


def serve_empty(port: int) -> None:
    """A FastAPI application with one route, which returns its request body."""
    app = FastAPI()

    @app.post("/empty")
    async def empty(body: Small) -> Small:
        return body

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", **SERVER_OPTIONS)


@dataclass(frozen=True)
class Load:
    """Requests of the clients: a path and body each, in turn."""

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
    process = multiprocessing.Process(target=_generate, args=(load, clients, seconds, answers), daemon=True)
    process.start()
    latencies, failures = _await_answers(answers, process)
    process.join()
    assert not failures, f"{len(failures)} requests failed, the first with {failures[0]}"
    cuts = statistics.quantiles(latencies, n=100)
    return len(latencies) / seconds, cuts[49] * 1000, cuts[98] * 1000


def _await_answers(
    answers: multiprocessing.Queue[tuple[list[float], list[int]]], process: multiprocessing.Process
) -> tuple[list[float], list[int]]:
    while True:
        try:
            return answers.get(timeout=1)
        except queue.Empty:
            assert process.is_alive(), "the load generator ended: its server hung up"


@contextmanager
def running(*command: str, path: str, environment: Mapping[str, str], port: int) -> Iterator[None]:
    """A server as a process of its own, once `path` answers."""
    process = subprocess.Popen([sys.executable, *command], env=os.environ | environment, stderr=subprocess.DEVNULL)
    try:
        while True:
            assert process.poll() is None, "the server ended"
            try:
                httpx.get(f"http://127.0.0.1:{port}{path}")
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield
    finally:
        end(process, _ENDING_SECONDS)


@contextmanager
def service(url: str, directory: Path, *, workers: int = 1) -> Iterator[int]:
    """The service on `url`, as its command starts it; yields its port."""
    port = free_port()
    environment = environment_of(url, directory) | {"POSTERIOR_PORT": str(port)}
    command = ("-c", "from service.cli.main import main; main()", "serve", "--workers", str(workers))
    with running(*command, path="/readyz", environment=environment, port=port):
        yield port


@contextmanager
def empty_application() -> Iterator[int]:
    """The baseline of one route; yields its port."""
    port = free_port()
    with running("-m", "benchmarks.service", "--serve-empty", str(port), path="/docs", environment={}, port=port):
        yield port


@contextmanager
def peer(url: str) -> Iterator[Load]:
    """The peer on the empty database `url`; yields the load of releases on all its data sets."""
    port = free_port()
    command = ("-m", "benchmarks._peer", url, str(port), "--datasets", str(BUDGETS))
    with running(*command, path="/docs", environment={}, port=port):
        body = json.dumps({"prior": [1, 1], "epsilon": float(EPSILON)}).encode()
        requests = [(f"/datasets/data-{number}/releases", body) for number in range(BUDGETS)]
        yield Load(port, PEER_KEY, requests, charging=True)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def environment_of(url: str, directory: Path) -> dict[str, str]:
    return {
        "POSTERIOR_DATABASE_URL": url,
        "POSTERIOR_KEY_FILE": str(directory / "keys.json"),
        "POSTERIOR_RATE_LIMIT_PER_MINUTE": "0",
        "POSTERIOR_METRICS_KEY": METRICS_KEY,
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


def batch_size(port: int) -> float:
    """Return the mean number of jobs in a transaction of the service since its start."""
    headers = {"Authorization": f"Bearer {METRICS_KEY}"}
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", headers=headers).raise_for_status().text
    count, total = (
        float(re.findall(rf"^posterior_commit_jobs_{name} (\S+)$", text, re.MULTILINE)[0]) for name in ("count", "sum")
    )
    return total / count


def bare_transactions(url: str, directory: Path, batch: int, seconds: float) -> float:
    """Releases per second of the bare database work: `batch` debits in one transaction, their results in another, one
    after the other.
    """
    settings = Settings.from_environment(environment_of(url, directory))
    signer = load_keys(settings.keys).signer
    engine = open_engine(url)
    handler = DebitHandler(signer)
    with engine.connect() as connection:
        datasets = connection.exec_driver_sql("SELECT id, budget_id, owner_id, commitment FROM datasets").all()
        key_id = connection.exec_driver_sql("SELECT id FROM api_keys LIMIT 1").scalar_one()
    count, started = 0, time.perf_counter()
    while time.perf_counter() < started + seconds:
        debits = []
        for number in range(count, count + batch):
            dataset = datasets[number % len(datasets)]
            debit = Debit(
                release_id=new_id("rel"),
                principal_id=dataset.owner_id,
                key_id=key_id,
                dataset_id=dataset.id,
                budget_id=dataset.budget_id,
                grant_id=None,
                key_hash=hash_idempotency_key(dataset.owner_id, f"bare-{started}-{number}"),
                payload_hash="0" * 64,
                commitment=dataset.commitment,
                mechanism="simplex_geometric",
                cost=Cost(epsilon=Epsilon(1)),
                spec="{}",
            )
            debits.append(debit)
        with writing(engine) as connection:
            handler(connection, debits)
        with writing(engine) as connection:
            store_answers(connection, {debit.release_id: "{}" for debit in debits})
        count += batch
    engine.dispose()
    return count / (time.perf_counter() - started)


Figures = tuple[float, float, float]
"""Requests per second, and the median and the 99th percentile of the latency in milliseconds."""


def in_rounds(rounds: int, measures: Mapping[str, Callable[[], Figures]]) -> dict[str, list[Figures]]:
    """Return the figures of each measure. The measures take turns, so that other work on the machine affects all alike."""
    figures: dict[str, list[Figures]] = {name: [] for name in measures}
    for number in range(rounds):
        for name in list(measures)[:: 1 if number % 2 else -1]:
            figures[name].append(measures[name]())
    return figures


def show(figures: Mapping[str, list[Figures]], clients: int, baseline: str | None) -> None:
    base = statistics.median(rate for rate, *_ in figures[baseline]) if baseline else 0.0
    for name, of_rounds in figures.items():
        rates = sorted(rate for rate, *_ in of_rounds)
        middle, slowest = (statistics.median(each[place] for each in of_rounds) for place in (1, 2))
        rate = statistics.median(rates)
        spread = f"[{rates[0]:6.0f} to {rates[-1]:6.0f}]"
        latency = f"p50 {middle:6.1f} ms  p99 {slowest:6.1f} ms" if middle else " " * 27
        share = f"{rate / base:6.1%}" if base else ""
        print(f"  {name:<38} {clients:>3} clients  {rate:8.0f}/s {spread}  {latency}  {share}", flush=True)


def benchmark(
    name: str, url: str, peer_url: str, directory: Path, rounds: int, seconds: float, *, quick: bool
) -> list[str]:
    """Prints the figures on one database, and returns rows of the table in Markdown."""
    migrate(url)
    print(f"\n{name}; the last column is the share of the empty request")
    rows: list[str] = []
    with service(url, directory) as port, empty_application() as empty_port, peer(peer_url) as of_peer:
        key, ids = prepare(url, port)
        many = Load(port, key, [(f"/v1/datasets/{each}/releases", BODY) for each in ids], charging=True)
        hot = Load(port, key, many.requests[:1], charging=True)
        hot_peer = Load(of_peer.port, of_peer.key, of_peer.requests[:1], charging=True)
        empty = Load(empty_port, key, [("/empty", SMALL)], charging=False)
        measure(many, 8, 1)
        measure(of_peer, 8, 1)
        for clients in (32,) if quick else (1, 32, 64):
            loads = {EMPTY: empty, MANY: many, HOT: hot, f"the peer, {MANY}": of_peer, f"the peer, {HOT}": hot_peer}
            figures = in_rounds(rounds, _measures(loads, clients, seconds))
            show(figures, clients, EMPTY)
            rows += [row(name, what, clients, figures) for what in (EMPTY, f"the peer, {MANY}", MANY, HOT)]
        batch = max(1, round(batch_size(port)))
        alone = in_rounds(rounds, {f"bare transactions of {batch}": lambda: bare(url, directory, batch, seconds)})
        show(alone, 1, None)
    if not url.startswith("sqlite"):
        with service(url, directory) as one, service(url, directory, workers=2) as two, empty_application() as port:
            loads = {EMPTY: Load(port, key, empty.requests, charging=False)} | {
                f"{MANY}, workers: {workers}": Load(its_port, key, many.requests, charging=True)
                for workers, its_port in ((1, one), (2, two))
            }
            figures = in_rounds(rounds, _measures(loads, 32, seconds))
            show(figures, 32, EMPTY)
            rows += [row(name, what, 32, figures) for what in loads if what != EMPTY]
    return rows


EMPTY, MANY, HOT = "empty request", "releases, 64 budgets", "releases, one hot budget"


def _measures(loads: Mapping[str, Load], clients: int, seconds: float) -> dict[str, Callable[[], Figures]]:
    return {name: partial(measure, load, clients, seconds) for name, load in loads.items()}


def row(database: str, what: str, clients: int, figures: Mapping[str, list[Figures]]) -> str:
    """A row of the table: the rate with its spread, the latencies, and the shares of both baselines."""
    rates = sorted(rate for rate, *_ in figures[what])
    middle, slowest = (statistics.median(each[place] for each in figures[what]) for place in (1, 2))
    shares = [
        f"{statistics.median(rates) / statistics.median(rate for rate, *_ in figures[base]):.{digits}}"
        if base in figures and base != what
        else ""
        for base, digits in ((EMPTY, "1%"), (f"the peer, {MANY}", "2f"))
    ]
    rate = f"{statistics.median(rates):.0f} ({rates[0]:.0f} to {rates[-1]:.0f})"
    return (
        f"| {database}, {what}, {clients} clients | {rate} | {middle:.0f} / {slowest:.0f} ms | {' | '.join(shares)} |"
    )


def bare(url: str, directory: Path, batch: int, seconds: float) -> Figures:
    return bare_transactions(url, directory, batch, seconds), 0.0, 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a round of each figure takes")
    parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken")
    parser.add_argument("--quick", action="store_true", help="32 clients only")
    parser.add_argument("--serve-empty", type=int, metavar="PORT", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve_empty:
        serve_empty(arguments.serve_empty)
        return
    end_gently_when_told()
    rounds, seconds, quick = arguments.rounds, arguments.seconds, arguments.quick
    with tempfile.TemporaryDirectory() as directory, PostgresServer() as postgres:
        place = Path(directory)
        migrated = f"sqlite:///{place}/service.db"
        load_keys(Settings.from_environment(environment_of(migrated, place)).keys, may_make=True)
        others = (f"sqlite:///{place}/peer.db", postgres.url(postgres.create_database()))
        urls = (migrated, postgres.url(postgres.create_database()))
        rows = [
            row
            for name, url, other in zip(("SQLite", "PostgreSQL"), urls, others, strict=True)
            for row in benchmark(name, url, other, place, rounds, seconds, quick=quick)
        ]
    print("\n| | a second | p50 / p99 | of the empty request | of the peer |\n|---|---|---|---|---|")
    print("\n".join(rows))
    print(f"\nUsers of the peer, which a competent engineer writes in a day, lack: {ABSENT}.")


if __name__ == "__main__":
    main()
