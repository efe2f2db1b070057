"""Answers that can't be put together once something was measured for them: charged, failed, and never measured anew."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Engine

from service.auth import Caller, Role
from service.database.engine import reading
from service.ledger.debit import hash_idempotency_key
from service.queries import answers, ask
from service.queries.payload import hash_query_payload
from service.schemas.queries import QueryCreate
from service.settings import Settings
from tests.harness.bodies import registration
from tests.harness.in_process import running
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


def bug(*_: object) -> Any:
    raise RuntimeError("8675309")


@pytest.mark.parametrize("apart", [False, True], ids=["in a thread", "in a process"])
def test_what_was_measured_is_never_measured_anew_because_its_answers_failed(
    database_url: str,
    engine: Engine,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    apart: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """Whether putting them together fails can hang on what was drawn, and a draw that nobody saw tells of the counts,
    too, once it is known that it failed.
    """
    owner = person(engine, Role.OWNER)
    settings = Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_grid_ms=0)
    drawn: list[object] = []
    draw = ask._draw

    def counted(*given: Any) -> Any:
        drawn.append(given)
        return draw(*given)

    monkeypatch.setattr(ask, "_draw", counted)
    monkeypatch.setattr(ask, "query_document", bug)
    monkeypatch.setattr(answers, "ANSWERED", "tests.harness.computing:end")
    body = {"queries": [{"weights": [1, 0], "half_width": 15.0}], "constraints": apart}

    async def story() -> None:
        async with running(settings) as service:
            dataset = await service.post(owner, "/v1/datasets", registration([30, 40]))
            path = f"/v1/datasets/{dataset['id']}/queries"
            for _ in range(2):
                answer = await service.send(owner, "POST", path, body, **{"Idempotency-Key": "key"})
                assert answer.json()["type"] == "/problems/release-failed", answer.text
                assert answer.json()["charged"] is True
        assert audit(engine, dataset["budget_id"]).release_count == 1

    asyncio.run(story())
    assert len(drawn) == 1
    assert "8675309" not in caplog.text


def test_who_sends_a_request_twice_at_once_has_no_second_plan_once_the_first_is_answered(
    database_url: str, engine: Engine
) -> None:
    """The second has looked for an answer before there was one, and then waits for its turn to plan."""
    owner = person(engine, Role.OWNER)
    settings = Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_grid_ms=0)
    body = {"queries": [{"weights": [1, 0], "half_width": 15.0}]}

    async def story() -> tuple[str, str]:
        async with running(settings) as service:
            dataset = await service.post(owner, "/v1/datasets", registration([30, 40]))
            found = await service.post(owner, f"/v1/datasets/{dataset['id']}/queries", body, "key")
            return str(dataset["id"]), str(found["id"])

    dataset_id, paid = asyncio.run(story())
    read = QueryCreate.model_validate(body)
    document = read.model_dump(mode="json")
    who, payload = Caller(owner.principal_id, Role.OWNER, "key"), hash_query_payload(dataset_id, document)
    with reading(engine) as connection:
        for key, answered in (("key", None), ("other", paid)):
            key_hash = hash_idempotency_key(owner.principal_id, key)
            request = ask._Request(who, dataset_id, read, document, key_hash, payload, 0.0)
            assert ask._find_answered(connection, request) == answered
