"""Stores the results of paid releases: the first result of each is kept, and everybody is answered with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from service.database.notes import note
from service.database.rows import ResultRow, columns_of, fetch_all
from service.database.tables import releases
from service.errors import OutcomeUnknown, Problem, ReleaseFailed, ReleaseInProgress, ReleaseLost
from service.faults import crash_point
from service.ledger.witness import ResultStored

MISSING: dict[str, type[Problem]] = {"failed": ReleaseFailed, "lost": ReleaseLost, "paid": ReleaseInProgress}
"""What is said of a release without a result, by its state."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What came of a paid release: its response, or None where it failed."""

    release_id: str
    result: str | None


def store_results(connection: Connection, drawn: Sequence[Drawn]) -> list[str | Problem]:
    """Stores the results of releases that have none yet, and returns what is stored for each: what it gave, or the
    problem that is told of it for ever.
    """
    is_new = [_store(connection, each) for each in drawn]
    crash_point("result-written")
    note(connection, *(ResultStored(each.release_id) for each in drawn if each.result is not None))
    if all(is_new):
        return [ReleaseFailed() if each.result is None else each.result for each in drawn]
    # Some were settled already, by another process or by another request here: that stays.
    query = select(*columns_of(ResultRow, releases)).where(releases.c.id.in_([each.release_id for each in drawn]))
    stored = {row.id: row for row in fetch_all(connection, ResultRow, query)}
    return [_told(stored.get(each.release_id)) for each in drawn]


def _store(connection: Connection, drawn: Drawn) -> bool:
    """Whether the release had no result yet, so that this is its result now."""
    settled = {"state": "failed" if drawn.result is None else "complete", "result": drawn.result}
    paid = (releases.c.id == drawn.release_id) & (releases.c.state == "paid")
    return connection.execute(update(releases).where(paid).values(settled)).rowcount == 1


def _told(row: ResultRow | None) -> str | Problem:
    if row is None:  # the database lost the charge: another one took its place
        return OutcomeUnknown()
    return MISSING[row.state]() if row.result is None else row.result
