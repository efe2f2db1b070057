"""Computes the weights of the candidates in small spaces, and the effect of their rounding on the loss.

A candidate is drawn with a probability in exact proportion to its floating-point weight e^{−κH} +
e^{−L}, by integer arithmetic. If each ln weight has an error of at most ξ, ln P has one of 2ξ and a loss one of 4ξ. ξ
is the sum of two errors: exp, the addition and a last rounding, 2⁻⁵⁰; and the relative error of κH, 4·10⁻¹², times sup
tφ'.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.candidates import log_affinities, log_candidate_count
from core.mechanisms.exponential.bounds import steepest_exponent

_UNAIDED_RATE: Final = 16.0
"""Largest κ without an admixture: exponents are small."""

_UNIFORM_SHARE: Final = 14.0
"""L = ln|R| + 14: the uniform component then takes at most e^{−14} < 1e-6 of the probability."""

_EXPONENT_ERROR: Final = 4e-12
"""Bound on the relative error of a computed κ_c·H: 1e-12 each for S, ln BC and the operations on them, and one more as
margin.
"""


def admixture_for(n: int, m: int, largest_rate: float) -> float | None:
    """Return the public L for which e^{−L} is added to every weight, or None if κ is small enough without it."""
    return None if largest_rate <= _UNAIDED_RATE else log_candidate_count(n, m) + _UNIFORM_SHARE


def weights(
    prior: tuple[float, ...], counts: NDArray[np.int64], rate: float, uniform_admixture: float | None
) -> NDArray[np.float64]:
    """Return e^{−κH} + e^{−L} for each candidate in lexicographic order, shape (|R|,), with κ = `rate`. The weights are
    private.

    `prior` and `counts` have shape (m,). Requires an enumerable space. L may be None only if κ <= 16.
    """
    added = 0.0 if uniform_admixture is None else math.exp(-uniform_admixture)
    return np.asarray(np.exp(-rate * np.sqrt(-np.expm1(log_affinities(prior, counts)))) + added)


def rounding_slack(largest_rate: float, uniform_admixture: float | None) -> float:
    """Return a bound on the loss that the rounding of computed weights adds.

    If each log weight has an error of at most ξ, the log-normaliser does too, and a loss contains four of these. ξ
    consists of the errors of the exponents, of exp, and of the addition.
    """
    return exponent_slack(largest_rate, uniform_admixture) + 4 * 2.0**-50


def exponent_slack(largest_rate: float, uniform_admixture: float | None) -> float:
    """Return the part of `rounding_slack` that comes from the relative error of the exponents κ_c·H."""
    return 4 * _EXPONENT_ERROR * steepest_exponent(largest_rate, uniform_admixture)
