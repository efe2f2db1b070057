"""Compares the CPU time and the memory of this version with those of another one, in one run.

    python -m benchmarks.versions [--before DIRECTORY] [--rounds 3] [--seconds 4]
        [--only computations pages releases postgresql]

DIRECTORY is a checkout of version 0.2 or later, in which `make .venv/dev` was run. Without it, this version is compared
with itself, which shows the noise. Both take turns, so that other work on the machine affects both alike. The baseline
of each row is the other version.

*Computations* run in a process of their own, with empty caches. *Pages* are those of a service on SQLite at default
settings: the CPU time is that of the service and of all its processes. Each round asks about a data set and a release
that no request has named before. *Releases* are charged by 1, 32 and 64 clients on 64 budgets, of both versions and of
the peer (`benchmarks/_peer.py`); at 64 clients, `/livez` is asked every 50 ms. *postgresql* is releases on PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import psutil

from benchmarks._processes import end
from benchmarks.service import BUDGETS, Load, environment_of, free_port, measure, peer
from tests.harness.postgres import PostgresServer
from tests.harness.process import end_gently_when_told

HERE: Final = Path(__file__).parents[1]
FILES: Final = ("shares.csv", "data.json", "picture.svg", "report.txt", "repeat.py", "repeat.R", "repeat.sh")
_COMPUTATIONS: Final = """
import json, sys, time
from itertools import combinations
from core.margins.allotment import Workload, allot
from core.mechanisms.exponential.calibration import calibrate_certified
from core.privacy import Delta, Epsilon, NeighbourRelation, Rho
from service.posteriors.plans import plan
from service.schemas.plans import PlanCreate
def planned(m):
    data = {"kind": "shape", "shape": "even", "record_count": 1000 * m}
    plan(PlanCreate.model_validate({"prior": [1] * m, "data": data, "delta": "1e-8", "epsilons": ["0.5"]}))
def triples():
    wanted = tuple(combinations(range(10), 3))
    allot(Workload((2,) * 10, wanted, (1.0,) * 120, NeighbourRelation.ADD_REMOVE), Rho.parse("1")).half_widths(0.95)
work = {
    "plan, m = 12": lambda: planned(12),
    "plan, m = 100": lambda: planned(100),
    "plan, m = 1 000": lambda: planned(1000),
    "half widths of the triples of ten binary attributes": triples,
    "certified calibration, m = 4, n = 54, ε = 0.8":
        lambda: calibrate_certified(54, (1.0,) * 4, Epsilon.parse("0.8"), Delta.parse("0")),
}
import scipy.optimize
if sys.argv[1:]:
    started = time.process_time()
    work[sys.argv[1]]()
    print(time.process_time() - started)
else:
    print(json.dumps(list(work)))
"""
_PEOPLE: Final = """
import os
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.runtime.key_file import load_keys
from service.schemas.principals import Role
from service.settings.settings import Settings
on_sqlite = os.environ | {"POSTERIOR_DATABASE_URL": "sqlite:///any.db"}  # the keys of PostgreSQL are made by hand
load_keys(Settings.from_environment(on_sqlite).keys, may_make=True)
migrate(os.environ["POSTERIOR_DATABASE_URL"])
with writing(open_engine(os.environ["POSTERIOR_DATABASE_URL"])) as connection:
    for role in (Role.OWNER, Role.ANALYST):
        principal = create_principal(connection, role, role.value)
        print(create_key(connection, principal, issued_by="benchmark", expires_in_days=None)[1].key)
"""
Rows = dict[str, dict[str, list[float]]]


def python(root: Path, code: str, *arguments: str, **environment: str) -> str:
    """Return what a program prints that imports the version in `root`."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("POSTERIOR_")}
    return subprocess.run(
        [root / ".venv/bin/python", "-c", code, *arguments],
        cwd=root,
        env=clean | environment | {"PYTHONPATH": str(root)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


class Version:
    """A service of one version, with an owner and an analyst."""

    def __init__(self, name: str, root: Path, database_url: str, directory: Path, stack: ExitStack) -> None:
        self.name, self.port = name, free_port()
        url = f"http://127.0.0.1:{self.port}"
        environment = environment_of(database_url, directory)
        self.key, analyst = python(root, _PEOPLE, **environment).split()
        process = subprocess.Popen(
            [root / ".venv/bin/python", "-c", "from service.cli.main import main; main()", "serve"],
            cwd=root,
            env=os.environ | environment | {"POSTERIOR_PORT": str(self.port), "PYTHONPATH": str(root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(end, process, 60)
        self._process = psutil.Process(process.pid)
        while not self._is_ready(url):
            assert process.poll() is None, "the server ended"
            time.sleep(0.1)
        self.owner, self.pages = self._clients(url, self.key)
        self.analyst, self.analysts_pages = self._clients(url, analyst)
        paths = self.owner.get("/openapi.json").json()["paths"]
        self._has_former_address = "/v1/releases/{release_id}/posterior" in paths  # in version 0.2
        self._idle = 0.0
        self._idle = self.cpu(lambda: time.sleep(5)) / 5.8

    def _is_ready(self, url: str) -> bool:
        try:
            return httpx.get(f"{url}/readyz").is_success
        except httpx.HTTPError:
            return False

    def _clients(self, url: str, key: str) -> tuple[httpx.Client, httpx.Client]:
        api = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=120)
        session = api.post("/v1/keys", json={"kind": "session"}).json()["key"]
        return api, httpx.Client(base_url=url, cookies={"posterior_session": session}, timeout=120)

    def processes(self) -> list[psutil.Process]:
        return [self._process, *self._process.children(recursive=True)]

    def cpu(self, work: Callable[[], object]) -> float:
        """Return the CPU seconds of the service for this work, without those of the same time without work."""
        time.sleep(0.4)
        before, started = self._used_seconds(), time.monotonic()
        work()
        time.sleep(0.4)
        return max(0.0, self._used_seconds() - before - self._idle * (time.monotonic() - started))

    def _used_seconds(self) -> float:
        total = 0.0
        for each in self.processes():
            with suppress(psutil.NoSuchProcess):
                total += sum(each.cpu_times()[:4])  # with those of its children that ended
        return total

    def memory(self) -> float:
        """Return the memory of all processes in MB, shared pages counted once."""
        return sum(each.memory_full_info().pss for each in self.processes()) / 1e6

    def post(self, path: str, body: object, **headers: str) -> Any:
        answer = self.owner.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        found = answer.json()
        while answer.status_code in {httpx.codes.ACCEPTED, httpx.codes.CONFLICT}:
            time.sleep(0.2)
            answer = self.owner.get(f"/v1/jobs/{found['id']}/result")
        return answer.json()

    def dataset(self, m: int, name: str) -> str:
        amounts = {"accountant": "basic", "name": name, "epsilon": "1000", "delta": "0.00001"}
        body = {
            "name": name,
            "labels": [f"{name}-{number}" for number in range(m)],
            "counts": [100 + 7 * (number % 13) for number in range(m)],
            "unit": "one child",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {"kind": "new", "budget": amounts},
        }
        dataset_id = str(self.post("/v1/datasets", body)["id"])
        analyst = self.analyst.get("/v1/me").json()["principal"]["id"]
        grant = {"principal_id": analyst, "epsilon": "20", "delta": "0.000001"}
        self.post(f"/v1/datasets/{dataset_id}/grants", grant)
        return dataset_id

    def release(self, dataset_id: str, m: int) -> str:
        body = {"prior": [1] * m, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}}
        found = self.post(f"/v1/datasets/{dataset_id}/releases", body, **{"Idempotency-Key": f"once-{dataset_id}"})
        return str(found["id"])

    def posterior(self, release_id: str, level: float) -> None:
        if self._has_former_address:
            self.post(f"/v1/releases/{release_id}/posterior", {"level": level})
        else:
            self.post("/v1/posteriors", {"sources": [{"kind": "release", "release_id": release_id}], "level": level})

    def show(self, *paths: str, is_planning: bool = False) -> None:
        for path in paths:
            answer = (self.analysts_pages if is_planning else self.pages).get(path)
            assert answer.status_code in {200, 503}, (path, answer.status_code)  # 503: it takes too long


def computations(roots: dict[str, Path], rounds: int, rows: Rows) -> None:
    for what in json.loads(python(HERE, _COMPUTATIONS)):
        for number in range(rounds):
            for name in list(roots)[:: 1 if number % 2 else -1]:
                rows[f"{what}, s"][name].append(float(python(roots[name], _COMPUTATIONS, what)))
        show({f"{what}, s": rows[f"{what}, s"]})


def pages(versions: list[Version], rounds: int, rows: Rows) -> None:
    data = {
        (each.name, m, number): each.dataset(m, f"d{m}r{number}")
        for each in versions
        for m in (2, 12, 100, 200, 1000)
        for number in range(rounds + 1)
    }
    releases = {
        (each.name, m, number): each.release(data[each.name, m, number], m)
        for each in versions
        for m in (2, 200, 1000)
        for number in range(rounds + 1)
    }
    for each in versions:
        rows["memory at rest, MB"][each.name].append(each.memory())
    for number in range(rounds + 1):  # the first warms up
        for each in versions[:: 1 if number % 2 else -1]:
            kept: Rows = rows if number else defaultdict(lambda: defaultdict(list))
            for m in (2, 200, 1000):
                _add_release(each, releases[each.name, m, number], m, kept)
            for m in (12, 100, 1000):
                show_plan = partial(each.show, f"/console/datasets/{data[each.name, m, number]}/plan", is_planning=True)
                kept[f"first view of a plan, m = {m}, s"][each.name].append(each.cpu(show_plan))
        show(rows)
    for each in versions:
        measure(release_load(each, [data[each.name, 2, 0]]), 32, 20)
        for number in range(12):
            place = each.name, (2, 200, 1000)[number % 3], number % (rounds + 1)
            each.posterior(releases[place], 0.5 + number / 200)
            each.show(f"/console/releases/{releases[place]}", f"/console/data/{data[place]}")
            plan = f"/console/datasets/{data[each.name, 12, place[2]]}/plan?delta=1e-{4 + number % 9}"
            each.show(plan, is_planning=True)
        time.sleep(5)
        rows["memory after 20 s of releases and 12 of each page and answer, MB"][each.name].append(each.memory())


def _add_release(version: Version, release_id: str, m: int, rows: Rows) -> None:
    page = f"/console/releases/{release_id}"
    ask = partial(version.posterior, release_id, 0.9)
    look = partial(version.show, page, *(f"{page}/{file}" for file in FILES))
    for what, work in {
        "posterior": ask,
        "the same posterior again": ask,
        "page of a release and its seven files": look,
    }.items():
        rows[f"{what}, m = {m}, s"][version.name].append(version.cpu(work))


def release_load(version: Version, datasets: list[str]) -> Load:
    body = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.01"}}
    requests = [(f"/v1/datasets/{each}/releases", json.dumps(body).encode()) for each in datasets]
    return Load(version.port, version.key, requests, charging=True)


def releases(versions: list[Version], peer_url: str, rounds: int, seconds: float, rows: Rows) -> None:
    by_name = {each.name: each for each in versions}
    with peer(peer_url) as of_peer:
        loads = {
            name: release_load(each, [each.dataset(2, f"data {number}") for number in range(BUDGETS)])
            for name, each in by_name.items()
        }
        loads["peer"] = of_peer
        for load in loads.values():
            measure(load, 8, 1)
        for clients in (1, 32, 64):
            for number in range(rounds):
                for name in list(loads)[:: 1 if number % 2 else -1]:
                    _measure_load(by_name.get(name), name, loads[name], clients, seconds, rows)
            show(rows)


def _measure_load(version: Version | None, name: str, load: Load, clients: int, seconds: float, rows: Rows) -> None:
    alive: list[float] = []
    watching = threading.Thread(target=lambda: asyncio.run(_watch(load.port, seconds, alive)))
    figures: list[tuple[float, float, float]] = []

    def work() -> None:
        if version is not None and clients == 64:
            watching.start()
        figures.append(measure(load, clients, seconds))

    taken = 0.0 if version is None else version.cpu(work)
    if version is None:
        work()
    [(rate, _, slowest)] = figures
    rows[f"releases a second, {clients} clients"][name].append(rate)
    rows[f"p99 of a release, {clients} clients, ms"][name].append(slowest)
    if version is not None:
        rows[f"CPU of a release, {clients} clients, ms"][name].append(1000 * taken / (rate * seconds))
    if alive:
        watching.join()
        cuts = statistics.quantiles(alive, n=100)
        rows["p50 of /livez beside 64 clients, ms"][name].append(1000 * cuts[49])
        rows["p99 of /livez beside 64 clients, ms"][name].append(1000 * cuts[98])


async def _watch(port: int, seconds: float, taken: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        started = time.perf_counter()
        writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        assert length is not None, "it has a body"
        await reader.readexactly(int(length[1]))
        taken.append(time.perf_counter() - started)
        await asyncio.sleep(0.05)
    writer.close()


def show(rows: Rows) -> None:
    """Print the median of each figure, with the least and the largest."""
    print("\n| | before | now | peer |\n|---|---|---|---|")
    for what, by_name in rows.items():
        cells = []
        for name in ("before", "now", "peer"):
            values = by_name.get(name, [])
            spread = f" ({min(values):.3g} to {max(values):.3g})" if len(values) > 1 else ""
            cells.append(f"{statistics.median(values):.3g}{spread}" if values else "")
        print(f"| {what} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, default=HERE, help="the checkout of the other version")
    parser.add_argument("--rounds", type=int, default=3, help="how often each figure is taken")
    parser.add_argument("--seconds", type=float, default=4.0, help="how long a round of releases takes")
    parts = ("computations", "pages", "releases", "postgresql")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="the parts to measure")
    arguments = parser.parse_args()
    end_gently_when_told()
    roots = {"before": arguments.before, "now": HERE}
    rows: Rows = defaultdict(lambda: defaultdict(list))
    if "computations" in arguments.only:
        computations(roots, arguments.rounds, rows)
    for part in [each for each in parts[1:] if each in arguments.only]:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            urls = {name: f"sqlite:///{folder}/{name}.db" for name in (*roots, "peer")}
            if part == "postgresql":
                server = stack.enter_context(PostgresServer())
                urls = {name: server.url(server.create_database()) for name in urls}
            versions = []
            for name, root in roots.items():
                (directory := Path(folder) / name).mkdir()
                versions.append(Version(name, root, urls[name], directory, stack))
            if part == "pages":
                pages(versions, arguments.rounds, rows)
            else:
                part_rows: Rows = defaultdict(lambda: defaultdict(list))
                releases(versions, urls["peer"], arguments.rounds, arguments.seconds, part_rows)
                rows |= {f"{what}, {part}": figures for what, figures in part_rows.items()}
    show(rows)


if __name__ == "__main__":
    main()
