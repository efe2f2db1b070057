"""Runs several processes that share the port: the first alone until it serves, then the others.

Each spends seconds of a processor before it serves. On few cores all of them at once would keep callers waiting until
the last is done.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import tempfile
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client.multiprocess import mark_process_dead
from uvicorn import Config
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from service.metrics import SHARED_DIRECTORY

_LOOK_SECONDS: Final = 0.1
_logger = logging.getLogger("posterior.workers")


class _Told(threading.Event):
    """Whether the processes are to end, also while the signal that says so waits for its turn: replacing the workers,
    as SIGHUP asks, takes as long as starting and ending each of them.
    """

    def __init__(self, waiting: Collection[int]) -> None:
        super().__init__()
        self._waiting = waiting

    def is_set(self) -> bool:
        return super().is_set() or signal.SIGTERM in self._waiting or signal.SIGINT in self._waiting


class Workers(Multiprocess):
    """The processes of `config.workers`, and what starts one that ended anew. `figures` is the directory where they
    keep their figures.
    """

    def __init__(self, config: Config, sockets: list[socket.socket], figures: str) -> None:
        super().__init__(config, sockets)
        self._figures = figures
        self._leaving: list[Process] = []
        """Those that were told to end, and had not when all were."""
        self.should_exit = _Told(self.signal_queue)

    def init_processes(self) -> None:
        """Starts them, until they are told to end."""
        for number in range(self.processes_num):
            process = Process(self.config, self.sockets)
            process.start()
            self.processes.append(process)
            if number == 0:
                process.wait_until_ready(self.config.timeout_worker_healthcheck, self.should_exit)
            if self.should_exit.is_set():
                return

    def terminate_all(self) -> None:
        """Tells them to end. What nobody will take any more is refused at once, and does not wait here for the last
        of them.
        """
        for listener in self.sockets:
            listener.close()
        super().terminate_all()

    def keep_subprocess_alive(self) -> None:
        """Replaces what ended."""
        with self._forgetting_who_ended():
            super().keep_subprocess_alive()

    def restart_all(self) -> None:
        """Replaces them one after the other, until they are told to end."""
        with self._forgetting_who_ended():
            for place in range(len(self.processes)):
                if not self._replace(place):
                    return

    def _replace(self, place: int) -> bool:
        """Whether to go on with the next. One that was told to end finishes what it was asked, and what ends all of
        them does not wait for it.
        """
        old, new = self.processes[place], Process(self.config, self.sockets)
        new.start()
        if not new.wait_until_ready(self.config.timeout_worker_healthcheck, self.should_exit):
            new.kill()
            new.join()
            if not self.should_exit.is_set():
                _logger.error("a new worker was not ready in time; the workers stay as they are")
            return False
        self.processes[place] = new
        old.terminate()
        while old.exitcode is None:
            if self.should_exit.is_set():
                self._leaving.append(old)
                return False
            old.process.join(_LOOK_SECONDS)
        return True

    def join_all(self) -> None:
        """Waits until they have ended."""
        super().join_all()
        for process in self._leaving:
            process.join()

    @contextmanager
    def _forgetting_who_ended(self) -> Iterator[None]:
        """Takes from the figures what only a living process has."""
        before = {process.pid for process in self.processes}
        yield
        for pid in before - {process.pid for process in self.processes}:
            mark_process_dead(pid, self._figures)


def serve(config: Config, listener: socket.socket) -> None:
    """Answers requests until the process is told to stop."""
    with tempfile.TemporaryDirectory(prefix="private-posterior-") as figures:
        os.environ[SHARED_DIRECTORY] = figures
        Workers(config, [listener], figures).run()
