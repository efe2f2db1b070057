"""docs/reference/stored-columns.md names every column of the schema, and says of each what is observed."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from service.database.tables import metadata
from tests.harness.shared_postgres import shared_postgres
from tests.harness.stored_columns import (
    COLUMNS,
    HARM,
    OF_CHANGES,
    PAGE,
    Observed,
    PostgresCopies,
    SqliteCopies,
    all_columns,
    measure,
    page,
)
from tests.harness.tells_n import AS_RELEASED, FEW, MANY, differing, store

if TYPE_CHECKING:
    from pathlib import Path


def rows() -> dict[str, Observed]:
    """The rows of the page, by column."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        table = section.partition("\n")[0]
        for name, *words in re.findall(r"^\| `(\w+)` " + r"\| ([^|]+) " * len(COLUMNS) + r"\|$", section, re.MULTILINE):
            found[f"{table}.{name}"] = Observed(*words[: len(OF_CHANGES)])
    return found


def test_the_page_has_a_row_for_each_column_of_the_schema() -> None:
    assert rows().keys() == {str(column) for column in all_columns()}
    assert page(rows()) == PAGE.read_text(encoding="utf-8")


def test_the_page_says_what_harm_is_left_where_ledger_verify_is_silent() -> None:
    assert HARM.keys() == {name.partition(".")[0] for name, row in rows().items() if row.ledger_verify == "silent"}


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
def test_the_page_says_what_is_observed(tmp_path: Path, kind: str) -> None:
    copies = SqliteCopies(tmp_path) if kind == "sqlite" else PostgresCopies(tmp_path, shared_postgres())
    found, written = measure(copies, all_columns()), rows()
    assert found.keys() == written.keys()
    assert {name: (row, written[name]) for name, row in found.items() if row != written[name]} == {}
