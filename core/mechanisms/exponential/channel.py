"""The exponential mechanism's channel from every histogram to one release, for the noise-aware posterior.

P(r | c) = (e^{−κ_c H(c, r)} + e^{−L}) / N_c with N_c = Σ_r (e^{−κ_c H(c, r)} + e^{−L}). The terms e^{−L} are present
only if the event has an admixture. Every histogram c can have led to the release, so every N_c is needed.

- Three or more categories: all weights are listed.
- Two categories, up to 2000 records: N_c is summed term by term.
- Two categories, more records: ln N_c is computed at some histograms and interpolated between them. Each sum is taken
  term by term where H bends, and as an integral elsewhere.
"""

from __future__ import annotations

import math
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate_count, candidate_index, histograms, log_affinities
from core.mechanisms.exponential.exact_loss import evaluable
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.exponential.pointwise import pointwise_channel
from core.mechanisms.exponential.sensitivity import global_sensitivity, two_category_sensitivities
from core.mechanisms.exponential.small_space import SmallSpace
from core.mechanisms.mechanism import Likelihood, ListedChannel, NoLikelihood
from core.special_functions import log_affinity

MAX_N: Final = 1_000_000

CHANNEL_ERROR: Final = 1e-8
"""Bound on the error of a log-likelihood. Interpolation is refined until its error is below 1e-9, and integrals are
accurate to 1e-9.
"""

_MAX_SUMMED_N: Final = 2000
_INTERPOLATION: Final = 1e-9
_NODES: Final = 17
_SHORT_LENGTH: Final = 40
"""Largest interval of histograms in which each is summed."""
_SUMMED_RADIUS: Final = 160
"""Number of records around c, 0 and n within which candidates are summed one by one."""
_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(24)


def likelihood(event: Exponential) -> Likelihood:
    """Return the likelihood of a release.

    It is listed at every histogram if possible, and otherwise evaluated at one histogram at a time.
    """
    if event.m > 2 and not evaluable(event.n, event.m):
        return pointwise_channel(event) or NoLikelihood(
            "not available, because the likelihood of the exponential mechanism takes too long to compute at this "
            "number of records and categories"
        )
    if event.n > MAX_N:
        return NoLikelihood(
            "not available, because the likelihood of the exponential mechanism is listed for every histogram, up to "
            f"{MAX_N} records"
        )
    return ListedChannel(partial(log_likelihoods, event), CHANNEL_ERROR, _seconds(event.n, event.m))


def _seconds(n: int, m: int) -> float:
    """Estimate, from public sizes, the time to compute the normalisers on one core."""
    if m > 2:
        return 0.01 + candidate_count(n, m) ** 2 * (1.5e-8 + 2e-9 * m)
    return 0.05 + (1e-7 * n**2 if n <= _MAX_SUMMED_N else 2.0 + 4e-6 * n)


def log_likelihoods(event: Exponential, observed: tuple[int, ...]) -> NDArray[np.float64]:
    """Return ln P(r | c) of the release r = `observed` at every histogram c in lexicographic order, shape (|R|,).

    The error is at most CHANNEL_ERROR. For two categories, requires at most MAX_N records. For three or more
    categories, requires a space that is small enough to list (`core.candidates.enumerable`).
    """
    if event.m > 2:
        return _column_of_listed(event, candidate_index(observed))
    first = np.arange(event.n + 1)
    exponents = _rates(event) * _distances(event, first, np.array(observed[0]))
    logs: NDArray[np.float64] = np.log(np.exp(-exponents) + _uniform_mass(event)) - _log_normalisers(event)
    return logs


def _column_of_listed(event: Exponential, index: int) -> NDArray[np.float64]:
    """Return the column of the channel at the candidate `index`, for three or more categories."""
    rates, log_normalisers = _listed_normalisers(event)
    distances = np.sqrt(-np.expm1(log_affinities(event.prior, histograms(event.n, event.m)[index])))
    return np.asarray(np.log(np.exp(-rates * distances) + _uniform_mass(event)) - log_normalisers)


@lru_cache(maxsize=4)
def _listed_normalisers(event: Exponential) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return κ_c and ln N_c at every histogram of three or more categories, each of shape (|R|,).

    Computes |R|² weights.
    """
    space = SmallSpace.of(event.prior, event.n)
    rates = float(event.epsilon0) / (2.0 * space.sensitivities(event.gamma))
    return rates, space.log_normalisers(rates, _uniform_mass(event))


@lru_cache(maxsize=32)
def _log_normalisers(event: Exponential) -> NDArray[np.float64]:
    """Return ln N_c at every histogram of two categories, shape (n + 1,)."""
    n, rates = event.n, _rates(event)
    if n <= _MAX_SUMMED_N:
        totals = np.array(
            [float(np.exp(-rate * row).sum()) for rate, row in zip(rates, _all_distances(event.prior, n), strict=True)]
        )
        return np.asarray(np.log(totals + (n + 1) * _uniform_mass(event)))
    known: dict[int, float] = {}

    def at(histograms: NDArray[np.int64]) -> NDArray[np.float64]:
        for c in histograms.tolist():
            if c not in known:
                known[c] = _log_normaliser(event, c, float(rates[c]))
        return np.array([known[c] for c in histograms.tolist()])

    logs = np.empty(n + 1)
    # The scale on which ln N_c changes is proportional to the distance from either end, so intervals double from both
    # ends.
    half = [edge for edge in (_SHORT_LENGTH * 2**power for power in range(n.bit_length())) if edge < n // 2]
    edges = [0, *half, n // 2, *(n - edge for edge in reversed(half)), n]
    pending = list(pairwise(edges))
    while pending:
        low, high = pending.pop()
        everywhere = np.arange(low, high + 1)
        if high - low <= _SHORT_LENGTH:
            logs[low : high + 1] = at(everywhere)
            continue
        nodes = np.unique(
            np.rint(low + (high - low) * 0.5 * (1.0 - np.cos(np.pi * np.arange(_NODES) / (_NODES - 1)))).astype(
                np.int64
            )
        )
        checks = (nodes[1:] + nodes[:-1]) // 2
        values = at(nodes)
        # ln N_c bends where another histogram starts to determine the smooth sensitivity. Halving isolates the bend.
        if np.abs(_interpolate_values(nodes, values, checks) - at(checks)).max() <= _INTERPOLATION:
            logs[low : high + 1] = _interpolate_values(nodes, values, everywhere)
        else:
            middle = (low + high) // 2
            pending += [(low, middle), (middle, high)]
    return logs


def _log_normaliser(event: Exponential, c: int, rate: float) -> float:
    """Return ln N_c at one histogram.

    Away from c and from the ends, the terms f(r) are smooth over many records. There Σ_{r=a}^{b} f(r) is the integral
    from a − ½ to b + ½, minus 1/24 of the change of the slope f' (Euler and Maclaurin). Gauss's rule evaluates the
    integral on intervals no longer than their distance from the nearest of c, 0 and n.
    """
    n = event.n
    centres = (0, c, n)
    summed = np.unique(
        np.concatenate([np.arange(max(0, at - _SUMMED_RADIUS), min(n, at + _SUMMED_RADIUS) + 1) for at in centres])
    )
    total = float(np.exp(-rate * _distances(event, np.array(c), summed)).sum())
    # Integrate the gaps between the runs of summed candidates.
    breaks = np.nonzero(np.diff(summed) > 1)[0]
    pieces = [piece for at in breaks.tolist() for piece in _pieces(int(summed[at]) + 0.5, int(summed[at + 1]) - 0.5)]
    if pieces:
        ends = np.array(pieces)
        half = 0.5 * (ends[:, 1] - ends[:, 0])
        points = 0.5 * (ends[:, 0] + ends[:, 1])[:, None] + half[:, None] * _GAUSS_NODES
        values = np.exp(-rate * _distances(event, np.array(c), points))
        total += float(half @ (values @ _GAUSS_WEIGHTS))
        borders = np.array([[summed[at], summed[at] + 1, summed[at + 1] - 1, summed[at + 1]] for at in breaks.tolist()])
        slopes = np.exp(-rate * _distances(event, np.array(c), borders)) @ np.array([1.0, -1.0, -1.0, 1.0])
        total -= float(slopes.sum()) / 24.0
    return math.log(total + (n + 1) * _uniform_mass(event))


def _pieces(left: float, right: float) -> list[tuple[float, float]]:
    """Split [left, right] into intervals that double in length from both ends, starting with `_SUMMED_RADIUS`."""
    middle, length = 0.5 * (left + right), float(_SUMMED_RADIUS)
    rising = [left]
    while rising[-1] < middle:
        rising.append(min(middle, rising[-1] + length))
        length *= 2.0
    falling = [left + right - edge for edge in reversed(rising)]
    return [*pairwise(rising), *pairwise(falling)]


def _interpolate_values(
    nodes: NDArray[np.int64], values: NDArray[np.float64], at: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the polynomial through the values at the nodes, by the barycentric formula."""
    scaled = (nodes - nodes[0]) / (nodes[-1] - nodes[0])
    differences = scaled[:, None] - scaled[None, :]
    np.fill_diagonal(differences, 0.25)
    weights = 1.0 / np.prod(differences * 4.0, axis=1)
    indices = np.searchsorted(nodes, at)
    result = np.empty(at.size)
    on_node = nodes[np.minimum(indices, nodes.size - 1)] == at
    result[on_node] = values[indices[on_node]]
    between = weights / ((at[~on_node, None] - nodes) / (nodes[-1] - nodes[0]))
    result[~on_node] = (between @ values) / between.sum(axis=1)
    return result


@lru_cache(maxsize=1)
def _all_distances(prior: tuple[float, ...], n: int) -> NDArray[np.float64]:
    """Return H between the posteriors of every pair of histograms of two categories, shape (n + 1, n + 1).

    It is the same for all calibrations.
    """
    counts = np.arange(n + 1)
    one, other = (log_affinity(alpha, counts[:, None], counts[None, :]) for alpha in prior)
    return np.asarray(np.sqrt(-np.expm1(one + other[::-1, ::-1])))


def _distances(
    event: Exponential, c: NDArray[np.int64], r: NDArray[np.int64] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return H between the posteriors at (c, n − c) and (r, n − r). Shapes broadcast, and r need not be an integer."""
    logs = log_affinity(event.prior[0], c, r) + log_affinity(event.prior[1], event.n - c, event.n - r)
    return np.sqrt(-np.expm1(logs))


def _uniform_mass(event: Exponential) -> float:
    return 0.0 if event.uniform_admixture is None else math.exp(-event.uniform_admixture)


def _rates(event: Exponential) -> NDArray[np.float64]:
    """Return κ_c = ε₀ / (2 S(c)) at every histogram c of two categories, shape (n + 1,), where S is the sensitivity."""
    prior = np.array(event.prior)
    if event.gamma is None:
        return np.full(event.n + 1, float(event.epsilon0) / (2.0 * global_sensitivity(prior, event.n)))
    return float(event.epsilon0) / (2.0 * two_category_sensitivities(prior, event.n, event.gamma))
