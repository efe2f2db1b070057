"""The Laplace mechanism of the papers adds floored Laplace noise of scale 2 / epsilon to all counts but the last.

The noisy counts are made consistent afterwards: each is clipped into [0, n], then cut back in order so that the total
does not pass n, and the last category takes the rest. What was published and what inference conditions on are the
counts before that.

Sources: Zhang, Rubinstein and Dimitrakakis 2016, "On the differential privacy of Bayesian inference", add Laplace noise
to a posterior's parameters; Bun, Gaboardi, Farina and Liu, "Tailoring differentially private Bayesian inference to
distance between distributions", sections 3 and 5, take scale 2 / epsilon and make the result consistent; the floor is
from their "Notes of DP - Bayesian inference", section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.accounting.renyi import rho_of_laplace
from core.certificate import Certificate
from core.mechanisms.event import check_epsilon, check_size
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.unsealing import open_histogram
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss
from core.private import Private, Released
from core.samplers.discrete_laplace import floored_laplaces
from core.samplers.entropy import Entropy


@dataclass(frozen=True, slots=True)
class Laplace:
    """`n` records over `m` categories, noise of scale 2 / `epsilon`. Raises EventError outside the limits of
    `core.mechanisms.event`.
    """

    n: int
    m: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)


def certify(event: Laplace) -> Certificate:
    """epsilon-DP under `replace_one`; (epsilon / 2)-DP at m = 2.

    Proof. Adding an integer before the floor or after it is the same, so each noisy count is the floor of c_i + Lap(2 /
    epsilon) with the density ratio of Laplace noise: e^(epsilon / 2) for each record by which c_i differs. One replaced
    record changes the m - 1 noisy counts by 2 in all if both of its categories are among them, by 1 otherwise, and at m
    = 2 there is only one noisy count. Clipping and cutting back work on the output. rho is the smallest at which the
    noisy counts are rho-zCDP, from the law of their loss: docs/explanation/accounting.md.
    """
    sensitivity = 1 if event.m == 2 else 2
    proven = Epsilon.ceil(event.epsilon.value * sensitivity / 2)
    return Certificate(
        loss=PrivacyLoss(epsilon=proven, rho=rho_of_laplace(event.epsilon, event.m)),
        method="theorem",
        statement=f"The release is {proven}-differentially private: Laplace noise of scale 2/{event.epsilon} on all "
        "counts but the last, which one replaced "
        f"record changes by {sensitivity} in all.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={"l1_sensitivity": str(sensitivity), "noise_scale": f"2/{event.epsilon}"},
    )


def release(counts: Private[NDArray[np.int64]], event: Laplace, entropy: Entropy) -> Released[NoisyCounts]:
    """y_i = c_i + floor(Lap(2 / epsilon)) for the first m - 1 categories; `noisy` has m - 1 entries, `on_simplex` m.

    Guarantees what `certify(event)` states, for counts of shape (m,) that sum to n. The noise is drawn before the
    counts are opened, so the time of the draw depends on the noise alone.
    """
    noise = floored_laplaces(2 / event.epsilon.value, event.m - 1, entropy)
    return Released(_output(open_histogram(counts, n=event.n, m=event.m), noise, event), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: Laplace, entropy: Entropy) -> NoisyCounts:
    """The channel on counts that someone made up, shape (m,), sum n: for planning, no release."""
    return _output(counts, floored_laplaces(2 / event.epsilon.value, event.m - 1, entropy), event)


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64], event: Laplace) -> NoisyCounts:
    noisy = tuple((counts[:-1] + noise).tolist())
    return NoisyCounts(noisy, consistent(noisy, event.n))


def consistent(noisy: tuple[int, ...], n: int) -> tuple[int, ...]:
    """The m counts that the papers make of m - 1 noisy ones: clipped into [0, n], cut back in order to a total of n,
    the rest to the last.
    """
    left = n
    counts = []
    for y in noisy:
        counts.append(min(max(y, 0), left))
        left -= counts[-1]
    return (*counts, left)


def log_noise(event: Laplace, difference: NDArray[np.int64]) -> NDArray[np.float64]:
    """ln P(floor(Lap(2 / epsilon)) = difference), up to a constant: q^k for k >= 0 and q^(−1 − k) below."""
    return np.where(difference >= 0, difference, -1 - difference) * (-0.5 * float(event.epsilon))
