"""The service as a process of its own on a loopback port, and people who call it over the socket."""

from __future__ import annotations

import base64
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from sqlalchemy import Engine

from service.auth import Role
from service.database.engine import writing
from service.principals.keys import create_key
from service.principals.people import create_principal

ROOT = Path(__file__).parents[2]
COUNTS_KEYS = "k1:" + base64.b64encode(bytes(range(32))).decode()
RECEIPT_KEY = base64.b64encode(bytes(32)).decode()
"""The seed of `tests.harness.installation.SIGNER`."""
_ADDRESS = re.compile(r"listens on (http://\S+)")
_START_SECONDS = 90.0


class Server:
    """`private-posterior serve` on a migrated database; a context manager. Further settings as keywords, in lower case without the prefix."""

    def __init__(self, url: str, **settings: str) -> None:
        chosen = {
            "database_url": url,
            "port": "0",
            "counts_keys": COUNTS_KEYS,
            "receipt_key": RECEIPT_KEY,
            "rate_limit_per_minute": "0",
        } | settings
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("POSTERIOR_")}
        self._environment |= {f"POSTERIOR_{name.upper()}": value for name, value in chosen.items()} | {
            "PYTHONPATH": str(ROOT)
        }
        self.log: list[str] = []
        self._addresses: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.url = ""

    def __enter__(self) -> Self:
        self.launch()
        self.wait_until_ready()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(signal.SIGTERM)

    def launch(self) -> None:
        """Starts the process without waiting for it."""
        command = [sys.executable, "-c", "from service.cli.main import main; main()", "serve"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def wait_until_ready(self) -> None:
        try:
            self.url = self._addresses.get(timeout=_START_SECONDS)
        except queue.Empty:
            self.stop(signal.SIGKILL)
        if not self.url:
            raise RuntimeError("the service did not start:\n" + "".join(self.log[-40:]))
        with httpx.Client(
            base_url=self.url, timeout=_START_SECONDS, transport=httpx.HTTPTransport(retries=5)
        ) as client:
            client.get("/livez").raise_for_status()

    def stop(self, how: signal.Signals) -> int:
        """Ends the process and returns its code; minus the signal where it was killed."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self._reader.join()
        if self.process.stderr is not None:
            self.process.stderr.close()
        return code

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if found := _ADDRESS.search(line):
                self._addresses.put(found[1])
        self._addresses.put("")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a key."""

    id: str
    key: str = field(repr=False)

    def client(self, url: str) -> httpx.Client:
        return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {self.key}"}, timeout=60)


def person(engine: Engine, role: Role) -> Person:
    """A new principal with a key, made as the command line makes the first one."""
    with writing(engine) as connection:
        principal_id = create_principal(connection, role, role.value)
        _, secret = create_key(connection, principal_id, issued_by="command-line", expires_in_days=None)
    return Person(principal_id, secret.key)


@dataclass(frozen=True, slots=True)
class Study:
    """A data set that its owner registered over HTTP, with its budget."""

    owner: Person
    dataset_id: str
    budget_id: str


def register(
    url: str, owner: Person, *, epsilon: str, name: str = "study", counts: tuple[int, ...] = (3, 4), delta: str = "0"
) -> Study:
    """Registers counts on a new `basic` budget."""
    body = {
        "name": name,
        "labels": [f"category {number}" for number in range(len(counts))],
        "counts": counts,
        "unit": "one person",
        "one_record_per_unit": True,
        "n_is_public": True,
        "budget": {"kind": "new", "budget": {"accountant": "basic", "name": name, "epsilon": epsilon, "delta": delta}},
    }
    with owner.client(url) as client:
        answer = client.post("/v1/datasets", json=body)
    assert answer.status_code == 201, answer.text
    return Study(owner, answer.json()["id"], answer.json()["budget_id"])


def grant(url: str, study: Study, analyst: Person, *, epsilon: str) -> str:
    """Lets an analyst spend up to `epsilon` of the study's budget."""
    body = {"principal_id": analyst.id, "epsilon": epsilon, "delta": "0"}
    with study.owner.client(url) as client:
        answer = client.post(f"/v1/datasets/{study.dataset_id}/grants", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def release(
    client: httpx.Client, dataset_id: str, key: str, *, epsilon: str = "0.1", categories: int = 2, **body: Any
) -> httpx.Response:
    """Asks for a release by the simplex geometric mechanism, which is charged just what is asked."""
    content = {"prior": [1] * categories, "mechanism": {"kind": "simplex_geometric", "epsilon": epsilon}} | body
    return client.post(f"/v1/datasets/{dataset_id}/releases", json=content, headers={"Idempotency-Key": key})
