"""Moves what SQLite committed from its write-ahead log into the database, in a thread of its own. A commit that did it
would hold up all who wait for the one writer.
"""

from __future__ import annotations

import sqlite3
import threading
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

_EVERY_SECONDS: Final = 2.0
"""While there is something new. What a commit finds left to move is what came since."""


class Checkpoints:
    """Checkpoints of one engine, none where that is not SQLite's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._committed, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        if engine.dialect.name == "sqlite":
            self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)
            self._thread.start()

    def committed(self) -> None:
        """There is something new in the log."""
        self._committed.set()

    def close(self) -> None:
        """Ends the thread. The last connection that closes moves what is left."""
        self._closed.set()
        self._committed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._committed.wait() and not self._closed.wait(_EVERY_SECONDS):
            self._committed.clear()
            try:
                self._move()
            except (SQLAlchemyError, sqlite3.Error):
                self._committed.set()  # on a full disk no commit may come before it has gone well

    def _move(self) -> None:
        """As much as no reader needs where it is, without a lock that a writer would wait for."""
        connection = self._engine.raw_connection()  # in no transaction, which would be in its own way
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        finally:
            connection.close()
