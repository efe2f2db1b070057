"""A release of counts: the channel's raw noisy counts, and consistent counts on the simplex made from them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.privacy import PrivacyLoss
from core.private import Released

_MIN_ARRAY_LENGTH: Final = 64
"""Number of counts from which arrays are faster."""
_MAX_SUM: Final = 1 << 61
"""Largest sum of absolute values, so that no sum exceeds 64 bits."""


@dataclass(frozen=True, slots=True)
class NoisyCounts:
    """A release of counts.

    `noisy` is the channel's output, which is stored and published, and on which inference conditions: one integer of
    either sign per noisy category. `on_simplex` has one integer >= 0 per category, with sum n; the released posterior
    is Dir(prior + on_simplex). For a mechanism that selects a candidate, both are the candidate.
    """

    noisy: tuple[int, ...]
    on_simplex: tuple[int, ...]

    def to_json(self) -> dict[str, tuple[int, ...]]:
        """Return plain JSON, whose text `read_back` takes."""
        return {"noisy": self.noisy, "on_simplex": self.on_simplex}


def read_back(text: str, loss: PrivacyLoss) -> Released[NoisyCounts]:
    """Return a release that another process drew, from the text of its `to_json`.

    `loss` is the loss proven of its channel.
    """
    drawn = json.loads(text)
    return Released(NoisyCounts(tuple(drawn["noisy"]), tuple(drawn["on_simplex"])), loss)


def nearest_on_simplex(noisy: tuple[int, ...], n: int) -> tuple[int, ...]:
    """Return the non-negative integers with sum n >= 1 at the smallest Euclidean distance from `noisy`.

    They are r_i = max(0, y_i − level), with the largest integer level for which the sum is at least n. The sum exceeds
    n by less than the number of positive r_i, and some of these are reduced by one. Any choice is equally near. The
    largest r_i are reduced, because a record changes their posterior least; among equals the first. Greedy removal of
    records by their cost leads to the same point, and it is optimal because the squares are convex.
    """
    if min(noisy) >= 0 and sum(noisy) == n:
        return noisy
    if len(noisy) >= _MIN_ARRAY_LENGTH and max(map(abs, noisy)) < _MAX_SUM // len(noisy):
        return tuple(nearest_of_rows(np.array([noisy], dtype=np.int64), n)[0].tolist())
    # Σ max(0, y_i − level) is the largest Σ (y_i − level) over the k largest. It is therefore at least n if level <=
    # (their sum − n) / k for some k.
    sums = accumulate(sorted(noisy, reverse=True))
    level = max((total - n) // k for k, total in enumerate(sums, 1))
    nearest = [max(0, y - level) for y in noisy]
    excess = sum(nearest) - n
    for i in islice(sorted(range(len(nearest)), key=lambda i: -nearest[i]), excess):
        nearest[i] -= 1
    return tuple(nearest)


def nearest_of_rows(noisy: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return `nearest_on_simplex` of each row of noisy counts, shape (k, m).

    Arrays are faster for many counts.
    """
    sums = np.cumsum(np.sort(noisy, axis=1)[:, ::-1], axis=1)
    level = ((sums - n) // np.arange(1, noisy.shape[1] + 1)).max(axis=1, keepdims=True)
    nearest = np.maximum(0, noisy - level)
    excess = nearest.sum(axis=1, keepdims=True) - n
    order = np.argsort(-nearest, axis=1, kind="stable")
    removed = np.zeros_like(nearest)
    np.put_along_axis(removed, order, (np.arange(noisy.shape[1]) < excess).astype(np.int64), axis=1)
    return np.asarray(nearest - removed)
