"""Free requests that would take hours: others are answered meanwhile, they end when their caller is gone, and the
process ends when it is told to.
"""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from tests.harness.server import Party, Server, problem_code, serving
from tests.service.conftest import dataset_body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GRACE_SECONDS = 30
M, N = 100, 10_000_000
ENDLESS = {
    "prior": [1] * 1000,
    "data": {"kind": "shape", "shape": "falling", "record_count": 1_000_000},
    "epsilon": "1",
    "delta": "1e-9",
    "wanted_error": 0.01,
}


@pytest.fixture(scope="module")
def limited(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("limited")
    shutil.copy(migrated_sqlite, directory / "database")
    with serving(directory, f"sqlite:///{directory / 'database'}", computation_seconds="40") as server:
        yield server


def computing(server: Server) -> list[psutil.Process]:
    """The processes that compute, which are those that the forkserver made."""
    return [
        worker
        for forkserver in psutil.Process(server.process.process.pid).children()
        for worker in forkserver.children()
        if worker.status() != psutil.STATUS_ZOMBIE
    ]


def wait_until(condition: object, seconds: float = 30) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def ask_and_hang_up(party: Party, body: object) -> None:
    with pytest.raises(httpx.ReadTimeout):
        party.server.http.post("/v1/plans", json=body, headers={"Authorization": f"Bearer {party.key}"}, timeout=3)


def test_ninety_nine_comparisons_of_ten_million_records_end_in_time(limited: Server) -> None:
    owner = limited.new("owner")
    counts = [N // M] * M
    dataset = owner.post("/v1/datasets", dataset_body(labels=[f"c{i}" for i in range(M)], counts=counts)).json()
    mechanism = {"kind": "simplex_geometric", "epsilon": "0.1"}
    release = owner.release(dataset["id"], {"prior": [1] * M, "mechanism": mechanism}).json()
    hypotheses = [{"kind": "greater", "category": 0, "than": each} for each in range(1, M)]
    answer = owner.post(f"/v1/releases/{release['id']}/posterior", {"hypotheses": hypotheses})
    assert answer.status_code == 200 or problem_code(answer) == "computation-too-large"


def test_a_computation_ends_when_its_caller_hangs_up_and_others_are_answered_meanwhile(limited: Server) -> None:
    greedy, polite = limited.new("analyst"), limited.new("analyst")
    small = {"prior": [1, 1, 1], "data": {"kind": "counts", "counts": [3, 4, 5]}, "epsilon": "1", "delta": "0"}
    polite.post("/v1/plans", small)  # which starts the forkserver
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(ask_and_hang_up, greedy, ENDLESS) for _ in range(4)]
        wait_until(lambda: computing(limited))
        assert len(computing(limited)) == 1, "a principal has one at a time"
        assert polite.post("/v1/plans", small).status_code == 200
        for each in asked:
            each.result()
    wait_until(lambda: not computing(limited))


def test_who_waits_for_too_many_is_told_when_to_come_back_and_sigterm_ends_all(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'database'}", computation_seconds="15") as server:
        greedy = server.new("analyst")
        with ThreadPoolExecutor(12) as threads:
            asked = [threads.submit(greedy.post, "/v1/plans", ENDLESS) for _ in range(12)]
            wait_until(lambda: any(each.done() for each in asked))
            refused = next(each.result() for each in asked if each.done())
            assert problem_code(refused) == "rate-limited"
            assert "retry-after" in refused.headers
            wait_until(lambda: computing(server))
            workers = computing(server)
            wait_until(lambda: any(problem_code(each.result()) != "rate-limited" for each in asked if each.done()))
            slow = [each.result() for each in asked if each.done() and problem_code(each.result()) != "rate-limited"]
            assert problem_code(slow[0]) == "computation-too-large"
            server.stop()
            server.process.process.wait(timeout=GRACE_SECONDS + 15)
            wait_until(lambda: not any(worker.is_running() for worker in workers))
            for each in asked:
                each.exception()
