"""Files as people have them, and what the console makes of them: `tests/files/cases.json`.

Each file has its source and licence in the table: some are cut from public ones. `facts` stands for at most 60 rows of
figures that the source published first: copyright does not cover such figures, and the file has nothing else of an R
package that has them too, neither text nor code. The modules of the console read the files in Node.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

import service.console
from service.console.plain_table import TableError
from service.console.typed_table import read_table

FILES: Final = Path(__file__).parent / "files"
STATIC: Final = Path(service.console.__file__).parent / "static"
LICENCES: Final = {"Apache-2.0", "CC0", "MIT", "facts"}
CASES: Final[list[dict[str, Any]]] = json.loads((FILES / "cases.json").read_text("utf-8"))


@pytest.mark.long
def test_the_modules_of_the_console_read_each_file_as_the_table_says(node: str, tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    command = [node, str(FILES / "read_cases.mjs"), str(tmp_path / "static")]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=120).stdout)
    for case in CASES:
        name, read = case["file"], found[case["file"]]
        assert read["read"] == [each["found"] for each in case["read"]], name
        assert read["tables"] == [
            {"counts": table["counts"], "left": table["left"]} for table in case.get("tables", [])
        ], name
        expected = case.get("paste")
        whole_table = ("on an earlier line already", "the sums of the others", "combinations; at most")
        if not any(words in (expected or {}).get("error", "") for words in whole_table):  # the service alone says so
            assert read.get("paste") == expected, name


def test_the_text_field_takes_each_table_as_the_table_says() -> None:
    for case in CASES:
        if "paste" not in case:
            continue
        try:
            table = read_table((FILES / case["file"]).read_bytes().decode())
            said: dict[str, Any] = {
                "attributes": [name for name, _ in table.attributes],
                "lines": len(table.cells) - len(table.unlisted),
                "records": table.record_count,
            }
        except TableError as error:
            said = {"error": str(error)}
        assert said == case["paste"], case["file"]


def test_the_table_has_sixty_files_and_half_of_them_are_public_ones() -> None:
    assert {case["file"] for case in CASES} == {file.name for file in FILES.iterdir()} - {
        "cases.json",
        "read_cases.mjs",
    }
    assert len(CASES) >= 60
    public = [case for case in CASES if case["source"] != "made up"]
    assert len(public) >= 30
    assert {case["licence"] for case in CASES} <= LICENCES
    assert all(case["read"][0]["found"].get("rows", 0) <= 60 for case in CASES if case["licence"] == "facts")
    assert all((FILES / case["file"]).stat().st_size < 30_000 for case in CASES)
