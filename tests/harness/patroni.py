"""Two PostgreSQL servers under Patroni, which keeps its state in etcd, with the configuration in `deploy/`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg

from migrations.rights import SERVICE_ROLE
from service.database.migration import migrate
from tests.harness.deadlines import PATIENCE
from tests.harness.left_behind import folder_of_tests
from tests.harness.ports import free_port, wait_for
from tests.harness.postgres import SUPERUSER, account, embedded_binaries, installed_binaries
from tests.harness.programs import installed
from tests.harness.shared_postgres import OWNER, ROLES

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "patroni.yml"
DATABASE = "posterior"


def wait_until(is_so: Callable[[], bool]) -> None:
    """Returns once the condition holds; an unreachable server counts as not yet."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError, psycopg.OperationalError):
            if is_so():
                return
        time.sleep(0.2)
    raise AssertionError("it did not come about")


@dataclass(slots=True)
class Node:
    """One server: Patroni, and the PostgreSQL that it runs."""

    name: str
    directory: Path
    port: int
    api_port: int
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.directory / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [installed("patroni"), str(self.directory / "patroni.yml")],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Its requests to etcd and to the other server stay on this machine, whatever the shell's proxy settings
                # are.
                env={"PATH": os.environ["PATH"], "HOME": str(self.directory), "no_proxy": "127.0.0.1"},
                **account(),
            )

    def signal(self, how: signal.Signals) -> None:
        """Sends a signal to all its processes, as an event of the whole machine."""
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                process.send_signal(how)

    def _processes(self) -> list[psutil.Process]:
        """Patroni's and PostgreSQL's, which outlives it."""
        found = []
        if self.process is not None and self.process.poll() is None:
            found = [(patroni := psutil.Process(self.process.pid)), *patroni.children(recursive=True)]
        with suppress(OSError, ValueError, psutil.NoSuchProcess):
            server = psutil.Process(int((self.directory / "data" / "postmaster.pid").read_text().split()[0]))
            if "postgres" in server.name():
                found += [server, *server.children(recursive=True)]
        return found

    def kill(self) -> None:
        """Kills all its processes, and waits until they are gone."""
        processes = self._processes()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, timeout=PATIENCE)
        if self.process is not None:
            self.process.wait(timeout=PATIENCE)

    def role(self) -> str:
        """The role that Patroni reports for the server."""
        answer: dict[str, Any] = httpx.get(f"http://127.0.0.1:{self.api_port}/patroni", timeout=5).json()
        return str(answer["role"]) if answer["state"] == "running" else ""

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=SUPERUSER, dbname=SUPERUSER, autocommit=True, connect_timeout=5
        )

    def has_synchronous_standby(self) -> bool:
        with self.connect() as connection:
            states = connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall()
        return ("sync",) in states


@dataclass(slots=True)
class PatroniCluster:
    """Both servers. The service gets the addresses of both."""

    nodes: list[Node] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The service's address of its database."""
        return self._url(SERVICE_ROLE)

    @property
    def owner_url(self) -> str:
        return self._url(OWNER)

    def _url(self, user: str) -> str:
        hosts = "&".join(f"host=127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql+psycopg://{user}@/{DATABASE}?{hosts}&target_session_attrs=read-write"

    def primary(self) -> Node:
        """The primary by Patroni, once there is one with a synchronous standby."""
        found: list[Node] = []

        def is_found() -> bool:
            found[:] = [node for node in self.nodes if node.role() in {"master", "primary"}]
            return len(found) == 1 and found[0].has_synchronous_standby()

        wait_until(is_found)
        return found[0]


def _configuration(name: str, directory: Path, ports: dict[str, int], etcd_port: int, binaries: Path) -> str:
    """The one in `deploy/`, on loopback, without passwords and without a watchdog."""
    replaced = {
        "name: db-1": f"name: {name}",
        "db-1.example:8008": f"127.0.0.1:{ports['api']}",
        "db-1.example:5432": f"127.0.0.1:{ports['database']}",
        "etcd-1.example:2379,etcd-2.example:2379,etcd-3.example:2379": f"127.0.0.1:{etcd_port}",
        "/usr/lib/postgresql/15/bin": str(binaries),
        "/var/lib/postgresql/15/posterior": str(directory / "data"),
        "/var/lib/postgresql/pgpass": str(directory / "pgpass"),
        "/var/run/postgresql": str(directory),
        "10.0.0.0/24": "127.0.0.1/32",
        "scram-sha-256": "trust",
        "mode: required": "mode: off",
    }
    configuration = CONFIGURATION.read_text()
    for ours, theirs in replaced.items():
        assert ours in configuration, ours
        configuration = configuration.replace(ours, theirs)
    return configuration


@contextmanager
def _etcd(directory: Path) -> Iterator[int]:
    """The port of an etcd of one machine."""
    port, peers = free_port(), f"http://127.0.0.1:{free_port()}"
    address = f"http://127.0.0.1:{port}"
    options = {
        "name": "one",
        "data-dir": str(directory / "etcd"),
        "listen-client-urls": address,
        "advertise-client-urls": address,
        "listen-peer-urls": peers,
        "initial-advertise-peer-urls": peers,
        "initial-cluster": f"one={peers}",
    }
    with (directory / "etcd.log").open("wb") as log:
        process = subprocess.Popen(
            [installed("etcd"), *(f"--{name}={value}" for name, value in options.items())],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@contextmanager
def patroni_cluster() -> Iterator[PatroniCluster]:
    """A migrated database on two servers, one of them the synchronous standby of the other."""
    cluster = PatroniCluster()
    # As with a test's own PostgreSQL: short, and open to the account that runs it.
    directory = folder_of_tests("posterior-patroni-", "/tmp")
    directory.chmod(0o755)
    binaries = installed_binaries() or embedded_binaries(directory)
    with ExitStack() as ending:
        etcd_port = ending.enter_context(_etcd(directory))
        for name in ("db-1", "db-2"):
            ports = {"database": free_port(), "api": free_port()}
            home = directory / name
            home.mkdir(mode=0o755)
            (home / "patroni.yml").write_text(_configuration(name, home, ports, etcd_port, binaries))
            if who := account():
                os.chown(home, who["user"], who["group"])
            cluster.nodes.append(Node(name, home, ports["database"], ports["api"]))
            ending.callback(cluster.nodes[-1].kill)
            cluster.nodes[-1].start()
        primary = cluster.primary()
        _make_roles(primary, binaries)
        migrate(cluster.owner_url)
        yield cluster


def _make_roles(primary: Node, binaries: Path) -> None:
    """Create the roles, as on any other server."""
    command = [str(binaries / "psql"), "-X", "--host=127.0.0.1", f"--port={primary.port}", f"--username={SUPERUSER}"]
    passwords = {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"}
    with ROLES.open("rb") as script:
        subprocess.run(command, stdin=script, env=passwords, capture_output=True, check=True)
