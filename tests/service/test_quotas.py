"""Stored objects are limited by principal, and bytes by budget and grant, before a charge."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from unittest import mock

import pytest
from sqlalchemy import Engine, func, select

from service.database.engine import reading
from service.database.tables import budgets, grants, releases
from service.principals.quotas import Quotas
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import budget_body, registration, release_body
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


def tell(url: str, story: Callable[[Service], Awaitable[None]], **limits: int) -> None:
    settings = Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0)

    async def whole() -> None:
        async with running(settings) as service:
            await story(service)

    with mock.patch.object(Quotas, "times", return_value=Quotas(**limits)):
        asyncio.run(whole())


async def stored_bytes(service: Service, owner: Person, budget_id: str) -> int:
    return int((await service.send(owner, "GET", f"/v1/budgets/{budget_id}")).json()["stored_bytes"])


async def refused(service: Service, who: Person, path: str, body: object, code: str = "object-quota-exceeded") -> None:
    answer = await service.send(who, "POST", path, body)
    assert answer.json()["type"] == f"/problems/{code}", answer.text
    assert answer.json()["charged"] is False


def test_things_are_counted_and_shown(database_url: str, engine: Engine) -> None:
    owner, other = person(engine, Role.OWNER), person(engine, Role.OWNER)
    analysts = [person(engine, Role.ANALYST) for _ in range(2)]

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([1, 2]))
        budget = budget_body()
        opened = await service.made(owner, "/v1/budgets", budget, "second")
        await refused(service, owner, "/v1/budgets", budget_body())
        assert await service.made(owner, "/v1/budgets", budget, "second") == opened, "a replay makes nothing"
        await refused(service, owner, "/v1/datasets", registration([1, 2]))
        on_the_same = registration([1, 2], budget={"kind": "existing", "id": dataset["budget_id"]})
        await service.made(owner, "/v1/datasets", on_the_same)
        await refused(service, owner, "/v1/datasets", on_the_same | {"name": "a third"})
        path = f"/v1/datasets/{dataset['id']}/grants"
        cap = {"epsilon": "0.1", "delta": "0"}
        await service.made(owner, path, {"principal_id": analysts[0].principal_id} | cap)
        await refused(service, owner, path, {"principal_id": analysts[1].principal_id} | cap)
        shown = (await service.send(owner, "GET", "/v1/quotas")).json()
        assert shown["budgets"] == shown["datasets"] == {"used": 2, "limit": 2}
        assert shown["grants"] == {"used": 1, "limit": 1}
        assert (shown["keys"]["used"], shown["bytes_per_grant"]) == (1, 200_000_000)
        await service.made(other, "/v1/budgets", budget_body())

    tell(database_url, story, budgets=2, datasets=2, grants=1)


def test_a_release_that_has_no_room_is_refused_uncharged_and_replays_take_none(
    database_url: str, engine: Engine
) -> None:
    owner, analyst = person(engine, Role.OWNER), person(engine, Role.ANALYST)
    labels = [f"category {number} of a thousand and more" for number in range(1500)]

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([3] * 1500, labels=labels))
        of_dataset = await stored_bytes(service, owner, dataset["budget_id"])
        path = f"/v1/datasets/{dataset['id']}"
        cap = {"principal_id": analyst.principal_id, "epsilon": "0.5", "delta": "0"}
        grant = await service.made(owner, f"{path}/grants", cap)
        body = release_body("0.01", 1500)
        await service.made(analyst, f"{path}/releases", body, "first")
        for _ in range(3):
            await service.made(analyst, f"{path}/releases", body, "first")
        await refused_release(service, analyst, path, body)
        await service.made(owner, f"{path}/releases", body, "first")
        await refused_release(service, owner, path, body)
        budget = (await service.send(owner, "GET", f"/v1/budgets/{dataset['budget_id']}")).json()
        assert budget["spent"]["epsilon"] == "0.02"
        given = (await service.send(owner, "GET", "/v1/grants")).json()["items"][0]
        assert (given["id"], given["stored_bytes"] * 2) == (grant["id"], budget["stored_bytes"] - of_dataset)

    tell(database_url, story, budget_bytes=2_000_000, grant_bytes=1_000_000)


def test_data_sets_take_room_and_deleting_one_gives_none_back(database_url: str, engine: Engine) -> None:
    owner = person(engine, Role.OWNER)
    labels = [
        f"{number:05} is a long label of a data set, with its seventy characters and more" for number in range(4_000)
    ]

    async def story(service: Service) -> None:
        dataset = await service.made(owner, "/v1/datasets", registration([3] * 4_000, labels=labels))
        assert await stored_bytes(service, owner, dataset["budget_id"]) > sum(map(len, labels))
        assert (await service.send(owner, "DELETE", f"/v1/datasets/{dataset['id']}")).status_code == 204
        again = registration([3] * 4_000, labels=labels, budget={"kind": "existing", "id": dataset["budget_id"]})
        await service.made(owner, "/v1/datasets", again | {"name": "a second"})
        await refused(service, owner, "/v1/datasets", again | {"name": "a third"}, "storage-quota-exceeded")
        small = registration([3, 4], budget={"kind": "existing", "id": dataset["budget_id"]})
        await service.made(owner, "/v1/datasets", small)

    tell(database_url, story, budget_bytes=1_000_000)


async def refused_release(service: Service, who: Person, path: str, body: object) -> None:
    answer = await service.send(who, "POST", f"{path}/releases", body, **{"Idempotency-Key": "second"})
    assert answer.json()["type"] == "/problems/storage-quota-exceeded", answer.text
    assert answer.json()["charged"] is False


@pytest.mark.every(3)
@pytest.mark.parametrize("label", ["a", "long " * 30, "ä" * 150, "\\\\"])
def test_what_is_reserved_is_as_much_as_any_result_takes(database_url: str, engine: Engine, label: str) -> None:
    owner = person(engine, Role.OWNER)
    mechanisms = [
        {"kind": "simplex_geometric", "epsilon": "0.001"},
        {"kind": "laplace", "epsilon": "0.5"},
        {"kind": "gaussian", "rho": "0.01", "delta": "1e-9"},
    ]

    of_datasets: dict[str, int] = {}

    async def story(service: Service) -> None:
        for m in (2, 40):
            labels = [f"{label[:150]}{number}" for number in range(m)]
            budget = {"kind": "new", "budget": budget_body(epsilon="100", delta="1e-3")}
            body = registration([2**40 + 1] * m, labels=labels, budget=budget)
            dataset = await service.made(owner, "/v1/datasets", body)
            of_datasets[dataset["budget_id"]] = await stored_bytes(service, owner, dataset["budget_id"])
            for number, mechanism in enumerate(mechanisms):
                asked = {"prior": [0.333333333333] * m, "mechanism": mechanism}
                await service.made(owner, f"/v1/datasets/{dataset['id']}/releases", asked, f"{m}-{number}")

    tell(database_url, story)
    size = func.length(func.coalesce(releases.c.result, "")) + func.length(releases.c.spec)
    with reading(engine) as connection:
        taken = dict(
            connection.execute(select(releases.c.budget_id, func.sum(size)).group_by(releases.c.budget_id)).all()
        )
        for budget_id, reserved in connection.execute(select(budgets.c.id, budgets.c.stored_bytes)):
            # A character of a label takes two bytes at most here.
            assert 0 < taken[budget_id] <= reserved - of_datasets[budget_id]
            assert connection.execute(select(func.count()).select_from(grants)).scalar_one() == 0
