"""Bounds of the notes, sections 3.1 to 3.3, on the tail of the exponential mechanism's Hellinger error.

They hold at every histogram and are public.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special


def exceeding_bound(
    distance: ArrayLike, *, epsilon0: float, sensitivity: float, log_candidates: float
) -> NDArray[np.float64]:
    """Return min(1, |R| e^{−κ t}), an upper bound on P(H >= t) at t = `distance`, with κ = ε₀ / (2 · sensitivity).

    It holds at every histogram if the sensitivity is the global one. It follows from P(r) <= e^{−κ H(r)} / Z and Z >=
    1, summed over at most |R| candidates.
    """
    return np.exp(
        np.minimum(0.0, log_candidates - epsilon0 / (2.0 * sensitivity) * np.asarray(distance, dtype=np.float64))
    )


def log_normaliser_floor(n: int, m: int, *, epsilon0: float, gamma: float) -> float:
    """Return a public lower bound on ln Σ_r e^{−κ_c H(c, r)}, valid at every histogram c of n records.

    The bound is ln N(n), N(n) = Σ_{d=0}^{n} C(d + m − 2, m − 2) exp(−(ε₀/2)(e^{γd} − 1)/(e^γ − 1)).

    Here γ > 0 and κ_c = ε₀/(2 S_γ(c)). S_γ grows by at most e^γ per record. A path of d steps therefore leads to a
    histogram r at distance d with κ_c H(c, r) <= (ε₀/2)(1 + e^γ + … + e^{γ(d − 1)}). Among all c, one with all records
    in one category has the fewest histograms within d records: Σ_{k<=d} C(k + m − 2, m − 2).

    Proof. Merge two categories of c with counts a and b into one with a + b and one with 0. Fix all other counts of r,
    which leave s for the two. Let t >= max(s − a − b, 0) be the number of records that the two may gain. Before, the
    first may be anything from max(s − b − t, 0) to min(a + t, s), after from max(s − t, 0) to s (t <= s). In each of the
    four cases the first interval is at least as long as the second, min(t, s) + 1. Merge until one category is left.
    """
    d = np.arange(n + 1, dtype=np.float64)
    with np.errstate(over="ignore"):
        exponents = 0.5 * epsilon0 * np.expm1(gamma * d) / math.expm1(gamma)
    sizes = special.gammaln(d + m - 1.0) - special.gammaln(d + 1.0) - special.gammaln(m - 1.0)
    return float(np.logaddexp.reduce(sizes - exponents))
