"""How values are placed and written."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from service.pictures.dates import day, instant, time_ticks
from service.pictures.scales import (
    PER_100_000,
    PERCENT,
    LinearScale,
    LogScale,
    figures,
    plain_number,
    span,
    unit_of_shares,
)


@pytest.mark.parametrize(
    ("share", "low", "high", "words"),
    [
        (0.0324, 0.0291, 0.0358, "3.24 % (2.91 to 3.58)"),
        (0.5, 0.3, 0.7, "50 % (30 to 70)"),
        (0.00016951, 0.000094, 0.000253, "17.0 (9.4 to 25.3) per 100\u202f000"),
        (3e-5, 1.1e-5, 5.6e-5, "3.0 (1.1 to 5.6) per 100\u202f000"),
        (0.00999, 0.009, 0.011, "999 (900 to 1\u202f100) per 100\u202f000"),
        (2e-16, 3e-17, 6e-16, "2e-11 (3e-12 to 6e-11) per 100\u202f000"),
    ],
)
def test_shares_are_per_cent_and_below_one_per_cent_per_100_000(
    share: float, low: float, high: float, words: str
) -> None:
    assert figures(unit_of_shares(share), share, low, high) == words


@pytest.mark.parametrize("scale", [LinearScale, LogScale])
@pytest.mark.parametrize("most", [1, 2, 3, 5, 8])
def test_ticks_are_round_few_and_within_the_range(scale: type[LinearScale | LogScale], most: int) -> None:
    for low, width, factor in itertools.product((1e-9, 3e-5, 0.017, 0.4), (1.001, 1.7, 30, 1e5), (1.0, 100.0, 1e5)):
        axis = scale(low, low * width, 50, 450)
        ticks = axis.ticks(most, factor)
        assert len(ticks) <= max(most, 1)
        for value, label in ticks:
            assert low * (1 - 1e-6) <= value <= low * width * (1 + 1e-6)
            assert 49.9 <= axis(value) <= 450.1
            assert float(label.replace("\u202f", "")) == pytest.approx(value * factor, rel=1e-4)
            assert len(label.replace("\u202f", "").strip("0.")) <= 6 or scale is LinearScale
        assert len({label for _, label in ticks}) == len(ticks)


def test_a_logarithmic_axis_of_several_decades_names_at_least_two_of_them() -> None:
    assert [label for _, label in LogScale(0.008, 12, 0, 600).ticks(8)] == [
        "0.01",
        "0.03",
        "0.1",
        "0.3",
        "1",
        "3",
        "10",
    ]
    assert [label for _, label in LogScale(0.008, 12, 0, 600).ticks(2)] == ["0.01", "1"]


def test_numbers_have_no_exponent_where_people_read_them() -> None:
    assert [plain_number(each) for each in (0, 0.00001, 0.25, 12.5, 100_000.0)] == [
        "0",
        "0.00001",
        "0.25",
        "12.5",
        "100\u202f000",
    ]


def test_units_change_at_one_per_cent() -> None:
    assert (unit_of_shares(0.01), unit_of_shares(0.00999)) == (PERCENT, PER_100_000)


def test_a_span_stays_within_its_bounds_and_is_never_empty() -> None:
    for values in ([], [0.0], [1.0], [0.5, 0.5], [0.2, 0.3], [-3.0, 9.0]):
        low, high = span(values, bounds=(0.0, 1.0))
        assert 0 <= low < high <= 1


@pytest.mark.parametrize("most", [1, 3, 7])
def test_a_time_axis_has_few_round_ticks_from_a_minute_to_a_century(most: int) -> None:
    first = instant("2024-02-28T23:30:00+01:00")
    for length in (60, 3600, 86_400, 9 * 86_400, 200 * 86_400, 3000 * 86_400, 36_500 * 86_400):
        ticks = time_ticks(first, first + timedelta(seconds=length), most)
        assert len(ticks) <= most
        assert all(first.timestamp() <= value <= first.timestamp() + length for value, _ in ticks)
        assert [value for value, _ in ticks] == sorted({value for value, _ in ticks})
        assert len({label for _, label in ticks}) == len(ticks)
    assert [label for _, label in time_ticks(first, first + timedelta(days=100), 4)] == [
        "Mar 2024",
        "Apr 2024",
        "May 2024",
        "Jun 2024",
    ]
    assert day(datetime(2026, 11, 4, tzinfo=UTC)) == "4 November 2026"
