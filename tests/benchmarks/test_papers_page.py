"""The page of `make papers`: its quick parts equal the output of the code, and its pictures are complete."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks.papers import article, notes

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_holds_the_parts_that_are_quick_to_make() -> None:
    page = (DOCS / "explanation" / "papers.md").read_text()
    for make in (notes.tables, notes.sensitivity_study, article.accuracy):
        assert make().markdown() in page


def test_pictures_are_well_formed_name_their_axes_and_are_all_shown() -> None:
    page = (DOCS / "explanation" / "papers.md").read_text()
    shown = set(re.findall(r"\(\.\./papers/([\w.-]+)\.svg\)", page))
    assert shown == {path.stem for path in (DOCS / "papers").glob("*.svg")}
    for name in shown:
        document = (DOCS / "papers" / f"{name}.svg").read_text()
        ET.fromstring(document)  # noqa: S314  made here
        assert "map" in name or 'transform="rotate(-90' in document
