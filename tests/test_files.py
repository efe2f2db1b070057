"""Files as people have them, and what the console makes of them: `tests/files/cases.json`.

Each file has its source and licence in the table: some are cut from public ones. `facts` stands for at most 60 rows of
figures that the source published first: copyright does not cover such figures, and the file has nothing else of an R
package that has them too, neither text nor code. The modules of the console read the files in Node.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from datetime import date, datetime, time, timedelta
from importlib import import_module
from itertools import product
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
SUMS: Final[list[dict[str, Any]]] = [
    case | {"counts": [value if isinstance(value, int) else None for value in case["cells"].values()]}
    for case in json.loads((FILES / "totals.json").read_text("utf-8"))
    if "tolerance" not in case and (case["total"] or all(isinstance(each, int) for each in case["cells"].values()))
]
"""Tables of one column. Where a value is not shown, the console does not know its ends."""

NAMES: Final = (
    "deaths", "Deaths", "patients", "persons", "people", "cases", "n_cases", "nCases", "total_cases", "count", "Freq",
    "CASE_COUNT", "CONFIRMED_CASE_COUNT", "Number of deaths", "No. of patients", "new cases", "Todesfälle", "Fälle",
    "Anzahl Fälle", "AnzahlFall", "AnzahlTodesfall", "Einwohner", "décès", "nb_cas", "casos", "muertes",
    "liczba zgonów",
    "Antal personer", "число", "死亡数",
)  # fmt: skip
"""Names of columns of counts."""
UNSURE: Final = ("n", "no", "num", "number", "total", "size", "value", "OBS_VALUE")
NO_COUNTS: Final = ("death rate", "cases per 100 000", "age", "score")
TOTALS: Final = (
    "Total", "All", "Both sexes", "Insgesamt", "Gesamt", "Zusammen", "Ensemble", "Totale", "Totaal", "Ogółem", "Всего",
    "合計", "0", "999", "", "_T", "Persons",
)  # fmt: skip
"""Values whose counts are the sums of the others. Numbers find them."""
DATES: Final = {
    ("18-May-14", ""): "2014-05",
    ("03 January 2014", ""): "2014-01",
    ("20140107", ""): "2014-01",
    ("2014-W05", ""): "2014-01",
    ("2014-W06", ""): "2014-02",
    ("01/07/14", ""): None,
    ("01/07/14", "day"): "2014-07",
    ("01/07/14", "month"): "2014-01",
    ("25/12/1999", ""): "1999-12",
    ("12/25/99", ""): "1999-12",
    ("3. März 2020", ""): "2020-03",
    ("7 août 2021", ""): "2021-08",
    ("May 3, 2020", ""): "2020-05",
    ("31.01.2020 12:30", ""): "2020-01",
    ("2020-13-01", ""): None,
    ("5 lemon 2020", ""): None,
}
ORDERS: Final = {
    ("01/02/2020", "13/02/2020"): "day",
    ("01/02/2020", "02/13/2020"): "month",
    ("13/02/2020", "02/13/2020"): "",
    ("01/02/2020",): "",
}
_UNREAD: Final = " is not a month, or can be read in two ways. Write it as 2014-07"
RULES: Final = {
    ("month from 2014-05 to 2014-07", ""): ["2014-05", "2014-06", "2014-07"],
    ("Months from May 2014 to 3 July 2014", ""): ["2014-05", "2014-06", "2014-07"],
    ("quarter from 18-May-14 to 20140930", ""): ["2014-Q2", "2014-Q3"],
    ("year from 2013 to 31.12.2014", ""): ["2013", "2014"],
    ("month from 01/07/14 to 01/08/14", "day"): ["2014-07", "2014-08"],
    ("month (month first) from 01/07/14 to 02/07/14", "day"): ["2014-01", "2014-02"],
    (
        "month from 01/07/14 to 2014-08",
        "",
    ): "'01/07/14'" + _UNREAD,
    ("month from 2014-13 to 2015", ""): "'2014-13'" + _UNREAD,
    ("month from 2015-01 to 2014-12", ""): "the months must rise",
}
"""Groups of dates, with the order of the dates of their column, and the names of the groups or the refusal."""
MARKS: Final = (
    "<5", "≤ 9", "1-9", "1–4", "*", "**", "..", "...", ":", "/", "·", "c", "x", "[c]", "(D)", "Suppressed",
    "Not Applicable", "-", "",
)  # fmt: skip
ENCODINGS: Final = {
    "shift_jis": "地域,性別,件数\n東京都,女性,12\n北海道,男性,9\n",
    "euc-jp": "都道府県,診断,患者数\n東京都,高血圧,12\n神奈川県,糖尿病,9\n",
    "big5": "縣市,性別,人數\n臺北市,女,120\n高雄市,男,98\n",
    "windows-1255": "עיר,מין,מספר\nתל אביב,נקבה,12\nחיפה,זכר,9\n",
    "windows-1256": "المدينة,الجنس,العدد\nالرياض,أنثى,12\nجدة,ذكر,9\n",
    "windows-874": "จังหวัด,เพศ,จำนวน\nกรุงเทพมหานคร,หญิง,12\nเชียงใหม่,ชาย,9\n",
    "windows-1251": "город,пол,число\nМосква,женский,12\nКазань,мужской,9\n",
    "koi8-r": "город,пол,число\nМосква,женский,12\nКазань,мужской,9\n",
    "windows-1253": "πόλη,φύλο,πλήθος\nΑθήνα,γυναίκα,12\nΠάτρα,άνδρας,9\n",
    "euc-kr": "도시,성별,인원\n서울,여성,12\n부산,남성,9\n",
    "gb18030": "城市,性别,人数\n北京,女,12\n上海,男,9\n",
    "windows-1250": "płeć,województwo,liczba\nkobieta,łódzkie,12\nmężczyzna,śląskie,7\n",
    "windows-1254": "şehir,cinsiyet,sayı\nİstanbul,kadın,12\nİzmir,erkek,9\n",
    "windows-1252": "Größe,Geschlecht,Fälle\nklein,männlich,12\n",
}
WORKBOOKS: Final = sorted(
    {file.name for file in FILES.glob("*.xlsx")} - {"damaged.xlsx", "document-type.xlsx", "oversized.xlsx"}
)
"""All but those that are refused. Libraries wrote those that are made up."""
OTHERWISE: Final = {
    ("mac-1904.xlsx", "Data", 2, 1): "openpyxl leaves _x000D_ in texts",
    ("mac-1904.xlsx", "Data", 4, 1): "openpyxl leaves _x0041_ in texts",
    ("mac-1904.xlsx", "Data", 4, 2): "the day 0 of 1904 is a time for libraries, and a date for Excel",
}
"""Cells that the console shows as Excel does, and a library does not."""


@pytest.fixture
def found(node: str, tmp_path: Path) -> dict[str, Any]:
    """The results of the console's modules for the files, and for whole kinds of names, values and texts."""
    shutil.copytree(STATIC, tmp_path / "static")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    texts = {
        name: base64.b64encode(text.encode("cp874" if name == "windows-874" else name))
        for name, text in ENCODINGS.items()
    }
    kinds = {
        "names": [*NAMES, *UNSURE, *NO_COUNTS],
        "totals": TOTALS,
        "sums": [dict(zip(case["cells"], case["counts"], strict=True)) for case in SUMS],
        "dates": list(DATES),
        "orders": list(ORDERS),
        "rules": list(RULES),
        "marks": [*MARKS, "12", "1.5", "unknown"],
        "encodings": {name: text.decode() for name, text in texts.items()},
        "workbooks": WORKBOOKS,
    }
    command = [node, str(FILES / "read_cases.mjs"), str(tmp_path / "static")]
    done = subprocess.run(command, check=True, capture_output=True, timeout=120, input=json.dumps(kinds).encode())
    read: dict[str, Any] = json.loads(done.stdout)
    return read


@pytest.mark.long
def test_the_modules_of_the_console_read_each_file_as_the_table_says(found: dict[str, Any]) -> None:
    for case in CASES:
        name, read = case["file"], found[case["file"]]
        assert read["read"] == [each["found"] for each in case["read"]], name
        facts = [
            {key: table[key] for key in ("counts", "left", "marked", "totals") if key in table}
            for table in case.get("tables", [])
        ]
        assert read["tables"] == facts, name
        expected, pasted = case.get("paste", {}), read.get("paste", {})
        if "error" not in pasted:  # the service alone says what is wrong with the table as a whole
            whole_table = ("on an earlier line already", "the sums of the others", "combinations; at most")
            assert pasted == expected or any(words in expected.get("error", "") for words in whole_table), name
        else:
            assert "error" in expected, name


@pytest.mark.long
def test_whole_kinds_of_names_totals_dates_marks_and_encodings_are_known(found: dict[str, Any]) -> None:
    assert {name: found["names"][name]["counts"] for name in NAMES} == {name: name for name in NAMES}
    assert [name for name in NAMES if found["names"][name]["person"]] == []
    assert {found["names"][name]["counts"] for name in NO_COUNTS} == {None}
    assert {name: found["totals"][name] for name in TOTALS} == {name: [name] for name in TOTALS}
    assert dict(zip(DATES, found["dates"], strict=True)) == DATES
    assert dict(zip(ORDERS, found["orders"], strict=True)) == ORDERS
    said = [each["error"] if isinstance(each, dict) else each for each in found["rules"]]
    assert dict(zip(RULES, said, strict=True)) == RULES
    assert found["marks"] == [*([True] * len(MARKS)), False, False, False]
    assert {name: likely[0] for name, likely in found["encodings"].items()} == {name: name for name in ENCODINGS}


def _shown_text(value: Any) -> str:
    """The text of a cell that a library has read, as the console shows it."""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, datetime):
        return (value + timedelta(microseconds=500_000)).strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return f"{value:.15g}"
    return "" if value is None else str(value)


def _cells_of_openpyxl(file: Path) -> dict[str, Any]:
    book = import_module("openpyxl").load_workbook(file, data_only=True)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


def _cells_of_calamine(file: Path) -> dict[str, Any]:
    book = import_module("python_calamine").CalamineWorkbook.from_path(str(file))
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Workbook contains no default style")
def test_workbooks_have_the_values_that_two_libraries_read(found: dict[str, Any]) -> None:
    for name, library in product(WORKBOOKS, (_cells_of_openpyxl, _cells_of_calamine)):
        for sheet, rows in library(FILES / name).items():
            cells = found["workbooks"][name][sheet]
            for line, row in enumerate(rows, 1):
                for column, value in enumerate(row, 1):
                    ours = (
                        cells.pop(f"{line} {column}", "")
                        if library is _cells_of_calamine
                        else cells.get(f"{line} {column}", "")
                    )
                    theirs = _shown_text(value)
                    if not theirs and ours.startswith("#"):
                        continue  # an error of Excel, which calamine leaves out
                    same = ours == theirs or (isinstance(value, int | float) and float(ours) == float(theirs))
                    assert same or (name, sheet, line, column) in OTHERWISE, (name, sheet, line, column, ours, theirs)
            assert not cells or library is _cells_of_openpyxl, (name, sheet, cells)


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


@pytest.mark.long
def test_a_total_is_found_by_its_number_also_beside_counts_that_are_not_shown(found: dict[str, Any]) -> None:
    expected = [[] if case["total"] is None else [case["total"]] for case in SUMS]
    assert dict(zip(map(str, SUMS), found["sums"], strict=True)) == dict(zip(map(str, SUMS), expected, strict=True))


def test_the_table_has_sixty_files_and_half_of_them_are_public_ones() -> None:
    assert {case["file"] for case in CASES} == {file.name for file in FILES.iterdir()} - {
        "cases.json",
        "totals.json",
        "read_cases.mjs",
    }
    assert len(CASES) >= 60
    public = [case for case in CASES if case["source"] != "made up"]
    assert len(public) >= 30
    assert {case["licence"] for case in CASES} <= LICENCES
    assert all(case["read"][0]["found"].get("rows", 0) <= 60 for case in CASES if case["licence"] == "facts")
    assert all((FILES / case["file"]).stat().st_size < 30_000 for case in CASES)
