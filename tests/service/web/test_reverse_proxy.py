"""The service behind nginx, with the configuration in `deploy/`: over TLS, under a path prefix."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from tests.harness.bodies import of_releases, registration, release_body
from tests.harness.connections import answer_to_the_end
from tests.harness.deadlines import PATIENCE, until
from tests.harness.nginx import Proxy, nginx
from tests.harness.process import METRICS_KEY
from tests.harness.server import Server, serving
from tests.service.conftest import make_study

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long
BURST = 50
"""Requests without a key that an address may send at once."""
ALLOWED = 50
"""Connections of one address at once."""


@pytest.fixture(scope="module")
def server(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("proxied")
    shutil.copy(migrated_sqlite, directory / "posterior.sqlite3")
    url = f"sqlite:///{directory / 'posterior.sqlite3'}"
    with serving(directory, url, root_path="/posterior", behind_proxy="true") as running:
        yield running


@pytest.fixture(scope="module")
def proxy(server: Server) -> Iterator[Proxy]:
    with nginx(server.url) as running:
        yield running


@pytest.fixture(scope="module")
def proxied(proxy: Proxy) -> Iterator[httpx.Client]:
    """A client that reaches only the proxy."""
    with httpx.Client(base_url=proxy.url, verify=trusting(proxy), timeout=PATIENCE) as client:
        yield client


def trusting(proxy: Proxy) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=proxy.certificate)


def connected(proxy: Proxy) -> ssl.SSLSocket:
    address = urlsplit(proxy.url)
    assert address.hostname is not None
    plain = socket.create_connection((address.hostname, address.port or 0), timeout=PATIENCE)
    return trusting(proxy).wrap_socket(plain, server_hostname=address.hostname)


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
    assert proxied.post("/v1/public/posteriors", json=of_releases(release_id)).status_code == 200
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
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert proxied.get("/problems/not-found").json()["type"] == "/problems/not-found"


def test_scripts_of_a_release_page_have_the_address_that_the_browser_uses(server: Server, proxy: Proxy) -> None:
    study = make_study(server.new("owner"), server.new("analyst"))
    release_id = study.analyst.release(study.dataset_id).json()["id"]
    study.owner.patch(f"/v1/releases/{release_id}", {"public": True})
    with httpx.Client(verify=trusting(proxy), timeout=PATIENCE, headers={"Accept": "text/html"}) as browser:
        page = browser.get(f"{proxy.url}/console/public/releases/{release_id}")
        assert page.status_code == 200, page.text
        address = f"{proxy.url}/v1/public/posteriors"
        assert "http://" not in page.text
        for ending in ("py", "R", "sh"):
            script = browser.get(f"{page.url}/repeat.{ending}").text
            assert address in script
            assert "http://" not in script
        posted = browser.post(address, json=of_releases(release_id))
        assert posted.status_code == 200, posted.text


def finished(http: httpx.Client, job: dict[str, Any], headers: dict[str, str]) -> str:
    """Wait for a job, and return the path of its result."""
    while job["state"] == "pending":
        time.sleep(0.5)
        job = http.get(f"/v1/jobs/{job['id']}", headers=headers).json()
    return f"/v1/jobs/{job['id']}/result"


def test_files_and_answers_about_releases_are_compressed_and_pages_are_not(
    server: Server, proxied: httpx.Client
) -> None:
    study = make_study(server.new("owner"), server.new("analyst"), labels=[f"{n}" for n in range(40)], counts=[9] * 40)
    release_id = study.owner.release(study.dataset_id, prior=[1] * 40).json()["id"]
    study.owner.patch(f"/v1/releases/{release_id}", {"public": True})
    public, key = f"/v1/public/releases/{release_id}", study.owner.headers
    static = ("/console/static/console.css", "/console/static/tabular.js", "/docs/assets/swagger-ui-bundle.js")
    for path in (*static, public, f"{public}/plot.svg"):
        found = proxied.get(path)
        assert (found.status_code, found.headers["Content-Encoding"]) == (200, "gzip"), path
        assert "Accept-Encoding" in found.headers["Vary"]
        plain = proxied.get(path, headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert plain.content == found.content
        if tag := found.headers.get("ETag"):
            assert proxied.get(path, headers={"If-None-Match": tag}).status_code == 304
    asked = {"json": of_releases(release_id), "headers": key}
    # It is estimated to take seconds, so it becomes a job.
    table = {"kind": "table", "noise": {"law": "geometric", "scale": 10}, "total": {"at_most": 10**6}}
    cells = [{"label": f"{number}", "value": 900} for number in range(1000)]
    job = proxied.post("/v1/posteriors", json={"sources": [table | {"cells": cells}]}, headers=key)
    assert job.status_code == 202, job.text
    queries = {"queries": [{"of": {"labels": [f"{number}"]}} for number in range(9)]}
    for method, path, more in (
        ("POST", "/v1/posteriors", asked),
        ("GET", f"/v1/releases/{release_id}", {"headers": key}),
        ("POST", f"/v1/datasets/{study.dataset_id}/estimates", {"json": queries, "headers": key}),
        ("GET", finished(proxied, job.json(), key), {"headers": key}),
    ):
        found = proxied.request(method, path, **more)
        assert (found.status_code, found.headers["Content-Encoding"]) == (200, "gzip"), path
    assert proxied.get("/v1/releases?limit=1", headers=key).json()["next_cursor"] is None
    for path in (
        "/console/sign-in",
        f"/console/public/releases/{release_id}",
        f"/v1/datasets/{study.dataset_id}/statement",
    ):
        found = proxied.get(path, headers=key | {"Accept": "text/html" if "console" in path else "*/*"})
        assert (found.status_code, len(found.content) > 1000) == (200, True), path
        assert "Content-Encoding" not in found.headers


def test_refusals_behind_the_proxy_are_those_of_the_service(server: Server, proxied: httpx.Client) -> None:
    assert proxied.get("/v1/budgets").json()["type"] == "/problems/unauthenticated"
    large = proxied.post("/v1/datasets", content=b" " * 3_000_000, headers=server.admin.headers)
    assert (large.status_code, large.json()["type"]) == (413, "/problems/body-too-large")
    figures = proxied.get("/metrics", headers={"Authorization": f"Bearer {METRICS_KEY}"})
    assert figures.status_code == 404
    assert proxied.get("/v1/keys", headers={"X-Long": "x" * 40_000}).status_code in {400, 414, 431}


def test_a_request_under_another_name_does_not_reach_the_service(proxied: httpx.Client) -> None:
    """The service would write the name into the scripts and addresses of its pages."""
    port = proxied.base_url.port
    for ours in ("posterior.example", f"posterior.example:{port}", f"127.0.0.1:{port}"):
        assert proxied.get("/livez", headers={"Host": ours}).status_code == 200, ours
    for other in ("elsewhere.example", "posterior.example.elsewhere.example", f"posterior:{port}"):
        for path in ("/livez", "/console/sign-in", "/v1/budgets"):
            refused = proxied.get(path, headers={"Host": other})
            assert (refused.status_code, "X-Request-Id" in refused.headers) == (421, False), (other, path)


def test_counts_and_answers_are_never_in_a_file_of_the_proxy(server: Server, proxy: Proxy) -> None:
    owner, categories = server.new("owner"), 10_000
    body = json.dumps(registration([7_300_427] * categories)).encode()
    with connected(proxy) as connection:
        head = [
            f"POST {urlsplit(proxy.url).path}/v1/datasets HTTP/1.1",
            "Host: posterior.example",
            f"Authorization: {owner.headers['Authorization']}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "Connection: close",
        ]
        connection.sendall("\r\n".join([*head, "", ""]).encode() + body[:-1])
        time.sleep(1)
        assert written_by(proxy) == []
        connection.sendall(body[-1:])
        registered = answer_to_the_end(connection)
        assert registered.startswith(b"HTTP/1.1 201")
    dataset_id = json.loads(registered.partition(b"\r\n\r\n")[2])["id"]
    wanted = release_body("0.1", categories)
    named = owner.headers | {"Idempotency-Key": "large"}
    with (
        httpx.Client(base_url=proxy.url, verify=trusting(proxy), timeout=PATIENCE) as client,
        client.stream("POST", f"/v1/datasets/{dataset_id}/releases", json=wanted, headers=named) as answer,
    ):
        time.sleep(1)
        assert written_by(proxy) == []
        assert len(answer.read()) > 1_000_000


def test_the_service_is_ready_for_others_while_one_address_holds_all_connections_that_it_may(
    server: Server, proxy: Proxy, proxied: httpx.Client
) -> None:
    """Each waits with half a body, at an operation that needs no key."""
    path = urlsplit(proxy.url).path
    half = f"POST {path}/v1/enrolments HTTP/1.1\r\nHost: posterior.example\r\nContent-Length: 100\r\n\r\n{{".encode()
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2", verify=trusting(proxy))
    with ExitStack() as stack:
        other = stack.enter_context(httpx.Client(base_url=proxy.url, transport=elsewhere, timeout=PATIENCE))

        def refused() -> bool:
            """Open more each time: the proxy refuses those that come too fast, and ends one after 20 s."""
            for _ in range(ALLOWED):
                stack.enter_context(connected(proxy)).sendall(half)
            return proxied.get("/v1/budgets").status_code == 429

        until(refused)
        until(lambda: other.get("/readyz").status_code == 200)
        until(lambda: server.http.get("/readyz").status_code == 200)


def test_one_address_is_slowed_down_at_what_needs_no_key_and_nothing_else_is(
    server: Server, proxy: Proxy, proxied: httpx.Client
) -> None:
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.3", verify=trusting(proxy))
    with httpx.Client(base_url=proxy.url, transport=elsewhere, timeout=PATIENCE) as other:
        answers = [other.get("/v1/public/releases/rel_1").status_code for _ in range(BURST - 1)]
        for path in ("/v1/public/releases/rel_1", "/v1/%70ublic/releases/rel_1", "/console/public/releases/rel_1"):
            until(partial(_is_slowed_down, proxy, path))
        answers.append(other.get("/v1/public/releases/rel_1").status_code)
        assert proxied.get("/v1/budgets", headers=server.new("owner").headers).status_code == 200
    assert answers == [404] * BURST


def _is_slowed_down(proxy: Proxy, path: str) -> bool:
    """Send requests that the proxy reads one after another, however long a connection takes. Say if one is refused."""
    head = f"GET {urlsplit(proxy.url).path}{path} HTTP/1.1\r\nHost: posterior.example\r\n"
    with connected(proxy) as connection:
        connection.sendall(f"{head}\r\n".encode() * 99 + f"{head}Connection: close\r\n\r\n".encode())
        return re.search(rb"^HTTP/1\.1 429 ", answer_to_the_end(connection), re.MULTILINE) is not None


def test_a_half_sent_head_is_given_up(proxy: Proxy) -> None:
    with connected(proxy) as connection:
        connection.sendall(b"GET /posterior/livez HTTP/1.1\r\nHost: posterior.example\r\n")
        assert connection.recv(1) == b""


def written_by(proxy: Proxy) -> list[tuple[str, int]]:
    """The files that the proxy has open, or left, with their content, except its log and its process id. nginx unlinks
    a file before it writes to it, so the file is found through the process.
    """
    found = [
        open_file
        for process in [psutil.Process(proxy.process_id), *psutil.Process(proxy.process_id).children()]
        for open_file in Path(f"/proc/{process.pid}/fd").iterdir()
    ]
    return [
        (str(each.readlink()), each.stat().st_size)
        for each in found
        if str(each.readlink()).startswith(str(proxy.directory)) and not str(each.readlink()).endswith("/log")
    ]
