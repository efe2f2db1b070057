"""A service inside the test's process, with an owner who registered a cross table."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import text

from service.database.engine import open_engine, writing
from service.ledger.verification import verify_database
from service.schemas.principals import Role
from tests.harness.bodies import budget_body, unique
from tests.harness.guards import without_guards
from tests.harness.in_process import Service, embedded, running
from tests.harness.installation import PUBLIC_KEYS
from tests.harness.people import Person, person

ATTRIBUTES: Final[list[dict[str, Any]]] = [
    {"name": "age", "levels": ["young", "middle", "old"]},
    {"name": "smoker", "levels": ["no", "yes"]},
    {"name": "country", "levels": ["here"]},
    {"name": "ward", "levels": ["A", "B"]},
]
COUNTS: Final = [410, 380, 120, 90, 300, 310, 150, 160, 220, 240, 80, 70]
N: Final = sum(COUNTS)


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A running service, the owner of a cross table, and the table."""

    service: Service
    owner: Person
    dataset_id: str
    budget_id: str
    database_url: str

    @property
    def path(self) -> str:
        return f"/v1/datasets/{self.dataset_id}/releases"

    @property
    def quotes(self) -> str:
        return f"/v1/datasets/{self.dataset_id}/quotes"

    @property
    def estimates(self) -> str:
        return f"/v1/datasets/{self.dataset_id}/estimates"

    async def post(self, path: str, body: object, who: Person | None = None, key: str = "") -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return await self.service.settled(who or self.owner, "POST", path, body, **headers)

    async def get(self, path: str, who: Person | None = None) -> httpx.Response:
        return await self.service.send(who or self.owner, "GET", path)

    async def pay(self, body: object, key: str = "", who: Person | None = None) -> dict[str, Any]:
        """The release of margins that was paid for."""
        answer = await self.post(self.path, body, who, key or unique("key").replace(" ", "-"))
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def analyst(self, **amounts: str) -> Person:
        """An analyst with a grant of these amounts."""
        found = person(self.database_url, Role.ANALYST)
        body = {"principal_id": found.principal_id, "delta": "0", **amounts}
        await self.service.made(self.owner, f"/v1/datasets/{self.dataset_id}/grants", body)
        return found

    def execute(self, statement: str, **parameters: str) -> None:
        """Change the database by a statement, as the owner of its tables can."""
        engine = open_engine(self.database_url)
        try:
            with writing(engine) as connection, without_guards(connection, "releases"):
                connection.execute(text(statement), parameters)
        finally:
            engine.dispose()

    def verify(self) -> None:
        """Check every ledger, release and signature in the database."""
        engine = open_engine(self.database_url)
        try:
            with engine.connect() as connection:
                findings = verify_database(connection, public_keys=PUBLIC_KEYS)
        finally:
            engine.dispose()
        faults = [each.fault for each in findings if each.fault is not None and each.budget_id == self.budget_id]
        assert not faults, " ".join(faults)


Story = Callable[[CrossTable], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Running:
    """One service for all tests of a file, and the loop that it runs on."""

    runner: asyncio.Runner
    service: Service
    database_url: str


@pytest.fixture(scope="module")
def shared(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("margins")
    shutil.copy(migrated_sqlite, folder / "posterior.sqlite3")
    url = f"sqlite:///{folder / 'posterior.sqlite3'}"
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        service = runner.run(stack.enter_async_context(running(embedded(url, folder / "witness"))))
        yield Running(runner, service, url)
        runner.run(stack.aclose())


@pytest.fixture
def tell(shared: Running) -> Callable[..., None]:
    """Runs a story about a cross table of an owner of its own; `changes` are of its registration."""

    def run(story: Story, *, budget: dict[str, Any] | None = None, **changes: Any) -> None:
        owner = person(shared.database_url, Role.OWNER)
        body = {
            "name": "table",
            "attributes": ATTRIBUTES,
            "counts": COUNTS,
            "unit": "one person",
            "one_record_per_unit": True,
            "n_is_public": True,
            "budget": {"kind": "new", "budget": budget_body(**budget or {"epsilon": "100", "delta": "0"})},
        } | changes

        async def whole() -> None:
            made = await shared.service.made(owner, "/v1/datasets", body)
            await story(CrossTable(shared.service, owner, made["id"], made["budget_id"], shared.database_url))

        shared.runner.run(whole())

    return run
