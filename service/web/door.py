"""Lets connections in while there is room. What comes beyond that waits with the kernel for a moment, so that another
worker that shares the port can take it, and then gets the place of the connection that waited longest for its caller.

A server that takes connections beyond its number in order to close them answers whoever comes with an error, for as
long as somebody holds that number, and also where the worker beside it has nothing to do.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from collections.abc import Callable
from typing import Any, Final

import uvloop

from service.web.connections import BoundedConnection

MAX_CONNECTIONS: Final = 2_000
"""In each process. A reverse proxy shares them out by address, which this service can't see."""
_OTHER_FILES: Final = 400
"""Files and sockets that a process may have open besides: databases, computations, and what they write."""
_AT_ONCE: Final = 8
"""Connections that are taken before the event loop looks at anything else, and other workers at the port."""
_WAITING: Final = 2_048
_MOMENT_SECONDS: Final = 0.05
_AT_ONCE_WHEN_FULL: Final = 64
_NO_FILES_SECONDS: Final = 1.0
_LOOK_EVERY_SECONDS: Final = 2.0
_logger = logging.getLogger("posterior.door")


class Loop(uvloop.Loop):
    """The event loop of a process that serves."""

    async def create_server(self, protocol_factory: Any, *where: Any, sock: Any = None, **how: Any) -> Any:
        """With a door where a socket is given, as the service does; as ever for an address."""
        if sock is None:
            return await super().create_server(protocol_factory, *where, **how)
        return Door(self, sock, protocol_factory, room_for_connections())


def room_for_connections() -> int:
    """How many connections the system lets this process have beside what else it opens. Where it allows few open files,
    as it does by default, it is asked for more first: whoever can open no more of them can't compute either.
    """
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + _OTHER_FILES
    if 0 <= allowed < wanted:  # no limit is a negative number
        allowed = wanted if most < 0 else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    return MAX_CONNECTIONS if allowed < 0 else min(MAX_CONNECTIONS, max(allowed - _OTHER_FILES, allowed // 2))


class Door:
    """A listening socket, as the server holds it, for `places` connections at once."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        listener: socket.socket,
        make_connection: Callable[[], BoundedConnection],
        places: int,
    ) -> None:
        self.sockets = (listener,)
        self._loop, self._listener, self._make, self._places = loop, listener, make_connection, places
        self._inside = set[BoundedConnection]()
        self._waiting: dict[BoundedConnection, None] = {}
        self._entering = set[asyncio.Task[Any]]()
        self._is_open = self._is_closed = False
        self._next: asyncio.TimerHandle | None = None
        """When it looks again, while it is shut."""
        listener.setblocking(False)
        listener.listen(_WAITING)
        loop.call_later(_LOOK_EVERY_SECONDS, self._look)
        self._open()

    def close(self) -> None:
        """Lets nobody in any more; who is inside stays."""
        self._is_closed = True
        self._shut()

    async def wait_closed(self) -> None:
        """Until those who are inside have gone, the server waits by itself."""

    @property
    def _is_full(self) -> bool:
        return len(self._inside) >= self._places

    def _open(self) -> None:
        if not (self._is_open or self._is_closed or self._is_full):
            self._is_open = True
            self._loop.add_reader(self._listener, self._let_in)

    def _shut(self, seconds: float = _MOMENT_SECONDS) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._listener)
        self._look_again(seconds)

    def _look_again(self, seconds: float) -> None:
        if self._next is None and not self._is_closed:
            self._next = self._loop.call_later(seconds, self._make_room)

    def _let_in(self) -> None:
        for _ in range(_AT_ONCE):
            if self._is_full:
                self._shut()
                return
            if not self._let_one_in():
                return

    def _make_room(self) -> None:
        """While it is full: lets in whoever no other worker took, in place of who waited longest for his caller."""
        self._next = None
        self._open()
        if self._is_open or self._is_closed:
            return
        # Who gives way keeps his open file for a moment longer, and few may be allowed.
        for _ in range(min(_AT_ONCE_WHEN_FULL, 1 + self._places // 8)):
            if not self._waiting or not self._let_one_in():
                break
            longest = next(iter(self._waiting))
            self._inside.discard(longest)
            longest.give_way()
        self._look_again(_MOMENT_SECONDS)

    def _let_one_in(self) -> bool:
        """Whether there was one."""
        try:
            accepted, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return False  # another worker was quicker, or the caller has left
        except OSError:
            self._shut(_NO_FILES_SECONDS)
            _logger.warning("no connection could be taken: the system allows no more open files")
            return False
        accepted.setblocking(False)
        connection = self._make()
        connection.waiting, connection.left = self._waiting, self._see_off
        self._inside.add(connection)
        entering = self._loop.create_task(self._enter(connection, accepted))
        self._entering.add(entering)
        entering.add_done_callback(self._entering.discard)
        return True

    async def _enter(self, connection: BoundedConnection, accepted: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, accepted)
        except OSError:  # it has left already
            accepted.close()
            self._see_off(connection)
            return
        if self._is_closed:  # it was on its way in when the server told those inside to end
            connection.shutdown()

    def _see_off(self, connection: BoundedConnection) -> None:
        self._inside.discard(connection)
        self._open()

    def _look(self) -> None:
        """Ends connections whose callers take nothing of their answers."""
        instant = self._loop.time()
        for connection in list(self._inside):
            connection.give_up_unless_taken(instant)
        self._loop.call_later(_LOOK_EVERY_SECONDS, self._look)
