"""Describes principals, how they enrol, and their keys."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from service.auth import Role
from service.schemas.model import Id, Instant, Name, Request, Response, Timestamp, examples

_EXPIRES = "When the key ends, at most ten years from now; never when left out."


class PrincipalCreate(Request):
    model_config = examples({"role": "analyst", "name": "Field trial office"})

    role: Role
    name: Name = Field(
        description="For people; kept apart from the pseudonymous id and erasable.", examples=["Field trial office"]
    )


class Principal(Response):
    id: Id
    role: Role
    name: str | None = Field(description="Null once erased.")
    created_at: Timestamp
    revoked_at: Timestamp | None
    frozen_until: Timestamp | None = Field(
        description="Until when an admin's recovery of this principal can be vetoed; null where there is no recovery."
    )


class EnrolmentToken(Response):
    """What an admin hands to the person, who exchanges it once with `POST /v1/enrolments`."""

    id: Id
    principal_id: Id
    token: str = Field(description="Shown this once and kept nowhere.")
    expires_at: Timestamp
    recovers: bool = Field(
        description="Whether the principal used keys before, so that its exchange starts a recovery that can be vetoed."
    )


class NewPrincipal(Principal):
    enrolment: EnrolmentToken | None = Field(
        description="A repeated request is told it for a day; then it is null, and a new one has to be made."
    )


class EnrolmentCreate(Request):
    model_config = examples({"token": "ppe_hQ3W4mJ0b2Vvq8mC7m1c9p6Zr5sX1yT0uEwGkLdNfAo"})

    token: str = Field(
        min_length=1,
        max_length=100,
        pattern=r"^[\x21-\x7e]+$",
        description="An enrolment token from an admin, or a recovery code.",
    )
    expires_at: Instant | None = Field(default=None, description=_EXPIRES)


KeyKind = Literal["key", "session"]


class KeyCreate(Request):
    model_config = examples({}, {"expires_at": "2030-01-31T12:00:00Z"}, {"kind": "session"})

    kind: KeyKind = Field(
        default="key",
        description="A `session` is for a browser. It ends after eight hours at most, and can't raise a budget or a "
        "cap, grant access, unfreeze, delete or make keys. A principal has ten at once: another one ends the oldest.",
    )

    expires_at: Instant | None = Field(
        default=None,
        description="When the key expires: no later than the key that makes it, and at the same time when left out; "
        "a session within eight hours.",
    )


class Key(Response):
    id: Id
    principal_id: Id
    kind: KeyKind
    prefix: str = Field(description="The first characters of the key, to tell keys apart.")
    issued_by: str
    parent_id: str | None = Field(
        description="The key that made this one, and with which it ends; null for a key from an enrolment."
    )
    created_at: Timestamp
    expires_at: Timestamp | None
    revoked_at: Timestamp | None
    last_used_at: Timestamp | None = Field(description="To the minute.")


class Me(Response):
    """Who sent the request, and with which key."""

    principal: Principal
    key: Key


class NewKey(Key):
    key: str | None = Field(
        description="The key itself. A repeated request is told it for a day; then it is null, and kept nowhere."
    )


class EnrolledKey(Key):
    key: str = Field(description="The key itself. It is shown this once and kept nowhere.")
    recovery_code: str = Field(
        description="Exchange it like a token when keys are lost: no admin is needed. Shown this once and kept nowhere."
    )
    frozen_until: Timestamp | None = Field(
        description="Until this time older keys can veto the recovery, and this key can't change or release anything."
    )


class PrincipalEntry(Response):
    """One entry of the chain of a principal's keys. `hash` is SHA-256 over the entry and `previous_hash`."""

    principal_id: Id
    sequence: int
    kind: str
    actor_id: str
    subject_id: str
    detail: dict[str, Any]
    created_at: Timestamp
    previous_hash: str
    hash: str
