"""A server takes as many connections as it has places, leaves others to whoever shares its port, and keeps no place for
callers who leave it waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from service.cli.serving import SERVER_OPTIONS
from service.web import connections, door
from tests.harness.process import ROOT

PLACES = 4
LARGE = 20_000_000


class Application:
    """Answers at once, with much, or, for `/slow`, once `go_on` is set."""

    def __init__(self, name: str) -> None:
        self.name, self.asked, self.go_on = name, 0, threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        self.asked += 1
        if scope["path"] == "/slow":
            await asyncio.to_thread(self.go_on.wait)
        body = b"x" * LARGE if scope["path"] == "/large" else self.name.encode()
        if scope["method"] == "POST":
            while (await receive()).get("more_body"):
                pass
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@contextlib.contextmanager
def serving(name: str, listener: socket.socket) -> Iterator[tuple[Application, uvicorn.Server]]:
    """A server that shares the listener."""
    application = Application(name)
    options = SERVER_OPTIONS | {"lifespan": "off", "timeout_keep_alive": 600}
    server = uvicorn.Server(uvicorn.Config(application, **options))
    thread = threading.Thread(target=server.run, args=([listener.dup()],))
    thread.start()
    try:
        yield application, server
    finally:
        application.go_on.set()
        server.should_exit = True
        thread.join()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    monkeypatch.setattr(door, "MAX_CONNECTIONS", PLACES)
    with socket.create_server(("127.0.0.1", 0)) as shared:
        yield shared


def connected(listener: socket.socket) -> socket.socket:
    return socket.create_connection(listener.getsockname(), timeout=60)


def asking(listener: socket.socket, path: str = "/") -> socket.socket:
    """A connection on which a request was sent."""
    connection = connected(listener)
    connection.sendall(b"GET %s HTTP/1.1\r\nHost: service\r\n\r\n" % path.encode())
    return connection


def answer(connection: socket.socket) -> str:
    """The body of a short answer, which comes in one piece."""
    return connection.recv(65536).rpartition(b"\r\n\r\n")[2].decode()


def wait_until(what: Any) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_whoever_a_full_server_does_not_take_is_answered_by_the_other(listener: socket.socket) -> None:
    with contextlib.ExitStack() as stack:
        first, _ = stack.enter_context(serving("first", listener))
        slow = [stack.enter_context(asking(listener, "/slow")) for _ in range(PLACES)]
        wait_until(lambda: first.asked == PLACES)
        others = [stack.enter_context(asking(listener)) for _ in range(PLACES)]
        stack.enter_context(serving("second", listener))
        assert [answer(each) for each in others] == ["second"] * PLACES
        first.go_on.set()
        assert [answer(each) for each in slow] == ["first"] * PLACES


def test_who_waits_is_let_in_when_somebody_leaves(listener: socket.socket) -> None:
    with contextlib.ExitStack() as stack:
        first, _ = stack.enter_context(serving("first", listener))
        slow = [stack.enter_context(asking(listener, "/slow")) for _ in range(PLACES)]
        wait_until(lambda: first.asked == PLACES)
        with asking(listener) as another:
            slow.pop().close()
            assert answer(another) == "first"


def test_a_full_server_gives_the_place_of_who_left_it_waiting_longest(listener: socket.socket) -> None:
    with contextlib.ExitStack() as stack:
        first, _ = stack.enter_context(serving("first", listener))
        busy = stack.enter_context(asking(listener, "/slow"))
        wait_until(lambda: first.asked == 1)
        half = stack.enter_context(connected(listener))
        half.sendall(b"GET / HTTP/1.1\r\nX-Half")
        idle = [stack.enter_context(asking(listener)) for _ in range(2)]
        assert [answer(each) for each in idle] == ["first"] * 2
        for given_up in (half, *idle):
            assert answer(stack.enter_context(asking(listener))) == "first"
            assert given_up.recv(1) == b""
        first.go_on.set()
        assert answer(busy) == "first", "one that is served keeps its place"


def test_who_sent_half_a_body_behind_another_request_is_waited_for_too(listener: socket.socket) -> None:
    half = b"GET / HTTP/1.1\r\nHost: service\r\n\r\nPOST / HTTP/1.1\r\nHost: service\r\nContent-Length: 10\r\n\r\n{"
    with contextlib.ExitStack() as stack:
        first, _ = stack.enter_context(serving("first", listener))
        for _ in range(PLACES):
            stack.enter_context(connected(listener)).sendall(half)
        wait_until(lambda: first.asked == 2 * PLACES)
        assert answer(stack.enter_context(asking(listener))) == "first"


def test_an_answer_that_nobody_takes_is_given_up_and_one_that_is_taken_slowly_is_not(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TAKEN_SECONDS", 3.0)
    with serving("first", listener) as (_, server), asking(listener, "/large"), asking(listener, "/large") as slow:
        wait_until(lambda: len(server.server_state.connections) == 2)
        taken, began = 0, time.monotonic()
        while taken < LARGE:
            more = slow.recv(200_000)
            assert more, f"it was cut after {time.monotonic() - began:.0f} s"
            taken += len(more)
            time.sleep(0.05)
        wait_until(lambda: len(server.server_state.connections) == 1)


@pytest.mark.parametrize(("allowed", "most", "room", "then"), [(1024, 4096, 2000, 2400), (300, 300, 150, 300)])
def test_connections_leave_files_for_everything_else(allowed: int, most: int, room: int, then: int) -> None:
    look = (
        "import resource; from service.web.door import room_for_connections as room; "
        "print(room(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))

    done = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, preexec_fn=limit, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(room), str(then)]
