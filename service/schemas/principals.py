"""Principals and their keys."""

from __future__ import annotations

from pydantic import Field

from service.auth import Role
from service.schemas.model import Id, Name, Request, Response, examples


class PrincipalCreate(Request):
    model_config = examples({"role": "analyst", "name": "Field trial office"})

    role: Role
    name: Name = Field(description="For people; kept apart from the pseudonymous id and erasable.", examples=["Field trial office"])


class Principal(Response):
    id: Id
    role: Role
    name: str | None = Field(description="Null once erased.")
    created_at: str
    revoked_at: str | None


class KeyCreate(Request):
    model_config = examples({"expires_in_days": 90})

    principal_id: Id | None = Field(
        default=None, description="Whom the key is for; yourself when left out. Only an admin may name somebody else."
    )
    expires_in_days: int | None = Field(default=None, ge=1, le=3650, strict=True, description="Never when left out.")


class Key(Response):
    id: Id
    principal_id: Id
    prefix: str = Field(description="The first characters of the key, to tell keys apart.")
    issued_by: str
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None = Field(description="To the minute.")


class NewKey(Key):
    key: str = Field(description="The key itself. It is shown this once and kept nowhere.")
