"""Bounds how far the normalisers of neighbours can lie apart at one κ: the public number λ of Theorem 2.

The same record added to the centre and to a candidate brings them closer, so most of the two sums is common to both
neighbours; what is left is small, where the triangle inequality alone would allow ε₀/2. Section 3 of
`docs/explanation/privacy-proofs.md` has the proof, with the same letters.
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

_EACH: Final = 400.0
"""Up to this concentration the receiving category is looked at for each of its counts, and in blocks of counts
beyond.
"""
_TOGETHER: Final = 50
"""Counts of the receiving category that are looked at together."""
_FIRST: Final = 192
"""Counts that are looked at before all others."""
_BLOCK: Final = 1.05
_PIECE: Final = 1.02
_MAX_PRIORS: Final = 8
_MAX_EXPONENT: Final = 600.0


def normaliser_excess(prior: Floats, n: int, epsilon0: float, largest_rate: float) -> float:
    """min(λ, ε₀/2), rounded up: ln N_y(κ_y) − ln N_x(κ_y) of all neighbours x, y, for κ_y <= `largest_rate`; `prior`
    has shape (m,).

    λ = max over categories j and counts z of Λ(α_j + z). With more than 8 distinct priors it is not looked for, and
    ε₀/2 returned.
    """
    distinct, m = np.unique(prior), len(prior)
    found = 0.0
    for alpha in distinct.tolist() if len(distinct) <= _MAX_PRIORS else ():
        each = min(n, max(0, math.ceil(_EACH - alpha)))
        for first in range(0, each, _TOGETHER):
            z = np.arange(first, min(first + _TOGETHER, each))
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
    """Λ(u, κ) at u = α + z for successive z and the κ of each: step 5 of the proof, from the greedy maximum T of step
    4. Infinite where it is no number, which no maximum drops: nothing is proven beyond ε₀/2.
    """
    # More records than reach the last group make no difference.
    gains = _gains(alpha, int(z[0]), len(z), min(n, int(_furthest(alpha, z[-1])) + 2))
    # C(n+m−3−t, m−2) / C(n+m−2, m−1), from each t to the next.
    steps = np.log1p(-(m - 2) / (n + m - 3.0 - np.arange(gains.highest)))
    shares = math.log((m - 1) / (n + m - 2)) + np.concatenate([[0.0], np.cumsum(steps)])
    rate = rates[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        taken = _taken(shares, rate, gains, _FIRST)
        if (taken[:, -1] < 1.0).any():
            taken = _taken(shares, rate, gains, gains.gain.shape[1])
        share = np.diff(taken, prepend=0.0, axis=1)
        weighed = np.where(share > 0.0, share * np.expm1(rate * gains.gain[:, : share.shape[1]]), 0.0).sum(axis=1)
        left = 1 - taken[:, -1]
        total = weighed + np.where(left > 0.0, left * np.expm1(rates * gains.beyond), 0.0)
    return _combined(total, rates * (1 - gains.to_empty), n, m)


@dataclass(frozen=True, slots=True, eq=False)
class _Gains:
    """What a count t of the receiving category brings closer, for some z of it, and does not depend on κ: a row for
    each z, the counts t in it by falling ζ, and behind them entries at an infinite distance.
    """

    count: NDArray[np.int32]
    """t, shape (k, w)."""
    distance: Floats
    """H before the record is added, shape (k, w)."""
    gain: Floats
    """ζ, shape (k, w)."""
    beyond: Floats
    """The largest ζ of counts that are not among them, shape (k,)."""
    to_empty: Floats
    """H to the empty category after the record is added, shape (k,)."""
    highest: int
    """The largest t."""


def _taken(shares: Floats, rate: Floats, gains: _Gains, first: int) -> Floats:
    """What the `first` counts of largest ζ take of the whole, which is often all there is, up to each of them."""
    counts, distance = gains.count[:, :first], gains.distance[:, :first]
    largest_share = np.exp(np.minimum(shares[counts] + rate * (1 - distance), 0.0))
    return np.asarray(np.minimum(np.cumsum(largest_share, axis=1), 1.0))


@lru_cache(maxsize=32)
def _gains(alpha: float, first: int, size: int, n: int) -> _Gains:
    """For z = first, …, first + size − 1."""
    z = np.arange(first, first + size)[:, None]
    u = alpha + z
    highest = np.minimum(n - 1, _furthest(alpha, z))
    t = np.arange(int(highest.max()) + 1)
    v = alpha + t
    affinity = log_affinity(alpha, z, t)
    closer = -np.expm1(affinity)
    growth = (u - v) ** 2 / (2 * np.sqrt(u * v) * (np.sqrt(u) + np.sqrt(v)) ** 2)
    distance = np.sqrt(closer)
    # 1 − (1 + growth)·e^h, which rounding may leave a little below zero next to v = u.
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


def _furthest(alpha: float, z: ArrayLike) -> NDArray[np.int64]:
    """The t = (sqrt(u) + 11)² − α, beyond which affinities are below e^{−42}: what lies there is one last group with
    the largest ζ it can have.
    """
    return np.ceil((np.sqrt(alpha + np.asarray(z)) + 11) ** 2 - alpha).astype(np.int64)


def _excess_beyond(alpha: float, first: int, n: int, m: int, epsilon0: float, largest_rate: float) -> float:
    """A bound of Λ for all z >= `first`, by blocks of them; those that together bound no more than was found are not
    looked at one by one.
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
    """A bound of Λ where u0 <= u <= u1: T <= e^{κζ} − 1 with the largest ζ there is.

    At fixed v/u, ζ falls as u grows, and so does the affinity with an empty category, so both are taken at u0.
    """
    rate = min(largest_rate, rate_of_category(u1, epsilon0))
    gain, to_empty = _block(u0, alpha, u1)
    return float(_combined(math.expm1(min(rate * gain, _MAX_EXPONENT)), rate * (1 - to_empty), n, m))


@lru_cache(maxsize=1024)
def _block(u0: float, alpha: float, u1: float) -> tuple[float, float]:
    """The largest ζ where u0 <= u <= u1, and the least distance of the receiving category from an empty one."""
    return _largest_gain(u0, alpha / u1), math.sqrt(-math.expm1(float(log_affinity(u0, 1, alpha - u0))))


def _largest_gain(u: float, smallest_ratio: float) -> float:
    """sup of ζ(u, v) over v/u >= smallest_ratio, with v = u·e^{±2x}, where q = (u+v)/(2·sqrt(uv)) = cosh x.

    ζ = e^h·(q − 1)/(H + H'), H before and H' after. On a piece of x, e^h is largest and H, H' are smallest at its near
    end, q at its far one.
    """
    first = 0.1 * u**-1.5
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


def _combined(total: ArrayLike, empty: ArrayLike, n: int, m: int) -> Floats:
    """Λ = ln(1 + max(T, (T + ρ₀(E − 1))/(1 + ρ₀))), ρ₀ = (m−1)/n, ln E = `empty`, elementwise."""
    share, total, empty = (m - 1) / n, np.asarray(total), np.asarray(empty)
    of_empty = np.expm1(np.minimum(empty, _MAX_EXPONENT))
    found = np.where(
        empty > _MAX_EXPONENT, empty, np.log1p(np.maximum(total, (total + share * of_empty) / (1 + share)))
    )
    return np.where(np.isnan(total) | np.isnan(empty), math.inf, found)
