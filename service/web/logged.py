"""Gives every request an id, and writes a log line for requests that an operator must be able to explain.

These are requests that created, changed, computed or released something, reads of releases, refused keys, and failures
of the service. The line is written after the response was sent, so that of a release is written after its response-time
tick.
"""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.logs import log
from service.schemas.model import ID_PATTERN

REQUEST_ID_HEADER: Final = "X-Request-Id"
_HEADER: Final = REQUEST_ID_HEADER.lower().encode()
_logger = logging.getLogger("posterior.requests")
_id = re.compile(ID_PATTERN)
_UNMATCHED: Final = "none"
_READING: Final = frozenset({"GET", "HEAD"})


class Logged:
    """Gives each request an id, and writes its log line."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0
        with log.request() as fields:

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
    fields_of_line = {"operation": getattr(scope.get("route"), "name", _UNMATCHED), "status": status}
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
