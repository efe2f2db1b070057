"""The page on margins has what the benchmark computes of two real tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import margins_findings as benchmark

DOCS = Path(__file__).parents[2] / "docs" / "explanation"


@pytest.mark.parametrize("key", ["chile", "smoking"])
def test_the_page_has_the_half_widths_and_the_findings_of_the_exact_table(key: str) -> None:
    table, page = benchmark.table_of(key), benchmark.PAGE.read_text(encoding="utf-8")
    for line in benchmark.heading(table):
        assert line in page
    part = page.split(f"<!-- {key}:")[1].split("<!-- end -->")[0]
    for name, amount in benchmark.AMOUNTS.items():
        pairs = benchmark.noisy(table, benchmark.PAIRS, amount, 0)
        assert benchmark.planned(table, name, benchmark.PAIRS, pairs) in part


@pytest.mark.long
@pytest.mark.parametrize("key", ["chile", "smoking"])
def test_the_page_and_its_pictures_are_those_of_the_seed(key: str) -> None:
    table, page = benchmark.table_of(key), benchmark.PAGE.read_text(encoding="utf-8")
    assert benchmark.with_results(page, key, benchmark.tables(table)) == page
    for name, document in benchmark.pictures(table).items():
        assert (DOCS / name).read_text(encoding="utf-8") == document
