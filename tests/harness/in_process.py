"""A service inside the test's own process: it starts in a moment, and can be stopped, moved to another database and
started again.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from service.api.app import create_app
from service.settings.settings import Settings
from tests.harness.bodies import release_body
from tests.harness.deadlines import PATIENCE
from tests.harness.drawing import shared_draw_program
from tests.harness.people import Person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY
from tests.harness.server import problem_code

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path


_PENDING = ("preparation-pending", "release-in-progress")


@dataclass(frozen=True, slots=True)
class Service:
    """A running service."""

    http: httpx.AsyncClient

    async def send(self, who: Person, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        return await self.http.request(method, path, json=body, headers=who.headers | headers)

    async def settled(self, who: Person, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """The answer once what it needs is computed. On a busy machine that takes longer than a request."""
        async with asyncio.timeout(PATIENCE):
            while True:
                answer = await self.send(who, method, path, body, **headers)
                if answer.status_code not in (202, 409, 503):
                    return answer
                if answer.status_code != 202 and problem_code(answer) not in _PENDING:
                    return answer
                await asyncio.sleep(0.5)

    async def made(self, who: Person, path: str, body: object, key: str = "") -> dict[str, Any]:
        """The answer to a POST that must succeed."""
        response = await self.settled(who, "POST", path, body, **({"Idempotency-Key": key} if key else {}))
        assert response.status_code == 201, response.text
        answer: dict[str, Any] = response.json()
        return answer

    async def release(self, who: Person, dataset_id: str, key: str, epsilon: str = "0.01") -> httpx.Response:
        path = f"/v1/datasets/{dataset_id}/releases"
        return await self.send(who, "POST", path, release_body(epsilon), **{"Idempotency-Key": key})


def embedded(database_url: str, witness: Path) -> Settings:
    """Settings of a service with the keys of the tests, that answers at once."""
    return Settings(
        database_url=database_url,
        response_time_quantum_ms=0,
        counts_keys=COUNTS_KEYS,
        receipt_key=RECEIPT_KEY,
        witness_file=str(witness),
    )


async def readiness(http: httpx.AsyncClient, until: Callable[[httpx.Response], object]) -> httpx.Response:
    """The first answer of readiness that is as wanted. A process that was held up reports that its database is not
    available.
    """
    async with asyncio.timeout(PATIENCE):
        while not until(answer := await http.get("/readyz")):  # noqa: ASYNC110  a service sets no event
            await asyncio.sleep(0.02)
    return answer


async def notes_of(service: Service) -> list[str]:
    """The notes of readiness, once it has some result."""
    answer = await readiness(service.http, lambda answer: answer.status_code == httpx.codes.OK)
    notes: list[str] = answer.json()["notes"]
    return notes


@asynccontextmanager
async def running(
    settings: Settings,
    draw_program: Sequence[str] = (),
    waited_seconds: float | None = 15,
    around: Callable[[Any], Any] = lambda app: app,
) -> AsyncIterator[Service]:
    """The service on these settings, until the block ends; `draw_program` stands in for its draw processes.

    `waited_seconds`: CPU time after which a free computation becomes a job. None keeps the service's own limit, which a
    small computation can reach on a busy machine. `around` returns the application that is asked in its place.
    """
    app = create_app(settings, draw_program or shared_draw_program())
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app=around(app)), base_url="http://service") as http,
    ):
        if waited_seconds is not None:
            app.state.runtime.processes.waited_seconds = waited_seconds
        yield Service(http)
