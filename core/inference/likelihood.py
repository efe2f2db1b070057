"""The likelihood of a release, by mechanism: which channels can be conditioned on, and how."""

from __future__ import annotations

from functools import partial
from typing import Final, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from core.inference.counts import (
    CountMarginal,
    CountPosterior,
    InferenceError,
    TwoCategoryCounts,
    counts_given_noise,
    log_prior_weight,
)
from core.inference.exponential_channel import CHANNEL_ERROR, LARGEST_N, log_likelihoods
from core.mechanisms import gaussian, laplace, simplex_geometric
from core.mechanisms.exponential import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.laplace import Laplace
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.simplex_geometric import SimplexGeometric

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian | Exponential

_NEGLIGIBLE: Final = 1e-18
"""Counts less likely than this, beside the likeliest, are left out at the ends."""


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
            return counts_given_noise(prior, release.noisy, partial(simplex_geometric.log_noise, event), event.n)
        case Laplace():
            return counts_given_noise(prior, release.noisy, partial(laplace.log_noise, event), event.n)
        case Gaussian():
            return counts_given_noise(prior, release.noisy, partial(gaussian.log_noise, event), event.n)
        case Exponential():
            return _counts_given_candidate(event, release.noisy[0], prior)
        case _:
            assert_never(event)


def _counts_given_candidate(event: Exponential, observed: int, prior: NDArray[np.float64]) -> TwoCategoryCounts:
    """Every histogram of two categories by enumeration."""
    first = np.arange(event.n + 1, dtype=np.float64)
    logs = log_prior_weight(float(prior[0]), first) + log_prior_weight(float(prior[1]), event.n - first)
    logs += log_likelihoods(event, observed)
    weights = np.exp(logs - logs.max())
    likely = np.nonzero(weights > _NEGLIGIBLE)[0]
    low, high = int(likely[0]), int(likely[-1])
    kept = weights[low : high + 1]
    # Logs that are off by at most e move probabilities by a factor of at most e^(2e), weight and normaliser.
    error = 2.0 * CHANNEL_ERROR + _NEGLIGIBLE * (event.n + 1)
    return TwoCategoryCounts(event.n, CountMarginal(low, kept / kept.sum()), error)
