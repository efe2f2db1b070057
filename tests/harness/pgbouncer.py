"""PgBouncer in transaction mode before a test's PostgreSQL, with the configuration in `deploy/`."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from migrations.rights import SERVICE_ROLE
from tests.harness.deadlines import PATIENCE
from tests.harness.ports import free_port, wait_for
from tests.harness.postgres import Postgres, account
from tests.harness.programs import installed

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "pgbouncer.ini"


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
