"""Figures for a monitor: they count what happened, and name nobody and nothing."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from service.counts_cipher import new_key
from service.settings import Settings
from tests.service.conftest import COUNTS, dataset_body
from tests.service.in_process import Person, person, running


@pytest.fixture
def settings(database_url: str) -> Settings:
    return Settings(database_url=database_url, counts_keys=f"k1:{new_key()}", receipt_key=new_key(), response_grid_ms=0)


def value(text: str, name: str, **labels: str) -> float:
    """The sample with exactly these labels; 0 where there is none."""
    for line in text.splitlines():
        found = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
        if found and found[1] == name and dict(re.findall(r'(\w+)="([^"]*)"', found[2] or "")) == labels:
            return float(found[3])
    return 0.0


def test_metrics_count_requests_problems_and_commits_and_name_nothing(settings: Settings) -> None:
    async def story() -> tuple[str, list[str], Person]:
        owner = person(settings.database_url, "owner")
        async with running(settings) as service:
            dataset = await service.post(owner, "/v1/datasets", dataset_body())
            assert (await service.release(owner, dataset["id"], "one")).status_code == 201
            assert (await service.release(owner, dataset["id"], "two", epsilon="5")).status_code == 409
            assert (await service.http.get("/nowhere/at/all")).status_code == 404
            response = await service.http.get("/metrics")
            assert response.status_code == 200
            names = [dataset["id"], dataset["budget_id"], dataset["name"], owner.principal_id, owner.key, "one child"]
            return response.text, names, owner

    text, names, _ = asyncio.run(story())
    route = "/v1/datasets/{dataset_id}/releases"
    assert value(text, "posterior_requests_total", route=route, method="POST", status="201") == 1
    assert value(text, "posterior_requests_total", route=route, method="POST", status="409") == 1
    assert value(text, "posterior_requests_total", route="unmatched", method="any", status="404") == 1
    assert value(text, "posterior_problems_total", problem="budget-exhausted") == 1
    assert value(text, "posterior_request_seconds_count", route="/v1/datasets", method="POST") == 1
    assert value(text, "posterior_request_seconds_count", route=route, method="POST") == 0
    assert value(text, "posterior_commit_jobs_count") >= 3
    assert value(text, "posterior_undrawn_releases") == 0
    assert value(text, "posterior_restore_pending") == 0
    assert not any(name in text for name in names)
    assert not any(str(count) in text for count in COUNTS)


def test_a_pending_restore_shows(settings: Settings) -> None:
    from service.database import open_engine, writing
    from service.restore import stop

    engine = open_engine(settings.database_url)
    with writing(engine) as connection:
        stop(connection)
    engine.dispose()

    async def story() -> Any:
        async with running(settings) as service:
            return (await service.http.get("/metrics")).text

    assert value(asyncio.run(story()), "posterior_restore_pending") == 1
