"""The spec of a release of margins, and the document that is composed from it and the drawn counts.

A release of margins takes the path of every release (`service.releases.paid`). Its spec has no labels of cells: the
attributes and the event name every cell.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic_core import to_json

from core.accounting.accountants import Accountant, Cost
from core.certificate import Certificate
from core.margins.combination import Combination, measured_margins
from core.mechanisms.margins import KIND as MARGINS
from core.mechanisms.margins import Margins, cells_of, certify
from core.privacy import Epsilon, Rho
from service.channels.events import event_to_json, margins_from_json
from service.database import costs
from service.database.rows import ReleaseRow
from service.ledger.outcomes import SIGNED_OUTCOME
from service.releases.spec import certificate_document, charges, paid_text


@dataclass(frozen=True)
class MarginsSpec:
    """The request as plain JSON with the mechanism, public facts of the data set at the time of payment, the event, and
    the wanted tables with the sizes of their errors, which do not depend on the drawn values.
    """

    request: dict[str, Any]
    attributes: list[dict[str, Any]]
    unit: str
    accountant: Accountant
    event: Margins
    tables: list[dict[str, Any]]
    """For each table its `margin`, the `deviation` of a cell, and `intervals` of (confidence, half width)."""

    @cached_property
    def certificate(self) -> Certificate:
        return certify(self.event)

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
            tables=stored["tables"],
        )


def mechanism_of(event: Margins) -> dict[str, str]:
    """Return the mechanism of a release of margins, as plain JSON of a `schema.MarginsMechanism`."""
    units = sum(each.units for each in event.losses)
    if event.is_gaussian:
        return {"kind": MARGINS, "rho": str(Rho(units))}
    return {"kind": MARGINS, "epsilon": str(Epsilon(units))}


def measured_fields(event: Margins, attributes: list[dict[str, Any]], accountant: Accountant) -> list[dict[str, Any]]:
    """Return the fields of a `schema.PlannedMargin` for each margin of the event."""
    losses: list[Epsilon | Rho] = [*event.losses]
    return [
        {
            "attributes": [attributes[each]["name"] for each in measured.margin],
            "cell_count": cells_of(event.levels, measured.margin),
            "cost": costs.document(accountant, _cost(loss)),
            "noise": "discrete_gaussian" if event.is_gaussian else "geometric",
            "noise_parameter": str(parameter),
            "noise_standard_deviation": measured.noise.deviation,
        }
        for measured, parameter, loss in zip(measured_margins(event), event.noise_parameters, losses, strict=True)
    ]


def table_fields(
    tables: list[dict[str, Any]], event: Margins, attributes: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the fields of a `schema.PlannedTable` for each table of a spec."""
    return [
        {
            "attributes": [attributes[each]["name"] for each in table["margin"]],
            "cell_count": cells_of(event.levels, table["margin"]),
            "standard_deviation": table["deviation"],
            "intervals": [{"confidence": c, "half_width": half} for c, half in table["intervals"]],
        }
        for table in tables
    ]


def _cost(loss: Epsilon | Rho) -> Cost:
    return Cost(rho=loss) if isinstance(loss, Rho) else Cost(epsilon=loss)


def noisy_margins(event: Margins, flat: Sequence[Sequence[int]]) -> list[NDArray[np.int64]]:
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
    combination = Combination(event.levels, measured_margins(event), n_is_public=event.n is not None)
    wanted = [tuple(each["margin"]) for each in spec.tables]
    estimates = combination.estimates(noisy_margins(event, flat), event.n, wanted, event.impossible)
    certificate = certificate_document(spec.certificate.to_json(), spec.unit)
    request = spec.request
    return paid_text(
        row,
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
