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
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, enumerable, log_affinities
from core.certificate import Certificate
from core.mechanisms.event import EventError, check_epsilon, check_size, open_histogram
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.privacy_bounds import (
    excess_by_ratio,
    excess_by_tail,
    largest_rate,
    log_candidate_count,
    steepest_exponent,
    zcdp_of_range,
)
from core.private import Private, Released
from core.samplers.entropy import Entropy
from core.samplers.uniform import categorical
from core.sensitivity import Floats, global_sensitivity, smooth_sensitivity

Calibration: TypeAlias = Literal["published", "proven", "certified", "global"]

SMALLEST_PRIOR: Final = 1e-3
LARGEST_PRIOR: Final = 1e6

_UNIT: Final = 1 << 62
"""The integer weight of a candidate at distance 0: two limbs of the categorical draw hold sums of such weights."""

_UNAIDED_RATE: Final = 16.0
"""Up to this κ every integer weight is so large that no admixture is needed to keep its rounding out of the loss."""

_UNIFORM_SHARE: Final = 14.0
"""L = ln|R| + 14: the uniform component then takes at most e^{−14} < 1e-6 of the probability."""

_EXPONENT_ERROR: Final = 4e-12
"""Bound of the relative error of a computed κ_c·H: 1e-12 each for S, ln BC and what is done with them, and one to spare."""


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
    delta: Delta = Delta(0)

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
    rate = float(epsilon) / (2 * global_sensitivity(np.array(prior), n))
    admixture = _admixture(n, len(prior), rate)
    slack = Epsilon.ceil(_draw_slack(rate, admixture))
    _require(slack < epsilon, "epsilon must be above what the rounding of the draw costs")
    return Exponential(n, prior, Epsilon(epsilon.units - slack.units), None, admixture, "global")


@lru_cache(maxsize=1024)
def certify(event: Exponential) -> Certificate:
    """What is proven of the channel that `release` draws from, its rounding included; relation replace_one.

    Raises CandidateSpaceError where the space is too large for `release`.
    """
    _require_enumerable(event)
    epsilon0, rate = float(event.epsilon0), _largest_rate(event)
    slack = _draw_slack(rate, event.uniform_admixture)
    details = {
        "epsilon0": str(event.epsilon0),
        "log_candidates": f"{log_candidate_count(event.n, event.m):.6f}",
        "rounding": f"{slack:.3e}",
    }
    if event.gamma is None:
        excess, reason = 0.0, "the sensitivity is global"
    else:
        excess, reason = excess_by_ratio(rate, event.gamma, event.uniform_admixture), "Theorem 1, pure"
        details |= {"gamma": repr(event.gamma), "pure_excess": f"{excess:.9f}"}
    loss_range = epsilon0 + excess + 2 * slack
    loss = PrivacyLoss(Epsilon.ceil(epsilon0 + excess + slack), Delta(0), Rho.ceil(zcdp_of_range(loss_range)))
    if event.gamma is not None and event.delta.units and event.uniform_admixture is None:
        tail = excess_by_tail(event.n, event.m, event.gamma, float(event.delta))
        details["tail_excess"] = f"{tail:.9f}"
        if tail < excess:
            reason = "Theorem 1, tail"
            loss = PrivacyLoss(Epsilon.ceil(epsilon0 + tail + slack), event.delta, loss.rho)
    return Certificate(loss, "theorem", _statement(loss, reason), NeighbourRelation.REPLACE_ONE, details)


def release(counts: Private[NDArray[np.int64]], event: Exponential, entropy: Entropy) -> Released[NoisyCounts]:
    """One candidate, drawn exactly from the integer weights of the channel that `certify` speaks of.

    `counts`: a histogram of `event.n` records over `event.m` categories. Raises CandidateSpaceError, before it looks at them, where the space
    is too large to enumerate.
    """
    _require_enumerable(event)
    weights = integer_weights(event, open_histogram(counts, n=event.n, m=event.m))
    drawn = candidate(categorical(weights, entropy), event.n, event.m)
    return Released(NoisyCounts(drawn, drawn), certify(event).loss)


def rate_at(event: Exponential, counts: NDArray[np.int64]) -> float:
    """κ_c at the histogram `counts`: private where the sensitivity is smooth."""
    prior = np.array(event.prior)
    sensitivity = global_sensitivity(prior, event.n) if event.gamma is None else smooth_sensitivity(prior, counts, event.gamma)
    return float(event.epsilon0) / (2 * sensitivity)


def integer_weights(event: Exponential, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The weights, >= 1 each, that the draw at `counts` uses, one for each candidate in lexicographic order: shape (|R|,). Private."""
    return _rounded(rate_at(event, counts) * np.sqrt(-np.expm1(log_affinities(event.prior, counts))), event.uniform_admixture)


def _rounded(exponents: Floats, uniform_admixture: float | None) -> NDArray[np.int64]:
    weights: NDArray[np.int64] = np.floor(np.exp(-exponents) * _UNIT).astype(np.int64)
    weights += 0 if uniform_admixture is None else _added(uniform_admixture)
    return weights


def _added(uniform_admixture: float) -> int:
    return math.ceil(_UNIT * math.exp(-uniform_admixture))


def _draw_slack(rate: float, uniform_admixture: float | None) -> float:
    """By how much the loss of the integer weights can pass that of the real ones.

    Where each log weight is off by at most ξ, so is that of the normaliser; a loss has four of these. ξ: the error of the exponents, as far as
    they move the weight; the integer rounding, at most one in the smallest weight; and that of exp.
    """
    smallest = _UNIT * math.exp(-rate) if uniform_admixture is None else _added(uniform_admixture)
    _require(smallest >= 2, "the smallest weight must be at least 2")
    return 4 * (_EXPONENT_ERROR * steepest_exponent(rate, uniform_admixture) + 1 / (smallest - 1) + 2.0**-50)


def _smooth(n: int, prior: tuple[float, ...], epsilon0: Epsilon, gamma: float, calibration: Calibration, delta: Delta) -> Exponential:
    admixture = _admixture(n, len(prior), largest_rate(np.array(prior), n, float(epsilon0), gamma))
    return Exponential(n, prior, epsilon0, gamma, admixture, calibration, delta)


def _admixture(n: int, m: int, rate: float) -> float | None:
    return None if rate <= _UNAIDED_RATE else log_candidate_count(n, m) + _UNIFORM_SHARE


def _largest_rate(event: Exponential) -> float:
    prior = np.array(event.prior)
    if event.gamma is None:
        return float(event.epsilon0) / (2 * global_sensitivity(prior, event.n))
    return largest_rate(prior, event.n, float(event.epsilon0), event.gamma)


def _require_enumerable(event: Exponential) -> None:
    if not enumerable(event.n, event.m):
        raise CandidateSpaceError("the candidates are too many to enumerate for this n and number of categories")


def _statement(loss: PrivacyLoss, reason: str) -> str:
    return f"({loss.epsilon}, {loss.delta})-differentially private when one record changes its category ({reason})."


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
