"""Collects the events of a transaction for the hooks that run once it has committed."""

from __future__ import annotations

from sqlalchemy import Connection

_KEY = "commit_events"


def on_commit(connection: Connection, *events: object) -> None:
    """Adds events to the transaction of this connection."""
    events_of(connection).extend(events)


def events_of(connection: Connection) -> list[object]:
    """The events of the transaction of this connection so far. Whoever rolls back to a savepoint takes back those that
    came after it.
    """
    events: list[object] = connection.info.setdefault(_KEY, [])
    return events


def begin_events(connection: Connection) -> list[object]:
    """Starts with no events, at the beginning of a transaction."""
    fresh: list[object] = []
    connection.info[_KEY] = fresh
    return fresh
