"""Defines what the client raises: the service's problems, typed, and answers that never came or can't be read."""

from __future__ import annotations

from dataclasses import dataclass

from private_posterior.models import ProblemDocument


class ClientError(Exception):
    """A request has no answer to give."""


class Unreachable(ClientError):
    """No connection came about: nothing was asked for, and nothing charged. The text says what stopped it."""


class NotSendable(ClientError):
    """The request can't be written, or the key can't be a key. Nothing was sent."""


class AnswerLost(ClientError):
    """The request was sent and its answer did not arrive, or a proxy answered in its place, so that what it asks for
    may have happened. Sent again under the same Idempotency-Key, it is charged once at most.
    """


class NotTheService(ClientError):
    """What answered is no Private Posterior, or one of a version that this client does not speak to."""


@dataclass(eq=False)
class ProblemError(ClientError):
    """The service's own account of why it refused or failed. `document["type"]` tells one problem from another."""

    document: ProblemDocument
    retry_after_seconds: int | None = None

    def __str__(self) -> str:
        return self.document["detail"]

    @property
    def code(self) -> str:
        """The last word of the type, such as `budget-exhausted`."""
        return self.document["type"].rpartition("/")[2]
