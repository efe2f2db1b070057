"""Computes how far a posterior can move in Hellinger distance when one record changes its category: one step, local,
global, smooth.

The score of the exponential mechanism is −H(posterior, candidate). By the triangle inequality no search over candidates
is needed: the local sensitivity is the largest distance between the posteriors of neighbours. One record that leaves a
category and joins another gives

    H² = 1 − g(u)·g(v),   g(t) = Γ(t+½) / sqrt(Γ(t)Γ(t+1)),

where u and v are the concentrations of the two categories with that record taken out of both. g increases from 0 to 1
and ln g is concave, and from these two facts all closed forms here follow. `docs/privacy-proofs.md` section 1 has the
proofs.

Everything at the data (local, smooth) is private. What is global is public.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.special_functions import log_half_step

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_TOGETHER = 64
"""Distances that are looked at together."""
_FAR = 700.0
"""Beyond this exponent nothing is left of a distance."""


def one_step(remaining: ArrayLike, joined: ArrayLike) -> Floats:
    """Hellinger distance between the posteriors of neighbours, sqrt(1 − g(u)g(v)), elementwise.

    `remaining` u = α_i + c_i − 1 and `joined` v = α_j + c_j, both > 0: the concentrations without the record that moves
    from i to j. The distance is symmetric in them and decreases in each.
    """
    log_affinity = log_half_step(np.asarray(remaining, np.float64)) + log_half_step(np.asarray(joined, np.float64))
    return np.asarray(np.sqrt(-np.expm1(log_affinity)))


def local_sensitivity(prior: Floats, counts: Counts) -> float:
    """Δ(c), the largest Hellinger distance from the posterior of `counts` to that of a neighbour.

    `prior` and `counts` have shape (m,), m >= 2, prior > 0, counts >= 0 with sum n >= 1. Private: a function of the
    data.
    """
    return float(_within_one(prior, counts))


def global_sensitivity(prior: Floats, n: int) -> float:
    """The largest Δ(c) over all histograms of n >= 1 records: public.

    m >= 3: some histogram leaves the two smallest priors alone with the moving record. m = 2: the other n − 1 records
    sit in one category.
    """
    if len(prior) == 2:
        return float(one_step(prior, prior[::-1] + (n - 1)).max())
    smallest, second = np.partition(prior, 1)[:2]
    return float(one_step(smallest, second))


def smooth_sensitivity(prior: Floats, counts: Counts, gamma: float) -> float:
    """S_γ(c) = max over histograms c' of Δ(c')·e^{−γ·d(c, c')}, d the number of records that differ; exact, for γ > 0.

    Shapes as for `local_sensitivity`. Private. The smallest γ-smooth upper bound of Δ: S_γ(c) >= Δ(c), and neighbours
    differ by at most e^γ. Source: Nissim, Raskhodnikova, Smith 2007, definition 2.2.
    """
    return float(smooth_sensitivities(prior, counts, np.array([gamma]))[0])


def smooth_sensitivities(prior: Floats, counts: Counts, gammas: Floats) -> Floats:
    """The same at each γ > 0 of some, shape (k,), in about the time of one. Private.

    M(d), the largest Δ within d records, never decreases, so an interval (a, b] of distances is worth at most
    e^{−γ(a+1)}·M(b): those that can still beat the best value are halved until none is left. No distance is left out,
    and few are looked at.
    """
    if not (gammas > 0).all():
        raise ValueError("gamma is positive")
    within = _WithinTwo(prior, counts) if len(prior) == 2 else _WithinMany.of(prior, counts)
    furthest = int(counts.sum())
    distance = np.unique(np.minimum(furthest, np.concatenate([[0], 2 ** np.arange(furthest.bit_length() + 1)])))
    steps = within(distance)
    best: Floats = (steps * np.exp(-gammas[:, None] * distance)).max(axis=1)
    # An interval of the distances, and whose it is.
    whose = np.repeat(np.arange(gammas.size), distance.size - 1)
    low, high, step_high = (np.tile(each, gammas.size) for each in (distance[:-1], distance[1:], steps[1:]))
    while len(low):
        open_ = (high - low > 1) & (step_high * np.exp(-gammas[whose] * (low + 1)) > best[whose])
        whose, low, high, step_high = whose[open_], low[open_], high[open_], step_high[open_]
        middle = (low + high) // 2
        step_middle = within(middle)
        np.maximum.at(best, whose, step_middle * np.exp(-gammas[whose] * middle))
        whose = np.concatenate([whose, whose])
        low, high, step_high = (
            np.concatenate([low, middle]),
            np.concatenate([middle, high]),
            np.concatenate([step_middle, step_high]),
        )
    return best


def two_category_sensitivities(prior: Floats, n: int, gamma: float) -> Floats:
    """S_γ at every histogram (k, n − k) of two categories, k = 0..n, in O(n log n), to 1e-13 relative. `prior` has
    shape (2,); the result (n+1,). Public as a whole.
    """
    stays = np.arange(n, dtype=np.float64)
    step = one_step(prior[0] + stays, prior[1] + (n - 1 - stays))
    local = np.maximum(np.concatenate([step, [0.0]]), np.concatenate([[0.0], step]))
    # Twice as far each time. Sums of logarithms with γ·k would lose the digits that γ·n has before the point.
    smooth: Floats = np.asarray(local)
    distance = 1
    while distance <= n and gamma * distance <= _FAR:
        near, decay = smooth.copy(), float(np.exp(-gamma * distance))
        np.maximum(near[distance:], smooth[:-distance] * decay, out=near[distance:])
        np.maximum(near[:-distance], smooth[distance:] * decay, out=near[:-distance])
        smooth, distance = near, 2 * distance
    return smooth


def smallest_local_sensitivity(prior: Floats, n: int) -> float:
    """A public lower bound of Δ(c), and so of S_γ(c), over all histograms of n records.

    The smallest concentration is at most the mean (Σα + n)/m, and no step from or to it is shorter than when the other
    g were 1.
    """
    mean = (float(prior.sum()) + n) / len(prior)
    return float(np.sqrt(-np.expm1(log_half_step(np.float64(mean)))))


def _within_one(prior: Floats, counts: Counts) -> Floats:
    """Δ(c). The smallest concentration gives its record up if it has one, else receives; concavity of ln g makes
    that the better role.
    """
    concentration = prior + counts
    smallest = int(concentration.argmin())
    others = np.delete(concentration, smallest)
    if counts[smallest] >= 1:
        return one_step(concentration[smallest] - 1, others.min())
    return one_step(concentration[smallest], concentration[counts >= 1].min() - 1)


@dataclass(frozen=True, slots=True)
class _WithinTwo:
    """M(d) for two categories: ln g(u) + ln g(n−1+Σα−u) is concave in u, so the furthest histogram to either side is
    worst.
    """

    prior: Floats
    counts: Counts

    def __call__(self, distance: Counts) -> Floats:
        moved_off = int(self.counts.sum()) - 1
        left = np.maximum(self.counts[0] - 1 - distance, 0)
        right = np.minimum(self.counts[0] + distance, moved_off)
        return np.maximum(
            one_step(self.prior[0] + left, self.prior[1] + (moved_off - left)),
            one_step(self.prior[0] + right, self.prior[1] + (moved_off - right)),
        )


@dataclass(frozen=True, slots=True)
class _WithinMany:
    """M(d) for three and more categories, where a third can always take what the two of the step give up.

    Within d >= 1 records, category i can come down to max(α_i + c_i − 1 − s, α_i) as the one that gives (an empty one
    is first given the record it gives), j to max(α_j + c_j − t, α_j) as the one that receives, s + t <= d. ln g is
    concave: all on i first, or all on j first.
    """

    local: float
    prior: Floats
    counts: Counts

    @classmethod
    def of(cls, prior: Floats, counts: Counts) -> Self:
        # A category is left out when two others are at most as large in both prior and concentration: they stay below
        # it at every distance.
        concentration = prior + counts
        kept: list[int] = []
        lowest = second = np.inf
        for category in np.lexsort((prior, concentration)).tolist():
            if prior[category] < second:
                kept.append(category)
                lowest, second = sorted((lowest, second, float(prior[category])))[:2]
        return cls(local_sensitivity(prior, counts), prior[kept], counts[kept])

    def __call__(self, distance: Counts) -> Floats:
        giving, receiving = np.maximum(self.counts - 1, 0), self.counts
        largest = np.full(len(distance), self.local)
        for first, then in ((giving, receiving), (receiving, giving)):
            lowest = _LowestOther(self.prior, then)
            for part in (slice(start, start + _TOGETHER) for start in range(0, len(distance), _TOGETHER)):
                taken = np.minimum(distance[part], first[:, None])
                lowered = self.prior[:, None] + (first[:, None] - taken)
                steps = one_step(lowered, lowest(distance[part] - taken)).max(axis=0)
                largest[part] = np.maximum(largest[part], np.where(distance[part] >= 1, steps, 0.0))
        return largest


class _LowestOther:
    """For each category i, min over j ≠ i of α_j + max(c_j − r, 0), at any r: in log m instead of m operations.

    With the categories in the order of c_j, those up to some place have come down to α_j and all others to α_j + c_j −
    r: two running minima of each are enough, as one of two is another's than i's.
    """

    __slots__ = ("_counts", "_lowered", "_whole")

    def __init__(self, prior: Floats, counts: Counts) -> None:
        order = np.argsort(counts, kind="stable")
        self._counts = counts[order]
        self._lowered = _two_least(prior[order], order)
        self._whole = tuple(each[::-1] for each in _two_least((prior + counts)[order][::-1], order[::-1]))

    def __call__(self, given_up: Counts) -> Floats:
        """`given_up` r >= 0, shape (m, k); the result likewise."""
        place = np.searchsorted(self._counts, given_up, side="right")
        category = np.arange(len(given_up))[:, None]
        lowered, whole = (
            np.where(which[place] == category, second[place], least[place])
            for which, least, second in (self._lowered, self._whole)
        )
        return np.asarray(np.minimum(lowered, whole - given_up), dtype=np.float64)


def _two_least(values: Floats, categories: Counts) -> tuple[Counts, Floats, Floats]:
    """Before each place and after the last: whose the least value so far is, that value, and the least of the others;
    each of shape (m + 1,).
    """
    which, least, second = [-1], [np.inf], [np.inf]
    for value, category in zip(values.tolist(), categories.tolist(), strict=True):
        if value < least[-1]:
            second.append(least[-1])
            least.append(value)
            which.append(category)
        else:
            second.append(min(second[-1], value))
            least.append(least[-1])
            which.append(which[-1])
    return np.array(which), np.array(least), np.array(second)
