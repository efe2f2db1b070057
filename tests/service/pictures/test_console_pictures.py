"""Pictures of plans, budgets and answers: their numbers, their marks, and texts that anyone may have chosen."""

from __future__ import annotations

import math
import re

import pytest

from service.pictures.curves import PlottedCurve, width_curves
from service.pictures.forest import Section, forest
from service.pictures.frame import PictureHeader
from service.pictures.heat_map import MOST_OPAQUE, HeatCell, HeatTable, heat_map
from service.pictures.rows import Row
from service.pictures.scales import grouped
from service.pictures.spending import PlottedCharge, spending
from tests.harness.drawn import assert_legible, drawn

WIDTHS = (320, 760, 1200)
HEAD = PictureHeader("Trial", "200,745 records", date="24 November 2026")
NAMES = ["simplex geometric", "laplace", "gaussian", "exponential, published", "exponential, global"]
EPSILONS = [10 ** (-2 + 3 * place / 29) for place in range(30)]
HOSTILE = '<script>alert(1)</script> & "x" ' + "W" * 168


def curves(scale: float = 1.0) -> list[PlottedCurve]:
    return [
        PlottedCurve(
            name, [(each, scale * math.hypot(0.02, 0.004 * (place + 1) / each)) for each in EPSILONS[2 * place :]]
        )
        for place, name in enumerate(NAMES)
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-7])
def test_widths_against_epsilon_have_a_look_for_each_mechanism(width: int, scale: float) -> None:
    document = width_curves(
        HEAD, curves(scale), what="width of the 95 % interval", without_noise=0.02 * scale, width=width
    )
    found = drawn(document)
    assert_legible(found)
    lines = [mark for mark in found.marks if mark.kind == "polyline"]
    assert [len(mark.points) for mark in lines] == [30, 28, 26, 24, 22]
    assert len({(mark.tone, mark.attributes.get("stroke-dasharray")) for mark in lines}) == 5
    for mark in lines:
        heights = [y for _, y in mark.points]
        assert heights == sorted(heights), "less width is lower"
    assert set(NAMES) <= set(found.words)
    assert "exact counts, without noise" in found.words
    for curve in curves(scale):
        said = re.findall(rf"{curve.name}: (.*?)\.(?= |$)", found.description)[-1]
        pairs = re.findall(r"epsilon (\S+), width ([^;]+)", said + ".")
        assert len(pairs) == len(curve.points)
    pairs = re.findall(r"epsilon ([\d.e-]+\d), width ([\d.e-]+\d)", found.description)
    expected = [point for curve in curves(scale) for point in curve.points]
    assert [(float(one), float(other)) for one, other in pairs] == [pytest.approx(each, rel=1e-5) for each in expected]


def test_widths_that_are_not_known_leave_a_picture() -> None:
    found = drawn(width_curves(HEAD, [PlottedCurve("laplace", [])], what="width of the 95 % interval"))
    assert "laplace: no width known." in found.description
    assert_legible(
        drawn(
            width_curves(HEAD, [PlottedCurve("laplace", [(0.5, 0.02)])], what="width of the 95 % interval", width=320)
        )
    )


def charges(count: int, people: int) -> list[PlottedCharge]:
    return [
        PlottedCharge(
            f"2026-{1 + place % 9:02d}-{1 + place // 9 % 28:02d}T10:00:00Z", "0.0625", f"person {place % people}"
        )
        for place in range(count)
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("count", "people"), [(0, 1), (1, 1), (16, 3), (16, 6), (2000, 9)])
def test_spending_is_a_line_of_steps_that_ends_at_what_was_spent(count: int, people: int, width: int) -> None:
    limit = "200" if count > 16 else "2"
    found = drawn(
        spending(
            HEAD,
            charges(count, people),
            limit=limit,
            opened_at="2025-12-01T00:00:00Z",
            until="2026-11-24T00:00:00Z",
            width=width,
        )
    )
    assert_legible(found)
    spent = count / 16
    left = f"{float(limit) - spent:g}"
    assert f"Budget: ε = {limit}; spent: {spent:g}; left: {left}; {count} charges." in found.description
    (line,) = (mark for mark in found.marks if mark.kind == "polyline")
    ys = [y for _, y in line.points]
    assert ys == sorted(ys, reverse=True)
    (limit_line,) = (
        mark.attributes for mark in found.marks_of("line", "l-alert") if float(mark.attributes["x2"]) > 0.8 * width
    )
    base = ys[0]
    assert (base - ys[-1]) / (base - float(limit_line["y1"])) == pytest.approx(spent / float(limit), abs=0.01)
    assert len(line.points) <= 4000
    assert len(found.marks) < 900
    if people > 6:
        assert f"{people - 5} others" in found.words
    for person in range(min(people, count)):
        assert f"person {person}: " in found.description
    if count == 16:
        assert found.description.count(": 0.0625 by person") == 16


@pytest.mark.parametrize(
    ("until", "days"),
    [
        ("2026-11-24T23:00:00Z", "24 November 2026 (UTC)"),
        ("2026-11-25T01:00:00Z", "from 24 November 2026 to 25 November 2026 (UTC)"),
    ],
)
def test_a_day_of_spending_is_named_once(until: str, days: str) -> None:
    found = drawn(spending(HEAD, [], limit="1", opened_at="2026-11-24T01:00:00Z", until=until, width=712))
    assert days in found.words


SECTIONS = [
    Section("share", "share admitted, by department", [Row("A", 0.62, (0.58, 0.66)), Row(HOSTILE, 0.06, (0.01, 0.12))]),
    Section("difference", "women less men", [Row("A", 0.2, (0.08, 0.3)), Row("F", 0.01, (-0.05, 0.07))]),
    Section(
        "ratio",
        "odds ratio",
        [Row("A", 2.86, (1.7, 4.9)), Row("F", None, (0.2, 12.0)), Row("none", None, (0.0, math.inf))],
    ),
]
RARE = [
    Section("share", "share ill", [Row("placebo", 0.02, (0.015, 0.025)), Row("vaccinated", 3e-5, (1e-5, 6e-5))]),
    Section("difference", "difference of shares", [Row("A", -0.0197, (-0.025, -0.01))]),
]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_forest_has_a_line_where_nothing_differs(width: int) -> None:
    found = drawn(forest(HEAD, SECTIONS, 0.95, width=width))
    assert_legible(found)
    references = [mark for mark in found.marks_of("line", "l-ink") if mark.attributes["stroke-width"] == "1.5"]
    rows = 5 if width == 320 else 2
    assert len(references) == rows
    assert "noise-aware estimate, 95 % credible interval" in " ".join(found.words)
    assert "odds ratio, logarithmic" in found.words
    assert "2.86 (1.70 to 4.90)" in found.words
    assert "0 to ∞" in found.words
    assert len([mark for mark in found.marks if mark.attributes.get("d", "").startswith(("M-6 0", "M6 0"))]) == 2
    for words in (
        "A: 95 % interval 0.5800 to 0.6600, mean 0.6200",
        "F: 95 % interval \u22120.0500 to 0.0700, median 0.0100",
    ):
        assert words in found.description
    assert HOSTILE in found.description


@pytest.mark.parametrize("width", WIDTHS)
def test_shares_and_their_differences_have_one_unit_that_suits_the_smallest(width: int) -> None:
    found = drawn(forest(HEAD, RARE, 0.95, width=width))
    assert_legible(found)
    for words in (
        "2\u202f000 (1\u202f500 to 2\u202f500)",
        "3.0 (1.0 to 6.0)",
        "\u22121\u202f970 (\u22122\u202f500 to \u22121\u202f000)",
    ):
        assert f"{words} per 100\u202f000" in found.words
    assert not any(words.endswith((" %", " points")) for words in found.words)


def test_a_long_label_is_whole_in_a_narrow_picture() -> None:
    label = "odds ratio: vaccine yes and region North against vaccine no and region North, ill yes"
    found = drawn(forest(HEAD, [Section("ratio", "ratio", [Row(label, 0.5, (0.2, 1.2))])], 0.95, width=340))
    assert_legible(found)
    assert label in " ".join(found.words)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("value", [1e-12, 1.0, 1e12])
def test_the_line_at_one_is_within_the_picture_whatever_the_ratios(value: float, width: int) -> None:
    rows = [
        Row("A", value, (value / 1e9, value * 1e9)),
        Row("B", math.inf, (0.0, math.inf)),
        Row("C", value, (value, value)),
    ]
    whole = Section("difference", "difference", [Row("A", 0.0, (-1.0, 1.0))])
    found = drawn(
        forest(HEAD, [Section("ratio", "odds ratio", rows), whole, Section("share", "none", [])], 0.95, width=width)
    )
    assert_legible(found)
    for mark in found.marks_of("line", "l-ink") + found.marks_of("line", "l-aware"):
        assert all(0 <= float(mark.attributes[end]) <= width for end in ("x1", "x2")), mark
    arrows = [mark for mark in found.marks if mark.attributes.get("d", "").startswith(("M-6 0", "M6 0"))]
    # Of A those ends that are farther from 1 than its value, of B both; a difference from -1 to 1 is shown whole.
    assert len(arrows) == (4 if value == 1.0 else 3)


@pytest.mark.parametrize("width", [320, 760])
def test_two_hundred_rows_are_a_tall_picture_with_ticks_at_both_ends(width: int) -> None:
    rows = [Row(f"municipality {place}", 0.3 + place / 1000, (0.2, 0.6)) for place in range(200)]
    found = drawn(forest(HEAD, [Section("share", "share ill", rows)], 0.95, width=width))
    assert_legible(found)
    assert found.words.count("40 %") == 2
    assert found.height > 200 * 20


def heat_tables(rows: int, columns: int) -> list[HeatTable]:
    """Two tables whose estimates grow from below 0, with a cell that no record can be in."""
    names = [f"level {row}" for row in range(rows - 1)], [f"column {column}" for column in range(columns - 1)]
    found = []
    for number in range(2):
        cells: list[list[HeatCell | None]] = [
            [
                HeatCell(middle, middle - 34.0, middle + 34.0)
                for middle in (1000.0 * row * (column + number) - 20.0 for column in range(columns))
            ]
            for row in range(rows)
        ]
        cells[0][0] = None
        found.append(
            HeatTable("education", "smoker", [HOSTILE, *names[0]], [HOSTILE, *names[1]], cells, f"age {number}")
        )
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_a_heat_map_prints_each_estimate_and_both_ends_of_its_interval(width: int) -> None:
    for rows, columns in ((2, 2), (5, 7), (3, 40)):
        tables = heat_tables(rows, columns)
        found = drawn(heat_map(HEAD, tables, level=0.95, width=width))
        assert_legible(found)
        words = " ".join(found.words)
        cells = [cell for table in tables for row in table.cells for cell in row]
        assert words.count("\N{EN DASH}") == found.description.count("not possible") == 2
        for cell in cells:
            if cell is not None:
                estimate, low, high = map(grouped, cell)
                assert estimate in found.words
                assert f"{low} to {high}" in words
                assert f"{estimate}, 95 % interval {low} to {high}" in found.description
        blocks = [mark for mark in found.marks if mark.kind == "rect" and "aware" in mark.tone.split()][5:]
        opacities = [float(mark.attributes["fill-opacity"]) for mark in blocks]
        assert len(opacities) == len(cells)
        largest = max(cell.estimate for cell in cells if cell is not None)
        shares = [0.0 if cell is None else max(0.0, cell.estimate / largest) for cell in cells]
        # In a picture with bands, blocks come in another order.
        assert sorted(opacities) == pytest.approx(sorted(MOST_OPAQUE * share for share in shares), abs=0.006)
        assert all(float(m.attributes["x"]) + float(m.attributes["width"]) <= width for m in blocks)
        assert "education" in words
        assert "smoker" in words
        assert "records" in words


def test_a_heat_map_writes_decimals_of_precise_counts_only() -> None:
    precise = HeatTable("sex", "ill", ["man"], ["yes", "no"], [[HeatCell(12.34, 11.2, 13.4), HeatCell(9.6, 4.0, 15.0)]])
    words = drawn(heat_map(HEAD, [precise], level=0.9, records="children")).words
    assert {"12.3", "11.2 to 13.4", "10", "4 to 15", "0 to 12 children"} <= set(words)
