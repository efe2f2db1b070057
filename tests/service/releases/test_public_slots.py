"""How long draws of some take within their slots does not change when others are answered: the ticks of B are the same
whether the draws of A are quick or slow. A process that is handed on as soon as it is free fails the same test.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from service.auth import Role
from service.database.engine import open_engine
from service.drawing.processes import DrawProcess, DrawProcesses, Order
from service.fair_queue import FairQueue
from service.settings import Settings
from tests.harness.bodies import budget_body, registration, release_body
from tests.harness.in_process import Service, running
from tests.harness.people import Person, person
from tests.harness.planted import draw_program
from tests.harness.process import COUNTS_KEYS, RECEIPT_KEY

OTHERS = 30
QUANTUM_MS = 700
"""The draws of 30 others take 960 ms of slots, between one and two of these."""
LATE_SECONDS = 0.025
"""Of the 32 ms of a slot. The draw itself takes less than a millisecond."""
QUICK, SLOW = [0, 0, 14], [14, 0, 0]
"""Counts of A: the planted program takes longer, the more records the first category has. The estimate of so small a
table is 19 ms, since its certificate is proven again.
"""
ROUNDS = 3
TRIES = 6
"""On a busy machine a draw overruns its slot by chance. Where the ticks depend on the counts, each try shows it."""
PROGRAM = draw_program(f"late_draws:{LATE_SECONDS}")


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def ticks_of_b(path: Path) -> dict[str, float]:
    """The tick at which a release of B leaves behind 30 draws of others: the median of some rounds, by the counts that
    the others draw from.
    """
    url = f"sqlite:///{path}"
    engine = open_engine(url)
    settings = Settings(
        database_url=url,
        counts_keys=COUNTS_KEYS,
        receipt_key=RECEIPT_KEY,
        response_time_quantum_ms=QUANTUM_MS,
        rate_limit_per_minute=0,
    )

    async def ticks() -> dict[str, float]:
        async with running(settings, PROGRAM) as service:
            turns = _draws(service)._turns
            b = await _registered(service, engine, [30, 40])
            others = {
                "quick": [await _registered(service, engine, QUICK) for _ in range(OTHERS)],
                "slow": [await _registered(service, engine, SLOW) for _ in range(OTHERS)],
            }
            await _release(service, *b, "first", 2)  # starts the resident
            seen: dict[str, list[int]] = {"quick": [], "slow": []}
            for number in range(ROUNDS):
                for counts, parties in others.items():
                    key = f"{counts}-{number}"
                    # All are charged and wait, B last, before the first of them is drawn.
                    async with turns.slot("nobody"):
                        asked = [asyncio.create_task(_release(service, *each, key, 3)) for each in parties]
                        await _until_waiting(turns, OTHERS)
                        asked.append(asyncio.create_task(_release(service, *b, key, 2)))
                        await _until_waiting(turns, OTHERS + 1)
                    seconds = (await asyncio.gather(*asked))[-1]
                    seen[counts].append(int(seconds * 1000 / QUANTUM_MS))
            return {counts: statistics.median(each) for counts, each in seen.items()}

    try:
        return asyncio.run(ticks())
    finally:
        engine.dispose()


def measured(migrated_sqlite: Path, tmp_path: Path) -> Iterator[dict[str, float]]:
    """The ticks of B, up to TRIES times: beside other programs a measurement can miss a tick."""
    for number in range(TRIES):
        path = tmp_path / f"posterior-{number}.sqlite3"
        path.write_bytes(migrated_sqlite.read_bytes())
        yield ticks_of_b(path)


def _draws(service: Service) -> DrawProcesses:
    transport: Any = service.http._transport
    draws: DrawProcesses = transport.app.state.runtime.processes.draws
    return draws


async def _until_waiting(turns: FairQueue, principals: int) -> None:
    async with asyncio.timeout(60):
        while len(turns._waiting) < principals:  # noqa: ASYNC110  no event says it
            await asyncio.sleep(0.001)


async def _registered(service: Service, engine: Engine, counts: list[int]) -> tuple[Person, str]:
    owner = person(engine, Role.OWNER)
    budget = {"kind": "new", "budget": budget_body(epsilon="10")}
    made = await service.post(owner, "/v1/datasets", registration(counts, budget=budget))
    return owner, made["id"]


async def _release(service: Service, who: Person, dataset_id: str, key: str, categories: int) -> float:
    """Seconds until a release is answered."""
    started = time.monotonic()
    path = f"/v1/datasets/{dataset_id}/releases"
    await service.post(who, path, release_body("0.1", categories), key)
    return time.monotonic() - started


@pytest.mark.long
@pytest.mark.usefixtures("planted")
def test_others_are_answered_at_the_same_tick_however_long_draws_take_within_their_slots(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    assert any(ticks == {"quick": 2, "slow": 2} for ticks in measured(migrated_sqlite, tmp_path))


@pytest.mark.long
@pytest.mark.usefixtures("planted")
def test_a_process_that_is_handed_on_once_it_is_free_shows_the_draws_of_others(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def until_drawn(processes: Any, order: Order, _: DrawProcess, receiving: asyncio.Task[str | None]) -> None:
        await asyncio.wait({receiving})
        processes._turns.leave(order.principal_id)

    monkeypatch.setattr(DrawProcesses, "_hold_turn", until_drawn)
    assert any(ticks["quick"] < ticks["slow"] for ticks in measured(migrated_sqlite, tmp_path))
