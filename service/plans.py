"""Plans and rehearses releases. Only what the caller sent is read here: no data set is named, and nothing is
charged.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from core import planning
from core.mechanisms.catalogue import rehearse
from core.mechanisms.event import EventError
from core.privacy import Epsilon
from service.channels.certified import Certified
from service.entropy import system_entropy
from service.errors import InvalidRequest, NotSupported
from service.posteriors import posteriors
from service.releases.document import certificate_response, loss_response, posterior_response, unit_of
from service.schemas import plans as schema
from service.schemas.posteriors import PictureRequest


def planned(text: str) -> str:
    """The JSON text of a Plan for that of a PlanCreate: a computation. Raises InvalidRequest."""
    return plan(schema.PlanCreate.model_validate_json(text)).model_dump_json()


def plan_seconds(request: schema.PlanCreate) -> float:
    """What a plan is estimated to take on one core, by its sizes; fitted as in `service.posteriors.effort`."""
    m, n = len(request.prior), int(made_up(request).sum())
    seconds = 1.4 + 0.05 * math.log10(n) + 4e-5 * m**2 + (1e-5 * n if m == 2 else 0.0)
    return seconds if request.wanted_error is None else 1.15 * seconds + 0.01 * m


def rehearsal_order(request: schema.RehearsalCreate, certified: Certified) -> str:
    """What `rehearsed` takes."""
    return json.dumps({"request": request.model_dump_json(), "certified": certified.to_json()})


def rehearsed(text: str) -> str:
    """The JSON text of a Rehearsal: a computation."""
    order = json.loads(text)
    request = schema.RehearsalCreate.model_validate_json(order["request"])
    return rehearsal(request, Certified.from_json(order["certified"])).model_dump_json()


def made_up(request: schema.PlanCreate) -> NDArray[np.int64]:
    """The counts that the plan is made at."""
    match request.data:
        case schema.HypotheticalCounts(counts=counts):
            return np.array(counts, dtype=np.int64)
        case schema.ReferenceShape(shape=shape, record_count=n):
            return planning.reference_counts(planning.Shape(shape), n, np.array(request.prior))


def plan(request: schema.PlanCreate) -> schema.Plan:
    """Every mechanism within the epsilon and delta asked for. Raises InvalidRequest."""
    counts, prior = made_up(request), tuple(request.prior)
    try:
        found = planning.plan(counts, prior, request.epsilon, request.delta, level=request.level)
    except (EventError, planning.PlanError) as error:
        raise InvalidRequest.at("", str(error)) from None
    return schema.Plan(
        options=[_option(option, request, counts) for option in found.options],
        recommended=found.recommended.kind,
        why=found.why,
        note="Computed at made-up counts; no data set was read, and nothing was charged.",
    )


def _option(option: planning.Option, request: schema.PlanCreate, counts: NDArray[np.int64]) -> schema.PlanOption:
    widths = option.widths
    return schema.PlanOption(
        mechanism=option.calibration.kind,
        certified=None if option.certificate is None else loss_response(option.certificate.loss),
        statement=None if option.certificate is None else option.certificate.statement,
        error=None
        if option.error is None
        else schema.HellingerError(**asdict(option.error), quantile_95=option.error.quantile(0.95)),
        widths=[] if widths is None else [schema.IntervalWidth(**asdict(width)) for width in widths.of_categories],
        widths_level=request.level,
        widths_rehearsals=0 if widths is None else widths.rehearsals,
        widths_unavailable=None if widths is None else widths.unavailable,
        smallest_epsilon=None
        if request.wanted_error is None
        else _smallest(option, request, counts, request.wanted_error),
        refusal=option.refusal,
    )


def _smallest(
    option: planning.Option, request: schema.PlanCreate, counts: NDArray[np.int64], wanted: float
) -> Epsilon | None:
    """Only where one epsilon takes milliseconds to judge: a search over the calibrations of the exponential
    mechanism is for its certificates.
    """
    if option.event is None or option.calibration.effort == "search":
        return None
    prior = np.array(request.prior)
    return planning.smallest_epsilon(
        lambda epsilon: planning.event_within(
            option.calibration, int(counts.sum()), tuple(request.prior), epsilon, request.delta
        ),
        lambda event: planning.expected_hellinger(event, counts, prior),
        wanted,
        start=request.epsilon,
    )


def rehearsal(request: schema.RehearsalCreate, certified: Certified) -> schema.RehearsedRelease:
    """A whole release on made-up counts, marked as such."""
    counts = np.array(request.counts, dtype=np.int64)
    (released,) = rehearse(certified.event, counts, 1, system_entropy())
    read = posteriors.ReadRelease(
        id="",
        event=certified.event,
        labels=request.labels,
        prior=request.prior,
        counts=released,
        title=f"Rehearsal on {sum(request.counts):,} made-up records",
        subtitle=(
            f"{request.mechanism.kind}, would be charged ({certified.certificate.loss.epsilon}, "
            f"{certified.certificate.loss.delta})"
        ),
        mark="REHEARSAL, NOT DATA",
    )
    try:
        picture = posteriors.picture(read, PictureRequest(level=request.level, by=[]))
    except NotSupported:
        picture = None
    return schema.RehearsedRelease(
        rehearsal=True,
        labels=request.labels,
        prior=request.prior,
        mechanism=request.mechanism,
        certified=loss_response(certified.certificate.loss),
        certificate=certificate_response(
            certified.certificate,
            unit=unit_of(certified.certificate),
        ),
        posterior=posterior_response(request.labels, request.prior, request.level, released),
        plot_svg=picture,
        note="A rehearsal on made-up counts; no data set was read, and nothing was charged.",
    )
