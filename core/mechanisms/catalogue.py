"""Lists the mechanisms, each with all its answers, and finds the answers for an event.

A new mechanism is added three times: to `Event`, to `mechanism_of`, and as a record in `MECHANISMS`. The type checker
asks for whatever the record leaves out, and for the second once there is the first.
`tests/core/mechanisms/test_catalogue.py` asks for the third.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, assert_never

import numpy as np
from numpy.typing import NDArray

from core.accounting.group import loss_of_group
from core.accounting.zcdp import epsilon_of
from core.certificate import Certificate
from core.mechanisms import calibrations, gaussian, laplace
from core.mechanisms.exponential import channel as exponential_channel
from core.mechanisms.exponential import mechanism as exponential
from core.mechanisms.exponential.mechanism import Exponential, loss_of_records
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Likelihood, Mechanism, NoiseOnCounts
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, PrivacyLoss, Rho
from core.samplers.entropy import Entropy

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian | Exponential
"""Every public parameter of one channel, of whichever mechanism."""

_SECONDS_PER_CATEGORY: Final = 7e-5
"""The dearest noise on a count, and what is computed from it afterwards."""
_SECONDS_PER_SHARE_OF_TOTAL: Final = 2e-5
"""The same where noise is drawn by its total."""

N = TypeVar("N", Laplace, SimplexGeometric, Gaussian)


def mechanism_of(event: Event) -> Mechanism[Any]:
    """The mechanism whose event this is; its answers are about events of this type."""
    match event:
        case SimplexGeometric():
            return SIMPLEX_GEOMETRIC
        case Laplace():
            return LAPLACE
        case Gaussian():
            return GAUSSIAN
        case Exponential():
            return EXPONENTIAL
        case _:
            assert_never(event)


def certify(event: Event) -> Certificate:
    """What is proven of the event's channel."""
    return mechanism_of(event).certify(event)


def certify_unit(event: Event, records: int) -> Certificate:
    """What is proven of the event's channel when any `records` >= 1 records change their categories: all those of one
    person.

    By group privacy from what is proven of one record; for the Gaussian mechanism from its rho, which is exact: k
    records move the counts by at most k sqrt(2) in the l2 norm; and for a small channel of the exponential mechanism by
    evaluation at all pairs that differ in so many records.
    """
    proven = _of_unit(event, certify(event), records)
    exact = loss_of_records(event, records) if isinstance(event, Exponential) and records > 1 else None
    if exact is None or proven.loss.delta.units or proven.method != "exact_channel":
        return proven
    # Neither passes the other but by what rounding was allowed for.
    epsilon = min(exact.epsilon, proven.loss.epsilon)
    rho = min(each.rho for each in (exact, proven.loss) if each.rho is not None)
    return replace(
        proven,
        loss=PrivacyLoss(epsilon, Delta(0), rho),
        statement=f"({epsilon}, 0)-differentially private when {records} records change their categories, by "
        "evaluation of the whole channel.",
    )


def certify_unit_at_once(event: Event, records: int) -> Certificate:
    """What is proven by what takes about a second at most: no less than `certify_unit` says."""
    one = exponential.certify_at_once(event) if isinstance(event, Exponential) else certify(event)
    return _of_unit(event, one, records)


def _of_unit(event: Event, one: Certificate, records: int) -> Certificate:
    if records == 1:
        return one
    loss = loss_of_group(one.loss, records)
    if isinstance(event, Gaussian):
        rho = Rho(records**2 * event.rho.units)
        loss = PrivacyLoss(epsilon_of(rho, event.delta), event.delta, rho)
    return replace(
        one,
        loss=loss,
        statement=f"({loss.epsilon}, {loss.delta})-differentially private when {records} records change their "
        f"categories, by group privacy from one record: {one.statement}",
        details=one.details | {"records_per_unit": str(records), "epsilon_of_one_record": str(one.loss.epsilon)},
    )


def lies_near_counts(event: Event) -> bool:
    """Whether what is drawn lies near the counts, so that an interval around it means something.

    Not of the exponential mechanism at three categories and more: an extreme histogram may have led to any candidate.
    """
    return not isinstance(event, Exponential) or event.m == 2


def rehearse(event: Event, counts: NDArray[np.int64], size: int, entropy: Entropy) -> tuple[NoisyCounts, ...]:
    """`size` independent runs of the event's channel on made-up `counts`, shape (m,), sum n; nothing is released."""
    return mechanism_of(event).rehearse(counts, event, entropy, size)


def _noise_seconds(event: Laplace | SimplexGeometric) -> float:
    # The totals of the noise come from tables, which the first draw of a rate may have to make.
    return _SECONDS_PER_SHARE_OF_TOTAL * event.m


def _gaussian_seconds(event: Gaussian) -> float:
    return _SECONDS_PER_CATEGORY * event.m


def _choice_seconds(event: Exponential) -> float:
    return exponential.typical_draw_seconds(event.n, event.prior)


def _noise(log_noise: Callable[[N, NDArray[np.int64]], NDArray[np.float64]]) -> Callable[[N], Likelihood]:
    return lambda event: NoiseOnCounts(partial(log_noise, event))


def _repeated(
    rehearse_once: Callable[[NDArray[np.int64], N, Entropy], NoisyCounts],
) -> Callable[[NDArray[np.int64], N, Entropy, int], tuple[NoisyCounts, ...]]:
    return lambda counts, event, entropy, size: tuple(rehearse_once(counts, event, entropy) for _ in range(size))


SIMPLEX_GEOMETRIC: Final[Mechanism[SimplexGeometric]] = Mechanism(
    event=SimplexGeometric,
    kind="simplex_geometric",
    calibrations=(calibrations.SIMPLEX_GEOMETRIC,),
    certify=simplex_geometric.certify,
    release=lambda counts, event, entropy, _: simplex_geometric.release(counts, event, entropy),
    rehearse=_repeated(simplex_geometric.rehearse),
    typical_draw_seconds=_noise_seconds,
    likelihood=_noise(simplex_geometric.log_noise),
)
LAPLACE: Final[Mechanism[Laplace]] = Mechanism(
    event=Laplace,
    kind="laplace",
    calibrations=(calibrations.LAPLACE,),
    certify=laplace.certify,
    release=lambda counts, event, entropy, _: laplace.release(counts, event, entropy),
    rehearse=_repeated(laplace.rehearse),
    typical_draw_seconds=_noise_seconds,
    likelihood=_noise(laplace.log_noise),
)
GAUSSIAN: Final[Mechanism[Gaussian]] = Mechanism(
    event=Gaussian,
    kind="gaussian",
    calibrations=(calibrations.GAUSSIAN,),
    certify=gaussian.certify,
    release=lambda counts, event, entropy, _: gaussian.release(counts, event, entropy),
    rehearse=_repeated(gaussian.rehearse),
    typical_draw_seconds=_gaussian_seconds,
    likelihood=_noise(gaussian.log_noise),
)
EXPONENTIAL: Final[Mechanism[Exponential]] = Mechanism(
    event=Exponential,
    kind="exponential",
    calibrations=(
        calibrations.EXPONENTIAL_GLOBAL,
        calibrations.EXPONENTIAL_PROVEN,
        calibrations.EXPONENTIAL_PUBLISHED,
        calibrations.EXPONENTIAL_CERTIFIED,
    ),
    certify=exponential.certify,
    release=lambda counts, event, entropy, loss: exponential.release(counts, event, entropy, loss=loss),
    rehearse=exponential.rehearse,
    typical_draw_seconds=_choice_seconds,
    likelihood=exponential_channel.likelihood,
)

# In the order in which plans show them.
MECHANISMS: Final[tuple[Mechanism[Any], ...]] = (SIMPLEX_GEOMETRIC, LAPLACE, GAUSSIAN, EXPONENTIAL)
