"""Writes the log of a process: one line for each event, as text or as JSON.

A line has constant words, and the fields of `FIELDS`: ids that this service made, names of operations and problems,
kinds of errors, places in the code. It never has a name, a presented key, a query, a duration or the text of an
exception, which could tell of the counts. Times are whole seconds.

    _logger.error("a release is charged and failed", extra={"release_id": release_id})

What becomes known while a request is answered is collected with `add`, for the one line that `service.web.logged`
writes of it.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

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
other ids are of what it was about; `made_id` is of what it made.
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
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(as_json=as_json))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger(TERMINAL).setLevel(logging.INFO)


class Lines(logging.Formatter):
    """Formats records: what is not in `FIELDS` does not pass."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        fields = self._fields(record)
        if self._as_json:
            return json.dumps(
                {
                    "time": timestamp(int(record.created)),
                    "level": record.levelname.lower(),
                    "logger": record.name,
                    "message": _message(record),
                }
                | fields
            )
        told = "".join(f" {name}={_as_text(value)}" for name, value in fields.items())
        start = "" if record.name == TERMINAL else f"{timestamp(int(record.created))} {record.levelname} {record.name} "
        return start + _message(record).replace("\n", " ") + told

    def _fields(self, record: logging.LogRecord) -> dict[str, Any]:
        given = dict(record.__dict__)
        if (current := _current.get()) is not None:
            given.setdefault("request_id", current["request_id"])
        if record.exc_info and record.exc_info[1] is not None:
            given |= failure(record.exc_info[1])
        return {name: given[name] for name in FIELDS if given.get(name) is not None}


def _message(record: logging.LogRecord) -> str:
    if record.name.split(".", 1)[0] in _WITH_ARGUMENTS:
        return record.getMessage().strip()
    return str(record.msg).partition("\n")[0]


def _as_text(value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'"{text}"' if " " in text else text
