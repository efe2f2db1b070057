"""Answers leave at 1, 2, 4, 8 … spacings after the charge, and the spacing follows from public facts."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.drawing.estimates import kill_seconds, tick
from service.runtime.response_time import (
    MARGIN,
    MAX_LEASE_SECONDS,
    Ticks,
    lease_seconds,
    spacing_seconds,
    wait_for_tick,
)

ESTIMATES = st.floats(1e-4, 30.0)
QUANTA = st.integers(1, 5_000)


@given(ESTIMATES, QUANTA)
def test_the_spacing_is_a_power_of_two_of_the_quantum_and_leaves_room_for_the_draw(
    estimate: float, quantum: int
) -> None:
    spacing = spacing_seconds(estimate, quantum)
    assert spacing >= MARGIN * estimate * (1 - 1e-12)
    ratio = spacing * 1000 / quantum
    assert round(ratio).bit_count() == 1
    assert ratio == pytest.approx(round(ratio))
    assert spacing == pytest.approx(quantum / 1000) or spacing < 2 * MARGIN * estimate * (1 + 1e-12)


@pytest.mark.parametrize(
    ("elapsed", "at"), [(0.0, 1), (0.3, 1), (1.0, 1), (1.01, 2), (2.0, 2), (2.1, 4), (3.9, 4), (4.1, 8), (8.5, 16)]
)
def test_an_answer_that_misses_a_tick_leaves_at_twice_its_time(elapsed: float, at: float) -> None:
    assert tick(elapsed * 0.05, 0.05) == pytest.approx(at * 0.05)


@given(st.floats(0, 1e4), st.floats(1e-3, 1e3))
def test_no_answer_leaves_before_it_is_there(elapsed: float, spacing: float) -> None:
    at = tick(elapsed, spacing)
    assert at >= max(spacing, elapsed) * (1 - 1e-9)
    assert round(at / spacing).bit_count() == 1


def test_without_a_quantum_answers_are_not_delayed() -> None:
    assert spacing_seconds(1.0, 0) == 0
    assert tick(0.123, 0.0) == 0.123


@given(ESTIMATES, st.integers(0, 5_000))
def test_a_lease_outlasts_the_tick_of_a_draw_that_is_killed(estimate: float, quantum: int) -> None:
    lease = lease_seconds(estimate, quantum)
    assert lease <= MAX_LEASE_SECONDS
    assert lease >= tick(kill_seconds(estimate), spacing_seconds(estimate, quantum)) + 10 or lease == MAX_LEASE_SECONDS


def test_waiting_ends_at_the_tick() -> None:
    async def waited(work: float) -> float:
        loop, ticks = asyncio.get_running_loop(), Ticks()
        start = ticks.start()
        await asyncio.sleep(work)
        await wait_for_tick(ticks, start, 0.2)
        return loop.time() - start.instant

    assert 0.2 <= asyncio.run(waited(0.0)) < 0.4
    assert 0.4 <= asyncio.run(waited(0.24)) < 0.8
    assert 0.8 <= asyncio.run(waited(0.48)) < 1.6
