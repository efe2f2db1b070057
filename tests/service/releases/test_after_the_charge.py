"""Whatever goes wrong once a release is paid: the answer says that it is charged and nothing else, and the same key
settles it.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from service import runtime
from service.app import create_app
from service.auth import Role
from service.channels.mechanisms import draw
from service.computations.processes import NotBegunError, Processes
from service.database.engine import open_engine, reading, writing
from service.database.tables import releases as release_table
from service.datasets import counts as stored_counts
from service.datasets.cipher import NotOpenedHereError
from service.errors import ComputationTooLarge, ShuttingDown
from service.releases import release as releases
from service.releases import undrawn
from service.releases.results import Drawn
from service.releases.spec import ReleaseSpec
from service.settings import Settings
from tests.harness.bodies import registration
from tests.harness.installation import audit
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

SECRET = "8675309"
BODY = {"prior": [1, 1], "mechanism": {"kind": "simplex_geometric", "epsilon": "0.1"}}


def lost_database(*_: object, **__: object) -> Any:
    raise OperationalError(f"SELECT {SECRET}", {}, Exception(SECRET))


def lost_key(*_: object, **__: object) -> Any:
    raise NotOpenedHereError(SECRET)


async def nothing(*_: object) -> None:
    """Starts no processes."""


def bug(*_: object, **__: object) -> Any:
    raise RuntimeError(SECRET)


class World:
    """The application in this process, with one data set of its one owner."""

    def __init__(self, url: str) -> None:
        self.settings = Settings(
            database_url=url,
            counts_keys=COUNTS_KEYS,
            receipt_key=RECEIPT_KEY,
            response_grid_ms=0,
            rate_limit_per_minute=0,
        )
        self.engine = open_engine(url)
        self.owner = person(self.engine, Role.OWNER)
        self.budget_id = ""

    def run(self, story: Callable[[httpx.AsyncClient, str], Any]) -> Any:
        async def tell() -> Any:
            app = create_app(self.settings)
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


@pytest.fixture
def world(database_url: str) -> Iterator[World]:
    world = World(database_url)
    yield world
    world.engine.dispose()


@pytest.mark.parametrize(
    ("module", "name", "failure", "quick"),
    [
        (releases, "_sealed", lost_database, False),
        *itertools.product([stored_counts], ["open_counts"], [lost_key], [True, False]),
        *itertools.product([releases], ["store_results"], [lost_database, bug], [True, False]),
    ],
)
def test_a_failure_that_a_retry_can_mend_says_charged_and_the_retry_mends_it(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    module: Any,
    name: str,
    failure: Callable[..., Any],
    quick: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    monkeypatch.setattr(releases, "is_quick", lambda _: quick)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(module, name, failure)
            answer = await client.post(path, json=BODY)
            problem = answer.json()
            assert (answer.status_code, problem["type"], problem["charged"]) == (
                409,
                "/problems/release-in-progress",
                True,
            )
            assert problem["retry_safe"] is True
            world.end_lease()
            again = await client.post(path, json=BODY)
            assert again.json() == problem
            assert SECRET not in answer.text + caplog.text
        world.end_lease()
        mended = await client.post(path, json=BODY)
        assert mended.status_code == 201
        assert (await client.post(path, json=BODY)).content == mended.content

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_a_draw_that_outlasts_its_lease_and_whoever_draws_anew_are_answered_alike(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "is_quick", lambda _: False)
    monkeypatch.setattr(releases, "lease_seconds", lambda _: 0)
    monkeypatch.setattr(runtime, "_DRAWING_THREADS", 3)  # that other processes would have
    draw, drawn, all_draw = releases._draw, list[Drawn](), threading.Barrier(3)

    def slowly(*given: Any) -> Drawn:
        drawn.append(draw(*given))
        all_draw.wait(50)
        return drawn[-1]

    monkeypatch.setattr(releases, "_draw", slowly)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        first = asyncio.create_task(client.post(path, json=BODY))
        async with asyncio.timeout(50):
            while not drawn:  # noqa: ASYNC110  it happens in a thread
                await asyncio.sleep(0.01)
        transport: Any = client._transport
        drawing = releases.draw_undrawn(transport.app.state.runtime)
        retry, _ = await asyncio.gather(client.post(path, json=BODY), drawing)
        answers = {(await first).content, retry.content, (await client.post(path, json=BODY)).content}
        assert len(answers) == 1
        assert (await first).status_code == 201
        assert len(drawn) == 3, "all of them drew at the same time"

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_a_lease_of_a_clock_that_ran_ahead_leaves_nobody_waiting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(releases, "store_results", lost_database)
            assert (await client.post(path, json=BODY)).status_code == 409
        assert (await client.post(path, json=BODY)).json()["type"] == "/problems/release-in-progress"
        world.end_lease(until=int(time.time()) + 86_400)
        with reading(world.engine) as connection:
            assert len(undrawn.undrawn_of_kind(connection, "posterior")) == 1
        assert (await client.post(path, json=BODY)).status_code == 201

    world.run(story)


@pytest.mark.parametrize(
    ("holder", "name", "failure"), [(undrawn, "take_lease", lost_database), (ReleaseSpec, "from_json", bug)]
)
def test_a_failure_while_taking_up_a_paid_release_says_charged(
    world: World, monkeypatch: pytest.MonkeyPatch, holder: Any, name: str, failure: Callable[..., Any]
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(stored_counts, "open_counts", lost_key)
            await client.post(path, json=BODY)
        world.end_lease()
        with monkeypatch.context() as broken:
            broken.setattr(holder, name, failure)
            answer = await client.post(path, json=BODY)
            assert (answer.status_code, answer.json()["charged"]) == (409, True)
        assert (await client.post(path, json=BODY)).status_code == 201

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


@pytest.mark.parametrize("name", ["draw", "release_document"])
def test_a_mechanism_that_raises_is_charged_failed_for_ever_and_tells_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(releases, name, bug)
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
        listed = (await client.get(path)).json()["items"]
        assert [each["state"] for each in listed] == ["failed"]
        assert (await client.get(f"/v1/releases/{listed[0]['id']}")).json()["type"] == "/problems/release-failed"

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ComputationTooLarge(), "release-failed"),
        (ShuttingDown(), "release-in-progress"),
    ],
)
def test_a_process_that_draws_and_is_killed_failed_and_one_that_ends_with_the_service_did_not(
    world: World, monkeypatch: pytest.MonkeyPatch, failure: Exception, told: str
) -> None:
    monkeypatch.setattr(releases, "is_quick", lambda _: False)
    monkeypatch.setattr(Processes, "started", nothing)

    async def killed(*_: object, **__: object) -> Any:
        raise failure

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(releases, "is_apart", lambda _: True)
            broken.setattr(releases, "is_short", lambda _: False)
            broken.setattr(releases, "draw_apart", killed)
            answer = await client.post(path, json=BODY)
        assert (answer.json()["type"], answer.json()["charged"]) == (f"/problems/{told}", True)
        assert SECRET not in answer.text
        world.end_lease()
        async with asyncio.timeout(60):
            while (again := await client.post(path, json=BODY)).status_code == httpx.codes.CONFLICT:  # noqa: ASYNC110  as above
                await asyncio.sleep(0.05)  # the background draws it just now
        assert again.status_code == (500 if told == "release-failed" else 201)

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


@pytest.mark.parametrize("kind", ["short", "neither", "slow"])
@pytest.mark.parametrize("hangs", [False, True], ids=["no process is made", "its program does not start"])
def test_where_no_process_can_be_made_a_draw_is_drawn_here_or_at_the_next_request(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    hangs: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """Seen before: what is not short stayed paid until its lease ended, a minute or more, whoever asked again."""
    monkeypatch.setattr(releases, "is_quick", lambda _: False)
    monkeypatch.setattr(releases, "is_short", lambda _: kind == "short")
    monkeypatch.setattr(releases, "is_slow", lambda _: kind == "slow")
    monkeypatch.setattr(releases, "lease_seconds", lambda _: 3600)
    drawn = list[object]()

    def counted(*given: Any) -> Any:
        drawn.append(given)
        return draw(*given)

    async def starts_for_ever(*_: object) -> None:
        await asyncio.sleep(3600)

    async def no_process(*_: object, **__: object) -> Any:
        raise NotBegunError

    monkeypatch.setattr(releases, "draw", counted)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(releases, "is_apart", lambda _: True)
            broken.setattr(Processes, "run", no_process)
            broken.setattr(Processes, "started", starts_for_ever if hangs else nothing)
            if hangs:
                broken.setattr(releases, "lease_seconds", lambda _: 2 if kind == "neither" else 10)
            async with asyncio.timeout(30):
                answer = await client.post(path, json=BODY)
        if kind == "slow":
            assert (answer.json()["type"], answer.json()["charged"]) == ("/problems/release-in-progress", True)
            assert not drawn
            async with asyncio.timeout(30):
                while (answer := await client.post(path, json=BODY)).status_code == httpx.codes.CONFLICT:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)  # the background draws it just now
        assert answer.status_code == 201, answer.text
        assert len(drawn) == 1

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 1


def test_a_lease_that_somebody_else_took_since_is_left_to_them(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(*_: object, **__: object) -> Any:
        world.end_lease(until=until)
        raise NotBegunError

    until = int(time.time()) + 7
    monkeypatch.setattr(releases, "_drawn_by_tick", nobody)

    async def story(client: httpx.AsyncClient, path: str) -> None:
        assert (await client.post(path, json=BODY)).json()["type"] == "/problems/release-in-progress"
        with reading(world.engine) as connection:
            assert connection.execute(select(release_table.c.leased_until)).scalar_one() == until

    world.run(story)


def test_a_database_that_is_lost_before_the_charge_says_not_charged(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(client: httpx.AsyncClient, path: str) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(releases, "find_paid", lost_database)
            answer = await client.post(path, json=BODY)
        assert (answer.status_code, answer.json()["type"], answer.json()["charged"]) == (
            503,
            "/problems/database-unavailable",
            False,
        )
        assert SECRET not in answer.text

    world.run(story)
    assert audit(world.engine, world.budget_id).release_count == 0
