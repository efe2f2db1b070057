"""Guards the application: refuses bodies that are too large, and lets no unexpected failure tell anything."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import errors
from service.web.handlers import render

_logger = logging.getLogger("posterior.app")


def _places(error: Exception) -> str:
    """Where an exception passed, innermost last: files and lines, which hold no data, and not a word of its text."""
    return " ".join(
        f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-6:]
    )


class Guard:
    """Refuses bodies that are too large, and turns whatever nobody expected into a constant answer and a log line without particulars."""

    def __init__(self, app: ASGIApp, max_body_bytes: int) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def noticing(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] == "http.response.start":
                # Keys, receipts and releases are for whoever asked, and for no cache in between.
                MutableHeaders(scope=message).setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            body = await self._read(scope, receive)
            if body is None:
                await render(errors.BodyTooLarge())(scope, receive, noticing)
                return
            await self._app(scope, _replayed(body, receive), noticing)
        except Exception as error:  # noqa: BLE001  the last line of defence: its text could tell of the counts
            _logger.error("unexpected %s at %s", type(error).__name__, _places(error))
            if not started:
                await render(errors.InternalError())(scope, receive, noticing)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body, or None where it is larger than allowed."""
        for name, value in scope["headers"]:
            if name == b"content-length" and value.isdigit() and int(value) > self._max_body_bytes:
                return None
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self._max_body_bytes:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
