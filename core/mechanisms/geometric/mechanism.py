"""The simplex geometric mechanism adds geometric noise to every count and preserves their sum.

P(z) is proportional to e^(-(epsilon / 2) ||z||_1) on the integer vectors z with sum 0, and y = c + z. It is the K-norm
mechanism (Hardt and Talwar 2010) of the polytope spanned by the differences of neighbours. At m = 2 it is the two-sided
geometric mechanism of scale 1 / epsilon, which is optimal among epsilon-DP mechanisms for every Bayesian user with a
monotone loss (Ghosh, Roughgarden and Sundararajan 2009).

On a small simplex of three or more categories, noise beyond the edge is partly wasted. If a weighting exists there, the
candidates on the simplex are drawn with probability w_y e^(-(epsilon / 2) ||y - c||_1) instead
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

from core.accounting.renyi import MAX_REPLACED_RECORDS, rho_of_geometric, rho_of_losses, rho_of_three_losses
from core.candidates import candidate_count
from core.certificate import Certificate
from core.mechanisms.event import check_epsilon, check_size
from core.mechanisms.geometric.weighting import RELATIVE_ERROR, RESERVED, may_be_weighted, weighting
from core.mechanisms.mechanism import by_group_privacy, smaller_loss
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.mechanisms.unsealing import open_histogram
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.bernoulli import bernoulli_exp_of
from core.samplers.discrete_laplace import discrete_laplace
from core.samplers.entropy import Entropy
from core.samplers.geometric import GeometricTotal
from core.samplers.split import uniform_split
from core.simplex_noise import MIN_RATE, SimplexGeometricNoise

_ROUNDING: Final = 1e-6
_SECONDS_PER_CATEGORY: Final = 1e-6
_SECONDS_PER_CANDIDATE, _SECONDS_PER_CANDIDATE_AND_CATEGORY, _SECONDS_PER_CANDIDATE_AND_RECORDS_SQUARED = (
    1e-4,
    1.5e-5,
    5e-6,
)
"""Seconds of the certificate on a simplex that is small enough for a weighting."""


@dataclass(frozen=True, slots=True)
class SimplexGeometric:
    """`n` records over `m` categories; `epsilon`, the cost of a release.

    Raises EventError outside the limits of `core.mechanisms.event`.
    """

    n: int
    m: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)


@lru_cache(maxsize=1024)
def certify(event: SimplexGeometric) -> Certificate:
    """Return the certificate: epsilon-DP under `replace_one`.

    Proof. The support of y, all integer vectors with sum n, is the same for every histogram. So is the normaliser,
    because z ranges over the whole lattice of sum 0, which c only shifts. Hence

        ln P(y | c) - ln P(y | c') = (epsilon / 2)(||y - c'||_1 - ||y - c||_1) <= (epsilon / 2) ||c - c'||_1,

    and neighbours have ||c - c'||_1 = 2. The draw is exact, so nothing is added for rounding.

    On a small simplex the weighting replaces the normaliser: the probabilities sum to 1 at every c without one. Its
    epsilon leaves a margin for the rounding of its weights. rho is the smallest for which the channel is rho-zCDP, from
    the distribution of its loss.
    """
    loss = PrivacyLoss(epsilon=event.epsilon, rho=rho_of_records(event, 1))
    if weighting(event.n, event.m, event.epsilon) is not None:
        drawn = Epsilon(event.epsilon.units - RESERVED.units)
        return Certificate(
            loss=loss,
            method="theorem",
            statement=f"The release is {event.epsilon}-differentially private: at the counts c the counts r are drawn "
            f"with probability w_r exp(-({drawn}/2) ||r - c||_1), and replacing one record moves the counts by 2 in "
            f"this norm. {RESERVED} of epsilon is reserved for rounding.",
            relation=NeighbourRelation.REPLACE_ONE,
            details={
                "l1_sensitivity": "2",
                "noise_rate": f"{drawn}/2",
                "support": "simplex",
                "weights": "the solution w of: sum over r of w_r exp(-noise_rate ||r - c||_1) = 1 for every c",
                "relative_error": RELATIVE_ERROR,
            },
        )
    return Certificate(
        loss=loss,
        method="theorem",
        statement=f"The release is {event.epsilon}-differentially private: its probability falls like "
        "exp(-(epsilon/2) ||z||_1) with the noise z, an integer "
        "vector of sum zero, and replacing one record moves the counts by 2 in the same norm.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={"l1_sensitivity": "2", "noise_rate": f"{event.epsilon}/2", "support": "lattice"},
    )


@lru_cache(maxsize=1024)
def rho_of_records(event: SimplexGeometric, records: int) -> Rho:
    """Return the smallest rho for which the channel is rho-zCDP if up to `records` records are replaced, rounded up.

    `records` is at most MAX_REPLACED_RECORDS. With the weighting, too, the loss has the values j epsilon for integers
    j, but with other probabilities, which are computed from the channel itself.

    Rounding. A draw moves probabilities by factors within 1 ± 1.1e-9, so a likelihood ratio by e^ν, |ν| <= 2.3e-9. With
    φ_a(t) = (t^a − 1 − a (t − 1)) / (a (a − 1)), e^((a−1) D_a) − 1 = a (a − 1) E φ_a. At t = e^(±h) this changes φ_a by
    at most a factor 1 + ν (2a + 2/h), and at t = 1 by ν². These errors are covered twice: the weighting uses epsilon
    minus the reserved 2e-8 while rho is computed at h = epsilon, which is larger by 4e-8 / h; and a millionth of rho is
    added.
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


def loss_of_records(event: SimplexGeometric, one: Certificate, records: int) -> tuple[PrivacyLoss, str]:
    """Return the loss of `records` records, and how it is proven; rho is from the distribution of their loss."""
    loss, how = by_group_privacy(one, records)
    if records <= MAX_REPLACED_RECORDS:
        loss = smaller_loss(loss, loss.epsilon, rho_of_records(event, records))
    return loss, how


def certificate_seconds(event: SimplexGeometric, records: int) -> float:
    """Estimate, from public parameters, the time of the certificate on one core: long if there is a weighting."""
    if not may_be_weighted(event.n, event.m, event.epsilon):
        return _SECONDS_PER_CATEGORY * event.m
    each = _SECONDS_PER_CANDIDATE + _SECONDS_PER_CANDIDATE_AND_CATEGORY * event.m
    several = 0.0 if records == 1 else _SECONDS_PER_CANDIDATE_AND_RECORDS_SQUARED * min(records, event.n) ** 2
    return candidate_count(event.n, event.m) * (each + several)


def release(counts: Private[NDArray[np.int64]], event: SimplexGeometric, entropy: Entropy) -> Released[NoisyCounts]:
    """Release y = c + z; `noisy` and `on_simplex` have shape (m,), and `noisy` also has the sum n.

    Arguments: `counts` c of shape (m,), private, with sum n; `event`; `entropy`, the source of random bits.

    Guarantees what `certify(event)` states. On the lattice the noise is drawn before the counts are opened, so the time
    of the draw depends on the noise alone. On a small simplex every candidate is weighted, and the same number of bits
    is drawn for every c. Raises HistogramError if the counts are not of the event's size.
    """
    loss = certify(event).loss
    if (table := weighting(event.n, event.m, event.epsilon)) is not None:
        drawn = table.draw(open_histogram(counts, n=event.n, m=event.m), entropy)
        return Released(NoisyCounts(drawn, drawn), loss)
    noise = simplex_noise(event, entropy)
    return Released(_noisy_counts(open_histogram(counts, n=event.n, m=event.m), noise, event), loss)


def rehearse(counts: NDArray[np.int64], event: SimplexGeometric, entropy: Entropy) -> NoisyCounts:
    """Simulate the channel on made-up counts, shape (m,), sum n. This serves planning and is not a release."""
    if (table := weighting(event.n, event.m, event.epsilon)) is not None:
        drawn = table.draw(counts, entropy)
        return NoisyCounts(drawn, drawn)
    return _noisy_counts(counts, simplex_noise(event, entropy), event)


def _noisy_counts(counts: NDArray[np.int64], noise: NDArray[np.int64], event: SimplexGeometric) -> NoisyCounts:
    noisy = tuple((counts + noise).tolist())
    return NoisyCounts(noisy, nearest_on_simplex(noisy, event.n))


def simplex_noise(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
    """Draw z exactly on the lattice, shape (m,), sum 0.

    All coordinates but the last are free. The last is accepted with probability q^|z_m|, q = e^(-epsilon / 2). A free
    coordinate is the difference of two geometric variables, and acceptance depends on their totals only. The totals are
    therefore drawn until accepted, about sqrt(pi m) times for small epsilon, and then split uniformly once. At m = 2, z
    = (k, -k) with P(k) ∝ e^(-epsilon |k|).
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
    """Return the scale of the noise at m = 2. It is cached, because computing the fraction takes as long as a draw."""
    return 1 / epsilon.value


def log_noise(event: SimplexGeometric, difference: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln P(y_i − c_i = difference), up to a constant and before conditioning on the sum.

    A posterior over counts with sum n satisfies this condition anyway.
    """
    kept_back = 0 if weighting(event.n, event.m, event.epsilon) is None else RESERVED.value
    return np.abs(difference) * (-0.5 * float(event.epsilon.value - kept_back))


def candidate_weights(event: SimplexGeometric, counts: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return the probability of each candidate at made-up counts, in lexicographic order, if there is a weighting."""
    table = weighting(event.n, event.m, event.epsilon)
    return None if table is None else table.probabilities(counts)


def query_noise(event: SimplexGeometric) -> SimplexGeometricNoise | str:
    """Return the noise of the counts in linear queries, or the reason why there is none."""
    if weighting(event.n, event.m, event.epsilon) is not None:
        return "its candidates were drawn on the simplex by solved weights, not by adding noise to the counts"
    if (rate := float(event.epsilon.value) / 2) < MIN_RATE:
        return "its noise is so wide that the distribution of a query's error takes too long to compute"
    return SimplexGeometricNoise(rate, event.m)
