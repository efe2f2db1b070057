"""Errors of the client: the service's problems, and responses that are missing or unreadable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from private_posterior.models import Amount, FieldError, ProblemDocument
from private_posterior.nearest import hint


class ClientError(Exception):
    """Base of the client's errors."""


class Unreachable(ClientError):
    """No connection was made, and nothing was sent or charged. The text states the cause."""


class NotSendable(ClientError):
    """The address, the key or the request is missing or can't be used. Nothing was sent."""


class LimitMissing(NotSendable):
    """The service finds the price of the request, which names no `max_charge`. `would_charge` is the price now. Nothing
    was charged.
    """

    def __init__(self, would_charge: Amount) -> None:
        self.would_charge = would_charge
        unit, price = (
            ("epsilon", would_charge["epsilon"])
            if would_charge["accountant"] == "basic"
            else ("rho", would_charge["rho"])
        )
        super().__init__(
            "give max_charge, the most that may be charged: the service finds the price, and it is "
            f"{unit} {price} now; nothing was charged"
        )


class NoSuchName(ClientError, LookupError):
    """Nothing has this name, or several things have it."""


class NotATable(ClientError, ValueError):
    """A table cannot be read or counted. The message states what to change. Nothing was sent."""


class AnswerLost(ClientError):
    """The request was sent, but its response did not arrive or a proxy replaced it. The request may have taken effect.
    Repeat it under the same Idempotency-Key: it is charged at most once.
    """


class NotTheService(ClientError):
    """The responding server is not Private Posterior, or has an incompatible version."""


@dataclass(eq=False)
class ProblemError(ClientError):
    """A problem document of the service. `document["type"]` identifies the problem. `advice` says what the caller of a
    method can do.
    """

    document: ProblemDocument
    retry_after_seconds: int | None = None
    advice: str = ""
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    """The body of the request."""
    about: Mapping[str, Any] | None = field(default=None, repr=False)
    """The data set, release or plan that the request was about, if a label or level of it was wrong."""

    def __str__(self) -> str:
        hints = [hint(each["location"], each["rule"], self.body, self.about) for each in self.errors]
        return " ".join([self.document["detail"], *(f"({each})" for each in hints if each), self.advice]).rstrip()

    @property
    def errors(self) -> list[FieldError]:
        """The locations in the request that break a rule, with the rule."""
        return self.document.get("errors", [])

    @property
    def code(self) -> str:
        """The last part of the type, such as `budget-exhausted`."""
        return self.document["type"].rpartition("/")[2]
