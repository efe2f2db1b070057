"""One draw process per pytest worker, shared by the services inside its tests: a process that has loaded the program
forks for each start that a service requests. The fork is the real program, on the service's own pipes.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.harness.left_behind import folder_of_tests

ROOT = Path(__file__).parents[2]
RELAY = """
import os, socket, sys, time
with socket.socket(socket.AF_UNIX) as server:
    while True:
        try:
            server.connect(sys.argv[1])
            break
        except OSError:
            time.sleep(0.01)
    socket.send_fds(server, [b"x"], [0, 1])
    os.close(0)
    os.close(1)
    server.recv(1)
"""
"""Hands its pipes to the process that forks, and ends when what was forked has ended."""


_STARTED_PROCESSES: list[subprocess.Popen[bytes]] = []


@cache
def shared_draw_program() -> tuple[str, ...]:
    """The program for `create_app` that starts draw processes quickly."""
    path = folder_of_tests("drawing-") / "socket"
    # It ends with its input, which this process holds open.
    _STARTED_PROCESSES.append(
        subprocess.Popen([sys.executable, "-m", __name__, str(path)], stdin=subprocess.PIPE, cwd=ROOT)
    )
    return (sys.executable, "-S", "-E", "-c", RELAY, str(path))


def main(path: str) -> None:
    from service.drawing.__main__ import main as draw

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if os.fork() == 0:
        os.read(0, 1)
        os.kill(os.getppid(), signal.SIGKILL)
        os._exit(0)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(64)
        while True:
            client, _ = server.accept()
            _, pipes, _, _ = socket.recv_fds(client, 1, 2)
            if os.fork() == 0:
                server.close()
                for number, pipe in enumerate(pipes):
                    os.dup2(pipe, number)
                    os.close(pipe)
                try:
                    draw()
                finally:
                    os._exit(0)
            for pipe in pipes:
                os.close(pipe)
            client.close()


if __name__ == "__main__":
    main(sys.argv[1])
