"""Whoever has no key that counts takes no memory and no time: heads are bounded, and no body is read before the key
was looked at.
"""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from service.web.connections import HEAD_BYTES, HEAD_SECONDS, MAX_WAITING
from tests.harness.server import Party, Server, problem_code


def connected(server: Server) -> socket.socket:
    address = urlsplit(server.url)
    assert address.hostname is not None
    return socket.create_connection((address.hostname, address.port or 80), timeout=HEAD_SECONDS + 20)


def answer_to(connection: socket.socket) -> bytes:
    """What comes until the connection ends, or until a whole problem is there."""
    said = b""
    try:
        while not said.endswith(b"}") and (more := connection.recv(65536)):
            said += more
    except ConnectionError:
        pass
    return said


def answer_to_the_end(connection: socket.socket) -> bytes:
    said = b""
    try:
        while more := connection.recv(65536):
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


def test_a_large_head_is_refused_in_one_piece_too(server: Server) -> None:
    lines = b"".join(b"X-%d: %s\r\n" % (each, b"y" * 1000) for each in range(2 * HEAD_BYTES // 1000))
    with connected(server) as connection:
        connection.sendall(b"GET /livez HTTP/1.1\r\nHost: service\r\n" + lines + b"\r\n")
        answer = answer_to(connection)
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.endswith(b"The head of the request is too large.")


def test_a_body_is_not_waited_for_without_a_key_that_counts(server: Server) -> None:
    for key in (b"", b"Authorization: Bearer pp_nobody\r\n"):
        with connected(server) as connection:
            head = b"POST /v1/datasets HTTP/1.1\r\nHost: service\r\nContent-Length: 1900000\r\n" + key + b"\r\n"
            connection.sendall(head)
            assert b"/problems/unauthenticated" in answer_to(connection)


def test_without_a_key_a_body_is_small(server: Server) -> None:
    answer = server.http.post("/v1/enrolments", json={"token": "x" * 20_000})
    assert problem_code(answer) == "body-too-large"


def test_half_sent_heads_and_bodies_are_given_up(analyst: Party, server: Server) -> None:
    def half(sent: bytes) -> tuple[bytes, float]:
        started = time.monotonic()
        with connected(server) as connection:
            connection.sendall(sent)
            return answer_to(connection), time.monotonic() - started

    head = f"POST /v1/plans HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {analyst.key}\r\n".encode()
    with ThreadPoolExecutor(2) as threads:
        (cut, cut_after), (told, told_after) = threads.map(half, [head, head + b"Content-Length: 100\r\n\r\n{"])
    assert cut == b""
    assert b"/problems/body-too-slow" in told
    assert max(cut_after, told_after) < HEAD_SECONDS + 10


def test_few_requests_wait_on_a_connection(server: Server) -> None:
    def answers(requests: int) -> int:
        with connected(server) as connection:
            one = b"GET /livez HTTP/1.1\r\nHost: service\r\n"
            connection.sendall((one + b"\r\n") * (requests - 1) + one + b"Connection: close\r\n\r\n")
            return answer_to_the_end(connection).count(b"HTTP/1.1 200")

    assert answers(MAX_WAITING) == MAX_WAITING
    assert answers(10 * MAX_WAITING) <= 2


def test_what_comes_behind_a_request_is_never_told_as_its_answer(analyst: Party, server: Server) -> None:
    plan = b'{"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilon": "1", "delta": "0"}'
    head = f"POST /v1/plans HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer {analyst.key}\r\n".encode()
    head += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(plan)
    with connected(server) as connection:
        connection.sendall(head + plan + b"no request\r\n\r\n")
        assert answer_to_the_end(connection) == b""


def test_answers_are_taken_for_nothing_but_what_they_say_they_are(server: Server) -> None:
    for path, allowed in (("/livez", "default-src 'none'"), ("/docs", "default-src 'self'")):
        headers = server.http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith(allowed)


def test_a_body_of_very_many_values_is_refused_unread(owner: Party) -> None:
    many = "[" + ",".join("1" * 300_000) + "]"
    answer = owner.post_text("/v1/plans", f'{{"prior": {many}}}')
    assert (problem_code(answer), "250000 commas" in answer.json()["detail"]) == ("body-too-large", True)
