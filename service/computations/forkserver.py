"""Forks a process for each computation: a program of its own, which the service starts with an empty environment.

It imports once what computations need, so that a fork begins at once, and holds neither keys nor a connection to the
database. It listens on its standard input, a socket: `fork NAME` comes with the socket on which the new process is told
its computation, `kill NAME` ends it. `fork NAME SECONDS` makes one that is ended when it has had a processor for so
many seconds. When the service is gone it ends every process that it made, and itself.
"""

from __future__ import annotations

import gc
import importlib
import math
import os
import resource
import select
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from service.computations.worker import work
from service.processors import come_last, leave_a_processor, processor_seconds

READY: Final = b"ready"
SESSION_NICENESS: Final = 10
"""Of all that is computed: a tenth of a processor where all others want all of it. A draw that was paid ends within its
lease then, which is ten times as long as it typically takes.
"""
_LOOK_EVERY_SECONDS: Final = 0.5
_LOOK_AT_MOST_EVERY_SECONDS: Final = 0.01


class _Child(NamedTuple):
    """`processor_seconds`: what it may have of a processor."""

    pid: int
    processor_seconds: float


def main(modules: Sequence[str]) -> None:
    """Serves until the other end of the socket is closed."""
    control = socket.socket(fileno=0)
    # Whoever tells all processes of a service to end, as systemd does, means the service, which ends these when it is
    # done.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # What a process was told is written nowhere, not even when it crashes.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    come_last(SESSION_NICENESS)
    leave_a_processor()
    for module in modules:
        importlib.import_module(module)
    gc.freeze()
    control.send(READY)
    children: dict[str, _Child] = {}
    while True:
        ready, _, _ = select.select([control], [], [], _end_spent(children))
        _reap(children)
        if not ready:
            continue
        message, descriptors, _, _ = socket.recv_fds(control, 200, 1)
        if not message:
            break
        order, name, *limit = message.decode().split()
        if order == "fork":
            with suppress(OSError):  # the system makes no process now: whoever asked sees the socket closed
                pid = os.fork()
                if pid == 0:
                    control.close()
                    work(socket.socket(fileno=descriptors[0]))
                children[name] = _Child(pid, float(*limit) if limit else math.inf)
            os.close(descriptors[0])
        elif name in children:
            # Nobody else waits for it, so that its number is its own until it is reaped.
            os.kill(children[name].pid, signal.SIGKILL)
    for child in children.values():
        os.kill(child.pid, signal.SIGKILL)


def _end_spent(children: dict[str, _Child]) -> float:
    """Kills those that had what they may have of a processor. The seconds until some may have had it, as none has more
    than passes: each has one thread.
    """
    least = _LOOK_EVERY_SECONDS
    for child in children.values():
        if child.processor_seconds < math.inf:
            left = child.processor_seconds - (processor_seconds(child.pid) or 0)
            if left <= 0:
                os.kill(child.pid, signal.SIGKILL)
            else:
                least = min(least, left)
    return max(least, _LOOK_AT_MOST_EVERY_SECONDS)


def _reap(children: dict[str, _Child]) -> None:
    for name, child in list(children.items()):
        with suppress(ChildProcessError):
            if os.waitpid(child.pid, os.WNOHANG)[0] == 0:
                continue
        del children[name]
