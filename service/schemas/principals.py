"""Schemas of principals, their quotas, enrolment and keys."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from service.schemas.model import Id, Instant, Name, Request, Response, Timestamp, examples


class Role(StrEnum):
    """The role of a principal in this installation."""

    ADMIN = "admin"
    """Manages principals and keys. Can neither change budgets nor read counts."""
    OWNER = "owner"
    """Holds data sets, budgets and grants."""
    ANALYST = "analyst"
    """Plans, releases and reads within a grant."""


_EXPIRES = "Time at which the key ends, at most ten years from now. If left out, the key does not expire."


class PrincipalCreate(Request):
    model_config = examples({"role": "analyst", "name": "Field trial office"})

    role: Role = Field(description="What the principal may do. It never changes.")
    name: Name = Field(
        description="A name for people to read. It is stored apart from the pseudonymous id and can be erased.",
        examples=["Field trial office"],
    )


class EnrolmentToken(Response):
    """A token that an admin hands to a person, who exchanges it once with `POST /v1/enrolments`."""

    id: Id
    principal_id: Id = Field(description="The principal whose key it is exchanged for.")
    token: str = Field(description="Shown only in this response; the service has no copy.")
    expires_at: Timestamp = Field(description="Time from which it can no longer be exchanged.")
    recovers: bool = Field(
        description=(
            "Whether the principal has used keys before. Exchanging the token then starts a recovery that can be "
            "vetoed."
        )
    )


class Principal(Response):
    id: Id
    role: Role = Field(description="What the principal may do.")
    name: str | None = Field(description="Null once erased.")
    created_at: Timestamp
    revoked_at: Timestamp | None = Field(
        description="Time at which an admin revoked the principal; null if that did not happen."
    )
    frozen_until: Timestamp | None = Field(
        description=(
            "Time until which an admin's recovery of this principal can be vetoed; null if there is no recovery."
        )
    )
    enrolment: EnrolmentToken | None = Field(
        description=(
            "In the answer that added the principal: the first invitation. A repeated request returns it for a "
            "day; then an admin must issue a new one. Null in other answers."
        ),
    )


class Analyst(Response):
    """An analyst who can get a grant."""

    id: Id
    name: str = Field(description="The analyst's name.")


class EnrolmentCreate(Request):
    model_config = examples({"token": "ppe_hQ3W4mJ0b2Vvq8mC7m1c9p6Zr5sX1yT0uEwGkLdNfAo"})

    token: str = Field(
        min_length=1,
        max_length=100,
        pattern=r"^[\x21-\x7e]+$",
        description="An invitation from an admin, or a recovery code.",
    )
    expires_at: Instant | None = Field(default=None, description=_EXPIRES)


KeyKind = TypeAliasType("KeyKind", Literal["key", "session"])


class KeyCreate(Request):
    model_config = examples({}, {"expires_at": "2030-01-31T12:00:00Z"}, {"kind": "session"})

    kind: KeyKind = Field(
        default="key",
        description=(
            "`session` is a key for a browser. It ends after at most eight hours, and can't raise a budget or a "
            "cap, grant access, unfreeze, delete or issue keys. A principal can have ten; another one ends the "
            "oldest."
        ),
    )

    expires_at: Instant | None = Field(
        default=None,
        description=(
            "Time at which the key expires, at most that of the issuing key, which is the default. A session "
            "expires within eight hours."
        ),
    )


class ApiKey(Response):
    id: Id
    principal_id: Id = Field(description="The principal who holds it.")
    kind: KeyKind = Field(description="`session` is a key for a browser.")
    prefix: str = Field(description="The first characters of the key, to distinguish keys.")
    issued_by: str = Field(description="The principal who issued it, or `command-line` for a key made on the server.")
    parent_id: str | None = Field(
        description="The key that issued this one. If it ends, so does this one. Null for a key from an enrolment."
    )
    created_at: Timestamp
    expires_at: Timestamp | None = Field(description="Time at which the key ends; null if it does not expire.")
    revoked_at: Timestamp | None = Field(description="Time at which somebody ended it; null if that did not happen.")
    last_used_at: Timestamp | None = Field(
        description="Time of the last use, in whole minutes; null if there was none."
    )
    key: str | None = Field(
        description=(
            "The secret key, in the answer that made it. A repeated request returns it for a day. Null in other "
            "answers: the service has no copy."
        ),
    )
    recovery_code: str | None = Field(
        description=(
            "In the answer to an enrolment, and never repeated: a code to exchange like a token if keys are lost, "
            "without an admin. Null in other answers: the service has no copy."
        ),
    )
    frozen_until: Timestamp | None = Field(
        description=(
            "In the answer to an enrolment that begins a recovery: time until which older keys can veto it, and this "
            "key can't change or release anything. Null in other answers."
        ),
    )


class Me(Response):
    """The principal and the key of the request."""

    principal: Principal = Field(description="The principal who holds it.")
    key: ApiKey = Field(description="The key of the request.")
    confirmed_until: Timestamp | None = Field(
        description="Time until which your own key has confirmed this session; null if it has not, or for other keys."
    )


class SessionConfirmation(Response):
    """The confirmation of a session."""

    confirmed_until: Timestamp = Field(description="Time until which the session is confirmed.")


class PrincipalEntry(Response):
    """One entry of the chain of a principal's keys. `hash` is SHA-256 over the entry and `previous_hash`."""

    principal_id: Id = Field(description="The principal whose keys changed.")
    sequence: int = Field(description="Number of the entry in the chain of the principal, from 1.")
    kind: str = Field(description="The act.")
    actor_id: str = Field(description="The principal who acted.")
    subject_id: str = Field(description="What the act is about: a key, a token or a recovery.")
    detail: dict[str, Any] = Field(description="The facts of the act that its hash covers.")
    created_at: Timestamp
    previous_hash: str = Field(description="Hash of the entry before: SHA-256 in hexadecimal.")
    hash: str = Field(description="Hash of this entry: SHA-256 in hexadecimal.")


class QuotaUsage(Response):
    """The number in use, and its limit."""

    used: int = Field(description="The number in use.")
    limit: int = Field(description="The largest number.")


class QuotaReport(Response):
    """Your stored objects, and this installation's limits for them."""

    budgets: QuotaUsage = Field(description="Budgets that you opened.")
    datasets: QuotaUsage = Field(description="Deleted data sets do not count.")
    grants: QuotaUsage = Field(description="Grants on your data sets; closed ones count too.")
    keys: QuotaUsage = Field(description="Keys that are still valid, without those of sessions.")
    jobs: QuotaUsage = Field(description="Jobs that wait, run or have a stored result.")
    access_requests: QuotaUsage = Field(description="Open requests that you made.")
    bytes_per_budget: int = Field(
        description=(
            "Limit on the bytes reserved for the data sets and releases of one budget. Each release reserves its "
            "largest possible size, once. `stored_bytes` of a budget is the amount in use."
        )
    )
    bytes_per_grant: int = Field(
        description=(
            "Limit on the bytes reserved for the releases under one grant. `stored_bytes` of a grant is the amount in "
            "use."
        )
    )
