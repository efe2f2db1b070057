"""Certifies a channel: names it by its public parameters, computes its certificate, and converts it to its
stored form.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from pydantic import TypeAdapter

from core.certificate import Certificate
from core.mechanisms.catalogue import CountsEvent, certify_unit
from service.channels.events import counts_from_json, event_to_json
from service.channels.mechanisms import calibrate, check
from service.schemas.mechanisms import Mechanism

_VERSION: Final = 4
"""Increased if the parameters get another meaning, or if more can be proven of them. Certificates of other versions are
then computed again. A release keeps the certificate by which it was charged.
"""
_MECHANISM: Final[TypeAdapter[Mechanism]] = TypeAdapter(Mechanism)


class Channel(NamedTuple):
    """The public parameters of a channel: the mechanism, the number of records or None if it is private, the prior, and
    the number of records per unit.
    """

    mechanism: Mechanism
    n: int | None
    prior: tuple[float, ...]
    records_per_unit: int

    def certify(self) -> Certified:
        """Return the channel with its certificate for all records of one unit.

        Raises InvalidRequest or NotSupported.
        """
        event = calibrate(self.mechanism, n=self.n, prior=self.prior, records_per_unit=self.records_per_unit)
        return Certified(event, certify_unit(event, self.records_per_unit))

    def check(self) -> None:
        """Raise InvalidRequest or NotSupported, as far as that can be decided without a search."""
        check(self.mechanism, n=self.n, prior=self.prior, records_per_unit=self.records_per_unit)

    @property
    def parameters(self) -> str:
        """Return the parameters as one text, which is equal for equal channels."""
        content = {
            "version": _VERSION,
            "mechanism": self.mechanism.model_dump(mode="json"),
            "n": self.n,
            "prior": [repr(each) for each in self.prior],
        }
        if self.records_per_unit != 1:
            content["records_per_unit"] = self.records_per_unit
        return json.dumps(content, sort_keys=True)


@dataclass(frozen=True)
class Certified:
    """A channel and its certificate."""

    event: CountsEvent
    certificate: Certificate

    @cached_property
    def document(self) -> dict[str, Any]:
        """Return event and certificate as plain JSON in the stored form.

        It is cached for all releases that share them.
        """
        return {"event": event_to_json(self.event), "certificate": self.certificate.to_json()}

    @classmethod
    def of_document(cls, document: dict[str, Any]) -> Self:
        """Return the channel from what `document` returned."""
        return cls(counts_from_json(document["event"]), Certificate.from_json(document["certificate"]))

    def to_json(self) -> str:
        return json.dumps(self.document, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        return cls.of_document(json.loads(text))


def compute(parameters: str) -> str:
    """Return the stored form of the certified channel with these parameters.

    It depends on public facts only. If it is slow, it runs in a separate process.
    """
    content = json.loads(parameters)
    channel = Channel(
        _MECHANISM.validate_python(content["mechanism"]),
        content["n"],
        tuple(float(each) for each in content["prior"]),
        content.get("records_per_unit", 1),
    )
    return channel.certify().to_json()
