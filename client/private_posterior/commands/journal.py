"""Stores the Idempotency-Key of a request before it is sent. If a command is interrupted and run again, it gets what it
paid for. The key of a charged request is made from the request, unless the caller buys fresh noise.

An entry is a small SQLite file, from before the request is sent until the command has shown all of the result. It
contains the key, and a fingerprint of the request that depends on the caller's API key and discloses nothing to others.
A command that uses an entry holds its lock. SQLite's locks exist on every system, and end with their process even if it
is killed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from private_posterior.answers import Answer
from private_posterior.client import PAID, Client, kind_of, new_idempotency_key
from private_posterior.commands.access import home
from private_posterior.commands.sentences import UnfinishedError
from private_posterior.commands.show import fail, note
from private_posterior.connection import NEEDS_PEOPLE
from private_posterior.errors import ClientError, NotSendable, ProblemError, Unreachable
from private_posterior.payload import request_key

_CODES_BEFORE_THE_REPLAY: Final = {
    "unauthenticated", "role-not-allowed", "recovery-pending", "rate-limited", *NEEDS_PEOPLE
}  # fmt: skip
"""Problems that don't settle an earlier request under the same key."""
_GATE_SECONDS: Final = 30
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request under its key. `resumed` is the time of an earlier attempt without a response; None if
    there was none.
    """

    idempotency_key: str
    resumed: str | None


@contextmanager
def once(
    client: Client, path: str, body: Mapping[str, Any], send: Callable[[str], _Result], *, key: str | None = None
) -> Iterator[_Result]:
    """Yield the answer to the request that `send` makes under the key that it is given.

    It is that of an earlier run of the same command that did not end, or `key`, or a new one if `key` is None. `path`
    and `body` identify the request. The block shows the answer, and does what follows. The entry is removed when the
    block ends without an error, or if the request certainly had no effect. Raises UnfinishedError if a later request
    fails in the block.
    """
    directory = home() / "journal"
    directory.mkdir(mode=0o700, exist_ok=True)
    entry, attempt = _take(directory, _fingerprint(client, path, body), key or new_idempotency_key())
    ended = False
    try:
        if attempt.resumed:
            note(f"Continuing the request of {attempt.resumed}, which did not end.")
        try:
            made = send(attempt.idempotency_key)
        except ClientError as error:
            ended = _settles(error, resumed=attempt.resumed is not None)
            raise
        try:
            yield made
        except ClientError as error:
            raise UnfinishedError from error
        ended = True
    finally:
        _settle(entry, ended=ended)


def _settles(error: ClientError, *, resumed: bool) -> bool:
    """Return whether the outcome of the request is known, so that the same command is a new request."""
    match error:
        case ProblemError() if resumed and error.code in _CODES_BEFORE_THE_REPLAY:
            return False
        case ProblemError() if error.code in NEEDS_PEOPLE:
            return True
        case ProblemError():
            return not error.document["retryable"] and error.document["charged"] is not None
        case Unreachable() | NotSendable():
            return not resumed
        case _:
            return False


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    database: sqlite3.Connection
    """The connection whose transaction holds the lock."""


@contextmanager
def paid_once(client: Client, dataset_id: str, body: Mapping[str, Any], *, again: bool) -> Iterator[Any]:
    """Return the journal entry of a paid request. Its key is made from the request, or is new if `again`.

    Entries have the form of versions whose requests had no `kind`.
    """
    kind = PAID[kind_of(body)][0]
    path = f"{'releases' if kind == 'release' else kind} {dataset_id}{' again' if again else ''}"
    key = None if again else request_key(kind, dataset_id, body)
    named = {name: each for name, each in body.items() if name != "kind"}
    with once(client, path, named, partial(client.create_release, dataset_id, cast("Any", body)), key=key) as made:
        yield made
        if isinstance(made, Answer) and made.replayed:
            note(f"Released on {made['created_at']}, free: the same request paid for it. --again pays for a new one.")


def _take(directory: Path, fingerprint: str, key: str) -> tuple[_Entry, Attempt]:
    """Lock and return the oldest entry with this fingerprint that no other command uses, or a new one with this key."""
    try:
        # Two commands that begin at the same time must not take one entry.
        with closing(sqlite3.connect(directory / "gate", timeout=_GATE_SECONDS, isolation_level=None)) as gate:
            gate.execute("BEGIN EXCLUSIVE")
            for path in sorted(directory.glob(f"*.{fingerprint}.sqlite3")):
                if taken := _take_unanswered(path):
                    return taken
            return _write(directory, fingerprint, key)
    except (OSError, sqlite3.Error) as error:
        fail(f"the journal {directory} can't be written, and nothing is sent without it: {error}")


def _take_unanswered(path: Path) -> tuple[_Entry, Attempt] | None:
    """Lock and return the entry. Returns None if another command uses it, or if nothing was sent under its key."""
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        database.execute("BEGIN EXCLUSIVE")
        kept = database.execute("SELECT idempotency_key, at FROM attempt").fetchone()
        if kept:
            return _Entry(path, database), Attempt(*kept)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            database.close()
            return None
        # There is no table: the process ended while it wrote the entry, before it sent anything.
    except sqlite3.DatabaseError:
        pass  # the file is not an entry
    database.close()
    path.unlink(missing_ok=True)
    return None


def _write(directory: Path, fingerprint: str, key: str) -> tuple[_Entry, Attempt]:
    path = directory / f"{time.time_ns()}.{fingerprint}.sqlite3"
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    attempt = Attempt(key, None)
    at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    database.execute("CREATE TABLE attempt (idempotency_key TEXT, at TEXT)")
    database.execute("INSERT INTO attempt VALUES (?, ?)", (attempt.idempotency_key, at))
    database.execute("COMMIT")  # on the disk before anything is sent
    database.execute("BEGIN EXCLUSIVE")
    return _Entry(path, database), attempt


def _settle(entry: _Entry, *, ended: bool) -> None:
    """Release the entry. If `ended`, empty it under its lock, then remove it."""
    try:
        if ended:
            entry.database.execute("DELETE FROM attempt")
            entry.database.execute("COMMIT")
    finally:
        entry.database.close()
    if ended:
        with suppress(OSError):  # another command may have the file open, and finds it empty
            entry.path.unlink(missing_ok=True)


def _fingerprint(client: Client, path: str, body: Mapping[str, Any]) -> str:
    request = json.dumps([str(client.http.base_url), path, body], sort_keys=True)
    return hmac.new((client.key or "").encode(), request.encode(), hashlib.sha256).hexdigest()[:32]
