"""The Bayes remap: the point posterior Dir(α + r) with the least expected Hellinger distance from the truth, given the
release.

If one Dirichlet distribution must be reported, this r minimises the expected distance under p(c | y). Projection of y
onto the simplex ignores the prior and the shape of the noise. The remap is post-processing and costs no privacy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate_count
from core.dirichlet import hellinger_of_posteriors
from core.inference.counts import CountPosterior, InferenceError
from core.samplers.reproducible import Reproducible
from core.special_functions import log_affinity

_MAX_HISTOGRAMS: Final = 1000
"""Largest space, in histograms, that is searched completely at m >= 3."""
_FINEST_SEARCH: Final = 64
"""Largest number of categories for the search; beyond, there are too many pairs of categories, and the rounded mean is
used.
"""
_COARSE_STEPS: Final = 128
_MAX_BLOCKS: Final = 4096


@dataclass(frozen=True, slots=True)
class PointPosterior:
    """The counts r of the released Dir(α + r), shape (m,), sum n, and E[H(Dir(α + c), Dir(α + r)) | y].

    `error` is a bound if the expectation is `exact`, and one standard error if it is a `simulation` of `draws` draws of
    c.
    """

    counts: tuple[int, ...]
    expected_hellinger: float
    error: float
    method: Literal["exact", "simulation"]
    draws: int | None = None


def remap(prior: NDArray[np.float64], posterior: CountPosterior, *, draws: int = 1000, seed: int = 0) -> PointPosterior:
    """Return the candidate with the smallest expected Hellinger distance under p(c | y).

    Arguments: `prior` α of the released distribution, shape (m,); `draws`, the number of simulated histograms; `seed`,
    fixed.

    - m = 2: all candidates are compared, or, if there are many, a grid that is refined around the best one.
    - m >= 3, small space: all candidates are compared.
    - Otherwise: the rounded posterior mean is improved on `draws` histograms by moving records between two categories,
      for up to 64 categories. Its expected distance is taken over `draws` other histograms.

    Raises InferenceError if the number of records is unknown.
    """
    n = posterior.n
    if n is None:
        raise InferenceError("a point posterior needs a known number of records")
    if posterior.m == 2:
        return _point_of_two_categories(prior, posterior, n)
    if n <= 60 and candidate_count(n, posterior.m) <= _MAX_HISTOGRAMS:
        return _point_of_all_categories(prior, posterior, n)
    rng = Reproducible(seed)
    start = _round_means(
        np.array([m.low + float(m.probabilities @ np.arange(m.probabilities.size)) for m in posterior.marginals()]),
        n,
    )
    best = start if posterior.m > _FINEST_SEARCH else _improve_counts(prior, start, posterior.draws(draws, rng))
    distances = hellinger_of_posteriors(prior, best, posterior.draws(draws, rng))
    # Distances are at most 1, so an error in the probabilities moves the mean by no more than their largest standard
    # error.
    simulated = 0.0 if posterior.simulated is None else posterior.error
    deviation = math.hypot(float(distances.std()) / math.sqrt(draws), simulated)
    return PointPosterior(tuple(best.tolist()), float(distances.mean()), deviation, "simulation", draws)


def _point_of_two_categories(prior: NDArray[np.float64], posterior: CountPosterior, n: int) -> PointPosterior:
    first = posterior.marginals()[0]
    low, high = first.low, first.low + first.probabilities.size - 1
    # The search groups the counts into at most a few thousand blocks. The stated distance is over every count.
    block = first.probabilities.size // _MAX_BLOCKS + 1
    blocks = np.add.reduceat(first.probabilities, np.arange(0, first.probabilities.size, block))

    def expected(k: int, likely: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
        histograms = np.stack([likely, n - likely], axis=1)
        return float(weights @ hellinger_of_posteriors(prior, np.array([k, n - k]), histograms))

    lower, upper = low, high
    while True:
        step = max(1, (upper - lower) // _COARSE_STEPS)
        tried = {k: expected(k, np.arange(low, high + 1, block), blocks) for k in range(lower, upper + 1, step)}
        best = min(tried, key=lambda k: (tried[k], k))
        if step == 1:
            exact = expected(best, np.arange(low, high + 1), first.probabilities)
            return PointPosterior((best, n - best), exact, posterior.error + 1e-12, "exact")
        lower, upper = max(lower, best - step), min(upper, best + step)


def _point_of_all_categories(prior: NDArray[np.float64], posterior: CountPosterior, n: int) -> PointPosterior:
    m = posterior.m
    free = [c for c in product(range(n + 1), repeat=m - 1) if sum(c) <= n]
    histograms = np.array([(*c, n - sum(c)) for c in free], dtype=np.int64)
    weights = posterior.probabilities(histograms)
    logs = np.zeros((len(histograms), len(histograms)))
    values = np.arange(n + 1)
    for i, alpha in enumerate(prior):
        table = log_affinity(alpha, values[:, None], values[None, :])
        logs += table[np.ix_(histograms[:, i], histograms[:, i])]
    expected = np.sqrt(-np.expm1(np.minimum(logs, 0.0))) @ weights
    best = int(np.argmin(expected))
    return PointPosterior(tuple(histograms[best].tolist()), float(expected[best]), posterior.error + 1e-12, "exact")


def _round_means(means: NDArray[np.float64], n: int) -> NDArray[np.int64]:
    """Round means with sum n to integers with sum n; the largest remainders are rounded up."""
    counts = np.floor(means).astype(np.int64)
    missing = n - int(counts.sum())
    rounded_up = np.argsort(counts - means, kind="stable")[: max(0, missing)]
    counts[rounded_up] += 1
    # At counts near 2^53 the means themselves are off by about a record.
    counts[np.argmax(counts)] += missing - rounded_up.size
    return counts


def _improve_counts(
    prior: NDArray[np.float64], start: NDArray[np.int64], histograms: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the counts that minimise the mean distance to `histograms`, by steepest descent from `start`.

    A step moves records between two categories, in decreasing numbers.
    """
    best = start.copy()
    step = 1 << max(0, int(histograms.std(axis=0).max() / 4).bit_length())
    terms = log_affinity(prior, best, histograms)
    least = _mean_distance(terms.sum(axis=1))
    while step:
        more = log_affinity(prior, best + step, histograms) - terms
        fewer = np.where(best >= step, log_affinity(prior, np.maximum(best - step, 0), histograms) - terms, -math.inf)
        total = terms.sum(axis=1)
        tried = {
            (i, j): _mean_distance(total + fewer[:, i] + more[:, j])
            for i, j in product(range(best.size), repeat=2)
            if i != j and best[i] >= step
        }
        move = min(tried, key=lambda pair: tried[pair], default=None)
        if move is None or tried[move] >= least:
            step //= 2
            continue
        best[move[0]] -= step
        best[move[1]] += step
        terms, least = log_affinity(prior, best, histograms), tried[move]
    return best


def _mean_distance(log_affinities: NDArray[np.float64]) -> float:
    return float(np.sqrt(-np.expm1(np.minimum(log_affinities, 0.0))).mean())
