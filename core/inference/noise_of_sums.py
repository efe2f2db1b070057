"""The law of the noise in a sum of K noisy counts: what the noisy sum says about the sum of the K true counts.

Laws are ln P(Σ z = d) up to a constant, and log-concave. All terms that are added are positive, so values far out keep
their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.inference.prior_weights import log_prior_weight

Floats = NDArray[np.float64]
LogLaw = Callable[[Floats], Floats]

_DEPTH: Final = 60.0
"""A law is tabled to this number of nats below its value at its centre, as it is evaluated many times."""
_POWERS_BEYOND: Final = 4
"""Number of values beyond the reach of a law that bounds on its tails need: they are in the table, too."""
_MAX_TABLE_LENGTH: Final = 1 << 20
_CANCELS_BELOW: Final = 3.0
_MIN_SMOOTH_SCALE: Final = 1.9
"""Parameter σ from which sums of discrete Gaussian noises are discrete Gaussian, up to a relative 1e-14."""
_DEVIATIONS: Final = 9.5
"""Number of standard deviations beyond which Gaussian weights are negligible."""
_VALUES_AT_ONCE: Final = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class LawOfSum:
    """ln P(Σ z = d), up to a constant, for an array of d, largest near `centre`. `is_exact` if there is no noise."""

    log_law: LogLaw
    centre: int = 0
    is_exact: bool = False

    @property
    def reach(self) -> int:
        """Return a distance from the centre at which the law has fallen by a factor of e^50, at most twice the least
        one.
        """
        far = 1
        if self.is_exact:
            return 0
        while float(np.ptp(self.log_law(self.centre + np.array([0.0, -far])))) < 50.0:
            far *= 2
        return far


def law_of_sum(law: str, scales: Floats) -> LawOfSum | None:
    """Return the law of a sum of independent noises of one `law` with these scales; None if it has no formula.

    `law` and scales are those of `core.inference.published.Noise`.
    """
    size, scale = scales.size, float(scales[0])
    if law == "none":
        return LawOfSum(np.zeros_like, is_exact=True)
    if law == "gaussian" or (law == "discrete_gaussian" and float(scales.min()) >= _MIN_SMOOTH_SCALE):
        variance = float(np.sum(np.square(scales)))
        return LawOfSum(lambda d: np.square(d) / (-2.0 * variance))
    if not (scales == scale).all():
        return None
    match law:
        case "geometric":
            return _law_of_geometric_sum(size, scale)
        case "floored_laplace":
            return _floored_laplace(size, scale)
        case "laplace":
            return _density_of_laplace_sum(size, scale)
        case "discrete_gaussian":
            return _discrete_gaussian(size, scale)
        case _:
            return None


@lru_cache(maxsize=256)
def _law_of_geometric_sum(size: int, scale: float) -> LawOfSum:
    """Return the law of a sum of noises with P(z) ∝ e^(−|z| / scale).

    With q = e^(−1/scale), by Pfaff's transformation of a hypergeometric series, it is at z >= 0 proportional to

        q^z C(z + K − 1, K − 1) Σ_(i < K) C(K − 1, i) (K)_i / (z + 1)_i w^i,  w = q² / (1 − q²),

    where (x)_i = x (x + 1) … (x + i − 1).
    """
    if size == 1:
        return LawOfSum(lambda d: np.abs(d) / -scale)
    w = math.exp(-2.0 / scale) / -math.expm1(-2.0 / scale)

    def log_law(d: Floats) -> Floats:
        z = np.abs(np.asarray(d, dtype=np.float64))
        found, logs = np.ones(z.shape), np.zeros(z.shape)
        for i in range(size - 2, -1, -1):
            ratio = w * (size + i) * (size - 1 - i) / (i + 1.0)
            found = found * (ratio / (z + (1.0 + i))) + np.exp(-logs)
            if i % 16 == 0 and found.max(initial=0.0) > 1.0:
                logs, found = logs + np.log(found), np.ones(z.shape)
        return np.asarray(log_prior_weight(float(size), z, anchor=0.0) - z / scale + np.log(found) + logs)

    return _tabulate_law(LawOfSum(log_law), partial(_geometric_table, size, scale))


def _geometric_table(size: int, scale: float, log_law: LogLaw, most: int) -> Floats:
    """Return the law at −most, …, most in one pass downward from its values at `most` and above.

    With D(z) = L(z − 1) − L(z) and e = 1 − q,

        q (z + K − 1) D(z) = e² z L(z) + q (z − K + 1) D(z + 1).

    At small scales and z < K its right side cancels, and the same recurrence for L alone has positive terms.
    """
    q, e = math.exp(-1.0 / scale), -math.expm1(-1.0 / scale)
    here, above = log_law(np.array([most, most + 1.0])).tolist()
    value, step = 1.0, -math.expm1(above - here)
    following = math.exp(above - here)
    values = [value]
    for z in range(most, 0, -1):
        if z >= size or scale >= _CANCELS_BELOW:
            step = (e * e * z * value + q * (z - size + 1) * step) / (q * (z + size - 1))
            value, following = value + step, value
        else:
            before = ((1.0 + q * q) * z * value + q * (size - 1 - z) * following) / (q * (z + size - 1))
            value, following = before, value
        values.append(value)
    logs = np.log(np.array(values)) + here
    return np.concatenate([logs, logs[-2::-1]])


@lru_cache(maxsize=256)
def _floored_laplace(size: int, scale: float) -> LawOfSum:
    """Return the law of a sum of noises ⌊Laplace⌋.

    The generating function of one is that of geometric noise times (1 + 1/x)/2. So the sum is that of geometric noises,
    less the number of heads of K coins.
    """
    if size == 1:
        return LawOfSum(lambda d: np.where(d >= 0.0, d, -1.0 - d) / -scale)
    geometric, heads = _law_of_geometric_sum(size, scale).log_law, np.arange(size + 1.0)
    log_odds = special.gammaln(size + 1.0) - special.gammaln(heads + 1.0) - special.gammaln(size - heads + 1.0)

    def log_law(d: Floats) -> Floats:
        parts = np.array_split(np.asarray(d, dtype=np.float64), max(1, d.size * heads.size // _VALUES_AT_ONCE))
        terms = (geometric((part[:, None] + heads).ravel()).reshape(part.size, -1) + log_odds for part in parts)
        return np.concatenate([special.logsumexp(each, axis=1) for each in terms])

    return _tabulate_law(LawOfSum(log_law, -size // 2))


def _density_of_laplace_sum(size: int, scale: float) -> LawOfSum:
    """Return the density of a sum of Laplace noises: with x = |d| / scale,

    e^(−x) Σ_(i < K) C(K − 1, i) (K + i − 1)! / (K − 1)! x^(K − 1 − i) / 2^i, up to a constant.
    """
    i = np.arange(float(size))
    coefficients = special.gammaln(size + i) - special.gammaln(i + 1.0) - special.gammaln(size - i) - i * math.log(2.0)

    def log_law(d: Floats) -> Floats:
        x = np.abs(np.asarray(d, dtype=np.float64)) / scale
        with np.errstate(divide="ignore"):
            terms = special.xlogy(size - 1.0 - i, x[:, None]) + coefficients
        return np.asarray(special.logsumexp(terms, axis=1) - x)

    return LawOfSum(log_law)


@lru_cache(maxsize=256)
def _discrete_gaussian(size: int, scale: float) -> LawOfSum:
    """Return the law of a sum of noises with P(z) ∝ e^(−z² / 2σ²), for small σ.

    K integers with the sum d are d/K each, and deviations of sum 0. So the law is e^(−d² / 2Kσ²) times a factor that
    depends on d mod K alone: the probability of the sum r if each integer x has the weight e^(−(x − r/K)² / 2σ²).
    """
    if size == 1:
        return LawOfSum(lambda d: np.square(d) / (-2.0 * scale**2))
    points = np.arange(-math.ceil(_DEVIATIONS * scale + 1.0), math.ceil(_DEVIATIONS * scale + 1.0) + 1.0)
    turns = 2 * math.ceil(_DEVIATIONS * (scale + 0.5) * math.sqrt(size)) + 8
    angles = 2.0 * math.pi * np.arange(turns) / turns
    waves = np.exp(1j * np.outer(points, angles))
    halves = np.empty(size // 2 + 1)
    for rest in range(halves.size):
        weights = np.exp(-np.square(points - rest / size) / (2.0 * scale**2))
        halves[rest] = float(np.real(np.sum((weights @ waves) ** size * np.exp(-1j * rest * angles))))
    rests = np.arange(size)
    logs = np.log(halves)[np.minimum(rests, size - rests)]
    return LawOfSum(lambda d: np.square(d) / (-2.0 * size * scale**2) + logs[np.asarray(d).astype(np.int64) % size])


def _tabulate_law(law: LawOfSum, table_of: Callable[[LogLaw, int], Floats] | None = None) -> LawOfSum:
    """Return the same law, with its values near the centre in a table."""
    powers = 2.0 ** np.arange(64.0)
    falls = float(law.log_law(np.array([float(law.centre)]))[0]) - law.log_law(law.centre - powers)
    most = int(powers[np.argmax(falls > _DEPTH)]) + _POWERS_BEYOND
    if most > _MAX_TABLE_LENGTH:
        return law
    low = law.centre - most
    table = law.log_law(low + np.arange(2.0 * most + 1.0)) if table_of is None else table_of(law.log_law, most)

    def log_law(d: Floats) -> Floats:
        places = np.asarray(d, dtype=np.float64) - low
        inside = (places >= 0.0) & (places < table.size)
        found = table[np.where(inside, places, 0.0).astype(np.int64)]
        if not inside.all():
            found[~inside] = law.log_law(np.asarray(d, dtype=np.float64)[~inside])
        return found

    return LawOfSum(log_law, law.centre)
