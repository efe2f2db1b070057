"""A repeated request is free for ever: what earlier versions hashed of a request is known again, and what is added
later changes no hash.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from pydantic import BaseModel

from service.releases import payload
from service.releases.payload import FIRST_DEFAULTS, LATER_DEFAULTS, PayloadHash, hash_payload
from service.schemas.mechanisms import Mechanism
from service.schemas.releases import ChargeLimit, ReleaseCreate
from tests.service.releases.test_after_the_charge import BODY, World

RECORDED = json.loads((Path(__file__).parent / "recorded_payloads.json").read_text())
"""Requests as callers sent them, with what each version stored. Nothing in that file ever changes; requests are
added to it.
"""


def hashed(request: dict[str, Any]) -> PayloadHash:
    return hash_payload("dat_recorded", ReleaseCreate.model_validate(request).model_dump(mode="json"))


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda each: each["request"]["mechanism"]["kind"])
def test_what_every_version_stored_is_known_again(recorded: dict[str, Any]) -> None:
    now = hashed(recorded["request"])
    assert (now.first, now.second) == (recorded["first"], recorded["second"])
    assert now.stored == recorded["first"], "replicas of the first version know no other"
    assert now.is_of(recorded["first"])
    assert now.is_of(recorded["second"])


def test_different_requests_have_different_hashes() -> None:
    assert len({hashed(each["request"]).second for each in RECORDED}) == len(RECORDED)
    assert len({hashed(each["request"]).first for each in RECORDED}) == len(RECORDED)


@pytest.mark.parametrize("version", ["first", "second"])
def test_spellings_of_one_request_have_one_hash(version: str) -> None:
    spelled: list[Any] = ["0.5", "0.50", 0.5]
    same = [
        {"prior": [1, 1.0], "mechanism": {"kind": "simplex_geometric", "epsilon": each}, **more}
        for each in spelled
        for more in ({}, {"level": 0.95}, {"charge_at_most": None})
    ]
    assert len({getattr(hashed(each), version) for each in same}) == 1


def optional_fields() -> Iterator[tuple[str, Any]]:
    """Every field that a request may leave out, by its place, with what it is worth then."""
    models: list[tuple[str, type[BaseModel]]] = [("", ReleaseCreate), ("charge_at_most.", ChargeLimit)]
    for each in get_args(get_args(Mechanism)[0]):
        (kind,) = get_args(each.model_fields["kind"].annotation)
        models.append((f"mechanism.{kind}.", each))
    for place, model in models:
        for name, field in model.model_fields.items():
            if not field.is_required():
                default = field.get_default(call_default_factory=True)
                yield place + name, default if default is None or isinstance(default, float) else str(default)


def test_every_field_that_may_be_left_out_has_its_frozen_default() -> None:
    """Whoever adds a field adds it to LATER_DEFAULTS, with what it is worth to those who do not know it."""
    frozen = {**FIRST_DEFAULTS, **LATER_DEFAULTS}
    assert frozen == dict(optional_fields())


def test_a_field_that_is_added_later_changes_no_hash_until_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    document = ReleaseCreate.model_validate(BODY_OF_NOW).model_dump(mode="json")
    before = hash_payload("dat", document)
    monkeypatch.setattr(payload, "LATER_DEFAULTS", {"rounding": "none", "mechanism.simplex_geometric.shift": 0})
    grown = document | {"rounding": "none", "mechanism": document["mechanism"] | {"shift": 0}}
    assert hash_payload("dat", grown) == before
    used = hash_payload("dat", grown | {"rounding": "up"})
    assert {used.first, used.second}.isdisjoint({before.first, before.second})


BODY_OF_NOW = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.5"}}


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    world = World(database_url)
    yield world
    world.engine.dispose()


def test_a_release_that_stored_the_second_hash_is_replayed_free(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As versions between the first and this one did."""

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as earlier:
            earlier.setattr(PayloadHash, "stored", property(lambda self: self.second))
            before = await client.post(path, json=BODY)
            assert before.status_code == 201
        assert (await client.post(path, json=BODY)).content == before.content
        assert (await client.post(path, json=BODY | {"level": 0.9})).json()[
            "type"
        ] == "/problems/idempotency-key-reused"

    world.run(story)
