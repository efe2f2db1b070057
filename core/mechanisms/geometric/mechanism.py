"""The simplex geometric mechanism adds geometric noise to every count and leaves their sum alone.

P(z) is proportional to e^(-(epsilon / 2) ||z||_1) on the integer vectors z with sum 0, and y = c + z. It is the K-norm
mechanism (Hardt and Talwar 2010) of the polytope that the differences of neighbours span; at m = 2 it is the two-sided
geometric mechanism of scale 1 / epsilon, from which every Bayesian user with a monotone loss gets the best answer that
any epsilon-DP mechanism allows (Ghosh, Roughgarden and Sundararajan 2009).

On a small simplex of three categories or more, noise that crosses the edge is partly wasted. There, where a weighting
exists, the candidates on the simplex are drawn with probability w_y e^(-(epsilon / 2) ||y - c||_1) instead
(`core.mechanisms.geometric.weighting`). The likelihood has the same form in c.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.renyi import rho_of_geometric, rho_of_losses, rho_of_three_losses
from core.certificate import Certificate
from core.mechanisms.event import check_epsilon, check_size
from core.mechanisms.geometric.weighting import RESERVED, weighting
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.mechanisms.unsealing import open_histogram
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.bernoulli import bernoulli_exp_of
from core.samplers.discrete_laplace import discrete_laplace
from core.samplers.entropy import Entropy
from core.samplers.geometric import GeometricTotal
from core.samplers.split import uniform_split

_ROUNDING: Final = 1e-6


@dataclass(frozen=True, slots=True)
class SimplexGeometric:
    """`n` records over `m` categories, `epsilon` what a release costs. Raises EventError outside the limits of
    `core.mechanisms.event`.
    """

    n: int
    m: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)


@lru_cache(maxsize=1024)
def certify(event: SimplexGeometric) -> Certificate:
    """epsilon-DP under `replace_one`.

    Proof. The support of y, all integer vectors with sum n, is the same for every histogram, and so is the normaliser:
    z ranges over the whole lattice of sum 0, which c only shifts. Hence ln P(y | c) - ln P(y | c') = (epsilon / 2)(||y
    - c'||_1 - ||y - c||_1) <= (epsilon / 2) ||c - c'||_1, and neighbours lie at ||c - c'||_1 = 2. The draw is exact, so
    nothing is added for rounding. On a small simplex the weighting takes the place of the normaliser: it makes the
    probabilities sum to 1 at every c without one, and its epsilon leaves room for the rounding of its weights. rho is
    the smallest at which the channel is rho-zCDP, from the law of its loss: docs/explanation/accounting.md.
    """
    on_simplex = weighting(event.n, event.m, event.epsilon) is not None
    return Certificate(
        loss=PrivacyLoss(epsilon=event.epsilon, rho=rho_of_records(event, 1)),
        method="theorem",
        statement=f"The release is {event.epsilon}-differentially private: its probability falls like "
        "exp(-(epsilon/2) ||z||_1) with the noise z, an integer "
        "vector of sum zero, and replacing one record moves the counts by 2 in the same norm.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={
            "l1_sensitivity": "2",
            "noise_rate": f"{event.epsilon}/2",
            "support": "simplex" if on_simplex else "lattice",
        },
    )


@lru_cache(maxsize=1024)
def rho_of_records(event: SimplexGeometric, records: int) -> Rho:
    """The smallest rho at which the channel is rho-zCDP when up to `records` <= MOST_RECORDS records are replaced;
    rounded up.

    The weighting's loss has the values j epsilon too, with other probabilities. Its kernel is of epsilon less the 2e-8
    kept back; that and the millionth here cover the rounding of its weights (docs/explanation/accounting.md).
    """
    table, epsilon = weighting(event.n, event.m, event.epsilon), float(event.epsilon)
    if table is None:
        return rho_of_geometric(event.epsilon, event.m, records)
    if records == 1:
        rho = rho_of_three_losses(epsilon, min(1.0, table.largest_loss_probability()))
    else:
        steps = min(records, event.n)
        with np.errstate(divide="ignore"):
            rho = rho_of_losses(np.arange(-steps, steps + 1, dtype=np.float64) * epsilon, np.log(table.losses(steps)))
    return Rho.ceil((1 + _ROUNDING) * rho)


def release(counts: Private[NDArray[np.int64]], event: SimplexGeometric, entropy: Entropy) -> Released[NoisyCounts]:
    """The release y = c + z; `noisy` and `on_simplex` have shape (m,), `noisy` sums to n too.

    Guarantees what `certify(event)` states, for counts of shape (m,) that sum to n. On the lattice the noise is drawn
    before the counts are opened, so that the time of the draw depends on the noise alone; on a small simplex every
    candidate is weighed and as many bits are drawn, whatever c is.
    """
    loss = certify(event).loss
    if (table := weighting(event.n, event.m, event.epsilon)) is not None:
        drawn = table.draw(open_histogram(counts, n=event.n, m=event.m), entropy)
        return Released(NoisyCounts(drawn, drawn), loss)
    noise = simplex_noise(event, entropy)
    return Released(_output(open_histogram(counts, n=event.n, m=event.m), noise, event), loss)


def rehearse(counts: NDArray[np.int64], event: SimplexGeometric, entropy: Entropy) -> NoisyCounts:
    """The channel on counts that someone made up, shape (m,), sum n: for planning, no release."""
    if (table := weighting(event.n, event.m, event.epsilon)) is not None:
        drawn = table.draw(counts, entropy)
        return NoisyCounts(drawn, drawn)
    return _output(counts, simplex_noise(event, entropy), event)


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64], event: SimplexGeometric) -> NoisyCounts:
    noisy = tuple((counts + noise).tolist())
    return NoisyCounts(noisy, nearest_on_simplex(noisy, event.n))


def simplex_noise(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
    """An exact draw of z on the lattice, shape (m,), sum 0: all but the last coordinate free, the last accepted with
    probability q^|z_m|, q = e^(-epsilon / 2).

    A free coordinate is the difference of two geometric variables, and only their totals decide on acceptance. So the
    totals are drawn until they are accepted, about sqrt(pi m) times for small epsilon, and then split up once,
    uniformly. At m = 2, z = (k, -k) with P(k) ~ e^(-epsilon |k|).
    """
    if event.m == 2:
        moved = discrete_laplace(_scale(event.epsilon), entropy)
        return np.array([moved, -moved])
    rate = event.epsilon.value / 2
    free = event.m - 1
    total, tries = GeometricTotal(rate, free), 2 + math.isqrt(free) // 2
    while True:
        drawn = total.draws(2 * tries, entropy)
        for up, down in zip(drawn[::2], drawn[1::2], strict=True):
            if bernoulli_exp_of(rate.numerator * abs(up - down), rate.denominator, entropy):
                noise = uniform_split(up, free, entropy) - uniform_split(down, free, entropy)
                return np.append(noise, down - up)


@lru_cache(maxsize=1024)
def _scale(epsilon: Epsilon) -> Fraction:
    """Of the noise at m = 2: making the fraction takes as long as drawing by it."""
    return 1 / epsilon.value


def log_noise(event: SimplexGeometric, difference: NDArray[np.int64]) -> NDArray[np.float64]:
    """ln P(y_i − c_i = difference), up to a constant and before the condition on the sum, which a posterior over
    counts of sum n meets anyway.
    """
    kept_back = 0 if weighting(event.n, event.m, event.epsilon) is None else RESERVED.value
    return np.abs(difference) * (-0.5 * float(event.epsilon.value - kept_back))
