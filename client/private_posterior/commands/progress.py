"""Shows on standard error what a command waits for, once the wait exceeds a second. In a terminal one line is updated;
otherwise a line appears now and then.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import typer

from private_posterior.commands.show import plain

if TYPE_CHECKING:
    from private_posterior.connection import Waiting

_FIRST_LINE_SECONDS: Final = 1.0
_LINE_GAP_SECONDS: Final = 10.0
_TICK_SECONDS: Final = 0.2
_WIDTH: Final = 100


class Progress:
    """A context manager that watches one client's requests from a thread."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._next_seconds = _FIRST_LINE_SECONDS
        self._reason = "the service computes"
        self._is_shown = False
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join(1)
        with self._lock:
            self._clear()

    def sent(self, _: Any) -> None:
        """Handle the sending of a request, as a hook of httpx."""
        with self._lock:
            if self._since is None:
                self._since, self._next_seconds = time.monotonic(), _FIRST_LINE_SECONDS

    def answered(self, _: Any) -> None:
        """Handle a response, as a hook of httpx."""
        with self._lock:
            self._since = None
            self._clear()

    def waits(self, waiting: Waiting) -> None:
        """Handle the service's message that the client has to wait."""
        with self._lock:
            self._since = time.monotonic() - waiting.seconds
            self._reason = plain(waiting.problem["title"].split(";")[0].rstrip("."))

    def _watch(self) -> None:
        while not self._done.wait(_TICK_SECONDS):
            with self._lock:
                if self._since is not None and (seconds := time.monotonic() - self._since) >= self._next_seconds:
                    self._show(seconds)

    def _show(self, seconds: float) -> None:
        text = f"waiting, {seconds:.0f} s: {self._reason}"
        if sys.stderr.isatty():
            self._is_shown = True
            typer.echo(f"\r{text[:_WIDTH]:<{_WIDTH}}", nl=False, err=True)
        else:
            self._next_seconds = seconds + _LINE_GAP_SECONDS
            typer.echo(text, err=True)

    def _clear(self) -> None:
        if self._is_shown:
            self._is_shown = False
            typer.echo(f"\r{'':<{_WIDTH}}\r", nl=False, err=True)
