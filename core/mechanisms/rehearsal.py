"""Runs of a mechanism on counts that someone made up: what releases would look like. No private value comes near here, and nothing is released."""

from __future__ import annotations

import math
from typing import TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, candidate_count
from core.mechanisms import exponential, gaussian, laplace, simplex_geometric
from core.mechanisms.exponential import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.hellinger_mixture import HellingerMixture
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.simplex_geometric import SimplexGeometric
from core.samplers.entropy import Entropy
from core.samplers.uniform import categorical

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian | Exponential

ENUMERATED = 1 << 18
"""Up to so many candidates the exponential mechanism is rehearsed by its integer weights."""


def rehearse(event: Event, counts: NDArray[np.int64], size: int, entropy: Entropy) -> tuple[NoisyCounts, ...]:
    """`size` independent runs of the event's channel on made-up `counts`, shape (m,), sum n."""
    match event:
        case SimplexGeometric():
            return tuple(simplex_geometric.rehearse(counts, event, entropy) for _ in range(size))
        case Laplace():
            return tuple(laplace.rehearse(counts, event, entropy) for _ in range(size))
        case Gaussian():
            return tuple(gaussian.rehearse(counts, event, entropy) for _ in range(size))
        case Exponential():
            return _candidates(event, counts, size, entropy)
        case _:
            assert_never(event)


def _candidates(event: Exponential, counts: NDArray[np.int64], size: int, entropy: Entropy) -> tuple[NoisyCounts, ...]:
    if candidate_count(event.n, event.m) <= ENUMERATED:
        weights = exponential.weights_at(event, counts)
        drawn = [candidate(categorical(weights, entropy), event.n, event.m) for _ in range(size)]
    else:
        admixture = -math.inf if event.uniform_admixture is None else -event.uniform_admixture
        sampler = HellingerMixture(event.prior, counts).sampler(exponential.rate_at(event, counts), log_admixture=admixture)
        drawn = [tuple(sampler.draw(entropy).tolist()) for _ in range(size)]
    return tuple(NoisyCounts(r, r) for r in drawn)
