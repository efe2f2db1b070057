"""After ten thousand hostile requests a process holds little more memory than before."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from tests.harness.bodies import registration, release_body
from tests.harness.server import Party, serving_process

REQUESTS = 10_000
LARGE = 1_900_000
CATEGORIES = 10_000
LARGE_EVERY = 200
"""Each large plan takes seconds of CPU, and a principal's plans are computed one at a time: if all were large, the test
would take hours, and on a busy machine the last of eight would wait longer than the client does.
"""


def resident(process: psutil.Process) -> int:
    return int(process.memory_info().rss)


def hostile(
    owner: Party, stranger: Party, dataset_id: str, release_id: str, small_id: str
) -> list[Callable[[int], httpx.Response]]:
    """Requests that need much memory. The argument counts those of one kind and makes each one different."""
    http = owner.server.http
    large = json.dumps({"prior": [1] * (LARGE // 3)}).encode()
    deep = b"[" * 100_000
    releases = f"/v1/datasets/{dataset_id}/releases"
    json_body = {"Content-Type": "application/json"}

    def plan(number: int) -> httpx.Response:
        """Small plans are computed while their caller waits; large ones become jobs, up to a quota."""
        categories, records = (1000, 10**6) if number % LARGE_EVERY == 0 else (2, 100)
        data = {"kind": "shape", "shape": "falling", "record_count": records}
        asked = {"prior": [1] * categories, "data": data, "epsilons": [f"0.{number + 1000}"], "delta": "1e-9"}
        return stranger.request("POST", "/v1/plans", json=asked)

    def picture(number: int) -> httpx.Response:
        released = release_id if number % LARGE_EVERY == 0 else small_id
        return owner.get(f"/v1/public/releases/{released}/plot.svg", level=0.5 + number / 10**6)

    return [
        lambda _: owner.get(releases, limit=200),
        lambda _: owner.get(f"/v1/datasets/{dataset_id}/statement", limit=1000),
        lambda _: owner.get("/v1/datasets", limit=200),
        lambda number: http.get("/v1/datasets", headers={"Authorization": f"Bearer pp_{number}"}),
        lambda number: stranger.get(f"/v1/releases/rel_{'a' * 20}{number:06}".replace("0", "b").replace("1", "c")),
        lambda _: stranger.get(f"/v1/releases/{release_id}"),
        lambda _: owner.get(f"/v1/releases/{release_id}"),
        lambda _: owner.request("POST", "/v1/plans", content=large, headers=json_body),
        lambda _: owner.request("POST", "/v1/plans", content=deep, headers=json_body),
        lambda _: http.post("/v1/plans", content=large),
        plan,
        lambda number: owner.post(releases, release_body("0.01", 7), idempotency_key=f"wrong-{number}"),
        lambda number: owner.post("/v1/budgets", {"name": "x" * 10_000}, idempotency_key=f"wrong-{number}"),
        picture,
    ]


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_ten_thousand_hostile_requests_leave_little_memory_behind(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving_process(tmp_path, f"sqlite:///{tmp_path / 'database'}") as server:
        owner, stranger = server.new("owner"), server.new("analyst")
        dataset_id = owner.post("/v1/datasets", registration([3] * CATEGORIES)).json()["id"]
        release_id = owner.release(dataset_id, release_body("0.01", CATEGORIES)).json()["id"]
        other = owner.post("/v1/datasets", registration([30, 70])).json()["id"]
        small_id = owner.release(other, release_body("0.01", 2)).json()["id"]
        for each in (release_id, small_id):
            assert owner.patch(f"/v1/releases/{each}", {"public": True}).status_code == 200
        small = {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilons": ["1"], "delta": "0"}
        owner.post("/v1/plans", small)
        asks = hostile(owner, stranger, dataset_id, release_id, small_id)
        process = psutil.Process(server.process.process.pid)
        idle = resident(process)
        server.http.event_hooks = {}

        def status_of(number: int) -> int:
            sent, kind = divmod(number, len(asks))
            return asks[kind](sent).status_code

        with ThreadPoolExecutor(8) as threads:
            statuses = set(threads.map(status_of, range(REQUESTS)))
        assert statuses <= {200, 202, 303, 400, 401, 404, 409, 413, 422, 429}, statuses
        assert resident(process) <= 1.5 * idle
