import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import special

from core.dirichlet import hellinger_of_posteriors
from core.inference.events import Share
from core.mechanisms import calibrations
from core.mechanisms.catalogue import Event, certify, rehearse
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Calibration
from core.planning import widths
from core.planning.options import CALIBRATIONS, PLANNED, Problem, event_within
from core.planning.plans import plan
from core.planning.questions import share_of_cell
from core.planning.release_error import PlanError, hellinger_error
from core.planning.shapes import Shape, reference_counts
from core.planning.smallest_epsilon import smallest_epsilon
from core.planning.widths import interval_widths
from core.privacy import Delta, Epsilon, Rho
from core.samplers.entropy import SeededEntropy
from core.samplers.reproducible import Reproducible

E = Epsilon.parse
NO_DELTA, MICRO = Delta(0), Delta.parse("0.000001")


@pytest.mark.parametrize(
    ("shape", "expected"), [(Shape.EVEN, [34, 33, 33]), (Shape.FALLING, [55, 27, 18]), (Shape.PRIOR_MEAN, [70, 20, 10])]
)
def test_reference_counts_have_their_shape_and_sum(shape: Shape, expected: list[int]) -> None:
    counts = reference_counts(shape, 100, np.array([7.0, 2.0, 1.0]))
    assert counts.tolist() == expected


@pytest.mark.parametrize("calibration", PLANNED, ids=lambda each: each.kind)
@pytest.mark.parametrize("n", [40, 900])
def test_no_option_is_dearer_than_asked(calibration: Calibration[Any], n: int) -> None:
    event = event_within(calibration, n, (1.0, 2.0), E("0.7"), MICRO)
    loss = certify(event).loss
    assert loss.epsilon <= E("0.7")
    assert loss.delta <= MICRO


@pytest.mark.parametrize(
    "event",
    [
        SimplexGeometric(60, 2, E("0.4")),
        Laplace(60, 2, E("0.8")),
        Gaussian(60, 2, Rho.parse("0.1"), MICRO),
        Gaussian(60, 2, Rho.parse("0.002"), MICRO),
        event_within(calibrations.EXPONENTIAL_GLOBAL, 60, (1.0, 1.0), E("3"), NO_DELTA),
    ],
)
def test_an_exact_error_distribution_is_what_rehearsals_show(event: Event) -> None:
    counts, prior = np.array([13, 47]), np.ones(2)
    error = hellinger_error(event, counts, prior)
    assert (error.method, error.standard_error, error.rehearsals) == ("exact", 0.0, None)
    released = np.array([r.on_simplex for r in rehearse(event, counts, 4000, SeededEntropy(1))])
    distances = hellinger_of_posteriors(prior, counts, released)
    assert abs(distances.mean() - error.expected) < 6 * distances.std() / 4000**0.5
    assert abs(np.abs(released - counts).sum(axis=1).mean() - error.expected_l1) < 6 * n_deviation(released, counts)
    for each in error.exceedances:
        assert abs((distances >= each.distance).mean() - each.probability) < 6 * 0.5 / 4000**0.5
    # At least 95 % is at or below the quantile, and less strictly below it: six standard errors of a frequency.
    slack = 6 * (0.05 * 0.95 / 4000) ** 0.5
    assert (distances <= error.quantile(0.95) + 1e-12).mean() >= 0.95 - slack
    assert (distances < error.quantile(0.95) - 1e-12).mean() <= 0.95 + slack


def n_deviation(released: np.ndarray, counts: np.ndarray) -> float:
    """The standard error of the mean number of records moved."""
    return float(np.abs(released - counts).sum(axis=1).std() / len(released) ** 0.5)


def test_the_mixtures_error_distribution_is_what_rehearsals_show() -> None:
    """Five categories and 400 records have a billion candidates: the mean is exact, quantiles come from weighted
    draws.
    """
    event = event_within(calibrations.EXPONENTIAL_GLOBAL, 400, (1.0,) * 5, E("40"), NO_DELTA)
    counts = reference_counts(Shape.FALLING, 400, np.ones(5))
    error = hellinger_error(event, counts, np.ones(5))
    released = np.array([r.on_simplex for r in rehearse(event, counts, 400, SeededEntropy(3))])
    distances = hellinger_of_posteriors(np.ones(5), counts, released)
    assert error.standard_error == 0.0
    assert abs(distances.mean() - error.expected) < 6 * distances.std() / 20
    assert abs(np.abs(released - counts).sum(axis=1).mean() - error.expected_l1) < 8 * n_deviation(released, counts)
    for each in error.exceedances:
        assert abs((distances >= each.distance).mean() - each.probability) < 6 * (0.5 / 20 + error.probability_error)


def test_a_simulated_error_repeats_and_states_its_rehearsals() -> None:
    event, counts = SimplexGeometric(300, 5, E("0.5")), reference_counts(Shape.FALLING, 300, np.ones(5))
    first, second = (hellinger_error(event, counts, np.ones(5)) for _ in range(2))
    assert first == second
    assert (first.method, first.rehearsals) == ("simulation", 200)
    other = hellinger_error(event, counts, np.ones(5), seed=1)
    assert abs(first.expected - other.expected) < 6 * 2**0.5 * first.standard_error


def test_widths_shrink_to_those_of_the_exact_counts() -> None:
    counts, prior = np.array([400, 600]), np.ones(2)
    near = interval_widths(SimplexGeometric(1000, 2, E("20")), counts, prior)
    far = interval_widths(SimplexGeometric(1000, 2, E("0.02")), counts, prior)
    for close, wide in zip(near.of_questions, far.of_questions, strict=True):
        assert close.expected == pytest.approx(close.without_noise, rel=1e-6)
        assert wide.expected > 1.5 * wide.without_noise
    assert near.rehearsals == far.rehearsals == 0


def test_rehearsals_do_not_end_because_the_first_of_them_agree() -> None:
    counts, prior = np.array([0, 0, 60]), np.array([0.05, 0.05, 0.5])
    widths = interval_widths(SimplexGeometric(60, 3, E("3")), counts, prior)
    assert widths.rehearsals >= 24
    assert widths.of_questions[0].standard_error > 0.01 * widths.of_questions[0].expected


def test_widths_that_cannot_be_had_say_why() -> None:
    for n, reason in ((300, "its posterior takes too long"), (3_000_000, "not available, because")):
        event = event_within(calibrations.EXPONENTIAL_GLOBAL, n, (1.0, 1.0, 1.0), E("1"), NO_DELTA)
        widths = interval_widths(event, np.full(3, n // 3), np.ones(3))
        assert widths.of_questions == ()
        assert widths.unavailable is not None
        assert widths.unavailable.startswith(reason)


def test_the_smallest_epsilon_reaches_the_accuracy_and_one_percent_less_does_not() -> None:
    counts, prior = np.array([130, 470]), np.ones(2)

    def measure(epsilon: Epsilon) -> float:
        return hellinger_error(SimplexGeometric(600, 2, epsilon), counts, prior).expected

    found = smallest_epsilon(measure, 0.05)
    assert found is not None
    assert measure(found) <= 0.05
    assert measure(Epsilon(int(found.units / 1.011))) > 0.05
    assert smallest_epsilon(measure, -1.0) is None


def refusing_below_a_half(epsilon: float) -> float:
    if epsilon < 0.5:
        raise EventError("too small")
    return 1 / epsilon


FALLING: list[tuple[Callable[[float], float], float]] = [
    (lambda epsilon: 1 / epsilon, 1.0),
    (lambda epsilon: min(1.0, 0.003 / epsilon), 0.02),
    (lambda epsilon: epsilon**-0.05, 1.05),
    (lambda epsilon: epsilon**-8, 1e-3),
    (lambda epsilon: float(epsilon < 0.0123), 0.5),
    (lambda epsilon: math.exp(-epsilon), 1e-9),
    (lambda epsilon: 0.3 - 1e-6 * epsilon, 0.3 - 40e-6),
    (refusing_below_a_half, 4.0),
]


@pytest.mark.parametrize("start", ["0.00001", "0.0001", "0.8", "50", "1000"])
@pytest.mark.parametrize(("measure", "wanted"), FALLING)
def test_the_smallest_epsilon_is_found_from_anywhere_in_few_steps(
    measure: Callable[[float], float], wanted: float, start: str
) -> None:
    measured: list[float] = []

    def measure_it(epsilon: Epsilon) -> float:
        measured.append(float(epsilon))
        return measure(measured[-1])

    found = smallest_epsilon(measure_it, wanted, start=E(start))
    assert found is not None
    assert measure(float(found)) <= wanted
    below = [each for each in measured if each < float(found)]
    assert max(below) >= float(found) / 1.01
    assert len(measured) <= 40


@pytest.mark.parametrize("start", ["0.0001", "0.8", "50"])
def test_the_least_and_the_largest_epsilon_are_tried_too(start: str) -> None:
    def found(measure: Callable[[float], float], wanted: float) -> Epsilon | None:
        return smallest_epsilon(lambda epsilon: measure(float(epsilon)), wanted, start=E(start))

    assert found(lambda _: 0.1, 0.2) == MIN_EPSILON
    assert found(lambda _: 0.2, 0.1) is None
    assert found(lambda _: 0.2, 0.2 - 1e-12) is None
    assert found(lambda epsilon: 1 / epsilon, 1 / 50) == MAX_EPSILON


def problem(counts: list[int], delta: Delta = NO_DELTA, **changes: Any) -> Problem:
    return Problem(np.array(counts), (1.0,) * len(counts), delta, **changes)


def test_a_plan_weighs_every_mechanism_and_recommends_with_a_reason() -> None:
    (point,) = plan(problem([40, 60]), [E("0.8")]).points
    options = {option.calibration: option for option in point.options}
    assert set(options) == set(CALIBRATIONS)
    assert options[calibrations.GAUSSIAN].refusal is not None
    assert point.recommended.option.calibration is calibrations.SIMPLEX_GEOMETRIC
    assert "95 % intervals are the narrowest at these counts" in point.recommended.why
    geometric, laplace = options[calibrations.SIMPLEX_GEOMETRIC], options[calibrations.LAPLACE]
    assert geometric.error is not None
    assert laplace.error is not None
    assert geometric.error.expected < laplace.error.expected


def test_a_recommendation_never_says_that_noise_makes_an_interval_narrower() -> None:
    """Seen before: 2.06e-08 wide on average, where exact counts would give 2.07e-08."""
    for epsilon in ("10", "20", "50"):
        (point,) = plan(problem([3, 10**9]), [E(epsilon)]).points
        why = point.recommended.why
        if "where exact counts would give" in why:
            wide, exact = (float(each) for each in re.findall(r"[0-9.]+(?:e-?[0-9]+)?(?= wide|$)", why))
            assert wide > exact
        else:
            assert why.endswith("wide on average, as with exact counts")


def test_a_plan_without_intervals_goes_by_the_error() -> None:
    (point,) = plan(problem([30_000] * 40), [E("0.001")]).points
    assert all(option.widths is None or not option.widths.of_questions for option in point.options) is (
        "expected Hellinger error" in point.recommended.why
    )


def test_a_plan_for_several_records_is_that_of_a_share_of_the_epsilon() -> None:
    (several,) = plan(problem([40, 60], MICRO, records=3), [E("0.9")]).points
    (one,) = plan(problem([40, 60], MICRO), [E("0.3")]).points
    for many, single in zip(several.options, one.options, strict=True):
        if many.calibration in (calibrations.SIMPLEX_GEOMETRIC, calibrations.LAPLACE, calibrations.EXPONENTIAL_GLOBAL):
            assert many.widths == single.widths
            assert many.certificate is not None
            assert many.certificate.loss.epsilon <= E("0.9")
            assert many.certificate.details["records_per_unit"] == "3"


def test_widths_are_of_the_shares_that_are_asked_for() -> None:
    event, counts, prior = SimplexGeometric(100, 3, E("0.5")), np.array([20, 30, 50]), np.ones(3)
    pair, rest, whole = (Share(frozenset({0, 1})), share_of_cell(2), share_of_cell(0))
    widths = interval_widths(event, counts, prior, questions=[pair, rest, whole]).of_questions
    assert [each.question for each in widths] == [pair, rest, whole]
    # The share of two of three categories is 1 minus the share of the third.
    assert widths[0].expected == pytest.approx(widths[1].expected, rel=1e-9)
    assert widths[0].without_noise == pytest.approx(widths[1].without_noise, rel=1e-9)
    low, high = special.betaincinv(21, 82, [0.025, 0.975])
    assert widths[2].without_noise == pytest.approx(high - low, rel=1e-9)


@pytest.mark.parametrize("counts", [[30, 270, 700], [700, 30, 270], [270, 700, 30]])
def test_widths_of_the_largest_category_come_first(counts: list[int]) -> None:
    """In whatever order the table has its categories."""
    found = interval_widths(SimplexGeometric(1000, 3, E("0.5")), np.array(counts), np.ones(3)).of_questions
    assert [counts[min(each.question.cells)] for each in found if isinstance(each.question, Share)] == [700, 270, 30]
    assert found[0].without_noise == pytest.approx(np.diff(special.betaincinv(701, 302, [0.025, 0.975]))[0])


def test_counts_of_no_release_are_refused() -> None:
    event = SimplexGeometric(10, 2, E("1"))
    for counts, prior in (([5, 6], [1.0, 1.0]), ([11, -1], [1.0, 1.0]), ([5, 5], [1.0])):
        with pytest.raises(PlanError):
            hellinger_error(event, np.array(counts), np.array(prior))


@pytest.mark.parametrize(
    "event",
    [
        SimplexGeometric(20_000, 3, E("0.01")),
        Laplace(20_000, 3, E("0.02")),
        Gaussian(20_000, 3, Rho.parse("0.00002"), MICRO),
    ],
)
def test_widths_from_some_records_as_one_are_those_of_all(event: Event) -> None:
    prior, counts = np.array([0.5, 1.0, 3.0]), reference_counts(Shape.FALLING, 20_000, np.ones(3))
    questions = [share_of_cell(0), share_of_cell(2), Share(frozenset({1, 2}))]
    coarse = interval_widths(event, counts, prior, questions=questions)
    fine = interval_widths(event, counts, prior, questions=questions, precision=replace(widths.PLANNED, window=20_001))
    for one, other in zip(coarse.of_questions, fine.of_questions, strict=True):
        assert one.without_noise == other.without_noise
        assert abs(one.expected - other.expected) <= 1e-3 * other.expected + 5 * math.hypot(
            one.standard_error, other.standard_error
        )


@pytest.mark.every(2)
@pytest.mark.parametrize("mechanism", [SimplexGeometric, Laplace])
def test_widths_within_a_group_are_those_of_every_histogram_listed(
    mechanism: type[SimplexGeometric | Laplace],
) -> None:
    """Of the first cell among the first two, from all histograms of 40 records and the noise's own weights."""
    counts, prior, n = np.array([4, 16, 20]), np.array([1.0, 0.5, 2.0]), 40
    event = mechanism(n, 3, E("0.8"))
    found = interval_widths(event, counts, prior, questions=[Share(frozenset({0}), frozenset({0, 1}))]).of_questions[0]
    histograms = np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])
    log_prior = (special.gammaln(prior + histograms) - special.gammaln(histograms + 1.0)).sum(axis=1)
    grid = np.linspace(0.0, 1.0, 4001)[1:-1]
    parts = [special.betainc(prior[0] + a, prior[1] + b, grid) for a, b, _ in histograms]
    widths, lows = [], []
    for release in rehearse(event, counts, 24, Reproducible(0).entropy()):
        noise = np.array(release.noisy) - histograms[:, : len(release.noisy)]
        distances = np.where(noise < 0, -noise - 1, noise) if mechanism is Laplace else np.abs(noise)
        logs = log_prior - 0.4 * distances.sum(axis=1)
        weights = np.exp(logs - logs.max())
        cdf = weights @ parts / weights.sum()
        low, high = np.interp([0.025, 0.975], cdf, grid)
        widths.append(high - low)
        lows.append(low)
    assert abs(found.low - np.mean(lows)) <= 0.02 * np.mean(widths) + 5 * found.standard_error
    assert abs(found.expected - np.mean(widths)) <= 0.02 * np.mean(widths) + 5 * found.standard_error
    exact = np.diff(special.betaincinv(prior[0] + 4, prior[1] + 16, [0.025, 0.975]))[0]
    assert found.without_noise == pytest.approx(exact, rel=1e-9)


def test_widths_within_a_group_from_some_records_as_one_are_those_of_all() -> None:
    event, prior = SimplexGeometric(20_000, 3, E("0.01")), np.ones(3)
    counts, questions = np.array([2_000, 8_000, 10_000]), [Share(frozenset({0}), frozenset({0, 1}))]
    coarse = interval_widths(event, counts, prior, questions=questions).of_questions[0]
    precision = replace(widths.PLANNED, window=20_001)
    fine = interval_widths(event, counts, prior, questions=questions, precision=precision).of_questions[0]
    assert abs(coarse.expected - fine.expected) <= 0.02 * fine.expected + 5 * math.hypot(
        coarse.standard_error, fine.standard_error
    )
