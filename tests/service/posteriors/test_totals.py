"""A value that may be the sum of the others is found by its number: `tests/files/totals.json` and tables of columns."""

from __future__ import annotations

import json
import math
import time
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from service.posteriors.totals import totals_among

CASES: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "files" / "totals.json").read_text("utf-8")
)


def ends_of(value: Any) -> tuple[float, float]:
    low, high = value if isinstance(value, list) else (value, value)
    return low, math.inf if high is None else high


@pytest.mark.parametrize("case", CASES, ids=lambda case: ", ".join(map(str, case["cells"].values())))
def test_a_label_may_be_a_total_by_its_number_and_not_by_its_name(case: dict[str, Any]) -> None:
    rows = [([label], ends_of(value)) for label, value in case["cells"].items()]
    found = totals_among(rows, case.get("tolerance", 0.0))
    assert found == (None if case["total"] is None else (0, case["total"]))


def test_a_level_is_a_total_in_three_groups_with_different_sums() -> None:
    cells = {cell: float(number + 1) for number, cell in enumerate(product("uvw", ("0-17", "18+")))}
    rows = [(cell, (value, value)) for cell, value in cells.items()]
    totals = [((area, "000"), (sum(cells[area, age] for age in ("0-17", "18+")),) * 2) for area in "uvw"]
    assert totals_among([*rows, *totals]) == (1, "000")
    assert totals_among([*rows, *totals[:2]]) is None
    assert totals_among([*rows, *totals[:2], (("w", "000"), (3.0, 3.0))]) is None
    assert totals_among([*rows, *totals[:2], (("w", "000"), (0.0, 0.0))]) is None
    assert totals_among(rows) is None


def test_a_level_is_a_total_beside_values_that_are_not_shown() -> None:
    values = {"u": (900, 400, None, 1304), "v": (700, None, 350, 1057), "w": (610, 80, 35, 725)}
    rows: list[tuple[list[str], tuple[float, float]]] = [
        ([area, age], (0, 19) if value is None else (value, value))
        for area, of_area in values.items()
        for age, value in zip(("0-17", "18-64", "65+", "000"), of_area, strict=True)
    ]
    assert totals_among(rows) == (1, "000")
    assert totals_among([*rows[:3], (["u", "000"], (1340.0, 1340.0)), *rows[4:]]) is None


def test_the_time_grows_with_the_number_of_cells_and_not_with_its_square() -> None:
    begun = time.process_time()
    assert totals_among([([str(number)], (number, number)) for number in range(10_000)]) is None
    assert time.process_time() - begun < 2
