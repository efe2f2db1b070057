"""Response-time quantization: a paid answer leaves 1, 2, 4, 8 … spacings after its charge was committed.

The duration of a draw can depend on the counts and the noise. So the answer waits for a tick. Ticks depend only on
public facts: the event and the length of its spec. An answer that misses a tick leaves at twice that time, not at the
next multiple, so that a slow draw discloses at most the octave in which it ended. The result is stored on the tick,
too, so that no second request, list or ledger shows it earlier.
"""

from __future__ import annotations

import asyncio
import math
from typing import Final

from service.drawing.estimates import kill_seconds

MARGIN: Final = 3
"""Minimum of the first tick, in multiples of the estimated draw time."""
MAX_LEASE_SECONDS: Final = 7200
"""Longest lease. A stored lease that ends later came from a clock that ran ahead, and is ignored."""
_LEASE_MARGIN_SECONDS: Final = 10


def spacing_seconds(estimate: float, quantum_ms: int) -> float:
    """Return the time of the first tick: `quantum_ms` times a power of two, at least three times the estimate.

    It is 0 if quantization is off.
    """
    if not quantum_ms:
        return 0.0
    quantum = quantum_ms / 1000
    return float(quantum * 2 ** max(0, math.ceil(math.log2(MARGIN * estimate / quantum))))


def tick(elapsed: float, spacing: float) -> float:
    """Return the first of 1, 2, 4, 8 … spacings that is not before `elapsed`, or `elapsed` if the spacing is 0."""
    if not spacing:
        return elapsed
    return spacing * 2 ** max(0, math.ceil(math.log2(elapsed / spacing))) if elapsed > spacing else spacing


def lease_seconds(estimate: float, quantum_ms: int) -> int:
    """Return the length of a lease: ten seconds more than the first tick after a draw of this estimate would be
    killed.
    """
    last_tick = tick(kill_seconds(estimate), spacing_seconds(estimate, quantum_ms))
    return min(math.ceil(last_tick) + _LEASE_MARGIN_SECONDS, MAX_LEASE_SECONDS)


async def wait_for_tick(started: float, spacing: float) -> None:
    """Sleep until the next tick after `started`, by the clock of the event loop."""
    now = asyncio.get_running_loop().time()
    await asyncio.sleep(tick(now - started, spacing) - (now - started))
