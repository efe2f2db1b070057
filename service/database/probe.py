"""Looks once a second whether the process can write to its database, along the way that charges take, and remembers
what it found.

It writes nothing itself. Readiness is answered from what it found last, so that the answer hangs on no connection that
may be silent.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, text

from service.database.writer import Writer
from service.errors import DatabaseUnavailable

_EVERY_SECONDS = 1.0
_FRESH_SECONDS = 4.0
"""How long a finding holds: a look that takes longer is itself a finding."""

UNSAFE_FAILOVER: Final = (
    "synchronous_standby_names is empty on a database server that has standbys: a failover can lose charges that were "
    "answered"
)
UNSAFE_COMMIT: Final = (
    "synchronous_commit is {} for the service: a crash or a failover can lose charges that were answered"
)

_STATE = text(
    "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only, "
    "current_setting('synchronous_standby_names') AS standby_names, current_setting('synchronous_commit') AS commits, "
    "EXISTS (SELECT FROM pg_stat_replication) AS has_standbys"
)


def _look(connection: Connection, askers: Sequence[None]) -> list[tuple[str, ...]]:
    return [find_notes(connection)] * len(askers)


def find_notes(connection: Connection) -> tuple[str, ...]:
    """What an operator should know of a database that can be written to. Raises DatabaseUnavailable, and leaves the
    connection, where it can't.
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
    """What was found last. A process starts with a good finding: it has just used its database."""

    writers: Sequence[Writer]
    notes: tuple[str, ...] = ()
    _works: bool = True
    _found_at: float = field(default_factory=time.monotonic)

    @property
    def is_good(self) -> bool:
        """Whether the process could write a moment ago."""
        return self._works and time.monotonic() - self._found_at < _FRESH_SECONDS

    async def keep_looking(self) -> None:
        """Looks again and again, through each of the writers."""
        while True:
            await self._look()
            await asyncio.sleep(_EVERY_SECONDS)

    async def _look(self) -> None:
        try:
            found = await asyncio.gather(*(writer.perform(_look, None) for writer in self.writers))
        except Exception:  # noqa: BLE001  whatever it was, nothing can be written now
            self._works = False
        else:
            self._works, self.notes, self._found_at = True, found[0], time.monotonic()
