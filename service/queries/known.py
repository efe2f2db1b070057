"""Reads what a caller may know of a data set into a history of noisy answers. Only released values are read here: it
costs no budget.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlalchemy import Connection

from core.accounting.pairwise_loss import Row
from core.privacy import Rate
from core.queries.history import MAX_COLUMNS, History, HistoryError
from core.queries.released_counts import noisy_cells
from service.auth import Caller
from service.database.rows import DatasetRow, ReleaseRow
from service.releases import access as release_access
from service.releases.order import ordered_event
from service.schemas import queries as schema

_MAX_WORK = 4 * 10**9
"""Rows times the square of columns: about a second."""
_MAX_RELEASES = 500


@dataclass(slots=True)
class Known:
    """The history that a caller's estimates rest on, and the releases that it leaves out."""

    history: History
    release_ids: list[str] = field(default_factory=list)
    """In the order in which they were added."""
    items: list[schema.HistoryItem] = field(default_factory=list)
    unused: list[schema.UnusedRelease] = field(default_factory=list)


def read_rows(connection: Connection, caller: Caller, dataset_id: str) -> list[ReleaseRow]:
    """The latest complete releases of a data set that the caller may read, and no others: what an answer rests on
    tells what was asked.
    """
    return release_access.complete_on(connection, caller, dataset_id, limit=_MAX_RELEASES)


def history_of(dataset: DatasetRow, rows: Sequence[ReleaseRow]) -> Known:
    """The history of these releases, in their order as long as it stays small enough."""
    n, m = dataset.record_count, dataset.category_count
    known, work = Known(History(n, m)), 0
    for row in rows:
        told = _told_by(row, m)
        if isinstance(told, str):
            known.unused.append(schema.UnusedRelease(release_id=row.id, reason=told))
            continue
        work += told.rows * m * m
        if work > _MAX_WORK:
            reason = "later releases fill what can be taken into one estimate"
            known.unused.append(schema.UnusedRelease(release_id=row.id, reason=reason))
            continue
        if not told.rows:
            continue  # answers from history alone tell nothing new
        try:
            told.add_to(known.history)
        except HistoryError as error:
            known.unused.append(schema.UnusedRelease(release_id=row.id, reason=str(error)))
            continue
        known.release_ids.append(row.id)
        item = schema.HistoryItem(
            release_id=row.id, mechanism=told.mechanism, rows=told.rows, standard_deviation=told.deviation
        )
        known.items.append(item)
    return known


def add_release(history: History, row: ReleaseRow) -> None:
    """Adds a release that `history_of` took before."""
    told = _told_by(row, history.m)
    assert not isinstance(told, str), "an order rests on releases that tell of queries"
    told.add_to(history)


@dataclass(frozen=True, slots=True)
class _Told:
    """What one release tells of queries."""

    mechanism: str
    rows: int
    deviation: float
    add_to: Callable[[History], None]


def _told_by(row: ReleaseRow, m: int) -> _Told | str:
    return _told_by_answers(row) if row.kind == "query" else _told_by_counts(row, m)


def _told_by_answers(row: ReleaseRow) -> _Told:
    measured = [
        (
            Row(tuple(each["coefficients"]), each["denominator"], Rate.parse(each["rate"])),
            Fraction(each["exact_answer"]),
        )
        for each in json.loads(row.document)["measured"]
    ]

    def add_to(history: History) -> None:
        for number, (noisy, answered) in enumerate(measured):
            history.add_answer(noisy, answered, f"{row.id}/{number}")

    widest = max((2**0.5 / float(noisy.rate) for noisy, _ in measured), default=0.0)
    return _Told("linear", len(measured), widest, add_to)


def _told_by_counts(row: ReleaseRow, m: int) -> _Told | str:
    if m > MAX_COLUMNS:
        return f"queries are answered from releases of at most {MAX_COLUMNS} categories"
    cells = noisy_cells(ordered_event(row.plan), json.loads(row.document)["posterior"]["noisy_counts"])
    if isinstance(cells, str):
        return cells

    def add_to(history: History) -> None:
        history.add_counts(cells.counts, cells.noise, row.id)

    return _Told(json.loads(row.plan)["event"]["event"], len(cells.counts), cells.noise.deviation, add_to)
