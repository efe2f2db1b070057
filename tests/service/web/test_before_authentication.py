"""Callers without a valid key take no memory and no time: headers are limited, and no body is read before the key was
checked.
"""

from __future__ import annotations

import resource
import socket
import time
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from service.cli.serving import HEAD_BYTES, SERVER_OPTIONS
from service.limits.limits import BODY_BYTES
from tests.harness.connections import answer_to_the_end
from tests.harness.deadlines import PATIENCE
from tests.harness.server import Party, Server, problem_code

MANY = SERVER_OPTIONS["limit_concurrency"] - 100


def connected(server: Server) -> socket.socket:
    address = urlsplit(server.url)
    assert address.hostname is not None
    return socket.create_connection((address.hostname, address.port or 80), timeout=PATIENCE)


def answer_to(connection: socket.socket) -> bytes:
    """The bytes received until the connection ends, or until a complete problem is there."""
    said = b""
    try:
        while not said.endswith(b"}") and (more := connection.recv(65536)):
            said += more
    except ConnectionError:
        pass
    return said


def test_a_head_without_end_is_cut(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(b"GET /livez HTTP/1.1\r\nHost: service\r\n")
        sent = 0
        try:
            while sent < 100 * HEAD_BYTES:
                sent += connection.send(b"X-Endless: " + b"x" * 1000 + b"\r\n")
        except ConnectionError:
            pass
        assert sent < 100 * HEAD_BYTES


def test_a_body_is_not_waited_for_without_a_key_that_counts(server: Server) -> None:
    for key in (b"", b"Authorization: Bearer pp_nobody\r\n"):
        with connected(server) as connection:
            head = b"POST /v1/datasets HTTP/1.1\r\nHost: service\r\nContent-Length: 1900000\r\n" + key + b"\r\n"
            connection.sendall(head)
            assert b"/problems/unauthenticated" in answer_to(connection)


def test_without_a_key_a_body_is_small(server: Server) -> None:
    answer = server.http.post("/v1/enrolments", json={"token": "x" * 20_000})
    assert problem_code(answer) == "body-too-large"


def test_a_half_sent_body_is_given_up(analyst: Party, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.web.guard.BODY_BYTES", BODY_BYTES._replace(seconds=0.5))
    head = f"POST /v1/plans HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {analyst.key}\r\n".encode()
    with connected(server) as connection:
        connection.sendall(head + b"Content-Length: 100\r\n\r\n{")
        assert b"/problems/body-too-slow" in answer_to(connection)


def test_bytes_after_a_request_do_not_change_its_answer(analyst: Party, server: Server) -> None:
    plan = b'{"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilons": ["1"], "delta": "0"}'
    head = f"POST /v1/plans HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {analyst.key}\r\n".encode()
    head += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(plan)
    with connected(server) as connection:
        connection.sendall(head + plan + b"no request\r\n\r\n")
        assert answer_to_the_end(connection).startswith(b"HTTP/1.1 200")


def test_answers_are_taken_for_nothing_but_what_they_say_they_are(server: Server) -> None:
    for path, allowed in (("/livez", "default-src 'none'"), ("/docs", "default-src 'self'")):
        headers = server.http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith(allowed)


def test_a_body_of_very_many_values_is_refused_unread(owner: Party) -> None:
    many = "[" + ",".join("1" * 300_000) + "]"
    answer = owner.post_text("/v1/plans", f'{{"prior": {many}}}')
    assert (problem_code(answer), "250000 commas" in answer.json()["detail"]) == ("body-too-large", True)


def test_headers_behind_a_body_are_not_those_of_the_request(owner: Party, server: Server) -> None:
    head = f"POST /v1/keys HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {owner.key}\r\nConnection: close\r\n"
    head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(server) as connection:
        connection.sendall(head.encode() + b"2\r\n{}\r\n0\r\nIdempotency-Key: behind\r\n\r\n")
        assert answer_to_the_end(connection).startswith(b"HTTP/1.1 201")
    assert "Idempotency-Replayed" not in owner.post("/v1/keys", {}, idempotency_key="behind").headers


CUT = (
    b"Content-Length: 50\r\n\r\n{}",
    b"Content-Length: 50\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nno chunk",
)


def test_a_body_that_ends_early_is_no_request(owner: Party, server: Server) -> None:
    head = f"POST /v1/keys HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {owner.key}\r\n"
    with ExitStack() as connections:
        for number, rest in enumerate(CUT):
            named = head + f"Content-Type: application/json\r\nIdempotency-Key: cut-{number}\r\n"
            connections.enter_context(connected(server)).sendall(named.encode() + rest)
        time.sleep(0.5)
    time.sleep(1)
    assert len(owner.get("/v1/keys").json()["items"]) == 1


def test_nothing_is_said_of_the_rest_of_a_body_that_was_refused(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(b"POST /v1/plans HTTP/1.1\r\nHost: service\r\nTransfer-Encoding: chunked\r\n\r\n")
        assert b"/problems/unauthenticated" in answer_to(connection)
        connection.sendall(b"no chunk\r\n")
        assert answer_to_the_end(connection) == b""


def test_a_refused_expect_continue_closes_the_connection(server: Server) -> None:
    with connected(server) as connection:
        head = b"POST /v1/plans HTTP/1.1\r\nHost: service\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n"
        connection.sendall(head)
        assert b"connection: close" in answer_to_the_end(connection).lower()


def test_an_expect_continue_is_answered_at_once(analyst: Party, server: Server) -> None:
    with connected(server) as connection:
        head = b"POST /v1/plans HTTP/1.1\r\nHost: service\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
        head += b"Content-Type: application/json\r\nAuthorization: Bearer %s\r\n\r\n" % analyst.key.encode()
        connection.sendall(head)
        assert connection.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"{}")
        assert answer_to(connection).startswith(b"HTTP/1.1 422 ")


def test_a_request_that_asks_for_another_protocol_is_answered_in_this_one(analyst: Party, server: Server) -> None:
    """Java's client does so for HTTP/2, with any request."""
    plan = b'{"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilons": ["1"], "delta": "0"}'
    upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
    head = f"POST /v1/plans HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {analyst.key}\r\n{upgrade}"
    head += "Content-Type: application/json\r\n"
    last = b"GET /livez HTTP/1.1\r\nHost: service\r\nConnection: close\r\n\r\n"
    bodies = [
        b"Content-Length: %d\r\n\r\n%s" % (len(plan), plan),
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(plan), plan),
    ]
    for body in bodies:
        with connected(server) as connection:
            connection.sendall(
                head.encode() + body + f"GET /livez HTTP/1.1\r\nHost: s\r\n{upgrade}\r\n".encode() + last
            )
            assert answer_to_the_end(connection).count(b"HTTP/1.1 200") == 3


@pytest.mark.parametrize("target", [b"service:443", b"/livez", b"http://service/livez", b"*"])
def test_nobody_is_connected_through(server: Server, target: bytes) -> None:
    with connected(server) as connection:
        head = b"CONNECT %s HTTP/1.1\r\nHost: service\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n" % target
        connection.sendall(head)
        assert answer_to_the_end(connection).startswith(b"HTTP/1.1 4")


def test_half_sent_bodies_without_a_key_delay_no_others(server: Server) -> None:
    half = b"POST /v1/enrolments HTTP/1.1\r\nHost: service\r\nContent-Length: 10000\r\n\r\n{"
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        # Both ends are in this process, and many systems allow 1024 files until more are asked for.
        resource.setrlimit(resource.RLIMIT_NOFILE, (most_files[1], most_files[1]))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, most_files)
        for _ in range(MANY):
            stack.enter_context(connected(server)).sendall(half)
        answer = server.http.post("/v1/enrolments", json={"token": "nobody's"})
    assert problem_code(answer) != "rate-limited"


def written(party: Party, path: str, name: str, body: str = "{}") -> bytes:
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: service",
        "Content-Type: application/json",
        f"Idempotency-Key: {name}",
        f"Authorization: Bearer {party.key}",
        f"Content-Length: {len(body)}",
    )
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def key_request(owner: Party, name: str) -> bytes:
    return written(owner, "/v1/keys", name)


def test_a_request_cut_short_by_its_sender_has_no_effect(owner: Party, server: Server) -> None:
    request = key_request(owner, "cut")
    for end in (-1, -2, -20, 60):
        with connected(server) as connection:
            connection.sendall(request[:end])
            connection.shutdown(socket.SHUT_WR)
            assert answer_to_the_end(connection) == b""
    assert len(owner.get("/v1/keys").json()["items"]) == 1
