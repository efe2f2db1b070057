"""The distribution of a release's error at made-up counts: Hellinger distance, and the distance in records.

It is exact if it can be summed: for two categories with additive noise, for spaces of candidates that can be visited,
and for the exponential mechanism's mixture at up to ten categories. Otherwise it comes from simulated releases under
a fixed seed, and is marked as such.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate, candidate_count, histograms, log_affinities
from core.count_simplex import Window, condition_on_total
from core.count_simplex.batch import draw_many
from core.dirichlet import hellinger_of_posteriors
from core.inference.product_counts import noise_radius
from core.mechanisms.catalogue import Event, mechanism_of, rehearse
from core.mechanisms.exponential.error import error_distribution
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.mechanism import NoiseOfTwo, NoiseOnCounts
from core.planning.noisy_sums import law_of_sum
from core.samplers.reproducible import Reproducible

Floats = NDArray[np.float64]

LEVELS: Final = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
DISTANCES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_MAX_REHEARSALS: Final = 200
_MAX_MIXTURE_REHEARSALS: Final = 100
_REHEARSED_COUNTS: Final = 40_000
_MAX_TABLE_LENGTH: Final = 1 << 18
"""Largest number of values of tied noise, over all counts, that are convolved; wider noise has its sampler."""
_MAX_LISTED_CANDIDATES: Final = 1 << 19
"""Largest number of candidates that are listed, once for all calibrations of the exponential mechanism."""
_MIXTURE_UP_TO: Final = 10
"""Largest number of categories for the mixture; beyond, each component takes seconds."""
_MIXTURE_DRAWS: Final = 400
_TOLERANCE: Final = 1e-7
"""Probability of the mixture's tails that may be cut, as an error is stated with few digits."""
_NEGLIGIBLE_DROP: Final = 45.0
"""Noise with probability below e^-45 of its maximum is omitted from an exact distribution."""


class PlanError(ValueError):
    """The counts or the prior do not fit the release. The message names the rule."""


@dataclass(frozen=True, slots=True)
class Quantile:
    """The least distance that the error does not exceed with probability `level`."""

    level: float
    distance: float


@dataclass(frozen=True, slots=True)
class Exceedance:
    """The probability that the error is at least `distance`."""

    distance: float
    probability: float


@dataclass(frozen=True, slots=True)
class HellingerError:
    """The distribution of H(true posterior, released posterior) at given counts, and E Σ |r_i − c_i| in records.

    `standard_error` is that of `expected`, and `probability_error` is the largest standard error of a probability. Both
    are 0 if the distribution is exact. A `simulation` consists of `rehearsals` simulated releases, or of weighted draws
    from the mechanism's mixture, whose mean is still exact.
    """

    expected: float
    standard_error: float
    quantiles: tuple[Quantile, ...]
    exceedances: tuple[Exceedance, ...]
    probability_error: float
    expected_l1: float
    method: Literal["exact", "simulation"]
    rehearsals: int | None = None

    def quantile(self, level: float) -> float:
        """Return the distance at one of `LEVELS`."""
        return next(each.distance for each in self.quantiles if each.level == level)


def hellinger_error(event: Event, counts: NDArray[np.int64], prior: Floats, *, seed: int = 0) -> HellingerError:
    """Return the error of the released posterior Dir(α + r) at made-up counts.

    `counts` c and `prior` α have shape (m,), of the event's size. If the distribution cannot be summed, up to 200
    releases are simulated, fewer for more than 100 categories or the exponential mechanism.

    Raises PlanError if counts or prior are not of the event's size.
    """
    _check(event, counts, prior)
    mechanism = mechanism_of(event)
    likelihood = mechanism.likelihood(event)
    most = _MAX_REHEARSALS
    if isinstance(likelihood, NoiseOnCounts) and likelihood.of_two is not None:
        return _exact_error(*_two_category_distribution(likelihood.of_two, counts, prior))
    if mechanism.hellinger is not None:
        rate, added = mechanism.hellinger(event, counts)
        if candidate_count(event.n, event.m) <= _MAX_LISTED_CANDIDATES:
            return _error_of_candidates(rate, added, _candidates(tuple(prior.tolist()), tuple(counts.tolist())))
        if event.m <= _MIXTURE_UP_TO:
            return _error_of_mixture(rate, _mixture(tuple(prior.tolist()), tuple(counts.tolist())), seed)
        most = _MAX_MIXTURE_REHEARSALS
    rehearsals = min(most, max(20, _REHEARSED_COUNTS // event.m))
    released = _rehearse_counts(event, counts, rehearsals, Reproducible(seed))
    distances = hellinger_of_posteriors(prior, counts, released)
    return HellingerError(
        expected=float(distances.mean()),
        standard_error=float(distances.std(ddof=1)) / math.sqrt(rehearsals),
        quantiles=tuple(Quantile(level, float(np.quantile(distances, level))) for level in LEVELS),
        exceedances=tuple(Exceedance(t, float((distances >= t).mean())) for t in DISTANCES),
        probability_error=0.5 / math.sqrt(rehearsals),
        expected_l1=float(np.abs(released - counts).sum(axis=1).mean()),
        method="simulation",
        rehearsals=rehearsals,
    )


def _rehearse_counts(event: Event, counts: NDArray[np.int64], size: int, rng: Reproducible) -> NDArray[np.int64]:
    """Return the released counts of simulated releases, shape (size, m)."""
    mechanism = mechanism_of(event)
    likelihood = mechanism.likelihood(event)
    if not isinstance(likelihood, NoiseOnCounts):
        return np.array([each.on_simplex for each in rehearse(event, counts, size, rng.entropy())])
    if (weights := mechanism.candidate_weights(event, counts)) is not None:
        drawn = rng.categories(weights / weights.sum(), size)
        return np.array([candidate(index, event.n, event.m) for index in drawn.tolist()], dtype=np.int64)
    law = law_of_sum(likelihood.log_noise, 1, 1)
    if not likelihood.tied:
        noise = law.draws(size * likelihood.noisy, rng).reshape(size, -1)
    elif law.logs.size * likelihood.noisy <= _MAX_TABLE_LENGTH:
        noise = draw_many(condition_on_total([Window(law.low, law.logs)] * likelihood.noisy, 0), size, rng)
    else:
        noise = np.array([each.noisy for each in rehearse(event, counts, size, rng.entropy())]) - counts
    return likelihood.on_simplex(counts[: likelihood.noisy] + noise)


def expected_hellinger(event: Event, counts: NDArray[np.int64], prior: Floats) -> float:
    """Return E[H] alone. For the exponential mechanism its mixture gives E[H] at any size without a draw."""
    _check(event, counts, prior)
    hellinger = mechanism_of(event).hellinger
    if hellinger is not None and candidate_count(event.n, event.m) > _MAX_LISTED_CANDIDATES:
        return _mixture(tuple(prior.tolist()), tuple(counts.tolist())).expected_distance(hellinger(event, counts)[0])
    return hellinger_error(event, counts, prior).expected


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """Every candidate, sorted by its distance from the posterior at given counts: the distance H and the number of
    moved records.
    """

    counts: NDArray[np.int64]
    distances: Floats
    moved: Floats


@lru_cache(maxsize=1)
def _candidates(prior: tuple[float, ...], counts: tuple[int, ...]) -> _Candidates:
    """Return the candidates from a cache. A plan needs them for each calibration."""
    at = np.array(counts)
    distances = np.sqrt(-np.expm1(log_affinities(prior, at)))
    # At two categories there are two sorted runs, which a stable sort merges.
    order = np.argsort(distances, kind="stable")
    moved = np.abs(histograms(int(at.sum()), len(prior)) - at).sum(axis=1)[order].astype(np.float64)
    return _Candidates(at, distances[order], moved)


@lru_cache(maxsize=1)
def _mixture(prior: tuple[float, ...], counts: tuple[int, ...]) -> HellingerMixture:
    """Return the mixture from a cache. All calibrations share its normalisers."""
    return HellingerMixture(prior, counts, tolerance=_TOLERANCE)


def _error_of_candidates(rate: float, added: float, candidates: _Candidates) -> HellingerError:
    weights = np.exp(-rate * candidates.distances) + added
    return _exact_error(candidates.distances, weights / weights.sum(), candidates.moved)


def _error_of_mixture(rate: float, mixture: HellingerMixture, seed: int) -> HellingerError:
    """Return the error of the exponential mechanism from its mixture.

    The uniform admixture, less than a millionth, is omitted.
    """
    distribution = error_distribution(mixture, rate, Reproducible(seed), draws=_MIXTURE_DRAWS)
    return HellingerError(
        expected=mixture.expected_distance(rate),
        standard_error=0.0,
        quantiles=tuple(Quantile(level, distribution.quantile(level)) for level in LEVELS),
        exceedances=tuple(Exceedance(t, distribution.exceeding(t)) for t in DISTANCES),
        probability_error=distribution.standard_error,
        expected_l1=distribution.expected_l1,
        method="exact" if distribution.standard_error == 0.0 else "simulation",
        rehearsals=None if distribution.standard_error == 0.0 else _MIXTURE_DRAWS,
    )


def _two_category_distribution(
    noise: NoiseOfTwo, counts: NDArray[np.int64], prior: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return H in ascending order, its probability and the records moved, for every first count after clipping into
    [0, n].
    """
    n, first = int(counts.sum()), int(counts[0])
    released, distribution = _first_released_values(noise, n, first)
    released = np.clip(released, 0, n)
    low, high = int(released.min()), int(released.max())
    mass = np.bincount(released - low, distribution, minlength=high - low + 1) / distribution.sum()
    released = np.arange(low, high + 1)
    distances = hellinger_of_posteriors(prior, counts, np.stack([released, n - released], axis=1))
    order = np.argsort(distances)
    return distances[order], mass[order], 2.0 * np.abs(released - first)[order]


def _first_released_values(noise: NoiseOfTwo, n: int, first: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the possible values of the first of two counts after noise and before clipping, and the weight of each."""
    reach = noise_radius(noise.log_noise)
    differences = np.arange(-reach, reach + 1)
    logs = noise.log_noise(differences)
    logs = logs - logs.max()
    differences, logs = differences[logs > -_NEGLIGIBLE_DROP], logs[logs > -_NEGLIGIBLE_DROP]
    weights = np.exp(logs)
    if noise.number == "first":
        return first + differences, weights
    # The projection moves half of the difference. If it is odd, one record is taken from the larger count, or from the
    # first if equal.
    odd, is_larger = differences % 2, 2 * first - n + differences >= 0
    return first + (differences + np.where(is_larger, -odd, odd)) // 2, weights


def _exact_error(distances: Floats, probabilities: Floats, moved: Floats) -> HellingerError:
    """Return the exact error, from distances in ascending order."""
    cumulative = np.cumsum(probabilities)

    def quantile(level: float) -> float:
        return float(distances[min(int(np.searchsorted(cumulative, level)), distances.size - 1)])

    def exceeding(distance: float) -> float:
        return float(probabilities[np.searchsorted(distances, distance) :].sum())

    return HellingerError(
        expected=float(probabilities @ distances),
        standard_error=0.0,
        quantiles=tuple(Quantile(level, quantile(level)) for level in LEVELS),
        exceedances=tuple(Exceedance(t, exceeding(t)) for t in DISTANCES),
        probability_error=0.0,
        expected_l1=float(probabilities @ moved),
        method="exact",
    )


def _check(event: Event, counts: NDArray[np.int64], prior: Floats) -> None:
    if counts.shape != (event.m,) or prior.shape != (event.m,):
        raise PlanError("counts and prior must have one number for each category")
    if int(counts.sum()) != event.n or int(counts.min()) < 0:
        raise PlanError("the made-up counts must not be negative, and must sum to n")
