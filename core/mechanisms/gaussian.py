"""The discrete Gaussian mechanism releases y = c + z with independent discrete Gaussian z_i of parameter sigma^2
(Canonne, Kamath and Steinke 2020).

The noise is not conditioned on sum zero. Inference conditions on the public total exactly, which recovers the cost of
the noise along the sum. For Gaussian noise the projection onto the total loses only lattice effects, as its components
are independent. In exchange the draw is a plain product, the sum of y shows an auditor the noise level, and every
linear query of y has independent noises.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.accounting.zcdp import epsilon_of
from core.certificate import Certificate
from core.mechanisms.event import EventError, LossError, check_size
from core.mechanisms.mechanism import by_group_privacy
from core.mechanisms.noisy_counts import NoisyCounts, nearest_on_simplex
from core.mechanisms.unsealing import open_histogram
from core.noise import DiscreteGaussianNoise
from core.privacy import NEEDS_DELTA, Delta, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy

MIN_RHO = Rho.parse("0.00000001")
MAX_RHO = Rho.parse("1000")
_PARITY_FROM: Final = 0.1
"""Up to this rho the sums of both parities agree to the last digit."""


def check_rho(rho: Rho, delta: Delta) -> None:
    """Raise EventError unless 1e-8 <= rho <= 1000, and 0 < delta < 1."""
    if not MIN_RHO <= rho <= MAX_RHO:
        raise LossError("rho must lie between 0.00000001 and 1000")
    if not 0 < delta.units < 10**Delta.digits:
        raise EventError(NEEDS_DELTA)


@dataclass(frozen=True, slots=True)
class Gaussian:
    """`n` records over `m` categories; `rho`, the cost of a release under zCDP; `delta`, at which an (epsilon, delta)
    is stated.

    `delta` does not change the channel. Raises EventError unless 1e-8 <= rho <= 1000, 0 < delta < 1, and the limits of
    `core.mechanisms.event` hold.
    """

    n: int
    m: int
    rho: Rho
    delta: Delta

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_rho(self.rho, self.delta)

    @property
    def variance(self) -> Fraction:
        """Return sigma^2 = 1 / rho.

        It is half the squared l2 distance of neighbours, which is 2, divided by rho.
        """
        return 1 / self.rho.value

    @property
    def noise(self) -> DiscreteGaussianNoise:
        """Return the law of the noise on each count."""
        return DiscreteGaussianNoise(self.variance)


@lru_cache(maxsize=1024)
def certify(event: Gaussian) -> Certificate:
    """Return the certificate under `replace_one`: rho-zCDP, and the (epsilon, delta)-DP that it implies at the event's
    delta.

    Proof. A discrete Gaussian shifted by an integer k has Rényi divergence of order a at most a k^2 / (2 sigma^2) from
    itself (Canonne, Kamath and Steinke 2020, Theorem 4, proposition 5). Over independent coordinates these add.
    Replacing a record shifts two of them by 1: a 2 / (2 sigma^2) = a rho. The conversion is corollary 13 of the same
    paper. A `basic` budget is charged this (epsilon, delta), a `zcdp` budget rho without delta.

    Results are cached, because the conversion takes milliseconds and every release states it.
    """
    epsilon = epsilon_of(event.rho, event.delta)
    return Certificate(
        loss=PrivacyLoss(epsilon=epsilon, delta=event.delta, rho=event.rho),
        method="theorem",
        statement=f"The release is {event.rho}-zCDP: discrete Gaussian noise with sigma^2 = 1/{event.rho} on every "
        "count, and replacing one record moves "
        f"two counts by 1. Hence it is ({epsilon}, {event.delta})-differentially private.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={"l2_sensitivity_squared": "2", "noise_variance": f"1/{event.rho}"},
    )


def loss_of_records(event: Gaussian, one: Certificate, records: int) -> tuple[PrivacyLoss, str]:
    """Return the loss of `records` records, and the name of its proof. Rho grows as the square of `records`."""
    rho = Rho(records**2 * event.rho.units)
    return PrivacyLoss(epsilon_of(rho, event.delta), event.delta, rho), by_group_privacy(one, records)[1]


def release(counts: Private[NDArray[np.int64]], event: Gaussian, entropy: Entropy) -> Released[NoisyCounts]:
    """Release y = c + z; `noisy` and `on_simplex` have shape (m,), and `on_simplex` is the point with sum n nearest to
    y.

    Arguments: `counts` c of shape (m,), private, with sum n; `event`; `entropy`, the source of random bits.

    Guarantees what `certify(event)` states. The noise is drawn before the counts are opened, so the time of the draw
    depends on the noise alone. Raises HistogramError if the counts are not of the event's size.
    """
    noise = event.noise.draw(event.m, entropy)
    return Released(_output(open_histogram(counts, n=event.n, m=event.m), noise, event), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: Gaussian, entropy: Entropy) -> NoisyCounts:
    """Simulate the channel on made-up counts, shape (m,), sum n. This serves planning and is not a release."""
    return _output(counts, event.noise.draw(event.m, entropy), event)


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64], event: Gaussian) -> NoisyCounts:
    noisy = tuple((counts + noise).tolist())
    return NoisyCounts(noisy, nearest_on_simplex(noisy, event.n))


def log_noise_of_difference(event: Gaussian, difference: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln P(z_1 − z_2 = difference) of two independent noises, up to a constant.

    2 (z_1² + z_2²) = d² + s², where the sum s has the parity of d. Σ_s e^(−s² rho / 4) depends on the parity only if
    rho is large.
    """
    rho = float(event.rho)
    logs = np.asarray(difference, dtype=np.float64) ** 2 * (-0.25 * rho)
    if rho <= _PARITY_FROM:
        return logs
    half = np.arange(-math.ceil(7.0 / math.sqrt(rho)) - 1.0, math.ceil(7.0 / math.sqrt(rho)) + 2.0)
    of_parity = np.log([float(np.exp(-((half - parity / 2) ** 2) * rho).sum()) for parity in (0, 1)])
    return np.asarray(logs + of_parity[difference % 2])
