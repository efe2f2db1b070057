"""Store the outcome of paid releases: first the drawn values or the failure, then the composed answer. The first stored
value of each is final, and every response uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from service.database.commit_hooks import on_commit
from service.database.rows import ReleaseRow, ResultRow, columns_of, fetch_all
from service.database.tables import releases
from service.errors import OutcomeUnknown, Problem, ReleaseFailed, ReleaseInProgress, ReleaseLost
from service.faults import crash_point
from service.ledger.witness import ReceiptSigned, ResultStored

WITHOUT_RESULT: dict[str, type[Problem]] = {
    "failed": ReleaseFailed,
    "lost": ReleaseLost,
    "paid": ReleaseInProgress,
    "drawn": ReleaseInProgress,
}
"""The Problem that answers for a release without a result, by its state."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The drawn values of a paid release, as JSON text, with the signature of its outcome; None if the draw failed."""

    release_id: str
    values: str | None
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Composed:
    """The answer composed from the drawn values, as JSON text, with the signature of the release's outcome."""

    release_id: str
    result: str
    signature: str


def store_drawn(connection: Connection, drawn: Sequence[Drawn]) -> list[ReleaseRow | Problem]:
    """Store drawn values of releases in the state `paid`. Return the current row of each."""
    for each in drawn:
        outcome = {"state": "failed" if each.values is None else "drawn", "drawn": each.values}
        values = outcome | {"signature": each.signature}
        paid = (releases.c.id == each.release_id) & (releases.c.state == "paid")
        connection.execute(update(releases).where(paid).values(values))
    crash_point("drawn-written")
    on_commit(connection, *(ResultStored(each.release_id) for each in drawn if each.values is None))
    query = select(releases).where(releases.c.id.in_([each.release_id for each in drawn]))
    stored = {row.id: row for row in fetch_all(connection, ReleaseRow, query)}
    # The process that charged the release may have ended before it kept the receipt.
    on_commit(connection, *(ReceiptSigned(row.id, row.receipt) for row in stored.values()))
    # A missing row means that the database lost the charge in a failover.
    return [stored.get(each.release_id) or OutcomeUnknown() for each in drawn]


def store_results(connection: Connection, composed: Sequence[Composed]) -> list[str | Problem]:
    """Store the answers of releases that have none yet. Return the stored answer of each."""
    for each in composed:
        complete = {"state": "complete", "result": each.result, "signature": each.signature}
        drawn = (releases.c.id == each.release_id) & (releases.c.state == "drawn")
        connection.execute(update(releases).where(drawn).values(complete))
    crash_point("result-written")
    on_commit(connection, *(ResultStored(each.release_id) for each in composed))
    query = select(*columns_of(ResultRow, releases)).where(releases.c.id.in_([each.release_id for each in composed]))
    stored = {row.id: row for row in fetch_all(connection, ResultRow, query)}
    return [_answer(stored.get(each.release_id)) for each in composed]


def _answer(row: ResultRow | None) -> str | Problem:
    if row is None:
        return OutcomeUnknown()
    return WITHOUT_RESULT[row.state]() if row.result is None else row.result
