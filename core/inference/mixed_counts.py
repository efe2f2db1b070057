"""Counts at an unknown total n, as a mixture of independent counts.

For A = Σ α > 1,

    n! Γ(A) / Γ(n + A) = (A − 1) ∫ r^n (1 − r)^(A − 2) dr over r in (0, 1),

so under a flat p(n) the counts are independent given r, with the weights w_i(c) r^c. This holds where one product
distribution has no digits left: many categories, heavy noise and few records. With r = e^(−τ) the trapezoidal rule in
ln τ converges exponentially, because the integrand is analytic and falls at both ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.cells import CellSet
from core.count_simplex import Window
from core.count_simplex.tree import distribution_of_sum
from core.count_simplex.window import Mass
from core.inference.counts import TOO_MANY_AT_THIS_NOISE, CountMarginal, InferenceError, JointCounts, check_table
from core.inference.gamma_pairs import GammaCounts, greater
from core.samplers.reproducible import Reproducible

Floats: TypeAlias = NDArray[np.float64]

LEAST_WHOLE: Final = 1.5
"""Smallest A. Below, the integrand falls too slowly at τ = 0."""
_COARSE_STEP: Final = 0.5
_NARROW_POINTS, _MAX_NARROWINGS = 25, 12
_LOGIT_RANGE: Final = (-90.0, 6.0)
"""Range of ln τ that is searched."""
_DEPTH: Final = 42.0
"""Number of nats below the largest value of the integrand at which the rule ends."""
_MOST_NODES: Final = 512
_CONVERGED_CHANGE: Final = 1e-10
_CUT_PROBABILITY: Final = 1e-20
_MAX_WORK_OF_COMPARISONS: Final = 200
"""Largest number of components for which two shares are compared exactly."""


def nodes_of_mixture(whole: float, log_sum: Callable[[float], float]) -> tuple[Floats, Floats, float]:
    """Return the nodes τ, their probabilities, and a bound on the relative error of the rule.

    Arguments: `whole` A > 1.5; `log_sum(t)`, ln Σ Π w_i(c_i) e^(t c_i) over all counts in their windows.

    Raises InferenceError if the rule does not converge with 512 nodes.
    """

    def logs_at(points: Floats) -> Floats:
        tau = np.exp(points)
        sums = np.array([log_sum(-each) for each in tau.tolist()])
        return sums + (whole - 2.0) * np.log(-np.expm1(-tau)) - tau + points

    points, (low, high) = np.arange(*_LOGIT_RANGE, _COARSE_STEP), _LOGIT_RANGE
    # Under strong priors the integrand is far narrower than the distance of the first points.
    for _ in range(_MAX_NARROWINGS):
        logs = logs_at(points)
        likely = np.flatnonzero(logs > logs.max() - _DEPTH)
        low, high = float(points[max(0, likely[0] - 1)]), float(points[min(points.size - 1, likely[-1] + 1)])
        if 3 * likely.size > points.size:
            break
        points = np.linspace(low, high, _NARROW_POINTS)
    size = 64
    while size <= _MOST_NODES:
        points = np.linspace(low, high, size + 1)
        weights = np.exp((logs := logs_at(points)) - logs.max())
        change = abs(2.0 * float(weights[::2].sum()) / float(weights.sum()) - 1.0)
        if change < _CONVERGED_CHANGE:
            kept = weights > 1e-17 * weights.sum()
            return np.exp(points[kept]), weights[kept] / weights[kept].sum(), change + 1e-15 * size
        size *= 2
    raise InferenceError(TOO_MANY_AT_THIS_NOISE)


class MixedCounts:
    """p(c | y) = Σ_k p_k Π_i f_i(c_i) e^(t_k c_i) / Z_ki, with one window of weights f_i per category.

    `tilts` t_k and `shares` p_k have shape (k,), and `rounding` bounds the error of each log-weight, one array per
    window. `left_out` bounds the total-variation effect of everything else.
    """

    def __init__(
        self, windows: Sequence[Window], rounding: Sequence[Floats], tilts: Floats, shares: Floats, left_out: float
    ) -> None:
        self.n: int | None = None
        self.m = len(windows)
        self.simulated: int | None = None
        self.effective: float | None = None
        self._windows, self._rounding, self._tilts, self._shares = tuple(windows), tuple(rounding), tilts, shares
        self._totals: CountMarginal | None = None
        self._marginals = tuple(
            CountMarginal(window.low, self._shares @ self._tilted_probabilities(window)) for window in self._windows
        )
        moved = sum(
            float(each @ marginal.probabilities) for each, marginal in zip(rounding, self._marginals, strict=True)
        )
        self.error = left_out + 2.0 * moved

    def marginals(self) -> tuple[CountMarginal, ...]:
        return self._marginals

    def totals(self) -> CountMarginal:
        """Return the distribution of the total n."""
        if self._totals is None:
            joint = self.sums([frozenset(range(self.m))])
            self._totals = CountMarginal(joint.lows[0], joint.probabilities)
        return self._totals

    @property
    def of_cells(self) -> tuple[tuple[Window, ...], tuple[Floats, ...]]:
        """Return the windows of the counts, and bounds on the errors of their log-weights."""
        return self._windows, self._rounding

    def sums(self, groups: Sequence[CellSet]) -> JointCounts:
        """Return the joint distribution of the sums, which are independent given r."""
        parts, error = self._parts(groups)
        lows = [min(each[g].low for each in parts) for g in range(len(groups))]
        highs = [max(each[g].high for each in parts) for g in range(len(groups))]
        shape = tuple(high - low + 1 for low, high in zip(lows, highs, strict=True))
        check_table(shape)
        table = np.zeros(shape)
        for share, masses in zip(self._shares.tolist(), parts, strict=True):
            product = np.array(share)
            for mass in masses:
                product = product[..., None] * mass.values
            inside = tuple(slice(each.low - low, each.high - low + 1) for each, low in zip(masses, lows, strict=True))
            table[inside] += product
        return JointCounts(tuple(lows), table / table.sum(), self.error + error)

    def greater(self, groups: tuple[CellSet, CellSet], priors: tuple[float, float]) -> tuple[float, float]:
        if self._shares.size > _MAX_WORK_OF_COMPARISONS:
            raise InferenceError("too many counts")
        parts, moved = self._parts(groups)
        value, error = 0.0, 0.0
        for share, masses in zip(self._shares.tolist(), parts, strict=True):
            first, second = (GammaCounts(prior, mass) for prior, mass in zip(priors, masses, strict=True))
            # A factor 1 for the rest of the counts leaves the two sums independent.
            least, most = masses[0].low + masses[1].low, masses[0].high + masses[1].high
            found, rounding = greater(first, second, Mass(0, np.ones(most - least + 1)), most)
            value, error = value + share * found, error + share * rounding
        return value, self.error + moved + error

    def draws_of_sums(self, groups: Sequence[CellSet], size: int, rng: Reproducible) -> NDArray[np.int64]:
        drawn = self.draws(size, rng)
        return np.stack([drawn[:, sorted(cells)].sum(axis=1) for cells in groups], axis=1)

    def probabilities(self, histograms: NDArray[np.int64]) -> Floats:
        logs = np.repeat(np.log(self._shares)[:, None], len(histograms), axis=1)
        for window, counts in zip(self._windows, histograms.T, strict=True):
            inside = (window.low <= counts) & (counts <= window.high)
            at = np.clip(counts - window.low, 0, window.log_weights.size - 1)
            with np.errstate(divide="ignore"):
                logs += np.where(inside, np.log(self._tilted_probabilities(window)[:, at]), -math.inf)
        return np.asarray(np.exp(logs).sum(axis=0))

    def draws(self, size: int, rng: Reproducible) -> NDArray[np.int64]:
        components = rng.categories(self._shares, size)
        order = np.argsort(components, kind="stable")
        starts = np.searchsorted(components[order], np.arange(self._shares.size + 1)).tolist()
        drawn = np.empty((size, self.m), dtype=np.int64)
        for i, window in enumerate(self._windows):
            tilted = self._tilted_probabilities(window)
            for k, (start, stop) in enumerate(pairwise(starts)):
                if stop > start:
                    drawn[order[start:stop], i] = window.low + rng.categories(tilted[k], stop - start)
        return drawn

    def _parts(self, groups: Sequence[CellSet]) -> tuple[list[list[Mass]], float]:
        """Return the distribution of each sum in each component, and the mean error."""
        found: list[list[Mass]] = [[] for _ in self._shares]
        error = 0.0
        for group in groups:
            tilted = [
                (self._windows[cell].low, self._tilted_probabilities(self._windows[cell])) for cell in sorted(group)
            ]
            for k, share in enumerate(self._shares.tolist()):
                node, cut = distribution_of_sum([_trim_mass(low, rows[k]) for low, rows in tilted], _CUT_PROBABILITY)
                found[k].append(Mass(node.mass.low, np.maximum(node.mass.values, 0.0)))
                error += share * (2.0 * node.error + cut)
            error += _CUT_PROBABILITY * sum(rows.shape[1] for _, rows in tilted)
        return found, error

    def _tilted_probabilities(self, window: Window) -> Floats:
        """Return the probabilities of the counts of a window in each component, shape (components, counts)."""
        exponents = window.log_weights + self._tilts[:, None] * np.arange(window.log_weights.size)
        mass = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        return np.asarray(mass / mass.sum(axis=1, keepdims=True))


def _trim_mass(low: int, probabilities: Floats) -> Mass:
    likely = np.flatnonzero(probabilities > _CUT_PROBABILITY)
    return Mass(low + int(likely[0]), probabilities[likely[0] : likely[-1] + 1])
