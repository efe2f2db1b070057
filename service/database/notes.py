"""Notes what a transaction writes, for those who are to be told of it once it has committed."""

from __future__ import annotations

from sqlalchemy import Connection

_KEY = "notes"


def note(connection: Connection, *things: object) -> None:
    """Adds to what is told of the transaction of this connection."""
    notes_of(connection).extend(things)


def notes_of(connection: Connection) -> list[object]:
    """What was noted in the transaction of this connection so far. Whoever rolls back to a savepoint takes back what
    came after it.
    """
    notes: list[object] = connection.info.setdefault(_KEY, [])
    return notes


def begin_noting(connection: Connection) -> list[object]:
    """Starts anew, at the beginning of a transaction."""
    fresh: list[object] = []
    connection.info[_KEY] = fresh
    return fresh
