"""docs/reference/stored-columns.md names every column of the schema, and says of each what is observed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.harness.stored_columns import PAGE, all_columns, measure, page

if TYPE_CHECKING:
    from pathlib import Path


def test_the_page_has_a_row_for_each_column_of_the_schema() -> None:
    found = set()
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        table = section.partition("\n")[0]
        found |= {f"{table}.{name}" for name in re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)}
    assert found == {str(column) for column in all_columns()}


@pytest.mark.long
def test_the_page_says_what_is_observed(tmp_path: Path) -> None:
    assert page(measure(tmp_path)) == PAGE.read_text(encoding="utf-8")
