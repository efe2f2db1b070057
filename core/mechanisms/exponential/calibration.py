"""Calibrates the exponential mechanism in each of four ways: finds the event whose loss is at most the one
requested.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import log_candidate_count
from core.mechanisms.event import MIN_EPSILON, check_epsilon
from core.mechanisms.exponential.bounds import (
    excess_by_ratio,
    largest_rate,
    score_and_change,
)
from core.mechanisms.exponential.exact_loss import MAX_RECORDS_OF_TWO, MAX_SPACE, evaluable
from core.mechanisms.exponential.mechanism import (
    CalibrationName,
    Exponential,
    arithmetic,
    epsilon_at_once,
    evaluate,
    require,
)
from core.mechanisms.exponential.normalisers import normaliser_excess
from core.mechanisms.exponential.rates import bounds_of_rate_change, largest_rate_change
from core.mechanisms.exponential.search import (
    best_gamma,
    largest_epsilon0,
    objectives_at,
    reference_histograms,
)
from core.mechanisms.exponential.weights import admixture_for
from core.privacy import NEEDS_DELTA, Delta, Epsilon

_SAMPLE: Final = 300
"""Number of pairs of neighbours that a search evaluates."""


_MAX_SEARCHED_N: Final = 20_000
"""Largest n at which a search evaluates the change of κ at every histogram, if possible; beyond, it uses a bound."""


def calibrate_published(n: int, prior: tuple[float, ...], nominal_epsilon: Epsilon, delta: Delta) -> Exponential:
    """Return the mechanism as published: ε₀ = ε and γ = ln(1 + ε/(2 ln(2(n + 1)/δ))).

    Its certificate states the proven loss, which may exceed the nominal ε. Raises EventError unless 0 < δ < 1, because
    γ depends on δ.

    Source: "Tailoring differentially private Bayesian inference to distance between distributions", theorem 4.1.
    """
    check_epsilon(nominal_epsilon)
    require(0 < delta.value < 1, NEEDS_DELTA)
    gamma = published_gamma(n, nominal_epsilon, delta)
    return _smooth_event(n, prior, nominal_epsilon, gamma, "published", delta)


def published_gamma(n: int, epsilon: Epsilon, delta: Delta) -> float:
    """Return γ = ln(1 + ε/(2 ln(2(n + 1)/δ))), for δ > 0."""
    return math.log1p(float(epsilon) / (2 * math.log(2 * (n + 1) / float(delta))))


def calibrate_global(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta = Delta(0)) -> Exponential:
    """Return the mechanism with κ = ε/(2·GS) at every histogram, where GS is the global sensitivity: ε-DP.

    ε₀ is slightly below `epsilon`, to leave room for the rounding of the draw. Source: McSherry and Talwar 2007,
    theorem 6.
    """
    check_epsilon(epsilon)
    rate = largest_rate(np.array(prior), n, float(epsilon), None)
    event = Exponential(n, prior, epsilon, None, admixture_for(n, len(prior), rate), "global", delta)
    epsilon0 = Epsilon.floor(max(float(epsilon) * (1 - 2e-9) - arithmetic(event).epsilon, 0.0))
    return replace(event, epsilon0=epsilon0)


def check_proven(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> None:
    """Raise EventError if `calibrate_proven` would reject these sizes. It does not run the search."""
    check_epsilon(epsilon)
    Exponential(n, prior, epsilon, None, None, "global", delta)


def largest_loss(n: int, m: int, delta: Delta) -> float:
    """Return the ε at `delta` that the loss approaches as ε₀ grows, because every weight is at least e^{−L}.

    A larger ε₀ would only add the error bounds of the computation to the charge.
    """
    admixture = admixture_for(n, m, math.inf)
    assert admixture is not None, "there is one at a large rate"
    return max(admixture + math.log1p(-float(delta)), float(MIN_EPSILON))


@lru_cache(maxsize=256)
def calibrate_proven(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """Return the mechanism with the largest ε₀, and its γ, for which a loss of at most `epsilon` is proven, and at most
    the `largest_loss`.

    The proof is by the theorems, which hold at any size, or by a quick evaluation of the channel. If the evaluation is
    not quick, the certificate of the result may later prove a loss below `epsilon`.

    γ minimises the geometric mean of the expected distance of the draw over made-up reference histograms; the published
    γ is one of the candidates. The choice depends on public values only. The theorems need no `delta`. Raises
    EventError outside the limits.
    """
    check_proven(n, prior, epsilon, delta)
    epsilon = min(epsilon, Epsilon.floor(largest_loss(n, len(prior), Delta(0))))
    alpha, allowed = np.array(prior), float(epsilon)
    normalisers = normaliser_excess(alpha, n, allowed, math.inf) / allowed
    log_candidates = log_candidate_count(n, len(prior))
    references = reference_histograms(n, len(prior))

    def epsilon0_for(gamma: float, share: float) -> float:
        by_change = allowed / (
            normalisers + max(score_and_change(0.5, share), 0.5 + min(share, gamma * log_candidates / allowed))
        )
        by_ratio = (allowed - excess_by_ratio(math.inf, gamma, admixture_for(n, len(prior), math.inf))) / (
            0.5 + normalisers
        )
        return max(by_change, by_ratio)

    def shares(gammas: NDArray[np.float64]) -> list[float]:
        """Return, for each γ, a bound on how much the rate κ differs between neighbours at ε₀ = 1."""
        if n <= _MAX_SEARCHED_N:
            return [largest_rate_change(alpha, n, 1.0, gamma) for gamma in gammas.tolist()]
        return [float(bound) for bound in bounds_of_rate_change(alpha, n, 1.0, gammas)]

    def objectives(gammas: NDArray[np.float64]) -> NDArray[np.float64]:
        largest = [epsilon0_for(gamma, share) for gamma, share in zip(gammas.tolist(), shares(gammas), strict=True)]
        return objectives_at(alpha, references, gammas, largest)

    gamma = best_gamma(objectives, *_published_gammas(n, epsilon, delta))
    share = largest_rate_change(alpha, n, 1.0, gamma)

    def event(epsilon0: Epsilon) -> Exponential:
        return _smooth_event(n, prior, epsilon0, gamma, "proven", delta)

    largest = largest_epsilon0(lambda epsilon0: epsilon_at_once(event(epsilon0)), epsilon, epsilon0_for(gamma, share))
    return event(largest)


@lru_cache(maxsize=64)
def calibrate_certified(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """Return the mechanism with the largest ε₀, and its γ, for which the evaluated channel is (`epsilon`, `delta`)-DP,
    and its ε at most the `largest_loss`.

    `delta` may be 0. γ is chosen as in `calibrate_proven`, with ε₀ from a sample of the pairs of neighbours. The result
    is certified on all pairs. Raises EventError if the channel is too large to evaluate.
    """
    check_evaluable(n, prior, epsilon)
    epsilon = min(epsilon, Epsilon.floor(largest_loss(n, len(prior), delta)))
    alpha = np.array(prior)
    references = reference_histograms(n, len(prior))

    def objectives(gammas: NDArray[np.float64]) -> NDArray[np.float64]:
        largest = [float(_sampled_epsilon0(n, prior, epsilon, delta, gamma)) for gamma in gammas.tolist()]
        return objectives_at(alpha, references, gammas, largest)

    return certified_at(n, prior, epsilon, delta, best_gamma(objectives, *_published_gammas(n, epsilon, delta)))


@lru_cache(maxsize=64)
def certified_at(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, gamma: float) -> Exponential:
    """Return the mechanism with the largest ε₀ at this γ for which the evaluated channel is (`epsilon`, `delta`)-DP.

    Raises EventError as `calibrate_certified` does.
    """
    check_evaluable(n, prior, epsilon)

    def loss_at(epsilon0: Epsilon) -> Epsilon:
        return evaluate(_smooth_event(n, prior, epsilon0, gamma, "certified", delta), sample=None, with_rho=False)[0]

    first = float(_sampled_epsilon0(n, prior, epsilon, delta, gamma))
    return _smooth_event(n, prior, largest_epsilon0(loss_at, epsilon, first), gamma, "certified", delta)


@lru_cache(maxsize=64)
def _sampled_epsilon0(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta, gamma: float) -> Epsilon:
    """Return the largest ε₀ of `certified_at` on a sample of the pairs of neighbours.

    It serves a search, never a certificate.
    """

    def loss_at(epsilon0: Epsilon) -> Epsilon:
        return evaluate(_smooth_event(n, prior, epsilon0, gamma, "certified", delta), sample=_SAMPLE)[0]

    return largest_epsilon0(loss_at, epsilon, 1.8 * float(epsilon))


def check_evaluable(n: int, prior: tuple[float, ...], epsilon: Epsilon) -> None:
    """Raise EventError if channels of this size are not evaluated."""
    check_epsilon(epsilon)
    require(
        evaluable(n, len(prior)),
        (
            f"certified needs 2 categories and n <= {MAX_RECORDS_OF_TWO}, or at most {MAX_SPACE} candidates over few "
            "categories"
        ),
    )


def _published_gammas(n: int, epsilon: Epsilon, delta: Delta) -> tuple[float, ...]:
    return (published_gamma(n, epsilon, delta),) if delta.units else ()


def _smooth_event(
    n: int, prior: tuple[float, ...], epsilon0: Epsilon, gamma: float, calibration: CalibrationName, delta: Delta
) -> Exponential:
    admixture = admixture_for(n, len(prior), largest_rate(np.array(prior), n, float(epsilon0), gamma))
    return Exponential(n, prior, epsilon0, gamma, admixture, calibration, delta)
