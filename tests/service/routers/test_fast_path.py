"""A request for a release gets the same answer past the framework as through it, byte for byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from sqlalchemy import Engine

from service.app import create_app
from service.auth import Role
from service.routers.fast_path import FastPath
from service.settings import Settings
from tests.harness.bodies import registration, release_body
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.service.web.test_bad_input import BODIES, RELEASES, changed

GOOD = json.dumps(release_body("0.01")).encode()
JSON = {"Content-Type": "application/json"}
Seen = tuple[int, bytes, list[tuple[bytes, bytes]]]
Try = tuple[str, str, bytes, dict[str, str]]
"""Method, path with query, body, headers."""


def tries(world: World, dataset_id: str, other_id: str) -> list[Try]:
    """Requests in an order in which each finds what those before it left."""
    path = f"/v1/datasets/{dataset_id}/releases"
    mine = world.owner.headers | JSON
    keyed = mine | {"Idempotency-Key": "key"}
    body = release_body("0.01")
    bad = [("POST", path, changed(body, each[1]).encode(), keyed) for each in RELEASES]
    bad += [("POST", path, content, keyed | {"Content-Type": media}) for _, content, media, *_ in BODIES]
    expensive = json.dumps(release_body("0.9")).encode()
    limited = json.dumps(body | {"charge_at_most": {"epsilon": "0.001"}}).encode()
    return [
        *bad,
        ("POST", path, GOOD, mine),
        ("POST", path, GOOD, mine | {"Idempotency-Key": "a key"}),
        ("POST", path, GOOD, mine | {"Idempotency-Key": "k" * 201}),
        ("POST", path, b"", keyed),
        ("POST", path, b"null", keyed),
        ("POST", path, b"[" * 100_000, keyed),
        ("POST", f"{path}?seed=1", GOOD, keyed),
        ("POST", f"{path}/", GOOD, keyed),
        ("PUT", path, GOOD, keyed),
        ("POST", "/v1/datasets/dat_1/releases", GOOD, keyed),
        ("POST", f"/v1/datasets/dat_{'a' * 26}/releases", GOOD, keyed),
        ("POST", f"/v1/datasets/{other_id}/releases", GOOD, keyed),
        ("POST", path, GOOD, JSON | {"Idempotency-Key": "key"}),
        ("POST", path, GOOD, JSON | {"Idempotency-Key": "key", "Authorization": "Bearer pp_nobody"}),
        ("POST", path, GOOD, JSON | {"Idempotency-Key": "key", "Authorization": "Basic abc"}),
        ("POST", path, GOOD, keyed | world.analyst.headers),
        ("POST", path, GOOD, keyed | world.admin.headers),
        ("POST", path, limited, keyed),
        ("POST", path, expensive, keyed | {"Idempotency-Key": "too much"}),
        # From here on there is a release under the key.
        ("POST", path, GOOD, keyed | {"Idempotency-Key": "first"}),
        ("POST", path, expensive, keyed | {"Idempotency-Key": "first"}),
        ("POST", path, GOOD, keyed | {"Idempotency-Key": "first"}),
        ("POST", path, GOOD, keyed | {"Idempotency-Key": "first", "Content-Type": "application/json; charset=utf-8"}),
    ]


class World:
    """The application in this process, with an owner's two data sets, the second of them on a frozen budget."""

    def __init__(self, url: str, engine: Engine) -> None:
        self.settings = Settings(database_url=url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_grid_ms=0)
        self.owner, self.analyst, self.admin = (person(engine, role) for role in (Role.OWNER, Role.ANALYST, Role.ADMIN))

    async def answers(self, requests: list[Try], *, fast: bool) -> list[Seen]:
        seen = []
        async with self.client(fast=fast) as client:
            for method, path, body, headers in requests:
                answer = await client.request(method, path, content=body, headers=headers)
                # Each request has an id of its own.
                told = sorted(header for header in answer.headers.raw if header[0].lower() != b"x-request-id")
                seen.append((answer.status_code, answer.content, told))
        return seen

    async def register(self) -> list[str]:
        async with self.client(fast=True) as client:
            datasets = []
            for _ in range(2):
                body = registration([3, 4])
                body["budget"]["budget"]["epsilon"] = "0.5"
                answer = await client.post("/v1/datasets", json=body, headers=self.owner.headers)
                datasets.append(answer.json())
            budget = f"/v1/budgets/{datasets[1]['budget_id']}"
            await client.patch(budget, json={"frozen": True}, headers=self.owner.headers)
        return [each["id"] for each in datasets]

    @asynccontextmanager
    async def client(self, *, fast: bool) -> AsyncIterator[httpx.AsyncClient]:
        app = create_app(self.settings)
        if not fast:
            app.user_middleware = [each for each in app.user_middleware if each.cls is not FastPath]  # type: ignore[comparison-overlap]
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://service") as client,
        ):
            yield client


@pytest.mark.parametrize("first", ["the fast path", "the framework"])
def test_both_ways_give_the_same_answer(database_url: str, engine: Engine, first: str) -> None:
    """The second way also replays what the first has paid for, and the other way round."""
    world = World(database_url, engine)
    requests = tries(world, *asyncio.run(world.register()))
    ways = [True, False] if first == "the fast path" else [False, True]
    one_way, other_way = (asyncio.run(world.answers(requests, fast=fast)) for fast in ways)
    assert {201, 400, 401, 403, 404, 405, 422} <= {status for status, *_ in one_way}
    paid = next(at for at, request in enumerate(requests) if request[3].get("Idempotency-Key") == "first")
    for at, (one, other) in enumerate(zip(one_way, other_way, strict=True)):
        if at == paid:
            # The second way replays it, and says so.
            assert one[:2] == other[:2]
            assert [each for each in other[2] if each not in one[2]] == [(b"idempotency-replayed", b"true")]
        else:
            assert one == other, requests[at]
