"""Connect to PostgreSQL with a limit on every wait, and detect commits that may not be durable."""

from __future__ import annotations

from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

T = TypeVar("T")
_FIRST_LOOK_SECONDS = 0.1


class CommitInDoubt(psycopg.OperationalError):
    """The server committed, but could not confirm that its standbys have the commit."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection with a limit on every response. Without it, the operating system would wait a quarter of an hour or
    more for an unresponsive network or server.
    """

    query_timeout: float | None = None
    """Limit of one response of the server in seconds; None for no limit."""
    _has_warned = False

    def wait(self, gen: PQGen[T], interval: float = _FIRST_LOOK_SECONDS, timeout: float | None = None) -> T:
        """Wait as the driver does, but close the connection if the server does not respond in time."""
        try:
            return super().wait(gen, interval, self.query_timeout if timeout is None else timeout)
        except psycopg.OperationalError:
            if timeout is None and self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise

    def commit(self) -> None:
        """Commit. Raises CommitInDoubt if the wait for a synchronous standby was cancelled, which the server reports
        only as a warning.
        """
        self._has_warned = False
        self.add_notice_handler(self._note)
        try:
            super().commit()
        finally:
            self.remove_notice_handler(self._note)
        if self._has_warned:
            self.close()
            raise CommitInDoubt("the commit may not have reached the standbys")

    def _note(self, notice: psycopg.errors.Diagnostic) -> None:
        self._has_warned |= notice.severity_nonlocalized == "WARNING"
