"""Problems that callers receive, rendered as RFC 9457 problem details.

A problem states the error, whether budget was charged, and whether the same request can be sent again. It names a
location and a rule, and never repeats input. After the charge, a problem contains nothing that depends on the data. The
table of docs/reference/problems.md is checked against the subclasses of `Problem`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, ClassVar, Self

PROBLEM_PATH = "/problems/"


class Problem(Exception):
    """A refusal or failure that the caller receives.

    `title` states what happened, `consequence` what to do. Together they are the detail unless the raiser passes
    another. `charged` is None if it can't be known, as after a lost database connection during the commit.
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
        """Return the problem document."""
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
        """Return plain JSON that `problem_of` reads."""
        return {"code": self.code, "detail": self.detail, "errors": self.errors, "extra": self.extra}

    @property
    def retryable(self) -> bool:
        """Return whether the same request can succeed after the wait that Retry-After states."""
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
    title = "The request breaks a rule."
    consequence = "Correct it before you send it again."

    def __init__(self, detail: str | None = None, *, errors: Sequence[Mapping[str, str]] = (), **extra: Any) -> None:
        first = next((f"{each['location']}: {each['rule']}" for each in errors), None)
        super().__init__(detail or first, errors=errors, **extra)

    @classmethod
    def at(cls, location: str, rule: str) -> InvalidRequest:
        """Return the problem of one broken rule.

        `location` is relative to the raiser's argument, and empty for the whole argument; `error_location` adds the
        argument's location in the request.
        """
        return cls(errors=[{"location": location, "rule": rule}])


class error_location:  # noqa: N801  it reads as a phrase: `with error_location("body")`
    """Prefix the locations of InvalidRequest with an argument's place in the request: `prior` becomes `body.prior`."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        """Do nothing: the prefix is added at the end of the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, InvalidRequest):
            raise InvalidRequest(
                errors=[{**each, "location": self._place_under(each["location"])} for each in error.errors]
            ) from None

    def _place_under(self, location: str) -> str:
        return f"{self._place}{'' if location.startswith('[') else '.'}{location}" if location else self._place


class MalformedBody(Problem):
    code = "malformed-body"
    status = 400
    title = "The body is not a JSON document in UTF-8."

    @classmethod
    def at(cls, line: int, column: int) -> Self:
        """Return the problem of a text that stops being JSON at this place. Both are counted from 1."""
        return cls(f"{cls.title} Line {line}, column {column} is where it stops being JSON.")


class UnsupportedMediaType(Problem):
    code = "unsupported-media-type"
    status = 415
    title = "The body was not sent as Content-Type: application/json."


class BodyTooLarge(Problem):
    code = "body-too-large"
    status = 413
    title = "The body is larger than the service accepts."
    consequence = "Send a smaller request."


class BodyTooSlow(Problem):
    code = "body-too-slow"
    status = 408
    title = "The body did not arrive within the time limit."
    consequence = "Send it again, over a faster connection if this happens often."
    retry_after_seconds = 1


class Unauthenticated(Problem):
    code = "unauthenticated"
    status = 401
    title = "The API key is missing or not valid."
    consequence = "Send a key that is valid: Authorization: Bearer <key>."

    @property
    def headers(self) -> dict[str, str]:
        return super().headers | {"WWW-Authenticate": "Bearer"}


class RoleNotAllowed(Problem):
    code = "role-not-allowed"
    status = 403
    title = "The role of this key may not use this operation."
    consequence = "Use a key of the role that the operation needs."


class KeyRequired(Problem):
    code = "key-required"
    status = 403
    title = "The key of a session may not use this operation."
    consequence = "Send the request with your own key."


class RecoveryPending(Problem):
    code = "recovery-pending"
    status = 409
    title = "An admin has recovered access for this principal, and the recovery can still be vetoed."
    consequence = (
        "Until the veto period ends, the principal's keys can only read, freeze budgets, and close or lower grants and "
        "limits. Any older key, or the earlier recovery code, ends the recovery."
    )


class TokenAlreadyUsed(Problem):
    """Shows the token's holder that somebody else exchanged it first."""

    code = "token-already-used"
    status = 409
    title = "This invitation or recovery code was already exchanged."
    consequence = "used_at says when. If that was not you, inform the admin and the owner at once."


class TokenInvalid(Problem):
    code = "token-invalid"
    status = 404
    title = "The invitation or recovery code is unknown, has expired or was replaced by a newer one."
    consequence = "Ask an admin for a new invitation."


class KeyQuotaExceeded(Problem):
    code = "key-quota-exceeded"
    status = 409
    title = "This principal has reached its limit of live keys."
    consequence = "End one of them first."


class NotFound(Problem):
    """The same answer for a missing resource and for one that the caller may not see, so that it discloses neither."""

    code = "not-found"
    status = 404
    title = "The resource does not exist, or this key may not see it."


class OperationMoved(Problem):
    code = "operation-moved"
    status = 404
    title = "Another operation replaced this one."
    consequence = "`moved_to` has its method and path."


class MethodNotAllowed(Problem):
    code = "method-not-allowed"
    status = 405
    title = "This path does not support this method."


class NameTaken(Problem):
    code = "name-taken"
    status = 409
    title = "The owner already uses this name for something of this kind."
    consequence = "Choose another name."


class Conflict(Problem):
    code = "conflict"
    status = 409
    title = "The current state of the resource does not allow this request."
    consequence = "Read the resource, then decide."


class IdempotencyKeyMissing(Problem):
    code = "idempotency-key-missing"
    status = 400
    title = "The Idempotency-Key header is missing or malformed."
    consequence = "Send 1 to 200 letters, digits, '-', '_', '.', '~' or ':'."


class IdempotencyKeyReused(Problem):
    code = "idempotency-key-reused"
    status = 422
    title = "This Idempotency-Key was already used for a different request."
    consequence = "Use a new key for a new request."
    retry_safe = False


class ReleaseInProgress(Problem):
    code = "release-in-progress"
    status = 409
    title = "This release was charged and is being computed."
    consequence = "Send the same request again to get it, free."
    charged = True
    retry_after_seconds = 1


class ReleaseFailed(Problem):
    """Every failure after the charge returns this same problem, so that the cause discloses nothing."""

    code = "release-failed"
    status = 500
    title = "The release was charged but could not be produced."
    consequence = "The charge stays. The same Idempotency-Key always gets this response; a new key is charged again."
    charged = True


class ReleaseLost(Problem):
    """A restored backup lacks the result. Drawing it again would disclose the data twice for one charge."""

    code = "release-lost"
    status = 410
    title = "The release was charged, but its result was lost when the database was restored."
    consequence = "It is never drawn again. Use a new key; it is charged again."
    charged = True


class ReleaseAltered(Problem):
    code = "release-altered"
    status = 500
    title = "The stored record of this release was altered."
    consequence = "The charge stays. The operator must bring the row back from a backup; `ledger verify` names it."
    charged = True


class ReceiptKeyUnavailable(Problem):
    code = "receipt-key-unavailable"
    status = 503
    title = "The service lacks the public key that verifies the stored record of this release."
    consequence = (
        "The charge stays. Send the request again under the same Idempotency-Key once the operator added the key."
    )
    charged = True
    retry_after_seconds = 30

    @classmethod
    def of(cls, key_id: str) -> Self:
        return cls(f"The service lacks the receipt key {key_id}, which signed this release. {cls.consequence}")


class BudgetExhausted(Problem):
    code = "budget-exhausted"
    status = 409
    title = "The budget has too little left for this release."
    consequence = "Ask for less, or ask the owner to raise the total."


class GrantExhausted(Problem):
    code = "grant-exhausted"
    status = 409
    title = "The grant has too little left for this release."
    consequence = "Ask for less, or ask the owner to raise the cap."


class GrantClosed(Problem):
    code = "grant-closed"
    status = 409
    title = "The grant is closed."
    consequence = "Ask the owner to reopen it."


class GrantExpired(Problem):
    code = "grant-expired"
    status = 409
    title = "The grant has expired."
    consequence = "Ask the owner for a later end."


class ReleaseCapExceeded(Problem):
    code = "release-cap-exceeded"
    status = 409
    title = "The release would cost more than the owner allows for one release."
    consequence = "Ask for less."


class OwnerUnavailable(Problem):
    code = "owner-unavailable"
    status = 409
    title = "The data set's owner has left, has no valid key, or is being recovered. Nothing can be released from it."
    consequence = "Ask an admin, who can invite the owner again or transfer the budget. What was paid can be read."


class BudgetFrozen(Problem):
    code = "budget-frozen"
    status = 409
    title = "The budget is frozen, so that nothing can be released from it."
    consequence = "Ask the owner to unfreeze it."


class RestorePending(Problem):
    code = "restore-pending"
    status = 503
    title = "The database was restored from a backup, and charges that the backup lacks are not yet accounted for."
    consequence = (
        "No release is made until the operator has run `private-posterior ledger reconcile`, then "
        "`private-posterior ledger unfreeze`."
    )


class FailoverPending(Problem):
    code = "failover-pending"
    status = 503
    title = "Another database server took over, and its ledgers are not yet verified."
    consequence = "No release is made until they match the entries that this service saw before."
    retry_after_seconds = 2


class ClockUnconfirmed(Problem):
    code = "clock-unconfirmed"
    status = 503
    title = "The clock of the service contradicts the times in the ledger."
    consequence = (
        "No release is made until the operator has set the clock, or confirmed it by `private-posterior ledger "
        "confirm-clock`."
    )


class MechanismNotAllowed(Problem):
    code = "mechanism-not-allowed"
    status = 409
    title = "The owner does not allow this mechanism on this budget."
    consequence = "Choose another mechanism."


class MaxChargeExceeded(Problem):
    code = "max-charge-exceeded"
    status = 409
    title = "The proven charge is above the max_charge of the request."
    consequence = "Raise max_charge, or ask for less."


class DatasetChanged(Problem):
    """The counts changed between pricing and debit in every attempt."""

    code = "dataset-changed"
    status = 409
    title = "The data set changed while the release was priced."
    consequence = "Send the request again."
    retry_after_seconds = 1


class NotSupported(Problem):
    code = "not-supported"
    status = 422
    title = "The mechanism does not support this data set or these parameters."


class DecryptionKeyUnavailable(Problem):
    code = "decryption-key-unavailable"
    status = 503
    title = "The service's keys can't decrypt the stored counts of this data set."
    consequence = "Nothing was charged. The operator must restore the key."


class StoredDataAltered(Problem):
    code = "stored-data-altered"
    status = 500
    title = "The stored record of this data set, its budget or grant was altered."
    consequence = "Nothing was charged. The operator must bring it back from a backup; `ledger verify` names it."


class PreparationPending(Problem):
    code = "preparation-pending"
    status = 503
    title = "The service is still computing what this request needs."
    consequence = (
        "Nothing was charged. Send the request again later, under the same Idempotency-Key if it spends budget, or "
        "poll the job or certificate."
    )
    retry_after_seconds = 5


class CertificateQuotaExceeded(Problem):
    code = "certificate-quota-exceeded"
    status = 429
    title = "You have reached your limit of certificates that are still being computed."
    consequence = "Wait for one of them."
    retry_after_seconds = 10


class ObjectQuotaExceeded(Problem):
    """The detail names the kind of object."""

    code = "object-quota-exceeded"
    status = 409
    title = "You have reached this installation's limit for objects of this kind."
    consequence = "GET /v1/quotas lists the limits."


class StorageQuotaExceeded(Problem):
    code = "storage-quota-exceeded"
    status = 409
    title = "This budget or grant has reached this installation's storage limit."
    consequence = "Use another budget, or ask the operator to raise the limit."


class FreeAnswerQuotaExceeded(Problem):
    code = "free-answer-quota-exceeded"
    status = 429
    title = "You have reached your limit of stored answers that cost nothing."
    consequence = "Nothing was charged. Request estimates of these queries: they are free, and nothing is stored."


class JobPending(Problem):
    code = "job-pending"
    status = 409
    title = "The job is still being computed."
    consequence = "Fetch its result later."
    retry_after_seconds = 2


class JobQuotaExceeded(Problem):
    code = "job-quota-exceeded"
    status = 429
    title = "You have reached your limit of jobs that are still being computed."
    consequence = "Wait for one of them, or end one."
    retry_after_seconds = 30


class ComputationTooLarge(Problem):
    code = "computation-too-large"
    status = 422
    title = "This computation needs more CPU time or memory than the service allows."
    consequence = "Ask for less at a time."


class ComputationsUnavailable(Problem):
    """The computation did not start, or did not end in time, or its process was killed."""

    code = "computations-unavailable"
    status = 503
    title = "The service could not complete this computation now."
    consequence = "Nothing was charged. Send the request again."
    retry_after_seconds = 5


class DrawsUnavailable(Problem):
    """No draw process could be started."""

    code = "draws-unavailable"
    status = 503
    title = "This process can't draw releases now."
    consequence = "Nothing was charged. Send the request again."
    retry_after_seconds = 5


class RateLimited(Problem):
    code = "rate-limited"
    status = 429
    title = "There are too many requests, from you or in all."
    consequence = "Wait as long as Retry-After says, then send the request again."
    retry_after_seconds = 10


class DatabaseUnavailable(Problem):
    code = "database-unavailable"
    status = 503
    title = "The database can't be reached."
    consequence = "Nothing was charged."
    retry_after_seconds = 2


class DoubtedDatabaseUnavailable(DatabaseUnavailable):
    """DatabaseUnavailable for a request that was answered before, under its Idempotency-Key, as charged or possibly
    charged. The ledger can't be read to find out.
    """

    charged: ClassVar[bool | None] = None
    consequence = (
        "Whether this was charged before is unknown. Send the same request again under the same Idempotency-Key: "
        "it is charged at most once."
    )


class ShuttingDown(Problem):
    """Returned during shutdown to readiness checks, and to callers that wait for a long computation that is free or
    uncharged.

    All other requests are still answered.
    """

    code = "shutting-down"
    status = 503
    title = "This process is shutting down."
    consequence = "Nothing was charged. Send the request to another process, or wait for the restart."
    retry_after_seconds = 2


class OutcomeUnknown(Problem):
    """The connection to the database failed during a commit, so its outcome is unknown."""

    code = "outcome-unknown"
    status = 503
    title = "The outcome of this request is unknown."
    consequence = "Send it again under the same Idempotency-Key: it takes effect at most once."
    charged: ClassVar[bool | None] = None
    retry_after_seconds: int | None = 2


class UnnamedOutcomeUnknown(OutcomeUnknown):
    """OutcomeUnknown for a request without an Idempotency-Key, which charges nothing. Its repetition can't be
    recognised.
    """

    consequence = "The change may have been applied. Read the resource before you retry."
    charged = False
    retry_after_seconds = None


class InternalError(Problem):
    code = "internal-error"
    status = 500
    title = "An internal error occurred."
    consequence = "Nothing was charged."


class DoubtedInternalError(InternalError):
    """InternalError for a request that may have been charged before: the error may have kept the ledger from being
    read.
    """

    charged: ClassVar[bool | None] = None
    consequence = (
        "Whether this was charged before is unknown. Under the same Idempotency-Key, the same request is charged "
        "at most once."
    )


DOUBTED = {problem.code: problem for problem in (DoubtedDatabaseUnavailable, DoubtedInternalError)}
"""By problem code: the variant returned if an earlier attempt may have been charged."""


PROBLEMS: tuple[type[Problem], ...] = tuple(sorted(Problem.__subclasses__(), key=lambda problem: problem.code))
_PROBLEM_BY_CODE = {problem.code: problem for problem in PROBLEMS}


def problem_of(written: Mapping[str, Any]) -> Problem:
    """Return the problem from the JSON that `Problem.to_json` wrote."""
    return _PROBLEM_BY_CODE[written["code"]](written["detail"], errors=written["errors"], **written["extra"])
