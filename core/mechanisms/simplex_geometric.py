"""The simplex geometric mechanism: geometric noise on every count, conditioned on leaving their sum alone.

P(z) is proportional to e^(-(epsilon / 2) ||z||_1) on the integer vectors z with sum 0, and y = c + z. It is the K-norm mechanism (Hardt and Talwar 2010) of
the polytope that the differences of neighbours span; at m = 2 it is the two-sided geometric mechanism of scale 1 / epsilon, from which every Bayesian user
with a monotone loss gets the best answer that any epsilon-DP mechanism allows (Ghosh, Roughgarden and Sundararajan 2009).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.event import check_epsilon, check_size, open_histogram
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss
from core.private import Private, Released
from core.samplers.bernoulli import bernoulli_exp
from core.samplers.entropy import Entropy
from core.samplers.geometric import GeometricTotal, uniform_composition


@dataclass(frozen=True, slots=True)
class SimplexGeometric:
    """`n` records over `m` categories, `epsilon` what a release costs. Raises EventError outside the limits of `core.mechanisms.event`."""

    n: int
    m: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)


def certify(event: SimplexGeometric) -> Certificate:
    """epsilon-DP under `replace_one`.

    Proof. The support of y, all integer vectors with sum n, is the same for every histogram, and so is the normaliser: z ranges over the whole
    lattice of sum 0, which c only shifts. Hence ln P(y | c) - ln P(y | c') = (epsilon / 2)(||y - c'||_1 - ||y - c||_1) <= (epsilon / 2) ||c - c'||_1, and
    neighbours lie at ||c - c'||_1 = 2. The draw is exact, so nothing is added for rounding.
    """
    return Certificate(
        loss=PrivacyLoss(epsilon=event.epsilon),
        method="theorem",
        statement=f"The release is {event.epsilon}-differentially private: noise of probability proportional to exp(-(epsilon/2) ||z||_1) on integer "
        "vectors of sum zero, drawn exactly, and replacing one record moves the counts by 2 in the same norm.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={"l1_sensitivity": "2", "noise_rate": f"{event.epsilon}/2"},
    )


def release(counts: Private[NDArray[np.int64]], event: SimplexGeometric, entropy: Entropy) -> Released[NoisyCounts]:
    """Y = c + z; `noisy` and `on_simplex` have shape (m,), `noisy` sums to n too.

    Guarantees what `certify(event)` states, for counts of shape (m,) that sum to n. The noise is drawn before the counts are opened, so
    the time of the draw depends on the noise alone.
    """
    noise = simplex_noise(event, entropy)
    return Released(_output(open_histogram(counts, n=event.n, m=event.m), noise, event), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: SimplexGeometric, entropy: Entropy) -> NoisyCounts:
    """The channel on counts that someone made up, shape (m,), sum n: for planning, no release."""
    return _output(counts, simplex_noise(event, entropy), event)


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64], event: SimplexGeometric) -> NoisyCounts:
    noisy = tuple((counts + noise).tolist())
    return NoisyCounts(noisy, nearest_on_simplex(noisy, event.n))


def simplex_noise(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
    """An exact draw of z, shape (m,), sum 0: all but the last coordinate free, the last accepted with probability q^|z_m|, q = e^(-epsilon / 2).

    A free coordinate is the difference of two geometric variables, and only their totals decide on acceptance. So the totals are drawn until they
    are accepted, about sqrt(pi m) times for small epsilon, and then split up once, uniformly.
    """
    rate = event.epsilon.value / 2
    free = event.m - 1
    total = GeometricTotal(rate, free)
    while True:
        up, down = total.draw(entropy), total.draw(entropy)
        if bernoulli_exp(rate * abs(up - down), entropy):
            noise = uniform_composition(up, free, entropy) - uniform_composition(down, free, entropy)
            return np.append(noise, down - up)


def log_noise(event: SimplexGeometric, difference: NDArray[np.int64]) -> NDArray[np.float64]:
    """ln P(y_i − c_i = difference), up to a constant and before the condition on the sum, which a posterior over counts of sum n meets anyway."""
    return np.abs(difference) * (-0.5 * float(event.epsilon))
