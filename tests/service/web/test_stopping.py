"""When the time of a stopping process is up, the answer to an open request says what that means for the caller."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from sqlalchemy import Engine, make_url

from service.database.engine import reading, writing
from service.database.tables import releases
from service.ledger.witness import Witness
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.in_process import running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.harness.server import problem_code
from tests.service.test_workers import paid


def settings(url: str) -> Settings:
    return Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=3000)


def test_a_release_that_is_cut_short_may_be_charged_and_its_retry_has_it(database_url: str, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)

    async def story() -> tuple[Any, Any]:
        async with running(settings(database_url)) as service:
            dataset = await service.made(owner, "/v1/datasets", registration([3, 4]))
            waiting = asyncio.create_task(service.release(owner, dataset["id"], "cut"))
            while not await asyncio.to_thread(paid, engine):
                assert not waiting.done()
            waiting.cancel()
            cut = await waiting
            with writing(engine) as connection:
                connection.execute(releases.update().values(leased_until=0))
            return cut, await _retry_release(service, owner, dataset["id"])

    cut, retried = asyncio.run(story())
    assert problem_code(cut) == "outcome-unknown"
    assert (cut.json()["charged"], cut.json()["retry_safe"]) == (None, True)
    assert retried.status_code == 201
    assert paid(engine) == 1


async def _retry_release(service: Any, owner: Person, dataset_id: str) -> Any:
    async with asyncio.timeout(PATIENCE):
        # The background task may be drawing it.
        while (answer := await service.release(owner, dataset_id, "cut")).status_code == 409:  # noqa: ASYNC110
            await asyncio.sleep(0.5)
    return answer


def test_a_body_that_a_shutdown_cuts_short_gets_shutting_down(database_url: str, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)

    async def story() -> Any:
        asked = asyncio.Event()

        async def half() -> Any:
            yield b"{"
            asked.set()
            await asyncio.sleep(600)

        async with running(settings(database_url)) as service:
            headers = owner.headers | {"Content-Type": "application/json"}
            waiting = asyncio.create_task(service.http.post("/v1/plans", content=half(), headers=headers))
            await asked.wait()
            waiting.cancel()
            return await waiting

    assert problem_code(asyncio.run(story())) == "shutting-down"


def test_a_shutdown_waits_for_a_look_at_the_ledgers(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the look's connection would outlive the pool that it came from."""
    begun, ended = threading.Event(), threading.Event()

    def look(engine: Engine, _witness: Witness) -> None:
        # Services of other tests look from this process, too.
        if begun.is_set() or engine.url.database != make_url(database_url).database:
            return
        with reading(engine):
            begun.set()
            time.sleep(1)
        ended.set()

    monkeypatch.setattr("service.runtime.database.look", look)

    async def story() -> None:
        async with running(settings(database_url)):
            await asyncio.to_thread(begun.wait)
        assert ended.is_set()

    asyncio.run(story())
