"""What answers to queries are paid for: all that is needed to measure what is to be measured and to answer, public, and
stored with the payment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from pydantic_core import to_json

from core.accounting.accountants import Accountant
from core.certificate import Certificate
from core.mechanisms.linear import LinearAnswers, certify
from core.queries.estimator import QueryEstimate
from service.cells import CellNames
from service.channels.events import linear_from_json, linear_to_json
from service.schemas.cells import of_json


class ErrorSize(NamedTuple):
    """The standard deviation of an answer's error, and half the width of the interval of its confidence without what
    grids and rounding add. Neither hangs on what is answered; both can take a tenth of a second to find.
    """

    deviation: float
    half_width: float

    @classmethod
    def of(cls, found: QueryEstimate, confidence: float) -> Self:
        """That of an estimate."""
        return cls(found.deviation, found.distribution.half_width(confidence))


@dataclass(frozen=True, slots=True)
class QuerySpec:
    """The request as plain JSON, what was public of the data set, the releases that the answers rest on, and what is
    measured, if anything.
    """

    request: dict[str, Any]
    labels: list[str]
    attributes: list[dict[str, Any]] | None
    """Of a cross table, as plain JSON."""
    unit: str
    records_per_unit: int
    record_count: int
    accountant: Accountant
    rests_on: list[str]
    """Ids of releases, in the order in which they go into the history."""
    event: LinearAnswers | None
    numbers: int
    """The most that the answers hold: weights, covariances and what each estimate has."""
    errors: list[ErrorSize]
    """Of each answer."""

    @property
    def certificate(self) -> Certificate | None:
        return None if self.event is None else certify(self.event)

    @property
    def names(self) -> CellNames:
        """How requests name the cells."""
        return CellNames(self.labels, of_json(self.attributes))

    def to_json(self) -> str:
        """The order as it is stored; its shape is kept for ever, since what crashed before its draw is read back by
        later versions.
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
            "event": None if self.event is None else linear_to_json(self.event),
            "certificate": None if self.certificate is None else self.certificate.to_json(),
            "errors": self.errors,
        }
        return to_json(content).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The order that `to_json` wrote."""
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
            event=None if stored["event"] is None else linear_from_json(stored["event"]),
            errors=[ErrorSize(*each) for each in stored["errors"]],
        )
