"""Draws noise of several tables from one radius, exactly and without rejection.

A table of k labels has noise z in Z^k with the sum 0. Let |z| be half the sum of its absolute values, which is an
integer, and d = k − 1. N_d(R) = Σ_j C(d, j)² C(R − j + d, d) vectors have |z| <= R, the crystal ball numbers of the
lattice A_d. The noise of all tables has P(z) ∝ e^(−rate · max over tables of |z|).

It is a mixture of uniform distributions on products of balls: P(z) = Σ_R P(R) [|z| <= R for each table] / Π N_d(R), and
P(R) ∝ e^(−rate R) Π N_d(R). The series Σ_R Π N_d(R) Q^R is W(Q) / (1 − Q)^(D+1), D = Σ d, with positive whole numbers
W_0 … W_D. So R is I plus the total of D + 1 geometric variables, with P(I = i) ∝ W_i e^(−rate i). W is log-concave,
because each factor has real zeros only, and so have such products (Wagner 1992).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.samplers.entropy import Entropy
from core.samplers.geometric import GeometricTotal
from core.samplers.inversion import Inversions, LogConcave
from core.samplers.split import uniform_split, uniform_subset
from core.samplers.uniform import uniform_below

MAX_DIMENSIONS: Final = 1_000
"""Largest D, at which W takes about half a second."""


def max_norm_noise(dimensions: tuple[int, ...], rate: Fraction, entropy: Entropy) -> list[NDArray[np.int64]]:
    """Draw the noise of tables with d + 1 labels each, for the `dimensions` d >= 1: vectors z of sum 0.

    P(z) ∝ e^(−rate · max over tables of |z|). `rate` > 0, and the dimensions sum to at most `MAX_DIMENSIONS`. The
    radius must lie below 2**61, which fails with probability below 2^−64 for a rate of 1e-7 or more.
    """
    if not dimensions or min(dimensions) < 1 or sum(dimensions) > MAX_DIMENSIONS or rate <= 0:
        raise ValueError("the dimensions must be positive and sum to at most 1000, and the rate must be positive")
    offset, total = _radius(dimensions, rate)
    radius = int(offset.draws(1, entropy)[0, 0]) + total.draw(entropy)
    return [uniform_in_ball(each, radius, entropy) for each in dimensions]


@lru_cache(maxsize=16)
def _radius(dimensions: tuple[int, ...], rate: Fraction) -> tuple[Inversions, GeometricTotal]:
    """Return the distributions of the two parts of the radius."""
    weights = radius_weights(dimensions)
    logs = [math.log(each) - float(rate) * place for place, each in enumerate(weights)]
    offset = LogConcave(
        lambda place: (weights[place + 1], weights[place]), rate, logs.index(max(logs)), len(weights) - 1
    )
    return Inversions([offset]), GeometricTotal(rate, len(weights))


@lru_cache(maxsize=16)
def radius_weights(dimensions: tuple[int, ...]) -> tuple[int, ...]:
    """Return W_0, …, W_D: the first D + 1 values of Π N_d(R), differenced D + 1 times."""
    size = sum(dimensions) + 1
    values = [1] * size
    for d, times in Counter(dimensions).items():
        # The series of N_d is Σ_j C(d, j)² Q^j / (1 − Q)^(d+1).
        ball = [math.comb(d, j) ** 2 for j in range(min(d + 1, size))] + [0] * (size - d - 1)
        for _ in range(d + 1):
            ball = list(accumulate(ball))
        values = [value * each**times for value, each in zip(values, ball, strict=True)]
    for _ in range(size):
        values = [values[0], *(after - before for before, after in pairwise(values))]
    assert all(values[i] ** 2 >= values[i - 1] * values[i + 1] for i in range(1, size - 1)), "W is log-concave"
    return tuple(values)


def uniform_in_ball(d: int, radius: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw a uniform vector z of d + 1 integers with sum 0 and |z| <= `radius`; shape (d + 1,).

    N_d(R) counts a j with weight C(d, j)², and a split of R − j into d + 1 parts, of which the last is R − |z|.
    """
    binomial, weights = math.comb(radius + d, d), []
    for j in range(min(d, radius) + 1):
        weights.append(math.comb(d, j) ** 2 * binomial)
        binomial = binomial * (radius - j) // (radius - j + d)
    j = _index(weights, entropy)
    return _uniform_on_shell(d + 1, radius - int(uniform_split(radius - j, d + 1, entropy)[-1]), entropy)


def _uniform_on_shell(k: int, size: int, entropy: Entropy) -> NDArray[np.int64]:
    """Draw a uniform vector of k integers with sum 0 and |z| = `size`.

    C(k, a) C(size − 1, a − 1) C(size + k − a − 1, k − a − 1) of them have a positive entries.
    """
    noise = np.zeros(k, dtype=np.int64)
    if size == 0:
        return noise
    positive, others, weights = 1, math.comb(size + k - 2, k - 2), []
    for a in range(1, min(k - 1, size) + 1):
        weights.append(math.comb(k, a) * positive * others)
        positive, others = positive * (size - a) // a, others * (k - a - 1) // (size + k - a - 1)
    a = 1 + _index(weights, entropy)
    chosen = np.zeros(k, dtype=np.bool_)
    chosen[uniform_subset(k, a, entropy)] = True
    noise[chosen] = 1 + uniform_split(size - a, a, entropy)
    noise[~chosen] = -uniform_split(size, k - a, entropy)
    return noise


def _index(weights: Sequence[int], entropy: Entropy) -> int:
    """Draw an index in proportion to whole weights, exactly."""
    ends = list(accumulate(weights))
    return bisect_right(ends, uniform_below(ends[-1], entropy))
