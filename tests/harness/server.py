"""A running service as the tests meet it: a process of its own, started by the command line, spoken to over a socket."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from sqlalchemy import Row, create_engine, text

from service.datasets.cipher import new_key
from service.settings import PREFIX
from tests.harness.published import assert_documented

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROOT = Path(__file__).parent.parent.parent
COMMAND = Path(sys.executable).with_name("private-posterior")
_START_SECONDS = 90.0
_NUMBERS = count(1)


def unique(word: str) -> str:
    """A name that no other test uses."""
    return f"{word} {next(_NUMBERS)}"


def environment(database_url: str, **settings: str) -> dict[str, str]:
    """What a process of the service is started with: nothing of the shell's own settings, and no limits that would slow the tests down."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    chosen = {
        "database_url": database_url,
        "port": "0",
        "counts_keys": f"k1:{new_key()}",
        "receipt_key": new_key(),
        "response_grid_ms": "0",
        "rate_limit_per_minute": "0",
        "log_level": "debug",
    } | settings
    return outside | {"PYTHONPATH": str(ROOT)} | {PREFIX + name.upper(): value for name, value in chosen.items()}


@dataclass(slots=True)
class Server:
    """A service, and `http`, a client without a key that speaks to it. `transcript` holds every response that a party of it got, `log` all that the process wrote."""

    http: httpx.Client
    log: Path
    owner_database_url: str
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] = field(repr=False)
    transcript: list[str] = field(default_factory=list)
    admin: Party = field(init=False)

    def __post_init__(self) -> None:
        self.http.event_hooks = {"response": [self._note]}
        self.admin = Party(
            self, "", run("keys", "create", "--role", "admin", environment=self.environment).stdout.strip()
        )
        self.admin.principal_id = self.admin.get("/v1/keys").json()["items"][0]["principal_id"]

    @property
    def url(self) -> str:
        return str(self.http.base_url)

    def _note(self, response: httpx.Response) -> None:
        response.read()
        assert_documented(response)
        self.transcript.append(
            f"{response.request.method} {response.status_code}\n{response.headers.raw}\n{response.text}"
        )

    def new(self, role: str) -> Party:
        """A principal of this role with a key of its own, both made over HTTP."""
        principal = self.admin.post("/v1/principals", {"role": role, "name": unique(role)}).json()
        return self.enrol(principal["enrolment"]["token"])

    def enrol(self, token: str) -> Party:
        """Whoever exchanges this token or code."""
        answer = self.http.post("/v1/enrolments", json={"token": token})
        assert answer.status_code == 201, answer.text
        enrolled = answer.json()
        return Party(self, enrolled["principal_id"], enrolled["key"], enrolled["id"], enrolled["recovery_code"])

    def stop(self) -> None:
        """Tells the service to stop, as an operator or a container does; it goes on with what it was asked."""
        self.process.send_signal(signal.SIGTERM)

    def rows(self, statement: str, **parameters: object) -> list[Row[Any]]:
        """What the database answers to its owner, in a transaction that commits."""
        engine = create_engine(self.owner_database_url)
        try:
            with engine.begin() as connection:
                result = connection.execute(text(statement), parameters)
                return list(result) if result.returns_rows else []
        finally:
            engine.dispose()


@dataclass(slots=True)
class Party:
    """Somebody with a key."""

    server: Server = field(repr=False)
    principal_id: str
    key: str
    key_id: str = ""
    recovery_code: str = ""

    def request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **arguments: Any
    ) -> httpx.Response:
        return self.server.http.request(
            method, path, headers={"Authorization": f"Bearer {self.key}", **(headers or {})}, **arguments
        )

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.request("GET", path, params=query or None)

    def post(self, path: str, body: object, *, idempotency_key: str | None = None) -> httpx.Response:
        return self.request(
            "POST", path, json=body, headers={"Idempotency-Key": idempotency_key} if idempotency_key else None
        )

    def post_text(
        self, path: str, body: str | bytes, *, content_type: str = "application/json", **headers: str
    ) -> httpx.Response:
        return self.request("POST", path, content=body, headers={"Content-Type": content_type, **headers})

    def patch(self, path: str, body: object) -> httpx.Response:
        return self.request("PATCH", path, json=body)

    def delete(self, path: str, **query: Any) -> httpx.Response:
        return self.request("DELETE", path, params=query or None)

    def wait_for(self, ask: Callable[[], httpx.Response], *, status: int, seconds: float) -> httpx.Response:
        """What `ask` answers once its status is the wanted one, or at last."""
        deadline = time.monotonic() + seconds
        while (answer := ask()).status_code != status and time.monotonic() < deadline:
            time.sleep(0.5)
        return answer

    def release(
        self, dataset_id: str, body: Mapping[str, Any] | None = None, *, key: str | None = None, **changes: Any
    ) -> httpx.Response:
        """A request for a release: of two categories at ε = 0.1 by simplex geometric noise, but for `changes`; under a new key unless one is given."""
        wanted = dict(body or {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}) | changes
        return self.post(
            f"/v1/datasets/{dataset_id}/releases", wanted, idempotency_key=key or unique("key").replace(" ", "-")
        )


def run(*arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """A command of the service, which must succeed."""
    done = subprocess.run([COMMAND, *arguments], env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done


@contextmanager
def serving(
    directory: Path, database_url: str, owner_database_url: str = "", *, module: str = "", **settings: str
) -> Iterator[Server]:
    """A service on a migrated database, until the block ends; `module` stands in for the command where the service is to have faults."""
    log = directory / "log"
    chosen = environment(database_url, **settings)
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*([sys.executable, "-m", module] if module else [COMMAND]), "serve"],
            env=chosen,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
        )
    try:
        with httpx.Client(base_url=_address(process, log), timeout=120) as http:
            yield Server(http, log, owner_database_url or database_url, chosen, process)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=_START_SECONDS)
    assert code in {0, -signal.SIGTERM}, log.read_text()[-4000:]


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"listens on (http://\S+)", log.read_text())
        if found:
            _wait_until_ready(found[1], deadline)
            return found[1]
        time.sleep(0.02)
    raise AssertionError(f"the service did not start:\n{log.read_text()[-4000:]}")


def _wait_until_ready(url: str, deadline: float) -> None:
    while httpx.get(f"{url}/readyz", timeout=_START_SECONDS).status_code != httpx.codes.OK:
        assert time.monotonic() < deadline, "the service is not ready"
        time.sleep(0.02)


def without_posteriors(text: str) -> str:
    """The text of responses without what mechanisms put out, which is public and near the counts."""
    return re.sub(r'"posterior":\{"concentration".*?\}\}\]\}', "", text)


def problem_code(response: httpx.Response) -> str:
    """The code of the problem that the response tells; the response must be a whole problem document."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = json.loads(response.text)
    assert body["status"] == response.status_code
    assert body.keys() >= {"type", "title", "status", "detail", "charged", "retry_safe"}
    kind: str = body["type"]
    return kind.removeprefix("/problems/")
