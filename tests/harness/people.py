"""Makes people with keys straight in a database, as the command line makes the first admin."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx
from sqlalchemy import Engine

from service.database.engine import open_engine, writing
from service.principals.auth import COMMAND_LINE
from service.principals.keys import create_key
from service.principals.people import create_principal
from service.schemas.principals import Role
from tests.harness.deadlines import PATIENCE


@dataclass(slots=True, eq=False)
class Person:
    """A person with a key."""

    principal_id: str
    key: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def client(self, url: str) -> httpx.Client:
        return httpx.Client(base_url=url, headers=self.headers, timeout=PATIENCE)


def person(database: Engine | str, role: Role) -> Person:
    """A new principal with a key, in the database of this engine or at this address."""
    if isinstance(database, str):
        engine = open_engine(database)
        try:
            return person(engine, role)
        finally:
            engine.dispose()
    with writing(database) as connection:
        principal_id = create_principal(connection, role, role.value)
        _, secret = create_key(connection, principal_id, issued_by=COMMAND_LINE, expires_in_days=None)
    return Person(principal_id, secret.key)
