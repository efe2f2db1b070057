"""Errors of the client: the service's problems, and responses that are missing or unreadable."""

from __future__ import annotations

from dataclasses import dataclass

from private_posterior.models import ProblemDocument


class ClientError(Exception):
    """Base of the client's errors."""


class Unreachable(ClientError):
    """No connection was made, and nothing was sent or charged. The text states the cause."""


class NotSendable(ClientError):
    """The request or the key can't be encoded. Nothing was sent."""


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

    def __str__(self) -> str:
        return f"{self.document['detail']} {self.advice}".rstrip()

    @property
    def code(self) -> str:
        """The last part of the type, such as `budget-exhausted`."""
        return self.document["type"].rpartition("/")[2]
