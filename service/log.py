"""Writes the log of a process: one line for each event, as text or as JSON.

A line has constant words, and the fields of `FIELDS`: ids that this service made, names of operations and problems,
kinds of errors, places in the code. It never has a name, a presented key, a query, a duration or the text of an
exception, which could tell of the counts. Times are whole seconds.

    _logger.error("a release is charged and failed", extra={"release_id": release_id})

What becomes known while a request is answered is collected with `add`, for the one line that `service.web.logged`
writes of it.

A thread of its own writes. Whatever tells of trouble, of keys or of people is written at once, and waited for. Lines of
releases are many, and one by one would cost a tenth of what a release does: `later` has those of `HELD_SECONDS` put
together and written in one go.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import UnsupportedOperation
from pathlib import Path
from select import PIPE_BUF, select
from typing import Any, Final, NamedTuple, TextIO

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
HELD_SECONDS: Final = 0.02
"""How long a line of a release waits to be written with others."""
_MOST_HELD: Final = 1000
_MOST_WAITING: Final = 10_000
"""Lines that wait until somebody reads those before them; what is said then is lost."""
_PATIENCE_SECONDS, _LAST_PATIENCE_SECONDS = 0.2, 3.0
"""How long whoever says something waits for a slow reader, and how long a process that ends does."""
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
    logging.raiseExceptions = False  # what could not be written would be shown with its arguments
    # No line tells them, and each costs every record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    if sys.stderr is None:  # it was closed
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    outlet = Outlet(sys.stderr, Lines(as_json=as_json))
    logging.basicConfig(level=level.upper(), handlers=[outlet], force=True)
    logging.getLogger(TERMINAL).setLevel(logging.INFO)


def later(logger: logging.Logger, message: str, fields: dict[str, Any]) -> None:
    """Says a line of level INFO that may wait, if it is enabled; behind it come only lines that were said later."""
    if logger.isEnabledFor(logging.INFO):
        record = Said(int(time.time()), "INFO", logger.name, message, fields)
        outlets = [handler for handler in logging.getLogger().handlers if isinstance(handler, Outlet)]
        for outlet in outlets:
            outlet.hold(record)
        if not outlets:
            logger.info(message, extra=fields)


def hold_nothing() -> None:
    """Writes what is held, and from now on every line at once: the process is about to end, perhaps by a signal."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, Outlet):
            handler.hold_nothing()


class Said(NamedTuple):
    """What a line is made of; `seconds` since 1970, and fields of which those in `FIELDS` are shown."""

    seconds: int
    level: str
    logger: str
    message: str
    fields: dict[str, Any]


class Outlet(logging.Handler):
    """Writes lines in the order in which they were said, in a thread of its own. Where nobody reads them, as from a
    pipe that is full, that thread waits, and whoever says something goes on after a moment.
    """

    def __init__(self, stream: TextIO, lines: Lines) -> None:
        super().__init__()
        self.setFormatter(lines)
        self._put, self._lines = _put_in(stream), lines
        self._said: deque[Said] = deque()
        self._awaited: deque[threading.Event] = deque()
        """Of those who wait until what was said before is written."""
        self._holds = True
        self._patience = _PATIENCE_SECONDS
        self._missed = threading.Event()
        """Set once that is written which somebody waited for in vain; nobody else waits before."""
        self._missed.set()
        self._has_lost_some = False
        self._has_some, self._at_once = threading.Event(), threading.Event()
        threading.Thread(target=self._keep_writing, name="log-writer", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._take(said(record))
        except Exception:  # noqa: BLE001  as every handler: whoever said it has other things to do
            self.handleError(record)
        self.flush()

    def hold(self, line: Said) -> None:
        """Takes a line to be written soon."""
        self._take(line)
        if not self._holds:
            self.flush()
        elif len(self._said) >= _MOST_HELD:
            self._at_once.set()
        if not self._has_some.is_set():
            self._has_some.set()

    def flush(self) -> None:
        """Has all that was said so far written, and waits for that; but for a moment, and only once, where nobody
        reads it.
        """
        written = threading.Event()
        if waits := self._missed.is_set():
            self._awaited.append(written)
        self._at_once.set()
        self._has_some.set()
        if waits and not written.wait(self._patience):
            self._missed = written

    def hold_nothing(self) -> None:
        """Writes what is held, and all that follows at once. Who reads slowly has a while for it, once."""
        self._holds, self._patience = False, _LAST_PATIENCE_SECONDS
        self._missed.set()
        self.flush()

    def _take(self, line: Said) -> None:
        if len(self._said) < _MOST_WAITING:
            self._said.append(line)
        else:
            self._has_lost_some = True

    def _keep_writing(self) -> None:
        while self._has_some.wait():
            self._at_once.wait(HELD_SECONDS)
            self._has_some.clear()
            self._at_once.clear()
            self._write()

    def _write(self) -> None:
        awaited = [self._awaited.popleft() for _ in range(len(self._awaited))]
        together = [self._said.popleft() for _ in range(len(self._said))]
        if self._has_lost_some:
            self._has_lost_some = False
            together.append(_missing())
        try:
            self._put("".join(self._lines.write(line) + "\n" for line in together))
        except Exception:  # noqa: BLE001  nobody reads any more, or a line can't be told: the lines to come can
            self._said.appendleft(_missing())
        for each in awaited:
            each.set()


def _missing() -> Said:
    return Said(int(time.time()), "WARNING", _LOG, "lines are missing here: they could not be written", {})


def _put_in(stream: TextIO) -> Callable[[str], None]:
    """What writes whole lines to a stream: to its file itself, as what Python held of a file that takes nothing would
    keep the process from ending.
    """
    try:
        file = stream.fileno()
    except UnsupportedOperation:  # a stream in memory

        def put(text: str) -> None:
            stream.write(text)
            stream.flush()
    else:
        torn = b""

        def put(text: str) -> None:
            nonlocal torn
            # Where a full disk took a part of a line, the next one stands by itself.
            told, start = torn + text.encode(errors="backslashreplace"), 0
            while start < len(told):
                # Other workers write to the same pipe, and what is longer could come to stand in the midst of theirs.
                end = told.rfind(b"\n", start, start + PIPE_BUF) + 1 or told.index(b"\n", start) + 1
                try:
                    start += os.write(file, told[start:end])
                    torn = b"" if told[start - 1 : start] == b"\n" else b"\n"
                except BlockingIOError:  # whoever made the pipe does not wait for it
                    select([], [file], [])

    return put


class Lines(logging.Formatter):
    """Writes lines as text or as JSON: what is not in `FIELDS` does not pass."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        return self.write(said(record))

    def write(self, line: Said) -> str:
        """The line without its end."""
        fields = {name: value for name in FIELDS if (value := line.fields.get(name)) is not None}
        if self._as_json:
            head = {"time": timestamp(line.seconds), "level": line.level.lower(), "logger": line.logger}
            return json.dumps(head | {"message": line.message} | fields)
        told = "".join(f" {name}={_as_text(value)}" for name, value in fields.items())
        start = "" if line.logger == TERMINAL else f"{timestamp(line.seconds)} {line.level} {line.logger} "
        return start + line.message.replace("\n", " ") + told


def said(record: logging.LogRecord) -> Said:
    """What a record says, with the id of the request that is being answered."""
    # Nothing else is kept: lines may wait for a reader, and an exception holds what its frames do.
    fields = {name: value for name in FIELDS if (value := record.__dict__.get(name)) is not None}
    if (current := _current.get()) is not None:
        fields.setdefault("request_id", current["request_id"])
    if record.exc_info and record.exc_info[1] is not None:
        fields |= failure(record.exc_info[1])
    return Said(int(record.created), record.levelname, record.name, _message(record), fields)


def _message(record: logging.LogRecord) -> str:
    if record.name.split(".", 1)[0] in _WITH_ARGUMENTS:
        return record.getMessage().strip()
    return str(record.msg).partition("\n")[0]


def _as_text(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'"{text}"' if " " in text else text
