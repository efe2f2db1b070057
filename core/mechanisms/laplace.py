"""The Laplace mechanism of the papers adds floored Laplace noise of scale 2 / epsilon to all counts but the last.

The noisy counts are then made consistent: each is clipped into [0, n], and cut back in order so that the total does not
exceed n. The last category gets the rest. The noisy counts before this step are published, and inference conditions on
them.

Sources: Zhang, Rubinstein and Dimitrakakis 2016, "On the differential privacy of Bayesian inference", add Laplace noise
to a posterior's parameters. Bun, Gaboardi, Farina and Liu, "Tailoring differentially private Bayesian inference to
distance between distributions", sections 3 and 5, use scale 2 / epsilon and make the result consistent. The floor is
from their "Notes of DP - Bayesian inference", section 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.accounting.renyi import MAX_REPLACED_RECORDS, rho_of_laplace
from core.certificate import Certificate
from core.mechanisms.event import check_epsilon, check_size
from core.mechanisms.mechanism import by_group_privacy, smaller_loss
from core.mechanisms.noisy_counts import NoisyCounts
from core.mechanisms.unsealing import open_histogram
from core.noise import FlooredLaplaceNoise
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss
from core.private import Private, Released
from core.samplers.entropy import Entropy


@dataclass(frozen=True, slots=True)
class Laplace:
    """`n` records over `m` categories; noise of scale 2 / `epsilon`.

    Raises EventError outside the limits of `core.mechanisms.event`.
    """

    n: int
    m: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)

    @property
    def noise(self) -> FlooredLaplaceNoise:
        """Return the law of the noise on each count but the last."""
        return FlooredLaplaceNoise(2 / self.epsilon.value)


def certify(event: Laplace) -> Certificate:
    """Return the certificate: epsilon-DP under `replace_one`, and (epsilon / 2)-DP at m = 2.

    Proof. An integer may be added before or after the floor, so each noisy count is the floor of c_i + Lap(2 /
    epsilon). Its ratio is that of Laplace noise: e^(epsilon / 2) for each record by which c_i differs. One replaced
    record changes the m - 1 noisy counts by 2 in total if both of its categories are among them, and by 1 otherwise. At
    m = 2 there is only one noisy count. Clipping and cutting back are post-processing. rho is the least at which the
    noisy counts are rho-zCDP, from the distribution of their loss.
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


def loss_of_records(event: Laplace, one: Certificate, records: int) -> tuple[PrivacyLoss, str]:
    """Return the loss of `records` records, and how it is proven; rho is from the distribution of their loss."""
    loss, how = by_group_privacy(one, records)
    if records <= MAX_REPLACED_RECORDS:
        loss = smaller_loss(loss, loss.epsilon, rho_of_laplace(event.epsilon, event.m, records))
    return loss, how


def release(counts: Private[NDArray[np.int64]], event: Laplace, entropy: Entropy) -> Released[NoisyCounts]:
    """Release y_i = c_i + floor(Lap(2 / epsilon)) for the first m - 1 categories.

    `noisy` has m - 1 entries, `on_simplex` has m. Arguments: `counts` c of shape (m,), private, with sum n; `event`;
    `entropy`, the source of random bits.

    Guarantees what `certify(event)` states. The noise is drawn before the counts are opened, so the time of the draw
    depends on the noise alone. Raises HistogramError if the counts are not of the event's size.
    """
    noise = event.noise.draw(event.m - 1, entropy)
    return Released(_output(open_histogram(counts, n=event.n, m=event.m), noise, event), certify(event).loss)


def rehearse(counts: NDArray[np.int64], event: Laplace, entropy: Entropy) -> NoisyCounts:
    """Simulate the channel on made-up counts, shape (m,), sum n. This serves planning and is not a release."""
    return _output(counts, event.noise.draw(event.m - 1, entropy), event)


def _output(counts: NDArray[np.int64], noise: NDArray[np.int64], event: Laplace) -> NoisyCounts:
    noisy = tuple((counts[:-1] + noise).tolist())
    return NoisyCounts(noisy, consistent(noisy, event.n))


def consistent(noisy: tuple[int, ...], n: int) -> tuple[int, ...]:
    """Return the papers' m consistent counts from m - 1 noisy ones.

    Each noisy count is clipped into [0, n] and reduced in order, so that the total is at most n. The last category
    receives the rest.
    """
    left = n
    counts = []
    for y in noisy:
        counts.append(min(max(y, 0), left))
        left -= counts[-1]
    return (*counts, left)


def consistent_rows(noisy: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return `consistent` of each row of noisy counts, shape (k, m − 1)."""
    left = np.full(len(noisy), n)
    counts = []
    for column in noisy.T:
        counts.append(np.clip(column, 0, left))
        left = left - counts[-1]
    return np.stack([*counts, left], axis=1)
