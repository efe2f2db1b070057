"""Computes the largest Hellinger distance by which a posterior moves when one record changes its category: one step,
local, global, smooth.

The score of the exponential mechanism is −H(posterior, candidate). By the triangle inequality no search over candidates
is needed: the local sensitivity is the largest distance between the posteriors of neighbours. One record that leaves a
category and joins another gives

    H² = 1 − g(u)·g(v),   g(t) = Γ(t+½) / sqrt(Γ(t)Γ(t+1)),

where u and v are the concentrations of the two categories with that record removed from both. g increases from 0 to 1,
ln g is concave and 1 − g is log-convex. All closed forms here follow from these facts.

The local and the smooth sensitivity are private, and are computed with the same operations for all data. The global one
is public.

Proofs, in the notation of `core.mechanisms.exponential.mechanism`.

One step. Moving a record from i to j gives BC = g(u) g(v), u = α_i + c_i − 1, v = α_j + c_j, with g(t) =
Γ(t+½)/√(Γ(t)Γ(t+1)): u + ½ and v + ½ are the half-way concentrations. All bounds use these facts about g:

- g(t+1)²/g(t)² = (t+½)²/(t(t+1)) = 1 + 1/(4t(t+1)) > 1 and g → 1, so g(t)² = Π_{k≥0} (1 +
  1/(4(t+k)(t+k+1)))^{−1}: g increases in t from 0 to 1, and ln g is concave, as −ln(1 +
  1/(4t(t+1))) is increasing and concave in t.
- (G) 1/(8t+1) ≤ 1 − g(t) ≤ 1/(8t), the left side for t ≥ ½. *Right:* g(t+1) − g(t) ≤
  g(t)/(8t(t+1)) ≤ ⅛(1/t − 1/(t+1)); sum over t, t+1, … *Left:* let G(t) = 8t/(8t+1). Both g and G
  tend to 1, so it is enough that g(t)/g(t+1) ≤ G(t)/G(t+1), which is t(t+1)/(t+½)² ≤
  (t(8t+9)/((8t+1)(t+1)))², or 0 ≤ 2t² + 5t/4 − 1 after multiplying out: true for t ≥ ½.

Local. The score of r at c is −h_c(r), and |h_x(r) − h_y(r)| ≤ H(BI(x), BI(y)), with equality at r = x. So the local
sensitivity is Δ(c) = max over i ≠ j, c_i ≥ 1, of √(1 − g(α_i+c_i−1) g(α_j+c_j)). Let k have the smallest α_k + c_k. If
c_k ≥ 1, k gives a record and the second smallest receives it: the other way round is not better, since ln g(a) − ln
g(a−1) falls in a. If c_k = 0, k receives, and the smallest category with a record gives.

Global. GS = max Δ. m ≥ 3: √(1 − g g) at the two smallest priors, attained with c_i = 1, c_j = 0 and all other
records in a third category. m = 2: the arguments are (α₁+q, α₂+n−1−q), ln g + ln g is concave in q, so q = 0 or q = n −
1 is worst.

Smooth. S_γ(c) = max over c' of Δ(c')e^{−γ d(c,c')}, d the number of records that differ. S_γ ≥ Δ, and S_γ(x) ≤ e^γ
S_γ(y) for neighbours, as d changes by at most one. Let M(d) be the largest Δ within distance d. For m ≥ 3 and d ≥ 1, i
gives with an argument max(α_i + c_i − 1 − s, α_i), j receives with max(α_j + c_j − t, α_j), s + t ≤ d, since a third
category can take the removed records. If i is empty, it first gets the record that it gives: at no extra distance if
that is one of j's records, else at the distance of one record of a third category. 1 − P g is log-convex for every P ≤
1 (`rates`), so ln Δ(c') − γ d is convex in s and in t, and is largest where each of s and t is 0 or its maximum. So
S_γ(c) is the largest of Δ(c); of steps in which one of the two arguments is reduced to its prior and the other is the
smallest remaining; and of e^{−γ |c_i + c_j − 1|} √(1 − g(α_i) g(α_j)) over all pairs.

For m = 2 a step is between the histograms with k and k + 1 records in the first category, and its arguments u, v have a
constant sum. Along it f = ln(1 − g(u) g(v)) is convex: f_uu and f_vv ≥ 0 as above, and f_uv = −g'(u) g'(v) / (1 − g(u)
g(v))² ≤ 0, so that f_uu − 2f_uv + f_vv ≥ 0. So S_γ(c) is the largest of Δ(c) and of the steps at k = 0 and k = n − 1,
times e^{−γ d}. In both cases the number of evaluated terms does not depend on c.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.special_functions import log_half_step

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def one_step(remaining: ArrayLike, joined: ArrayLike) -> Floats:
    """Return the Hellinger distance between the posteriors of neighbours, sqrt(1 − g(u)g(v)), elementwise.

    `remaining` u = α_i + c_i − 1 and `joined` v = α_j + c_j, both > 0, are the concentrations of the two categories
    without the record that moves from i to j. The distance is symmetric and decreases in both.
    """
    log_affinity = log_half_step(np.asarray(remaining, np.float64)) + log_half_step(np.asarray(joined, np.float64))
    return np.asarray(np.sqrt(-np.expm1(log_affinity)))


def local_sensitivity(prior: Floats, counts: Counts) -> float:
    """Return Δ(c), the largest Hellinger distance from the posterior of `counts` to that of a neighbour. It is private.

    `prior` and `counts` have shape (m,), m >= 2, with prior > 0, counts >= 0 and sum n >= 1.
    """
    return float(_local_steps(prior, counts).max())


def global_sensitivity(prior: Floats, n: int) -> float:
    """Return the largest Δ(c) over all histograms of n >= 1 records. It is public.

    For m >= 3 it is attained where the categories of the two smallest priors have no record but the one that moves. For
    m = 2 it is attained where the other n − 1 records are in one category.
    """
    if len(prior) == 2:
        return float(one_step(prior, prior[::-1] + (n - 1)).max())
    smallest, second = np.partition(prior, 1)[:2]
    return float(one_step(smallest, second))


def smooth_sensitivity(prior: Floats, counts: Counts, gamma: float) -> float:
    """Return S_γ(c) = max over histograms c' of Δ(c')·e^{−γ·d(c, c')}, γ > 0, where d is the number of differing
    records. It is private.

    Shapes are as for `local_sensitivity`. S_γ is the smallest γ-smooth upper bound on Δ: S_γ(c) >= Δ(c), and neighbours
    differ by a factor of at most e^γ. Source: Nissim, Raskhodnikova, Smith 2007, definition 2.2.
    """
    return float(smooth_sensitivities(prior, counts, np.array([gamma]))[0])


def smooth_sensitivities(prior: Floats, counts: Counts, gammas: Floats) -> Floats:
    """Return `smooth_sensitivity` at each γ > 0 of `gammas`, shape (k,). The values are private."""
    if not (gammas > 0).all():
        raise ValueError("gamma must be positive")
    steps, distance = (_steps_of_two_categories if len(prior) == 2 else _steps_of_many_categories)(prior, counts)
    return np.array([(steps * np.exp(-gamma * distance)).max() for gamma in gammas.tolist()])


def two_category_sensitivities(prior: Floats, n: int, gamma: float) -> Floats:
    """Return S_γ at every histogram (k, n − k) of two categories, k = 0..n, shape (n+1,), to 1e-13 relative.

    `prior` has shape (2,). The result is public as a whole.
    """
    stays = np.arange(n, dtype=np.float64)
    step = one_step(prior[0] + stays, prior[1] + (n - 1 - stays))
    local = np.maximum(np.concatenate([step, [0.0]]), np.concatenate([[0.0], step]))
    # As in `_steps_of_two_categories`: the steps at k = 0 and k = n − 1, and their distances.
    decay = np.exp(-gamma * np.maximum(np.arange(-1.0, n), 0.0))
    smooth: Floats = np.maximum.reduce([local, step[0] * decay, step[-1] * decay[::-1]])
    return smooth


def smallest_local_sensitivity(prior: Floats, n: int) -> float:
    """Return a public lower bound on Δ(c), and therefore on S_γ(c), over all histograms of n records.

    The smallest concentration is at most the mean (Σα + n)/m. A step from or to it is at least as long as if the other
    category had g = 1.
    """
    mean = (float(prior.sum()) + n) / len(prior)
    return float(np.sqrt(-np.expm1(log_half_step(np.float64(mean)))))


def _local_steps(prior: Floats, counts: Counts) -> Floats:
    """Return the largest step at c in which each category loses a record, shape (m,). It is 0 for an empty category."""
    gives, has = log_half_step(np.stack([prior + np.maximum(counts - 1, 0), prior + counts]))
    return _distance(np.where(counts >= 1, gives + _least_other_values(has), 0.0))


def _steps_of_two_categories(prior: Floats, counts: Counts) -> tuple[Floats, Counts]:
    """Return the steps that may attain S_γ for two categories, and the distance of each in records.

    A step is between histograms with k and k + 1 records in the first category. ln of its length is convex in k, so the
    largest is at c or at an end, k = 0 or k = n − 1.
    """
    ends = one_step(prior, prior[::-1] + (counts.sum() - 1))
    return (
        np.concatenate([_local_steps(prior, counts), ends]),
        np.concatenate([np.zeros_like(counts), np.maximum(counts - 1, 0)]),
    )


def _steps_of_many_categories(prior: Floats, counts: Counts) -> tuple[Floats, Counts]:
    """Return the steps that may attain S_γ for three or more categories, and the distance of each in records.

    A step moves one record from category i to category j. Before it, other records may leave i or j for a third
    category, and each such record adds one to the distance. So i gives the record at a concentration from α_i + c_i − 1
    down to α_i, and j receives it at one from α_j + c_j down to α_j. ln of the step's length is convex in either
    concentration, so it is largest if each is kept or lowered to its prior: neither, one or both. An empty i first
    receives the record that it gives.
    """
    gives, has, alone = log_half_step(np.stack([prior + np.maximum(counts - 1, 0), prior + counts, prior]))
    gives = np.where(counts >= 1, gives, np.inf)
    giver_lowered = np.where(counts >= 1, alone + _least_other_values(has), 0.0)
    receiver_lowered = alone + _least_other_values(gives)
    both_lowered = np.add.outer(alone, alone)
    np.fill_diagonal(both_lowered, 0.0)
    log_affinities = (gives + _least_other_values(has), giver_lowered, receiver_lowered, both_lowered.ravel())
    distances = (
        np.zeros_like(counts),
        np.maximum(counts - 1, 0),
        counts,
        np.abs(np.add.outer(counts, counts) - 1).ravel(),
    )
    return _distance(np.concatenate(log_affinities)), np.concatenate(distances)


def _distance(log_affinity: Floats) -> Floats:
    """Return the Hellinger distance.

    It is 0 if the log-affinity is infinite, which means that there is no such step.
    """
    return np.asarray(np.sqrt(-np.expm1(np.where(np.isinf(log_affinity), 0.0, log_affinity))))


def _least_other_values(values: Floats) -> Floats:
    """Return, for each index, the smallest value at any other index, shape (m,), m >= 2."""
    is_least = np.arange(values.size) == values.argmin()
    least: Floats = np.where(is_least, np.where(is_least, np.inf, values).min(), values.min())
    return least
