"""Bounds the change of κ_c = ε₀/(2 S_γ(c)) between neighbours: a public number, and the core of Theorem 3.

κ is large only where the local sensitivity is itself flat, so its absolute change stays small at every size: about
ε₀·sqrt(5.3·γ). The ratio e^γ alone, applied to the largest κ, would grow like sqrt(n).

Theorem 3. |κ_x − κ_y| ≤ η₁ for all x ~ y, where η₁ is public and does not grow with n. For moderate priors η₁ is about
ε₀√(5γ). It can be used as η in Theorem 1.

*Proof.* Let κ_y > κ_x. Let K(w) = (ε₀/2)(1 − g(w))^{−1/2}, increasing. In every
case κ_y − κ_x ≤ (e^γ − 1)κ_x.

I. S(x) = Δ(x), attained by the pair (i, j) with u = α_i + x_i − 1, v = α_j + x_j, p = g(u)g(v).

- *y_i ≥ 1.* The pair still exists at y. Its product grows by at most the factor g(w+1)/g(w), for w = u if a record
  joined i, w = v if one joined j (if a record also left the other, less). κ_y ≤ (ε₀/2)(1 − p_y)^{−1/2} by S ≥ Δ, and
  the difference of the two powers increases in p ≤ g(w). So κ_y − κ_x ≤ min(K(w+1) − K(w), (e^γ−1)K(w)), for some w. By
  (G), for w ≥ ½, K(w+1)/K(w) ≤ 1 + (8w+9)/(16w(w+1)), so the first is at most (ε₀/2)√(8w+1)(8w+9)/(16w(w+1)), which
  falls in w while the second rises. So at any w₀ ≥ ½ the larger of the two bounds the supremum.
- *y_i = 0*: then x_i = 1 and the record left i for some k. If k = j, or x_j ≥ 1, the step j → i at
  y has arguments (α_j + y_j − 1, α_i), no larger than (v, u), so Δ(y) ≥ Δ(x). Otherwise x_j = 0,
  and κ_x = (ε₀/2)(1 − g(α_i)g(α_j))^{−1/2} =: K₂(i, j) exactly.

II. S(x) = e^{−γd}Δ(x') > Δ(x), with d = d(x, x') ≥ 1 the smallest distance that attains it, (i, j) the pair at x'
with arguments (u, v), and s and t the numbers of records taken from i and j.

- *x_i = 0* (the giver was empty). If x_j ≥ 1, reversing the roles gives the same arguments at a distance of one record
  less, which contradicts the choice of d. So x_j = 0, d = 1, and κ_x = e^γ K₂(i, j).
- *x_i ≥ 1*, so s + t = d. Undo the last record, so that w ∈ {u, v} was w + 1: that histogram is within d − 1, so its Δ
  is below e^{−γ}Δ(x'). With P the other g, (1 − P g(w))/(1 − P g(w+1)) > e^{2γ}: the last step increased S.

  *m ≥ 3.* 1 − P g is log-convex, so if a step increased S, the next one increases it more. So x' is optimal only if
  w is reduced to its prior, w = α_k. Let a be the argument of that category at x. It can take part in a step at x, so
  S(x) ≥ Δ(x) ≥ √(1 − g(a)) and κ_x ≤ K(a). If it alone was lowered, d = a − α_k, and e^{−2γ(a−α_k)}(1 − P g(α_k)) =
  S(x)² > Δ(x)² ≥ 1 − P g(a). The quotient (1 − P g(a))/(1 − P g(α_k)) falls in P, so the same holds at P = 1: F(a) <
  F(α_k) for the convex F(a) = γa + ½ln(1 − g(a)). So a is below the second root of F(a) = F(α_k). If f and s were
  lowered, both are at their priors, d = (a_f − α_f) + (a_s − α_s). Lowering f alone gives no more than S(x), so
  e^{−2γ(a_s−α_s)}(1 − g(α_f)g(α_s)) ≥ 1 − g(α_f)g(a_s) ≥ 1 − g(α_f), which bounds a_s, and with the roles exchanged
  a_f. κ_x ≤ K(min(a_f, a_s)). A* is the largest of these, over all priors; κ_x ≤ K(A*).

  *m = 2*, where lowering one argument raises the other. The quotient of the last step increases in
  P ≤ 1 and is at most 1 + (8w+9)/(8w(w+1)) by (G). Hence w ≤ V*, the root of (8w+9)/(8w(w+1)) =
  e^{2γ} − 1. (Undoing lowers the other argument, so its 1 − Pg is larger than with P kept; the
  bound holds.) a − w ≤ d, and (8a+1)^{−1/2} ≤ Δ(x) ≤ S(x) ≤ e^{−γ(a−w)}√(1 − g(w)g(α_min)). So γa −
  ½ln(8a+1) ≤ max over α_min ≤ w ≤ V* of [γw + ½ln(1 − g(w)g(α_min))], which holds only up to some
  A*.

*Log-convexity.* Sums of log-convex functions and constants are log-convex, so it is enough that
δ(t) = g(t+1) − g(t) is, since 1 − g(t) = Σ_k δ(t+k). δ = g·ρ with ρ = (t+½)/√(t(t+1)) − 1. Put t +
½ = ½cosh ξ: then ln ρ = −ξ − ½ln t − ½ln(t+1) − ln 2, ξ' = (t²+t)^{−1/2}, so (ln ρ)'' =
½(2t+1)(t²+t)^{−3/2} + ½(1/t² + 1/(t+1)²) ≥ 1/(2t²). And −(ln g)'' ≤ 1/(2t²): by the product in
`sensitivity`, −ln g(t) = ½ Σ_k [2ln(t+k+½) − ln(t+k) − ln(t+k+1)] = ∫₀^∞ e^{−ts} tanh(s/4)/(2s) ds,
whose second derivative is ∫ e^{−ts} (s/2) tanh(s/4) ds ≤ ∫ e^{−ts} s/2 ds = 1/(2t²).

η₁ = max of the bound in I, e^γ(e^γ−1)·max K₂, and (e^γ−1)K(min(A*, α_max + n)). For m = 2 and n ≤
500 000 κ is evaluated at all n + 1 histograms instead, in O(n). ∎
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np

from core.mechanisms.exponential.sensitivity import Floats, two_category_sensitivities
from core.special_functions import OUTWARD, log_half_step

EVALUATED_UP_TO: Final = 500_000
"""Largest number of records of two categories at which κ is evaluated at every histogram."""
_PIECES: Final = 2000


def largest_rate_change(prior: Floats, n: int, epsilon0: float, gamma: float) -> float:
    """Return η₁, an upper bound on |κ_x − κ_y| for all neighbours x, y among the histograms of n >= 1 records, rounded
    up.

    `prior` has shape (m,).
    """
    if len(prior) == 2 and n <= EVALUATED_UP_TO:
        change, largest = _evaluate_rates(tuple(prior.tolist()), n, gamma)
        return OUTWARD * epsilon0 * change + 1e-11 * epsilon0 * largest
    return float(bounds_of_rate_change(prior, n, epsilon0, np.array([gamma]))[0])


@lru_cache(maxsize=256)
def _evaluate_rates(prior: tuple[float, float], n: int, gamma: float) -> tuple[float, float]:
    """Return the largest |κ_x − κ_y| of neighbours and the largest κ, for two categories and ε₀ = 1."""
    rates = 0.5 / two_category_sensitivities(np.array(prior), n, gamma)
    return float(np.abs(np.diff(rates)).max()), float(rates.max())


def bounds_of_rate_change(prior: Floats, n: int, epsilon0: float, gammas: Floats) -> Floats:
    """Return, for each γ of `gammas`, shape (k,), the analytic bound on `largest_rate_change`, without evaluating the
    mechanism.

    The bound holds at any size, is proportional to ε₀, and is cheap to compute.
    """
    grown, most = np.expm1(gammas), float(prior.max()) + n
    furthest = _largest_lowered_concentration if len(prior) > 2 else _largest_moved_concentration
    lowered = np.array([min(furthest(prior, gamma), most) for gamma in gammas.tolist()])
    largest: Floats = np.maximum.reduce(
        [
            np.minimum(_changes_of_local_sensitivity(epsilon0, grown), grown * rate_of_category(most, epsilon0)),
            grown * np.exp(gammas) * _rate_of_two_empty(prior, epsilon0),
            grown * rates_of_categories(lowered, epsilon0),
        ]
    )
    return OUTWARD * largest


def rate_of_category(concentration: float, epsilon0: float) -> float:
    """Return K(w) = (ε₀/2)·(1 − g(w))^{−1/2}, the largest κ if a category with concentration w takes part in a step.

    K increases in w. g is defined by `log_half_step`.
    """
    return float(rates_of_categories(np.asarray(concentration, dtype=np.float64), epsilon0))


def rates_of_categories(concentrations: Floats, epsilon0: float) -> Floats:
    """Return `rate_of_category` at each of `concentrations`."""
    return np.asarray(0.5 * epsilon0 / np.sqrt(-np.expm1(log_half_step(concentrations))))


def _rate_of_two_empty(prior: Floats, epsilon0: float) -> float:
    """Return κ if the largest step is between two categories that have no record but the one that moves.

    κ = (ε₀/2)·(1 − g(α_i)g(α_j))^{−1/2} at the two largest priors.
    """
    largest, second = np.sort(prior)[::-1][:2]
    return 0.5 * epsilon0 / math.sqrt(-math.expm1(float(log_half_step(largest) + log_half_step(second))))


def _changes_of_local_sensitivity(epsilon0: float, grown: Floats) -> Floats:
    """Return the bound in the case S_γ(x) = Δ(x), for each value e^γ − 1 of `grown`.

    The bound is sup over w > 0 of min(K(w+1) − K(w), (e^γ − 1)·K(w)). For w >= ½ the first term is at most
    (ε₀/2)·sqrt(8w+1)·(8w+9)/(16w(w+1)), which decreases while the second increases. Where the two are equal, the larger
    bounds the supremum over all w.
    """

    def falling(w: Floats) -> Floats:
        return np.asarray(0.5 * epsilon0 * np.sqrt(8 * w + 1) * (8 * w + 9) / (16 * w * (w + 1)))

    low, high = np.full(grown.shape, 0.5), np.full(grown.shape, 1e18)
    while (high > low * 1.001).any():
        middle = np.sqrt(low * high)
        below = falling(middle) > grown * rates_of_categories(middle, epsilon0)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.maximum(falling(high), grown * rates_of_categories(high, epsilon0))


def _largest_lowered_concentration(prior: Floats, gamma: float) -> float:
    """Return A*, a bound on the concentration of a category that is lowered, for three or more categories (II of the
    proof).

    No category of larger concentration is lowered where S_γ(x) = e^{−γd}·Δ(x') > Δ(x), unless K is no larger there.
    ln(1 − P·g) is convex, so a category that is lowered at all is lowered to its prior. If one is lowered alone, its
    concentration a is at most the second root of F(a) = F(α), F(a) = γa + ½ln(1 − g(a)). If two are lowered, f and s,
    lowering the second must also increase the value, which bounds the smaller of their concentrations.
    """
    floors = np.unique(prior)
    log_g = log_half_step(floors)

    def exponent(a: Floats) -> Floats:
        return np.asarray(gamma * a + 0.5 * np.log(-np.expm1(log_half_step(a))))

    at_floor = exponent(floors)
    low, high = floors, floors + 1 / gamma
    while (below := exponent(high) < at_floor).any():
        high = np.where(below, 2 * high, high)
    while (high - low > 1e-9 * high).any():
        middle = 0.5 * (low + high)
        below = exponent(middle) < at_floor
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    both = -np.expm1(log_g[:, None] + log_g[None, :])
    second = floors[None, :] + np.log(both / -np.expm1(log_g)[:, None]) / (2 * gamma)
    return OUTWARD * max(float(high.max()), float(np.minimum(second, second.T).max()))


def _largest_moved_concentration(prior: Floats, gamma: float) -> float:
    """Return A* for two categories, where lowering one raises the other (II of the proof).

    The last step lowered some concentration to v <= V*, because it increased the value: (1 − g(v))/(1 − g(v+1)) >=
    e^{2γ}, and that ratio is at most 1 + (8v+9)/(8v(v+1)). So d >= a − v, and (8a+1)^{−1/2} <= Δ(x) <=
    e^{−γ(a−v)}·sqrt(1 − g(v)g(α_min)).
    """
    gain = math.expm1(2 * gamma)
    furthest = (4 * (1 - gain) + math.sqrt(16 * (1 - gain) ** 2 + 72 * gain)) / (8 * gain)
    smallest = float(prior.min())
    if furthest <= smallest:
        return smallest
    v = np.geomspace(smallest, furthest * OUTWARD, _PIECES)
    limit = (
        float((gamma * v[1:] + 0.5 * np.log(-np.expm1(log_half_step(v[:-1]) + log_half_step(smallest)))).max()) + 1e-9
    )
    low = max(furthest, 0.5 / gamma)
    high = 2 * low
    while gamma * high - 0.5 * math.log(8 * high + 1) <= limit:
        high *= 2
    while high > low * (1 + 1e-6):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gamma * middle - 0.5 * math.log(8 * middle + 1) <= limit else (low, middle)
    return high
