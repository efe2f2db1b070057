"""Starts a service for the demonstration in a separate process on a free loopback port, and creates its parties."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from private_posterior.client import Client
from service.database.engine import open_engine, writing
from service.database.migration import migrate
from service.identifiers.identifiers import now, timestamp
from service.principals.auth import COMMAND_LINE
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.schemas.principals import Role
from service.settings.settings import PREFIX

_STARTS_WITHIN_SECONDS = 180
_STOPS_WITHIN_SECONDS = 15
_ADDRESS = re.compile(r"listens on (http://\S+)")


class DemoError(Exception):
    """The service did not start, or gave an unexpected answer."""


def prepare_database(url: str) -> str:
    """Migrate the database at `url` and return the key of a first admin.

    This does the work of `private-posterior migrate` and `keys create`.
    """
    migrate(url)
    engine = open_engine(url)
    with writing(engine) as connection:
        admin_id = create_principal(connection, Role.ADMIN, "Admin")
        _, secret = create_key(connection, admin_id, issued_by=COMMAND_LINE, expires_in_days=1)
    engine.dispose()
    return secret.key


@contextlib.contextmanager
def running_service(database_url: str, directory: Path) -> Iterator[str]:
    """Yield the address of a service in a separate process, and stop it at the end.

    Its log goes to `service.logs.log` in `directory`.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment |= {PREFIX + "DATABASE_URL": database_url, PREFIX + "PORT": "0", PREFIX + "LOG_LEVEL": "warning"}
    log = directory / "service.logs.log"
    with log.open("wb") as sink:
        command = [sys.executable, "-m", "service", "serve"]
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)  # noqa: S603  our own command
    try:
        yield _address(process, log)
    finally:
        process.terminate()
        try:
            process.wait(_STOPS_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + _STARTS_WITHIN_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if found := _ADDRESS.search(log.read_text(errors="replace")):
            return found.group(1)
        time.sleep(0.02)
    raise DemoError("the service did not start; it said:\n" + log.read_text(errors="replace"))


def hire(admin: Client, address: str, role: Literal["owner", "analyst"], name: str) -> tuple[str, Client]:
    """Create a principal and exchange its invitation. Return its id, and a client with its key."""
    enrolment = admin.create_principal({"role": role, "name": name})["enrolment"]
    if enrolment is None:
        raise DemoError("a principal came without its invitation")
    with Client.open(address) as stranger:
        enrolled = stranger.enrol({"token": enrolment["token"], "expires_at": timestamp(now() + 86_400)})
    return enrolled["principal_id"], Client.open(address, enrolled["key"])
