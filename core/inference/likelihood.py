"""The likelihood of a release, by mechanism: which channels can be conditioned on, and how."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from core.inference.counts import CountPosterior, InferenceError, ListedCounts, listed_counts
from core.inference.exponential_channel import CHANNEL_ERROR, LARGEST_N, log_likelihoods
from core.inference.product_counts import Observed, counts_given_noise
from core.mechanisms import gaussian, laplace, simplex_geometric
from core.mechanisms.exponential import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.simplex_geometric import SimplexGeometric

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian | Exponential


def why_not(event: Event) -> str | None:
    """Why a release of this event cannot be conditioned on, in a sentence for people; None where it can be."""
    match event:
        case Laplace() | SimplexGeometric() | Gaussian():
            return None
        case Exponential(m=m) if m > 2:
            return "not available, because the exponential mechanism's likelihood of more than two categories has no form that can be summed exactly"
        case Exponential(n=n) if n > LARGEST_N:
            return f"not available, because the exponential mechanism's likelihood is summed over all histograms, up to {LARGEST_N} records"
        case Exponential():
            return None
        case _:
            assert_never(event)


def counts_given_release(event: Event, release: NoisyCounts, prior: NDArray[np.float64]) -> CountPosterior:
    """p(c | y): what the release says of the true counts, under a Dirichlet prior α of shape (m,) on the shares.

    Raises InferenceError where the channel cannot be conditioned on (`why_not`), or where the law is too large for the memory at hand.
    """
    if (reason := why_not(event)) is not None:
        raise InferenceError(reason)
    match event:
        case SimplexGeometric():
            return counts_given_noise(prior, [Observed(release.noisy, partial(simplex_geometric.log_noise, event))], event.n)
        case Laplace():
            return counts_given_noise(prior, [Observed(release.noisy, partial(laplace.log_noise, event))], event.n)
        case Gaussian():
            return counts_given_noise(prior, [Observed(release.noisy, partial(gaussian.log_noise, event))], event.n)
        case Exponential():
            return _counts_given_candidate(event, release.noisy[0], prior)
        case _:
            assert_never(event)


def _counts_given_candidate(event: Exponential, observed: int, prior: NDArray[np.float64]) -> ListedCounts:
    """Every histogram of two categories by enumeration."""
    first = np.arange(event.n + 1)
    return listed_counts(prior, np.stack([first, event.n - first], axis=1), log_likelihoods(event, observed), CHANNEL_ERROR)
