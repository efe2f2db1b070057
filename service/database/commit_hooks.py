"""Collect the events of a transaction for hooks that run after its commit."""

from __future__ import annotations

from sqlalchemy import Connection

_KEY = "commit_events"


def on_commit(connection: Connection, *events: object) -> None:
    """Register events, which are passed to the hooks after this connection's transaction commits."""
    events_of(connection).extend(events)


def events_of(connection: Connection) -> list[object]:
    """Return the events of this connection's transaction so far. A rollback to a savepoint has to remove later ones."""
    events: list[object] = connection.info.setdefault(_KEY, [])
    return events


def begin_events(connection: Connection) -> list[object]:
    """Start a transaction with an empty list of events, and return the list."""
    fresh: list[object] = []
    connection.info[_KEY] = fresh
    return fresh
