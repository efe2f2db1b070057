"""Free requests that would take hours: other requests are answered meanwhile, they end when their caller is gone, and
the process stops on SIGTERM.
"""

from __future__ import annotations

import json
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from private_posterior.client import Client
from private_posterior.noisy_table import NoisyTable
from tests.harness.deadlines import PATIENCE, until
from tests.harness.server import Party, Server, problem_code, serving_process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GRACE_SECONDS = 30
SMALL = {"prior": [1, 1, 1], "data": {"kind": "counts", "counts": [3, 4, 5]}, "epsilons": ["1"], "delta": "0"}
ENDLESS = SMALL | {"target_error": 0.01}
TABLE = {
    "kind": "table",
    "cells": [{"label": "yes", "value": 41}, {"label": "no", "value": 112}],
    "noise": {"law": "geometric", "epsilon": 1},
}


@pytest.fixture(scope="module")
def limited(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("limited")
    shutil.copy(migrated_sqlite, directory / "database")
    with serving_process(directory, f"sqlite:///{directory / 'database'}") as server:
        yield server


def computing(server: Server) -> list[psutil.Process]:
    """The processes that compute: the children of the forkserver."""
    return [
        worker
        for forkserver in psutil.Process(server.process.process.pid).children()
        for worker in forkserver.children()
        if worker.status() != psutil.STATUS_ZOMBIE
    ]


def asking(party: Party, body: object) -> socket.socket:
    """A caller who hangs up when the connection is closed."""
    content = json.dumps(body)
    head = f"POST /v1/plans HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {party.key}\r\n"
    connection = socket.create_connection(("127.0.0.1", httpx.URL(party.server.url).port))
    connection.sendall(
        f"{head}Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n{content}".encode()
    )
    return connection


@pytest.mark.long
def test_the_client_waits_for_a_job_as_for_an_answer(limited: Server) -> None:
    """3 000 cells always make a job, however quick the machine is."""
    table = NoisyTable({f"cell {place}": place % 5 for place in range(3000)}, "geometric", scale=1, total=6000)
    with Client.open(limited.url, limited.new("analyst").key) as client:
        found = client.posterior(table)
    assert found["kind"] == "noise_aware"
    assert len(found["categories"]) == 3000
    assert limited.rows("SELECT kind FROM jobs WHERE state = 'ready'")


def test_a_computation_is_in_nobodys_way_and_ends_with_its_job_or_its_caller(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    url = f"sqlite:///{tmp_path / 'database'}"
    with serving_process(tmp_path, url, fault="sleeping_plans") as server:
        greedy, polite = server.new("analyst"), server.new("analyst")
        job = greedy.request("POST", "/v1/plans", json=ENDLESS)
        assert job.status_code == 202, job.text
        until(lambda: computing(server))
        assert greedy.request("POST", "/v1/plans", json=ENDLESS).json()["id"] == job.json()["id"]
        assert len(computing(server)) == 1, "a principal has one at a time"
        assert polite.post("/v1/posteriors", {"sources": [TABLE]}).status_code == 200
        assert greedy.delete(f"/v1/jobs/{job.json()['id']}").status_code == 204
        until(lambda: not computing(server))
        jobs = server.rows("SELECT id FROM jobs")
        with ExitStack() as callers:
            for each in range(1, 5):
                callers.enter_context(asking(greedy, SMALL | {"epsilons": [f"0.{each}"]}))
            until(lambda: computing(server))
            assert len(computing(server)) == 1, "a principal has one at a time"
            computed = polite.post("/v1/posteriors", {"sources": [TABLE], "level": 0.9})
            assert computed.status_code == 200, computed.text
        until(lambda: not computing(server))
        assert server.rows("SELECT id FROM jobs") == jobs


@pytest.mark.long
def test_excess_requests_get_retry_after_and_sigterm_ends_all(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    url = f"sqlite:///{tmp_path / 'database'}"
    with serving_process(tmp_path, url, fault="sleeping_plans") as server:
        greedy = server.new("analyst")
        jobs = [
            greedy.request("POST", "/v1/plans", json=ENDLESS | {"epsilons": [f"{number + 1}"]}) for number in range(5)
        ]
        assert [job.status_code for job in jobs] == [202] * 4 + [429]
        assert problem_code(jobs[-1]) == "job-quota-exceeded"
        with ThreadPoolExecutor(12) as threads:
            asked = [
                threads.submit(greedy.post, "/v1/plans", SMALL | {"epsilons": [f"{each}"]}) for each in range(1, 13)
            ]
            until(lambda: any(each.done() for each in asked))
            refused = next(each.result() for each in asked if each.done())
            assert problem_code(refused) == "rate-limited"
            assert "retry-after" in refused.headers
            until(lambda: len(computing(server)) == 2)
            workers = computing(server)
            server.stop()
            server.process.process.wait(timeout=GRACE_SECONDS + PATIENCE)
            until(lambda: not any(worker.is_running() for worker in workers))
            for each in asked:
                each.exception()
