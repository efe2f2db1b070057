"""Measures a polite caller's releases while one analyst and one owner make all known attacks together.

    python -m benchmarks.hostile [--seconds 60] [--grids 0 25] [--databases sqlite postgresql] [--attacks NAME ...]
                                 [--behind-nginx]

For each database, and with response-time quantization off and at its default: the latency of releases by one polite caller, first
alone for half of `--seconds`, then beside all attacks at once, in the same run against the same process. Each part has
three rounds of equal length, and its p99 is the median of theirs. What is printed is the ratio of the two, the requests
of the polite caller that failed, what the attackers were answered, the memory of the process before and after, and how
long it took to end after SIGTERM, while the attacks went on; at the end a table of the ratios. The whole takes
four times as long as twice `--seconds`: eight minutes. It ends by itself, and removes its services and databases
when it is terminated.

The attackers run in a process of their own at the lowest priority. They share the machine with the
service, so what they take of its processors is in the ratio too. `--behind-nginx` puts nginx before the service, with
the configuration in `deploy/`; the attackers then have other addresses than the polite caller, one for requests and one
for connections that they hold.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import psutil
from sqlalchemy import Engine

from benchmarks.service import environment_of, free_port
from core.accounting.accountants import BudgetTerms
from core.privacy import Delta, Epsilon
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.ledger.budget_changes import open_budget
from service.runtime.key_file import load_keys
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import of_releases, registration
from tests.harness.nginx import nginx
from tests.harness.people import Person, person
from tests.harness.postgres import PostgresServer
from tests.harness.process import end_gently_when_told

BUDGETS: Final = 3_000
ASKING, HOLDING = "127.0.0.2", "127.0.0.3"
"""Addresses of the attackers, which the proxy limits apart from that of the polite caller."""
PREFIX: Final = "/posterior"


@dataclass(frozen=True)
class Size:
    """A data set's categories, the records of each of them, and the concentration for each and the ε that draws from it
    take.
    """

    categories: int
    records: int
    concentration: float
    epsilon: str


SLOWEST: Final = Size(1000, 300, 1e6, "0.01")
"""A slow draw, estimated at 15 s of the default limit of 20 s; even counts take 3 s."""
SLOW: Final = Size(250, 400, 1e6, "0.006")
"""Estimated at 2.5 s; even counts take 2 s."""
IN_TURNS: Final = Size(120, 50, 1e3, "0.0001")
"""Among the slowest draws that are not slow: estimated at 0.18 s, one after the other."""
SHORT: Final = Size(20, 50, 1.0, "0.0001")
"""Among the slowest draws that are short: estimated at 29 ms, one after the other."""
PAUSE_SECONDS: Final = 0.01
ROUNDS: Final = 3
STARTING_SECONDS: Final = 120
GRACE_SECONDS: Final = 30
"""A request has 20 s to end, and the process a few more to close."""
WANTED_RATIO: Final = 3
LARGE: Final = 1_900_000
ENDLESS: Final = {
    "prior": [1] * 1000,
    "data": {"kind": "shape", "shape": "falling", "record_count": 1_000_000},
    "epsilons": ["1"],
    "delta": "1e-9",
    "target_error": 0.01,
}
LONG_CERTIFICATE: Final = {"kind": "exponential", "calibration": "certified", "epsilon": "0.25"}


@dataclass(frozen=True)
class Scene:
    """Knowledge of the attackers: the address of the service, their keys, and the ids of their objects."""

    url: str
    owner: str
    analyst: str
    drawn_from: dict[Size, str]
    long: str
    """A data set of 10 000 categories, with releases."""
    thousands: str
    """A release from ten million records in 100 categories; public."""
    largest: str
    """A release from 2⁵³ records in two categories."""


def register(client: httpx.Client, counts: list[int]) -> str:
    budget = {
        "accountant": "basic",
        "name": f"{len(counts)} categories, {counts[0]} each",
        "epsilon": "1000",
        "delta": "1e-3",
    }
    body = registration(counts, budget={"kind": "new", "budget": budget})
    return str(client.post("/v1/datasets", json=body).raise_for_status().json()["id"])


def share(category: int) -> dict[str, Any]:
    """The share of one category that `register` made."""
    return {"of": {"labels": [f"category {category}"]}}


def release(client: httpx.Client, dataset_id: str, key: str, m: int, epsilon: str = "0.1") -> httpx.Response:
    body = {"prior": [1] * m, "mechanism": {"kind": "simplex_geometric", "epsilon": epsilon}}
    return client.post(f"/v1/datasets/{dataset_id}/releases", json=body, headers={"Idempotency-Key": key})


def prepare(engine: Engine, url: str) -> tuple[Scene, Person, str]:
    """The attackers' scene, and the polite owner with a data set."""
    owner, analyst, polite = person(engine, Role.OWNER), person(engine, Role.ANALYST), person(engine, Role.OWNER)
    with owner.client(url) as client:
        hundred = register(client, [100_000] * 100)
        thousands = release(client, hundred, "attack", 100).raise_for_status().json()["id"]
        client.patch(f"/v1/releases/{thousands}", json={"public": True}).raise_for_status()
        largest = release(client, register(client, [2**52, 2**52]), "attack-largest", 2).raise_for_status().json()["id"]
        long = register(client, [10] * 10_000)
        for number in range(3):
            release(client, long, f"attack-long-{number}", 10_000).raise_for_status()
        sizes = (SLOWEST, SLOW, IN_TURNS, SHORT)
        drawn_from = {size: register(client, [size.records] * size.categories) for size in sizes}
        scene = Scene(url, owner.key, analyst.key, drawn_from, long, thousands, largest)
    # More than the quota lets anybody open: an installation may have let them, and they must not hold up a key.
    with writing(engine) as connection:
        for number in range(BUDGETS):
            terms = BudgetTerms.basic(Epsilon.parse("1"), Delta(0))
            open_budget(connection, owner=owner.principal_id, name=f"budget {number}", terms=terms)
    with polite.client(url) as client:
        return scene, polite, register(client, [33, 200_712])


class Attack:
    """Attacks by name, each sent repeatedly from a few connections until the time is up; `statuses` counts them."""

    def __init__(self, scene: Scene, until: float, chosen: list[str]) -> None:
        self._scene, self._end_time, self._chosen_kind = scene, until, chosen
        self.statuses: dict[str, Counter[str]] = {}

    async def run(self) -> None:
        scene = self._scene
        greater = {
            "questions": [{"kind": "difference", "first": share(0), "second": share(each)} for each in range(1, 51)]
        }
        comparison = {
            "first": of_releases(scene.thousands) | share(0),
            "second": of_releases(scene.largest) | share(0),
        }
        owner, analyst = f"Bearer {scene.owner}", f"Bearer {scene.analyst}"
        public = f"/v1/public/releases/{scene.thousands}"
        big = json.dumps({"prior": [1] * (LARGE // 2 - 100)}).replace(" ", "").encode()
        transport = httpx.AsyncHTTPTransport(local_address=ASKING, limits=httpx.Limits(max_connections=200))
        async with httpx.AsyncClient(base_url=scene.url, timeout=120, transport=transport) as http:

            def post(path: str, who: str, body: object) -> Callable[[int], Awaitable[httpx.Response]]:
                return lambda _: http.post(path, json=body, headers={"Authorization": who})

            def get(path: str, who: str = "") -> Callable[[int], Awaitable[httpx.Response]]:
                return lambda _: http.get(path, headers={"Authorization": who} if who else {})

            def draw(size: Size) -> Callable[[int], Awaitable[httpx.Response]]:
                # A space of candidates this large needs a delta; without, the request is refused before anything else.
                mechanism = {"kind": "exponential_global", "epsilon": size.epsilon, "delta": "1e-9"}
                body = {"prior": [size.concentration] * size.categories, "mechanism": mechanism}

                async def send(number: int) -> httpx.Response:
                    key = f"slow-{os.getpid()}-{number}-{time.time_ns()}"
                    headers = {"Authorization": owner, "Idempotency-Key": key}
                    return await http.post(
                        f"/v1/datasets/{scene.drawn_from[size]}/releases", json=body, headers=headers
                    )

                return send

            async def a_plan(number: int) -> httpx.Response:
                body = ENDLESS | {"epsilons": [str(1 + number % 7)]}
                return await http.post("/v1/plans", json=body, headers={"Authorization": analyst})

            async def a_certificate(number: int) -> httpx.Response:
                body = {"record_count": 200 + number % 100, "prior": [1, 1], "mechanism": LONG_CERTIFICATE}
                return await http.post("/v1/certificates", json=body, headers={"Authorization": analyst})

            async def a_body(number: int) -> httpx.Response:
                headers = {"Content-Type": "application/json"} | ({"Authorization": owner} if number % 2 else {})
                return await http.post("/v1/plans", content=big, headers=headers)

            async def a_stranger(number: int) -> httpx.Response:
                return await http.get("/v1/datasets", headers={"Authorization": f"Bearer pp_{number}-{time.time_ns()}"})

            attacks: dict[str, tuple[int, Callable[[int], Awaitable[httpx.Response]]]] = {
                "99 comparisons": (2, post("/v1/posteriors", owner, of_releases(scene.thousands) | greater)),
                "posterior at n = 2^53": (2, post("/v1/posteriors", owner, of_releases(scene.largest))),
                "comparison": (2, post("/v1/comparisons", owner, comparison)),
                "plan without end": (2, a_plan),
                "slow draws": (6, draw(SLOW)),
                "slowest draws": (6, draw(SLOWEST)),
                "draws in turns": (8, draw(IN_TURNS)),
                "short draws": (8, draw(SHORT)),
                "keys of 3000 budgets": (2, post("/v1/keys", owner, {})),
                "certificates": (4, a_certificate),
                "bodies of 2 MB": (8, a_body),
                "releases at m = 10 000": (2, get(f"/v1/releases?dataset_id={scene.long}&limit=200", owner)),
                "statement at m = 10 000": (2, get(f"/v1/datasets/{scene.long}/statement?limit=1000", owner)),
                "public pictures": (2, get(f"{public}/plot.svg")),
                "public documents": (4, get(public)),
                "unknown keys": (4, a_stranger),
            }
            tasks = [
                self._repeat(name, send)
                for name, (many, send) in attacks.items()
                if self._is_chosen(name)
                for _ in range(many)
            ]
            halves = [what for what in ("head", "body") if self._is_chosen(f"half a {what}")]
            await asyncio.gather(*tasks, *(self._send_half_requests(what) for what in halves for _ in range(20)))

    def _is_chosen(self, name: str) -> bool:
        return not self._chosen_kind or name in self._chosen_kind

    async def _repeat(self, name: str, send: Callable[[int], Awaitable[httpx.Response]]) -> None:
        statuses, number = self.statuses.setdefault(name, Counter()), 0
        while time.time() < self._end_time:
            number += 1
            try:
                async with asyncio.timeout(max(0.1, self._end_time - time.time())):
                    statuses[str((await send(number)).status_code)] += 1
            except (httpx.HTTPError, TimeoutError) as error:
                statuses[type(error).__name__] += 1
            await asyncio.sleep(0.01)

    async def _send_half_requests(self, what: str) -> None:
        """Send endless headers, and headers whose bodies never come."""
        statuses = self.statuses.setdefault(f"half a {what}", Counter())
        url = urlsplit(self._scene.url)
        encryption = ssl.create_default_context() if url.scheme == "https" else None
        while time.time() < self._end_time:
            with contextlib.suppress(OSError, TimeoutError):
                reader, writer = await asyncio.open_connection(
                    url.hostname, url.port, ssl=encryption, local_addr=(HOLDING, 0)
                )
                head = (
                    f"POST {url.path}/v1/plans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self._scene.analyst}\r\n"
                )
                writer.write(head.encode() + (b"Content-Length: 1900000\r\n\r\n[" if what == "body" else b""))
                async with asyncio.timeout(max(0.1, self._end_time - time.time())):
                    while what == "head":
                        writer.write(b"X-Endless: " + b"x" * 1000 + b"\r\n")
                        await writer.drain()
                        await asyncio.sleep(0.05)
                    await reader.read(100)
                writer.close()
            statuses["ended"] += 1
            await asyncio.sleep(0.1)


def attack(
    scene: Scene, seconds: float, chosen: list[str], statuses: multiprocessing.Queue[dict[str, Counter[str]]]
) -> None:
    os.nice(19)
    running = Attack(scene, time.time() + seconds, chosen)
    asyncio.run(running.run())
    statuses.put(running.statuses)


@contextlib.contextmanager
def attacking(scene: Scene, seconds: float, chosen: list[str]) -> Iterator[Callable[[], dict[str, Counter[str]]]]:
    """Attack for a number of seconds, or until the block ends; yields an awaitable of the statuses that the attackers
    received.
    """
    statuses: multiprocessing.Queue[dict[str, Counter[str]]] = multiprocessing.Queue()
    attackers = multiprocessing.Process(target=attack, args=(scene, seconds, chosen, statuses), daemon=True)
    attackers.start()
    try:
        yield lambda: statuses.get(timeout=seconds + GRACE_SECONDS)
    finally:
        attackers.kill()
        attackers.join()


@dataclass(frozen=True)
class Rounds:
    """The latencies of a polite caller's releases, by round, and the statuses of those that failed."""

    latencies: list[list[float]]
    failed: Counter[str]

    @property
    def p99_ms(self) -> list[float]:
        return [1000 * statistics.quantiles(each, n=100)[98] for each in self.latencies]

    @property
    def p50_ms(self) -> float:
        return 1000 * statistics.median(self.all)

    @property
    def all(self) -> list[float]:
        return [each for of_round in self.latencies for each in of_round]

    def in_words(self) -> str:
        rounds = ", ".join(f"{each:.0f}" for each in self.p99_ms)
        return (
            f"p99 {statistics.median(self.p99_ms):.0f} ms (rounds: {rounds}), p50 {self.p50_ms:.0f} ms, longest "
            f"{1000 * max(self.all):.0f} ms, {len(self.all)} releases, failed: {dict(self.failed) or 'none'}"
        )


def releases(url: str, polite: Person, dataset_id: str, seconds: float) -> Rounds:
    """Return the latencies and failures of a polite caller, whose releases come one after the other."""
    found = Rounds([], Counter())
    with polite.client(url) as client:
        for _ in range(ROUNDS):
            latencies, until = list[float](), time.monotonic() + seconds / ROUNDS
            while time.monotonic() < until or len(latencies) < 2:
                started = time.perf_counter()
                try:
                    answer = release(client, dataset_id, f"polite-{time.time_ns()}", 2, "0.01")
                    found.failed.update([str(answer.status_code)] if answer.is_error else [])
                except httpx.HTTPError as error:
                    found.failed.update([type(error).__name__])
                latencies.append(time.perf_counter() - started)
                time.sleep(PAUSE_SECONDS)
            found.latencies.append(latencies)
    return found


@contextlib.contextmanager
def service(
    url: str, directory: Path, grid_ms: int, *, proxied: bool = False
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The service with the limits that it has by default; yields the address at which callers find it, and its
    process.
    """
    port = free_port()
    chosen = {
        "POSTERIOR_PORT": str(port),
        "POSTERIOR_RESPONSE_TIME_QUANTUM_MS": str(grid_ms),
        "POSTERIOR_LOG_LEVEL": "error",
    } | ({"POSTERIOR_ROOT_PATH": PREFIX, "POSTERIOR_BEHIND_PROXY": "true"} if proxied else {})
    environment = {**os.environ, **environment_of(url, directory), **chosen}
    del environment["POSTERIOR_RATE_LIMIT_PER_MINUTE"]
    command = [sys.executable, "-c", "from service.cli.main import main; main()", "serve"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + STARTING_SECONDS
    try:
        while True:
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server does not start"
            with contextlib.suppress(httpx.HTTPError):
                httpx.get(f"http://127.0.0.1:{port}/readyz")
                break
            time.sleep(0.1)
        own_url = f"http://127.0.0.1:{port}"
        if not proxied:
            yield own_url, process
            return
        with nginx(own_url) as proxy:
            # Clients trust what this names.
            os.environ["SSL_CERT_FILE"] = str(proxy.certificate)
            yield proxy.url, process
    finally:
        os.environ.pop("SSL_CERT_FILE", None)
        process.kill()
        process.wait()


@dataclass(frozen=True)
class Verdict:
    """Result for one database with one quantum."""

    name: str
    grid_ms: int
    idle: Rounds
    attacked: Rounds
    ended: str

    @property
    def ratio(self) -> float:
        return statistics.median(self.attacked.p99_ms) / statistics.median(self.idle.p99_ms)

    def in_words(self) -> str:
        failed = sum(self.attacked.failed.values())
        said = "below" if self.ratio < WANTED_RATIO else "NOT below"
        return (
            f"{self.name:<10} grid {self.grid_ms:>2} ms: p99 under attack {self.ratio:5.2f} times that alone, {said} "
            f"{WANTED_RATIO}; {failed} of {len(self.attacked.all)} failed; {self.ended}"
        )


def stop_and_report(process: subprocess.Popen[bytes]) -> str:
    """Terminate the service, and return how it ended."""
    started = time.monotonic()
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"did NOT end within {GRACE_SECONDS} s of SIGTERM"
    return f"ended {time.monotonic() - started:.1f} s after SIGTERM"


def benchmark(
    name: str, database_url: str, directory: Path, grid_ms: int, seconds: float, chosen: list[str], *, proxied: bool
) -> Verdict:
    migrate(database_url)
    engine = open_engine(database_url)
    with service(database_url, directory, grid_ms, proxied=proxied) as (url, process):
        scene, polite, dataset_id = prepare(engine, url)
        engine.dispose()
        memory = psutil.Process(process.pid).memory_info
        releases(url, polite, dataset_id, 3)
        idle = releases(url, polite, dataset_id, seconds / 2)
        before = memory().rss
        with attacking(scene, seconds + GRACE_SECONDS / 2, chosen) as answered:
            time.sleep(1)
            attacked = releases(url, polite, dataset_id, seconds)
            after = memory().rss
            verdict = Verdict(name, grid_ms, idle, attacked, stop_and_report(process))
            statuses = answered()
    print(f"\n{verdict.in_words()}")
    print(f"  alone:        {idle.in_words()}")
    print(f"  under attack: {attacked.in_words()}")
    print(f"  memory of the process: {before / 2**20:.0f} and {after / 2**20:.0f} MB")
    for attack_name, counted in sorted(statuses.items()):
        print(f"    {attack_name:<26} {' '.join(f'{status}: {count}' for status, count in counted.most_common())}")
    sys.stdout.flush()
    return verdict


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the attacks last")
    parser.add_argument("--grids", type=int, nargs="+", default=[0, 25], help="response-time quanta")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"], help="sqlite, postgresql")
    parser.add_argument("--attacks", nargs="+", default=[], help="those alone, by the names that are printed")
    parser.add_argument("--behind-nginx", action="store_true", help="nginx before the service, as deploy/ has it")
    arguments = parser.parse_args()
    end_gently_when_told()
    verdicts = list[Verdict]()
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        place = Path(directory)
        load_keys(Settings.from_environment(environment_of(f"sqlite:///{place}/keys", place)).keys, may_make=True)
        server: Any = stack.enter_context(PostgresServer()) if "postgresql" in arguments.databases else None
        for grid_ms in arguments.grids:
            given = (place, grid_ms, arguments.seconds, arguments.attacks)
            urls = {"SQLite": f"sqlite:///{place}/service-{grid_ms}.db"} if "sqlite" in arguments.databases else {}
            if server is not None:
                urls["PostgreSQL"] = server.url(server.create_database())
            verdicts += [benchmark(name, url, *given, proxied=arguments.behind_nginx) for name, url in urls.items()]
    print()
    for verdict in verdicts:
        print(verdict.in_words())


if __name__ == "__main__":
    main()
