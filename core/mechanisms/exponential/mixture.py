"""Represents the law P(r) ∝ exp(−κ H(Dir(α + c), Dir(α + r))) over all candidates R = {r ∈ N^m : Σ r_i = n} without
enumerating them.

With s(r) the affinity of the two posteriors, H = sqrt(1 − s), and exp(−κ sqrt(1 − s)) = Σ_k p_k(κ) s^k is the
generating function of the discrete stable law. As s is a product over categories,

    exp(−κ H(r)) = Σ_k p_k(κ) Π_i e^{k h_i(r_i)},    Z(κ) = Σ_r exp(−κ H(r)) = Σ_k p_k(κ) Z_k,

the law is a mixture over k, with weights p_k Z_k, of product laws conditioned on their total. A sum over C(n + m − 1, m
− 1) candidates becomes a smooth sum over k of normalisers that cost about m √n log n each.

What depends on `counts` here is private, the time taken included.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.candidates import log_candidate_count
from core.count_simplex import DEFAULT_TOLERANCE, ProductLaw
from core.mechanisms.exponential.components import HellingerComponents
from core.mechanisms.exponential.stable_law import (
    GAUSS_LEGENDRE,
    distance_factors,
    log_mass_bounds,
    log_masses,
    tail_sums,
)
from core.samplers.entropy import Entropy
from core.samplers.split import uniform_split
from core.samplers.uniform import uniform_below
from core.samplers.weighted import exact_coin, weighted_index

# Added to every chord above ln Z_k, so that rounding cannot lift a proposal above its envelope: 1e-6 costs a millionth
# of the attempts.
_CHORD_MARGIN: Final = 1e-6
# What cut tails may take from a normaliser that is only bounded; the bound is raised by as much.
_BOUND_TOLERANCE: Final = 1e-3
# Nodes are added to the envelope until at most this share of it lies above what convexity proves of ln Z_k.
_LOOSE_SHARE: Final = 0.4
_MAX_NODES: Final = 200
# Of two nodes that are farther apart by this factor neither is evaluated: one between them, bounded roughly, may show
# that most of the mass is not there.
_NEAR: Final = 4.0
# By how many nats a rough bound has to lie below a chord to stand for the normaliser.
_WORTHWHILE: Final = 3.0
_CHEBYSHEV: Final = 20
_ROUGH_CHEBYSHEV: Final = 12
_ROUGH_FROM: Final = 1e-9
"""From this tolerance on fewer normalisers are interpolated between: sums are right to about the tolerance."""
_SUMMED_UP_TO: Final = 1 << 16
_NEGLIGIBLE: Final = 1e-15
_WHOLE_UP_TO: Final = 48.0
"""Masses are known at whole k below."""
_DEEPEST: Final = 600.0


@dataclass(frozen=True, slots=True)
class NumericalSlack:
    """How far the law of a draw can be from the exact one P, for every data set of the public size.

    There is a law Q' with |ln Q'(r)/P(r)| <= `log_ratio` for all r, and the draw is within `total_variation` of Q'. So
    a mechanism that is (ε, δ)-DP in exact arithmetic is (ε + 2 log_ratio, e^{log_ratio} δ + (1 + e^{ε + 2 log_ratio})
    total_variation)-DP as it runs.
    """

    log_ratio: float
    total_variation: float


def numerical_slack(n: int, m: int, *, tolerance: float = DEFAULT_TOLERANCE) -> NumericalSlack:
    """The slack of a draw at `tolerance`, for every prior, every histogram of n records in m categories, and every κ.

    Total variation: each component is right up to `tolerance`, and putting r = c for all k from some K on costs at most
    another. The set of r and k whose weights sum to less than `tolerance` of the whole is left aside for a third.

    Ratios: a weight is e^{−w}, where outside of that set w <= W = ln |R| − ln tolerance, both for w = −k ln s(r) and
    for what κ²/4k takes from p_k, since all candidates together weigh at most |R| e^{−w}, and the whole at least 1. The
    errors of h_i and ln p_k, 2e-13 relative and 1e-13 (1 + κ²/k), then add up to less than 1e-12 · W, taken twice;
    exponentials, sums over windows and coins add at most 1e-13 a category; and a normaliser doubles everything.
    """
    deepest = log_candidate_count(n, m) - math.log(tolerance)
    return NumericalSlack(log_ratio=2.0 * (2e-12 * deepest + 1e-13 * m), total_variation=3.0 * tolerance)


def pure_slack(n: int, m: int, *, largest_exponent: float) -> tuple[NumericalSlack, float]:
    """A slack without total variation, so that pure ε-DP stays pure, and the tolerance that gives it.

    `largest_exponent` L is public, with e^{−κ} + e^{log_admixture} >= e^{−L} for every histogram: the uniform component
    then gives every candidate a weight of at least e^{−L}. What the tolerance lets a draw lose or add at one candidate
    is at most 3 · tolerance · |R| of weight, so a tolerance of 1e-13 e^{−L} / |R| makes it a relative error below
    1e-12. Raises ValueError where L + ln |R| exceeds 600, beyond which weights leave the range of floating-point
    numbers; a larger admixture helps there.
    """
    depth = largest_exponent + log_candidate_count(n, m)
    if not depth <= _DEEPEST:
        raise ValueError("the largest exponent and ln of the number of candidates sum to at most 600")
    tolerance = min(DEFAULT_TOLERANCE, 1e-13 * math.exp(-max(depth, 0.0)))
    return NumericalSlack(numerical_slack(n, m, tolerance=tolerance).log_ratio + 1e-12, 0.0), tolerance


class HellingerMixture:
    """The law at one prior and one histogram, for any κ: values of ln Z_k are kept, since they do not depend on κ."""

    __slots__ = (
        "_components",
        "_counts",
        "_log_bounds",
        "_log_candidates",
        "_log_normalisers",
        "_prior",
        "_rough_bounds",
        "_shallow",
        "_summed",
        "_tolerance",
    )

    def __init__(self, prior: ArrayLike, counts: ArrayLike, *, tolerance: float = DEFAULT_TOLERANCE) -> None:
        """`prior` α and `counts` c of shape (m,), m >= 2, α_i > 0, c_i >= 0, Σ c_i >= 1; `tolerance` as in
        `numerical_slack`.
        """
        self._prior = np.asarray(prior, dtype=np.float64)
        self._counts = np.asarray(counts, dtype=np.int64)
        self._components = HellingerComponents(self._prior, self._counts, tolerance)
        self._shallow = HellingerComponents(self._prior, self._counts, _BOUND_TOLERANCE)
        self._tolerance = tolerance
        n, m = int(self._counts.sum()), self._counts.size
        self._log_candidates = math.log(math.comb(n + m - 1, m - 1))
        self._log_normalisers: dict[float, float] = {0.0: self._log_candidates}
        self._log_bounds: dict[float, float] = {0.0: self._log_candidates}
        self._rough_bounds: dict[float, float] = {}
        self._summed: dict[float, tuple[float, float]] = {}

    @property
    def prior(self) -> NDArray[np.float64]:
        """The concentration α, shape (m,)."""
        return self._prior

    @property
    def counts(self) -> NDArray[np.int64]:
        """The histogram c, shape (m,)."""
        return self._counts

    def component(self, k: float) -> ProductLaw:
        """The product law P_k for real k > 0."""
        return self._components.law(k)

    def log_component(self, k: float) -> float:
        """ln Z_k = ln Σ_r s(r)^k for real k >= 0."""
        if k not in self._log_normalisers:
            self._log_normalisers[k] = self._components.law(k).log_normaliser
        return self._log_normalisers[k]

    def log_component_bound(self, k: float) -> float:
        """An upper bound of ln Z_k for real k >= 0, by 0.002 to 0.0045 above it: from windows that reach less far than
        those of a draw, and so in a fraction of the time.
        """
        if k not in self._log_bounds:
            law = self._shallow.law(k)
            self._log_bounds[k] = law.log_normaliser + law.log_normaliser_error + 2.0 * _BOUND_TOLERANCE
        return self._log_bounds[k]

    def rough_bound(self, k: float) -> float:
        """An upper bound of ln Z_k for real k > 0 without a convolution, some nats above it."""
        if k not in self._rough_bounds:
            self._rough_bounds[k] = min(self._log_candidates, self._shallow.log_normaliser_bound(k))
        return self._rough_bounds[k]

    def log_normaliser(self, kappa: float) -> float:
        """ln Z(κ) = ln Σ_r exp(−κ H(r)), κ > 0."""
        return self._sums(kappa)[0]

    def expected_distance(self, kappa: float) -> float:
        """E[H] = −d ln Z/dκ at κ > 0: the expected Hellinger distance of a draw from the true posterior; to 1e-11
        relative, or 1e-18, and no better than the tolerance.
        """
        return max(0.0, self._sums(kappa)[1])

    def bulk(self, kappa: float) -> tuple[float, float]:
        """Two k between which about all but a thousandth of the mixture lies, the uniform component left aside."""
        self._sums(kappa)
        nodes = np.array(sorted(k for k in self._log_normalisers if k >= 1.0))
        logs = log_masses(kappa, np.where(nodes < _WHOLE_UP_TO, np.rint(nodes), nodes)) + np.log(nodes)
        logs += np.array([self._log_normalisers[k] for k in nodes.tolist()])
        density = np.exp(logs - logs.max())
        mass = np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(np.log(nodes)))
        first, last = np.searchsorted(mass, np.array([5e-4, 1.0 - 5e-4]) * mass[-1])
        return float(nodes[first]), float(nodes[last + 1])

    def sampler(self, kappa: float, *, log_admixture: float = -math.inf) -> HellingerSampler:
        """Draws r with weights exp(−κ H(r)) + e^{log_admixture}, κ > 0: the second, if finite, adds a uniform
        component to the mixture.
        """
        return HellingerSampler(self, kappa, log_admixture)

    def certain_from(self) -> int:
        """K with Z_k − 1 <= tolerance for all k >= K: Z_{k} − 1 <= (Z_{k'} − 1) e^{−(k − k') x} for k >= k', x = min
        over r ≠ c of −ln s(r).
        """
        step = self._components.smallest_step
        start = math.ceil(1.0 / step)
        rest = max(self.rough_bound(float(start)), 0.0) + 1e-6
        return start + math.ceil((rest - math.log(self._tolerance)) / step)

    def _sums(self, kappa: float) -> tuple[float, float]:
        """ln Z(κ) and E[H], computed once for each κ."""
        if kappa not in self._summed:
            self._summed[kappa] = self._summed_over_components(kappa)
        return self._summed[kappa]

    def _summed_over_components(self, kappa: float) -> tuple[float, float]:
        """ln Z(κ) and E[H] from Σ p_k Z_k and Σ q_k Z_k, to about 1e-11 relative."""
        last = self.certain_from()
        tail_mass, tail_distance = tail_sums(kappa, last)
        shift = max(0.0, self._log_candidates - kappa)
        masses = [math.exp(self._log_candidates - kappa - shift), tail_mass * math.exp(-shift)]
        distances = [masses[0], tail_distance * math.exp(-shift)]
        edges = [4**power for power in range(math.ceil(math.log(last, 4)))] + [last]
        panels = [(first, past) for first, past in itertools.pairwise(edges) if first < past]
        # Z >= p_k Z_k for every k, and a panel adds at most its size times the bound of p_k times Z at its start.
        starts = np.array([float(first) for first, _ in panels])
        at_starts = np.array([self.log_component(k) for k in starts])
        floor = max(
            0.0, float(np.max(log_masses(kappa, starts) + at_starts, initial=-math.inf)), self._log_candidates - kappa
        )
        most_needed = floor + math.log(_NEGLIGIBLE) - math.log((1.0 + kappa) * (1.0 + 1.0 / kappa))
        for (first, past), at_start in zip(panels, at_starts, strict=True):
            most = math.log(past - first) + float(log_mass_bounds(kappa, first, past - 1)) + at_start
            if most > most_needed:
                self._add_panel(kappa, first, past, shift, masses, distances)
        total = math.fsum(masses)
        return math.log(total) + shift, math.fsum(distances) / total

    def _add_panel(
        self, kappa: float, first: int, past: int, shift: float, masses: list[float], distances: list[float]
    ) -> None:
        """Append the panel's share of both sums, with ln Z_k interpolated in ln k where that is exact to rounding,
        else on two halves.
        """
        nodes = _CHEBYSHEV if self._tolerance < _ROUGH_FROM else _ROUGH_CHEBYSHEV
        if past - first <= nodes + 4:
            k = np.arange(first, past, dtype=np.float64)
            log_z = np.array([self.log_component(x) for x in k])
        else:
            low, high = math.log(first), math.log(past - 1)
            points = np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)
            values = np.array(
                [self.log_component(math.exp(0.5 * (low + high) + 0.5 * (high - low) * x)) for x in points]
            )
            coefficients = np.polynomial.chebyshev.chebfit(points, values, nodes - 1)
            if np.abs(coefficients[-3:]).max() > max(1e-12, self._tolerance, 1e-15 * np.abs(values).max()):
                middle = round(math.sqrt(first * past))
                self._add_panel(kappa, first, middle, shift, masses, distances)
                self._add_panel(kappa, middle, past, shift, masses, distances)
                return

            def interpolate(k: NDArray[np.float64]) -> NDArray[np.float64]:
                scaled = (2.0 * np.log(k) - low - high) / (high - low)
                return np.asarray(np.polynomial.chebyshev.chebval(scaled, coefficients), dtype=np.float64)

            if past - first > _SUMMED_UP_TO:
                _add_integral(kappa, first, past, shift, interpolate, masses, distances)
                return
            k = np.arange(first, past, dtype=np.float64)
            log_z = interpolate(k)
        terms = np.exp(log_masses(kappa, k) + log_z - shift)
        masses.append(math.fsum(terms))
        distances.append(math.fsum(terms * distance_factors(kappa, k)))


class HellingerSampler:
    """Exact draws at one κ, up to `numerical_slack`.

    First k, by rejection from an envelope of chords of the convex ln Z_k, and from the rough bound of ln Z_k where that
    is lower; then r from the product law P_k. k = 0, and the admixture, are a uniform split of n. From a k on where r =
    c is all but certain, r = c. A proposal that is kept has k and r with mass exactly p_k Π e^{k h_i(r_i)}, as the
    chord's height cancels against the first two acceptances, and the mass that `ProductLaw.attempt` proposes from
    against the third.
    """

    __slots__ = ("_envelope", "_mixture", "_weights")

    def __init__(self, mixture: HellingerMixture, kappa: float, log_admixture: float) -> None:
        self._mixture = mixture
        self._envelope = _Envelope(
            kappa, mixture.certain_from(), mixture.log_component_bound, rough=mixture.rough_bound
        )
        uniform = np.logaddexp(-kappa, log_admixture) + mixture.log_component(0.0)
        certain = math.log(max(tail_sums(kappa, self._envelope.certain_from)[0], 1e-300))
        log_weights = np.concatenate(([uniform], self._envelope.log_weights, [certain]))
        self._weights = np.exp(log_weights - log_weights.max())

    def draw(self, entropy: Entropy) -> NDArray[np.int64]:
        """One draw of r, shape (m,)."""
        counts, law_of, law = self._mixture.counts, 0, None
        while True:
            choice = weighted_index(self._weights, entropy)
            if choice == 0:
                return uniform_split(int(counts.sum()), counts.size, entropy)
            if choice == self._weights.size - 1:
                return counts.copy()
            k, log_bound = self._envelope.propose(choice - 1, entropy)
            if k == 0:
                continue
            # Most of what only a loose chord lets through is rejected before its law, by far the dearest, is computed.
            rough = min(log_bound, self._mixture.rough_bound(float(k)) + _CHORD_MARGIN)
            if not exact_coin(math.exp(rough - log_bound), entropy):
                continue
            if law is None or law_of != k:
                law_of, law = k, self._mixture.component(float(k))
            if (
                exact_coin(math.exp(min(0.0, law.log_proposal - rough)), entropy)
                and (drawn := law.attempt(entropy)) is not None
            ):
                return drawn

    def smallest_likely(self, share: float) -> int:
        """About the smallest k up to which laws are computed by a draw with a probability of `share` or more, 0 where
        there is none: for a search of slow draws.
        """
        shares, found = self._weights[1:-1] / self._weights.sum(), 0.0
        for block in np.flatnonzero(shares > share / shares.size).tolist():
            k, log_bound = self._envelope.highest(block)
            found += shares[block] * math.exp(min(0.0, self._mixture.rough_bound(float(k)) - log_bound))
            if found >= share:
                return k
        return 0


class _Envelope:
    """An upper bound of p_k Z_k for 1 <= k < certain_from: constant on blocks of k, tight where the mass is.

    Nodes above ln Z_k are joined by chords, which lie above a convex function. Where the chords are loose shows
    without another evaluation, since the neighbouring chords, prolonged, lie below it. A node is bounded roughly, and
    only where that may leave mass which is not there by a convolution.
    """

    __slots__ = (
        "_firsts",
        "_is_rough",
        "_kappa",
        "_lasts",
        "_log_bounds",
        "_log_z",
        "_nodes",
        "certain_from",
        "log_weights",
    )

    def __init__(
        self,
        kappa: float,
        certain_from: int,
        log_component: Callable[[float], float],
        rough: Callable[[float], float] | None = None,
    ) -> None:
        """`log_component`: ln Z_k or a close upper bound, exact at 0; `rough`: an upper bound that costs little."""
        self.certain_from = certain_from
        self._kappa = kappa
        log_candidates = log_component(0.0)
        # A block over which a dimension's power of k changes little; with m unknown here, ln |R| stands for it.
        self._firsts, self._lasts = _blocks(certain_from, fineness=max(16.0, log_candidates))
        self._log_bounds = log_mass_bounds(kappa, self._firsts, self._lasts)
        start = min(max(1, math.ceil(kappa * kappa / (2.0 * max(1.0, log_candidates)))), certain_from - 1)
        self._nodes = sorted({0, start, certain_from})
        self._is_rough = [rough is not None and 0 < node < certain_from for node in self._nodes]
        between = [(rough or log_component)(float(node)) for node in self._nodes if 0 < node < certain_from]
        self._log_z = [log_candidates, *between, 0.0]
        base = np.logaddexp(log_candidates - kappa, math.log(0.5))
        for _ in range(_MAX_NODES):
            split = self._loosest_segment(float(base))
            if split is None:
                break
            near = self._nodes[split + 1] <= _NEAR * max(1, self._nodes[split])
            if near and self._is_rough[split + 1]:
                self._evaluate(split + 1, log_component)
            elif near and self._is_rough[split]:
                self._evaluate(split, log_component)
            else:
                self._insert(split, log_component, rough)
        self.log_weights = np.log(self._lasts - self._firsts + 1.0) + self._log_bounds + self._chord(self._firsts)

    def propose(self, block: int, entropy: Entropy) -> tuple[int, float]:
        """A k of the block and the chord's bound of ln Z_k there, or (0, 0) for a rejection: k comes with
        probability ∝ p_k e^{bound}.
        """
        first, last = int(self._firsts[block]), int(self._lasts[block])
        k = first + uniform_below(last - first + 1, entropy)
        bound = float(self._chord(np.array([k]))[0])
        highest = self._log_bounds[block] + float(self._chord(np.array([first]))[0])
        if not exact_coin(math.exp(min(0.0, float(log_masses(self._kappa, k)) + bound - highest)), entropy):
            return 0, 0.0
        return k, bound

    def highest(self, block: int) -> tuple[int, float]:
        """The first k of the block and the chord's bound of ln Z_k there."""
        first = int(self._firsts[block])
        return first, float(self._chord(np.array([first]))[0])

    def _evaluate(self, place: int, log_component: Callable[[float], float]) -> None:
        self._log_z[place] = log_component(float(self._nodes[place]))
        self._is_rough[place] = False

    def _insert(
        self, split: int, log_component: Callable[[float], float], rough: Callable[[float], float] | None
    ) -> None:
        """A node within the segment, by its rough bound where that lies well below the chord."""
        middle = round(math.sqrt((self._nodes[split] + 1.0) * (self._nodes[split + 1] + 1.0))) - 1
        middle = min(max(middle, self._nodes[split] + 1), self._nodes[split + 1] - 1)
        chord = float(np.interp(middle, self._nodes, self._log_z))
        bound = math.inf if rough is None else rough(float(middle))
        self._nodes.insert(split + 1, middle)
        self._log_z.insert(split + 1, bound)
        self._is_rough.insert(split + 1, True)
        # Beside a rough node the chord is no closer: nodes come nearer until that one is evaluated.
        if bound > chord - _WORTHWHILE and not (self._is_rough[split] or self._is_rough[split + 2]):
            self._evaluate(split + 1, log_component)

    def _chord(self, k: NDArray[np.int64]) -> NDArray[np.float64]:
        # ln Z_k falls, and so may a bound of it: what a block is bounded by at its first k then bounds all of it.
        return np.interp(k, self._nodes, np.minimum.accumulate(self._log_z)) + _CHORD_MARGIN

    def _loosest_segment(self, base: float) -> int | None:
        """Index of the node before the segment whose chord gives away most, or None where all together give away
        little.
        """
        nodes, log_z = np.array(self._nodes, dtype=np.float64), np.minimum.accumulate(self._log_z)
        upper = np.interp(self._firsts, nodes, log_z)
        segment = np.clip(np.searchsorted(nodes, self._firsts, side="right") - 1, 0, nodes.size - 2)
        slopes = np.diff(log_z) / np.diff(nodes)
        before, after = np.concatenate(([-np.inf], slopes[:-1])), np.concatenate((slopes[1:], [0.0]))
        with np.errstate(invalid="ignore"):
            from_left = log_z[segment] + before[segment] * (self._firsts - nodes[segment])
        from_right = log_z[segment + 1] - after[segment] * (nodes[segment + 1] - self._firsts)
        lower = np.maximum(np.where(np.isnan(from_left), -np.inf, from_left), from_right)
        # Above a rough node nothing is known to lie; above its neighbours' chords, prolonged, less than they say.
        is_rough = np.array(self._is_rough)
        lower[(is_rough[:-1] | is_rough[1:])[segment]] = -np.inf
        mass = np.log(self._lasts - self._firsts + 1.0) + self._log_bounds + upper
        scale = max(float(mass.max()), base)
        excess = np.exp(mass - scale) * -np.expm1(np.minimum(lower - upper, 0.0))
        total = float(np.exp(mass - scale).sum()) + math.exp(base - scale)
        shares = np.bincount(segment, weights=excess, minlength=nodes.size - 1)
        shares[(np.diff(nodes) < 2.0) & ~(is_rough[:-1] | is_rough[1:])] = 0.0
        return int(np.argmax(shares)) if float(shares.sum()) > _LOOSE_SHARE * total else None


def _blocks(past: int, fineness: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last k of blocks that cover 1 <= k < past, each shorter than its first k over `fineness`, or a
    single k.
    """
    singles = np.arange(1, min(past, math.ceil(fineness) + 1), dtype=np.int64)
    if past - 1 <= singles.size:
        return singles, singles
    steps = math.ceil(math.log(past / (singles.size + 1.0)) / math.log1p(1.0 / fineness))
    starts = np.unique(np.geomspace(singles.size + 1.0, float(past), steps + 1).astype(np.int64))
    firsts = np.concatenate((singles, starts[:-1]))
    return firsts, np.concatenate((firsts[1:], [past])) - 1


def _add_integral(
    kappa: float,
    first: int,
    past: int,
    shift: float,
    interpolate: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    masses: list[float],
    distances: list[float],
) -> None:
    """The sum over first <= k < past, large, as an integral over ln k from first − ½ to past − ½ with Euler and
    Maclaurin's first correction.
    """
    nodes, weights = GAUSS_LEGENDRE
    low, high = math.log(first - 0.5), math.log(past - 0.5)
    k = np.exp(low + 0.5 * (high - low) * (nodes + 1.0))
    ends = np.array([first - 1.0, first, past - 1.0, past])
    slopes = np.array([-1.0, 1.0, 1.0, -1.0]) / 24.0
    points = np.concatenate((k, ends))
    scale = np.concatenate((weights * 0.5 * (high - low) * k, slopes))
    terms = np.exp(log_masses(kappa, points) + interpolate(points) - shift) * scale
    masses.append(math.fsum(terms))
    distances.append(math.fsum(terms * distance_factors(kappa, points)))
