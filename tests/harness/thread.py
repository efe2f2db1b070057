"""A service in a thread of the test process, used over a socket: it starts in a moment, as everything is imported.

A test whose promise is about a process (crash, workers, drain, signals, log of a start) starts `Process`.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import uvicorn

from service.api.app import create_app
from service.cli.serving import SERVER_OPTIONS, listen
from service.logs import log
from service.settings.settings import Settings
from tests.harness.deadlines import PATIENCE
from tests.harness.drawing import shared_draw_program
from tests.harness.left_behind import folder_of_tests
from tests.harness.process import environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

_LOGGERS: Final = (log.OWN, "uvicorn")
_WAITED_SECONDS: Final = 15.0
"""CPU time after which a free computation becomes a job. A small one can reach the service's own limit on a busy
machine.
"""


class ServiceThread:
    """`private-posterior serve` on a migrated database, by one process; a context manager.

    `log`: where all that it logs goes, with what other services of this process log meanwhile.
    """

    def __init__(
        self,
        database_url: str,
        *,
        log: Path | None = None,
        draw_program: Sequence[str] = (),
        **settings: str,
    ) -> None:
        self.environment: Mapping[str, str] = environment(database_url, **settings)
        self.log = log or folder_of_tests("posterior-") / "log"
        self._settings = Settings.from_environment(self.environment)
        self._app = create_app(self._settings, draw_program or shared_draw_program())
        self._listener = listen(self._settings.host, 0)
        options = SERVER_OPTIONS | {"root_path": self._settings.root_path}
        self._server = uvicorn.Server(uvicorn.Config(self._app, **options))
        # A second interrupt, in a teardown, must not leave a process that waits for this thread.
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), name="service", daemon=True)
        self.url = "http://{}:{}".format(*self._listener.getsockname()[:2])

    def __enter__(self) -> Self:
        self._lines = logging.FileHandler(self.log, encoding="utf-8")
        self._lines.setFormatter(log.Lines(as_json=self._settings.log_format == "json"))
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            logger.addHandler(self._lines)
            logger.setLevel(self._settings.log_level.upper())
        # Otherwise pytest, which takes the lines of every logger, would get one for each request.
        logging.getLogger("uvicorn.access").disabled = True
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
            if not self._thread.is_alive():
                self._close_listener()
                raise AssertionError(f"the service did not start:\n{self.log.read_text()[-4000:]}")
        self._app.state.runtime.processes.waited_seconds = _WAITED_SECONDS
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ask_to_stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the service did not stop"
        self._close_listener()

    def ask_to_stop(self) -> None:
        """Ask the service to stop, as SIGTERM does: it finishes its open requests."""
        self._server.should_exit = True

    def _close_listener(self) -> None:
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self._lines)
        self._lines.close()
        self._listener.close()
