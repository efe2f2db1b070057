"""Export a budget's ledger as a file that its owner keeps: CSV for spreadsheets, JSON lines for programs;
`service.ledger.verification` reads both.

An export reads one page per transaction. It is consistent, since entries are only appended and the export ends at a
head that was read first.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import Connection

from core.accounting.accountants import Accountant
from service.database.rows import EntryRow
from service.datasets.budgets import entry_response, ledger_rows
from service.identifiers.canonical_json import Json, canonical_json
from service.identifiers.identifiers import now
from service.ledger.chain import Head
from service.ledger.files import CSV_COLUMNS

_PAGE = 1000
Read: TypeAlias = Callable[[Callable[[Connection], list[EntryRow]]], Awaitable[list[EntryRow]]]
"""Runs a query in a separate read transaction."""
Sign: TypeAlias = Callable[[Head, int], Json]
"""Signs a head at a time in whole seconds since 1970."""


def csv_text(rows: list[tuple[Any, ...]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(rows)
    return buffer.getvalue()


async def as_csv(read: Read, head: Head) -> AsyncIterator[str]:
    """Yield the ledger up to `head` as CSV (RFC 4180), header first."""
    yield csv_text([tuple(CSV_COLUMNS)])
    async for rows in _pages(read, head):
        yield csv_text([tuple(getattr(row, column) for column in CSV_COLUMNS.values()) for row in rows])


async def as_json_lines(read: Read, sign: Sign, head: Head, accountant: Accountant) -> AsyncIterator[str]:
    """Yield the ledger up to `head`, one entry per line in the form of the API. The last line is the signed head."""
    async for rows in _pages(read, head):
        yield "".join(entry_response(row, accountant).model_dump_json() + "\n" for row in rows)
    yield canonical_json(sign(head, now())) + "\n"


async def _pages(read: Read, head: Head) -> AsyncIterator[list[EntryRow]]:
    after = 0
    while after < head.sequence:
        rows = await read(partial(_page, head=head, after=after))
        if not rows:
            return
        yield rows
        after = rows[-1].sequence


def _page(connection: Connection, head: Head, after: int) -> list[EntryRow]:
    return ledger_rows(connection, head.budget_id, after=after, limit=min(_PAGE, head.sequence - after))
