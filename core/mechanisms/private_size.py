"""Adds independent noise to every count of a table whose number of records n is private.

Neighbours are c and c ± v for integer vectors v >= 0 with sum at most k: one unit, with all of its at most k records,
is added or removed (`add_remove`). The noisy counts don't have to add up to anything, so only the noisy counts are
informative about n. Mechanisms whose output adds up to n are refused (`core.mechanisms.catalogue`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from core.accounting.pairwise_loss import rho_of_shift
from core.accounting.renyi import rho_of_floored_shift
from core.accounting.zcdp import epsilon_of, largest_rho
from core.certificate import Certificate
from core.limits import MAX_CATEGORIES, MAX_RECORDS_PER_UNIT
from core.mechanisms.event import EventError, check_epsilon
from core.mechanisms.gaussian import MAX_RHO, MIN_RHO, check_rho
from core.mechanisms.mechanism import NoiseOnCounts
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.unsealing import open_counts
from core.noise import CountNoise, DiscreteGaussianNoise, FlooredLaplaceNoise, GeometricNoise
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho
from core.private import Private, Released
from core.samplers.entropy import Entropy

Law: TypeAlias = Literal["geometric", "laplace", "gaussian"]
"""Two-sided geometric, floored Laplace or discrete Gaussian noise."""

KIND: Final = "private_size"
"""The tag under which events are stored permanently."""
SECONDS_PER_CATEGORY: Final = 9e-5
"""Time per category for the slowest noise, including the tables that the first draw at a rate builds."""
CERTIFICATE_SECONDS: Final = 1e-2
"""Time of the certificate, which includes the conversion from rho to epsilon."""


@dataclass(frozen=True, slots=True)
class PrivateSize:
    """Noise of one `law` on each of `m` counts, whose sum is private.

    - `loss`: the loss of a whole unit: an epsilon for geometric and Laplace noise, a rho for Gaussian noise.
    - `delta`: at which an (epsilon, delta) is stated for Gaussian noise. It does not change the channel, and is 0 for
      the other laws.
    - `records_per_unit`: the largest number of records of one unit.

    Raises EventError unless 2 <= m <= 10 000, 0.0001 <= epsilon <= 50 or 1e-8 <= rho <= 1000, 0 < delta < 1 for
    Gaussian noise, and 1 <= records_per_unit <= 1000.
    """

    m: int
    law: Law
    loss: Epsilon | Rho
    delta: Delta = Delta(0)
    records_per_unit: int = 1

    def __post_init__(self) -> None:
        if not 2 <= self.m <= MAX_CATEGORIES:
            raise EventError(f"there must be between 2 and {MAX_CATEGORIES} categories")
        if not 1 <= self.records_per_unit <= MAX_RECORDS_PER_UNIT:
            raise EventError(f"there must be between 1 and {MAX_RECORDS_PER_UNIT} records per unit")
        if self.law not in get_args(Law) or isinstance(self.loss, Rho) is not (self.law == "gaussian"):
            raise EventError("Gaussian noise needs a rho, and geometric and Laplace noise need an epsilon")
        if isinstance(self.loss, Epsilon):
            check_epsilon(self.loss)
            if self.delta.units:
                raise EventError("delta must be 0, unless the noise is Gaussian")
        else:
            check_rho(self.loss, self.delta)

    @property
    def n(self) -> None:
        """Return None, because the number of records is private."""
        return None

    @property
    def rate(self) -> Fraction:
        """Return h = epsilon / k, the reciprocal of the scale of geometric or Laplace noise."""
        return self.loss.value / self.records_per_unit

    @property
    def variance(self) -> Fraction:
        """Return sigma^2 = k² / (2 rho) of Gaussian noise."""
        return self.records_per_unit**2 / (2 * self.loss.value)

    @property
    def noise(self) -> CountNoise:
        """Return the law of the noise on each count."""
        match self.law:
            case "geometric":
                return GeometricNoise(self.rate)
            case "laplace":
                return FlooredLaplaceNoise(1 / self.rate)
            case "gaussian":
                return DiscreteGaussianNoise(self.variance)


def calibrate(law: Law, m: int, epsilon: Epsilon, delta: Delta, records_per_unit: int) -> PrivateSize:
    """Return the event whose release loses at most (epsilon, delta).

    Raises EventError if the event cannot run, and ConversionError if Gaussian noise gets no delta.
    """
    if law != "gaussian":
        return PrivateSize(m, law, epsilon, records_per_unit=records_per_unit)
    rho = largest_rho(epsilon, delta)
    if rho < MIN_RHO:
        raise EventError("epsilon is too small for the Gaussian mechanism at this delta")
    return PrivateSize(m, law, min(rho, MAX_RHO), delta, records_per_unit)


@lru_cache(maxsize=1024)
def certify(event: PrivateSize) -> Certificate:
    """Return the certificate under `add_remove` for all k records of one unit.

    Proof. Neighbours differ by a vector v >= 0 of sum at most k. Let D_a(s) be the Rényi divergence of order a between
    the noise and the noise shifted by s. With w = (a − ½) s h, q = e^(−h) and p = e^(−(2a−1) h), (a − 1) D_a is −s h/2
    + ln[(e^w (1 − p q) + e^(−w) (q − p)) / ((1 − p)(1 + q))] for geometric noise, and −s h/2 + ln(cosh w + B sinh w),
    B = sinh(h/2) / sinh((a − ½) h), for floored Laplace noise. Both are −s h/2 + ln(β e^w + β' e^(−w)) with β, β' >= 0
    that do not depend on s, so they are convex in s, and 0 at s = 0. For Gaussian noise it is proportional to s². A
    convex function that is 0 at 0 is superadditive: Σ D_a(v_i) <= D_a(k). So k records in one cell are the worst
    change. Floored noise is its own mirror image about −½, so adding and removing cost the same. The log ratio of
    geometric and of Laplace noise of rate h is at most h k = epsilon. rho is that of a shift by k: `rho_of_shift`,
    `rho_of_floored_shift`, or k² / (2 sigma²).
    """
    k = event.records_per_unit
    added = "one record is" if k == 1 else f"up to {k} records of one unit are"
    details = {"records_per_unit": str(k)}
    if isinstance(event.loss, Rho):
        loss = PrivacyLoss(epsilon_of(event.loss, event.delta), event.delta, event.loss)
        noise = f"discrete Gaussian noise with sigma^2 = {event.variance} on every count. Hence it is ({loss.epsilon}, "
        noise += f"{event.delta})-differentially private"
        stated, details = f"{event.loss}-zCDP", details | {"noise_variance": str(event.variance)}
    else:
        is_geometric = event.law == "geometric"
        rho = (rho_of_shift if is_geometric else rho_of_floored_shift)(event.loss.value, event.rate)
        loss = PrivacyLoss(event.loss, rho=rho)
        noise = f"{'two-sided geometric' if is_geometric else 'rounded-down Laplace'} noise of scale "
        noise += f"{k}/{event.loss} on every count"
        stated = f"{loss.epsilon}-differentially private"
        details |= {"l1_sensitivity": str(k), "noise_scale": f"{k}/{event.loss}"}
    return Certificate(
        loss=loss,
        method="theorem",
        statement=f"The release is {stated} when {added} added or removed: {noise}.",
        relation=NeighbourRelation.ADD_REMOVE,
        details=details,
    )


def release(counts: Private[NDArray[np.int64]], event: PrivateSize, entropy: Entropy) -> Released[NoisyCounts]:
    """Release y = c + z. `noisy` is y, and `on_simplex` is max(y, 0), whose sum is as noisy as that of y.

    Arguments: `counts` c of shape (m,), private; `event`; `entropy`, the source of random bits.

    Guarantees what `certify(event)` states. The noise is drawn before the counts are opened, so the time of the draw
    depends on the noise alone. Raises HistogramError unless there are m counts from 0 to 2**53 / m.
    """
    noise = _noise(event, entropy)
    return Released(_output(open_counts(counts, m=event.m), noise), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: PrivateSize, entropy: Entropy) -> NoisyCounts:
    """Simulate the channel on made-up counts, shape (m,). This serves planning and is not a release."""
    return _output(counts, _noise(event, entropy))


def likelihood(event: PrivateSize) -> NoiseOnCounts:
    """Return the likelihood of a release as a function of the counts, whose sum is unknown."""
    return NoiseOnCounts(
        event.noise.log_mass, event.m, tied=False, of_two=None, on_simplex=lambda noisy: np.maximum(noisy, 0)
    )


def _noise(event: PrivateSize, entropy: Entropy) -> NDArray[np.int64]:
    return event.noise.draw(event.m, entropy)


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64]) -> NoisyCounts:
    noisy = counts + noise
    return NoisyCounts(tuple(noisy.tolist()), tuple(np.maximum(noisy, 0).tolist()))
