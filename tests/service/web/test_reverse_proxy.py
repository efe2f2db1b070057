"""The service behind nginx, with the configuration in `deploy/`: over TLS, under a path prefix."""

from __future__ import annotations

import re
import shutil
import ssl
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.harness.bodies import release_body
from tests.harness.nginx import nginx
from tests.harness.process import METRICS_KEY
from tests.harness.server import Server, serving
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("proxied")
    shutil.copy(migrated_sqlite, directory / "posterior.sqlite3")
    url = f"sqlite:///{directory / 'posterior.sqlite3'}"
    with serving(directory, url, root_path="/posterior", behind_proxy="true") as running:
        yield running


@pytest.fixture(scope="module")
def proxied(server: Server) -> Iterator[httpx.Client]:
    """A client that sees the proxy alone."""
    with (
        nginx(server.url) as proxy,
        httpx.Client(
            base_url=proxy.url, verify=ssl.create_default_context(cafile=proxy.certificate), timeout=60
        ) as client,
    ):
        yield client


def test_a_person_gets_in_releases_and_reads_through_the_proxy(server: Server, proxied: httpx.Client) -> None:
    made = server.admin.post("/v1/principals", {"role": "analyst", "name": "somebody"}).json()
    enrolled = proxied.post("/v1/enrolments", json={"token": made["enrolment"]["token"]})
    assert enrolled.status_code == 201, enrolled.text
    study = make_study(server.new("owner"), server.new("analyst"))
    path = f"/v1/datasets/{study.dataset_id}/releases"
    named = study.analyst.headers | {"Idempotency-Key": "through-the-proxy"}
    release = proxied.post(path, json=release_body("0.1"), headers=named)
    assert release.status_code == 201, release.text
    assert release.headers["Strict-Transport-Security"].startswith("max-age=")
    assert release.headers["X-Request-Id"].startswith("req_")
    assert proxied.post(path, json=release_body("0.1"), headers=named).content == release.content
    release_id = release.json()["id"]
    study.owner.patch(f"/v1/releases/{release_id}", {"public": True})
    assert proxied.post(f"/v1/public/releases/{release_id}/posterior", json={}).status_code == 200
    stranger = proxied.get(f"/v1/releases/{release_id}", headers=server.new("analyst").headers, follow_redirects=True)
    assert (stranger.status_code, stranger.url.path) == (200, f"/posterior/v1/public/releases/{release_id}")


def test_the_pages_of_documentation_find_their_parts_under_the_prefix(proxied: httpx.Client) -> None:
    document = proxied.get("/openapi.json").json()
    assert document["servers"][0]["url"] == "/posterior"
    page = proxied.get("/docs")
    parts = re.findall(r'(?:src|href)="(/[^"]+)"', page.text) + re.findall(r"url: '([^']+)'", page.text)
    assert parts
    for part in parts:
        assert part.startswith("/posterior/")
        assert httpx.URL(part).path.startswith("/posterior/")
        assert proxied.get(part.removeprefix("/posterior")).status_code == 200, part
    assert "script-src" in page.headers["Content-Security-Policy"]
    assert proxied.get("/problems/not-found").json()["type"] == "/problems/not-found"


def test_what_is_refused_is_refused_in_the_words_of_the_service(server: Server, proxied: httpx.Client) -> None:
    assert proxied.get("/v1/budgets").json()["type"] == "/problems/unauthenticated"
    large = proxied.post("/v1/datasets", content=b" " * 3_000_000, headers=server.admin.headers)
    assert (large.status_code, large.json()["type"]) == (413, "/problems/body-too-large")
    figures = proxied.get("/metrics", headers={"Authorization": f"Bearer {METRICS_KEY}"})
    assert figures.status_code == 404
    assert proxied.get("/v1/keys", headers={"X-Long": "x" * 40_000}).status_code in {400, 414, 431}
