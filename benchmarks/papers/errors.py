"""Computes the law of the Hellinger error of every mechanism in the papers, exactly: by enumeration where it is short,
by the core's engine elsewhere.

Counts here are made up, so that everything is public. A law is a vector of distances from the true posterior with their
probabilities; a mean at a size that nobody can enumerate comes from E[H] = Σ_k w_k (1 − E[s^k]), s the affinity, w the
coefficients of 1 − sqrt(1 − s) (all positive): each E[s^k] is one normaliser of a product law on the count simplex, as
noise and s are both products over categories.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.candidates import candidate_count, histograms, log_affinities
from core.count_simplex import Window, condition_on_total
from core.dirichlet import hellinger_of_posteriors
from core.mechanisms.exponential.calibration import calibrate_certified, calibrate_proven, certified_at
from core.mechanisms.exponential.exact_loss import evaluation_seconds
from core.mechanisms.exponential.mechanism import rate_at
from core.mechanisms.exponential.mixture import HellingerMixture
from core.mechanisms.exponential.sensitivity import global_sensitivity, local_sensitivity, smooth_sensitivity
from core.mechanisms.geometric.weighting import weighting
from core.mechanisms.noisy_counts import nearest_on_simplex
from core.privacy import Delta, Epsilon
from core.special_functions import log_affinity

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

ENUMERATED = 1 << 18
CERTIFIED_SECONDS = (0.05, 13.0)
"""Longest evaluation of the whole channel in seconds, at three or more categories and at two. A calibration takes four
evaluations and some seconds.
"""
_NEGLIGIBLE_EXPONENT = 36.0
_DIRECT_TERMS = 32
RUNS = 20_000


@dataclass(frozen=True, eq=False)
class Law:
    """Distances H in [0, 1] and their probabilities, ascending."""

    distances: Floats
    probabilities: Floats

    @classmethod
    def of(cls, distances: Floats, weights: Floats) -> Law:
        order = np.argsort(distances, kind="stable")
        return cls(distances[order], weights[order] / weights.sum())

    @property
    def mean(self) -> float:
        return float(self.distances @ self.probabilities)

    def quantile(self, level: float) -> float:
        place = int(np.searchsorted(np.cumsum(self.probabilities), level * (1 - 1e-12)))
        return float(self.distances[min(place, self.distances.size - 1)])

    def exceeding(self, distance: float) -> float:
        """P(H >= t)."""
        return float(self.probabilities[np.searchsorted(self.distances, distance, side="left") :].sum())


@dataclass(frozen=True)
class Data:
    """A prior and made-up counts, m numbers each, with the ε and δ that the figure states."""

    prior: tuple[float, ...]
    counts: tuple[int, ...]
    epsilon: float
    delta: float

    @property
    def alpha(self) -> Floats:
        return np.array(self.prior)

    @property
    def c(self) -> Counts:
        return np.array(self.counts, dtype=np.int64)

    @property
    def n(self) -> int:
        return sum(self.counts)

    @property
    def m(self) -> int:
        return len(self.counts)


def printed_gamma(data: Data) -> float:
    """γ = ln(1 − ε / (2 ln(δ / (2(n + 1)))))."""
    return math.log1p(data.epsilon / (2.0 * math.log(2.0 * (data.n + 1) / data.delta)))


def smooth_rate(data: Data, factor: float = 2.0) -> float:
    """κ = ε/(2S) as defined. `factor` 1 is the value printed in sections 3.3 and 3.4 of the notes."""
    return data.epsilon / (factor * smooth_sensitivity(data.alpha, data.c, printed_gamma(data)))


def local_rate(data: Data) -> float:
    return data.epsilon / (2.0 * local_sensitivity(data.alpha, data.c))


def global_rate(data: Data) -> float:
    return data.epsilon / (2.0 * global_sensitivity(data.alpha, data.n))


def sound_rate(data: Data) -> float:
    """κ at which the mechanism, with the printed γ, is proven at ε: its exact loss over the whole channel is ε; by
    theorem where that cannot be looked at.
    """
    if evaluation_seconds(data.n, data.m) < CERTIFIED_SECONDS[data.m == 2]:
        epsilon = Epsilon.parse(str(data.epsilon))
        return rate_at(certified_at(data.n, data.prior, epsilon, Delta(0), printed_gamma(data)), data.c)
    return own_rate(data)


def own_rate(data: Data) -> float:
    """κ by the project's own calibration at (ε, δ), which picks γ, too: certified where that takes seconds, else by
    theorem.
    """
    epsilon, delta = Epsilon.parse(str(data.epsilon)), Delta.floor(data.delta)
    quick = evaluation_seconds(data.n, data.m) < CERTIFIED_SECONDS[data.m == 2]
    calibrate = calibrate_certified if quick else calibrate_proven
    return rate_at(calibrate(data.n, data.prior, epsilon, delta), data.c)


def exponential(data: Data, rate: float) -> Law:
    """The law of H under weights e^{−κH}, by visiting every candidate."""
    distances = np.sqrt(-np.expm1(log_affinities(data.prior, data.c)))
    return Law.of(distances, np.exp(-rate * distances))


def exponential_mean(data: Data, rate: float) -> float:
    """E[H] under weights e^{−κH} at any size."""
    if candidate_count(data.n, data.m) <= ENUMERATED:
        return exponential(data, rate).mean
    return mixture(data.prior, data.counts).expected_distance(rate)


@lru_cache(maxsize=4)
def mixture(prior: tuple[float, ...], counts: tuple[int, ...]) -> HellingerMixture:
    return HellingerMixture(np.array(prior), np.array(counts))


def candidate_distances(data: Data) -> Floats:
    return np.sqrt(-np.expm1(log_affinities(data.prior, data.c)))


def l1_distances(data: Data) -> Floats:
    """Σ |r_i − c_i| of every candidate, in the order of `candidate_distances`."""
    return np.asarray(np.abs(histograms(data.n, data.m) - data.c).sum(axis=1), dtype=np.float64)


def floored_laplace(difference: NDArray[np.int64], scale: float) -> Floats:
    """P(⌊Lap(b)⌋ = k) = (1 − q) q^k / 2 for k >= 0 and (1 − q) q^(−1 − k) / 2 below, q = e^{−1/b}."""
    q = math.exp(-1.0 / scale)
    return np.asarray(0.5 * (1.0 - q) * q ** np.where(difference >= 0, difference, -1 - difference).astype(np.float64))


def laplace(data: Data, scale: float) -> Law:
    """The law of H of the papers' Laplace mechanism, clipped and cut back as they say, at noise of the given scale."""
    if candidate_count(data.n, data.m) <= ENUMERATED:
        return Law.of(candidate_distances(data), laplace_of_candidates(data, scale))
    if data.m == 2:
        return _window_law(data, *laplace_releases(data, scale))
    if data.m == 3:
        return _noise_grid_law(data, scale)
    raise ValueError("a law over more than three categories needs a space that can be enumerated")


def laplace_of_candidates(data: Data, scale: float) -> Floats:
    """P(r) of every candidate in lexicographic order: a product along the cutting back, first category first."""
    every = histograms(data.n, data.m)
    left = np.full(len(every), data.n)
    law = np.ones(len(every))
    for category in range(data.m - 1):
        value, count = every[:, category], data.counts[category]
        at_least = _probability_at_least(left - count, scale)
        step = np.where(value == left, at_least, floored_laplace(value - count, scale))
        step = np.where(value == 0, 1.0 - _probability_at_least(np.array(1 - count), scale), step)
        law *= np.where(left == 0, 1.0, step)
        left = left - value
    return law


def _probability_at_least(k: NDArray[np.int64], scale: float) -> Floats:
    """P(⌊Lap(b)⌋ >= k)."""
    q = math.exp(-1.0 / scale)
    return np.where(
        k >= 0, 0.5 * q ** np.maximum(k, 0).astype(np.float64), 1.0 - 0.5 * q ** np.maximum(-k, 0).astype(np.float64)
    )


def laplace_releases(data: Data, scale: float) -> tuple[Counts, Floats]:
    """The first counts that a clipped noisy one can be, and their probabilities, at m = 2."""
    reach = math.ceil(_NEGLIGIBLE_EXPONENT * scale)
    first = data.counts[0]
    low, high = max(0, first - reach), min(data.n, first + reach)
    noise = np.arange(-reach, reach + 1)
    return np.arange(low, high + 1), _clip_weights(first + noise, floored_laplace(noise, scale), low, high)


def _clip_weights(values: Counts, weights: Floats, low: int, high: int) -> Floats:
    """The weights of low, …, high once all values are clipped into that range."""
    return np.bincount(np.clip(values, low, high) - low, weights, minlength=high - low + 1).astype(np.float64)


def _window_law(data: Data, released: Counts, weights: Floats) -> Law:
    return Law.of(hellinger_of_posteriors(data.alpha, data.c, np.stack([released, data.n - released], axis=1)), weights)


def _noise_grid_law(data: Data, scale: float) -> Law:
    """Every pair of noises at m = 3 that has a probability above e^−40 of the top."""
    reach = math.ceil(_NEGLIGIBLE_EXPONENT * scale)
    noise = np.arange(-reach, reach + 1)
    one = floored_laplace(noise, scale)
    first = np.clip(data.counts[0] + noise, 0, data.n)[:, None] + np.zeros_like(noise)
    second = np.minimum(np.maximum(data.counts[1] + noise, 0)[None, :], data.n - first)
    released = np.stack([first, second, data.n - first - second], axis=-1).reshape(-1, 3)
    return Law.of(hellinger_of_posteriors(data.alpha, data.c, released), np.outer(one, one).ravel())


def laplace_mean(data: Data, scale: float) -> float:
    """E[H] of the Laplace mechanism; of `RUNS` draws only where more than three categories are too many to enumerate
    and noise is clipped.
    """
    if data.m <= 3 or candidate_count(data.n, data.m) <= ENUMERATED:
        return laplace(data, scale).mean
    if min(data.counts) < 30.0 * scale * math.sqrt(data.m):
        return laplace_runs(data, scale)[0]
    reach = math.ceil(_NEGLIGIBLE_EXPONENT * scale)

    def windows(k: float) -> list[Window]:
        return [
            _noisy_window(
                data,
                category,
                k,
                reach,
                None if category == data.m - 1 else lambda z: np.log(floored_laplace(z, scale)),
            )
            for category in range(data.m)
        ]

    return mean_distance(windows, data.n)


def laplace_runs(data: Data, scale: float) -> tuple[float, float]:
    """The mean of H over `RUNS` runs of the Laplace mechanism, and its standard error; the seed is fixed."""
    rng, q = np.random.default_rng(11), math.exp(-1.0 / scale)
    noise = rng.geometric(1.0 - q, (RUNS, data.m - 1)) - 1
    noise = np.where(rng.random(noise.shape) < 0.5, noise, -1 - noise)
    left, released = np.full(RUNS, data.n), []
    for category in range(data.m - 1):
        released.append(np.minimum(np.maximum(data.counts[category] + noise[:, category], 0), left))
        left = left - released[-1]
    distances = hellinger_of_posteriors(data.alpha, data.c, np.stack([*released, left], axis=1))
    return float(distances.mean()), float(distances.std(ddof=1)) / math.sqrt(RUNS)


def geometric_mean(data: Data) -> float:
    """E[H] of simplex geometric noise: with the Bayes remap at m = 2 and on a small simplex, else of y itself,
    projected where it leaves the simplex.
    """
    if data.m == 2 or weighting(data.n, data.m, Epsilon.parse(str(data.epsilon))) is not None:
        return geometric(data).mean
    if data.m == 3 and min(data.counts) * data.epsilon < 2 * _NEGLIGIBLE_EXPONENT:
        released, weights = _projected_geometric(data)
        return Law.of(hellinger_of_posteriors(data.alpha, data.c, released), weights).mean
    reach = math.ceil(2.0 * _NEGLIGIBLE_EXPONENT / data.epsilon)
    rate = 0.5 * data.epsilon

    def windows(k: float) -> list[Window]:
        return [_noisy_window(data, category, k, reach, lambda z: -rate * np.abs(z)) for category in range(data.m)]

    return mean_distance(windows, data.n)


def geometric(data: Data) -> Law:
    """The law of H of the simplex geometric mechanism with the Bayes remap, at m = 2 of any size and on a small
    simplex.
    """
    epsilon = Epsilon.parse(str(data.epsilon))
    if data.m == 2:
        return _window_law(data, *geometric_releases(data))
    table = weighting(data.n, data.m, epsilon)
    assert table is not None
    return Law.of(candidate_distances(data)[_remap_table(data.n, data.prior, epsilon)], table.probabilities(data.c))


@lru_cache(maxsize=16)
def _remap_table(n: int, prior: tuple[float, ...], epsilon: Epsilon) -> Counts:
    """For each candidate y on a small simplex, the index of the candidate of least expected distance given it."""
    table = weighting(n, len(prior), epsilon)
    assert table is not None
    every, alpha = histograms(n, len(prior)), np.array(prior)
    likelihood = np.array([table.probabilities(c) for c in every])
    distances = np.array([hellinger_of_posteriors(alpha, c, every) for c in every])
    return np.asarray((distances @ (predictive(alpha, every)[:, None] * likelihood)).argmin(axis=0))


def predictive(alpha: Floats, every: Counts) -> Floats:
    """The Dirichlet-multinomial probability of each histogram, up to one factor."""
    logs = (special.gammaln(every + alpha) - special.gammaln(every + 1.0)).sum(axis=1)
    return np.asarray(np.exp(logs - logs.max()), dtype=np.float64)


def geometric_releases(data: Data) -> tuple[Counts, Floats]:
    """First counts after the remap, and their weights, at m = 2. Noise beyond the ends is as informative as noise
    at them, so y is clipped first. Counts far from y have no weight in its posterior.
    """
    reach = math.ceil(_NEGLIGIBLE_EXPONENT / data.epsilon)
    first = data.counts[0]
    low, high = max(0, first - reach), min(data.n, first + reach)
    noise = np.arange(-reach, reach + 1)
    weights = _clip_weights(first + noise, np.exp(-data.epsilon * np.abs(noise)), low, high)
    outer = np.arange(max(0, low - reach), min(data.n, high + reach) + 1)
    near = np.stack([outer, data.n - outer], axis=1)
    distances = np.sqrt(
        -np.expm1(
            np.minimum(
                log_affinity(data.prior[0], outer[:, None], outer[None, :])
                + log_affinity(data.prior[1], data.n - outer[:, None], data.n - outer[None, :]),
                0.0,
            )
        )
    )
    heard = np.arange(low, high + 1)
    joint = predictive(data.alpha, near)[:, None] * np.exp(-data.epsilon * np.abs(outer[:, None] - heard[None, :]))
    said = outer[(distances @ joint).argmin(axis=0)]
    return said, weights


def geometric_of_candidates(data: Data) -> Floats:
    """P(r) of every candidate in lexicographic order under simplex geometric noise: with the remap at m = 2, projected
    at m = 3.
    """
    if data.m == 2:
        first, weights = geometric_releases(data)
        return np.asarray(np.bincount(first, weights / weights.sum(), data.n + 1), dtype=np.float64)
    released, weights = _projected_geometric(data)
    # How many candidates have a smaller first count, and then a smaller second one.
    first = released[:, 0]
    places = first * (data.n + 1) - first * (first - 1) // 2 + released[:, 1]
    return np.asarray(np.bincount(places, weights / weights.sum(), candidate_count(data.n, data.m)), dtype=np.float64)


def _projected_geometric(data: Data) -> tuple[Counts, Floats]:
    """Released counts of three categories, shape (k, 3), and their weights."""
    reach = math.ceil(2.0 * 30.0 / data.epsilon)
    noise = np.arange(-reach, reach + 1)
    first, second = (grid.ravel() for grid in np.meshgrid(noise, noise, indexing="ij"))
    third = -first - second
    logs = -0.5 * data.epsilon * (np.abs(first) + np.abs(second) + np.abs(third))
    kept = logs > -30.0
    noisy = data.c + np.stack([first, second, third], axis=1)[kept]
    outside = np.flatnonzero(noisy.min(axis=1) < 0)
    for place in outside:
        noisy[place] = nearest_on_simplex(tuple(noisy[place].tolist()), data.n)
    return noisy, np.exp(logs[kept])


def _noisy_window(
    data: Data, category: int, k: float, reach: int, log_noise: Callable[[Counts], Floats] | None
) -> Window:
    """ln of P(z) e^{k h(c + z)} within the simplex; the last category of Laplace noise takes the rest, and has no
    noise of its own.
    """
    count = data.counts[category]
    spread = reach if log_noise is not None else 6 * reach * math.isqrt(data.m)
    low, high = max(0, count - spread), min(data.n, count + spread)
    t = np.arange(low, high + 1)
    logs = k * log_affinity(data.prior[category], count, t)
    return Window(low, logs if log_noise is None else logs + log_noise(t - count))


def mean_distance(windows: Callable[[float], list[Window]], total: int) -> float:
    """E[sqrt(1 − s)] = Σ_k w_k (1 − E[s^k]), w_k = Γ(k − ½) / (2√π Γ(k + 1)), from the windows of P · s^k for real k >=
    0.

    The first 32 terms one by one, then Gauss-Legendre panels over ln k with Euler and Maclaurin's first correction, to
    where E[s^k] has reached the probability that s = 1, which w's tail Σ_{k > K} w_k = Γ(K + ½)/(√π Γ(K + 1))
    multiplies.
    """

    def log_mass(k: float) -> float:
        return condition_on_total(windows(k), total, tolerance=1e-14).log_normaliser

    log_whole = log_mass(0.0)

    def lost(k: float) -> float:
        return -math.expm1(min(0.0, log_mass(k) - log_whole))

    def weight(k: float) -> float:
        return math.exp(special.gammaln(k - 0.5) - special.gammaln(k + 1.0)) / (2.0 * math.sqrt(math.pi))

    result = math.fsum(weight(k) * lost(float(k)) for k in range(1, _DIRECT_TERMS + 1))
    nodes, scales = np.polynomial.legendre.leggauss(12)
    start = _DIRECT_TERMS + 0.5
    step = 1e-3 * start
    ends = [weight(k) * lost(k) for k in (start - step, start + step)]
    result += (ends[1] - ends[0]) / (2.0 * step) / 24.0
    low, before = math.log(start), lost(start)
    while True:
        high = low + math.log(4.0)
        k = np.exp(0.5 * (low + high) + 0.5 * (high - low) * nodes)
        values = [lost(each) for each in k.tolist()]
        result += (
            0.5
            * (high - low)
            * math.fsum(s * x * weight(x) * v for s, x, v in zip(scales, k.tolist(), values, strict=True))
        )
        last = lost(math.exp(high))
        if abs(last - before) < 1e-10:
            edge = math.exp(high) - 0.5
            return result + last * math.exp(special.gammaln(edge + 0.5) - special.gammaln(edge + 1.0)) / math.sqrt(
                math.pi
            )
        low, before = high, last
