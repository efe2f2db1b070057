"""The spec of a release holds what is paid for: all that is needed to draw it and to answer, public, and stored with
its payment. Ledger entry and receipt name the SHA-256 of its text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from pydantic_core import to_json

from core.accounting.accountants import Accountant
from core.certificate import Certificate
from core.mechanisms.catalogue import Event
from service.channels.certified import Certified
from service.channels.events import event_from_json
from service.schemas.mechanisms import MECHANISM, Mechanism


class OrderFields(NamedTuple):
    """The fields that the documents of all releases of an order share, as JSON text without braces."""

    beginning: str
    certificate: str


@dataclass(frozen=True)
class ReleaseSpec:
    """The request as plain JSON, what was public of the data set when it was paid, and the channel with what is
    proven of it.
    """

    request: dict[str, Any]
    labels: list[str]
    unit: str
    records_per_unit: int
    accountant: Accountant
    certified: Certified
    attributes: list[dict[str, Any]] | None = None
    """Of a cross table, as plain JSON."""

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """What is proven, for a data set of this unit."""
        return certificate_document(self.certified.document["certificate"], self.unit)

    @cached_property
    def fields(self) -> OrderFields:
        mechanism = self.request["mechanism"]
        beginning = {
            "state": "complete",
            "labels": self.labels,
            "attributes": self.attributes,
            "record_count": self.certified.event.n,
            "category_count": len(self.labels),
            "records_per_unit": self.records_per_unit,
            "event": self.certified.document["event"],
            "prior": self.request["prior"],
            "mechanism": mechanism,
            "requested": {name: value for name, value in mechanism.items() if name != "kind"},
            "certified": self.certificate["loss"],
        }
        return OrderFields(inside(beginning), inside({"certificate": self.certificate}))

    def to_json(self) -> str:
        """The order as it is stored; its shape is kept for ever, since what crashed before its draw is read back by
        later versions.
        """
        content = {
            "request": self.request,
            "labels": self.labels,
            "attributes": self.attributes,
            "unit": self.unit,
            "records_per_unit": self.records_per_unit,
            "accountant": self.accountant.value,
            **self.certified.document,
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
            accountant=Accountant(stored["accountant"]),
            certified=Certified.of_document(stored),
        )


def inside(document: dict[str, Any]) -> str:
    """The JSON text of an object without its braces."""
    return to_json(document)[1:-1].decode()


def certificate_document(stored: dict[str, Any], unit: str) -> dict[str, Any]:
    """`stored`: as `Certificate.to_json` gives it."""
    return {
        "method": stored["method"],
        "statement": stored["statement"],
        "relation": stored["relation"],
        "unit": unit,
        "loss": stored["loss"],
        "details": stored["details"],
    }


def stated_mechanism(text: str | None) -> Mechanism | None:
    """The mechanism of a stored order, by its JSON text; None where a restore forgot the release, and only its receipt
    is left.
    """
    return None if text is None else MECHANISM.validate_json(text)


def stated_certificate(text: str | None) -> Certificate | None:
    """As `stated_mechanism`, for what is proven."""
    return None if text is None else Certificate.from_json(json.loads(text))


def event_of_spec(text: str) -> Event:
    """The channel of a stored order alone."""
    return event_from_json(json.loads(text)["event"])
