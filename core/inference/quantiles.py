"""Computes quantiles of many Beta mixtures together, by Halley's method. Each has one total a + b, or a few
(`OverTotals`).

Let l be the logit of the share x, N = a + b and K_c = x^a (1 − x)^b / B(a, b). As a function of l, the distribution
function of a mixture has the derivatives Σ p(c) K_c and Σ p(c) K_c (a − Nx). One pass over the counts therefore gives a
third-order step. Two or three passes suffice, where bisection and secants take dozens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.count_simplex.window import in_groups
from core.inference.beta_pairs import BetaPairs
from core.inference.distribution import INWARD, check_probability, outward, shown, tail_of_level
from core.inference.mixture import BetaMixture
from core.inference.total_nodes import OverTotals
from core.special_functions import log_beta_kernel, log_scale, unequal

_MAX_MIXTURE_WIDTH: Final = 1 << 13
"""Largest number of counts of a mixture handled here. For a wider mixture, a separate search needs only a few of its
counts.
"""
_MAX_PASSES: Final = 6
_SETTLED_STEP: Final = 1e-5
"""Step size relative to the standard deviation at which the error is about its cube."""
_FURTHEST_LOGIT: Final = 600.0

_ROWS: Final = 256
"""Number of mixtures of few components that are searched together."""
_MAX_STEPS_OF_PAIRS: Final = 100

Mixture: TypeAlias = BetaMixture | OverTotals


def quantiles(mixtures: Sequence[Mixture], probabilities: Sequence[float]) -> NDArray[np.float64]:
    """Return the quantiles of each mixture, shape (len(mixtures), len(probabilities)), to about 1e-12 relative to x (1
    − x), and 0 below 1e-300.

    Raises ProbabilityError unless all probabilities are in (0, 1).
    """
    return shown(_quantiles_of_tails(mixtures, _tails_of_probabilities(probabilities)))


def intervals(mixtures: Sequence[Mixture], level: float) -> NDArray[np.float64]:
    """Return the ends of each mixture's `interval` at `level`, shape (len(mixtures), 2).

    Raises ProbabilityError unless the level is in (0, 1).
    """
    return intervals_and_quantiles(mixtures, level, [])[0]


def intervals_and_quantiles(
    mixtures: Sequence[Mixture | BetaPairs], level: float, probabilities: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return `intervals` and `quantiles` of the mixtures. One joint search is faster than separate ones."""
    tail = INWARD * tail_of_level(level)
    tails = [(tail, False), (tail, True), *_tails_of_probabilities(probabilities)]
    found = np.empty((len(mixtures), len(tails)))
    pairs = {place: each for place, each in enumerate(mixtures) if isinstance(each, BetaPairs)}
    others = {place: each for place, each in enumerate(mixtures) if not isinstance(each, BetaPairs)}
    found[list(pairs)] = _quantiles_of_pairs(list(pairs.values()), tails)
    found[list(others)] = _quantiles_of_tails(list(others.values()), tails)
    ends = [outward(found[:, end], (0.0, 1.0), upper=bool(end)) for end in (0, 1)]
    return np.stack(ends, axis=1), shown(found[:, 2:])


def _tails_of_probabilities(probabilities: Sequence[float]) -> list[tuple[float, bool]]:
    for probability in probabilities:
        check_probability(probability)
    return [(min(each, 1.0 - each), each > 0.5) for each in probabilities]


def _quantiles_of_tails(mixtures: Sequence[Mixture], tails: Sequence[tuple[float, bool]]) -> NDArray[np.float64]:
    """Return `quantile_of_tail` of each mixture at each tail, shape (len(mixtures), len(tails)).

    Wide mixtures are searched one by one. So are mixtures for which the search does not converge in a few steps, such
    as shares that are almost surely near 0 or 1.
    """
    found = np.full((len(mixtures), len(tails)), np.nan)
    parts = [each.parts if isinstance(each, OverTotals) else ((1.0, each),) for each in mixtures]
    sizes = [sum(part.probabilities.size for _, part in each) for each in parts]
    narrow = [index for index, size in enumerate(sizes) if size <= _MAX_MIXTURE_WIDTH * len(parts[index])]
    for group in in_groups([sizes[index] for index in narrow]):
        together = _ConcatenatedMixtures([parts[index] for index in narrow[group]])
        for index, (tail, upper) in enumerate(tails):
            found[narrow[group], index] = together.quantile(tail, upper=upper)
    for row, index in np.argwhere(np.isnan(found)).tolist():
        tail, upper = tails[index]
        found[row, index] = mixtures[row].quantile_of_tail(tail, upper=upper)
    return found


def _quantiles_of_pairs(laws: Sequence[BetaPairs], tails: Sequence[tuple[float, bool]]) -> NDArray[np.float64]:
    """Return `quantile_of_tail` of several mixtures of few components each, shape (len(laws), len(tails)), to about
    1e-10 relative to x (1 − x).
    """
    found = np.empty((len(laws), len(tails)))
    for start in range(0, len(laws), _ROWS):
        some = laws[start : start + _ROWS]
        width = max(law.a.size for law in some)
        a, b, weights = (np.ones((len(some), width)), np.ones((len(some), width)), np.zeros((len(some), width)))
        for row, law in enumerate(some):
            a[row, : law.a.size], b[row, : law.a.size], weights[row, : law.a.size] = law.a, law.b, law.weights
        scale = log_scale(a, b, a + b)
        for index, (tail, upper) in enumerate(tails):
            found[start : start + _ROWS, index] = special.expit(
                _logits_of_tail(a, b, weights, scale, tail, upper=upper)
            )
    return found


def _logits_of_tail(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    weights: NDArray[np.float64],
    scale: NDArray[np.float64],
    tail: float,
    *,
    upper: bool,
) -> NDArray[np.float64]:
    """Return the logits beyond which the mixtures have the probability `tail`: by Newton's method in the logarithm of
    the probability, or by bisection where a step leaves the bracket.
    """
    totals, shares = a + b, a / (a + b)
    means = (weights * shares).sum(axis=1)
    variances = (weights * (shares * b / totals / (totals + 1.0) + (shares - means[:, None]) ** 2)).sum(axis=1)
    # One Beta distribution with these moments is near.
    whole = means * (1.0 - means) / variances - 1.0
    start = (special.betainccinv if upper else special.betaincinv)(means * whole, (1.0 - means) * whole, tail)
    start = np.where(np.isfinite(start), start, means)
    found: NDArray[np.float64] = special.logit(np.clip(start, 1e-15, 1.0 - 1e-15))
    low, high = np.full(found.shape, -_FURTHEST_LOGIT), np.full(found.shape, _FURTHEST_LOGIT)
    rows = np.arange(found.size)
    for _ in range(_MAX_STEPS_OF_PAIRS):
        at, of_a, of_b, of_row = found[rows], a[rows], b[rows], weights[rows]
        x, rest = special.expit(at)[:, None], special.expit(-at)[:, None]
        of_tail = special.betainc(of_b, of_a, rest) if upper else special.betainc(of_a, of_b, x)
        beyond = (of_row * of_tail).sum(axis=1)
        # Steps that are not finite, as where the density is almost 0, are bisected.
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            slope = (of_row * np.exp(log_beta_kernel(of_a, of_b, scale[rows], at[:, None]))).sum(axis=1)
            step = (math.log(tail) - np.log(beyond)) * beyond / slope
        too_far = (beyond < tail) if upper else (beyond > tail)
        low[rows], high[rows] = np.where(too_far, low[rows], at), np.where(too_far, at, high[rows])
        moved = at - step if upper else at + step
        # The last iterate is an end of the bracket. A step that stays there is not bisected.
        is_settled = np.abs(moved - at) <= 1e-11 * (1.0 + np.abs(at))
        is_inside = np.isfinite(moved) & (moved > low[rows]) & (moved < high[rows])
        found[rows] = np.where(is_settled | is_inside, moved, 0.5 * (low[rows] + high[rows]))
        rows = rows[np.abs(found[rows] - at) > 1e-11 * (1.0 + np.abs(at))]
        if not rows.size:
            break
    return found


class _ConcatenatedMixtures:
    """Several mixtures, with all counts of all their parts concatenated."""

    def __init__(self, mixtures: Sequence[Sequence[tuple[float, BetaMixture]]]) -> None:
        parts = [part for each in mixtures for _, part in each]
        self._sizes = np.array([part.probabilities.size for part in parts])
        self._starts = np.concatenate(([0], np.cumsum(self._sizes)[:-1]))
        self._numbers = np.array([len(each) for each in mixtures])
        self._first_parts = np.concatenate(([0], np.cumsum(self._numbers)[:-1]))
        self._weights = np.array([weight for each in mixtures for weight, _ in each])
        ends = [part.ends for part in parts]
        self._least_counts, self._greatest_counts = (np.array(each) for each in zip(*ends, strict=True))
        self._totals = np.array([part.total for part in parts])
        self._p = np.concatenate([part.probabilities for part in parts])
        steps = np.arange(self._p.size, dtype=np.float64) - self._spread(self._starts)
        self._a = self._spread(self._least_counts[:, 0]) + steps
        self._b = self._spread(self._greatest_counts[:, 1]) + (self._spread(self._sizes - 1.0) - steps)
        mean_steps = self._sum(self._p * steps)
        count_variances = self._sum(self._p * (steps - self._spread(mean_steps)) ** 2)
        within = self._sum(self._p * self._a * self._b) / (self._totals + 1.0)
        means = (self._least_counts[:, 0] + mean_steps) / self._totals
        self._means = self._mix(means)
        variances = (within + count_variances) / self._totals**2 + (means - self._repeat_by_part(self._means)) ** 2
        self._deviations = np.sqrt(self._mix(variances))
        self._log_scales = log_scale(self._a, self._b, self._spread(self._totals))
        self._p *= self._spread(self._weights)
        # Accumulate per part, so that tails keep their digits.
        self._probabilities_up_to, self._probabilities_above = np.zeros_like(self._p), np.zeros_like(self._p)
        for start, size in zip(self._starts.tolist(), self._sizes.tolist(), strict=True):
            last = start + size - 1
            np.cumsum(self._p[start:last], out=self._probabilities_up_to[start:last])
            np.cumsum(self._p[last:start:-1], out=self._probabilities_above[start:last][::-1])

    def quantile(self, tail: float, *, upper: bool) -> NDArray[np.float64]:
        """Return `quantile_of_tail` of each mixture; NaN if the search did not converge."""
        with np.errstate(all="ignore"):  # results that are not finite are searched one by one
            spread = self._deviations / (self._means * (1.0 - self._means))
            logits = np.log(self._means / (1.0 - self._means)) + (-1.0 if upper else 1.0) * special.ndtri(tail) * spread
            settled = np.zeros(len(logits), dtype=bool)
            for _ in range(_MAX_PASSES):
                excess, slope, bend = self._excess_and_derivatives(logits, tail, upper=upper)
                step = -excess / slope / np.clip(1.0 - 0.5 * excess * bend / slope**2, 0.5, 2.0)
                step = np.clip(step, -2.0 * spread, 2.0 * spread)
                logits = np.where(settled, logits, logits + step)
                settled |= np.abs(step) <= _SETTLED_STEP * np.minimum(spread, 1.0)
                if settled.all():
                    break
            known = settled & (np.abs(logits) < _FURTHEST_LOGIT)
            return np.where(known, special.expit(logits), np.nan)

    def _excess_and_derivatives(
        self, logits: NDArray[np.float64], tail: float, *, upper: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return P(θ <= x) − `tail`, or `tail` − P(θ > x) if `upper`, and its first two derivatives in the logit of
        x.
        """
        of_parts = self._repeat_by_part(logits)
        x, rest = special.expit(of_parts), special.expit(-of_parts)
        here, there = self._spread(self._totals * x), self._spread(self._totals * rest)
        difference = np.where(self._spread(x) < 0.5, self._a - here, there - self._b)
        divergence = self._a * np.log1p(difference / here) + self._b * np.log1p(-difference / there)
        kernels = np.exp(self._log_scales - divergence)
        if upper:
            # Of x and 1 − x, the one below one half has its digits.
            a, b = self._least_counts[:, 0], unequal(*self._least_counts.T)
            found = np.where(x < 0.5, special.betaincc(a, b, x), special.betainc(b, a, rest))
            steps = self._sum(kernels * self._probabilities_above / self._a)
        else:
            found = special.betainc(self._greatest_counts[:, 0], unequal(*self._greatest_counts.T), x)
            steps = self._sum(kernels * self._probabilities_up_to / self._a)
        found = self._mix(found) + np.add.reduceat(steps, self._first_parts) / special.expit(-logits)
        excess = np.asarray(tail - found if upper else found - tail, dtype=np.float64)
        kernels *= self._p
        slope, bend = (np.add.reduceat(self._sum(each), self._first_parts) for each in (kernels, kernels * difference))
        return excess, slope, bend

    def _repeat_by_part(self, per_mixture: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.repeat(per_mixture, self._numbers)

    def _mix(self, per_part: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weighted sum over the parts of each mixture."""
        return np.asarray(np.add.reduceat(self._weights * per_part, self._first_parts))

    def _spread(self, per_part: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        return np.repeat(per_part.astype(np.float64), self._sizes)

    def _sum(self, per_count: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum over the counts of each part."""
        return np.asarray(np.add.reduceat(per_count, self._starts))
