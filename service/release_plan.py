"""What a release is paid for: all that is needed to draw it and to answer, public, and stored with its payment."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

from pydantic_core import to_json

from core.accounting import Accountant
from core.certificate import Certificate
from service.mechanisms import Event, event_from_json, event_to_json
from service.schemas.releases import ReleaseCreate


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """The request, what was public of the data set when it was paid, and the channel with what is proven of it."""

    request: ReleaseCreate
    labels: list[str]
    unit: str
    accountant: Accountant
    event: Event
    certificate: Certificate

    def to_json(self) -> str:
        """The plan as it is stored; its shape is kept for ever, since what crashed before its draw is read back by later versions."""
        content = {
            "request": self.request.model_dump(mode="json"),
            "labels": self.labels,
            "unit": self.unit,
            "accountant": self.accountant.value,
            "event": event_to_json(self.event),
            "certificate": self.certificate.to_json(),
        }
        return to_json(content).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plan that `to_json` wrote."""
        stored: dict[str, Any] = json.loads(text)
        return cls(
            request=ReleaseCreate.model_validate(stored["request"]),
            labels=stored["labels"],
            unit=stored["unit"],
            accountant=Accountant(stored["accountant"]),
            event=event_from_json(stored["event"]),
            certificate=Certificate.from_json(stored["certificate"]),
        )


def planned_event(text: str) -> Event:
    """The channel of a stored plan alone."""
    return event_from_json(json.loads(text)["event"])
