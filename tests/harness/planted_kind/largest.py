"""The largest category: adds two-sided geometric noise of rate epsilon / 2 to every count, and releases only the place
of the largest noisy count.

It is planted by a test, which adds a paid thing whose answer is neither noisy counts nor a posterior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms.event import check_epsilon, check_size
from core.mechanisms.mechanism import Kind, NoLikelihood, by_group_privacy
from core.mechanisms.unsealing import open_histogram
from core.noise import GeometricNoise
from core.privacy import Epsilon, NeighbourRelation, PrivacyLoss
from core.private import Private, Released
from core.samplers.entropy import Entropy

KIND: Final = "largest"


@dataclass(frozen=True, slots=True)
class Largest:
    """`n` records over `m` categories; `epsilon`, the loss of one record."""

    n: int
    m: int
    epsilon: Epsilon

    def __post_init__(self) -> None:
        check_size(self.n, self.m)
        check_epsilon(self.epsilon)


def certify(event: Largest) -> Certificate:
    """Return the certificate under `replace_one`.

    Proof. Replacing a record moves two counts by 1, and each moves the log ratio of its noisy count by at most
    epsilon / 2. The place of the largest follows from the noisy counts.
    """
    return Certificate(
        loss=PrivacyLoss(event.epsilon),
        method="theorem",
        statement=f"The release is {event.epsilon}-differentially private: it names the largest of noisy counts.",
        relation=NeighbourRelation.REPLACE_ONE,
        details={"noise_rate": f"{event.epsilon}/2"},
    )


def release(counts: Private[NDArray[np.int64]], event: Largest, entropy: Entropy, loss: PrivacyLoss) -> Released[int]:
    noise = GeometricNoise(event.epsilon.value / 2).draw(event.m, entropy)
    return Released(int(np.argmax(open_histogram(counts, n=event.n, m=event.m) + noise)), loss)


LARGEST: Final[Kind[Largest]] = Kind(
    event=Largest,
    kind=KIND,
    certify=certify,
    loss_of_records=lambda _, one, records, __: by_group_privacy(one, records),
    closed_form=True,
    certificate_seconds=lambda *_: 0.0,
    release=release,
    as_json=lambda place: {"largest": place},
    typical_draw_seconds=lambda event: 1e-4 * event.m,
    likelihood=lambda _: NoLikelihood("not available, because the release names a category and has no noisy counts"),
    query_noise=lambda _: "it names a category and has no noisy counts",
)
