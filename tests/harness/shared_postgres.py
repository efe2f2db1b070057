"""One PostgreSQL for all processes of a run of the tests, with the roles of an installation and a migrated database.

The first process that needs it starts `python -m tests.harness.shared_postgres RUN`, which ends with the run.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from service.database.migration import migrate
from tests.harness.postgres import Postgres, PostgresServer

ROOT: Final = Path(__file__).parents[2]
ROLES: Final = ROOT / "migrations" / "postgres-roles.sql"
OWNER: Final = "posterior_owner"


_STARTED_SERVERS: Final[list[subprocess.Popen[str]]] = []


class SharedPostgres(NamedTuple):
    """The cluster, and the name of its migrated database, that others are copied from; nothing may connect to it."""

    server: Postgres
    migrated: str


@cache
def shared_postgres() -> SharedPostgres:
    """The PostgreSQL of this run, which is started if it does not run yet."""
    run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    note = Path(tempfile.gettempdir()) / f"posterior-tests-{run}.json"
    with note.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read()
        if not text:
            text = _start(run, note)
            file.write(text)
    found = json.loads(text)
    return SharedPostgres(Postgres(Path(found["directory"]), Path(found["binaries"])), found["migrated"])


def _start(run: int, note: Path) -> str:
    command = [sys.executable, "-m", __name__, str(run), str(note)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
    _STARTED_SERVERS.append(server)
    assert server.stdout is not None
    with server.stdout:
        line = server.stdout.readline()
    if not line:
        raise RuntimeError("the PostgreSQL of the tests did not start")
    return line


def main(run: int, note: Path) -> None:
    # Each test drops its database, which waits until all changed pages of all databases are on the disk. No test kills
    # this cluster; those that kill one start their own, with `fsync`.
    with PostgresServer(settings={"max_connections": "400", "fsync": "off"}) as server:
        server.run_script(ROLES, {"POSTGRES_OWNER_PASSWORD": "owner", "POSTGRES_SERVICE_PASSWORD": "service"})
        name = server.create_database(owner=OWNER)
        migrate(server.url(name, OWNER))
        told = {"directory": str(server.directory), "binaries": str(server.binaries), "migrated": name}
        print(json.dumps(told), flush=True)  # noqa: T201  the process that started it reads it
        try:
            psutil.Process(run).wait()
        except psutil.NoSuchProcess:
            pass
        finally:
            note.unlink()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
