"""Where no process can be made for a computation, whoever waits is told so, and is answered later."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from service.auth import Role
from service.settings import Settings
from tests.harness.bodies import registration
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

PRIOR = [1, 1]
MECHANISM = {"kind": "simplex_geometric", "epsilon": "1"}


async def publish(service: Service, owner: Person) -> tuple[str, str]:
    """A data set, and a release of it that everybody may read."""
    dataset: str = (await service.post(owner, "/v1/datasets", registration([5, 6])))["id"]
    body = {"prior": PRIOR, "mechanism": MECHANISM}
    release: str = (await service.post(owner, f"/v1/datasets/{dataset}/releases", body, "release"))["id"]
    shown = await service.send(owner, "PATCH", f"/v1/releases/{release}", {"public": True})
    assert shown.is_success, shown.text
    return dataset, release


def test_what_no_process_was_there_for_is_told_so_and_answered_later(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told to be too large, with the advice to ask for less; and a estimate was left out of all quotes from then
    on.
    """
    monkeypatch.setattr("service.computations.processes._FIRST_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr("service.computations.processes._LONGEST_PAUSE_SECONDS", 0.0)
    owner = person(engine, Role.OWNER)
    settings = Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_grid_ms=0)

    async def story() -> None:
        async with running(settings) as service:
            dataset, release = await publish(service, owner)
            transport: Any = service.http._transport
            processes = transport.app.state.runtime.processes

            async def ask() -> tuple[list[httpx.Response], object]:
                waited = [
                    await service.send(owner, "GET", f"/v1/datasets/{dataset}/history"),
                    await service.http.post(f"/v1/public/releases/{release}/posterior", json={"prior": PRIOR}),
                    await service.http.get(f"/v1/public/releases/{release}/plot.svg"),
                ]
                body = {"prior": PRIOR, "mechanism": MECHANISM, "level": 0.9}
                quoted = await service.send(owner, "POST", f"/v1/datasets/{dataset}/quotes", body)
                assert quoted.is_success, quoted.text
                return waited, quoted.json()["expected_accuracy"]

            await processes.close()
            processes._closing, processes._forkserver = False, None
            monkeypatch.setattr(processes, "_modules", ("no.such.module",))
            refused, accuracy = await ask()
            for each in refused:
                assert each.status_code == 503, each.text
                assert each.json()["type"] == "/problems/computations-unavailable"
                assert each.headers["Retry-After"] == "5"
            assert accuracy is None
            monkeypatch.undo()
            processes._not_before = 0.0
            answered, accuracy = await ask()
            assert [each.status_code for each in answered] == [200, 200, 200]
            assert accuracy is not None

    asyncio.run(story())
