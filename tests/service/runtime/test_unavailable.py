"""If no process can be started for a computation, its callers are refused, and answered later."""

from __future__ import annotations

import asyncio
import errno
from multiprocessing.context import ForkServerProcess

import httpx
import pytest
from sqlalchemy import Engine

from service.limits.limits import COMPUTATIONS
from service.runtime import jobs
from service.schemas.principals import Role
from service.settings.settings import Settings
from tests.harness.bodies import of_releases, registration
from tests.harness.in_process import Service, running
from tests.harness.out_of_reach import FAR_SECONDS
from tests.harness.people import Person, person
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

PRIOR = [1, 1]
MECHANISM = {"kind": "simplex_geometric", "epsilon": "1"}


def no_more_processes(_: object) -> None:
    """The error of the system when it has no more processes."""
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


async def publish(service: Service, owner: Person) -> tuple[str, str]:
    """A data set, and a release of it that everybody may read."""
    dataset: str = (await service.made(owner, "/v1/datasets", registration([5, 6])))["id"]
    body = {"prior": PRIOR, "mechanism": MECHANISM}
    release: str = (await service.made(owner, f"/v1/datasets/{dataset}/releases", body, "release"))["id"]
    shown = await service.send(owner, "PATCH", f"/v1/releases/{release}", {"public": True})
    assert shown.is_success, shown.text
    return dataset, release


def test_without_processes_requests_are_refused_and_succeed_later(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = person(engine, Role.OWNER)
    settings = Settings(
        database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0
    )

    async def story() -> None:
        async with running(settings) as service:
            dataset, release = await publish(service, owner)
            monkeypatch.setattr("service.releases.expected_accuracy._MAX_SECONDS", FAR_SECONDS)

            async def ask() -> tuple[list[httpx.Response], object]:
                waited = [
                    await service.http.post("/v1/public/posteriors", json=of_releases(release) | {"prior": PRIOR}),
                    await service.http.get(f"/v1/public/releases/{release}/plot.svg"),
                ]
                body = {"prior": PRIOR, "mechanism": MECHANISM, "level": 0.9}
                quoted = await service.send(owner, "POST", f"/v1/datasets/{dataset}/quotes", body)
                assert quoted.is_success, quoted.text
                return waited, quoted.json()["expected_accuracy"]

            with monkeypatch.context() as patch:
                patch.setattr(ForkServerProcess, "start", no_more_processes)
                refused, accuracy = await ask()
            for each in refused:
                assert each.status_code == 503, each.text
                assert each.json()["type"] == "/problems/computations-unavailable"
                assert each.headers["Retry-After"] == "5"
            assert accuracy is None
            answered, accuracy = await ask()
            assert [each.status_code for each in answered] == [200, 200]
            assert accuracy is not None

    asyncio.run(story())


@pytest.mark.parametrize(("function", "seconds"), [("sleep_for_ever", 0.05), ("end", FAR_SECONDS)])
def test_what_is_held_up_or_killed_is_not_called_too_large(
    database_url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, function: str, seconds: float
) -> None:
    owner, planted = person(engine, Role.OWNER), f"tests.harness.computing:{function}"
    settings = Settings(
        database_url=database_url, counts_keys=COUNTS_KEYS, receipt_key=RECEIPT_KEY, response_time_quantum_ms=0
    )

    async def story() -> None:
        async with running(settings) as service:
            dataset, release = await publish(service, owner)
            monkeypatch.setattr("service.releases.expected_accuracy._MAX_SECONDS", FAR_SECONDS)
            body = {"prior": PRIOR, "mechanism": MECHANISM, "level": 0.9}
            with monkeypatch.context() as patch:
                patch.setattr("service.runtime.runtime.COMPUTATIONS", COMPUTATIONS._replace(seconds=seconds))
                patch.setattr("service.releases.expected_accuracy._COMPUTATION_NAME", planted)
                for kind in ("posterior", "picture"):
                    patch.setitem(jobs.COMPUTATIONS, kind, planted)
                for refused in (
                    await service.http.post("/v1/public/posteriors", json=of_releases(release) | {"prior": PRIOR}),
                    await service.http.get(f"/v1/public/releases/{release}/plot.svg"),
                ):
                    problem = refused.json()
                    assert (refused.status_code, problem["type"]) == (503, "/problems/computations-unavailable")
                    assert (problem["charged"], problem["retryable"]) == (False, True)
                    assert refused.headers["Retry-After"] == "5"
                quoted = await service.send(owner, "POST", f"/v1/datasets/{dataset}/quotes", body)
                assert quoted.json()["expected_accuracy"] is None
            quoted = await service.send(owner, "POST", f"/v1/datasets/{dataset}/quotes", body)
            assert quoted.json()["expected_accuracy"] is not None, "it is not remembered as too large"

    asyncio.run(story())
