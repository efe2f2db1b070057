"""Bounds what a connection may hold before anybody has said who he is: the bytes and the time of a request's head, how
many requests wait on it for their turn, and for how long an answer is kept for whoever does not take it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import chain
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES: Final = 32_768
HEAD_SECONDS: Final = 20.0
_TOO_LARGE: Final = "The head of the request is too large."
MAX_WAITING: Final = 16
"""Requests that are sent on a connection while an earlier one is answered. They are answered one after the other, and
each takes a hundred times the memory of what was sent.
"""
TAKEN_SECONDS: Final = 20.0
TAKEN_BYTES: Final = 65_536
"""What a caller takes of a waiting answer in that time, or all of it."""


class BoundedConnection(HttpToolsProtocol):
    """One connection. The parser itself takes headers and requests without end, and waits for headers, and for whoever
    reads an answer, for ever.

    `waiting` holds the connections that wait for their callers, in the order in which they began to: for a request, the
    rest of one, or for an answer to be taken. `left` is called when the connection ends.
    """

    waiting: dict[BoundedConnection, None] | None = None
    left: Callable[[BoundedConnection], None] | None = None

    _head_bytes = 0
    _in_head = True
    _has_begun = False
    """Whether some of the head came, and not all of it."""
    _is_too_large = False
    _deadline: asyncio.TimerHandle | None = None
    _untaken: tuple[int, float] | None = None
    """How much of an answer waited, and since when it did."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        super().connection_made(transport)
        self._begin_to_wait()
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)
        self._wait_no_more()
        if self.left is not None:
            self.left(self)

    def pause_writing(self) -> None:
        self._begin_to_wait()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._untaken = None
        if not self.cycle.response_complete:
            self._wait_no_more()
        super().resume_writing()

    def give_up_unless_taken(self, instant: float) -> None:
        """Ends the connection where next to nothing was taken of an answer for long."""
        # While neither is so, more may be written, and what waits says nothing of what was taken.
        waits = bool(self.transport) and (self.flow.write_paused or self.transport.is_closing())
        size = self.transport.get_write_buffer_size() if waits else 0
        if not size:
            self._untaken = None
        elif self._untaken is None or size <= self._untaken[0] - TAKEN_BYTES:
            self._untaken = size, instant
        elif instant - self._untaken[1] >= TAKEN_SECONDS:
            self.transport.abort()

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
        if len(self.pipeline) >= MAX_WAITING:
            raise ValueError  # which ends the parser, and the connection
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop_clock()
        self._has_begun = False
        # One that came in one piece was never seen incomplete.
        if len(self.url) + sum(map(len, chain.from_iterable(self.headers))) > HEAD_BYTES:
            self._is_too_large = True
            raise ValueError(_TOO_LARGE)  # which ends the parser, and the connection with a refusal
        self._in_head = False
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if self._answers_another():
            self.transport.abort()  # the refusal would stand in the middle of that answer, or in its place
        else:
            super().send_400_response(_TOO_LARGE if self._is_too_large else msg)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # no other request waits
            self._begin_to_wait()

    def on_message_complete(self) -> None:
        if not self.cycle.response_complete:  # as where a body was refused unread
            self._wait_no_more()
        # What comes next is another head; until it begins, uvicorn's own limit on idle connections holds.
        self._in_head, self._head_bytes = True, 0
        super().on_message_complete()

    def give_way(self) -> None:
        """Ends the connection, which waits for its caller, for the sake of another."""
        self._wait_no_more()
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _begin_to_wait(self) -> None:
        if self.waiting is not None and self in self.connections:
            self.waiting.pop(self, None)
            self.waiting[self] = None

    def _wait_no_more(self) -> None:
        if self.waiting is not None:
            self.waiting.pop(self, None)

    def _answers_another(self) -> bool:
        """Whether an answer is under way that is not for the request which is being read."""
        answering = bool(self.cycle) and not self.cycle.response_complete
        return bool(self.pipeline) or (answering and (self._in_head or self.cycle.response_started))

    def _start_clock(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
