"""Estimate weighted sums of the counts, or tables, from all releases that the caller may read. Only released values are
read. The computation is a function from text to text, for computation processes.
"""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import Connection

from core.queries.estimator import covariance, estimate
from service.database.rows import DatasetRow
from service.datasets import public_facts
from service.errors import InvalidRequest
from service.estimates import tables
from service.principals.auth import Caller
from service.queries.measuring import read_queries
from service.queries.quote import build_answer
from service.queries.readable_history import history_of, read_known
from service.runtime.jobs import JobInput
from service.runtime.key_file import InstalledKeys
from service.schemas import estimates as schema
from service.schemas.cell_names import CellNames
from service.schemas.principals import Role

_MAX_NUMBERS: Final = 200_000
"""Limit of weights in a response: rows of the releases times queries."""


def order(
    connection: Connection, caller: Caller, dataset_id: str, body: schema.EstimatesCreate, keys: InstalledKeys
) -> JobInput:
    """Return the input of `computed`. Raises NotFound, RoleNotAllowed and InvalidRequest."""
    caller.require(Role.OWNER, Role.ANALYST)
    dataset = public_facts.visible(connection, caller, dataset_id)
    content_of = tables.content_of if body.queries is None else _content_of
    return JobInput(json.dumps(content_of(connection, caller, dataset, body, keys)))


def computed(text: str) -> str:
    """Return the JSON text of Estimates. Raises InvalidRequest."""
    content = json.loads(text)
    found = tables.combined(content) if "wanted" in content else _estimate_queries(content)
    return found.model_dump_json()


def _content_of(
    connection: Connection, caller: Caller, dataset: DatasetRow, body: schema.EstimatesCreate, keys: InstalledKeys
) -> dict[str, Any]:
    """Return what `_estimate_queries` reads."""
    known = read_known(connection, caller, dataset, keys)
    return {"dataset": dataset, "known": known, "request": body.model_dump_json(exclude_unset=True)}


def _estimate_queries(content: dict[str, Any]) -> schema.Estimates:
    """Answer the queries. Raises InvalidRequest."""
    dataset = DatasetRow(*content["dataset"])
    known = history_of(dataset.record_count, dataset.category_count, content["known"])
    body = schema.EstimatesCreate.model_validate_json(content["request"])
    assert body.queries is not None, "queries were asked for"
    queries = read_queries(body.queries, CellNames.of_texts(dataset.labels, dataset.attributes), dataset.record_count)
    if len(known.history) * len(queries) > _MAX_NUMBERS:
        rule = f"must be fewer: the answers would have more than {_MAX_NUMBERS} weights"
        raise InvalidRequest.at("queries", rule)
    found = [estimate(known.history, query) for query in queries]
    seen = [each for each in found if each is not None]
    answers = [
        None if each is None else build_answer(asked, each, known.history)
        for asked, each in zip(body.queries, found, strict=True)
    ]
    used = {of.release_id for answer in answers if answer is not None for of in answer.used}
    return schema.Estimates(
        answers=answers,
        covariance=covariance(known.history, seen).tolist() if len(seen) == len(found) else None,
        tables=None,
        constrained=None,
        used=[each for each in known.release_ids if each in used],
        excluded_releases=known.excluded_releases,
    )
