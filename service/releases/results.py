"""Stores the results of paid releases: the first result of each is kept, and everybody is answered with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Update, bindparam, case, literal_column, select, update

from service.database.compiled import NoRow, Prepared, is_one_of, numbered, run
from service.database.notes import note
from service.database.rows import ResultRow
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
    complete = [each for each in drawn if each.result is not None]
    failed = [each.release_id for each in drawn if each.result is None]
    ids, texts = [each.release_id for each in complete], [each.result for each in complete]
    calls = [_COMPLETE.for_ids(ids, result=texts)] if complete else []
    changed = run(connection, *calls, *([_FAIL.for_ids(failed)] if failed else []))
    crash_point("result-written")
    note(connection, *(ResultStored(each.release_id) for each in complete))
    if sum(rows.changed for rows in changed) == len(drawn):
        return [ReleaseFailed() if each.result is None else each.result for each in drawn]
    # Some were settled already, by another process or by another request here: that stays.
    [rows] = run(connection, _STORED.for_ids([each.release_id for each in drawn]))
    stored = {row.id: row for row in rows}
    return [_told(stored.get(each.release_id)) for each in drawn]


def _told(row: ResultRow | None) -> str | Problem:
    if row is None:  # the database lost the charge: another one took its place
        return OutcomeUnknown()
    return MISSING[row.state]() if row.result is None else row.result


def _paid_of(ids: int) -> ColumnElement[bool]:
    return is_one_of(releases.c.id, ids) & (releases.c.state == literal_column("'paid'"))


def _complete(ids: int) -> Update:
    """Each of the ids gets its result. One statement for all of them, as every statement lets other threads in
    between.
    """
    results = case(
        *(
            (releases.c.id == bindparam(numbered("id", each)), bindparam(numbered("result", each)))
            for each in range(ids)
        )
    )
    return update(releases).where(_paid_of(ids)).values(state=literal_column("'complete'"), result=results)


_COMPLETE = Prepared(NoRow, _complete)
_FAIL = Prepared(NoRow, lambda ids: update(releases).where(_paid_of(ids)).values(state=literal_column("'failed'")))
_STORED = Prepared(
    ResultRow,
    lambda ids: select(releases.c.id, releases.c.state, releases.c.result).where(is_one_of(releases.c.id, ids)),
)
