"""Check once a second whether the process can write to its database, through the same writers as charges.

It writes nothing itself. Readiness reports the last result, so that it never waits for an unresponsive connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, text

from service.database.engine import OF_THE_DISK, is_locked, is_of_the_disk, is_without_room
from service.database.writer import Writer
from service.errors import DatabaseUnavailable, OutcomeUnknown

_FRESH_SECONDS = 4.0
"""Age from which a result counts as a failure: a check that takes longer has failed."""
_ROOM_SECONDS: Final = 60.0
"""Seconds for which a full disk is reported. On PostgreSQL, transactions that need no space still succeed."""

UNSAFE_FAILOVER: Final = (
    "synchronous_standby_names is empty on a database server that has standbys, so that a failover can lose charges "
    "that were answered: set it to the name of the standby"
)
UNSAFE_COMMIT: Final = (
    "synchronous_commit is {} for the service, so that a crash or a failover can lose charges that were answered: set "
    "it to on"
)
NO_ROOM: Final = "the disk of the database has no room: make room; nothing has to be restarted"
FILE_GONE: Final = (
    "the database file was moved, deleted or replaced: put it back under its name, or stop the service and run "
    "`private-posterior restore COPY`"
)
FILE_LOCKED: Final = "another program holds a lock on the database file: end that program"
NO_DATABASE: Final = (
    "the database does not answer, or takes no writes: start it, promote its standby or repair the network; this "
    "process connects again by itself"
)

_STATE = text(
    "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only, "
    "current_setting('synchronous_standby_names') AS standby_names, current_setting('synchronous_commit') AS commits, "
    "EXISTS (SELECT FROM pg_stat_replication) AS has_standbys"
)


def _look(connection: Connection, askers: Sequence[None]) -> list[tuple[str, ...]]:
    return [find_notes(connection)] * len(askers)


def find_notes(connection: Connection) -> tuple[str, ...]:
    """Return notes for the operator about a writable database. Raises DatabaseUnavailable, and drops the connection, if
    it is not writable.
    """
    if connection.dialect.name != "postgresql":
        return ()
    state = connection.execute(_STATE).one()
    if state.is_read_only:
        connection.invalidate()
        raise DatabaseUnavailable
    notes = []
    if state.has_standbys and not state.standby_names:
        notes.append(UNSAFE_FAILOVER)
    if state.commits in ("off", "local"):
        notes.append(UNSAFE_COMMIT.format(state.commits))
    return tuple(notes)


@dataclass(slots=True)
class Probe:
    """The result of the last check. It starts as good, since the process has just used its database."""

    writers: Sequence[Writer]
    fault: str = NO_DATABASE
    """The fault and its remedy if the process could not write."""
    _notes: tuple[str, ...] = ()
    _works: bool = True
    _finding_time: float = field(default_factory=time.monotonic)

    @property
    def is_good(self) -> bool:
        """Return whether the last check succeeded and is recent."""
        return self._works and time.monotonic() - self._finding_time < _FRESH_SECONDS

    @property
    def notes(self) -> list[str]:
        """Return notes for the operator about a database that takes writes."""
        times = [writer.found_no_room_at for writer in self.writers if writer.found_no_room_at is not None]
        is_full = any(time.monotonic() - at < _ROOM_SECONDS for at in times)
        return [*self._notes, *([NO_ROOM] if is_full else [])]

    async def look(self) -> None:
        """Check through each writer."""
        try:
            found = await asyncio.gather(*(writer.perform(_look, None) for writer in self.writers))
        except Exception as error:  # noqa: BLE001  any error means that nothing can be written
            self._works, self.fault = False, _fault(error)
        else:
            self._works, self.fault = True, NO_DATABASE
            self._notes, self._finding_time = found[0], time.monotonic()


def _fault(error: Exception) -> str:
    """Return the fault of the database and its remedy."""
    cause = error.__cause__ if isinstance(error, DatabaseUnavailable | OutcomeUnknown) else error
    if isinstance(cause, FileNotFoundError):
        return FILE_GONE
    if not isinstance(cause, Exception):
        return NO_DATABASE
    if is_without_room(cause):
        return NO_ROOM
    if is_of_the_disk(cause):
        return OF_THE_DISK
    return FILE_LOCKED if is_locked(cause) else NO_DATABASE
