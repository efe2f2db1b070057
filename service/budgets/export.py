"""A budget's ledger as a file that its owner keeps: CSV for spreadsheets, JSON lines for programs; `service.ledger.verification` reads both.

An export is read page by page, each page in a transaction of its own. That is sound because entries are only ever added: what a later page shows stood
there when the first was read, up to the head at which the export stops.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection

from core.accounting.accountants import Accountant
from service.budgets.budgets import entry_response, ledger_rows
from service.canonical_json import canonical_json
from service.database.rows import EntryRow
from service.identifiers import now
from service.ledger.chain import Head
from service.runtime import Runtime

_PAGE = 1000

CSV_COLUMNS: Final = {
    "budget_id": "budget_id",
    "sequence": "sequence",
    "created_at_unix_seconds": "created_at",
    "kind": "kind",
    "epsilon_nano": "epsilon",
    "delta_atto": "delta",
    "rho_pico": "rho",
    "principal_id": "principal_id",
    "subject_id": "subject_id",
    "detail_json": "detail",
    "previous_hash_sha256": "previous_hash",
    "hash_sha256": "hash",
}
"""The columns of the CSV, units in their names, and the columns of the table that they show. Amounts are whole numbers of 1e-9, 1e-18 and 1e-12."""


def csv_text(rows: list[tuple[Any, ...]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue()


async def as_csv(runtime: Runtime, head: Head) -> AsyncIterator[str]:
    """The ledger up to `head` as CSV (RFC 4180), header first."""
    yield csv_text([tuple(CSV_COLUMNS)])
    async for rows in _pages(runtime, head):
        yield csv_text([tuple(getattr(row, column) for column in CSV_COLUMNS.values()) for row in rows])


async def as_json_lines(runtime: Runtime, head: Head, accountant: Accountant) -> AsyncIterator[str]:
    """The ledger up to `head`, an entry a line as in the pages of the API; the signed head is the last line."""
    async for rows in _pages(runtime, head):
        yield "".join(entry_response(row, accountant).model_dump_json() + "\n" for row in rows)
    yield canonical_json(runtime.signer.head(head, now())) + "\n"


async def _pages(runtime: Runtime, head: Head) -> AsyncIterator[list[EntryRow]]:
    after = 0
    while after < head.sequence:
        rows = await runtime.read(partial(_page, head=head, after=after))
        if not rows:
            return
        yield rows
        after = rows[-1].sequence


def _page(connection: Connection, head: Head, after: int) -> list[EntryRow]:
    return ledger_rows(connection, head.budget_id, after=after, limit=min(_PAGE, head.sequence - after))
