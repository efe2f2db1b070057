"""The laws of noise that tables share by their largest size: of one label, of a set of labels, of all at once, and rho.

`core.samplers.max_norm` has the noise. Every formula here is a sum of positive terms. P(z_S) of one table is in
proportion to g(|z_S|), g(r) = Σ_{R >= r} e^(−rate R) Π_{T≠S} N_T(R). Covariances between tables are 0, and within a
table −v / d, so the sum of j of its k = d + 1 labels has the variance v j (k − j) / d.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.renyi import rho_of_three_losses

Floats = NDArray[np.float64]

LEFT_OUT: Final = 45.0
"""Radii are left out if their total probability is below e to the minus this."""
_MAX_WORK: Final = 2**26
"""Largest number of radii times the square of the dimension of a table."""
_MAX_RADII: Final = 2**22
"""Largest number of radii, at which a law takes a second and 0.3 GB."""
MAX_LABELS_OF_SETS: Final = 40
"""Largest number of labels of a table whose sets of several labels have a law here."""


class LawError(ValueError):
    """The law would take too long to compute."""


@dataclass(frozen=True, slots=True)
class MaxNormNoise:
    """The noise of tables with d + 1 labels each, for the `dimensions` d >= 1, with P(z) ∝ e^(−rate · max |z_S|).

    Raises LawError if there are too many radii.
    """

    dimensions: tuple[int, ...]
    rate: float

    def __post_init__(self) -> None:
        if self.radii > min(_MAX_RADII, _MAX_WORK // max(self.dimensions) ** 2):
            raise LawError("the noise is so wide that its law takes too long to compute")

    @property
    def radii(self) -> int:
        """Return the number of radii 0, 1, … outside which nothing is left."""
        size = sum(self.dimensions) + 1
        return int((size + 10 * math.sqrt(size) + LEFT_OUT) / self.rate) + 2

    def log_tails(self, d: int) -> Floats:
        """Return ln g(r) up to a constant, r = 0, 1, …: of the probability of a vector of size r, at dimension d."""
        logs = self._log_weights(d)
        peak = logs.max()
        return np.asarray(_log(np.cumsum(np.exp(logs - peak)[::-1])[::-1]))

    def variance(self, d: int) -> float:
        """Return v, the variance of one label of a table of dimension d."""
        law = self.law(d, 1)
        return float((np.arange(law.size, dtype=np.float64) ** 2 * law).sum())

    def law(self, d: int, labels: int) -> Floats:
        """Return P(S = 0), P(|S| = 1), … for the sum S of the noise of this many labels, 0 < `labels` <= d, of a table
        of dimension d.

        Raises LawError for several labels of a table of more than 40.
        """
        return _law(self, d, min(labels, d + 1 - labels))

    def largest(self) -> Floats:
        """Return P(N = 0), P(N = 1), … for the largest size N. Every set of labels of every table is within N."""
        return _law_of_largest(self)

    def rho(self) -> float:
        """Return the rho of one record, rounded up: it moves every table by the size 1.

        The loss is `rate`, 0 or −`rate`. On the shell of radius R, N_d − N_{d−1} of the vectors within R stay within it
        after the change, and the total variation is T = 1 − Σ e^(−rate R) Π (N_d − N_{d−1}) / Σ e^(−rate R) Π N_d.
        """
        logs = self.log_balls() - self.rate * np.arange(self.radii)
        weights = np.exp(logs - logs.max())
        kept = np.zeros(self.radii)
        for d, times in Counter(self.dimensions).items():
            kept += times * _log(-np.expm1(_log_ball(d - 1, self.radii) - _log_ball(d, self.radii)))
        total_variation = float((weights * -np.expm1(kept)).sum() / weights.sum())
        return rho_of_three_losses(self.rate, total_variation / -math.expm1(-self.rate))

    def log_balls(self) -> Floats:
        """Return ln Π N_d(R) for each radius R, where N_d(R) counts the noise vectors of a table of dimension d within
        R.
        """
        balls = [times * _log_ball(d, self.radii) for d, times in Counter(self.dimensions).items()]
        return np.asarray(np.sum(balls, axis=0))

    def _log_weights(self, d: int) -> Floats:
        """Return ln(e^(−rate R) Π N_T(R)) for each radius R, where the product leaves out one table of dimension d."""
        return self.log_balls() - _log_ball(d, self.radii) - self.rate * np.arange(self.radii)


def _log(x: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x))


@lru_cache(maxsize=16)
def _log_ball(d: int, radii: int) -> Floats:
    """Return ln N_d(R) for R = 0, 1, … below `radii`: N_d(R) = Σ_j C(d, j)² C(R − j + d, d)."""
    logs = _log_choices(radii, d)
    found = logs.copy()
    for j in range(1, min(d, radii - 1) + 1):
        found[j:] = np.logaddexp(found[j:], 2 * math.log(math.comb(d, j)) + logs[:-j])
    return found


def _log_choices(size: int, d: int) -> Floats:
    """Return ln C(r + d, d) for r = 0, 1, … below `size`."""
    r, logs = np.arange(size, dtype=np.float64), np.zeros(size)
    for i in range(1, d + 1):
        logs += np.log1p(r / i)
    return logs


@lru_cache(maxsize=16)
def _law_of_largest(noise: MaxNormNoise) -> Floats:
    logs = noise.log_balls()
    inner = np.concatenate(([-np.inf], logs[:-1]))
    logs = logs - noise.rate * np.arange(logs.size) + _log(-np.expm1(inner - logs))
    found = np.exp(logs - logs.max())
    return np.asarray(found / found.sum())


@lru_cache(maxsize=64)
def _law(noise: MaxNormNoise, d: int, labels: int) -> Floats:
    if labels == 1:
        logs = _log_law_of_one(noise.log_tails(d), d)
    elif d < MAX_LABELS_OF_SETS:
        logs = _log_law_of_set(noise, d, labels)
    else:
        raise LawError(f"only tables of up to {MAX_LABELS_OF_SETS} labels have laws of several labels together")
    found = np.exp(logs - logs.max())
    found[1:] *= 2.0
    return np.asarray(found / found.sum())


def _log_law_of_one(tails: Floats, d: int) -> Floats:
    """Return ln P(z_1 = t) up to a constant: C(t + d − 1, d − 1) g(t) + Σ_b C(d, b) (T^b G_b)(t + b), with 0 < b < d,
    G_b(r) = C(r + d − b − 1, d − b − 1) g(r), and T the reversed cumulative sum.
    """
    found = _log_choices(tails.size, d - 1) + tails
    for b in range(1, d):
        logs = _log_choices(tails.size, d - b - 1) + tails
        peak = logs.max()
        sums = np.exp(logs - peak)
        for _ in range(b):
            sums = np.cumsum(sums[::-1])[::-1]
        logs = np.full(tails.size, -np.inf)
        logs[:-b] = _log(sums[b:]) + peak + math.log(math.comb(d, b))
        found = np.logaddexp(found, logs)
    return np.asarray(found)


def _log_law_of_set(noise: MaxNormNoise, d: int, labels: int) -> Floats:
    """Return ln P(sum of the labels = t) up to a constant.

    Vectors of Z^j with the positive part t + i and the negative part i are f_j(t, i) in number: C(t + j − 1, j − 1) for
    i = 0, else Σ_a A_ja(t) C(i − 1, a). Sums over i of both groups of labels are sums over r of g(r) C(r − t − 1, n −
    1), and hence (T^n g)(t + n).
    """
    tails = noise.log_tails(d)
    step = min(noise.rate, 1.0)
    logs, inside = _excess(labels, tails.size, step)
    more, outside = _excess(d + 1 - labels, tails.size, step)
    sums, found = np.exp(tails - tails.max()), np.zeros(tails.size)
    for n in range(d):
        pairs = range(max(0, n - len(outside) + 1), min(n, len(inside) - 1) + 1)
        terms = np.sum([inside[a] * outside[n - a] for a in pairs], axis=0)
        found[: tails.size - n] += terms[: tails.size - n] * sums[n:]
        sums = step * np.cumsum(sums[::-1])[::-1]
    return np.asarray(_log(found) + logs + more)


def _excess(j: int, size: int, step: float) -> tuple[Floats, Floats]:
    """Return f_j by its coefficients, scaled: rows n = 0 for i = 0, and n = a + 1 for C(i − 1, a), each at t = 0, 1, …;
    with the logarithm of the scale at each t. Row n has the factor step^(j − 1 − n).
    """
    t, logs = np.arange(size, dtype=np.float64), np.zeros((j, size))
    for e in range(1, j):
        logs[e] = logs[e - 1] + _log(np.maximum(t + 2 - e, 0.0) / e * step)
    scale = logs.max(axis=0)
    return scale, _excess_weights(j, step) @ np.exp(logs - scale)


@lru_cache(maxsize=128)
def _excess_weights(j: int, step: float) -> Floats:
    """Return the weight of C(t + 1, e) step^e in each row of `_excess`, shape (j, j)."""
    exact = [[0] * j for _ in range(j)]
    for e in range(j):
        exact[0][e] = math.comb(j - 2, j - 1 - e) if j > 1 else 1
    for b in range(1, j):  # the labels with a negative number
        p = j - b - 1
        for c in range(p + 1):  # C(t + i + p, p) = Σ_c C(i − 1, c) C(t + 1 + p, p − c)
            for q in range(min(b - 1, c) + 1):  # C(x, b − 1) C(x, c) is a sum of C(x, b − 1 + c − q)
                a = b - 1 + c - q
                times = math.comb(j, b) * math.comb(a, q) * math.comb(a - q, c - q)
                for e in range(p - c + 1):
                    exact[a + 1][e] += times * math.comb(p, p - c - e)
    return np.array([[each * step ** (j - 1 - n - e) for e, each in enumerate(row)] for n, row in enumerate(exact)])
