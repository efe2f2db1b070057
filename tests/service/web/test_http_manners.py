"""The service as an HTTP server: caches, limits, text from people, and stopping."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from service.cli.serving import listen
from service.settings.settings import Settings
from tests.harness.deadlines import PATIENCE, until
from tests.harness.in_process import running
from tests.harness.server import Party, Server, problem_code, serving
from tests.service.conftest import Study, dataset_body

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_no_part_of_an_answer_waits_until_the_one_before_is_acknowledged() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_no_answer_is_to_be_cached(study: Study, server: Server) -> None:
    release = study.analyst.release(study.dataset_id)
    answers = [
        release,
        study.analyst.get(f"/v1/releases/{release.json()['id']}"),
        study.analyst.post("/v1/keys", {}),
        study.analyst.get("/v1/budgets/none"),
        server.http.get("/livez"),
    ]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


def test_a_label_stays_text_in_the_picture(owner: Party) -> None:
    labels = ["<script>alert(1)</script>", "\"&amp;'"]
    dataset = owner.post("/v1/datasets", dataset_body(labels=labels)).json()
    release = owner.release(dataset["id"]).json()
    assert release["labels"] == labels
    picture = owner.get(f"/v1/releases/{release['id']}/plot.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "<script" not in picture.text
    assert labels[0] in "".join(ET.fromstring(picture.text).itertext())  # noqa: S314  our own picture


def test_the_interactive_documentation_loads_nothing_from_elsewhere(sqlite_server: Server) -> None:
    """People enter their keys there, and many machines that hold counts reach no other network."""
    page = sqlite_server.http.get("/docs")
    assert page.status_code == 200
    loaded = re.findall(r"""(?:src|href)\s*=\s*["']([^"']+)["']""", page.text)
    assert len(loaded) >= 3
    for each in loaded:
        assert each.startswith("/"), each
        assert sqlite_server.http.get(each).raise_for_status().content
    assert "://" not in page.text
    assert "unsafe-inline" not in page.headers["Content-Security-Policy"]
    assert not re.search(r"<script>|<style|[ ]on[a-z]+=|[ ]style=", page.text), "nothing inline"
    assert sqlite_server.http.get("/redoc").status_code == 404


def test_the_documentation_can_be_switched_off(migrated_sqlite: Path, tmp_path: Path) -> None:
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'posterior.sqlite3'}", api_docs=False)

    async def ask() -> None:
        async with running(settings) as service:
            for path in ("/docs", "/docs/start.js", "/docs/assets/swagger-ui.css", "/openapi.json"):
                assert problem_code(await service.http.get(path)) == "not-found"
            assert (await service.http.get("/livez")).status_code == 200

    asyncio.run(ask())


@pytest.fixture
def strict(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Server]:
    """A service with narrow limits and a large response-time quantum."""
    shutil.copy(migrated_sqlite, tmp_path / "posterior.sqlite3")
    settings = {"rate_limit_per_minute": "6", "response_time_quantum_ms": "1500"}
    with serving(tmp_path, f"sqlite:///{tmp_path / 'posterior.sqlite3'}", **settings) as running:
        yield running


def test_a_rate_limit_is_kept_and_a_release_in_flight_is_answered_before_the_service_stops(strict: Server) -> None:
    owner = strict.new("owner")
    dataset = owner.post("/v1/datasets", dataset_body())
    assert dataset.status_code == 201
    with ThreadPoolExecutor(1) as pool:
        flying = pool.submit(owner.release, dataset.json()["id"])
        until(lambda: strict.rows("SELECT id FROM releases"))
        limited = next(answer for answer in (owner.get("/v1/datasets") for _ in range(60)) if answer.is_error)
        assert (limited.status_code, problem_code(limited), limited.json()["charged"]) == (429, "rate-limited", False)
        assert int(limited.headers["retry-after"]) >= 1
        assert strict.admin.get("/v1/keys").status_code == 200, "the limit is each principal's own"
        strict.stop()
        answer = flying.result(timeout=PATIENCE)
    assert answer.status_code == 201
