"""The best that any ε-differentially private channel can do, by linear programming at sizes it reaches."""

from __future__ import annotations

import numpy as np

from benchmarks.distance_to_optimum import Space, best_channel


def best_at(n: int, m: int, epsilon: float, counts: tuple[int, ...]) -> float:
    """The error at `counts` of the channel with the least mean Hellinger error over the prior predictive, flat
    prior.
    """
    space = Space.of(n, np.ones(m))
    place = int(np.flatnonzero((space.histograms == np.array(counts)).all(axis=1))[0])
    return float(best_channel(space, epsilon)[place] @ space.distances[place])
