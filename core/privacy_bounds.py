"""What is proven, on paper, of the exponential mechanism with smooth sensitivity, from public numbers alone.

The mechanism draws the candidate r with probability ∝ exp(−φ(κ_c·H(BI(c), r))), κ_c = ε₀/(2 S_γ(c)), where φ is the identity, or
φ(t) = −ln(e^{−t} + e^{−L}) when e^{−L} is added to every weight. All that the proofs use of φ is that it never decreases and never grows faster
than its argument. `docs/privacy-proofs.md` has the theorems in full; every bound here is rounded outward, toward a larger loss.
"""

from __future__ import annotations

import math
from typing import Final

from scipy.special import wrightomega

from core.candidates import candidate_count
from core.sensitivity import Floats, smallest_local_sensitivity, two_category_sensitivities

OUTWARD: Final = 1 + 1e-9
"""What every bound is multiplied with: far above the rounding of the few operations behind it, 1e-12 relative."""

_EXACT_UP_TO: Final = 1_000_000
"""For two categories of up to this many records the smooth sensitivity is looked at everywhere."""


def log_candidate_count(n: int, m: int) -> float:
    """The logarithm of |R|, from the exact integer."""
    return math.log(candidate_count(n, m))


def largest_rate(prior: Floats, n: int, epsilon0: float, gamma: float) -> float:
    """An upper bound of κ_c = ε₀/(2 S_γ(c)) over all histograms c of n records; `prior` has shape (m,)."""
    if len(prior) == 2 and n <= _EXACT_UP_TO:
        return OUTWARD * epsilon0 / (2 * float(two_category_sensitivities(prior, n, gamma).min()))
    return OUTWARD * epsilon0 / (2 * smallest_local_sensitivity(prior, n))


def steepest_exponent(rate: float, uniform_admixture: float | None) -> float:
    """The supremum of t·φ'(t) over exponents t = κH <= rate: by how much, at most, the log weight moves when κ grows by a factor e per unit of ln κ.

    Without an admixture t itself. With e^{−L} added it is t/(1 + e^{t−L}) <= ω(L − 1), where ω + ln ω = L − 1 (Wright's omega).
    """
    if uniform_admixture is None:
        return rate
    return min(rate, OUTWARD * float(wrightomega(uniform_admixture - 1)))


def excess_by_ratio(rate: float, gamma: float, uniform_admixture: float | None) -> float:
    """η₀ of Theorem 1: what the change of κ between neighbours can add to the loss, with certainty.

    κ changes by a factor of at most e^γ, so by at most (1 − e^{−γ})·κ_max; and the log weight by at most γ·sup t·φ'(t).
    """
    return OUTWARD * min(-math.expm1(-gamma) * rate, gamma * steepest_exponent(rate, uniform_admixture))


def excess_by_tail(n: int, m: int, gamma: float, delta: float) -> float:
    """η of Theorem 1: the same but for an event of probability δ > 0, at any κ; for φ the identity."""
    return OUTWARD * math.expm1(gamma) * (log_candidate_count(n, m) - math.log(delta))


def zcdp_of_range(loss_range: float) -> float:
    """ρ = w²/8 of a pure mechanism whose privacy loss, for each pair of neighbours, stays within an interval of length w.

    Source: Cesar and Rogers 2021, lemma 3.2 (bounded range implies zCDP), after Hoeffding's lemma.
    """
    return OUTWARD * loss_range**2 / 8
