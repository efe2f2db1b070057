"""Files as people have them, read by the command and by the console's text field as `tests/files/cases.json` says.

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

from private_posterior.commands.files import File, opened
from private_posterior.commands.records import Described, table_of
from private_posterior.commands.tabular import FileError, study
from service.console.typed_table import TableError, read_table
from tests.harness.commands import run
from tests.harness.process import CLIENT

FILES: Final = Path(__file__).parent / "files"
LICENCES: Final = {"Apache-2.0", "CC0", "MIT", "facts"}
CASES: Final[list[dict[str, Any]]] = json.loads((FILES / "cases.json").read_text("utf-8"))


def found_in(name: str, how: dict[str, Any]) -> dict[str, Any]:
    """How the command reads a file, without what is empty."""
    try:
        with opened(File(FILES / name, **how)) as found:
            rows = [record.values for record in found.table.rows]
    except FileError as error:
        return {"error": str(error)}
    table = found.table
    seen = study(table.names, rows, table.separator)
    facts = {
        "encoding": found.encoding, "sheet": found.sheet, "separator": table.separator, "names": list(table.names),
        "short": table.left.short, "blank": table.left.blank, "counts": seen.counts, "unfolded": list(seen.unfolded),
        "asked": list(seen.asked), "person": seen.person, "sheets": list(found.sheets)[1:] and list(found.sheets),
    }  # fmt: skip
    return {key: value for key, value in facts.items() if value} | {"names_line": table.names_line, "rows": seen.rows}


def listed(values: list[str]) -> str:
    return ",".join(f'"{value}"' if "," in value else value for value in values)


def described(table: dict[str, Any]) -> Described:
    unfold = table.get("unfold")
    levels = [f"{each['name']}={listed(each['values'])}" for each in table["columns"] if "values" in each]
    columns = None if unfold is None else f"{unfold['name']}={listed(unfold['columns'])}"
    return Described(
        levels=levels if columns is None else [*levels, columns],
        groups=[f"{each['name']}={each['groups']}" for each in table["columns"] if "groups" in each],
        count_column=table.get("counts_in"),
        unfold=columns,
    )


def test_the_command_reads_each_file_as_the_table_says() -> None:
    for case in CASES:
        for each in case["read"]:
            assert found_in(case["file"], each["how"]) == each["found"], (case["file"], each["how"])


def test_the_command_counts_each_table_as_the_table_says() -> None:
    for case in CASES:
        for table in case.get("tables", []):
            raw = "counts_in" not in table and "unfold" not in table
            try:
                file = File(FILES / case["file"], **table["how"])
                said: Any = table_of(file, described(table), raw=raw, report=lambda _: None).counts
            except FileError as error:
                said = str(error)
            assert said == table.get("command_says", table["counts"]), (case["file"], table)


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


def test_a_text_that_is_pasted_is_read_as_the_same_file_is() -> None:
    """Client and service can't import each other, so they have the same module twice."""
    copies = [Path(place, "tabular.py") for place in ("client/private_posterior/commands", "service/console")]
    first, second = ((FILES.parents[1] / copy).read_text("utf-8") for copy in copies)
    assert first == second


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


def test_options_say_how_a_file_is_written_and_its_table_is_shown() -> None:
    def shown(*arguments: str) -> str:
        done = run([CLIENT, "datasets", "create", "Cases", "--unit", "one case", "--check", *arguments], env={})
        assert done.returncode == 0, done.stderr
        return " ".join((done.stdout + done.stderr).split())

    pivot = str(FILES / "pivot.csv")
    levels = ("--levels", "Country=Peru,Chile", "--levels", "AgeCat=0-17,18+", "--levels", "sex=Male,Female")
    assert "Chile · 18+ · Female Chile · 18+ · Female 402" in shown(
        "--counts", pivot, "--unfold", "sex=Male,Female", *levels
    )
    book = ("--records", str(FILES / "dates.xlsx"), "--sheet", "Cases", "--names-line", "1", "--person", "case_id")
    dose = ("--groups", "dose=<0.2, 0.2-0.5, >0.5", "--missing", "<0.2")
    said = shown(*book, *dose)
    assert "0.2-0.5 0.2-0.5 1 >0.5 >0.5 1 4 records 4" in said
    assert "sheet 'Cases'; --sheet names another: 'Notes'" in said
    assert "column 'case_id': 1 person has several rows, the most 2" in said
    assert "'case_id' looks like the person: 1 person has several rows, the most 2" in shown(*book[:-2], *dose)
    assert "looks like the person" not in shown(*book[:-2], *dose, "--no-person")
