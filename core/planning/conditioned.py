"""Posteriors of the counts given many simulated releases at once, to the precision of a plan.

With noise of one distribution on each count, p(c | y) ∝ Π f_i(c_i) on Σ c = n (`core.inference.product_counts`). Here
the weights of all releases and categories are one array, and sums of counts come from discrete Fourier transforms of
one length. A common tilt f_i(c) e^(θ c) centres the total of each release. Probabilities are accurate to about 1e-7.
The few releases for which rounding or a window could matter are named in `unsure`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from core.cells import CellSet
from core.inference.mixture import BetaMixture
from core.inference.prior_weights import log_prior_weight
from core.inference.product_counts import noise_radius
from core.samplers.reproducible import Reproducible

_DEPTH: Final = 25.0
"""ln of the noise's probability, relative to its maximum, below which a count is left out."""
_SPREAD: Final = 8.0
"""Range of a sum of counts, in standard deviations on either side, that the transforms keep apart."""
_SPREAD_BELOW_ONE: Final = 3
"""The same range in reaches of the noise, if a category has a prior below 1."""
_SAMPLED: Final = 64
"""Number of counts of a window that determine its tilted mean well enough."""
_TILTS: Final = 40
_LEAST_NORMALISER: Final = 1e-8
"""Least weight of the total relative to the largest of any total, so that rounding does not matter."""
_EDGE: Final = 1e-7
"""Largest probability of the end of a window that other counts lie beyond."""
_NEGLIGIBLE: Final = 1e-10
"""Probability relative to the likeliest count's, below which counts at the ends of a distribution are dropped."""
_ENTRIES: Final = 1 << 21
"""Largest number of weights that are held at once, beyond one release."""
_ROUNDS: Final = 16
_UNBOUNDED: Final = 1 << 62
_PROPOSED: Final = 2
"""Number of draws that are proposed for each that is taken."""
_LEAST_EFFECTIVE: Final = 0.2
"""Least effective number of independent proposals, relative to the number of draws that are taken."""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ConditionedReleases:
    """p(c | y) of k releases, in terms of disjoint pieces of cells that together are all cells.

    `transforms`, shape (k, pieces, frequencies), are those of the sums of the pieces, relative to `lows`, the least
    sums, shape (k, pieces). `spans` are the numbers of possible sums, and `means` the means of the sums before the
    condition on the total, relative to `lows`; both have the shape of `lows`. `unsure`, shape (k,), is true for the
    releases that are to be conditioned on in another way.
    """

    n: int
    prior: Floats
    """The sum of the prior over each piece."""
    size: int
    """The length of the transforms; sums are known modulo this length."""
    transforms: NDArray[np.complex128]
    lows: Integers
    spans: Integers
    means: Floats
    unsure: NDArray[np.bool_]

    def merged(self, groups: Sequence[Sequence[int]]) -> ConditionedReleases:
        """Return the same posteriors in terms of fewer pieces: the groups, and the other pieces as the last."""
        others = [piece for piece in range(self.prior.size) if not any(piece in group for group in groups)]
        each = [list(group) for group in (*groups, others) if group]
        return replace(
            self,
            prior=np.array([math.fsum(self.prior[group]) for group in each]),
            transforms=np.stack([self.transforms[:, group].prod(axis=1) for group in each], axis=1),
            lows=np.stack([self.lows[:, group].sum(axis=1) for group in each], axis=1),
            spans=np.stack([self._spans(group) for group in each], axis=1),
            means=np.stack([self.means[:, group].sum(axis=1) for group in each], axis=1),
        )

    def distribution(self, pieces: Sequence[int]) -> list[BetaMixture]:
        """Return the distribution of the share of some of the pieces, given each release."""
        chosen = sorted(pieces)
        others = [piece for piece in range(self.prior.size) if piece not in chosen]
        width = min(self.size, int(self._spans(chosen).max()))
        places = self._start(chosen)[:, None] + np.arange(width)
        sums = self.lows[:, chosen].sum(axis=1)[:, None] + places
        weights = np.take_along_axis(self._wrapped(chosen), places % self.size, axis=1)
        rest, lacking = self._wrapped(others), self.n - self.lows.sum(axis=1)[:, None]
        joint = weights * np.take_along_axis(rest, (lacking - places) % self.size, axis=1)
        joint[(sums < 0) | (sums > self.n)] = 0.0
        self._check(joint, weights, rest)
        of_prior, total = math.fsum(self.prior[chosen]), math.fsum(self.prior) + self.n
        likely = joint > _NEGLIGIBLE * joint.max(axis=1, keepdims=True)
        first, last = likely.argmax(axis=1), width - likely[:, ::-1].argmax(axis=1)
        found = []
        for row, start, stop, low in zip(joint, first.tolist(), last.tolist(), sums[:, 0].tolist(), strict=True):
            # Without any weight the release is unsure, and its distribution is not used.
            kept = row[start:stop] if row[start] > 0.0 else np.ones(1)
            found.append(BetaMixture(of_prior, total, low + start, kept / kept.sum()))
        return found

    def counts(self, draws: int, rng: Reproducible) -> Floats:
        """Draw the sums of the pieces jointly for each release: shape (k, draws, pieces)."""
        left = np.broadcast_to((self.n - self.lows.sum(axis=1))[:, None], (len(self.lows), draws))
        counts = np.empty((*left.shape, self.prior.size))
        for piece in range(self.prior.size):
            drawn = self._split(piece, left, rng) if piece < self.prior.size - 1 else left
            counts[..., piece] = np.clip(self.lows[:, piece, None] + drawn, 0, self.n)
            left = left - drawn
        return counts

    def _split(self, piece: int, left: Integers, rng: Reproducible) -> Integers:
        """Draw the sum s of a piece with probability ∝ piece(s) · later pieces(left − s), for each of `left`."""
        first, later = self._wrapped([piece]), self._wrapped(list(range(piece + 1, self.prior.size)))
        found = np.zeros_like(left)
        if (left == left[:, :1]).all():
            places = np.arange(self.size)
            joint = first * np.take_along_axis(later, (left[:, :1] - places) % self.size, axis=1)
            self._check(joint, first, later)
            rows = np.repeat(np.arange(len(left)), left.shape[1])
            return self._unwrapped(_drawn(_running(joint), rows, rng).reshape(left.shape), piece)
        # Propose from the narrower one, and accept with the probability that the other gives to the rest.
        is_first = _peak(first) >= _peak(later)
        proposed_by, other = (first, later) if is_first else (later, first)
        other = other / other.max(axis=1, keepdims=True)
        running = _running(proposed_by)
        rows, columns = (each.ravel() for each in np.indices(left.shape))
        for _ in range(_ROUNDS):
            part = _drawn(running, rows, rng)
            kept = rng.uniforms(rows.size) < other[rows, (left[rows, columns] - part) % self.size]
            found[rows[kept], columns[kept]] = part[kept]
            rows, columns = rows[~kept], columns[~kept]
            if not rows.size:
                break
        # Some proposals are hardly ever accepted.
        for start in range(0, rows.size, max(1, _ENTRIES // self.size)):
            row, column = (each[start : start + max(1, _ENTRIES // self.size)] for each in (rows, columns))
            shifted = other[row[:, None], (left[row, column][:, None] - np.arange(self.size)) % self.size]
            found[row, column] = _drawn(_running(proposed_by[row] * shifted), np.arange(row.size), rng)
        return self._unwrapped(found if is_first else left - found, piece)

    def _check(self, joint: Floats, weights: Floats, rest: Floats) -> None:
        """Mark the releases whose weights of the total, `joint`, are not far above the rounding of their factors."""
        rounded = np.maximum(rest.max(axis=1) * weights.sum(axis=1), weights.max(axis=1) * rest.sum(axis=1))
        self.unsure[:] |= ~(joint.sum(axis=1) > _LEAST_NORMALISER * rounded)

    def _wrapped(self, pieces: Sequence[int]) -> Floats:
        """Return the weights of the sums of the pieces, modulo the size, shape (k, size)."""
        product = self.transforms[:, list(pieces)].prod(axis=1)
        return np.maximum(scipy.fft.irfft(product, self.size, axis=1), 0.0)

    def _spans(self, pieces: Sequence[int]) -> Integers:
        return np.asarray(self.spans[:, list(pieces)].sum(axis=1) - len(pieces) + 1)

    def _start(self, pieces: Sequence[int]) -> Integers:
        """Return the least place of a range of length `size` around the mean of the pieces' sum, shape (k,)."""
        start = np.rint(self.means[:, list(pieces)].sum(axis=1)).astype(np.int64) - self.size // 2
        return np.where(self._spans(pieces) <= self.size, 0, start)

    def _unwrapped(self, places: Integers, piece: int) -> Integers:
        """Return each place, known modulo the size, in the range around the mean of the piece's sum."""
        start = self._start([piece])[:, None]
        return np.asarray(start + (places - start) % self.size)


def _running(weights: Floats) -> Floats:
    """Return the running sums of each row's weights, scaled to 1, plus the number of the row."""
    running = np.cumsum(weights, axis=1)
    return np.asarray(running / np.maximum(running[:, -1:], 1e-300) * (1.0 - 1e-12) + np.arange(len(weights))[:, None])


def _drawn(running: Floats, rows: Integers, rng: Reproducible) -> Integers:
    """Draw a place from each of these rows, in proportion to the weights behind the running sums."""
    size = running.shape[1]
    found = np.searchsorted(running.ravel(), rng.uniforms(rows.size) * (1.0 - 1e-12) + rows, side="right")
    return np.asarray(np.minimum(found - rows * size, size - 1))


def _peak(weights: Floats) -> float:
    return float((weights.max(axis=1) / weights.sum(axis=1)).mean())


def condition(
    n: int,
    prior: Floats,
    log_noise: Callable[[Integers], Floats],
    noisy: Integers,
    pieces: Sequence[CellSet],
) -> Iterator[ConditionedReleases]:
    """Yield the posteriors of the counts given each release, in order, some releases at a time.

    Arguments: `noisy`, shape (k, m) or (k, m − 1), if the last category has no noisy count; `log_noise`, as in
    `core.inference.product_counts`; `pieces`, disjoint sets of cells. The other cells become one more piece.
    """
    rest = frozenset(range(prior.size)).difference(*pieces)
    pieces = [*pieces, rest] if rest else list(pieces)
    reach, deviation = _reach(log_noise)
    if n <= 4 * reach:
        # If noisy counts are far above n together, each count can be far below its noisy count.
        reach = n
    together = max(1, _ENTRIES // (prior.size * 4 * min(n + 1, 2 * reach + 1)))
    for start in range(0, len(noisy), together):
        yield _condition(n, prior, log_noise, noisy[start : start + together], pieces, reach, deviation)


def _reach(log_noise: Callable[[Integers], Floats]) -> tuple[int, float]:
    """Return the number of steps after which the noise is left out, and its standard deviation."""
    far = np.arange(noise_radius(log_noise) + 1)
    logs = np.minimum(log_noise(far), log_noise(-far)) - float(log_noise(far[:1])[0])
    weights = np.exp(logs)
    deviation = math.sqrt(2.0 * float(weights @ far.astype(np.float64) ** 2) / float(2.0 * weights.sum() - 1.0))
    return int(np.count_nonzero(logs > -_DEPTH)), deviation


def entries_of_window(log_noise: Callable[[Integers], Floats]) -> int:
    """Return the number of values of one count that `draws_at_unknown_total` considers for each release."""
    return 2 * _reach(log_noise)[0] + 1


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCounts:
    """Joint draws of the sums of pieces given each of k releases, shape (k, draws, pieces). `unsure`, shape (k,), is
    true for the releases that are to be conditioned on in another way.
    """

    sums: Floats
    unsure: NDArray[np.bool_]


def draws_at_unknown_total(
    prior: Floats,
    log_noise: Callable[[Integers], Floats],
    noisy: Integers,
    pieces: Sequence[CellSet],
    draws: int,
    rng: Reproducible,
) -> Iterator[DrawnCounts]:
    """Yield draws of the sums of the pieces given each release, in order, some releases at a time, at an unknown total
    n with a flat p(n).

    p(c | y) is proportional to g(n) Π f_i(c_i), with g(n) = n! / Γ(n + A) (`core.inference.total_leaf`). The counts are
    drawn independently with the tilt that g has near the likely n. Draws are then taken in proportion to g over its
    tilt. A release is unsure if few of its draws would be taken.

    Arguments: `noisy`, shape (k, m); the others as in `condition`.
    """
    reach, _ = _reach(log_noise)
    together = max(1, _ENTRIES // (prior.size * (2 * reach + 1)))
    for start in range(0, len(noisy), together):
        yield _draws_at_unknown_total(prior, log_noise, noisy[start : start + together], pieces, draws, rng, reach)


def _draws_at_unknown_total(
    prior: Floats,
    log_noise: Callable[[Integers], Floats],
    noisy: Integers,
    pieces: Sequence[CellSet],
    draws: int,
    rng: Reproducible,
    reach: int,
) -> DrawnCounts:
    anchors, whole = np.maximum(noisy, 0), math.fsum(prior)
    windows = _Windows(
        prior,
        np.maximum(anchors - reach, 0),
        anchors + reach,
        lambda counts: log_noise(noisy[..., None] - counts),
    )
    tilts = np.zeros(len(noisy))
    for _ in range(_TILTS):
        totals, _ = windows.moments(tilts)
        tilts = scipy.special.digamma(totals + 1.0) - scipy.special.digamma(totals + whole)
    windows.tilt(tilts, _UNBOUNDED)
    rows = np.repeat(np.arange(len(noisy)), _PROPOSED * draws)
    of_cells = [
        windows.lows[:, cell, None]
        + _drawn(_running(windows.weights[:, cell]), rows, rng).reshape(-1, _PROPOSED * draws)
        for cell in range(prior.size)
    ]
    totals = np.sum(of_cells, axis=0)
    logs = scipy.special.gammaln(totals + 1.0) - scipy.special.gammaln(totals + whole) - tilts[:, None] * totals
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    sums = np.stack([np.sum([of_cells[cell] for cell in sorted(piece)], axis=0) for piece in pieces], axis=2)
    taken = _drawn(_running(weights), np.repeat(np.arange(len(noisy)), draws), rng).reshape(-1, draws)
    effective = 1.0 / (weights**2).sum(axis=1)
    return DrawnCounts(
        np.take_along_axis(sums, taken[..., None], axis=1).astype(np.float64),
        windows.is_cut | (effective < _LEAST_EFFECTIVE * draws),
    )


def _condition(
    n: int,
    prior: Floats,
    log_noise: Callable[[Integers], Floats],
    noisy: Integers,
    pieces: Sequence[CellSet],
    reach: int,
    deviation: float,
) -> ConditionedReleases:
    m = prior.size
    spread = math.ceil(_SPREAD * deviation * math.sqrt(m))
    if prior.min() < 1.0:
        # A count of such a category can be 0 against its noisy count, which moves the sums of others further.
        spread = max(spread, _SPREAD_BELOW_ONE * reach)
    anchors = np.clip(noisy, 0, n)
    lows, highs = np.maximum(anchors - reach, 0), np.minimum(anchors + reach, n)
    groups = [_Windows(prior[: noisy.shape[1]], lows, highs, lambda counts: log_noise(noisy[..., None] - counts))]
    if noisy.shape[1] < m:
        # The last count is what the others leave.
        left = np.clip(n - np.rint(groups[0].sums()), 0, n).astype(np.int64)
        ends = (np.maximum(left - spread - reach, 0)[:, None], np.minimum(left + spread + reach, n)[:, None])
        groups.append(_Windows(prior[-1:], *ends, lambda counts: np.zeros(counts.shape)))
    tilts = _tilts(groups, n)
    for windows in groups:
        windows.tilt(tilts, n)
    lows = np.concatenate([each.lows for each in groups], axis=1)
    spans = np.concatenate([each.highs for each in groups], axis=1) - lows + 1
    means = np.concatenate([each.means for each in groups], axis=1)
    widest = max(each.weights.shape[-1] for each in groups)
    size = scipy.fft.next_fast_len(min(int(spans.sum(axis=1).max()), widest + 2 * spread), real=True)
    # A window can be wider than the transform only if it is cut to the likely counts.
    size = max(size, scipy.fft.next_fast_len(widest, real=True))
    transforms = np.concatenate([scipy.fft.rfft(each.weights, size, axis=2) for each in groups], axis=1)
    chosen = [sorted(cells) for cells in pieces]
    return ConditionedReleases(
        n=n,
        prior=np.array([math.fsum(prior[cells]) for cells in chosen]),
        size=size,
        transforms=np.stack([transforms[:, cells].prod(axis=1) for cells in chosen], axis=1),
        lows=np.stack([lows[:, cells].sum(axis=1) for cells in chosen], axis=1),
        spans=np.stack([spans[:, cells].sum(axis=1) - len(cells) + 1 for cells in chosen], axis=1),
        means=np.stack([means[:, cells].sum(axis=1) for cells in chosen], axis=1),
        unsure=groups[0].is_cut.copy(),
    )


class _Windows:
    """The weights of some categories on a range of counts, for k releases: shape (k, categories, width)."""

    def __init__(
        self, prior: Floats, lows: Integers, highs: Integers, log_likelihood: Callable[[Integers], Floats]
    ) -> None:
        self.lows, self.highs = lows, highs
        self._steps = np.arange(int((highs - lows).max()) + 1)
        counts = lows[..., None] + self._steps
        logs = log_likelihood(counts)
        for category, alpha in enumerate(prior.tolist()):
            if alpha != 1.0:
                first, last = int(lows[:, category].min()), int(counts[:, category].max())
                every = log_prior_weight(alpha, np.arange(first, last + 1), anchor=float((first + last) // 2))
                logs[:, category] += every[counts[:, category] - first]
        logs[counts > highs[..., None]] = -math.inf
        self._logs = logs - logs.max(axis=2, keepdims=True)
        self._some = np.unique(np.linspace(0, self._steps.size - 1, _SAMPLED).astype(np.int64))
        self.weights = np.zeros(0)
        self.means = np.zeros(0)
        self.is_cut = np.zeros(len(lows), dtype=bool)

    def sums(self) -> Floats:
        """Return the mean of the sum of the counts, shape (k,)."""
        return self.moments(np.zeros(len(self.lows)))[0]

    def moments(self, tilts: Floats) -> tuple[Floats, Floats]:
        """Return the mean and the variance of the sum of the tilted counts, approximately: shape (k,)."""
        logs = self._logs[..., self._some] + tilts[:, None, None] * self._some
        masses = np.exp(logs - logs.max(axis=2, keepdims=True))
        masses /= masses.sum(axis=2, keepdims=True)
        means = masses @ self._some.astype(np.float64)
        variances = masses @ (self._some.astype(np.float64) ** 2) - means**2
        return (self.lows + means).sum(axis=1), variances.sum(axis=1)

    def tilt(self, tilts: Floats, n: int) -> None:
        """Compute the tilted weights, which sum to 1, and their means."""
        if tilts.any():
            self._logs += tilts[:, None, None] * self._steps
            self._logs -= self._logs.max(axis=2, keepdims=True)
        self.weights = np.exp(self._logs)
        self.weights /= self.weights.sum(axis=2, keepdims=True)
        self.means = self.weights @ self._steps.astype(np.float64)
        self.is_cut = self._ends_matter(n)

    def _ends_matter(self, n: int) -> NDArray[np.bool_]:
        """Return whether a window of a release ends, short of 0 or n, at a count that is not negligible: shape (k,)."""
        at_high = np.take_along_axis(self.weights, (self.highs - self.lows)[..., None], axis=2)[..., 0]
        low, high = (self.lows > 0) & (self.weights[..., 0] > _EDGE), (self.highs < n) & (at_high > _EDGE)
        return np.asarray((low | high).any(axis=1))


def _tilts(groups: Sequence[_Windows], n: int) -> Floats:
    """Return the tilt of each release at which the mean of the total is near n, shape (k,).

    Newton steps stay within a bracket, which is halved if they leave it.
    """
    tilts = np.zeros(len(groups[0].lows))
    lower, upper = np.full_like(tilts, -math.inf), np.full_like(tilts, math.inf)
    for _ in range(_TILTS):
        means, variances = np.sum([each.moments(tilts) for each in groups], axis=0)
        excess = means - n
        near = np.abs(excess) <= np.sqrt(variances) + 0.01
        if near.all():
            break
        lower, upper = np.where(excess < 0.0, tilts, lower), np.where(excess < 0.0, upper, tilts)
        furthest = np.maximum(1.0, 2.0 * np.abs(tilts))
        step = np.clip(-excess / np.maximum(variances, 1e-12), -furthest, furthest)
        inside = (tilts + step > lower) & (tilts + step < upper)
        with np.errstate(invalid="ignore"):
            halfway = np.where(np.isfinite(lower + upper), 0.5 * (lower + upper), tilts)
        tilts = np.where(near, tilts, np.where(inside, tilts + step, halfway))
    return tilts
