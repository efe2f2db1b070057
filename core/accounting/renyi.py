"""The least rho at which a mechanism is rho-zCDP, from Rényi divergences of its noise. Every rho is rounded up.

rho is the supremum of D_a / a over the orders a > 1, with D_a the Rényi divergence between the outputs on neighbours.
Additive integer noise has few values of the loss, so the supremum has a closed form.

Worst change of several records. Let noise have a density p on whole numbers or vectors whose −ln p extends to a convex
function. Among shifts v in a convex set, D_a is largest at an extreme point of it: (a − 1) D_a = ln Σ_z p(z)^a p(z −
v)^(1−a), each term is log-convex in v as orders are above 1, and so is their sum. Up to k replaced records change the
counts by a v of sum 0 with ‖v‖_1 <= 2k. The extreme points are v = k (e_i − e_j): all k records move from one category
to another. Laplace noise leaves out the last count, so ±k e_i are extreme points too, with a smaller loss.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.privacy import Epsilon, Rho
from core.special_functions import OUTWARD

Floats = NDArray[np.float64]

_ARITHMETIC: Final = Context(prec=60, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999)
_MARGIN: Final = Decimal("1e-30")
_TOLERANCE: Final = 1e-4
_TOLERANCE_OF_MANY_LOSSES: Final = 2e-3
"""Relative excess of chords between orders, for one distribution and for many."""
_SMALLEST_POSITIVE: Final = 1e-300
"""Replaces 0 in a logarithm."""
_ROUNDING: Final = 1 + 1e-6
"""Rounding of a moment near order 1, a difference of nearly equal terms."""
_DISTRIBUTIONS: Final = 1 << 10
"""Number of distributions computed at once."""

MAX_REPLACED_RECORDS: Final = 100
"""Largest number of replaced records for which the rho of noise is computed; the time grows with its square."""


@lru_cache(maxsize=1024)
def rho_of_geometric(epsilon: Epsilon, m: int, records: int = 1) -> Rho:
    """Return rho of geometric noise of rate epsilon / 2 on m >= 2 counts, conditioned on its sum, rounded up.

    Up to `records` <= MAX_REPLACED_RECORDS records are replaced.

    For one record rho = epsilon (1 − Q) N_(m−2)(Q) / N_(m−1)(Q), Q = e^(−epsilon), N_j(Q) = Σ_k C(j, k)² Q^k. It
    decreases from epsilon tanh(epsilon / 2) at m = 2 toward epsilon tanh(epsilon / 4) as m grows.

    Proof. The loss of one replaced record is epsilon if and only if z_i >= 0 >= z_j. With q = √Q, a coordinate's
    distribution has the series (1 − Q) / ((1 − q t)(1 − q / t)) up to a constant, and the coefficient of t^0 in ((1 − q
    t)(1 − q / t))^(−j) is N_(j−1)(Q) / (1 − Q)^(2j−1). So that loss has the probability p = N_(m−2) / N_(m−1). By
    Parseval N_j is the mean of |1 + q e^(iφ)|^(2j) <= (1 + q)² N_(j−1), so p >= (1 + q)^(−2), and order 1 is the
    supremum by `rho_of_three_losses`.
    """
    with localcontext(_ARITHMETIC):
        exact = Decimal(epsilon.units).scaleb(-Epsilon.digits)
        probabilities = _losses_of_geometric(exact, m, records)
        if records == 1:
            return Rho.ceil(exact * (1 - (-exact).exp()) * probabilities[0] + (_MARGIN if exact else 0))
        logs = [float(max(each, _MARGIN).ln()) for each in probabilities]
    steps = np.arange(1, records + 1, dtype=np.float64)
    return Rho.ceil(_rho_of_mirrored(steps * float(epsilon), np.array(logs[::-1])))


def _losses_of_geometric(epsilon: Decimal, m: int, records: int) -> list[Decimal]:
    """Return the probabilities of the positive losses k epsilon, (k − 1) epsilon, …, epsilon of noise z against z + k
    (e_1 − e_2).

    k is `records`, and e_i are unit vectors. W_n(s) is the sum of q^‖z‖_1 over z of n counts with sum s, q =
    e^(−epsilon/2). The positive losses are epsilon (k − max(x, 0) − max(y, 0)), x = z_1 and y = −z_2.

    W_n(0) = N_(n−1)(Q) (1 − Q)^(1−n). N_j is the growing solution of the recurrence of Legendre's polynomials, j N_j =
    (2j − 1)(1 + Q) N_(j−1) − (j − 1)(1 − Q)² N_(j−2). The other W_n(s) follow from (1 + Q) W_n(s) − q (W_n(s+1) +
    W_n(s−1)) = (1 − Q) W_(n−1)(s), because Σ_z q^|z| t^z = (1 − Q) / ((1 − q t)(1 − q / t)).
    """
    q, big_q = (-epsilon / 2).exp(), (-epsilon).exp()
    both, square = 1 + big_q, (1 - big_q) ** 2
    lowest = max(0, m - 1 - records)
    # N_(j−1) / N_j, and from these W_n(0) / W_m(0), n = m, m − 1, …, lowest.
    ratios, ratio = [Decimal(1)], both
    for j in range(1, m):
        if j > 1:
            ratio = ((2 * j - 1) * both - (j - 1) * square / ratio) / j
        ratios.append(1 / ratio)
    at_0 = {m: Decimal(1)}
    for n in range(m, lowest, -1):
        at_0[n - 1] = at_0[n] * ((1 - big_q) * ratios[n - 1] if n > 1 else 1)
    rest = [at_0[lowest], *([Decimal(0)] * records if lowest == 0 else [])]
    for n in range(lowest + 1, m - 1):
        before, rest = rest, [at_0[n]]
        for s in range(min(len(before), records)):
            nearer = rest[s - 1] if s else None
            further = (both * rest[s] - (1 - big_q) * before[s]) / q
            rest.append(further / 2 if nearer is None else further - nearer)
    # The probability of y = i and x <= 0, at first for i = 0.
    tail = (at_0[m - 1] + at_0[m - 2]) / 2
    found = [ratios[m - 1]]
    for i in range(1, records):
        tail -= q ** (i - 1) * rest[i - 1]
        found.append(2 * tail + q**i * sum((rest[abs(i - 2 * a)] for a in range(1, i)), Decimal(0)))
    return found


@lru_cache(maxsize=1024)
def rho_of_laplace(epsilon: Epsilon, m: int, records: int = 1) -> Rho:
    """Return rho of floored Laplace noise of scale 2 / epsilon on m − 1 of m >= 2 counts, rounded up.

    Up to `records` = k <= MAX_REPLACED_RECORDS records are replaced. The worst change moves all of them from one
    category to another. It shifts one noisy count at m = 2 and two otherwise, by k each.

    The noise y has P(y) ∝ q^y for y >= 0 and q^(−1 − y) below, q = e^(−h), h = epsilon / 2. A shift by k loses k h with
    probability 1/2, and (k − 1 − 2y) h with probability (1 − q) q^y / 2 for 0 <= y < k. For k = 1
    order 1 is the supremum up to epsilon = 6.8589, and rho = moved (epsilon / 2)(1 − e^(−h)) / 2.
    """
    moved = 1 if m == 2 else 2
    step = float(epsilon) / 2
    if records == 1:
        return Rho.ceil(moved * rho_of_three_losses(step, 0.5))
    between = np.arange(records // 2)
    losses = np.append(records, records - 1 - 2 * between)
    logs = np.append(math.log(0.5), math.log(-0.5 * math.expm1(-step)) - step * between)
    return Rho.ceil(moved * _rho_of_mirrored(losses * step, logs))


def rho_of_floored_shift(scales: Fraction, step: Fraction) -> Rho:
    """Return rho of floored Laplace noise of scale 1 / h that is shifted by x = `scales` times its scale, rounded up.

    h = `step` > 0, and the shift of x / h >= 0 counts is an integer k. For every order a, with w = (a − ½) x,

        (a − 1) D_a = −x/2 + ln(cosh w + B sinh w),  B = sinh(h/2) / sinh((a − ½) h).

    The limit of D_a / a at order 1 is x − (h/2) coth(h/2) (1 − e^−x). It is the supremum if sinh(h/2) <= T_k(R) /
    U_(k−1)(R), R = R(h/2) of `rho_of_three_losses`, T and U the Chebyshev polynomials; h <= 3.2 suffices for every k.
    Otherwise (a − 1) D_a, which is convex, is bounded by chords between orders.

    Proof. Let w = k t with t = (a − ½) h, y = cosh t, σ = sinh(h/2). Then cosh w + B sinh w = T_k(y) + σ U_(k−1)(y),
    the characteristic polynomial of a Jacobi matrix. Its zeros are real, and at most one lies outside of (−1, 1), at
    −r < −1. Zeros inside give sums of ln(1 + t² / φ²), which are concave in t². ln(cosh t + r) is concave in t² for t
    >= h/2 if and only if r <= R(h/2); that is σ <= T_k(R) / U_(k−1)(R). Then the chord from order 1 is steepest. For
    every k this holds up to h = 3.2122, and for k = 1 up to 3.4294.
    """
    if scales == 0:
        return Rho(0)
    with localcontext(_ARITHMETIC):
        x, h = (Decimal(each.numerator) / Decimal(each.denominator) for each in (scales, step))
        coth = (h.exp() + 1) / (h.exp() - 1)
        first = x - h / 2 * coth * (1 - (-x).exp())
        at_first_order = Rho.ceil(first + _MARGIN)
    if _first_order_is_largest(float(step), float(scales / step)):
        return at_first_order
    of_scale, shift = float(step), float(scales)
    orders = orders_up_to(shift / float(first), _TOLERANCE)
    middle = orders - 0.5
    # sinh(h/2) / sinh((a − ½) h), whose parts may exceed the largest float.
    ratio = np.exp((1.0 - orders) * of_scale) * math.expm1(-of_scale) / np.expm1(-2.0 * middle * of_scale)
    decay = np.expm1(-2.0 * middle * shift)
    # cosh w + B sinh w = e^w (1 + e^(−2w) + B (1 − e^(−2w))) / 2
    moments = (orders - 1.0) * shift + np.log1p(0.5 * decay - 0.5 * ratio * decay)
    chords = Rho.ceil(_ROUNDING * supremum_by_chords(orders, moments, shift))
    return max(at_first_order, chords)


def _first_order_is_largest(step: float, moved: float) -> bool:
    """Return whether sinh(h/2) <= T_k(R) / U_(k−1)(R), with a small margin; h = `step`, k = `moved`, R = R(h/2)."""
    if step <= 3.2:
        return True
    angle = math.acosh(_largest_ratio(step / 2) * (1 - 1e-9))
    return math.sinh(step / 2) <= math.sinh(angle) / math.tanh(moved * angle) * (1 - 1e-9)


def rho_of_three_losses(step: float, probability: float) -> float:
    """Return rho of a loss with the values h, 0 and −h, rounded up. The loss is h = `step` with `probability` p.

    The loss is −h with probability p e^(−h), because the likelihoods sum to 1 on both sides, and 0 with probability
    p_0. (a − 1) D_a = ln(1 + p (2 e^(−h/2) cosh((a − ½) h) − 1 − e^(−h))).

    Let R(w) = (sinh w cosh w − w) / (w cosh w − sinh w), which is at least 2. If and only if p_0 / (2 p e^(−h/2)) <=
    R(h/2), the supremum of D_a / a is the limit at order 1, h p (1 − e^(−h)). Otherwise it is bounded by chords of the
    convex (a − 1) D_a between orders.

    Proof. Let B = 2 p e^(−h/2), r = p_0 / B, w = (a − ½) h and u = w². Then (a − 1) D_a = F(u) = ln(p_0 + B cosh w),
    F(h²/4) = 0 and a (a − 1) = (u − h²/4) / h². So D_a / a is h² times the slope of a chord of F from u_0 = h²/4, and
    its limit at order 1 is h² F'(u_0). F'' <= 0 if and only if r <= R(w). R is the quotient of Σ 4^k w^(2k+1) / (2k+1)!
    and Σ 2k w^(2k+1) / (2k+1)!; the quotients 4^k / 2k of coefficients increase, so R increases, from 2.
    """
    if step == 0.0 or probability == 0.0:
        return 0.0
    none = max(0.0, 1.0 - probability * (1.0 + math.exp(-step)))
    at_first_order = OUTWARD * step * probability * -math.expm1(-step)
    if none * math.exp(step / 2) / (2.0 * probability) <= max(2.0, _largest_ratio(step / 2) * (1 - 1e-9)):
        return at_first_order
    return _rho_of_mirrored(np.array([step]), np.array([math.log(probability)]))


def _rho_of_mirrored(losses: Floats, log_probabilities: Floats) -> float:
    """Return rho of a loss with these positive values, their negatives, and 0.

    −l has e^(−l) times the probability of l, and 0 has the remaining probability.
    """
    both = np.concatenate([losses, -losses])
    return rho_of_losses(both, np.concatenate([log_probabilities, log_probabilities - losses])[None])


def rho_of_losses(losses: Floats, log_probabilities: Floats) -> float:
    """Return the largest rho of several distributions P of a loss L, rounded up.

    Arguments: `losses`, the common values of L, shape (l,), of which 0 may be omitted; `log_probabilities`, shape
    (distributions, l).

    (a − 1) D_a = ln(1 + Σ P(L) e^(−L) f(L)) with f(L) = e^(aL) − 1 − a (e^L − 1) >= 0, because Σ P(L) e^(−L) = 1 too. A
    maximum of convex functions is convex, so chords bound it between orders.
    """
    others = log_probabilities - losses
    means = np.exp(log_probabilities) @ losses
    largest = float(losses.max())
    orders = orders_up_to(largest / float(means.max()), _TOLERANCE if len(means) == 1 else _TOLERANCE_OF_MANY_LOSSES)
    moments = np.zeros(len(orders))
    a, down = orders[:, None], -np.abs(losses)
    # f(L), divided by e^(aL) where that is large.
    positive = a * np.exp((a - 1.0) * down) * np.expm1(down) - np.expm1(a * down)
    rest = np.where(losses > 0, positive, np.expm1(a * down) - a * np.expm1(down))
    logs = np.log(np.maximum(rest, _SMALLEST_POSITIVE)) + np.maximum(a * losses, 0.0)
    for start in range(0, len(others), _DISTRIBUTIONS):
        terms = others[start : start + _DISTRIBUTIONS, None, :] + logs
        highest = terms.max(axis=2, keepdims=True)
        sums = highest[:, :, 0] + np.log(np.exp(terms - highest).sum(axis=2))
        np.maximum(moments, np.logaddexp(0.0, sums).max(axis=0), out=moments)
    return _ROUNDING * supremum_by_chords(orders, moments, largest)


def supremum_by_chords(orders: NDArray[np.float64], log_moments: NDArray[np.float64], largest_loss: float) -> float:
    """Return a bound on sup D_a / a over all a > 1, from K(a) = (a − 1) D_a at several orders and from the largest
    loss.

    Arguments: `orders`, increasing, > 1; `log_moments`, K at these orders or upper bounds on it.

    K is convex with K(1) = 0. Between orders it lies below its chord L, and L(a) / (a (a − 1)) is largest at an end or
    where its derivative is 0. Up to the first order a_1, D_a / a <= D_(a_1), because D increases. Beyond the last order
    it is at most the largest loss divided by that order.
    """
    below = float(log_moments[0] / (orders[0] - 1.0))
    left, right, at_left = orders[:-1], orders[1:], log_moments[:-1]
    slope = (log_moments[1:] - at_left) / (right - left)
    constant = at_left - slope * left
    best = max(below, largest_loss / float(orders[-1]), float((log_moments / (orders * (orders - 1.0))).max()))
    # (p + q a) / (a² − a) has derivative 0 where q a² + 2 p a − p = 0.
    discriminant = np.sqrt(np.maximum(constant * (constant + slope), 0.0))
    for root in ((-constant + discriminant), (-constant - discriminant)):
        with np.errstate(divide="ignore", invalid="ignore"):
            level = root / slope
        inside = (level > left) & (level < right)
        at = np.where(inside, level, right)
        best = max(best, float(((constant + slope * at) / (at * (at - 1.0))).max()))
    return best


def orders_up_to(furthest: float, tolerance: float) -> Floats:
    """Return orders 1 + sinh²(k √tolerance), k = 1, 2, …, up to the first that is at least `furthest`.

    Between them, chords of a (a − 1) have a relative excess of about `tolerance`.
    """
    step = math.sqrt(tolerance)
    last = math.ceil(math.asinh(math.sqrt(max(furthest, 2.0))) / step)
    orders: Floats = 1.0 + np.sinh(step * np.arange(1.0, last + 1.0)) ** 2
    return orders


def _largest_ratio(w: float) -> float:
    """Return R(w) = (sinh w cosh w − w) / (w cosh w − sinh w), which increases from 2 at w = 0."""
    if w < 1e-2:
        return 2.0
    return (math.sinh(w) * math.cosh(w) - w) / (w * math.cosh(w) - math.sinh(w))
