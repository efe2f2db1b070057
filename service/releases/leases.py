"""Leases of paid releases. The process that holds the lease draws the release. If it dies, another takes the lease."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, not_, select, text, update

from service.database.rows import ReleaseKind, ReleaseRow, fetch_all
from service.database.tables import UNFINISHED, releases
from service.identifiers.identifiers import now
from service.ledger.freeze import is_restore_pending
from service.ledger.witness import Witness, read_timeline
from service.runtime.response_time import MAX_LEASE_SECONDS

MAX_PENDING: Final = 16
"""Pending releases that the background task reads at once."""


def is_leased(until: int) -> bool:
    """Return whether a lease that ends at `until` is still valid."""
    return now() < until <= now() + MAX_LEASE_SECONDS


def take_lease(connection: Connection, release_id: str, seconds: int, witness: Witness) -> int | None:
    """Take the lease of a paid release. Return its end, or None if another process holds it or releases are stopped."""
    instant = now()
    if is_restore_pending(connection) or not witness.is_verified(read_timeline(connection)):
        return None  # a restored database may list drawn releases as pending
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
    """End the lease of this row, unless it expired and another process holds one now."""
    mine = (releases.c.id == row.id) & (releases.c.state == "paid") & (releases.c.leased_until == row.leased_until)
    connection.execute(update(releases).where(mine).values(leased_until=0))


def pending(connection: Connection, kind: ReleaseKind, after: str = "") -> list[ReleaseRow]:
    """Return the next releases of a kind, by id after `after`, that have no answer and no valid lease."""
    leased = releases.c.leased_until.between(now() + 1, now() + MAX_LEASE_SECONDS)
    query = select(releases).where(text(UNFINISHED), releases.c.kind == kind, not_(leased), releases.c.id > after)
    return fetch_all(connection, ReleaseRow, query.order_by(releases.c.id).limit(MAX_PENDING))
