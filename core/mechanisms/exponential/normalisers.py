"""Bounds the distance between log-normalisers of neighbours at one κ: the public number λ of Theorem 2.

Adding the same record to the centre and to a candidate brings them closer. Most of the two sums is therefore common to
both neighbours. The remainder is small, where the triangle inequality alone would allow ε₀/2.

Theorem 2. In Theorem 1, the ε₀/2 that bounds the normalisers at κ_y can be replaced by min(ε₀/2, λ). λ, defined below,
depends on n, α and ε₀ only.

Let C = C(n+m−2, m−2) be the number of r with r_i = 0, and N_z(κ) the sum over the candidates s of n
− 1 records around z. Write W(t) = e^{−φ(t)}, u = α_j + z_j, v = α_j + s_j.

1. BC(z+e_j, s+e_j) = BC(z, s)·q, q = (u+v)/(2√(uv)) ≥ 1: adding the same record to both brings them closer. So N_x(κ) ≥
   N_z(κ) + C·W(κ), where the second term is of the candidates with r_i = 0.
2. The candidates s + e_j of y weigh at most e^{κζ} times those of z. Proof: H(z, s) − H(z+e_j, s+e_j) = √(1−b) −
   √(1−bq) increases in b = BC(z, s). Since b ≤ e^{h(u,v)} and bq ≤ e^{h(u+1,v+1)}, it is at most ζ(u, v) = √(1 −
   e^{h(u,v)}) − √(1 − e^{h(u+1,v+1)}).
3. The share ω_v of N_z with s_j = v − α_j =: t is at most ω̄_v = min(1, C(n+m−3−t, m−2)/C(n+m−2,
   m−1) · e^{κ(1 − √(1 − e^{h(u,v)}))}), as N_z ≥ |R_{n−1}| W(κ).
4. So these candidates of y weigh at most (1 + T) N_z, T = max Σ ω_v(e^{κζ(u,v)} − 1) over 0 ≤ ω_v ≤
   ω̄_v, Σ ω_v = 1: fill the largest ζ first. Those of y with r_j = 0 weigh at most C·W(κ)·E, E =
   e^{κ(1 − √(1 − e^{h(u+1, α_j)}))}.
5. N_y/N_x ≤ (1 + T + ρE)/(1 + ρ), ρ = C·W(κ)/N_z ∈ [0, ρ₀], ρ₀ = (m−1)/n, monotone in ρ. So ln
   N_y(κ) − ln N_x(κ) ≤ Λ(u, κ) = ln(1 + max(T, (T + ρ₀(E−1))/(1+ρ₀))).
6. Λ increases in κ, and κ_y ≤ κ̄(u) = ε₀/(2√(1−g(u))), as S(y) ≥ √(1 − g(α_i+z_i) g(u)). λ = max
   over j and z_j = 0..n−1 of Λ(u, κ̄(u)).

In the proof of Theorem 1, ln N_y(κ_y) ≤ λ + ln Σ_r e^{−φ(κ_y h_x)} in both cases. ∎

*All z_j.* For z_j < 400 the code evaluates Λ, with v up to (√u + 11)² one by one and the rest as one group. Beyond, it
bounds blocks of u by T ≤ e^{κζ*} − 1 with ζ* = sup_v ζ(u, v). It also uses this bound where it shows that a block
cannot contain the maximum. Put v = uτ²; q depends on τ alone. For fixed τ, h(u, uτ²) falls in u: u·dh/du = F((u+v)/2) −
½F(u) − ½F(v), F(t) = tψ(t), which is convex. Then b = e^h falls, and ζ = √(1−b) − √(1−bq) = b(q−1)/(√(1−b) + √(1−bq))
falls too. So ζ* over a block is at most sup_τ ζ at its lower end. With τ = e^{±x}, q = cosh x, and on a piece x₁ ≤ x ≤
x₂, ζ ≤ e^{h(x₁)}(cosh x₂ − 1)/(H(x₁) + H'(x₁)), as H and H' = √(1−bq) grow with x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.mechanisms.exponential.rates import rate_of_category, rates_of_categories
from core.mechanisms.exponential.sensitivity import Floats
from core.special_functions import OUTWARD, log_affinity

_MAX_SINGLE_SHAPE: Final = 400.0
"""Concentration of the receiving category up to which each of its counts is evaluated. Beyond it, blocks of counts are
evaluated.
"""
_COUNTS_AT_ONCE: Final = 50
"""Number of counts of the receiving category evaluated at once."""
_FIRST_COUNTS: Final = 192
"""Number of counts evaluated before all others."""
_BLOCK: Final = 1.05
_PIECE: Final = 1.02
_MAX_PRIORS: Final = 8
_MAX_EXPONENT: Final = 600.0


def normaliser_excess(prior: Floats, n: int, epsilon0: float, largest_rate: float) -> float:
    """Return min(λ, ε₀/2), rounded up: a bound on ln N_y(κ_y) − ln N_x(κ_y) for all neighbours x, y and κ_y <=
    `largest_rate`.

    `prior` has shape (m,). λ is the maximum over categories j and counts z of Λ(α_j + z), defined in step 5 of
    the proof. With more than 8 distinct priors λ is not computed, and ε₀/2 is returned.
    """
    distinct, m = np.unique(prior), len(prior)
    found = 0.0
    for alpha in distinct.tolist() if len(distinct) <= _MAX_PRIORS else ():
        each = min(n, max(0, math.ceil(_MAX_SINGLE_SHAPE - alpha)))
        for first in range(0, each, _COUNTS_AT_ONCE):
            z = np.arange(first, min(first + _COUNTS_AT_ONCE, each))
            if found and _bound(alpha + first, alpha + int(z[-1]), alpha, n, m, epsilon0, largest_rate) <= found:
                continue
            rates = np.minimum(largest_rate, rates_of_categories(alpha + z, epsilon0))
            found = max(found, float(_excess_at(alpha, z, n, m, rates).max()))
            if found >= epsilon0 / 2:
                return epsilon0 / 2
        if n > each:
            found = max(found, _excess_beyond(alpha, each, n, m, epsilon0, largest_rate))
    return min(found * OUTWARD, epsilon0 / 2) if found else epsilon0 / 2


def _excess_at(alpha: float, z: NDArray[np.int64], n: int, m: int, rates: Floats) -> Floats:
    """Return Λ(u, κ) at u = α + z for consecutive z, each at its own κ (`rates`).

    This is step 5 of the proof, with T maximised greedily as in step 4. A result that is not a number
    becomes infinity, so that a maximum cannot drop it. Then only ε₀/2 is proven.
    """
    # Records beyond the last group make no difference.
    gains = _gains(alpha, int(z[0]), len(z), min(n, int(_furthest_counts(alpha, z[-1])) + 2))
    # C(n+m−3−t, m−2) / C(n+m−2, m−1): steps from each t to the next.
    steps = np.log1p(-(m - 2) / (n + m - 3.0 - np.arange(gains.highest)))
    shares = math.log((m - 1) / (n + m - 2)) + np.concatenate([[0.0], np.cumsum(steps)])
    rate = rates[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        taken = _largest_cumulative_share(shares, rate, gains, _FIRST_COUNTS)
        if (taken[:, -1] < 1.0).any():
            taken = _largest_cumulative_share(shares, rate, gains, gains.gain.shape[1])
        share = np.diff(taken, prepend=0.0, axis=1)
        weighed = np.where(share > 0.0, share * np.expm1(rate * gains.gain[:, : share.shape[1]]), 0.0).sum(axis=1)
        left = 1 - taken[:, -1]
        total = weighed + np.where(left > 0.0, left * np.expm1(rates * gains.beyond), 0.0)
    return _combine_log_sums(total, rates * (1 - gains.to_empty), n, m)


@dataclass(frozen=True, slots=True, eq=False)
class _Gains:
    """The parts of Λ that do not depend on κ, one row for each count z of the receiving category.

    A row lists the counts t in order of descending ζ, the decrease of the distance (step 2 of the proof). It is padded
    with entries at infinite distance.
    """

    count: NDArray[np.int32]
    """t, shape (k, w)."""
    distance: Floats
    """H before the record is added, shape (k, w)."""
    gain: Floats
    """ζ, shape (k, w)."""
    beyond: Floats
    """The largest ζ of the counts not included, shape (k,)."""
    to_empty: Floats
    """H to the empty category after the record is added, shape (k,)."""
    highest: int
    """The largest t."""


def _largest_cumulative_share(shares: Floats, rate: Floats, gains: _Gains, first: int) -> Floats:
    """Return the largest cumulative share of the `first` counts with the largest ζ. It often reaches 1."""
    counts, distance = gains.count[:, :first], gains.distance[:, :first]
    largest_share = np.exp(np.minimum(shares[counts] + rate * (1 - distance), 0.0))
    return np.asarray(np.minimum(np.cumsum(largest_share, axis=1), 1.0))


@lru_cache(maxsize=32)
def _gains(alpha: float, first: int, size: int, n: int) -> _Gains:
    """Return the `_Gains` for z = first, …, first + size − 1."""
    z = np.arange(first, first + size)[:, None]
    u = alpha + z
    highest = np.minimum(n - 1, _furthest_counts(alpha, z))
    t = np.arange(int(highest.max()) + 1)
    v = alpha + t
    affinity = log_affinity(alpha, z, t)
    closer = -np.expm1(affinity)
    growth = (u - v) ** 2 / (2 * np.sqrt(u * v) * (np.sqrt(u) + np.sqrt(v)) ** 2)
    distance = np.sqrt(closer)
    # 1 − (1 + growth)·e^h; rounding may make it slightly negative near v = u.
    after = np.sqrt(np.maximum(closer - growth * np.exp(affinity), 0.0))
    gain = np.divide(growth * np.exp(affinity), distance + after, out=np.zeros(distance.shape), where=distance > 0)
    beyond = np.where(highest == n - 1, 0.0, 1 - np.take_along_axis(after, highest, axis=1))[:, 0]
    outside = t > highest
    order = np.argsort(np.where(outside, np.inf, -gain), axis=1)
    gain, distance = np.where(outside, 0.0, gain), np.where(outside, np.inf, distance)
    return _Gains(
        np.where(outside, 0, t).astype(np.int32)[np.arange(size)[:, None], order],
        np.take_along_axis(distance, order, axis=1),
        np.take_along_axis(gain, order, axis=1),
        beyond,
        np.sqrt(-np.expm1(log_affinity(alpha, z[:, 0] + 1, 0))),
        int(highest.max()),
    )


def _furthest_counts(alpha: float, z: ArrayLike) -> NDArray[np.int64]:
    """Return t = (sqrt(u) + 11)² − α with u = α + z, beyond which affinities are below e^{−42}.

    All larger t form one last group with the largest possible ζ.
    """
    return np.ceil((np.sqrt(alpha + np.asarray(z)) + 11) ** 2 - alpha).astype(np.int64)


def _excess_beyond(alpha: float, first: int, n: int, m: int, epsilon0: float, largest_rate: float) -> float:
    """Return a bound on Λ for all z >= `first`, by blocks.

    A block is split only if its joint bound exceeds the maximum so far.
    """
    edges, last = [alpha + first], alpha + n - 1
    while edges[-1] <= last:
        edges.append(min(edges[-1] * _BLOCK, last + 1))
    found = 0.0
    pending = [(0, len(edges) - 1)]
    while pending:
        low, high = pending.pop()
        bound = _bound(edges[low], edges[high], alpha, n, m, epsilon0, largest_rate)
        if bound <= found:
            continue
        if high == low + 1:
            found = bound
        else:
            pending += [((low + high) // 2, high), (low, (low + high) // 2)]
    return found


def _bound(u0: float, u1: float, alpha: float, n: int, m: int, epsilon0: float, largest_rate: float) -> float:
    """Return an upper bound on Λ for every u from u0 to u1, where u is the concentration of the receiving category.

    In the terms of the proof: T <= e^{κζ} − 1 with the largest ζ. If v/u is fixed, ζ decreases in u, and so
    does the affinity with an empty category. Both are therefore evaluated at u0.
    """
    rate = min(largest_rate, rate_of_category(u1, epsilon0))
    gain, to_empty = _block(u0, alpha, u1)
    return float(_combine_log_sums(math.expm1(min(rate * gain, _MAX_EXPONENT)), rate * (1 - to_empty), n, m))


@lru_cache(maxsize=1024)
def _block(u0: float, alpha: float, u1: float) -> tuple[float, float]:
    """Return the largest ζ for u0 <= u <= u1, and the smallest distance of the receiving category from an empty one."""
    return _largest_gain(u0, alpha / u1), math.sqrt(-math.expm1(float(log_affinity(u0, 1, alpha - u0))))


def _largest_gain(u: float, smallest_ratio: float) -> float:
    """Return the supremum of ζ(u, v) over v with v/u >= smallest_ratio. ζ = H − H' is the decrease of the distance
    between concentrations u and v if both gain one record.

    Let v = u·e^{±2x}, q = (u+v)/(2·sqrt(uv)) = cosh x, and e^h = 1 − H² the affinity before the record is added. Then ζ
    = e^h·(q − 1)/(H + H'). On an interval of x, the bound uses the largest e^h and the smallest H and H', which are at
    the smallest x, and the largest q, which is at the largest x.
    """
    first = min(0.1 * u**-1.5, 1.0)
    largest = 0.0
    for sign in (1.0, -1.0):
        last = math.log1p(11 / math.sqrt(u)) if sign > 0 else max(0.5 * math.log(1 / smallest_ratio), first)
        x = np.append(np.exp(np.arange(math.log(first), math.log(last), math.log(_PIECE))), last)
        affinity = log_affinity(u, 0, u * np.expm1(2 * sign * x))
        before = np.sqrt(-np.expm1(affinity))
        growth = 2 * np.sinh(x / 2) ** 2
        after = np.sqrt(np.maximum(-np.expm1(affinity) - growth * np.exp(affinity), 0.0))
        inside = (np.exp(affinity) / (before + after))[:-1] * growth[1:]
        beyond = 1 - float(after[-1]) if sign > 0 else 0.0
        largest = max(largest, float(before[0]), float(inside.max(initial=0.0)), beyond)
    return largest * OUTWARD


def _combine_log_sums(total: ArrayLike, empty: ArrayLike, n: int, m: int) -> Floats:
    """Return Λ = ln(1 + max(T, (T + ρ₀(E − 1))/(1 + ρ₀))) elementwise, for T = `total`, ln E = `empty` and ρ₀ =
    (m−1)/n.
    """
    share, total, empty = (m - 1) / n, np.asarray(total), np.asarray(empty)
    of_empty = np.expm1(np.minimum(empty, _MAX_EXPONENT))
    found = np.where(
        empty > _MAX_EXPONENT, empty, np.log1p(np.maximum(total, (total + share * of_empty) / (1 + share)))
    )
    return np.where(np.isnan(total) | np.isnan(empty), math.inf, found)
