"""Calibrates the exponential mechanism: finds the event that spends what was asked for, in each of the four ways."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final, assert_never

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate_count, log_candidate_count
from core.mechanisms.event import EventError, check_epsilon
from core.mechanisms.exponential.bounds import (
    excess_by_ratio,
    largest_rate,
    score_and_change,
    theorem_seconds,
)
from core.mechanisms.exponential.exact_loss import MAX_RECORDS_OF_TWO, MAX_SPACE, evaluable, evaluation_seconds
from core.mechanisms.exponential.mechanism import (
    QUICK_SECONDS,
    CalibrationName,
    Exponential,
    arithmetic,
    epsilon_at_once,
    evaluate,
)
from core.mechanisms.exponential.normalisers import normaliser_excess
from core.mechanisms.exponential.rates import bounds_of_rate_change, largest_rate_change
from core.mechanisms.exponential.search import (
    best_gamma,
    largest_epsilon0,
    log_smooth_sensitivity,
    reference_histograms,
)
from core.mechanisms.exponential.weights import admixture_for
from core.privacy import Delta, Epsilon

_SAMPLE: Final = 300
"""Pairs of neighbours that a search looks at."""

_SEARCHED: Final = 34
"""Values of γ that a search compares."""

_SEARCHED_UP_TO: Final = 20_000
"""Up to this n a search looks at the change of κ everywhere, where it can be; beyond, at its bound."""


def calibrate_published(n: int, prior: tuple[float, ...], nominal_epsilon: Epsilon, delta: Delta) -> Exponential:
    """The mechanism as printed: ε₀ = ε and γ = ln(1 + ε/(2 ln(2(n + 1)/δ))).

    What it is proven to satisfy is in its certificate, and may be more than the nominal ε. Requires δ > 0, which γ
    depends on. Source: "Tailoring differentially private Bayesian inference to distance between distributions", theorem
    4.1.
    """
    check_epsilon(nominal_epsilon)
    _require(0 < delta.value < 1, "delta must lie strictly between 0 and 1")
    gamma = math.log1p(float(nominal_epsilon) / (2 * math.log(2 * (n + 1) / float(delta))))
    return _smooth(n, prior, nominal_epsilon, gamma, "published", delta)


def calibrate_global(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta = Delta(0)) -> Exponential:
    """κ = ε/(2 GS) at every histogram, less the rounding of the draw: ε-DP. Source: McSherry and Talwar 2007, theorem
    6.
    """
    check_epsilon(epsilon)
    rate = largest_rate(np.array(prior), n, float(epsilon), None)
    event = Exponential(n, prior, epsilon, None, admixture_for(n, len(prior), rate), "global", delta)
    epsilon0 = Epsilon.floor(max(float(epsilon) * (1 - 2e-9) - arithmetic(event).epsilon, 0.0))
    return replace(event, epsilon0=epsilon0)


@lru_cache(maxsize=256)
def calibrate_proven(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """The largest ε₀, and the γ, for which the theorems prove at most `epsilon`, at any size; or a quick evaluation.

    Where an evaluation takes longer, the certificate of what is found here may prove less than `epsilon`.

    γ is the one with the largest κ, on geometric average, at made-up reference histograms: the larger κ, the smaller
    the expected distance of what is drawn. The theorems need no `delta`.
    """
    check_epsilon(epsilon)
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
        """The change of κ at ε₀ = 1."""
        if n <= _SEARCHED_UP_TO:
            return [largest_rate_change(alpha, n, 1.0, gamma) for gamma in gammas.tolist()]
        return [float(bound) for bound in bounds_of_rate_change(alpha, n, 1.0, gammas)]

    def worths(gammas: NDArray[np.float64]) -> NDArray[np.float64]:
        largest = [epsilon0_for(gamma, share) for gamma, share in zip(gammas.tolist(), shares(gammas), strict=True)]
        return np.log(largest) - log_smooth_sensitivity(alpha, references, gammas)

    gamma = best_gamma(worths)
    share = largest_rate_change(alpha, n, 1.0, gamma)

    def event(epsilon0: Epsilon) -> Exponential:
        return _smooth(n, prior, epsilon0, gamma, "proven", delta)

    largest = largest_epsilon0(lambda epsilon0: epsilon_at_once(event(epsilon0)), epsilon, epsilon0_for(gamma, share))
    return event(largest)


@lru_cache(maxsize=64)
def calibrate_certified(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Exponential:
    """The largest ε₀, and the γ, for which the whole channel, evaluated, is (`epsilon`, `delta`)-DP; `delta` may be 0.

    γ as in `calibrate_proven`, with ε₀ found on a sample of the neighbours; what is returned was certified on all of
    them. Raises EventError where the channel is too large to evaluate.
    """
    check_epsilon(epsilon)
    _require(
        evaluable(n, len(prior)),
        (
            f"certified needs 2 categories and n <= {MAX_RECORDS_OF_TWO}, or at most {MAX_SPACE} candidates over few "
            "categories"
        ),
    )
    alpha = np.array(prior)
    references = reference_histograms(n, len(prior))

    @lru_cache
    def epsilon0_for(gamma: float) -> Epsilon:
        return largest_epsilon0(
            lambda epsilon0: evaluate(_smooth(n, prior, epsilon0, gamma, "certified", delta), sample=_SAMPLE)[0],
            epsilon,
            1.8 * float(epsilon),
        )

    def worths(gammas: NDArray[np.float64]) -> NDArray[np.float64]:
        largest = [float(epsilon0_for(gamma)) for gamma in gammas.tolist()]
        return np.log(largest) - log_smooth_sensitivity(alpha, references, gammas)

    gamma = best_gamma(worths)

    def loss_at(epsilon0: Epsilon) -> Epsilon:
        return evaluate(_smooth(n, prior, epsilon0, gamma, "certified", delta), sample=None, with_rho=False)[0]

    return _smooth(n, prior, largest_epsilon0(loss_at, epsilon, float(epsilon0_for(gamma))), gamma, "certified", delta)


def estimate_seconds(calibration: CalibrationName, n: int, m: int) -> float:
    """A public estimate, on one core, of what the first `calibrate_…` and `certify` of a request take; infinite
    where it is refused.
    """
    evaluation = evaluation_seconds(n, m)
    quick = evaluation <= QUICK_SECONDS
    at_once = evaluation if quick else theorem_seconds(n, m)
    certificate = at_once if quick or math.isinf(evaluation) else at_once + evaluation
    match calibration:
        case "published" | "global":
            return certificate
        case "proven":
            return 0.2 + 8 * at_once + (0.0 if quick else certificate)
        case "certified":
            # At a δ, pairs of neighbours are looked at up to three times.
            return 8 * evaluation + _SEARCHED * 5 * min(evaluation, _sample_seconds(n, m))
        case _:
            assert_never(calibration)


def _sample_seconds(n: int, m: int) -> float:
    """An estimate of the loss of a sample of the pairs of neighbours; infinite where it is not evaluable."""
    if not evaluable(n, m):
        return math.inf  # so many candidates may be too many for a float
    return _SAMPLE * (1e-4 + 1e-8 * (n if m == 2 else 4 * candidate_count(n, m)))


def _smooth(
    n: int, prior: tuple[float, ...], epsilon0: Epsilon, gamma: float, calibration: CalibrationName, delta: Delta
) -> Exponential:
    admixture = admixture_for(n, len(prior), largest_rate(np.array(prior), n, float(epsilon0), gamma))
    return Exponential(n, prior, epsilon0, gamma, admixture, calibration, delta)


def _require(condition: bool, rule: str) -> None:  # noqa: FBT001  an assertion in form
    if not condition:
        raise EventError(rule)
