"""Draws in processes of their own: what they draw, and what they say when they fail, are killed or ended."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import psutil
import pytest
from service.releases.apart import draw_apart

from core.limits import MAX_CONCENTRATION
from core.mechanisms.catalogue import Event, certify
from core.mechanisms.exponential.calibration import calibrate_global
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Delta, Epsilon
from core.private import Private, Released
from service.channels.certified import Certified
from service.computations.processes import NotBegunError, Processes
from service.errors import ComputationTooLarge, InternalError, ShuttingDown

M = 4
WIDE = SimplexGeometric(10**6, M, Epsilon.parse("0.0001"))
COUNTS = np.array([8_675_309 % 10**6, 10**6 - 8_675_309 % 10**6, 0, 0], dtype=np.int64)
SLOW = calibrate_global(100_000, (MAX_CONCENTRATION,) * 1_000, Epsilon.parse("0.004"), Delta.parse("1e-9"))
"""Takes seconds."""


def tell(story: Callable[[Processes], Coroutine[Any, Any, Any]]) -> Any:
    async def whole() -> Any:
        processes = Processes("service.releases.apart", memory_mb=1)
        try:
            return await story(processes)
        finally:
            await processes.close()

    return asyncio.run(whole())


def draw(
    processes: Processes, event: Event, counts: Any, *, alone: bool = True
) -> Coroutine[Any, Any, Released[NoisyCounts]]:
    certified = Certified(event, certify(event))
    return draw_apart(
        processes, certified, Private(np.asarray(counts, dtype=np.int64)), seconds=60, alone=alone, at_once=False
    )


async def begun(forkserver: psutil.Process, after: int = 0) -> psutil.Process:
    """The process that computes, another one than `after`."""
    async with asyncio.timeout(60):
        while True:
            for each in forkserver.children():
                with contextlib.suppress(psutil.NoSuchProcess):
                    if each.pid != after and each.cpu_times().user > 0.05:
                        return each
            await asyncio.sleep(0.02)


def lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_draws_differ_have_the_loss_that_was_proven_and_say_nothing_where_they_fail(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(processes: Processes) -> list[Released[NoisyCounts]]:
        drawn = await asyncio.gather(*(draw(processes, WIDE, COUNTS) for _ in range(4)))
        with pytest.raises(InternalError) as failed:
            await draw(processes, WIDE, [*COUNTS[:-1], 1])
        assert failed.value.__cause__ is None
        return drawn

    drawn = tell(story)
    assert len({each.value.noisy for each in drawn}) == 4, "each process has an entropy of its own"
    for each in drawn:
        assert sum(each.value.on_simplex) == WIDE.n
        assert each.loss == certify(WIDE).loss
        assert all(type(count) is int for count in (*each.value.noisy, *each.value.on_simplex))
    assert caplog.text == ""


def test_short_draws_share_a_process_and_differ() -> None:
    async def story(processes: Processes) -> list[Released[NoisyCounts]]:
        forkserver = psutil.Process((await processes.started()).process.pid)
        drawn = [await draw(processes, WIDE, COUNTS, alone=False)]
        children = forkserver.children()
        with pytest.raises(InternalError):
            await draw(processes, WIDE, [*COUNTS[:-1], 1], alone=False)
        drawn += [await draw(processes, WIDE, COUNTS, alone=False) for _ in range(3)]
        assert len(children) == 1
        assert forkserver.children() == children
        await draw(processes, WIDE, COUNTS)
        assert lives(children[0]), "a draw alone leaves it to those that share it"
        return drawn

    assert len({each.value.noisy for each in tell(story)}) == 4


def test_it_outlives_a_signal_to_all_is_told_apart_when_killed_and_when_the_service_ends() -> None:
    even = [100] * 1_000

    async def story(processes: Processes) -> None:
        forkserver = psutil.Process((await processes.started()).process.pid)
        killed = asyncio.create_task(draw(processes, SLOW, even))
        worker = await begun(forkserver)
        for each in (worker, forkserver):
            each.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.1)
        assert not killed.done()
        worker.kill()
        with pytest.raises(ComputationTooLarge):
            await killed
        ended = asyncio.create_task(draw(processes, SLOW, even))
        other = await begun(forkserver, worker.pid)
        await processes.close()
        with pytest.raises(ShuttingDown):
            await ended
        with pytest.raises(ShuttingDown):
            await draw(processes, WIDE, COUNTS)
        async with asyncio.timeout(30):
            while lives(other) or lives(forkserver):  # noqa: ASYNC110  others end them
                await asyncio.sleep(0.02)

    tell(story)


def test_where_no_process_can_be_made_none_is_told_of_the_counts_and_the_next_draw_is_made() -> None:
    async def story(processes: Processes) -> None:
        started = (await processes.started()).process
        forkserver = psutil.Process(started.pid)
        files = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, files[1]))
        try:
            with pytest.raises(NotBegunError):
                await draw(processes, WIDE, COUNTS)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, files)
        forkserver.suspend()
        waiting = asyncio.create_task(draw(processes, WIDE, COUNTS))
        await asyncio.sleep(0.1)
        forkserver.kill()
        with pytest.raises(NotBegunError):
            await waiting
        await started.wait()
        assert sum((await draw(processes, WIDE, COUNTS)).value.on_simplex) == WIDE.n

    tell(story)
