"""Defines every problem that a caller can meet, on one base, rendered as RFC 9457 problem details.

A problem says what is wrong, whether budget was charged and whether the same request may simply be sent again. It names
a location and a rule; it never repeats input, and no problem that comes after the charge says more than one constant
thing. Subclasses stand here beside each other, since the table of docs/reference/problems.md is made from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, ClassVar, Self

PROBLEM_PATH = "/problems/"


class Problem(Exception):
    """A refusal or failure to be told to the caller.

    The detail is the title and the consequence where the raiser says no other. `charged` is None where it can't be
    known, as after a lost database connection during the commit.
    """

    code: ClassVar[str]
    status: ClassVar[int]
    title: ClassVar[str]
    consequence: ClassVar[str] = ""
    charged: ClassVar[bool | None] = False
    retry_safe: ClassVar[bool] = True
    retry_after_seconds: int | None = None

    def __init__(self, detail: str | None = None, *, errors: Sequence[Mapping[str, str]] = (), **extra: Any) -> None:
        super().__init__(self.code)
        self.detail = detail or f"{self.title} {self.consequence}".strip()
        self.errors = list(errors)
        self.extra = extra

    @classmethod
    def until(cls, seconds: float, **extra: Any) -> Self:
        """Return the problem with Retry-After `seconds`, rounded up."""
        problem = cls(**extra)
        problem.retry_after_seconds = max(1, math.ceil(seconds))
        return problem

    def body(self) -> dict[str, Any]:
        """The problem document."""
        document: dict[str, Any] = {
            "type": PROBLEM_PATH + self.code,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "charged": self.charged,
            "retry_safe": self.retry_safe,
            "retryable": self.retryable,
        }
        if self.errors:
            document["errors"] = self.errors
        return document | self.extra

    def to_json(self) -> dict[str, Any]:
        """The problem as plain JSON, for `problem_of`."""
        return {"code": self.code, "detail": self.detail, "errors": self.errors, "extra": self.extra}

    @property
    def retryable(self) -> bool:
        """Whether the same request can succeed later, with nothing done but waiting as long as Retry-After says."""
        return self.retry_after_seconds is not None

    @property
    def headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        if self.retry_after_seconds is not None:
            headers["Retry-After"] = str(self.retry_after_seconds)
        return headers


class InvalidRequest(Problem):
    code = "invalid-request"
    status = 422
    title = "The request breaks a rule: detail names the first breach, and errors lists the place and the rule of each."

    def __init__(self, detail: str | None = None, *, errors: Sequence[Mapping[str, str]] = (), **extra: Any) -> None:
        first = next((f"{each['location']}: {each['rule']}" for each in errors), None)
        super().__init__(detail or first, errors=errors, **extra)

    @classmethod
    def at(cls, location: str, rule: str) -> InvalidRequest:
        """`location`: the field of what the raiser was given, empty for all of it; `error_location` says where in the
        request that stood.
        """
        return cls(errors=[{"location": location, "rule": rule}])


class error_location:  # noqa: N801  it reads as a phrase: `with error_location("body")`
    """Says where in the request a use case's argument stood: what was wrong with `prior` is wrong with `body.prior`."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        """Begins the part whose arguments stood there."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, InvalidRequest):
            raise InvalidRequest(
                errors=[{**each, "location": self._under(each["location"])} for each in error.errors]
            ) from None

    def _under(self, location: str) -> str:
        return f"{self._place}{'' if location.startswith('[') else '.'}{location}" if location else self._place


class MalformedBody(Problem):
    code = "malformed-body"
    status = 400
    title = "The body is not a JSON document in UTF-8."


class UnsupportedMediaType(Problem):
    code = "unsupported-media-type"
    status = 415
    title = "The body must be JSON, sent as Content-Type: application/json."


class BodyTooLarge(Problem):
    code = "body-too-large"
    status = 413
    title = "The body is larger than this service takes."


class BodyTooSlow(Problem):
    code = "body-too-slow"
    status = 408
    title = "The body did not arrive within the time that the service waits for one."


class Unauthenticated(Problem):
    code = "unauthenticated"
    status = 401
    title = "A valid API key is needed: Authorization: Bearer <key>."

    @property
    def headers(self) -> dict[str, str]:
        return super().headers | {"WWW-Authenticate": "Bearer"}


class RoleNotAllowed(Problem):
    code = "role-not-allowed"
    status = 403
    title = "The role of this key may not use this operation."


class KeyRequired(Problem):
    code = "key-required"
    status = 403
    title = "This operation needs a lasting key; the key of a session is not enough. Send it with your own key."


class RecoveryPending(Problem):
    code = "recovery-pending"
    status = 409
    title = (
        "An admin has recovered access for this principal, and the recovery can still be vetoed. Until "
        "that time is over, its keys can't change or release anything. Any older key, or the earlier "
        "recovery code, ends the recovery."
    )


class TokenAlreadyUsed(Problem):
    """Told to whoever holds the token, so that a person sees that somebody else was first."""

    code = "token-already-used"
    status = 409
    title = (
        "This enrolment token or recovery code was exchanged already, at used_at. If that was not you, tell the admin "
        "and the owner at once."
    )


class TokenInvalid(Problem):
    code = "token-invalid"
    status = 404
    title = "There is no such enrolment token or recovery code, or it has expired, or a newer one took its place."


class KeyQuotaExceeded(Problem):
    code = "key-quota-exceeded"
    status = 409
    title = "This principal has as many live keys as it may have; end one of them first."


class NotFound(Problem):
    """Said alike of what does not exist and of what the caller may not see, so that the answer tells nothing."""

    code = "not-found"
    status = 404
    title = "There is no such thing, or this key may not see it."


class MethodNotAllowed(Problem):
    code = "method-not-allowed"
    status = 405
    title = "This path does not take this method."


class NameTaken(Problem):
    code = "name-taken"
    status = 409
    title = "The owner already has something of this kind with this name."


class Conflict(Problem):
    code = "conflict"
    status = 409
    title = "The present state of what was asked for does not allow this request."


class IdempotencyKeyMissing(Problem):
    code = "idempotency-key-missing"
    status = 400
    title = "The Idempotency-Key header is missing, or it is not 1 to 200 letters, digits, '-', '_', '.', '~' or ':'."


class IdempotencyKeyReused(Problem):
    code = "idempotency-key-reused"
    status = 422
    title = "This Idempotency-Key was already used for a different request; use a new key for a new request."
    retry_safe = False


class ReleaseInProgress(Problem):
    code = "release-in-progress"
    status = 409
    title = "This release was charged and is being computed; send the same request again to get it, free."
    charged = True
    retry_after_seconds = 1


class ReleaseFailed(Problem):
    """The one constant thing that is said of any failure after the charge."""

    code = "release-failed"
    status = 500
    title = (
        "The release was charged and could not be produced. It stays charged, and the same key will give the same "
        "answer."
    )
    charged = True


class ReleaseLost(Problem):
    """Said of a release whose result a restored backup does not have: to draw it again would show the data twice for
    one charge.
    """

    code = "release-lost"
    status = 410
    title = (
        "The release was charged, and its result was lost when the database was restored. It is never drawn again; "
        "use a new key."
    )
    charged = True


class BudgetExhausted(Problem):
    code = "budget-exhausted"
    status = 409
    title = "The budget has too little left for this release."


class GrantExhausted(Problem):
    code = "grant-exhausted"
    status = 409
    title = "The grant has too little left for this release."


class GrantClosed(Problem):
    code = "grant-closed"
    status = 409
    title = "The grant is closed."


class GrantExpired(Problem):
    code = "grant-expired"
    status = 409
    title = "The grant has expired; the owner can set a later end."


class ReleaseCapExceeded(Problem):
    code = "release-cap-exceeded"
    status = 409
    title = "The release would cost more than the owner allows for a single release."


class BudgetFrozen(Problem):
    code = "budget-frozen"
    status = 409
    title = "The budget is frozen; nothing can be released from it now."


class RestorePending(Problem):
    code = "restore-pending"
    status = 503
    title = (
        "The database was restored from a backup. No release is made until the operator has accounted for the charges "
        "that the backup lacks: `private-posterior ledger reconcile`, then `private-posterior ledger unfreeze`."
    )


class FailoverPending(Problem):
    code = "failover-pending"
    status = 503
    title = (
        "Another database server took over. No release is made until its ledgers have been compared with "
        "the entries that this service saw before."
    )
    retry_after_seconds = 2


class MechanismNotAllowed(Problem):
    code = "mechanism-not-allowed"
    status = 409
    title = "The owner does not allow this mechanism on this budget."


class MaxChargeExceeded(Problem):
    code = "max-charge-exceeded"
    status = 409
    title = "The proven charge is above the max_charge of the request."


class DatasetChanged(Problem):
    """The counts were replaced between pricing and debit, more often than pricing was tried again."""

    code = "dataset-changed"
    status = 409
    title = "The data set changed while the release was priced; send the request again."
    retry_after_seconds = 1


class NotSupported(Problem):
    code = "not-supported"
    status = 422
    title = "The mechanism cannot take this data set or these parameters; detail names the rule."


class DecryptionKeyUnavailable(Problem):
    code = "decryption-key-unavailable"
    status = 503
    title = (
        "This data set's counts, as they are stored, do not open with the service's keys; nothing was charged. "
        "The operator has to bring back the key, or what was stored."
    )


class CertificatePending(Problem):
    code = "certificate-pending"
    status = 503
    title = (
        "The certificate for these parameters is being computed; nothing was charged. Send the request again later, "
        "or watch the certificate."
    )
    retry_after_seconds = 5


class QueriesPending(Problem):
    code = "queries-pending"
    status = 503
    title = (
        "What these queries need is being found; nothing was charged. Send the request again later, under the same "
        "Idempotency-Key, or watch the job."
    )
    retry_after_seconds = 5


class CertificateQuotaExceeded(Problem):
    code = "certificate-quota-exceeded"
    status = 429
    title = "Too many certificates that you asked for are still being computed; wait for one of them."
    retry_after_seconds = 10


class ObjectQuotaExceeded(Problem):
    """Says which of them in its detail."""

    code = "object-quota-exceeded"
    status = 409
    title = "You have as many of these as a principal may have in this installation; GET /v1/quotas says how many."


class StorageQuotaExceeded(Problem):
    code = "storage-quota-exceeded"
    status = 409
    title = "What is stored of this budget or grant takes as much room as it may in this installation."


class FreeAnswerQuotaExceeded(Problem):
    code = "free-answer-quota-exceeded"
    status = 429
    title = (
        "You have as many stored answers that cost nothing as you may have; nothing was charged. A quote of the "
        "queries says the same and stores nothing."
    )


class JobPending(Problem):
    code = "job-pending"
    status = 409
    title = "The job is still being computed; its result can be fetched later."
    retry_after_seconds = 2


class JobQuotaExceeded(Problem):
    code = "job-quota-exceeded"
    status = 429
    title = "All the jobs that you may have at once are still being computed; wait for one of them, or end one."
    retry_after_seconds = 30


class ComputationTooLarge(Problem):
    code = "computation-too-large"
    status = 422
    title = "This computation needs more time or memory than the service allows for one; ask for less at a time."


class ComputationsUnavailable(Problem):
    """Said to whoever waits for a computation of which nothing has begun."""

    code = "computations-unavailable"
    status = 503
    title = "No process could be started for this computation now. Nothing was charged; send the request again."
    retry_after_seconds = 5


class DrawsUnavailable(Problem):
    """No draw process could be started."""

    code = "draws-unavailable"
    status = 503
    title = "This process can't draw releases now. Nothing was charged; send the request again."
    retry_after_seconds = 5


class RateLimited(Problem):
    code = "rate-limited"
    status = 429
    title = "Too many requests; wait as long as Retry-After says and send the request again."
    retry_after_seconds = 10


class DatabaseUnavailable(Problem):
    code = "database-unavailable"
    status = 503
    title = "The database can't be reached."
    consequence = "Nothing was charged."
    retry_after_seconds = 2


class DoubtedDatabaseUnavailable(DatabaseUnavailable):
    """As DatabaseUnavailable, of a request that was told before, under the same Idempotency-Key, that it was charged or
    may have been: nobody can look.
    """

    charged: ClassVar[bool | None] = None
    consequence = (
        "Whether this was charged before can't be seen. Send the same request again, under the same Idempotency-Key: "
        "it is charged once at most."
    )


class ShuttingDown(Problem):
    """Said by readiness, and to whoever waits for something long that is free or not paid yet: all else that such a
    process is still asked, it answers.
    """

    code = "shutting-down"
    status = 503
    title = (
        "This process was told to stop; send requests to another process, or wait until it has restarted. Nothing was "
        "charged."
    )
    retry_after_seconds = 2


class OutcomeUnknown(Problem):
    """A commit was sent and no answer came back."""

    code = "outcome-unknown"
    status = 503
    title = "It is not known whether this took effect."
    consequence = "Send the same request again, under the same Idempotency-Key: it takes effect once at most."
    charged: ClassVar[bool | None] = None
    retry_after_seconds: int | None = 2


class UnnamedOutcomeUnknown(OutcomeUnknown):
    """As OutcomeUnknown, of a request without an Idempotency-Key, which charges nothing: nobody can tell its repetition
    from another request.
    """

    consequence = "Look at what it was to change before you send it again."
    charged = False
    retry_after_seconds = None


class InternalError(Problem):
    code = "internal-error"
    status = 500
    title = "Something went wrong."
    consequence = "Nothing was charged."


class DoubtedInternalError(InternalError):
    """As InternalError, of such a request: what went wrong may be that nobody could look."""

    charged: ClassVar[bool | None] = None
    consequence = (
        "Whether this was charged before can't be seen. The same request, under the same Idempotency-Key, is charged "
        "once at most."
    )


DOUBTED = {problem.code: problem for problem in (DoubtedDatabaseUnavailable, DoubtedInternalError)}
"""Problems as they are told of a request that may have been charged before, by code."""


PROBLEMS: tuple[type[Problem], ...] = tuple(sorted(Problem.__subclasses__(), key=lambda problem: problem.code))
_BY_CODE = {problem.code: problem for problem in PROBLEMS}


def problem_of(told: Mapping[str, Any]) -> Problem:
    """The problem that `Problem.to_json` wrote."""
    return _BY_CODE[told["code"]](told["detail"], errors=told["errors"], **told["extra"])
