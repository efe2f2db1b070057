"""Searches for the parameters with the best accuracy at an allowed loss. It uses public numbers only and never exceeds
what is certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.candidates import log_candidate_count, of_shares
from core.mechanisms.exponential.sensitivity import smooth_sensitivities
from core.privacy import Epsilon

_ROUNDS: Final = 16
_LOSS_TOLERANCE: Final = 1e-4
_SHELLS: Final = 1000
"""Number of shells of candidates at about the same distance."""
_TIE_BREAKING_WEIGHT: Final = 1e-6
"""Weight of ln κ relative to the logarithm of a distance."""


def largest_epsilon0(loss_at: Callable[[Epsilon], Epsilon], allowed: Epsilon, first: float) -> Epsilon:
    """Return an ε₀ whose certified loss is at most `allowed`, and within 1e-4 of it if the search succeeds.

    The loss is treated as a power of ε₀, with exponent 1 at first and the last observed one afterwards. If a guess lies
    outside the bracket, the bracket's midpoint is used. The result is itself certified, after rounding.
    """
    target = math.log(float(allowed)) - 0.3 * _LOSS_TOLERANCE
    low, high, power, guess, last = 0.0, math.inf, 1.0, math.log(first), (math.nan, math.nan)
    for _ in range(_ROUNDS):
        epsilon0 = Epsilon.floor(math.exp(guess))
        loss = loss_at(epsilon0)
        seen = (guess, math.log(float(loss)))
        if loss <= allowed:
            low = max(low, float(epsilon0))
            if loss.units >= allowed.units * (1 - _LOSS_TOLERANCE):
                break
        else:
            high = min(high, float(epsilon0))
        if seen[0] != last[0] and not math.isnan(last[0]):
            power = min(max((seen[1] - last[1]) / (seen[0] - last[0]), 0.5), 8.0)
        last, guess = seen, guess + (target - seen[1]) / power
        if not low < math.exp(guess) < high:
            guess = 0.5 * math.log(low * high) if low else math.log(0.5 * high)
    while not low:
        high *= 0.5
        low = high if loss_at(Epsilon.floor(high)) <= allowed else 0.0
    return Epsilon.floor(low)


def best_gamma(objectives: Callable[[NDArray[np.float64]], NDArray[np.float64]], *others: float) -> float:
    """Return the γ with the largest objective, to three digits.

    The candidates are a grid between 1e-5 and 2, a finer grid around its best point, and `others`. `objectives` maps an
    array of γ, shape (k,), to their objectives.
    """
    coarse = np.geomspace(1e-5, 2.0, 25)
    peak = int(np.argmax(objectives(coarse)))
    fine = np.geomspace(coarse[max(peak - 1, 0)], coarse[min(peak + 1, len(coarse) - 1)], 9)
    rounded = np.array([float(f"{gamma:.2e}") for gamma in (*fine, *others)])
    return float(rounded[int(np.argmax(objectives(rounded)))])


def objectives_at(
    prior: NDArray[np.float64],
    references: Sequence[NDArray[np.int64]],
    gammas: NDArray[np.float64],
    epsilon0: Sequence[float],
) -> NDArray[np.float64]:
    """Return the objective of each γ, shape (k,), at its ε₀: −ln of the expected distance, averaged over the
    `references`. It is −∞ at an ε₀ of 0.

    If all distances are near 1, the larger κ has the larger objective.
    """
    objectives = np.zeros(len(gammas))
    for counts in references:
        rates = np.array(epsilon0) / (2 * smooth_sensitivities(prior, counts, gammas))
        log_rates = np.log(rates, out=np.full(rates.shape, -math.inf), where=rates > 0.0)
        objectives += _TIE_BREAKING_WEIGHT * log_rates - log_rough_distance(prior, counts, rates)
    return objectives / len(references)


def log_rough_distance(
    prior: NDArray[np.float64], counts: NDArray[np.int64], rates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ln of an approximation of E[H] under weights e^{−κ H} at each κ, shape (k,), for ranking. E[H] is within
    15 % above 0.2. It can be too small for a float.

    The candidates are treated as uniform in the space where −ln BC = y² is the squared distance from the counts. There
    are N(y) = V_d y^d sqrt(Π 8a_i / 8Σa) candidates within y, with a = α + c and V_d the volume of the unit ball in d =
    m − 1 dimensions.
    """
    a, d = prior + counts, len(prior) - 1
    log_within_1 = 0.5 * (float(np.log(8 * a).sum()) - math.log(8 * float(a.sum())))
    log_within_1 += 0.5 * d * math.log(math.pi) - math.lgamma(0.5 * d + 1)
    log_sizes = np.linspace(0.0, log_candidate_count(int(counts.sum()), len(prior)), _SHELLS)
    # Include the counts themselves, at distance 0.
    distances = np.append(0.0, np.sqrt(-np.expm1(-np.exp(2 * (log_sizes - log_within_1) / d))))
    logs = np.append(0.0, log_sizes + math.log(log_sizes[1])) - rates[:, None] * distances
    return np.asarray(special.logsumexp(logs, b=distances, axis=1) - special.logsumexp(logs, axis=1))


def reference_histograms(n: int, m: int) -> tuple[NDArray[np.int64], ...]:
    """Return the made-up counts at which calibrations are compared, each of shape (m,).

    They are an even histogram; shares that fall or rise as 1, 1/2, 1/3, …; and 90 % or 97 % of the records in the first
    or the last category, with the rest spread evenly. With even counts alone the search would choose a γ at which the
    sensitivity of the simplex's corner dominates everywhere.
    """
    falling = [
        1 / np.arange(1, m + 1),
        *(np.append(share, np.full(m - 1, (1 - share) / (m - 1))) for share in (0.9, 0.97)),
    ]
    return tuple(of_shares(n, shares) for shares in (np.ones(m), *falling, *(each[::-1] for each in falling)))
