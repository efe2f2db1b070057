"""Many workers that start at once on a busy machine are slow, and none is taken for dead."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest

from migrations.rights import SERVICE_ROLE
from tests.conftest import OWNER
from tests.harness.pgbouncer import free_port
from tests.harness.postgres import PostgresServer
from tests.harness.process import COMMAND, environment

pytestmark = pytest.mark.long
WORKERS, SERVES_SECONDS, STOPS_SECONDS = 8, 60, 180


def workers_of(process: subprocess.Popen[bytes]) -> set[int]:
    children = psutil.Process(process.pid).children()
    return {child.pid for child in children if "spawn_main" in " ".join(child.cmdline())}


def test_eight_workers_on_one_busy_core_serve_within_a_minute_and_none_is_killed(
    postgres: PostgresServer, migrated_postgres: str, tmp_path: Path
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
        while answered is None and time.monotonic() - started < 4 * SERVES_SECONDS:
            first |= workers_of(serving)
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == httpx.codes.OK:
                    answered = time.monotonic() - started
            except httpx.TransportError:
                time.sleep(0.2)
        assert answered is not None, (tmp_path / "log").read_text()
        assert answered < SERVES_SECONDS
        while len(all_ := workers_of(serving)) < WORKERS:
            time.sleep(0.2)
        time.sleep(30)
        assert first <= all_ == workers_of(serving)
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
