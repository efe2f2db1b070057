"""The spec of query answers: the public facts needed to measure the rows and compose the answers. It is stored with the
payment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from pydantic_core import to_json

from core.accounting.accountants import Accountant
from core.certificate import Certificate
from core.mechanisms.catalogue import LINEAR
from core.mechanisms.linear import LinearAnswers, certify
from core.queries.estimator import QueryEstimate
from service.channels.events import event_from_json, event_to_json
from service.ledger.outcomes import SIGNED_OUTCOME
from service.schemas.cell_names import CellNames
from service.schemas.cells import of_json


class ErrorSize(NamedTuple):
    """The standard deviation of an answer's error, and the half width of its interval before the slack of grids and
    rounding.

    Neither depends on the drawn values. Computing them can take a tenth of a second.
    """

    deviation: float
    half_width: float

    @classmethod
    def of(cls, found: QueryEstimate, confidence: float) -> Self:
        return cls(found.deviation, found.distribution.half_width(confidence))


@dataclass(frozen=True, slots=True)
class QuerySpec:
    """The request as plain JSON, public facts of the data set, the ids of the releases used, and the event that
    measures.

    `event` is None if nothing is measured.
    """

    request: dict[str, Any]
    labels: list[str]
    attributes: list[dict[str, Any]] | None
    """Attributes of a cross table, as plain JSON."""
    unit: str
    records_per_unit: int
    record_count: int | None
    accountant: Accountant
    rests_on: list[str]
    """Ids of the releases used, in the order in which they are added to the history."""
    event: LinearAnswers | None
    numbers: int
    """Upper bound of the numbers in the answers: weights, covariances and the fields of each estimate."""
    errors: list[ErrorSize]
    """One for each answer."""

    @property
    def certificate(self) -> Certificate | None:
        return None if self.event is None else certify(self.event)

    @property
    def names(self) -> CellNames:
        return CellNames(self.labels, of_json(self.attributes))

    def to_json(self) -> str:
        """Return the stored text.

        Its format never changes, because a later version may have to draw a release that was paid before a crash.
        """
        content = {
            "kind": "query",
            "request": self.request,
            "labels": self.labels,
            "attributes": self.attributes,
            "unit": self.unit,
            "records_per_unit": self.records_per_unit,
            "record_count": self.record_count,
            "accountant": self.accountant.value,
            "rests_on": self.rests_on,
            "numbers": self.numbers,
            "event": None if self.event is None else event_to_json(self.event),
            "certificate": None if self.certificate is None else self.certificate.to_json(),
            "errors": self.errors,
            **SIGNED_OUTCOME,
        }
        return to_json(content).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse the text that `to_json` wrote."""
        stored: dict[str, Any] = json.loads(text)
        return cls(
            request=stored["request"],
            labels=stored["labels"],
            attributes=stored["attributes"],
            unit=stored["unit"],
            records_per_unit=stored["records_per_unit"],
            record_count=stored["record_count"],
            accountant=Accountant(stored["accountant"]),
            rests_on=stored["rests_on"],
            numbers=stored["numbers"],
            event=None if stored["event"] is None else event_from_json(stored["event"], (LINEAR,)),
            errors=[ErrorSize(*each) for each in stored["errors"]],
        )
