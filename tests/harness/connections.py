"""Reads what a bare connection receives."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket


def answer_to_the_end(connection: socket.socket) -> bytes:
    """The bytes received until the connection ends."""
    said = b""
    try:
        while more := connection.recv(65536):
            said += more
    except ConnectionError:
        pass
    return said
