"""The log of a process: one line per event, as text or as JSON.

A line has a constant message and the fields of `FIELDS`: ids that this service created, names of operations and
problems, kinds of errors, and code locations. It never has a name, an API key, a query, a duration or the text of an
exception, since these could disclose counts. Times are whole seconds.

    _logger.error("a release is charged and failed", extra={"release_id": release_id})

`add` collects fields during a request, for the one line that `Logged` writes about it.

Lines are queued, and the thread of a `QueueListener` writes them, so that a full pipe delays no response. If the queue
is full, lines are dropped, and the next queued line is preceded by one that reports it.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from io import FileIO, TextIOWrapper
from logging.handlers import QueueHandler, QueueListener
from queue import Queue
from typing import Any, Final, TextIO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.identifiers.identifiers import ID_PATTERN, failure, new_id, timestamp

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
    "work",
    "failure",
    "places",
)
"""Fields that a line may have besides time, level, logger and constant message. `caller_…` describe the sender of the
request; the other ids name its objects. `made_id` is the id of the object created, or with `replayed` of the object
created earlier under the same Idempotency-Key. `work` names background work.
"""
OWN: Final = "posterior"
"""Name of the root logger of this service."""
TERMINAL: Final = f"{OWN}.serve"
"""Logger of start messages for the person who started the process. Shown at every level, as text without a time."""
_LOGGERS_WITH_ARGUMENTS: Final = (OWN, "uvicorn")
"""Loggers whose messages are shown with their arguments, which are processes and ports. Of other loggers, only the
first line of the template is shown.
"""
_MOST_WAITING: Final = 10_000
"""Limit of queued lines."""
_LAST_SECONDS: Final = 3.0
"""Seconds that an ending process waits for a slow reader of its log."""
_LOG: Final = f"{OWN}.log"
_current: ContextVar[dict[str, Any] | None] = ContextVar("current", default=None)


@contextmanager
def request() -> Iterator[dict[str, Any]]:
    """Collect the fields of a request during the block, beginning with its new id."""
    fields: dict[str, Any] = {"request_id": new_id("req")}
    token = _current.set(fields)
    try:
        yield fields
    finally:
        _current.reset(token)


def add(**fields: Any) -> None:
    """Add fields to the line of the current request. Does nothing outside a request."""
    current = _current.get()
    if current is not None:
        current |= fields


def configure(level: str, *, as_json: bool) -> None:
    """Make the process log to standard error."""
    logging.raiseExceptions = False  # else the library prints a line that can't be written, with its arguments
    if sys.stderr is None:  # standard error was closed
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    # Unbuffered: Python can't end while a thread holds the lock of a buffer that a full pipe does not take.
    raw = FileIO((sys.__stderr__ or sys.stderr).fileno(), "w", closefd=False)
    stream = TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)
    logging.basicConfig(level=level.upper(), handlers=[Outlet(stream, Lines(as_json=as_json))], force=True)
    logging.getLogger(TERMINAL).setLevel(logging.INFO)
    atexit.register(finish)


def finish() -> None:
    """Wait until all lines so far are written. Call it before the process ends."""
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
        """Drop the line. The library calls this if the queue is full, or if the line can't be formatted."""
        self._has_dropped_some = True

    def finish(self, most_seconds: float) -> None:
        """Wait until the lines so far are written, at most for this long."""
        deadline = time.monotonic() + most_seconds
        while self._waiting.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.01)


class _Writer(logging.StreamHandler[TextIO]):
    """Writes only in the listener's thread, so it needs no lock. At the end of the process, the library would wait
    forever for a lock that is held while the pipe is full.
    """

    def createLock(self) -> None:  # noqa: N802  as the library has it
        self.lock = None


def _missing() -> logging.LogRecord:
    message = "lines are missing here: they could not be written"
    return logging.LogRecord(_LOG, logging.WARNING, "", 0, message, None, None)


class Lines(logging.Formatter):
    """Formats lines as text or as JSON. Fields that are not in `FIELDS` are omitted."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._is_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        current = _current.get()
        known = ({} if current is None else {"request_id": current["request_id"]}) | record.__dict__
        if record.exc_info and record.exc_info[1] is not None:
            known |= failure(record.exc_info[1])
        fields = {name: value for name in FIELDS if (value := known.get(name)) is not None}
        time_, message = timestamp(int(record.created)), _message(record)
        if self._is_json:
            head = {"time": time_, "level": record.levelname.lower(), "logger": record.name, "message": message}
            return json.dumps(head | fields)
        shown = "".join(f" {name}={_text_of(value)}" for name, value in fields.items())
        start = "" if record.name == TERMINAL else f"{time_} {record.levelname} {record.name} "
        return start + message.replace("\n", " ") + shown


def _message(record: logging.LogRecord) -> str:
    if record.name.split(".", 1)[0] in _LOGGERS_WITH_ARGUMENTS:
        return record.getMessage().strip()
    return str(record.msg).partition("\n")[0]


def _text_of(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'"{text}"' if " " in text else text


REQUEST_ID_HEADER: Final = "X-Request-Id"
_HEADER: Final = REQUEST_ID_HEADER.lower().encode()
_logger = logging.getLogger("posterior.requests")
_id = re.compile(ID_PATTERN)
_UNMATCHED_OPERATION: Final = "none"
_READING: Final = frozenset({"GET", "HEAD"})


class Logged:
    """Gives each request an id, and writes a line for those that an operator must be able to explain: requests that
    created, changed, computed or released something, reads of releases, refused keys, and failures of the service.

    The line is written after the response was sent, so that of a release is written after its response-time tick.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0
        with request() as fields:

            async def naming(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                    message["headers"] = [*message["headers"], (_HEADER, fields["request_id"].encode())]
                await send(message)

            try:
                await self._app(scope, receive, naming)
            finally:
                _write(scope, status, fields)


def _write(scope: Scope, status: int, fields: dict[str, Any]) -> None:
    level = _level(scope, status, failed="failure" in fields)
    if level is None or not _logger.isEnabledFor(level):
        return
    fields_of_line = {"operation": getattr(scope.get("route"), "name", _UNMATCHED_OPERATION), "status": status}
    if status != HTTPStatus.UNAUTHORIZED:
        # A path can contain any text. Log only the parts that have the form of an id.
        fields_of_line |= {name: value for name, value in scope.get("path_params", {}).items() if _id.match(str(value))}
    fields_of_line |= fields
    _logger.log(level, "answered", extra=fields_of_line)


def _level(scope: Scope, status: int, *, failed: bool) -> int | None:
    """Return the log level of a request's line, or None if the request is not logged."""
    if failed or status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return logging.ERROR
    if status > HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.UNAUTHORIZED:
        return logging.WARNING
    accounted = scope["method"] not in _READING or "release_id" in scope.get("path_params", {})
    return logging.INFO if accounted and 0 < status < HTTPStatus.BAD_REQUEST else None
