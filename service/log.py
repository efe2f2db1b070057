"""Writes the log of a process: one line for each event, as text or as JSON.

A line has constant words, and the fields of `FIELDS`: ids that this service made, names of operations and problems,
kinds of errors, places in the code. It never has a name, a presented key, a query, a duration or the text of an
exception, which could tell of the counts. Times are whole seconds.

    _logger.error("a release is charged and failed", extra={"release_id": release_id})

What becomes known while a request is answered is collected with `add`, for the one line that `service.web.logged`
writes of it.

Lines are queued, and the thread of a `QueueListener` writes them: a full pipe delays no answer. When the queue is full,
lines are dropped, and the next line that finds room is preceded by one that says so.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import FileIO, TextIOWrapper
from logging.handlers import QueueHandler, QueueListener
from pathlib import Path
from queue import Queue
from typing import Any, Final, TextIO

from sqlalchemy.exc import DBAPIError

from service.identifiers import new_id, timestamp

FIELDS: Final = (
    "request_id",
    "operation",
    "status",
    "problem",
    "caller_id",
    "caller_key_id",
    "made_id",
    "replayed",
    "budget_id",
    "dataset_id",
    "grant_id",
    "access_request_id",
    "release_id",
    "release_ids",
    "principal_id",
    "key_id",
    "job_id",
    "certificate_id",
    "failure",
    "places",
)
"""What a line may hold beside its time, level, logger and constant message. `caller_…` is who sent the request, and the
other ids are of what it was about; `made_id` is of what it made, or made under the same Idempotency-Key before, where
`replayed` stands.
"""
OWN: Final = "posterior"
"""The loggers of this service are named so, and below."""
TERMINAL: Final = f"{OWN}.serve"
"""The logger of what is said at the start to whoever started the process: shown at every level, and as text without a
time.
"""
_WITH_ARGUMENTS: Final = (OWN, "uvicorn")
"""Loggers whose messages are shown with their arguments: those name processes and ports. Of the others only the first
line of the template is shown.
"""
_SHOWN_PLACES: Final = 6
_MOST_WAITING: Final = 10_000
"""Lines."""
_LAST_SECONDS: Final = 3.0
"""How long a process that ends waits for a slow reader of its log."""
_LOG: Final = f"{OWN}.log"
_current: ContextVar[dict[str, Any] | None] = ContextVar("current", default=None)


@contextmanager
def request() -> Iterator[dict[str, Any]]:
    """While a request is answered: its fields, which begin with the id that this service gives it."""
    fields: dict[str, Any] = {"request_id": new_id("req")}
    token = _current.set(fields)
    try:
        yield fields
    finally:
        _current.reset(token)


def add(**fields: Any) -> None:
    """Adds to what the line of this request will say. Outside a request there is nothing to add to."""
    current = _current.get()
    if current is not None:
        current |= fields


def failure(error: BaseException) -> dict[str, str]:
    """The fields that tell an unexpected exception: its kind, the database's name for it, and where it passed,
    innermost last. Not a word of its text.
    """
    kind = type(error).__name__
    if isinstance(error, DBAPIError):
        name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
        kind = f"{type(error.orig).__name__}/{name}" if name else type(error.orig).__name__
    return {"failure": kind, "places": places(error)}


def places(error: BaseException) -> str:
    """Files and lines that an exception passed."""
    frames = traceback.extract_tb(error.__traceback__)[-_SHOWN_PLACES:]
    return " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)


def configure(level: str, *, as_json: bool) -> None:
    """Has the process write its log to standard error."""
    logging.raiseExceptions = False  # a line that can't be written would be shown with its arguments
    if sys.stderr is None:  # it was closed
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    # Unbuffered: Python can't end while a thread holds the lock of a buffer that a full pipe does not take.
    raw = FileIO((sys.__stderr__ or sys.stderr).fileno(), "w", closefd=False)
    stream = TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)
    logging.basicConfig(level=level.upper(), handlers=[Outlet(stream, Lines(as_json=as_json))], force=True)
    logging.getLogger(TERMINAL).setLevel(logging.INFO)
    atexit.register(finish)


def finish() -> None:
    """Wait until the lines so far are written: the process is about to end."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, Outlet):
            handler.finish(_LAST_SECONDS)


class Outlet(QueueHandler):
    """Formats lines, and queues them for the thread that writes them to `stream`."""

    def __init__(self, stream: TextIO, lines: Lines) -> None:
        self._waiting = Queue[logging.LogRecord](_MOST_WAITING)
        super().__init__(self._waiting)
        self.setFormatter(lines)
        self._has_dropped_some = False
        QueueListener(self._waiting, _Writer(stream)).start()

    def enqueue(self, record: logging.LogRecord) -> None:
        if self._has_dropped_some:
            self._waiting.put_nowait(self.prepare(_missing()))
            self._has_dropped_some = False
        self._waiting.put_nowait(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802  as the library has it
        """Called by the library when the queue is full, or when the line can't be formatted."""
        self._has_dropped_some = True

    def finish(self, most_seconds: float) -> None:
        """Wait until the lines so far are written, at most for this long."""
        deadline = time.monotonic() + most_seconds
        while self._waiting.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.01)


class _Writer(logging.StreamHandler[TextIO]):
    """Writes in the listener's thread alone, without a lock: at the end of the process the library would wait for one
    that is held while nobody reads.
    """

    def createLock(self) -> None:  # noqa: N802  as the library has it
        self.lock = None


def _missing() -> logging.LogRecord:
    message = "lines are missing here: they could not be written"
    return logging.LogRecord(_LOG, logging.WARNING, "", 0, message, None, None)


class Lines(logging.Formatter):
    """Formats lines as text or as JSON: a field that is not in `FIELDS` does not pass."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        current = _current.get()
        known = ({} if current is None else {"request_id": current["request_id"]}) | record.__dict__
        if record.exc_info and record.exc_info[1] is not None:
            known |= failure(record.exc_info[1])
        fields = {name: value for name in FIELDS if (value := known.get(name)) is not None}
        time_, message = timestamp(int(record.created)), _message(record)
        if self._as_json:
            head = {"time": time_, "level": record.levelname.lower(), "logger": record.name, "message": message}
            return json.dumps(head | fields)
        told = "".join(f" {name}={_as_text(value)}" for name, value in fields.items())
        start = "" if record.name == TERMINAL else f"{time_} {record.levelname} {record.name} "
        return start + message.replace("\n", " ") + told


def _message(record: logging.LogRecord) -> str:
    if record.name.split(".", 1)[0] in _WITH_ARGUMENTS:
        return record.getMessage().strip()
    return str(record.msg).partition("\n")[0]


def _as_text(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'"{text}"' if " " in text else text
