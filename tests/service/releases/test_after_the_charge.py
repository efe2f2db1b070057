"""Failures after a release was paid: the answer says only that it is charged, and the same key completes it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from service.api.app import create_app
from service.database.engine import open_engine, reading, writing
from service.database.rows import ReleaseRow, fetch_first
from service.database.tables import releases as release_table
from service.drawing.processes import DrawOrder, DrawProcesses, NotSentError
from service.limits.limits import HELD_REQUESTS
from service.releases import paid, release
from service.releases.results import pending, take_lease
from service.runtime.response_time import MAX_LEASE_SECONDS
from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.deadlines import PATIENCE
from tests.harness.drawing import shared_draw_program
from tests.harness.in_process import readiness
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.harness.server import problem_code

SECRET = "8675309"
BODY = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}


def lost_database(*_: object, **__: object) -> Any:
    raise OperationalError(f"SELECT {SECRET}", {}, Exception(SECRET))


def bug(*_: object, **__: object) -> Any:
    raise RuntimeError(SECRET)


async def not_sent(*_: object) -> Any:
    raise NotSentError


class World:
    """The application in this process, with one data set of its one owner."""

    def __init__(self, url: str) -> None:
        self.settings = Settings(
            database_url=url,
            counts_keys=COUNTS_KEYS,
            receipt_key=RECEIPT_KEY,
            response_time_quantum_ms=0,
            rate_limit_per_minute=0,
        )
        self.engine = open_engine(url)
        self.owner = person(self.engine, Role.OWNER)
        self.budget_id = ""

    def run(self, story: Callable[[httpx.AsyncClient, str], Any]) -> Any:
        async def tell() -> Any:
            app = create_app(self.settings, shared_draw_program())
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(
                    transport=httpx.ASGITransport(app),
                    base_url="http://service",
                    headers={"Authorization": f"Bearer {self.owner.key}", "Idempotency-Key": "key"},
                ) as client,
            ):
                body = registration([int(SECRET), 3])
                created = (await client.post("/v1/datasets", json=body)).json()
                self.budget_id = created["budget_id"]
                return await story(client, f"/v1/datasets/{created['id']}/releases")

        return asyncio.run(tell())

    def end_lease(self, until: int = 0) -> None:
        with writing(self.engine) as connection:
            connection.execute(update(release_table).values(leased_until=until))

    def state(self) -> str:
        with reading(self.engine) as connection:
            return str(connection.execute(select(release_table.c.state)).scalar_one())


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    world = World(database_url)
    yield world
    world.engine.dispose()


def runtime_of(client: httpx.AsyncClient) -> Runtime:
    transport: Any = client._transport
    runtime: Runtime = transport.app.state.runtime
    return runtime


def assert_in_progress(answer: httpx.Response) -> None:
    problem = answer.json()
    assert (answer.status_code, problem["type"], problem["charged"]) == (409, "/problems/release-in-progress", True)
    assert problem["retry_safe"] is True


@pytest.mark.parametrize(
    ("module", "name", "failure"),
    [
        (DrawProcesses, "draw", not_sent),
        (paid, "store_outcomes", lost_database),
        (paid, "store_outcomes", bug),
        (release, "release_document", bug),
    ],
)
def test_a_failure_that_a_retry_can_mend_says_charged_and_the_retry_mends_it(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    module: Any,
    name: str,
    failure: Callable[..., Any],
) -> None:
    monkeypatch.setattr(paid, "HELD_REQUESTS", HELD_REQUESTS._replace(seconds=3.0))

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(module, name, failure)
            answer = await client.post(path, json=BODY)
            assert_in_progress(answer)
            world.end_lease()
            again = await client.post(path, json=BODY)
            assert again.json() == answer.json()
            assert SECRET not in answer.text + caplog.text
        world.end_lease()
        runtime_of(client).caches.composing_failed.clear()
        async with asyncio.timeout(PATIENCE):
            # After a lost database the service is unavailable until it has looked again.
            while (mended := await client.post(path, json=BODY)).status_code in (409, 503):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert mended.status_code == 201, mended.text
        assert (await client.post(path, json=BODY)).content == mended.content

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_an_answer_that_could_not_be_composed_is_composed_from_what_was_drawn_at_most_once_a_minute(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, drawn, composed = DrawProcesses.draw, list[str | None](), list[object]()

    async def counted(processes: DrawProcesses, order: DrawOrder) -> str | None:
        drawn.append(await draw(processes, order))
        return drawn[-1]

    def broken_document(*given: object) -> Any:
        composed.append(given)
        raise RuntimeError(SECRET)

    monkeypatch.setattr(DrawProcesses, "draw", counted)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(release, "release_document", broken_document)
            for _ in range(5):
                assert_in_progress(await client.post(path, json=BODY))
                world.end_lease()
                await paid.resume_pending_releases(runtime_of(client))
            assert len(composed) == 1
        assert world.state() == "drawn"
        assert_in_progress(await client.post(path, json=BODY))
        runtime_of(client).caches.composing_failed.clear()  # as after a minute
        answer = await client.post(path, json=BODY)
        assert answer.status_code == 201
        assert drawn == [f'{{"noisy": {_noisy(answer)}, "on_simplex": {_released_counts(answer)}}}']

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def _noisy(answer: httpx.Response) -> list[int]:
    return list(answer.json()["posterior"]["noisy_counts"])


def _released_counts(answer: httpx.Response) -> list[int]:
    return list(answer.json()["posterior"]["released_counts"])


def test_what_was_drawn_is_stored_once_the_database_is_back_and_not_drawn_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paid, "HELD_REQUESTS", HELD_REQUESTS._replace(seconds=1.0))
    draw, drawn = DrawProcesses.draw, list[str | None]()

    async def counted(processes: DrawProcesses, order: DrawOrder) -> str | None:
        drawn.append(await draw(processes, order))
        return drawn[-1]

    monkeypatch.setattr(DrawProcesses, "draw", counted)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(paid, "store_outcomes", lost_database)
            assert_in_progress(await client.post(path, json=BODY))
            assert_in_progress(await client.post(path, json=BODY))
        async with asyncio.timeout(PATIENCE):
            while (answer := await client.post(path, json=BODY)).status_code in (409, 503):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert drawn == [f'{{"noisy": {_noisy(answer)}, "on_simplex": {_released_counts(answer)}}}']

    world.run(story)


def test_a_draw_that_outlasts_its_lease_and_the_second_draw_are_answered_alike(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, drawn, all_draw = DrawProcesses.draw, list[str | None](), asyncio.Event()

    async def slowly(processes: DrawProcesses, order: DrawOrder) -> str | None:
        values = await draw(processes, order)
        drawn.append(values)
        if len(drawn) == 2:
            all_draw.set()
        await all_draw.wait()
        return values

    monkeypatch.setattr(DrawProcesses, "draw", slowly)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        first = asyncio.create_task(client.post(path, json=BODY))
        async with asyncio.timeout(PATIENCE):
            while not drawn:  # noqa: ASYNC110  it happens in a process
                await asyncio.sleep(0.01)
        # As another process would, which does not know that this one draws.
        world.end_lease()
        runtime_of(client).shutdown.in_progress.clear()
        retry = await client.post(path, json=BODY)
        answers = {(await first).content, retry.content, (await client.post(path, json=BODY)).content}
        assert len(answers) == 1
        assert (await first).status_code == 201
        assert len(drawn) == 2

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


@pytest.mark.parametrize("ahead", [MAX_LEASE_SECONDS + 60, 86_400 * 365])
def test_a_lease_of_a_clock_that_ran_ahead_leaves_nobody_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(DrawProcesses, "draw", not_sent)
            assert_in_progress(await client.post(path, json=BODY))
        world.end_lease(until=int(time.time()) + 3600)
        assert_in_progress(await client.post(path, json=BODY))
        with reading(world.engine) as connection:
            assert pending(connection, "posterior") == []
        world.end_lease(until=int(time.time()) + ahead)
        with reading(world.engine) as connection:
            assert len(pending(connection, "posterior")) == 1
        assert (await client.post(path, json=BODY)).status_code == 201

    world.run(story)


def test_one_of_two_that_take_up_a_paid_release_gets_its_lease(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        monkeypatch.setattr(DrawProcesses, "draw", not_sent)
        assert_in_progress(await client.post(path, json=BODY))
        witness = runtime_of(client).database.witness
        with writing(world.engine) as connection:
            release_id = connection.execute(select(release_table.c.id)).scalar_one()
            until, again = (take_lease(connection, release_id, 60, witness) for _ in range(2))
        assert until is not None
        assert again is None

    world.run(story)


@pytest.mark.parametrize(
    ("holder", "name", "failure"),
    [(paid, "take_lease", lost_database), (paid, "event_from_json", bug), (paid, "take_lease", bug)],
)
def test_a_failure_while_taking_up_a_paid_release_says_charged(
    world: World, monkeypatch: pytest.MonkeyPatch, holder: Any, name: str, failure: Callable[..., Any]
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(DrawProcesses, "draw", not_sent)
            assert_in_progress(await client.post(path, json=BODY))
        world.end_lease()
        with monkeypatch.context() as broken:
            broken.setattr(holder, name, failure)
            answer = await client.post(path, json=BODY)
            assert_in_progress(answer)
            assert SECRET not in answer.text
        assert (await client.post(path, json=BODY)).status_code == 201

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_a_draw_that_failed_is_charged_failed_forever_and_tells_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def failed_draw(*_: object) -> None:
        return None

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(DrawProcesses, "draw", failed_draw)
            failed = await client.post(path, json=BODY)
        world.end_lease()
        again = await client.post(path, json=BODY)
        for answer in (failed, again):
            assert (answer.status_code, answer.json()["type"], answer.json()["charged"]) == (
                500,
                "/problems/release-failed",
                True,
            )
            assert SECRET not in answer.text
        assert SECRET not in caplog.text
        listed = (await client.get("/v1/releases")).json()["items"]
        assert [each["state"] for each in listed] == ["failed"]
        assert (await client.get(f"/v1/releases/{listed[0]['id']}")).json()["type"] == "/problems/release-failed"

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_a_release_from_a_data_set_that_is_deleted_before_the_draw_is_stored_is_charged_and_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = DrawProcesses.draw

    async def story(client: httpx.AsyncClient, path: str) -> None:
        async def of_deleted_counts(processes: DrawProcesses, order: DrawOrder) -> str | None:
            assert (await client.delete(path.removesuffix("/releases"))).status_code == 204
            return await draw(processes, order)

        monkeypatch.setattr(DrawProcesses, "draw", of_deleted_counts)
        answers = [await client.post(path, json=BODY) for _ in range(2)]
        assert [each.json()["type"] for each in answers] == ["/problems/release-failed"] * 2
        assert world.state() == "failed"

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_where_no_draw_process_starts_releases_are_refused_uncharged_and_what_was_paid_is_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        answered = await client.post(path, json=BODY)
        with monkeypatch.context() as broken:
            broken.setattr(DrawProcesses, "are_available", False)
            ready = await readiness(client, lambda answer: problem_code(answer) != "database-unavailable")
            assert (ready.status_code, problem_code(ready)) == (503, "draws-unavailable")
            refused = await client.post(path, json=BODY, headers={"Idempotency-Key": "other"})
            problem = refused.json()
            assert (refused.status_code, problem["type"]) == (503, "/problems/draws-unavailable")
            assert (problem["charged"], problem["retryable"]) == (False, True)
            assert int(refused.headers["retry-after"]) >= 1
            again = await client.post(path, json=BODY)
            assert (again.status_code, again.content) == (201, answered.content)
        await readiness(client, lambda answer: answer.status_code == 200)
        assert audit(world.engine, world.budget_id).release_count == 1
        assert (await client.post(path, json=BODY, headers={"Idempotency-Key": "other"})).status_code == 201

    world.run(story)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("simplex_geometric", {}),
        ("laplace", {"prior": [0.5, 2], "level": 0.8}),
        ("gaussian", {}),
        ("simplex_geometric", {"prior": None}),
    ],
)
def test_the_answer_is_what_another_process_composes_from_the_stored_row(
    world: World, kind: str, changes: dict[str, Any]
) -> None:
    mechanism = {"kind": kind, "epsilon": "0.1"} | ({"delta": "0.000001"} if kind == "gaussian" else {})

    async def story(client: httpx.AsyncClient, path: str) -> None:
        asked = {name: value for name, value in (BODY | changes).items() if value is not None}
        answer = await client.post(path, json=asked | {"mechanism": mechanism})
        assert answer.status_code == 201, answer.text
        with reading(world.engine) as connection:
            query = select(release_table).where(release_table.c.id == answer.json()["id"])
            row = fetch_first(connection, ReleaseRow, query)
        assert row is not None
        assert release.counts_document(row) == answer.text

    world.run(story)


def test_a_lease_that_somebody_else_took_since_is_left_to_them(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(*_: object) -> Any:
        world.end_lease(until=until)
        raise NotSentError

    until = int(time.time()) + 7
    monkeypatch.setattr(DrawProcesses, "draw", nobody)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        assert_in_progress(await client.post(path, json=BODY))
        with reading(world.engine) as connection:
            assert connection.execute(select(release_table.c.leased_until)).scalar_one() == until

    world.run(story)


def test_a_request_is_not_held_longer_than_it_may_be_and_its_retry_has_the_same_release(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paid, "HELD_REQUESTS", HELD_REQUESTS._replace(seconds=0.5))
    draw, go_on = DrawProcesses.draw, asyncio.Event()

    async def slowly(processes: DrawProcesses, order: DrawOrder) -> str | None:
        values = await draw(processes, order)
        await go_on.wait()
        return values

    monkeypatch.setattr(DrawProcesses, "draw", slowly)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        before = time.monotonic()
        assert_in_progress(await client.post(path, json=BODY))
        assert time.monotonic() - before > 0.4
        go_on.set()
        async with asyncio.timeout(PATIENCE):
            while (answer := await client.post(path, json=BODY)).status_code == httpx.codes.CONFLICT:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert answer.status_code == 201

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_an_answer_whose_tick_comes_later_is_not_waited_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.runtime.runtime.GRACE_SECONDS", 0.1)
    monkeypatch.setattr(paid, "HELD_REQUESTS", HELD_REQUESTS)
    world.settings = Settings(
        database_url=world.settings.database_url,
        counts_keys=COUNTS_KEYS,
        receipt_key=RECEIPT_KEY,
        response_time_quantum_ms=40_000,
        rate_limit_per_minute=0,
    )

    async def story(client: httpx.AsyncClient, path: str) -> None:
        answer = await client.post(path, json=BODY)
        assert_in_progress(answer)
        assert answer.headers["retry-after"] == "40"
        assert world.state() == "paid"

    world.run(story)


def test_until_its_tick_a_release_that_is_drawn_looks_like_one_that_is_not(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.settings = replace(world.settings, response_time_quantum_ms=50)
    drawn, tick = asyncio.Event(), asyncio.Event()
    spacings: list[float] = []

    async def wait_for_the_test(_ticks: object, _start: object, spacing: float) -> None:
        spacings.append(spacing)
        drawn.set()
        await tick.wait()

    monkeypatch.setattr(paid, "wait_for_tick", wait_for_the_test)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        first = asyncio.create_task(client.post(path, json=BODY))
        await drawn.wait()
        assert_in_progress(await client.post(path, json=BODY))
        listed = (await client.get("/v1/releases")).json()["items"]
        assert [each["state"] for each in listed] == ["paid"]
        assert (await client.get(f"/v1/releases/{listed[0]['id']}")).status_code == 409
        assert not first.done()
        tick.set()
        answer = await first
        assert answer.status_code == 201
        assert (await client.post(path, json=BODY)).content == answer.content

    world.run(story)
    assert len(spacings) == 1
    assert spacings[0] >= 0.05


def test_answers_leave_in_the_order_of_the_charges_whichever_draw_ended_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.settings = replace(world.settings, response_time_quantum_ms=100)
    ends: list[float] = []

    def draw(_: DrawProcesses, order: DrawOrder) -> asyncio.Future[str | None]:
        loop = asyncio.get_running_loop()
        drawn: asyncio.Future[str | None] = loop.create_future()
        values = '{"noisy": [1, 2], "on_simplex": [8675309, 3]}'
        loop.call_later(ends.pop(0), drawn.set_result, values)
        return drawn

    monkeypatch.setattr(DrawProcesses, "draw", draw)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        answered = list[int]()

        async def release(key: str) -> None:
            body = BODY | {"mechanism": {"kind": "simplex_geometric", "epsilon": "0.01"}}
            answer = await client.post(path, json=body, headers={"Idempotency-Key": key})
            answered.append(answer.json()["receipt"]["body"]["sequence"])

        for turn, apart in enumerate((0.001, 0.001, 0.003, 0.003, 0.006, 0.006)):
            ends[:] = [0.002, 0.002 + apart] if turn % 2 else [0.002 + apart, 0.002]
            await asyncio.gather(release(f"one-{turn}"), release(f"two-{turn}"))
        assert answered == sorted(answered)
        assert len(answered) == 12

    world.run(story)


def test_a_database_that_is_lost_before_the_charge_says_not_charged(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(release, "find_paid_before", lost_database)
            answer = await client.post(path, json=BODY)
        assert (answer.status_code, answer.json()["type"], answer.json()["charged"]) == (
            503,
            "/problems/database-unavailable",
            False,
        )
        assert SECRET not in answer.text

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 0
