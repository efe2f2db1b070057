"""Files as people have them, read by the console's text field as `tests/files/cases.json` says.

`tests/service/console/test_files_in_chromium.py` reads the same files in a browser. Each file has its source and
licence in the table: some are cut from public ones. `facts` stands for at most 60 rows of figures that the source
published first: copyright does not cover such figures, and the file has nothing else of an R package that has them too,
neither text nor code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from service.console.typed_table import TableError, read_table

FILES: Final = Path(__file__).parent / "files"
LICENCES: Final = {"Apache-2.0", "CC0", "MIT", "facts"}
CASES: Final[list[dict[str, Any]]] = json.loads((FILES / "cases.json").read_text("utf-8"))


def test_the_text_field_takes_each_table_as_the_table_says() -> None:
    for case in CASES:
        if "paste" not in case:
            continue
        text = (FILES / case["file"]).read_text("utf-8")
        try:
            table = read_table(text, **case["paste"]["how"])
            said: dict[str, Any] = {
                "attributes": [name for name, _ in table.attributes],
                "categories": len(table.cells),
                "records": table.record_count,
            }
        except TableError as error:
            said = {"error": str(error)}
        assert said == case["paste"]["found"], case["file"]


def test_the_table_has_sixty_files_and_half_of_them_are_public_ones() -> None:
    assert {case["file"] for case in CASES} == {file.name for file in FILES.iterdir()} - {"cases.json"}
    assert len(CASES) >= 60
    public = [case for case in CASES if case["source"] != "made up"]
    assert len(public) >= 30
    assert {case["licence"] for case in CASES} <= LICENCES
    assert all(case["read"][0]["found"].get("rows", 0) <= 60 for case in CASES if case["licence"] == "facts")
    assert all((FILES / case["file"]).stat().st_size < 30_000 for case in CASES)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"numbers_are_values": True}, ["Country", "AgeCat", "Male"]),
        ({"unfold": "sex"}, ["Country", "AgeCat", "sex"]),
    ],
)
def test_counts_become_public_values_only_if_the_owner_says_that_they_are_values(
    how: dict[str, Any], said: list[str]
) -> None:
    text = (FILES / "pivot.csv").read_text("utf-8")
    with pytest.raises(TableError, match="look like counts of one value each"):
        read_table(text)
    assert [name for name, _ in read_table(text, unlisted_impossible=True, **how).attributes] == said
