"""The time grid delays answers to releases to its ticks, since how long a draw took can tell the noise, and the noisy
answer is published.

The spacing depends on public facts alone: the mechanism, the number of records and, for the exponential mechanism, the
prior, else the number of categories. A draw that overruns a tick waits for the next. The result is stored only on its
tick, so that a second request under the same key can't watch for the moment when it was drawn. What an observer may
still learn stands in `docs/response-time.md`.
"""

from __future__ import annotations

import asyncio
import math
import time

from core.mechanisms.catalogue import Event, mechanism_of
from service.errors import NotSupported
from service.ledger.debit import MIN_LEASE_SECONDS

_FIXED_SECONDS = 5e-3
MARGIN = 3
"""So many typical draws fit before the first tick at least."""
_SLOW_SECONDS = 0.25
"""Draws that may take longer are bounded by what they take together."""
_SHORT_SECONDS = 0.03
"""Draws that may take longer are worth waiting for another process, also where it has to be started first."""


def typical_seconds(event: Event) -> float:
    """A generous public estimate of what one draw of this event takes on one core, for the slowest histogram."""
    return _FIXED_SECONDS + mechanism_of(event).typical_draw_seconds(event)


def spacing_seconds(event: Event, least_ms: int) -> float:
    """The grid's spacing for draws of this event."""
    return grid_spacing(typical_seconds(event), least_ms)


def grid_spacing(typical: float, least_ms: int) -> float:
    """The grid's spacing: `least_ms` times a power of two, at least three times the typical draw; 0 where the grid
    is off.
    """
    if not least_ms:
        return 0.0
    least = least_ms / 1000
    return float(least * 2 ** max(0, math.ceil(math.log2(MARGIN * typical / least))))


def lease_seconds(event: Event) -> int:
    """How long a draw of this event is left alone before somebody else may draw it: far longer than it takes."""
    return MIN_LEASE_SECONDS + math.ceil(10 * typical_seconds(event))


def is_slow(event: Event) -> bool:
    """Whether a draw of this event can take longer than others should wait for."""
    return typical_seconds(event) > _SLOW_SECONDS


def is_apart(event: Event) -> bool:
    """Whether a draw of this event belongs into another process: in this one it is in the way of those who are answered
    meanwhile. Tables, which noise is drawn from, are kept by the process that answers.
    """
    return is_slow(event) or not mechanism_of(event).keeps_tables


def is_short(event: Event) -> bool:
    """Whether a draw of this event is rather drawn here than waits until another process could be made."""
    return typical_seconds(event) <= _SHORT_SECONDS


def places(event: Event, at_once: int) -> int:
    """How many of `at_once` places a draw of this event takes: one for each second of it. Its memory goes with its
    time, some 70 MB for each second.
    """
    return min(at_once, math.ceil(typical_seconds(event))) if is_slow(event) else 1


def check_draw(event: Event, most_seconds: int) -> None:
    """Raises NotSupported where a draw of this event could take longer than the installation lets anyone draw; 0
    lets all.
    """
    seconds = typical_seconds(event)
    if most_seconds and seconds > most_seconds:
        raise NotSupported(
            f"A draw at this size and prior can take {math.ceil(seconds)} s, and this service allows {most_seconds} s. "
            "A smaller prior or fewer categories take less."
        )


async def wait_for_tick(started: float, spacing: float) -> None:
    """Sleeps until the next multiple of `spacing` after `started`, an instant of the monotonic clock."""
    if spacing:
        elapsed = time.monotonic() - started
        await asyncio.sleep(math.ceil(elapsed / spacing) * spacing - elapsed)
