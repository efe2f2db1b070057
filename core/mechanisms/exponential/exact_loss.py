"""Evaluates the whole channel P(r | c) of the exponential mechanism: its exact worst loss, not a bound.

With weights w_c(r) = e^{−κ_c·H(c, r)} + e^{−L} and totals N_c, neighbours x and y have the loss ln(w_x(r)/w_y(r)) +
ln(N_y/N_x) at the candidate r. Its maximum is the pure ε. For δ > 0, ε is the least number with Σ_r max(0, P(r|x) −
e^ε·P(r|y)) <= δ for every pair. Everything here runs over all histograms of n records, so it depends on public
parameters only.

If computed log probabilities are off by at most ξ, then Σ max(0, P' − e^{ε+2ξ}Q') <= e^ξ Σ max(0, P − e^ε Q). So the
errors go into ε, and a δ of 10⁻¹⁵ can be certified in floating point.

For m = 2, ln BC of (c, n−c) and (t, n−t) is U(c+t) − ½U(2c) − ½U(2t), U(k) = lnΓ(α₁+k/2) + lnΓ(α₂+n−k/2): one table, in
the widest floating type, because the three terms nearly cancel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import candidate_count
from core.mechanisms.exponential.exact_rho import PairsOfRows, SumsOfPairs
from core.mechanisms.exponential.sensitivity import (
    Counts,
    Floats,
    global_sensitivity,
    one_step,
    two_category_sensitivities,
)
from core.mechanisms.exponential.small_space import SmallSpace
from core.special_functions import stirling_remainder

MAX_RECORDS_OF_TWO: Final = 20_000
"""Largest number of records at two categories, which are evaluated row by row."""
MAX_SPACE: Final = 30_000
"""Largest number of candidates at three or more categories, which are evaluated in blocks."""
_MAX_PAIRS: Final = 1_500_000
_MAX_LOSSES: Final = 1 << 36
"""Largest number of losses for pairs that differ in several records, each at every candidate."""
_PAIRS_AT_ONCE: Final = 1 << 19
"""Number of pairs evaluated at once: some 100 MB."""
_MAX_SINGLE_PAIRS: Final = 100
"""Number of pairs whose ε at a δ is found before all other pairs are checked again."""
_CACHED_VALUES: Final = 1 << 15
_ROWS: Final = 16
"""Number of pairs of two categories' neighbours evaluated at once; consecutive pairs share a row."""
_MAX_CACHED_N: Final = 1024
"""Up to this number of records of two categories, the distances between all posteriors are cached: 8 MB."""
_MARGIN: Final = 1 + 1e-6
_REMAINDER_ERROR: Final = 8e-15
"""Error of Stirling remainders in the logarithm of an affinity: four of 2e-15 at most."""


@dataclass(frozen=True, slots=True)
class ExactLoss:
    """The worst loss over all pairs of neighbours: `epsilon` at the given δ, and the longest range of a pair's losses.

    Both hold for the mechanism with real weights; `error` bounds the floating-point error of either. `rho` is the zCDP
    parameter without a δ, and includes this error and the slack of the draw. It is None for a sample.
    """

    epsilon: float
    loss_range: float
    error: float
    rho: float | None


def evaluable(n: int, m: int, records: int = 1) -> bool:
    """Return whether the whole channel can be evaluated, at all pairs that differ in up to `records` records.

    Uses public sizes only.
    """
    if m == 2:
        if n > MAX_RECORDS_OF_TWO:
            return False
    # Histograms are identified by numbers to the base n + 1. If m is large there are too many pairs of neighbours.
    elif (m - 1) * math.log2(n + 1) > 62 or candidate_count(n, m) > MAX_SPACE or _pairs(n, m, 1) > _MAX_PAIRS:
        return False
    return records == 1 or candidate_count(n, m) * _pairs(n, m, records) <= _MAX_LOSSES


def _pairs(n: int, m: int, records: int) -> int:
    """Return an upper bound on the number of pairs of histograms that differ in up to `records` records."""
    count = candidate_count(n, m)
    # k records leave i categories, and each joins one of the others.
    changes = sum(
        math.comb(m, i) * math.comb(k - 1, i - 1) * math.comb(k + m - i - 1, k)
        for k in range(1, min(records, n) + 1)
        for i in range(1, min(k, m - 1) + 1)
    )
    return count * min(changes, count - 1) // 2


def evaluation_seconds(n: int, m: int, records: int = 1) -> float:
    """Estimate, from public sizes, the time of one `exact_loss` on one core.

    It is infinite if the channel is not evaluable.
    """
    if not evaluable(n, m, records):
        return math.inf
    times_as_long = _pairs(n, m, records) / _pairs(n, m, 1)
    if m == 2:
        return 0.02 + times_as_long * n * (8e-5 + 6e-8 * n)
    return 0.02 + times_as_long * candidate_count(n, m) ** 2 * (3.6e-8 + 6e-9 * m * m)


def exact_loss(
    prior: tuple[float, ...],
    n: int,
    epsilon0: float,
    gamma: float | None,
    *,
    uniform_admixture: float | None,
    delta: float,
    slack: float = 0.0,
    sample: int | None = None,
    records: int = 1,
    with_rho: bool = True,
) -> ExactLoss:
    """Return the exact loss of the channel over all pairs of histograms that differ in at most `records` records.

    Arguments: `prior` α of length m; `n` records; `epsilon0` ε₀; `gamma` γ, or None for the global sensitivity;
    `uniform_admixture` L, or None; `delta` δ >= 0; `slack`, the largest difference between the losses with the drawn
    weights and with the real ones; `sample`, the approximate number of pairs to evaluate, or None for all.

    A sample consists of the pairs with the largest change of κ and a spread of others. It serves a search, never a
    certificate. ρ is computed only for all pairs, and only if `with_rho`. Requires `evaluable`.
    """
    floor = 0.0 if uniform_admixture is None else math.exp(-uniform_admixture)
    worst = _WorstLoss(delta)
    if len(prior) == 2:
        rows = _TwoCategories.of(prior, n)
        rates = epsilon0 / (2 * _two_category_bound(prior, n, gamma))
        error = rows.error(float(rates.max())) + 1e-12
        screened = PairsOfRows(slack + error) if with_rho and sample is None else None
        pairs = np.concatenate(
            [np.stack([np.arange(n + 1 - d), np.arange(d, n + 1)], axis=1) for d in range(1, min(records, n) + 1)]
        )
        if prior[0] == prior[1]:
            pairs = pairs[pairs.sum(axis=1) <= n]
        pairs = _sample_pairs(pairs, rates, sample)
        for some in _parts(len(pairs), n + 1, least=_ROWS):
            counts, indices = np.unique(pairs[some], return_inverse=True)
            weights = rows.weights(counts, rates[counts], floor)
            _compare_two_categories(worst, screened, pairs[some], weights, *indices.reshape(-1, 2).T)
        rho = None if screened is None else screened.rho(lambda c: rows.weights(np.array([c]), rates[[c]], floor)[0])
    else:
        space = SmallSpace.of(prior, n)
        rates = epsilon0 / (2 * _sensitivities(space, gamma))
        error = 4 * 1e-11 * float(rates.max()) + 1e-12
        screened = PairsOfRows(slack + error) if with_rho and sample is None else None
        pairs = space.pairs() if records == 1 else space.pairs_within(records)
        pairs = _sample_pairs(pairs, rates, sample)
        for first in range(0, len(pairs), _PAIRS_AT_ONCE):
            _evaluate(space, pairs[first : first + _PAIRS_AT_ONCE], rates, floor, worst, screened)
        rho = None if screened is None else screened.rho(lambda c: space.row(c, rates[c], floor))
    return ExactLoss(worst.epsilon, worst.loss_range, error, rho)


@lru_cache(maxsize=1)
def _sensitivities(space: SmallSpace, gamma: float | None) -> Floats:
    """Return the cached sensitivities. A search evaluates many rates at one γ."""
    return space.sensitivities(gamma)


def _compare_two_categories(
    worst: _WorstLoss, screened: PairsOfRows | None, pairs: Counts, weights: Floats, x: Counts, y: Counts
) -> None:
    """Update the worst loss with these pairs of neighbours, at two categories. x and y are the pairs' rows in
    `weights`.
    """
    totals = weights.sum(axis=1)
    ratio = weights[x] / weights[y]
    up, down = np.log(ratio.max(axis=1)), np.log(ratio.min(axis=1))
    shift = np.log(totals[y] / totals[x])
    worst.loss_range = max(worst.loss_range, float((up - down).max()))
    for losses, one, other in ((up + shift, x, y), (-down - shift, y, x)):
        if worst.delta == 0:
            worst.epsilon = max(worst.epsilon, float(losses.max()))
            continue
        for index in np.argsort(-losses).tolist():
            if losses[index] <= worst.epsilon:
                break
            p, q = one[index], other[index]
            worst.take(weights[p] / totals[p], weights[q] / totals[q], float(losses[index]))
    if screened is not None:
        losses = np.log(ratio, out=ratio)
        means = np.stack([np.einsum("ij,ij->i", weights[each], losses) for each in (x, y)])
        losses *= losses
        squares = np.stack([np.einsum("ij,ij->i", weights[each], losses) for each in (x, y)])
        screened.screen(pairs, SumsOfPairs(totals[np.stack([x, y])], means, squares, up, down), weights.shape[1])


def _evaluate(
    space: SmallSpace, pairs: Counts, rates: Floats, floor: float, worst: _WorstLoss, screened: PairsOfRows | None
) -> None:
    """Update the worst loss with these pairs of neighbours, one block of candidates at a time."""
    rows, indices = np.unique(pairs, return_inverse=True)
    x, y = indices.reshape(pairs.shape).T
    totals, largest, smallest = np.zeros(len(rows)), np.zeros(len(pairs)), np.full(len(pairs), np.inf)
    first, second = np.zeros((2, len(pairs))), np.zeros((2, len(pairs)))
    for block in space.weights(rows, rates[rows], floor):
        totals += block.sum(axis=1)
        for some in _parts(len(pairs), block.shape[1]):
            at_x, at_y = block[x[some]], block[y[some]]
            ratio = at_x / at_y
            np.maximum(largest[some], ratio.max(axis=1), out=largest[some])
            np.minimum(smallest[some], ratio.min(axis=1), out=smallest[some])
            if screened is not None:
                losses = np.log(ratio, out=ratio)
                for of_power in (first, second):
                    of_power[0, some] += np.einsum("ij,ij->i", at_x, losses)
                    of_power[1, some] += np.einsum("ij,ij->i", at_y, losses)
                    losses *= losses
    if screened is not None:
        sums = SumsOfPairs(np.stack([totals[x], totals[y]]), first, second, np.log(largest), np.log(smallest))
        screened.screen(pairs, sums, len(space.histograms))
    up, down, shift = np.log(largest), np.log(smallest), np.log(totals[y]) - np.log(totals[x])
    worst.loss_range = max(worst.loss_range, float((up - down).max()))
    # Each pair in both directions.
    losses = np.concatenate([up + shift, -down - shift])
    one, other = np.concatenate([x, y]), np.concatenate([y, x])
    if worst.delta == 0:
        worst.epsilon = max(worst.epsilon, float(losses.max()))
        return
    # First the pairs with the largest losses raise ε; then those that still exceed δ at this ε, until none does.
    pending = np.argsort(-losses)
    while len(pending):
        for each in pending[:_MAX_SINGLE_PAIRS].tolist():
            if losses[each] > worst.epsilon:
                both = rows[[one[each], other[each]]]
                p, q = np.concatenate(list(_copy_blocks(space.weights(both, rates[both], floor))), axis=1)
                worst.take(p / totals[one[each]], q / totals[other[each]], float(losses[each]))
        pending = pending[_MAX_SINGLE_PAIRS:]
        pending = pending[losses[pending] > worst.epsilon]
        if len(pending):
            excess = np.zeros(len(pending))
            for block in space.weights(rows, rates[rows], floor):
                for some in _parts(len(pending), block.shape[1]):
                    a, b = one[pending[some]], other[pending[some]]
                    over = block[a] / totals[a, None]
                    over -= block[b] * (math.exp(worst.epsilon) / totals[b, None])
                    excess[some] += np.maximum(over, 0.0, out=over).sum(axis=1)
            order = np.argsort(-excess)
            pending = pending[order[excess[order] * _MARGIN > worst.delta]]


def _parts(pairs: int, width: int, least: int = 1) -> list[slice]:
    """Split the pairs into parts of at least `least` pairs whose ratios fit into the processor's cache."""
    size = max(least, _CACHED_VALUES // width)
    return [slice(first, first + size) for first in range(0, pairs, size)]


def _copy_blocks(blocks: Iterator[Floats]) -> Iterator[Floats]:
    return (block.copy() for block in blocks)


@dataclass(slots=True)
class _WorstLoss:
    """The worst loss of the pairs evaluated so far."""

    delta: float
    epsilon: float = 0.0
    loss_range: float = 0.0

    def take(self, p: Floats, q: Floats, largest: float) -> None:
        """Update the worst loss with two distributions p and q whose losses are at most `largest`, at δ > 0."""
        self.epsilon = self._tail(p, q, largest)

    def _tail(self, p: Floats, q: Floats, largest: float) -> float:
        """Return the smallest ε, rounded up, with Σ max(0, p − e^ε·q) <= δ that is at least the worst so far."""
        over = p > math.exp(self.epsilon) * q
        p, q = p[over], q[over]
        if self._excess(p, q, self.epsilon) <= self.delta:
            return self.epsilon
        low, high = self.epsilon, largest
        while high - low > 1e-10:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self._excess(p, q, middle) <= self.delta else (middle, high)
        return high

    @staticmethod
    def _excess(p: Floats, q: Floats, epsilon: float) -> float:
        """Return Σ max(0, p − e^ε·q), increased by a millionth.

        The increase covers the effect on δ of errors of log probabilities; their main effect is included in ε.
        """
        return float(np.maximum(p - math.exp(epsilon) * q, 0.0).sum()) * _MARGIN


def _sample_pairs(pairs: Counts, rates: Floats, sample: int | None) -> Counts:
    """Return all pairs in order, or about `sample` of them."""
    if sample is None or sample >= len(pairs):
        return pairs
    change = np.abs(np.diff(rates[pairs], axis=1)).ravel()
    spread = np.geomspace(1, len(pairs), sample // 3).astype(np.int64) - 1
    even = np.linspace(0, len(pairs) - 1, sample // 3).astype(np.int64)
    chosen = np.unique(np.concatenate([np.argsort(change)[-(sample // 3) :], spread, len(pairs) - 1 - spread, even]))
    return np.asarray(pairs[chosen])


def _two_category_bound(prior: tuple[float, ...], n: int, gamma: float | None) -> Floats:
    alpha = np.array(prior)
    return (
        np.full(n + 1, global_sensitivity(alpha, n)) if gamma is None else two_category_sensitivities(alpha, n, gamma)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _TwoCategories:
    """Rows of weights for two categories, from one table of U.

    With U(k) = lnΓ(α₁ + k/2) + lnΓ(α₂ + n − k/2), the log affinity of (c, n−c) and (t, n−t) is U(c+t) − ½U(2c) −
    ½U(2t). The three terms nearly cancel, so the table has the widest floating-point type.
    """

    n: int
    table: NDArray[np.longdouble]
    half: NDArray[np.longdouble]
    shortest: float

    @classmethod
    @lru_cache(maxsize=4)
    def of(cls, prior: tuple[float, ...], n: int) -> _TwoCategories:
        k = np.arange(2 * n + 1).astype(np.longdouble) / 2
        table: NDArray[np.longdouble] = _log_gamma(np.longdouble(prior[0]) + k) + _log_gamma(
            np.longdouble(prior[1]) + k[::-1]
        )
        largest = max(prior) + n
        return cls(n, table, np.asarray(table[::2] / np.longdouble(2)), float(one_step(largest, largest)))

    def weights(self, counts: Counts, rates: Floats, floor: float) -> Floats:
        """Return the weights of all candidates (t, n − t), t = 0..n, at the histograms (c, n − c) of `counts`: shape
        (k, n+1).
        """
        weights = self._kept_distances(counts) if self.n <= _MAX_CACHED_N else self._distances(counts)
        weights *= -rates[:, None]
        np.exp(weights, out=weights)
        weights += floor
        return weights

    def _distances(self, counts: Counts) -> Floats:
        """Return H from the posterior at each of `counts` to all candidates, shape (k, n+1)."""
        affinities = np.stack([self.table[c : c + self.n + 1] - (self.half + self.half[c]) for c in counts.tolist()])
        distances = np.expm1(affinities.astype(np.float64))
        return np.asarray(np.sqrt(np.negative(distances, out=distances), out=distances))

    def _kept_distances(self, counts: Counts) -> Floats:
        """Return `_distances` from a cache. A search needs them at several rates."""
        kept = _distance_cache(self)
        if (new := counts[~kept.known[counts]]).size:
            kept.distances[new] = self._distances(new)
            kept.known[new] = True
        return kept.distances[counts]

    def error(self, rate: float) -> float:
        """Return a bound on the rounding error of a loss at rates up to `rate`.

        A loss has four log weights. Each has the error κ·dH, dH = d(log affinity)/(2H), plus 1e-15 of κH.
        """
        of_log_affinity = 8 * float(np.finfo(np.longdouble).eps) * float(np.abs(self.table).max()) + _REMAINDER_ERROR
        return 4 * rate * (of_log_affinity / (2 * self.shortest) + 1e-15)


@dataclass(frozen=True, slots=True, eq=False)
class _DistanceCache:
    """Cached distances, one row per histogram, and a flag per row whether it is computed."""

    distances: Floats
    known: NDArray[np.bool_]


@lru_cache(maxsize=1)
def _distance_cache(rows: _TwoCategories) -> _DistanceCache:
    return _DistanceCache(np.empty((rows.n + 1, rows.n + 1)), np.zeros(rows.n + 1, dtype=bool))


def _log_gamma(z: NDArray[np.longdouble]) -> NDArray[np.longdouble]:
    """Return lnΓ by Stirling's formula. The remainder is small enough for a double."""
    half = np.longdouble(0.5)
    return np.asarray((z - half) * np.log(z) - z + stirling_remainder(z.astype(np.float64)))
