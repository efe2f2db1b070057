"""Curves of widths over epsilon are as wide as the intervals of many rehearsals at each epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest

from core.curves import SEARCHED, Curve, curves, interpolated
from core.mechanisms import calibrations
from core.mechanisms.catalogue import certify_unit_at_once
from core.mechanisms.event import EventError
from core.planning import PLANNED, Shape, event_asked, reference_counts
from core.privacy import Delta, Epsilon
from core.widths import Precision, interval_widths

EPSILONS = [Epsilon.parse(f"{10 ** (-2 + 3 * step / 29):.4f}") for step in range(30)]
DELTA = Delta.parse("1e-6")
EXACT = Precision(rehearsals=48, tolerance=1e-4, window=1 << 30, categories=1 << 30)
"""Of every category and every count, from as many rehearsals as are ever made."""


FEW: Final = EPSILONS[::5]


def drawn(
    shape: Shape, n: int, m: int, records: int = 1, epsilons: Sequence[Epsilon] = EPSILONS
) -> tuple[np.ndarray, list[frozenset[int]], dict[str, Curve]]:
    counts = reference_counts(shape, n, np.ones(m))
    shares = [frozenset({0}), frozenset({m // 2})] if m > 2 else [frozenset({0})]
    found = curves(counts, (1.0,) * m, epsilons, DELTA, shares=shares, records=records)
    return counts, shares, {curve.calibration.kind: curve for curve in found}


@pytest.mark.parametrize(
    ("shape", "n", "m", "records"),
    [
        pytest.param(Shape.FALLING, 1_000, 2, 1, marks=pytest.mark.long),
        pytest.param(Shape.EVEN, 300, 2, 3, marks=pytest.mark.long),
        (Shape.FALLING, 100, 3, 2),
        pytest.param(Shape.FALLING, 10_000, 12, 1, marks=pytest.mark.long),
        pytest.param(Shape.EVEN, 500, 12, 2, marks=pytest.mark.long),
        pytest.param(Shape.FALLING, 100_000, 50, 1, marks=pytest.mark.long),
        pytest.param(Shape.FALLING, 3_000, 60, 1, marks=pytest.mark.long),
        pytest.param(Shape.EVEN, 100_000, 200, 1, marks=pytest.mark.long),
        pytest.param(Shape.FALLING, 1_000_000, 100, 1, marks=pytest.mark.long),
    ],
)
def test_a_width_is_off_by_at_most_what_is_stated(shape: Shape, n: int, m: int, records: int) -> None:
    counts, shares, found = drawn(shape, n, m, records)
    for curve in found.values():
        for point in curve.points[2::9]:
            exact = interval_widths(point.event, counts, np.ones(m), shares=shares, precision=EXACT)
            for width, of_share in zip(point.widths, exact.of_categories, strict=True):
                allowed = curve.max_relative_error * of_share.expected + 3 * of_share.standard_error
                assert abs(width - of_share.expected) <= allowed, (curve.calibration.kind, point.epsilon)


def assert_widths_of_two_categories_are_within_the_stated_error(
    counts: tuple[int, int], prior: tuple[float, float], epsilons: Sequence[Epsilon] = EPSILONS, step: int = 3
) -> float:
    worst = 0.0
    for curve in curves(np.array(counts), prior, epsilons, DELTA, shares=[frozenset({0})]):
        assert curve.max_relative_error == 0.15
        for point in curve.points[::step]:
            (exact,) = interval_widths(
                point.event, np.array(counts), np.array(prior), shares=[frozenset({0})]
            ).of_categories
            off = abs(point.widths[0] - exact.expected) / max(exact.expected, 1e-9)
            assert off <= curve.max_relative_error, (counts, prior, curve.calibration.kind, point.epsilon)
            worst = max(worst, off)
    return worst


def test_a_width_of_an_empty_category_under_a_small_prior_is_off_by_at_most_what_is_stated() -> None:
    assert_widths_of_two_categories_are_within_the_stated_error((0, 60), (0.05, 0.5), EPSILONS[::3])


@pytest.mark.long
def test_widths_of_small_tables_under_small_priors_are_off_by_at_most_what_is_stated() -> None:
    rng, worst = np.random.default_rng(5), 0.0
    for index in range(40):
        n = int(rng.integers(1, 300))
        first, second = np.round(10.0 ** rng.uniform(-3.0, 1.0, 2), 4).clip(0.001, 10.0).tolist()
        count = (0, n // 2, int(rng.integers(n + 1)))[index % 3]
        off = assert_widths_of_two_categories_are_within_the_stated_error((count, n - count), (first, second))
        worst = max(worst, off)
    print(f"40 curves of small tables under priors from 0.001 to 10: off by at most {worst:.3f}")  # noqa: T201


def test_each_point_is_what_a_release_at_its_epsilon_would_be() -> None:
    counts, _, found = drawn(Shape.FALLING, 1_000, 3, records=2, epsilons=FEW)
    for calibration in PLANNED:
        curve = found[calibration.kind]
        if calibration.effort == "search":
            assert (curve.points, curve.unavailable) == ((), SEARCHED)
            continue
        for point in curve.points:
            asked = event_asked(calibration, int(counts.sum()), (1.0,) * 3, point.epsilon, DELTA, 2)
            assert (point.event, point.certificate) == (asked, certify_unit_at_once(asked, 2))
            assert point.certificate.loss.epsilon <= point.epsilon
    assert found["simplex_geometric"].points[-1].epsilon == FEW[-1]


def test_a_mechanism_that_cannot_run_anywhere_says_why() -> None:
    found = curves(np.array([5, 5]), (1.0, 1.0), EPSILONS[:2], Delta(0), shares=[frozenset({0})])
    gaussian = next(curve for curve in found if curve.calibration is calibrations.GAUSSIAN)
    assert gaussian.points == ()
    assert gaussian.unavailable
    with pytest.raises(EventError):
        curves(np.array([5, 0]), (1.0, 1.0), [Epsilon.parse("60")], DELTA, shares=[frozenset({0})])


def test_measurements_that_rise_by_chance_are_smoothed_and_others_kept() -> None:
    at, truth = np.linspace(0.0, 3.0, 12), np.exp(-np.linspace(0.0, 3.0, 12))[:, None]
    noisy = truth.copy()
    noisy[-1] = 1.03 * noisy[-4]
    noisy[-4:-1] = noisy[-4]
    found = interpolated(at, lambda place: noisy[place])[:, 0]
    assert (np.diff(found) <= 0.0).all()
    assert np.abs(np.log(found / noisy[:, 0])).max() < 0.03
    rising = interpolated(at, lambda place: 1.0 / truth[place])[:, 0]
    assert rising == pytest.approx(1.0 / truth[:, 0], rel=0.05)


def test_smooth_measurements_are_interpolated_from_few_and_steep_ones_from_more() -> None:
    at = np.linspace(0.0, 6.0, 30)
    asked = list[int]()

    def measure(place: int) -> np.ndarray:
        asked.append(place)
        return np.array([1.0 / np.hypot(0.01, np.exp(-steepness * at[place]))])

    for steepness, most in ((1.0, 12), (8.0, 20)):
        asked.clear()
        found = interpolated(at, measure)[:, 0]
        assert len(asked) == len(set(asked)) <= most
        truth = 1.0 / np.hypot(0.01, np.exp(-steepness * at))
        assert np.abs(np.log(found / truth)).max() < 0.1
    assert interpolated(at[:1], measure).shape == (1, 1)
