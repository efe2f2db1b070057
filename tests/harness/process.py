"""Starts the service as a separate process on a loopback port, and ends it, in order or by `kill -9`."""

from __future__ import annotations

import base64
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from service.settings.settings import PREFIX
from tests.harness.deadlines import PATIENCE
from tests.harness.left_behind import end_with_tests, folder_of_tests

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("private-posterior")
CLIENT = Path(sys.executable).with_name("posterior")
COUNTS_KEYS = "k1:" + base64.b64encode(bytes(range(32))).decode()
RECEIPT_KEY = base64.b64encode(bytes(32)).decode()
"""The seed of `tests.harness.installation.SIGNER`."""
METRICS_KEY = "the tests read the figures"


def environment(database_url: str, **settings: str) -> dict[str, str]:
    """The environment of a process of the service: without the shell's own settings, and without limits that would slow
    the tests down. Settings are named in lower case, without their prefix.
    """
    outside = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    chosen = {
        "database_url": database_url,
        "port": "0",
        "counts_keys": COUNTS_KEYS,
        "receipt_key": RECEIPT_KEY,
        "response_time_quantum_ms": "0",
        "rate_limit_per_minute": "0",
        "metrics_key": METRICS_KEY,
    } | settings
    return outside | {"PYTHONPATH": str(ROOT)} | {PREFIX + name.upper(): value for name, value in chosen.items()}


def end_gently_when_told() -> None:
    """Makes SIGTERM end this program through its `finally` blocks, so that none of its databases or services stays."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


class Process:
    """`private-posterior serve`, by one or more workers, on a migrated database; a context manager.

    `log`: where all that it writes goes. `fault`: the one that it is to have, of `tests.harness.planted`.
    `started_by`: a command that prepares something and then becomes the service, whose own command it is given.
    """

    def __init__(
        self,
        database_url: str,
        *,
        log: Path | None = None,
        fault: str = "",
        started_by: Sequence[str] = (),
        workers: str = "1",
        **settings: str,
    ) -> None:
        self.environment: Mapping[str, str] = environment(database_url, **settings)
        # A killed process leaves temporary files, and the path of a socket among them has to be short.
        self.folder = folder_of_tests("posterior-")
        self.log = log or self.folder / "log"
        self.url = ""
        self._root = ROOT
        program = [sys.executable, "-m", "tests.harness.planted", fault] if fault else [COMMAND]
        self._command = [*started_by, *program, "serve", "--workers", workers]

    def __enter__(self) -> Self:
        self.launch()
        self.wait_until_ready()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(signal.SIGTERM)

    def launch(self) -> None:
        """Starts the process without waiting for it."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self._command,
                cwd=self._root,
                env={**self.environment, "TMPDIR": str(self.folder)},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        end_with_tests(self.process.pid)

    def wait_until_ready(self) -> None:
        """Waits until the process has printed its address and is ready there."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := re.findall(r"listens on (http://\S+)", self.log.read_text()):
                self.url = found[-1]
                if self._is_ready():
                    return
            time.sleep(0.02)
        self.stop(signal.SIGKILL)
        raise AssertionError(f"the service did not start:\n{self.log.read_text()[-4000:]}")

    def ask_to_stop(self) -> None:
        """Sends the signal to stop that operators and containers send."""
        self.process.send_signal(signal.SIGTERM)

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", timeout=PATIENCE).status_code == httpx.codes.OK
        except httpx.TransportError:
            return False

    def stop(self, how: signal.Signals) -> int:
        """Ends the process and returns its exit code; minus the signal if it was killed."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(timeout=PATIENCE)
