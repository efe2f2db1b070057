"""Chooses the row to measure for a query: the query itself, or a set of cells that is as informative and costs less.

A row costs the increase of the largest loss over pairs of cells (`core.accounting.pairwise_loss`). A row that does not
separate the most expensive pairs is free up to some rate, and with the history it is informative about the query. The
candidates are sets of cells.

- All sets, if the history and the query distinguish few cells.
- Otherwise a local search by single changes. It starts at the query and at the signs of Σq, Σ the covariance of the
  estimated counts.

Candidates are compared by variances. With cov = qΣs, measuring the row s with noise variance v reduces the query's
variance from qΣq to qΣq − cov² / (sΣs + v). The rate of the best candidate is then found from the interval that it
gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, exp, floor, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.accountants import Accountant
from core.mechanisms.event import MAX_EPSILON, MIN_EPSILON
from core.noise import LaplaceNoise
from core.privacy import Epsilon, Rate, Rho
from core.queries.estimator import Query, estimate
from core.queries.history import History
from core.queries.payer import Payer
from core.queries.search import Search

_MAX_CLASSES: Final = 40
"""Largest number of cell classes; each step of a search takes its cube."""
_MAX_ROWS: Final = 2_000
_FEW_CLASSES: Final = 9
"""Below this number of classes all sets are tried."""
_UNSEEN_DEVIATIONS: Final = 1e3
"""Prior standard deviation of what the history does not determine, in multiples of the half width or, if larger, of the
noisiest row's deviation.
"""
_OWN_PRICE: Final = 0.1
"""Weight of the row's standalone cost, added to the increase. Of two rows with the same increase the less precise one
wins.
"""
_MAX_RISE_RATIO: Final = 0.99
"""Another row replaces the query only if its increase is at most this fraction of the query's."""
_LAPLACE_RATIO: Final = 2.118
"""Ratio of half width to standard deviation of one Laplace noise at 95 %."""
_PRECISION: Final = 1e-4
_WIDENINGS: Final = 6
_MARGIN: Final = 1e-9


def cheaper_row(
    history: History, payer: Payer, query: Query, found: Search, half_width: float, confidence: float
) -> Search:
    """Return a measurement that achieves the half width and raises the payer's cost least.

    This is `found`, the smallest measurement of the query itself, or a cheaper measurement of another row. Other rows
    are considered only if the history has Laplace noise alone. With releases of counts, which inform about all cells
    alike, each evaluation of an error distribution would take 0.1 s.

    Arguments: `history` and `payer`, public state; `query`, the row to estimate; `half_width` > 0, in the query's unit;
    `confidence` in (0, 1).
    """
    if len(history) > _MAX_ROWS or not all(isinstance(part.noise, LaplaceNoise) for part in history.parts):
        return found
    classes, first = _classes(history, query)
    omitted = 0 if history.n is None else 1
    if not 1 < len(first) - omitted < _MAX_CLASSES:
        return found
    own = payer.loss(query, found.row.rate)
    rise = payer.rise(own)
    if not rise:
        return found
    known = estimate(history, query)
    ratio = _LAPLACE_RATIO
    if known is not None and known.deviation:
        ratio = known.planned_half_width(confidence) / known.deviation
    problem = _Problem.of(history, payer, query, first, half_width, (half_width / ratio) ** 2)
    most = own.largest if payer.max_standalone_cost is None else max(own.largest, payer.max_standalone_cost)
    chosen, rate = problem.best(most if payer.max_standalone_cost is not None else None)
    if chosen is None:
        return found
    chosen = np.concatenate((np.zeros(omitted, dtype=np.int64), chosen))
    row = Query(tuple(int(each) for each in chosen[classes]), relation=query.relation)
    other = _least_rate_of(history, query, row, rate, half_width, confidence)
    if other is None:
        return found
    loss = payer.loss(row, other.row.rate)
    if payer.rise(loss) > _MAX_RISE_RATIO * rise or (payer.max_standalone_cost is not None and loss.largest > most):
        return found
    return other


def _classes(history: History, query: Query) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the class of each cell, shape (m,), and the first cell of each class.

    Cells are in different classes if the history or the query distinguishes them. Cell 0 is in class 0.
    """
    weights = np.array([int(value) for value in query.coefficients], dtype=object)
    _, of_query = np.unique(weights, return_inverse=True)
    keys = np.stack((history.class_of, of_query.reshape(-1)))
    _, first, classes = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return rank[classes.reshape(-1)], first[order]


@dataclass(frozen=True, slots=True)
class _Problem:
    """The data of a choice, by classes of cells.

    If n is public, the value at the first class is subtracted from each row, so that class is omitted.
    """

    covariance: NDArray[np.float64]
    query: NDArray[np.float64]
    losses: NDArray[np.float64]
    """Losses between all classes, including the first. If n is private, they are those of the first class of a pair."""
    joint_cost: float
    """The current largest loss over pairs, in units."""
    target_variance: float
    """The variance that may remain."""
    accountant: Accountant
    records: int
    n_is_public: bool

    @classmethod
    def of(
        cls,
        history: History,
        payer: Payer,
        query: Query,
        first: NDArray[np.int64],
        half_width: float,
        target_variance: float,
    ) -> _Problem:
        unseen = _UNSEEN_DEVIATIONS * max(half_width / float(query.scale), float(history.deviations.max(initial=0.0)))
        omitted = 0 if history.n is None else 1
        precision = history.precision(first)[omitted:, omitted:] + np.eye(len(first) - omitted) / unseen**2
        row = query.row[first]
        covariance: NDArray[np.float64] = np.asarray(np.linalg.inv(precision), dtype=np.float64)
        return cls(
            covariance,
            row if history.n is None else row[1:] - row[0],
            payer.joint.between(first).astype(np.float64),
            float(payer.joint.pairs),
            target_variance,
            payer.accountant,
            payer.records,
            history.n is not None,
        )

    def best(self, max_standalone_cost: int | None) -> tuple[NDArray[np.int64] | None, float]:
        """Return the set of cell classes whose measurement costs the payer least, and the approximate rate that it
        needs.

        The set is None if no set reaches the target width.
        """
        free = len(self.query)
        if free < _FEW_CLASSES:
            sets = np.array([each for each in product((0, 1), repeat=free) if any(each)], dtype=np.int64)
            return self._cheapest_set(sets, max_standalone_cost)[:2]
        best, rate, least = None, 0.0, np.inf
        for start in self._starts():
            found, its_rate, cost = self._cheapest_set(start[None, :], None)
            at = start if found is None else found
            for _ in range(2 * free):
                changed = at[None, :] ^ np.eye(free, dtype=np.int64)
                nearer, nearer_rate, nearer_cost = self._cheapest_set(changed[changed.any(axis=1)], max_standalone_cost)
                if nearer is None or nearer_cost >= cost:
                    break
                at, its_rate, cost = nearer, nearer_rate, nearer_cost
            if cost < least:
                best, rate, least = at, its_rate, cost
        return best, rate

    def _starts(self) -> list[NDArray[np.int64]]:
        beside = self.covariance @ self.query
        middle = (self.query.min(initial=0.0) + self.query.max(initial=0.0)) / 2
        if self.n_is_public:
            # The first class errs in the opposite direction of all others together.
            signs, upper = np.concatenate(([-beside.sum()], beside)) > 0, np.concatenate(([0.0], self.query)) > middle
            starts = [(each ^ each[0])[1:] for each in (signs, upper)]
        else:
            # A set and its complement are different measurements.
            starts = [beside > 0, beside < 0, self.query > middle, self.query <= middle]
        return [each.astype(np.int64) for each in starts if each.any()]

    def _cheapest_set(
        self, sets: NDArray[np.int64], max_standalone_cost: int | None
    ) -> tuple[NDArray[np.int64] | None, float, float]:
        """Return the cheapest of these sets, shape (k, classes − 1), with its rate and cost.

        The cost is infinite if no set reaches the target.
        """
        beside = self.covariance @ self.query
        excess = float(self.query @ beside) - self.target_variance
        if excess <= 0 or not len(sets):
            return None, 0.0, np.inf
        rows = sets.astype(np.float64)
        noise = (rows @ beside) ** 2 / excess - ((rows @ self.covariance) * rows).sum(axis=1)
        rates = np.sqrt(2.0 / np.where(noise > 0, noise, np.nan))
        omitted = len(self.losses) - len(self.query)
        whole = np.concatenate((np.zeros((len(sets), omitted), dtype=np.bool_), sets.astype(np.bool_)), axis=1)
        apart = np.array([self.losses[each][:, ~each if self.n_is_public else each].max() for each in whole])
        prices = self._price_shifts(np.maximum(rates * self.records, float(MIN_EPSILON)))
        costs = np.maximum(apart + prices - self.joint_cost, 0.0) + _OWN_PRICE * prices
        costs = np.where(np.isfinite(rates) & (rates * self.records <= float(MAX_EPSILON)), costs, np.inf)
        if max_standalone_cost is not None:
            costs = np.where(prices <= max_standalone_cost, costs, np.inf)
        at = int(np.argmin(costs))
        return (sets[at], float(rates[at]), float(costs[at])) if np.isfinite(costs[at]) else (None, 0.0, np.inf)

    def _price_shifts(self, shifts: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.accountant is Accountant.BASIC:
            return np.asarray(shifts * 10**Epsilon.digits)
        return np.asarray((shifts + np.expm1(-shifts)) * 10**Rho.digits)


def _least_rate_of(
    history: History, query: Query, row: Query, about: float, half_width: float, confidence: float
) -> Search | None:
    """Return the measurement of `row` at the lowest rate at which the query's interval has the half width, or None if
    the search fails.

    `about` is the rate at which the search starts.
    """
    target_variance = half_width * (1.0 - _MARGIN)
    least, most = ceil(float(MIN_EPSILON) * 10**Rate.digits), floor(float(MAX_EPSILON) * 10**Rate.digits)

    def half_width_at(units: int) -> float | None:
        trial = history.copy()
        trial.add_answer(row.measured_at(Rate(units)), Fraction(0), "")
        together = estimate(trial, query)
        if together is None or not together.distribution.holds(target_variance - together.slack, confidence):
            return None
        return together.planned_half_width(confidence)

    high = min(max(round(about * 10**Rate.digits), least), most)
    low, step = high, 1.02
    for _ in range(_WIDENINGS):
        if half_width_at(high) is not None:
            break
        low, high, step = high, min(round(high * step), most), step**3
    else:
        return None
    step = 0.98
    while low == high and low > least:
        low = max(round(low * step), least)
        if half_width_at(low) is not None:
            high, step = low, step**3
    while high - low > max(1, low * _PRECISION):
        middle = min(max(round(exp((log(low) + log(high)) / 2)), low + 1), high - 1)
        low, high = (middle, high) if half_width_at(middle) is None else (low, middle)
    achieved = half_width_at(high)
    return None if achieved is None else Search(row.measured_at(Rate(high)), achieved)
