"""Estimates as a function from text to text, for computation processes, and its input."""

from __future__ import annotations

import json

from sqlalchemy import Connection

from service.datasets import public_facts
from service.estimates import queries, tables
from service.principals.auth import Caller
from service.runtime.jobs import JobInput
from service.runtime.key_file import InstalledKeys
from service.schemas import estimates as schema
from service.schemas.principals import Role


def order(
    connection: Connection, caller: Caller, dataset_id: str, body: schema.EstimatesCreate, keys: InstalledKeys
) -> JobInput:
    """Return the input of `computed`. Raises NotFound, RoleNotAllowed and InvalidRequest."""
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = public_facts.visible(connection, caller, dataset_id)
    content_of = tables.content_of if body.queries is None else queries.content_of
    return JobInput(json.dumps(content_of(connection, caller, dataset, body, keys)))


def computed(text: str) -> str:
    """Return the JSON text of Estimates. Raises InvalidRequest."""
    content = json.loads(text)
    found = tables.combined(content) if "wanted" in content else queries.estimated(content)
    return found.model_dump_json()
