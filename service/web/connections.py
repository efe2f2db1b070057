"""Bounds what a connection may hold before anybody has said who he is: the bytes and the time of a request's head, and
of what follows an answer, how many requests wait on it for their turn, and for how long an answer is kept for whoever
does not take it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import chain
from typing import Any, Final

from httptools import HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES: Final = 32_768
HEAD_SECONDS: Final = 20.0
_FRAME_BYTES: Final = 8
"""Of chunks, for each byte of a body, beside those of a head: of as many as there are of bytes of a body, the smallest
have five.
"""
_TOO_LARGE: Final = "The head of the request is too large."
UNREAD_BYTES: Final = 4_000_000
"""What is read, and dropped, of a body that was refused: whoever sends all of it first gets the answer then."""
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
    """Of the request that is read, without its body."""
    _body_bytes = 0
    _unread_bytes = 0
    _in_head = True
    _has_begun = False
    """Whether some of the head came, and not all of it."""
    _is_too_large = False
    _has_ended = False
    """Whether the caller said that nothing more comes."""
    _deadline: asyncio.TimerHandle | None = None
    _untaken: tuple[int, float] | None = None
    """How much of an answer waited, and since when it did."""
    asks_for_other_protocol = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.parser = _Parser(self)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        super().connection_made(transport)
        self._note_who_waits()
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)
        self._note_who_waits()
        if self.left is not None:
            self.left(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._note_who_waits()

    def resume_writing(self) -> None:
        self._untaken = None
        super().resume_writing()
        self._note_who_waits()

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

    def eof_received(self) -> bool:  # type: ignore[override]  # as asyncio reads it
        """Whether the connection stays open when its caller has said that nothing more comes: for the answers to what
        was wholly sent. What was cut short is no request.
        """
        self._has_ended = True
        self._stop_clock()
        if not self._is_idle and self.cycle.more_body:
            if not self.pipeline:
                return False
            self.pipeline.popleft()  # the last that was read
        elif not self._is_idle:
            # For who looks whether somebody still waits: whoever leaves altogether can't be told from this.
            self.cycle.message_event.set()
            self.cycle.message_event = _Ended()
        self._note_who_waits()
        return not self._is_idle

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        if self._is_answered_in_its_body:
            self._unread_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._unread_bytes > UNREAD_BYTES:
            self.transport.close()
        elif self._head_bytes > HEAD_BYTES + _FRAME_BYTES * self._body_bytes:
            self._is_too_large = True
            self.send_400_response(_TOO_LARGE)
        elif self._deadline is None and (self._has_begun or self._is_idle):
            # Most requests come in one piece, and need no clock. For one that does not, and for whatever else comes
            # while nothing is answered, the parser has taken back its own limit on idle connections.
            self._start_clock()

    def on_message_begin(self) -> None:
        self._stop_clock()
        self._in_head = self._has_begun = True
        self._unread_bytes = 0
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
        if self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT":
            self.asks_for_other_protocol = True
            return
        super().on_headers_complete()
        self._in_head = False
        self._note_who_waits()

    def on_header(self, name: bytes, value: bytes) -> None:
        # What comes behind a body would stand beside the headers that were looked at before it was read.
        if self._in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._head_bytes -= len(body)
        self._body_bytes += len(body)
        super().on_body(body)

    def go_on_without(self, rest: bytes) -> None:
        """Reads the request that asked for another protocol as one that did not: whoever answers need not change, and
        some clients ask for HTTP/2 by themselves. The parser would take the body for that protocol's.
        """
        self.asks_for_other_protocol = False
        head = [b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())]
        head += [b"%s: %s" % each for each in self.headers if each[0] != b"upgrade"]
        self.parser = _Parser(self)
        self.parser.feed_data(b"\r\n".join(head) + b"\r\n\r\n" + rest)

    def send_400_response(self, msg: str) -> None:
        if self._is_answered_in_its_body:
            self.transport.close()  # the refusal would be the answer to nothing
        elif self._answers_another():
            self.transport.abort()  # the refusal would stand in the middle of that answer, or in its place
        else:
            super().send_400_response(_TOO_LARGE if self._is_too_large else msg)

    def on_response_complete(self) -> None:
        if self._has_ended and not self.pipeline:
            self.transport.close()
        super().on_response_complete()
        self._note_who_waits()

    def on_message_complete(self) -> None:
        if self.asks_for_other_protocol:
            return
        # What comes next is another head; until it begins, uvicorn's own limit on idle connections holds.
        self._in_head, self._head_bytes, self._body_bytes = True, 0, 0
        super().on_message_complete()
        self._note_who_waits()

    def give_way(self) -> None:
        """Ends the connection, which waits for its caller, for the sake of another."""
        if self.waiting is not None:
            self.waiting.pop(self, None)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    @property
    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        return not bool(self.cycle) or self.cycle.response_complete

    @property
    def _is_answered_in_its_body(self) -> bool:
        """Whether the request that is read was answered already, as where it was refused."""
        return not self._in_head and self._is_idle

    @property
    def _waits(self) -> bool:
        """Whether nothing goes on here before the caller does something, or he may have left."""
        # Of requests that wait for their turn, the one that is answered is not the last, and was there as a whole.
        needs_more = not self.pipeline and (self._is_idle or self.cycle.more_body)
        return needs_more or self.flow.write_paused or self._has_ended

    def _note_who_waits(self) -> None:
        if self.waiting is None:
            return
        if self in self.connections and self._waits:
            self.waiting.setdefault(self)
        else:
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


class _Ended(asyncio.Event):
    """That nothing more comes, also for who looks after the body was read."""

    def __init__(self) -> None:
        super().__init__()
        self.set()

    def clear(self) -> None:
        return


class _Parser(HttpRequestParser):
    """Reads requests that ask for another protocol as any others."""

    def __init__(self, connection: BoundedConnection) -> None:
        super().__init__(connection)
        self._connection = connection
        # As uvicorn has it, for requests behind one that ends the connection.
        self.set_dangerous_leniencies(lenient_data_after_close=True)

    def feed_data(self, data: Any) -> None:
        try:
            super().feed_data(data)
        except HttpParserUpgrade as asked:
            if not self._connection.asks_for_other_protocol:
                raise
            self._connection.go_on_without(data[asked.args[0] :])
