"""PgBouncer in transaction mode before a test's PostgreSQL, with the configuration in `deploy/`. Debian and Ubuntu
have it as the package `pgbouncer`.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from migrations.rights import SERVICE_ROLE
from tests.harness.deadlines import PATIENCE
from tests.harness.postgres import Postgres, account

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "pgbouncer.ini"
_START_SECONDS = 60.0


def free_port() -> int:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def installed(name: str) -> str:
    """The program `name`, from a package of the same name. Fails the test if it is missing."""
    program = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    assert program, f"{name} is missing: apt-get install {name}"
    return program


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Returns once a server listens."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "it ended at once"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("it does not listen")


@contextmanager
def pgbouncer(server: Postgres, database: str) -> Iterator[str]:
    """The service's address of the database behind a pooler."""
    binary, port = installed("pgbouncer"), free_port()
    replaced = {
        "host=primary.example port=5432 dbname=posterior": f"host={server.directory} dbname={database}",
        "listen_addr = *": "listen_addr = 127.0.0.1",
        "listen_port = 6432": f"listen_port = {port}",
        "auth_type = scram-sha-256": "auth_type = trust",
    }
    with tempfile.TemporaryDirectory(prefix="posterior-pgbouncer-", dir="/tmp") as name:
        directory = Path(name)
        directory.chmod(0o755)
        configuration = CONFIGURATION.read_text().replace("/etc/pgbouncer/userlist.txt", str(directory / "users"))
        for ours, theirs in replaced.items():
            assert ours in configuration
            configuration = configuration.replace(ours, theirs)
        (directory / "users").write_text(f'"{SERVICE_ROLE}" ""\n')
        (directory / "pgbouncer.ini").write_text(configuration + "unix_socket_dir =\n")
        process = subprocess.Popen(
            [binary, "-q", str(directory / "pgbouncer.ini")],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **account(),
        )
        try:
            wait_for(port, process)
            yield f"postgresql+psycopg://{SERVICE_ROLE}@127.0.0.1:{port}/posterior"
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)
