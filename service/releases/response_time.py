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

from service.drawing.estimates import kill_seconds, tick
from service.drawing.processes import OVERRUN_SECONDS
from service.runtime.ticks import Start, Ticks

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


def lease_seconds(estimate: float, quantum_ms: int, before: int = 0) -> int:
    """Return the length of a lease: ten seconds more than the first tick after a draw of this estimate would be
    killed, and the seconds by which `before` other draws may delay it.
    """
    last_tick = tick(kill_seconds(estimate), spacing_seconds(estimate, quantum_ms))
    delay = math.ceil(before * OVERRUN_SECONDS)
    return min(math.ceil(last_tick) + _LEASE_MARGIN_SECONDS + delay, MAX_LEASE_SECONDS)


async def wait_for_tick(ticks: Ticks, start: Start, spacing: float) -> None:
    """Wait until the next tick after `start`."""
    if spacing:
        elapsed = asyncio.get_running_loop().time() - start.instant
        await ticks.wait(start.instant + tick(elapsed, spacing), start.number)
