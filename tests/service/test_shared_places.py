"""One principal's use of memory, threads and slots leaves the others their share."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, Engine, update

from service.database.engine import writing
from service.database.rows import ReleaseRow
from service.database.tables import releases as table
from service.errors import DatabaseUnavailable, RateLimited
from service.ledger.debit import DebitHandler
from service.limits.limits import READS
from service.principals.auth import PUBLIC, current_principal
from service.releases import paid
from service.runtime import jobs
from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import of_releases, registration
from tests.harness.deadlines import PATIENCE, until_async
from tests.harness.in_process import Service, running
from tests.harness.installation import SIGNER, epsilon, install
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

LARGE = 1_900_000
PLAN = {"prior": [1, 1], "data": {"kind": "counts", "counts": [3, 4]}, "epsilons": ["1"], "delta": "0"}


def settings(url: str, **changes: Any) -> Settings:
    return Settings(
        database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0, **changes
    )


def tell(settings: Settings, story: Callable[[Service, Runtime], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with running(settings) as service:
            transport = service.http._transport
            assert isinstance(transport, httpx.ASGITransport)
            app: Any = transport.app
            await story(service, app.state.runtime)

    asyncio.run(whole())


async def endless(until: asyncio.Event) -> AsyncIterator[bytes]:
    yield b"["
    await until.wait()


def send_half(service: Service, who: Person, until: asyncio.Event) -> asyncio.Task[httpx.Response]:
    headers = who.headers | {"Content-Length": str(LARGE), "Content-Type": "application/json"}
    return asyncio.create_task(service.http.post("/v1/plans", content=endless(until), headers=headers))


def test_bodies_of_one_principal_have_little_room_and_others_have_theirs(database_url: str, engine: Engine) -> None:
    greedy, polite = person(engine, Role.ANALYST), person(engine, Role.ANALYST)

    async def story(service: Service, _: Runtime) -> None:
        until = asyncio.Event()
        halves = [send_half(service, greedy, until) for _ in range(20)]
        async with asyncio.timeout(PATIENCE):
            refused = [await each for _, each in zip(range(16), asyncio.as_completed(halves), strict=False)]
        waiting = [each for each in halves if not each.done()]
        assert len(waiting) == 4
        assert {each.status_code for each in refused} == {429}
        assert all("retry-after" in each.headers for each in refused)
        assert (await service.send(polite, "POST", "/v1/plans", PLAN)).status_code == 200
        until.set()
        await asyncio.wait(waiting)
        assert (await service.send(greedy, "POST", "/v1/plans", PLAN)).status_code == 200, "the room is free again"

    tell(settings(database_url), story)


def test_a_large_body_counts_as_many_requests(database_url: str, engine: Engine) -> None:
    greedy = person(engine, Role.ANALYST)

    async def story(service: Service, _: Runtime) -> None:
        body = PLAN | {"note": "a" * (LARGE - 1_000)}
        answers = [await service.send(greedy, "POST", "/v1/plans", body) for _ in range(4)]
        assert [each.status_code for each in answers] == [422, 422, 429, 429]

    tell(settings(database_url, rate_limit_per_minute=250), story)


def test_reads_without_a_key_leave_threads_to_others(database_url: str, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service, runtime: Runtime) -> None:
        go_on = threading.Event()

        async def read() -> None:
            current_principal.set(PUBLIC)
            await runtime.database.read(lambda _: go_on.wait(PATIENCE))

        reading = [asyncio.create_task(read()) for _ in range(20)]
        try:
            await asyncio.sleep(0.2)
            async with asyncio.timeout(PATIENCE):
                assert (await service.send(owner, "GET", "/v1/budgets")).status_code == 200
        finally:
            go_on.set()
        await asyncio.gather(*reading)

    tell(settings(database_url), story)


def test_a_read_keeps_its_place_until_its_thread_is_free(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.runtime.database.READS", READS._replace(seconds=0.3))

    async def story(_service: Service, runtime: Runtime) -> None:
        current_principal.set("greedy")
        go_on, running = threading.Event(), list[int]()

        def hold(_: Connection) -> None:
            running.append(1)
            go_on.wait(PATIENCE)

        try:
            for _ in range(4):
                with pytest.raises(DatabaseUnavailable):
                    await runtime.database.read(hold)
            await until_async(lambda: running)
            assert len(running) == 1
        finally:
            go_on.set()

    tell(settings(database_url), story)


def test_public_pictures_are_remembered_and_take_turns_by_release(database_url: str, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service, runtime: Runtime) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 40]))
        release = (await service.release(owner, dataset["id"], "key")).json()
        await service.send(owner, "PATCH", f"/v1/releases/{release['id']}", {"public": True})
        path = f"/v1/public/releases/{release['id']}/plot.svg"
        first = await service.http.get(path)
        assert first.status_code == 200
        served = list[str]()

        async def hold_for(which: str) -> None:
            async with runtime.processes.public_slots.slot(which):
                served.append(which)

        async with runtime.processes.public_slots.slot("of a stranger"):
            waiting = [asyncio.create_task(hold_for("of a stranger")) for _ in range(4)]
            await asyncio.sleep(0)
            with pytest.raises(RateLimited):
                await hold_for("of a stranger")
            assert (await service.http.get(path)).content == first.content
            other = asyncio.create_task(service.http.get(path, params={"level": 0.5}))
            await asyncio.sleep(0.5)
        assert (await other).status_code == 200
        await asyncio.gather(*waiting)
        assert served == ["of a stranger"] * 4
        await service.send(owner, "PATCH", f"/v1/releases/{release['id']}", {"public": False})
        assert (await service.http.get(path)).status_code == 404

    tell(settings(database_url), story)


def test_a_computation_without_a_key_ends_after_three_seconds_and_takes_no_place_of_those_with_one(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service, runtime: Runtime) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([30, 40]))
        release = (await service.release(owner, dataset["id"], "key")).json()
        await service.send(owner, "PATCH", f"/v1/releases/{release['id']}", {"public": True})
        monkeypatch.setitem(jobs.COMPUTATIONS, "posterior", "tests.harness.computing:limits")
        body = of_releases(release["id"]) | {"prior": [1, 1]}
        places = runtime.processes.computation_slots
        async with asyncio.timeout(PATIENCE), places.slot("first"), places.slot("second"):
            assert not places.has_slot_for("third")
            limits = (await service.http.post("/v1/public/posteriors", json=body)).json()
        assert limits["processor"] == 3

    tell(settings(database_url, computation_processes=2), story)


def test_undrawable_releases_do_not_block_the_others(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, tried = 20, list[str]()

    def leave_undrawn() -> None:
        world = install(engine, total=epsilon(1000), grant=epsilon(1000), analysts=1)
        with writing(engine) as connection:
            who, what = world.analyst_ids[0], world.dataset_ids[0]
            DebitHandler(SIGNER)(connection, [world.debit(who, what, epsilon(1)) for _ in range(count)])
            connection.execute(update(table).values(leased_until=0))

    async def hopeless(_: Runtime, row: ReleaseRow) -> str:
        tried.append(row.id)
        raise RateLimited

    async def tries(_: Service, runtime: Runtime) -> None:
        await asyncio.to_thread(leave_undrawn)
        after = await paid.resume_pending_releases(runtime)
        assert await paid.resume_pending_releases(runtime, after) == ""
        assert len(set(tried)) == count

    monkeypatch.setattr(paid, "answer_from_row", hopeless)
    tell(settings(database_url), tries)
