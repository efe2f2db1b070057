"""Ratios of gamma functions for posteriors close to each other, to full relative precision.

A difference of values of lnΓ loses all digits where it matters. At an argument of 1e7 the affinity of two neighbouring
posteriors differs from 1 by 1e-8, less than the rounding of lnΓ itself. These ratios start from Stirling's formula,

    lnΓ(z) = (z − ½) ln z − z + ½ ln 2π + R(z),

and cancel its large parts by algebra. What remains are logarithms of ratios and differences of the small remainder R.
Quantiles of Beta distributions also keep their digits up to 2^53 records.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

OUTWARD: Final = 1 + 1e-9
"""Factor of an upper bound: far above the rounding of the preceding operations, 1e-12 relative."""


# Argument from which both asymptotic series are used; their first omitted term is then below 4e-17.
_SERIES_FROM: Final = 8

# Up to this size, SciPy's incomplete beta function has ten digits at equal parameters.
_EQUAL_UP_TO: Final = 2.0**20

# a + b from which expansions give more digits of quantiles of Beta(a, b) than SciPy's inverse. That loses some digits
# from about 1e11 and all at 2^53.
_MIN_EXPANDED_SUM: Final = 1e12

# Smaller parameter below which its gamma distribution is used, and from which the Beta distribution is nearly normal.
_NORMAL_FROM: Final = 1e6

# Deviations from the mean beyond which a tail is below e^-700.
_FURTHEST_DEVIATIONS: Final = 40.0

# Number of values computed at once.
_BLOCK: Final = 4096

# Logit at which x or 1 − x is 4e-44, negligible relative to 1 even times 2^53.
_ONE_POWER_FROM: Final = 100.0

_LEAST_ABOVE_MINUS_ONE: Final = -1.0 + 2.0**-53

# B_2k / (2k (2k − 1)), k = 1, 2, …: R(z) = Σ of these over z^(2k − 1).
_STIRLING: Final = (
    *(1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188),
    *(-691 / 360360, 1 / 156, -3617 / 122400, 43867 / 244188, -174611 / 125400),
)

# The same terms times 2^(1 − 2k) − 2, since B_j(½) = (2^(1 − j) − 1) B_j.
_HALF_STEP: Final = tuple(term * (2.0 ** (1 - 2 * k) - 2.0) for k, term in enumerate(_STIRLING, start=1))


def unequal(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Return b, or the next larger float if b is large and equal to a. SciPy's incomplete beta function and its inverse
    need this.

    At a = b SciPy uses 4x(1 − x), which is near 1 in the bulk and rounds away the digits of x − ½. The function is then
    off by 4e-5 at a = b = 2^39, and by 0.3 at 2^52.
    """
    b = np.asarray(b, dtype=np.float64)
    return np.where((b == np.asarray(a)) & (b > _EQUAL_UP_TO), np.nextafter(b, np.inf), b)


def beta_quantile(a: ArrayLike, b: ArrayLike, tail: ArrayLike, *, upper: bool = False) -> NDArray[np.float64]:
    """Return the x with P(θ <= x) = `tail` in (0, 1), or P(θ > x) = `tail` if `upper`, for θ ~ Beta(a, b), a, b > 0.

    All arguments broadcast. Below a + b = 1e12 the error is that of SciPy's inverse, 2e-4 standard deviations. From
    there on, apart from the rounding of x, it is 1e-8 standard deviations for tails of at least 1e-6, and 1e-6 for
    tails of 1e-13.
    """
    first, second, tails = (np.asarray(each, dtype=np.float64) for each in (a, b, tail))
    inverse = special.betainccinv if upper else special.betaincinv
    found = np.asarray(inverse(first, unequal(first, second), tails), dtype=np.float64)
    large = first + second >= _MIN_EXPANDED_SUM
    if large.any():
        first, second, tails, large = np.broadcast_arrays(first, second, tails, large)
        found[large] = _quantile_of_large(first[large], second[large], tails[large], upper=upper)
    return found


def beta_quantile_of(a: float, b: float, tail: float, *, upper: bool = False) -> float:
    """Return `beta_quantile` of plain numbers. For a few of them arrays would take several times as long."""
    if a + b >= _MIN_EXPANDED_SUM:
        return float(beta_quantile(a, b, tail, upper=upper))
    inverse = special.betainccinv if upper else special.betaincinv
    return float(inverse(a, math.nextafter(b, math.inf) if a == b > _EQUAL_UP_TO else b, tail))


def beta_tail(a: ArrayLike, b: ArrayLike, x: ArrayLike, *, upper: bool = False) -> NDArray[np.float64]:
    """Return P(θ <= x), or P(θ > x) if `upper`, for θ ~ Beta(a, b), a, b > 0, at x in [0, 1]. All arguments broadcast.

    Below a + b = 1e12 SciPy's function is used. Above, that function takes up to a millisecond, and from about 1e15 it
    is sometimes NaN. Expansions are used there, which are exact to 1e-8 at the rounded x.
    """
    first, second, at = (np.asarray(each, dtype=np.float64) for each in (a, b, x))
    large = first + second >= _MIN_EXPANDED_SUM
    if large.any():
        first, second, at = np.broadcast_arrays(first, second, at)
        large = first + second >= _MIN_EXPANDED_SUM
        found = np.empty(at.shape)
        found[large] = _tail_of_large(first[large], second[large], at[large], upper=upper)
        if not large.all():
            found[~large] = beta_tail(first[~large], second[~large], at[~large], upper=upper)
        return found
    integral = special.betaincc if upper else special.betainc
    return np.asarray(integral(first, unequal(first, second), at), dtype=np.float64)


def _tail_of_large(
    a: NDArray[np.float64], b: NDArray[np.float64], x: NDArray[np.float64], *, upper: bool
) -> NDArray[np.float64]:
    """Return `beta_tail` for large a + b, by inverting the expansions of `_quantile_of_large`."""
    total = a + b
    p, q = a / total, b / total
    variance = total * p * q
    skewness, excess = 2.0 * (q - p) / np.sqrt(variance), 6.0 * ((q - p) ** 2 - p * q) / variance
    t = (x - p) / np.sqrt(p * q / (total + 1.0))
    # The tail is negligible beyond this range, where the expansion is not valid.
    t = np.clip(t, -_FURTHEST_DEVIATIONS, _FURTHEST_DEVIATIONS)
    z = (
        t
        - (t**2 - 1.0) * skewness / 6.0
        - (t**3 - 3.0 * t) * excess / 24.0
        + (4.0 * t**3 - 7.0 * t) * skewness**2 / 36.0
    )
    found: NDArray[np.float64] = np.asarray(special.ndtr(-z if upper else z), dtype=np.float64)
    for few, many, share, of_rest in ((a, b, x, False), (b, a, 1.0 - x, True)):
        small = few < _NORMAL_FROM
        integral = special.gammaincc if upper != of_rest else special.gammainc
        with np.errstate(divide="ignore"):
            point = -np.log1p(-share[small]) * (many[small] + 0.5 * (few[small] - 1.0))
        found[small] = integral(few[small], point)
    return found


def _quantile_of_large(
    a: NDArray[np.float64], b: NDArray[np.float64], tail: NDArray[np.float64], *, upper: bool
) -> NDArray[np.float64]:
    """Return `beta_quantile` for large a + b, by one of two expansions.

    If min(a, b) is small, θ or 1 − θ is 1 − exp(−G / (b + (a − 1)/2)), G ~ Gamma(a), with an error of order (a / b)²
    (Wise 1950, Biometrika 37). Otherwise the expansion of Cornish and Fisher to the second order is used, with skewness
    and excess kurtosis. Its next term is of the order of the skewness cubed: at most 8e-9.
    """
    total = a + b
    p, q = a / total, b / total
    z = special.ndtri(tail) * (-1.0 if upper else 1.0)
    variance = total * p * q
    skewness, excess = 2.0 * (q - p) / np.sqrt(variance), 6.0 * ((q - p) ** 2 - p * q) / variance
    steps = z + (z**2 - 1.0) * skewness / 6.0 + (z**3 - 3.0 * z) * excess / 24.0
    steps -= (2.0 * z**3 - 5.0 * z) * skewness**2 / 36.0
    found: NDArray[np.float64] = p + np.sqrt(p * q / (total + 1.0)) * steps
    for few, many, of_rest in ((a, b, False), (b, a, True)):
        small = few < _NORMAL_FROM
        inverse = special.gammainccinv if upper != of_rest else special.gammaincinv
        share = -np.expm1(-inverse(few[small], tail[small]) / (many[small] + 0.5 * (few[small] - 1.0)))
        found[small] = 1.0 - share if of_rest else share
    return found


def beta_kernel(a: ArrayLike, b: ArrayLike, logit: ArrayLike) -> NDArray[np.float64]:
    """Return x^a (1 − x)^b / B(a, b), the density of the logit of θ ~ Beta(a, b), at the logit of x.

    All arguments broadcast.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    kernel: NDArray[np.float64] = np.exp(
        log_beta_kernel(first, second, log_scale(first, second, first + second), np.asarray(logit, dtype=np.float64))
    )
    return kernel


def log_beta_kernel(
    a: NDArray[np.float64], b: NDArray[np.float64], scale: NDArray[np.float64], logit: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ln(x^a (1 − x)^b / B(a, b)), given any finite logit of x and `scale` = log_scale(a, b, a + b). All
    arguments broadcast.

    A difference of values of lnΓ at 10^16 would have no digits. The large parts of lnB and of the powers are therefore
    cancelled by algebra. Beyond logits of ±100 only one power matters; the other is 1 to within 1e-27.
    """
    total = a + b
    near = np.clip(logit, -_ONE_POWER_FROM, _ONE_POWER_FROM)
    x, rest = special.expit(near), special.expit(-near)
    here, there = total * x, total * rest
    # Both logarithms use one difference, from the smaller two numbers: its rounding cancels in their sum.
    difference = np.where(x < 0.5, a - here, there - b)
    # If a difference rounds to −1 the kernel is zero.
    divergence = a * np.log1p(np.maximum(difference / here, _LEAST_ABOVE_MINUS_ONE))
    divergence += b * np.log1p(np.maximum(-difference / there, _LEAST_ABOVE_MINUS_ONE))
    powers: NDArray[np.float64] = a * np.minimum(logit + _ONE_POWER_FROM, 0.0)
    powers -= b * np.maximum(logit - _ONE_POWER_FROM, 0.0)
    return scale - divergence + powers


def beta_tail_at_logit(
    a: NDArray[np.float64], b: NDArray[np.float64], logit: NDArray[np.float64], *, upper: bool = False
) -> NDArray[np.float64]:
    """Return P(θ <= x), or P(θ > x) if `upper`, for θ ~ Beta(a, b), given any finite logit of x. All arguments
    broadcast.

    Both tails keep their digits if x or 1 − x is below the smallest float. There P(θ <= x) = x^a / (a B(a, b)) to
    within 1e-27.
    """
    a, b, logit = np.broadcast_arrays(a, b, logit)
    is_low, is_far = logit < 0.0, np.abs(logit) > _ONE_POWER_FROM
    found = np.empty(logit.shape)
    for side, first, second, sign in ((is_low, a, b, 1.0), (~is_low, b, a, -1.0)):
        small = upper == (sign < 0.0)  # the tail beyond x on its own side
        close = side & ~is_far
        found[close] = beta_tail(first[close], second[close], special.expit(sign * logit[close]), upper=not small)
        far = side & is_far
        if far.any():
            tail = beta_kernel(first[far], second[far], sign * logit[far]) / first[far]
            found[far] = tail if small else 1.0 - tail
    return found


def log_scale(
    a: NDArray[np.float64], b: NDArray[np.float64], total: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return ½ ln(ab / (2πN)) + R(N) − R(a) − R(b), N = a + b, with R the remainder of Stirling's formula.

    It is −lnB(a, b) without the large parts of Stirling's formula. Its time depends on the arguments, which must be
    public.
    """
    remainder = _public_remainder(total) - _public_remainder(a) - _public_remainder(b)
    scale: NDArray[np.float64] = 0.5 * np.log(a * (b / total) / (2.0 * math.pi)) + remainder
    return scale


def stirling_remainder(z: ArrayLike) -> NDArray[np.float64]:
    """Return the remainder of Stirling's formula, R(z) = lnΓ(z) − (z − ½) ln z + z − ½ ln 2π, for z > 0.

    The error is 2e-15, relative where R exceeds 1. Source: DLMF 5.11.1, and R(z) = R(z + 1) + (z + ½) ln(1 + 1/z) − 1
    below 8.
    """
    steps, argument = _raise_arguments(z)
    added = (steps + 0.5) * np.log1p(1.0 / steps) - 1.0
    return np.asarray(_odd_series(_STIRLING, argument) + sum(np.where(steps < _SERIES_FROM, added, 0.0)))


def _public_remainder(z: ArrayLike) -> NDArray[np.float64]:
    """Return `stirling_remainder`. Only the arguments below 8 take the steps of its recurrence."""
    argument = np.asarray(z, dtype=np.float64)
    few = argument < _SERIES_FROM
    found = np.asarray(_odd_series(_STIRLING, np.where(few, _SERIES_FROM, argument)))
    found[few] = stirling_remainder(argument[few])
    return found


def log_half_step(t: ArrayLike) -> NDArray[np.float64]:
    """Return ln g(t), g(t) = Γ(t + ½) / sqrt(Γ(t) Γ(t + 1)), for t > 0. It is negative, increases to 0, and is concave.

    If one record moves from category i to j, the affinity of the two posteriors is g(α_i + c_i − 1) g(α_j + c_j). The
    result is exact to 1e-14 relative. Source: g(t)² = g(t + 1)² / (1 + 1 / (4 t (t + 1))) below 8, DLMF 5.11.8 from
    there.
    """
    steps, argument = _raise_arguments(t)
    added = 0.5 * np.log1p(0.25 / (steps * (steps + 1.0)))
    return np.asarray(_odd_series(_HALF_STEP, argument) - sum(np.where(steps < _SERIES_FROM, added, 0.0)))


def _raise_arguments(z: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the arguments of a recurrence that moves z to at least 8.

    The first array has z, z + 1, …, z + 7 on a new first axis; the second is the first of z, z + 1, … that is >= 8.
    Only arguments below 8 need these steps, but they are computed for all, because `z` may be private and must not
    affect the time.
    """
    argument = np.asarray(z, dtype=np.float64)
    steps = argument + np.arange(float(_SERIES_FROM)).reshape(-1, *(1,) * argument.ndim)
    return steps, argument + np.maximum(0.0, np.ceil(_SERIES_FROM - argument))


def log_affinity(alpha: ArrayLike, count: ArrayLike, other: ArrayLike) -> NDArray[np.float64]:
    """Return h = lnΓ(α + (c + t)/2) − ½ lnΓ(α + c) − ½ lnΓ(α + t) <= 0, one category's term of the log affinity of two
    posteriors.

    `alpha` > 0, `count` = c >= 0 and `other` = t >= 0 broadcast; c and t need not be integers. h is 0 at t = c, and
    exact to 1e-13 relative for arguments up to 1e15, because only the exact difference of c and t enters.
    """
    prior, c, t = (np.asarray(values, dtype=np.float64) for values in (alpha, count, other))
    # Often many t share one c.
    arguments = np.broadcast_arrays(prior, c, t, stirling_remainder(prior + c))
    if arguments[0].size <= _BLOCK:
        with np.errstate(divide="ignore"):
            return _log_affinity_of_block(*(each.ravel() for each in arguments)).reshape(arguments[0].shape)
    logarithm = np.empty(arguments[0].shape)
    # A block with all intermediate values stays in the processor's cache.
    blocks = np.nditer(
        [logarithm, *arguments],
        flags=["external_loop", "buffered", "zerosize_ok"],
        op_flags=[["writeonly"], ["readonly"], ["readonly"], ["readonly"], ["readonly"]],
        buffersize=_BLOCK,
    )
    with blocks, np.errstate(divide="ignore"):
        for block, *values in blocks:
            block[...] = _log_affinity_of_block(*values)
    return logarithm


def _log_affinity_of_block(
    prior: NDArray[np.float64], c: NDArray[np.float64], t: NDArray[np.float64], remainder: NDArray[np.float64]
) -> NDArray[np.float64]:
    half = 0.5 * (t - c)
    middle, first, second = prior + 0.5 * (c + t), prior + c, prior + t
    u = half / middle
    # With u = half/middle the large parts of the three Stirling formulas sum to −½ (middle − ½) ln(1 − u²) −
    # half·atanh(u). Near |u| = 1 the rounding of u matters; the smaller of c and t, and a ratio, avoid it. Both forms
    # are computed for all, so that the time does not depend on c.
    far = np.abs(u) >= 0.5
    log_one_minus_square = np.where(far, np.log(first / middle) + np.log(second / middle), np.log1p(-u * u))
    area = np.where(far, 0.5 * np.log(second / first), np.arctanh(u))
    large = -0.5 * (middle - 0.5) * log_one_minus_square - half * area
    small = stirling_remainder(middle) - 0.5 * (remainder + stirling_remainder(second))
    return np.where(half == 0.0, 0.0, large + small)


def log_affinity_terms(alpha: float, count: int, low: int, high: int) -> NDArray[np.float64]:
    """Return h(t) of `log_affinity` for t = low, …, high at one category (α, c), 0 <= low <= high, shape (high − low
    + 1,).
    """
    return log_affinity(alpha, count, np.arange(low, high + 1, dtype=np.float64))


def _odd_series(coefficients: tuple[float, ...], z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Σ_k coefficients[k] / z^(2k + 1)."""
    inverse = 1.0 / z
    square = inverse * inverse
    total = np.zeros_like(z)
    for coefficient in reversed(coefficients):
        total = total * square + coefficient
    return total * inverse
