"""Searches for the parameters that make the most of an allowed loss, on public numbers alone and never beyond what
is certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import of_shares
from core.mechanisms.exponential.sensitivity import smooth_sensitivities
from core.privacy import Epsilon

_ROUNDS: Final = 16
_CLOSE_ENOUGH: Final = 1e-4


def largest_epsilon0(loss_at: Callable[[Epsilon], Epsilon], allowed: Epsilon, first: float) -> Epsilon:
    """An ε₀ whose certified loss is at most `allowed`, and within 1e-4 of it where the search succeeds.

    The loss grows about as a power of ε₀, one at first, later the one last seen; a guess that leaves the bracket is
    replaced by its middle. Whatever is returned was certified itself, after rounding.
    """
    target = math.log(float(allowed)) - 0.3 * _CLOSE_ENOUGH
    low, high, power, guess, last = 0.0, math.inf, 1.0, math.log(first), (math.nan, math.nan)
    for _ in range(_ROUNDS):
        epsilon0 = Epsilon.floor(math.exp(guess))
        loss = loss_at(epsilon0)
        seen = (guess, math.log(float(loss)))
        if loss <= allowed:
            low = max(low, float(epsilon0))
            if loss.units >= allowed.units * (1 - _CLOSE_ENOUGH):
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


def best_gamma(worths: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> float:
    """The γ between 1e-5 and 2 of largest worth, to three digits, from a grid and a finer one around its best point;
    `worths` has that of each γ of some, shape (k,).
    """
    coarse = np.geomspace(1e-5, 2.0, 25)
    peak = int(np.argmax(worths(coarse)))
    fine = np.geomspace(coarse[max(peak - 1, 0)], coarse[min(peak + 1, len(coarse) - 1)], 9)
    rounded = np.array([float(f"{gamma:.2e}") for gamma in fine])
    return float(rounded[int(np.argmax(worths(rounded)))])


def log_smooth_sensitivity(
    prior: NDArray[np.float64], histograms: Sequence[NDArray[np.int64]], gammas: NDArray[np.float64]
) -> NDArray[np.float64]:
    """ln S_γ at each γ, shape (k,), on average over some histograms."""
    return np.asarray(np.mean([np.log(smooth_sensitivities(prior, c, gammas)) for c in histograms], axis=0))


def reference_histograms(n: int, m: int) -> tuple[NDArray[np.int64], ...]:
    """The made-up counts at which calibrations are compared: an even histogram, and one whose shares fall as 1, 1/2,
    1/3, … Shape (m,) each.
    """
    return tuple(of_shares(n, shares) for shares in (np.ones(m), 1 / np.arange(1, m + 1)))
