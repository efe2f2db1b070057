"""The likelihood of a release, by mechanism: which channels can be conditioned on, and how."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.inference.counts import CountPosterior, InferenceError, counts_given_noise
from core.mechanisms import gaussian, laplace, simplex_geometric
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.simplex_geometric import SimplexGeometric

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian


def counts_given_release(event: Event, release: NoisyCounts, prior: NDArray[np.float64]) -> CountPosterior:
    """p(c | y): what the release says of the true counts, under a Dirichlet prior α of shape (m,) on the shares.

    Raises InferenceError where the channel cannot be conditioned on.
    """
    match event:
        case SimplexGeometric():
            return counts_given_noise(prior, release.noisy, lambda d: simplex_geometric.log_noise(event, d), event.n)
        case Laplace():
            return counts_given_noise(prior, release.noisy, lambda d: laplace.log_noise(event, d), event.n)
        case Gaussian():
            return counts_given_noise(prior, release.noisy, lambda d: gaussian.log_noise(event, d), event.n)
    raise InferenceError("the likelihood of this mechanism is not known")
