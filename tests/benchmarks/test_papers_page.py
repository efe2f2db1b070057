"""The page and the report of `make papers`: their quick parts equal the output of the code; all pictures are shown."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks.papers import article, notes
from benchmarks.papers.document import INTRODUCTION, REPORT, SLIPS, slips_table

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_holds_the_parts_that_are_quick_to_make() -> None:
    page, report = (DOCS / "explanation" / "papers.md").read_text(), (DOCS / "papers" / "report.md").read_text()
    assert page.startswith(INTRODUCTION)
    assert report.startswith(REPORT)
    assert f"(../papers/slips.csv) has {len(SLIPS)} slips" in page
    assert (DOCS / "papers" / "slips.csv").read_text() == slips_table().csv()
    for make in (notes.tables, notes.sensitivity_study, article.accuracy):
        part = make()
        assert part.markdown() in report
        assert {name: (DOCS / "papers" / name).read_text() for name in part.files()} == {
            name: table.csv() for name, table in part.files().items()
        }


def test_pictures_are_well_formed_name_their_axes_and_are_all_shown() -> None:
    report = (DOCS / "papers" / "report.md").read_text()
    shown = set(re.findall(r"\(([\w.-]+)\.svg\)", report))
    assert shown == {path.stem for path in (DOCS / "papers").glob("*.svg")}
    tables = {path.name for path in (DOCS / "papers").glob("*.csv")} - {"slips.csv"}
    assert set(re.findall(r"\(([\w.-]+\.csv)\)", report)) == tables
    for name in shown:
        document = (DOCS / "papers" / f"{name}.svg").read_text()
        ET.fromstring(document)  # noqa: S314  made here
        assert "map" in name or 'transform="rotate(-90' in document
