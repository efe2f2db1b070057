"""The figures of `/metrics` for an operator, and the facts that they must not disclose."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import httpx
from starlette.routing import Route

from service.api.former import MOVED
from service.console.console import ROUTERS
from service.errors import PROBLEMS
from service.logs.metrics import SHARED_DIRECTORY, Metrics
from service.settings.settings import Settings
from tests.harness.deadlines import PATIENCE
from tests.harness.in_process import running
from tests.harness.process import COUNTS_KEYS, METRICS_KEY, RECEIPT_KEY

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.harness.server import Server
    from tests.service.conftest import Study

LABEL = re.compile(r'(\w+)="([^"]*)"')


def figures(server: Server) -> str:
    answer = server.http.get("/metrics", headers={"Authorization": f"Bearer {METRICS_KEY}"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain")
    return answer.text


def figure(text: str, name: str) -> float:
    """The value of one line; 0 if it is missing."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, flags=re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_metrics_need_their_key(server: Server) -> None:
    for headers in ({}, {"Authorization": "Bearer another"}, {"Authorization": "Bearer"}):
        assert server.http.get("/metrics", headers=headers).status_code == 404


def test_there_are_no_figures_where_no_key_is_set(database_url: str) -> None:
    async def story() -> None:
        async with running(Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY)) as it:
            for headers in ({}, {"Authorization": "Bearer"}):
                assert (await it.http.get("/metrics", headers=headers)).status_code == 404

    asyncio.run(story())


def test_a_release_and_a_refusal_are_counted_under_their_operation(server: Server, study: Study) -> None:
    granted, refused = (
        f'posterior_requests_total{{operation="create_release",status="{status}"}}' for status in (201, 409)
    )
    before = figures(server)
    assert study.analyst.release(study.dataset_id).status_code == 201
    assert (
        study.analyst.release(study.dataset_id, mechanism={"kind": "simplex_geometric", "epsilon": "0.45"}).status_code
        == 409
    )
    after = figures(server)
    assert figure(after, granted) == figure(before, granted) + 1
    assert figure(after, refused) == figure(before, refused) + 1
    problem = 'posterior_problems_total{problem="grant-exhausted"}'
    assert figure(after, problem) == figure(before, problem) + 1
    assert figure(after, "posterior_commit_jobs_count") > figure(before, "posterior_commit_jobs_count")
    assert figure(after, "posterior_unfinished_releases") == figure(after, "posterior_restore_pending") == 0


def test_metrics_do_not_time_releases(server: Server, study: Study) -> None:
    study.analyst.release(study.dataset_id)
    study.analyst.get("/v1/datasets")
    timed = {
        labels["operation"]
        for line in figures(server).splitlines()
        if "_seconds_" in line and (labels := dict(LABEL.findall(line)))
    }
    assert "list_datasets" in timed
    assert "create_release" not in timed


def test_labels_are_operations_statuses_and_bounds_alone(server: Server, study: Study) -> None:
    study.analyst.release(study.dataset_id)
    study.owner.get(f"/v1/datasets/{study.dataset_id}")
    for path in ("/not/a/path", "/docs", "/docs/assets/swagger-ui.css", "/docs/assets/none", "/docs/start.js"):
        server.http.get(path)
    for page in ("/", "/console/sign-in"):
        assert httpx.get(server.url + page, headers={"Accept": "text/html"}, timeout=PATIENCE).status_code in {200, 307}
    operations = {
        operation["operationId"]
        for path in server.http.get("/openapi.json").json()["paths"].values()
        for operation in path.values()
    }
    pages = {route.name for router in ROUTERS for route in router.routes if isinstance(route, Route)}
    for name, value in LABEL.findall(figures(server)):
        match name:
            case "operation":
                assert value in operations | pages | MOVED.keys() | {"none", "metrics", "openapi", "docs", "docs_start"}
            case "problem":
                assert value in {problem.code for problem in PROBLEMS}
            case "status":
                assert value.isdigit()
            case _:
                assert name == "le"


def test_paths_that_nobody_serves_are_counted_together(server: Server) -> None:
    name = 'posterior_requests_total{operation="none",status="404"}'
    before = figure(figures(server), name)
    for path in ("/a", "/b"):
        assert httpx.get(server.url + path, timeout=PATIENCE).status_code == 404
    assert figure(figures(server), name) == before + 2


def test_a_file_that_a_worker_is_making_says_nothing_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "counter_1.db").touch()
    monkeypatch.setenv(SHARED_DIRECTORY, str(tmp_path))
    assert Metrics().text() == b""
