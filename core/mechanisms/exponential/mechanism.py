"""The exponential mechanism over posteriors, scored by Hellinger distance, with smooth or global sensitivity.

Given the histogram c of n records it draws the candidate posterior Dir(α + r), r another histogram of n records, with probability

    P(r | c) ∝ e^{−κ_c·H(Dir(α + c), Dir(α + r))} + e^{−L},     κ_c = ε₀ / (2 S_γ(c)).

S_γ is the γ-smooth sensitivity, or the global one where γ is None. The optional L makes every weight at least e^{−L}: it costs less than a
millionth of the probability, and bounds what the change of κ between neighbours can do to the loss.
Sources: Bun, Gaboardi, Farina and Liu, "Tailoring differentially private Bayesian inference to distance between distributions", theorem 4.1; the same
mechanism is definition 2.1 of their "Notes of DP - Bayesian inference". What it is proven to satisfy here stands in `docs/privacy-proofs.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, candidate_count, enumerable
from core.certificate import Certificate
from core.limits import MAX_CONCENTRATION, MIN_CONCENTRATION
from core.mechanisms.event import EventError, check_epsilon, check_size
from core.mechanisms.exponential.bounds import (
    ProvenLoss,
    excess_by_ratio,
    largest_rate,
    log_candidate_count,
    prove,
    score_and_change,
    theorem_seconds,
    zcdp_of_range,
)
from core.mechanisms.exponential.exact_loss import LARGEST_SPACE, LARGEST_TWO, evaluable, evaluation_seconds, exact_loss
from core.mechanisms.exponential.mixture import HellingerMixture, numerical_slack, pure_slack
from core.mechanisms.exponential.normalisers import normaliser_excess
from core.mechanisms.exponential.rates import bound_of_rate_change, largest_rate_change
from core.mechanisms.exponential.search import best_gamma, largest_epsilon0, reference_histograms
from core.mechanisms.exponential.sensitivity import global_sensitivity, smooth_sensitivity
from core.mechanisms.exponential.weights import admixture_for, exponent_slack, integer_weights, rounding_slack
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.unsealing import open_histogram
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy
from core.samplers.uniform import categorical

CalibrationName: TypeAlias = Literal["published", "proven", "certified", "global"]

_QUICK_SECONDS: Final = 0.7
"""Up to this public estimate the whole channel is evaluated whatever the calibration, since the charge then is the true loss."""

_SAMPLE: Final = 300
"""Pairs of neighbours that a search looks at."""

_SEARCHED: Final = 34
"""Values of γ that a search compares."""

_SEARCHED_UP_TO: Final = 20_000
"""Up to this n a search looks at the change of κ everywhere, where it can be; beyond, at its bound."""

MAX_RECORDS: Final = 10_000_000
MAX_CATEGORIES: Final = 1_000

_ENUMERATED_UP_TO: Final = 1 << 15
"""Spaces of up to this many candidates are drawn from by visiting each, larger ones through the mixture: which is quicker."""

REHEARSED_BY_WEIGHTS: Final = 1 << 18
"""A rehearsal may take longer than a release: spaces of up to this many candidates are rehearsed by visiting each."""

_PURE_UP_TO: Final = 590.0
"""Up to this sum of the largest exponent and ln |R| a draw through the mixture keeps pure ε-DP pure."""

_LARGEST_DELTA_OF_DRAW: Final = 1e-18
"""What a draw through the mixture may add to δ where it cannot be kept pure: one unit of δ."""


@dataclass(frozen=True, slots=True)
class Exponential:
    """Every public parameter that fixes the channel, and how they were chosen.

    `gamma` > 0, or None for the global sensitivity. `uniform_admixture` L > 0 adds e^{−L} to every weight; None adds nothing. `delta` is what
    the certificate may use. Raises EventError outside the limits.
    """

    n: int
    prior: tuple[float, ...]
    epsilon0: Epsilon
    gamma: float | None
    uniform_admixture: float | None
    calibration: CalibrationName
    delta: Delta

    def __post_init__(self) -> None:
        check_size(self.n, len(self.prior))
        _require(self.n <= MAX_RECORDS, f"the exponential mechanism takes at most {MAX_RECORDS} records")
        _require(self.m <= MAX_CATEGORIES, f"the exponential mechanism takes at most {MAX_CATEGORIES} categories")
        _require(
            all(MIN_CONCENTRATION <= a <= MAX_CONCENTRATION for a in self.prior),
            "each prior must lie between 0.001 and 1000000",
        )
        _require(self.epsilon0.units >= 1, "epsilon0 must be positive")
        _require(self.gamma is None or 0 < self.gamma < math.inf, "gamma must be positive")
        _require(
            self.uniform_admixture is None or 0 < self.uniform_admixture < math.inf, "the admixture must be positive"
        )
        _require(self.delta.value < 1, "delta must be below 1")

    @property
    def m(self) -> int:
        return len(self.prior)


def calibrate_published(n: int, prior: tuple[float, ...], nominal_epsilon: Epsilon, delta: Delta) -> Exponential:
    """The mechanism as printed: ε₀ = ε and γ = ln(1 + ε/(2 ln(2(n + 1)/δ))).

    What it is proven to satisfy is in its certificate, and may be more than the nominal ε. Requires δ > 0, which γ depends on.
    Source: "Tailoring differentially private Bayesian inference to distance between distributions", theorem 4.1.
    """
    check_epsilon(nominal_epsilon)
    _require(0 < delta.value < 1, "delta must lie strictly between 0 and 1")
    gamma = math.log1p(float(nominal_epsilon) / (2 * math.log(2 * (n + 1) / float(delta))))
    return _with_enough_delta(_smooth(n, prior, nominal_epsilon, gamma, "published", delta))


def calibrate_global(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta = Delta(0)) -> Exponential:
    """κ = ε/(2 GS) at every histogram, less the rounding of the draw: ε-DP. Source: McSherry and Talwar 2007, theorem 6.

    `delta` is needed by the draw in the largest spaces only, one unit of it.
    """
    check_epsilon(epsilon)
    rate = largest_rate(np.array(prior), n, float(epsilon), None)
    event = Exponential(n, prior, epsilon, None, admixture_for(n, len(prior), rate), "global", delta)
    epsilon0 = Epsilon.floor(max(float(epsilon) * (1 - 2e-9) - _arithmetic(event).epsilon, 0.0))
    return _with_enough_delta(replace(event, epsilon0=epsilon0))


@lru_cache(maxsize=256)
def calibrate_proven(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """The largest ε₀, and the γ, for which the theorems prove at most `epsilon`, at any size.

    γ is the one with the largest κ, on geometric average, at made-up reference histograms: the larger κ, the smaller the expected distance of
    what is drawn. `delta` is what the numerical slack of a draw may use; the theorems need none.
    """
    check_epsilon(epsilon)
    alpha, allowed = np.array(prior), float(epsilon)
    normalisers = normaliser_excess(alpha, n, allowed, math.inf) / allowed
    log_candidates = log_candidate_count(n, len(prior))
    references = reference_histograms(n, len(prior))
    change = largest_rate_change if n <= _SEARCHED_UP_TO else bound_of_rate_change

    def epsilon0_for(gamma: float) -> float:
        share = change(alpha, n, 1.0, gamma)
        by_change = allowed / (
            normalisers + max(score_and_change(0.5, share), 0.5 + min(share, gamma * log_candidates / allowed))
        )
        by_ratio = (allowed - excess_by_ratio(math.inf, gamma, admixture_for(n, len(prior), math.inf))) / (
            0.5 + normalisers
        )
        return max(by_change, by_ratio)

    def worth(gamma: float) -> float:
        return math.log(epsilon0_for(gamma)) - float(
            np.mean([math.log(smooth_sensitivity(alpha, c, gamma)) for c in references])
        )

    gamma = best_gamma(worth)

    def event(epsilon0: Epsilon) -> Exponential:
        return _smooth(n, prior, epsilon0, gamma, "proven", delta)

    largest = largest_epsilon0(lambda epsilon0: certify(event(epsilon0)).loss.epsilon, epsilon, epsilon0_for(gamma))
    return _with_enough_delta(event(largest))


@lru_cache(maxsize=64)
def calibrate_certified(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """The largest ε₀, and the γ, for which the whole channel, evaluated, is (`epsilon`, `delta`)-DP; `delta` may be 0.

    γ as in `calibrate_proven`, with ε₀ found on a sample of the neighbours; what is returned was certified on all of them. Raises EventError
    where the channel is too large to evaluate.
    """
    check_epsilon(epsilon)
    _require(
        evaluable(n, len(prior)),
        f"certified needs 2 categories and n <= {LARGEST_TWO}, or at most {LARGEST_SPACE} candidates over few categories",
    )
    alpha = np.array(prior)
    references = reference_histograms(n, len(prior))

    @lru_cache
    def epsilon0_for(gamma: float) -> Epsilon:
        return largest_epsilon0(
            lambda epsilon0: _exact(_smooth(n, prior, epsilon0, gamma, "certified", delta), sample=_SAMPLE)[0],
            epsilon,
            1.8 * float(epsilon),
        )

    def worth(gamma: float) -> float:
        return math.log(epsilon0_for(gamma)) - float(
            np.mean([math.log(smooth_sensitivity(alpha, c, gamma)) for c in references])
        )

    gamma = best_gamma(worth)

    def loss_at(epsilon0: Epsilon) -> Epsilon:
        return certify(_smooth(n, prior, epsilon0, gamma, "certified", delta)).loss.epsilon

    return _smooth(n, prior, largest_epsilon0(loss_at, epsilon, float(epsilon0_for(gamma))), gamma, "certified", delta)


@lru_cache(maxsize=1024)
def certify(event: Exponential) -> Certificate:
    """What is proven of the channel that `release` draws from, its rounding included; relation replace_one.

    By evaluation of the whole channel where that was asked for or is quick, else by the theorems: a matter of public sizes. A δ is spent where
    the calibration was certified at it, and where a draw cannot be kept pure.
    """
    if event.calibration == "certified" or evaluation_seconds(event.n, event.m) <= _QUICK_SECONDS:
        epsilon, loss_range, details = _exact(event, sample=None)
        delta = event.delta if event.calibration == "certified" else Delta(0)
        loss = PrivacyLoss(epsilon, delta, Rho.ceil(zcdp_of_range(loss_range)))
        return Certificate(
            loss,
            "exact_channel",
            _statement(loss, "by evaluation of the whole channel"),
            NeighbourRelation.REPLACE_ONE,
            details,
        )
    proven, draw = _proven(event), _arithmetic(event)
    loss = PrivacyLoss(
        epsilon=Epsilon.ceil(proven.epsilon + draw.epsilon),
        delta=Delta.ceil(proven.delta * (1 + 1e-6) + draw.delta),
        # Total variation between two channels says nothing of the range of their losses.
        rho=Rho.ceil(zcdp_of_range(proven.loss_range + 2 * draw.epsilon)) if draw.delta == 0 else None,
    )
    details = {name: f"{value:.9f}" for name, value in proven.terms.items()}
    details |= {
        "draw": draw.method,
        "rounding": f"{draw.epsilon:.3e}",
        "total_variation": f"{draw.total_variation:.3e}",
    }
    return Certificate(loss, "theorem", _statement(loss, f"by {proven.reason}"), NeighbourRelation.REPLACE_ONE, details)


def estimate_seconds(calibration: CalibrationName, n: int, m: int) -> float:
    """A public estimate, on one core, of what the first `calibrate_…` and `certify` of a request take; infinite where it is refused."""
    evaluation = evaluation_seconds(n, m)
    certificate = evaluation if evaluation <= _QUICK_SECONDS else theorem_seconds(n, m)
    match calibration:
        case "published" | "global":
            return certificate
        case "proven":
            return 0.2 + 8 * certificate
        case "certified":
            return 4 * evaluation + _SEARCHED * 5 * min(evaluation, _SAMPLE * (1e-4 + 1e-8 * n))
        case _:
            assert_never(calibration)


def typical_draw_seconds(n: int, prior: tuple[float, ...]) -> float:
    """A generous public estimate, on one core, of what one `release` takes beside its certificate: enough for the slowest histogram and ε.

    The mixture sums over windows that reach about sqrt(8 D (α_i + c_i)) to either side of c_i, D the depth in nats at which they are cut: at most 600
    beyond where weights are negligible. The root is concave, so an even spread has the widest of all. The term in m is the scan for the sensitivity.
    """
    m = len(prior)
    if _enumerated(n, m):
        return 0.005 + 3e-4 * m + 5e-7 * candidate_count(n, m)
    depth = 60 + min(log_candidate_count(n, m), 600.0)
    reach = 2 * math.sqrt(4 * depth**2 + 8 * depth * (sum(prior) + n) / m)
    return 0.02 + 3e-3 * m + 6e-7 * m * min(n, reach)


def prepare(event: Exponential) -> None:
    """Computes what every draw of this event needs and nothing private enters; kept for the draws to come."""
    _arithmetic(event)


def release(
    counts: Private[NDArray[np.int64]], event: Exponential, entropy: Entropy, *, loss: PrivacyLoss | None = None
) -> Released[NoisyCounts]:
    """One candidate, drawn from the channel that `certify` speaks of.

    `counts`: a histogram of `event.n` records over `event.m` categories. Small spaces are drawn from by integer weights, large ones through the
    mixture of `core.mechanisms.exponential.mixture`; n and m alone decide. `loss`: what `certify(event)` has proven, where that is at hand.
    """
    histogram = open_histogram(counts, n=event.n, m=event.m)
    if _enumerated(event.n, event.m):
        drawn = candidate(categorical(weights_at(event, histogram), entropy), event.n, event.m)
    else:
        mixture = HellingerMixture(event.prior, histogram, tolerance=_arithmetic(event).tolerance)
        admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
        drawn = tuple(mixture.sampler(rate_at(event, histogram), log_admixture=admixture).draw(entropy).tolist())
    return Released(NoisyCounts(drawn, drawn), certify(event).loss if loss is None else loss)


def rehearse(counts: NDArray[np.int64], event: Exponential, entropy: Entropy, size: int) -> tuple[NoisyCounts, ...]:
    """`size` runs of the channel on counts that someone made up, shape (m,), sum n: for planning, no release."""
    if candidate_count(event.n, event.m) <= REHEARSED_BY_WEIGHTS:
        weights = weights_at(event, counts)
        drawn = [candidate(categorical(weights, entropy), event.n, event.m) for _ in range(size)]
    else:
        admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
        sampler = HellingerMixture(event.prior, counts).sampler(rate_at(event, counts), log_admixture=admixture)
        drawn = [tuple(sampler.draw(entropy).tolist()) for _ in range(size)]
    return tuple(NoisyCounts(r, r) for r in drawn)


def rate_at(event: Exponential, counts: NDArray[np.int64]) -> float:
    """κ_c at the histogram `counts`: private where the sensitivity is smooth."""
    prior = np.array(event.prior)
    sensitivity = (
        global_sensitivity(prior, event.n) if event.gamma is None else smooth_sensitivity(prior, counts, event.gamma)
    )
    return float(event.epsilon0) / (2 * sensitivity)


def weights_at(event: Exponential, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The integer weights of all candidates, in lexicographic order, that the draw at `counts` uses. Private."""
    return integer_weights(event.prior, counts, rate_at(event, counts), event.uniform_admixture)


def _smooth(
    n: int, prior: tuple[float, ...], epsilon0: Epsilon, gamma: float, calibration: CalibrationName, delta: Delta
) -> Exponential:
    admixture = admixture_for(n, len(prior), largest_rate(np.array(prior), n, float(epsilon0), gamma))
    return Exponential(n, prior, epsilon0, gamma, admixture, calibration, delta)


@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """What drawing with finite precision adds to the loss of the mechanism with real weights."""

    method: Literal["enumeration", "mixture"]
    epsilon: float
    delta: float = 0.0
    total_variation: float = 0.0
    tolerance: float = 0.0


@lru_cache(maxsize=1024)
def _arithmetic(event: Exponential) -> _Arithmetic:
    """Integer weights round; the mixture's sums have relative errors, and in the largest spaces cut tails, which δ has to pay for."""
    rate = largest_rate(np.array(event.prior), event.n, float(event.epsilon0), event.gamma)
    if _enumerated(event.n, event.m):
        return _Arithmetic("enumeration", rounding_slack(rate, event.uniform_admixture))
    of_exponents = exponent_slack(rate, event.uniform_admixture)
    largest = rate if event.uniform_admixture is None else min(rate, event.uniform_admixture)
    if largest + log_candidate_count(event.n, event.m) <= _PURE_UP_TO:
        slack, tolerance = pure_slack(event.n, event.m, largest_exponent=largest)
        return _Arithmetic("mixture", of_exponents + 2 * slack.log_ratio, tolerance=tolerance)
    # (1 + e^ε)·τ <= 1e-18 with τ three times the tolerance.
    price = 1 + math.exp(min(_proven(event).epsilon + 1e-3, 600.0))
    tolerance = min(1e-20, _LARGEST_DELTA_OF_DRAW / (6 * price))
    slack = numerical_slack(event.n, event.m, tolerance=tolerance)
    added = price * slack.total_variation
    return _Arithmetic("mixture", of_exponents + 2 * slack.log_ratio, added, slack.total_variation, tolerance)


@lru_cache(maxsize=1024)
def _proven(event: Exponential) -> ProvenLoss:
    return prove(
        np.array(event.prior), event.n, float(event.epsilon0), event.gamma, event.uniform_admixture, float(event.delta)
    )


def _exact(event: Exponential, *, sample: int | None) -> tuple[Epsilon, float, dict[str, str]]:
    """ε, the range of the loss and the public numbers behind them, from the channel itself; all rounded up."""
    delta = float(event.delta) if event.calibration == "certified" else 0.0
    epsilon0, admixture = float(event.epsilon0), event.uniform_admixture
    exact = exact_loss(
        event.prior, event.n, epsilon0, event.gamma, uniform_admixture=admixture, delta=delta, sample=sample
    )
    slack = _arithmetic(event).epsilon + exact.error
    details = {"loss": f"{exact.epsilon:.9f}", "loss_range": f"{exact.loss_range:.9f}", "rounding": f"{slack:.3e}"}
    return Epsilon.ceil(exact.epsilon + slack), exact.loss_range + 2 * slack, details


def _statement(loss: PrivacyLoss, how: str) -> str:
    return f"({loss.epsilon}, {loss.delta})-differentially private when one record changes its category, {how}."


def _enumerated(n: int, m: int) -> bool:
    return enumerable(n, m) and (candidate_count(n, m) <= _ENUMERATED_UP_TO)


def _with_enough_delta(event: Exponential) -> Exponential:
    """The event, if what its draw adds to δ is within its `delta`."""
    _require(
        _arithmetic(event).delta <= float(event.delta),
        "in a space of candidates this large the draw needs a delta of at least 1e-18",
    )
    return event


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
