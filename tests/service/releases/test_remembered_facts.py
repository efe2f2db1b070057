"""Changes of a data set by one process take effect in another that has released from it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from service.limits.limits import TTLCache
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.service.conftest import dataset_body


@pytest.fixture
def settings(database_url: str) -> Settings:
    return Settings(
        database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0
    )


async def remembered(here: Service, owner: Person, analyst: Person) -> tuple[dict[str, Any], dict[str, Any]]:
    """A data set and the analyst's grant, priced in the process `here`."""
    dataset = await here.made(owner, "/v1/datasets", dataset_body(counts=[30, 12]))
    grant = await here.made(
        owner,
        f"/v1/datasets/{dataset['id']}/grants",
        {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"},
    )
    for who in (owner, analyst):
        body = {
            "prior": [1, 1],
            "mechanism": {"kind": "simplex_geometric", "epsilon": "0.01"},
            "max_charge": {"epsilon": "0.001"},
        }
        answer = await here.send(
            who, "POST", f"/v1/datasets/{dataset['id']}/releases", body, **{"Idempotency-Key": "dear"}
        )
        assert answer.json()["type"] == "/problems/max-charge-exceeded"
    return dataset, grant


def test_counts_that_another_process_replaced_are_priced_and_drawn_as_they_are_now(settings: Settings) -> None:
    async def story() -> None:
        owner, analyst = person(settings.database_url, Role.OWNER), person(settings.database_url, Role.ANALYST)
        async with running(settings) as here, running(settings) as there:
            dataset, _ = await remembered(here, owner, analyst)
            changed = await there.send(owner, "PATCH", f"/v1/datasets/{dataset['id']}", {"counts": [100, 200]})
            assert changed.status_code == 200, changed.text
            release = await here.release(owner, dataset["id"], "first")
            assert release.status_code == 201, release.text
            assert release.json()["record_count"] == 300
            assert sum(release.json()["posterior"]["released_counts"]) == 300

    asyncio.run(story())


def test_a_data_set_that_another_process_deleted_is_gone_and_what_was_paid_stays(settings: Settings) -> None:
    async def story() -> None:
        owner, analyst = person(settings.database_url, Role.OWNER), person(settings.database_url, Role.ANALYST)
        async with running(settings) as here, running(settings) as there:
            dataset, _ = await remembered(here, owner, analyst)
            paid = await here.release(analyst, dataset["id"], "before")
            assert (await there.send(owner, "DELETE", f"/v1/datasets/{dataset['id']}")).status_code == 204
            for process in (here, there):
                refused = await process.release(analyst, dataset["id"], "after")
                assert (refused.status_code, refused.json()["charged"]) == (404, False)
                again = await process.release(analyst, dataset["id"], "before")
                assert (again.status_code, again.content) == (201, paid.content)

    asyncio.run(story())


def test_a_grant_that_another_process_closed_pays_for_nothing(settings: Settings) -> None:
    async def story() -> None:
        owner, analyst = person(settings.database_url, Role.OWNER), person(settings.database_url, Role.ANALYST)
        async with running(settings) as here, running(settings) as there:
            dataset, grant = await remembered(here, owner, analyst)
            assert (await there.send(owner, "PATCH", f"/v1/grants/{grant['id']}", {"closed": True})).status_code == 200
            refused = await here.release(analyst, dataset["id"], "closed")
            assert refused.json()["type"] == "/problems/grant-closed"
            assert (await there.send(owner, "PATCH", f"/v1/grants/{grant['id']}", {"closed": False})).status_code == 200
            assert (await here.release(analyst, dataset["id"], "closed")).status_code == 201

    asyncio.run(story())


def test_a_memory_keeps_the_latest_and_none_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = 100.0
    # For this module alone: the event loop of another service in this process would sleep by the planted clock.
    monkeypatch.setattr("service.limits.limits.time", SimpleNamespace(monotonic=lambda: instant))
    memory = TTLCache[str, int](size=2, seconds=1.0)
    for number, key in enumerate(("a", "b", "a", "c")):
        memory.keep(key, number)
    assert (memory.get("a"), memory.get("b"), memory.get("c")) == (2, None, 3)
    memory.forget("a")
    memory.forget("never kept")
    assert memory.get("a") is None
    instant = 101.0
    assert memory.get("c") is None


def test_a_memory_of_texts_is_limited_by_their_sizes() -> None:
    memory = TTLCache[str, str](size=10, weigh=len)
    for key in ("first", "second", "third"):
        memory.keep(key, "four")
    assert [memory.get(key) for key in ("first", "second", "third")] == [None, "four", "four"]
    memory.keep("third", "ten signs!")
    assert (memory.get("second"), memory.get("third")) == (None, "ten signs!")
    memory.keep("large", "more than ten")
    assert memory.get("large") is None
    memory.keep("again", "ten signs!")
    assert memory.get("again") == "ten signs!"
