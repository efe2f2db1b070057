"""Price, quote and answer requests for the largest category."""

from __future__ import annotations

import json
from typing import Any

from core.mechanisms.largest import KIND as LARGEST
from core.mechanisms.largest import Largest
from pydantic_core import to_json

from core.accounting.accountants import Accountant, price
from core.certificate import Certificate
from core.mechanisms.catalogue import certify_unit
from service.channels.events import event_to_json
from service.database.rows import DatasetRow, ReleaseRow
from service.datasets.public_facts import DatasetFacts
from service.errors import NotSupported
from service.identifiers.identifiers import now
from service.ledger.debit import Debit
from service.ledger.decision import Charge
from service.ledger.outcomes import SIGNED_OUTCOME
from service.principals.auth import Caller
from service.releases.paid import Draw
from service.releases.release import PaidRequest
from service.releases.spec import certificate_document, certificate_response, charges, loss_response, paid_text
from service.runtime.runtime import Kind, Priced, Runtime, pay
from service.schemas import largest as schema
from service.schemas.releases import OfQuotes

_RESULT_BYTES = 1_000


def _certify_request(dataset: DatasetRow, body: schema.LargestCreate) -> tuple[Largest, Certificate]:
    if dataset.record_count is None:
        raise NotSupported("The largest category needs a public number of records.")
    event = Largest(dataset.record_count, dataset.category_count, body.epsilon)
    return event, certify_unit(event, dataset.records_per_unit)


async def _price(_: Runtime, request: PaidRequest[schema.LargestCreate], facts: DatasetFacts) -> tuple[Debit, Draw]:
    dataset = facts.dataset
    event, certificate = _certify_request(dataset, request.body)
    spec = {
        "request": request.document | {"mechanism": {"kind": LARGEST, "epsilon": str(event.epsilon)}},
        "labels": json.loads(dataset.labels),
        "unit": dataset.unit,
        "records_per_unit": dataset.records_per_unit,
        "accountant": dataset.accountant,
        "event": event_to_json(event),
        "certificate": certificate.to_json(),
        **SIGNED_OUTCOME,
    }
    text = to_json(spec).decode()
    debit = request.debit(
        facts,
        prefix="rel",
        mechanism=LARGEST,
        cost=price(certificate.loss, Accountant(dataset.accountant)),
        spec=text,
        drawn=spec,
        result_bytes=_RESULT_BYTES,
    )
    return debit, Draw.of(event, dataset.records_per_unit, len(text))


async def _quote(_: Runtime, __: Caller, dataset: DatasetRow, body: schema.LargestCreate) -> Priced:
    event, certificate = _certify_request(dataset, body)
    charge = Charge(price(certificate.loss, Accountant(dataset.accountant)), LARGEST, now())

    def quoted(of_every_kind: dict[str, Any], dataset: DatasetRow) -> OfQuotes:
        return schema.LargestQuote(
            kind="largest",
            certified=loss_response(certificate.loss),
            certificate=certificate_response(certificate, dataset.unit),
            **of_every_kind,
        )

    return Priced(charge, None, quoted, {"request": {}, "event": event_to_json(event)})


def _document(row: ReleaseRow) -> str:
    spec = json.loads(row.spec)
    return paid_text(
        row,
        "largest",
        {
            "labels": spec["labels"],
            "record_count": spec["event"]["n"],
            "category_count": spec["event"]["m"],
            "records_per_unit": spec["records_per_unit"],
            "event": spec["event"],
            **charges(row, Accountant(spec["accountant"])),
            "certificate": certificate_document(spec["certificate"], spec["unit"]),
            "largest": spec["labels"][json.loads(row.drawn or "")["largest"]],
        },
    )


KIND = Kind(_price, pay, _quote, _document)
