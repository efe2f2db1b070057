"""The recommended mechanism compared with the best possible one, at sizes where a linear program is quick; the docs
have the whole table.
"""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.privacy import Epsilon

ROOT = Path(__file__).parents[3]

PAGE = (ROOT / "docs" / "explanation" / "certificates.md").read_text().split("\n## Distance to the optimum\n")[1]


@pytest.fixture(scope="module")
def row() -> Callable[[int, int, Epsilon], list[float]]:
    """The benchmark's own: optimum, remap, projection, and the papers' mechanisms."""
    computed: Callable[[int, int, Epsilon], list[float]] = runpy.run_path(
        str(ROOT / "benchmarks" / "distance_to_optimum.py")
    )["row"]
    return computed


def published_rows() -> dict[tuple[int, int, str], list[float]]:
    rows = {}
    for line in PAGE.splitlines():
        if re.match(r"\| \d", line):
            m, n, epsilon, *errors = (cell.strip() for cell in line.strip("|").split("|"))
            rows[int(m), int(n), epsilon] = [float(error) for error in errors]
    return rows


@pytest.mark.parametrize("epsilon", ["0.3", "0.8", "2"])
@pytest.mark.parametrize(("m", "n"), [(2, 10), (3, 4)])
def test_the_linear_program_confirms_the_table(
    row: Callable[[int, int, Epsilon], list[float]], m: int, n: int, epsilon: str
) -> None:
    computed = row(m, n, Epsilon.parse(epsilon))
    computed.insert(2, computed[1] / computed[0])
    assert computed == pytest.approx(published_rows()[m, n, epsilon], abs=1e-4)


def test_every_row_of_the_table_is_near_the_optimum_and_ahead_of_the_papers_mechanisms() -> None:
    rows = published_rows()
    assert {(m, n) for m, n, _ in rows} >= {(2, 30), (3, 10)}
    for optimum, remap, ratio, _projected, *papers in rows.values():
        assert optimum <= remap + 1e-4
        assert ratio <= 1.07
        assert remap < np.min(papers)


def test_an_uneven_prior_is_further_from_the_optimum() -> None:
    computed = runpy.run_path(str(ROOT / "benchmarks" / "distance_to_optimum.py"))["uneven_row"](
        (3.0, 1.0, 0.2), 6, "1"
    )
    assert computed in PAGE
    assert computed.endswith("1.0492 |")
