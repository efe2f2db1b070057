"""Finds out which service to speak to and with which key, and turns what can go wrong into a sentence and a code.

Both come from the environment or from a file that nobody else can read, never from arguments, which every user of a
machine can see.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import typer

from private_posterior.commands.exits import Exit
from private_posterior.commands.show import amount_text, fail

if TYPE_CHECKING:
    from private_posterior.client import Client
    from private_posterior.connection import Waiting
    from private_posterior.errors import ProblemError

SERVER: Final = "PRIVATE_POSTERIOR_SERVER"
KEY: Final = "PRIVATE_POSTERIOR_KEY"
HOME: Final = "PRIVATE_POSTERIOR_HOME"
_FILE: Final = "credentials.json"
_OF_THIS_MACHINE: Final = {"127.0.0.1", "::1", "localhost"}
_REFUSALS_OF_KEYS: Final = {"unauthenticated", "role-not-allowed", "recovery-pending"}
_SECONDS_BETWEEN_LINES: Final = 10


@dataclass(frozen=True, slots=True)
class Access:
    """A service, and a key to it."""

    server: str
    key: str = field(repr=False)


def home() -> Path:
    """The directory of credentials, journal and kept heads; made, for its owner alone, where there is none."""
    path = Path(os.environ.get(HOME) or Path.home() / ".private-posterior")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        fail(f"the directory {path} can't be made: {error.strerror}")
    return path


def read_access() -> Access:
    """What the environment says, and for the rest what the file says. Ends the command where something is missing."""
    kept = _read_file()
    server, key = os.environ.get(SERVER) or kept.get("server"), os.environ.get(KEY) or kept.get("key")
    if not server or not key:
        missing = f"{SERVER} is not set" if not server else f"{KEY} is not set"
        fail(f"{missing}, and {home() / _FILE} does not say it: `posterior enrol` makes that file")
    return Access(checked_server(server), key)


def checked_server(server: str) -> str:
    """The address, if a key may be sent there. Ends the command where it is none."""
    try:
        parts = urlsplit(server)
        _ = parts.port
    except ValueError:
        fail(f"{SERVER} is no address such as https://posterior.example.org")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        fail(f"{SERVER} must be an address such as https://posterior.example.org")
    if parts.scheme == "http" and parts.hostname not in _OF_THIS_MACHINE:
        fail(f"{SERVER} must begin with https:// unless it is an address of this machine: a key is sent there")
    return server.rstrip("/")


def _read_file() -> dict[str, str]:
    path = home() / _FILE
    if not path.exists():
        return {}
    try:
        status = path.stat()
        if status.st_mode & 0o077 or status.st_uid != os.getuid():
            fail(f"{path} holds a key and must be yours alone: chmod 600 {path}")
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        fail(f"{path} can't be read as JSON with `server` and `key`")
    if not isinstance(kept, dict) or not all(isinstance(value, str) for value in kept.values()):
        fail(f"{path} can't be read as JSON with `server` and `key`")
    return kept


def is_enrolled() -> bool:
    return (home() / _FILE).exists()


def keep_access(access: Access) -> Path:
    """Writes the file of credentials, whole or not at all, and returns its path."""
    path = home() / _FILE
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"server": access.server, "key": access.key}, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    return path


@contextmanager
def connected(access: Access | None = None) -> Iterator[Client]:
    """A client of a service that was found to be there and of this version. Whatever the client raises in the block
    ends the command with a sentence and a code.
    """
    from private_posterior.client import Client

    chosen = access or read_access()
    with sentences(), Client.open(chosen.server, chosen.key or None, on_wait=_Progress().show) as client:
        client.check_version()
        yield client


@contextmanager
def sentences() -> Iterator[None]:
    """Ends the command with a sentence and a code for whatever the client raises in the block."""
    from private_posterior.errors import AnswerLost, NotSendable, NotTheService, ProblemError, Unreachable

    try:
        yield
    except ProblemError as problem:
        fail(_sentence(problem), _code(problem))
    except NotSendable as error:
        fail(str(error), Exit.UNUSABLE)
    except (Unreachable, NotTheService) as error:
        fail(f"{error}; {SERVER} says where it is", Exit.NO_SERVICE)
    except AnswerLost:
        fail("the answer did not arrive; run the same command again: it is charged once at most", Exit.UNKNOWN)
    except KeyboardInterrupt:
        fail("interrupted; the same command, run again, goes on with the request that was sent", Exit.INTERRUPTED)


def _code(problem: ProblemError) -> Exit:
    if problem.document["charged"] is None:
        return Exit.UNKNOWN
    if problem.document["charged"]:
        return Exit.UNKNOWN if problem.document["retryable"] else Exit.CHARGED
    return Exit.KEY_REFUSED if problem.code in _REFUSALS_OF_KEYS else Exit.REFUSED


def _sentence(problem: ProblemError) -> str:
    document = problem.document
    charged = {True: "charged", False: "not charged", None: "not known whether it was charged"}[document["charged"]]
    notes = [problem.code, charged]
    if room := document.get("largest_possible_charge"):
        notes.append(f"at most {amount_text(room)} is left")
    if asked := document.get("would_charge"):
        notes.append(f"it would charge {amount_text(asked)}")
    if used_at := document.get("used_at"):
        notes.append(f"used at {used_at}")
    if widths := document.get("reachable_half_widths"):
        told = ", ".join("none" if width is None else f"{width:,.6g}" for width in widths)
        notes.append(f"half width within reach: {told}")
    others = "".join(f"\n  {each['location']}: {each['rule']}" for each in document.get("errors", ())[1:])
    return f"{problem} [{'; '.join(notes)}]{others}"


class _Progress:
    """Tells on standard error what is waited for: in place in a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._next = 0.0

    def show(self, waiting: Waiting) -> None:
        if waiting.seconds < self._next:
            return
        of = f" of about {waiting.estimated_seconds} s" if waiting.estimated_seconds else ""
        text = f"waiting, {waiting.seconds:.0f} s{of}: {waiting.problem['title'].split(';')[0].rstrip('.')}"
        if sys.stderr.isatty():
            self._next = waiting.seconds + 0.2
            typer.echo(f"\r{text[:100]:<100}", nl=False, err=True)
        else:
            self._next = waiting.seconds + _SECONDS_BETWEEN_LINES
            typer.echo(text, err=True)
