"""Lists the mechanisms with their functions, and finds the mechanism of an event.

A new mechanism is added in three places: `Event`, `mechanism_of`, and as a record in `MECHANISMS`. The type checker
finds a missing field of the record, and a missing case of `mechanism_of` once `Event` has the type.
`tests/core/mechanisms/test_catalogue.py` finds a missing record.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, assert_never

import numpy as np
from numpy.typing import NDArray

from core.accounting.group import loss_of_group
from core.accounting.renyi import MAX_REPLACED_RECORDS, rho_of_laplace
from core.accounting.zcdp import epsilon_of
from core.certificate import Certificate
from core.mechanisms import calibrations, gaussian, laplace
from core.mechanisms.exponential import channel as exponential_channel
from core.mechanisms.exponential import mechanism as exponential
from core.mechanisms.exponential.exact_loss import evaluable, evaluation_seconds
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.mechanism import Likelihood, Mechanism, NoiseOnCounts
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon, PrivacyLoss, Rho
from core.samplers.entropy import Entropy

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian | Exponential
"""The public parameters of one channel, of any mechanism."""

_SECONDS_PER_CATEGORY: Final = 7e-5
"""Time per category for the slowest noise and what is computed from it."""
_SECONDS_PER_SHARE_OF_TOTAL: Final = 2e-5
"""Time per category if the total of the noise is drawn first, and again per category for tables of the totals."""
_TABLED_CATEGORIES: Final = 100
"""Categories beyond which the tables take no longer."""

N = TypeVar("N", Laplace, SimplexGeometric, Gaussian)


def mechanism_of(event: Event) -> Mechanism[Any]:
    """Return the mechanism of this event. Its functions take events of this type."""
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
    """Return the certificate of the event's channel."""
    return mechanism_of(event).certify(event)


def certify_unit(event: Event, records: int) -> Certificate:
    """Return the certificate of the event's channel for a change of any `records` >= 1 records, all those of one unit.

    It follows from the proof for one record by group privacy. A smaller loss is used if one is known. For the
    exponential mechanism it comes from an evaluation of all pairs that differ in up to `records` records, if the
    channel is `evaluable`. For noise, rho comes from the distribution of the loss of `records` records.
    """
    return _of_unit(event, certify(event), records, math.inf)


def certify_unit_at_once(event: Event, records: int) -> Certificate:
    """Return a certificate as `certify_unit` does, in at most about a second.

    Its loss is at least that of `certify_unit`.
    """
    one = exponential.certify_at_once(event) if isinstance(event, Exponential) else certify(event)
    return _of_unit(event, one, records, exponential.QUICK_SECONDS)


def _of_unit(event: Event, one: Certificate, records: int, max_seconds: float) -> Certificate:
    if records == 1:
        return one
    loss, how = loss_of_group(one.loss, records), f"by group privacy from one record: {one.statement}"
    match event:
        case Gaussian():
            rho = Rho(records**2 * event.rho.units)
            loss = PrivacyLoss(epsilon_of(rho, event.delta), event.delta, rho)
        case Laplace() if records <= MAX_REPLACED_RECORDS:
            loss = _no_more_than(loss, loss.epsilon, rho_of_laplace(event.epsilon, event.m, records))
        case SimplexGeometric() if records <= MAX_REPLACED_RECORDS:
            loss = _no_more_than(loss, loss.epsilon, simplex_geometric.rho_of_records(event, records))
        case Exponential() if (
            one.method == "exact_channel"
            and evaluable(event.n, event.m, records)
            and evaluation_seconds(event.n, event.m, records) <= max_seconds
        ):
            loss = _no_more_than(loss, *exponential.loss_of_records(event, records, loss.delta))
            how = "by evaluation of the whole channel."
        case _:
            pass
    return replace(
        one,
        loss=loss,
        statement=f"({loss.epsilon}, {loss.delta})-differentially private when {records} records change their "
        f"categories, {how}",
        details=one.details | {"records_per_unit": str(records), "epsilon_of_one_record": str(one.loss.epsilon)},
    )


def _no_more_than(loss: PrivacyLoss, epsilon: Epsilon, rho: Rho) -> PrivacyLoss:
    """Return the loss with its epsilon and rho reduced to these, if they are smaller. All hold at the same delta."""
    return replace(loss, epsilon=min(loss.epsilon, epsilon), rho=rho if loss.rho is None else min(loss.rho, rho))


def lies_near_counts(event: Event) -> bool:
    """Return whether the draw lies near the counts, so that an interval around it is meaningful.

    It does not for the exponential mechanism at three or more categories, where an extreme histogram may have led to
    any candidate.
    """
    return not isinstance(event, Exponential) or event.m == 2


def rehearse(event: Event, counts: NDArray[np.int64], size: int, entropy: Entropy) -> tuple[NoisyCounts, ...]:
    """Simulate the event's channel `size` times on made-up `counts`, shape (m,), sum n. Nothing is released."""
    return mechanism_of(event).rehearse(counts, event, entropy, size)


def _noise_seconds(event: Laplace | SimplexGeometric) -> float:
    # The first draw at a rate may have to build tables of the totals of the noise.
    return _SECONDS_PER_SHARE_OF_TOTAL * (event.m + min(event.m, _TABLED_CATEGORIES))


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
