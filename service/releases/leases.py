"""Leases of paid releases: under a lease one process draws a release, and another takes it up if that one dies."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, not_, select, text, update

from service.database.rows import ReleaseKind, ReleaseRow, fetch_all
from service.database.tables import UNFINISHED, releases
from service.identifiers import now
from service.ledger.standstill import is_stopped
from service.ledger.witness import Witness, read_timeline
from service.releases.response_time import MAX_LEASE_SECONDS

MAX_PENDING: Final = 16
"""Releases that the background takes up in one go."""


def is_leased(until: int) -> bool:
    """Whether somebody still draws."""
    return now() < until <= now() + MAX_LEASE_SECONDS


def take_lease(connection: Connection, release_id: str, seconds: int, witness: Witness) -> int | None:
    """Until when the caller may draw a release, and nobody else; None if somebody else may."""
    instant = now()
    if is_stopped(connection) or not witness.is_verified(read_timeline(connection)):
        return None  # what the database says is undrawn may have been drawn
    taken = connection.execute(
        update(releases)
        .where(
            releases.c.id == release_id,
            releases.c.state == "paid",
            not_(releases.c.leased_until.between(instant + 1, instant + MAX_LEASE_SECONDS)),
        )
        .values(leased_until=instant + seconds)
    )
    return instant + seconds if taken.rowcount else None


def end_lease(connection: Connection, row: ReleaseRow) -> None:
    """Ends the lease of a row, unless it ended by itself and somebody else has one now."""
    mine = (releases.c.id == row.id) & (releases.c.state == "paid") & (releases.c.leased_until == row.leased_until)
    connection.execute(update(releases).where(mine).values(leased_until=0))


def pending(connection: Connection, kind: ReleaseKind, after: str = "") -> list[ReleaseRow]:
    """Releases of a kind that have no answer, and that nobody is drawing, in the order of their ids behind `after`."""
    leased = releases.c.leased_until.between(now() + 1, now() + MAX_LEASE_SECONDS)
    query = select(releases).where(text(UNFINISHED), releases.c.kind == kind, not_(leased), releases.c.id > after)
    return fetch_all(connection, ReleaseRow, query.order_by(releases.c.id).limit(MAX_PENDING))
