"""The likelihood of a release: conditions on a mechanism's description of its channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.candidates import histograms as all_histograms
from core.inference.counts import CountPosterior, InferenceError, listed_counts
from core.inference.product_counts import Observed, UnknownTotal, counts_given_noise
from core.inference.simulated_counts import simulated_counts
from core.mechanisms.catalogue import TableEvent, likelihood_of
from core.mechanisms.mechanism import ListedChannel, NoiseOnCounts, NoLikelihood, PointwiseChannel
from core.mechanisms.noisy_counts import NoisyCounts


def unavailable_reason(event: TableEvent) -> str | None:
    """Return a sentence for users that explains why inference from a release of this event is unavailable; None if
    it is available.
    """
    likelihood = likelihood_of(event)
    return likelihood.reason if isinstance(likelihood, NoLikelihood) else None


def observed_of(event: TableEvent, release: NoisyCounts) -> Observed | None:
    """Return the likelihood of each count given a release, or None if it is not a product over categories."""
    likelihood = likelihood_of(event)
    if isinstance(likelihood, NoiseOnCounts):
        return Observed.of_release(release.noisy, likelihood.log_noise, event.m)
    return None


def counts_given_releases(
    releases: Sequence[tuple[TableEvent, NoisyCounts]],
    prior: NDArray[np.float64],
    at_most: int | None = None,
) -> CountPosterior:
    """Return p(c | y_1, …, y_k), given several releases of one data set.

    Releases have independent noise, so their joint likelihood is Π_j P_j(y_j | c). The form of the posterior depends on
    the forms of the likelihoods:

    - a product over categories if each likelihood is one;
    - listed for every histogram if one of them is listed;
    - simulated if one of them cannot be listed.

    Arguments: `releases`, the event and noisy counts of each; `prior` α, shape (m,); `at_most`, for a private number of
    records: p(n) is flat on 0, 1, …, `at_most`, or on 0, 1, 2, … without it.

    Raises InferenceError if inference from a release is unavailable (`unavailable_reason`), if the distribution is too
    large, or if the releases differ in size.
    """
    if len({(event.n, event.m) for event, _ in releases}) != 1:
        raise InferenceError("releases of one data set must have the same number of records and of categories")
    n, m = releases[0][0].n, releases[0][0].m
    observed = [found for event, release in releases if (found := observed_of(event, release)) is not None]
    pointwise: list[tuple[PointwiseChannel, NoisyCounts]] = []
    listed: list[tuple[ListedChannel, NoisyCounts]] = []
    for event, release in releases:
        likelihood = likelihood_of(event)
        match likelihood:
            case NoLikelihood(reason=reason):
                raise InferenceError(reason)
            case NoiseOnCounts():
                pass
            case ListedChannel():
                listed.append((likelihood, release))
            case PointwiseChannel():
                pointwise.append((likelihood, release))
            case _:
                assert_never(likelihood)
    if n is None:
        return counts_given_noise(prior, observed, UnknownTotal(at_most))
    if pointwise:
        if len(pointwise) > 1:
            raise InferenceError("only one such release of the exponential mechanism can be conditioned on at a time")
        ((channel, release),) = pointwise
        return simulated_counts(channel, release.noisy, prior, n, observed)
    if not listed:
        return counts_given_noise(prior, observed, n)
    histograms = all_histograms(n, m)
    logs = np.zeros(len(histograms))
    for listed_channel, release in listed:
        logs += listed_channel.log_likelihoods(release.noisy)
    for each in observed:
        for category, counts in enumerate(histograms.T):
            logs += each.of_category(category, counts)
    return listed_counts(prior, histograms, logs, sum(channel.error for channel, _ in listed))
