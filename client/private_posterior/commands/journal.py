"""Writes down the Idempotency-Key of a request before it is sent, so that a command that was interrupted gets what it
paid for when it is run again.

An entry is a file, from before the request is sent until its answer was shown. It holds the key and no more of the
request than a fingerprint under the caller's API key, which says nothing to others. Whoever works on an entry holds
its lock, and the system frees that even where a process is killed.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from private_posterior.client import Client, new_idempotency_key
from private_posterior.commands.access import home
from private_posterior.commands.show import fail
from private_posterior.errors import NotSendable, NotTheService, ProblemError, Unreachable

_BEFORE_THE_REPLAY: Final = {"unauthenticated", "role-not-allowed", "recovery-pending", "rate-limited"}
"""Problems that say nothing of an earlier request under the same key."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request under its key; `resumed` says since when it waits for its answer, where it was sent before."""

    idempotency_key: str
    resumed: str | None


@contextmanager
def once(client: Client, path: str, body: Mapping[str, Any]) -> Iterator[Attempt]:
    """The key to send `body` to `path` with: a fresh one, or that of an earlier run of the same command that nobody
    answered.

    The entry ends with the block, unless the block leaves it open whether the request took effect.
    """
    directory = home() / "journal"
    directory.mkdir(mode=0o700, exist_ok=True)
    entry, attempt = _take(directory, _fingerprint(client, path, body))
    try:
        try:
            yield attempt
        except Exception as error:
            if _settles(error, resumed=attempt.resumed is not None):
                entry.path.unlink()
            raise
        entry.path.unlink()
    finally:
        os.close(entry.descriptor)


def _settles(error: Exception, *, resumed: bool) -> bool:
    """Whether the request is known to have come to its end, so that running the command again is a new request."""
    match error:
        case ProblemError():
            if error.document["retryable"] or error.document["charged"] is None:
                return False
            return not (resumed and error.code in _BEFORE_THE_REPLAY)
        case Unreachable() | NotSendable():
            return not resumed
        case NotTheService():
            return False
        case _:
            return False


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    descriptor: int


def _take(directory: Path, fingerprint: str) -> tuple[_Entry, Attempt]:
    """The oldest entry of this fingerprint that nobody works on, or a new one; locked."""
    # Two commands that begin together must not take one entry.
    gate = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(gate, fcntl.LOCK_EX)
        for path in sorted(directory.glob(f"*.{fingerprint}.json")):
            if taken := _take_unanswered(path):
                return taken
        return _write(directory, fingerprint)
    except OSError as error:
        fail(f"the journal {directory} can't be written, and nothing is sent without it: {error.strerror}")
    finally:
        os.close(gate)


def _take_unanswered(path: Path) -> tuple[_Entry, Attempt] | None:
    """The entry, locked; None where somebody works on it, or has just had its answer."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        kept = json.loads(os.read(descriptor, 1000))
        if os.fstat(descriptor).st_nlink:
            return _Entry(path, descriptor), Attempt(kept["idempotency_key"], kept["at"])
    except BlockingIOError:
        pass
    except (ValueError, LookupError):
        # The process ended while it wrote the entry, before anything was sent.
        path.unlink(missing_ok=True)
    os.close(descriptor)
    return None


def _write(directory: Path, fingerprint: str) -> tuple[_Entry, Attempt]:
    key = new_idempotency_key()
    path = directory / f"{time.time_ns()}.{fingerprint}.json"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    os.write(descriptor, json.dumps({"idempotency_key": key, "at": at}).encode())
    os.fsync(descriptor)
    parent = os.open(directory, os.O_RDONLY)
    os.fsync(parent)
    os.close(parent)
    return _Entry(path, descriptor), Attempt(key, None)


def _fingerprint(client: Client, path: str, body: Mapping[str, Any]) -> str:
    request = json.dumps([str(client.http.base_url), path, body], sort_keys=True)
    return hmac.new((client.key or "").encode(), request.encode(), hashlib.sha256).hexdigest()[:32]
