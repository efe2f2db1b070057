"""The exponential mechanism draws a posterior by its Hellinger distance from the true one, with smooth or global
sensitivity.

Given the histogram c of n records it draws the candidate posterior Dir(α + r), with r another histogram of n records
and probability

    P(r | c) ∝ e^{−κ_c·H(Dir(α + c), Dir(α + r))} + e^{−L},     κ_c = ε₀ / (2 S_γ(c)).

S_γ is the γ-smooth sensitivity, or the global one if γ is None. The optional L makes every weight at least e^{−L}. It
takes less than a millionth of the probability, and bounds the effect on the loss of the change of κ between neighbours.

Sources: Bun, Gaboardi, Farina and Liu, "Tailoring differentially private Bayesian inference to distance between
distributions", theorem 4.1; the same mechanism is definition 2.1 of their "Notes of DP - Bayesian inference".

Notation of the proofs in this folder. A data set has n records over m ≥ 2 categories; c is its histogram, n is public.
x and y are neighbours, x ~ y, if one record changes its category: x = z + e_i, y = z + e_j, |z| = n − 1, i ≠ j.
The prior is Dir(α), α_i > 0 public, the posterior BI(c) = Dir(α + c). H is the Hellinger distance,
BC = 1 − H² the affinity. R is the set of all histograms of n records, |R| = C(n+m−1, m−1), each
standing for a candidate Dir(α + r). For two candidates the terms of Σ(α + r) cancel, so with

    h(u, v) = lnΓ((u+v)/2) − ½ lnΓ(u) − ½ lnΓ(v) ≤ 0,        ln BC(c, r) = Σ_i h(α_i + c_i, α_i + r_i).

The mechanism draws r with probability

    P(r | c) = e^{−φ(κ_c h_c(r))} / N_c,  h_c(r) = H(BI(c), r),  κ_c = ε₀ / (2 S(c)),  N_c = Σ_r e^{−φ(κ_c h_c(r))},

where S is the γ-smooth sensitivity or, for all c alike, the global one. φ is either the identity or φ(t) =
−ln(e^{−t} + e^{−L}): the weight e^{−L} is then added to every candidate. The proofs use only that 0 ≤ φ' ≤ 1 and φ(0)
≤ 0. Hence N_c ≥ e^{−φ(0)} ≥ 1 (r = c). An upper bound on a difference of exponents also holds with φ: φ(a) − φ(b) ≤
a − b for a ≥ b, and ≤ 0 for a ≤ b.

The privacy loss of x against y at r is φ(κ_y h_y) − φ(κ_x h_x) + ln N_y − ln N_x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, candidate_count, enumerable
from core.certificate import Certificate
from core.limits import MAX_CONCENTRATION
from core.mechanisms.event import EventError, check_size
from core.mechanisms.exponential.bounds import (
    ProvenLoss,
    largest_rate,
    prove,
    zcdp_of_range,
)
from core.mechanisms.exponential.exact_loss import evaluable, evaluation_seconds, exact_loss
from core.mechanisms.exponential.sampler import HellingerSampler, sampler_seconds, sampler_slack
from core.mechanisms.exponential.sensitivity import global_sensitivity, smooth_sensitivity
from core.mechanisms.exponential.weights import exponent_slack, rounding_slack, weights
from core.mechanisms.mechanism import by_group_privacy, smaller_loss
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.unsealing import open_histogram
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy
from core.samplers.uniform import in_proportion

CalibrationName: TypeAlias = Literal["published", "proven", "certified", "global"]

QUICK_SECONDS: Final = 0.7
"""Largest public estimate at which the whole channel is evaluated in an interactive request."""

_PROOF_SECONDS: Final = 0.5
"""Time of a certificate by the theorems, at the largest sizes."""

MIN_CONCENTRATION: Final = 1e-3
"""Smallest prior of a category: below it, the sensitivity is nearly 1 and the noise hides every count."""
MAX_RECORDS: Final = 10_000_000
MAX_CATEGORIES: Final = 1_000

_MAX_ENUMERATED_CANDIDATES: Final = 1 << 15
"""Largest number of candidates drawn from by visiting each; rejection is faster for larger spaces."""

REHEARSED_BY_WEIGHTS: Final = 1 << 18
"""Largest number of candidates visited in a rehearsal, which may take longer than a release."""


@dataclass(frozen=True, slots=True)
class Exponential:
    """All public parameters of the channel, and the calibration that chose them.

    `gamma` > 0, or None for the global sensitivity. `uniform_admixture` L > 0 adds e^{−L} to every weight; None adds
    nothing. `delta` is the δ that the certificate may use. Raises EventError outside the limits.
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
        require(self.n <= MAX_RECORDS, f"the exponential mechanism takes at most {MAX_RECORDS} records")
        require(self.m <= MAX_CATEGORIES, f"the exponential mechanism takes at most {MAX_CATEGORIES} categories")
        require(
            all(MIN_CONCENTRATION <= a <= MAX_CONCENTRATION for a in self.prior),
            "each prior must lie between 0.001 and 1000000",
        )
        require(self.epsilon0.units >= 1, "epsilon0 must be positive")
        require(self.gamma is None or 0 < self.gamma < math.inf, "gamma must be positive")
        require(
            self.uniform_admixture is None or 0 < self.uniform_admixture < math.inf, "the admixture must be positive"
        )
        require(self.delta.value < 1, "delta must be below 1")

    @property
    def m(self) -> int:
        return len(self.prior)


@lru_cache(maxsize=1024)
def certify(event: Exponential) -> Certificate:
    """Return the certificate of the channel that `release` draws from, including its rounding, under replace_one.

    The whole channel is evaluated for every calibration if it is `evaluable`, because the charge is then the exact
    loss. Otherwise the theorems apply. Public sizes determine which; `evaluation_seconds` estimates the time. The
    certificate states a δ > 0 if the noise was calibrated for that δ, or if the proof uses a tail bound.
    """
    return _certify(event, math.inf)


@lru_cache(maxsize=1024)
def certify_at_once(event: Exponential) -> Certificate:
    """Return a certificate without an evaluation longer than QUICK_SECONDS, at any size.

    Its loss is at least the loss by `certify`.
    """
    return _certify(event, QUICK_SECONDS)


def is_certified_at_once(n: int, m: int) -> bool:
    """Return whether `certify_at_once` proves the same as `certify` for a channel of this size."""
    return not evaluable(n, m) or evaluation_seconds(n, m) <= QUICK_SECONDS


def epsilon_at_once(event: Exponential) -> Epsilon:
    """Return the epsilon of `certify_at_once` in less time, for a search."""
    if _is_evaluated(event, QUICK_SECONDS):
        return evaluate(event, sample=None, with_rho=False)[0]
    return certify_at_once(event).loss.epsilon


def _is_evaluated(event: Exponential, max_seconds: float) -> bool:
    return evaluable(event.n, event.m) and (
        event.calibration == "certified" or evaluation_seconds(event.n, event.m) <= max_seconds
    )


def _certify(event: Exponential, max_seconds: float) -> Certificate:
    if _is_evaluated(event, max_seconds):
        epsilon, rho, details = evaluate(event, sample=None)
        delta = event.delta if event.calibration == "certified" else Delta(0)
        loss = PrivacyLoss(epsilon, delta, rho)
        return Certificate(
            loss,
            "exact_channel",
            _statement(loss, "by evaluation of the whole channel"),
            NeighbourRelation.REPLACE_ONE,
            details,
        )
    proven, draw = _proven(event), arithmetic(event)
    loss = PrivacyLoss(
        epsilon=Epsilon.ceil(proven.epsilon + draw.epsilon),
        delta=Delta.ceil(proven.delta * (1 + 1e-6)),
        rho=Rho.ceil(zcdp_of_range(proven.loss_range + 2 * draw.epsilon)),
    )
    details = {name: f"{value:.9f}" for name, value in proven.terms.items()}
    details |= {"draw": draw.method, "rounding": f"{draw.epsilon:.3e}"}
    return Certificate(loss, "theorem", _statement(loss, f"by {proven.reason}"), NeighbourRelation.REPLACE_ONE, details)


def typical_draw_seconds(n: int, prior: tuple[float, ...]) -> float:
    """Return a generous estimate, from public sizes, of the time on one core of one `release` without its certificate.

    The time is about the same for every histogram and ε (`python -m benchmarks.draw_times`).
    """
    m = len(prior)
    if _is_enumerated(n, m):
        return 0.005 + 6e-4 * m + 5e-7 * candidate_count(n, m)
    return sampler_seconds(n, m)


def release(
    counts: Private[NDArray[np.int64]], event: Exponential, entropy: Entropy, *, loss: PrivacyLoss | None = None
) -> Released[NoisyCounts]:
    """Release one candidate, drawn from the channel that `certify` describes.

    Arguments: `counts`, a private histogram of `event.n` records over `event.m` categories, shape (m,); `event`;
    `entropy`, the source of random bits; `loss`, the loss proven by `certify(event)`, if known.

    In a small space all candidates are weighted; in a large one candidates are drawn by rejection
    (`core.mechanisms.exponential.sampler`). Only n and m determine which. Raises HistogramError if the counts are not
    of the event's size.
    """
    histogram = open_histogram(counts, n=event.n, m=event.m)
    if _is_enumerated(event.n, event.m):
        drawn = candidate(in_proportion(weights_at(event, histogram), entropy), event.n, event.m)
    else:
        [drawn] = _sampler(event, histogram).draws(1, entropy)
    return Released(NoisyCounts(drawn, drawn), certify(event).loss if loss is None else loss)


def rehearse(counts: NDArray[np.int64], event: Exponential, entropy: Entropy, size: int) -> tuple[NoisyCounts, ...]:
    """Simulate the channel `size` times on made-up counts, shape (m,), sum n.

    This serves planning and is not a release.
    """
    if candidate_count(event.n, event.m) <= REHEARSED_BY_WEIGHTS:
        of_all = weights_at(event, counts)
        drawn = [candidate(in_proportion(of_all, entropy), event.n, event.m) for _ in range(size)]
    else:
        drawn = _sampler(event, counts).draws(size, entropy)
    return tuple(NoisyCounts(r, r) for r in drawn)


def _sampler(event: Exponential, counts: NDArray[np.int64]) -> HellingerSampler:
    admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
    return HellingerSampler(event.prior, counts, rate_at(event, counts), log_admixture=admixture)


def rate_at(event: Exponential, counts: NDArray[np.int64]) -> float:
    """Return κ_c at the histogram `counts`. It is private if the sensitivity is smooth."""
    prior = np.array(event.prior)
    sensitivity = (
        global_sensitivity(prior, event.n) if event.gamma is None else smooth_sensitivity(prior, counts, event.gamma)
    )
    return float(event.epsilon0) / (2 * sensitivity)


def hellinger_at(event: Exponential, counts: NDArray[np.int64]) -> tuple[float, float]:
    """Return κ_c and e^{−L} at made-up counts c."""
    added = 0.0 if event.uniform_admixture is None else math.exp(-event.uniform_admixture)
    return rate_at(event, counts), added


def weights_at(event: Exponential, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the weights of all candidates, in lexicographic order, that a draw at `counts` uses. They are private."""
    return weights(event.prior, counts, rate_at(event, counts), event.uniform_admixture)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The loss that drawing with finite precision adds to the mechanism with real weights."""

    method: Literal["enumeration", "rejection"]
    epsilon: float


@lru_cache(maxsize=1024)
def arithmetic(event: Exponential) -> Arithmetic:
    """Return a bound on the loss that rounding adds, of weights or of logarithms of acceptance probabilities."""
    rate = largest_rate(np.array(event.prior), event.n, float(event.epsilon0), event.gamma)
    if _is_enumerated(event.n, event.m):
        return Arithmetic("enumeration", rounding_slack(rate, event.uniform_admixture))
    largest = rate if event.uniform_admixture is None else min(rate, event.uniform_admixture)
    of_draw = 4 * sampler_slack(event.n, event.m, largest_exponent=largest)
    return Arithmetic("rejection", exponent_slack(rate, event.uniform_admixture) + of_draw)


@lru_cache(maxsize=1024)
def _proven(event: Exponential) -> ProvenLoss:
    return prove(
        np.array(event.prior), event.n, float(event.epsilon0), event.gamma, event.uniform_admixture, float(event.delta)
    )


def loss_of_unit(event: Exponential, one: Certificate, records: int, max_seconds: float) -> tuple[PrivacyLoss, str]:
    """Return the loss of `records` records, and how it is proven.

    All pairs that differ in up to `records` records are evaluated if the channel is `evaluable` within `max_seconds`.
    """
    loss, how = by_group_privacy(one, records)
    if (
        one.method == "exact_channel"
        and evaluable(event.n, event.m, records)
        and evaluation_seconds(event.n, event.m, records) <= max_seconds
    ):
        return smaller_loss(loss, *loss_of_records(event, records, loss.delta)), "by evaluation of the whole channel."
    return loss, how


def certificate_seconds(event: Exponential, records: int) -> float:
    """Estimate, from public sizes, the time of the certificate on one core."""
    if not evaluable(event.n, event.m):
        return _PROOF_SECONDS
    of_one = evaluation_seconds(event.n, event.m)
    of_several = evaluation_seconds(event.n, event.m, records) if evaluable(event.n, event.m, records) else 0.0
    return of_one if records == 1 else of_one + of_several


@lru_cache(maxsize=1024)
def loss_of_records(event: Exponential, records: int, delta: Delta) -> tuple[Epsilon, Rho]:
    """Return ε at `delta`, and ρ, for a change of up to `records` records, from the whole channel.

    Requires `evaluable`.
    """
    epsilon, rho, _ = evaluate(event, sample=None, records=records, delta=delta)
    assert rho is not None, "all pairs were looked at"
    return epsilon, rho


def evaluate(
    event: Exponential, *, sample: int | None, records: int = 1, delta: Delta | None = None, with_rho: bool = True
) -> tuple[Epsilon, Rho | None, dict[str, str]]:
    """Return ε, ρ and the public numbers behind them from an evaluation of the channel, all rounded up.

    If `delta` is None, the δ at which the calibration was certified is used. A sample gives no ρ.
    """
    if delta is None:
        delta = event.delta if event.calibration == "certified" else Delta(0)
    of_draw = arithmetic(event).epsilon
    exact = exact_loss(
        event.prior,
        event.n,
        float(event.epsilon0),
        event.gamma,
        uniform_admixture=event.uniform_admixture,
        delta=float(delta),
        slack=of_draw,
        sample=sample,
        records=records,
        with_rho=with_rho,
    )
    slack = of_draw + exact.error
    details = {"loss": f"{exact.epsilon:.9f}", "loss_range": f"{exact.loss_range:.9f}", "rounding": f"{slack:.3e}"}
    rho = None if exact.rho is None else Rho.ceil(min(exact.rho, zcdp_of_range(exact.loss_range + 2 * slack)))
    return Epsilon.ceil(exact.epsilon + slack), rho, details


def _statement(loss: PrivacyLoss, how: str) -> str:
    return f"({loss.epsilon}, {loss.delta})-differentially private when one record changes its category, {how}."


def _is_enumerated(n: int, m: int) -> bool:
    return enumerable(n, m) and (candidate_count(n, m) <= _MAX_ENUMERATED_CANDIDATES)


def require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
