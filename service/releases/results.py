"""Stores what came of paid releases: first the drawn values, or that the draw failed, then the composed answer. The
first of each is kept, and everybody is answered with it.
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
from service.ledger.witness import ResultStored

WITHOUT_RESULT: dict[str, type[Problem]] = {
    "failed": ReleaseFailed,
    "lost": ReleaseLost,
    "paid": ReleaseInProgress,
    "drawn": ReleaseInProgress,
}
"""The answer for a release without a result, by its state."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn for a paid release, as JSON text; None if the draw failed."""

    release_id: str
    values: str | None


@dataclass(frozen=True, slots=True)
class Composed:
    """The answer that was composed from what was drawn, as JSON text."""

    release_id: str
    result: str


def store_drawn(connection: Connection, drawn: Sequence[Drawn]) -> list[ReleaseRow | Problem]:
    """Stores what was drawn for releases that are still paid, and returns the row of each as it now stands."""
    for each in drawn:
        values = {"state": "failed" if each.values is None else "drawn", "drawn": each.values}
        paid = (releases.c.id == each.release_id) & (releases.c.state == "paid")
        connection.execute(update(releases).where(paid).values(values))
    crash_point("drawn-written")
    query = select(releases).where(releases.c.id.in_([each.release_id for each in drawn]))
    stored = {row.id: row for row in fetch_all(connection, ReleaseRow, query)}
    # The database lost the charge if there is no row: another charge took its place.
    return [stored.get(each.release_id) or OutcomeUnknown() for each in drawn]


def store_results(connection: Connection, composed: Sequence[Composed]) -> list[str | Problem]:
    """Stores the answers of releases that have none yet, and returns what is stored for each."""
    for each in composed:
        complete = {"state": "complete", "result": each.result}
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
