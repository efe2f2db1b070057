"""The image, the compose file and the package metadata compared with the application, and acted out without
containers: their steps in their order, on a real PostgreSQL.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import tomllib
from configparser import ConfigParser
from dataclasses import dataclass, fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from sqlalchemy.engine import make_url
from typer.main import get_command
from typer.testing import CliRunner, Result

from migrations.rights import SERVICE_ROLE
from private_posterior.connection import IDLE_SECONDS
from service.cli import main as cli
from service.cli.serving import SERVER_OPTIONS
from service.console.releases import PUBLIC, PUBLIC_MARGINS
from service.settings.settings import PREFIX, Settings
from tests.harness.commands import log_of_its_own
from tests.harness.deadlines import PATIENCE
from tests.harness.in_process import running
from tests.harness.published import DOCUMENT
from tests.harness.shared_postgres import OWNER, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.harness.postgres import PostgresServer

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


def test_the_base_is_a_slim_python_that_the_project_supports() -> None:
    bases = [i.value for i in DOCKERFILE if i.name == "FROM"]
    assert bases
    for base in bases:
        found = re.fullmatch(r"python:(\d+\.\d+)-slim-\w+( AS \w+)?", base)
        assert found, base
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
    chosen = of_settings(IMAGE_ENVIRONMENT)
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


def test_what_a_container_runs_is_a_command_of_the_program() -> None:
    module, _, function = PROJECT["project"]["scripts"]["private-posterior"].partition(":")
    assert callable(getattr(import_module(module), function))
    commands = [json.loads(final("CMD")), *(SERVICES[name]["command"] for name in ("migrate", "service"))]
    assert {command[0] for command in commands} <= vars(get_command(cli.app))["commands"].keys()


def test_the_health_check_asks_for_a_route_of_the_application() -> None:
    assert "/livez" in final("HEALTHCHECK")
    assert "/livez" in DOCUMENT["paths"]


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


def test_a_live_service_is_healthy_and_a_failing_or_dead_one_is_not(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_health(port) == 0
    monkeypatch.setattr(_Answer, "status", 503)
    assert check_health(port) != 0
    assert check_health(1) != 0


# The compose file


def test_the_settings_of_a_container_are_settings_of_the_service() -> None:
    for service in ("migrate", "service"):
        assert not of_settings(given(service)).is_sqlite, service


def of_settings(environment: dict[str, str]) -> Settings:
    return Settings.from_environment({name: value for name, value in environment.items() if name.startswith(PREFIX)})


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


def test_each_container_connects_as_its_own_role() -> None:
    roles = ROLES.read_text()
    for service, role in (("migrate", OWNER), ("service", SERVICE_ROLE)):
        url = make_url(SERVICES[service]["environment"]["POSTERIOR_DATABASE_URL"])
        assert (url.username, url.host) == (role, "postgres")
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
    ours = [name for name, service in SERVICES.items() if service.get("command") == ["serve"]]
    assert re.findall(rf"^ *server (\S+):{final('EXPOSE')} ", NGINX, flags=re.MULTILINE) == ours
    assert ours == ["service", "service-2"], "one alone leaves callers without an answer while it starts again"
    assert SERVICES["nginx"]["depends_on"].keys() == set(ours)
    assert final("EXPOSE") == IMAGE_ENVIRONMENT["POSTERIOR_PORT"]
    chosen = given("service")
    assert chosen["POSTERIOR_BEHIND_PROXY"] == "true"
    assert f"location {chosen['POSTERIOR_ROOT_PATH']}/ {{" in NGINX


def test_the_page_on_several_processes_gives_the_second_unit_the_other_port_of_nginx() -> None:
    page = (ROOT / "docs" / "how-to" / "several-machines.md").read_text()
    [(quoted, target)] = re.findall(r"^printf '(.*)' > (\S+)$", page, flags=re.MULTILINE)
    unit = ConfigParser()
    unit.read_string(quoted.replace("\\n", "\n"))
    assert unit.sections() == ["Service"]
    [(variable, port)] = [unit["Service"]["Environment"].split("=")]
    assert variable == f"{PREFIX}PORT"
    assert Settings.from_environment({variable: port}).port == int(port) != Settings().port
    assert f"127.0.0.1:{Settings().port} and 127.0.0.1:{port}" in NGINX
    assert f"\ncp deploy/private-posterior.service {PurePosixPath(target).parent.with_suffix('')}\n" in page
    assert page.count(variable) == 1, "a file of variables wins over those of a unit"


def test_nginx_finds_its_configuration_and_certificate_where_they_are_mounted() -> None:
    configuration, certificate = (mount.split(":") for mount in SERVICES["nginx"]["volumes"])
    assert (ROOT / configuration[0]).read_text() == NGINX
    assert set(re.findall(r"ssl_certificate(?:_key)? (.*)/\w+\.pem;", NGINX)) == {certificate[-2]}
    assert configuration[-1] == certificate[-1] == "ro"


def test_the_service_takes_more_connections_than_nginx_keeps_open() -> None:
    """Else its readiness would be refused as well, while nginx holds all."""
    actives, [idle] = (re.findall(rf"{name}[= ](\d+)", NGINX) for name in ("max_conns", r"\bkeepalive"))
    [active] = set(actives)
    assert "worker_processes 1;" in NGINX, "each worker counts by itself"
    assert int(active) + int(idle) < SERVER_OPTIONS["limit_concurrency"]


def test_nginx_limits_the_rate_of_every_operation_without_a_key_and_of_no_other() -> None:
    prefix = given("service")["POSTERIOR_ROOT_PATH"]
    [without_key] = re.findall(r"map \$uri \$address_without_key \{\n(.*?)\n    \}", NGINX, flags=re.DOTALL)
    patterns = re.findall(r"~(\S+) \$binary_remote_addr;", without_key)
    assert 'default "";' in without_key
    assert "limit_req_zone $address_without_key zone=without_key:" in NGINX
    assert re.search(r"^        limit_req zone=without_key burst=\d+ nodelay;$", NGINX, flags=re.MULTILINE)

    def is_limited(path: str) -> bool:
        """nginx reads the map after a location's rewrite, which takes the prefix off."""
        [limited] = {any(re.search(each, start + path) for each in patterns) for start in (prefix, "")}
        return limited

    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert is_limited(path) == (not operation.get("security")), f"{method} {path}"
    for page in (f"{PUBLIC}/rel_1", f"{PUBLIC}/rel_1/plot.svg", f"{PUBLIC_MARGINS}/rel_1", "/console/sign-in"):
        assert is_limited(page)
    for page in ("/console/", "/console/static/page.css", "/console/releases/rel_1", "/console/data/new"):
        assert not is_limited(page)


def test_no_request_is_sent_into_a_connection_that_the_other_side_closes() -> None:
    """Seen before: client and service both closed idle connections after 5 s."""
    [nginx] = re.findall(r"keepalive_timeout (\d+)s", NGINX)
    [haproxy] = re.findall(r"timeout http-keep-alive (\d+)s", (ROOT / "deploy" / "haproxy.cfg").read_text())
    for between in (nginx, haproxy):
        assert IDLE_SECONDS < int(between) < SERVER_OPTIONS["timeout_keep_alive"]


def test_no_container_has_more_rights_than_it_needs() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service, name
        assert service.get("read_only") is (None if name == "postgres" else True), name
    assert [name for name, service in SERVICES.items() if "cap_add" in service] == ["postgres", "nginx"]


def test_the_proxy_does_not_reach_the_database() -> None:
    joined = {name: set(service["networks"]) for name, service in SERVICES.items()}
    assert joined["nginx"] & joined["postgres"] == joined["nginx"] & joined["migrate"] == set()
    assert joined["service"] == joined["service-2"] == joined["nginx"] | joined["postgres"] == set(COMPOSE["networks"])
    assert COMPOSE["networks"]["database"] == {"internal": True}


def test_the_witness_outlives_the_container_and_the_database() -> None:
    witness = PurePosixPath(SERVICES["service"]["environment"]["POSTERIOR_WITNESS_FILE"])
    volume, target = SERVICES["service"]["volumes"][0].split(":")
    assert witness.parent == PurePosixPath(target) == PurePosixPath(final("VOLUME"))
    assert set(COMPOSE["volumes"]) == {volume, "postgres"}


# The package


def test_requirements_name_hashes_and_no_address() -> None:
    for name in ("build", "runtime", "dev"):
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        assert "://" not in text, name
        requirements = re.findall(r"^[a-z0-9].*(?:\n {4}--hash=.*)*", text, flags=re.MULTILINE)
        assert requirements, name
        pinned = re.compile(r"[a-z0-9.-]+(\[\w+\])?==\S+ .*\\\n {4}--hash=sha256:[0-9a-f]{64}")
        assert [requirement for requirement in requirements if not pinned.match(requirement)] == [], name


def test_the_service_is_tested_with_the_packages_that_it_ships_with() -> None:
    def pins(name: str) -> set[str]:
        return set(
            re.findall(r"^([a-z0-9.-]+==\S+)", (ROOT / "requirements" / f"{name}.txt").read_text(), flags=re.MULTILINE)
        )

    assert pins("runtime") <= pins("dev")


def test_every_dependency_is_pinned() -> None:
    runtime = (ROOT / "requirements" / "runtime.txt").read_text()
    for dependency in [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["postgresql"]]:
        name = re.match(r"[a-z0-9.-]+", dependency)
        assert name
        assert re.search(rf"^{re.escape(name[0])}(\[\w+\])?==", runtime, flags=re.MULTILINE), dependency


# The order of the compose file, acted without containers

KEY = base64.b64encode(bytes(range(32))).decode()
SECRETS = {
    "POSTGRES_OWNER_PASSWORD": "owner",
    "POSTGRES_SERVICE_PASSWORD": "service",
    "POSTERIOR_COUNTS_KEYS": f"v1:{KEY}",
    "POSTERIOR_RECEIPT_KEY": KEY,
}


def on_server(container: str, server: PostgresServer, database: str, directory: Path) -> dict[str, str]:
    """The container's variables with the secrets given, on `server` and below `directory`."""
    variables = {
        name: REQUIRED.sub(lambda found: SECRETS[found["name"]], value)
        for name, value in SERVICES[container]["environment"].items()
    }
    role = make_url(variables["POSTERIOR_DATABASE_URL"]).username
    assert role
    variables["POSTERIOR_DATABASE_URL"] = server.url(database, role)
    if "POSTERIOR_WITNESS_FILE" in variables:
        variables["POSTERIOR_WITNESS_FILE"] = str(directory / "witness")
    return variables


def command(variables: dict[str, str], *arguments: str) -> Result:
    with log_of_its_own():
        return CliRunner().invoke(cli.app, arguments, env=variables)


def test_roles_migrations_service_and_first_key_come_up_in_this_order(postgres: PostgresServer, tmp_path: Path) -> None:
    """`test_compose_run.py` starts them as real processes, behind nginx."""
    database = postgres.create_database(owner=OWNER)
    migrate, service = (on_server(container, postgres, database, tmp_path) for container in ("migrate", "service"))
    early = command(service | {"POSTERIOR_PORT": "0"}, "serve")
    assert early.exit_code != 0
    assert "private-posterior migrate" in early.stderr
    own = command(service, "migrate")
    assert own.exit_code != 0, "the role of the service may not migrate"
    assert "privileges" in own.stderr
    done = command(migrate, *SERVICES["migrate"]["command"])
    assert done.exit_code == 0, done.stderr
    created = command(service, "keys", "create", "--role", "admin")
    assert created.exit_code == 0, created.stderr

    async def ask() -> None:
        async with running(of_settings(service)) as started:
            assert (await started.http.get("/readyz")).status_code == 200
            answer = await started.http.get(
                "/v1/principals", headers={"Authorization": f"Bearer {created.stdout.strip()}"}
            )
            assert answer.status_code == 200
            assert [principal["role"] for principal in answer.json()["items"]] == ["admin"]

    asyncio.run(ask())
    postgres.drop_database(database)


# The steps of the Dockerfile, in a directory instead of a container


class Image:
    """The content of `/` after the build, under `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        programs = root / "usr" / "local" / "bin"
        programs.mkdir(parents=True)
        (programs / "python").symlink_to(
            Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        )
        self.environment = {"HOME": str(root), "PATH": f"{programs}:/usr/bin:/bin"}
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}

    def located(self, text: str) -> str:
        """`text` with the absolute paths of the image led below `root`."""
        return re.sub(r"(?<![\w.])/(opt|src|wheels|var/lib)\b", rf"{self.root}/\1", text)

    def build(self) -> None:
        for instruction in (i for i in DOCKERFILE if i.stage == 0):
            match instruction.name:
                case "WORKDIR":
                    self.directory = Path(self.located(instruction.value))
                    self.directory.mkdir()
                case "COPY":
                    *sources, target = instruction.value.split()
                    for source in sources:
                        self.copy(ROOT / source, self.directory / target)
                case "RUN":
                    subprocess.run(
                        ["/bin/sh", "-ec", self.located(instruction.value)],
                        cwd=self.directory,
                        env=self.environment,
                        check=True,
                    )
                case _:
                    assert instruction.name in {"FROM", "ENV"}

    def copy(self, source: Path, target: Path) -> None:
        """Copy as COPY does: the content of a directory, or a file into a directory."""
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(exist_ok=True)
            shutil.copy(source, target)


@pytest.mark.long
def test_the_image_serves_and_its_health_check_finds_it_alive(tmp_path: Path) -> None:
    image = Image(tmp_path)
    image.build()
    shutil.rmtree(image.directory)

    data = Path(image.located(final("VOLUME")))
    data.mkdir(parents=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = {name: image.located(value) for name, value in IMAGE_ENVIRONMENT.items()}
    environment |= {
        "PATH": f"{tmp_path}/opt/venv/bin:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "POSTERIOR_HOST": "127.0.0.1",
        "POSTERIOR_PORT": port,
    }
    program = [str(tmp_path / "opt" / "venv" / "bin" / json.loads(final("ENTRYPOINT"))[0])]
    assert not (tmp_path / "opt" / "venv" / "bin" / "pip").exists()

    subprocess.run([*program, "migrate"], cwd=data, env=environment, check=True)
    check = [
        str(tmp_path / "opt" / "venv" / "bin" / "python"),
        *json.loads(final("HEALTHCHECK").partition("CMD ")[2])[1:],
    ]
    with subprocess.Popen([*program, *json.loads(final("CMD"))], cwd=data, env=environment) as service:
        try:
            deadline = time.monotonic() + PATIENCE
            while subprocess.run(check, env=environment, capture_output=True, check=False).returncode:
                assert time.monotonic() < deadline, "the service did not come up"
                assert service.poll() is None, "the service ended"
        finally:
            service.terminate()
    # The server shuts down in order and then dies of the signal, so that its sender sees that it worked.
    assert service.returncode in {0, -signal.SIGTERM}
