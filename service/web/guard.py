"""Guards the application. It refuses bodies without a key and bodies that are too large, too slow or too many, and
replaces unexpected errors by a constant response.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import errors
from service.errors import Problem, RateLimited
from service.identifiers.identifiers import failure
from service.limits.limits import BODY_BYTES, BODY_MEMORY_BYTES, KEYLESS_BODY_BYTES, TTLCache
from service.logs import log
from service.principals.auth import Caller
from service.web.handlers import render
from service.web.validation import shown_name

MAX_REMEMBERED: Final = 20_000


class ReportedCharges:
    """The last 20 000 requests of this process that were answered as charged or possibly charged."""

    def __init__(self) -> None:
        self._requests: TTLCache[bytes, bool] = TTLCache(MAX_REMEMBERED)

    def add(self, request: Request) -> None:
        """Record that the request is answered as charged or possibly charged."""
        self._requests.keep(_name_of(request), True)

    def may_be_charged(self, request: Request) -> bool:
        """Return whether this request, or one under the same key, was answered as charged or possibly charged."""
        return self._requests.get(_name_of(request)) is not None


def _name_of(request: Request) -> bytes:
    """Return a name for the caller's requests under one Idempotency-Key, computed from the headers only.

    The caller's identity may be unreadable when the database is.
    """
    headers = headers_of(request.scope)
    presented, key = (headers.get(name, b"") for name in (b"authorization", b"idempotency-key"))
    return hashlib.sha256(b"%b\n%b" % (presented, key)).digest()


_HEADERS_KEY: Final = "posterior.headers"


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers of a request by lower-case name. If a name occurs several times, the first value is used."""
    headers: dict[bytes, bytes] | None = scope.get(_HEADERS_KEY)
    if headers is None:
        headers = scope[_HEADERS_KEY] = dict(reversed(scope["headers"]))
    return headers


_RETRY_SECONDS = 1


@dataclass(slots=True)
class BodyMemoryLimiter:
    """Limits on the bytes of one principal and of all. It has no lock: use it in one event loop."""

    max_per_principal: int
    max_total: int
    _taken_by_principal: Counter[str] = field(default_factory=Counter)
    _taken_total: int = 0

    @contextmanager
    def reserve(self) -> Iterator[Reservation]:
        """Yield a reservation for one body, released at the end of the block."""
        reservation = Reservation(self)
        try:
            yield reservation
        finally:
            self.change(reservation.principal_id, -reservation.size)

    def change(self, principal_id: str, size: int) -> None:
        """Reserve or release `size` bytes. Raises RateLimited if the limit is exceeded."""
        if size > 0 and (
            self._taken_by_principal[principal_id] + size > self.max_per_principal
            or self._taken_total + size > self.max_total
        ):
            raise RateLimited.until(_RETRY_SECONDS)
        self._taken_by_principal[principal_id] += size
        self._taken_total += size
        if not self._taken_by_principal[principal_id]:
            del self._taken_by_principal[principal_id]


@dataclass(slots=True)
class Reservation:
    """The memory of one body, and the principal who sends it."""

    limiter: BodyMemoryLimiter
    principal_id: str = ""
    size: int = 0

    def grow_to(self, size: int) -> None:
        """Reserve the missing bytes. Raises RateLimited."""
        if size > self.size:
            self.limiter.change(self.principal_id, size - self.size)
            self.size = size


_KEYLESS: Final = frozenset({"/v1/enrolments"})
_KEYLESS_BELOW: Final = "/v1/public/"
"""Path prefix of operations whose bodies need no key."""
_ASKING_FIRST: Final = b"100-continue"
_MOST_VALUES: Final = 250_000
"""Largest number of values in a body, counted by commas: parsing a million blocks the event loop. The largest cross
table has 170 000.
"""
_SINGLE_HEADERS: Final = ("Authorization", "Idempotency-Key", "Content-Type")
"""Headers that may occur once only, since a second one may contradict the first."""
_STRICT_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_OWN_PAGE_POLICY: Final = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"
CONSOLE: Final = "/console"
"""Path of the console. Its forms need no key, up to the size for callers without one: people send a form to sign in,
and forms of a session that has ended.
"""
# Keys, receipts and releases are for the caller only, so caches must not store them.
_PRIVATE_HEADERS: Final = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
# A picture is a document that shows an owner's labels, so its content is restricted.
_ANSWER_HEADERS: Final = (*_PRIVATE_HEADERS, (b"content-security-policy", _STRICT_POLICY.encode()))
_PAGE_HEADERS: Final = (*_PRIVATE_HEADERS, (b"content-security-policy", _OWN_PAGE_POLICY.encode()))


class _GoneError(Exception):
    """The client disconnected before its whole body arrived."""


class Guard:
    """Refuses bodies, and turns unexpected errors into a constant answer.

    `admit` raises a Problem for callers without a valid key or above the rate limit. It runs before a body is read, so
    that callers without a key hold no memory.
    """

    def __init__(
        self,
        app: ASGIApp,
        admit: Callable[[Request], Awaitable[Caller]],
        operations: Sequence[BaseRoute],
    ) -> None:
        self._app = app
        self._admit = admit
        self._operations = operations
        self._body_memory = BodyMemoryLimiter(BODY_MEMORY_BYTES.max_per_key, BODY_MEMORY_BYTES.max_concurrent)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with self._body_memory.reserve() as reservation:
            await self._answer(scope, receive, send, reservation)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, reservation: Reservation) -> None:
        started = False

        async def noticing(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] == "http.response.start":
                page = _path_of(scope).startswith("/docs")
                given = {name for name, _ in message["headers"]}
                added = [each for each in (_PAGE_HEADERS if page else _ANSWER_HEADERS) if each[0] not in given]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            _check_headers(scope)
            body = await self._body(scope, receive, reservation)
            _check_body(scope, body)
        except _GoneError:
            return  # the body is incomplete, although it may look complete
        except (Problem, TimeoutError) as error:
            self._name_operation(scope)
            answer = render(errors.BodyTooSlow() if isinstance(error, TimeoutError) else error, scope)
            # A client that waits for `100 Continue` has sent no body. Its next request must not be read as the body.
            if isinstance(error, TimeoutError) or headers_of(scope).get(b"expect", b"").lower() == _ASKING_FIRST:
                answer.headers["Connection"] = "close"
            await answer(scope, receive, noticing)
            return
        except asyncio.CancelledError:  # as below; nothing was done yet
            await render(errors.ShuttingDown(), scope)(scope, receive, noticing)
            return
        except Exception as error:  # noqa: BLE001  as below
            log.add(**failure(error))
            await render(errors.InternalError(), scope)(scope, receive, noticing)
            return
        try:
            await self._app(scope, replayed(body, receive), noticing)
        except asyncio.CancelledError:
            # The process is shutting down and ends open requests. This one may have been charged.
            if not started:
                await render(errors.OutcomeUnknown(), scope)(scope, receive, noticing)
        except Exception as error:  # noqa: BLE001  the last line of defence: its text could disclose counts
            log.add(**failure(error))
            if not started:
                await render(errors.InternalError(), scope)(scope, receive, noticing)

    def _name_operation(self, scope: Scope) -> None:
        """Find the operation of a request that is refused before routing, for the log and the metrics."""
        route = next((each for each in self._operations if each.matches(scope)[0] is Match.FULL), None)
        if route is not None:
            scope["route"] = route

    async def _body(self, scope: Scope, receive: Receive, reservation: Reservation) -> bytes:
        """Return the whole body, for which memory is reserved.

        Raises BodyTooLarge, TimeoutError, and _GoneError. Raises RateLimited if the sender's bodies already use too
        much memory. If there is a body and the path needs a key, raises what `admit` raises.
        """
        headers, most = headers_of(scope), BODY_BYTES.max_per_key
        length = headers.get(b"content-length", b"")
        has_body = b"transfer-encoding" in headers or length not in {b"", b"0"}
        keyless = _is_keyless(_path_of(scope))
        if has_body and not keyless:
            try:
                reservation.principal_id = (await self._admit(Request(scope))).principal_id
            except errors.Unauthenticated:
                if not is_of_console(scope):
                    raise
                keyless = True
        if keyless:
            most = min(most, KEYLESS_BODY_BYTES.max_per_key)
        if length.isdigit() and int(length) > most:
            raise errors.BodyTooLarge
        # Bodies without a key are not counted: one caller could fill a shared limit. Connections bound them.
        counted = has_body and not keyless
        if counted and length.isdigit():
            reservation.grow_to(int(length))
        body = bytearray()
        async with asyncio.timeout(BODY_BYTES.seconds):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    if has_body:
                        raise _GoneError
                    return b""
                body += message.get("body", b"")
                if len(body) > most:
                    raise errors.BodyTooLarge
                if counted:
                    reservation.grow_to(len(body))
                if not message.get("more_body", False):
                    return bytes(body)


def _check_headers(scope: Scope) -> None:
    """Raise InvalidRequest if a header that may occur once occurs twice.

    Servers and proxies differ in which one they use.
    """
    names = [name for name, _ in scope["headers"]]
    for once in _SINGLE_HEADERS:
        if names.count(once.lower().encode()) > 1:
            raise errors.InvalidRequest.at(f"header.{once}", "must be given only once")


def _check_body(scope: Scope, body: bytes) -> None:
    """Raise a Problem if the body has too many values, or is JSON that two parsers may read differently.

    The framework checks whether it is JSON at all.
    """
    if body.count(b",") > _MOST_VALUES:
        raise errors.BodyTooLarge(f"The body has more than {_MOST_VALUES} commas.")
    if b"json" not in headers_of(scope).get(b"content-type", b"").lower():
        return
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise errors.MalformedBody from None
    if "\0" in text or text.startswith("\ufeff"):  # not JSON: UTF-16 without a byte-order mark contains NUL
        raise errors.MalformedBody
    try:
        json.loads(text, object_pairs_hook=_each_name_once)
    except (ValueError, RecursionError):
        return


def _each_name_once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        doubled = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise errors.InvalidRequest.at("body", f"must name {shown_name(doubled)} only once in an object")


def _path_of(scope: Scope) -> str:
    """Return the path without the prefix of the reverse proxy."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def is_of_console(scope: Scope) -> bool:
    """Return whether the request is for a page or a file of the console."""
    path = _path_of(scope)
    return path == CONSOLE or path.startswith(f"{CONSOLE}/")


def _is_keyless(path: str) -> bool:
    return path in _KEYLESS or path.startswith(_KEYLESS_BELOW)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields a body that was already read, and then the disconnection of its sender.

    After a whole body the server's own `receive` yields nothing else.
    """
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            await receive()
            return {"type": "http.disconnect"}
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
