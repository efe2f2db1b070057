"""Several workers share a port and their metrics, stop together, and are not killed for being slow."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
import psutil
import pytest
from prometheus_client.mmap_dict import MmapedDict
from sqlalchemy import Engine, func, select

from migrations.rights import SERVICE_ROLE
from service.database.engine import open_engine, reading
from service.database.tables import releases
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE, stretched, until
from tests.harness.installation import audit
from tests.harness.people import Person, person
from tests.harness.ports import free_port
from tests.harness.postgres import Postgres
from tests.harness.process import COMMAND, METRICS_KEY, Process, environment
from tests.harness.shared_postgres import OWNER
from tests.harness.studies import register, release
from tests.service.test_metrics import figure

ANSWERED = 'posterior_requests_total{operation="livez",status="200"}'
WORKERS, SERVES_SECONDS, STOPS_SECONDS = 8, 60, 180


def workers_of(supervisor: int) -> set[int]:
    found = set[int]()
    for child in psutil.Process(supervisor).children():
        with suppress(psutil.NoSuchProcess):  # it has just ended
            found |= {child.pid} if "spawn_main" in " ".join(child.cmdline()) else set()
    return found


@pytest.fixture
def workers_url(postgres: Postgres, migrated_postgres: str) -> str:
    return postgres.url(postgres.create_database(template=migrated_postgres, owner=OWNER), SERVICE_ROLE)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_figures_of_a_killed_worker_are_kept_and_its_open_requests_are_not(workers_url: str) -> None:
    with Process(workers_url, workers="2", log_format="json") as server, ThreadPoolExecutor(8) as callers:
        ask = partial(_ask, server)
        _wait_for_both(server, ask)
        parts = _parts(server)
        problems = 'posterior_problems_total{problem="not-found"}'
        assert [answer.status_code for answer in callers.map(ask, ["/nowhere"] * 20)] == [404] * 20
        _wait_until_told(ask, problems, 20)
        ended, *_ = _workers(server)
        os.kill(ended, signal.SIGKILL)
        while ended in (now := _workers(server)) or len(now) < 2:
            time.sleep(0.1)
        assert figure(ask("/metrics").text, ANSWERED) == sum(parts.values())
        _wait_until_told(ask, "posterior_open_requests", 1)
        with socket.create_connection(("127.0.0.1", httpx.URL(server.url).port)) as half:
            half.sendall(b"POST /v1/enrolments HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
            _wait_until_told(ask, "posterior_open_requests", 2)
            os.kill(_answering(server), signal.SIGKILL)
            # The parent may be waiting for an answer of this worker. It then notices its end only after this limit.
            _wait_until_told(ask, "posterior_open_requests", 1)
    assert all(json.loads(line) for line in server.log.read_text().splitlines())


def _ask(server: Process, path: str) -> httpx.Response:
    return httpx.get(server.url + path, headers={"Authorization": f"Bearer {METRICS_KEY}"}, timeout=PATIENCE)


def _wait_for_both(server: Process, ask: Callable[[str], httpx.Response]) -> None:
    """Until both workers have answered, and have counted all their answers."""
    until(lambda: len(_figures_of_workers(server, ask)) == 2)
    _wait_until_told(ask, "posterior_open_requests", 1)


def _workers(server: Process) -> list[int]:
    return sorted(workers_of(server.process.pid))


def _answering(server: Process) -> int:
    """The worker with an open request, once the other one has counted the end of its last answer."""
    deadline = time.monotonic() + PATIENCE
    while True:
        answering = []
        for file in _directory(server).glob("gauge_livesum_*.db"):
            worker = int(file.stem.rpartition("_")[2])
            values = MmapedDict.read_all_values_from_file(str(file)) if file.stat().st_size else ()
            if worker in _workers(server) and any(value for _, value, *_ in values):
                answering.append(worker)
        if len(answering) == 1:
            return answering[0]
        assert time.monotonic() < deadline


def _figures_of_workers(server: Process, ask: Callable[[str], httpx.Response]) -> dict[int, float]:
    """The number of requests that each worker with any has answered, after some more of them."""
    with ThreadPoolExecutor(8) as callers:
        assert {answer.status_code for answer in callers.map(ask, ["/livez"] * 40)} == {200}
    return _parts(server)


def _wait_until_told(ask: Callable[[str], httpx.Response], name: str, value: float) -> None:
    """A worker counts a request when its answer was sent: another one may be asked before."""
    until(lambda: figure(ask("/metrics").text, name) == value)


def _directory(server: Process) -> Path:
    [directory] = {each.parent for each in server.folder.glob("private-posterior-*/*.db")}
    return directory


def _parts(server: Process) -> dict[int, float]:
    directory = _directory(server)
    assert directory.stat().st_mode & 0o077 == 0
    answered: dict[int, float] = {}
    for file in directory.glob("counter_*.db"):
        if not file.stat().st_size:  # a worker is making it
            continue
        for key, value, *_ in MmapedDict.read_all_values_from_file(str(file)):
            if '"livez"' in key and value:
                answered[int(file.stem.rpartition("_")[2])] = value
    return answered


def test_workers_can_be_stopped_before_the_first_is_ready(workers_url: str) -> None:
    server = Process(workers_url, workers="2")
    server.launch()
    try:
        until(lambda: workers_of(server.process.pid))
        found = workers_of(server.process.pid)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        assert not any(psutil.pid_exists(each) for each in found)
    finally:
        server.stop(signal.SIGKILL)


def paid(engine: Engine) -> int:
    """The number of paid releases, while others write."""
    with reading(engine) as connection:
        return connection.execute(select(func.count()).select_from(releases)).scalar_one()


def test_workers_tell_the_figures_of_all(workers_url: str) -> None:
    with Process(workers_url, workers="2", fault="sound") as server:
        _wait_for_both(server, ask := partial(_ask, server))
        told = {figure(ask("/metrics").text, ANSWERED) for _ in range(8)}
        assert told == {sum(_parts(server).values())}


def test_workers_finish_what_they_were_asked_before_they_end(workers_url: str) -> None:
    """Those that the machine holds up for longer than they may take say that the release was charged."""
    engine = open_engine(workers_url)
    owner = person(engine, Role.OWNER)
    answers = [_answer_at_the_end(workers_url, engine, owner)]
    while answers[-1].status_code != 201:
        assert (answers[-1].status_code, answers[-1].json()["charged"]) == (503, True)
        assert len(answers) < 5
        answers.append(_answer_at_the_end(workers_url, engine, owner))
    engine.dispose()


def _answer_at_the_end(url: str, engine: Engine, owner: Person) -> httpx.Response:
    """Of a request that waits for its tick while the service receives the signal to end."""
    with (
        Process(url, workers="2", response_time_quantum_ms="2000") as server,
        owner.client(server.url) as client,
        ThreadPoolExecutor(1) as caller,
    ):
        study = register(server.url, owner, epsilon="1")
        before = paid(engine)
        waiting = caller.submit(release, client, study.dataset_id, "waits-for-its-tick")
        until(lambda: paid(engine) > before)
        server.process.send_signal(signal.SIGTERM)
        assert server.stop(signal.SIGTERM) == 0
        answer = waiting.result()
    assert audit(engine, study.budget_id).release_count == 1
    return answer


def test_sqlite_takes_no_more_than_one_worker(migrated_sqlite: Path) -> None:
    done = subprocess.run(
        [COMMAND, "serve", "--workers", "2"],
        env=environment(f"sqlite:///{migrated_sqlite}"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "private-posterior: several workers need PostgreSQL, since SQLite has one writer at a time"
    )


@pytest.mark.long
def test_eight_workers_on_one_busy_core_serve_within_a_minute_and_none_is_killed(
    postgres: Postgres, migrated_postgres: str, tmp_path: Path
) -> None:
    name = postgres.create_database(template=migrated_postgres, owner=OWNER)
    port = free_port()
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        log = (tmp_path / "log").open("wb")
        serving = subprocess.Popen(
            [COMMAND, "serve", "--workers", str(WORKERS)],
            env=environment(postgres.url(name, SERVICE_ROLE), port=str(port)),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    finally:
        os.sched_setaffinity(0, allowed)
    try:
        started = time.monotonic()
        answered, first = None, set[int]()
        while answered is None and time.monotonic() - started < 10 * SERVES_SECONDS:
            first |= workers_of(serving.pid)
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE).status_code == httpx.codes.OK:
                    answered = time.monotonic() - started
            except httpx.TransportError:
                time.sleep(0.2)
        assert answered is not None, (tmp_path / "log").read_text()
        assert answered < stretched(SERVES_SECONDS)
        while len(all_ := workers_of(serving.pid)) < WORKERS:
            time.sleep(0.2)
        time.sleep(30)
        assert first <= all_ == workers_of(serving.pid)
        serving.send_signal(signal.SIGTERM)
        serving.wait(timeout=STOPS_SECONDS)
    finally:
        busy.kill()
        busy.wait()
        for child in psutil.Process(serving.pid).children() if serving.poll() is None else []:
            child.kill()
        serving.kill()
        serving.wait()
        log.close()
