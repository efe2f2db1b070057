"""tests/stored_columns.csv has what is observed of every column of the schema and of deleted rows, and
docs/reference/stored-columns.md names the harm that is left.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from service.database.tables import metadata
from tests.harness.shared_postgres import shared_postgres
from tests.harness.stored_columns import (
    PostgresCopies,
    SqliteCopies,
    all_changes,
    measure,
    read_record,
    write_record,
)
from tests.harness.tells_n import AS_RELEASED, FEW, MANY, differing, store

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "stored-columns.md"


def test_the_record_has_each_column_and_the_deletion_of_each_tables_rows() -> None:
    assert sorted(read_record()) == sorted(map(str, all_changes()))


def test_the_page_says_what_harm_is_left_where_ledger_verify_is_silent() -> None:
    text = PAGE.read_text(encoding="utf-8")
    silent = {name.partition(".")[0] for name, row in read_record().items() if row.ledger_verify != "named"}
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == silent


def test_no_column_tells_a_private_number_of_records_but_by_released_counts(tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    few.mkdir()
    many.mkdir()
    stored = asyncio.run(store(few, FEW)), asyncio.run(store(many, MANY))
    assert differing(*stored) == AS_RELEASED
    never_written = {table for table in metadata.tables if not any(stored[0][str(c)] for c in metadata.tables[table].c)}
    assert not never_written


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_record_is_what_is_observed(tmp_path: Path, kind: str) -> None:
    """Writes the record if it differs on SQLite, and fails: read the difference before you commit it."""
    copies = SqliteCopies(tmp_path) if kind == "sqlite" else PostgresCopies(tmp_path, shared_postgres())
    found, recorded = measure(copies, all_changes()), read_record()
    if kind == "sqlite" and found != recorded:
        write_record(found)
    assert {name: (row, recorded.get(name)) for name, row in found.items() if row != recorded.get(name)} == {}
