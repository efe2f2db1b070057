"""Computations for the tests of the processes that do them."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from pathlib import Path

import numpy as np

from service.computations.worker import LENGTH_BYTES
from service.errors import InvalidRequest


def answer_before(answer: str) -> str:
    """Says something of its own before its answer."""
    _say(answer.encode())
    return "late"


def speak_up(seconds: str) -> str:
    """Says something when it has answered, and nobody asks."""
    threading.Timer(float(seconds), _say, [b"{}"]).start()
    return "answered"


def _say(answer: bytes) -> None:
    connection = socket.socket(fileno=os.dup(_connection()))
    connection.sendall(len(answer).to_bytes(LENGTH_BYTES) + answer)


def _connection() -> int:
    """Of the process with whoever gave it its order."""
    open_files = {int(each.name): each.readlink() for each in Path("/proc/self/fd").iterdir() if each.is_symlink()}
    return max(number for number, target in open_files.items() if str(target).startswith("socket:"))


def environment(_: str) -> str:
    """What the process sees of the environment, and what it has open."""
    return json.dumps(
        {"environment": dict(os.environ), "open": [each.name for each in Path("/proc/self/fd").iterdir()]}
    )


def sleep(file: str) -> str:
    """Writes its number into a file and sleeps for ever."""
    Path(file).write_text(str(os.getpid()))
    time.sleep(3600)
    return ""


def number(_: str) -> str:
    """That of the process."""
    return str(os.getpid())


def wait(seconds: str) -> str:
    time.sleep(float(seconds))
    return "waited"


def spin(_: str) -> str:
    """Keeps a processor busy for ever."""
    while True:
        pass


def spin_and_tell(file: str) -> str:
    """Keeps a processor busy for ever. The last line of the file tells for how many seconds it has."""
    while True:
        with Path(file).open("a", encoding="ascii") as told:
            told.write(f"{time.process_time()}\n")
        until = time.process_time() + 0.01
        while time.process_time() < until:
            pass


def sleep_for_ever(_: str) -> str:
    time.sleep(3600)
    return ""


def sleep_unless_told(file: str) -> str:
    """Sleeps for ever, unless the file is there."""
    while not Path(file).exists():
        time.sleep(0.05)
    return "{}"


def fill(megabytes: str) -> str:
    return str(np.ones(int(megabytes) * 2**17).sum())


def refuse(place: str) -> str:
    raise InvalidRequest.at(place, "must be otherwise")


def fail(text: str) -> str:
    raise ValueError(text)


def end(_: str) -> str:
    os._exit(9)


def long(size: str) -> str:
    return "x" * int(size)
