"""Computes plans, curves and rehearsals from the request only. No data set is read, and nothing is charged."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import curves, planning
from core.cells import CellSet
from core.mechanisms.catalogue import Event, rehearse
from core.mechanisms.event import EventError
from core.mechanisms.mechanism import Calibration
from core.privacy import Epsilon
from core.widths import Widths, interval_widths, interval_without_noise, largest_categories
from service.cells import CellNames, cross_table
from service.channels.certified import Certified
from service.entropy import system_entropy
from service.errors import InvalidRequest, NotSupported, error_location
from service.pictures.scales import grouped
from service.posteriors import pictures
from service.posteriors.read_releases import ReadRelease
from service.releases.document import certificate_response, loss_response, posterior_response, unit_of
from service.schemas import plans as schema
from service.schemas.mechanisms import asked_by, record_of, record_of_calibration
from service.schemas.posteriors import PictureRequest


def planned(text: str) -> str:
    """Return the JSON text of a Plan for the JSON text of a PlanCreate. Raises InvalidRequest."""
    return plan(schema.PlanCreate.model_validate_json(text)).model_dump_json()


def drawn(text: str) -> str:
    """Return the JSON text of Curves for the JSON text of a CurveCreate. Raises InvalidRequest."""
    return curves_of(schema.CurveCreate.model_validate_json(text)).model_dump_json()


def names_sizes_alone(request: schema.HypotheticalRelease) -> bool:
    """Return whether the request has only sizes. Only then is its plan cached for other callers.

    Otherwise the response time would disclose that another caller made up the same counts or labels.
    """
    return isinstance(request.data, schema.ReferenceShape) and request.labels is None and request.attributes is None


def rehearsal_order(request: schema.RehearsalCreate, certified: Certified) -> str:
    """Return the input of `rehearsed`."""
    return json.dumps({"request": request.model_dump_json(), "certified": certified.to_json()})


def rehearsed(text: str) -> str:
    """Return the JSON text of a simulated release."""
    order = json.loads(text)
    request = schema.RehearsalCreate.model_validate_json(order["request"])
    return rehearsal(request, Certified.from_json(order["certified"])).model_dump_json()


def made_up(request: schema.HypotheticalRelease) -> NDArray[np.int64]:
    """Return the made-up counts of the plan."""
    match request.data:
        case schema.HypotheticalCounts(counts=counts):
            return np.array(counts, dtype=np.int64)
        case schema.ReferenceShape(shape=shape, record_count=n):
            return planning.reference_counts(planning.Shape(shape), n, np.array(request.prior))


def plan(request: schema.PlanCreate) -> schema.Plan:
    """Return a plan with every mechanism at the requested epsilon and delta. Raises InvalidRequest."""
    counts, prior = made_up(request), tuple(request.prior)
    shares, given = _shares(request, counts.size)
    try:
        found = planning.plan(
            counts,
            prior,
            request.epsilon,
            request.delta,
            level=request.level,
            shares=shares,
            given=given,
            records=request.records_per_unit,
        )
    except (EventError, planning.PlanError) as error:
        raise InvalidRequest.at("", str(error)) from None
    unreachable = _target_unreachable(request, counts, shares, given)
    options = [
        _option(option, request, None if unreachable else _smallest(option, request, counts, shares, given), shares)
        for option in found.options
    ]
    (best,) = (
        shown for option, shown in zip(found.options, options, strict=True) if option.calibration is found.recommended
    )
    assert best.mechanism is not None, "what is recommended can run"
    return schema.Plan(
        options=options,
        recommended=best.kind,
        recommended_mechanism=best.mechanism,
        recommendation_reason=found.why,
        target_unreachable_reason=unreachable,
        note="Computed at made-up counts; no data set was read, and nothing was charged.",
    )


def curves_of(request: schema.CurveCreate) -> schema.Curves:
    """Return the widths of each mechanism at every requested epsilon. Raises InvalidRequest."""
    counts, prior = made_up(request), tuple(request.prior)
    named, given = _shares(request, counts.size)
    shares = named or largest_categories(counts)[:1]
    try:
        found = curves.curves(
            counts,
            prior,
            request.epsilons,
            request.delta,
            shares=shares,
            given=given,
            level=request.level,
            records=request.records_per_unit,
        )
    except (EventError, planning.PlanError) as error:
        raise InvalidRequest.at("", str(error)) from None
    exact = [interval_without_noise(counts, np.array(prior), each, request.level, given) for each in shares]
    return schema.Curves(
        shares=list(request.shares) or [min(share) for share in shares],
        widths_without_noise=[each.width for each in exact],
        intervals_without_noise=[schema.ExpectedInterval(low=low, high=high) for low, high in exact],
        level=request.level,
        max_relative_error=max(curve.max_relative_error for curve in found),
        mechanisms=[
            schema.MechanismCurve(
                kind=record_of_calibration(curve.calibration).kind,
                points=[_point(curve.calibration, point, request) for point in curve.points],
                unavailable_reason=curve.unavailable,
            )
            for curve in found
        ],
        note="Computed at made-up counts; no data set was read, and nothing was charged.",
    )


def _point(calibration: Calibration[Any], point: curves.Point, request: schema.CurveCreate) -> schema.CurvePoint:
    mechanism = asked_by(calibration, point.epsilon, request.delta, len(request.prior))
    assert mechanism is not None, "it can run"
    loss = point.certificate.loss
    return schema.CurvePoint(
        epsilon=point.epsilon,
        mechanism=mechanism,
        certified=loss_response(loss),
        odds=math.exp(float(loss.epsilon)),
        widths=list(point.widths),
        intervals=[
            schema.ExpectedInterval(low=low, high=low + width)
            for low, width in zip(point.lows, point.widths, strict=True)
        ],
    )


def _shares(request: schema.PlanCreate | schema.CurveCreate, m: int) -> tuple[list[CellSet] | None, CellSet | None]:
    """Return the shares whose widths are requested, and the cells of their denominator if these are not all. Raises
    InvalidRequest.
    """
    if request.labels is not None and request.attributes is not None:
        raise InvalidRequest.at("attributes", "must be left out where there are labels")
    if request.attributes is not None:
        names = cross_table(request.attributes, request.impossible)
    else:
        names = CellNames(request.labels or [str(position) for position in range(m)])
    if names.m != m:
        raise InvalidRequest.at("prior", "must have one number for each label, or possible cell")
    base = frozenset(range(m))
    if request.given is not None:
        with error_location("given"):
            base = names.named(request.given)
            if not request.shares:
                raise InvalidRequest.at("", "needs `shares`")
    shares = []
    for index, share in enumerate(request.shares):
        with error_location(f"shares[{index}]"):
            cells = names.chosen(share) & base
            if not cells:
                raise InvalidRequest.at("", "must share a cell with `given`")
            if cells == base:
                raise InvalidRequest.at("", "must leave out a cell of the denominator: otherwise the share is 1")
            shares.append(cells)
    return shares or None, None if len(base) == m else base


def _option(
    option: planning.Option, request: schema.PlanCreate, smallest: Epsilon | None, shares: list[CellSet] | None
) -> schema.PlanOption:
    widths = option.widths
    named = dict(zip(shares or [], request.shares, strict=True))
    asked = asked_by(option.calibration, request.epsilon, request.delta, len(request.prior))
    return schema.PlanOption(
        kind=record_of_calibration(option.calibration).kind,
        mechanism=asked if option.event is not None else None,
        certified=None if option.certificate is None else loss_response(option.certificate.loss),
        statement=None if option.certificate is None else option.certificate.statement,
        widths=[]
        if widths is None
        else [
            schema.IntervalWidth(
                share=named.get(each.share, min(each.share)),
                expected=each.expected,
                standard_error=each.standard_error,
                without_noise=each.without_noise,
            )
            for each in widths.of_categories
        ],
        widths_level=request.level,
        widths_rehearsals=0 if widths is None else widths.rehearsals,
        widths_unavailable_reason=None if widths is None else widths.unavailable,
        error=None
        if option.error is None
        else schema.HellingerError(**asdict(option.error), quantile_95=option.error.quantile(0.95)),
        smallest_epsilon=smallest,
        unavailable_reason=option.refusal,
    )


def _target_unreachable(
    request: schema.PlanCreate, counts: NDArray[np.int64], shares: list[CellSet] | None, given: CellSet | None
) -> str | None:
    """Return the reason why no mechanism reaches the target width; None if exact counts do, or no target is set."""
    if request.target_width is None:
        return None
    prior = np.array(request.prior)
    widest = max(
        interval_without_noise(counts, prior, share, request.level, given).width
        for share in shares or largest_categories(counts)
    )
    if widest < request.target_width:
        return None
    return (
        f"No mechanism reaches a width of {request.target_width:.4g}: exact counts would already give an interval "
        f"{widest:.4g} wide."
    )


def _excess_of_widths(widths: Widths, wanted: float) -> float:
    """Return the noise's contribution to the widest interval, divided by its allowance. It falls about as 1 / epsilon.

    Squares of widths add up: the square for the exact counts and the square for the noise.
    """
    worst = 0.0 if widths.of_categories else math.inf
    for each in widths.of_categories:
        room = wanted**2 - each.without_noise**2
        noise = max(each.expected**2 - each.without_noise**2, 0.0)
        worst = max(worst, math.sqrt(noise / room) if room > 0.0 else math.inf)
    return worst


def _smallest(
    option: planning.Option,
    request: schema.PlanCreate,
    counts: NDArray[np.int64],
    shares: list[CellSet] | None,
    given: CellSet | None,
) -> Epsilon | None:
    """Return the smallest epsilon that reaches the targets, or None.

    It is searched only if evaluating one epsilon takes milliseconds. The exponential mechanism's search over
    calibrations is left to its certificates.
    """
    if request.target_error is None and request.target_width is None:
        return None
    slow = option.calibration.effort != "formula" if request.target_width else option.calibration.effort == "search"
    if option.event is None or slow or option.calibration.within is None:
        return None
    prior = np.array(request.prior)

    def excess(event: Event) -> float:
        """Return the predicted error or width divided by its target, whichever ratio is larger."""
        worst = 0.0
        if request.target_error is not None:
            worst = planning.expected_hellinger(event, counts, prior) / request.target_error
        if request.target_width is not None:
            widths = option.widths if event == option.event else None
            if widths is None:
                widths = interval_widths(event, counts, prior, level=request.level, shares=shares, given=given)
            worst = max(worst, _excess_of_widths(widths, request.target_width))
        return worst

    def event_at(epsilon: Epsilon) -> Event:
        return planning.event_asked(
            option.calibration,
            int(counts.sum()),
            tuple(request.prior),
            epsilon,
            request.delta,
            request.records_per_unit,
        )

    return planning.smallest_epsilon(event_at, excess, 1.0, start=request.epsilon)


def rehearsal(request: schema.RehearsalCreate, certified: Certified) -> schema.RehearsedRelease:
    """Return a complete release on made-up counts, marked as simulated."""
    counts = np.array(request.counts, dtype=np.int64)
    (released,) = rehearse(certified.event, counts, 1, system_entropy())
    read = ReadRelease(
        id="",
        event=certified.event,
        labels=request.labels,
        prior=request.prior,
        counts=released,
        title=f"Rehearsal on {grouped(sum(request.counts))} made-up records",
        subtitle=(
            f"{record_of(request.mechanism.kind).name} mechanism, would be charged "
            f"({certified.certificate.loss.epsilon}, {certified.certificate.loss.delta})"
        ),
        mark="REHEARSAL, NOT DATA",
    )
    try:
        picture = pictures.picture(read, PictureRequest(level=request.level, by=[]))
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
        posterior=posterior_response(certified.event, request.labels, request.prior, request.level, released),
        plot_svg=picture,
        note="A rehearsal on made-up counts; no data set was read, and nothing was charged.",
    )
