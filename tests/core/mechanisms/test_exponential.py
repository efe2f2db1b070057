"""The exponential mechanism draws from the law it states, and is never less private than its certificate says."""

from __future__ import annotations

import numpy as np
import pytest

from core.candidates import candidate_index
from core.mechanisms.calibration_search import reference_histograms
from core.mechanisms.event import EventError
from core.mechanisms.exponential import (
    CandidateSpaceError,
    Exponential,
    calibrate_global,
    calibrate_proven,
    calibrate_published,
    certify,
    rate_at,
    release,
    weights_at,
)
from core.privacy import Delta, Epsilon
from core.private import Private
from core.samplers.entropy import SeededEntropy
from core.sensitivity import global_sensitivity, smooth_sensitivity
from tests.core.chi_square import assert_accepts, assert_rejects
from tests.core.histograms import histograms, neighbours
from tests.core.test_sensitivity import hellinger

DELTA = Delta.parse("0.00000001")
PRIORS = [((1.0, 1.0), 12), ((0.3, 2.5), 10), ((20.0, 0.01), 10), ((1.0, 1.0, 1.0), 6), ((0.5, 3.7, 0.2), 6), ((1.0, 0.4, 2.0, 9.0), 4)]
AMOUNTS = ["0.1", "0.8", "5", "40"]


def events(prior: tuple[float, ...], n: int, epsilon: str) -> list[Exponential]:
    amount = Epsilon.parse(epsilon)
    return [calibrate_published(n, prior, amount, DELTA), calibrate_global(n, prior, amount)]


def law(event: Exponential, counts: tuple[int, ...], rate_factor: float = 1.0) -> np.ndarray:
    """The probabilities by the formula, with nothing taken from the implementation but the sensitivities."""
    prior, c = np.array(event.prior), np.array(counts)
    sensitivity = global_sensitivity(prior, event.n) if event.gamma is None else smooth_sensitivity(prior, c, event.gamma)
    rate = rate_factor * float(event.epsilon0) / (2 * sensitivity)
    weights = np.array([np.exp(-rate * hellinger(prior + c, prior + np.array(r))) for r in histograms(event.n, event.m)])
    if event.uniform_admixture is not None:
        weights += np.exp(-event.uniform_admixture)
    return np.asarray(weights / weights.sum())


def integer_law(event: Exponential, counts: tuple[int, ...]) -> np.ndarray:
    weights = weights_at(event, np.array(counts))
    return np.asarray(weights / float(weights.sum(dtype=object)))


@pytest.mark.parametrize("epsilon", AMOUNTS)
@pytest.mark.parametrize(("prior", "n"), PRIORS)
def test_the_integer_weights_follow_the_stated_law(prior: tuple[float, ...], n: int, epsilon: str) -> None:
    for event in events(prior, n, epsilon):
        for counts in histograms(n, len(prior)):
            assert integer_law(event, counts) == pytest.approx(law(event, counts), rel=1e-5, abs=1e-14)
            assert weights_at(event, np.array(counts)).min() >= 1


@pytest.mark.parametrize("epsilon", AMOUNTS)
@pytest.mark.parametrize(("prior", "n"), PRIORS)
def test_the_certificate_is_never_below_the_true_loss(prior: tuple[float, ...], n: int, epsilon: str) -> None:
    for event in events(prior, n, epsilon):
        certificate = certify(event)
        logs = {counts: np.log(integer_law(event, counts)) for counts in histograms(n, len(prior))}
        worst = max(float((logs[x] - logs[y]).max()) for x in logs for y in neighbours(x))
        spread = max(float(np.ptp(logs[x] - logs[y])) for x in logs for y in neighbours(x))
        assert certificate.loss.delta == Delta(0)
        assert worst <= float(certificate.loss.epsilon)
        assert certificate.loss.rho is not None
        assert spread**2 / 8 <= float(certificate.loss.rho)


@pytest.mark.parametrize("epsilon", AMOUNTS)
@pytest.mark.parametrize(("prior", "n"), [*PRIORS, ((1e4, 1e4), 100)])
def test_the_global_calibration_costs_no_more_than_was_asked(prior: tuple[float, ...], n: int, epsilon: str) -> None:
    asked = Epsilon.parse(epsilon)
    assert certify(calibrate_global(n, prior, asked)).loss.epsilon <= asked


def test_the_published_calibration_is_that_of_the_source() -> None:
    event = calibrate_published(1000, (1.0, 1.0), Epsilon.parse("0.8"), DELTA)
    assert event.epsilon0 == Epsilon.parse("0.8")
    assert event.gamma == pytest.approx(np.log(1 + 0.8 / (2 * np.log(2 * 1001 / 1e-8))), rel=1e-14)


@pytest.mark.parametrize("calibration", [0, 1])
def test_draws_pass_for_the_right_law_and_for_no_near_one(calibration: int) -> None:
    event = events((1.0, 0.5, 2.0), 9, "12")[calibration]
    counts, entropy = (4, 2, 3), SeededEntropy(11)
    sealed = Private(np.array(counts))
    draws = [candidate_index(release(sealed, event, entropy).value.noisy) for _ in range(1_500)]
    assert_accepts(draws, dict(enumerate(law(event, counts))))
    assert_rejects(draws, dict(enumerate(law(event, counts, rate_factor=1.3))))
    assert_rejects(draws, dict(enumerate(law(event, counts, rate_factor=0.7))))
    assert_rejects(draws, dict(enumerate(law(event, (3, 3, 3)))))


def test_a_release_is_a_histogram_of_n_records_and_carries_the_certified_loss() -> None:
    event = calibrate_published(60, (1.0, 1.0, 1.0), Epsilon.parse("0.8"), DELTA)
    released = release(Private(np.array([20, 20, 20])), event, SeededEntropy(1))
    assert sum(released.value.noisy) == 60
    assert min(released.value.noisy) >= 0
    assert released.value.noisy == released.value.on_simplex
    assert released.loss == certify(event).loss


def test_too_large_a_space_is_refused_before_the_counts_are_opened() -> None:
    event = calibrate_published(10**5, (1.0,) * 10, Epsilon.parse("0.8"), DELTA)
    with pytest.raises(CandidateSpaceError):
        release(Private(np.array([-1])), event, SeededEntropy(1))
    with pytest.raises(CandidateSpaceError):
        certify(event)


@pytest.mark.parametrize("prior", [(1.0,), (1.0, 0.0), (1.0, -1.0), (1.0, float("nan")), (1.0, float("inf")), (1.0, 1e7)])
def test_a_prior_outside_the_limits_is_refused(prior: tuple[float, ...]) -> None:
    with pytest.raises(EventError):
        Exponential(10, prior, Epsilon.parse("1"), None, None, "global", Delta(0))


@pytest.mark.parametrize("delta", [Delta(0), Delta(10**18)])
def test_the_published_calibration_needs_a_delta_between_zero_and_one(delta: Delta) -> None:
    with pytest.raises(EventError):
        calibrate_published(10, (1.0, 1.0), Epsilon.parse("1"), delta)


@pytest.mark.parametrize("epsilon", AMOUNTS)
@pytest.mark.parametrize(("prior", "n"), [((1.0, 1.0), 200), ((0.3, 2.5), 40), ((1.0, 1.0, 1.0), 50)])
def test_the_proven_calibration_uses_what_it_may_and_beats_the_published_one(prior: tuple[float, ...], n: int, epsilon: str) -> None:
    asked = Epsilon.parse(epsilon)
    event = calibrate_proven(n, prior, asked, Delta(0))
    charged = certify(event).loss
    assert asked.units * 0.999 <= charged.epsilon.units <= asked.units
    assert charged.delta == Delta(0)
    published = calibrate_published(n, prior, asked, DELTA)

    def rate_per_epsilon(of: Exponential) -> float:
        """κ on geometric average over the reference histograms, for each ε charged."""
        return float(np.exp(np.mean([np.log(rate_at(of, c)) for c in reference_histograms(n, len(prior))]))) / float(
            certify(of).loss.epsilon
        )

    # At a large ε the loss grows faster than ε₀, and one published at a higher charge is no comparison.
    assert float(asked) > 1 or rate_per_epsilon(event) > rate_per_epsilon(published)
