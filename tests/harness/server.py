"""A running service for the tests: a separate process, started by the command line and used over a socket."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import httpx
from sqlalchemy import Row, create_engine, text

from private_posterior.client import Client
from service.datasets.cipher import new_key
from service.schemas import principals
from service.schemas.problems import ProblemDocument
from tests.harness import commands
from tests.harness.bodies import release_body, unique
from tests.harness.deadlines import PATIENCE
from tests.harness.guards import without_guards
from tests.harness.people import Person, person
from tests.harness.process import COMMAND, ROOT, Process
from tests.harness.published import assert_documented
from tests.harness.thread import ServiceThread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


Role: TypeAlias = Literal["admin", "owner", "analyst"]


@dataclass(slots=True)
class Server:
    """A service, and `http`, a client without a key. `transcript` has every response that one of its parties got, `log`
    all output of the process.
    """

    http: httpx.Client
    service: Process | ServiceThread = field(repr=False)
    owner_database_url: str
    transcript: list[str] = field(default_factory=list)
    admin: Party = field(init=False)

    def __post_init__(self) -> None:
        self.http.event_hooks = {"response": [self._note]}
        made = person(self.owner_database_url, principals.Role.ADMIN)
        self.admin = Party(made.principal_id, made.key, self)

    @property
    def url(self) -> str:
        return self.service.url

    @property
    def log(self) -> Path:
        return self.service.log

    @property
    def environment(self) -> Mapping[str, str]:
        return self.service.environment

    @property
    def process(self) -> Process:
        """The service as a process of its own, for tests that started it so."""
        assert isinstance(self.service, Process)
        return self.service

    def _note(self, response: httpx.Response) -> None:
        response.read()
        assert_documented(response)
        self.transcript.append(
            f"{response.request.method} {response.status_code}\n{response.headers.raw}\n{response.text}"
        )

    def new(self, role: Role, name: str = "") -> Party:
        """A principal of this role with a key of its own, both made over HTTP."""
        enrolment = self.admin.api.create_principal({"role": role, "name": name or unique(role)})["enrolment"]
        assert enrolment is not None
        return self.enrol(enrolment["token"])

    def enrol(self, token: str) -> Party:
        """The person who exchanges this token or code."""
        enrolled = Client(self.http).enrol({"token": token})
        assert enrolled["key"] is not None
        assert enrolled["recovery_code"] is not None
        return Party(enrolled["principal_id"], enrolled["key"], self, enrolled["id"], enrolled["recovery_code"])

    def stop(self) -> None:
        """Asks the service to stop, as an operator or a container does by a signal; it finishes its open requests."""
        self.service.ask_to_stop()

    def rows(self, statement: str, **parameters: object) -> list[Row[Any]]:
        """The database's answer to its owner, in a transaction that commits."""
        engine = create_engine(self.owner_database_url)
        try:
            with engine.begin() as connection:
                written = statement.split()[1] if statement.startswith("UPDATE") else ""
                with without_guards(connection, written) if written in _GUARDED_TABLES else nullcontext():
                    result = connection.execute(text(statement), parameters)
                    return list(result) if result.returns_rows else []
        finally:
            engine.dispose()


_GUARDED_TABLES = {"api_keys", "enrolments"}
"""Tables whose times tests move, to see keys and tokens of the past."""


@dataclass(slots=True, eq=False)
class Party(Person):
    """A person with a key, who uses one server."""

    server: Server = field(repr=False)
    key_id: str = ""
    recovery_code: str = ""

    def request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **arguments: Any
    ) -> httpx.Response:
        return self.api.send(method, path, headers=headers, **arguments)

    @property
    def api(self) -> Client:
        """The typed client of the party. It never waits for jobs, so that tests see the first answer."""
        return Client(self.server.http, self.key, patience_seconds=0)

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.request("GET", path, params=query or None)

    def post(self, path: str, body: object, *, idempotency_key: str | None = None) -> httpx.Response:
        """The answer, which on a busy machine comes after a job, or once a charged release is computed."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else None
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.request("POST", path, json=body, headers=headers)
            if time.monotonic() > deadline:
                return answer
            if answer.status_code == httpx.codes.ACCEPTED and "/v1/jobs/" in answer.headers.get("location", ""):
                return self._result(answer.headers["location"])
            if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE and "job" in answer.json():
                self._result(answer.json()["job"])
            elif answer.status_code == httpx.codes.CONFLICT and problem_code(answer) == "release-in-progress":
                time.sleep(0.5)
            else:
                return answer

    def _result(self, job: str) -> httpx.Response:
        return self.wait_for(lambda: self.get(f"{job}/result"), status=200)

    def post_text(
        self, path: str, body: str | bytes, *, content_type: str = "application/json", **headers: str
    ) -> httpx.Response:
        return self.request("POST", path, content=body, headers={"Content-Type": content_type, **headers})

    def patch(self, path: str, body: object) -> httpx.Response:
        return self.request("PATCH", path, json=body)

    def delete(self, path: str, **query: Any) -> httpx.Response:
        return self.request("DELETE", path, params=query or None)

    def wait_for(self, ask: Callable[[], httpx.Response], *, status: int, seconds: float = PATIENCE) -> httpx.Response:
        """The answer of `ask` once it has the wanted status, or the last one."""
        deadline = time.monotonic() + seconds
        while (answer := ask()).status_code != status and time.monotonic() < deadline:
            time.sleep(0.5)
        return answer

    def release(
        self, dataset_id: str, body: Mapping[str, Any] | None = None, *, key: str | None = None, **changes: Any
    ) -> httpx.Response:
        """A request for a release: of two categories at ε = 0.1 by simplex geometric noise, but for `changes`; under
        a new key unless one is given.
        """
        wanted = dict(body or release_body()) | changes
        return self.post(
            f"/v1/datasets/{dataset_id}/releases", wanted, idempotency_key=key or unique("key").replace(" ", "-")
        )


def run(*arguments: str, environment: Mapping[str, str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A command of the service in a folder, which must succeed."""
    done = commands.run([COMMAND, *arguments], env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done


@contextmanager
def serving(directory: Path, database_url: str, owner_database_url: str = "", **settings: str) -> Iterator[Server]:
    """A service on a migrated database, in a thread of this process, until the block ends. It has its own keys."""
    with (
        ServiceThread(database_url, log=directory / "log", **own_keys() | settings) as service,
        using(service, owner_database_url or database_url) as server,
    ):
        yield server


@contextmanager
def using(service: Process | ServiceThread, owner_database_url: str) -> Iterator[Server]:
    """A running service with an admin and a transcript of its own."""
    with httpx.Client(base_url=service.url, timeout=PATIENCE) as http:
        yield Server(http, service, owner_database_url)


@contextmanager
def serving_process(
    directory: Path, database_url: str, owner_database_url: str = "", *, fault: str = "", **settings: str
) -> Iterator[Server]:
    """Serve in a process of its own, perhaps with a fault of `tests.harness.planted`."""
    service = Process(database_url, log=directory / "log", fault=fault, **own_keys() | settings)
    with service, using(service, owner_database_url or database_url) as server:
        yield server
    assert service.process.returncode in {0, -signal.SIGTERM}, service.log.read_text()[-4000:]


def own_keys() -> dict[str, str]:
    return {"counts_keys": f"k1:{new_key()}", "receipt_key": new_key(), "log_level": "debug"}


def without_posteriors(text: str) -> str:
    """The text of responses without the outputs of mechanisms, which are public and near the counts."""
    text = re.sub(r'"posterior":\{"concentration".*?\}\}\]\}', "", text)
    text = re.sub(r'"drawn":"(?:[^"\\]|\\.)*"', "", text)
    text = re.sub(r'"(noisy_counts|released_counts|concentration)":\[.*?\]', "", text)
    # As inferred: its mean, its ends and its quantiles can be the count.
    text = re.sub(r'"count":\{"mean":.*?\],"error":[^}]*\}', "", text)
    return re.sub(r'"answers":\[.*?\],"covariance"|"answer":[^,]*,"exact_answer":"[^"]*"', "", text)


def problem_code(response: httpx.Response) -> str:
    """The code of the response's problem; the response must be a complete problem document."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = json.loads(response.text)
    assert body["status"] == response.status_code
    assert body.keys() >= {"type", "title", "status", "detail", "charged", "retry_safe"}
    assert body.keys() <= ProblemDocument.model_fields.keys()
    kind: str = body["type"]
    return kind.removeprefix("/problems/")
