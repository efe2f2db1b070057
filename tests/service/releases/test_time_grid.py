"""The time grid of releases: its spacing is public, and nothing of a draw can be seen before its tick."""

from __future__ import annotations

import asyncio
import math
import shutil
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from service.releases.time_grid import (
    is_apart,
    is_short,
    is_slow,
    lease_seconds,
    spacing_seconds,
    typical_seconds,
    wait_for_tick,
)

from core.mechanisms.exponential import draw_seconds
from core.mechanisms.exponential.mechanism import Exponential
from core.mechanisms.gaussian import Gaussian
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.laplace import Laplace
from core.privacy import Delta, Epsilon, Rho
from service.auth import Role
from service.datasets.cipher import new_key
from service.releases import release as releases
from service.settings import Settings
from tests.harness.in_process import running
from tests.harness.people import person
from tests.service.conftest import dataset_body

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from core.mechanisms.catalogue import Event

LITTLE, MUCH = Epsilon.parse("0.0001"), Epsilon.parse("50")


def events_of_one_kind(n: int, m: int, prior: float) -> dict[str, list[Event]]:
    """By mechanism, channels at one size and prior that have nothing else in common."""
    alpha = (prior,) * m
    return {
        "simplex_geometric": [SimplexGeometric(n, m, epsilon) for epsilon in (LITTLE, MUCH)],
        "laplace": [Laplace(n, m, epsilon) for epsilon in (LITTLE, MUCH)],
        "gaussian": [
            Gaussian(n, m, Rho.parse("0.00000001"), Delta.parse("1e-9")),
            Gaussian(n, m, Rho.parse("1000"), Delta.parse("0.5")),
        ],
        "exponential": [
            Exponential(n, alpha, LITTLE, 1e-9, None, "published", Delta.parse("1e-9")),
            Exponential(n, alpha, MUCH, None, 300.0, "global", Delta(0)),
            Exponential(n, alpha, MUCH, 1.0, 300.0, "certified", Delta(0)),
        ],
    }


@pytest.mark.parametrize("prior", [1.0, 1e6])
@pytest.mark.parametrize(("n", "m"), [(1, 2), (100_000, 2), (10_000, 3), (1_000_000, 50), (10_000_000, 1_000)])
def test_the_spacing_depends_on_mechanism_records_and_prior_alone(n: int, m: int, prior: float) -> None:
    for events in events_of_one_kind(n, m, prior).values():
        assert len({(spacing_seconds(event, 50), lease_seconds(event)) for event in events}) == 1


@pytest.mark.parametrize("least_ms", [1, 50, 1000])
def test_the_spacing_is_a_power_of_two_of_the_least_and_three_times_what_a_draw_takes(least_ms: int) -> None:
    for n, m in [(1, 2), (100_000, 10), (10_000_000, 1_000)]:
        for event, *_ in events_of_one_kind(n, m, 1.0).values():
            spacing = spacing_seconds(event, least_ms)
            assert spacing >= max(least_ms / 1000, 3 * typical_seconds(event))
            assert math.log2(spacing * 1000 / least_ms).is_integer()
            assert lease_seconds(event) > 3 * typical_seconds(event)


def test_choices_are_drawn_apart_long_ones_wait_for_a_process_and_noise_keeps_its_tables() -> None:
    def choice(n: int, m: int, prior: float) -> Exponential:
        found = events_of_one_kind(n, m, prior)["exponential"][0]
        assert isinstance(found, Exponential)
        return found

    small, large, largest = choice(1_000, 20, 1.0), choice(6_000, 120, 1e3), choice(100_000, 250, 1e6)
    assert all(is_apart(each) for each in (small, large, largest))
    assert [is_short(each) for each in (small, large, largest)] == [True, False, False]
    assert [is_slow(each) for each in (small, large, largest)] == [False, False, True]
    noise = SimplexGeometric(10**6, 2_000, LITTLE)
    assert typical_seconds(noise) > typical_seconds(small)
    assert not is_apart(noise)


def test_the_grid_can_be_turned_off() -> None:
    assert spacing_seconds(SimplexGeometric(10, 2, LITTLE), 0) == 0


@pytest.mark.parametrize(
    ("elapsed", "slept"), [(0.0, 0.0), (0.001, 0.399), (0.25, 0.15), (0.4, 0.0), (0.401, 0.399), (1.3, 0.3)]
)
def test_a_draw_that_overruns_a_tick_waits_for_the_next(
    monkeypatch: pytest.MonkeyPatch, elapsed: float, slept: float
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(time, "monotonic", lambda: 1000.0 + elapsed)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(wait_for_tick(1000.0, 0.4))
    assert waits == [pytest.approx(slept, abs=1e-9)]


@pytest.fixture
def settings(migrated_sqlite: Path, tmp_path: Path) -> Settings:
    path = tmp_path / "posterior.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return Settings(
        database_url=f"sqlite:///{path}",
        counts_keys=f"k1:{new_key()}",
        receipt_key=new_key(),
        response_grid_ms=50,
        rate_limit_per_minute=0,
    )


def test_what_a_draw_takes_is_first_estimated_outside_the_event_loop(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    grouped, threads = draw_seconds._grouped, []

    def noted(n: int, alpha: NDArray[np.float64]) -> Any:
        threads.append(threading.current_thread())
        return grouped(n, alpha)

    monkeypatch.setattr(draw_seconds, "_grouped", noted)

    async def story() -> None:
        owner = person(settings.database_url, Role.OWNER)
        async with running(settings) as service:
            body = dataset_body(labels=["a", "b", "c"], counts=[400, 300, 301])
            dataset_id = (await service.post(owner, "/v1/datasets", body))["id"]
            wanted = {
                "mechanism": {"kind": "exponential_published", "nominal_epsilon": "0.5", "delta": "1e-6"},
                "prior": [1.25, 2.5, 0.75],
            }
            answer = await service.send(owner, "POST", f"/v1/datasets/{dataset_id}/quotes", wanted)
            assert answer.status_code == 200, answer.text

    asyncio.run(story())
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def raise_an_error(*_: object) -> Any:
    raise RuntimeError


@pytest.mark.parametrize("fails", [False, True])
def test_until_its_tick_a_release_that_is_drawn_looks_like_one_that_is_not(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    fails: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    drawn, tick = asyncio.Event(), asyncio.Event()

    async def wait_for_the_test(_: float, spacing: float) -> None:
        assert spacing > 0
        drawn.set()
        await tick.wait()

    monkeypatch.setattr(releases, "wait_for_tick", wait_for_the_test)
    if fails:
        monkeypatch.setattr(releases, "draw", raise_an_error)

    async def story() -> None:
        owner = person(settings.database_url, Role.OWNER)
        async with running(settings) as service:
            dataset_id = (await service.post(owner, "/v1/datasets", dataset_body()))["id"]
            first = asyncio.create_task(service.release(owner, dataset_id, "key"))
            await drawn.wait()
            retry = await service.release(owner, dataset_id, "key")
            assert (retry.status_code, retry.json()["type"], retry.json()["charged"]) == (
                409,
                "/problems/release-in-progress",
                True,
            )
            listed = (await service.send(owner, "GET", f"/v1/datasets/{dataset_id}/releases")).json()["items"]
            assert [each["state"] for each in listed] == ["paid"]
            seen = await service.send(owner, "GET", f"/v1/releases/{listed[0]['id']}")
            assert seen.status_code == 409
            assert not first.done()
            tick.set()
            answer = await first
            assert answer.status_code == (500 if fails else 201)
            assert (await service.release(owner, dataset_id, "key")).content == answer.content

    asyncio.run(story())
