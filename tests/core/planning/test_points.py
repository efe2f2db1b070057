"""The widths of a plan at many values of epsilon are as wide as the intervals of many rehearsals at each epsilon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest

from core.inference.contrast_scales import Contrast
from core.inference.events import Share
from core.mechanisms import calibrations
from core.mechanisms.catalogue import certify_unit_at_once, mechanism_of
from core.mechanisms.event import EventError
from core.mechanisms.mechanism import NoiseOnCounts
from core.mechanisms.private_size import PrivateSize
from core.planning.options import PLANNED, Option, Problem, asked
from core.planning.plans import plan
from core.planning.questions import ContrastOfShares, Question, share_of_cell
from core.planning.shapes import Shape, reference_counts
from core.planning.widths import MAX_RELATIVE_ERROR, Precision, interval_widths
from core.privacy import Delta, Epsilon

EPSILONS = [Epsilon.parse(f"{10 ** (-2 + 3 * step / 29):.4f}") for step in range(30)]
DELTA = Delta.parse("1e-6")
EXACT = Precision(rehearsals=48, tolerance=1e-4, window=1 << 30, categories=1 << 30, draws=1 << 14)
"""Of every category and every count."""
TWO_CATEGORIES: Final = 0.01
"""Largest accepted relative error of a width of two categories."""
FEW: Final = EPSILONS[::5]


def options_of(problem: Problem, epsilons: Sequence[Epsilon]) -> list[Option]:
    return [option for point in plan(problem, epsilons).points for option in point.options if option.event is not None]


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
    counts = reference_counts(shape, n, np.ones(m))
    questions = [share_of_cell(0), share_of_cell(m // 2)] if m > 2 else [share_of_cell(0)]
    problem = Problem(counts, (1.0,) * m, DELTA, questions, records=records)
    compared = 0
    for option in options_of(problem, EPSILONS[2::9] + EPSILONS[-1:]):
        if option.widths is None or option.event is None or not option.widths.of_questions:
            continue
        assert not isinstance(option.event, PrivateSize)
        exact = interval_widths(option.event, counts, np.ones(m), questions=questions, precision=EXACT)
        for width, of_share in zip(option.widths.of_questions, exact.of_questions, strict=True):
            errors = math.hypot(width.standard_error, of_share.standard_error)
            allowed = MAX_RELATIVE_ERROR * of_share.expected + 4.0 * errors
            assert abs(width.expected - of_share.expected) <= allowed, (option.calibration.kind, option.epsilon)
            compared += 1
    assert compared >= 10


def assert_widths_of_two_categories_are_within_the_stated_error(
    counts: tuple[int, int], prior: tuple[float, float], epsilons: Sequence[Epsilon]
) -> float:
    worst = 0.0
    problem = Problem(np.array(counts), prior, DELTA, [share_of_cell(0)])
    for option in options_of(problem, epsilons):
        assert option.widths is not None
        assert option.event is not None
        assert not isinstance(option.event, PrivateSize)
        (found,) = option.widths.of_questions
        likelihood = mechanism_of(option.event).likelihood(option.event)
        is_simulated = isinstance(likelihood, NoiseOnCounts) and likelihood.of_two is None
        assert is_simulated or found.standard_error == 0.0
        (exact,) = interval_widths(
            option.event, np.array(counts), np.array(prior), questions=[share_of_cell(0)], precision=EXACT
        ).of_questions
        off = abs(found.expected - exact.expected) / max(exact.expected, 1e-9)
        assert off <= TWO_CATEGORIES, (counts, prior, option.calibration.kind, option.epsilon)
        worst = max(worst, off)
    return worst


@pytest.mark.long
def test_a_width_of_an_empty_category_under_a_small_prior_is_off_by_at_most_what_is_stated() -> None:
    assert_widths_of_two_categories_are_within_the_stated_error((0, 60), (0.05, 0.5), EPSILONS[::12])


def test_a_width_that_changes_quickly_with_epsilon_is_off_by_at_most_what_is_stated() -> None:
    """0.1.0 interpolated between values of epsilon, and was off by 20 % here."""
    epsilons = [EPSILONS[8], Epsilon.parse("0.1743"), EPSILONS[14]]
    assert_widths_of_two_categories_are_within_the_stated_error((92, 21), (0.0041, 0.7105), epsilons)


@pytest.mark.long
def test_widths_of_small_tables_under_small_priors_are_off_by_at_most_what_is_stated() -> None:
    rng, worst = np.random.default_rng(5), 0.0
    for index in range(40):
        n = int(rng.integers(1, 300))
        first, second = np.round(10.0 ** rng.uniform(-3.0, 1.0, 2), 4).clip(0.001, 10.0).tolist()
        count = (0, n // 2, int(rng.integers(n + 1)))[index % 3]
        found = assert_widths_of_two_categories_are_within_the_stated_error(
            (count, n - count), (first, second), EPSILONS[::3]
        )
        worst = max(worst, found)
    print(f"40 small tables under priors from 0.001 to 10: off by at most {worst:.3f}")  # noqa: T201


def test_each_option_is_what_a_release_at_its_epsilon_would_be() -> None:
    counts = reference_counts(Shape.FALLING, 1_000, np.ones(3))
    problem = Problem(counts, (1.0,) * 3, DELTA, [share_of_cell(0)], records=2)
    for option in options_of(problem, FEW):
        if option.calibration in PLANNED:
            event = asked(problem, option.calibration, option.epsilon)
            assert not isinstance(event, PrivateSize)
            assert (option.event, option.certificate) == (event, certify_unit_at_once(event, 2))
            assert option.certificate is not None
            assert option.certificate.loss.epsilon <= option.epsilon


def test_a_mechanism_that_cannot_run_anywhere_says_why() -> None:
    for point in plan(Problem(np.array([5, 5]), (1.0, 1.0), Delta(0)), EPSILONS[:2]).points:
        (gaussian,) = (each for each in point.options if each.calibration is calibrations.GAUSSIAN)
        assert gaussian.event is None
        assert gaussian.refusal
    with pytest.raises(EventError):
        plan(Problem(np.array([5, 0]), (1.0, 1.0), DELTA), [Epsilon.parse("60")])


ILL_IF_VACCINATED, ILL_IF_NOT = (Share(frozenset({cell}), frozenset({cell, cell + 1})) for cell in (0, 2))


@pytest.mark.parametrize("contrast", list(Contrast))
def test_a_contrast_of_two_risks_gets_the_width_of_exact_counts_without_noise(contrast: Contrast) -> None:
    """By the normal approximation, on the logarithmic scale for ratios."""
    counts = np.array([400, 3600, 800, 3200])
    question: Question = ContrastOfShares(ILL_IF_VACCINATED, ILL_IF_NOT, contrast)
    problem = Problem(counts, (1.0,) * 4, Delta(0), [question])
    noisy, near = (
        option.widths.of_questions[0]
        for option in options_of(problem, [Epsilon.parse("0.02"), Epsilon.parse("40")])
        if option.calibration is calibrations.SIMPLEX_GEOMETRIC and option.widths is not None
    )
    variance, centre = {
        Contrast.DIFFERENCE: (0.1 * 0.9 / 4000 + 0.2 * 0.8 / 4000, -0.1),
        Contrast.RATIO: (1 / 400 - 1 / 4000 + 1 / 800 - 1 / 4000, math.log(0.5)),
        Contrast.ODDS_RATIO: (1 / 400 + 1 / 3600 + 1 / 800 + 1 / 3200, math.log(4 / 9)),
    }[contrast]
    expected = 2 * 1.96 * math.sqrt(variance)
    assert near.without_noise == pytest.approx(expected, rel=0.03)
    assert near.expected == pytest.approx(expected, rel=0.03, abs=4 * near.standard_error)
    assert near.low + near.expected / 2 == pytest.approx(centre, abs=0.1 * expected)
    assert noisy.expected > 1.3 * near.expected
