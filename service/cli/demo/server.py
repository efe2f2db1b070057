"""Starts a service for the demonstration in its own process on a free loopback port, and the parties that talk to
it.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx

from service.auth import COMMAND_LINE, Role
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.errors import PROBLEM_PATH, CertificatePending
from service.identifiers import now, timestamp
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.settings import PREFIX

_STARTS_WITHIN_SECONDS = 60
_ANSWERS_WITHIN_SECONDS = 60
_STOPS_WITHIN_SECONDS = 15
_LOOKS_AGAIN_AFTER_SECONDS = 0.1
_ADDRESS = re.compile(r"listens on (http://\S+)")


class DemoError(Exception):
    """The service did not start, or answered otherwise than the demonstration tells."""


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody with a key."""

    http: httpx.Client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str) -> Any:
        return _expect(self.http.get(path), 200)

    def post(self, path: str, body: Mapping[str, object]) -> Any:
        """Makes something."""
        return _expect(self.http.post(path, json=body), 201)

    def ask(self, path: str, body: Mapping[str, object]) -> Any:
        """Has something computed, or has its computation started."""
        return _expect(self.http.post(path, json=body), 200, 201, 202)

    def download(self, path: str) -> bytes:
        response = self.http.get(path)
        _expect_status(response, 200)
        return response.content

    def ask_release(
        self, dataset_id: str, mechanism: Mapping[str, str], *, categories: int, idempotency_key: str
    ) -> httpx.Response:
        """Asks for a posterior under the uniform prior; whatever the answer."""
        body = {"prior": [1] * categories, "mechanism": mechanism}
        return self.http.post(
            f"/v1/datasets/{dataset_id}/releases", json=body, headers={"Idempotency-Key": idempotency_key}
        )

    def release(self, dataset_id: str, mechanism: Mapping[str, str], *, categories: int, idempotency_key: str) -> Any:
        """A posterior; where its certificate has to be computed first, once that is done."""
        response = self.ask_release(dataset_id, mechanism, categories=categories, idempotency_key=idempotency_key)
        while response.is_error and response.json()["type"] == PROBLEM_PATH + CertificatePending.code:
            while self.get(response.json()["certificate"])["state"] == "pending":
                time.sleep(_LOOKS_AGAIN_AFTER_SECONDS)
            response = self.ask_release(dataset_id, mechanism, categories=categories, idempotency_key=idempotency_key)
        return _expect(response, 201)


def _expect(response: httpx.Response, *statuses: int) -> Any:
    _expect_status(response, *statuses)
    return response.json()


def _expect_status(response: httpx.Response, *statuses: int) -> None:
    if response.status_code not in statuses:
        raise DemoError(
            f"{response.request.method} {response.request.url.path} was answered {response.status_code}: "
            f"{response.text}"
        )


def prepare_database(url: str) -> str:
    """Migrates the database at `url` and returns the key of a first admin, as `private-posterior migrate` and `keys
    create` do.
    """
    migrate(url)
    engine = open_engine(url)
    with writing(engine) as connection:
        admin_id = create_principal(connection, Role.ADMIN, "Operator")
        _, secret = create_key(connection, admin_id, issued_by=COMMAND_LINE, expires_in_days=1)
    engine.dispose()
    return secret.key


@contextlib.contextmanager
def running_service(database_url: str, directory: Path) -> Iterator[str]:
    """The address of a service in a process of its own, which is stopped at the end. What it logs goes to
    `service.log` in `directory`.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment |= {PREFIX + "DATABASE_URL": database_url, PREFIX + "PORT": "0", PREFIX + "LOG_LEVEL": "warning"}
    log = directory / "service.log"
    with log.open("wb") as sink:
        command = [sys.executable, "-m", "service", "serve"]
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)  # noqa: S603  our own command
    try:
        yield _address(process, log)
    finally:
        process.terminate()
        try:
            process.wait(_STOPS_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + _STARTS_WITHIN_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if found := _ADDRESS.search(log.read_text(errors="replace")):
            return found.group(1)
        time.sleep(0.02)
    raise DemoError("the service did not start; it said:\n" + log.read_text(errors="replace"))


def party(address: str, key: str) -> Party:
    """Whoever holds `key`, over HTTP. Proxies of the environment are for the outside and not for a loopback address."""
    headers = {"Authorization": f"Bearer {key}"}
    return Party(httpx.Client(base_url=address, headers=headers, timeout=_ANSWERS_WITHIN_SECONDS, trust_env=False))


def hire(operator: Party, address: str, role: Role, name: str) -> tuple[str, Party]:
    """A new principal, by its id, and the party that exchanged its token for a key."""
    principal = operator.post("/v1/principals", {"role": role.value, "name": name})
    token = {"token": principal["enrolment"]["token"], "expires_at": timestamp(now() + 86_400)}
    enrolled = _expect(
        httpx.post(f"{address}/v1/enrolments", json=token, timeout=_ANSWERS_WITHIN_SECONDS, trust_env=False), 201
    )
    return principal["id"], party(address, enrolled["key"])
