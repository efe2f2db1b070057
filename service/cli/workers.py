"""Runs several processes that share the port: the first alone until it serves, then the others.

Each spends seconds of a processor before it serves. On few cores all of them at once would keep callers waiting until
the last is done.
"""

from __future__ import annotations

from uvicorn import Config
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process


class Workers(Multiprocess):
    """The processes of `config.workers`, and what starts one that ended anew."""

    def init_processes(self) -> None:
        """Starts them."""
        for number in range(self.processes_num):
            process = Process(self.config, self.sockets)
            process.start()
            self.processes.append(process)
            if number == 0:
                process.wait_until_ready(self.config.timeout_worker_healthcheck)


def serve(config: Config) -> None:
    """Answers requests until the process is told to stop."""
    Workers(config, sockets=[config.bind_socket()]).run()
