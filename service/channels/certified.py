"""Certifies a channel: names it by its public parameters, computes what is proven, stores and remembers it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self, TypeAlias

from pydantic import TypeAdapter

from core.certificate import Certificate
from core.mechanisms.catalogue import Event, certify
from service.channels.mechanisms import calibrate, event_from_json, event_to_json
from service.schemas.mechanisms import Mechanism

COMPUTATION: Final = "service.channels.certified:compute"
_VERSION: Final = 1
"""Raised when the meaning of the parameters changes: certificates of another version are computed anew."""
_MECHANISM: Final[TypeAdapter[Mechanism]] = TypeAdapter(Mechanism)


Channel: TypeAlias = tuple[Mechanism, int, tuple[float, ...]]
"""What a request asks for: the mechanism, the number of records and the prior."""


@dataclass(frozen=True)
class Certified:
    """A channel and what is proven of it."""

    event: Event
    certificate: Certificate

    @cached_property
    def document(self) -> dict[str, Any]:
        """Both as plain JSON, as they are stored; made once for all the releases that share them."""
        return {"event": event_to_json(self.event), "certificate": self.certificate.to_json()}

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Self:
        """What `document` was made of."""
        return cls(event_from_json(document["event"]), Certificate.from_json(document["certificate"]))

    def to_json(self) -> str:
        return json.dumps(self.document, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls.of_document(json.loads(text))


def parameters_of(mechanism: Mechanism, *, n: int, prior: tuple[float, ...]) -> str:
    """The public parameters of a certificate as one text, the same for equal requests."""
    content = {
        "version": _VERSION,
        "mechanism": mechanism.model_dump(mode="json"),
        "n": n,
        "prior": [repr(each) for each in prior],
    }
    return json.dumps(content, sort_keys=True)


def key_of(parameters: str) -> str:
    return hashlib.sha256(parameters.encode()).hexdigest()


def compute(parameters: str) -> str:
    """The certified channel of these parameters, as stored. Pure, public, and slow for some: runs in a process of
    its own then.
    """
    content = json.loads(parameters)
    prior = tuple(float(each) for each in content["prior"])
    event = calibrate(_MECHANISM.validate_python(content["mechanism"]), n=content["n"], prior=prior)
    return Certified(event, certify(event)).to_json()
