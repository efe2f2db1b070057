"""Evaluates the theorems about the exponential mechanism with smooth sensitivity, from public numbers alone.

The mechanism draws the candidate r with probability ∝ exp(−φ(κ_c·H(BI(c), r))), κ_c = ε₀/(2 S_γ(c)). Here φ is the
identity, or φ(t) = −ln(e^{−t} + e^{−L}) if e^{−L} is added to every weight. The proofs use only that φ is
non-decreasing and grows no faster than its argument. The loss is at most

    (the distance of the log-normalisers at one κ: ε₀/2, or λ of Theorem 2)
      + (ε₀/2 from the score, and an excess from the change of κ, of Theorems 1 and 3).

The two parts of the second term are not largest together. Every bound here is rounded outward, toward a larger loss.

Theorem 1. M is (ε₀ + η₀, 0)-DP with η₀ = min((1 − e^{−γ}) κ_max, γ·sup_t tφ'(t)). Where φ is the identity it
is also (ε₀ + η, δ)-DP with η = (e^γ − 1) ln(|R|/δ). With the global sensitivity both are 0.

*Proof.* Let D = H(BI(x), BI(y)) ≤ Δ(x), Δ(y), hence ≤ S(x), S(y), so 2κ_x D ≤ ε₀ and 2κ_y D ≤ ε₀;
and e^{−γ} ≤ κ_x/κ_y ≤ e^γ.

(a) κ_y ≥ κ_x. φ(κ_y h_y) ≤ φ(κ_y h_x) + κ_y D, so the first two terms are ≤ ε₀/2 + [φ(κ_y h_x) − φ(κ_x h_x)]. Likewise
    N_y ≤ e^{κ_y D} Σ_r e^{−φ(κ_y h_x)} ≤ e^{ε₀/2} N_x. The loss is at most ε₀ + E, E = φ(κ_y h_x) − φ(κ_x h_x), the
    excess. E ≤ (κ_y − κ_x) h_x ≤ (1 − e^{−γ})κ_y as h_x ≤ 1; and E = ∫ κh_x φ'(κh_x) dκ/κ over [κ_x, κ_y] ≤ γ sup
    tφ'(t).

(b) κ_y < κ_x. φ(κ_y h_y) − φ(κ_x h_x) ≤ φ(κ_y h_y) − φ(κ_y h_x) ≤ ε₀/2. N_y ≤ e^{ε₀/2} Σ_r
    e^{−φ(κ_y h_x)} ≤ e^{ε₀/2} N_x · max_r e^{φ(κ_x h_x) − φ(κ_y h_x)}, and the exponent is bounded
    as E was.

With δ, φ(t) = t: in (a), E ≤ (e^γ − 1) κ_x h_x, and P(κ_x h_x > t | x) ≤ |R| e^{−t}/N_x ≤ |R| e^{−t}, which is δ at t =
ln(|R|/δ). In (b), let f(κ) = ln Σ_r e^{−κh_x}; then f(κ_y) − f(κ_x) = ∫ E_κ[κh_x] dκ/κ, and E_κ[κh_x] is the entropy of
the distribution at κ minus f(κ) ≤ ln|R|. So the difference is ≤ γ ln|R| ≤ η. ∎

With the admixture e^{−L}, tφ'(t) = t/(1 + e^{t−L}) is largest at the t with (t − 1)e^{t−1} = e^{L−1}. The largest value
is ω(L − 1), a little below L, with Wright's function ω. The uniform component has at most the probability |R| e^{−L}.
At L = ln|R| + 14 this is below 10⁻⁶, and ω(L − 1) is below ln(|R|/δ) even at δ = 10⁻⁶. So the admixture makes the
guarantee pure, and its bound is smaller than with a δ of 10⁻⁶.

Score and excess are not largest together. BC = cos θ for an angle θ ∈ [0, π/2] between unit vectors (the roots of
the densities), angles are a metric, and H = √2·sin(θ/2). So h_y ≤ √2·sin((θ_x + θ_xy)/2) ≤ h_x + cos(θ_x/2)·D = h_x +
D·√(1 − h_x²/2). In (a), if κ_y − κ_x ≤ η, the first two terms are therefore at most A(η) = max over h ≤ 1 of
(ε₀/2)√(1 − h²/2) + ηh, which is √(ε₀²/4 + 2η²) for η ≤ ε₀/√8 and ε₀/√8 + η beyond. In (b) the score is largest at h =
0, where the excess of the normalisers counts fully, but that is at most γ ln|R| too, as the second part of the proof
shows (with φ: tφ' ≤ φ − φ(0), φ being concave). So the loss is at most

    (ε₀/2 for the normalisers at one κ) + max( min(ε₀/2 + η₀, A(η)),  ε₀/2 + min(η₀, η, γ ln|R|) ),     η ≥ |κ_y − κ_x|.

Range. In (a) the first two terms lie between −κ_y D and A = min(ε₀/2 + η₀, A(η)), and the rest
does not depend on r: the losses of a pair, either way round, lie in an interval of length w = ε₀/2
+ A. A mechanism whose losses lie in an interval of length w is w²/8-zCDP (Cesar and Rogers 2021,
lemma 3.2), so ρ = w²/8, and no δ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from scipy.special import wrightomega

from core.candidates import log_candidate_count
from core.mechanisms.exponential.normalisers import normaliser_excess
from core.mechanisms.exponential.rates import largest_rate_change
from core.mechanisms.exponential.sensitivity import (
    Floats,
    global_sensitivity,
    smallest_local_sensitivity,
    two_category_sensitivities,
)
from core.special_functions import OUTWARD

_MAX_EVALUATED_N: Final = 20_000
"""Up to this number of records of two categories, the largest κ is that of some histogram; beyond, it is a bound."""


@dataclass(frozen=True, slots=True)
class ProvenLoss:
    """(epsilon, delta)-DP, and a bound on the range of the privacy loss of each pair of neighbours.

    It holds for the mechanism with real weights; the rounding of a draw is not included. With certainty the loss of a
    pair lies in an interval of length `loss_range`. `terms` are the numbers that the loss consists of.
    """

    epsilon: float
    delta: float
    loss_range: float
    reason: str
    terms: dict[str, float]


def zcdp_of_range(loss_range: float) -> float:
    """Return ρ = w²/8, for which the mechanism is ρ-zCDP without a δ if each pair's loss lies in an interval of length
    w = `loss_range`.

    Source: Cesar and Rogers 2021, lemma 3.2, after Hoeffding's lemma.
    """
    return OUTWARD * loss_range**2 / 8


def prove(
    prior: Floats, n: int, epsilon0: float, gamma: float | None, uniform_admixture: float | None, delta: float
) -> ProvenLoss:
    """Return the smallest loss that the theorems prove.

    Arguments: `prior` α, shape (m,); `n` records; `epsilon0` ε₀ > 0; `gamma` γ > 0, or None for the global sensitivity;
    `uniform_admixture` L > 0, or None; `delta`, the probability that the tail bound of Theorem 1 may fail. `delta` is
    used only without an admixture, and only if it makes epsilon smaller.
    """
    rate = largest_rate(prior, n, epsilon0, gamma)
    normaliser = normaliser_excess(prior, n, epsilon0, rate)
    score = epsilon0 / 2
    terms = {"score": score, "normalisers": normaliser}
    if gamma is None:
        return ProvenLoss(OUTWARD * (score + normaliser), 0.0, epsilon0, "Theorem 2", terms)
    by_ratio = excess_by_ratio(rate, gamma, uniform_admixture)
    change = min(largest_rate_change(prior, n, epsilon0, gamma), -OUTWARD * math.expm1(-gamma) * rate)
    terms |= {"excess_by_ratio": by_ratio, "change_of_rate": change}
    # κ_y > κ_x, then κ_y < κ_x.
    upward = min(score + by_ratio, score_and_change(score, change))
    downward = score + min(by_ratio, change, gamma * log_candidate_count(n, len(prior)))
    loss_range = OUTWARD * (score + upward)
    if delta > 0 and uniform_admixture is None:
        terms["excess_by_tail"] = excess_by_tail(n, len(prior), gamma, delta)
        with_tail = score + terms["excess_by_tail"]
        if max(downward, with_tail) < upward:
            epsilon = OUTWARD * (normaliser + max(downward, with_tail))
            return ProvenLoss(epsilon, delta, loss_range, "Theorems 1 to 3, with a tail of probability delta", terms)
    return ProvenLoss(OUTWARD * (normaliser + max(downward, upward)), 0.0, loss_range, "Theorems 1 to 3", terms)


def score_and_change(score: float, change: float) -> float:
    """Return max over 0 <= h <= 1 of score·sqrt(1 − h²/2) + change·h: the two parts of the loss at a candidate at
    distance h.

    If neighbours x and y are at distance D, their distances to a candidate satisfy h_y − h_x <= D·sqrt(1 − h_x²/2),
    because angles are a metric.
    """
    return math.hypot(score, math.sqrt(2) * change) if change <= score / math.sqrt(2) else score / math.sqrt(2) + change


def largest_rate(prior: Floats, n: int, epsilon0: float, gamma: float | None) -> float:
    """Return an upper bound of κ_c = ε₀/(2 S_γ(c)) over all histograms c of n records; `prior` has shape (m,)."""
    if gamma is None:
        smallest = global_sensitivity(prior, n)
    elif len(prior) == 2 and n <= _MAX_EVALUATED_N:
        smallest = float(two_category_sensitivities(prior, n, gamma).min())
    else:
        smallest = smallest_local_sensitivity(prior, n)
    return OUTWARD * epsilon0 / (2 * smallest)


def steepest_exponent(rate: float, uniform_admixture: float | None) -> float:
    """Return the supremum of t·φ'(t) over exponents t = κH <= rate, which is the largest derivative of a log weight in
    ln κ.

    Without an admixture t·φ'(t) = t. With e^{−L} added it is t/(1 + e^{t−L}) <= ω(L − 1), where ω + ln ω = L − 1
    (Wright's omega).
    """
    if uniform_admixture is None:
        return rate
    return min(rate, OUTWARD * float(wrightomega(uniform_admixture - 1)))


def excess_by_ratio(rate: float, gamma: float, uniform_admixture: float | None) -> float:
    """Return η₀ of Theorem 1: the largest loss that the change of κ between neighbours can add, with certainty.

    κ changes by a factor of at most e^γ, and therefore by at most (1 − e^{−γ})·κ_max. The log weight changes by at most
    γ·sup t·φ'(t).
    """
    return OUTWARD * min(-math.expm1(-gamma) * rate, gamma * steepest_exponent(rate, uniform_admixture))


def excess_by_tail(n: int, m: int, gamma: float, delta: float) -> float:
    """Return η of Theorem 1, a bound on the same excess at any κ, except for an event of probability `delta` > 0; φ is
    the identity.
    """
    return OUTWARD * math.expm1(gamma) * (log_candidate_count(n, m) - math.log(delta))
