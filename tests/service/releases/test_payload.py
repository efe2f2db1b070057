"""A repeated request is free, also in a later version: it hashes the stored request alike, and new fields change no
hash.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from core.privacy import Delta
from service.releases.spec import hash_payload
from service.schemas.cells import AnswerRange
from service.schemas.mechanisms import REQUESTS
from service.schemas.queries import Query, QueryCreate
from service.schemas.releases import CountsCreate, MaxCharge
from tests.service.releases.test_after_the_charge import BODY, World
from tests.service.releases.test_same_hashes import BODY as BODY_OF_ANY_KIND

RECORDED = json.loads((Path(__file__).parent / "recorded_payloads.json").read_text())
"""Requests as callers sent them, with the hashes that were stored. Nothing in that file changes once a version was
released; requests are added to it.
"""
DEFAULTS = {
    "CountsCreate.once": False,
    "CountsCreate.prior": None,
    "CountsCreate.merged": None,
    "CountsCreate.level": 0.95,
    "CountsCreate.max_charge": None,
    "MaxCharge.epsilon": None,
    "MaxCharge.delta": None,
    "MaxCharge.rho": None,
    "Gaussian.rho": None,
    "Gaussian.epsilon": None,
    "Exponential.calibration": "proven",
    "Exponential.delta": Delta(0),
    "ExponentialGlobal.delta": Delta(0),
    "QueryCreate.once": False,
    "QueryCreate.constraints": None,
    "QueryCreate.max_charge": None,
    "Query.of": None,
    "Query.weights": None,
    "Query.half_width": None,
    "Query.confidence": 0.95,
    "Query.between": None,
    "AnswerRange.low": None,
    "AnswerRange.high": None,
}
"""Of the fields that a request may leave out. Add to it; change nothing: stored hashes depend on it. A field that was
required before is in `always_hashed`.
"""


def hashed(request: dict[str, Any]) -> str:
    kind = "queries" if "queries" in request else "counts"
    return hash_payload("dat_recorded", BODY_OF_ANY_KIND.validate_python(request | {"kind": kind}))


@pytest.mark.parametrize("recorded", RECORDED, ids=str)
def test_a_stored_request_is_recognised(recorded: dict[str, Any]) -> None:
    assert hashed(recorded["request"]) == recorded["hash"]


def test_different_requests_have_different_hashes() -> None:
    assert len({hashed(each["request"]) for each in RECORDED}) == len(RECORDED)


def test_spellings_of_one_request_have_one_hash() -> None:
    spelled: list[Any] = ["0.5", "0.50", 0.5]
    same = [
        {"prior": [1, 1.0], "mechanism": {"kind": "simplex_geometric", "epsilon": each}, **more}
        for each in spelled
        for more in ({}, {"level": 0.95}, {"max_charge": None})
    ]
    assert len({hashed(each) for each in same}) == 1


def test_no_default_of_a_request_changes() -> None:
    mechanisms: list[type[BaseModel]] = [each.schema for each in REQUESTS]
    models: list[type[BaseModel]] = [
        CountsCreate,
        MaxCharge,
        *mechanisms,
        QueryCreate,
        Query,
        AnswerRange,
    ]
    found = {
        f"{model.__name__}.{name}": field.get_default(call_default_factory=True)
        for model in models
        for name, field in model.model_fields.items()
        if not field.is_required()
    }
    assert found == DEFAULTS


def test_a_field_that_is_added_later_changes_no_hash_until_it_is_used() -> None:
    class Grown(CountsCreate):
        rounding: str = "none"

    body = {"kind": "counts", "prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}}
    before = hash_payload("dat", CountsCreate.model_validate(body))
    assert hash_payload("dat", Grown.model_validate(body)) == before
    assert hash_payload("dat", Grown.model_validate(body | {"rounding": "none"})) == before
    assert hash_payload("dat", Grown.model_validate(body | {"rounding": "up"})) != before


def test_a_key_that_paid_for_another_request_is_refused(database_url: str) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        before = await client.post(path, json=BODY)
        assert before.status_code == 201
        assert (await client.post(path, json=BODY | {"level": 0.95})).content == before.content
        other = await client.post(path, json=BODY | {"level": 0.9})
        assert other.json()["type"] == "/problems/idempotency-key-reused"

    world = World(database_url)
    world.run(story)
    world.engine.dispose()
