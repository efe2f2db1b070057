import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.candidates import of_shares
from core.dirichlet import hellinger_of_posteriors
from core.inference.contrast_scales import Contrast
from core.inference.events import Share
from core.mechanisms import calibrations
from core.mechanisms.catalogue import Event, certify, certify_unit_at_once, rehearse
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON, EventError
from core.mechanisms.exponential.calibration import calibrate_global
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Calibration
from core.planning.intervals import Asked, Guess
from core.planning.options import CALIBRATIONS, QUICK, Problem
from core.planning.plans import Point, Target, plan
from core.planning.questions import ContrastOfShares, Question, share_of_cell
from core.planning.release_error import PlanError, hellinger_error
from core.planning.smallest_charge import smallest_charge
from core.privacy import Delta, Epsilon, Rho
from core.samplers.entropy import SeededEntropy

E = Epsilon.parse
NO_DELTA, MICRO = Delta(0), Delta.parse("0.000001")


@pytest.mark.parametrize(
    "calibration", [each for each in CALIBRATIONS if each.within is not None], ids=lambda each: each.kind
)
@pytest.mark.parametrize("n", [40, 900])
def test_no_option_is_dearer_than_asked(calibration: Calibration[Any], n: int) -> None:
    assert calibration.within is not None
    event = calibration.within(n, (1.0, 2.0), E("0.7"), MICRO)
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
        calibrate_global(60, (1.0, 1.0), E("3")),
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
    event = calibrate_global(400, (1.0,) * 5, E("40"))
    counts = of_shares(400, 1 / np.arange(1, 6))
    error = hellinger_error(event, counts, np.ones(5))
    released = np.array([r.on_simplex for r in rehearse(event, counts, 400, SeededEntropy(3))])
    distances = hellinger_of_posteriors(np.ones(5), counts, released)
    assert error.standard_error == 0.0
    assert abs(distances.mean() - error.expected) < 6 * distances.std() / 20
    assert abs(np.abs(released - counts).sum(axis=1).mean() - error.expected_l1) < 8 * n_deviation(released, counts)
    for each in error.exceedances:
        assert abs((distances >= each.distance).mean() - each.probability) < 6 * (0.5 / 20 + error.probability_error)


def test_a_simulated_error_repeats_and_states_its_rehearsals() -> None:
    event, counts = SimplexGeometric(300, 5, E("0.5")), of_shares(300, 1 / np.arange(1, 6))
    first, second = (hellinger_error(event, counts, np.ones(5)) for _ in range(2))
    assert first == second
    assert (first.method, first.rehearsals) == ("simulation", 200)
    other = hellinger_error(event, counts, np.ones(5), seed=1)
    assert abs(first.expected - other.expected) < 6 * 2**0.5 * first.standard_error


def test_the_smallest_epsilon_reaches_the_accuracy_and_one_percent_less_does_not() -> None:
    counts, prior = np.array([130, 470]), np.ones(2)

    def measure(epsilon: Epsilon) -> float:
        return hellinger_error(SimplexGeometric(600, 2, epsilon), counts, prior).expected

    found = smallest_charge(measure, 0.05, start=MAX_EPSILON)
    assert found is not None
    assert measure(found) <= 0.05
    assert measure(Epsilon(int(found.units / 1.011))) > 0.05
    assert smallest_charge(measure, -1.0, start=MAX_EPSILON) is None


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

    found = smallest_charge(measure_it, wanted, start=E(start))
    assert found is not None
    assert measure(float(found)) <= wanted
    below = [each for each in measured if each < float(found)]
    assert max(below) >= float(found) / 1.01
    assert len(measured) <= 40


@pytest.mark.parametrize("start", ["0.0001", "0.8", "50"])
def test_the_least_and_the_largest_epsilon_are_tried_too(start: str) -> None:
    def found(measure: Callable[[float], float], wanted: float) -> Epsilon | None:
        return smallest_charge(lambda epsilon: measure(float(epsilon)), wanted, start=E(start))

    assert found(lambda _: 0.1, 0.2) == MIN_EPSILON
    assert found(lambda _: 0.2, 0.1) is None
    assert found(lambda _: 0.2, 0.2 - 1e-12) is None
    assert found(lambda epsilon: 1 / epsilon, 1 / 50) == MAX_EPSILON


@pytest.mark.parametrize("start", ["0.00001", "0.1", "900"])
def test_the_smallest_rho_is_found_from_anywhere_in_few_steps(start: str) -> None:
    measured: list[float] = []

    def measure(rho: Rho) -> float:
        measured.append(float(rho))
        return float(measured[-1] ** -0.5)

    found = smallest_charge(measure, 4.0, start=Rho.parse(start))
    assert found is not None
    assert 1 / 16 <= float(found) <= 1.01 / 16
    assert len(measured) <= 40


FIRST = share_of_cell(0)
RISKS = Share(frozenset({0}), frozenset({0, 1})), Share(frozenset({2}), frozenset({2, 3}))
RATIO = ContrastOfShares(*RISKS, Contrast.RATIO)


def problem(
    counts: list[int], delta: Delta = NO_DELTA, questions: tuple[Question, ...] = (FIRST,), **changes: Any
) -> Problem:
    guess = Guess(np.array(counts), is_size_private=changes.pop("is_size_private", False))
    asked = [Asked.at(each, guess.counts, changes.get("against")) for each in questions]
    changes.pop("against", None)
    return Problem(guess, (1.0,) * len(counts), delta, [each for each in asked if each is not None], **changes)


def kinds_of(point: Point) -> list[str]:
    return [each.calibration.kind for each in point.options if each.refusal is None]


def best_of(point: Point) -> str:
    assert point.recommended is not None
    return point.recommended.option.calibration.kind


def test_a_plan_compares_mechanisms_at_equal_rho() -> None:
    """Seen before: geometric noise was recommended, as it is narrower at the same ε, which costs twice the ρ."""
    (point,) = plan(problem([20, 80], MICRO), [Rho.parse("0.005")]).points
    geometric, _, gaussian = point.options
    for each in point.options:
        assert each.is_within(NO_DELTA)
        assert each.certificate is not None
        assert each.certificate.loss.rho is not None
        assert float(each.certificate.loss.rho) == pytest.approx(0.005, rel=5e-4)
    assert best_of(point) == "gaussian"
    assert gaussian.asked == Rho.parse("0.005")
    assert geometric.asked == E("0.10003")
    assert gaussian.intervals[0].width < 0.78 * geometric.intervals[0].width
    (at_epsilon,) = plan(problem([20, 80], MICRO), [E("0.1")]).points
    assert best_of(at_epsilon) == "simplex_geometric"
    assert at_epsilon.options[2].intervals[0].width > 1.5 * at_epsilon.options[0].intervals[0].width


@pytest.mark.parametrize("records", [1, 3])
@pytest.mark.parametrize("is_size_private", [False, True])
def test_no_option_costs_more_than_its_rho(records: int, is_size_private: bool) -> None:  # noqa: FBT001
    of_size = calibrations.AT_PRIVATE_N if is_size_private else QUICK
    asked = problem([30, 200, 70], MICRO, is_size_private=is_size_private, records=records, calibrations=of_size)
    for point in plan(asked, [Rho.parse("0.01"), Rho.parse("2.5")]).points:
        assert len(kinds_of(point)) == 3
        for each in point.options:
            assert each.certificate is not None
            assert each.certificate.loss.rho is not None
            assert 0.999 * point.charge.units <= each.certificate.loss.rho.units <= point.charge.units


def test_a_trial_of_rare_cases_in_many_cells_is_not_suggested_an_epsilon_that_decides_nothing() -> None:
    """Seen before: ε = 0.1 was preselected for the vaccine trial in 80 cells, where it decides in a twentieth."""
    rng = np.random.default_rng(1)
    cells = [rng.multinomial(size, np.ones(20) / 20).tolist() for size in (8, 18_190, 162, 18_163)]
    groups = [frozenset(range(20 * each, 20 * each + 20)) for each in range(4)]
    risks = Share(groups[0], groups[0] | groups[1]), Share(groups[2], groups[2] | groups[3])
    asked = problem([each for of in cells for each in of], questions=(ContrastOfShares(*risks, Contrast.RATIO),))
    found = plan(asked, [E(each) for each in ("0.1", "0.3", "0.5", "1")])
    powers = [point.options[0].intervals[0].decides for point in found.points]
    assert powers[0] is not None
    assert powers[0] < 0.15
    assert found.suggested is not None
    assert found.suggested.option.charge == E("0.5")
    assert "decides in" in found.suggested.why
    assert "at least" not in found.suggested.why
    (expected,) = found.suggested.option.intervals
    assert expected.contains >= 0.9
    assert expected.decides is not None
    assert expected.decides > 0.9


def test_a_wanted_power_is_searched_and_refused_beyond_that_of_exact_counts() -> None:
    asked = problem([20, 80, 35, 65], questions=(RATIO,), calibrations=QUICK[:1])
    reached = plan(asked, [E("1")], Target(power=0.6, places=(0,)))
    assert reached.recommended is not None
    option = reached.recommended.option
    assert 0.5 < float(option.charge) < 1.5
    assert option.intervals[0].decides is not None
    assert option.intervals[0].decides >= 0.58
    refused = plan(asked, [E("1")], Target(power=0.8, places=(0,)))
    assert refused.unreachable is not None
    assert refused.unreachable.startswith("Even exact counts decide in only 6")


def test_a_wanted_width_is_reached_at_the_smallest_charge_of_either_unit() -> None:
    for start in (E("0.5"), Rho.parse("0.1")):
        found = plan(problem([40, 960], MICRO), [start], Target(width=0.03, places=(0,)))
        for each in found.reached:
            assert each.option is not None
            assert type(each.option.charge) is type(start)
            assert 0.0295 < each.option.intervals[0].width <= 0.03
    unreachable = plan(problem([40, 960]), [E("1")], Target(width=0.01, places=(0,))).unreachable
    assert unreachable is not None
    assert "exact counts would already give an interval 0.02" in unreachable


def test_a_plan_weighs_every_mechanism_that_is_asked_for_and_recommends_with_a_reason() -> None:
    (point,) = plan(problem([40, 60], calibrations=CALIBRATIONS, has_errors=True), [E("0.8")]).points
    options = {option.calibration: option for option in point.options}
    assert set(options) == set(CALIBRATIONS)
    assert options[calibrations.GAUSSIAN].refusal is not None
    assert best_of(point) == "simplex_geometric"
    assert point.recommended is not None
    assert "95 % intervals contain the guess in 9" in point.recommended.why
    geometric, laplace = options[calibrations.SIMPLEX_GEOMETRIC], options[calibrations.LAPLACE]
    assert geometric.error is not None
    assert laplace.error is not None
    assert geometric.error.expected < laplace.error.expected
    exponential = options[calibrations.EXPONENTIAL_GLOBAL]
    assert exponential.unknown is not None
    assert exponential.error is not None


def test_a_reason_says_that_its_figures_are_of_all_questions() -> None:
    """Seen before: a row of the risk ratio said 0.975, and the reason beside it 94.8 % without saying of what."""
    risks = [Share(frozenset({place}), frozenset({place, place + 1})) for place in (0, 2)]
    contrasts = [ContrastOfShares(risks[0], risks[1], each) for each in Contrast]
    found = plan(problem([10, 990, 40, 960], questions=(*risks, *contrasts)), [E("0.3"), E("3")])
    (first, _) = found.points
    assert first.recommended is not None
    assert "intervals of the 5 figures contain the guess in at least 9" in first.recommended.why
    assert found.suggested is not None
    least = min(each.contains for each in found.suggested.option.intervals)
    assert f"of the 5 figures contain the guess in at least {100 * least:.3g} % of releases" in found.suggested.why
    assert re.search(r"and 3 of them decide in at least [\d.]+ %, exact counts in at least", found.suggested.why)
    even = plan(problem([5, 995, 6, 994], questions=tuple(risks)), [E("3")]).suggested
    assert even is not None
    assert re.search(r"of the 2 figures .* and are at most [\d.]+ times as wide as with exact", even.why)


def test_a_suggested_charge_at_which_an_answer_says_nearly_nothing_says_so() -> None:
    """Seen before: ε = 0.5 was suggested for a group of two people, whose interval is 0.001 to 0.998."""
    of_two = Share(frozenset({0}), frozenset({0, 1}))
    found = plan(problem([1, 1, 500, 498], questions=(of_two,)), [E("0.1"), E("0.5")]).suggested
    assert found is not None
    assert re.search(r"; but the answer says nearly nothing: its interval, 0\.00\d+ to 0\.99\d*, is nearly", found.why)
    clear = plan(problem([50, 150, 500, 498], questions=(of_two,)), [E("0.5")]).suggested
    assert clear is not None
    assert "nearly nothing" not in clear.why


def test_a_target_is_reached_at_the_smallest_charge_in_words() -> None:
    """Seen before: “at the smallest ε, or at most 2 % more than that”."""
    found = plan(problem([40, 960], MICRO), [E("0.5")], Target(width=0.03, places=(0,)))
    assert found.recommended is not None
    assert re.fullmatch(
        r"it reaches this at ε = [\d.]+, (the smallest|at most 2 % above the smallest)", found.recommended.why
    )


def test_a_recommendation_never_says_that_noise_makes_an_interval_narrower() -> None:
    """Seen before: 2.06e-08 wide on average, where exact counts would give 2.07e-08."""
    for epsilon in ("10", "20", "50"):
        (point,) = plan(problem([3, 10**9]), [E(epsilon)]).points
        assert point.recommended is not None
        why = point.recommended.why
        if "where exact counts would give" in why:
            wide, exact = (float(each) for each in re.findall(r"[0-9.]+(?:e-?[0-9]+)?(?= wide|$)", why))
            assert wide > exact
        else:
            assert why.endswith("wide on average, as with exact counts")


def test_a_plan_for_several_records_is_that_of_a_share_of_the_epsilon() -> None:
    (several,) = plan(problem([40, 60], MICRO, records=3), [E("0.9")]).points
    (one,) = plan(problem([40, 60], MICRO), [E("0.3")]).points
    for many, single in zip(several.options, one.options, strict=True):
        if many.calibration in (calibrations.SIMPLEX_GEOMETRIC, calibrations.LAPLACE):
            assert many.intervals == single.intervals
            assert many.certificate is not None
            assert many.certificate.loss.epsilon <= E("0.9")
            assert many.certificate.details["records_per_unit"] == "3"


def test_each_option_is_what_a_release_at_its_amount_would_be() -> None:
    asked = problem([500, 300, 200], MICRO, records=2)
    for point in plan(asked, [E("0.05"), E("2")]).points:
        for each in point.options:
            assert isinstance(each.asked, Epsilon)
            event = each.calibration.asked(1000, asked.prior, each.asked, MICRO, 2)
            assert (each.event, each.certificate) == (event, certify_unit_at_once(event, 2))


def test_a_mechanism_that_cannot_run_anywhere_says_why() -> None:
    for point in plan(problem([5, 5]), [E("0.1"), E("1")]).points:
        (gaussian,) = (each for each in point.options if each.calibration is calibrations.GAUSSIAN)
        assert gaussian.event is None
        assert gaussian.refusal
    with pytest.raises(EventError):
        plan(problem([5, 5], MICRO), [E("60")])


def test_a_plan_at_a_private_size_has_the_noise_on_every_count_and_its_price() -> None:
    asked = problem([40, 960, 60, 940], MICRO, is_size_private=True, records=2, calibrations=calibrations.AT_PRIVATE_N)
    (point,) = plan(asked, [E("0.5")]).points
    assert kinds_of(point) == ["geometric_at_private_n", "laplace_at_private_n", "gaussian_at_private_n"]
    for each in point.options:
        assert each.is_within(MICRO)
        assert each.certificate is not None
        assert each.certificate.relation == "add_remove"
        assert each.error is None
        assert each.intervals[0].width > 0.0
    assert best_of(point) == "geometric_at_private_n"
    assert point.at_public_size is not None


def test_counts_of_no_release_are_refused() -> None:
    event = SimplexGeometric(10, 2, E("1"))
    for counts, prior in (([5, 6], [1.0, 1.0]), ([11, -1], [1.0, 1.0]), ([5, 5], [1.0])):
        with pytest.raises(PlanError):
            hellinger_error(event, np.array(counts), np.array(prior))
