"""Gives every request an id, and writes a line of those that an operator has to be able to account for.

These are the requests that made, changed, computed or released something, the reads of releases, refused keys, and
every answer that says that the service failed. The line is written when the answer was sent: that of a release is
after its response-time tick.
"""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import log
from service.schemas.model import ID_PATTERN

REQUEST_ID_HEADER: Final = "X-Request-Id"
_HEADER: Final = REQUEST_ID_HEADER.lower().encode()
_logger = logging.getLogger("posterior.requests")
_id = re.compile(ID_PATTERN)
_UNMATCHED: Final = "none"
_READING: Final = frozenset({"GET", "HEAD"})


class Logged:
    """Names requests, and writes their lines."""

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
        # A caller writes into a path what he likes; an id is what looks like one.
        fields_of_line |= {name: value for name, value in scope.get("path_params", {}).items() if _id.match(str(value))}
    fields_of_line |= fields
    _logger.log(level, "answered", extra=fields_of_line)


def _level(scope: Scope, status: int, *, failed: bool) -> int | None:
    """At which level the line is written; None where there is none."""
    if failed or status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return logging.ERROR
    if status > HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.UNAUTHORIZED:
        return logging.WARNING
    accounted = scope["method"] not in _READING or "release_id" in scope.get("path_params", {})
    return logging.INFO if accounted and 0 < status < HTTPStatus.BAD_REQUEST else None
