"""Draws of the counts of a question's pieces given many simulated releases at once, to the precision of a plan.

p(c | y) ∝ Π f_i(c_i), with one count for each piece (`core.inference.pieces`), on Σ c = n if n is known. Without that
condition the counts are independent. So more draws than needed are proposed independently, with a common tilt f_i(c)
e^(θ c) that centres their total, and some are taken in proportion to their weights. If n is known, the last count is n
less the others. The few releases for which hardly any proposal has weight are named in `unsure`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from core.inference.prior_weights import log_prior_weight
from core.planning.noisy_sums import Floats, Integers, Law, NoisySums
from core.samplers.reproducible import Reproducible

_DEPTH: Final = 25.0
"""ln of the noise's probability, relative to its maximum, below which a count is left out."""
_SPREAD: Final = 4.0
"""Range of what a piece without a noisy sum is left, in reaches of the noise."""
_SAMPLED_STEPS: Final = 64
"""Number of counts of a window that determine its tilted mean well enough."""
_TILTS: Final = 40
_ENTRIES: Final = 1 << 21
"""Largest number of weights that are held at once, beyond one release."""
_MAX_TABLE_LENGTH: Final = 1 << 20
"""Largest range of counts whose prior weights are tabled."""
_UNBOUNDED_TOTAL: Final = 1 << 62
_PROPOSALS_PER_DRAW: Final = 2
"""Number of draws that are proposed for each that is taken."""
_LEAST_EFFECTIVE: Final = 0.1
"""Least effective number of independent proposals, relative to the number of draws that are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnCounts:
    """Joint draws of the counts of the pieces given each of k releases, shape (k, draws, pieces). `unsure`, shape (k,),
    is true for the releases that are left out of a plan.
    """

    counts: Integers
    unsure: NDArray[np.bool_]


def draws_given(
    n: int | None, prior: float, sums: NoisySums, noisy: Integers, draws: int, rng: Reproducible
) -> Iterator[DrawnCounts]:
    """Yield draws of the counts of the pieces given each release, in order, some releases at a time.

    Arguments: `n` records, in steps of the noise, or None if n is unknown with a flat p(n); `prior`, that of each
    piece; `noisy`, the noisy sums of the observed pieces, shape (k, observed), in steps.

    At an unknown n the weight of a proposal is g(n) = n! / Γ(n + A) over its tilt (`core.inference.total_leaf`).
    """
    together = max(1, _ENTRIES // (len(sums.laws) * (2 * max(map(_reach, sums.observed)) + 1)))
    for start in range(0, len(noisy), together):
        yield _draws_of_counts(n, prior, sums, noisy[start : start + together], draws, rng)


def _draws_of_counts(
    n: int | None, prior: float, sums: NoisySums, noisy: Integers, draws: int, rng: Reproducible
) -> DrawnCounts:
    pieces, size = len(sums.laws), _PROPOSALS_PER_DRAW * draws
    windows, whole = _windows(prior, sums, noisy, _UNBOUNDED_TOTAL if n is None else n), prior * pieces
    tilts = np.zeros(len(noisy))
    if n is None:
        for _ in range(_TILTS):
            totals, _ = windows.moments(tilts)
            tilts = scipy.special.digamma(totals + 1.0) - scipy.special.digamma(totals + whole)
        proposed = pieces
    else:
        groups = [windows]
        if None in sums.laws:
            # The last count is n less the others.
            left = np.clip(n - np.rint(windows.moments(tilts)[0]), 0, n).astype(np.int64)
            spread = math.ceil(_SPREAD * max(map(_reach, sums.observed)))
            ends = (np.maximum(left - spread, 0)[:, None], np.minimum(left + spread, n)[:, None])
            groups.append(_Windows(prior, *ends, lambda counts: np.zeros(counts.shape)))
        tilts = _tilts(groups, n)
        proposed = pieces - 1
    windows.tilt(tilts)
    counts = np.empty((len(noisy), size, pieces), dtype=np.int64)
    for piece in range(proposed):
        drawn = windows.lows[:, piece, None] + _draw_places(windows.weights[:, piece], size, rng)
        counts[..., piece] = drawn[:, np.argsort(rng.uniforms(size))]
    totals = counts[..., :proposed].sum(axis=2)
    if n is None:
        logs = scipy.special.gammaln(totals + 1.0) - scipy.special.gammaln(totals + whole) - tilts[:, None] * totals
    else:
        last = n - totals
        counts[..., -1] = np.maximum(last, 0)
        logs = _prior_weights(prior, counts[..., -1]) - tilts[:, None] * (totals - totals.mean(axis=1, keepdims=True))
        if (law := sums.laws[-1]) is not None:
            logs += law.at(noisy[:, -1:] - last)
        logs[last < 0] = -math.inf
    peaks = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - np.where(np.isfinite(peaks), peaks, 0.0))
    weights += (~np.isfinite(peaks)).astype(np.float64)
    taken = _draw_places(weights, draws, rng)
    effective = weights.sum(axis=1) ** 2 / (weights**2).sum(axis=1)
    return DrawnCounts(
        np.take_along_axis(counts, taken[..., None], axis=1),
        (effective < _LEAST_EFFECTIVE * draws) | ~np.isfinite(peaks[:, 0]),
    )


def _reach(law: Law) -> int:
    """Return the number of steps after which the noise is left out."""
    likely = np.flatnonzero(law.logs > law.logs.max() - _DEPTH)
    return max(-(law.low + int(likely[0])), law.low + int(likely[-1]), 1)


def _windows(prior: float, sums: NoisySums, noisy: Integers, n: int) -> _Windows:
    """Return the weights of the observed pieces around their noisy sums."""
    reach = np.array([_reach(law) for law in sums.observed])
    anchors = np.clip(noisy, 0, n)

    def log_likelihood(counts: Integers) -> Floats:
        each = zip(sums.observed, np.moveaxis(noisy[..., None] - counts, 1, 0), strict=True)
        return np.stack([law.at(noise) for law, noise in each], axis=1)

    return _Windows(prior, np.maximum(anchors - reach, 0), np.minimum(anchors + reach, n), log_likelihood)


def _draw_places(weights: Floats, size: int, rng: Reproducible) -> Integers:
    """Draw `size` places from each row in proportion to its weights, stratified and in increasing order."""
    rows = np.arange(len(weights))[:, None]
    running = np.cumsum(weights, axis=1)
    running = running / running[:, -1:] * (1.0 - 1e-12) + rows
    uniforms = (np.arange(size) + rng.uniforms(len(weights) * size).reshape(-1, size)) / size
    found = np.searchsorted(running.ravel(), (uniforms * (1.0 - 1e-12) + rows).ravel(), side="right")
    return np.asarray(np.minimum(found.reshape(-1, size) - rows * weights.shape[1], weights.shape[1] - 1))


def _prior_weights(prior: float, counts: Integers) -> Floats:
    """Return ln of the weight of each count under the prior, up to a constant."""
    least, most = int(counts.min()), int(counts.max())
    if most - least > _MAX_TABLE_LENGTH:
        return log_prior_weight(prior, counts, anchor=float(least))
    return log_prior_weight(prior, np.arange(least, most + 1), anchor=float(least))[counts - least]


class _Windows:
    """The weights of some pieces on a range of counts, for k releases: shape (k, pieces, width)."""

    def __init__(
        self, prior: float, lows: Integers, highs: Integers, log_likelihood: Callable[[Integers], Floats]
    ) -> None:
        self.lows = lows
        self._steps = np.arange(int((highs - lows).max()) + 1)
        counts = lows[..., None] + self._steps
        logs = log_likelihood(counts)
        logs = logs + _prior_weights(prior, counts)
        logs[counts > highs[..., None]] = -math.inf
        self._logs = logs - logs.max(axis=2, keepdims=True)
        self._sampled_places = np.unique(np.linspace(0, self._steps.size - 1, _SAMPLED_STEPS).astype(np.int64))
        self.weights = np.zeros(0)

    def moments(self, tilts: Floats) -> tuple[Floats, Floats]:
        """Return the mean and the variance of the sum of the tilted counts, approximately: shape (k,)."""
        logs = self._logs[..., self._sampled_places] + tilts[:, None, None] * self._sampled_places
        masses = np.exp(logs - logs.max(axis=2, keepdims=True))
        masses /= masses.sum(axis=2, keepdims=True)
        means = masses @ self._sampled_places.astype(np.float64)
        variances = masses @ (self._sampled_places.astype(np.float64) ** 2) - means**2
        return (self.lows + means).sum(axis=1), variances.sum(axis=1)

    def tilt(self, tilts: Floats) -> None:
        """Compute the tilted weights."""
        if tilts.any():
            self._logs += tilts[:, None, None] * self._steps
            self._logs -= self._logs.max(axis=2, keepdims=True)
        self.weights = np.exp(self._logs)


def _tilts(groups: Sequence[_Windows], n: int) -> Floats:
    """Return the tilt of each release at which the mean of the total is near n, shape (k,).

    Newton steps stay within a bracket, which is halved if they leave it.
    """
    tilts = np.zeros(len(groups[0].lows))
    lower, upper = np.full_like(tilts, -math.inf), np.full_like(tilts, math.inf)
    for _ in range(_TILTS):
        means, variances = np.sum([each.moments(tilts) for each in groups], axis=0)
        excess = means - n
        near = np.abs(excess) <= 0.1 * np.sqrt(variances) + 0.01
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
