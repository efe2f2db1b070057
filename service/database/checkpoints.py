"""Checkpoint SQLite's write-ahead log in a separate thread. A checkpoint within a commit would delay every job of the
one writer.
"""

from __future__ import annotations

import threading
from typing import Final

from sqlalchemy import Engine

from service.background import Work

_EVERY_SECONDS: Final = 2.0
"""Seconds between checkpoints while there are new commits."""


class Checkpoints:
    """Checkpoints of one engine. Does nothing on other databases than SQLite."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.work = Work("checkpoints")
        self._committed, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        if engine.dialect.name == "sqlite":
            self._thread = self.work.start_thread(self._run)

    def committed(self) -> None:
        """Record that the log has new content."""
        self._committed.set()

    def close(self) -> None:
        """End the thread. SQLite checkpoints the rest when its last connection closes."""
        self._closed.set()
        self._committed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._committed.wait():
            self._committed.clear()  # before the look at `_closed`, since `close` sets both
            if self._closed.wait(_EVERY_SECONDS):
                return
            with self.work.turn():
                self._move()
            if self.work.fails:
                self._committed.set()  # retry: on a full disk no commit may follow to trigger it

    def _move(self) -> None:
        """Checkpoint the part of the log that no reader uses, without blocking writers."""
        connection = self._engine.raw_connection()  # not in a transaction, which would block its own checkpoint
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        finally:
            connection.close()
