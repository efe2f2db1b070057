"""The best that any ε-differentially private channel can do, by linear programming at sizes it reaches."""

from __future__ import annotations

import numpy as np

from benchmarks.distance_to_optimum import Space, best_channel


def best_errors(n: int, m: int, epsilon: float) -> dict[tuple[int, ...], float]:
    """The error at each histogram of n records of the channel with the least mean Hellinger error over the prior
    predictive, flat prior.
    """
    space = Space.of(n, np.ones(m))
    errors = np.sum(best_channel(space, epsilon) * space.distances, axis=1)
    return {tuple(map(int, counts)): float(error) for counts, error in zip(space.histograms, errors, strict=True)}
