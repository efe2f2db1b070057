"""The compose file, run without containers: each of its services is a process with the command, environment and order
in the file, the nginx configuration that it mounts, and a real PostgreSQL.
"""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.engine import make_url

from private_posterior.client import Client
from tests.harness.bodies import registration, release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.nginx import CONFIGURATION, Proxy, nginx
from tests.harness.ports import free_port
from tests.harness.postgres import PostgresServer
from tests.harness.shared_postgres import ROLES
from tests.test_deployment_files import IMAGE_ENVIRONMENT, REQUIRED, ROOT, SECRETS, SERVICES, final

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
OURS = "private-posterior"
PROGRAM = [sys.executable, "-c", "from service.cli.main import main; main()"]
_START_SECONDS = 180


class Composition:
    """Starts the services of the file, each after the services that it depends on."""

    def __init__(self, stack: ExitStack, directory: Path) -> None:
        self._stack = stack
        self._directory = directory
        self.started: list[str] = []
        self.ports = {"service": free_port(), "service-2": free_port()}
        """Local ports of the containers."""
        self.services: dict[str, subprocess.Popen[bytes]] = {}

    def up(self) -> None:
        for name in SERVICES:
            self._start(name)

    def _start(self, name: str) -> None:
        if name in self.started:
            return
        for other, how in SERVICES[name].get("depends_on", {}).items():
            self._start(other)
            match how["condition"]:
                case "service_healthy":
                    self._wait_until_healthy(other)
                case "service_completed_successfully":
                    assert other == "migrate", "it has ended when it was started"
                case _:
                    raise AssertionError(how)
        self.started.append(name)
        image = SERVICES[name]["image"].partition(":")[0]
        {"postgres": self._start_postgres, OURS: self._start_ours, "nginx": self._start_nginx}[image](name)

    def _start_postgres(self, name: str) -> None:
        self.postgres = self._stack.enter_context(PostgresServer())
        script = next(mount for mount in SERVICES[name]["volumes"] if "initdb.d" in mount).split(":")[0]
        assert (ROOT / script).resolve() == ROLES
        given = self._environment_of(name)
        self.postgres.run_script(ROLES, {key: value for key, value in given.items() if key != "POSTGRES_PASSWORD"})

    def _start_ours(self, name: str) -> None:
        command = [*PROGRAM, *SERVICES[name].get("command", json.loads(final("CMD")))]
        if name == "migrate":
            subprocess.run(command, env=self._environment(name), check=True, cwd=self._directory)
            return
        log = self._stack.enter_context((self._directory / name).open("wb"))
        self.services[name] = subprocess.Popen(
            command, env=self._environment(name), cwd=self._directory, stdout=log, stderr=subprocess.STDOUT
        )
        self._stack.callback(self._stop, self.services[name])

    def start_again(self, name: str) -> None:
        """Start the container again, as `restart: unless-stopped` does."""
        assert SERVICES[name]["restart"] == "unless-stopped"
        self._start_ours(name)
        self._wait_until_healthy(name)

    def _stop(self, service: subprocess.Popen[bytes]) -> None:
        if service.poll() is None:
            service.send_signal(signal.SIGTERM)
        assert service.wait(timeout=PATIENCE) in {0, -signal.SIGTERM, -signal.SIGKILL}

    def _start_nginx(self, name: str) -> None:
        assert (ROOT / SERVICES[name]["volumes"][0].split(":")[0]).resolve() == CONFIGURATION
        urls = [f"http://127.0.0.1:{port}" for port in self.ports.values()]
        self.proxy: Proxy = self._stack.enter_context(nginx(*urls))

    def _wait_until_healthy(self, name: str) -> None:
        """By the check of the file, or by that of the image."""
        stated = SERVICES[name].get("healthcheck", {}).get("test") or [
            "CMD", *json.loads(final("HEALTHCHECK").partition("CMD ")[2])
        ]  # fmt: skip
        assert stated[0] == "CMD"
        command = stated[1:]
        environment = dict(os.environ)
        if name == "postgres":
            directory = str(self.postgres.directory)
            command = [str(self.postgres.binaries / command[0]), *command[1:]]
            command = [f"--host={directory}" if each.startswith("--host=") else each for each in command]
        else:
            command, environment = [sys.executable, *command[1:]], self._environment(name)
        deadline = time.monotonic() + _START_SECONDS
        while subprocess.run(command, env=environment, capture_output=True, check=False).returncode:
            assert time.monotonic() < deadline, f"{name} does not become healthy"
            time.sleep(0.2)

    def _environment_of(self, name: str) -> dict[str, str]:
        secrets = SECRETS | {"POSTGRES_PASSWORD": "superuser"}
        return {
            key: REQUIRED.sub(lambda found: secrets[found["name"]], value)
            for key, value in SERVICES[name].get("environment", {}).items()
        }

    def _environment(self, name: str) -> dict[str, str]:
        """The environment of image and file, with `postgres` and the volumes on this machine."""
        chosen = IMAGE_ENVIRONMENT | self._environment_of(name)
        url = make_url(chosen["POSTERIOR_DATABASE_URL"])
        assert (url.host, url.username) == ("postgres", url.username)
        chosen["POSTERIOR_DATABASE_URL"] = self.postgres.url(str(url.database), str(url.username))
        chosen |= {"POSTERIOR_HOST": "127.0.0.1", "PYTHONPATH": str(ROOT)}
        chosen["POSTERIOR_PORT"] = str(self.ports.get(name, 0))
        del chosen["PYTHONDONTWRITEBYTECODE"]
        if "POSTERIOR_WITNESS_FILE" in chosen:
            (self._directory / "witness").mkdir(exist_ok=True)
            chosen["POSTERIOR_WITNESS_FILE"] = str(self._directory / "witness" / "witness")
        return chosen | {"PATH": os.environ["PATH"], "HOME": str(self._directory)}

    def run(self, *arguments: str) -> str:
        """The output of `docker compose run --rm service …`."""
        done = subprocess.run(
            [*PROGRAM, *arguments], env=self._environment("service"), capture_output=True, text=True, check=False,
            cwd=self._directory,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout


def test_the_compose_file_serves_a_release_through_nginx(tmp_path: Path) -> None:
    with ExitStack() as stack:
        composition = Composition(stack, tmp_path)
        composition.up()
        assert composition.started == ["postgres", "migrate", "service", "service-2", "nginx"]
        admin = composition.run("keys", "create", "--role", "admin").strip()
        http = stack.enter_context(
            httpx.Client(
                base_url=composition.proxy.url,
                verify=ssl.create_default_context(cafile=composition.proxy.certificate),
                timeout=PATIENCE,
            )
        )
        release = released(http, admin)
        assert release["charged"]["epsilon"] == "0.1"
        assert "intact" in composition.run("ledger", "verify")
        with composition.postgres.connect("posterior") as connection:
            backends = connection.execute("SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'posterior'")
            assert {row[0] for row in backends} - {"postgres"} == {"posterior_service"}
        for port in composition.ports.values():
            assert httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE).json()["notes"] == []
        assert http.get("/metrics").status_code == 404
        for name in ("service", "service-2"):
            composition.services[name].kill()
            composition.services[name].wait()
            assert {http.get("/livez").status_code for _ in range(20)} == {200}, "by the other process"
            composition.start_again(name)


def released(http: httpx.Client, admin: str) -> Any:
    """A release by an owner whose account the admin created, of a data set of their own."""
    enrolment = Client(http, admin).create_principal({"role": "owner", "name": "Field Trial Office"})["enrolment"]
    assert enrolment is not None
    key = Client(http).enrol({"token": enrolment["token"]})["key"]
    headers = {"Authorization": f"Bearer {key}"}
    made = http.post("/v1/datasets", json=registration([30, 70]), headers=headers).json()
    path, named = f"/v1/datasets/{made['id']}/releases", headers | {"Idempotency-Key": "1"}
    answers = [http.post(path, json=release_body(), headers=named) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    return answers[0].json()
