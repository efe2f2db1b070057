"""Lists the kinds of events with their functions, and finds the kind of an event.

A new mechanism is added in two places here: `Event`, and a record in `MECHANISMS`. A new kind of event that is not of
noisy counts is added to `AnyEvent` and `KINDS`. The type checker finds a missing field of a record.
`tests/core/mechanisms/test_catalogue.py` finds a missing record.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from core.certificate import Certificate
from core.mechanisms import blocks, calibrations, gaussian, laplace, linear, margins, private_size
from core.mechanisms.blocks import BlockMargin, Blocks
from core.mechanisms.event import EventError
from core.mechanisms.exponential import channel as exponential_channel
from core.mechanisms.exponential import mechanism as exponential
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric import mechanism as simplex_geometric
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.mechanisms.linear import LinearAnswers
from core.mechanisms.margins import Margins
from core.mechanisms.mechanism import (
    Kind,
    Likelihood,
    Mechanism,
    NoiseOfTwo,
    NoiseOnCounts,
    NoLikelihood,
)
from core.mechanisms.noisy_counts import NoisyCounts, nearest_of_rows
from core.mechanisms.private_size import PrivateSize
from core.noise import Noise
from core.samplers.entropy import Entropy

Event: TypeAlias = Laplace | SimplexGeometric | Gaussian | Exponential
"""The public parameters of one channel, of any mechanism that needs a public number of records."""
CountsEvent: TypeAlias = Event | PrivateSize
"""The event of a release of noisy counts, whose number of records is public or private."""
TablesEvent: TypeAlias = Margins | Blocks
"""The event of several margins of a cross table."""
TableEvent: TypeAlias = CountsEvent | TablesEvent | BlockMargin
"""The event of noisy counts from which a posterior is computed: of a whole release, or of one measured margin."""
AnyEvent: TypeAlias = CountsEvent | TablesEvent | LinearAnswers
"""The event of anything that is paid for and drawn."""

_SECONDS_PER_CATEGORY: Final = 7e-5
"""Time per category for the slowest noise and the computations from it."""
_SECONDS_PER_SHARE_OF_TOTAL: Final = 2e-5
"""Time per category if the total of the noise is drawn first, and again per category for tables of the totals."""
_TABLED_CATEGORIES: Final = 100
"""Categories beyond which the tables take no longer."""

_MIXTURE_ARITHMETIC: Final = 5e-3
"""Time of the bound on the rounding of a draw of the exponential mechanism."""
_CONVERSION_SECONDS: Final = 5e-3
"""Time of the conversion from rho to epsilon."""

A = TypeVar("A")
N = TypeVar("N", Laplace, SimplexGeometric)


def kind_of(event: AnyEvent) -> Kind[Any]:
    """Return the kind of this event. Its functions take events of this type."""
    return _KIND_BY_EVENT[type(event)]


def mechanism_of(event: CountsEvent) -> Mechanism[Any]:
    """Return the mechanism of this event. Its functions take events of this type."""
    return _MECHANISMS[type(event)]


def is_planned(event: TableEvent) -> TypeGuard[Event]:
    """Return whether the event is of a mechanism in `MECHANISMS`, whose accuracy plans know."""
    return type(event) in get_args(Event)


def likelihood_of(event: TableEvent) -> Likelihood:
    """Return the likelihood of noisy counts of this event."""
    if isinstance(event, BlockMargin):
        return blocks.likelihood_of_margin(event)
    return kind_of(event).likelihood(event)


def query_noise_of(event: TableEvent) -> Noise | str:
    """Return the noise of its counts in linear queries, or why they can't be used (`Kind.query_noise`)."""
    whole = event.event if isinstance(event, BlockMargin) else event
    return kind_of(whole).query_noise(whole)


def certify(event: AnyEvent) -> Certificate:
    """Return the certificate of the event's channel."""
    return kind_of(event).certify(event)


def certify_unit(event: AnyEvent, records: int) -> Certificate:
    """Return the certificate of the event's channel for a change of any `records` >= 1 records, all those of one unit.

    It follows from the proof for one record by group privacy, unless the event names the records of a unit. A smaller
    loss is used if one is known. Raises EventError if the event is about another number of records.
    """
    return _certificate_of_unit(event, certify(event), records, math.inf)


def certify_unit_at_once(event: CountsEvent, records: int) -> Certificate:
    """Return a certificate as `certify_unit` does, in at most about a second.

    Its loss is at least the loss by `certify_unit`.
    """
    return _certificate_of_unit(event, mechanism_of(event).certify_at_once(event), records, exponential.QUICK_SECONDS)


def _certificate_of_unit(event: Any, one: Certificate, records: int, max_seconds: float) -> Certificate:
    loss_of_records = kind_of(event).loss_of_records
    if loss_of_records is None and event.records_per_unit != records:
        raise EventError("the event must be about all records of one unit")
    if records == 1 or loss_of_records is None:
        return one
    loss, how = loss_of_records(event, one, records, max_seconds)
    return replace(
        one,
        loss=loss,
        statement=f"({loss.epsilon}, {loss.delta})-differentially private when {records} records change their "
        f"categories, {how}",
        details=one.details | {"records_per_unit": str(records), "epsilon_of_one_record": str(one.loss.epsilon)},
    )


def lies_near_counts(event: TableEvent) -> bool:
    """Return whether the draw lies near the counts, so that an interval around it is meaningful.

    At three or more categories an extreme histogram may have led to any candidate of the exponential mechanism.
    """
    return event.m == 2 or isinstance(likelihood_of(event), NoiseOnCounts)


def rehearse(event: CountsEvent, counts: NDArray[np.int64], size: int, entropy: Entropy) -> tuple[NoisyCounts, ...]:
    """Simulate the event's channel `size` times on made-up `counts`, shape (m,), sum n. Nothing is released."""
    return mechanism_of(event).rehearse(counts, event, entropy, size)


def _noise_seconds(event: Laplace | SimplexGeometric) -> float:
    # The first draw at a rate may have to build tables of the totals of the noise.
    return _SECONDS_PER_SHARE_OF_TOTAL * (event.m + min(event.m, _TABLED_CATEGORIES))


def _gaussian_seconds(event: Gaussian) -> float:
    return _SECONDS_PER_CATEGORY * event.m


def _choice_seconds(event: Exponential) -> float:
    return exponential.typical_draw_seconds(event.n, event.prior) + _MIXTURE_ARITHMETIC


def _laplace_noise(event: Laplace) -> Likelihood:
    log_noise = event.noise.log_mass
    of_two = NoiseOfTwo("first", log_noise) if event.m == 2 else None
    of_rows = partial(laplace.consistent_rows, n=event.n)
    return NoiseOnCounts(log_noise, event.m - 1, tied=False, of_two=of_two, on_simplex=of_rows)


def _simplex_geometric_noise(event: SimplexGeometric) -> Likelihood:
    log_noise = partial(simplex_geometric.log_noise, event)
    # Both coordinates of (z, −z) contribute.
    of_two = NoiseOfTwo("first", lambda z: 2.0 * log_noise(z)) if event.m == 2 else None
    of_rows = partial(nearest_of_rows, n=event.n)
    return NoiseOnCounts(log_noise, event.m, tied=True, of_two=of_two, on_simplex=of_rows)


def _gaussian_noise(event: Gaussian) -> Likelihood:
    of_two = NoiseOfTwo("difference", partial(gaussian.log_noise_of_difference, event)) if event.m == 2 else None
    of_rows = partial(nearest_of_rows, n=event.n)
    return NoiseOnCounts(event.noise.log_mass, event.m, tied=False, of_two=of_two, on_simplex=of_rows)


def _repeat_rehearsals(
    rehearse_once: Callable[[NDArray[np.int64], A, Entropy], NoisyCounts],
) -> Callable[[NDArray[np.int64], A, Entropy, int], tuple[NoisyCounts, ...]]:
    return lambda counts, event, entropy, size: tuple(rehearse_once(counts, event, entropy) for _ in range(size))


SIMPLEX_GEOMETRIC: Final[Mechanism[SimplexGeometric]] = Mechanism(
    event=SimplexGeometric,
    kind="simplex_geometric",
    calibrations=(calibrations.SIMPLEX_GEOMETRIC,),
    certify=simplex_geometric.certify,
    certify_at_once=simplex_geometric.certify,
    loss_of_records=lambda event, one, records, _: simplex_geometric.loss_of_records(event, one, records),
    closed_form=True,
    certificate_seconds=simplex_geometric.certificate_seconds,
    release=lambda counts, event, entropy, _: simplex_geometric.release(counts, event, entropy),
    as_json=NoisyCounts.to_json,
    rehearse=_repeat_rehearsals(simplex_geometric.rehearse),
    typical_draw_seconds=_noise_seconds,
    likelihood=_simplex_geometric_noise,
    candidate_weights=simplex_geometric.candidate_weights,
    hellinger=None,
    query_noise=simplex_geometric.query_noise,
    refused_at_private_n="its noisy counts add up to the number of records, which is private: use geometric",
)
LAPLACE: Final[Mechanism[Laplace]] = Mechanism(
    event=Laplace,
    kind="laplace",
    calibrations=(calibrations.LAPLACE,),
    certify=laplace.certify,
    certify_at_once=laplace.certify,
    loss_of_records=lambda event, one, records, _: laplace.loss_of_records(event, one, records),
    closed_form=True,
    certificate_seconds=lambda *_: 0.0,
    release=lambda counts, event, entropy, _: laplace.release(counts, event, entropy),
    as_json=NoisyCounts.to_json,
    rehearse=_repeat_rehearsals(laplace.rehearse),
    typical_draw_seconds=_noise_seconds,
    likelihood=_laplace_noise,
    candidate_weights=lambda *_: None,
    hellinger=None,
    query_noise=lambda event: event.noise,
    refused_at_private_n=None,
)
GAUSSIAN: Final[Mechanism[Gaussian]] = Mechanism(
    event=Gaussian,
    kind="gaussian",
    calibrations=(calibrations.GAUSSIAN,),
    certify=gaussian.certify,
    certify_at_once=gaussian.certify,
    loss_of_records=lambda event, one, records, _: gaussian.loss_of_records(event, one, records),
    closed_form=True,
    certificate_seconds=lambda *_: _CONVERSION_SECONDS,
    release=lambda counts, event, entropy, _: gaussian.release(counts, event, entropy),
    as_json=NoisyCounts.to_json,
    rehearse=_repeat_rehearsals(gaussian.rehearse),
    typical_draw_seconds=_gaussian_seconds,
    likelihood=_gaussian_noise,
    candidate_weights=lambda *_: None,
    hellinger=None,
    query_noise=lambda event: event.noise,
    refused_at_private_n=None,
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
    certify_at_once=exponential.certify_at_once,
    loss_of_records=exponential.loss_of_unit,
    closed_form=False,
    certificate_seconds=exponential.certificate_seconds,
    release=lambda counts, event, entropy, loss: exponential.release(counts, event, entropy, loss=loss),
    as_json=NoisyCounts.to_json,
    rehearse=exponential.rehearse,
    typical_draw_seconds=_choice_seconds,
    likelihood=exponential_channel.likelihood,
    candidate_weights=exponential.weights_at,
    hellinger=exponential.hellinger_at,
    query_noise=lambda _: "the exponential mechanism chooses a candidate and adds no noise to the counts",
    refused_at_private_n="the counts that it chooses add up to the number of records, which is private: use geometric",
)

PRIVATE_SIZE: Final[Mechanism[PrivateSize]] = Mechanism(
    event=PrivateSize,
    kind=private_size.KIND,
    calibrations=calibrations.AT_PRIVATE_N,
    certify=private_size.certify,
    certify_at_once=private_size.certify,
    loss_of_records=None,
    closed_form=True,
    certificate_seconds=lambda *_: private_size.CERTIFICATE_SECONDS,
    release=lambda counts, event, entropy, _: private_size.release(counts, event, entropy),
    as_json=NoisyCounts.to_json,
    rehearse=_repeat_rehearsals(private_size.rehearse),
    typical_draw_seconds=lambda event: private_size.SECONDS_PER_CATEGORY * event.m,
    likelihood=private_size.likelihood,
    candidate_weights=lambda *_: None,
    hellinger=None,
    query_noise=lambda event: event.noise,
    refused_at_private_n=None,
)
MARGINS: Final[Kind[Margins]] = Kind(
    event=Margins,
    kind=margins.KIND,
    certify=margins.certify,
    loss_of_records=None,
    closed_form=True,
    certificate_seconds=margins.certificate_seconds,
    release=lambda counts, event, entropy, _: margins.release(counts, event, entropy),
    as_json=lambda drawn: {"noisy": [each.ravel().tolist() for each in drawn]},
    typical_draw_seconds=margins.typical_draw_seconds,
    likelihood=margins.likelihood,
    query_noise=lambda event: event.noises[0],
)
BLOCKS: Final[Kind[Blocks]] = Kind(
    event=Blocks,
    kind=blocks.KIND,
    certify=blocks.certify,
    loss_of_records=None,
    closed_form=True,
    certificate_seconds=blocks.certificate_seconds,
    release=lambda counts, event, entropy, _: blocks.release(counts, event, entropy),
    as_json=lambda drawn: {"noisy": [each.ravel().tolist() for each in drawn]},
    typical_draw_seconds=blocks.typical_draw_seconds,
    likelihood=blocks.likelihood,
    query_noise=lambda _: "its tables share one draw of noise: read them in the release",
)
LINEAR: Final[Kind[LinearAnswers]] = Kind(
    event=LinearAnswers,
    kind=linear.KIND,
    certify=linear.certify,
    loss_of_records=None,
    closed_form=True,
    certificate_seconds=linear.certificate_seconds,
    release=lambda counts, event, entropy, _: linear.release(counts, event, entropy),
    as_json=lambda drawn: [str(each) for each in drawn],
    typical_draw_seconds=lambda _: 0.0,
    likelihood=lambda _: NoLikelihood("not available, because its answers are sums of counts"),
    query_noise=lambda _: "its answers are rows of a history already",
)

# In the order in which plans show them.
MECHANISMS: Final[tuple[Mechanism[Any], ...]] = (SIMPLEX_GEOMETRIC, LAPLACE, GAUSSIAN, EXPONENTIAL)
"""The mechanisms at a public number of records."""
COUNTS: Final[tuple[Mechanism[Any], ...]] = (*MECHANISMS, PRIVATE_SIZE)
"""The kinds of releases of noisy counts."""
KINDS: Final[tuple[Kind[Any], ...]] = (*COUNTS, MARGINS, BLOCKS, LINEAR)
_MECHANISMS: Final[dict[type, Mechanism[Any]]] = {each.event: each for each in COUNTS}
_KIND_BY_EVENT: Final[dict[type, Kind[Any]]] = {each.event: each for each in KINDS}
