"""The image, the compose file and the package metadata compared with the application, because no container engine
builds them here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import tomllib
from dataclasses import dataclass, fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from sqlalchemy.engine import make_url
from typer.main import get_command

from migrations.rights import SERVICE_ROLE
from service.app import create_app
from service.cli import main as cli
from service.cli.serving import SERVER_OPTIONS
from service.settings import PREFIX, Settings
from tests.conftest import OWNER, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
REQUIRED = re.compile(r"\$\{(?P<name>[A-Z_]+):\?[^}]+\}")


@dataclass(frozen=True)
class Instruction:
    """One line of a Dockerfile; `stage` counts from 0."""

    stage: int
    name: str
    value: str


def read_dockerfile() -> list[Instruction]:
    text = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE))
    instructions: list[Instruction] = []
    stage = -1
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, value = line.partition(" ")
        stage += name == "FROM"
        instructions.append(Instruction(stage, name, value.strip()))
    return instructions


DOCKERFILE = read_dockerfile()
FINAL = [instruction for instruction in DOCKERFILE if instruction.stage == DOCKERFILE[-1].stage]
IMAGE_ENVIRONMENT = dict(pair.split("=", 1) for i in FINAL if i.name == "ENV" for pair in i.value.split())
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
NGINX = (ROOT / "deploy" / "nginx.conf").read_text()
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())


def final(name: str) -> str:
    """The value of the last `name` instruction of the image that is shipped."""
    return [instruction.value for instruction in FINAL if instruction.name == name][-1]


def given(service: str) -> dict[str, str]:
    """The environment of a container, with every required variable given."""
    return {
        name: REQUIRED.sub(lambda found: f"given-{found['name']}", value)
        for name, value in SERVICES[service]["environment"].items()
    }


# The image


@pytest.mark.parametrize("instruction", [i for i in DOCKERFILE if i.name == "FROM"])
def test_the_base_is_a_slim_python_that_the_project_supports(instruction: Instruction) -> None:
    found = re.fullmatch(r"python:(\d+\.\d+)-slim-\w+( AS \w+)?", instruction.value)
    assert found
    assert f"Programming Language :: Python :: {found[1]}" in PROJECT["project"]["classifiers"]


def test_the_image_runs_as_nobody_special() -> None:
    user, group = map(int, final("USER").split(":"))
    assert user >= 10_000
    assert group >= 10_000
    assert any(i.name == "RUN" and f"--uid {user}" in i.value for i in FINAL)


def test_every_package_is_pinned_by_its_hash() -> None:
    installs = re.findall(r"\S+/pip install [^&]*", " ".join(i.value for i in DOCKERFILE if i.name == "RUN"))
    assert len(installs) == 3
    for command in installs:
        assert "--require-hashes" in command or ("--no-deps" in command and "--no-index" in command)


def test_neither_the_builder_nor_pip_is_shipped() -> None:
    assert not any("pip" in i.value for i in FINAL)
    assert any(i.stage == 0 and "pip uninstall --yes pip" in i.value for i in DOCKERFILE)
    assert [i.value for i in FINAL if i.name == "COPY"] == ["--from=build /opt/venv /opt/venv"]


def test_what_is_copied_is_there_and_reaches_the_builder() -> None:
    sent = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    copied = [
        source
        for i in DOCKERFILE
        if i.name == "COPY" and not i.value.startswith("--from")
        for source in i.value.split()[:-1]
    ]
    for source in copied:
        assert (ROOT / source).exists(), source
        assert source.split("/")[0] in sent, source
    packages = {pattern.rstrip("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages <= set(copied)


def test_nothing_secret_is_in_the_image() -> None:
    secret = {PREFIX + f.name.upper() for f in fields(Settings) if f.metadata["secret"]} - {"POSTERIOR_DATABASE_URL"}
    assert not secret & set(IMAGE_ENVIRONMENT)
    assert make_url(IMAGE_ENVIRONMENT["POSTERIOR_DATABASE_URL"]).password is None


def test_the_image_alone_is_a_valid_configuration() -> None:
    chosen = Settings.from_environment(
        {name: value for name, value in IMAGE_ENVIRONMENT.items() if name.startswith(PREFIX)}
    )
    assert chosen.is_sqlite
    assert chosen.host == "0.0.0.0"  # noqa: S104  inside a container, the network is the container's own
    assert str(chosen.port) == final("EXPOSE")
    assert PurePosixPath(str(chosen.sqlite_file.parent)) == PurePosixPath(final("VOLUME"))


def test_the_data_directory_belongs_to_the_user_alone() -> None:
    assert any(
        i.name == "RUN" and f"install -d -o posterior -g posterior -m 0700 {final('VOLUME')}" in i.value for i in FINAL
    )
    assert final("WORKDIR") == final("VOLUME")


def test_the_entry_point_is_the_command_of_the_package() -> None:
    assert json.loads(final("ENTRYPOINT")) == list(PROJECT["project"]["scripts"])


@pytest.mark.parametrize(
    "command", [json.loads(final("CMD")), *(SERVICES[name]["command"] for name in ("migrate", "service"))]
)
def test_what_a_container_runs_is_a_command_of_the_program(command: list[str]) -> None:
    module, _, function = PROJECT["project"]["scripts"]["private-posterior"].partition(":")
    assert callable(getattr(import_module(module), function))
    assert command[0] in typer_commands()


def typer_commands() -> dict[str, Any]:
    commands: dict[str, Any] = vars(get_command(cli.app))["commands"]
    return commands


def test_the_health_check_asks_for_a_route_of_the_application() -> None:
    assert "/livez" in final("HEALTHCHECK")
    assert "/livez" in create_app(Settings()).openapi()["paths"]


# The health check, run unchanged against a server with prepared answers


class _Answer(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/livez" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), _Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def check_health(port: int) -> int:
    command = json.loads(final("HEALTHCHECK").partition("CMD ")[2])
    assert command[0] == "python"
    return subprocess.run(
        [sys.executable, *command[1:]], env={"POSTERIOR_PORT": str(port)}, capture_output=True, check=False
    ).returncode


def test_a_live_service_is_healthy(port: int) -> None:
    assert check_health(port) == 0


def test_a_failing_service_is_not_healthy(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Answer, "status", 503)
    assert check_health(port) != 0


def test_a_dead_service_is_not_healthy() -> None:
    assert check_health(1) != 0


# The compose file


@pytest.mark.parametrize("service", ["migrate", "service"])
def test_the_settings_of_a_container_are_settings_of_the_service(service: str) -> None:
    chosen = Settings.from_environment(
        {name: value for name, value in given(service).items() if name.startswith(PREFIX)}
    )
    assert not chosen.is_sqlite


def test_every_secret_comes_from_the_environment_and_has_to_be_there() -> None:
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if re.search("PASSWORD|KEY|SECRET|TOKEN", name):
                assert REQUIRED.fullmatch(value), name
    text = (ROOT / "docker-compose.yml").read_text()
    assert text.count("${") == len(REQUIRED.findall(text))
    assert make_url(given("service")["POSTERIOR_DATABASE_URL"]).password is None


def test_every_variable_to_be_set_is_explained() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    explained = set(re.findall(r"^#   ([A-Z_]+)  ", text, flags=re.MULTILINE))
    assert explained == {found[1] for found in REQUIRED.finditer(text)}


def test_migrations_run_to_their_end_before_the_service_starts() -> None:
    assert SERVICES["migrate"]["command"] == ["migrate"]
    assert SERVICES["migrate"]["restart"] == "no"
    assert SERVICES["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert SERVICES["service"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert SERVICES["migrate"]["image"] == SERVICES["service"]["image"]


@pytest.mark.parametrize(("service", "role"), [("migrate", OWNER), ("service", SERVICE_ROLE)])
def test_each_container_connects_as_its_own_role(service: str, role: str) -> None:
    url = make_url(SERVICES[service]["environment"]["POSTERIOR_DATABASE_URL"])
    assert (url.username, url.host) == (role, "postgres")
    roles = ROLES.read_text()
    assert f"CREATE ROLE {role} LOGIN PASSWORD" in roles
    assert f"CREATE DATABASE {url.database} OWNER {OWNER};" in roles


def test_the_database_makes_its_roles_at_its_first_start() -> None:
    script = next(mount for mount in SERVICES["postgres"]["volumes"] if mount.startswith("./"))
    source, target, mode = script.split(":")
    assert (ROOT / source).resolve() == ROLES
    assert PurePosixPath(target).parent == PurePosixPath("/docker-entrypoint-initdb.d")
    assert mode == "ro"
    read = set(re.findall(r"^\\getenv \w+ (\w+)$", ROLES.read_text(), flags=re.MULTILINE))
    assert read == set(SERVICES["postgres"]["environment"]) - {"POSTGRES_PASSWORD"}


def test_the_database_keeps_its_data_where_its_image_puts_them() -> None:
    # Since version 18 the image keeps each major version in a directory of its own under /var/lib/postgresql.
    found = re.fullmatch(r"postgres:(\d+)-\w+", SERVICES["postgres"]["image"])
    assert found
    assert int(found[1]) >= 18
    assert "postgres:/var/lib/postgresql" in SERVICES["postgres"]["volumes"]


def test_the_database_tells_its_health_over_the_network() -> None:
    check = SERVICES["postgres"]["healthcheck"]["test"]
    assert check[:2] == ["CMD", "pg_isready"]
    assert "--host=127.0.0.1" in check


def test_nginx_alone_is_published_and_passes_on_to_the_port_that_the_service_listens_on() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["nginx"]
    _, inside = SERVICES["nginx"]["ports"][0].split(":")
    assert re.search(rf"^ *listen {inside} ssl;", NGINX, flags=re.MULTILINE)
    assert f"server service:{final('EXPOSE')} " in NGINX
    assert final("EXPOSE") == IMAGE_ENVIRONMENT["POSTERIOR_PORT"]
    chosen = given("service")
    assert chosen["POSTERIOR_BEHIND_PROXY"] == "true"
    assert f"location {chosen['POSTERIOR_ROOT_PATH']}/ {{" in NGINX


def test_nginx_finds_its_configuration_and_certificate_where_they_are_mounted() -> None:
    configuration, certificate = (mount.split(":") for mount in SERVICES["nginx"]["volumes"])
    assert (ROOT / configuration[0]).read_text() == NGINX
    assert set(re.findall(r"ssl_certificate(?:_key)? (.*)/\w+\.pem;", NGINX)) == {certificate[-2]}
    assert configuration[-1] == certificate[-1] == "ro"


def test_the_service_takes_more_connections_than_nginx_keeps_open() -> None:
    """Else its readiness would be refused as well, while nginx holds all."""
    [active], [idle] = (re.findall(rf"{name}[= ](\d+)", NGINX) for name in ("max_conns", r"\bkeepalive"))
    assert "worker_processes 1;" in NGINX, "each worker counts by itself"
    assert int(active) + int(idle) < SERVER_OPTIONS["limit_concurrency"]


def test_the_witness_outlives_the_container_and_the_database() -> None:
    witness = PurePosixPath(SERVICES["service"]["environment"]["POSTERIOR_WITNESS_FILE"])
    volume, target = SERVICES["service"]["volumes"][0].split(":")
    assert witness.parent == PurePosixPath(target) == PurePosixPath(final("VOLUME"))
    assert set(COMPOSE["volumes"]) == {volume, "postgres"}


# The package


@pytest.mark.parametrize("name", ["build", "runtime", "dev"])
def test_requirements_name_hashes_and_no_address(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    requirements = re.findall(r"^[a-z0-9].*(?:\n {4}--hash=.*)*", text, flags=re.MULTILINE)
    assert requirements
    for requirement in requirements:
        assert re.match(r"[a-z0-9.-]+(\[\w+\])?==\S+ .*\\\n {4}--hash=sha256:[0-9a-f]{64}", requirement), requirement


def test_the_service_is_tested_with_the_packages_that_it_ships_with() -> None:
    def pins(name: str) -> set[str]:
        return set(
            re.findall(r"^([a-z0-9.-]+==\S+)", (ROOT / "requirements" / f"{name}.txt").read_text(), flags=re.MULTILINE)
        )

    assert pins("runtime") <= pins("dev")


def test_every_dependency_is_pinned() -> None:
    runtime = (ROOT / "requirements" / "runtime.txt").read_text()
    for dependency in PROJECT["project"]["dependencies"]:
        name = re.match(r"[a-z0-9.-]+", dependency)
        assert name
        assert re.search(rf"^{re.escape(name[0])}(\[\w+\])?==", runtime, flags=re.MULTILINE), dependency
