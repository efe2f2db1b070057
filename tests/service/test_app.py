"""What the application has ready before it answers anybody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi.dependencies import utils

from service.auth import Role
from service.settings import Settings
from tests.harness.in_process import running
from tests.harness.people import person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY


def test_nothing_is_made_for_a_route_when_somebody_first_asks_for_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the event loop tens of milliseconds, and everybody waits."""
    made: list[str] = []
    make = vars(utils)["create_model_field"]

    def noted(*arguments: Any, **named: Any) -> Any:
        made.append(named["name"])
        return make(*arguments, **named)

    async def story() -> None:
        owner = person(database_url, Role.OWNER)
        async with running(
            Settings(database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY)
        ) as service:
            monkeypatch.setattr(utils, "create_model_field", noted)
            for path in ("/v1/datasets", "/v1/budgets", "/v1/releases", "/v1/plans", "/v1/certificates", "/v1/none"):
                await service.send(owner, "GET", path)

    asyncio.run(story())
    assert made == []
