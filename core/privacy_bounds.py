"""What is proven, on paper, of the exponential mechanism with smooth sensitivity, from public numbers alone.

The mechanism draws the candidate r with probability ∝ exp(−φ(κ_c·H(BI(c), r))), κ_c = ε₀/(2 S_γ(c)), where φ is the identity, or
φ(t) = −ln(e^{−t} + e^{−L}) when e^{−L} is added to every weight. All that the proofs use of φ is that it never decreases and never grows faster
than its argument. The loss is at most

    ε₀/2  +  (how far the normalisers lie apart at one κ: ε₀/2, or λ of Theorem 2)  +  (what the change of κ adds: an excess of Theorem 1 or 3).

`docs/privacy-proofs.md` has the theorems in full; every bound here is rounded outward, toward a larger loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from scipy.special import wrightomega

from core.candidates import candidate_count
from core.normaliser_ratio import normaliser_excess
from core.rate_change import LOOKED_AT, largest_rate_change
from core.sensitivity import Floats, global_sensitivity, smallest_local_sensitivity, two_category_sensitivities

_OUTWARD: Final = 1 + 1e-9
"""What every bound is multiplied with: far above the rounding of the operations behind it, 1e-12 relative."""

_LARGEST_RATE_LOOKED_AT: Final = 20_000
"""For two categories of up to this many records the largest κ is that of some histogram, beyond that of a bound."""


@dataclass(frozen=True, slots=True)
class ProvenLoss:
    """(epsilon, delta)-DP, and a privacy loss that for each pair of neighbours stays, with certainty, in an interval of length `loss_range`.

    Of the mechanism with real weights: what a draw's arithmetic adds is not in it. `terms` are the parts of epsilon, and `reason` names the one
    that decided.
    """

    epsilon: float
    delta: float
    loss_range: float
    reason: str
    terms: dict[str, float]


def zcdp_of_range(loss_range: float) -> float:
    """ρ = w²/8 of zero-concentrated DP, without a δ, where each pair's loss stays in an interval of length w.

    Source: Cesar and Rogers 2021, lemma 3.2, after Hoeffding's lemma.
    """
    return _OUTWARD * loss_range**2 / 8


def prove(prior: Floats, n: int, epsilon0: float, gamma: float | None, uniform_admixture: float | None, delta: float) -> ProvenLoss:
    """The smallest loss that the theorems give; `prior` has shape (m,), `gamma` None stands for the global sensitivity.

    `delta` is what the tail bound of Theorem 1 may use: it is spent where that makes epsilon smaller, and only where there is no admixture.
    """
    rate = largest_rate(prior, n, epsilon0, gamma)
    normaliser = normaliser_excess(prior, n, epsilon0, rate)
    terms = {"score": epsilon0 / 2, "normaliser": normaliser}
    if gamma is None:
        return ProvenLoss(_OUTWARD * (epsilon0 / 2 + normaliser), 0.0, epsilon0, "Theorem 2", terms)
    excesses = {
        "Theorem 1": excess_by_ratio(rate, gamma, uniform_admixture),
        "Theorem 3": largest_rate_change(prior, n, epsilon0, gamma),
    }
    sure = min(excesses.values())
    if delta > 0 and uniform_admixture is None:
        excesses["Theorem 1, tail"] = excess_by_tail(n, len(prior), gamma, delta)
    reason = min(excesses, key=lambda name: excesses[name])
    return ProvenLoss(
        epsilon=_OUTWARD * (epsilon0 / 2 + normaliser + excesses[reason]),
        delta=delta if reason == "Theorem 1, tail" else 0.0,
        loss_range=epsilon0 + sure,
        reason=f"Theorem 2 and {reason}" if normaliser < epsilon0 / 2 else reason,
        terms=terms | excesses,
    )


def theorem_seconds(n: int, m: int) -> float:
    """A public estimate, on one core, of one `prove` with few distinct priors."""
    return 0.25 + (5e-7 * n if m == 2 and n <= LOOKED_AT else 0.0)


def log_candidate_count(n: int, m: int) -> float:
    """The logarithm of |R|, from the exact integer."""
    return math.log(candidate_count(n, m))


def largest_rate(prior: Floats, n: int, epsilon0: float, gamma: float | None) -> float:
    """An upper bound of κ_c = ε₀/(2 S_γ(c)) over all histograms c of n records; `prior` has shape (m,)."""
    if gamma is None:
        smallest = global_sensitivity(prior, n)
    elif len(prior) == 2 and n <= _LARGEST_RATE_LOOKED_AT:
        smallest = float(two_category_sensitivities(prior, n, gamma).min())
    else:
        smallest = smallest_local_sensitivity(prior, n)
    return _OUTWARD * epsilon0 / (2 * smallest)


def steepest_exponent(rate: float, uniform_admixture: float | None) -> float:
    """The supremum of t·φ'(t) over exponents t = κH <= rate: how fast, at most, a log weight moves with ln κ.

    Without an admixture t itself. With e^{−L} added it is t/(1 + e^{t−L}) <= ω(L − 1), where ω + ln ω = L − 1 (Wright's omega).
    """
    if uniform_admixture is None:
        return rate
    return min(rate, _OUTWARD * float(wrightomega(uniform_admixture - 1)))


def excess_by_ratio(rate: float, gamma: float, uniform_admixture: float | None) -> float:
    """η₀ of Theorem 1: what the change of κ between neighbours can add to the loss, with certainty.

    κ changes by a factor of at most e^γ, so by at most (1 − e^{−γ})·κ_max; and the log weight by at most γ·sup t·φ'(t).
    """
    return _OUTWARD * min(-math.expm1(-gamma) * rate, gamma * steepest_exponent(rate, uniform_admixture))


def excess_by_tail(n: int, m: int, gamma: float, delta: float) -> float:
    """η of Theorem 1: the same but for an event of probability `delta` > 0, at any κ; for φ the identity."""
    return _OUTWARD * math.expm1(gamma) * (log_candidate_count(n, m) - math.log(delta))
