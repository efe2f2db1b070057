"""No request writes more rows in the writer's transaction if its owner has more objects, because all others wait for
it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, event

from service.runtime.runtime import Runtime
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import registration
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

FEW, MANY, WIDE = 1, 5, 10_000
"""Numbers of an owner's budgets, data sets, grants and releases, and of the categories of one data set."""


@dataclass(slots=True)
class Written:
    rows: int = 0


@contextmanager
def counting(engine: Engine) -> Iterator[Written]:
    """Counts the rows that statements insert, change and delete. When a key was last used is one row, written once a
    minute after any answer: no act's own.
    """
    written = Written()

    def count(_connection: object, cursor: Any, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE api_keys SET last_used_at="):
            return
        if statement.lstrip().split(maxsplit=1)[0].upper() in {"INSERT", "UPDATE", "DELETE"}:
            written.rows += max(cursor.rowcount, 0)

    event.listen(engine, "after_cursor_execute", count)
    try:
        yield written
    finally:
        event.remove(engine, "after_cursor_execute", count)


async def furnish(service: Service, owner: Person, analysts: list[Person], categories: int) -> dict[str, str]:
    """For each analyst, create objects on the first data set and on one of their own. Return the first ids."""
    budget = {"accountant": "basic", "epsilon": "900", "delta": "0"}
    ids = dict[str, str]()
    for number, analyst in enumerate(analysts):
        new = {"kind": "new", "budget": budget | {"name": f"budget {number}"}}
        body = registration([3] * (categories if not number else 2), name=f"study {number}", budget=new)
        dataset = await service.made(owner, "/v1/datasets", body)
        ids.setdefault("dataset", dataset["id"])
        ids.setdefault("budget", dataset["budget_id"])
        other = registration([3, 4], name=f"wave {number}", budget={"kind": "existing", "id": ids["budget"]})
        wave = await service.made(owner, "/v1/datasets", other)
        ids.setdefault("wave", wave["id"])
        amount = {"principal_id": analyst.principal_id, "epsilon": "9", "delta": "0"}
        grant = await service.made(owner, f"/v1/datasets/{ids['wave']}/grants", amount)
        ids.setdefault("grant", grant["id"])
        key = await service.made(owner, "/v1/keys", {})
        ids.setdefault("key", key["id"])
        released = await service.release(owner, ids["wave"], f"release-{number}")
        assert released.status_code == 201, released.text
        ids.setdefault("release", released.json()["id"])
    return ids


async def rows_by_act(service: Service, engine: Engine, owner: Person, admin: Person, ids: dict[str, str]) -> list[int]:
    """The rows that each act writes, in a possible order."""
    amount = {"epsilon": "10", "delta": "0"}
    acts: list[tuple[Person, str, str, object]] = [
        (owner, "PATCH", f"/v1/datasets/{ids['dataset']}", {"name": "renamed"}),
        (owner, "PATCH", f"/v1/datasets/{ids['wave']}", {"history_shared": True}),
        (owner, "PATCH", f"/v1/grants/{ids['grant']}", amount),
        (owner, "PATCH", f"/v1/grants/{ids['grant']}", {"closed": True}),
        (owner, "PATCH", f"/v1/budgets/{ids['budget']}", {"low_budget_percent": 20}),
        (owner, "PATCH", f"/v1/budgets/{ids['budget']}", {"frozen": True}),
        (owner, "PATCH", f"/v1/releases/{ids['release']}", {"public": True}),
        (owner, "POST", "/v1/keys", {}),
        (owner, "DELETE", f"/v1/keys/{ids['key']}", None),
        (owner, "DELETE", f"/v1/datasets/{ids['dataset']}", None),
        (owner, "DELETE", f"/v1/datasets/{ids['wave']}", None),
        (admin, "POST", f"/v1/principals/{owner.principal_id}/enrolment-tokens", {}),
        (admin, "DELETE", f"/v1/principals/{owner.principal_id}", None),
    ]
    found = []
    for who, method, path, body in acts:
        with counting(engine) as written:
            answer = await service.send(who, method, path, body)
        assert answer.is_success, (method, path, answer.text)
        assert written.rows, (method, path)
        found.append(written.rows)
    return found


def rows(url: str, engine: Engine, many: int, categories: int) -> list[int]:
    owner, admin = person(engine, Role.OWNER), person(engine, Role.ADMIN)
    analysts = [person(engine, Role.ANALYST) for _ in range(many)]
    settings = Settings(
        database_url=url,
        counts_keys=COUNTS_KEYS,
        receipt_key=RECEIPT_KEY,
        response_time_quantum_ms=0,
        rate_limit_per_minute=0,
        log_level="error",
    )

    async def story() -> list[int]:
        async with running(settings) as service:
            ids = await furnish(service, owner, analysts, categories)
            transport: Any = service.http._transport
            runtime: Runtime = transport.app.state.runtime
            return await rows_by_act(service, runtime.database.engine, owner, admin, ids)

    return asyncio.run(story())


def test_the_number_of_written_rows_does_not_depend_on_the_number_of_objects(database_url: str, engine: Engine) -> None:
    few = rows(database_url, engine, FEW, 2)
    assert rows(database_url, engine, MANY, WIDE) == few
    assert max(few) < 12
