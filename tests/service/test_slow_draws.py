"""Slow draws of one principal: others, readiness and authentication wait for none of them, and too many are refused
before the charge.
"""

from __future__ import annotations

import shutil
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import psutil
import pytest

from tests.harness.bodies import budget_body, unique
from tests.harness.server import Server, problem_code, serving
from tests.service.conftest import dataset_body

if TYPE_CHECKING:
    from pathlib import Path

_DRAWS = 150
_LOOKING_SECONDS = 0.03
"""Of processes that have nothing to do but to look whether others ended."""
M = 250
SLOW = {"prior": [1e6] * M, "mechanism": {"kind": "exponential_global", "epsilon": "0.004", "delta": "1e-6"}}


def large_dataset(**changes: Any) -> dict[str, Any]:
    budget = {"kind": "new", "budget": budget_body(epsilon="10")}
    return dataset_body(labels=[f"c{i}" for i in range(M)], counts=[400] * M, budget=budget) | changes


def test_nobody_waits_for_the_slow_draws_of_somebody_else(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'database'}", draw_seconds="60", response_grid_ms="0") as server:
        greedy, polite = server.new("owner"), server.new("owner")
        large = greedy.post("/v1/datasets", large_dataset()).json()
        small = polite.post("/v1/datasets", dataset_body()).json()
        greedy.wait_for(lambda: greedy.post(f"/v1/datasets/{large['id']}/quotes", SLOW), status=200, seconds=60)
        with ThreadPoolExecutor(6) as threads:
            started = time.monotonic()
            slow = [threads.submit(greedy.release, large["id"], SLOW, key=f"slow-{each}") for each in range(6)]
            time.sleep(0.3)
            waits = list[float]()
            while len(waits) < 5 and not all(each.done() for each in slow):
                waits.append(_timed(server, polite, small["id"]))
            answers = [each.result() for each in slow]
            took = time.monotonic() - started
        # Whoever waited for a slow draw would have been answered once, when all was over.
        assert len(waits) > 1, waits
        assert statistics.median(waits) < took / 2
        codes = sorted(each.status_code for each in answers)
        assert codes == [201, 201, 201, 201, 429, 429]
        refused = next(each for each in answers if each.status_code == 429)
        assert problem_code(refused) == "rate-limited"
        assert int(refused.headers["retry-after"]) > 1
        charges = [
            entry
            for entry in greedy.get(f"/v1/budgets/{large['budget_id']}/ledger").json()["items"]
            if entry["kind"] == "release_charged"
        ]
        assert len(charges) == 4, "what was refused was not charged"


def _timed(server: Server, polite: Any, dataset_id: str) -> float:
    started = time.monotonic()
    assert polite.release(dataset_id, key=unique("polite").replace(" ", "-")).status_code == 201
    assert server.http.get("/readyz").status_code == 200
    nobody = httpx.get(f"{server.url}/v1/keys", headers={"Authorization": "Bearer pp_nobody"}, timeout=60)
    assert nobody.status_code == 401
    return time.monotonic() - started


def test_a_draw_that_could_take_longer_than_the_installation_allows_is_refused_uncharged(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'database'}", draw_seconds="1") as server:
        owner = server.new("owner")
        large = owner.post("/v1/datasets", large_dataset()).json()
        paths = (f"/v1/datasets/{large['id']}/quotes", f"/v1/datasets/{large['id']}/releases")
        for path in paths:
            answer = owner.wait_for(partial(owner.post, path, SLOW, idempotency_key="slow"), status=422, seconds=60)
            assert problem_code(answer) == "not-supported"
            assert "this service allows 1 s" in answer.json()["detail"]
        assert owner.get(f"/v1/budgets/{large['budget_id']}").json()["spent"]["epsilon"] == "0"


@pytest.mark.parametrize(("m", "each", "concentration"), [(2, 1_000, 1.0), (20, 50, 1.0), (120, 50, 1e3)])
def test_choices_are_drawn_outside_of_the_process_that_answers(
    migrated_sqlite: Path, tmp_path: Path, m: int, each: int, concentration: float
) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "database")
    with serving(tmp_path, f"sqlite:///{tmp_path / 'database'}", response_grid_ms="0") as server:
        owner, answering = server.new("owner"), psutil.Process(server.process.process.pid)
        body = large_dataset(labels=[f"c{i}" for i in range(m)], counts=[each] * m)
        dataset = owner.post("/v1/datasets", body).json()

        def drawn_by(mechanism: dict[str, str], key: str) -> float:
            """The processor time that other processes than the one that answers took for a release."""
            before = _taken_by_children(answering)
            answer = owner.release(dataset["id"], {"prior": [concentration] * m, "mechanism": mechanism}, key=key)
            assert answer.status_code == 201, answer.text
            assert len(answer.json()["posterior"]["concentration"]) == m
            return _taken_by_children(answering) - before

        noise = {"kind": "simplex_geometric", "epsilon": "0.05"}
        choice = {"kind": "exponential_global", "epsilon": "0.001", "delta": "1e-9"}
        taken = list[float]()
        for mechanism in (noise, choice):
            # The first of its kind is judged in a process, too, and may start the one that makes the others.
            drawn_by(mechanism, f"first-{mechanism['kind']}")
            _wait_until_idle(answering)
            taken.append(sum(drawn_by(mechanism, f"{mechanism['kind']}-{number}") for number in range(_DRAWS)))
        assert taken[0] <= _LOOKING_SECONDS, "noise is drawn from the tables of the process that answers"
        assert taken[1] >= 7e-4 * _DRAWS > 3 * _LOOKING_SECONDS, "a choice takes about a millisecond or more"


def _wait_until_idle(answering: psutil.Process) -> None:
    """Until what was started computes no more."""
    before = -1.0
    while before != (before := _taken_by_children(answering)):
        time.sleep(1)


def _taken_by_children(process: psutil.Process) -> float:
    """Processor seconds of all processes that come from it."""
    taken = 0.0
    for each in process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has ended, and whoever made it has its times now
            found = each.cpu_times()
            taken += found.user + found.system + found.children_user + found.children_system
    return taken
