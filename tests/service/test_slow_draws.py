"""Slow draws of one principal: others, readiness and authentication wait for none of them, and too many are refused
before the charge.
"""

from __future__ import annotations

import shutil
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.harness.bodies import budget_body, unique
from tests.harness.deadlines import PATIENCE
from tests.harness.server import Server, problem_code, serving
from tests.service.conftest import dataset_body

if TYPE_CHECKING:
    from pathlib import Path

M = 600
SLOW = {"prior": [1e6] * M, "mechanism": {"kind": "exponential_global", "epsilon": "0.004", "delta": "1e-6"}}


def large_dataset(**changes: Any) -> dict[str, Any]:
    budget = {"kind": "new", "budget": budget_body(epsilon="10")}
    return dataset_body(labels=[f"c{i}" for i in range(M)], counts=[400] * M, budget=budget) | changes


@pytest.mark.long
def test_slow_draws_delay_no_other_principal(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving(
        tmp_path, f"sqlite:///{tmp_path / 'database'}", max_draw_seconds="60", response_time_quantum_ms="0"
    ) as server:
        greedy, polite = server.new("owner"), server.new("owner")
        large = greedy.post("/v1/datasets", large_dataset()).json()
        small = polite.post("/v1/datasets", dataset_body()).json()
        greedy.wait_for(lambda: greedy.post(f"/v1/datasets/{large['id']}/quotes", SLOW), status=200)
        with ThreadPoolExecutor(6) as threads:
            started = time.monotonic()
            slow = [threads.submit(greedy.release, large["id"], SLOW, key=f"slow-{each}") for each in range(6)]
            time.sleep(0.3)
            waits = list[float]()
            while len(waits) < 5 and not all(each.done() for each in slow):
                waits.append(_release_seconds(server, polite, small["id"]))
            answers = [each.result() for each in slow]
            took = time.monotonic() - started
        # A caller who waited for a slow draw would have been answered once, after all of them.
        assert len(waits) > 1, waits
        assert statistics.median(waits) < took / 2
        codes = sorted(each.status_code for each in answers)
        assert codes == [201, 201, 429, 429, 429, 429], "one is drawn, one waits, and the others are refused"
        refused = next(each for each in answers if each.status_code == 429)
        assert problem_code(refused) == "rate-limited"
        assert int(refused.headers["retry-after"]) > 1
        charges = [
            entry
            for entry in greedy.get(f"/v1/budgets/{large['budget_id']}/ledger").json()["items"]
            if entry["kind"] == "release_charged"
        ]
        assert len(charges) == 2, "what was refused was not charged"


def _release_seconds(server: Server, polite: Any, dataset_id: str) -> float:
    started = time.monotonic()
    assert polite.release(dataset_id, key=unique("polite").replace(" ", "-")).status_code == 201
    assert server.http.get("/readyz").status_code == 200
    nobody = httpx.get(f"{server.url}/v1/keys", headers={"Authorization": "Bearer pp_nobody"}, timeout=PATIENCE)
    assert nobody.status_code == 401
    return time.monotonic() - started


def test_a_draw_that_could_take_longer_than_the_installation_allows_is_refused_uncharged(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'database'}", max_draw_seconds="1") as server:
        owner = server.new("owner")
        large = owner.post("/v1/datasets", large_dataset()).json()
        paths = (f"/v1/datasets/{large['id']}/quotes", f"/v1/datasets/{large['id']}/releases")
        for path in paths:
            answer = owner.wait_for(partial(owner.post, path, SLOW, idempotency_key="slow"), status=422)
            assert problem_code(answer) == "not-supported"
            assert "this service allows 1 s" in answer.json()["detail"]
        assert owner.get(f"/v1/budgets/{large['budget_id']}").json()["spent"]["epsilon"] == "0"
