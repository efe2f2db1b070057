"""Reads what a caller may know of a data set into a history of noisy answers. Only released values are read here: it
costs no budget.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from sqlalchemy import Connection

from core.queries.history import MAX_COLUMNS, History
from core.queries.released_counts import NoisyCells, noisy_cells
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
    items: list[schema.HistoryItem] = field(default_factory=list)
    unused: list[schema.UnusedRelease] = field(default_factory=list)


def read_rows(connection: Connection, caller: Caller, dataset_id: str) -> list[ReleaseRow]:
    """The latest complete releases of a data set that the caller may read, and no others: what an answer rests on
    tells what was asked.
    """
    return release_access.complete_on(connection, caller, dataset_id, limit=_MAX_RELEASES)


def history_of(dataset: DatasetRow, rows: list[ReleaseRow]) -> Known:
    """The history of these releases, the latest first as long as it stays small enough."""
    n, m = dataset.record_count, dataset.category_count
    known, work = Known(History(n, m)), 0
    for row in rows:
        cells = _cells_of(row, m)
        if isinstance(cells, NoisyCells) and work + len(cells.counts) * m * m > _MAX_WORK:
            cells = "later releases fill what can be taken into one estimate"
        if isinstance(cells, str):
            known.unused.append(schema.UnusedRelease(release_id=row.id, reason=cells))
            continue
        work += len(cells.counts) * m * m
        known.history.add_counts(cells.counts, cells.noise, row.id)
        known.items.append(
            schema.HistoryItem(
                release_id=row.id,
                mechanism=json.loads(row.plan)["event"]["event"],
                rows=len(cells.counts),
                standard_deviation=cells.noise.deviation,
            )
        )
    return known


def _cells_of(row: ReleaseRow, m: int) -> NoisyCells | str:
    if m > MAX_COLUMNS:
        return f"queries are answered from releases of at most {MAX_COLUMNS} categories"
    return noisy_cells(ordered_event(row.plan), json.loads(row.document)["posterior"]["noisy_counts"])
