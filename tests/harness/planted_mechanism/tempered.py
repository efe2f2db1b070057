"""Adds independent noise z to every count: P(z) ∝ e^(−rate |z| − z² / (2 variance)), Laplace noise with a Gaussian
tail.

It has no closed form: the tail makes the loss unbounded, and its delta is summed over all losses. It is planted by a
test, which adds a mechanism with a delta, records of one unit, and a noise that no other mechanism has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.calibrations import shared_by_records
from core.mechanisms.event import EventError, check_epsilon, check_size
from core.mechanisms.mechanism import Calibration, Mechanism, NoiseOnCounts, by_group_privacy
from core.mechanisms.noisy_counts import NoisyCounts, nearest_of_rows, nearest_on_simplex
from core.mechanisms.unsealing import open_histogram
from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss
from core.private import Private, Released
from core.samplers.bernoulli import bernoulli_exp_of
from core.samplers.discrete_laplace import discrete_laplace
from core.samplers.entropy import Entropy

_DEPTH: Final = 70.0
"""Noise with probability below e^-70 of its maximum is left out of a sum; ten times that is added to delta."""
_ROUNDING: Final = 1 + 1e-9
_MAX_VARIANCE: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Tempered:
    """`n` records over `m` categories; `epsilon` and `delta`, the cost of a release, and the `variance` of the tail."""

    n: int
    m: int
    epsilon: Epsilon
    delta: Delta
    variance: int

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)
        if not 0 < self.delta.value < 1 or not 1 <= self.variance <= _MAX_VARIANCE:
            raise EventError("delta must lie above 0 and below 1, and the variance from 1 to 2**40")

    @property
    def rate(self) -> Fraction:
        return self.epsilon.value / 4


def within(n: int, prior: tuple[float, ...], epsilon: Epsilon, delta: Delta) -> Tempered:
    """Return the event with the least variance, a power of two, whose release is (epsilon, delta)-private."""
    if not delta.units:
        raise EventError("delta must be above 0")
    event, variance = Tempered(n, len(prior), epsilon, delta, 1), 1
    while _delta(epsilon, variance) > float(delta):
        variance *= 2
        event = Tempered(n, len(prior), epsilon, delta, variance)
    return event


@lru_cache(maxsize=256)
def _delta(epsilon: Epsilon, variance: int) -> float:
    """Return the delta at this epsilon, rounded up.

    Replacing a record moves two counts by 1. Both losses, L and L', have the distribution of ln P(z) − ln P(z + 1), and
    delta is E max(0, 1 − e^(epsilon − L − L')).
    """
    rate, limit = float(epsilon) / 4, float(epsilon)
    far = math.ceil(min(_DEPTH / rate, math.sqrt(2.0 * _DEPTH * variance)))
    z = np.arange(-far, far + 1)
    logs = -rate * np.abs(z) - z**2 / (2.0 * variance)
    likely = np.exp(logs - logs.max())
    likely /= likely.sum()
    losses = rate * (np.abs(z + 1) - np.abs(z)) + (2.0 * z + 1.0) / (2.0 * variance)  # rising with z
    above = np.append(np.cumsum(likely[::-1])[::-1], 0.0)
    damped = np.append(np.cumsum((likely * np.exp(-losses))[::-1])[::-1], 0.0)
    first = np.searchsorted(losses, limit - losses, side="right")
    found = float(likely @ np.maximum(0.0, above[first] - np.exp(limit - losses) * damped[first]))
    return found * _ROUNDING + 10.0 * math.exp(-_DEPTH)


def certify(event: Tempered) -> Certificate:
    """Return the certificate under `replace_one`. Raises EventError if the event does not have its loss."""
    if _delta(event.epsilon, event.variance) > float(event.delta):
        raise EventError("its noise is too narrow for its delta")
    return Certificate(
        loss=PrivacyLoss(event.epsilon, event.delta),
        method="exact_channel",
        statement=f"({event.epsilon}, {event.delta})-differentially private, by the sum over all losses of tempered "
        "noise.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={"rate": f"{event.epsilon}/4", "variance": str(event.variance)},
    )


def release(
    counts: Private[NDArray[np.int64]], event: Tempered, entropy: Entropy, loss: PrivacyLoss
) -> Released[NoisyCounts]:
    noise = _noise(event, entropy)
    return Released(_output(open_histogram(counts, n=event.n, m=event.m), noise, event), loss)


def rehearse(counts: NDArray[np.int64], event: Tempered, entropy: Entropy, size: int) -> tuple[NoisyCounts, ...]:
    return tuple(_output(counts, _noise(event, entropy), event) for _ in range(size))


def _noise(event: Tempered, entropy: Entropy) -> NDArray[np.int64]:
    return np.array([_draw_value(event, entropy) for _ in range(event.m)], dtype=np.int64)


def _draw_value(event: Tempered, entropy: Entropy) -> int:
    while True:
        z = discrete_laplace(1 / event.rate, entropy)
        if bernoulli_exp_of(z**2, 2 * event.variance, entropy):
            return z


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64], event: Tempered) -> NoisyCounts:
    noisy = tuple((counts + noise).tolist())
    return NoisyCounts(noisy, nearest_on_simplex(noisy, event.n))


def log_noise(event: Tempered, difference: NDArray[np.int64]) -> NDArray[np.float64]:
    z = np.asarray(difference, dtype=np.float64)
    return -float(event.rate) * np.abs(z) - z**2 / (2.0 * event.variance)


CALIBRATION: Final = Calibration(
    kind="tempered", effort="evaluation", within=within, asked=shared_by_records(within), at_rho=None
)
TEMPERED: Final[Mechanism[Tempered]] = Mechanism(
    event=Tempered,
    kind="tempered",
    calibrations=(CALIBRATION,),
    certify=certify,
    certify_at_once=certify,
    loss_of_records=lambda _, one, records, __: by_group_privacy(one, records),
    closed_form=False,
    certificate_seconds=lambda *_: 0.1,
    release=release,
    as_json=NoisyCounts.to_json,
    rehearse=rehearse,
    typical_draw_seconds=lambda event: 3e-4 * event.m,
    likelihood=lambda event: NoiseOnCounts(
        partial(log_noise, event), event.m, tied=False, of_two=None, on_simplex=partial(nearest_of_rows, n=event.n)
    ),
    candidate_weights=lambda *_: None,
    hellinger=None,
    query_noise=lambda _: "the error of a query is not computed from tempered noise",
    refused_at_private_n="its outputs add up to n",
)
