"""Runs several processes that share the port: the first alone until it serves, then the others.

Each spends seconds of a processor before it serves. On few cores all of them at once would keep callers waiting until
the last is done.
"""

from __future__ import annotations

import os
import socket
import tempfile

from prometheus_client.multiprocess import mark_process_dead
from uvicorn import Config
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from service.metrics import SHARED_DIRECTORY


class Workers(Multiprocess):
    """The processes of `config.workers`, and what starts one that ended anew. `figures` is the directory where they
    keep their figures.
    """

    def __init__(self, config: Config, sockets: list[socket.socket], figures: str) -> None:
        super().__init__(config, sockets)
        self._figures = figures

    def init_processes(self) -> None:
        """Starts them."""
        for number in range(self.processes_num):
            process = Process(self.config, self.sockets)
            process.start()
            self.processes.append(process)
            if number == 0:
                process.wait_until_ready(self.config.timeout_worker_healthcheck)

    def terminate_all(self) -> None:
        """Tells them to end. What nobody will take any more is refused at once, and does not wait here for the last
        of them.
        """
        for listener in self.sockets:
            listener.close()
        super().terminate_all()

    def keep_subprocess_alive(self) -> None:
        """Replaces what ended, and takes from the figures what only a living process has."""
        before = {process.pid for process in self.processes}
        super().keep_subprocess_alive()
        for pid in before - {process.pid for process in self.processes}:
            mark_process_dead(pid, self._figures)


def serve(config: Config, listener: socket.socket) -> None:
    """Answers requests until the process is told to stop."""
    with tempfile.TemporaryDirectory(prefix="private-posterior-") as figures:
        os.environ[SHARED_DIRECTORY] = figures
        Workers(config, [listener], figures).run()
