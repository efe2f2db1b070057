"""The exponential mechanism over posteriors, scored by Hellinger distance, with smooth or global sensitivity.

Given the histogram c of n records it draws the candidate posterior Dir(α + r), r another histogram of n records, with probability

    P(r | c) ∝ e^{−κ_c·H(Dir(α + c), Dir(α + r))} + e^{−L},     κ_c = ε₀ / (2 S_γ(c)).

S_γ is the γ-smooth sensitivity, or the global one where γ is None. The optional L makes every weight at least e^{−L}: it costs less than a
millionth of the probability, and bounds what the change of κ between neighbours can do to the loss.
Sources: the mechanism is that of "Bayesian inference under differential privacy" (notes, definition 3.1 and theorem 4.1); what it is
proven to satisfy here stands in `docs/privacy-proofs.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, enumerable
from core.certificate import Certificate
from core.mechanisms.calibration_search import best_gamma, largest_epsilon0, reference_histograms
from core.mechanisms.candidate_weights import admixture_for, integer_weights, rounding_slack
from core.mechanisms.event import EventError, check_epsilon, check_size, open_histogram
from core.mechanisms.noisy_counts import NoisyCounts
from core.normaliser_ratio import normaliser_excess
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.privacy_bounds import excess_by_ratio, largest_rate, prove
from core.private import Private, Released
from core.rate_change import largest_rate_change
from core.samplers.entropy import Entropy
from core.samplers.uniform import categorical
from core.sensitivity import global_sensitivity, smooth_sensitivity

Calibration: TypeAlias = Literal["published", "proven", "certified", "global"]

SMALLEST_PRIOR: Final = 1e-3
LARGEST_PRIOR: Final = 1e6


class CandidateSpaceError(ValueError):
    """The space of candidates is too large to be visited one by one: a matter of n and m alone."""


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
    calibration: Calibration
    delta: Delta

    def __post_init__(self) -> None:
        check_size(self.n, len(self.prior))
        _require(all(SMALLEST_PRIOR <= a <= LARGEST_PRIOR for a in self.prior), "each prior must lie between 0.001 and 1000000")
        _require(self.epsilon0.units >= 1, "epsilon0 must be positive")
        _require(self.gamma is None or 0 < self.gamma < math.inf, "gamma must be positive")
        _require(self.uniform_admixture is None or 0 < self.uniform_admixture < math.inf, "the admixture must be positive")
        _require(self.delta.value < 1, "delta must be below 1")

    @property
    def m(self) -> int:
        return len(self.prior)


def calibrate_published(n: int, prior: tuple[float, ...], nominal_epsilon: Epsilon, delta: Delta) -> Exponential:
    """The mechanism as printed: ε₀ = ε and γ = ln(1 + ε/(2 ln(2(n + 1)/δ))).

    What it is proven to satisfy is in its certificate, and may be more than the nominal ε. Requires δ > 0, which γ depends on.
    Source: notes, theorem 4.1.
    """
    check_epsilon(nominal_epsilon)
    _require(0 < delta.value < 1, "delta must lie strictly between 0 and 1")
    gamma = math.log1p(float(nominal_epsilon) / (2 * math.log(2 * (n + 1) / float(delta))))
    return _smooth(n, prior, nominal_epsilon, gamma, "published", delta)


def calibrate_global(n: int, prior: tuple[float, ...], epsilon: Epsilon) -> Exponential:
    """κ = ε/(2 GS) at every histogram, less the rounding of the draw: ε-DP. Source: McSherry and Talwar 2007, theorem 6."""
    check_epsilon(epsilon)
    rate = largest_rate(np.array(prior), n, float(epsilon), None)
    admixture = admixture_for(n, len(prior), rate)
    epsilon0 = Epsilon.floor(max(float(epsilon) * (1 - 2e-9) - rounding_slack(rate, admixture), 0.0))
    return Exponential(n, prior, epsilon0, None, admixture, "global", Delta(0))


@lru_cache(maxsize=256)
def calibrate_proven(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """The largest ε₀, and the γ, for which the theorems prove at most `epsilon`, at any size.

    γ is the one with the largest κ, on geometric average, at made-up reference histograms: the larger κ, the smaller the expected distance of
    what is drawn. `delta` is what the numerical slack of a draw may use; the theorems need none.
    """
    check_epsilon(epsilon)
    alpha, allowed = np.array(prior), float(epsilon)
    at_one_rate = 0.5 + normaliser_excess(alpha, n, allowed, math.inf) / allowed
    references = reference_histograms(n, len(prior))

    def epsilon0_for(gamma: float) -> float:
        by_change = allowed / (at_one_rate + largest_rate_change(alpha, n, 1.0, gamma))
        by_ratio = (allowed - excess_by_ratio(math.inf, gamma, admixture_for(n, len(prior), math.inf))) / at_one_rate
        return max(by_change, by_ratio)

    def worth(gamma: float) -> float:
        return math.log(epsilon0_for(gamma)) - float(np.mean([math.log(smooth_sensitivity(alpha, c, gamma)) for c in references]))

    gamma = best_gamma(worth)

    def event(epsilon0: Epsilon) -> Exponential:
        return _smooth(n, prior, epsilon0, gamma, "proven", delta)

    return event(largest_epsilon0(lambda epsilon0: certify(event(epsilon0)).loss.epsilon, epsilon, epsilon0_for(gamma)))


@lru_cache(maxsize=1024)
def certify(event: Exponential) -> Certificate:
    """What is proven of the channel that `release` draws from, its rounding included; relation replace_one.

    Raises CandidateSpaceError where the space is too large for `release`.
    """
    _require_enumerable(event)
    prior = np.array(event.prior)
    proven = prove(prior, event.n, float(event.epsilon0), event.gamma, event.uniform_admixture, float(event.delta))
    slack = rounding_slack(largest_rate(prior, event.n, float(event.epsilon0), event.gamma), event.uniform_admixture)
    loss = PrivacyLoss(
        epsilon=Epsilon.ceil(proven.epsilon + slack),
        delta=Delta.ceil(proven.delta),
        rho=Rho.ceil(replace(proven, loss_range=proven.loss_range + 2 * slack).rho),
    )
    statement = f"({loss.epsilon}, {loss.delta})-differentially private when one record changes its category, by {proven.reason}."
    details = {name: f"{value:.9f}" for name, value in proven.terms.items()} | {"rounding": f"{slack:.3e}"}
    return Certificate(loss, "theorem", statement, NeighbourRelation.REPLACE_ONE, details)


def release(counts: Private[NDArray[np.int64]], event: Exponential, entropy: Entropy) -> Released[NoisyCounts]:
    """One candidate, drawn exactly from the integer weights of the channel that `certify` speaks of.

    `counts`: a histogram of `event.n` records over `event.m` categories. Raises CandidateSpaceError, before it looks at them, where the space
    is too large to enumerate.
    """
    _require_enumerable(event)
    drawn = candidate(categorical(weights_at(event, open_histogram(counts, n=event.n, m=event.m)), entropy), event.n, event.m)
    return Released(NoisyCounts(drawn, drawn), certify(event).loss)


def rate_at(event: Exponential, counts: NDArray[np.int64]) -> float:
    """κ_c at the histogram `counts`: private where the sensitivity is smooth."""
    prior = np.array(event.prior)
    sensitivity = global_sensitivity(prior, event.n) if event.gamma is None else smooth_sensitivity(prior, counts, event.gamma)
    return float(event.epsilon0) / (2 * sensitivity)


def weights_at(event: Exponential, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The integer weights of all candidates, in lexicographic order, that the draw at `counts` uses. Private."""
    return integer_weights(event.prior, counts, rate_at(event, counts), event.uniform_admixture)


def _smooth(n: int, prior: tuple[float, ...], epsilon0: Epsilon, gamma: float, calibration: Calibration, delta: Delta) -> Exponential:
    admixture = admixture_for(n, len(prior), largest_rate(np.array(prior), n, float(epsilon0), gamma))
    return Exponential(n, prior, epsilon0, gamma, admixture, calibration, delta)


def _require_enumerable(event: Exponential) -> None:
    if not enumerable(event.n, event.m):
        raise CandidateSpaceError("the candidates are too many to enumerate for this n and number of categories")


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
