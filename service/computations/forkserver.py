"""Forks a process for each computation: a program of its own, which the service starts with an empty environment.

It imports once what computations need, so that a fork begins at once, and holds neither keys nor a connection to the
database. It listens on its standard input, a socket: `fork NAME` comes with the socket on which the new process is told
its computation, `kill NAME` ends it. When the service is gone it ends every process that it made, and itself.
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from service.computations.worker import work

READY: Final = b"ready"


def main(modules: Sequence[str]) -> None:
    """Serves until the other end of the socket is closed."""
    control = socket.socket(fileno=0)
    # Whoever tells all processes of a service to end, as systemd does, means the service, which ends these when it is
    # done.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # What a process was told is written nowhere, not even when it crashes.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for module in modules:
        importlib.import_module(module)
    gc.freeze()
    control.send(READY)
    children: dict[str, int] = {}
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 200, 1)
        _reap(children)
        if not message:
            break
        order, name = message.decode().split()
        if order == "fork":
            with suppress(OSError):  # the system makes no process now: whoever asked sees the socket closed
                pid = os.fork()
                if pid == 0:
                    control.close()
                    work(socket.socket(fileno=descriptors[0]))
                children[name] = pid
            os.close(descriptors[0])
        elif name in children:
            # Nobody else waits for it, so that its number is its own until it is reaped.
            os.kill(children[name], signal.SIGKILL)
    for pid in children.values():
        os.kill(pid, signal.SIGKILL)


def _reap(children: dict[str, int]) -> None:
    for name, pid in list(children.items()):
        with suppress(ChildProcessError):
            if os.waitpid(pid, os.WNOHANG)[0] == 0:
                continue
        del children[name]
