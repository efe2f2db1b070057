"""docs/reference/stored-columns.md names every column of the schema, and says of each what is observed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.harness.shared_postgres import shared_postgres
from tests.harness.stored_columns import (
    COLUMNS,
    HARM,
    PAGE,
    Observed,
    PostgresCopies,
    SqliteCopies,
    all_columns,
    measure,
    page,
)

if TYPE_CHECKING:
    from pathlib import Path


def rows() -> dict[str, Observed]:
    """The rows of the page, by column."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        table = section.partition("\n")[0]
        for name, *words in re.findall(r"^\| `(\w+)` " + r"\| ([^|]+) " * len(COLUMNS) + r"\|$", section, re.MULTILINE):
            found[f"{table}.{name}"] = Observed(*words)
    return found


def test_the_page_has_a_row_for_each_column_of_the_schema() -> None:
    assert rows().keys() == {str(column) for column in all_columns()}
    assert page(rows()) == PAGE.read_text(encoding="utf-8")


def test_the_page_says_what_harm_is_left_where_ledger_verify_is_silent() -> None:
    assert HARM.keys() == {name.partition(".")[0] for name, row in rows().items() if row.ledger_verify == "silent"}


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_page_says_what_is_observed(tmp_path: Path, kind: str) -> None:
    copies = SqliteCopies(tmp_path) if kind == "sqlite" else PostgresCopies(tmp_path, shared_postgres())
    found, written = measure(copies, all_columns()), rows()
    assert found.keys() == written.keys()
    assert {name: (row, written[name]) for name, row in found.items() if row != written[name]} == {}
