"""Finds an upper bound of the least rho of a channel known row by row: the largest D_a / a over all pairs of neighbours
and all orders a > 1.

A pair of rows p, q has the loss L = ln(p/q), and K(a) = (a − 1) D_a = ln E_p e^((a − 1) L). Each pair is screened by
the mean, the mean square and the maximum of L. Pairs that could be the worst are evaluated at few orders, then at more,
with chords between orders.

- Screening. Let b be the largest loss. (e^t − 1 − t) / t² increases in t, so E e^(sL) <= 1 + s E L + E L² (e^(sb) − 1 −
  sb) / b². D_a increases in a. So between two orders a_1 < a_2, D_a / a is at most D_(a_2) / a_1, and beyond the last
  order a_1 at most b / a_1.
- Evaluation. K is convex and lies below its chords; `supremum_by_chords` bounds D_a / a between orders. The pair with
  the highest bound is evaluated at finer orders, until its bound is within 0.6 % of a value that some pair attains.
- Rounding. The channel that is drawn from differs by at most ν in each loss, and by ν/2 in each log probability. K is
  the logarithm of 1 + Σ q f(L), with f(L) = e^(aL) − 1 − a (e^L − 1) >= 0, whose derivative is at most a (a − 1) |L|
  (e^(aL) + e^L). So the error adds at most a (a − 1) ν (|L| + ν) e^(aν) (E_q e^(aL) + 1) to the sum, and multiplies it
  by at most e^ν. Near order 1 this bound shrinks in proportion to a − 1, as it must. E L is bounded in the same way, by
  Σ q φ(p/q) with φ(t) = t ln t − t + 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heapreplace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.renyi import orders_up_to, supremum_by_chords

Floats = NDArray[np.float64]

_BOUND_TOLERANCE: Final = 1.006
_SCREENING_TOLERANCES: Final = (1e-3, 1e-5)
"""Tolerances of the orders at which all pairs are screened, and then those that could be the worst."""
_EVALUATION_TOLERANCES: Final = (0.03, 0.002)
"""Relative excess of chords between orders at the first and the second evaluation of a pair."""
_LARGEST_EXPONENT: Final = 500.0
_ROUNDING: Final = 1 + 1e-6
_SUM_ERROR: Final = 1e-15
"""`_ROUNDING` bounds the relative error of sums of doubles, `_SUM_ERROR` the absolute one."""
_LEAST_LOSS: Final = 1e-30
"""Replaces a loss of 0 in a divisor."""
_BLOCK: Final = 1 << 14
"""Number of values computed at once, which fit into the processor's cache."""
_WORK: Final = 30_000_000
"""Number of exponentials that evaluations may compute, in addition to one per screened number. Beyond, the bounds found
so far are used.
"""


@dataclass(frozen=True, slots=True)
class SumsOfPairs:
    """Sums over the candidates of l = ln(w_x/w_y), for k pairs of rows of weights w_x and w_y.

    `totals` Σ w, `losses` Σ w l and `squares` Σ w l² have shape (2, k), first for w = w_x and then for w = w_y. The
    largest and the smallest l have shape (k,).
    """

    totals: Floats
    losses: Floats
    squares: Floats
    largest: Floats
    smallest: Floats


@dataclass(slots=True)
class PairsOfRows:
    """The screened pairs of a channel, each in both directions.

    `slack` ν is the largest difference between a loss of this channel and of the channel that is drawn from; a log
    probability differs by at most ν/2.
    """

    slack: float
    _screened_pairs: list[_ScreenedPairs] = field(default_factory=list)
    _numbers_screened: int = 0

    def screen(self, pairs: NDArray[np.int64], sums: SumsOfPairs, candidates: int) -> None:
        """Add pairs of neighbours x and y, shape (k, 2), described by sums over their candidates."""
        shift = np.log(sums.totals[1]) - np.log(sums.totals[0])
        means, squares = sums.losses / sums.totals, sums.squares / sums.totals
        squares += shift * (2.0 * means + shift)
        means += shift
        most, least = sums.largest + shift, -sums.smallest - shift
        # Each pair in both directions.
        self._screened_pairs += [
            _ScreenedPairs.of(both, *each, self.slack)
            for both, each in (
                (pairs, (means[0], squares[0], most, least)),
                (pairs[:, ::-1], (-means[1], squares[1], least, most)),
            )
        ]
        self._numbers_screened += candidates * len(pairs)

    def rho(self, row: Callable[[int], Floats]) -> float:
        """Return an upper bound on the channel's rho, mostly within 1 % of it. `row(x)` returns the weights at x.

        The pair with the highest bound is evaluated at more orders until no other pair could raise rho much.
        """
        if not self._screened_pairs:
            return 0.0
        every = _ScreenedPairs.together(self._screened_pairs)
        self._screened_pairs.clear()  # one copy of millions of pairs is enough
        # Slightly below the divergence of a pair at order 1, and so below rho.
        floor = attained = 0.9 * float(every.means.max())
        of_others, bounds = 0.0, np.empty(0)
        for tolerance in _SCREENING_TOLERANCES:
            bounds = every.bounds(floor, tolerance)
            high = bounds > _BOUND_TOLERANCE * attained
            of_others = max(of_others, float(bounds[~high].max(initial=0.0)))
            every, bounds = every.select(np.flatnonzero(high)), bounds[high]
        highest: list[tuple[float, int, int]] = [(-bound, 0, each) for each, bound in enumerate(bounds.tolist())]
        heapify(highest)
        work = _WORK + self._numbers_screened
        while highest and work > 0:
            bound, evaluated, each = highest[0]
            if evaluated == len(_EVALUATION_TOLERANCES) or -bound <= _BOUND_TOLERANCE * attained:
                break
            x, y = every.pairs[each].tolist()
            found = rho_of_rows(
                row(x), row(y), slack=self.slack, floor=floor, tolerance=_EVALUATION_TOLERANCES[evaluated]
            )
            heapreplace(highest, (max(bound, -found.rho), evaluated + 1, each))
            attained = max(attained, found.attained)
            work -= found.exponentials
        return max(of_others, -highest[0][0]) if highest else of_others


@dataclass(frozen=True, slots=True, eq=False)
class _ScreenedPairs:
    """Bounds for pairs of neighbours x, y, shape (k, 2): E L, E L² and the largest loss, shape (k,), each
    rounded up.
    """

    pairs: NDArray[np.int64]
    means: Floats
    squares: Floats
    largest: Floats

    @staticmethod
    def of(
        pairs: NDArray[np.int64], mean: Floats, square: Floats, most: Floats, least: Floats, nu: float
    ) -> _ScreenedPairs:
        widest = np.maximum(most, least) + nu
        # The mean is Σ q φ(p/q), φ(t) = t ln t − t + 1. ν changes each term by at most ν p (|L| + ν) e^ν.
        rounded = np.maximum(mean, 0.0) + _SUM_ERROR * (1.0 + widest)
        return _ScreenedPairs(
            pairs,
            math.exp(2 * nu) * (rounded + nu * widest) * _ROUNDING,
            math.exp(nu) * (square + widest * (2 * nu + _SUM_ERROR * widest)) * _ROUNDING,
            np.maximum(most, _LEAST_LOSS) + nu,
        )

    @staticmethod
    def together(parts: Sequence[_ScreenedPairs]) -> _ScreenedPairs:
        return _ScreenedPairs(
            np.concatenate([each.pairs for each in parts]),
            np.concatenate([each.means for each in parts]),
            np.concatenate([each.squares for each in parts]),
            np.concatenate([each.largest for each in parts]),
        )

    def select(self, indices: NDArray[np.int64]) -> _ScreenedPairs:
        """Return the pairs with these indices."""
        return _ScreenedPairs(self.pairs[indices], self.means[indices], self.squares[indices], self.largest[indices])

    def bounds(self, floor: float, tolerance: float) -> Floats:
        """Return an upper bound on D_a / a for each pair, if above `floor`, from the orders of this tolerance.

        (e^t − 1 − t)/t² increases in t. Hence E e^(sL) <= 1 + s E L + E L² (e^(sb) − 1 − sb)/b² with the largest loss b
        (Bennett 1962). Between two orders D_a / a is at most D at the larger order divided by the smaller. Beyond the
        last order it is at most b divided by that order.
        """
        bounds = [np.empty(0)]
        orders = orders_up_to(float(self.largest.max(initial=0.0)) / floor, tolerance)
        size = max(1, _BLOCK // len(orders))
        for start in range(0, len(self.means), size):
            mean, square, most = (of[start : start + size, None] for of in (self.means, self.squares, self.largest))
            exponent = (orders - 1.0) * most
            power = np.minimum(exponent, _LARGEST_EXPONENT)
            moment = np.log1p((orders - 1.0) * mean + square / most**2 * (np.expm1(power) - power)) + (exponent - power)
            between = moment / ((orders - 1.0) * np.append(1.0, orders[:-1]))
            bounds.append(np.maximum(between.max(axis=1), most[:, 0] / orders[-1]))
        return np.asarray(_ROUNDING * np.concatenate(bounds))


@dataclass(frozen=True, slots=True)
class RowsRho:
    """Bounds on sup D_a / a of a pair: it lies between `attained` and `rho`, up to the slack.

    `exponentials` is the work spent.
    """

    rho: float
    attained: float
    exponentials: int


def rho_of_rows(at_x: Floats, at_y: Floats, *, slack: float, floor: float, tolerance: float) -> RowsRho:
    """Return sup D_a / a of the normalised row at x from that at y, rounded up, or `floor` > 0 if that is larger.

    `slack` ν is as in `PairsOfRows`. E_p e^((a − 1) L) − 1 = Σ q f(L) with f(L) = e^(aL) − 1 − a (e^L − 1) >= 0. ν
    changes each term by at most a (a − 1) ν (|L| + ν) e^(aν) (e^(aL) + e^L). Where e^(aL) would overflow, K changes by
    at most (2a − 1) ν / 2.
    """
    p, q = at_x / at_x.sum(), at_y / at_y.sum()
    losses = np.log(p / q)
    largest = max(float(losses.max()), 0.0) + slack
    widest = float(np.abs(losses).max()) + slack
    orders = orders_up_to(largest / floor, tolerance)
    moments = np.empty(len(orders))
    small = orders * largest <= _LARGEST_EXPONENT
    less_one, log_q = np.expm1(losses), np.log(q)
    size, of_small = max(1, _BLOCK // losses.size), np.flatnonzero(small)
    for chosen in (of_small[start : start + size] for start in range(0, len(of_small), size)):
        a = orders[chosen]
        excess = np.maximum(np.expm1(a[:, None] * losses) - a[:, None] * less_one, 0.0) @ q
        widened = a * (a - 1.0) * slack * widest * np.exp(a * slack) * (2.0 + excess)
        moments[chosen] = np.log1p(np.exp(slack) * (excess + widened))
    for index in np.flatnonzero(~small).tolist():
        order = float(orders[index])
        moments[index] = float(np.logaddexp.reduce(log_q + order * losses)) + (2.0 * order - 1.0) * slack / 2
    return RowsRho(
        rho=max(floor, _ROUNDING * supremum_by_chords(orders, moments, largest)),
        attained=float((moments / (orders * (orders - 1.0))).max()),
        exponentials=len(orders) * losses.size,
    )
