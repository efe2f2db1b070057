"""Middleware around every page. It turns the key in the cookie into an `Authorization` header, and adds the content
policy to the response. It also shows problems from outside the pages as pages.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.console.api import Refused
from service.console.session import KEY_SCHEME, cookie_of

CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_HEADERS: Final = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)
_PICTURE: Final = b"image/svg+xml"
_PROBLEM: Final = b"application/problem+json"


class Edge:
    """Wraps the whole application, and changes only requests to the console and their responses.

    `is_of_console` returns whether a request is for the console; `show` makes the page of a problem.
    """

    def __init__(
        self,
        app: ASGIApp,
        is_of_console: Callable[[Scope], bool],
        show: Callable[[Request, Refused], Awaitable[Response]],
    ) -> None:
        self._app = app
        self._is_of_console = is_of_console
        self._show = show

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._is_of_console(scope):
            await self._app(scope, receive, send)
            return
        headers = [each for each in scope["headers"] if each[0] != b"authorization"]
        cookie = cookie_of(headers)
        if cookie.startswith(KEY_SCHEME):
            headers.append((b"authorization", f"Bearer {cookie}".encode()))
        scope["headers"] = headers
        refused: list[Message] = []

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = dict(message["headers"])
                if given.get(b"content-type") == _PROBLEM:
                    refused.append(message)
                    return
                # A picture contains its own style, and keeps the content policy that the application gave it.
                added = _HEADERS[1:] if given.get(b"content-type", b"").startswith(_PICTURE) else _HEADERS
                names = {name for name, _ in added}
                kept = [each for each in message["headers"] if each[0] not in names]
                message = {**message, "headers": [*kept, *added]}
            elif refused:
                refused.append(message)
                return
            await send(message)

        await self._app(scope, receive, sending)
        if refused:
            start, *parts = refused
            given = {name.decode(): value.decode() for name, value in start["headers"]}
            document = json.loads(b"".join(part.get("body", b"") for part in parts))
            refused.clear()
            page = await self._show(Request(scope), Refused(start["status"], document, given.get("retry-after")))
            for name in ("retry-after", "connection", "allow"):
                if name in given:
                    page.headers[name] = given[name]
            page.headers["cache-control"] = "no-store"
            await page(scope, receive, sending)
