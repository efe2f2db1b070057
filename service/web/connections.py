"""Bounds what a connection may hold before anybody has said who he is: the bytes and the time of a request's head,
and how many there are.
"""

from __future__ import annotations

import asyncio
from itertools import chain
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES: Final = 32_768
HEAD_SECONDS: Final = 20.0
_TOO_LARGE: Final = "The head of the request is too large."
MAX_CONNECTIONS: Final = 2_000
"""In each process; more are closed as they come. A reverse proxy shares them out by address, which this service
can't see.
"""


class BoundedConnection(HttpToolsProtocol):
    """One connection. The parser itself takes headers without end, and waits for them for ever."""

    _head_bytes = 0
    _in_head = True
    _has_begun = False
    """Whether some of the head came, and not all of it."""
    _is_too_large = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
            return
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self._is_too_large = True
            self.send_400_response(_TOO_LARGE)
        elif self._has_begun and self._deadline is None:  # most heads come in one piece, and need no clock
            self._start_clock()

    def on_message_begin(self) -> None:
        self._stop_clock()
        self._in_head = self._has_begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop_clock()
        self._in_head = self._has_begun = False
        # One that came in one piece was never seen incomplete.
        if len(self.url) + sum(map(len, chain.from_iterable(self.headers))) > HEAD_BYTES:
            self._is_too_large = True
            raise ValueError(_TOO_LARGE)  # which ends the parser, and the connection with a refusal
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(_TOO_LARGE if self._is_too_large else msg)

    def on_message_complete(self) -> None:
        # What comes next is another head; until it begins, uvicorn's own limit on idle connections holds.
        self._in_head, self._head_bytes = True, 0
        super().on_message_complete()

    def _start_clock(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
