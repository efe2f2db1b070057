"""The history of queries is read when a slot is free, one release after the other, and no more than is used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import Engine, event

from service.principals.quotas import Quotas
from service.queries import readable_history
from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import querying, registration
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


def tell(url: str, story: Callable[[Service, Runtime], Awaitable[None]]) -> None:
    settings = Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0)

    async def whole() -> None:
        async with running(settings) as service:
            transport = service.http._transport
            assert isinstance(transport, httpx.ASGITransport)
            app: Any = transport.app
            await story(service, app.state.runtime)

    asyncio.run(whole())


@contextmanager
def reads_of_results(runtime: Runtime) -> Iterator[list[str]]:
    """The statements that read stored results."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        selected, _from, rest = statement.partition("FROM")
        # The background task looks for undrawn releases in any case, and each computation for its job.
        stored = "result" in selected and not rest.lstrip().startswith("jobs")
        if statement.startswith("SELECT") and stored and "leased_until" not in rest:
            seen.append(statement)

    event.listen(runtime.database.engine, "before_cursor_execute", note)
    yield seen
    event.remove(runtime.database.engine, "before_cursor_execute", note)


async def prepare(service: Service, owner: Person, *, releases: int, m: int = 2) -> str:
    dataset = await service.made(owner, "/v1/datasets", registration([5] * m))
    for number in range(releases):
        body = {"prior": [1] * m, "mechanism": {"kind": "simplex_geometric", "epsilon": "0.01"}}
        await service.made(owner, f"/v1/datasets/{dataset['id']}/releases", body, key=f"release-{number}")
    found: str = dataset["id"]
    return found


_FIRST_QUERY: Final[dict[str, Any]] = {"queries": [{"of": {"labels": ["category 0"]}}]}


async def estimate_first(service: Service, owner: Person, dataset_id: str) -> dict[str, Any]:
    answer = await service.settled(owner, "POST", f"/v1/datasets/{dataset_id}/estimates", _FIRST_QUERY)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("estimates", _FIRST_QUERY),
        ("quotes", {"kind": "queries"} | _FIRST_QUERY),
        ("releases", {"kind": "queries"} | _FIRST_QUERY),
    ],
)
def test_releases_are_read_when_there_is_a_place_and_not_before(
    database_url: str, engine: Engine, path: str, body: dict[str, Any]
) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service, runtime: Runtime) -> None:
        dataset_id = await prepare(service, owner, releases=2)

        async def ask(number: int) -> httpx.Response:
            key = {"Idempotency-Key": f"query-{number}"} if path == "releases" else {}
            return await service.settled(owner, "POST", f"/v1/datasets/{dataset_id}/{path}", body, **key)

        with reads_of_results(runtime) as seen:
            async with runtime.processes.computation_slots.slot(owner.principal_id):
                asking = [asyncio.create_task(ask(number)) for number in range(4)]
                await asyncio.sleep(0.5)
                told_early = [each for each in seen if "key_hash" not in each.partition("WHERE")[2]]
                assert told_early == [], "what waits has read nothing of releases but whether its key was used"
            for each in await asyncio.gather(*asking):
                assert each.status_code in (200, 201), each.text
        assert len(seen) > len(told_early)

    tell(database_url, story)


def test_reading_ends_at_the_bound_and_says_so(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)

    async def story(service: Service, runtime: Runtime) -> None:
        dataset_id = await prepare(service, owner, releases=3)
        assert len((await estimate_first(service, owner, dataset_id))["used"]) == 3
        monkeypatch.setattr(readable_history, "_MAX_CHARACTERS", 10)
        with reads_of_results(runtime) as seen:
            told = await estimate_first(service, owner, dataset_id)
        assert len(seen) == len(told["used"]) == 1
        assert [each["reason"] for each in told["excluded_releases"]] == [
            "too large for one estimate, alone or together with later releases"
        ] * 2

    tell(database_url, story)


def test_releases_of_too_many_categories_are_not_read(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setattr(readable_history, "MAX_COLUMNS", 2)

    async def story(service: Service, runtime: Runtime) -> None:
        dataset_id = await prepare(service, owner, releases=2, m=3)
        with reads_of_results(runtime) as seen:
            told = await estimate_first(service, owner, dataset_id)
        assert seen == []
        assert len(told["excluded_releases"]) == 2

    tell(database_url, story)


def test_answers_that_cost_nothing_are_stored_up_to_a_quota(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setattr(Quotas, "times", lambda _: Quotas(free_answers=2))

    async def story(service: Service, runtime: Runtime) -> None:
        dataset_id = await prepare(service, owner, releases=0, m=4)
        path = f"/v1/datasets/{dataset_id}/releases"

        async def ask(key: str, *weights: int) -> httpx.Response:
            body = querying({"weights": weights, "half_width": 20.0})
            return await service.send(owner, "POST", path, body, **{"Idempotency-Key": key})

        # Two cells are paid for. The third raises no maximum and is free; so is a query that history answers.
        told = [await ask(f"cell-{cell}", *(int(cell == each) for each in range(4))) for cell in range(3)]
        assert [each.json()["charged"]["epsilon"] == "0" for each in told] == [False, False, True]
        kept = await ask("again", 1, 0, 0, 0)
        assert kept.status_code == 201
        for weights in ((0, 1, 0, 0), (0, 0, 0, 1)):
            refused = await ask(f"more-{weights[1]}", *weights)
            assert refused.status_code == 429, refused.text
            assert refused.json()["type"] == "/problems/free-answer-quota-exceeded"
            assert refused.json()["charged"] is False
        assert (await ask("again", 1, 0, 0, 0)).content == kept.content
        quote = {"queries": [{"weights": [0, 1, 0, 0]}]}
        answer = await service.send(owner, "POST", f"/v1/datasets/{dataset_id}/estimates", quote)
        assert answer.json()["answers"][0] is not None

    tell(database_url, story)


def test_free_answers_push_nothing_out_of_what_is_known(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)
    monkeypatch.setattr(readable_history, "_MAX_RELEASES", 1)

    async def story(service: Service, _runtime: Runtime) -> None:
        dataset_id = await prepare(service, owner, releases=0, m=3)
        path, query = f"/v1/datasets/{dataset_id}/releases", {"of": {"labels": ["category 0"]}, "half_width": 20.0}
        answers = [await service.made(owner, path, querying(query), key=f"key-{number}") for number in range(4)]
        assert [bool(each["measured"]) for each in answers] == [True, False, False, False]
        told = await estimate_first(service, owner, dataset_id)
        assert told["used"] == [answers[0]["id"]]

    tell(database_url, story)
