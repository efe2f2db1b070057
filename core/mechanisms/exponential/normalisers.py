"""Bounds how far the normalisers of neighbours can lie apart at one κ: the public number λ of Theorem 2.

The same record added to the centre and to a candidate brings them closer, so most of the two sums is common to both
neighbours; what is left is small, where the triangle inequality alone would allow ε₀/2. `docs/privacy-proofs.md`
section 3 has the proof; the letters are its.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np

from core.mechanisms.exponential.rates import rate_of_category
from core.mechanisms.exponential.sensitivity import Floats
from core.special_functions import OUTWARD, log_affinity

_EACH: Final = 400.0
"""Up to this concentration the receiving category is looked at for each of its counts, and in blocks of counts
beyond.
"""
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
    distinct = np.unique(prior)
    found = 0.0
    for alpha in distinct.tolist() if len(distinct) <= _MAX_PRIORS else ():
        each = min(n, max(0, math.ceil(_EACH - alpha)))
        for z in range(each):
            found = max(
                found, _excess_at(alpha, z, n, len(prior), min(largest_rate, rate_of_category(alpha + z, epsilon0)))
            )
            if found >= epsilon0 / 2:
                return epsilon0 / 2
        if n > each:
            found = max(found, _excess_beyond(alpha, each, n, len(prior), epsilon0, largest_rate))
    return min(found * OUTWARD, epsilon0 / 2) if found else epsilon0 / 2


def _excess_at(alpha: float, z: int, n: int, m: int, rate: float) -> float:
    """Λ(u, κ) at u = α + z: step 5 of the proof, from the greedy maximum T of step 4."""
    u = alpha + z
    # Beyond (sqrt(u) + 11)² affinities are below e^{−42}; what lies there is one last group with the largest ζ it can
    # have.
    highest = min(n - 1, math.ceil((math.sqrt(u) + 11) ** 2 - alpha))
    t = np.arange(highest + 1)
    v = alpha + t
    affinity = log_affinity(alpha, z, t)
    closer = np.expm1(affinity) * -1
    growth = (u - v) ** 2 / (2 * np.sqrt(u * v) * (math.sqrt(u) + np.sqrt(v)) ** 2)
    distance = np.sqrt(closer)
    # 1 − (1 + growth)·e^h, which rounding may leave a little below zero next to v = u.
    after = np.sqrt(np.maximum(closer - growth * np.exp(affinity), 0.0))
    gain = np.divide(growth * np.exp(affinity), distance + after, out=np.zeros(len(t)), where=distance > 0)
    # C(n+m−3−t, m−2) / C(n+m−2, m−1), from each t to the next.
    shares = math.log((m - 1) / (n + m - 2)) + np.concatenate(
        [[0.0], np.cumsum(np.log1p(-(m - 2) / (n + m - 3 - t[:-1])))]
    )
    largest_share = np.exp(np.minimum(shares + rate * (1 - distance), 0.0))
    order = np.argsort(-gain)
    taken = np.minimum(np.cumsum(largest_share[order]), 1.0)
    beyond = 0.0 if highest == n - 1 else rate * (1 - float(after[-1]))
    total = float((np.diff(taken, prepend=0.0) * np.expm1(rate * gain[order])).sum()) + (
        1 - float(taken[-1])
    ) * math.expm1(beyond)
    return _combined(total, rate * (1 - _distance(alpha, z + 1, 0)), n, m)


def _excess_beyond(alpha: float, first: int, n: int, m: int, epsilon0: float, largest_rate: float) -> float:
    """A bound of Λ for all z >= `first`: T <= e^{κζ} − 1 with the largest ζ there is."""
    found = 0.0
    for u1, gain, to_empty in _blocks_beyond(alpha, first, n):
        rate = min(largest_rate, rate_of_category(u1, epsilon0))
        found = max(found, _combined(math.expm1(min(rate * gain, _MAX_EXPONENT)), rate * (1 - to_empty), n, m))
    return found


@lru_cache(maxsize=64)
def _blocks_beyond(alpha: float, first: int, n: int) -> tuple[tuple[float, float, float], ...]:
    """Blocks u0 <= u <= u1 that cover all z >= `first`: u1, the largest ζ, and the least distance of the receiving
    category from an empty one.

    At fixed v/u, ζ falls as u grows, and so does the affinity with an empty category, so both are taken at u0. They do
    not depend on κ.
    """
    blocks, u0, last = [], alpha + first, alpha + n - 1
    while u0 <= last:
        u1 = min(u0 * _BLOCK, last + 1)
        blocks.append((u1, _largest_gain(u0, alpha / u1), _distance(u0, 1, alpha - u0)))
        u0 = u1
    return tuple(blocks)


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


def _distance(alpha: float, c: float, t: float) -> float:
    """sqrt(1 − e^{h(α + c, α + t)})."""
    return math.sqrt(-math.expm1(float(log_affinity(alpha, c, t))))


def _combined(total: float, empty: float, n: int, m: int) -> float:
    """Λ = ln(1 + max(T, (T + ρ₀(E − 1))/(1 + ρ₀))), ρ₀ = (m−1)/n, ln E = `empty`."""
    if math.isnan(total) or math.isnan(empty):
        return math.inf  # which no maximum drops: nothing is proven beyond ε₀/2
    if empty > _MAX_EXPONENT:
        return empty
    share = (m - 1) / n
    return math.log1p(max(total, (total + share * math.expm1(empty)) / (1 + share)))
