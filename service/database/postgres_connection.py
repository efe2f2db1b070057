"""Connects to PostgreSQL with a limit on every wait, and takes no commit for durable that may not be."""

from __future__ import annotations

from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")
_FIRST_LOOK_SECONDS = 0.1


class CommitInDoubt(psycopg.OperationalError):
    """The server committed, and could not make sure that its standbys have it as well."""


class BoundedConnection(psycopg.Connection[Any]):
    """A network can fall silent without a word, and a server with it; then the operating system alone would wait for
    a quarter of an hour and more.
    """

    query_timeout: float | None = None
    """Seconds for one answer of the server; None without a limit."""
    _warned = False

    def wait(self, gen: PQGen[T], interval: float = _FIRST_LOOK_SECONDS, timeout: float | None = None) -> T:
        """As the driver's. A server that is silent for too long is given up together with the connection."""
        try:
            return super().wait(gen, interval, self.query_timeout if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:  # noqa: SLF001  what the driver documents that it raises
            if timeout is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError("the database gave no answer in time") from None

    def commit(self) -> None:
        """Commits. Raises CommitInDoubt where the wait for a synchronous standby was cut short, which the server
        tells as a warning only.
        """
        self._warned = False
        self.add_notice_handler(self._note)
        try:
            super().commit()
        finally:
            self.remove_notice_handler(self._note)
        if self._warned:
            self.close()
            raise CommitInDoubt("the commit may not have reached the standbys")

    def _note(self, notice: psycopg.errors.Diagnostic) -> None:
        self._warned |= notice.severity_nonlocalized == "WARNING"
