"""A certificate states the proven privacy loss of a mechanism and its proof, in a form that can be stored and
published.

It is about a channel: the random map from counts to a release that one event defines. It depends on public parameters
only, so it can be computed once, cached under these parameters, and shown to anyone. The ledger charges this loss.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Self, TypeAlias

from core.privacy import Delta, Epsilon, NeighbourRelation, PrivacyLoss, Rho

Method: TypeAlias = Literal["theorem", "exact_channel"]
"""`theorem`: a bound proven on paper, evaluated with outward rounding. `exact_channel`: the worst loss of the whole
channel, evaluated.
"""


class CertificateError(ValueError):
    """The stored form is not a certificate. The message names the rule and never repeats the content."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The privacy loss proven of one channel, and how it was proven.

    `statement` is one sentence for users; `details` has the public numbers that the proof used, as text.
    """

    loss: PrivacyLoss
    method: Method
    statement: str
    relation: NeighbourRelation
    details: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return a dictionary of texts and dictionaries for `json.dumps`; `from_json` restores an equal certificate."""
        return {
            "loss": {
                "epsilon": str(self.loss.epsilon),
                "delta": str(self.loss.delta),
                "rho": None if self.loss.rho is None else str(self.loss.rho),
                "rho_delta": str(self.loss.rho_delta),
            },
            "method": self.method,
            "statement": self.statement,
            "relation": self.relation.value,
            "details": dict(self.details),
        }

    @classmethod
    def from_json(cls, stored: dict[str, object]) -> Self:
        """Return the certificate that `to_json` wrote.

        Raises CertificateError if a field is missing or has the wrong type.
        """
        match stored:
            case {
                "loss": {
                    "epsilon": str(epsilon),
                    "delta": str(delta),
                    "rho": str() | None as rho,
                    "rho_delta": str(rho_delta),
                },
                "method": "theorem" | "exact_channel" as method,
                "statement": str(statement),
                "relation": str(relation),
                "details": dict(details),
            } if relation in set(NeighbourRelation) and all(
                isinstance(x, str) for item in details.items() for x in item
            ):
                loss = PrivacyLoss(
                    epsilon=Epsilon.parse(epsilon),
                    delta=Delta.parse(delta),
                    rho=None if rho is None else Rho.parse(rho),
                    rho_delta=Delta.parse(rho_delta),
                )
                return cls(loss, method, statement, NeighbourRelation(relation), dict(details))
            case _:
                raise CertificateError("must be an object with loss, method, statement, relation and details")
