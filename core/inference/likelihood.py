"""The likelihood of a release: conditions on what a mechanism says of its channel."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.inference.counts import CountPosterior, InferenceError, ListedCounts, listed_counts
from core.inference.product_counts import Observed, counts_given_noise
from core.mechanisms.catalogue import Event, mechanism_of
from core.mechanisms.mechanism import NoiseOnCounts, NoLikelihood, TwoCategoryChannel
from core.mechanisms.noisy_counts import NoisyCounts


def why_not(event: Event) -> str | None:
    """Why a release of this event cannot be conditioned on, in a sentence for people; None where it can be."""
    likelihood = mechanism_of(event).likelihood(event)
    return likelihood.reason if isinstance(likelihood, NoLikelihood) else None


def counts_given_release(event: Event, release: NoisyCounts, prior: NDArray[np.float64]) -> CountPosterior:
    """p(c | y): what the release says of the true counts, under a Dirichlet prior α of shape (m,) on the shares.

    Raises InferenceError where the channel cannot be conditioned on (`why_not`), or where the law is too large for the memory at hand.
    """
    likelihood = mechanism_of(event).likelihood(event)
    match likelihood:
        case NoLikelihood(reason=reason):
            raise InferenceError(reason)
        case NoiseOnCounts(log_noise=log_noise):
            return counts_given_noise(prior, [Observed(release.noisy, log_noise)], event.n)
        case TwoCategoryChannel():
            return _counts_given_candidate(likelihood, event.n, release.noisy[0], prior)
        case _:
            assert_never(likelihood)


def _counts_given_candidate(
    channel: TwoCategoryChannel, n: int, observed: int, prior: NDArray[np.float64]
) -> ListedCounts:
    """Every histogram of two categories by enumeration."""
    first = np.arange(n + 1)
    return listed_counts(prior, np.stack([first, n - first], axis=1), channel.log_likelihoods(observed), channel.error)
