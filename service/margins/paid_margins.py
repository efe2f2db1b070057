"""Margins as a paid thing: the plan of a request, its event, spec and debit, and the answer that is composed from the
drawn counts.

Every check depends on public facts and runs before the debit. A release of margins takes the path of every release
(`service.releases.paid`). Its spec has no labels of cells: the attributes and the event name every cell.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic_core import to_json

from core.accounting.accountants import Accountant, Cost, price
from core.certificate import Certificate
from core.limits import MAX_CATEGORIES
from core.margins.blocks import BlockEstimates
from core.margins.combination import Combination, measured_margins
from core.mechanisms.blocks import KIND as BLOCKS
from core.mechanisms.blocks import Blocks
from core.mechanisms.catalogue import TablesEvent, certify, kind_of
from core.mechanisms.event import EventError
from core.mechanisms.margins import KIND as MARGINS
from core.mechanisms.margins import Margin, Margins, cells_of
from core.privacy import Delta, Epsilon, PrivacyLoss, Rho
from service.channels.events import event_to_json, margins_from_json
from service.database import costs
from service.database.rows import DatasetRow, JobRow, ReleaseRow
from service.datasets.public_facts import DatasetFacts
from service.errors import InvalidRequest, PreparationPending
from service.identifiers.identifiers import now
from service.ledger.debit import Debit
from service.ledger.decision import Charge
from service.ledger.outcomes import SIGNED_OUTCOME
from service.margins import planning
from service.margins.planning import Plan, names_of
from service.principals.auth import Caller
from service.releases.paid import Draw, check_draw
from service.releases.release import PaidRequest, above_limit
from service.releases.spec import certificate_document, certificate_response, charges, loss_response, paid_text
from service.runtime import jobs
from service.runtime.job_leases import retry_seconds
from service.runtime.runtime import Kind, Priced, Runtime, pay
from service.schemas import margins as schema
from service.schemas.model import amount
from service.schemas.releases import OfQuotes


@dataclass(frozen=True)
class MarginsSpec:
    """The request as plain JSON with the mechanism, public facts of the data set at the time of payment, the event, and
    the wanted tables with the sizes of their errors, which do not depend on the drawn values.
    """

    request: dict[str, Any]
    attributes: list[dict[str, Any]]
    unit: str
    accountant: Accountant
    event: TablesEvent
    certificate: Certificate
    tables: list[dict[str, Any]]
    """For each table its `margin`, the `deviation` of a cell, and `intervals` with the values of `_INTERVAL_FIELDS`."""

    def to_json(self) -> str:
        """Return the stored text.

        Its format never changes, because a later version may have to draw a release that was paid before a crash.
        """
        content = {
            "request": self.request,
            "attributes": self.attributes,
            "unit": self.unit,
            "records_per_unit": self.event.records_per_unit,
            "accountant": self.accountant.value,
            "event": event_to_json(self.event),
            "certificate": self.certificate.to_json(),
            "tables": self.tables,
            **SIGNED_OUTCOME,
        }
        return to_json(content).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the text that `to_json` wrote."""
        stored: dict[str, Any] = json.loads(text)
        return cls(
            request=stored["request"],
            attributes=stored["attributes"],
            unit=stored["unit"],
            accountant=Accountant(stored["accountant"]),
            event=margins_from_json(stored["event"]),
            certificate=Certificate.from_json(stored["certificate"]),
            tables=stored["tables"],
        )


def mechanism_of(loss: PrivacyLoss) -> dict[str, str]:
    """Return the mechanism of a release of margins, as plain JSON of a `schema.MarginsMechanism`."""
    # Only Gaussian noise states a δ.
    return (
        {"kind": MARGINS, "rho": str(loss.rho)} if loss.delta.units else {"kind": MARGINS, "epsilon": str(loss.epsilon)}
    )


def measured_fields(
    event: TablesEvent, attributes: list[dict[str, Any]], accountant: Accountant
) -> list[dict[str, Any]]:
    """Return the fields of a `schema.PlannedMargin` for each margin of the event."""
    return [
        {
            "attributes": [attributes[each]["name"] for each in margin],
            "cell_count": cells_of(event.levels, margin),
            **noise,
        }
        for margin, noise in zip(event.margins, _FORMS[kind_of(event).kind].noises(event, accountant), strict=True)
    ]


def _independent_noises(event: Margins, accountant: Accountant) -> list[dict[str, Any]]:
    losses: list[Epsilon | Rho] = [*event.losses]
    return [
        {
            "cost": costs.document(Accountant.ZCDP if event.is_gaussian else accountant, _cost(loss)),
            "noise": "discrete_gaussian" if event.is_gaussian else "geometric",
            "noise_parameter": str(parameter),
            "noise_standard_deviation": noise.deviation,
        }
        for noise, parameter, loss in zip(event.noises, event.noise_parameters, losses, strict=True)
    ]


def _noises_of_blocks(event: Blocks, accountant: Accountant) -> list[dict[str, Any]]:
    found = []
    for number in range(len(event.margins)):
        block, of = event.block_of(number), event.of_margin(number)
        found.append(
            {
                "cost": costs.document(accountant, _cost(event.epsilons[block])),
                "noise": "max_norm",
                "noise_parameter": str(event.rates[block]),
                "noise_standard_deviation": of.noise.variance(of.dimension) ** 0.5,
                "block": block + 1,
            }
        )
    return found


def _independent_estimates(
    event: Margins, noisy: list[NDArray[np.int64]], wanted: list[Margin]
) -> list[NDArray[np.float64]]:
    combination = Combination(event.levels, measured_margins(event), n_is_public=event.n is not None)
    return combination.estimates(noisy, event.n, wanted, event.impossible)


class _Form(NamedTuple):
    """The functions of one kind of margin event: its noise, and the estimates of wanted tables."""

    noises: Callable[[Any, Accountant], list[dict[str, Any]]]
    estimates: Callable[[Any, list[NDArray[np.int64]], list[Margin]], list[NDArray[np.float64]]]


_FORMS: Final = {
    MARGINS: _Form(_independent_noises, _independent_estimates),
    BLOCKS: _Form(_noises_of_blocks, lambda event, noisy, wanted: BlockEstimates(event).estimates(noisy, wanted)),
}
_INTERVAL_FIELDS: Final = ("confidence", "half_width", "simultaneous_half_width")
"""Members of an interval of a table. Only intervals of blocks have the last one."""


def table_fields(
    tables: list[dict[str, Any]], event: TablesEvent, attributes: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the fields of a `schema.PlannedTable` for each table of a spec."""
    return [
        {
            "attributes": [attributes[each]["name"] for each in table["margin"]],
            "cell_count": cells_of(event.levels, table["margin"]),
            "standard_deviation": table["deviation"],
            "intervals": [dict(zip(_INTERVAL_FIELDS, each, strict=False)) for each in table["intervals"]],
        }
        for table in tables
    ]


def _cost(loss: Epsilon | Rho) -> Cost:
    return Cost(rho=loss) if isinstance(loss, Rho) else Cost(epsilon=loss)


def noisy_margins(event: TablesEvent, flat: Sequence[Sequence[int]]) -> list[NDArray[np.int64]]:
    """Return stored noisy counts as arrays with the levels of each margin's attributes as shape."""
    return [
        np.array(counts, dtype=np.int64).reshape([event.levels[each] for each in margin])
        for margin, counts in zip(event.margins, flat, strict=True)
    ]


def margins_document(row: ReleaseRow) -> str:
    """Return the JSON text of a `schema.MarginsRelease` of a drawn release."""
    spec = MarginsSpec.from_json(row.spec)
    event, attributes = spec.event, spec.attributes
    flat = json.loads(row.drawn or "")["noisy"]
    wanted = [tuple(each["margin"]) for each in spec.tables]
    estimates = _FORMS[kind_of(event).kind].estimates(event, noisy_margins(event, flat), wanted)
    certificate = certificate_document(spec.certificate.to_json(), spec.unit)
    request = spec.request
    return paid_text(
        row,
        "margins",
        {
            "attributes": attributes,
            "record_count": event.n,
            "category_count": event.m,
            "records_per_unit": event.records_per_unit,
            "event": event_to_json(event),
            "mechanism": request["mechanism"],
            "requested": {name: request[name] for name in ("epsilon", "rho") if request.get(name) is not None},
            "certified": certificate["loss"],
            **charges(row, spec.accountant),
            "certificate": certificate,
            "measured": [
                fields | {"noisy_counts": counts}
                for fields, counts in zip(measured_fields(event, attributes, spec.accountant), flat, strict=True)
            ],
            "tables": [
                fields | {"estimates": table.ravel().tolist()}
                for fields, table in zip(table_fields(spec.tables, event, attributes), estimates, strict=True)
            ],
        },
    )


_Request: TypeAlias = PaidRequest[schema.MarginsCreate]
_BYTES_PER_CELL = 30
"""Bytes of an estimate, or of a noisy count, in the result."""


async def _price(runtime: Runtime, request: _Request, facts: DatasetFacts) -> tuple[Debit, Draw]:
    plan = await obtain_plan(runtime, request.caller, facts.dataset, request.body)
    return await asyncio.to_thread(_price_plan, request, facts, plan)


def _price_plan(request: _Request, facts: DatasetFacts, plan: Plan) -> tuple[Debit, Draw]:
    """Return the debit and the draw of a plan. At 50 000 cells this takes a tenth of a second. Raises InvalidRequest
    and MaxChargeExceeded.
    """
    dataset, body = facts.dataset, request.body
    event = event_of(dataset, body, plan)
    certificate, accountant = certify(event), Accountant(dataset.accountant)
    cost = price(certificate.loss, accountant)
    spec = MarginsSpec(
        request=request.document | {"mechanism": mechanism_of(certificate.loss)},
        attributes=names_of(dataset).to_json() or [],
        unit=dataset.unit,
        accountant=accountant,
        event=event,
        certificate=certificate,
        tables=plan.table_texts,
    ).to_json()
    cells = sum(cells_of(event.levels, each) for each in (*event.margins, *(each.margin for each in plan.tables)))
    debit = request.debit(
        facts,
        prefix="rel",
        mechanism=MARGINS,
        cost=cost,
        spec=spec,
        drawn=_spec_members(event, plan),
        result_bytes=_BYTES_PER_CELL * cells,
        refusal=above_limit(body.max_charge, certificate.loss, cost),
    )
    return debit, Draw.of(event, event.records_per_unit, len(spec))


def _spec_members(event: TablesEvent, plan: Plan) -> dict[str, Any]:
    """Return the members of a spec for the draw and for the tables that are combined from it."""
    return {"request": {}, "event": event_to_json(event), "tables": plan.table_texts}


async def obtain_plan(runtime: Runtime, caller: Caller, dataset: DatasetRow, body: schema.MarginsCreate) -> Plan:
    """Return the plan of a request: a charge measures the margins of the preceding quote.

    Raises PreparationPending if it takes longer than a request may wait, InvalidRequest, RateLimited and
    JobQuotaExceeded.
    """
    order = await asyncio.to_thread(planning.order, dataset, body)
    result = await jobs.run_or_enqueue(runtime, caller, "margins_plan", lambda _: order)
    if isinstance(result, JobRow):
        raise PreparationPending.until(retry_seconds(result.created_at), job=f"/v1/jobs/{result.id}")
    return Plan.from_json(result)


def event_of(dataset: DatasetRow, body: schema.MarginsCreate, plan: Plan) -> TablesEvent:
    """Return the event that measures the planned margins. Raises InvalidRequest beyond its limits."""
    accountant, table = Accountant(dataset.accountant), names_of(dataset).table
    try:
        if plan.blocks is not None:
            margins = iter(plan.margins)
            return Blocks(
                n=dataset.record_count or 0,  # a private number is refused
                levels=table.levels,
                impossible=table.impossible,
                blocks=tuple(tuple(islice(margins, size)) for size in plan.blocks),
                epsilons=tuple(map(Epsilon.parse, plan.losses)),
                records_per_unit=dataset.records_per_unit,
            )
        return Margins(
            n=dataset.record_count,
            levels=table.levels,
            impossible=table.impossible,
            margins=plan.margins,
            losses=plan.losses_of(accountant),
            delta=body.delta if accountant is Accountant.ZCDP else Delta.parse(plan.spent_delta or "0"),
            records_per_unit=dataset.records_per_unit,
        )
    except EventError as error:
        raise InvalidRequest.at("", str(error)) from None


_WIDTH_TOLERANCE: Final = 1.1
"""Largest ratio of half widths at which one release of all attributes is called nearly as precise."""


async def _quote(runtime: Runtime, caller: Caller, dataset: DatasetRow, body: schema.MarginsCreate) -> Priced:
    """Return the price of margins on a data set. Raises the same problems about its parameters as the charge."""
    plan = await obtain_plan(runtime, caller, dataset, body)
    event = await asyncio.to_thread(event_of, dataset, body, plan)
    check_draw(Draw.of(event, event.records_per_unit), runtime.processes.max_draw_seconds)
    loss = certify(event).loss
    charge = Charge(price(loss, Accountant(dataset.accountant)), MARGINS, now())
    limit = above_limit(body.max_charge, loss, charge.cost)
    return Priced(charge, limit, partial(_quote_of, body=body, plan=plan, event=event), _spec_members(event, plan))


def _quote_of(
    of_every_kind: dict[str, Any], dataset: DatasetRow, *, body: schema.MarginsCreate, plan: Plan, event: TablesEvent
) -> OfQuotes:
    certificate, accountant = certify(event), Accountant(dataset.accountant)
    attributes = names_of(dataset).to_json() or []
    half_widths = [
        next(half for confidence, half, *_ in each.intervals if confidence == body.confidence) for each in plan.tables
    ]
    as_precise = all(
        full <= _WIDTH_TOLERANCE * own for full, own in zip(plan.full_half_widths, half_widths, strict=True)
    )
    full = None if plan.full_charge is None else plan.cost(accountant, plan.full_charge)
    return schema.MarginsQuote(
        kind="margins",
        measured=[schema.PlannedMargin(**each) for each in measured_fields(event, attributes, accountant)],
        tables=[schema.PlannedTable(**each) for each in table_fields(plan.table_texts, event, attributes)],
        full_release=schema.FullRelease(
            half_widths=list(plan.full_half_widths),
            is_nearly_as_precise=as_precise and dataset.category_count <= MAX_CATEGORIES,
            would_charge=None if full is None else amount(accountant, full),
        ),
        certified=loss_response(certificate.loss),
        certificate=certificate_response(certificate, dataset.unit),
        **of_every_kind,
    )


KIND: Final = Kind(_price, pay, _quote, margins_document)
